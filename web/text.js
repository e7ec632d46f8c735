/**
 * The visitor's language: texts by key, plurals, and the names of rulesets.
 * Texts are flat JSON, `texts/<lang>.json` for the page and `texts/rules.<lang>.json` for games and rulesets.
 * A text with a number has one entry a plural form: `taken#one`, `taken#other` (forms of Intl.PluralRules), chosen by the parameter `n`.
 */

export const LANGUAGES = /** @type {const} */ (["fr", "es", "en"]);
/** @typedef {typeof LANGUAGES[number]} Language */

/** @type {Record<string, string>} */
let texts = {};
/** @type {Language} */
let current = "en";
let plurals = new Intl.PluralRules("en");

/** @param {unknown} value @returns {value is Language} */
export const isLanguage = (value) => LANGUAGES.some((known) => known === value);

/** The first of the browser's languages that we speak; English otherwise. @param {readonly string[]} wanted @returns {Language} */
export function preferredLanguage(wanted = navigator.languages) {
  for (const tag of wanted) {
    const short = tag.slice(0, 2).toLowerCase();
    if (isLanguage(short)) return short;
  }
  return "en";
}

/** @param {string} path @returns {Promise<Record<string, string>>} */
async function read(path) {
  const answer = await fetch(new URL(path, import.meta.url));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/** Loads a language, and sets `lang` on the document. @param {Language} language */
export async function setLanguage(language) {
  const [page, rules] = await Promise.all([read(`texts/${language}.json`), read(`texts/rules.${language}.json`)]);
  texts = { ...rules, ...page };
  current = language;
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

export const language = () => current;

/** @param {string} key */
export const hasText = (key) => key in texts || `${key}#other` in texts;

/**
 * The text of a key with `{name}` places filled. A missing key shows itself, so that a mistake is seen and nothing breaks.
 * @param {string} key
 * @param {Record<string, string | number>} [params] `n` chooses the plural form
 */
export function t(key, params = {}) {
  const form = typeof params.n === "number" ? texts[`${key}#${plurals.select(params.n)}`] ?? texts[`${key}#other`] : undefined;
  const text = form ?? texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? isolated(String(params[name])) : whole));
}

const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name that is read from right to left does not turn round the sentence in which it stands. @param {string} part */
const isolated = (part) => (LEFTWARD.test(part) ? `\u2068${part}\u2069` : part);

/** "a, b or c" in the visitor's language. @param {string[]} parts @param {"disjunction" | "conjunction"} [type] */
export const listOf = (parts, type = "disjunction") => new Intl.ListFormat(current, { type }).format(parts);

/** Names that the visitor gave to sets of rules. @type {Map<string, string>} */
let ownNames = new Map();

/** @param {{name: string, ruleset: string}[]} rules */
export function nameRulesets(rules) { ownNames = new Map(rules.map(({ name, ruleset }) => [ruleset, name])); }

/** The ruleset's own name; a mix without a name says what it is based on. @param {string} ruleset */
export function rulesetName(ruleset) {
  if (hasText(`ruleset.${ruleset}.name`)) return t(`ruleset.${ruleset}.name`);
  const own = ownNames.get(ruleset);
  if (own) return own;
  const preset = ruleset.split(";")[0];
  return hasText(`ruleset.${preset}.name`) ? t("ruleset.own", { name: t(`ruleset.${preset}.name`) }) : ruleset;
}

/** Game and rules, said once where the rules' name holds the game's. @param {string} ruleset */
export function fullName(ruleset) {
  const [game, rules] = [gameName(ruleset.split("/")[0]), rulesetName(ruleset)];
  return rules.includes(game) ? rules : `${game} · ${rules}`;
}

/** @param {string} game */
export const gameName = (game) => (hasText(`game.${game}.name`) ? t(`game.${game}.name`) : game);
