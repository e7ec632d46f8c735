/**
 * What two browsers may say to each other: one JSON object a message, `{t: type, n: number, …}`, n counted from 1 by
 * each side. Whatever comes in is hostile until it has passed here: size, rate, order, type, sender's role, every
 * field, and no field more. What a move means is for the engine.
 */

import { GRAMMAR, NAME } from "../hash.js";
import { lineOf } from "../names.js";

/** @typedef {"host" | "guest" | "watch"} Role */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../profile/glicko.js").Rating} Rating */
/** @typedef {import("./clock.js").Pace} Pace */
/** @typedef {{ruleset: string, start: string | null, clock: Pace | null, rated: boolean, colours: "choose" | "random" | "swap"}} Terms colours: how x was found; "swap" after a rematch */
/** @typedef {{winner: Side | null, reason: string}} Ended */
/** @typedef {{x: number, o: number}} Left ms */
/** @typedef {{t: string, n: number, [field: string]: any}} Message */

export const PROTOCOL = 2;
export const MOST_MOVES = 2000;
export const MOST_CHAT = 300;
const SMALL = 2_000;
const LARGE = 120_000;

/** A message that was refused; `kind` is the end of a text key. */
export class Refused extends Error {
  /** @param {string} kind @param {string} [detail] */
  constructor(kind, detail = "") {
    super(`${kind} ${detail}`);
    this.kind = kind;
    this.detail = detail.slice(0, 60);
  }
}

/** @typedef {(value: unknown) => boolean} Check */

