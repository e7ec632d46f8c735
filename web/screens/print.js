/** Sheets to print: the board at true size, its rules for the back, and pieces to cut out. Nothing here knows a rule. */

import { Board } from "../board/board.js";
import { Layout } from "../board/geometry.js";
import { loadIndex } from "../boards.js";
import { button, el, svg } from "../dom.js";
import { DEFAULT_RULESET } from "../defaults.js";
import { formatHash } from "../hash.js";
import { gameName, hasText, language, rulesetName, t } from "../text.js";
import { problemText, sideName } from "../wording.js";
import { loadGuide, rich } from "./learn/guide.js";
import { HABITS_KEY, habitsFrom } from "./print/habits.js";
import { pieceSheets } from "./print/pieces.js";
import { boardWidth, MARGIN, pieceSize, RULERS, sheetFor, sizeInWords, spacings } from "./print/size.js";

/** @typedef {import("../wire.js").Description} Description */
/** @typedef {import("./learn/guide.js").GuideText} GuideText */
/** @typedef {import("./learn/guide.js").Block} Block */

/** Sections of a guide that make its short rules. */
const SHORT = ["board", "turn", "end"];
const LARGEST_TYPE = 11.5; // points
const SMALLEST_TYPE = 6.5;
const PIXELS = 96 / 25.4; // a millimetre in CSS

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app, place) {
  return new PrintScreen(outlet, app, place);
}

class PrintScreen {
  /** @param {HTMLElement} outlet @param {import("../app.js").App} app @param {import("../hash.js").Place} place */
  constructor(outlet, app, place) {
    this.app = app;
    this.ruleset = place.params.g ?? DEFAULT_RULESET;
    this.lang = place.params.lang;
    this.habits = habitsFrom(app.store.read(HABITS_KEY));
    /** The distance of points, in millimetres; 0 for the largest. */
    this.spacing = 0;
    /** @type {Board[]} */
    this.boards = [];
    this.gone = false;
    this.controls = el("aside", { class: "print-controls", "aria-label": t("print.options") });
    this.sheets = el("div", { class: "sheets" });
    this.node = el("div", { class: "print" }, place.problem ? el("p", { class: "notice" }, problemText(place.problem)) : null, this.controls, this.sheets);
    outlet.append(this.node);
    scrollTo(0, 0);
    this.watch = new ResizeObserver(() => this.scale());
    this.watch.observe(this.sheets);
    void this.open();
  }

  destroy() {
    this.gone = true;
    this.watch.disconnect();
    for (const board of this.boards) board.destroy();
    this.node.remove();
    document.title = t("app.title");
  }

  /** @param {import("../hash.js").Place} place */
  update(place) { return place.problem === null && (place.params.g ?? DEFAULT_RULESET) === this.ruleset; }

  async open() {
    try {
      const guide = await loadGuide(this.ruleset.split("/")[0], language());
      /** @type {Description} */
      const description = guide.boards.descriptions[this.ruleset] ?? await this.app.engine.request("describe", { ruleset: this.ruleset });
      const infos = await loadIndex().catch(() => []);
      if (this.gone) return;
      this.text = guide.text;
      this.description = description;
      this.infos = infos;
    } catch {
      if (!this.gone) this.sheets.replaceChildren(el("p", { class: "notice" }, t("print.missing")));
      return;
    }
    document.title = `${t("app.name")} · ${gameName(this.description.game)} · ${rulesetName(this.ruleset)}`;
    this.draw();
  }

  draw() {
    const { description, text, habits } = this;
    if (!description || !text) return;
    for (const board of this.boards.splice(0)) board.destroy();
    const { coordinates } = this.app.settings.values;
    this.layout = new Layout(description, { coordinates });
    this.sheet = sheetFor(habits.paper, this.layout);
    const choices = spacings(this.sheet, this.layout, habits.unit);
    const spacing = choices.find((one) => Math.abs(one - this.spacing) < 0.01) ?? choices[0];
    this.drawControls(choices, spacing);

    const width = this.sheet.width - 2 * MARGIN;
    const pieces = pieceSheets(description, pieceSize(this.layout, spacing), width, this.sheet.height - 2 * MARGIN - 16);
    const rules = this.rulesSheet(text, description);
    this.sheets.replaceChildren(
      this.boardSheet(description, spacing, coordinates), rules,
      ...pieces.map((drawing, i) => this.page("print.sheet.pieces", t("print.cut"), `pieces-sheet pieces-${i + 1}`, drawing)));
    this.scale();
    fit(rules);
  }

