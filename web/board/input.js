/**
 * How choosing points becomes a move: a state machine over whole legal moves. It keeps the part already chosen
 * and narrows; it knows no rule. Pure: every function returns a new state, the caller draws it.
 *
 * States: nothing chosen → under way (`path` not empty) → finished (`move`), with a question in between where the
 * remaining moves disagree: `labels` (approach or withdrawal) or `routes` (several ways to the point wished for).
 */

/** @typedef {import("../wire.js").Move} Move */

/**
 * @typedef {object} Entry
 * @property {string[]} path points chosen so far; the first is where the piece stood
 * @property {(string | null)[]} labels one per hop in `path`
 * @property {Move[]} candidates legal moves that begin like this
 * @property {Question | null} question
 */
/**
 * @typedef {{kind: "labels", to: string, options: {label: string, captures: string[]}[]}
 *   | {kind: "routes", goal: string, next: string[]}} Question
 */
/**
 * What came of a choice.
 * @typedef {{entry: Entry, move: Move | null, refused: string[] | null}} Outcome
 *   move: complete, to be played; refused: the path to ask the engine about
 */

/** @type {Entry} */
export const NOTHING = { path: [], labels: [], candidates: [], question: null };

/** @param {Move} move @param {string[]} path @param {(string | null)[]} labels */
const begins = (move, path, labels) => path.every((point, i) => move.path[i] === point) && labels.every((label, i) => (move.hops[i]?.label ?? null) === label);

/** The moves that stop exactly here. @param {Entry} entry */
export const complete = (entry) => entry.candidates.filter((move) => move.path.length === entry.path.length);

/** The next landing points. @param {Entry} entry @returns {string[]} */
export const nextPoints = (entry) => unique(entry.candidates.map((move) => move.path[entry.path.length]).filter((point) => point !== undefined));

/** Landing points further on. @param {Entry} entry @returns {string[]} */
export function laterPoints(entry) {
  const next = nextPoints(entry);
  return unique(entry.candidates.flatMap((move) => move.path.slice(entry.path.length + 1))).filter((point) => !next.includes(point));
}

/** The hops already made in an unfinished turn. @param {Entry} entry */
export const hopsMade = (entry) => (entry.candidates[0]?.hops ?? []).slice(0, Math.max(0, entry.path.length - 1));

/** @template T @param {T[]} list */
const unique = (list) => [...new Set(list)];

/**
 * @param {Entry} entry
 * @param {string} point
 * @param {{legal: Move[], own: (point: string) => boolean, forced?: boolean}} context
 *   own: whether the side to move has a piece there; forced: go on by itself where only one way is left
 * @returns {Outcome}
 */
export function choose(entry, point, context) {
  const here = entry.path.at(-1);
  if (here === undefined) return start(point, context);
  if (point === here) return { entry: NOTHING, move: null, refused: null };
  const depth = entry.path.length;
  const direct = entry.candidates.filter((move) => move.path[depth] === point);
  if (direct.length) return advance(entry, [point], direct, context);

  const later = entry.candidates.filter((move) => move.path.indexOf(point, depth) > 0);
  if (later.length) {
    const ways = unique(later.map((move) => way(move, depth, point)));
    if (ways.length === 1) return advance(entry, later[0].path.slice(depth, later[0].path.indexOf(point, depth) + 1), later, context);
    const next = unique(later.map((move) => move.path[depth]));
    if (next.length === 1) return advance({ ...entry, candidates: later }, next, later, context);
    return { entry: { ...entry, question: { kind: "routes", goal: point, next } }, move: null, refused: null };
  }
  if (depth === 1 && context.own(point)) return start(point, context);
  return { entry: { ...entry, question: null }, move: null, refused: [...entry.path, point] };
}

/** The way to a point as text, to see whether moves agree on it. @param {Move} move @param {number} depth @param {string} point */
function way(move, depth, point) {
  const end = move.path.indexOf(point, depth);
  return move.path.slice(depth, end + 1).map((step, i) => `${step}${move.hops[depth + i - 1]?.label ?? ""}`).join();
}

/** @param {string} point @param {{legal: Move[], forced?: boolean}} context @returns {Outcome} */
function start(point, context) {
  const candidates = context.legal.filter((move) => move.path[0] === point);
  if (candidates.length === 0) return { entry: NOTHING, move: null, refused: [point] };
  return settle({ path: [point], labels: [], candidates, question: null }, context);
}

/** @param {Entry} entry @param {string[]} points @param {Move[]} candidates @param {{forced?: boolean}} context @returns {Outcome} */
function advance(entry, points, candidates, context) {
  let { path, labels } = entry;
  for (const point of points) {
    const fits = candidates.filter((move) => move.path[path.length] === point);
    const options = unique(fits.map((move) => move.hops[path.length - 1]?.label ?? null));
    if (options.length > 1) {
      const choices = options.map((label) => ({ label: label ?? "", captures: fits.find((move) => move.hops[path.length - 1].label === label)?.hops[path.length - 1].captures ?? [] }));
      return { entry: { path, labels, candidates, question: { kind: "labels", to: point, options: choices } }, move: null, refused: null };
    }
    candidates = fits;
    path = [...path, point];
    labels = [...labels, options[0] ?? null];
  }
  return settle({ path, labels, candidates, question: null }, context);
}

/** Ends the turn where nothing else is left, goes on by itself where the visitor wants forced moves played. @param {Entry} entry @param {{forced?: boolean}} context @returns {Outcome} */
function settle(entry, context) {
  const [only] = entry.candidates;
  if (entry.candidates.length === 1 && (only.path.length === entry.path.length || context.forced)) return { entry: NOTHING, move: only, refused: null };
  return { entry, move: null, refused: null };
}

/** Answers an approach-or-withdrawal question. @param {Entry} entry @param {string} label @param {{forced?: boolean}} context @returns {Outcome} */
export function chooseLabel(entry, label, context) {
  if (entry.question?.kind !== "labels") return { entry, move: null, refused: null };
  const path = [...entry.path, entry.question.to];
  const labels = [...entry.labels, label];
  return settle({ path, labels, candidates: entry.candidates.filter((move) => begins(move, path, labels)), question: null }, context);
}

/** Ends the turn here if that is legal. @param {Entry} entry @returns {Move | null} */
export const stopHere = (entry) => complete(entry)[0] ?? null;
