/** Choosing: the five games as small boards, and the games that wait to be finished. */

import { Board } from "../board/board.js";
import { loadBoard, loadIndex } from "../boards.js";
import { button, el } from "../dom.js";
import { formatHash } from "../hash.js";
import { gameName, hasText, rulesetName, t } from "../text.js";
import { problemText } from "../wording.js";

/** @typedef {import("../store.js").SavedGame} SavedGame */

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app, place) {
  /** @type {Board[]} */
  const boards = [];
  let gone = false;
  const shelf = el("div", { class: "shelf" });
  const waiting = el("section", { class: "waiting", "aria-labelledby": "waiting-title" });
  outlet.append(el("div", { class: "home" },
    place.problem ? el("p", { class: "notice" }, problemText(place.problem)) : null,
    el("header", { class: "welcome" }, el("h1", {}, t("home.title")), el("p", {}, t("home.line"))),
    waiting, shelf));
  drawWaiting(waiting, app.store);

  void (async () => {
    /** @type {import("../wire.js").RulesetInfo[]} */
    let infos;
    try { infos = await loadIndex(); } catch { shelf.append(el("p", { class: "notice" }, t("home.missing"))); return; }
    /** @type {Map<string, import("../wire.js").RulesetInfo[]>} */
    const games = new Map();
    for (const info of infos) games.set(info.game, [...(games.get(info.game) ?? []), info]);
    for (const [game, rulesets] of games) {
      const window_ = el("div", { class: "card-board" });
      shelf.append(drawCard(game, rulesets, window_));
      const file = await loadBoard(rulesets[0].ruleset).catch(() => null);
      if (gone || !file) continue;
      const board = new Board(window_, file.describe, { still: true, label: gameName(game) });
      board.show({ pieces: Object.keys(file.describe.startPieces).length ? file.describe.startPieces : {} });
      boards.push(board);
    }
  })();

  return { destroy() { gone = true; for (const board of boards) board.destroy(); } };
}

/** @param {string} game @param {import("../wire.js").RulesetInfo[]} rulesets @param {Element} picture */
function drawCard(game, rulesets, picture) {
  const choice = rulesets.length > 1 ? el("select", { "aria-label": t("home.rules", { game: gameName(game) }), onchange: () => tell() },
    ...rulesets.map((info) => el("option", { value: info.ruleset }, rulesetName(info.ruleset)))) : null;
  const about = el("p", { class: "card-about" });
  const chosen = () => choice?.value ?? rulesets[0].ruleset;
  const computer = el("a", { class: "button primary" }, t("home.computer"));
  const people = el("a", { class: "button" }, t("home.people"));
  const lesson = el("a", { class: "button plain" }, t("home.learn"));
  const tell = () => {
    about.textContent = hasText(`ruleset.${chosen()}.about`) ? t(`ruleset.${chosen()}.about`) : "";
    computer.href = formatHash("play", { g: chosen(), side: "x", level: 3 });
    people.href = formatHash("play", { g: chosen(), side: "both" });
    lesson.href = formatHash(`learn/${game}`, { g: chosen() });
  };
  tell();
  return el("article", { class: "card" },
    el("a", { class: "card-picture", href: formatHash("play", { g: rulesets[0].ruleset, side: "x", level: 3 }), tabindex: -1, "aria-hidden": "true" }, picture),
    el("div", { class: "card-words" },
      el("h2", {}, gameName(game)),
      hasText(`game.${game}.line`) ? el("p", { class: "card-line" }, t(`game.${game}.line`)) : null,
      choice, about,
      el("div", { class: "card-doors" }, computer, people, lesson)));
}

/** @param {HTMLElement} section @param {import("../store.js").Store} store */
function drawWaiting(section, store) {
  const games = store.unfinished().slice(0, 6);
  section.hidden = games.length === 0;
  section.replaceChildren(el("h2", { id: "waiting-title" }, t("home.waiting")), el("ul", {}, ...games.map((game) => {
    const side = game.seats.x === game.seats.o ? "both" : game.seats.x === "human" ? "x" : "o";
    const address = formatHash("play", { g: game.ruleset, p: game.start ?? undefined, m: game.moves, side, level: side === "both" ? undefined : game.level, flip: game.flip });
    const when = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }).format(game.updated);
    const name = `${gameName(game.ruleset.split("/")[0])} · ${rulesetName(game.ruleset)}`;
    return el("li", {}, el("a", { href: address }, el("strong", {}, name), el("span", {}, `${t("home.plies", { n: game.moves.length })} · ${when}`)),
      button({ label: t("home.forget", { name }), icon: "close", quiet: true, kind: "plain", press: () => { store.removeGame(game.id); drawWaiting(section, store); } }));
  })));
}
