/** One room as this browser sees it: its session, its invitations and doors, those who watch, and what is kept of it. */

import { countMoves } from "../entries.js";
import { sign, verify } from "../profile/keys.js";
import { CodeError, decodeCode } from "./code.js";
import { answerTo, Invitation } from "./peer.js";
import { keepRoom } from "./rooms.js";
import { Session } from "./session.js";
import { awaitCodes, knock, openDoor } from "./tabs.js";
import { Relay, Watcher } from "./watch.js";

/** @typedef {import("./peer.js").Carrier} Carrier */
/** @typedef {import("./session.js").Seat} Seat */

const TICK = 250;

export class Room {
  /**
   * @param {object} means
   * @param {import("../app.js").App} means.app
   * @param {import("../profile/profile.js").Profile} means.profile
   * @param {import("../profile/keys.js").Keys | null} means.keys
   * @param {import("./config.js").SiteConfig} means.config
   * @param {Seat} means.role
   * @param {string} means.id
   * @param {import("./session.js").Saved | null} [means.saved]
   */
  constructor({ app, profile, keys, config, role, id, saved = null }) {
    this.app = app;
    this.profile = profile;
    this.config = config;
    this.id = id;
    this.role = role;
    this.session = new Session({
      role, room: id, me: { name: profile.name, key: keys?.public ?? null }, saved,
      ask: (method, params) => app.engine.request(method, params),
      rating: (ruleset) => profile.rating(ruleset),
      sign: async (text) => (keys ? sign(keys, text) : null), verify,
      save: (kept) => keepRoom(app.store, kept),
    });
    this.relay = new Relay(this.session, role === "host" ? config.spectators : 0);
    this.session.results.add((result) => this.count(result));
    /** Waiting for their answers, by ticket. @type {Map<string, Invitation>} */
    this.invitations = new Map();
    /** Told when an answer that another tab was opened with has been taken. @type {Set<(fault: CodeError | null) => void>} */
    this.answered = new Set();
    this.door = openDoor(id, (kind) => this.refusal(kind), (kind, carrier) => this.enter(kind, carrier));
    this.codes = awaitCodes((code) => this.hearCode(code));
    this.timer = setInterval(() => { this.session.tick(); this.relay.tick(); }, TICK);
    this.onvisible = () => this.session.setAway(document.hidden);
    document.addEventListener("visibilitychange", this.onvisible);
  }

