/** The table at play: a board, its two players, and a calm panel. Draws a Game's state and turns choices into its commands. */

import { Board } from "../board/board.js";
import { choose, chooseLabel, complete, hopsMade, NOTHING, stopHere } from "../board/input.js";
import { toneOf } from "../board/pieces.js";
import { entryView, idleView } from "../board/turn.js";
import { DEFAULT_RULESET } from "../defaults.js";
import { button, confirm, el, openDialog } from "../dom.js";
import { countMoves } from "../entries.js";
import { afterMove, atEnd, Game, isMyTurn, piecesShown, undoTarget } from "../game.js";
import { formatHash } from "../hash.js";
import { dressed } from "../sheets.js";
import { linkHash } from "../share/link.js";
import { gameName, rulesetName, t } from "../text.js";
import { moveInWords, otherSide, piecesInWords, pointName, problemText, refusalText, resultText, sideName } from "../wording.js";
import { House } from "./play/house.js";
import { MoveList } from "./play/moves.js";
import { BootLine, Status } from "./play/status.js";
import { Strip } from "./play/strip.js";

/** @typedef {import("../game.js").GameState} GameState */
/** @typedef {import("../game.js").Setup} Setup */
/** @typedef {import("../hash.js").Place} Place */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../wire.js").Move} Move */

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app, place) {
  return new PlayScreen(outlet, app, place);
}

/** The game that an address asks for; a reload finds its own slot again. @param {import("../app.js").App} app @param {Place} place @returns {Setup} */
function setupOf(app, { params }) {
  const ruleset = params.g ?? DEFAULT_RULESET;
  const start = params.p ?? null;
  const moves = params.m ?? [];
  const side = params.side ?? "x";
  const human = (/** @type {Side} */ one) => /** @type {import("../game.js").Seat} */ (side === "both" || side === one ? "human" : "computer");
  const same = (/** @type {import("../store.js").SavedGame | null} */ game) => game !== null && game.ruleset === ruleset && game.start === start && game.moves.join(" ") === moves.join(" ");
  const own = app.store.loadGame(history.state?.game ?? "");
  const slot = same(own) ? own : moves.length ? app.store.unfinished().find(same) : undefined;
  return { id: slot?.id, hints: slot?.hints, hinted: slot?.hinted, ruleset, start, moves, seats: { x: human("x"), o: human("o") }, level: params.level, flip: params.flip };
}

const sharing = dressed(() => import("./share.js"), "share");

/** ms between the other side's move and a forced answer to it. */
const FORCED_AFTER = 900;

/** Addresses that grow longer than this are packed. */
const LONG_ADDRESS = 1800;

/** What an address says of a game. @param {GameState} state @returns {import("../hash.js").Params} */
export function paramsOf({ ruleset, start, moves, seats, level, flip }) {
  const side = seats.x === seats.o ? (seats.x === "human" ? "both" : "none") : seats.x === "human" ? "x" : "o";
  return { g: ruleset, p: start ?? undefined, m: moves, side, level: side === "both" ? undefined : level, flip };
}

/** First only where to look; then the move. @param {NonNullable<GameState["hint"]>} hint */
const hintInWords = ({ step, keeps }) => t(`play.hint.${step === 2 && keeps ? "keeps" : step}`);

