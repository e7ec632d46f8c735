/** The play screen's house for a room, and for watching one. */

import { button } from "../../dom.js";
import { countMoves } from "../../entries.js";
import { clockText } from "../../room/clock.js";
import { RoomGame } from "../../room/table.js";
import { t } from "../../text.js";
import { otherSide, sideName } from "../../wording.js";
import { House } from "../play/house.js";
import { noteText } from "./parts.js";

/** @typedef {import("../../game.js").GameState} GameState */
/** @typedef {import("../../wire.js").Side} Side */
/** @typedef {import("../../room/session.js").Session} Session */

/** A room with a friend. */
export class RoomHouse extends House {
  /** @override */
  writesAddress = false;
  /** @override */
  free = false;

  /** @param {Session} session @param {{corner: HTMLElement, again: () => void, terms: (() => void) | null, talk: () => void}} means again: a fresh invitation; terms: another game by other rules */
  constructor(session, { corner, again, terms, talk }) {
    super();
    this.session = session;
    this.node = corner;
    this.again = again;
    this.terms = terms;
    this.talk = talk;
  }

  /** @override @param {import("../../game.js").Setup} setup @param {ConstructorParameters<typeof RoomGame>[1]} means */
  game(setup, means) { return new RoomGame(setup, means, this.session); }

  /** @override */
  corner() { return this.node; }

  /** @override */
  actions() { return [button({ label: t("room.talk"), icon: "people", kind: "action only-phone talk-button", press: () => this.talk() })]; }

  /** Not while something else is to be settled with the other side. @override */
  forces() {
    const { phase, undo } = this.session.state;
    return phase === "playing" && !undo;
  }

  get peer() { return this.session.state.peer?.name ?? ""; }

  /** @override @param {GameState} state @param {Side} side */
  player(state, side) {
    const mine = side === this.session.mySide();
    const rating = this.session.state.ratings[mine ? "mine" : "theirs"];
    const left = this.session.timeLeft(side);
    const parts = [left === null ? "" : clockText(left), state.description ? sideName(state.description, side) : "", rating ? String(Math.round(rating.rating)) : ""];
    return { name: mine ? this.session.me.name : this.peer, note: parts.filter(Boolean).join(" · ") };
  }

  /** @override @param {GameState} state */
  mayUndo(state) {
    const { stand, phase, undo } = this.session.state;
    if (!stand || stand.terms.rated || phase !== "playing" || undo) return false;
    return state.plies.some((ply) => ply.kind !== "event" && state.seats[ply.side] === "human");
  }

  /** @override */
  notNow() { return this.session.state.phase === "playing" ? t("room.their-turn", { name: this.peer }) : t("room.note.apart"); }

  /** @override @param {GameState} state @returns {import("../play/house.js").Situation | null} */
  situation(state) {
    void state;
    const { session } = this;
    const { phase, note, undo, rematch, offered, common, stand } = session.state;
    const name = this.peer;
    const agreed = countMoves(stand?.moves.slice(0, Math.max(0, common)) ?? []);
    const alert = /** @type {const} */ ("alert");
    if (phase === "disputed" && undo?.by !== session.role) {
      const answers = undo ? [{ label: t("room.no"), press: () => void session.answerUndo(false) }, { label: t("room.yes"), kind: "primary", press: () => void session.answerUndo(true) }]
        : common >= 0 && offered?.game === stand?.game ? [{ label: t("room.go-back", { n: agreed }), kind: "primary", press: () => session.askUndo(common) }] : [];
      return { text: undo ? t("room.dispute.asked", { name, n: agreed }) : offered?.game === stand?.game ? t("room.dispute", { name, n: agreed, mine: countMoves(stand?.moves ?? []), theirs: countMoves(offered?.moves ?? []) }) : t("room.dispute.game", { name }), tone: alert, answers };
    }
    if (note) return { text: noteText(note), tone: alert, answers: [
      ...(phase === "apart" ? [{ label: t("room.again"), kind: "primary", press: () => this.again() }] : []),
      { label: t("play.understood"), press: () => session.change({ note: null }) }] };
    if (phase === "apart" || phase === "alone") return { text: t("room.apart", { name }), tone: alert, answers: [{ label: t("room.again"), kind: "primary", press: () => this.again() }] };
    if (phase === "greeting") return { text: t("room.greeting"), tone: "busy" };
    if (phase === "refused") return { text: t("room.note.seat-refused"), tone: alert, answers: [] };
    if (phase === "choosing" || phase === "handed") return { text: t("room.new-game", { name }), answers: [
      { label: t("room.decline"), press: () => void session.answer(false) }, { label: t("room.sit"), kind: "primary", press: () => void session.answer(true) }] };
    if (phase === "proposing") return { text: t("room.proposing", { name }), tone: "busy" };
    if (undo) return undo.by === session.role ? { text: t("room.undo.waiting", { name }), tone: "busy" } : { text: t("room.undo.asked", { name }), answers: [
      { label: t("room.no"), press: () => void session.answerUndo(false) }, { label: t("room.yes"), kind: "primary", press: () => void session.answerUndo(true) }] };
    if (rematch && rematch.by !== session.role) return { text: t("room.rematch.asked", { name }), answers: [
      { label: t("room.no"), press: () => session.answerRematch(false) }, { label: t("room.yes"), kind: "primary", press: () => session.answerRematch(true) }] };
    return null;
  }

  /** @override */
  afterwards() {
    const { session } = this;
    const asked = session.state.rematch?.by === session.role;
    return [
      ...(this.terms ? [{ label: t("room.other-rules"), press: this.terms }] : []),
      { label: t(asked ? "room.rematch.waiting" : "room.rematch"), kind: asked ? "" : "primary", press: () => session.askRematch() },
    ];
  }
}

/** Watching: everything is shown, nothing can be done. */
export class WatchHouse extends House {
  /** @override */
  writesAddress = false;
  /** @override */
  free = false;

  /** @param {import("../../room/watch.js").Watcher} watcher */
  constructor(watcher) {
    super();
    this.watcher = watcher;
  }

  /** @override @param {import("../../game.js").Setup} setup @param {ConstructorParameters<typeof RoomGame>[1]} means */
  game(setup, means) { return new RoomGame(setup, means, this.watcher); }

  /** @override @param {GameState} state @param {Side} side */
  player(state, side) {
    const { stand, names } = this.watcher.state;
    const seat = stand?.x === "host" ? { x: "host", o: "guest" }[side] : { x: "guest", o: "host" }[side];
    const left = this.watcher.timeLeft(side);
    const parts = [left === null ? "" : clockText(left), state.description ? sideName(state.description, side) : ""];
    return { name: names[/** @type {"host" | "guest"} */ (seat)], note: parts.filter(Boolean).join(" · ") };
  }

  /** @override */
  mayUndo() { return false; }

  /** @override */
  notNow() { return t("room.watching"); }

  /** @override @param {GameState} state @returns {import("../play/house.js").Situation | null} */
  situation(state) {
    const { phase, note } = this.watcher.state;
    if (phase === "gone") return { text: note ? noteText(note) : t("room.watch.gone"), tone: "alert", answers: [] };
    if (note) return { text: noteText(note), tone: "alert", answers: [{ label: t("play.understood"), press: () => this.watcher.change({ note: null }) }] };
    if (state.now?.outcome) return null;
    const side = state.now?.side ?? "x";
    return { title: t("room.watching"), text: t("room.to-move", { name: this.player(state, side).name || this.player(state, otherSide(side)).name }) };
  }

  /** @override */
  afterwards() { return []; }
}
