/** Watching: the host's relay, which hears nothing that counts from those who watch, and the watcher's side. */

import { countMoves, isEvent } from "../entries.js";
import { runClock, startClock, stopClock, timeLeft } from "./clock.js";
import { Gate, PROTOCOL, Refused } from "./messages.js";

/** @typedef {import("./peer.js").Carrier} Carrier */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./session.js").RoomState} RoomState */
/** @typedef {import("./session.js").Stand} Stand */
/** @typedef {import("../wire.js").State} State */

const BEAT = 4000;
const SILENCE = 30_000;

/** Passes the game on to everyone who watches. */
export class Relay {
  /** @param {Session} session @param {number} most */
  constructor(session, most) {
    this.session = session;
    this.most = most;
    /** @type {Map<Carrier, {gate: Gate, sent: number, ready: boolean, heard: number}>} */
    this.watchers = new Map();
    this.stop = session.listen((state, before, event) => this.passOn(state, before, event));
  }

  get full() { return this.watchers.size >= this.most; }

  /** @param {Carrier} carrier */
  add(carrier) {
    const watcher = { gate: new Gate("watch"), sent: 0, ready: false, heard: performance.now() };
    this.watchers.set(carrier, watcher);
    carrier.onclose = () => this.drop(carrier);
    carrier.onmessage = (data) => {
      try {
        const message = watcher.gate.pass(data, performance.now());
        watcher.heard = performance.now();
        if (message.t === "bye") this.drop(carrier);
        else if (message.t === "hello") {
          if (message.v !== PROTOCOL || message.room !== this.session.room || watcher.ready) throw new Refused("room");
          watcher.ready = true;
          this.show(carrier);
          this.tellCrowd();
        }
      } catch {
        this.send(carrier, "bye", { reason: "fault" }); // nothing that a watcher sends can matter: out with what is wrong
        this.drop(carrier);
      }
    };
  }

  /** @param {Carrier} carrier */
  drop(carrier) {
    if (!this.watchers.delete(carrier)) return;
    carrier.close();
    this.tellCrowd();
  }

  /** @param {Carrier} carrier @param {string} t @param {object} fields */
  send(carrier, t, fields) {
    const watcher = this.watchers.get(carrier);
    if (watcher) carrier.send(JSON.stringify({ t, n: ++watcher.sent, ...fields }));
  }

  tellCrowd() {
    const count = [...this.watchers.values()].filter(({ ready }) => ready).length;
    this.session.change({ crowd: { count, most: this.most } });
    if (this.session.proven) this.session.send("crowd", { count, most: this.most });
  }

  /** The whole record. @param {Carrier} carrier */
  show(carrier) {
    const { state, me } = this.session;
    if (state.stand) this.send(carrier, "show", { ...this.session.standNow(), host: me.name, guest: state.peer?.name ?? "?", running: state.clock?.running ?? null });
  }

  /** @param {RoomState} state @param {RoomState} before @param {import("./session.js").GameEvent | null} event */
  passOn(state, before, event) {
    if (this.watchers.size === 0 || !state.stand) return;
    const over = state.stand.ended !== null && before.stand?.ended === null;
    const stopped = state.clock?.running !== before.clock?.running; // without a move: the two lost or found each other
    for (const [carrier, { ready }] of this.watchers) {
      if (!ready) continue;
      if (event?.type === "entry") {
        const { moves, left, game } = state.stand;
        const mover = before.now?.side ?? "x";
        this.send(carrier, "move", { game, at: moves.length - 1, text: event.text, left: left && !isEvent(event.text) ? Math.round(left[mover]) : null });
      } else if (event?.type === "stand" || (over && state.stand.ended?.reason === "time") || stopped) this.show(carrier);
    }
  }

  tick() {
    const now = performance.now();
    if (now - (this.beaten ?? 0) < BEAT) return;
    this.beaten = now;
    for (const [carrier, { heard }] of this.watchers) {
      if (now - heard > SILENCE) this.drop(carrier);
      else this.send(carrier, "ping", {});
    }
  }

  close() {
    this.stop();
    for (const carrier of [...this.watchers.keys()]) { this.send(carrier, "bye", { reason: "closed" }); this.drop(carrier); }
  }
}

/**
 * @typedef {object} WatchState
 * @property {"joining" | "waiting" | "watching" | "gone"} phase
 * @property {Stand | null} stand
 * @property {State | null} now
 * @property {import("./clock.js").Clock | null} clock as the host tells it
 * @property {{host: string, guest: string}} names
 * @property {{kind: string, detail?: string} | null} note
 */

