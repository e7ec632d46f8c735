/**
 * A position text and what it says, as an editor holds it: what stands where, who acts, how long nothing was taken.
 * Only the way of writing is known here; whether a position can be is for the engine to say.
 */

/** @typedef {import("./wire.js").Description} Description */
/** @typedef {import("./wire.js").Side} Side */
/**
 * @typedef {object} Sketch
 * @property {import("./wire.js").Pieces} pieces
 * @property {Side} side
 * @property {number} clock
 * @property {Record<string, string>} keys what else the text says, `hand`, `huff` or `prev`
 */

/** @param {Description} description @returns {string[][]} names of points in the order of the text, row by row from the top */
function rowsOf(description) {
  /** @type {string[][]} */
  const rows = Array.from({ length: description.rows }, () => []);
  for (const { name, row, column } of description.points) rows[row - 1][column - 1] = name;
  return rows;
}

/** @param {Sketch} sketch @param {Description} description @returns {string} */
export function writePosition({ pieces, side, clock, keys }, description) {
  const board = rowsOf(description).map((names) => names.map((name) => pieces[name] ?? "1").join("").replace(/1+/g, (run) => String(run.length))).join("/");
  const more = Object.keys(keys).sort().map((name) => ` ${name}=${keys[name]}`).join("");
  return `${board} ${side} ${clock}${more}`;
}

/** @param {string} text spaces may be written `_` @param {Description} description @returns {Sketch | null} null when the text cannot be laid out on this board */
export function readPosition(text, description) {
  const [board = "", side = "", clock = "", ...more] = text.replaceAll("_", " ").trim().split(/\s+/);
  const names = rowsOf(description);
  const rows = board.split("/");
  if (rows.length !== names.length || (side !== "x" && side !== "o") || !/^\d{1,4}$/.test(clock)) return null;
  /** @type {import("./wire.js").Pieces} */
  const pieces = {};
  for (const [index, row] of rows.entries()) {
    let column = 0;
    for (const [sign] of row.matchAll(/\d+|./g)) {
      if (/^\d+$/.test(sign)) column += Number(sign);
      else if (/^[xoXO]$/.test(sign) && column < names[index].length) pieces[names[index][column++]] = sign;
      else return null;
    }
    if (column !== names[index].length) return null;
  }
  /** @type {Record<string, string>} */
  const keys = {};
  for (const one of more) {
    const found = /^([a-z]{1,8})=([a-z0-9,]{1,200})$/.exec(one);
    if (!found || Object.hasOwn(keys, found[1])) return null;
    keys[found[1]] = found[2];
  }
  return { pieces, side, clock: Number(clock), keys };
}
