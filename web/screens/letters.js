/** Games by letter: the list of them, a new one, and what an opened link brings. */

import { loadIndex } from "../boards.js";
import { button, el } from "../dom.js";
import { countMoves } from "../entries.js";
import { Game, problemOf } from "../game.js";
import { ownRules } from "../own-rules.js";
import { cleanName, Profile } from "../profile/profile.js";
import { commonOf, forgetLetter, freshLetter, keepLetter, listLetters, loadLetter, relate } from "../room/letters.js";
import { linkHash, readHash } from "../share/link.js";
import { fullName, language, t } from "../text.js";
import { otherSide, problemText, sideName } from "../wording.js";
import { rulesetPicker } from "./picker.js";
import { House } from "./play/house.js";
import { PlayScreen } from "./play.js";
import { handOn } from "./room/parts.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../room/letters.js").Letter} Letter */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../game.js").GameState} GameState */

/** A replayed move stands so long before the next, ms. */
const STEP = 900;

/** @param {string} address */
const siteOf = (address) => address.split("#")[0];

/** @param {Letter} letter @returns {Promise<string>} the link to send */
export async function letterLink({ k, ruleset, start, moves, names }) {
  return siteOf(location.href) + await linkHash("letters", { g: ruleset, p: start ?? undefined, m: moves, k, x: names.x || undefined, o: names.o || undefined });
}

/** The play screen's house for a game by letter. */
export class LetterHouse extends House {
  /** @override */
  writesAddress = false;
  /** @override */
  free = false;

  /** @param {App} app @param {Letter} letter */
  constructor(app, letter) {
    super();
    this.app = app;
    this.letter = letter;
    this.node = el("section", { class: "letter-corner", "aria-label": t("letters.send"), hidden: true });
    this.drawn = -1;
    /** Told when the link was taken in hand. */
    this.onhanded = () => {};
  }

  /** @override @param {import("../game.js").Setup} setup @param {ConstructorParameters<typeof Game>[1]} means */
  game(setup, means) {
    const game = new Game(setup, { ...means, store: null });
    game.listen((state) => this.follow(state));
    return game;
  }

  /** Keeps what was played, and has the next link ready when it is the other side's turn. @param {GameState} state */
  follow(state) {
    if (!state.now || state.pending) return;
    if (state.moves !== this.letter.moves || Boolean(state.now.outcome) !== this.letter.over) {
      this.letter = { ...this.letter, moves: state.moves, over: Boolean(state.now.outcome), sent: Math.min(this.letter.sent, state.moves.length), updated: Date.now() };
      keepLetter(this.app.store, this.letter);
    }
    const theirs = this.theirTurn(state);
    this.node.hidden = !theirs;
    if (theirs && this.drawn !== state.moves.length) void this.drawLink(state.moves.length);
    if (!theirs) this.drawn = -1;
  }

  /** Whether a link is due: the other side is to move, to answer, or to learn the end. @param {GameState} state */
  theirTurn({ now, moves }) {
    if (!now) return false;
    if (now.outcome) return this.letter.sent < moves.length || moves.length === 0;
    if (now.offer) return now.offer.by === this.letter.side;
    return now.side !== this.letter.side;
  }

  /** @param {number} count */
  async drawLink(count) {
    this.drawn = count;
    const link = await letterLink(this.letter);
    if (this.drawn !== count) return;
    this.node.replaceChildren(el("h2", {}, t("letters.send")), handOn({ link, label: t("letters.link"), qr: t("letters.qr") }));
    // Whoever takes the link in hand is taken to have sent it: from then on the move stands.
    const handed = () => {
      this.letter = { ...this.letter, sent: this.letter.moves.length };
      keepLetter(this.app.store, this.letter);
      this.onhanded();
    };
    for (const node of this.node.querySelectorAll("input, button, summary")) node.addEventListener("click", handed);
  }

  /** @override */
  corner() { return this.node; }