export class PlayScreen {
  /** @param {HTMLElement} outlet @param {import("../app.js").App} app @param {Place} place @param {{house?: House, setup?: Setup}} [means] where the table stands, and the game if the address does not name it */
  constructor(outlet, app, place, { house = new House(), setup = setupOf(app, place) } = {}) {
    this.app = app;
    this.house = house;
    /** The language that the address asks for stays in it, the ply until the visitor steps on. */
    this.lang = place.params.lang;
    this.ply = place.params.ply;
    this.entry = NOTHING;
    /** @type {string | null} a refusal to show until the next choice */
    this.refusal = null;
    /** @type {Board | null} */
    this.board = null;
    /** How many hops of the pending move its stone has already made. */
    this.shownHops = 0;
    /** A complete move that waits for its confirmation, where the visitor wants that. @type {{move: Move, seen: number} | null} */
    this.held = null;

    this.upper = el("div", { class: "seat upper" });
    this.lower = el("div", { class: "seat lower" });
    this.boardBox = el("div", { class: "board-box", "aria-busy": "true" });
    /** What stands where, for who cannot see it. */
    this.standing = el("p", {});
    this.status = new Status(() => this.board?.focus());
    this.boot = new BootLine(app.engine);
    this.record = new MoveList({ show: (cursor) => this.game.dispatch({ type: "show", cursor }), replay: () => this.replay(), type: (text) => void this.typed(text) });
    this.title = el("h1", { class: "play-title" });
    this.rules = el("p", { class: "play-rules" });
    this.actions = this.drawActions();
    this.node = el("div", { class: "play" },
      el("section", { class: "table", "aria-label": t("play.table") }, this.upper, this.boardBox, this.lower, el("div", { class: "only-heard", role: "region", "aria-label": t("play.pieces") }, this.standing)),
      el("aside", { class: "panel", "aria-label": t("play.panel") }, el("header", { class: "play-head" }, this.title, this.rules), el("div", { class: "status-box" }, this.status.node, this.boot.node), house.corner(), this.record.node, this.actions));
    outlet.append(this.node);

    this.onkey = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    addEventListener("keydown", this.onkey);
    this.undo = [
      () => removeEventListener("keydown", this.onkey),
      app.settings.listen((settings) => { if (settings.coordinates !== this.coordinates) this.drawBoard(); this.draw(); }),
      app.engine.onstage(({ state }) => { if (state === "ready" && this.game) { this.drawPanel(); void this.game.wake(); } }),
    ];
    this.game = this.begin(setup, place.params.ply);
    if (place.problem) this.game.dispatch({ type: "problem", problem: place.problem });
  }

  destroy() {
    this.game.destroy();
    this.board?.destroy();
    this.boot.destroy();
    this.record.destroy();
    for (const undo of this.undo) undo();
    this.node.remove();
  }

  /** The address changed under us: our own writing of it is no change, and one that cannot be read leaves the game alone. @param {Place} place */
  update({ params: { lang, ply, ...params }, problem }) {
    const { state } = this.game;
    if (!this.house.writesAddress) return false;
    if (problem) {
      this.writeAddress(state);
      this.game.dispatch({ type: "problem", problem });
    } else {
      if (formatHash(this.house.route, params) !== formatHash(this.house.route, this.house.params(paramsOf(state)))) return false;
      this.lang = lang;
      this.ply = ply;
      this.writeAddress(state);
      if (ply !== undefined) this.game.dispatch({ type: "show", cursor: ply });
    }
    return true;
  }

  /** @param {Setup} setup @param {number} [ply] how many plies to show, when not all @returns {Game} */
  begin(setup, ply) {
    this.game?.destroy();
    this.board?.destroy();
    this.board = null;
    this.entry = NOTHING;
    this.refusal = null;
    const means = { engine: this.app.engine, store: this.app.store, moves: () => this.app.settings.moves() };
    const game = this.house.game(setup, means) ?? new Game(setup, means);
    this.game = game;
    game.listen((state, before) => this.changed(state, before));
    void game.open().then(() => { if (ply !== undefined) game.dispatch({ type: "show", cursor: ply }); });
    this.draw();
    return game;
  }

  // From state to screen

