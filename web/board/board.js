/**
 * A board on the page: layers of SVG on a fixed viewBox. The ground is drawn once; `show` draws a view (what stands
 * where, what can be chosen, what just happened), `run` lets a stone travel. `destroy` undoes the constructor.
 * Every way of choosing a point (click, drag, touch, keys, screen reader) ends in `choosePoint`.
 */

import { svg } from "../dom.js";
import { run as animate } from "./animation.js";
import { narrowScreen, Layout, UNIT } from "./geometry.js";
import { drawGround } from "./ground.js";
import { listenKeys } from "./keys.js";
import { drawPiece, ensureStoneDefs, toneOf } from "./pieces.js";
import { listenPointer } from "./pointer.js";

/** @typedef {import("../wire.js").Description} Description */
/** @typedef {import("../wire.js").Hop} Hop */
/** @typedef {import("../wire.js").Pieces} Pieces */

/**
 * @typedef {object} View everything that can change; what is left out is not drawn
 * @property {Pieces} pieces
 * @property {string[]} [movable] points that can be chosen now
 * @property {string[]} [marked] those of them to point out
 * @property {string | null} [selected] where the piece stands that is being moved
 * @property {string[]} [next] landing points now
 * @property {string[]} [later] landing points further on
 * @property {string[]} [taken] taken in the unfinished turn, still shown faintly
 * @property {Record<string, Hop>} [ways] the hop to a landing point, drawn while it is pointed at
 * @property {string[]} [ghosts] numbered points to choose between
 * @property {{label: string, word: string, captures: string[]}[]} [fork] rows to choose between
 * @property {{path: string[], hops: Hop[], captures: string[]} | null} [trail] the last move
 * @property {string[]} [hint]
 * @property {string[]} [huffable]
 * @property {string[]} [chosen] points of an editor's or lesson's choice
 */
/**
 * @typedef {object} Options
 * @property {boolean} [flip]
 * @property {"off" | "letters" | "rows"} [coordinates]
 * @property {boolean} [still] only a picture: nothing can be chosen
 * @property {string} label the board's spoken name
 * @property {(point: string, piece: string | undefined) => string} [nameOf] a point's spoken name
 * @property {(point: string) => void} [onchoose]
 * @property {() => void} [oncancel] Escape
 * @property {(point: string) => boolean} [onenter] Enter on a point; true when that was meant otherwise than choosing it
 * @property {() => boolean} [moves] whether things may move
 * @property {(code: string) => Element | null} [trayOf] where a taken piece glides to
 */

let boards = 0;
const LAYERS = /** @type {const} */ (["trail", "below", "pieces", "above", "preview", "leaving"]);

