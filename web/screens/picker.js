/** Choosing rules from a list: every named ruleset, game by game, and the visitor's own. */

import { el } from "../dom.js";
import { gameName, rulesetName, t } from "../text.js";

/** @typedef {import("../wire.js").RulesetInfo} RulesetInfo */

/**
 * @param {{id: string, infos: RulesetInfo[], own: import("../own-rules.js").OwnRules[], chosen: string, change: (ruleset: string) => void}} options
 *   chosen: shown even if nobody gave it a name
 * @returns {HTMLSelectElement}
 */
export function rulesetPicker({ id, infos, own, chosen, change }) {
  const option = (/** @type {string} */ ruleset) => el("option", { value: ruleset, selected: ruleset === chosen }, rulesetName(ruleset));
  const games = [...new Set(infos.map(({ game }) => game))];
  const listed = new Set([...infos, ...own].map(({ ruleset }) => ruleset));
  const picker = el("select", { id, onchange: () => change(picker.value) },
    listed.has(chosen) ? null : option(chosen),
    ...games.map((game) => el("optgroup", { label: gameName(game) }, ...infos.filter((info) => info.game === game).map(({ ruleset }) => option(ruleset)))),
    own.length ? el("optgroup", { label: t("rules.mine") }, ...own.map(({ ruleset }) => option(ruleset))) : null);
  return picker;
}
