/**
 * What the address of an embedded board may say: all that a game's address may (hash.js), and how the board is to
 * look and behave on somebody's page. `embed.html#/play?…` is a game's link with `embed.html` put before its `#`.
 */

import { GRAMMAR } from "../hash.js";
import { readHash } from "../share/link.js";

/**
 * @typedef {object} Look
 * @property {"auto" | "light" | "dark" | "contrast"} [theme]
 * @property {"wood" | "stone" | "plain"} [board]
 * @property {"off" | "letters" | "rows"} [coordinates]
 * @property {"full" | "bar" | "none"} [controls] full: players and buttons; bar (the default): what is going on and buttons; none: the board, and a line only when something must be answered
 * @property {boolean} [readonly] nothing can be played, only stepped through
 * @property {string} [origin] the page that may send commands and is told what happens
 * @typedef {import("../hash.js").Params & Look} Params
 * @typedef {Omit<import("../hash.js").Place, "params"> & {params: Params}} Place
 */

/** @type {Record<string, RegExp>} */
const EMBED = {
  ...GRAMMAR,
  theme: /^(auto|light|dark|contrast)$/,
  board: /^(wood|stone|plain)$/,
  coordinates: /^(off|letters|rows)$/,
  controls: /^(full|bar|none)$/,
  readonly: /^[01]$/,
  origin: /^https?:\/\/[a-z0-9.-]{1,253}(:\d{1,5})?$|^https?:\/\/\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/,
};

/** @param {string} text @returns {Promise<Place>} */
export async function readAddress(text) {
  const place = await readHash(text, EMBED);
  const params = /** @type {Record<string, unknown>} */ (place.params);
  if ("readonly" in params) params.readonly = params.readonly === "1";
  return place;
}
