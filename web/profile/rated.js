/** The rated game against the computer that is under way: one slot, so that a bad game cannot be left and forgotten. */

import { GRAMMAR } from "../hash.js";

/** @typedef {{v: 1, id: string, ruleset: string, level: number, side: import("../wire.js").Side, moves: string[]}} RatedGame */

export const RATED = "qirkat.rated";
const MOST_MOVES = 2000;

/** @param {import("../store.js").Store} store @returns {RatedGame | null} */
export function loadRated(store) {
  return cleanRated(store.read(RATED));
}

/** Only what such a game has. @param {unknown} stored @returns {RatedGame | null} */
export function cleanRated(stored) {
  const value = /** @type {any} */ (stored);
  const good = typeof value === "object" && value !== null && value.v === 1 && GRAMMAR.k.test(value.id) && GRAMMAR.g.test(value.ruleset)
    && Number.isInteger(value.level) && value.level >= 1 && value.level <= 9 && ["x", "o"].includes(value.side)
    && Array.isArray(value.moves) && value.moves.length <= MOST_MOVES && value.moves.every((/** @type {unknown} */ move) => typeof move === "string" && GRAMMAR.m.test(move));
  if (!good) return null;
  const { id, ruleset, level, side, moves } = value;
  return { v: 1, id, ruleset, level, side, moves };
}
