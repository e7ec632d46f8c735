/** Games that were saved: what they are called, and how to go on with one. */

import { linkHash } from "../share/link.js";
import { fullName } from "../text.js";

/** @typedef {import("../store.js").SavedGame} SavedGame */

/** @param {SavedGame} game */
export const gameTitle = (game) => game.name ?? fullName(game.ruleset);

/** The address that goes on with a game. @param {SavedGame} game @returns {Promise<string>} */
export function gameAddress({ ruleset, start, moves, seats, level, flip }) {
  const side = seats.x === seats.o ? (seats.x === "human" ? "both" : "none") : seats.x === "human" ? "x" : "o";
  return linkHash("play", { g: ruleset, p: start ?? undefined, m: moves, side, level: side === "both" ? undefined : level, flip }, 1800);
}

/** Opens a game in its own place. @param {SavedGame} game */
export async function openGame(game) {
  const address = await gameAddress(game);
  // The table finds its slot by the history entry's state.
  history.pushState({ game: game.id }, "", address);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
