/** The play screen on somebody else's page: the same board and input, fewer things round it, and a voice to the page. */

import { button, el, icon } from "../dom.js";
import { piecesShown } from "../game.js";
import { linkHash } from "../share/link.js";
import { paramsOf, PlayScreen } from "../screens/play.js";
import { problemText, refusalText } from "../wording.js";
import { t } from "../text.js";
import { EmbedHouse } from "./house.js";

/** @typedef {import("../game.js").GameState} GameState */
/** @typedef {import("./address.js").Place} Place */
/** @typedef {import("./address.js").Params} Params */

/** The side that the visitor plays; for looking only, nobody is a computer. @param {Params} params @returns {import("../game.js").GameState["seats"]} */
function seatsOf({ side = "x", readonly }) {
  const human = (/** @type {"x" | "o"} */ one) => (readonly || side === "both" || side === one ? "human" : "computer");
  return { x: human("x"), o: human("o") };
}

/** @param {Params} params @param {string} ruleset when none is named @returns {import("../game.js").Setup} */
const setupOf = (params, ruleset) => ({ ruleset: params.g ?? ruleset, start: params.p ?? null, moves: params.m ?? [], seats: seatsOf(params), level: params.level, flip: params.flip ?? params.side === "o" });

export class EmbedScreen extends PlayScreen {
  /**
   * @param {HTMLElement} outlet @param {import("./app.js").EmbedApp} app @param {Place} place
   * @param {{ruleset: string, tell: (type: string, data: object) => void}} means ruleset when none is named; where events go
   */
  constructor(outlet, app, place, { ruleset, tell }) {
    const house = new EmbedHouse(app.engine, place.params.readonly ?? false);
    const setup = setupOf(place.params, ruleset);
    super(outlet, /** @type {import("../app.js").App} */ (/** @type {unknown} */ (app)), place, { house, setup });
    this.setup = setup;
    this.quiet = house;
    this.told = tell;
    /** Games of which the page has heard. @type {WeakSet<object>} */
    this.known = new WeakSet();
    this.ordered = false;
    house.again = () => this.again();
    house.start = () => this.wake();
    house.label = (point) => this.board?.layout.label(point) ?? point;
    this.node.dataset.controls = place.params.controls ?? "bar";
    this.node.classList.toggle("is-readonly", house.readonly);
    const touched = () => this.wake();
    this.boardBox.addEventListener("pointerdown", touched);
    this.boardBox.addEventListener("keydown", touched);
    if (place.problem) tell("error", { kind: place.problem.key, message: problemText(place.problem) });
  }

  /** Somebody is here: the engine may start, and the computer may think. */
  wake() {
    if (this.quiet.awake || this.quiet.readonly) return;
    this.quiet.awake = true;
    void this.app.engine.request("version").catch(() => undefined);
    this.drawPanel();
    void this.game.wake();
  }

  /** @override Back to the game as it was given. */
  again() { this.begin(this.setup); }

  // What is seen

