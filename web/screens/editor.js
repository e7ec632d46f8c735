/**
 * The position editor: any board, set up by hand. What stands where is drawn and written here; whether it can be is
 * the engine's word, told where it belongs.
 */

import { Board } from "../board/board.js";
import { drawPiece, ensureStoneDefs, toneOf } from "../board/pieces.js";
import { loadBoard, loadIndex } from "../boards.js";
import { button, el, svg } from "../dom.js";
import { DEFAULT_LEVEL, DEFAULT_RULESET } from "../defaults.js";
import { emptyState, problemOf } from "../game.js";
import { formatHash } from "../hash.js";
import { ownRules } from "../own-rules.js";
import { readPosition, writePosition } from "../position.js";
import { gameName, t } from "../text.js";
import { pieceName, pointName, problemText, resultText, sideName } from "../wording.js";
import { copyText } from "./copy.js";
import { rulesetPicker } from "./picker.js";

/** @typedef {import("../wire.js").Description} Description */
/** @typedef {import("../position.js").Sketch} Sketch */
/** @typedef {"board" | "side" | "clock" | "hand" | "text"} Spot where a reason is told */

const ERASER = "";
const MOST_UNDO = 200;

/** Where it stands alone. @param {string} name */
const asTitle = (name) => name.charAt(0).toLocaleUpperCase() + name.slice(1);

/** Where the reason of a refused position belongs. @param {string} kind @param {boolean} point whether it names one @returns {Spot} */
function spotOf(kind, point) {
  if (kind === "position.hand") return "hand";
  if (kind === "position.clock") return "clock";
  if (kind === "position.side") return "side";
  return point || kind === "position.too-many" || kind === "position.sultan" ? "board" : "text";
}

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app, place) {
  return new EditorScreen(outlet, app, place);
}

