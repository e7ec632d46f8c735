/** What this browser keeps of rooms: one slot a room, so that a closed tab loses nothing. */

import { GRAMMAR, NAME } from "../hash.js";
import { isTime } from "../store.js";

/** @typedef {import("./session.js").Saved} Saved */
/** @typedef {Saved & {v: 1, updated: number}} Kept */

const ROOM = "qirkat.room.";
const MOST = 30;

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

/** @param {import("../store.js").Store} store @param {string} room @returns {Kept | null} */
export function loadRoom(store, room) {
  const value = store.read(ROOM + room);
  return isKept(value) && value.room === room ? value : null;
}

/** @param {import("../store.js").Store} store @param {Saved} saved */
export function keepRoom(store, saved) {
  if (!saved.stand) return;
  store.write(ROOM + saved.room, { ...saved, v: 1, updated: Date.now() });
  for (const old of listRooms(store).slice(MOST)) forgetRoom(store, old.room);
}

/** @param {import("../store.js").Store} store @param {string} room */
export const forgetRoom = (store, room) => store.remove(ROOM + room);

/** Latest first. @param {import("../store.js").Store} store @returns {Kept[]} */
export const listRooms = (store) => store.keys(ROOM).map((key) => loadRoom(store, key.slice(ROOM.length))).filter((kept) => kept !== null).sort((a, b) => b.updated - a.updated);
