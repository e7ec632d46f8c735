/** How strong the computer's levels are, from `levels.json`, which tools/level_ratings.py writes. */

/** @typedef {{rating: number, deviation: number, measured: boolean}} Strength measured: its distance to level 1 comes from matches */
/** @typedef {{source: string, rulesets: Record<string, Record<string, Strength>>, levels: Record<string, Strength>}} Levels rulesets: by ruleset and level; levels: where a ruleset has no figures of its own */

/** @returns {Promise<Levels>} */
export async function loadLevels() {
  const answer = await fetch(new URL("./levels.json", import.meta.url));
  if (!answer.ok) throw new Error(`levels.json: ${answer.status}`);
  return answer.json();
}

/** @param {Levels} levels @param {string} ruleset @param {number} level @returns {Strength} */
export const strengthOf = (levels, ruleset, level) => levels.rulesets[ruleset]?.[level] ?? levels.levels[level];
