/** A worked example: a board to step through, one sentence a step. Buttons, the list of steps, or the arrow keys when the focus is inside. */

import { Board } from "../../board/board.js";
import { button, el } from "../../dom.js";
import { t } from "../../text.js";
import { moveInWords, piecesInWords } from "../../wording.js";
import { rich } from "./guide.js";

/** @typedef {import("./guide.js").Example} Example */
/** @typedef {import("../../wire.js").Description} Description */

export class ExamplePlayer {
  /**
   * @param {Example} example
   * @param {Description} description
   * @param {{caption: string, steps: string[]}} words
   * @param {import("../../app.js").App} app
   */
  constructor(example, description, { caption, steps }, app) {
    this.example = example;
    this.description = description;
    this.app = app;
    this.words = steps;
    this.step = 0;
    /** @type {Board | null} */
    this.board = null;
    this.box = el("div", { class: "lesson-board" });
    const press = (/** @type {string} */ icon, /** @type {() => number} */ to, kind = "") => button({ label: t(`learn.${icon}`), icon, quiet: true, kind, press: () => this.show(to()) });
    this.back = [press("first", () => 0, "plain"), press("previous", () => this.step - 1)];
    this.forward = [press("next", () => this.step + 1, "primary"), press("last", () => this.last, "plain")];
    this.count = el("span", { class: "lesson-count" });
    this.list = el("ol", { class: "lesson-steps", start: 0 }, ...steps.map((text, i) => el("li", {},
      el("button", { type: "button", class: "lesson-step", tabindex: -1, onclick: () => this.show(i) }, el("span", { class: "lesson-move" }, this.moveText(i)), el("span", {}, ...rich(text))))));
    const heading = el("h3", { id: `example-${++made}` }, ...rich(caption));
    this.node = el("figure", { class: "lesson example", role: "group", "aria-labelledby": heading.id, onkeydown: (/** @type {KeyboardEvent} */ event) => this.pressed(event) },
      heading, this.box,
      el("div", { class: "lesson-controls", role: "toolbar", "aria-label": t("learn.steps") }, ...this.back, this.count, ...this.forward),
      this.list);
    this.mark();
  }

  get last() { return this.example.plies.length; }

  /** @param {number} i */
  moveText(i) {
    if (i === 0) return t("learn.start");
    const { text, kind } = this.example.plies[i - 1];
    return kind === "pass" ? t("move.pass.short") : kind === "huff" ? t("move.huff.short", { point: text.slice(5) }) : text.replaceAll("x", "×").replaceAll("-", "–");
  }

  /** Draws the board; apart from the constructor, so that a long guide stands before its boards do. */
  draw() {
    this.board = new Board(this.box, this.description, { still: true, coordinates: "letters", label: "", moves: () => this.app.settings.moves() });
    this.board.show(this.view());
    this.mark();
  }

  /** @returns {import("../../board/board.js").View} */
  view() {
    const ply = this.step ? this.example.plies[this.step - 1] : null;
    return { pieces: ply?.pieces ?? this.example.start.pieces, trail: ply && ply.kind !== "event" ? ply : null };
  }

  /** @param {number} step */
  show(step) {
    const to = Math.max(0, Math.min(this.last, step));
    if (to === this.step || !this.board) return;
    const forward = to === this.step + 1 ? this.example.plies[this.step] : null;
    this.step = to;
    this.board.settle();
    if (forward?.hops.length) void this.board.run(forward.path[0], forward.hops, this.view());
    else this.board.show(this.view());
    this.mark();
    const spoken = forward && forward.kind !== "event" ? `${moveInWords(forward, this.description, String)} ` : "";
    this.app.announce(`${spoken}${this.words[to].replaceAll("*", "")}`);
  }

  mark() {
    this.count.textContent = t("learn.count", { n: this.step, all: this.last });
    [...this.list.children].forEach((row, i) => {
      row.classList.toggle("is-here", i === this.step);
      row.classList.toggle("is-past", i < this.step);
      const step = row.querySelector("button");
      if (i === this.step) step?.setAttribute("aria-current", "step"); else step?.removeAttribute("aria-current");
      step?.setAttribute("tabindex", i === this.step ? "0" : "-1");
    });
    // Not `disabled`: the button that leads to the end keeps the focus there.
    for (const node of this.back) node.setAttribute("aria-disabled", String(this.step === 0));
    for (const node of this.forward) node.setAttribute("aria-disabled", String(this.step === this.last));
    this.board?.node.setAttribute("aria-label", piecesInWords(this.description, this.view().pieces));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, number>} */
    const keys = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: this.last };
    const to = keys[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const onStep = event.target instanceof Element && event.target.classList.contains("lesson-step");
    this.show(to);
    if (onStep) this.list.querySelector(/** @type {"button"} */ ("[aria-current]"))?.focus({ preventScroll: true });
  }

  destroy() { this.board?.destroy(); }
}

let made = 0;