  /** @param {GameState} state @param {GameState} before */
  changed(state, before) {
    if (state.description !== before.description || state.flip !== before.flip) this.drawBoard();
    if (state.description && state.now) this.writeAddress(state);
    const went = state.plies !== before.plies || state.cursor !== before.cursor;
    if (went || state.now !== before.now) { this.entry = NOTHING; this.refusal = null; this.held = null; }
    if (state.pending && !before.pending) {
      this.animate(state.pending, this.shownHops);
    } else if (state.plies.length === before.plies.length + 1 && state.cursor === before.cursor + 1 && !before.pending) {
      this.animate(state.plies[before.cursor], 0);
    } else if (state.plies === before.plies && state.cursor === before.cursor + 1) {
      this.animate(state.plies[before.cursor], 0); // stepping forward
    } else this.board?.show(this.view());
    this.drawPanel();
    this.tell(state, before);
    if (state.plies.length > before.plies.length || state.cursor > before.cursor) this.playForced(state);
    if (state.plies.length > before.plies.length && this.app.settings.values.turn && state.seats.x === state.seats.o && state.now && !state.now.outcome) {
      const flip = state.now.side === "o";
      if (flip !== state.flip) setTimeout(() => { if (!this.game.gone && this.game.state.flip !== flip) this.game.dispatch({ type: "flip" }); }, 900);
    }
  }

  /** Where the visitor wants that, and has no choice, the move is played after a moment to see why. @param {GameState} state */
  playForced({ moves }) {
    const { game } = this;
    const only = () => {
      const { state } = game;
      const forced = this.app.settings.values.forced && this.house.forces() && isMyTurn(state) && !state.now?.offer && state.now?.legal.length === 1;
      return forced && state.moves === moves ? state.now?.legal[0] : undefined;
    };
    if (only()) setTimeout(() => { const move = game.gone ? undefined : only(); if (move && this.entry === NOTHING && !this.held) void game.play(move); }, FORCED_AFTER);
  }

  draw() {
    this.board?.show(this.view());
    this.drawPanel();
  }

  drawBoard() {
    const { description, flip } = this.game.state;
    if (!description) return;
    this.board?.destroy();
    this.coordinates = this.app.settings.values.coordinates;
    this.board = new Board(this.boardBox, description, {
      flip, coordinates: this.coordinates, label: t("board.label", { game: gameName(description.game) }),
      nameOf: (point, piece) => this.nameOf(point, piece), onchoose: (point) => this.choose(point), oncancel: () => this.takeBack(),
      onenter: (point) => this.entered(point), moves: () => this.app.settings.moves(),
      trayOf: (code) => this.strips?.[code.toLowerCase() === "x" ? "o" : "x"].tray ?? null,
    });
    this.node.classList.add("is-set");
    const ratio = this.board.layout.width / this.board.layout.height;
    this.node.style.setProperty("--ratio", String(ratio));
    this.node.classList.toggle("is-wide", ratio > 1.4);
    const tones = { x: toneOf(description.colours.x), o: toneOf(description.colours.o) };
    this.strips = { x: new Strip(tones.x, tones.o), o: new Strip(tones.o, tones.x) };
    this.upper.replaceChildren(this.strips[flip ? "x" : "o"].node);
    this.lower.replaceChildren(this.strips[flip ? "o" : "x"].node);
    this.board.show(this.view());
  }

  /** @param {Move} move @param {number} from how many of its hops are already seen */
  animate(move, from) {
    this.shownHops = 0;
    const start = from === 0 ? move.path[0] : move.hops[from - 1].to;
    this.app.sound.move(move.hops.slice(from), this.app.settings.moves());
    if (move.hops.length > from) void this.board?.run(start, move.hops.slice(from), this.view());
    else this.board?.show(this.view());
  }

  /** What the board shows now. @returns {import("../board/board.js").View} */
  view() {
    const { state } = this.game;
    const { now, description } = state;
    if (!description) return { pieces: {} };
    if (!now) return { pieces: description.startPieces };
    const pieces = piecesShown(state);
    const shown = state.cursor > 0 ? state.plies[state.cursor - 1] : null;
    const last = shown && shown.kind !== "event" ? shown : null;
    if (state.pending) return { pieces: afterMove(pieces, state.pending, now.side), trail: state.pending };
    if (!isMyTurn(state)) return { pieces, trail: last };
    if (this.held) return { pieces: afterMove(pieces, this.held.move, now.side), trail: this.held.move };

    if (this.entry.path.length) return entryView(pieces, this.entry, now, (label) => t(`label.${label}`));
    const hint = state.hint ? (state.hint.step === 1 ? state.hint.move.path.slice(0, 1) : state.hint.move.path) : [];
    return { ...idleView(pieces, now), trail: last, hint };
  }