  /** @param {number[]} choices @param {number} spacing */
  drawControls(choices, spacing) {
    const { unit } = this.habits;
    const group = (/** @type {"paper" | "unit"} */ name, /** @type {string[]} */ values) => el("fieldset", { class: "choice" }, el("legend", {}, t(`print.${name}`)), el("div", { class: "segments" }, ...values.map((value) =>
      el("label", { class: "segment" }, el("input", { type: "radio", name: `print-${name}`, value, checked: this.habits[name] === value, onchange: () => this.choose({ [name]: value }, `input[name="print-${name}"]:checked`) }), el("span", {}, t(`print.${name}.${value}`))))));
    const infos = this.infos ?? [];
    const known = infos.some(({ ruleset }) => ruleset === this.ruleset);
    const games = [...new Set(infos.map(({ game }) => game))];
    this.controls.replaceChildren(
      el("h1", {}, t("print.title", { name: gameName(this.ruleset.split("/")[0]) })), el("p", {}, t("print.line")),
      el("div", { class: "field" }, el("label", { for: "print-ruleset" }, t("print.rules")),
        el("select", { id: "print-ruleset", onchange: (/** @type {Event} */ event) => { location.hash = formatHash("print", { g: /** @type {HTMLSelectElement} */ (event.target).value, lang: this.lang }); } },
          known ? null : el("option", { value: this.ruleset, selected: true }, rulesetName(this.ruleset)),
          ...games.map((game) => el("optgroup", { label: gameName(game) }, ...infos.filter((info) => info.game === game).map(({ ruleset }) => el("option", { value: ruleset, selected: ruleset === this.ruleset }, rulesetName(ruleset))))))),
      group("paper", ["a4", "letter"]), group("unit", ["cm", "in"]),
      el("div", { class: "field" }, el("label", { for: "print-spacing" }, t("print.spacing")),
        el("select", { id: "print-spacing", onchange: (/** @type {Event} */ event) => { this.spacing = Number(/** @type {HTMLSelectElement} */ (event.target).value); this.choose({}, "#print-spacing"); } },
          ...choices.map((one, i) => el("option", { value: one, selected: one === spacing }, i === 0 ? t("print.largest", { size: sizeInWords(one, unit) }) : sizeInWords(one, unit))))),
      el("div", { class: "print-doors" },
        button({ label: t("print.go"), kind: "primary", press: () => print() }),
        el("a", { class: "button", href: formatHash(`learn/${this.ruleset.split("/")[0]}`, { g: this.ruleset, lang: this.lang }) }, t("print.read"))));
  }

  /** @param {Partial<Record<"paper" | "unit", string>>} change @param {string} focus what to give the focus back to */
  choose(change, focus) {
    this.habits = habitsFrom({ ...this.habits, ...change });
    this.app.store.write(HABITS_KEY, this.habits);
    this.draw();
    const node = this.controls.querySelector(focus);
    if (node instanceof HTMLElement) node.focus();
  }

  // The sheets

  /** @param {string} name key of what it is @param {string} note @param {string} kind @param {...(Node | null)} content */
  page(name, note, kind, ...content) {
    const { landscape } = /** @type {import("./print/size.js").Sheet} */ (this.sheet);
    const own = rulesetName(this.ruleset);
    const game = gameName(this.ruleset.split("/")[0]);
    return el("section", { class: `sheet ${this.habits.paper} ${landscape ? "landscape" : "portrait"} ${kind}`, "aria-label": t(name) },
      el("header", { class: "sheet-head" }, ...(own.includes(game) ? [el("strong", {}, own)] : [el("strong", {}, game), el("span", {}, own)]), el("span", { class: "sheet-note" }, note)), ...content);
  }