class EditorScreen {
  /** @param {HTMLElement} outlet @param {import("../app.js").App} app @param {import("../hash.js").Place} place */
  constructor(outlet, app, place) {
    this.app = app;
    this.outlet = outlet;
    this.lang = place.params.lang;
    this.flip = place.params.flip ?? false;
    this.brush = "x";
    /** @type {Description | null} */
    this.description = null;
    /** @type {Sketch} */
    this.sketch = { pieces: {}, side: "x", clock: 0, keys: {} };
    /** @type {Sketch[]} */
    this.past = [];
    /** @type {Board | null} */
    this.board = null;
    /** Points that a refusal names. @type {string[]} */
    this.wrong = [];
    /** The canonical text once the engine has agreed. @type {string | null} */
    this.position = null;
    this.turn = 0;
    this.gone = false;

    const slot = (/** @type {Spot} */ name) => el("p", { class: "editor-wrong", id: `editor-wrong-${name}`, hidden: true });
    this.slots = { board: slot("board"), side: slot("side"), clock: slot("clock"), hand: slot("hand"), text: slot("text") };
    const number = (/** @type {string} */ id, /** @type {Spot} */ spot, /** @type {() => void} */ changed) =>
      el("input", { type: "text", inputmode: "numeric", class: "short-number", id, maxlength: 4, autocomplete: "off", "aria-describedby": `editor-wrong-${spot}`, onchange: changed });
    this.clock = number("editor-clock", "clock", () => this.change({ clock: numberIn(this.clock) }));
    this.hands = { x: number("editor-hand-x", "hand", () => this.handChanged()), o: number("editor-hand-o", "hand", () => this.handChanged()) };
    this.handFix = el("span", {});
    this.field = el("input", { type: "text", id: "editor-text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 400, "aria-describedby": "editor-wrong-text", onchange: () => this.readText() });
    this.verdict = el("p", { class: "editor-verdict", role: "status" });
    this.said = el("p", { class: "share-said", role: "status" });
    this.undoButton = button({ label: t("editor.undo"), icon: "undo", key: "z", kind: "action", press: () => this.undo() });
    const door = (/** @type {string} */ key, kind = "") => el("a", { class: `button ${kind}`, role: "link" }, t(key));
    this.doors = { computer: door("editor.play", "primary"), both: door("home.people"), analyse: door("editor.analyse") };
    this.palette = el("fieldset", { class: "choice palette" });
    this.sides = el("fieldset", { class: "choice" });
    /** @type {string[]} */
    this.brushes = [];

    this.boardBox = el("div", { class: "board-box" });
    this.head = el("header", { class: "editor-head" }, el("h1", {}, t("editor.title")));
    this.tools = el("div", { class: "editor-tools" });
    this.node = el("div", { class: "editor" }, this.head,
      el("section", { class: "editor-table", "aria-label": t("editor.board") }, this.boardBox), this.tools);
    outlet.append(this.node);
    this.onkey = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    addEventListener("keydown", this.onkey);
    this.unlisten = app.settings.listen(() => this.drawBoard());
    void this.open(place.params.g ?? DEFAULT_RULESET, place.params.p ?? null, place.problem ? problemText(place.problem) : "");
  }

  destroy() {
    this.gone = true;
    removeEventListener("keydown", this.onkey);
    this.unlisten();
    this.board?.destroy();
    this.node.remove();
  }

  /** @param {import("../hash.js").Place} place */
  update({ params, problem }) {
    const same = !problem && params.g === this.description?.ruleset && params.p === this.text();
    if (same) this.lang = params.lang;
    return same;
  }

  /** @param {string} ruleset @param {string | null} position @param {string} [notice] @returns {Promise<void>} */
  async open(ruleset, position, notice = "") {
    const turn = ++this.turn;
    let description;
    try {
      description = (await loadBoard(ruleset).catch(() => null))?.describe ?? await this.app.engine.request("describe", { ruleset });
    } catch (fault) {
      if (turn !== this.turn || this.gone || ruleset === DEFAULT_RULESET) return;
      return this.open(DEFAULT_RULESET, null, problemText(problemOf(fault)));
    }
    if (turn !== this.turn || this.gone) return;
    const known = await loadIndex().catch(() => []);
    if (turn !== this.turn || this.gone) return;
    this.description = description;
    this.past = [];
    const sketch = position === null ? null : readPosition(position, description);
    this.sketch = sketch ?? /** @type {Sketch} */ (readPosition(description.start, description));
    this.drawTools(known, notice || (position !== null && !sketch ? t("editor.unreadable") : ""));
    this.drawBoard();
    if (position !== null && !sketch) {
      this.field.value = position;
      return this.readText();
    }
    this.changed();
  }

  text() { return this.description ? writePosition(this.sketch, this.description) : ""; }

  // Drawing

  drawBoard() {
    const { description } = this;
    if (!description || this.gone) return;
    this.board?.destroy();
    this.board = new Board(this.boardBox, description, {
      flip: this.flip, coordinates: this.app.settings.values.coordinates, label: t("board.label", { game: gameName(description.game) }),
      nameOf: (point, piece) => pointName(this.board?.layout.label(point) ?? point, description, piece, {}),
      onchoose: (point) => this.put(point), moves: () => this.app.settings.moves(),
    });
    this.node.style.setProperty("--ratio", String(this.board.layout.width / this.board.layout.height));
    this.node.classList.add("is-set");
    this.showBoard();
  }

  /** No point counts as movable: so a finger on the board still scrolls the page. */
  showBoard() { this.board?.show({ pieces: this.sketch.pieces, chosen: this.wrong }); }

  /** @param {import("../wire.js").RulesetInfo[]} infos @param {string} notice */
  drawTools(infos, notice) {
    const description = /** @type {Description} */ (this.description);
    const brushes = ["x", "o", ...(description.sultans ? ["X", "O"] : []), ERASER];
    if (!brushes.includes(this.brush)) this.brush = "x";
    this.brushes = brushes;
    this.palette.replaceChildren(el("legend", {}, t("editor.brush")), el("div", { class: "segments" },
      ...brushes.map((code, i) => el("label", { class: "segment" },
        el("input", { type: "radio", name: "editor-brush", value: code, checked: code === this.brush, "aria-keyshortcuts": String(i + 1), onchange: () => { this.brush = code; } }),
        el("span", {}, pieceIcon(description, code), code === ERASER ? t("editor.eraser") : asTitle(pieceName(description, code)))))));
    this.sides.replaceChildren(el("legend", {}, t("editor.side")), el("div", { class: "segments" },
      ...(/** @type {const} */ (["x", "o"])).map((side) => el("label", { class: "segment" },
        el("input", { type: "radio", name: "editor-side", value: side, "aria-describedby": "editor-wrong-side", onchange: () => this.change({ side }) }),
        el("span", {}, pieceIcon(description, side), sideName(description, side))))), this.slots.side);

    this.head.replaceChildren(el("h1", {}, t("editor.title")), el("p", { class: "editor-line" }, t("editor.line")),
      notice ? el("p", { class: "notice" }, notice) : "",
      el("div", { class: "field" }, el("label", { for: "editor-ruleset" }, t("setup.rules")),
        rulesetPicker({ id: "editor-ruleset", infos, own: ownRules(this.app.store), chosen: description.ruleset, change: (ruleset) => void this.open(ruleset, this.keepable(ruleset)) })));
    this.tools.replaceChildren(
      this.palette, this.slots.board,
      el("div", { class: "editor-actions" },
        button({ label: t("editor.start"), icon: "restart", kind: "action", press: () => this.startPosition() }),
        button({ label: t("editor.clear"), icon: "close", kind: "action", press: () => this.change({ pieces: {}, clock: 0 }) }),
        button({ label: t("play.flip"), icon: "flip", key: "f", kind: "action", press: () => this.turnBoard() }), this.undoButton),
      el("div", { class: "editor-pair" }, this.sides,
        description.clock ? el("div", { class: "field" }, el("label", { for: "editor-clock" }, t("editor.clock")), this.clock, this.slots.clock) : ""),
      description.hand ? el("fieldset", { class: "choice" }, el("legend", {}, t("editor.hand")),
        el("div", { class: "editor-hands" }, ...(/** @type {const} */ (["x", "o"])).map((side) => el("label", { class: "editor-hand", for: `editor-hand-${side}` }, pieceIcon(description, side), el("span", {}, sideName(description, side)), this.hands[side]))),
        this.slots.hand, this.handFix) : "",
      el("div", { class: "field" }, el("label", { for: "editor-text" }, t("editor.text")), this.field, this.slots.text),
      el("div", { class: "editor-end" }, this.verdict,
        el("div", { class: "editor-doors" }, this.doors.computer, this.doors.both, this.doors.analyse,
          button({ label: t("share.copy-link"), icon: "copy", press: () => void this.copyLink() })), this.said));
  }

  /** The position may stay when the board is the same. @param {string} ruleset */
  keepable(ruleset) {
    const description = /** @type {Description} */ (this.description);
    return ruleset.split("/")[0] === description.game && this.text() !== description.start ? this.text() : null;
  }

  // Changing

  /** @param {Partial<Sketch>} change */
  change(change) {
    if (!this.description) return;
    this.past.push(this.sketch);
    if (this.past.length > MOST_UNDO) this.past.shift();
    this.sketch = { ...this.sketch, ...change };
    // What was said about single pieces is no longer true of others.
    if (change.pieces && !change.keys) this.sketch.keys = this.sketch.keys.hand ? { hand: this.sketch.keys.hand } : {};
    this.changed();
  }

  undo() {
    const before = this.past.pop();
    if (!before) return;
    this.sketch = before;
    this.changed();
  }

  startPosition() {
    const start = this.description && readPosition(this.description.start, this.description);
    if (start) this.change(start);
  }

  turnBoard() {
    this.flip = !this.flip;
    this.drawBoard();
  }

  /** @param {string} point */
  put(point) {
    const { description } = this;
    if (!description) return;
    const pieces = { ...this.sketch.pieces };
    const code = pieces[point] === this.brush ? ERASER : this.brush;
    if (code === ERASER) delete pieces[point];
    else pieces[point] = code;
    this.change({ pieces });
    this.app.announce(`${this.board?.layout.label(point) ?? point}, ${pieceName(description, pieces[point])}`);
  }

  handChanged() {
    const { x, o } = { x: numberIn(this.hands.x), o: numberIn(this.hands.o) };
    const keys = { ...this.sketch.keys };
    if (x + o === 0) delete keys.hand;
    else keys.hand = `${x},${o}`;
    this.change({ keys });
  }

  readText() {
    const { description } = this;
    if (!description) return;
    const text = this.field.value.replaceAll("_", " ").trim().replace(/\s+/g, " ");
    const sketch = readPosition(text, description);
    if (sketch) return this.change(sketch);
    void this.ask(text); // the engine knows what is wrong with it
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input[type=text], select, dialog")) return;
    const point = target.getAttribute("data-point");
    const brush = this.brushes[Number(event.key) - 1];
    /** @type {Record<string, () => void>} */
    const keys = { f: () => this.turnBoard(), z: () => this.undo() };
    if (point && this.sketch.pieces[point]) keys.Delete = keys.Backspace = () => { const pieces = { ...this.sketch.pieces }; delete pieces[point]; this.change({ pieces }); };
    if (brush !== undefined) keys[event.key] = () => this.chooseBrush(brush);
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @param {string} code */
  chooseBrush(code) {
    this.brush = code;
    for (const input of this.palette.querySelectorAll("input")) input.checked = input.value === code;
    if (this.description) this.app.announce(code === ERASER ? t("editor.eraser") : pieceName(this.description, code));
  }

  // What comes of it

  changed() {
    const { description, sketch } = this;
    if (!description || this.gone) return;
    const text = this.text();
    this.field.value = text;
    this.clock.value = String(sketch.clock);
    const [x = "0", o = "0"] = (sketch.keys.hand ?? "").split(",");
    this.hands.x.value = x || "0";
    this.hands.o.value = o;
    for (const input of this.sides.querySelectorAll("input")) input.checked = input.value === sketch.side;
    this.undoButton.toggleAttribute("disabled", this.past.length === 0);
    history.replaceState(history.state, "", formatHash("edit", { g: description.ruleset, p: text, lang: this.lang }));
    void this.ask(text);
  }

  /** Asks the engine whether the position can be. @param {string} text */
  async ask(text) {
    const { description } = this;
    if (!description) return;
    const turn = ++this.turn;
    this.wrong = [];
    this.showBoard();
    // While the engine still starts, say so; a running one answers before anybody could read it.
    if (this.app.engine.state !== "ready") this.conclude({ text: t("editor.asking") });
    try {
      const { position } = await this.app.engine.request("check", { ruleset: description.ruleset, position: text });
      const now = await this.app.engine.request("state", { ruleset: description.ruleset, position });
      if (turn !== this.turn || this.gone) return;
      const over = resultText({ ...emptyState({ ruleset: description.ruleset, seats: { x: "human", o: "human" } }), description, now });
      if (over) this.conclude({ text: `${t("editor.over")} ${over.title} ${over.text}` });
      else this.conclude({ text: t("editor.good", { n: now.legal.length }), position, side: now.side });
    } catch (fault) {
      if (turn !== this.turn || this.gone) return;
      this.refuse(fault);
    }
  }

  /** @param {unknown} fault */
  refuse(fault) {
    const data = /** @type {{data?: {kind?: string, point?: string, expected?: unknown, side?: string}}} */ (fault)?.data ?? {};
    const { key, params } = problemOf(fault);
    const { description, board } = this;
    if (description && (params.side === "x" || params.side === "o")) params.side = sideName(description, params.side);
    if (params.point && board) params.point = board.layout.label(params.point);
    this.wrong = data.point ? [data.point] : [];
    this.showBoard();
    this.conclude({ text: t("editor.bad"), wrong: { spot: spotOf(data.kind ?? "", Boolean(data.point)), text: problemText({ key, params }) } });
    const { expected } = data;
    if (data.kind === "position.hand" && typeof expected === "string" && /^\d+,\d+$/.test(expected)) {
      this.handFix.replaceChildren(button({ label: t("editor.hand-fix", { hand: expected.replace(",", " · ") }), kind: "slim", press: () => this.setHand(expected) }));
    }
  }

  /** @param {string} hand */
  setHand(hand) {
    const keys = { ...this.sketch.keys, hand };
    if (hand === "0,0") delete /** @type {Record<string, string>} */ (keys).hand;
    this.change({ keys });
    this.hands.x.focus();
  }

  /** @param {{text: string, position?: string, side?: string, wrong?: {spot: Spot, text: string}}} what */
  conclude({ text, position, side, wrong }) {
    const { description } = this;
    if (!description) return;
    this.position = position ?? null;
    this.handFix.replaceChildren();
    for (const [spot, node] of Object.entries(this.slots)) {
      const mine = wrong?.spot === spot;
      node.hidden = !mine;
      node.textContent = mine ? wrong.text : "";
    }
    if (wrong) this.app.announce(wrong.text);
    this.field.setAttribute("aria-invalid", String(wrong?.spot === "text"));
    this.clock.setAttribute("aria-invalid", String(wrong?.spot === "clock"));
    this.verdict.textContent = text;
    this.verdict.dataset.tone = position ? "good" : wrong ? "bad" : "";
    const p = position === description.start ? undefined : position;
    const addresses = {
      computer: formatHash("play", { g: description.ruleset, p, side: side === "o" ? "o" : "x", level: DEFAULT_LEVEL, flip: side === "o" }),
      both: formatHash("play", { g: description.ruleset, p, side: "both" }),
      analyse: formatHash("analyse", { g: description.ruleset, p }),
    };
    for (const [name, link] of Object.entries(this.doors)) {
      if (position) link.setAttribute("href", addresses[/** @type {keyof typeof addresses} */ (name)]);
      else link.removeAttribute("href");
      link.setAttribute("aria-disabled", String(!position));
    }
  }

  async copyLink() {
    if (!this.description) return;
    const address = location.href.split("#")[0] + formatHash("edit", { g: this.description.ruleset, p: this.text() });
    this.said.textContent = await copyText(address) ? t("play.copied") : t("share.by-hand");
  }
}

/** @param {HTMLInputElement} input @returns {number} what stands there; anything but a number counts as 0 */
const numberIn = (input) => (/^\d{1,4}$/.test(input.value.trim()) ? Number(input.value) : 0);

/** @param {Description} description @param {string} code */
function pieceIcon(description, code) {
  ensureStoneDefs(document);
  if (code === ERASER) return svg("svg", { class: "stone-icon eraser", viewBox: "-52 -52 104 104", "aria-hidden": "true", focusable: "false" }, svg("path", { d: "M -26 -26 L 26 26 M 26 -26 L -26 26" }));
  const side = code.toLowerCase() === "x" ? "x" : "o";
  return svg("svg", { class: "stone-icon", viewBox: "-52 -52 104 104", "aria-hidden": "true", focusable: "false" }, drawPiece(toneOf(description.colours[side]), 46, code !== side));
}

