/** Asks how to play: against the computer (colour, level) or two at this screen. */

import { stoneIcon, toneOf } from "../../board/pieces.js";
import { button, el, openDialog } from "../../dom.js";
import { loadIndex } from "../../boards.js";
import { gameName, hasText, rulesetName, t } from "../../text.js";
import { sideName } from "../../wording.js";

/** @typedef {import("../../game.js").Setup} Setup */

export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * @param {{description: import("../../wire.js").Description, seats: {x: import("../../game.js").Seat, o: import("../../game.js").Seat}, level: number}} now
 * @param {(setup: Setup) => void} start
 */
export async function openSetup({ description, seats, level }, start) {
  const infos = (await loadIndex().catch(() => [])).filter((info) => info.game === description.game);
  let side = seats.x === "human" && seats.o === "human" ? "both" : seats.x === "human" ? "x" : "o";
  let ruleset = description.ruleset;
  const radio = (/** @type {string} */ value, /** @type {Node | null} */ picture, /** @type {string} */ label) => el("label", { class: "segment tall" },
    el("input", { type: "radio", name: "setup-side", value, checked: side === value, onchange: () => { side = value; strength.toggleAttribute("hidden", side === "both"); } }),
    el("span", {}, picture, label));

  const about = el("p", { class: "setup-about" });
  const tell = () => { about.textContent = hasText(`ruleset.${ruleset}.about`) ? t(`ruleset.${ruleset}.about`) : ""; };
  const known = infos.some((info) => info.ruleset === ruleset);
  const choice = el("select", { id: "setup-ruleset", onchange: (/** @type {Event} */ event) => { ruleset = /** @type {HTMLSelectElement} */ (event.target).value; tell(); } },
    known ? null : el("option", { value: ruleset, selected: true }, rulesetName(ruleset)),
    ...infos.map((info) => el("option", { value: info.ruleset, selected: info.ruleset === ruleset }, rulesetName(info.ruleset))));
  tell();

  const words = el("output", { for: "setup-level" }, t(`level.${level}`));
  const range = el("input", { id: "setup-level", type: "range", min: 1, max: 9, step: 1, value: level, "aria-valuetext": t(`level.${level}`),
    oninput: () => { words.textContent = t(`level.${range.value}`); range.setAttribute("aria-valuetext", words.textContent); } });
  const strength = el("div", { class: "field", hidden: side === "both" }, el("div", { class: "range-head" }, el("label", { for: "setup-level" }, t("setup.level")), words), range);

  const dialog = openDialog({
    title: t("setup.title", { game: gameName(description.game) }), close: t("close"), kind: "setup",
    content: [
      infos.length > 1 || !known ? el("div", { class: "field" }, el("label", { for: "setup-ruleset" }, t("setup.rules")), choice, about) : null,
      el("fieldset", { class: "choice" }, el("legend", {}, t("setup.side")), el("div", { class: "segments" },
        radio("x", stoneIcon(toneOf(description.colours.x)), t("setup.plays-first", { who: sideName(description, "x") })),
        radio("o", stoneIcon(toneOf(description.colours.o)), sideName(description, "o")),
        radio("both", el("span", { class: "two-stones" }, stoneIcon("dark"), stoneIcon("light")), t("setup.both")))),
      strength,
      el("div", { class: "dialog-answers" }, button({ label: t("setup.start"), kind: "primary wide", press: () => {
        dialog.close();
        start({ ruleset, seats: { x: side === "o" ? "computer" : "human", o: side === "x" ? "computer" : "human" }, level: Number(range.value), flip: side === "o" });
      } })),
    ],
  });
}
