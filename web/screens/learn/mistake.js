/**
 * A common mistake to try on a live board: legal moves can be played, the mistake is refused with the engine's reason
 * and the teacher's word. The build asked the engine about the mistake itself; other tries are asked while reading.
 */

import { Board } from "../../board/board.js";
import { choose, chooseLabel, complete, hopsMade, nextPoints, NOTHING, stopHere } from "../../board/input.js";
import { entryView, idleView } from "../../board/turn.js";
import { button, el } from "../../dom.js";
import { afterMove } from "../../game.js";
import { t } from "../../text.js";
import { moveInWords, pointName, refusalText } from "../../wording.js";
import { rich } from "./guide.js";

/** @typedef {import("./guide.js").Mistake} Mistake */
/** @typedef {import("../../wire.js").Description} Description */
/** @typedef {import("../../wire.js").Refusal} Refusal */

const SHOW_MS = 650;

export class MistakeBoard {
  /**
   * @param {Mistake} mistake
   * @param {Description} description
   * @param {{caption: string, why: string}} words
   * @param {import("../../app.js").App} app
   */
  constructor(mistake, description, { caption, why }, app) {
    this.mistake = mistake;
    this.description = description;
    this.app = app;
    this.why = why;
    this.entry = NOTHING;
    /** A point that begins the mistake though no legal move starts there. @type {string | null} */
    this.stuck = null;
    /** @type {import("../../wire.js").Move | null} a legal move, played */
    this.played = null;
    /** @type {string[]} the refused path, shown until the next choice */
    this.refused = [];
    /** @type {Board | null} */
    this.board = null;
    /** Counts choices, so that a late answer finds out that it is no longer wanted. */
    this.tries = 0;
    this.timer = 0;

    const heading = el("h3", { id: `mistake-${++made}` }, ...rich(caption));
    this.box = el("div", { class: "lesson-board" });
    this.word = el("div", { class: "lesson-word", role: "status" });
    this.answers = el("div", { class: "lesson-answers" });
    this.node = el("figure", { class: "lesson mistake", role: "group", "aria-labelledby": heading.id },
      heading, this.box, el("div", { class: "lesson-side" }, this.word, this.answers));
    this.task = t(mistake.path.length > 1 ? "learn.try" : "learn.try-point", { way: mistake.path.join("\u00a0→\u00a0") });
    this.say(this.task);
  }

  draw() {
    this.board = new Board(this.box, this.description, {
      coordinates: "letters", label: t("learn.try-board"), moves: () => this.app.settings.moves(),
      nameOf: (point, piece) => pointName(point, this.description, piece, { movable: this.board?.view.movable?.includes(point) && !this.board.view.selected, next: this.board?.view.next?.includes(point), selected: this.board?.view.selected === point }),
      onchoose: (point) => { this.halt(); this.choose(point); }, oncancel: () => { this.halt(); this.reset(); },
      onenter: (point) => this.entry.path.at(-1) === point && this.stop(),
    });
    this.board.show(this.view());
  }

  /** @returns {import("../../board/board.js").View} */
  view() {
    const { state } = this.mistake;
    if (this.played) return { pieces: afterMove(state.pieces, this.played, state.side), trail: this.played };
    if (this.stuck) return { ...idleView(state.pieces, state), marked: [], selected: this.stuck };
    if (this.entry.path.length) return entryView(state.pieces, this.entry, state, (label) => t(`label.${label}`));
    return { ...idleView(state.pieces, state), marked: [], chosen: this.refused };
  }

  /** The one entry for click, drag, touch, keys and "show me". @param {string} point */
  choose(point) {
    this.tries++;
    if (this.played) return this.reset();
    const { path, refusals, stop } = this.mistake;
    const { question } = this.entry;
    const before = this.stuck ? [this.stuck] : question?.kind === "labels" ? [...this.entry.path, question.to] : this.entry.path;
    const tried = [...before, point];
    const known = refusals[tried.join(" ")];
    this.refused = [];
    if (known && tried.length === path.length && !stop) return this.refuse(tried, known);
    if (this.stuck) {
      this.stuck = null;
      this.entry = NOTHING;
      if (point === before[0]) return this.reset();
    }
    const state = this.mistake.state;
    const outcome = choose(this.entry, point, { legal: state.legal, own: (one) => state.pieces[one]?.toLowerCase() === state.side });
    if (outcome.refused && this.begins(tried)) {
      this.stuck = point;
      this.entry = NOTHING;
      this.board?.show(this.view());
      return this.invite();
    }
    this.settle(outcome, before.length > 0 && tried.length === 2 ? tried : null);
  }

