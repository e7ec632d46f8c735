/** A game's guide as data: its text in the visitor's language and the boards that the build set up (docs/guides.md). */

import { el } from "../../dom.js";

/** @typedef {import("../../wire.js").Description} Description */
/** @typedef {import("../../wire.js").Snapshot} Snapshot */
/** @typedef {import("../../wire.js").State} State */
/** @typedef {import("../../wire.js").Ply} Ply */
/** @typedef {import("../../wire.js").Pieces} Pieces */
/** @typedef {import("../../wire.js").Refusal} Refusal */

/**
 * @typedef {{p: string} | {list: string[]} | {diagram: string, ruleset: string, caption: string} | {example: string, caption: string, steps: string[]}
 *   | {mistake: string, caption: string, why: string} | {question: string, answer: string}} Block
 * @typedef {{id: string, title: string, blocks: Block[]}} Section
 * @typedef {{title: string, intro: string, sections: Section[], rulesets: {ruleset: string, sections: Section[]}[]}} GuideText
 * @typedef {{ruleset: string, start: Snapshot, plies: Ply[]}} Example
 * @typedef {{ruleset: string, state: State, path: string[], stop: boolean, refusals: Record<string, Refusal>}} Mistake
 * @typedef {object} GuideBoards
 * @property {Record<string, Description>} descriptions
 * @property {Record<string, Snapshot>} diagrams by "RULESET POSITION"
 * @property {Record<string, Example>} examples
 * @property {Record<string, Mistake>} mistakes
 * @typedef {{text: GuideText, boards: GuideBoards}} Guide
 */

/** @param {string} path */
async function read(path) {
  const answer = await fetch(new URL(`../../guides/${path}`, import.meta.url));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/** @param {string} game @param {string} language @returns {Promise<Guide>} */
export async function loadGuide(game, language) {
  const [text, boards] = await Promise.all([read(`${game}.${language}.json`), read(`${game}.boards.json`)]);
  return { text, boards };
}

/** Plain text with `*emphasis*`, as nodes. @param {string} text @returns {(Node | string)[]} */
export const rich = (text) => text.split("*").map((part, i) => (i % 2 ? el("em", {}, part) : part));
