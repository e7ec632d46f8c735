/** The room: opening one, coming in by an invitation, and the table inside. */

import { button, el, openDialog } from "../dom.js";
import { countMoves } from "../entries.js";
import { ownRules } from "../own-rules.js";
import { cleanName, Profile } from "../profile/profile.js";
import { decodeCode } from "../room/code.js";
import { loadConfig } from "../room/config.js";
import { goAndWatch, Room } from "../room/room.js";
import { forgetRoom, listRooms, loadRoom } from "../room/rooms.js";
import { freshRoom } from "../room/session.js";
import { handOver } from "../room/tabs.js";
import { gameName, language, t } from "../text.js";
import { PlayScreen } from "./play.js";
import { RoomHouse, WatchHouse } from "./room/house.js";
import { inviteView } from "./room/invite.js";
import { faultText, handOn, linkOf, noNetwork, noteText, reachText } from "./room/parts.js";
import { Talk } from "./room/talk.js";
import { termsForm, termsLines } from "./room/terms.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../hash.js").Place} Place */
/** @typedef {import("../room/session.js").Stand} Stand */

/** The room that is open. It outlives its screen for a moment, so that a change of language does not end it. @type {Room | null} */
let open = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let closing;

/** The room that is open, for measuring. */
export const openRoom = () => open;

/** Where a seat's table stands. @param {{room: string, role: "host" | "guest"}} seat */
const addressOf = ({ room, role }) => `#/room/${room}${role === "guest" ? "/guest" : ""}`;

/** @type {import("../router.js").Screen["mount"]} */
export const mount = (outlet, app, place) => new RoomScreen(outlet, app, place);

class RoomScreen {
  /** @param {HTMLElement} outlet @param {App} app @param {Place} place */
  constructor(outlet, app, place) {
    this.app = app;
    this.outlet = outlet;
    this.profile = new Profile(app.store);
    /** What must be undone when the view changes. @type {(() => void)[]} */
    this.undo = [];
    /** @type {PlayScreen | null} */
    this.table = null;
    this.gone = false;
    clearTimeout(closing);
    void this.go(place);
  }

  destroy() {
    this.gone = true;
    this.clear();
    closing = setTimeout(() => { open?.close(); open = null; }, 0);
  }

  /** @param {Place} place */
  update(place) {
    const [id] = place.parts;
    if (open && id === open.id && !place.params.i) return true;
    if (place.params.i && open) {
      // An answer opened in the very tab that waits for it.
      try { if (decodeCode(place.params.i).kind === "answer" && open.hearCode(place.params.i)) { history.replaceState(null, "", "#/room"); return true; } } catch { /* told by a fresh screen */ }
    }
    return false;
  }

  clear() {
    for (const undo of this.undo.splice(0)) undo();
    this.table?.destroy();
    this.table = null;
    this.outlet.replaceChildren();
  }

  /** @param {string} title @param {...import("../dom.js").Child} content */
  page(title, ...content) {
    this.clear();
    this.outlet.append(el("div", { class: "room" }, el("h1", {}, title), ...content));
  }

  /** @param {Place} place */
  async go({ parts: [id, seat], params, problem }) {
    if (problem) return this.sorry(t("room.fault.damaged"));
    if (params.i) return this.enter(params.i);
    if (open && (!id || id === open.id)) return this.show(open);
    open?.close();
    open = null;
    if (id) return this.resume(id, seat === "guest" ? "guest" : "host");
    return this.lobby(params.g);
  }

  /** @param {string} text */
  sorry(text) {
    this.page(t("room.title"), el("p", { class: "notice", role: "alert" }, text), el("p", {}, el("a", { class: "button", href: "#/room" }, t(open?.session.state.stand ? "room.back" : "room.to-lobby"))));
  }

  // The lobby

