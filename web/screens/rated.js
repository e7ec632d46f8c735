/** A rated game against the computer: no undo, no hint, and one at a time until it is finished. */

import { countMoves } from "../entries.js";
import { Game } from "../game.js";
import { loadLevels, strengthOf } from "../profile/levels.js";
import { Profile } from "../profile/profile.js";
import { loadRated, RATED } from "../profile/rated.js";
import { t } from "../text.js";
import { otherSide } from "../wording.js";
import { House } from "./play/house.js";
import { PlayScreen } from "./play.js";

/** @typedef {import("../game.js").GameState} GameState */
/** @typedef {import("../profile/rated.js").RatedGame} RatedGame */

class RatedHouse extends House {
  /** @override */
  writesAddress = false;
  /** @override */
  free = false;

  /** @param {import("../app.js").App} app @param {RatedGame} rated @param {import("../profile/levels.js").Strength} strength */
  constructor(app, rated, strength) {
    super();
    this.app = app;
    this.rated = rated;
    this.strength = strength;
    this.profile = new Profile(app.store);
    /** @type {import("../profile/profile.js").Result | null} */
    this.result = null;
  }

  /** @override @param {import("../game.js").Setup} setup @param {ConstructorParameters<typeof Game>[1]} means */
  game(setup, means) {
    const game = new Game(setup, { ...means, store: null });
    game.listen((state, before) => this.follow(state, before));
    return game;
  }

  /** @param {GameState} state @param {GameState} before */
  follow({ moves, now }, before) {
    if (now?.outcome && !this.result) {
      const { winner, reason } = now.outcome;
      const { id, ruleset, side, level } = this.rated;
      this.result = this.profile.count({
        id, ruleset, kind: "level", side, score: winner === null ? 0.5 : Number(winner === side), reason, moves: countMoves(moves), text: null, signatures: { mine: null, theirs: null },
        opponent: { name: "", key: null, level, rating: this.strength.rating, deviation: this.strength.deviation },
      });
      this.app.store.remove(RATED);
    } else if (moves !== before.moves && !now?.outcome) this.app.store.write(RATED, { ...this.rated, moves });
  }

  /** @override @param {GameState} state @param {import("../wire.js").Side} side */
  player(state, side) {
    const plain = super.player(state, side);
    const rating = side === this.rated.side ? this.profile.rating(this.rated.ruleset) : this.strength;
    return { ...plain, note: `${plain.note} · ${Math.round(rating.rating)}` };
  }

  /** @override */
  mayUndo() { return false; }

  /** @override @param {GameState} state @returns {import("./play/house.js").Situation | null} */
  situation(state) {
    if (!state.now?.outcome || !this.result) return null;
    const { before, after, score } = this.result;
    const difference = Math.round(after.rating) - Math.round(before.rating);
    return {
      title: t(score === 1 ? "result.you-win" : score === 0 ? "result.computer-wins" : "result.draw"), tone: score === 1 ? "won" : score === 0 ? "lost" : "even",
      text: t("rated.after", { rating: Math.round(after.rating), change: `${difference < 0 ? "−" : "+"}${Math.abs(difference)}` }),
      answers: this.afterwards(),
    };
  }

  /** @override */
  afterwards() { return [{ label: t("rated.to-profile"), kind: "primary", press: () => { location.hash = "#/profile"; } }]; }
}

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app, place) {
  /** @type {PlayScreen | null} */
  let table = null;
  let gone = false;
  const rated = loadRated(app.store);
  if (!rated) location.hash = "#/profile";
  else {
    void loadLevels().then((levels) => {
      if (gone) return;
      const { ruleset, level, side, moves } = rated;
      const computer = /** @type {const} */ ("computer");
      const seats = side === "x" ? { x: /** @type {const} */ ("human"), o: computer } : { x: computer, o: /** @type {const} */ ("human") };
      table = new PlayScreen(outlet, app, { ...place, params: {}, problem: null }, {
        house: new RatedHouse(app, rated, strengthOf(levels, ruleset, level)), setup: { ruleset, moves, level, seats, flip: otherSide(side) === "x" } });
    }, () => { location.hash = "#/profile"; });
  }
  return { destroy() { gone = true; table?.destroy(); } };
}
