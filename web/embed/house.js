/** The house of an embedded board: its games are kept nowhere, its engine sleeps until it is needed, and it may be for looking only. */

import { Game } from "../game.js";
import { House } from "../screens/play/house.js";
import { t } from "../text.js";
import { moveInWords, resultText } from "../wording.js";
import { inTurn, inView } from "./lazy-engine.js";

/** @typedef {import("../game.js").GameState} GameState */

/** A game that waits to be seen before it starts an engine, and for a hand before the computer begins. */
class EmbedGame extends Game {
  /** @param {import("../game.js").Setup} setup @param {ConstructorParameters<typeof Game>[1]} means @param {EmbedHouse} house */
  constructor(setup, means, house) {
    super(setup, means);
    this.house = house;
  }

  /** @override @param {string[]} moves */
  async recordOf(moves) {
    if (this.state.start === null && moves.length <= 1) return super.recordOf(moves); // the board's file has it all
    await inView(document.documentElement);
    const record = await inTurn(() => super.recordOf(moves));
    if (this.house.readonly) this.house.engine.rest(); // all there is to see has been read
    return record;
  }

  /** @override */
  async wake() {
    if (this.house.awake && !this.house.readonly) await super.wake();
  }
}

export class EmbedHouse extends House {
  /** @override */
  writesAddress = false;

  /** @param {import("./lazy-engine.js").LazyEngine} engine @param {boolean} readonly */
  constructor(engine, readonly) {
    super();
    this.engine = engine;
    this.readonly = readonly;
    this.free = !readonly;
    /** Whether somebody has touched this board: only then does the computer think. */
    this.awake = false;
    /** Begins the game again, or lets the computer begin; the screen sets them. */
    this.again = () => {};
    this.start = () => {};
    /** @type {(point: string) => string} */
    this.label = (point) => point;
  }

  /** @override */
  forces() { return !this.readonly; }

  /** @override @param {import("../game.js").Setup} setup @param {ConstructorParameters<typeof Game>[1]} means */
  game(setup, means) { return new EmbedGame(setup, { ...means, store: null }, this); }

  /** @override @param {GameState} state */
  mayUndo(state) { return this.readonly ? false : super.mayUndo(state); }

  /** What stands there to read of a game that is for looking only. @param {GameState} state @returns {import("../screens/play/house.js").Situation} */
  caption(state) {
    const { description, now, cursor, plies } = state;
    if (!description || !now) return { text: t("embed.waiting"), tone: "busy" };
    const result = cursor === plies.length ? resultText(state) : null;
    const what = cursor === 0 ? t("embed.setup") : moveInWords(plies[cursor - 1], description, this.label);
    return { title: plies.length ? `${cursor}/${plies.length}` : "", text: result ? `${what} ${result.title} ${result.text}` : what };
  }

  /** @override @param {GameState} state */
  situation(state) {
    const { now, seats } = state;
    if (this.awake || !now || now.outcome || seats[now.side] !== "computer") return null;
    return { text: t("embed.start.line"), answers: [{ label: t("embed.start"), kind: "primary", press: () => this.start() }] };
  }

  /** @override */
  afterwards() { return this.readonly ? [] : [{ label: t("play.again"), kind: "primary", press: () => this.again() }]; }
}
