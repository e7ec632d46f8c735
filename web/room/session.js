/**
 * The sense of a room: who sits where, which game stands, what is agreed. Knows neither the page nor how messages
 * travel: a link is anything with `send(text)` and `close()`, and what arrives is handed to `hear`. Every move, own or
 * foreign, goes to this side's engine first; what that refuses changes nothing.
 *
 * One thing at a time: arrivals and own wishes stand in one queue, so that a slow answer of the engine never lets two
 * of them mix.
 */

import { pressClock, runClock, startClock, stopClock, timeLeft, TOLERANCE } from "./clock.js";
import { Gate, MOST_CHAT, MOST_MOVES, PROTOCOL, Refused } from "./messages.js";
import { countMoves, isEvent } from "../entries.js";
import { cleanLine } from "../names.js";

/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../wire.js").State} State */
/** @typedef {import("./messages.js").Terms} Terms */
/** @typedef {import("./messages.js").Ended} Ended */
/** @typedef {import("./messages.js").Message} Message */
/** @typedef {import("../profile/glicko.js").Rating} Rating */
/** @typedef {"host" | "guest"} Seat */
/** @typedef {{send: (text: string) => void, close: () => void}} Link */
/** @typedef {(method: string, params: object) => Promise<any>} Ask the engine */

/**
 * @typedef {"alone" | "greeting" | "choosing" | "proposing" | "playing" | "over" | "apart" | "handed" | "disputed" | "refused"} Phase
 * alone: no other side yet · greeting: joined, proving · proposing: the host waits for the guest's answer · choosing:
 * the guest is asked · handed: the other side has a game of this room and we have none · disputed: the records differ
 * · refused: the other side did not want to
 */
/** @typedef {{name: string, key: string | null, away: boolean, rating: Rating | null}} Peer */
/** @typedef {{game: string, terms: Terms, x: Seat, moves: string[], ended: Ended | null, left: {x: number, o: number} | null, began: number}} Stand */
/** @typedef {{kind: string, detail?: string}} Note */

/**
 * @typedef {object} RoomState
 * @property {Phase} phase
 * @property {Peer | null} peer
 * @property {Stand | null} stand the game that stands
 * @property {State | null} now the engine's word on it
 * @property {import("./clock.js").Clock | null} clock
 * @property {Stand | null} offered a game to agree to (choosing, proposing, handed), or what the other side has (disputed)
 * @property {number} common disputed: how many moves both have
 * @property {{by: Seat, to: number} | null} undo
 * @property {{by: Seat} | null} rematch
 * @property {{by: Seat, text: string}[]} chat
 * @property {boolean} muted
 * @property {{count: number, most: number}} crowd
 * @property {Note | null} note the last thing to tell
 * @property {{mine: Rating | null, theirs: Rating | null}} ratings as the rated game began
 * @property {{mine: string | null, theirs: string | null}} signatures
 */

/** @typedef {{room: string, role: Seat, peer: {name: string, key: string | null} | null, stand: Stand | null, ratings: RoomState["ratings"], score: {mine: number, theirs: number}}} Saved */

/** Changes of the game, in the order in which they came. @typedef {{type: "entry", text: string, now: State} | {type: "stand"}} GameEvent */

const MOST_CHAT_KEPT = 200;
const MOST_WAITING = 200;
const MOST_STRIKES = 5;
/** Faults of a connection that end it at once. */
const GRAVE = ["flood", "size", "order"];
const BEAT = 4000;
/** Silence after which the other side counts as gone; a sleeping phone's tab may be late. */
export const SILENCE = 20_000;