/** @param {RegExp} pattern @returns {Check} */
const text = (pattern) => (value) => typeof value === "string" && value.length <= LARGE && pattern.test(value);
/** @param {number} least @param {number} most @returns {Check} */
const whole = (least, most) => (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
/** @param {number} least @param {number} most @returns {Check} */
const real = (least, most) => (value) => typeof value === "number" && value >= least && value <= most;
/** @param {...unknown} choices @returns {Check} */
const one = (...choices) => (value) => choices.includes(value);
/** @param {Check} check @returns {Check} */
const orNull = (check) => (value) => value === null || check(value);
/** @param {Check} check @param {number} most @returns {Check} */
const list = (check, most) => (value) => Array.isArray(value) && value.length <= most && value.every(check);
/** Exactly these fields. @param {Record<string, Check>} fields @returns {Check} */
const shape = (fields) => (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const record = /** @type {Record<string, unknown>} */ (value);
  const names = Object.keys(record);
  return names.length === Object.keys(fields).length && names.every((name) => Object.hasOwn(fields, name) && fields[name](record[name]));
};

const id = text(/^[0-9a-f]{16}$/);
const name = text(NAME);
const key = orNull(text(/^[A-Za-z0-9_-]{87}$/));
const signature = orNull(text(/^[A-Za-z0-9_-]{86}$/));
const side = one("x", "o");
const move = text(GRAMMAR.m);
const at = whole(0, MOST_MOVES);
const ms = whole(0, 24 * 3600_000);
const left = orNull(shape({ x: ms, o: ms }));
const rating = orNull(shape({ rating: real(0, 4000), deviation: real(10, 350), volatility: real(0.001, 0.5) }));
const ended = orNull(shape({ winner: one("x", "o", null), reason: text(/^[a-z-]{1,20}$/) }));
const terms = shape({
  ruleset: text(GRAMMAR.g), start: orNull(text(GRAMMAR.p)), rated: one(true, false), colours: one("choose", "random", "swap"),
  clock: orNull(shape({ main: whole(10, 4 * 3600), increment: whole(0, 180) })),
});
const seat = one("host", "guest");
/** A rating, or none. */
export const isRating = rating;
const stand = { game: id, terms, x: seat, moves: list(move, MOST_MOVES), ended, left, began: whole(0, 2 ** 52) };

/** A whole game of a room. */
export const isStand = shape(stand);

/** What each message must hold, who may send it, and how long it may be. @type {Record<string, {from: Role[], fields: Record<string, Check>, most?: number}>} */
const TYPES = {
  hello: { from: ["host", "guest", "watch"], fields: { v: whole(1, 999), room: id, role: one("host", "guest", "watch"), name, key, nonce: text(/^[0-9a-f]{32}$/) } },
  proof: { from: ["host", "guest"], fields: { signature } },
  ping: { from: ["host", "guest", "watch"], fields: {} },
  bye: { from: ["host", "guest", "watch"], fields: { reason: one("left", "full", "refused", "room", "version", "fault", "closed") } },
  away: { from: ["host", "guest"], fields: { on: one(true, false) } },
  chat: { from: ["host", "guest"], fields: { text: text(lineOf(MOST_CHAT)) } },
  // A new game, by the host, and the guest's answer.
  game: { from: ["host"], fields: { game: id, terms, x: seat, rating, began: whole(0, 2 ** 52) } },
  seat: { from: ["guest"], fields: { game: id, yes: one(true, false), rating } },
  // After a broken connection: what each side has.
  record: { from: ["host", "guest"], fields: stand, most: LARGE },
  move: { from: ["host", "guest"], fields: { game: id, at, text: move, left: orNull(ms) } },
  deny: { from: ["host", "guest"], fields: { game: id, at, why: one("illegal", "turn", "time", "stale", "over") } },
  undo: { from: ["host", "guest"], fields: { game: id, at, to: at, say: one("ask", "yes", "no") } },
  rematch: { from: ["host", "guest"], fields: { game: id, say: one("ask", "yes", "no") } },
  flag: { from: ["host", "guest"], fields: { game: id, at, side } },
  sign: { from: ["host", "guest"], fields: { game: id, signature } },
  // From the host to those who watch, and to the guest how many they are.
  crowd: { from: ["host"], fields: { count: whole(0, 64), most: whole(0, 64) } },
  show: { from: ["host"], fields: { ...stand, host: name, guest: name, running: orNull(side) }, most: LARGE },
};

/** Takes a message apart. @param {unknown} data @param {Role} from @returns {Message} throws Refused */
export function parseMessage(data, from) {
  if (typeof data !== "string") throw new Refused("schema");
  if (data.length > LARGE) throw new Refused("size");
  /** @type {any} */
  let value;
  try { value = JSON.parse(data); } catch { throw new Refused("schema"); }
  if (typeof value !== "object" || value === null || !Object.hasOwn(TYPES, value.t)) throw new Refused("schema");
  const type = TYPES[value.t];
  if (data.length > (type.most ?? SMALL)) throw new Refused("size", value.t);
  if (!type.from.includes(from)) throw new Refused("role", value.t);
  const { t, n, ...fields } = value;
  if (!Number.isInteger(n) || !shape(type.fields)(fields)) throw new Refused("schema", t);
  return { t, n, ...fields };
}

/** Lets so many through at once and so many a second. */
export class Bucket {
  /** @param {number} most @param {number} perSecond */
  constructor(most, perSecond) {
    this.most = most;
    this.perSecond = perSecond;
    this.level = most;
    this.at = 0;
  }

  /** @param {number} now ms */
  take(now) {
    this.level = Math.min(this.most, this.level + Math.max(0, now - this.at) / 1000 * this.perSecond);
    this.at = now;
    if (this.level < 1) return false;
    this.level -= 1;
    return true;
  }
}

/** One direction of one connection: rate, size, schema and order. */
export class Gate {
  /** @param {Role} from */
  constructor(from) {
    this.from = from;
    this.expected = 1;
    this.all = new Bucket(120, 30);
    this.talk = new Bucket(6, 0.7);
  }

  /** @param {unknown} data @param {number} now @returns {Message} throws Refused */
  pass(data, now) {
    if (!this.all.take(now)) throw new Refused("flood");
    const message = parseMessage(data, this.from);
    if (message.n !== this.expected) throw new Refused("order", String(message.n));
    this.expected += 1;
    if (message.t === "chat" && !this.talk.take(now)) throw new Refused("chat-flood");
    return message;
  }
}
