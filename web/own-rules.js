/** Sets of rules that the visitor made and named. They live in this browser; a link carries them elsewhere without the name. */

import { GRAMMAR } from "./hash.js";
import { cleanLine } from "./names.js";
import { nameRulesets } from "./text.js";

/** @typedef {{name: string, ruleset: string}} OwnRules */

const KEY = "qirkat.rules";
const MOST = 60;
export const LONGEST_NAME = 40;

/** @param {unknown} value @returns {OwnRules[]} what of it can be used */
export function cleanRules(value) {
  if (!Array.isArray(value)) return [];
  /** @type {Map<string, OwnRules>} */
  const found = new Map();
  for (const one of value.slice(0, MOST)) {
    const { name, ruleset } = one ?? {};
    if (typeof name !== "string" || typeof ruleset !== "string" || !GRAMMAR.g.test(ruleset)) continue;
    const clean = cleanRulesName(name);
    if (clean) found.set(ruleset, { name: clean, ruleset });
  }
  return [...found.values()];
}

/** A name that may be shown: one line, no signs that turn or hide letters. @param {string} name */
export const cleanRulesName = (name) => cleanLine(name, LONGEST_NAME);

/** @param {import("./store.js").Store} store @returns {OwnRules[]} */
export function ownRules(store) {
  const rules = cleanRules(store.read(KEY));
  nameRulesets(rules);
  return rules;
}

/** @param {import("./store.js").Store} store @param {OwnRules} rules */
export function keepRules(store, rules) { saveRules(store, [rules, ...ownRules(store).filter(({ ruleset }) => ruleset !== rules.ruleset)]); }

/** @param {import("./store.js").Store} store @param {string} ruleset */
export function forgetRules(store, ruleset) { saveRules(store, ownRules(store).filter((one) => one.ruleset !== ruleset)); }

/** @param {import("./store.js").Store} store @param {OwnRules[]} rules */
export function saveRules(store, rules) {
  store.write(KEY, cleanRules(rules));
  ownRules(store);
}