const hex = (/** @type {number} */ bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
export const freshRoom = () => hex(8);

/** @type {RoomState} */
const EMPTY = {
  phase: "alone", peer: null, stand: null, now: null, clock: null, offered: null, common: 0, undo: null, rematch: null,
  chat: [], muted: false, crowd: { count: 0, most: 0 }, note: null, ratings: { mine: null, theirs: null }, signatures: { mine: null, theirs: null },
};

/** The text that both sides of a rated game sign. @param {string} room @param {Stand} stand @param {{host: {name: string, key: string | null, rating: Rating | null}, guest: {name: string, key: string | null, rating: Rating | null}}} players */
export function recordText(room, stand, { host, guest }) {
  const player = (/** @type {typeof host} */ { name, key, rating }) => [name, key, rating && [rating.rating, rating.deviation, rating.volatility]];
  const { terms, ended } = stand;
  return JSON.stringify(["qirkat rated game 1", room, stand.game, stand.began, terms.ruleset, terms.start, terms.clock && [terms.clock.main, terms.clock.increment],
    stand.x, player(host), player(guest), stand.moves, ended && [ended.winner, ended.reason]]);
}

export class Session {
  /**
   * @param {object} means
   * @param {Seat} means.role
   * @param {string} means.room
   * @param {{name: string, key: string | null}} means.me
   * @param {Ask} means.ask
   * @param {(ruleset: string) => Rating} means.rating mine
   * @param {(text: string) => Promise<string | null>} means.sign
   * @param {(key: string, text: string, signature: string) => Promise<boolean>} means.verify
   * @param {() => number} [means.now] ms, never jumping
   * @param {(saved: Saved) => void} [means.save]
   * @param {Saved | null} [means.saved]
   */
  constructor({ role, room, me, ask, rating, sign, verify, now = () => performance.now(), save = () => {}, saved = null }) {
    this.role = role;
    this.other = /** @type {Seat} */ (role === "host" ? "guest" : "host");
    this.room = room;
    this.me = me;
    this.ask = ask;
    this.rating = rating;
    this.sign = sign;
    this.verify = verify;
    this.clockNow = now;
    this.save = save;
    /** @type {RoomState} */
    this.state = { ...EMPTY };
    this.score = saved?.score ?? { mine: 0, theirs: 0 };
    /** Who wrote each entry since the other side was last heard of agreeing with it. @type {Seat[]} */
    this.authors = [];
    /** @type {Link | null} */
    this.link = null;
    /** @type {Set<(state: RoomState, before: RoomState, event: GameEvent | null) => void>} */
    this.listeners = new Set();
    /** @type {Set<(result: {stand: Stand, peer: Peer, ratings: RoomState["ratings"], signatures: RoomState["signatures"], text: string}) => void>} */
    this.results = new Set();
    this.queue = Promise.resolve();
    this.waiting = 0;
    /** The stand in which the other side's flag was claimed, so that it is claimed once. @type {Stand | null} */
    this.claimed = null;
    /** The guest expects the same game with colours changed. */
    this.swapping = false;
    /** The terms to offer to whoever comes. @type {{terms: Terms, x: Seat} | null} */
    this.wish = null;
    this.saved = saved;
  }

  /** Brings back what was saved. */
  async wake() {
    if (!this.saved?.stand) return;
    const { stand, peer, ratings } = this.saved;
    try {
      const now = await this.engineState(stand.terms, stand.moves);
      this.authors = stand.moves.map(() => this.other); // settled: nothing of it may be taken back by crossing messages
      this.change({ stand, now, ratings, phase: "apart", peer: peer && { ...peer, away: true, rating: ratings.theirs }, clock: this.clockOf(stand) }, { type: "stand" });
    } catch (fault) {
      this.change({ note: { kind: "lost", detail: String(fault) } });
    }
  }

  // State

  /** @param {(state: RoomState, before: RoomState, event: GameEvent | null) => void} listener */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The one place where the state changes. @param {Partial<RoomState>} part @param {GameEvent | null} [event] */
  change(part, event = null) {
    const before = this.state;
    this.state = { ...before, ...part };
    const { stand, peer, ratings } = this.state;
    if (stand !== before.stand || (peer && peer.key !== before.peer?.key)) {
      this.save({ room: this.room, role: this.role, peer: peer && { name: peer.name, key: peer.key }, stand, ratings, score: this.score });
    }
    for (const listener of this.listeners) listener(this.state, before, event);
  }

  /** @param {Stand | null} [stand] @returns {Side} */
  mySide(stand = this.state.stand) { return stand?.x === this.role ? "x" : "o"; }

  /** @param {Side} side @returns {number | null} ms */
  timeLeft(side) { return this.state.clock && timeLeft(this.state.clock, side, this.clockNow()); }

  /** @param {Stand} stand */
  clockOf({ terms, left }) { return terms.clock && left ? { ...startClock(terms.clock), ...left } : terms.clock && startClock(terms.clock); }

  /** @param {Terms} terms @param {string[]} moves @returns {Promise<State>} */
  engineState({ ruleset, start }, moves) { return this.ask("state", { ruleset, ...(start === null ? {} : { position: start }), moves }); }

  /** @param {() => Promise<void> | void} work */
  enqueue(work) {
    this.queue = this.queue.then(work).catch((fault) => {
      if (fault instanceof Refused) this.change({ note: { kind: fault.kind, detail: fault.detail } });
      else this.change({ note: { kind: "engine", detail: String(fault?.message ?? fault) } });
    });
    return this.queue;
  }

  // The connection

  /** A connection stands. @param {Link} link */
  attach(link) {
    this.link?.close();
    this.link = link;
    this.gate = new Gate(this.other);
    this.sent = 0;
    this.strikes = 0;
    this.heard = this.beaten = this.clockNow();
    this.nonce = hex(16);
    this.peerNonce = "";
    this.greeted = false;
    this.proven = false;
    this.change({ phase: "greeting", note: null, undo: null, rematch: null, offered: null });
    this.send("hello", { v: PROTOCOL, room: this.room, role: this.role, name: this.me.name, key: this.me.key, nonce: this.nonce });
  }

  /** @param {string} t @param {object} [fields] */
  send(t, fields = {}) {
    if (!this.link) return;
    this.sent = (this.sent ?? 0) + 1;
    this.link.send(JSON.stringify({ t, n: this.sent, ...fields }));
  }

  /** Something arrived. @param {unknown} data */
  hear(data) {
    if (!this.link || !this.gate) return;
    /** @type {Message} */
    let message;
    try {
      if (this.waiting >= MOST_WAITING) throw new Refused("flood");
      message = this.gate.pass(data, this.clockNow());
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      if (fault.kind === "schema" || fault.kind === "role") this.gate.expected += 1;
      return this.strike(fault);
    }
    this.heard = this.clockNow();
    const { link } = this;
    this.waiting += 1;
    void this.enqueue(async () => {
      try {
        if (this.link === link) await this.handle(message);
      } catch (fault) {
        if (!(fault instanceof Refused)) throw fault;
        this.strike(fault);
      } finally {
        this.waiting -= 1;
      }
    });
  }

  /** Something that should not have come. It is told, it changes nothing, and too much of it ends the connection. @param {Refused} fault */
  strike({ kind, detail }) {
    this.strikes = (this.strikes ?? 0) + 1;
    const grave = GRAVE.includes(kind) || this.strikes >= MOST_STRIKES;
    if (grave) this.leave("fault");
    this.change({ note: { kind: grave && !GRAVE.includes(kind) ? "strikes" : kind, detail } });
  }

  /** Ends the connection, saying so. @param {string} [reason] */
  leave(reason = "left") {
    if (!this.link) return;
    this.send("bye", { reason });
    this.lost();
  }

  /** The connection is gone. Both keep the game; the clocks stop. @param {Link | null} [link] only if it is still this one */
  lost(link = this.link) {
    if (!this.link || link !== this.link) return;
    const gone = this.link;
    this.link = null;
    gone.close();
    const { stand, phase, clock } = this.state;
    const stopped = clock && stopClock(clock, this.clockNow());
    this.change({
      phase: phase === "refused" ? phase : stand ? "apart" : "alone", offered: null, undo: null, rematch: null, clock: stopped,
      stand: stand && stopped ? { ...stand, left: { x: Math.round(stopped.x), o: Math.round(stopped.o) } } : stand,
    });
  }

  /** The other side closed: what it said before comes first. @param {Link} link */
  closed(link) { return this.enqueue(() => this.lost(link)); }

  /** To be called a few times a second: heartbeat and flags. */
  tick() {
    const now = this.clockNow();
    if (this.link) {
      if (now - (this.heard ?? now) > SILENCE) {
        this.lost();
        this.change({ note: { kind: "silent" } });
        return;
      }
      if (now - (this.beaten ?? 0) > BEAT) {
        this.beaten = now;
        this.send("ping");
      }
    }
    const { clock, stand, phase } = this.state;
    if (phase !== "playing" || !clock?.running || !stand) return;
    const mine = this.mySide();
    if (clock.running === mine && timeLeft(clock, mine, now) <= 0) this.dropFlag();
    else if (clock.running !== mine && now - clock.since > clock[clock.running] + TOLERANCE + 1000 && this.claimed !== stand) {
      this.claimed = stand;
      this.send("flag", { game: stand.game, at: stand.moves.length, side: clock.running });
    }
  }

  /** My time is up. */
  dropFlag() {
    const { stand } = this.state;
    if (!stand || stand.ended) return;
    const side = this.mySide();
    this.send("flag", { game: stand.game, at: stand.moves.length, side });
    this.end({ winner: side === "x" ? "o" : "x", reason: "time" });
  }

  // Arrivals

  /** @param {Message} message */
  async handle(message) {
    if (message.t === "ping") return;
    if (message.t === "bye") return this.onBye(message);
    if (message.t === "hello") return this.onHello(message);
    if (!this.greeted) throw new Refused("early", message.t);
    if (message.t === "proof") return this.onProof(message);
    if (!this.proven) throw new Refused("early", message.t);
    switch (message.t) {
      case "away": return this.change({ peer: this.state.peer && { ...this.state.peer, away: message.on } });
      case "chat": return this.onChat(message);
      case "game": return this.onGame(message);
      case "seat": return this.onSeat(message);
      case "record": return this.onRecord(message);
      case "move": return this.onMove(message);
      case "deny": return this.change({ note: { kind: `denied.${message.why}` } });
      case "undo": return this.onUndo(message);
      case "rematch": return this.onRematch(message);
      case "flag": return this.onFlag(message);
      case "sign": return this.onSign(message);
      case "crowd": return this.change({ crowd: { count: message.count, most: message.most } });
      default: throw new Refused("schema", message.t);
    }
  }

  /** @param {Message} message */
  onBye({ reason }) {
    const refused = ["refused", "full", "room", "version"].includes(reason) && !this.state.stand;
    if (refused) this.change({ phase: "refused" });
    this.lost();
    this.change({ note: { kind: `bye.${reason}` } });
  }

  /** @param {Message} hello */
  async onHello({ v, room, role, name, key, nonce }) {
    if (this.greeted) throw new Refused("twice", "hello");
    if (v !== PROTOCOL) return this.part("version");
    if (room !== this.room) return this.part("room");
    if (role !== this.other) throw new Refused("role", "hello");
    // A seat belongs to someone once a game has begun; before, whoever is invited may come.
    const known = this.state.stand || this.saved?.stand ? this.saved?.peer ?? this.state.peer : null;
    if (known?.key && known.key !== key) return this.part("full", "stranger");
    if (key !== null && key === this.me.key) this.change({ note: { kind: "self" } });
    this.greeted = true;
    this.peerNonce = nonce;
    this.change({ peer: { name, key, away: false, rating: null } });
    this.send("proof", { signature: await this.sign(this.challenge(nonce, this.role)) });
  }

  /** @param {string} nonce @param {Seat} role of the one who signs */
  challenge(nonce, role) { return JSON.stringify(["qirkat room 1", this.room, nonce, role]); }

  /** @param {Message} proof */
  async onProof({ signature }) {
    if (this.proven) throw new Refused("twice", "proof");
    const { peer } = this.state;
    if (peer?.key && !(signature && await this.verify(peer.key, this.challenge(this.nonce ?? "", this.other), signature))) return this.part("refused", "proof");
    this.proven = true;
    const { stand } = this.state;
    this.saved = { room: this.room, role: this.role, peer: peer && { name: peer.name, key: peer.key }, stand, ratings: this.state.ratings, score: this.score };
    if (stand) this.send("record", this.standNow());
    else if (this.role === "host" && this.wish) this.propose(this.wish.terms, this.wish.x);
    else this.change({ phase: this.role === "host" ? "greeting" : "choosing" });
  }

  /** Refuses the other side. @param {string} reason what it is told @param {string} [kind] what we are told */
  part(reason, kind = reason) {
    this.leave(reason);
    this.change({ note: { kind: `part.${kind}` } });
  }

  /** @param {Message} chat */
  onChat({ text }) {
    if (this.state.muted) return;
    this.change({ chat: [...this.state.chat, { by: this.other, text }].slice(-MOST_CHAT_KEPT) });
  }

  // Agreeing on a game

  /** The host offers a game. @param {Terms} terms @param {Seat} x who plays x */
  propose(terms, x) {
    this.wish = { terms, x };
    if (!this.link || !this.proven) return;
    const rated = terms.rated && this.mayRate();
    const mine = rated ? this.rating(terms.ruleset) : null;
    /** @type {Stand} */
    const offered = { game: hex(8), terms: { ...terms, rated }, x, moves: [], ended: null, left: null, began: Date.now() };
    this.change({ phase: "proposing", offered, ratings: { mine, theirs: null }, rematch: null });
    this.send("game", { game: offered.game, terms: offered.terms, x, rating: mine, began: offered.began });
  }

  /** Whether a game can be rated: both hold keys, and not the same ones. */
  mayRate() {
    const key = this.state.peer?.key;
    return Boolean(this.me.key && key && key !== this.me.key);
  }

  /** @param {Message} message */
  async onGame({ game, terms, x, rating, began }) {
    if (["playing", "handed"].includes(this.state.phase)) throw new Refused("busy", "game");
    if (terms.rated && (!rating || !this.mayRate())) throw new Refused("unrated", "game");
    const { stand } = this.state;
    /** @type {Stand} */
    const offered = { game, terms, x, moves: [], ended: null, left: null, began };
    try {
      await this.engineState(terms, []);
    } catch {
      this.send("seat", { game, yes: false, rating: null });
      throw new Refused("rules", terms.ruleset);
    }
    const same = stand && this.swapping && x !== stand.x && JSON.stringify({ ...terms, colours: "" }) === JSON.stringify({ ...stand.terms, colours: "" });
    this.change({ phase: "choosing", offered, ratings: { mine: terms.rated ? this.rating(terms.ruleset) : null, theirs: rating } });
    if (same) await this.sit(true);
  }

  /** The guest's answer to a game, or either side's to one that was handed over. @param {boolean} yes */
  answer(yes) { return this.enqueue(() => this.sit(yes)); }

  /** @param {boolean} yes */
  async sit(yes) {
    const { offered, phase, ratings } = this.state;
    if (!offered) return;
    if (phase === "handed") {
      if (!yes) return this.part("left");
      await this.adopt(offered);
      this.send("record", this.standNow());
      return;
    }
    this.send("seat", { game: offered.game, yes, rating: yes ? ratings.mine : null });
    if (yes) await this.begin(offered);
    else { this.leave("refused"); this.change({ phase: this.state.stand ? "apart" : "refused", note: null }); }
  }

  /** @param {Message} seat */
  async onSeat({ game, yes, rating }) {
    const { offered, phase, ratings } = this.state;
    if (phase !== "proposing" || !offered || offered.game !== game) throw new Refused("stale", "seat");
    if (!yes) return this.change({ phase: "refused", offered: null, note: { kind: "seat-refused" } });
    if (offered.terms.rated && !rating) throw new Refused("unrated", "seat");
    this.change({ ratings: { ...ratings, theirs: rating } });
    await this.begin(offered);
  }

  /** @param {Stand} stand */
  async begin(stand) {
    const now = await this.engineState(stand.terms, []);
    const { peer, ratings } = this.state;
    this.authors = [];
    this.swapping = false;
    this.claimed = null;
    this.change({
      stand, now, offered: null, phase: now.outcome ? "over" : "playing", clock: stand.terms.clock && startClock(stand.terms.clock),
      undo: null, rematch: null, note: null, signatures: { mine: null, theirs: null }, peer: peer && { ...peer, rating: ratings.theirs },
    }, { type: "stand" });
  }

  // After a broken connection

  /** @returns {Stand} */
  standNow() {
    const { stand, clock } = this.state;
    if (!stand) throw new Error("no game stands");
    const at = this.clockNow();
    return { ...stand, left: clock && { x: Math.round(timeLeft(clock, "x", at)), o: Math.round(timeLeft(clock, "o", at)) } };
  }

  /** What the other side has: the longer record goes on if it holds the shorter and nothing in our name. @param {Message} message */
  async onRecord({ game, terms, x, moves, ended, left, began }) {
    const theirs = /** @type {Stand} */ ({ game, terms, x, moves, ended, left, began });
    const { stand, phase } = this.state;
    if (phase === "playing" || phase === "over") {
      // An echo of a game that was handed over.
      if (stand && stand.game === game && stand.moves.join(" ") === moves.join(" ")) return;
      throw new Refused("stale", "record");
    }
    if (!stand) {
      try { await this.engineState(terms, moves); } catch { throw new Refused("record", terms.ruleset); }
      return this.change({ phase: "handed", offered: theirs });
    }
    const sameGame = stand.game === game && stand.x === x && JSON.stringify(stand.terms) === JSON.stringify(terms);
    if (!sameGame) {
      // A new game that one side had begun and the other had not heard of yet.
      if (this.role === "host" && stand.moves.length === 0) return this.propose(stand.terms, stand.x);
      if (this.role === "host" && stand.ended && moves.length === 0) return this.propose(terms, x);
      if (this.role === "guest" && (moves.length === 0 || ended && stand.moves.length === 0)) return; // the host will offer it
      return this.change({ phase: "disputed", offered: theirs, common: 0 });
    }
    let common = 0;
    while (common < Math.min(moves.length, stand.moves.length) && moves[common] === stand.moves[common]) common += 1;
    const dispute = () => this.change({ phase: "disputed", offered: theirs, common });
    if (common < stand.moves.length && common < moves.length) return dispute();
    if (moves.length > stand.moves.length) {
      if (!await this.onlyTheirs(theirs, common)) return dispute();
      return this.adopt(theirs);
    }
    const byTime = (/** @type {Ended | null} */ one) => (one?.reason === "time" ? one.winner : "");
    if (moves.length === stand.moves.length && byTime(stand.ended) !== byTime(ended)) {
      // A flag that only one of us has seen fall: one's own is believed, a claim is not.
      if (stand.ended && ended === null) return this.goOn();
      if (ended?.winner === this.mySide()) return this.end(ended);
      return dispute();
    }
    this.goOn(left);
  }

  /** @param {Stand} theirs @param {number} from @returns {Promise<boolean>} whether nothing from there on is in our name */
  async onlyTheirs({ terms, moves, x }, from) {
    const mine = x === this.role ? "x" : "o";
    try {
      const record = await this.ask("game", { ruleset: terms.ruleset, ...(terms.start === null ? {} : { position: terms.start }), moves });
      return record.plies.slice(from).every((/** @type {{side: Side, text: string}} */ ply, /** @type {number} */ i) =>
        (isEvent(moves[from + i]) ? moves[from + i].endsWith(`:${mine}`) === false : ply.side !== mine));
    } catch {
      return false;
    }
  }

  /** @param {Stand} theirs */
  async adopt(theirs) {
    const now = await this.engineState(theirs.terms, theirs.moves);
    const ended = now.outcome ?? (theirs.ended?.reason === "time" ? theirs.ended : null);
    this.authors = theirs.moves.map(() => this.other);
    this.change({ stand: { ...theirs, ended: null }, now, clock: this.clockOf(theirs), offered: null, phase: "playing" }, { type: "stand" });
    if (ended) this.end(ended);
    else this.goOn(theirs.left);
  }

  /** Both have the same. @param {{x: number, o: number} | null} [left] what the other side has on its clocks: the kinder of the two counts */
  goOn(left = null) {
    const { stand, now, clock } = this.state;
    if (!stand || !now) return;
    const merged = clock && left ? { ...clock, x: Math.max(clock.x, Math.min(left.x, clock.x + 2 * SILENCE)), o: Math.max(clock.o, Math.min(left.o, clock.o + 2 * SILENCE)) } : clock;
    this.change({ phase: stand.ended ? "over" : "playing", offered: null, clock: merged && this.clocksCount(stand.moves) && !stand.ended ? runClock(merged, now.side, this.clockNow()) : merged });
    if (stand.ended) void this.enqueue(() => this.signRecord());
  }

  // Moves

  /** @param {string[]} moves */
  clocksCount(moves) { return countMoves(moves) >= 2; }

  /** My move or event. @param {string} text @returns {Promise<void>} rejects with the engine's error or Refused */
  move(text) {
    return new Promise((resolve, reject) => {
      void this.enqueue(async () => {
        try { resolve(await this.moveNow(text)); } catch (fault) { reject(fault); }
      });
    });
  }

  /** @param {string} text */
  async moveNow(text) {
    const { stand, now, phase, undo } = this.state;
    if (!stand || !now || phase !== "playing") throw new Refused(phase === "over" ? "over" : "apart");
    if (!isEvent(text) && now.side !== this.mySide()) throw new Refused("turn");
    if (undo?.by === this.role) throw new Refused("waiting");
    const after = await this.play(stand, text);
    const entry = isEvent(text) ? text : after.last?.text ?? text;
    const at = stand.moves.length;
    this.apply(entry, this.role, after);
    const left = this.state.clock && Math.round(timeLeft(this.state.clock, now.side, this.clockNow()));
    this.send("move", { game: stand.game, at, text: entry, left: isEvent(entry) ? null : left });
    if (this.state.stand?.ended) await this.signRecord();
  }

  /** @param {Stand} stand @param {string} move @returns {Promise<State>} */
  play({ terms, moves }, move) {
    return this.ask("play", { ruleset: terms.ruleset, ...(terms.start === null ? {} : { position: terms.start }), moves, move });
  }

  /** An entry that the engine has passed. @param {string} text @param {Seat} by @param {State} now @param {number} [told] */
  apply(text, by, now, told) {
    const { stand, clock, now: before } = this.state;
    if (!stand || !before) return;
    const moves = [...stand.moves, text];
    this.authors.push(by);
    const at = this.clockNow();
    const ended = now.outcome;
    const pressed = clock && (isEvent(text) ? (ended ? stopClock(clock, at) : clock)
      : pressClock(clock, before.side, ended ? null : now.side, at, { counts: this.clocksCount(moves), told }));
    const left = pressed && { x: Math.round(timeLeft(pressed, "x", at)), o: Math.round(timeLeft(pressed, "o", at)) };
    this.change({ stand: { ...stand, moves, left }, now, clock: pressed, undo: null, note: null }, { type: "entry", text, now });
    if (ended) this.end(ended);
  }

  /** @param {Message} message */
  async onMove({ game, at, text, left }) {
    const { stand, phase } = this.state;
    if (!stand || stand.game !== game) throw new Refused("stale", text);
    const deny = (/** @type {string} */ why) => { this.send("deny", { game, at, why }); throw new Refused(why, text); };
    const { length } = stand.moves;
    if (at < length) {
      // Crossed on the way. The move of the side to move stands; of two events the host's. The other one comes again.
      const mine = stand.moves.slice(at);
      if (this.authors.slice(at).includes(this.other)) return deny("stale");
      if (!isEvent(mine[0]) || (isEvent(text) && this.role === "host")) return;
      await this.rewind(at);
      await this.take(text, left, deny);
      for (const event of mine) if (isEvent(event) && this.state.now?.events.includes(event)) await this.moveNow(event);
      return;
    }
    if (at > length) return deny("stale");
    if (phase !== "playing") return deny("over");
    await this.take(text, left, deny);
  }

  /** A foreign entry at its place: its sender's turn, then the engine's word. @param {string} text @param {number | null} left @param {(why: string) => never} deny */
  async take(text, left, deny) {
    const { stand, now } = this.state;
    if (!stand || !now) return;
    const theirs = this.mySide() === "x" ? "o" : "x";
    if (isEvent(text) ? !text.endsWith(`:${theirs}`) : now.side !== theirs) return deny("turn");
    if (stand.moves.length >= MOST_MOVES) return deny("over");
    /** @type {State} */
    let after;
    try {
      after = await this.play(stand, text);
    } catch (fault) {
      const kind = String(/** @type {{data?: {kind?: string}}} */ (fault)?.data?.kind ?? "");
      if (/^(move\.|over$|params$|too-long$)/.test(kind)) return deny("illegal");
      // Our own engine is in trouble: better apart with the game kept than out of step.
      this.leave("fault");
      throw fault;
    }
    this.apply(isEvent(text) ? text : after.last?.text ?? text, this.other, after, left ?? undefined);
    if (this.state.stand?.ended) await this.signRecord();
  }

  /** @param {number} to how many entries stay */
  async rewind(to) {
    const { stand, clock } = this.state;
    if (!stand) return;
    const moves = stand.moves.slice(0, to);
    const now = await this.engineState(stand.terms, moves);
    this.authors = this.authors.slice(0, to);
    const at = this.clockNow();
    const stopped = clock && stopClock(clock, at);
    this.change({
      stand: { ...stand, moves, ended: null }, now, undo: null, phase: "playing", offered: null,
      clock: stopped && this.clocksCount(moves) ? runClock(stopped, now.side, at) : stopped,
    }, { type: "stand" });
  }

  // Asking each other

  /** @param {number} to */
  askUndo(to) {
    const { stand, phase } = this.state;
    const disputed = phase === "disputed";
    if (!stand || stand.terms.rated && !disputed || !disputed && phase !== "playing") return;
    this.change({ undo: { by: this.role, to } });
    this.send("undo", { game: stand.game, at: disputed ? to : stand.moves.length, to, say: "ask" });
  }

  /** @param {boolean} yes */
  answerUndo(yes) {
    return this.enqueue(async () => {
      const { stand, undo, phase } = this.state;
      if (!stand || undo?.by !== this.other) return;
      this.send("undo", { game: stand.game, at: phase === "disputed" ? undo.to : stand.moves.length, to: undo.to, say: yes ? "yes" : "no" });
      if (yes) await this.rewind(undo.to);
      else this.change({ undo: null });
    });
  }

  /** @param {Message} message */
  async onUndo({ game, at, to, say }) {
    const { stand, undo, phase, common } = this.state;
    if (!stand || stand.game !== game) throw new Refused("stale", "undo");
    const disputed = phase === "disputed";
    const here = disputed ? at === common && to === common : at === stand.moves.length && to < at;
    if (say === "ask") {
      if (!here || !disputed && phase !== "playing") return; // a move crossed the question
      if (stand.terms.rated && !disputed) return this.send("undo", { game, at, to, say: "no" });
      return this.change({ undo: { by: this.other, to } });
    }
    if (undo?.by !== this.role || undo.to !== to || !here) throw new Refused("stale", "undo");
    if (say === "yes") await this.rewind(to);
    else this.change({ undo: null, note: { kind: "undo-refused" } });
  }

  askRematch() {
    const { stand, phase, rematch } = this.state;
    if (!stand || phase !== "over" || rematch?.by === this.role) return;
    this.swapping = true;
    this.change({ rematch: { by: this.role } });
    this.send("rematch", { game: stand.game, say: "ask" });
  }

  /** @param {boolean} yes */
  answerRematch(yes) {
    const { stand, rematch } = this.state;
    if (!stand || rematch?.by !== this.other) return;
    this.send("rematch", { game: stand.game, say: yes ? "yes" : "no" });
    this.change({ rematch: null });
    if (yes) this.again();
  }

  /** The same with colours changed: the host begins it, the guest expects it. */
  again() {
    const { stand } = this.state;
    if (!stand) return;
    this.swapping = true;
    if (this.role === "host") this.propose({ ...stand.terms, colours: "swap" }, stand.x === "host" ? "guest" : "host");
  }

  /** @param {Message} message */
  onRematch({ game, say }) {
    const { stand, phase, rematch } = this.state;
    if (!stand || stand.game !== game || phase !== "over") {
      if (phase === "proposing" || phase === "playing" || phase === "choosing") return; // both asked at once
      throw new Refused("stale", "rematch");
    }
    if (say === "ask") {
      if (rematch?.by !== this.role) return this.change({ rematch: { by: this.other } });
      this.change({ rematch: null });
      return this.again();
    }
    if (rematch?.by !== this.role) {
      if (this.swapping) return; // the answer to a question that the other side's own has settled
      throw new Refused("stale", "rematch");
    }
    this.change({ rematch: null, note: say === "no" ? { kind: "rematch-refused" } : null });
    if (say === "yes") this.again();
    else this.swapping = false;
  }

  /** @param {string} text */
  say(text) {
    const clean = cleanLine(text, MOST_CHAT);
    if (!clean || !this.link || !this.proven) return;
    this.send("chat", { text: clean });
    this.change({ chat: [...this.state.chat, { by: this.role, text: clean }].slice(-MOST_CHAT_KEPT) });
  }

  /** @param {boolean} on */
  mute(on) { this.change({ muted: on }); }

  /** @param {boolean} on */
  setAway(on) { if (this.proven) this.send("away", { on }); }

  // The end

  /** @param {Message} message */
  async onFlag({ game, at, side }) {
    const { stand, phase, clock } = this.state;
    if (!stand || stand.game !== game || at !== stand.moves.length || phase !== "playing" || !clock) return; // a move crossed the flag
    const mine = this.mySide();
    if (side !== mine) {
      // Whoever says so of oneself is believed.
      this.end({ winner: mine, reason: "time" });
    } else if (clock.running === mine && timeLeft(clock, mine, this.clockNow()) <= TOLERANCE) this.dropFlag();
    else this.send("deny", { game, at, why: "time" });
  }

  /** @param {Ended} ended */
  end({ winner, reason }) {
    const { stand, clock } = this.state;
    if (!stand || stand.ended) return;
    const mine = this.mySide();
    this.score = { mine: this.score.mine + (winner === null ? 0.5 : Number(winner === mine)), theirs: this.score.theirs + (winner === null ? 0.5 : Number(winner !== mine)) };
    const stopped = clock && stopClock(clock, this.clockNow());
    this.change({ stand: { ...stand, ended: { winner, reason } }, phase: "over", clock: stopped, undo: null, rematch: null }, reason === "time" ? { type: "stand" } : null);
    this.report();
    if (reason === "time") void this.enqueue(() => this.signRecord());
  }

  /** What both sides sign, or null when there is nothing to sign. */
  signedText() {
    const { stand, peer, ratings } = this.state;
    if (!stand?.ended || !stand.terms.rated || !peer) return null;
    const mine = { name: this.me.name, key: this.me.key, rating: ratings.mine };
    const theirs = { name: peer.name, key: peer.key, rating: ratings.theirs };
    return recordText(this.room, stand, this.role === "host" ? { host: mine, guest: theirs } : { host: theirs, guest: mine });
  }

  async signRecord() {
    const text = this.signedText();
    const { stand, signatures } = this.state;
    if (text === null || !stand) return;
    const mine = signatures.mine ?? await this.sign(text);
    this.change({ signatures: { ...this.state.signatures, mine } });
    this.send("sign", { game: stand.game, signature: mine });
    this.report();
  }

  /** @param {Message} message */
  async onSign({ game, signature }) {
    const { stand, peer } = this.state;
    const text = this.signedText();
    if (!stand || stand.game !== game || text === null || !peer?.key || !signature) throw new Refused("stale", "sign");
    if (!await this.verify(peer.key, text, signature)) throw new Refused("signature");
    this.change({ signatures: { ...this.state.signatures, theirs: signature } });
    this.report();
  }

  /** Tells of a finished game; again with each signature. */
  report() {
    const { stand, peer, ratings, signatures } = this.state;
    if (!stand?.ended || !peer) return;
    const result = { stand, peer, ratings, signatures, text: this.signedText() ?? "" };
    for (const listener of this.results) listener(result);
  }
}