  /** @override @param {GameState} state @param {Side} side */
  player(state, side) {
    const mine = side === this.letter.side;
    const colour = state.description ? sideName(state.description, side) : "";
    const name = this.letter.names[side] || (mine ? t("player.you") : colour);
    return { name, note: name === colour ? "" : colour };
  }

  /** A move may be taken back until its link was handed on. @override @param {GameState} state */
  mayUndo(state) {
    const last = state.plies.at(-1);
    return state.plies.length > this.letter.sent && last?.side === this.letter.side && last.kind !== "event";
  }

  /** @override */
  notNow() { return t("letters.wait"); }

  /** @override */
  afterwards() { return [{ label: t("letters.to-list"), press: () => { location.hash = "#/letters"; } }]; }
}

/** @type {import("../router.js").Screen["mount"]} */
export const mount = (outlet, app, place) => new LettersScreen(outlet, app, place);

class LettersScreen {
  /** @param {HTMLElement} outlet @param {App} app @param {import("../hash.js").Place} place */
  constructor(outlet, app, place) {
    this.outlet = outlet;
    this.app = app;
    this.profile = new Profile(app.store);
    /** @type {PlayScreen | null} */
    this.table = null;
    /** @type {LetterHouse | null} */
    this.house = null;
    this.gone = false;
    // A link that was pressed elsewhere opens a tab of its own: what is played there is played here.
    this.onstorage = () => this.follow();
    addEventListener("storage", this.onstorage);
    void this.go(place);
  }

  destroy() {
    this.gone = true;
    removeEventListener("storage", this.onstorage);
    this.clear();
  }

  /** Takes over what another tab has kept of the game that lies here. */
  follow() {
    const here = this.house?.letter;
    const there = here && loadLetter(this.app.store, here.k);
    if (!this.house || !there) return;
    if (there.moves.join(" ") !== here.moves.join(" ")) return this.lay(there, { from: commonOf(here.moves, there.moves) });
    this.house.letter = { ...there, moves: here.moves };
    this.table?.drawPanel();
  }

  clear() {
    this.table?.destroy();
    this.table = null;
    this.house = null;
    this.outlet.replaceChildren();
  }

  /** @param {string} title @param {...import("../dom.js").Child} content */
  page(title, ...content) {
    this.clear();
    this.outlet.append(el("div", { class: "room" }, el("h1", {}, title), ...content));
  }

  /** @param {import("../hash.js").Place} place */
  async go(place) {
    const [k] = place.parts;
    if (k) {
      const letter = loadLetter(this.app.store, k);
      return letter ? this.lay(letter) : this.list(t("letters.unknown"));
    }
    if (!place.params.k && !place.problem) return this.list();
    const { params, problem } = await readHash(location.hash);
    if (this.gone) return;
    if (problem) return this.list(problemText(problem));
    if (!params.k || !params.g) return this.list(t("letters.unknown"));
    return this.open({ k: params.k, ruleset: params.g, start: params.p ?? null, moves: params.m ?? [], names: { x: params.x ?? "", o: params.o ?? "" } });
  }

  // An opened link

  /** @param {Pick<Letter, "k" | "ruleset" | "start" | "moves" | "names">} link */
  async open(link) {
    this.page(t("letters.title"), el("p", { role: "status" }, t("letters.reading")));
    /** @type {import("../wire.js").Record_} */
    let record;
    try {
      record = await this.app.engine.request("game", { ruleset: link.ruleset, ...(link.start === null ? {} : { position: link.start }), moves: link.moves });
    } catch (fault) {
      return this.list(`${t("letters.bad")} ${problemText(problemOf(fault))}`);
    }
    if (this.gone) return;
    const kept = loadLetter(this.app.store, link.k);
    if (kept && (kept.ruleset !== link.ruleset || kept.start !== link.start)) return this.list(t("letters.bad"));
    if (!kept) return this.welcome(link, record);
    const over = Boolean(record.state.outcome);
    const theirs = record.plies.map(({ text }) => text);
    const { relation, common } = relate(kept.moves, record.plies, kept.side);
    const named = { ...kept, names: { x: kept.names.x || link.names.x, o: kept.names.o || link.names.o } };
    if (relation === "news") {
      const letter = { ...named, moves: theirs, over, sent: theirs.length, updated: Date.now() };
      keepLetter(this.app.store, letter);
      return this.lay(letter, { from: common, told: t("letters.news", { n: theirs.length - common }) });
    }
    if (relation === "same") return this.lay(named, { told: t("letters.same") });
    if (relation === "stale") return this.lay(named, { told: t("letters.stale", { n: countMoves(kept.moves.slice(common)) }) });
    this.fork(named, theirs, over, relation, common);
  }

