/** What this browser keeps of rooms: one slot a seat, so that a closed tab loses nothing; two tabs may hold both seats. */

import { GRAMMAR, NAME } from "../hash.js";
import { isTime } from "../store.js";
import { isRating, isStand } from "./messages.js";

/** @typedef {import("./session.js").Saved} Saved */
/** @typedef {Saved & {v: 1, updated: number}} Kept */

const ROOM = "qirkat.room.";
export const MOST = 30;
const MOST_SCORE = 9999;

/** @param {any} value @returns {value is Kept} */
function isKept(value) {
  const stand = value?.stand;
  const name = (/** @type {any} */ peer) => typeof peer?.name === "string" && NAME.test(peer.name) && (peer.key === null || typeof peer.key === "string");
  return typeof value === "object" && value !== null && value.v === 1 && /^[0-9a-f]{16}$/.test(value.room) && ["host", "guest"].includes(value.role)
    && (value.peer === null || name(value.peer)) && isTime(value.updated) && typeof value.score?.mine === "number" && typeof value.score?.theirs === "number"
    && typeof value.ratings === "object" && value.ratings !== null
    && (stand === null || typeof stand === "object" && typeof stand.game === "string" && ["host", "guest"].includes(stand.x)
      && typeof stand.terms === "object" && stand.terms !== null && GRAMMAR.g.test(stand.terms.ruleset)
      && Array.isArray(stand.moves) && stand.moves.every((/** @type {unknown} */ move) => typeof move === "string" && GRAMMAR.m.test(move)));
}

/** @typedef {import("./session.js").Seat} Seat */

/** @param {string} room @param {Seat} role */
const slot = (room, role) => `${ROOM}${room}${role === "guest" ? "-guest" : ""}`;

/** @param {import("../store.js").Store} store @param {string} key @returns {Kept | null} */
function read(store, key) {
  const value = store.read(key);
  return isKept(value) && slot(value.room, value.role) === key ? value : null;
}

/** @param {import("../store.js").Store} store @param {string} room @param {Seat} [role] either when left out @returns {Kept | null} */
export const loadRoom = (store, room, role) => (role ? read(store, slot(room, role)) : loadRoom(store, room, "host") ?? loadRoom(store, room, "guest"));

/** @param {import("../store.js").Store} store @param {Saved} saved */
export function keepRoom(store, saved) {
  if (!saved.stand) return;
  store.write(slot(saved.room, saved.role), { ...saved, v: 1, updated: Date.now() });
  for (const old of listRooms(store).slice(MOST)) forgetRoom(store, old);
}

/** @param {import("../store.js").Store} store @param {{room: string, role: Seat}} which */
export const forgetRoom = (store, { room, role }) => store.remove(slot(room, role));

/** Latest first. @param {import("../store.js").Store} store @returns {Kept[]} */
export const listRooms = (store) => store.keys(ROOM).map((key) => read(store, key)).filter((kept) => kept !== null).sort((a, b) => b.updated - a.updated);

/** Puts a room down as it is, from a file. @param {import("../store.js").Store} store @param {Kept} kept */
export const putRoom = (store, kept) => store.write(slot(kept.room, kept.role), kept, { push: false });

/** What a file says of a room, as strictly read as what the other side says. @param {unknown} value @returns {Kept | null} */
export function cleanRoom(value) {
  if (!isKept(value) || !value.stand) return null;
  const { room, role, peer, stand, ratings, score, updated } = value;
  const points = (/** @type {number} */ one) => Number.isInteger(2 * one) && one >= 0 && one <= MOST_SCORE;
  const { mine = null, theirs = null } = ratings;
  const key = peer?.key ?? null;
  if (!isStand(stand) || !isRating(mine) || !isRating(theirs) || !points(score.mine) || !points(score.theirs) || !(key === null || /^[A-Za-z0-9_-]{87}$/.test(key))) return null;
  return { v: 1, room, role, peer: peer && { name: peer.name, key }, stand, ratings: { mine, theirs }, score: { mine: score.mine, theirs: score.theirs }, updated };
}
