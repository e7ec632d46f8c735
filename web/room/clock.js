/**
 * A playing clock: main time and an increment after each move. Plain values; the time is handed in, so that both
 * sides, and the tests, run the same one. Nothing runs before each side has had a turn, and nothing while the two
 * are apart.
 */

/** @typedef {import("../wire.js").Side} Side */
/** @typedef {{main: number, increment: number}} Pace seconds */
/** @typedef {{x: number, o: number, increment: number, running: Side | null, since: number}} Clock ms left; `running` since the moment `since` */

/** How far the two sides' measures may differ before the receiver keeps to its own: a slow network's way there. */
export const TOLERANCE = 2000;

/** @param {Pace} pace @returns {Clock} */
export const startClock = ({ main, increment }) => ({ x: main * 1000, o: main * 1000, increment: increment * 1000, running: null, since: 0 });

/** @param {Clock} clock @param {Side} side @param {number} now ms, of a clock that never jumps */
export const timeLeft = (clock, side, now) => Math.max(0, clock[side] - (clock.running === side ? now - clock.since : 0));

/** Stops it, what has run counted. @param {Clock} clock @param {number} now @returns {Clock} */
export const stopClock = (clock, now) => (clock.running ? { ...clock, [clock.running]: timeLeft(clock, clock.running, now), running: null } : clock);

/** @param {Clock} clock @param {Side} side @param {number} now @returns {Clock} */
export const runClock = (clock, side, now) => ({ ...stopClock(clock, now), running: side, since: now });

/**
 * After a move of `mover`: its increment, and the clock of the side now to move. The same side may be to move again.
 * @param {Clock} clock
 * @param {Side} mover
 * @param {Side | null} next null: the game is over
 * @param {number} now
 * @param {{counts: boolean, told?: number}} how counts: whether the clocks run yet; told: what the mover says it had
 *   left, increment included, believed within the tolerance
 * @returns {Clock}
 */
export function pressClock(clock, mover, next, now, { counts, told }) {
  const wasRunning = clock.running === mover;
  const stopped = stopClock(clock, now);
  const own = stopped[mover] + (wasRunning ? clock.increment : 0);
  const kept = told === undefined ? own : Math.min(Math.max(told, own - TOLERANCE), own + TOLERANCE);
  const after = { ...stopped, [mover]: Math.max(0, kept) };
  return next && counts ? { ...after, running: next, since: now } : after;
}

/** "4:05", below ten seconds "0:07.3". @param {number} ms */
export function clockText(ms) {
  if (ms < 10_000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${String(m).padStart(2, "0")}:${String(s).padStart(2, "0")}` : `${m}:${String(s).padStart(2, "0")}`;
}