  drawPanel() {
    const { state } = this.game;
    const { description, now } = state;
    const [game, rules] = description ? [gameName(description.game), rulesetName(description.ruleset)] : ["", ""];
    this.boardBox.setAttribute("aria-busy", String(!now && !state.problem));
    this.title.textContent = rules.includes(game) ? rules : game; // "Konane 8 × 8" says both
    this.rules.textContent = rules.includes(game) ? "" : rules;
    this.record.update(state.plies, state.cursor, state.hinted, now?.legal[0]?.text);
    this.status.update(this.situation());
    if (!description || !now || !this.strips) return;
    this.standing.textContent = piecesInWords(description, piecesShown(state), (point) => this.board?.layout.label(point) ?? point);
    const lost = lostAt(state);
    for (const side of /** @type {const} */ (["x", "o"])) {
      this.strips[side].update({
        ...this.house.player(state, side),
        taken: lost[otherSide(side)], hand: handAt(state, side),
        active: now.side === side && !now.outcome, thinking: state.thinking && now.side === side,
      });
    }
    const [undo, hint] = this.actions.querySelectorAll("button");
    undo.toggleAttribute("disabled", !(this.house.mayUndo(state) ?? undoTarget(state) >= 0));
    hint.toggleAttribute("disabled", !this.house.free || !isMyTurn(state) || now.legal.length === 0);
    hint.classList.toggle("is-busy", state.seeking);
  }

  /** The most important thing to say now. @returns {Parameters<Status["update"]>[0]} */
  situation() {
    const { state } = this.game;
    const { now, description } = state;
    if (state.problem) {
      return { text: problemText(state.problem), tone: "alert", answers: [{ label: t(state.problem.key === "engine.trouble" ? "boot.retry" : "play.understood"), press: () => this.game.dispatch({ type: "problem", problem: null }) }] };
    }
    if (!description || !now) return { text: t("play.opening"), tone: "busy" };
    if (this.refusal) return { text: this.refusal, tone: "alert", answers: this.stopAnswers() };
    if (!atEnd(state)) {
      return { text: t("play.looking-back", { n: countMoves(state.moves.slice(0, state.cursor)), all: countMoves(state.moves) }), answers: [{ label: t("play.to-now"), press: () => this.game.dispatch({ type: "show", cursor: state.plies.length }) }] };
    }
    const own = this.house.situation(state);
    if (own) return own;
    const result = resultText(state);
    if (result) return { title: result.title, text: result.text, tone: result.mood, answers: this.house.afterwards() ?? [{ label: t("play.again"), kind: "primary", press: () => this.again() }] };
    if (this.held) return { text: t("play.confirm"), answers: [{ label: t("play.take-back"), press: () => this.takeBack() }, { label: t("play.confirm.yes"), kind: "primary", press: () => this.confirmHeld() }] };
    const { question } = this.entry;
    if (question?.kind === "labels") {
      return { text: t("play.fork"), answers: question.options.map(({ label, captures }) => ({ label: t(`label.${label}.n`, { n: captures.length }), kind: "primary", press: () => this.settle(chooseLabel(this.entry, label, this.context())) })) };
    }
    if (question?.kind === "routes") return { text: t("play.routes") };
    if (this.entry.path.length > 1) return { text: this.stopAnswers().length ? t("play.may-go-on") : t("play.must-go-on"), answers: this.stopAnswers() };
    if (now.offer) return this.offerSituation(now.offer);
    if (state.thinking && this.app.engine.state !== "ready") return { text: t("play.waiting-engine"), tone: "busy" };
    if (state.thinking) return { text: t("play.thinking"), tone: "busy", answers: [{ label: t("play.move-now"), icon: "stop", press: () => this.game.hurry() }] };
    const pass = passOf(state);
    if (pass) return { text: t("play.pass"), answers: [{ label: t("play.pass.button"), kind: "primary", press: () => void this.game.play(pass) }] };
    if (state.hint) return { text: hintInWords(state.hint), answers: state.hint.step === 1 ? [{ label: t("play.hint.show"), icon: "hint", press: () => void this.game.askHint() }] : [] };
    if (now.huffable.length && isMyTurn(state)) return { text: t("play.huff") };
    if (state.seats[now.side] === "computer") return { text: this.app.engine.state === "ready" ? t("play.computers-turn") : t("play.waiting-engine"), tone: "busy" };
    if (state.seats[now.side] === "remote") return { text: this.house.notNow(), tone: "calm" };
    const who = state.seats[otherSide(now.side)] !== "human" ? t("play.your-turn") : t("play.turn", { who: sideName(description, now.side) });
    const must = now.stage === "play" && now.legal.length > 0 && now.legal.every((move) => move.captures.length > 0);
    return { title: who, text: [goesOn(state) ? t("play.goes-on") : "", now.stage !== "play" ? t(`stage.${now.stage}`) : must ? t("play.must-capture") : isMyTurn(state) && state.plies.every(({ side }) => side !== now.side) ? t("play.first") : ""].filter(Boolean).join(" ") };
  }

