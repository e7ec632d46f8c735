/** My games: what is begun and what is over, with a picture each; everything as one file, out and in. */

import { Board } from "../board/board.js";
import { loadBoard } from "../boards.js";
import { button, confirm, el, openDialog } from "../dom.js";
import { countMoves } from "../entries.js";
import { exportEverything, MOST_FILE, readEverything, takeEverything } from "../everything.js";
import { problemOf } from "../game.js";
import { cleanLine } from "../names.js";
import { listLetters } from "../room/letters.js";
import { listRooms } from "../room/rooms.js";
import { linkHash } from "../share/link.js";
import { saveFile } from "../share/record.js";
import { LONGEST_NAME } from "../store.js";
import { fullName, gameName, listOf, t } from "../text.js";
import { problemText } from "../wording.js";
import { bytesInWords } from "./amounts.js";
import { gameAddress, gameTitle, openGame } from "./saved.js";

/** @typedef {import("../store.js").SavedGame} SavedGame */

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app) {
  return new GamesScreen(outlet, app);
}

class GamesScreen {
  /** @param {HTMLElement} outlet @param {import("../app.js").App} app */
  constructor(outlet, app) {
    this.app = app;
    /** @type {Map<string, Board>} */
    this.boards = new Map();
    /** @type {SavedGame | null} the one that can come back */
    this.dropped = null;
    this.gone = false;
    this.notice = el("div", { class: "games-notice", role: "status" });
    this.waiting = el("ul", { class: "games-list" });
    this.over = el("ul", { class: "games-list" });
    this.sections = [
      el("section", { "aria-labelledby": "games-waiting" }, el("h2", { id: "games-waiting" }, t("games.waiting")), this.waiting),
      el("section", { "aria-labelledby": "games-over" }, el("h2", { id: "games-over" }, t("games.over")), this.over),
    ];
    this.none = el("p", { class: "tools-line" }, t("games.none"), " ", el("a", { href: "#/" }, t("games.choose")));
    /** Games that have a list of their own. */
    this.elsewhere = el("p", { class: "editor-row games-elsewhere" });
    this.storage = el("p", { class: "games-storage" });
    this.file = el("input", { type: "file", class: "only-heard", id: "games-file", accept: ".json,application/json", "aria-label": t("games.import"), tabindex: -1, onchange: () => void this.takeFile() });
    this.node = el("div", { class: "games" },
      el("header", { class: "games-head" }, el("h1", {}, t("games.title")), el("p", { class: "tools-line" }, t("games.line"))),
      this.notice, this.none, ...this.sections, this.elsewhere,
      el("section", { class: "games-file", "aria-labelledby": "games-everything" }, el("h2", { id: "games-everything" }, t("games.everything")), el("p", { class: "tools-line" }, t("games.everything.line")),
        el("div", { class: "editor-row" }, button({ label: t("games.export"), icon: "save", press: () => this.saveAll() }), button({ label: t("games.import"), icon: "list", press: () => this.file.click() }), this.file),
        this.storage));
    outlet.append(this.node);
    // Another tab may play on.
    this.onstorage = (/** @type {StorageEvent} */ event) => { if (event.key === null || /^qirkat[.](game|room|letter)[.]/.test(event.key)) this.draw(); };
    addEventListener("storage", this.onstorage);
    this.draw();
  }

  destroy() {
    this.gone = true;
    removeEventListener("storage", this.onstorage);
    for (const board of this.boards.values()) board.destroy();
    this.node.remove();
  }

  draw() {
    const { store } = this.app;
    const games = store.games().filter((game) => game.moves.length > 0 || game.start !== null);
    for (const board of this.boards.values()) board.destroy();
    this.boards.clear();
    const waiting = games.filter((game) => !game.over);
    const over = games.filter((game) => game.over);
    this.waiting.replaceChildren(...waiting.map((game) => this.drawGame(game)));
    this.over.replaceChildren(...over.map((game) => this.drawGame(game)));
    this.sections[0].hidden = waiting.length === 0;
    this.sections[1].hidden = over.length === 0;
    const others = /** @type {const} */ ([["rooms", "room", listRooms(store).length], ["letters", "letters", listLetters(store).length]]).filter(([, , n]) => n > 0);
    this.elsewhere.replaceChildren(...others.map(([part, route, n]) => el("a", { class: "button", href: `#/${route}` }, t(`games.part.${part}`, { n }))));
    this.elsewhere.hidden = others.length === 0;
    this.none.hidden = games.length > 0 || others.length > 0;
    const used = bytesInWords(store.size());
    this.storage.textContent = store.storage === null ? t("store.blocked") : store.safe ? t("games.storage", { size: used }) : t("store.full", { size: used });
    this.storage.classList.toggle("notice", !store.safe);
  }

