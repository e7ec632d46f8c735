/**
 * The house in which a table stands: what differs between a free game, a rated one, a room with a friend and a game
 * by letter. The play screen asks it; everything about board, input and panel is the same everywhere.
 */

import { t } from "../../text.js";
import { otherSide, playerName, sideName } from "../../wording.js";

/** @typedef {import("../../game.js").GameState} GameState */
/** @typedef {import("../../wire.js").Side} Side */
/** @typedef {import("./status.js").Answer} Answer */
/** @typedef {{text: string, tone?: "calm" | "alert" | "won" | "lost" | "even" | "busy", title?: string, answers?: Answer[]}} Situation */

export class House {
  /** The address's first part. */
  route = "play";
  /** Whether a move at an earlier ply begins another game there, instead of leading back to the end. */
  branches = false;
  /** Whether the address holds the game, so that it can be copied at any time. */
  writesAddress = true;
  /** Whether moves may be taken back for the asking, hints given, and another game begun from the table. */
  free = true;
  /** Whether the one move that is left may be played by itself, for who wants that. */
  forces() { return true; }

  /** @param {import("../../game.js").Setup} setup @param {ConstructorParameters<typeof import("../../game.js").Game>[1]} means @returns {import("../../game.js").Game | null} null: an ordinary one */
  game(setup, means) { void setup; void means; return null; }

  /** What the address says of a game. @param {import("../../hash.js").Params} params @returns {import("../../hash.js").Params} */
  params(params) { return params; }

  /** Name and note in a player's strip. @param {GameState} state @param {Side} side */
  player(state, side) {
    const computer = state.seats[side] === "computer";
    const against = state.seats[otherSide(side)] !== state.seats[side];
    const own = against && state.description ? [sideName(state.description, side), ...(state.hints ? [t("player.hints", { n: state.hints })] : [])] : [];
    return { name: playerName(state, side), note: computer ? t("player.level", { level: state.level }) : own.join(" · ") };
  }

  /** Whether "undo" can be pressed; null leaves it to the table. @param {GameState} state @returns {boolean | null} */
  mayUndo(state) { void state; return null; }

  /** Something more important than the game's own state. @param {GameState} state @returns {Situation | null} */
  situation(state) { void state; return null; }

  /** Why the visitor cannot move when it is the other side's turn. */
  notNow() { return t("refusal.computers-turn"); }

  /** What can be pressed when the game is over; null: play again. @returns {Answer[] | null} */
  afterwards() { return null; }

  /** More buttons for the row of actions. @returns {HTMLElement[]} */
  actions() { return []; }

  /** What stands in the panel below the status. @returns {HTMLElement | null} */
  corner() { return null; }
}
