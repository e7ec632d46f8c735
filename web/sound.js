/** Wood on wood: small sounds made here and now, off until wanted. Nothing is fetched. */

import { duration } from "./board/animation.js";

/** @typedef {"land" | "take" | "end"} Knock */

/** Pitch of the wood (Hz), how long it rings (s), how loud it is. @type {Record<Knock, {pitch: number, ring: number, loud: number}>} */
const KNOCKS = {
  land: { pitch: 460, ring: 0.07, loud: 0.5 },
  take: { pitch: 300, ring: 0.1, loud: 0.65 },
  end: { pitch: 190, ring: 0.28, loud: 0.6 },
};
const CLICK = 0.012; // s of noise at the moment of touch

export class Sound {
  /** @param {() => boolean} wanted asked before every sound */
  constructor(wanted) {
    this.wanted = wanted;
    /** @type {AudioContext | null} */
    this.context = null;
    /** How often something was heard, for tests. */
    this.heard = 0;
  }

  /** A move as it is seen: a knock at every landing. @param {{to: string, captures: string[], track: string[]}[]} hops @param {boolean} moves whether the stone travels */
  move(hops, moves) {
    let at = 0;
    for (const { captures, track } of hops) {
      if (moves) at += duration(track.length - 1) / 1000;
      this.knock(captures.length ? "take" : "land", at);
    }
    if (hops.length === 0) this.knock("land", 0);
  }

  /** @param {Knock} kind @param {number} [delay] s */
  knock(kind, delay = 0) {
    if (!this.wanted()) return;
    try {
      this.context ??= new AudioContext();
      if (this.context.state === "suspended") void this.context.resume().catch(() => {});
      this.strike(this.context, KNOCKS[kind], this.context.currentTime + delay);
      this.heard++;
    } catch { /* a browser without sound plays on in silence */ }
  }

  /**
   * A struck piece of wood: two tones that do not quite agree and die fast, with a click of noise before them.
   * @param {AudioContext} context @param {typeof KNOCKS[Knock]} wood @param {number} at
   */
  strike(context, { pitch, ring, loud }, at) {
    const out = new GainNode(context, { gain: loud * 0.5 });
    out.connect(context.destination);
    const varied = pitch * (0.97 + 0.06 * Math.random()); // no two stones sound alike
    for (const [ratio, part] of [[1, 1], [2.76, 0.35]]) {
      const level = new GainNode(context, { gain: 0 });
      level.gain.setValueAtTime(part, at);
      level.gain.exponentialRampToValueAtTime(0.001, at + ring / Math.sqrt(ratio));
      const tone = new OscillatorNode(context, { type: "sine", frequency: varied * ratio });
      tone.connect(level).connect(out);
      tone.start(at);
      tone.stop(at + ring);
    }
    const noise = context.createBuffer(1, Math.ceil(CLICK * context.sampleRate), context.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3 * 0.4;
    const click = new AudioBufferSourceNode(context, { buffer: noise });
    click.connect(new BiquadFilterNode(context, { type: "lowpass", frequency: varied * 6 })).connect(out);
    click.start(at);
  }

  destroy() {
    void this.context?.close().catch(() => {});
    this.context = null;
  }
}