  /** @param {SavedGame} game */
  drawGame(game) {
    const title = gameTitle(game);
    const picture = el("span", { class: "games-picture", "aria-hidden": "true" });
    const link = el("a", { class: "games-door", href: "#/games", onclick: (/** @type {Event} */ event) => { event.preventDefault(); void openGame(game); } }, picture,
      el("span", { class: "games-words" }, el("strong", {}, el("bdi", {}, title)),
        game.name ? el("span", {}, fullName(game.ruleset)) : null,
        el("span", {}, `${t("home.plies", { n: countMoves(game.moves) })} · ${against(game)}`),
        el("span", {}, new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }).format(game.updated))));
    void gameAddress(game).then((address) => link.setAttribute("href", address));
    void this.drawPicture(game, picture);
    return el("li", { class: "games-game" }, link, el("div", { class: "games-buttons" },
      button({ label: t("games.rename"), kind: "slim plain", press: () => this.rename(game) }),
      button({ label: t("games.analyse"), kind: "slim plain", press: () => void this.analyse(game) }),
      button({ label: t("home.forget", { name: title }), icon: "close", quiet: true, kind: "plain games-forget", press: () => this.drop(game) })));
  }

  /** The last position, once it comes into view. @param {SavedGame} game @param {Element} host */
  async drawPicture(game, host) {
    await inView(host);
    const { ruleset, start, moves } = game;
    try {
      const description = (await loadBoard(ruleset).catch(() => null))?.describe ?? await this.app.engine.request("describe", { ruleset });
      if (this.gone || !host.isConnected) return;
      const board = new Board(host, description, { still: true, flip: game.flip, label: gameName(description.game) });
      this.boards.get(game.id)?.destroy();
      this.boards.set(game.id, board);
      const now = await this.app.engine.request("state", { ruleset, ...(start === null ? {} : { position: start }), moves });
      if (!this.gone && host.isConnected) board.show({ pieces: now.pieces, trail: now.last });
    } catch { /* a game that cannot be read any more has no picture; opening it tells why */ }
  }

  /** @param {SavedGame} game */
  async analyse(game) {
    location.hash = await linkHash("analyse", { g: game.ruleset, p: game.start ?? undefined, m: game.moves, flip: game.flip }, 1800);
  }

  /** @param {SavedGame} game */
  rename(game) {
    const field = el("input", { type: "text", id: "games-name", maxlength: LONGEST_NAME, value: game.name ?? "", autocomplete: "off", placeholder: gameTitle({ ...game, name: undefined }) });
    const dialog = openDialog({
      title: t("games.rename"), close: t("close"),
      content: [el("form", { class: "field", onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.app.store.renameGame(game.id, cleanLine(field.value, LONGEST_NAME));
        dialog.close();
        this.draw();
      } }, el("label", { for: "games-name" }, t("games.name")), field, el("button", { type: "submit", class: "button primary" }, t("games.keep-name")))],
    });
    field.focus();
  }

  /** Gone at once, and back at once if that was not meant. @param {SavedGame} game */
  drop(game) {
    const fresh = this.app.store.loadGame(game.id) ?? game;
    this.app.store.removeGame(game.id);
    this.dropped = fresh;
    this.draw();
    const back = button({ label: t("games.bring-back"), icon: "undo", kind: "slim", press: () => {
      if (this.dropped) this.app.store.putGame(this.dropped);
      this.dropped = null;
      this.draw();
      this.say(t("games.is-back", { name: gameTitle(fresh) }));
    } });
    this.notice.replaceChildren(el("p", {}, t("games.forgotten", { name: gameTitle(fresh) })), back);
    back.focus();
  }

  /** @param {string} text @param {boolean} [alert] */
  say(text, alert = false) { this.notice.replaceChildren(el("p", { class: alert ? "notice" : "" }, text)); }

  // Everything as one file

  saveAll() {
    saveFile(exportEverything(this.app.store), `qirkat-${new Date().toISOString().slice(0, 10)}.json`);
    this.say(t("games.exported"));
  }

  async takeFile() {
    const [chosen] = this.file.files ?? [];
    this.file.value = "";
    if (!chosen) return;
    if (chosen.size > MOST_FILE) return this.say(t("games.fault.big"), true);
    let text;
    try { text = await chosen.text(); } catch { return this.say(t("share.unreadable"), true); }
    const answer = readEverything(text);
    if (answer.kind !== "ok") return this.say(t(`games.fault.${answer.kind}`), true);
    const { found } = answer;
    const parts = [t("games.n", { n: found.games.length }), ...(found.rooms.length ? [t("games.part.rooms", { n: found.rooms.length })] : []), ...(found.letters.length ? [t("games.part.letters", { n: found.letters.length })] : []), ...(found.rated ? [t("games.part.rated")] : []), ...(found.settings || found.print ? [t("games.part.settings")] : []), ...(found.rules.length ? [t("games.part.rules", { n: found.rules.length })] : []), ...(found.profile ? [t("games.part.profile")] : [])];
    const refused = found.refused ? ` ${t("games.refused", { n: found.refused })}` : "";
    const yes = await confirm({ title: t("games.import"), text: `${t("games.holds", { parts: listOf(parts, "conjunction") })}${refused} ${t("games.beside")}`, yes: t("games.take"), no: t("games.leave"), danger: false });
    if (!yes) return this.say(t("games.left"));
    try {
      let taken = await takeEverything(this.app, found, { profile: false });
      if (taken.profile === "kept" && await confirm({ title: t("games.profile.title"), text: t("games.profile.sure"), yes: t("games.profile.yes"), no: t("games.profile.no") })) {
        taken = { ...await takeEverything(this.app, { ...found, games: [], rooms: [], letters: [], settings: null, print: null, rules: [] }, { profile: true }), games: taken.games };
      }
      this.draw();
      this.say([t("games.taken", { n: taken.games }), taken.profile === "refused" ? t("games.profile.refused") : "", this.app.store.safe ? "" : t("store.unsafe")].filter(Boolean).join(" "), taken.profile === "refused");
    } catch (fault) {
      this.say(problemText(problemOf(fault)), true);
    }
  }
}

/** Whom the game is against. @param {SavedGame} game */
const against = ({ seats, level }) => (seats.x === "human" && seats.o === "human" ? t("home.people") : `${t("player.computer")}, ${t("player.level", { level })}`);

/** @param {Element} node @returns {Promise<void>} when it comes near the screen */
function inView(node) {
  return new Promise((resolve) => {
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      resolve();
    }, { rootMargin: "200px" });
    watch.observe(node);
  });
}
