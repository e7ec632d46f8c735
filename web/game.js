/**
 * One game on the page: a plain serialisable state, changed only by `dispatch`. Commands (`play`, `undo`, …) ask the
 * engine and dispatch what came of it. Knows nothing about how it is drawn, and no rule.
 */

import { duration } from "./board/animation.js";
import { loadBoard } from "./boards.js";
import { DEFAULT_LEVEL, DEFAULT_RULESET } from "./defaults.js";
import { isEvent } from "./entries.js";
import { freshId } from "./store.js";

/** @typedef {import("./wire.js").Side} Side */
/** @typedef {import("./wire.js").Move} Move */
/** @typedef {import("./wire.js").Ply} Ply */
/** @typedef {import("./wire.js").State} State */
/** @typedef {import("./wire.js").Snapshot} Snapshot */
/** @typedef {import("./wire.js").Description} Description */
/** @typedef {import("./hash.js").Problem} Problem */
/** @typedef {"human" | "computer" | "remote"} Seat remote: someone whose moves come from elsewhere */
/** @typedef {{state: State, start: Snapshot, plies: Ply[]}} Record_ */

/**
 * @typedef {object} Setup what a game starts from
 * @property {string} ruleset
 * @property {string | null} [start] position text
 * @property {string[]} [moves]
 * @property {{x: Seat, o: Seat}} [seats]
 * @property {number} [level]
 * @property {boolean} [flip]
 * @property {string} [id]
 * @property {number} [hints]
 * @property {number[]} [hinted]
 */
/**
 * @typedef {object} GameState
 * @property {string} id
 * @property {string} ruleset
 * @property {string | null} start
 * @property {string[]} moves moves and events, as texts
 * @property {{x: Seat, o: Seat}} seats
 * @property {number} level 1 to 9
 * @property {boolean} flip
 * @property {number} hints how many were asked for
 * @property {number[]} hinted the plies, from 1, that were played after one
 * @property {Description | null} description
 * @property {Snapshot | null} opening
 * @property {Ply[]} plies one for each of `moves`
 * @property {State | null} now after all moves
 * @property {number} cursor how many plies are shown
 * @property {Move | null} pending chosen, not yet confirmed by the engine
 * @property {boolean} thinking the computer is at it
 * @property {{move: Move, step: 1 | 2, keeps: boolean} | null} hint keeps: it is the move of a proved win
 * @property {boolean} seeking a hint is being looked for
 * @property {Problem | null} problem
 */


/** @param {Setup} setup @returns {GameState} */
export const emptyState = (setup) => ({
  id: setup.id ?? freshId(), ruleset: setup.ruleset, start: setup.start ?? null, moves: setup.moves ?? [],
  seats: setup.seats ?? { x: "human", o: "computer" }, level: setup.level ?? DEFAULT_LEVEL, flip: setup.flip ?? false, hints: setup.hints ?? 0, hinted: setup.hinted ?? [],
  description: null, opening: null, plies: [], now: null, cursor: 0,
  pending: null, thinking: false, hint: null, seeking: false, problem: null,
});

/**
 * @typedef {{type: "described", description: Description} | {type: "opened", description: Description, record: Record_}
 *   | {type: "chosen", move: Move} | {type: "refused", problem: Problem}
 *   | {type: "played", text: string, state: State}
 *   | {type: "rewound", moves: string[], record: Record_}
 *   | {type: "show", cursor: number} | {type: "flip"}
 *   | {type: "seats", seats: {x: Seat, o: Seat}, level: number}
 *   | {type: "thinking", on: boolean}
 *   | {type: "seeking", on: boolean} | {type: "hint", hint: GameState["hint"]}
 *   | {type: "moved-slot", id: string}
 *   | {type: "problem", problem: Problem | null}} Action
 */