/** One who watches. The host's word is checked by this side's engine all the same. */
export class Watcher {
  /** @param {{room: string, name: string, ask: import("./session.js").Ask}} means */
  constructor({ room, name, ask }) {
    this.room = room;
    this.name = name;
    this.ask = ask;
    /** @type {WatchState} */
    this.state = { phase: "joining", stand: null, now: null, clock: null, names: { host: "", guest: "" }, note: null };
    /** @type {Set<(state: WatchState, before: WatchState, event: import("./session.js").GameEvent | null) => void>} */
    this.listeners = new Set();
    this.queue = Promise.resolve();
    this.sent = 0;
  }

  /** @param {(state: WatchState, before: WatchState, event: import("./session.js").GameEvent | null) => void} listener */
  listen(listener) { this.listeners.add(listener); return () => this.listeners.delete(listener); }

  /** @param {Partial<WatchState>} part @param {import("./session.js").GameEvent | null} [event] */
  change(part, event = null) {
    const before = this.state;
    this.state = { ...before, ...part };
    for (const listener of this.listeners) listener(this.state, before, event);
  }

  /** @param {Carrier} carrier */
  attach(carrier) {
    this.carrier = carrier;
    const gate = new Gate("host");
    carrier.onclose = () => { this.carrier = null; if (this.state.phase !== "gone") this.change({ phase: "gone", note: this.state.note ?? { kind: "bye.left" } }); };
    carrier.onmessage = (data) => {
      try {
        const message = gate.pass(data, performance.now());
        this.queue = this.queue.then(() => this.handle(message)).catch((fault) => this.change({ note: { kind: fault instanceof Refused ? fault.kind : "illegal", detail: fault instanceof Refused ? fault.detail : "" } }));
      } catch (fault) {
        this.change({ note: { kind: fault instanceof Refused ? fault.kind : "schema" } });
      }
    };
    this.send("hello", { v: PROTOCOL, room: this.room, role: "watch", name: this.name, key: null, nonce: "0".repeat(32) });
    this.change({ phase: "waiting" });
  }

  /** @param {string} t @param {object} [fields] */
  send(t, fields = {}) { this.carrier?.send(JSON.stringify({ t, n: ++this.sent, ...fields })); }

  /** @param {import("./messages.js").Message} message */
  async handle(message) {
    const { stand } = this.state;
    if (message.t === "ping") this.send("ping");
    else if (message.t === "bye") this.leave({ kind: `bye.${message.reason}` });
    else if (message.t === "show") {
      const { game, terms, x, moves, ended, left, began, host, guest, running } = message;
      const now = await this.ask("state", this.question(terms, moves));
      this.change({ phase: "watching", stand: { game, terms, x, moves, ended, left, began }, now, clock: left && terms.clock && { ...startClock(terms.clock), ...left, running, since: performance.now() }, names: { host, guest }, note: null }, { type: "stand" });
    } else if (message.t === "move" && stand && stand.game === message.game && message.at === stand.moves.length) {
      const now = await this.ask("play", { ...this.question(stand.terms, stand.moves), move: message.text });
      const mover = this.state.now?.side;
      const left = stand.left && message.left !== null && mover ? { ...stand.left, [mover]: message.left } : stand.left;
      const moves = [...stand.moves, message.text];
      this.change({ stand: { ...stand, moves, left, ended: now.outcome }, now, clock: this.pressed(moves, now, message.left) }, { type: "entry", text: message.text, now });
    } else if (message.t === "move") throw new Refused("stale", message.text);
  }

  /** The clock after an entry, set to what the host says is left to whoever has moved. @param {string[]} moves @param {State} now @param {number | null} left */
  pressed(moves, now, left) {
    const { clock, now: before } = this.state;
    if (!clock || !before || (left === null && !now.outcome)) return clock;
    const at = performance.now();
    const stopped = { ...stopClock(clock, at), ...(left === null ? {} : { [before.side]: left }) };
    return now.outcome || countMoves(moves) < 2 ? stopped : runClock(stopped, now.side, at);
  }

  /** ms, null without a clock. @param {import("../wire.js").Side} side */
  timeLeft(side) { return this.state.clock && timeLeft(this.state.clock, side, performance.now()); }

  /** @param {import("./messages.js").Terms} terms @param {string[]} moves */
  question({ ruleset, start }, moves) { return { ruleset, ...(start === null ? {} : { position: start }), moves }; }

  /** @param {{kind: string} | null} [note] */
  leave(note = null) {
    this.send("bye", { reason: "left" });
    const { carrier } = this;
    this.carrier = null;
    carrier?.close();
    this.change({ phase: "gone", note });
  }
}