  /** @param {{kind: "draw" | "count", by: Side}} offer @returns {Parameters<Status["update"]>[0]} */
  offerSituation({ kind, by }) {
    const { state } = this.game;
    const receiver = otherSide(by);
    const who = state.description ? sideName(state.description, by) : "";
    if (state.seats[receiver] !== "human") return { text: t(state.seats[receiver] === "remote" ? "play.offered.other" : "play.offered"), tone: "busy" };
    return { text: t(`play.offer.${kind}`, { who }), answers: [
      { label: t("play.decline"), press: () => void this.game.event(`decline:${receiver}`) },
      { label: t("play.accept"), kind: "primary", press: () => void this.game.event(`accept:${receiver}`) }] };
  }

  stopAnswers() {
    const move = this.entry.path.length > 1 ? stopHere(this.entry) : null;
    return move ? [{ label: t("play.end-turn"), kind: "primary", press: () => this.endTurn() }] : [];
  }

  /** Tells screen readers what happened. @param {GameState} state @param {GameState} before */
  tell(state, before) {
    const { description } = state;
    if (!description) return;
    const label = (/** @type {string} */ point) => this.board?.layout.label(point) ?? point;
    if (state.cursor === before.cursor + 1 && state.plies[state.cursor - 1]) this.app.announce([moveInWords(state.plies[state.cursor - 1], description, label), dutyOf(state)].filter(Boolean).join(" "));
    const result = state.now?.outcome && !before.now?.outcome ? resultText(state) : null;
    if (result) {
      this.app.announce(`${result.title} ${result.text}`);
      this.app.sound.knock("end", 0.5);
    }
    if (state.problem && state.problem !== before.problem) this.app.announce(problemText(state.problem));
    if (state.hint && state.hint !== before.hint) this.app.announce(`${hintInWords(state.hint)} ${(state.hint.step === 1 ? state.hint.move.path.slice(0, 1) : state.hint.move.path).map(label).join(t("move.then"))}`);
  }

  /** @param {string} point @param {string | undefined} piece */
  nameOf(point, piece) {
    const { description } = this.game.state;
    const view = this.board?.view;
    if (!description || !view) return point;
    const name = this.board?.layout.label(point) ?? point;
    return pointName(name, description, piece, { movable: view.movable?.includes(point) && !view.selected, next: view.next?.includes(point) || view.ghosts?.includes(point), selected: view.selected === point });
  }

  /** Keeps the address equal to the game, so that it can be copied at any time. @param {GameState} state */
  writeAddress(state) {
    if (!this.house.writesAddress) return;
    const params = { ...this.house.params(paramsOf(state)), ply: state.cursor === this.ply && !atEnd(state) ? this.ply : undefined, lang: this.lang };
    const write = (/** @type {string} */ address) => {
      if (location.hash !== address || history.state?.game !== state.id) history.replaceState({ game: state.id }, "", address);
    };
    const plain = formatHash(this.house.route, params);
    if (plain.length <= LONG_ADDRESS) write(plain);
    else void linkHash(this.house.route, params, LONG_ADDRESS).then((address) => { if (this.game.state === state && !this.game.gone) write(address); });
  }

