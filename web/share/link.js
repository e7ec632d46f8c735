/**
 * Links that carry a whole game. A short game is written plainly (`p=…&m=…`) and can be read by people; a long one
 * is packed into `z=…`, which holds the same two parameters. Where the browser cannot pack, links are plain.
 */

import { formatHash, GRAMMAR, parseHash } from "../hash.js";

/** @typedef {import("../hash.js").Params} Params */
/** @typedef {import("../hash.js").Place} Place */

/** Longer links are packed: a QR code of more is hard to read for a phone. */
export const PLAIN = 300;

/** What may stand inside `z`. */
const INSIDE = { p: GRAMMAR.p, m: GRAMMAR.m };

/** @param {string} route @param {Params} params @param {number} [plainest] characters that may stay plain @returns {Promise<string>} starts with `#` */
export async function linkHash(route, params, plainest = PLAIN) {
  const plain = formatHash(route, params);
  if (plain.length <= plainest) return plain;
  const { p, m, ...rest } = params;
  const { pack } = await import("./pack.js");
  const z = await pack(formatHash("", { p, m }).slice("#/?".length));
  const packed = z === null ? plain : formatHash(route, { ...rest, z });
  return packed.length < plain.length ? packed : plain;
}

/**
 * Reads an address as `parseHash` does, and unpacks what is packed.
 * @param {string} text @param {Record<string, RegExp>} [grammar] @returns {Promise<Place>}
 */
export async function readHash(text, grammar = GRAMMAR) {
  const place = parseHash(text, grammar);
  const { z, ...params } = place.params;
  if (z === undefined) return place;
  /** @param {string} key @param {Record<string, string>} [more] */
  const refused = (key, more = {}) => ({ ...place, params: {}, problem: { key, params: more } });
  const twice = params.p !== undefined ? "p" : params.m !== undefined ? "m" : null;
  if (twice) return refused("link.twice", { name: twice });
  const { PackError, unpack } = await import("./pack.js");
  try {
    const inside = parseHash(`/?${await unpack(z)}`, INSIDE);
    return inside.problem ? { ...place, params: {}, problem: inside.problem } : { ...place, params: { ...params, ...inside.params } };
  } catch (fault) {
    if (fault instanceof PackError) return refused(fault.key);
    throw fault;
  }
}