/** @param {GameState} state @param {Action} action @returns {GameState} */
export function reduce(state, action) {
  switch (action.type) {
    case "described":
      return { ...state, description: action.description };
    case "opened":
      return { ...state, description: action.description, ...shown(action.record) };
    case "chosen":
      return { ...state, pending: action.move, hint: null };
    case "refused":
      return { ...state, pending: null, thinking: false, problem: action.problem };
    case "played": {
      const last = eventPly(action.text, action.state) ?? action.state.last;
      const plies = last ? [...state.plies, last] : state.plies;
      // What was said in between was no move: the hint was for the one that follows.
      const hinted = last?.kind === "event" ? state.hinted.map((ply) => (ply === plies.length ? ply + 1 : ply)) : state.hinted;
      const cursor = state.cursor === state.plies.length ? plies.length : state.cursor;
      return { ...state, moves: [...state.moves, action.text], plies, hinted, cursor, now: action.state, pending: null, hint: null, thinking: false, problem: null };
    }
    case "rewound":
      return { ...state, moves: action.moves, ...shown(action.record), hinted: state.hinted.filter((ply) => ply <= action.moves.length + 1), pending: null, hint: null, thinking: false };
    case "show":
      return { ...state, cursor: Math.max(0, Math.min(state.plies.length, action.cursor)), hint: null };
    case "flip":
      return { ...state, flip: !state.flip };
    case "seats":
      return { ...state, seats: action.seats, level: action.level };
    case "thinking":
      return { ...state, thinking: action.on };
    case "seeking":
      return { ...state, seeking: action.on };
    case "hint":
      return { ...state, hint: action.hint, seeking: false, ...(action.hint?.step === 1 ? counted(state) : {}) };
    case "moved-slot":
      return { ...state, id: action.id };
    case "problem":
      return { ...state, problem: action.problem };
  }
}

/** One hint more, and the ply it is for. @param {GameState} state */
const counted = ({ hints, hinted, plies }) => ({ hints: hints + 1, hinted: [...new Set([...hinted, plies.length + 1])] });

/** @param {Record_} record */
const shown = (record) => ({ opening: record.start, plies: record.plies, now: record.state, cursor: record.plies.length });

/** Resigning and offers are entries of the record without a move. @param {string} text @param {State} state after it @returns {Ply | null} */
function eventPly(text, { position, pieces, counts, clock }) {
  return isEvent(text) ? { text, kind: "event", side: /** @type {Side} */ (text.at(-1)), path: [], captures: [], hops: [], promotes: false, position, pieces, counts, clock } : null;
}

/** @param {GameState} state */
export const atEnd = (state) => state.cursor === state.plies.length;

/** Whether the visitor may move now. @param {GameState} state */
export const isMyTurn = (state) => atEnd(state) && state.now !== null && !state.now.outcome && !state.pending && state.seats[state.now.side] === "human";

/** The pieces at the cursor. @param {GameState} state @returns {import("./wire.js").Pieces} */
export const piecesShown = (state) => (state.cursor === 0 ? state.opening?.pieces : state.plies[state.cursor - 1].pieces) ?? {};

/** Pieces after a move, as its own data tells: what was taken goes, what moved stands at the end of its path. @param {import("./wire.js").Pieces} pieces @param {Move} move @param {Side} side */
export function afterMove(pieces, move, side) {
  const after = { ...pieces };
  for (const point of move.captures) delete after[point];
  const [from] = move.path;
  const to = move.path.at(-1);
  if (move.kind === "place" && to) after[to] = side;
  else if (move.kind === "remove" || move.kind === "huff") delete after[from];
  else if (to && move.path.length > 1) {
    const piece = pieces[from] ?? side;
    delete after[from];
    after[to] = move.promotes ? piece.toUpperCase() : piece;
  }
  return after;
}

/** @param {GameState} state @returns {number} how many moves are left after taking back the visitor's last own one; -1 when there is none */
export function undoTarget(state) {
  let left = state.plies.length;
  while (left > 0) {
    const ply = state.plies[--left];
    if (ply.kind !== "event" && state.seats[ply.side] === "human") return left;
  }
  return -1;
}

