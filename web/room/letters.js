/**
 * Games by letter: each link holds the whole record, each side keeps its own. What a link brings is compared with
 * what is here; nothing is thrown away unasked.
 */

import { GRAMMAR, NAME } from "../hash.js";
import { MOST_MOVES } from "./messages.js";
import { isEvent } from "../entries.js";
import { isTime } from "../store.js";

/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../wire.js").Ply} Ply */
/**
 * @typedef {object} Letter
 * @property {1} v
 * @property {string} k which game
 * @property {string} ruleset
 * @property {string | null} start
 * @property {string[]} moves
 * @property {Side} side mine
 * @property {{x: string, o: string}} names "" where none was told
 * @property {number} sent how many entries the last link that was handed on held
 * @property {boolean} over
 * @property {number} updated ms since 1970
 */
/**
 * @typedef {"same" | "news" | "stale" | "fork" | "mine"} Relation
 * same: nothing new · news: the link goes on from here · stale: we are further · fork: they part · mine: the link goes
 * on with moves in our name, made elsewhere
 */

const LETTER = "qirkat.letter.";

export const freshLetter = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** How many entries two records share. @param {string[]} one @param {string[]} other */
export function commonOf(one, other) {
  let common = 0;
  while (common < Math.min(one.length, other.length) && one[common] === other[common]) common += 1;
  return common;
}

/** What a link's record is to ours. @param {string[]} ours @param {Ply[]} theirs the link's, as the engine read it @param {Side} side ours @returns {{relation: Relation, common: number}} */
export function relate(ours, theirs, side) {
  const common = commonOf(ours, theirs.map(({ text }) => text));
  if (common < ours.length && common < theirs.length) return { relation: "fork", common };
  if (common < ours.length) return { relation: "stale", common };
  if (common === theirs.length) return { relation: "same", common };
  const forged = theirs.slice(common).some((ply) => (isEvent(ply.text) ? ply.text.endsWith(`:${side}`) : ply.side === side));
  return { relation: forged ? "mine" : "news", common };
}

/** @param {any} value @returns {value is Letter} */
function isLetter(value) {
  const name = (/** @type {unknown} */ one) => one === "" || (typeof one === "string" && NAME.test(one));
  return typeof value === "object" && value !== null && value.v === 1 && GRAMMAR.k.test(value.k) && GRAMMAR.g.test(value.ruleset)
    && (value.start === null || GRAMMAR.p.test(value.start)) && Array.isArray(value.moves) && value.moves.every((/** @type {unknown} */ move) => typeof move === "string" && GRAMMAR.m.test(move))
    && ["x", "o"].includes(value.side) && name(value.names?.x) && name(value.names?.o) && Number.isInteger(value.sent) && typeof value.over === "boolean" && isTime(value.updated);
}

/** @param {import("../store.js").Store} store @param {string} k @returns {Letter | null} */
export function loadLetter(store, k) {
  const value = store.read(LETTER + k);
  return isLetter(value) && value.k === k ? value : null;
}

/** @param {import("../store.js").Store} store @param {Letter} letter */
export const keepLetter = (store, letter) => store.write(LETTER + letter.k, letter);

/** @param {import("../store.js").Store} store @param {string} k */
export const forgetLetter = (store, k) => store.remove(LETTER + k);

/** Latest first. @param {import("../store.js").Store} store @returns {Letter[]} */
export const listLetters = (store) => store.keys(LETTER).map((key) => loadLetter(store, key.slice(LETTER.length))).filter((letter) => letter !== null).sort((a, b) => b.updated - a.updated);

/** What a file says of a game by letter, nothing more than that. @param {unknown} value @returns {Letter | null} */
export function cleanLetter(value) {
  if (!isLetter(value) || value.moves.length > MOST_MOVES || value.sent < 0 || value.sent > value.moves.length) return null;
  const { k, ruleset, start, moves, side, names, sent, over, updated } = value;
  return { v: 1, k, ruleset, start, moves, side, names: { x: names.x, o: names.o }, sent, over, updated };
}

/** Puts a game down as it is, from a file. @param {import("../store.js").Store} store @param {Letter} letter */
export const putLetter = (store, letter) => store.write(LETTER + letter.k, letter, { push: false });