  /** @param {Description} description @param {number} spacing @param {"off" | "letters" | "rows"} coordinates */
  boardSheet(description, spacing, coordinates) {
    const { unit } = this.habits;
    const layout = /** @type {Layout} */ (this.layout);
    const host = el("div", { class: "sheet-board" });
    host.style.setProperty("width", `${boardWidth(layout, spacing)}mm`);
    this.boards.push(new Board(host, description, { still: true, coordinates, label: t("board.label", { game: gameName(description.game) }) }));
    return this.page("print.sheet.board", t("print.distance", { size: sizeInWords(spacing, unit) }), "board-sheet", el("div", { class: "sheet-middle" }, host),
      el("footer", { class: "sheet-foot" }, ruler(unit), el("span", {}, t("print.ruler", { size: sizeInWords(RULERS[unit], unit) }))));
  }

  /** The guide's short rules and the start. @param {GuideText} text @param {Description} description */
  rulesSheet(text, description) {
    const own = text.rulesets.find(({ ruleset }) => ruleset === this.ruleset)?.sections.find(({ id }) => id === "differs");
    const about = hasText(`ruleset.${this.ruleset}.about`) ? el("p", { class: "sheet-about" }, t(`ruleset.${this.ruleset}.about`)) : null;
    const chapter = (/** @type {string} */ title, /** @type {Block[]} */ blocks) => [el("h2", {}, title), ...blocks.flatMap(printed)];
    const host = el("div", { class: "sheet-start-board" });
    const board = new Board(host, description, { still: true, coordinates: "letters", label: t("print.start") });
    board.show({ pieces: description.startPieces });
    this.boards.push(board);
    const side = description.start.split(" ")[1] === "o" ? "o" : "x";
    return this.page("print.sheet.rules", t("learn.rules"), "rules-sheet", el("div", { class: "sheet-rules" },
      el("figure", { class: "sheet-start" }, host, el("figcaption", {}, `${t("print.start")}. ${t("print.first", { who: sideName(description, side) })}`)),
      about,
      ...text.sections.filter(({ id }) => SHORT.includes(id)).flatMap(({ title, blocks }) => chapter(title, blocks)),
      ...(own ? chapter(`${rulesetName(this.ruleset)}: ${own.title}`.replace(":", language() === "fr" ? "\u00a0:" : ":"), own.blocks) : [])));
  }

  /** On the screen a sheet is shown as large as there is room; on paper it is what it is. */
  scale() {
    if (!this.sheet) return;
    const { width, height } = this.sheet;
    const whole = Math.max(0.5, (innerHeight - 80) / (height * PIXELS)); // a sheet is seen whole where there is room
    this.sheets.style.setProperty("--zoom", String(Math.min(1, whole, this.sheets.clientWidth / (width * PIXELS))));
  }
}

/** What a sheet says of a block; boards to try are for the screen. @param {Block} block @returns {Node[]} */
function printed(block) {
  if ("p" in block) return [el("p", {}, ...rich(block.p))];
  if ("list" in block) return [el("ul", {}, ...block.list.map((item) => el("li", {}, ...rich(item))))];
  return [];
}

/** The largest type in which the rules stay on their sheet. @param {HTMLElement} sheet */
function fit(sheet) {
  const text = /** @type {HTMLElement} */ (sheet.querySelector(".sheet-rules"));
  for (let size = LARGEST_TYPE; size >= SMALLEST_TYPE; size -= 0.25) {
    text.style.setProperty("font-size", `${size}pt`);
    if (text.scrollWidth <= text.clientWidth + 1 && text.scrollHeight <= text.clientHeight + 1) return;
  }
}

/** A line of known length, to check the printer with. @param {import("./print/size.js").Unit} unit */
function ruler(unit) {
  const length = RULERS[unit];
  const step = unit === "cm" ? 10 : 25.4;
  let d = `M 0 3 H ${length}`;
  for (let x = 0; x <= length + 0.01; x += step) d += ` M ${x} 1 V 5`;
  return svg("svg", { class: "ruler", width: `${length}mm`, height: "6mm", viewBox: `0 0 ${length} 6`, "aria-hidden": "true" }, svg("path", { d }));
}
