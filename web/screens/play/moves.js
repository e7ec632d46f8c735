/** The list of moves with its four stepping buttons, and the field for typed moves. */

import { button, el, icon } from "../../dom.js";
import { t } from "../../text.js";
import { moveShort } from "../../wording.js";

/** @typedef {import("../../wire.js").Ply} Ply */

export class MoveList {
  /** @param {{show: (ply: number) => void, replay: () => void, type: (text: string) => void}} means */
  constructor({ show, replay, type }) {
    this.show = show;
    this.shown = -1;
    /** @type {Ply[]} */
    this.plies = [];
    this.list = el("ol", { class: "moves", tabindex: 0, "aria-label": t("moves.title"), onclick: (/** @type {Event} */ event) => {
      const ply = event.target instanceof Element ? event.target.closest("[data-ply]")?.getAttribute("data-ply") : null;
      if (ply) show(Number(ply));
    } });
    const step = (/** @type {string} */ icon, /** @type {() => number} */ to) => button({ label: t(`moves.${icon}`), icon, quiet: true, kind: "plain", press: () => show(to()) });
    this.steps = el("div", { class: "steps" },
      step("first", () => 0), step("previous", () => this.shown - 1),
      button({ label: t("moves.replay"), icon: "replay", quiet: true, kind: "plain", press: replay }),
      step("next", () => this.shown + 1), step("last", () => this.plies.length));
    this.input = el("input", { type: "text", id: "typed-move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 120 });
    this.form = el("form", { class: "typed", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text) type(text);
    } }, el("label", { for: "typed-move" }, t("moves.type")), this.input, el("button", { type: "submit", class: "button" }, t("moves.play")));
    // A list that comes into sight, or changes its size, shows the move that stands on the board.
    this.watch = new ResizeObserver(() => this.lookAt());
    this.watch.observe(this.list);
    this.node = el("section", { class: "record", "aria-label": t("moves.title") }, this.list, this.steps, this.form);
  }

  destroy() { this.watch.disconnect(); }

  /** Brings the move that is shown into the list's view. */
  lookAt() {
    const here = this.list.querySelector(".is-here");
    if (here instanceof HTMLElement) scrollInto(this.list, here);
  }

  clearTyped() { this.input.value = ""; }

  /** @param {Ply[]} plies @param {number} cursor @param {number[]} [hinted] plies, from 1, that were played after a hint @param {string} [example] how a move is typed now */
  update(plies, cursor, hinted = [], example = t("moves.example")) {
    this.input.placeholder = example;
    if (plies === this.plies && cursor === this.shown) return;
    if (plies !== this.plies) {
      this.plies = plies;
      this.list.replaceChildren(...rows(plies, hinted));
      if (plies.length === 0) this.list.append(el("li", { class: "moves-none" }, t("moves.none")));
    }
    this.shown = cursor;
    const rewound = cursor === 0 && this.list.childElementCount > 1; // an empty list needs no layout
    for (const node of this.list.querySelectorAll("[data-ply]")) {
      const here = node.getAttribute("data-ply") === String(cursor);
      node.classList.toggle("is-here", here);
      if (here) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
    }
    this.lookAt();
    if (rewound) this.list.scrollTop = 0;
    const [first, previous, replay, next, last] = this.steps.children;
    for (const node of [first, previous, replay]) node.toggleAttribute("disabled", cursor === 0);
    for (const node of [next, last]) node.toggleAttribute("disabled", cursor === plies.length);
  }
}

/** Only the list scrolls, never the page. @param {HTMLElement} list @param {HTMLElement} node */
function scrollInto(list, node) {
  const top = node.offsetTop; // the list is positioned: its own inside counts
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + node.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + node.offsetHeight - list.clientHeight;
}

/** A row holds what x played in a turn and what o answered. @param {Ply[]} plies @param {number[]} hinted */
function rows(plies, hinted) {
  /** @type {{x: [number, Ply][], o: [number, Ply][]}[]} */
  const turns = [];
  plies.forEach((ply, i) => {
    const last = turns.at(-1);
    if (last && (ply.side === "o" || last.o.length === 0)) last[ply.side].push([i + 1, ply]);
    else turns.push({ x: [], o: [], [ply.side]: [[i + 1, ply]] });
  });
  const cell = (/** @type {[number, Ply][]} */ list) => el("span", { class: "turn" }, ...list.map(([i, ply]) =>
    el("button", { type: "button", class: `move ${ply.kind}`, "data-ply": i, tabindex: -1 }, ...moveShort(ply).split(/(?<=[,×])/).flatMap((part, at) => (at ? [el("wbr"), part] : [part])), ...(hinted.includes(i) ? [icon("hint"), el("span", { class: "only-heard" }, ` ${t("moves.hinted")}`)] : []))));
  return turns.map(({ x, o }) => el("li", {}, cell(x), cell(o)));
}