  // From choices to commands

  context() {
    const { now } = this.game.state;
    const pieces = piecesShown(this.game.state);
    return { legal: now?.legal ?? [], forced: this.app.settings.values.forced, own: (/** @type {string} */ point) => now !== null && pieces[point]?.toLowerCase() === now.side };
  }

  /** The one entry for click, drag, touch and keys. @param {string} point */
  choose(point) {
    const { state } = this.game;
    if (!state.now || state.pending) return;
    if (!atEnd(state)) return this.house.branches ? void this.branch().then(() => this.choose(point)) : this.game.dispatch({ type: "show", cursor: state.plies.length });
    if (state.now.outcome) return this.refuse([point], t("refusal.over"));
    if (!isMyTurn(state)) return this.refuse([point], this.house.notNow());
    this.refusal = null;
    if (this.held) return this.takeBack();
    if (this.entry.question?.kind === "routes" && !this.entry.question.next.includes(point)) this.entry = { ...this.entry, question: null };
    this.settle(choose(this.entry, point, this.context()));
  }

  /** Another game begins at the ply shown. */
  async branch() {
    await this.game.rewind(this.game.state.cursor);
  }

  /** @param {import("../board/input.js").Outcome} outcome */
  settle({ entry, move, refused }) {
    const before = this.entry;
    const seen = Math.max(0, before.path.length - 1);
    this.entry = entry;
    if (move) {
      this.shownHops = seen;
      this.entry = NOTHING;
      if (this.app.settings.values.confirm) this.hold(move, seen);
      else void this.game.play(move);
      return;
    }
    if (refused) void this.explain(refused);
    const made = hopsMade(entry);
    if (made.length > seen && before.path[0] === entry.path[0]) void this.board?.run(before.path[before.path.length - 1], made.slice(seen), this.view());
    else this.board?.show(this.view());
    this.drawPanel();
    if (entry.path.length > before.path.length && entry.path.length > 1) this.app.announce(this.stopAnswers().length ? t("play.may-go-on") : t("play.must-go-on"));
    if (entry.question) this.app.announce(t(entry.question.kind === "labels" ? "play.fork" : "play.routes"));
  }

  /** @param {string[]} path */
  async explain(path) {
    const { entry } = this;
    if (this.app.engine.state !== "ready") return this.refuse(path.slice(-1), t("refusal.waking"));
    const refusal = await this.game.explain(path);
    if (this.entry !== entry) return;
    const label = (/** @type {string} */ point) => this.board?.layout.label(point) ?? point;
    this.refuse(refusal?.points?.length ? refusal.points : path.slice(-1), refusalText(refusal, label));
  }

  /** @param {string[]} points @param {string} text */
  refuse(points, text) {
    this.refusal = text;
    this.board?.pulse(points);
    this.app.announce(text);
    this.drawPanel();
  }

  /** Shows a complete move and waits for a word. @param {Move} move @param {number} seen */
  hold(move, seen) {
    this.held = { move, seen };
    this.animate(move, seen);
    this.drawPanel();
    this.app.announce(t("play.confirm"));
  }

  confirmHeld() {
    if (!this.held) return false;
    const { move } = this.held;
    this.held = null;
    this.shownHops = move.hops.length; // its stone stands there already
    void this.game.play(move);
    return true;
  }

  /** Plays the last shown move once more before the eyes. */
  replay() {
    const { cursor } = this.game.state;
    if (cursor === 0) return;
    this.game.dispatch({ type: "show", cursor: cursor - 1 });
    setTimeout(() => { if (this.game.state.cursor === cursor - 1) this.game.dispatch({ type: "show", cursor }); }, 350);
  }

  takeBack() {
    if (this.entry.path.length === 0 && !this.refusal && !this.held) return;
    this.held = null;
    this.entry = NOTHING;
    this.refusal = null;
    this.draw();
  }

