/**
 * The visitor's own profile: a name, keys, ratings by ruleset and the rated games behind them. It lives in this
 * browser's storage and nowhere else; a file carries it to another.
 */

import { NAME } from "../hash.js";
import { cleanLine } from "../names.js";
import { NEWCOMER, rate } from "./glicko.js";
import { isKeys, makeKeys } from "./keys.js";

/** @typedef {import("./glicko.js").Rating} Rating */
/** @typedef {import("./keys.js").Keys} Keys */
/** @typedef {import("../wire.js").Side} Side */
/**
 * @typedef {object} Result one rated game
 * @property {string} id
 * @property {number} at ms since 1970
 * @property {string} ruleset
 * @property {"level" | "friend"} kind
 * @property {{name: string, key: string | null, level: number | null, rating: number, deviation: number}} opponent as before the game
 * @property {Side} side mine
 * @property {number} score 1, ½ or 0
 * @property {string} reason
 * @property {number} moves how many
 * @property {Rating} before
 * @property {Rating} after
 * @property {string | null} text what was signed
 * @property {{mine: string | null, theirs: string | null}} signatures
 */
/** @typedef {{v: 1, name: string, keys: Keys | null, ratings: Record<string, Rating>, results: Result[]}} ProfileData */

const KEY = "qirkat.profile";
const MOST_RESULTS = 1000;
const MOST_FILE = 4_000_000;
/** A game that ends before both have moved says nothing about strength. */
export const LEAST_MOVES = 2;

/** @param {string} text @returns {string} a name that may be shown and sent, "" when nothing is left */
export const cleanName = (text) => cleanLine(text, 24);

export class Profile {
  /** @param {import("../store.js").Store} store */
  constructor(store) {
    this.store = store;
    /** @type {ProfileData} */
    this.data = readProfile(store.read(KEY)) ?? { v: 1, name: "", keys: null, ratings: {}, results: [] };
  }

  get name() { return this.data.name; }

  save() { this.store.write(KEY, this.data); }

  /** @param {string} name */
  rename(name) {
    this.data = { ...this.data, name: cleanName(name) };
    this.save();
  }

  /** The keys, made at the first need. @returns {Promise<Keys | null>} */
  async keys() {
    if (!this.data.keys) {
      const keys = await makeKeys();
      // Another tab may have made some meanwhile.
      const there = readProfile(this.store.read(KEY));
      this.data = { ...(there ?? this.data), keys: there?.keys ?? keys };
      this.save();
    }
    return this.data.keys;
  }

  /** @param {string} ruleset @returns {Rating} */
  rating(ruleset) { return Object.hasOwn(this.data.ratings, ruleset) ? this.data.ratings[ruleset] : { ...NEWCOMER }; }

  /**
   * Counts a rated game, once; a second telling only adds signatures.
   * @param {Omit<Result, "at" | "before" | "after">} game
   * @returns {Result | null} null when the game is too short to count
   */
  count(game) {
    this.data = readProfile(this.store.read(KEY)) ?? this.data; // another tab may have counted meanwhile
    const known = this.data.results.find(({ id }) => id === game.id);
    if (known) {
      const result = { ...known, text: game.text ?? known.text, signatures: { mine: game.signatures.mine ?? known.signatures.mine, theirs: game.signatures.theirs ?? known.signatures.theirs } };
      this.data = { ...this.data, results: this.data.results.map((one) => (one === known ? result : one)) };
      this.save();
      return result;
    }
    if (game.moves < LEAST_MOVES) return null;
    const before = this.rating(game.ruleset);
    const after = rate(before, [{ rating: game.opponent.rating, deviation: game.opponent.deviation, score: game.score }]);
    /** @type {Result} */
    const result = { ...game, at: Date.now(), before, after };
    this.data = { ...this.data, ratings: { ...this.data.ratings, [game.ruleset]: after }, results: [result, ...this.data.results].slice(0, MOST_RESULTS) };
    this.save();
    return result;
  }

  /** @returns {string} */
  exported() { return JSON.stringify({ qirkat: "profile", ...this.data }, null, 1); }

  /** Takes the place of what is here. @param {string} text @returns {Promise<"ok" | "big" | "syntax" | "shape" | "keys">} */
  async imported(text) {
    if (text.length > MOST_FILE) return "big";
    let value;
    try { value = JSON.parse(text); } catch { return "syntax"; }
    if (value?.qirkat !== "profile") return "shape";
    const data = readProfile(value);
    if (!data) return "shape";
    if (data.keys && !await isKeys(data.keys)) return "keys";
    this.data = data;
    this.save();
    return "ok";
  }

  erase() {
    this.store.remove(KEY);
    this.data = { v: 1, name: "", keys: null, ratings: {}, results: [] };
  }
}

/** Everything that the page keeps in this browser. @param {import("../store.js").Store} store */
export function eraseEverything(store) {
  for (const key of store.keys("qirkat.")) store.remove(key);
}

// What was stored or read from a file is foreign until it has been through here.

const text = (/** @type {unknown} */ value, most = 200) => typeof value === "string" && value.length <= most;
const number = (/** @type {unknown} */ value, /** @type {number} */ least, /** @type {number} */ most) => typeof value === "number" && value >= least && value <= most;
const ruleset = (/** @type {unknown} */ value) => typeof value === "string" && /^[a-z]{1,20}\/[a-z0-9-]{1,20}(;[a-z]{1,20}=[a-z0-9-]{1,20}){0,16}$/.test(value);
/** @param {any} value */
const isRating = (value) => typeof value === "object" && value !== null && number(value.rating, -2000, 6000) && number(value.deviation, 1, 351) && number(value.volatility, 0.0001, 1);
/** @param {any} value */
const isSignature = (value) => value === null || text(value, 100);

/** @param {any} value @returns {value is Result} */
function isResult(value) {
  const opponent = value?.opponent;
  return typeof value === "object" && value !== null && text(value.id) && number(value.at, 0, 2 ** 52) && ruleset(value.ruleset) && ["level", "friend"].includes(value.kind)
    && typeof opponent === "object" && opponent !== null && text(opponent.name, 24) && (opponent.key === null || text(opponent.key, 100)) && (opponent.level === null || number(opponent.level, 1, 9))
    && number(opponent.rating, -2000, 6000) && number(opponent.deviation, 1, 351)
    && ["x", "o"].includes(value.side) && [0, 0.5, 1].includes(value.score) && text(value.reason, 40) && number(value.moves, 0, 5000)
    && isRating(value.before) && isRating(value.after) && (value.text === null || text(value.text, 200_000))
    && typeof value.signatures === "object" && value.signatures !== null && isSignature(value.signatures.mine) && isSignature(value.signatures.theirs);
}

/** @param {unknown} value @returns {ProfileData | null} */
export function readProfile(value) {
  const data = /** @type {any} */ (value);
  if (typeof data !== "object" || data === null || data.v !== 1) return null;
  if (data.name !== "" && !(typeof data.name === "string" && NAME.test(data.name))) return null;
  if (typeof data.ratings !== "object" || data.ratings === null || !Array.isArray(data.results) || data.results.length > MOST_RESULTS) return null;
  if (!Object.entries(data.ratings).every(([name, rating]) => ruleset(name) && isRating(rating)) || !data.results.every(isResult)) return null;
  const keys = data.keys && text(data.keys.public, 100) && typeof data.keys.secret === "object" && data.keys.secret !== null ? { public: data.keys.public, secret: data.keys.secret } : null;
  return { v: 1, name: data.name, keys, ratings: { ...data.ratings }, results: data.results };
}