export class Board {
  /** @param {Element} host @param {Description} description @param {Options} options */
  constructor(host, description, options) {
    this.options = options;
    this.description = description;
    this.layout = this.layOut();
    this.uid = String(++boards);
    /** @type {View} */
    this.view = { pieces: {} };
    /** @type {View | null} what to draw when the run under way has ended */
    this.pending = null;
    /** @type {import("./animation.js").Run | null} */
    this.running = null;
    /** @type {Map<string, {node: SVGGElement, code: string}>} */
    this.stones = new Map();
    /** @type {Map<string, SVGElement>} */
    this.cells = new Map();
    /** Where a dragged stone was let go: it need not travel there again. @type {string | null} */
    this.dropped = null;

    this.layers = /** @type {Record<typeof LAYERS[number], SVGGElement>} */ (
      Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: `layer ${name}`, "aria-hidden": "true" })])));
    this.node = svg("svg", { class: `board ${description.surface}${options.still ? " still" : ""}`, "aria-label": options.label, role: options.still ? "img" : null, tabindex: options.still ? null : -1 }); // it hears keys, which would make it a tab stop itself
    this.lay();
    const turned = () => this.layAgain();
    narrowScreen.addEventListener("change", turned);
    /** @type {(() => void)[]} */
    this.undo = [() => narrowScreen.removeEventListener("change", turned)];
    if (!options.still) this.undo.push(listenPointer(this), listenKeys(this));
    ensureStoneDefs(host.getRootNode());
    host.append(this.node);
  }

  destroy() {
    this.running?.finish();
    for (const undo of this.undo.splice(0)) undo();
    this.node.remove();
  }

  layOut() { return new Layout(this.description, { ...this.options, narrow: narrowScreen.matches }); }

  /** Puts ground, empty layers and points in their places. */
  lay() {
    this.node.setAttribute("viewBox", this.layout.viewBox);
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.stones.clear();
    this.cells.clear();
    this.node.replaceChildren(drawGround(this.layout, this.uid), ...LAYERS.map((name) => this.layers[name]));
    if (!this.options.still) this.node.append(this.drawCells());
  }

  /** A phone was turned: the margins are others. The focused point stays focused. */
  layAgain() {
    this.settle();
    const focused = this.node.contains(document.activeElement) ? document.activeElement?.getAttribute("data-point") : null;
    this.layout = this.layOut();
    this.lay();
    this.draw(this.view);
    if (focused) this.rove(focused);
  }

  /** The one entry for every kind of choosing. @param {string} point */
  choosePoint(point) {
    this.settle();
    this.options.onchoose?.(point);
  }

  cancel() {
    this.settle();
    this.options.oncancel?.();
  }

  // Drawing

  /** Draws a view, after the run under way if there is one. @param {View} view */
  show(view) {
    if (this.running) this.pending = view;
    else this.draw(view);
  }

  /** Ends the run under way at once. */
  settle() { this.running?.finish(); }

  /**
   * Lets the stone on a point travel along hops, then draws the view.
   * @param {string} from
   * @param {Hop[]} hops
   * @param {View} view
   * @returns {Promise<void>} when it has arrived
   */
  async run(from, hops, view) {
    this.settle();
    const stone = this.stones.get(from);
    const moving = stone && hops.length > 0 && this.dropped !== hops[hops.length - 1].to && (this.options.moves?.() ?? true);
    this.dropped = null;
    if (!moving) {
      this.draw(view);
      return;
    }
    for (const name of /** @type {const} */ (["below", "above", "preview", "trail"])) this.layers[name].replaceChildren();
    this.layers.pieces.append(stone.node);
    this.pending = view;
    const arrived = (/** @type {number} */ index) => {
      for (const point of hops[index].captures) if (!view.taken?.includes(point)) this.takeOff(point, true);
    };
    const ended = () => {
      this.running = null;
      const last = hops[hops.length - 1].to;
      this.stones.delete(from);
      this.takeOff(last, true); // a capture by replacement
      this.stones.set(last, stone);
      const next = this.pending ?? view;
      this.pending = null;
      this.draw(next);
    };
    this.running = animate(stone.node, hops.map((hop) => ({ path: this.layout.path(hop), units: this.lengthOf(hop) })), arrived, ended);
    await this.running.done;
  }

  /** @param {Hop} hop */
  lengthOf(hop) {
    const { track } = hop;
    let units = 0;
    for (let i = 1; i < track.length; i++) {
      const [a, b] = [this.layout.at(track[i - 1]), this.layout.at(track[i])];
      units += Math.hypot(a.x - b.x, a.y - b.y) / UNIT * (this.layout.loopTo(hop, i) ? 3 : 1);
    }
    return units;
  }

  /** @param {View} view */
  draw(view) {
    this.view = view;
    this.drawStones(view);
    this.layers.trail.replaceChildren(...this.trailMarks(view));
    this.layers.below.replaceChildren(...this.lowMarks(view));
    this.layers.above.replaceChildren(...this.highMarks(view));
    this.layers.preview.replaceChildren();
    this.nameCells(view);
  }

  /** @param {View} view */
  drawStones(view) {
    const fresh = this.stones.size > 0;
    for (const [point, { code }] of this.stones) if (view.pieces[point] !== code) this.takeOff(point, !view.pieces[point]);
    for (const [point, code] of Object.entries(view.pieces)) {
      let stone = this.stones.get(point);
      if (!stone) {
        const side = code.toLowerCase() === "x" ? "x" : "o";
        const node = svg("g", { class: "piece" }, drawPiece(toneOf(this.description.colours[side]), this.layout.radius, code !== side));
        if (fresh && (this.options.moves?.() ?? true)) node.firstElementChild?.classList.add("arriving");
        stone = { node, code };
        this.stones.set(point, stone);
        this.layers.pieces.append(node);
      }
      const { x, y } = this.layout.at(point);
      stone.node.setAttribute("transform", `translate(${x} ${y})`);
      stone.node.classList.toggle("is-taken", view.taken?.includes(point) ?? false);
      stone.node.classList.toggle("is-selected", view.selected === point);
    }
  }

  /** Takes a stone off the board; it glides to its tray if there is one. @param {string} point @param {boolean} glide */
  takeOff(point, glide) {
    const stone = this.stones.get(point);
    if (!stone) return;
    this.stones.delete(point);
    const tray = glide && (this.options.moves?.() ?? true) ? this.options.trayOf?.(stone.code)?.getBoundingClientRect() : null;
    if (!tray) {
      stone.node.remove();
      return;
    }
    const from = this.layout.at(point);
    const to = this.spotOf(tray.left + Math.min(tray.width / 2, 60), tray.top + tray.height / 2);
    this.layers.leaving.append(stone.node);
    stone.node.removeAttribute("transform");
    void stone.node.animate([
      { transform: `translate(${from.x}px, ${from.y}px)`, opacity: 1 },
      { transform: `translate(${to.x}px, ${to.y}px) scale(.35)`, opacity: 0.15 },
    ], { duration: 380, easing: "cubic-bezier(.5,0,.8,.6)" }).finished.finally(() => stone.node.remove());
  }

  /** The last move: its way, and what it emptied. @param {View} view */
  trailMarks({ trail }) {
    if (!trail) return [];
    const marks = [];
    if (trail.hops.length) {
      marks.push(svg("path", { class: "trail-line", d: trail.hops.map((hop) => this.layout.path(hop)).join(" ") }));
      marks.push(this.ring(trail.path[0], "trail-start", 15));
    } else for (const point of trail.path) marks.push(this.ring(point, "trail-spot", 43));
    const { r } = { r: 13 };
    for (const point of trail.captures) {
      const { x, y } = this.layout.at(point);
      marks.push(svg("path", { class: "trail-taken", d: `M ${x - r} ${y - r} L ${x + r} ${y + r} M ${x + r} ${y - r} L ${x - r} ${y + r}` }));
    }
    return marks;
  }

  /** Marks under the stones. @param {View} view */
  lowMarks(view) {
    const marks = [];
    if (view.selected) marks.push(this.ring(view.selected, "mark-selected", this.layout.radius + 6));
    for (const point of view.marked ?? []) if (view.pieces[point]) marks.push(this.ring(point, "mark-movable", this.layout.radius + 5));
    for (const point of view.chosen ?? []) marks.push(this.ring(point, "mark-selected", this.layout.radius + 6));
    return marks;
  }

  /** Marks over the stones. @param {View} view */
  highMarks(view) {
    const marks = [];
    for (const point of view.marked ?? []) if (!view.pieces[point]) marks.push(this.ring(point, "mark-open", 9));
    for (const point of view.later ?? []) marks.push(this.ring(point, "mark-later", 9));
    for (const point of view.next ?? []) {
      marks.push(view.pieces[point] ? this.ring(point, "mark-strike", this.layout.radius + 5) : this.ring(point, "mark-next", 17));
    }
    for (const point of view.huffable ?? []) marks.push(this.badge(point, "!", "mark-huff"));
    (view.ghosts ?? []).forEach((point, i) => marks.push(this.badge(point, String(i + 1), "mark-ghost", true)));
    (view.fork ?? []).forEach((option, i) => marks.push(...this.forkMarks(option, i)));
    for (const point of view.hint ?? []) marks.push(this.ring(point, "mark-hint", this.layout.radius + 7));
    if (view.trail && view.trail.hops.length > 1) {
      const { hops } = view.trail;
      hops.forEach((hop, i) => {
        if (hops.findLastIndex((other) => other.to === hop.to) === i) marks.push(this.badge(hop.to, String(i + 1), "trail-number"));
      });
    }
    return marks;
  }

  /** A row that would be taken: by shape (triangle, square) and by word. @param {{word: string, captures: string[]}} option @param {number} index */
  forkMarks({ word, captures }, index) {
    const marks = captures.map((point) => {
      const { x, y } = this.layout.at(point);
      const r = this.layout.radius + 4;
      return svg("path", {
        class: `mark-fork fork-${index + 1}`,
        d: index === 0 ? `M ${x} ${y - r * 1.18} L ${x + r * 1.1} ${y + r * 0.74} L ${x - r * 1.1} ${y + r * 0.74} Z` : `M ${x - r} ${y - r} H ${x + r} V ${y + r} H ${x - r} Z`,
      });
    });
    const middle = captures.map((point) => this.layout.at(point)).reduce((sum, { x, y }) => ({ x: sum.x + x / captures.length, y: sum.y + y / captures.length }), { x: 0, y: 0 });
    const half = 8 * word.length + 10; // about half the word's width: it stays on the board
    const x = Math.min(Math.max(middle.x, half), this.layout.width - half);
    return [...marks, svg("text", { class: `fork-word fork-${index + 1}`, x, y: middle.y - this.layout.radius - 16 }, word)];
  }

  /** @param {string} point @param {string} kind @param {number} r */
  ring(point, kind, r) {
    const { x, y } = this.layout.at(point);
    return svg("circle", { class: kind, cx: x, cy: y, r });
  }

  /** A small disc with a number or sign. @param {string} point @param {string} text @param {string} kind @param {boolean} [central] */
  badge(point, text, kind, central = false) {
    const { x, y } = this.layout.at(point);
    const off = central ? 0 : this.layout.radius * 0.78;
    return svg("g", { class: `badge ${kind}`, transform: `translate(${x + off} ${y - off})` },
      svg("circle", { r: central ? 24 : 14 }), svg("text", { "font-size": central ? 28 : 18 }, text));
  }

  /** Draws the way to a landing point while it is pointed at or focused. @param {string | null} point */
  preview(point) {
    const way = point === null ? undefined : this.view.ways?.[point];
    this.layers.preview.replaceChildren(...(way ? [svg("path", { class: "preview-line", d: this.layout.path(way) })] : []));
  }

  /** Draws attention to points for a moment. @param {string[]} points */
  pulse(points) {
    for (const point of points) {
      if (!this.layout.byName.has(point)) continue;
      const ring = this.ring(point, "pulse", this.layout.radius + 4);
      this.layers.leaving.append(ring);
      setTimeout(() => ring.remove(), 1500);
    }
  }

  // The grid of points: focus, names, places

  drawCells() {
    const grid = svg("g", { class: "points", role: "grid", "aria-label": this.options.label });
    this.layout.grid.forEach((names, index) => {
      const row = svg("g", { role: "row" });
      for (const name of names) {
        const { x, y } = this.layout.at(name);
        const cell = svg("rect", { class: "point", role: "gridcell", "data-point": name, tabindex: -1, x: x - 48, y: y - 48, width: 96, height: 96, rx: 48 });
        this.cells.set(name, cell);
        row.append(cell);
      }
      if (index === this.layout.grid.length - 1) this.cells.get(names[0])?.setAttribute("tabindex", "0");
      grid.append(row);
    });
    return grid;
  }

  /** @param {View} view */
  nameCells(view) {
    for (const [name, cell] of this.cells) {
      cell.setAttribute("aria-label", this.options.nameOf?.(name, view.pieces[name]) ?? name);
      cell.setAttribute("aria-selected", String(view.selected === name));
      cell.classList.toggle("is-movable", (view.movable?.includes(name) || view.selected === name || view.next?.includes(name)) ?? false);
    }
  }

  /** Gives the focus to the point where the keys last stood. */
  focus() { [...this.cells.values()].find((cell) => cell.getAttribute("tabindex") === "0")?.focus({ preventScroll: true }); }

  /** Moves the one tab stop. @param {string} name @param {boolean} [focus] */
  rove(name, focus = true) {
    for (const [other, cell] of this.cells) cell.setAttribute("tabindex", other === name ? "0" : "-1");
    if (focus) this.cells.get(name)?.focus({ preventScroll: true });
  }

  /** A place on the screen in viewBox units. @param {number} clientX @param {number} clientY */
  spotOf(clientX, clientY) {
    const matrix = this.node.getScreenCTM();
    const spot = matrix ? new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()) : new DOMPoint();
    return { x: spot.x, y: spot.y };
  }

  /** @param {number} clientX @param {number} clientY */
  pointAt(clientX, clientY) { return this.layout.nearest(this.spotOf(clientX, clientY)); }

  // Dragging

  /** @param {string} point @param {{x: number, y: number} | null} spot null puts it back */
  carry(point, spot) {
    const stone = this.stones.get(point);
    if (!stone) return;
    const { x, y } = spot ?? this.layout.at(point);
    stone.node.classList.toggle("is-carried", spot !== null);
    stone.node.setAttribute("transform", `translate(${x} ${y})`);
    if (spot) this.layers.pieces.append(stone.node);
  }
}