  /** @param {import("../../board/input.js").Outcome} outcome @param {string[] | null} [tried] what to ask about where the entry was only a stuck point */
  settle({ entry, move, refused }, tried = null) {
    const before = this.entry;
    const seen = Math.max(0, before.path.length - 1);
    if (move && this.begins(move.path)) {
      // The mistake goes on from here: the turn waits, though a game would take it as finished.
      entry = { path: move.path, labels: move.hops.map((hop) => hop.label), candidates: [move], question: null };
      move = null;
    }
    this.entry = entry;
    if (move) {
      this.played = move;
      this.entry = NOTHING;
      const from = seen ? before.path[seen] : move.path[0];
      if (move.hops.length > seen) void this.board?.run(from, move.hops.slice(seen), this.view());
      else this.board?.show(this.view());
      const ply = /** @type {import("../../wire.js").Ply} */ ({ ...move, side: this.mistake.state.side });
      return this.say(`${t("learn.allowed")} ${moveInWords(ply, this.description, String)}`, { again: true });
    }
    const made = hopsMade(entry);
    if (made.length > seen && before.path[0] === entry.path[0]) void this.board?.run(before.path[before.path.length - 1], made.slice(seen), this.view());
    else this.board?.show(this.view());
    if (refused) return void this.explain(tried && refused.length === 1 ? tried : refused);
    this.invite();
  }

  /** Whether the mistake goes on after these points. @param {string[]} points */
  begins(points) {
    const { path } = this.mistake;
    return points.length < path.length && points.every((point, i) => point === path[i]);
  }

  /** What can be done while a move is under way. */
  invite() {
    const { question, path } = this.entry;
    if (question?.kind === "labels") {
      const answers = question.options.map(({ label, captures }) => button({ label: t(`label.${label}.n`, { n: captures.length }), kind: "primary", press: () => this.settle(chooseLabel(this.entry, label, {})) }));
      return this.say(t("play.fork"), { answers });
    }
    if (question?.kind === "routes") return this.say(t("play.routes"));
    const { stop } = this.mistake;
    const may = complete(this.entry).length > 0;
    const onward = nextPoints(this.entry).length > 0;
    if (path.length > 1 && (may || stop)) return this.say(may ? (onward ? t("play.may-go-on") : this.task) : t("learn.stop"), { answers: [button({ label: t("play.end-turn"), kind: "primary", press: () => void this.stop() })] });
    this.say(path.length > 1 ? t("play.must-go-on") : this.task);
  }

  /** Ends the turn where the piece stands: legal, or the mistake itself. */
  stop() {
    const { path, stop, refusals } = this.mistake;
    const here = this.entry.path.join(" ");
    if (stop && here === path.join(" ")) {
      this.refuse(path, refusals[here]);
      return true;
    }
    const move = this.entry.path.length > 1 ? stopHere(this.entry) : null;
    if (move) this.settle({ entry: NOTHING, move, refused: null });
    return move !== null;
  }

  /** @param {string[]} path */
  async explain(path) {
    const { state, refusals } = this.mistake;
    const known = refusals[path.join(" ")];
    if (known) return this.refuse(path, known);
    if (this.app.engine.state !== "ready") this.say(t("refusal.waking"), { tone: "alert" });
    const { tries } = this;
    const refusal = await this.app.engine.request("explain", { ruleset: state.ruleset, position: state.position, path }).catch(() => null);
    if (this.tries === tries && this.board) this.refuse(path, refusal);
  }

  /** @param {string[]} path @param {Refusal | null} refusal */
  refuse(path, refusal) {
    const whole = path.join(" ") === this.mistake.path.join(" ");
    this.refused = whole ? path : path.slice(-1);
    if (whole) this.entry = NOTHING;
    this.stuck = null;
    this.board?.show(this.view());
    this.board?.pulse(refusal?.points?.length ? refusal.points : path.slice(-1));
    this.say(refusalText(refusal, String), { tone: "alert", why: whole, again: whole });
  }

  reset() {
    this.tries++;
    this.entry = NOTHING;
    this.stuck = null;
    this.played = null;
    this.refused = [];
    this.board?.show(this.view());
    this.say(this.task);
  }

  /** Plays the mistake, point by point. */
  async demonstrate() {
    this.halt();
    this.reset();
    const { timer } = this;
    const pause = this.app.settings.moves() ? SHOW_MS : 0;
    for (const point of this.mistake.path) {
      this.choose(point);
      if (this.entry.question?.kind === "labels" && this.mistake.path.at(-1) !== point) this.board?.show(this.view());
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (this.timer !== timer || !this.board) return;
    }
    if (this.mistake.stop) this.stop();
  }

  /** Ends a demonstration under way. */
  halt() { this.timer++; }

  /** @param {string} text @param {{tone?: string, why?: boolean, again?: boolean, answers?: Node[]}} [more] */
  say(text, { tone = "calm", why = false, again = false, answers = [] } = {}) {
    this.node.dataset.tone = tone;
    this.word.replaceChildren(el("p", { class: "lesson-text" }, text), ...(why ? [el("p", { class: "lesson-why" }, ...rich(this.why))] : []));
    const held = this.answers.contains(document.activeElement);
    this.answers.replaceChildren(...answers,
      again ? button({ label: t("learn.again"), icon: "restart", press: () => { this.halt(); this.reset(); } })
        : answers.length ? "" : button({ label: t("learn.show"), icon: "replay", press: () => void this.demonstrate() }));
    if (held) this.answers.querySelector("button")?.focus({ preventScroll: true });
  }

  destroy() {
    this.halt();
    this.board?.destroy();
    this.board = null; // an answer under way finds no board
  }
}

let made = 0;
