/** The form in which a game is proposed: rules, colours, clock, rated or not. */

import { loadIndex } from "../../boards.js";
import { el } from "../../dom.js";
import { canSign } from "../../profile/keys.js";
import { fullName, hasText, t } from "../../text.js";
import { rulesetPicker } from "../picker.js";

/** @typedef {import("../../room/messages.js").Terms} Terms */

/** Main time and increment in minutes and seconds. @type {[number, number][]} */
const PACES = [[3, 2], [5, 5], [10, 5], [15, 10], [30, 20]];

/**
 * @param {{ruleset?: string, own: import("../../own-rules.js").OwnRules[]}} chosen own: rules of the visitor's making, listed too
 * @returns {Promise<{nodes: HTMLElement[], read: () => {terms: Terms, x: "host" | "guest"}}>}
 */
export async function termsForm({ ruleset = "alquerque/table", own }) {
  const infos = await loadIndex();
  const rules = rulesetPicker({ id: "room-rules", infos, own, chosen: ruleset, change: () => tell() });
  const about = el("p", { class: "setup-about" });
  const tell = () => { about.textContent = hasText(`ruleset.${rules.value}.about`) ? t(`ruleset.${rules.value}.about`) : ""; };
  tell();

  let colour = "random";
  const radio = (/** @type {string} */ value) => el("label", { class: "segment" },
    el("input", { type: "radio", name: "room-colour", value, checked: value === colour, onchange: () => { colour = value; } }), el("span", {}, t(`room.colour.${value}`)));

  const minutes = el("input", { type: "number", id: "room-main", min: 1, max: 240, value: 20, inputmode: "numeric" });
  const seconds = el("input", { type: "number", id: "room-increment", min: 0, max: 180, value: 10, inputmode: "numeric" });
  const ownClock = el("div", { class: "room-own-clock", hidden: true },
    el("label", { for: "room-main" }, t("room.clock.main")), minutes, el("label", { for: "room-increment" }, t("room.clock.increment")), seconds);
  const clock = el("select", { id: "room-clock", onchange: () => { ownClock.hidden = clock.value !== "own"; } },
    el("option", { value: "none" }, t("room.clock.none")),
    ...PACES.map(([main, increment]) => el("option", { value: `${main}+${increment}` }, t("room.clock.pace", { main, increment }))),
    el("option", { value: "own" }, t("room.clock.own")));
  const rated = el("input", { type: "checkbox", id: "room-rated", disabled: !canSign(), "aria-describedby": "room-rated-note" });

  const within = (/** @type {HTMLInputElement} */ field) => Math.min(Number(field.max), Math.max(Number(field.min), Math.round(Number(field.value)) || 0));
  const pace = () => {
    if (clock.value === "none") return null;
    const [main, increment] = clock.value === "own" ? [within(minutes), within(seconds)] : clock.value.split("+").map(Number);
    return { main: main * 60, increment };
  };
  return {
    nodes: [
      el("div", { class: "field" }, el("label", { for: "room-rules" }, t("setup.rules")), rules, about),
      el("fieldset", { class: "choice" }, el("legend", {}, t("setup.side")), el("div", { class: "segments" }, radio("first"), radio("second"), radio("random"))),
      el("div", { class: "field" }, el("label", { for: "room-clock" }, t("room.clock")), clock, ownClock),
      el("div", { class: "room-check" }, rated, el("label", { for: "room-rated" }, t("room.rated")), el("p", { id: "room-rated-note" }, t(canSign() ? "room.rated.note" : "room.rated.insecure"))),
    ],
    read: () => ({
      terms: { ruleset: rules.value, start: null, clock: pace(), rated: rated.checked, colours: colour === "random" ? "random" : "choose" },
      x: (colour === "random" ? crypto.getRandomValues(new Uint8Array(1))[0] % 2 === 0 : colour === "first") ? "host" : "guest",
    }),
  };
}

/** What is proposed, in a few lines. @param {import("../../room/session.js").Stand} stand @param {"host" | "guest"} role */
export function termsLines({ terms, x }, role) {
  return [
    fullName(terms.ruleset),
    t(x === role ? "room.you-begin" : "room.they-begin"),
    terms.clock ? t("room.clock.pace", { main: Math.round(terms.clock.main / 6) / 10, increment: terms.clock.increment }) : t("room.clock.none"),
    t(terms.rated ? "room.is-rated" : "room.is-friendly"),
  ];
}