/** Time to leave a move on the board before answering it. @param {Ply | null} ply @param {boolean} moves */
const readingTime = (ply, moves) => 350 + (moves && ply ? ply.hops.reduce((sum, hop) => sum + duration(hop.track.length - 1), 0) : 0);

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Kinds of faults that lie with the engine and not with what it was asked; asking again may help. */
const TROUBLE = ["stuck", "unexpected", "busy", "destroyed"];

/** @param {unknown} fault @returns {Problem} what to tell the visitor about a failed request */
export function problemOf(fault) {
  const data = /** @type {{data?: {kind?: string, [more: string]: any}}} */ (fault)?.data;
  if (!data?.kind || TROUBLE.includes(data.kind)) return { key: "engine.trouble", params: {} };
  const params = Object.fromEntries(Object.entries(data).filter(([, value]) => typeof value === "string" || typeof value === "number").map(([name, value]) => [name, String(value)]));
  return { key: `fault.${data.kind}`, params };
}

/** What is left of a game when a part of it is refused; null when the fault lies elsewhere. @param {GameState} state @param {unknown} fault @returns {Partial<Setup> | null} */
function lessOf(state, fault) {
  const { kind = "", ply } = /** @type {{data?: {kind?: string, ply?: number}}} */ (fault)?.data ?? {};
  const [what] = kind.split(".");
  if (what === "ruleset") return { ruleset: DEFAULT_RULESET, start: null, moves: [] };
  if (what === "move" && typeof ply === "number" && ply <= state.moves.length) return { moves: state.moves.slice(0, ply - 1) }; // ply counts from 1
  if (["move", "position", "params", "too-long"].includes(what)) return state.moves.length ? { moves: [] } : state.start !== null ? { start: null } : null;
  return null;
}

export class Game {
  /**
   * @param {Setup} setup
   * @param {{engine: import("./app.js").EngineLike, store: import("./store.js").Store | null, moves?: () => boolean}} means
   *   store: null keeps nothing; moves: whether things move on screen, for timing
   */
  constructor(setup, { engine, store, moves = () => true }) {
    this.engine = engine;
    this.store = store;
    this.moves = moves;
    this.state = emptyState(setup);
    /** @type {Set<(state: GameState, before: GameState) => void>} */
    this.listeners = new Set();
    /** What the computer is busy with; replaced whenever the game goes another way. */
    this.job = new AbortController();
    this.gone = false;
  }

  /** @param {(state: GameState, before: GameState) => void} listener */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The one place where the state changes. @param {Action} action */
  dispatch(action) {
    if (this.gone) return;
    const before = this.state;
    this.state = reduce(before, action);
    if (this.state.moves !== before.moves || this.state.seats !== before.seats || this.state.level !== before.level || this.state.flip !== before.flip || this.state.hints !== before.hints) this.save();
    for (const listener of this.listeners) listener(this.state, before);
    void this.wake();
  }

  destroy() {
    this.gone = true;
    this.job.abort();
    this.listeners.clear();
  }

  /** Nothing is kept of a game without a move. */
  save() {
    const { id, ruleset, start, moves, seats, level, flip, hints, hinted, now } = this.state;
    if (!this.store || !this.state.description) return;
    if (moves.length === 0 && !this.store.loadGame(id)) return;
    const used = this.store.saveGame({ id, ruleset, start, moves, seats, level, flip, hints, hinted, over: Boolean(now?.outcome) });
    if (used !== id) this.state = reduce(this.state, { type: "moved-slot", id: used });
  }