  /** A game that is new here: the other side's seat, or only a look that keeps nothing. @param {Pick<Letter, "k" | "ruleset" | "start" | "moves" | "names">} link @param {import("../wire.js").Record_} record */
  welcome({ k, ruleset, start, names }, { plies, state }) {
    const last = plies.at(-1);
    const over = Boolean(state.outcome);
    const side = last && (last.kind === "event" || over) ? otherSide(last.side) : state.side;
    const who = names[otherSide(side)] || t("letters.someone");
    const moves = plies.map(({ text }) => text);
    const name = el("input", { type: "text", id: "letter-name", maxlength: 24, autocomplete: "nickname", value: names[side] || this.profile.name });
    const sit = () => {
      this.profile.rename(cleanName(name.value));
      /** @type {Letter} */
      const letter = { v: 1, k, ruleset, start, moves, names: { ...names, [side]: this.profile.name }, side, sent: moves.length, over, updated: Date.now() };
      keepLetter(this.app.store, letter);
      this.lay(letter, { from: 0, told: t("letters.first", { who }) });
    };
    const look = async () => { location.hash = await linkHash("analyse", { g: ruleset, p: start ?? undefined, m: moves }); };
    this.page(t("letters.welcome", { who }), el("p", { class: "room-lead" }, `${fullName(ruleset)} · ${over ? t("room.finished") : t("home.plies", { n: countMoves(moves) })}`),
      el("form", { class: "room-form letter-welcome", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); sit(); } },
        el("div", { class: "field" }, el("label", { for: "letter-name" }, t("room.name")), name),
        el("p", { class: "room-note" }, t("letters.welcome.note")),
        el("div", { class: "room-buttons" }, button({ label: t("letters.look"), press: () => void look() }), el("button", { type: "submit", class: "button primary" }, t("room.sit")))));
  }

  /** Two records of one game: both are shown, and the visitor decides. @param {Letter} kept @param {string[]} theirs @param {boolean} over @param {"fork" | "mine"} relation @param {number} common */
  fork(kept, theirs, over, relation, common) {
    const from = (/** @type {string[]} */ moves) => moves.slice(common, common + 4).join("  ") + (moves.length > common + 4 ? " …" : "") || t("letters.nothing-more");
    const take = () => {
      // Ours is kept beside it, under a name of its own.
      if (relation === "fork") keepLetter(this.app.store, { ...kept, k: freshLetter(), updated: Date.now() - 1 });
      const letter = { ...kept, moves: theirs, over, sent: theirs.length, updated: Date.now() };
      keepLetter(this.app.store, letter);
      this.lay(letter, { from: common });
    };
    this.page(t(`letters.${relation}`), el("p", { role: "alert" }, t(`letters.${relation}.note`, { n: common })),
      el("dl", { class: "letter-fork" }, el("dt", {}, t("letters.here")), el("dd", {}, from(kept.moves)), el("dt", {}, t("letters.in-link")), el("dd", {}, from(theirs))),
      el("div", { class: "room-buttons" }, button({ label: t("letters.keep"), kind: "primary", press: () => this.lay(kept) }), button({ label: t("letters.take"), press: take })));
  }

  /** @param {Letter} letter @param {{from?: number, told?: string}} [news] from: replay what came after so many entries */
  lay(letter, { from = letter.moves.length, told } = {}) {
    this.clear();
    history.replaceState(null, "", `#/letters/${letter.k}`);
    const seats = { x: letter.side === "x" ? "human" : "remote", o: letter.side === "o" ? "human" : "remote" };
    const house = new LetterHouse(this.app, letter);
    const table = new PlayScreen(this.outlet, this.app, { route: "letters", parts: [], params: {}, problem: null }, {
      house, setup: { ruleset: letter.ruleset, start: letter.start, moves: letter.moves, seats: /** @type {any} */ (seats), flip: letter.side === "o" } });
    this.table = table;
    this.house = house;
    house.onhanded = () => table.drawPanel();
    table.node.classList.add("in-letter");
    if (told) this.app.announce(told);
    const tell = () => {
      if (!told) return;
      table.refusal = told;
      table.drawPanel();
    };
    const stop = table.game.listen((state) => {
      if (!state.now) return;
      stop();
      if (from < state.plies.length) {
        table.game.dispatch({ type: "show", cursor: from });
        setTimeout(step, STEP);
      }
      tell();
    });
    /** What came since is replayed, until the visitor takes the record in hand. */
    const step = () => {
      const { cursor, plies } = table.game.state;
      if (table.game.gone || cursor !== from || cursor >= plies.length) return;
      from += 1;
      table.game.dispatch({ type: "show", cursor: from });
      tell();
      setTimeout(step, STEP);
    };
  }

  // The list

  /** @param {string} [trouble] */
  async list(trouble) {
    const infos = await loadIndex().catch(() => []);
    if (this.gone) return;
    if (trouble) history.replaceState(null, "", "#/letters");
    const name = el("input", { type: "text", id: "letter-name", maxlength: 24, autocomplete: "nickname", value: this.profile.name });
    const rules = rulesetPicker({ id: "letter-rules", infos, own: ownRules(this.app.store), chosen: "alquerque/table", change: () => {} });
    const begin = () => {
      this.profile.rename(cleanName(name.value));
      /** @type {Letter} */
      const letter = { v: 1, k: freshLetter(), ruleset: rules.value, start: null, moves: [], side: "x", names: { x: this.profile.name, o: "" }, sent: 0, over: false, updated: Date.now() };
      keepLetter(this.app.store, letter);
      this.lay(letter);
    };
    this.page(t("letters.title"), trouble ? el("p", { class: "notice", role: "alert" }, trouble) : null,
      el("p", { class: "room-lead" }, t("letters.lead")), this.mine(),
      el("form", { class: "room-form", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); begin(); } },
        el("h2", {}, t("letters.new")),
        el("div", { class: "field" }, el("label", { for: "letter-name" }, t("room.name")), name),
        el("div", { class: "field" }, el("label", { for: "letter-rules" }, t("setup.rules")), rules),
        el("p", { class: "room-note" }, t("letters.new.note")),
        el("button", { type: "submit", class: "button primary wide" }, t("letters.begin"))),
      el("p", { class: "room-more" }, el("a", { href: "#/room" }, t("room.title")), el("a", { href: "#/privacy" }, t("room.to-privacy"))));
  }

  mine() {
    const list = el("ul", {});
    const draw = () => list.replaceChildren(...listLetters(this.app.store).map((letter) => {
      const when = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(letter.updated);
      const name = letter.names[otherSide(letter.side)] || t("letters.someone");
      const where = letter.over ? t("room.finished") : t("home.plies", { n: countMoves(letter.moves) });
      return el("li", {}, el("a", { href: `#/letters/${letter.k}` }, el("strong", {}, el("bdi", {}, name)),
        el("span", {}, `${fullName(letter.ruleset)} · ${where} · ${when}`)),
      button({ label: t("letters.forget", { name }), icon: "close", quiet: true, kind: "plain", press: () => { forgetLetter(this.app.store, letter.k); draw(); } }));
    }));
    draw();
    return list.childElementCount ? el("section", { class: "room-list", "aria-labelledby": "letters-list" }, el("h2", { id: "letters-list" }, t("letters.mine")), list) : null;
  }
}
