/** The game of a room as the play screen knows games: its moves go to the room first, and come from there. */

import { Game } from "../game.js";
import { Refused } from "./messages.js";

/** @typedef {import("./session.js").Stand} Stand */
/** @typedef {import("./session.js").GameEvent} GameEvent */
/** @typedef {import("../wire.js").State} State */

/**
 * What a session and a watcher have in common for a table.
 * @typedef {object} Source
 * @property {{stand: Stand | null}} state
 * @property {(listener: (state: {stand: Stand | null}, before: any, event: GameEvent | null) => void) => () => void} listen
 * @property {(text: string) => Promise<void>} [move]
 * @property {(to: number) => void} [askUndo]
 */

export class RoomGame extends Game {
  /** @param {import("../game.js").Setup} setup @param {ConstructorParameters<typeof Game>[1]} means @param {Source} source */
  constructor(setup, means, source) {
    super(setup, { ...means, store: null });
    this.source = source;
    this.id = source.state.stand?.game;
    /** Arrivals are shown in their order, also when the engine takes long over one. */
    this.line = Promise.resolve();
    this.stop = source.listen((_, __, event) => { if (event) this.line = this.line.then(() => this.follow(event)); });
  }

  /** @override */
  destroy() {
    this.stop();
    super.destroy();
  }

  /** @override */
  async open() {
    await super.open();
    this.line = this.line.then(() => this.settle());
  }

  /** A flag has fallen: the engine knows nothing of clocks. @template {State} T @param {T} now @returns {T} */
  patched(now) {
    const ended = this.source.state.stand?.ended;
    return ended && !now.outcome && ended.reason === "time" ? { ...now, outcome: ended, legal: [], events: [], movable: [] } : now;
  }

  /** @param {GameEvent} event */
  async follow(event) {
    const { stand } = this.source.state;
    if (this.gone || !stand || stand.game !== this.id) return; // another game: its own table is laid
    const { moves } = this.state;
    if (event.type === "entry" && stand.moves.length === moves.length + 1 && this.state.now) this.dispatch({ type: "played", text: event.text, state: this.patched(event.now) });
    else if (event.type === "stand" || stand.moves.length !== moves.length) await this.settle(true);
  }

  /** Makes the table show what stands. @param {boolean} [anyway] */
  async settle(anyway = false) {
    const { stand } = this.source.state;
    if (this.gone || !stand || stand.game !== this.id || (!anyway && stand.moves.length === this.state.moves.length && !stand.ended)) return;
    const { moves } = stand;
    const record = await this.recordOf(moves);
    this.dispatch({ type: "rewound", moves, record: { ...record, state: this.patched(record.state) } });
  }

  /** @override @param {string} text */
  async append(text) {
    try {
      if (!this.source.move) throw new Refused("watch");
      await this.source.move(text);
    } catch (fault) {
      const kind = fault instanceof Refused ? `room.note.${fault.kind}` : `fault.${/** @type {any} */ (fault)?.data?.kind ?? "over"}`;
      this.dispatch({ type: "refused", problem: { key: kind, params: {} } });
    }
  }

  /** Undo is asked for, not done. @override */
  async undo() {
    const { plies, seats } = this.state;
    let to = plies.length;
    while (to > 0 && !(plies[to - 1].kind !== "event" && seats[plies[to - 1].side] === "human")) to -= 1;
    if (to > 0) this.source.askUndo?.(to - 1);
  }
}