  /** @override */
  drawActions() {
    const { readonly } = /** @type {EmbedHouse} */ (this.house);
    const small = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {string | undefined} */ key, /** @type {() => void} */ press) => button({ label, icon: sign, key, quiet: true, kind: "plain", press });
    this.open = el("a", { class: "button plain", target: "_blank", rel: "noopener", title: t("embed.open"), "aria-label": t("embed.open") }, icon("outside"));
    const [undo, hint] = [small(t("play.undo"), "undo", "z", () => this.undoPressed()), small(t("play.hint"), "hint", "h", () => void this.game.askHint())];
    undo.hidden = hint.hidden = readonly;
    const again = small(t("embed.again"), "restart", undefined, () => this.again());
    again.hidden = readonly;
    return el("div", { class: "actions", role: "toolbar", "aria-label": t("play.actions") }, undo, hint, again, small(t("play.flip"), "flip", "f", () => this.game.dispatch({ type: "flip" })), this.open);
  }

  /** @override */
  drawPanel() {
    super.drawPanel();
    const { state } = this.game;
    const wanted = this.node.dataset.controls === "none" && (this.entry.question || this.stopAnswers().length || this.refusal || state.problem || this.situation().answers?.length);
    this.node.classList.toggle("must-speak", Boolean(wanted));
    const page = new URL(".", location.href).href;
    void linkHash("play", { ...paramsOf(state), lang: this.lang }).then((hash) => this.open?.setAttribute("href", page + hash));
  }

  /** @override @returns {ReturnType<PlayScreen["situation"]>} */
  situation() {
    const { readonly } = /** @type {EmbedHouse} */ (this.house);
    const { state } = this.game;
    return readonly && !state.problem ? /** @type {EmbedHouse} */ (this.house).caption(state) : super.situation();
  }

  /** @override */
  view() {
    const { now, start, cursor, plies } = this.game.state;
    if (!now) return start === null ? super.view() : { pieces: {} };
    if (!(/** @type {EmbedHouse} */ (this.house)).readonly) return super.view();
    const last = plies[cursor - 1];
    return { pieces: piecesShown(this.game.state), trail: last?.kind === "event" ? null : last };
  }

  // What is done

  /** @override @param {string} point */
  choose(point) {
    if (!/** @type {EmbedHouse} */ (this.house).readonly) super.choose(point);
  }

  /** @override @param {KeyboardEvent} event */
  pressed(event) {
    const stepping = /^(Arrow(Left|Right)|Home|End|f)$/i.test(event.key);
    if (stepping || !/** @type {EmbedHouse} */ (this.house).readonly) super.pressed(event);
  }

  // What the page is told

  /** @override @param {GameState} state @param {GameState} before */
  changed(state, before) {
    super.changed(state, before);
    if (!this.told) return;
    if (state.problem && state.problem !== before.problem) this.told("error", { kind: state.problem.key.replace(/^fault\./, ""), message: problemText(state.problem) });
    if (!state.now) return;
    if (!this.known.has(this.game)) {
      this.known.add(this.game);
      this.told("ready", { state: this.summary() });
      return;
    }
    const more = state.plies.length - before.plies.length;
    const last = state.plies.at(-1);
    if (more === 1 && last) {
      const by = this.ordered ? "page" : state.seats[last.side] === "computer" ? "computer" : "visitor";
      this.told("move", { move: last.text, side: last.side, by, state: this.summary() });
    } else if (more < 0) this.told("undo", { state: this.summary() });
    else if (state.cursor !== before.cursor) this.told("show", { ply: state.cursor, state: this.summary() });
    if (state.now.outcome && !before.now?.outcome) this.told("end", { ...state.now.outcome, state: this.summary() });
  }

  /** The game as plain data for the page. */
  summary() {
    const { ruleset, start, moves, cursor, plies, opening, now, flip } = this.game.state;
    return {
      ruleset, start, moves, ply: cursor, flip, side: now?.side ?? null, outcome: now?.outcome ?? null,
      position: now?.position ?? null, shown: (cursor ? plies[cursor - 1].position : opening?.position) ?? null,
    };
  }

  // What the page may order

  /** Plays a move in the name of a side that no computer has. @param {string} text @returns {Promise<{kind: string, message: string} | null>} why not */
  async order(text) {
    const { now, seats, pending } = this.game.state;
    if (!now || pending) return { kind: "not-now", message: t("embed.waiting") };
    if (seats[now.side] === "computer" && !now.outcome && !/:[xo]$/.test(text)) return { kind: "not-now", message: t("refusal.computers-turn") };
    if (!/:[xo]$/.test(text)) {
      const refusal = await this.app.engine.request("explain", this.game.question({ path: [], move: text }));
      if (refusal) return { kind: refusal.kind, message: refusalText(refusal, this.quiet.label) };
    }
    this.quiet.awake = true;
    this.ordered = true;
    const before = this.game.state.moves;
    await this.game.append(text);
    this.ordered = false;
    const { problem } = this.game.state;
    return this.game.state.moves === before && problem ? { kind: problem.key.replace(/^fault\./, ""), message: problemText(problem) } : null;
  }

  /** What changes without touching the game. @param {Params} params */
  restyle({ flip, ply, controls = "bar" }) {
    this.node.dataset.controls = controls;
    if (flip !== undefined && flip !== this.game.state.flip) this.game.dispatch({ type: "flip" });
    if (ply !== undefined) this.game.dispatch({ type: "show", cursor: ply });
    this.draw();
  }
}
