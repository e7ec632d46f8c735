/** Choosing: the five games as small living boards, each with its rules in plain words, and the games that wait to be finished. */

import { Board } from "../board/board.js";
import { loadIndex } from "../boards.js";
import { button, el } from "../dom.js";
import { DEFAULT_LEVEL } from "../defaults.js";
import { countMoves } from "../entries.js";
import { formatHash } from "../hash.js";
import { ownRules } from "../own-rules.js";
import { gameName, hasText, rulesetName, t } from "../text.js";
import { problemText } from "../wording.js";
import { gameAddress, gameTitle, openGame } from "./saved.js";
import { LivingBoards, loadLines, restingView } from "./home/living.js";

/** @typedef {import("../wire.js").RulesetInfo} RulesetInfo */

const SHOWN_WAITING = 6;

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app, place) {
  /** @type {Board[]} */
  const boards = [];
  let gone = false;
  let resting = false;
  const living = new LivingBoards(() => !resting && app.settings.moves());
  const shelf = el("div", { class: "shelf" });
  const waiting = el("section", { class: "waiting", "aria-labelledby": "waiting-title" });
  const rest = el("button", { type: "button", class: "button plain home-rest", "aria-pressed": "false", onclick: () => {
    resting = !resting;
    rest.setAttribute("aria-pressed", String(resting));
    rest.textContent = t(resting ? "home.wake" : "home.rest");
  } }, t("home.rest"));
  const tellRest = () => rest.toggleAttribute("hidden", !app.settings.moves());
  const unlisten = app.settings.listen(tellRest);
  tellRest();
  const node = el("div", { class: "home" },
    place.problem ? el("p", { class: "notice" }, problemText(place.problem)) : null,
    el("header", { class: "welcome" }, el("h1", {}, t("home.title")), el("p", {}, t("home.line")), rest),
    waiting, shelf);
  outlet.append(node);
  drawWaiting(waiting, app.store);

  void (async () => {
    const coming = loadLines().catch(() => /** @type {Record<string, import("./home/living.js").Line>} */ ({}));
    /** @type {RulesetInfo[]} */
    let infos;
    try { infos = await loadIndex(); } catch { shelf.append(el("p", { class: "notice" }, t("home.missing")), drawMore()); return; }
    /** @type {Map<string, RulesetInfo[]>} */
    const games = new Map();
    for (const info of infos) games.set(info.game, [...(games.get(info.game) ?? []), info]);
    const cards = [...games].map(([game, rulesets]) => ({ game, rulesets, window_: el("div", { class: "card-board" }) }));
    shelf.append(...cards.map(({ game, rulesets, window_ }) => drawCard(game, rulesets, window_, app.store)), drawMore());
    const lines = await coming;
    for (const { game, window_ } of cards) void whenWanted(window_, app.engine).then(() => {
      const line = lines[game];
      if (gone || !line) return;
      const board = new Board(window_, line.board, { still: true, label: gameName(game), moves: () => app.settings.moves() });
      board.show(restingView(line));
      boards.push(board);
      living.add(board, line);
    });
  })();

  return { destroy() { gone = true; unlisten(); living.destroy(); for (const board of boards) board.destroy(); node.remove(); } };
}

/** A board in sight is drawn at once; the others leave what a small device can do to the engine's start. @param {Element} window_ @param {import("../app.js").EngineLike} engine @returns {Promise<void>} */
function whenWanted(window_, engine) {
  return new Promise((resolve) => {
    const watch = new IntersectionObserver((entries) => { if (entries.some(({ isIntersecting }) => isIntersecting)) draw(); });
    const draw = () => { watch.disconnect(); resolve(); };
    watch.observe(window_);
    const stop = engine.onstage(({ state }) => {
      if (state === "loading") return;
      queueMicrotask(() => stop());
      draw();
    });
  });
}