  endTurn() {
    const move = stopHere(this.entry);
    if (!move || this.entry.path.length < 2) return false;
    this.settle({ entry: NOTHING, move, refused: null });
    return true;
  }

  /** Enter on the stone that has just jumped ends the turn where that is legal. @param {string} point */
  entered(point) {
    if (this.confirmHeld()) return true;
    return this.entry.path.at(-1) === point && complete(this.entry).length > 0 && this.endTurn();
  }

  /** @param {string} text */
  async typed(text) {
    if (!atEnd(this.game.state)) {
      if (this.house.branches) await this.branch();
      else this.game.dispatch({ type: "show", cursor: this.game.state.plies.length });
    }
    const { state } = this.game;
    if (!isMyTurn(state)) return this.refuse([], state.now?.outcome ? t("refusal.over") : this.house.notNow());
    const label = (/** @type {string} */ point) => this.board?.layout.label(point) ?? point;
    try {
      const refusal = await this.game.type(text);
      if (refusal) this.refuse(refusal.points ?? [], refusalText(refusal, label));
      else this.record.clearTyped();
    } catch {
      this.refuse([], t("refusal.not-a-move"));
    }
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    const { state } = this.game;
    const show = (/** @type {number} */ cursor) => this.game.dispatch({ type: "show", cursor });
    /** @type {Record<string, () => void>} */
    const keys = {
      f: () => this.game.dispatch({ type: "flip" }), z: () => this.undoPressed(), h: () => { if (this.house.free) void this.game.askHint(); },
      Escape: () => this.takeBack(), ArrowLeft: () => show(state.cursor - 1), ArrowRight: () => show(state.cursor + 1),
      Home: () => show(0), End: () => show(state.plies.length),
    };
    if (event.key === "Enter" && !target.closest("button, a")) keys.Enter = () => { if (!this.confirmHeld()) this.endTurn(); };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // Buttons

  drawActions() {
    return el("div", { class: "actions", role: "toolbar", "aria-label": t("play.actions") },
      button({ label: t("play.undo"), icon: "undo", key: "z", kind: "action", press: () => this.undoPressed() }),
      button({ label: t("play.hint"), icon: "hint", key: "h", kind: "action", press: () => void this.game.askHint() }),
      button({ label: t("play.flip"), icon: "flip", key: "f", kind: "action", press: () => this.game.dispatch({ type: "flip" }) }),
      button({ label: t("moves.title"), icon: "list", kind: "action only-phone", press: () => { this.node.classList.toggle("shows-moves"); } }),
      ...(this.house.free ? [button({ label: t("play.new"), icon: "restart", kind: "action", press: () => this.again() })] : []),
      ...this.house.actions(),
      button({ label: t("play.more"), icon: "more", kind: "action", press: () => this.openMore() }));
  }

  undoPressed() {
    if (this.house.mayUndo(this.game.state) !== false) void this.game.undo();
  }

  again() {
    const { description, seats, level } = this.game.state;
    if (description) this.wanted(import("./play/setup.js"), ({ openSetup }) => openSetup({ description, seats, level }, (setup) => this.begin(setup)));
  }

  /** A part of the page that is fetched when it is asked for; if the line broke, a sentence says so. @template T @param {Promise<T>} part @param {(part: T) => void} use */
  wanted(part, use) {
    void part.then(use, () => this.game.dispatch({ type: "problem", problem: { key: "page.part", params: {} } }));
  }

  /** What is rarely wanted, and what ends a game: kept away from the buttons of every move. */
  openMore() {
    const { state } = this.game;
    const events = state.now?.events ?? [];
    // With two at one screen, whoever is to move holds the device.
    const both = state.seats.x === state.seats.o;
    const mine = (/** @type {string} */ event) => {
      const side = event.endsWith(":o") ? "o" : "x";
      return state.seats[side] === "human" && (!both || side === state.now?.side);
    };
    const dialog = openDialog({ title: t("play.more"), close: t("close"), kind: "more", content: [el("div", { class: "menu" },
      !this.house.free ? null : button({ label: t("play.restart"), icon: "restart", kind: "menu-item", press: () => { dialog.close(); this.begin({ ruleset: state.ruleset, start: state.start, seats: state.seats, level: state.level, flip: state.flip }); } }),
      !this.house.writesAddress ? null : button({ label: t("play.guide"), icon: "help", kind: "menu-item", press: () => { dialog.close(); location.hash = formatHash(`learn/${state.ruleset.split("/")[0]}`, { g: state.ruleset }); } }),
      button({ label: t("share.title"), icon: "share", kind: "menu-item", press: () => { dialog.close(); this.wanted(sharing(), ({ openShare }) => openShare(this.app, this.game.state)); } }),
      !this.house.free ? null : button({ label: t("games.analyse"), icon: "hint", kind: "menu-item", press: () => { dialog.close(); void this.toAnalysis(); } }),
      !this.house.writesAddress ? null : button({ label: t("share.load"), icon: "list", kind: "menu-item", press: () => { dialog.close(); this.wanted(sharing(), ({ openLoad }) => openLoad(this.app, state.ruleset)); } }),
      ...events.filter((event) => mine(event) && /^(offer-|resign)/.test(event)).sort().map((event) => {
        const [what, side] = event.split(":");
        const who = state.description && state.seats.x === state.seats.o ? sideName(state.description, side === "o" ? "o" : "x") : "";
        return button({ label: t(`play.${what}`) + (who ? ` (${who})` : ""), icon: what === "resign" ? "flag" : "hand", kind: `menu-item${what === "resign" ? " grave" : ""}`, press: () => { dialog.close(); void this.askEvent(event); } });
      }))] });
  }

  async toAnalysis() {
    const { ruleset, start, moves, flip } = this.game.state;
    location.hash = await linkHash("analyse", { g: ruleset, p: start ?? undefined, m: moves, flip }, LONG_ADDRESS);
  }

  /** @param {string} event */
  async askEvent(event) {
    const [what] = event.split(":");
    const sure = await confirm({ title: t(`play.${what}`), text: t(`play.${what}.sure`), yes: t(`play.${what}.yes`), no: t("play.keep-playing"), danger: what === "resign" });
    if (sure) await this.game.event(event);
  }
}

/** Whether who has just captured is to move again. @param {GameState} state */
function goesOn(state) {
  const last = state.plies.at(-1);
  return atEnd(state) && last !== undefined && state.now?.side === last.side && !state.now.outcome && state.now.stage === "play" && ["capture", "huff"].includes(last.kind);
}

/** The visitor's pass, where nothing else can be played. @param {GameState} state */
const passOf = (state) => (isMyTurn(state) ? state.now?.legal.find((move) => move.path.length === 0) : undefined);

/** What whoever is to move must be told beside the last move. @param {GameState} state */
function dutyOf(state) {
  if (passOf(state)) return t("play.pass");
  return [goesOn(state) ? t("play.goes-on") : "", isMyTurn(state) && state.now?.huffable.length ? t("play.huff") : ""].filter(Boolean).join(" ");
}

/** Stones each side has lost at the ply shown. @param {GameState} state @returns {{x: number, o: number}} */
function lostAt(state) {
  const lost = { x: state.opening?.lost?.x ?? 0, o: state.opening?.lost?.o ?? 0 };
  for (const ply of state.plies.slice(0, state.cursor)) lost[otherSide(ply.side)] += ply.captures.length;
  if (state.pending && state.now) lost[otherSide(state.now.side)] += state.pending.captures.length;
  return lost;
}

/** Stones still to place at the ply shown; null when the placing is over or there is none. @param {GameState} state @param {Side} side */
function handAt(state, side) {
  if (!state.opening?.hand) return null;
  const places = state.plies.slice(0, state.cursor).filter((ply) => ply.kind === "place");
  const left = (/** @type {Side} */ one) => (state.opening?.hand?.[one] ?? 0) - places.filter((ply) => ply.side === one).length;
  return left("x") + left("o") > 0 ? left(side) : null;
}

