/** A game as text and back: what was copied from a chat, a file or a link becomes an address to open. */

import { formatHash, GRAMMAR } from "../hash.js";
import { problemOf } from "../game.js";
import { linkHash, readHash } from "./link.js";

/** @typedef {import("../game.js").GameState} GameState */
/** @typedef {{tags: Record<string, string>, ruleset: string | null, position: string | null, moves: string[]}} GameText as docs/wire.md says, what is used of it */
/** @typedef {{kind: string, line: number, column: number, found: string, candidates: string[], game: number}} Fault */
/**
 * @typedef {object} Found what a text holds
 * @property {string | null} address the one good thing in it, to be opened at once
 * @property {import("../hash.js").Problem | null} problem why there is nothing
 * @property {GameText[]} games when there are several, or faults
 * @property {Fault[]} faults
 */

/** A text may be so long: the engine takes no longer message. */
export const MOST_TEXT = 3_000_000;

/** @param {import("../app.js").EngineLike} engine @param {GameState} state @returns {Promise<string>} */
export async function recordOf(engine, { ruleset, start, moves }) {
  const date = new Date();
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
  const { text } = await engine.request("record.write", { ruleset, ...(start === null ? {} : { position: start }), moves, tags: { Date: day } });
  return text;
}

/** Hands a text to the browser to be kept as a file. @param {string} text @param {string} name */
export function saveFile(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {GameText} game @returns {Promise<string>} the address that opens it */
export const addressOf = (game) => linkHash("play", { g: game.ruleset ?? undefined, p: game.position ?? undefined, m: game.moves, side: "both" });

const nothing = { address: null, problem: null, games: [], faults: [] };

/** @param {string} text a link, a position, or records @param {string} ruleset for what names none @param {import("../app.js").EngineLike} engine @returns {Promise<Found>} */
export async function readText(text, ruleset, engine) {
  const trimmed = text.trim();
  if (trimmed === "") return { ...nothing, problem: { key: "share.empty", params: {} } };
  if (trimmed.length > MOST_TEXT) return { ...nothing, problem: { key: "share.too-big", params: {} } };
  const link = /#\/play\?\S+/.exec(trimmed.slice(0, 100_000));
  if (link) {
    const { problem } = await readHash(link[0]);
    return problem ? { ...nothing, problem } : { ...nothing, address: link[0] };
  }
  const position = trimmed.replaceAll("_", " ").replace(/\s+/g, " ");
  if (GRAMMAR.p.test(position)) return readPosition(position, ruleset, engine);
  try {
    const { games, faults } = await engine.request("record.read", { text: trimmed, ruleset });
    const [only] = games;
    if (games.length === 1 && faults.length === 0 && only.ruleset && (only.moves.length || only.position)) return { ...nothing, address: await addressOf(only) };
    if (games.length === 0 && faults.length === 0) return { ...nothing, problem: { key: "share.nothing", params: {} } };
    return { ...nothing, games, faults };
  } catch (fault) {
    return { ...nothing, problem: problemOf(fault) };
  }
}

/** @param {string} text @param {string} ruleset @param {import("../app.js").EngineLike} engine @returns {Promise<Found>} */
async function readPosition(text, ruleset, engine) {
  try {
    const { position } = await engine.request("check", { ruleset, position: text });
    return { ...nothing, address: formatHash("play", { g: ruleset, p: position, side: "both" }) };
  } catch (fault) {
    return { ...nothing, problem: problemOf(fault) };
  }
}