/** @param {string} game @param {RulesetInfo[]} rulesets @param {Element} picture @param {import("../store.js").Store} store */
function drawCard(game, rulesets, picture, store) {
  const own = ownRules(store).filter(({ ruleset }) => ruleset.startsWith(`${game}/`)).map(({ ruleset }) => ruleset);
  const names = [...rulesets.map(({ ruleset }) => ruleset), ...own];
  const choice = names.length > 1 ? el("select", { "aria-label": t("home.rules", { game: gameName(game) }), onchange: () => tell() },
    ...names.map((ruleset) => el("option", { value: ruleset }, rulesetName(ruleset)))) : null;
  const about = el("p", { class: "card-about" });
  const chosen = () => choice?.value ?? names[0];
  const link = (/** @type {string} */ key, kind = "") => el("a", { class: `button ${kind}` }, t(key));
  const doors = { computer: link("home.computer", "primary"), people: link("home.people"), friend: link("home.friend"), learn: link("home.learn") };
  const mixed = Object.keys(rulesets[0].options).length > 0;
  const small = { rules: mixed ? el("a", {}, t("home.mix")) : null, edit: el("a", {}, t("home.edit")), print: el("a", {}, t("learn.print")) };
  const tell = () => {
    const g = chosen();
    about.textContent = hasText(`ruleset.${g}.about`) ? t(`ruleset.${g}.about`) : "";
    doors.computer.href = formatHash("play", { g, side: "x", level: DEFAULT_LEVEL });
    doors.people.href = formatHash("play", { g, side: "both" });
    doors.friend.href = formatHash("room", { g });
    doors.learn.href = formatHash(`learn/${game}`, { g });
    small.rules?.setAttribute("href", formatHash("rules", { g }));
    small.edit.href = formatHash("edit", { g });
    small.print.href = formatHash("print", { g });
  };
  tell();
  return el("article", { class: "card" },
    el("a", { class: "card-picture", href: formatHash("play", { g: names[0], side: "x", level: DEFAULT_LEVEL }), tabindex: -1, "aria-hidden": "true" }, picture),
    el("div", { class: "card-words" },
      el("h2", {}, gameName(game)),
      hasText(`game.${game}.line`) ? el("p", { class: "card-line" }, t(`game.${game}.line`)) : null,
      choice, about),
    el("div", { class: "card-ways" },
      el("div", { class: "card-doors" }, doors.computer, doors.people, doors.friend, doors.learn),
      el("p", { class: "card-small" }, small.rules, small.edit, small.print)));
}

/** The ways to everything that is not one game, in the place after the last card. */
function drawMore() {
  const groups = /** @type {const} */ ([
    [["learn", "learn.title"], ["room", "room.title"], ["letters", "letters.title"]],
    [["games", "games.title"], ["profile", "room.to-profile"]],
    [["rules", "rules.title"], ["edit", "editor.title"]],
    [["settings", "settings.title"], ["about", "about.title"], ["privacy", "privacy.title"]],
  ]);
  return el("nav", { class: "home-more", "aria-label": t("home.more") }, ...groups.map((group) =>
    el("ul", {}, ...group.map(([route, key]) => el("li", {}, el("a", { href: `#/${route}` }, t(key)))))));
}

/** @param {HTMLElement} section @param {import("../store.js").Store} store */
function drawWaiting(section, store) {
  const all = store.unfinished();
  const games = all.slice(0, SHOWN_WAITING);
  section.hidden = games.length === 0;
  section.replaceChildren(el("h2", { id: "waiting-title" }, t("home.waiting")), el("ul", {}, ...games.map((game) => {
    const when = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }).format(game.updated);
    const name = gameTitle(game);
    const link = el("a", { href: "#/games", onclick: (/** @type {Event} */ event) => { event.preventDefault(); void openGame(game); } }, el("strong", {}, el("bdi", {}, name)), el("span", {}, `${t("home.plies", { n: countMoves(game.moves) })} · ${when}`));
    void gameAddress(game).then((address) => link.setAttribute("href", address));
    const item = el("li", {}, link, button({ label: t("home.forget", { name }), icon: "close", quiet: true, kind: "plain", press: () => {
      store.removeGame(game.id);
      const back = button({ label: t("games.bring-back"), icon: "undo", kind: "slim", press: () => { store.putGame(game); drawWaiting(section, store); } });
      item.replaceChildren(el("span", { class: "waiting-gone" }, t("games.forgotten", { name })), back);
      back.focus();
    } }));
    return item;
  })), el("p", { class: "waiting-all" }, el("a", { href: "#/games" }, t("home.all-games", { n: all.length }))));
}