  /**
   * Reads the game in. What is wrong with a link or a saved game becomes a problem to tell, and the game opens with
   * the part that is good: the moves before a bad one, the ruleset's own start, at last the first ruleset there is.
   */
  async open() {
    /** @type {Problem | null} */
    let problem = null;
    for (let attempt = 0; attempt < 5 && !this.gone; attempt++) {
      try {
        await this.read();
        if (problem) this.dispatch({ type: "problem", problem });
        return;
      } catch (fault) {
        problem ??= problemOf(fault);
        const less = lessOf(this.state, fault);
        if (!less) return this.dispatch({ type: "problem", problem });
        this.state = emptyState({ ...this.state, ...less, id: freshId() });
      }
    }
  }

  async read() {
    const { ruleset, moves } = this.state;
    const file = await loadBoard(ruleset).catch(() => null);
    const description = file?.describe ?? await this.engine.request("describe", { ruleset });
    if (moves.length > 1) this.dispatch({ type: "described", description });
    const record = await this.recordOf(moves);
    this.dispatch({ type: "opened", description, record });
  }

  /** @param {string[]} moves @returns {Promise<Record_>} from the board's file where that is enough, else from the engine */
  async recordOf(moves) {
    const { ruleset, start } = this.state;
    const file = start === null && moves.length <= 1 ? await loadBoard(ruleset).catch(() => null) : null;
    if (file && moves.length === 0) return { state: file.state, start: file.state, plies: [] };
    const first = file?.firsts?.[moves[0]];
    if (file && first?.last) return { state: first, start: file.state, plies: [first.last] };
    return this.engine.request("game", this.question({ moves }));
  }

  /** Parameters that name this game. @param {Record<string, unknown>} [more] */
  question(more = {}) {
    const { ruleset, start, moves } = this.state;
    return { ruleset, ...(start === null ? {} : { position: start }), moves, ...more };
  }

  // Commands

  /** @param {Move} move one of `now.legal` */
  async play(move) {
    if (this.state.pending) return;
    this.dispatch({ type: "chosen", move });
    await this.append(move.text);
  }

  /** A move that the visitor typed. @param {string} text @returns {Promise<import("./wire.js").Refusal | null>} why not, or null when it was played */
  async type(text) {
    const refusal = await this.engine.request("explain", this.question({ path: [], move: text }));
    if (refusal) return refusal;
    await this.append(text);
    return null;
  }

  /** Resigning, offering, accepting, declining: texts of docs/wire.md. @param {string} event */
  async event(event) {
    this.halt();
    await this.append(event);
  }

  /** @param {string} text */
  async append(text) {
    const { job } = this;
    const { moves, start, ruleset } = this.state;
    try {
      const file = start === null && moves.length === 0 ? await loadBoard(ruleset).catch(() => null) : null;
      const state = file?.firsts?.[text] ?? await this.engine.request("play", this.question({ move: text }));
      if (job.signal.aborted || this.state.moves !== moves) return;
      this.dispatch({ type: "played", text: eventPly(text, state) ? text : state.last?.text ?? text, state });
    } catch (fault) {
      if (!job.signal.aborted) this.dispatch({ type: "refused", problem: problemOf(fault) });
    }
  }

  /** Takes back the visitor's last move and what followed; also while the computer thinks. */
  async undo() {
    const target = undoTarget(this.state);
    if (target >= 0) await this.rewind(target);
  }

  /** Goes back to a ply for good. @param {number} ply */
  async rewind(ply) {
    this.halt();
    const { job } = this;
    const moves = this.state.moves.slice(0, ply);
    try {
      const record = await this.recordOf(moves);
      if (!job.signal.aborted) this.dispatch({ type: "rewound", moves, record });
    } catch (fault) {
      this.dispatch({ type: "problem", problem: problemOf(fault) });
    }
  }

  /** Stops whatever the computer is at, its answer unwanted. */
  halt() {
    this.job.abort();
    this.job = new AbortController();
    if (this.state.thinking) this.dispatch({ type: "thinking", on: false });
  }

  /** Asks the computer to move now with the best it has. */
  hurry() { this.search?.abort(); }

