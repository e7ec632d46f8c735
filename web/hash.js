/**
 * The address after `#`: `#/play?g=RULESET&p=POSITION&m=MOVES&side=x&level=3&flip=1&lang=fr`.
 * It is foreign input: every value is checked against its grammar here, and a bad one becomes a `problem` to tell
 * the visitor, never an exception. What a ruleset, position or move means is left to the engine.
 * Spaces are written `_`; a plus sign is a plus sign (Fanorona's approach), so URLSearchParams is of no use here.
 */

import { lineOf } from "./names.js";

/** Longer addresses are refused before anything is read. A game of 200 plies is about 1.2 KB, packed half of that. */
export const MAX_HASH = 32768;
const MAX_MOVES = 2000;

/**
 * @typedef {object} Place
 * @property {string} route first part of the path, "" for home
 * @property {string[]} parts the rest of the path
 * @property {Params} params
 * @property {Problem | null} problem the first value that was refused; all values are then left out
 */
/**
 * @typedef {object} Params
 * @property {string} [g] ruleset
 * @property {string} [p] start position
 * @property {string[]} [m] moves
 * @property {"x" | "o" | "both" | "none"} [side] who the visitor plays
 * @property {number} [level] 1 to 9
 * @property {boolean} [flip]
 * @property {number} [ply] how many plies to show
 * @property {"fr" | "es" | "en"} [lang]
 * @property {string} [i] an invitation to a room, or the answer to one (room/code.js reads it)
 * @property {string} [k] which game by letter
 * @property {string} [x] the name of who plays it
 * @property {string} [o]
 * @property {string} [z] start position and moves, packed (share/link.js unpacks it)
 */
/** @typedef {{key: string, params: Record<string, string>}} Problem */

/** A person's name. */
export const NAME = lineOf(24);

/** @type {Record<string, RegExp>} */
export const GRAMMAR = {
  g: /^[a-z]{1,20}\/[a-z0-9-]{1,20}(;[a-z]{1,20}=[a-z0-9-]{1,20}){0,16}$/,
  p: /^[xoXO0-9/]{1,200} [xo] \d{1,4}( [a-z]{1,8}=[a-z0-9,]{1,200}){0,4}$/,
  m: /^[A-Za-z0-9:,+*-]{1,200}$/,
  side: /^(x|o|both|none)$/,
  level: /^[1-9]$/,
  flip: /^[01]$/,
  ply: /^\d{1,4}$/,
  lang: /^(fr|es|en)$/,
  z: /^[A-Za-z0-9_-]{1,8192}$/,
  i: /^[A-Za-z0-9_-]{1,1200}$/,
  k: /^[0-9a-f]{16}$/,
  x: NAME,
  o: NAME,
};

/** @param {string} text `location.hash`, with or without its `#` @param {Record<string, RegExp>} [grammar] of the parameters @returns {Place} */
export function parseHash(text, grammar = GRAMMAR) {
  const empty = { route: "", parts: [], params: {}, problem: null };
  const body = text.slice(0, MAX_HASH).replace(/^#?\/?/, "");
  const cut = body.indexOf("?");
  const path = cut < 0 ? body : body.slice(0, cut);
  const [route = "", ...parts] = path.split("/").map(decode);
  if (![route, ...parts].every((part) => /^[a-z0-9-]{0,40}$/.test(part))) return { ...empty, problem: { key: "link.page", params: {} } };
  if (text.length > MAX_HASH) return { route, parts, params: {}, problem: { key: "link.long", params: {} } };
  try {
    return { route, parts, params: cut < 0 ? {} : parseParams(body.slice(cut + 1), grammar), problem: null };
  } catch (fault) {
    if (!(fault instanceof BadValue)) throw fault;
    return { route, parts, params: {}, problem: fault.problem };
  }
}

class BadValue extends Error {
  /** @param {string} key @param {string} name @param {string} [value] */
  constructor(key, name, value = "") {
    super(key);
    this.problem = { key, params: { name, value: value.length > 40 ? `${value.slice(0, 40)}…` : value } };
  }
}

/** @param {string} text */
function decode(text) {
  try { return decodeURIComponent(text); } catch { return "\u0000"; }
}

/** @param {string} text @param {Record<string, RegExp>} grammar @returns {Params} */
function parseParams(text, grammar) {
  /** @type {Params} */
  const params = {};
  const seen = new Set();
  for (const pair of text.split("&")) {
    const cut = pair.indexOf("=");
    const name = cut < 0 ? pair : pair.slice(0, cut);
    if (!Object.hasOwn(grammar, name)) continue; // a tracker's or a later version's addition
    if (seen.has(name)) throw new BadValue("link.twice", name);
    seen.add(name);
    const text_ = cut < 0 ? "" : pair.slice(cut + 1);
    // A name may hold a "_" of its own, which is written %5F.
    const raw = decode(grammar[name] === NAME ? text_.replaceAll("_", " ") : text_);
    const value = name === "z" || name === "i" || grammar[name] === NAME ? raw : raw.replaceAll("_", " ");
    if (name === "m" && value.trim() === "") continue;
    const values = name === "m" ? value.trim().split(/ +/) : [value];
    if (values.length > MAX_MOVES) throw new BadValue("link.long", name);
    const wrong = values.find((one) => !grammar[name].test(one));
    if (wrong !== undefined) throw new BadValue("link.value", name, wrong);
    if (name === "m") params.m = values;
    else if (name === "level" || name === "ply") params[name] = Number(value);
    else if (name === "flip") params.flip = value === "1";
    else /** @type {Record<string, string>} */ (params)[name] = value;
  }
  return params;
}

/** @param {string} route may hold a path, "learn/seega" @param {Params} [params] @returns {string} starts with `#` */
export function formatHash(route, params = {}) {
  const pairs = [];
  for (const name of /** @type {(keyof Params)[]} */ (Object.keys(GRAMMAR))) {
    const value = params[name];
    if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) continue;
    const text = Array.isArray(value) ? value.join("_") : value === true ? "1" : (GRAMMAR[name] === NAME ? encodeURIComponent(String(value)).replaceAll("_", "%5F") : String(value)).replaceAll(" ", "_");
    pairs.push(`${name}=${text}`);
  }
  return `#/${route}${pairs.length ? `?${pairs.join("&")}` : ""}`;
}
