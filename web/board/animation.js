/** Moves a stone along a path, hop by hop. Interruptible: `finish()` puts everything where it belongs at once. */

import { svg } from "../dom.js";

export const HOP_MS = 180;
const LONGEST_HOP_MS = 900;

const ease = (/** @type {number} */ k) => (k < 0.5 ? 2 * k * k : 1 - (2 - 2 * k) ** 2 / 2);

/**
 * @typedef {object} Run
 * @property {() => void} finish jumps to the end
 * @property {Promise<void>} done
 */

/**
 * @param {SVGElement} piece
 * @param {{path: string, units: number}[]} hops path data of each hop and its length in board units
 * @param {(index: number) => void} arrived called once a hop, in order
 * @param {() => void} ended called once, at once when finished early
 * @returns {Run}
 */
export function run(piece, hops, arrived, ended) {
  let frame = 0;
  let index = 0;
  let since = 0;
  let over = false;
  /** @type {() => void} */
  let resolve = () => {};
  /** @type {Promise<void>} */
  const done = new Promise((settle) => { resolve = settle; });
  const curves = hops.map((hop) => svg("path", { d: hop.path }));

  const place = (/** @type {number} */ hop, /** @type {number} */ k) => {
    const curve = curves[hop];
    const spot = curve.getPointAtLength(curve.getTotalLength() * k);
    piece.setAttribute("transform", `translate(${spot.x} ${spot.y})`);
  };
  const end = () => {
    if (over) return;
    over = true;
    cancelAnimationFrame(frame);
    for (; index < hops.length; index++) arrived(index);
    if (hops.length) place(hops.length - 1, 1);
    ended();
    resolve();
  };
  const tick = (/** @type {number} */ now) => {
    since ||= now;
    const k = Math.min(1, (now - since) / duration(hops[index].units));
    place(index, ease(k));
    if (k === 1) {
      arrived(index++);
      since = now;
    }
    if (index < hops.length) frame = requestAnimationFrame(tick);
    else end();
  };
  if (hops.length === 0) end();
  else frame = requestAnimationFrame(tick);
  return { finish: end, done };
}

/** A hop's time grows with the root of its way, so that a run round a loop is seen and a step stays brisk. @param {number} units */
export const duration = (units) => Math.min(LONGEST_HOP_MS, HOP_MS * Math.max(1, Math.sqrt(units)));
