/**
 * The boards written at build time: geometry, start and first moves of every named ruleset, so that a board stands
 * and takes a move before the engine is there. `boards/index.json` lists the rulesets, `boards/<slug>.json` holds one.
 */

/** @typedef {import("./wire.js").Description} Description */
/** @typedef {import("./wire.js").State} State */
/** @typedef {{describe: Description, state: State, firsts: Record<string, State>}} BoardFile */

/** @type {Map<string, Promise<any>>} */
const cache = new Map();

/** @param {string} ruleset */
export const slugOf = (ruleset) => ruleset.replace(/[^a-z0-9]+/gi, "-");

/** @param {string} path */
function read(path) {
  let answer = cache.get(path);
  if (!answer) {
    answer = fetch(new URL(path, import.meta.url)).then((got) => (got.ok ? got.json() : Promise.reject(new Error(`${path}: ${got.status}`))));
    answer.catch(() => cache.delete(path));
    cache.set(path, answer);
  }
  return answer;
}

/** Every named ruleset, in the order they are to be offered. @returns {Promise<import("./wire.js").RulesetInfo[]>} */
export const loadIndex = () => read("boards/index.json");

/** The file of a ruleset; null for a mix that the build does not know. @param {string} ruleset @returns {Promise<BoardFile | null>} */
export async function loadBoard(ruleset) {
  const index = await loadIndex();
  if (!index.some((info) => info.ruleset === ruleset)) return null;
  return read(`boards/${slugOf(ruleset)}.json`);
}