  /** @param {string} [ruleset] */
  async lobby(ruleset) {
    this.page(t("room.title"));
    const [form, config] = await Promise.all([termsForm({ ruleset, own: ownRules(this.app.store) }).catch(() => null), loadConfig()]);
    if (this.gone) return;
    if (!form) return this.sorry(t("home.missing"));
    const name = this.nameField();
    const start = async () => {
      const wish = form.read();
      await this.takeName(name);
      const room = await this.make("host", freshRoom());
      room.session.wish = wish;
      this.show(room);
    };
    this.page(t("room.title"), el("p", { class: "room-lead" }, t("room.lead")), el("p", { class: "room-note" }, reachText(config)),
      el("form", { class: "room-form", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void start(); } },
        name.node, ...form.nodes, el("button", { type: "submit", class: "button primary wide" }, t("room.open"))),
      this.rooms(), el("p", { class: "room-more" }, el("a", { href: "#/letters" }, t("room.to-letters")), el("a", { href: "#/profile" }, t("room.to-profile")), el("a", { href: "#/privacy" }, t("room.to-privacy"))));
  }

  nameField() {
    const input = el("input", { type: "text", id: "room-name", maxlength: 24, autocomplete: "nickname", value: this.profile.name, required: true });
    return { input, node: el("div", { class: "field" }, el("label", { for: "room-name" }, t("room.name")), input) };
  }

  /** @param {{input: HTMLInputElement}} field */
  async takeName({ input }) { this.profile.rename(cleanName(input.value) || t("room.nobody")); }

  /** The rooms that wait to go on. */
  rooms() {
    const list = el("ul", {});
    const draw = () => list.replaceChildren(...listRooms(this.app.store).slice(0, 8).map((kept) => {
      const { peer, stand, updated } = kept;
      const when = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(updated);
      const name = peer?.name ?? "?";
      return el("li", {}, el("a", { href: addressOf(kept) }, el("strong", {}, el("bdi", {}, name)),
        el("span", {}, `${gameName(stand?.terms.ruleset.split("/")[0] ?? "")} · ${stand?.ended ? t("room.finished") : t("home.plies", { n: countMoves(stand?.moves ?? []) })} · ${when}`)),
      button({ label: t("room.forget", { name }), icon: "close", quiet: true, kind: "plain", press: () => { forgetRoom(this.app.store, kept); draw(); } }));
    }));
    draw();
    return list.childElementCount ? el("section", { class: "room-list", "aria-labelledby": "room-list-title" }, el("h2", { id: "room-list-title" }, t("room.mine")), list) : null;
  }

  /** @param {"host" | "guest"} role @param {string} id @param {import("../room/session.js").Saved | null} [saved] */
  async make(role, id, saved = null) {
    const [keys, config] = await Promise.all([this.profile.keys(), loadConfig()]);
    open?.close();
    open = new Room({ app: this.app, profile: this.profile, keys, config, role, id, saved });
    await open.session.wake();
    return open;
  }

  /** @param {string} id @param {"host" | "guest"} role */
  async resume(id, role) {
    const kept = loadRoom(this.app.store, id, role);
    if (!kept) return this.sorry(t("room.fault.unknown-room"));
    this.page(t("room.title"), el("p", {}, t("room.opening")));
    const room = await this.make(kept.role, id, kept);
    if (!this.gone) this.show(room);
  }

  // Coming in

  /** @param {string} text */
  async enter(text) {
    let code;
    try {
      code = decodeCode(text, Date.now());
    } catch (fault) {
      return this.sorry(faultText(fault));
    }
    history.replaceState(null, "", "#/room");
    if (code.kind === "answer") {
      this.page(t("room.title"), el("p", {}, t("room.handing")));
      const taken = await handOver(text);
      if (this.gone) return;
      if (!taken) return this.sorry(t("room.fault.no-host"));
      this.page(t("room.title"), el("p", { class: "room-lead", role: "status" }, t("room.handed-over")));
      return;
    }
    const kept = loadRoom(this.app.store, code.room);
    if (kept && code.kind === "play" && open?.id !== code.room && await this.handIn(text)) return;
    const config = await loadConfig();
    if (this.gone) return;
    const name = this.nameField();
    const again = kept && code.kind === "play";
    const go = async () => {
      await this.takeName(name);
      if (code.kind === "watch") return this.watch(code);
      await this.join(code, kept);
    };
    this.page(t(code.kind === "watch" ? "room.invited.watch" : again ? "room.invited.again" : "room.invited"),
      el("p", { class: "room-lead" }, t(code.kind === "watch" ? "room.invited.watch.note" : "room.invited.note")),
      el("form", { class: "room-form", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void go(); } },
        name.node, el("button", { type: "submit", class: "button primary wide" }, t("room.come-in"))),
      el("p", { class: "room-note" }, reachText(config), " ", t("room.reveals"), " ", el("a", { href: "#/privacy" }, t("room.to-privacy"))));
    name.input.focus();
  }

  /** An invitation back to a game whose table stands in another tab: the answer is shown here, the game goes on there. @param {string} text @returns {Promise<boolean>} */
  async handIn(text) {
    this.page(t("room.title"), el("p", { role: "status" }, t("room.preparing")));
    const taken = await handOver(text);
    if (!taken) return this.gone;
    const answer = await taken.back;
    if (this.gone) return true;
    if (answer) this.answering(answer, t("room.step.there"));
    else this.page(t("room.title"), el("p", { class: "room-lead", role: "status" }, t("room.handed-over")));
    return true;
  }

  /** @param {import("../room/code.js").Code} code @param {import("../room/rooms.js").Kept | null} kept */
  async join(code, kept) {
    this.page(t("room.title"), el("p", { role: "status" }, t("room.preparing")));
    // Whoever watches a room that is open here goes on watching.
    const room = kept && open?.id === code.room ? open : await this.make(kept?.role ?? "guest", code.room, kept);
    room.session.me = { ...room.session.me, name: this.profile.name };
    try {
      const answer = await room.join(code);
      if (this.gone) return;
      if (answer === null) return this.show(room);
      this.answering(answer);
      const told = (/** @type {import("../room/code.js").CodeError | null} */ fault) => { if (fault && !room.session.link) this.sorry(faultText(fault)); };
      room.answered.add(told);
      const stop = room.session.listen((state) => { if (state.phase !== "alone" && state.phase !== "apart") { stop(); this.show(room); } });
      this.undo.push(() => { room.answered.delete(told); stop(); });
    } catch (fault) {
      this.sorry(faultText(fault));
    }
  }

  /** @param {string} answer @param {string} [next] what happens then */
  answering(answer, next = t("room.step.wait.note")) {
    this.page(t("room.answering"), noNetwork(decodeCode(answer).session), el("ol", { class: "room-steps" },
      el("li", {}, el("h2", {}, t("room.step.return")), handOn({ link: linkOf(answer), label: t("room.answer.link"), qr: t("room.answer.qr") })),
      el("li", {}, el("h2", {}, t("room.step.wait")), el("p", { class: "room-note" }, next))));
  }

  /** @param {import("../room/code.js").Code} code */
  async watch(code) {
    this.page(t("room.title"), el("p", { role: "status" }, t("room.preparing")));
    try {
      const { watcher, answer, failed } = await goAndWatch(this.app, this.profile.name, code, await loadConfig());
      if (this.gone) return watcher.leave();
      if (answer) this.answering(answer);
      failed.then((fault) => { if (!this.gone) this.sorry(faultText(fault)); });
      let laid = "";
      const draw = () => {
        const { phase, stand, note } = watcher.state;
        if (stand && stand.game !== laid) {
          laid = stand.game;
          this.clear();
          this.lay(new WatchHouse(watcher), stand, { x: "remote", o: "remote" }, false);
          this.followClock(watcher);
        } else if (this.table) this.table.drawPanel();
        else if (phase === "gone") this.sorry(note ? noteText(note) : t("room.watch.gone"));
        else if (phase === "waiting") this.page(t("room.watching"), el("p", { role: "status" }, t("room.watch.waiting")));
      };
      const stop = watcher.listen(draw);
      this.leave = () => { stop(); watcher.leave(); };
      if (watcher.state.phase === "waiting") draw();
      addEventListener("pagehide", () => watcher.leave(), { once: true });
      const { destroy } = this;
      this.destroy = () => { stop(); watcher.leave(); destroy.call(this); };
    } catch (fault) {
      this.sorry(faultText(fault));
    }
  }

  // Inside

  /** @param {Room} room */
  show(room) {
    const address = addressOf({ room: room.id, role: room.role });
    let laid = "";
    let card = "";
    /** @type {Talk} */
    let talk;
    const { session } = room;
    const draw = (/** @type {import("../room/session.js").RoomState} */ state) => {
      const { phase, stand, offered } = state;
      if (stand) {
        if (location.hash !== address) history.replaceState(null, "", address);
        if (stand.game !== laid) {
          laid = stand.game;
          this.clear();
          talk = this.talkOf(room);
          const house = new RoomHouse(session, {
            corner: talk.node, again: () => this.inviteAgain(room, "play"), terms: session.role === "host" ? () => void this.otherTerms(room) : null,
            talk: () => { this.table?.node.classList.toggle("shows-talk"); this.table?.node.classList.remove("has-news"); },
          });
          const mine = session.mySide();
          this.lay(house, stand, { x: mine === "x" ? "human" : "remote", o: mine === "o" ? "human" : "remote" }, mine === "o");
          this.watchState(session, draw);
        }
        if (talk.update(state)) {
          this.table?.node.classList.add("has-news");
          this.app.announce(`${state.peer?.name}: ${state.chat.at(-1)?.text}`);
        }
        this.table?.drawPanel();
        return;
      }
      const key = `${phase} ${offered?.game} ${state.note?.kind}`;
      if (key === card) return;
      card = key;
      this.card(room, state);
      this.watchState(session, draw);
    };
    this.watchState(session, draw);
    draw(session.state);
  }

  /** @param {import("../room/session.js").Session} session @param {(state: import("../room/session.js").RoomState) => void} draw */
  watchState(session, draw) {
    const before = { note: /** @type {unknown} */ (null) };
    this.undo.push(session.listen((state) => {
      if (state.note && state.note !== before.note) this.app.announce(noteText(state.note));
      before.note = state.note;
      draw(state);
    }));
    this.followClock(session);
  }

  /** While a clock runs the panel shows it. @param {import("../room/session.js").Session | import("../room/watch.js").Watcher} source */
  followClock(source) {
    const timer = setInterval(() => { if (source.state.clock?.running) this.table?.drawPanel(); }, 200);
    this.undo.push(() => clearInterval(timer));
  }

  /** @param {Room} room */
  talkOf(room) {
    const { session } = room;
    return new Talk({
      role: session.role, me: session.me.name, say: (text) => session.say(text), mute: (on) => session.mute(on),
      watch: room.role === "host" && room.config.spectators > 0 ? () => this.inviteAgain(room, "watch") : null,
    });
  }

  /** @param {import("./play/house.js").House} house @param {Stand} stand @param {NonNullable<import("../game.js").Setup["seats"]>} seats @param {boolean} flip */
  lay(house, stand, seats, flip) {
    const place = { route: "room", parts: [], params: {}, problem: null };
    this.table = new PlayScreen(this.outlet, this.app, place, { house, setup: { ruleset: stand.terms.ruleset, start: stand.terms.start, moves: stand.moves, seats, flip } });
    this.table.node.classList.add("in-room");
  }

  /** Before a game stands. @param {Room} room @param {import("../room/session.js").RoomState} state */
  card(room, state) {
    const { session } = room;
    const { phase, offered, peer, note, ratings } = state;
    const name = peer?.name ?? "";
    const alert = note ? el("p", { class: "notice", role: "alert" }, noteText(note)) : null;
    if ((phase === "choosing" || phase === "handed") && offered) {
      const rating = ratings.theirs ? el("li", {}, t("room.their-rating", { name, rating: Math.round(ratings.theirs.rating), deviation: Math.round(2 * ratings.theirs.deviation) })) : null;
      return this.page(t(phase === "handed" ? "room.handed" : "room.offer", { name }), alert,
        phase === "handed" ? el("p", {}, t("room.handed.note", { name, n: countMoves(offered.moves) })) : null,
        el("ul", { class: "room-terms" }, ...termsLines(offered, session.role).map((line) => el("li", {}, line)), rating),
        el("div", { class: "room-buttons" }, button({ label: t("room.decline"), press: () => void session.answer(false) }), button({ label: t("room.sit"), kind: "primary", press: () => void session.answer(true) })));
    }
    if (phase === "greeting" || phase === "choosing") return this.page(t("room.title"), alert, el("p", { role: "status" }, t("room.greeting")));
    if (phase === "proposing") return this.page(t("room.title"), alert, el("p", { role: "status" }, t("room.proposing", { name })));
    if (room.role === "guest") return this.page(t("room.title"), alert ?? el("p", {}, t(phase === "refused" ? "room.left" : "room.alone.guest")), el("p", {}, el("a", { class: "button", href: "#/room", onclick: () => { open?.close(); open = null; } }, t("room.to-lobby"))));
    const view = inviteView(room, "play");
    this.page(t("room.inviting"), alert, el("p", { class: "room-lead" }, t("room.inviting.note")), view.node, button({ label: t("room.give-up"), kind: "plain", press: () => { open?.close(); open = null; void this.lobby(); } }));
    this.undo.push(view.destroy);
  }

  /** A fresh invitation, over the table. @param {Room} room @param {"play" | "watch"} kind */
  inviteAgain(room, kind) {
    const view = inviteView(room, kind, { entered: () => { if (kind === "play") dialog.close(); } });
    const dialog = openDialog({
      title: t(kind === "watch" ? "room.invite-watch" : "room.again"), close: t("close"), kind: "room-dialog", onclose: () => { view.destroy(); stop(); },
      content: [el("p", {}, kind === "watch" ? t("room.watch.limit", { n: room.config.spectators }) : t("room.again.note")), view.node],
    });
    const stop = room.session.listen((state) => { if (kind === "play" && room.session.link && state.phase !== "apart") dialog.close(); });
  }

  /** Another game by other rules, proposed by the host. @param {Room} room */
  async otherTerms(room) {
    const form = await termsForm({ ruleset: room.session.state.stand?.terms.ruleset, own: ownRules(this.app.store) }).catch(() => null);
    if (!form) return;
    const dialog = openDialog({ title: t("room.other-rules"), close: t("close"), kind: "room-dialog", content: [el("form", { class: "room-form", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const { terms, x } = form.read();
      dialog.close();
      room.session.propose(terms, x);
    } }, ...form.nodes, el("button", { type: "submit", class: "button primary wide" }, t("room.propose")))] });
  }
}