  close() {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.onvisible);
    this.session.leave("left");
    this.relay.close();
    this.door.close();
    this.codes.close();
    for (const invitation of this.invitations.values()) invitation.cancel();
    this.invitations.clear();
  }

  /** Why nobody can come in now; null: come in. @param {"play" | "watch"} kind */
  refusal(kind) {
    if (kind === "watch") return this.role !== "host" ? "not-host" : this.relay.full ? "crowded" : null;
    return this.session.link ? "full" : null;
  }

  /** @param {"play" | "watch"} kind @param {Carrier} carrier */
  enter(kind, carrier) {
    if (kind === "watch") return this.relay.add(carrier);
    this.session.attach(carrier);
    carrier.onmessage = (data) => this.session.hear(data);
    carrier.onclose = () => void this.session.closed(carrier);
  }

  /** A fresh invitation; an unused older one to the same seat ends. @param {"play" | "watch"} kind @returns {Promise<Invitation>} */
  async invite(kind) {
    if (kind === "watch" && this.relay.full) throw new CodeError("crowded");
    for (const [ticket, old] of this.invitations) if (kind === "play" && old.kind === "play" && !old.used) { old.cancel(); this.invitations.delete(ticket); }
    const invitation = await Invitation.make(kind, this.id, this.config.iceServers);
    this.invitations.set(invitation.facts.ticket, invitation);
    return invitation;
  }

  /** @param {string} text an answer as it was pasted @returns {Promise<void>} rejects with CodeError */
  async takeAnswer(text) {
    const code = decodeCode(text, Date.now());
    if (code.kind !== "answer") throw new CodeError(this.invitations.has(code.ticket) ? "own-invitation" : "not-answer");
    const invitation = code.room === this.id ? this.invitations.get(code.ticket) : undefined;
    if (!invitation) throw new CodeError(code.room === this.id ? "old-answer" : "other-room");
    const kind = invitation.kind === "watch" ? "watch" : "play";
    const refusal = this.refusal(kind);
    if (invitation.used || refusal) throw new CodeError(invitation.used ? "taken" : String(refusal));
    try {
      this.enter(kind, await invitation.accept(code));
    } finally {
      this.invitations.delete(code.ticket);
    }
  }

  /** A code that another tab, or this one, was opened with. @param {string} text @returns {Promise<string> | null} what to send back; null: not for this room */
  hearCode(text) {
    let code;
    try { code = decodeCode(text); } catch { return null; }
    const ours = this.invitations.has(code.ticket);
    if (code.kind === "play" && code.room === this.id && !ours && this.session.state.stand && !this.session.link) return this.join(code).then((answer) => answer ?? "");
    if (code.kind !== "answer" || !ours) return null;
    this.takeAnswer(text).then(() => null, (fault) => (fault instanceof CodeError ? fault : new CodeError("unreachable"))).then((fault) => { for (const told of this.answered) told(fault); });
    return Promise.resolve("");
  }

  /**
   * Goes to a room by its invitation. @param {import("./code.js").Code} code
   * @returns {Promise<string | null>} the answer to send back, or null when a tab of this browser has the room and we are in
   */
  async join(code) {
    const { carrier, answer } = await knockOrAnswer(code, "play", this.config);
    if (carrier) {
      this.enter("play", carrier);
      return null;
    }
    answer.carrier.then((joined) => (this.session.link ? joined.close() : this.enter("play", joined)), () => { for (const told of this.answered) told(new CodeError("unreachable")); });
    return answer.code;
  }

  /** @param {{stand: import("./session.js").Stand, peer: import("./session.js").Peer, ratings: import("./session.js").RoomState["ratings"], signatures: import("./session.js").RoomState["signatures"], text: string}} result */
  count({ stand, peer, ratings, signatures, text }) {
    if (!stand.terms.rated || !stand.ended || !ratings.theirs) return;
    const side = this.session.mySide(stand);
    const { winner, reason } = stand.ended;
    this.profile.count({
      id: stand.game, ruleset: stand.terms.ruleset, kind: "friend", side, score: winner === null ? 0.5 : Number(winner === side), reason, moves: countMoves(stand.moves),
      opponent: { name: peer.name, key: peer.key, level: null, rating: ratings.theirs.rating, deviation: ratings.theirs.deviation }, text: text || null, signatures,
    });
  }
}

/**
 * Tries the tabs of this browser, and prepares an answer meanwhile. @param {import("./code.js").Code} code @param {"play" | "watch"} kind
 * @param {import("./config.js").SiteConfig} config
 * @returns {Promise<{carrier: Carrier, answer: null} | {carrier: null, answer: Awaited<ReturnType<typeof answerTo>>}>}
 */
async function knockOrAnswer(code, kind, config) {
  const preparing = answerTo(code, config.iceServers);
  const spare = () => preparing.then((answer) => { answer.carrier.catch(() => {}); answer.cancel(); }, () => {});
  try {
    const carrier = await knock(code.room, kind);
    if (!carrier) return { carrier: null, answer: await preparing };
    void spare();
    return { carrier, answer: null };
  } catch (fault) {
    void spare();
    throw fault;
  }
}

/** Goes to watch. @param {import("../app.js").App} app @param {string} name @param {import("./code.js").Code} code @param {import("./config.js").SiteConfig} config @returns {Promise<{watcher: Watcher, answer: string | null, failed: Promise<CodeError>}>} */
export async function goAndWatch(app, name, code, config) {
  const watcher = new Watcher({ room: code.room, name, ask: (method, params) => app.engine.request(method, params) });
  const { carrier, answer } = await knockOrAnswer(code, "watch", config);
  if (carrier) {
    watcher.attach(carrier);
    return { watcher, answer: null, failed: new Promise(() => {}) };
  }
  const failed = answer.carrier.then((joined) => { watcher.attach(joined); return new Promise(() => {}); }, () => new CodeError("unreachable"));
  return { watcher, answer: answer.code, failed: /** @type {Promise<CodeError>} */ (failed) };
}