  /** @param {string[]} path points chosen, the last one refused @returns {Promise<import("./wire.js").Refusal | null>} */
  async explain(path) {
    try {
      return await this.engine.request("explain", this.question({ path }));
    } catch {
      return null;
    }
  }

  /** First the piece to look at, then the whole move. */
  async askHint() {
    const { hint, seeking } = this.state;
    if (hint) return this.dispatch({ type: "hint", hint: { ...hint, step: 2 } });
    if (seeking || !isMyTurn(this.state)) return;
    const { job } = this;
    const { moves } = this.state;
    this.dispatch({ type: "seeking", on: true });
    try {
      const found = await this.seek({ ms: 900 }, {}, job.signal);
      if (this.state.moves === moves && !job.signal.aborted) this.dispatch({ type: "hint", hint: { move: found.move, step: 1, keeps: found.lines[0].proved === 1 } });
      else this.dispatch({ type: "seeking", on: false });
    } catch (fault) {
      this.dispatch({ type: "seeking", on: false });
      if (!job.signal.aborted) this.dispatch({ type: "problem", problem: problemOf(fault) });
    }
  }

  // The computer

  /** Lets the computer act if it is its turn. */
  async wake() {
    const { now, seats, thinking, pending } = this.state;
    if (this.gone || !now || now.outcome || thinking || pending || this.state.problem?.key === "engine.trouble") return;
    if (now.offer) {
      const receiver = now.offer.by === "x" ? "o" : "x";
      if (seats[receiver] === "computer" && now.events.includes(`accept:${receiver}`)) await this.answerOffer(receiver);
      return;
    }
    if (seats[now.side] === "computer") await this.think();
  }

  /**
   * Lets the engine look for a move. One that died over it, or stumbled, is asked again for less: a game goes on by itself.
   * @param {{level?: number, ms?: number}} effort @param {{moves?: string[]}} what @param {AbortSignal} signal
   */
  async seek(effort, what, signal) {
    const efforts = [effort, { level: Math.min(effort.level ?? 2, 2) }, { level: 1 }];
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.engine.request("search", this.question({ ...what, ...efforts[attempt] }), { signal });
      } catch (fault) {
        if (signal.aborted || attempt === efforts.length - 1 || problemOf(fault).key !== "engine.trouble") throw fault;
      }
    }
  }

  async think() {
    this.dispatch({ type: "thinking", on: true });
    const { job } = this;
    const { moves, level, now } = this.state;
    this.search = new AbortController();
    const { search } = this;
    job.signal.addEventListener("abort", () => search.abort());
    try {
      const [found] = await Promise.all([
        this.seek({ level }, {}, search.signal),
        pause(readingTime(now?.last ?? null, this.moves())),
      ]);
      if (job.signal.aborted || this.state.moves !== moves) return;
      await this.append(found.move.text);
    } catch (fault) {
      if (job.signal.aborted) return;
      this.dispatch({ type: "problem", problem: problemOf(fault) });
      this.dispatch({ type: "thinking", on: false });
    }
  }

  /** The computer takes an offer when it does not think itself ahead. @param {Side} receiver */
  async answerOffer(receiver) {
    const { job } = this;
    const { now, level, moves } = this.state;
    if (!now) return;
    this.dispatch({ type: "thinking", on: true });
    try {
      const other = receiver === "x" ? "o" : "x";
      const before = moves.slice(0, -1); // the position without the offer
      const found = await this.seek({ level: Math.min(level, 4) }, { moves: before }, job.signal);
      const chance = now.side === receiver ? found.chance : 1 - found.chance;
      const fair = now.offer?.kind === "count" ? now.counts[receiver] >= now.counts[other] : chance <= 0.5;
      if (job.signal.aborted || this.state.moves !== moves) return;
      await this.append(`${fair ? "accept" : "decline"}:${receiver}`);
    } catch (fault) {
      if (!job.signal.aborted) this.dispatch({ type: "problem", problem: problemOf(fault) });
      this.dispatch({ type: "thinking", on: false });
    }
  }
}
