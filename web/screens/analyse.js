/**
 * Looking closely: the table without an opponent. Every move can be tried from every point of the game, and the
 * computer says on wish what it thinks, in words first.
 */

import { button, el } from "../dom.js";
import { DEFAULT_RULESET } from "../defaults.js";
import { Game } from "../game.js";
import { linkHash } from "../share/link.js";
import { t } from "../text.js";
import { moveShort, otherSide, sideName } from "../wording.js";
import { PlayScreen } from "./play.js";
import { House } from "./play/house.js";

/** @typedef {import("../game.js").GameState} GameState */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {{move: string, score: number, mate: number | null, chance: number, pv: string[], captures: number, table: {wdl: number, distance: number} | null, proved: -1 | 0 | 1 | null, book: boolean}} Line */
/** @typedef {{ply: number, move: string, best: string, chanceLost: number}} Moment */

/** First a quick word, then a better one. */
const THINKING = [700, 5000];
const LINES = 3;
const SHOWN_REPLIES = 5;

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app, place) {
  const { g, p, m, flip } = place.params;
  const house = new AnalysisHouse(app);
  const setup = { ruleset: g ?? DEFAULT_RULESET, start: p ?? null, moves: m ?? [], seats: /** @type {const} */ ({ x: "human", o: "human" }), flip };
  house.screen = new PlayScreen(outlet, app, place, { house, setup });
  return house.screen;
}

/** A move's text for people. @param {string} text */
export function shortMove(text) {
  const kind = text === "pass" ? "pass" : text.startsWith("huff:") ? "huff" : "";
  return moveShort(/** @type {import("../wire.js").Ply} */ ({ text, kind, path: /** @type {string[]} */ ([]) }));
}

/** How good a side's position is, in a few words. @param {import("../wire.js").Description} description @param {Side} side who moves @param {{chance: number, mate: number | null}} line */
export function standingInWords(description, side, { chance, mate }) {
  if (mate !== null) return t("analyse.wins", { who: sideName(description, mate > 0 ? side : otherSide(side)), n: Math.max(1, Math.ceil(Math.abs(mate) / 2)) });
  const better = chance >= 0.5 ? side : otherSide(side);
  const share = Math.max(chance, 1 - chance);
  const degree = share >= 0.9 ? "winning" : share >= 0.72 ? "clearly" : share >= 0.56 ? "little" : "even";
  return t(`analyse.${degree}`, { who: sideName(description, better) });
}

/** What a line comes to for its player: moves to the end, what the tables of endings say, or else the chance. @param {import("../wire.js").Description} description @param {Side} side @param {Line} line */
function valueInWords(description, side, line) {
  if (line.mate !== null) return standingInWords(description, side, line);
  if (!line.table) return t("analyse.chance", { who: sideName(description, side), n: Math.round(line.chance * 100) });
  const { wdl, distance } = line.table;
  if (!wdl) return t("analyse.drawn");
  return t("analyse.table", { who: sideName(description, wdl > 0 ? side : otherSide(side)), n: Math.max(1, Math.ceil((distance ?? 0) / 2)) });
}

/** What a proof of the opening says of a line for its player; nothing where there is none. @param {import("../wire.js").Description} description @param {Side} side @param {Line} line */
function provedInWords(description, side, { proved }) {
  if (proved === 0) return t("analyse.proved.draw");
  return proved ? t("analyse.proved", { who: sideName(description, proved > 0 ? side : otherSide(side)) }) : "";
}

class AnalysisHouse extends House {
  /** @override */
  route = "analyse";
  /** @override */
  branches = true;
  /** @override */
  free = false;
  /** Here every move is tried by hand. @override */
  forces() { return false; }

  /** @param {import("../app.js").App} app */
  constructor(app) {
    super();
    this.app = app;
    /** @type {PlayScreen | null} */
    this.screen = null;
    /** @type {Game | null} */
    this.play = null;
    this.on = false;
    /** What the position on the board is, so that nothing is asked twice. */
    this.asked = "";
    this.job = new AbortController();
    /** The game as it came, before anything was tried. @type {string[] | null} */
    this.line = null;
    this.review = new AbortController();

    this.toggle = button({ label: t("analyse.show"), icon: "hint", kind: "slim", press: () => this.turn() });
    this.toggle.setAttribute("aria-pressed", "false");
    this.back = button({ label: t("analyse.back"), icon: "undo", kind: "slim", press: () => void this.toLine() });
    this.back.hidden = true;
    this.bar = el("div", { class: "analysis-bar", hidden: true, "aria-hidden": "true" }, el("span", { class: "analysis-share" }));
    this.words = el("p", { class: "analysis-words", role: "status" });
    this.lines = el("ol", { class: "analysis-lines" });
    this.moments = el("div", { class: "analysis-moments" });
    this.over = button({ label: t("analyse.game"), icon: "list", kind: "slim", press: () => void this.lookOver() });
    this.node = el("section", { class: "analysis", "aria-label": t("analyse.title") },
      el("div", { class: "analysis-head" }, this.toggle, this.over, this.back), this.bar, this.words, this.lines, this.moments);
  }

  /** @param {import("../hash.js").Params} params @override */
  params({ side, level, ...params }) {
    void side;
    void level;
    return params;
  }

  /** @override */
  corner() { return this.node; }
  /** @override */
  afterwards() { return []; }

  /** @param {import("../game.js").Setup} setup @param {ConstructorParameters<typeof Game>[1]} means @override */
  game(setup, means) {
    const play = new Game(setup, { ...means, store: null }); // what is tried here is no game of the visitor's
    this.play = play;
    this.line = setup.moves ?? [];
    play.listen((state) => this.follow(state));
    return play;
  }

  turn() {
    this.on = !this.on;
    this.toggle.setAttribute("aria-pressed", String(this.on));
    this.asked = "";
    if (this.on && this.play) this.follow(this.play.state);
    else {
      this.job.abort();
      this.bar.hidden = true;
      this.words.textContent = "";
      this.lines.replaceChildren();
    }
  }

  /** @param {GameState} state */
  follow(state) {
    const { description, moves, cursor, now } = state;
    if (!description || !now) return;
    const line = this.line ?? [];
    const strayed = moves.length !== line.length || moves.some((move, i) => move !== line[i]);
    this.back.hidden = !strayed || line.length === 0;
    this.over.hidden = moves.length < 2;
    const key = [state.ruleset, state.start, ...moves.slice(0, cursor)].join(" ");
    if (key === this.asked) return;
    this.asked = key;
    this.job.abort();
    if (this.on) void this.think(state);
  }

  /** @param {GameState} state */
  async think({ ruleset, start, moves, cursor, description, opening, plies, now }) {
    const job = new AbortController();
    this.job = job;
    if (!description || !opening || !now) return;
    if (cursor === plies.length && now.outcome) return this.say(t("analyse.over"));
    this.say(t("analyse.thinking"));
    for (const ms of THINKING) {
      try {
        const found = await this.app.engine.request("search", { ruleset, ...(start === null ? {} : { position: start }), moves: moves.slice(0, cursor), ms, lines: LINES }, { signal: job.signal });
        if (job.signal.aborted) return;
        const side = await this.sideToMove(cursor);
        this.draw(description, side, found.lines, ms === THINKING.at(-1));
        if (found.mate !== null) return;
      } catch {
        if (!job.signal.aborted) this.say(t("engine.trouble"));
        return;
      }
    }
  }

  /** Whose turn it is at a ply: the position text says so. @param {number} cursor @returns {Promise<Side>} */
  async sideToMove(cursor) {
    const { opening, plies, now } = /** @type {Game} */ (this.play).state;
    if (cursor === plies.length && now) return now.side;
    const position = cursor === 0 ? opening?.position : plies[cursor - 1].position;
    return / o /.test(`${position} `) ? "o" : "x";
  }

  /** @param {string} text */
  say(text) {
    this.words.textContent = text;
    this.lines.replaceChildren();
  }

  /** @param {import("../wire.js").Description} description @param {Side} side @param {Line[]} lines @param {boolean} done */
  draw(description, side, lines, done) {
    const [best] = lines;
    const share = best.mate !== null ? Number(best.mate > 0) : best.chance;
    this.bar.hidden = false;
    this.bar.style.setProperty("--share", String(side === "x" ? share : 1 - share));
    this.bar.dataset.colours = `${description.colours.x}-${description.colours.o}`;
    this.words.textContent = provedInWords(description, side, best) || `${standingInWords(description, side, best)}${best.table ? ` ${t("analyse.sure")}` : ""}`;
    this.lines.classList.toggle("is-settled", done);
    this.lines.replaceChildren(...lines.map((line) => el("li", {},
      button({ label: shortMove(line.move), kind: "slim", press: () => void this.tryMove(line.move) }),
      el("span", { class: "analysis-line" }, el("span", {}, this.inWords(description, side, line)),
        line.pv.length > 1 ? el("span", { class: "analysis-pv" }, line.pv.slice(1, 1 + SHOWN_REPLIES).map(shortMove).join(" · ")) : null))));
  }

  /** @param {import("../wire.js").Description} description @param {Side} side @param {Line} line */
  inWords(description, side, line) {
    const proved = line.proved === 1 ? t("analyse.keeps") : line.proved === 0 ? t("analyse.holds") : "";
    return [valueInWords(description, side, line), line.captures ? t("analyse.takes", { n: line.captures }) : "", proved, line.book ? t("analyse.book") : ""].filter(Boolean).join(" · ");
  }

  /** Plays a line's move on the board, from where the board stands. @param {string} text */
  async tryMove(text) {
    const { play } = this;
    if (!play) return;
    if (play.state.cursor < play.state.plies.length) await play.rewind(play.state.cursor);
    const move = play.state.now?.legal.find((one) => one.text === text);
    if (move) await play.play(move);
  }

  async toLine() {
    const { play } = this;
    if (!play || !this.line) return;
    const { ruleset, start, flip } = play.state;
    location.hash = await linkHash("analyse", { g: ruleset, p: start ?? undefined, m: this.line, flip }, 1800);
  }

  /** The whole game, move by move: where it turned. */
  async lookOver() {
    const { play } = this;
    if (!play?.state.description) return;
    this.review.abort();
    const review = new AbortController();
    this.review = review;
    const { ruleset, start, moves } = play.state;
    const meter = el("progress", { class: "boot-meter", max: 1, value: 0, "aria-label": t("analyse.game") });
    this.moments.replaceChildren(meter);
    try {
      const found = await this.app.engine.request("analyse", { ruleset, ...(start === null ? {} : { position: start }), moves }, {
        signal: review.signal, onProgress: ({ done, of }) => { meter.max = of; meter.value = done; } });
      if (review.signal.aborted || play.gone) return;
      const turning = /** @type {Moment[]} */ (found.plies).filter(({ ply }) => found.moments.includes(ply));
      this.moments.replaceChildren(turning.length ? el("ul", {}, ...turning.map((one) => el("li", {}, button({
        label: t("analyse.moment", { n: one.ply + 1, move: shortMove(one.move), lost: Math.round(one.chanceLost * 100), best: shortMove(one.best) }), kind: "plain", press: () => play.dispatch({ type: "show", cursor: one.ply }) }))))
        : el("p", {}, t("analyse.no-moments")));
      this.app.announce(turning.length ? t("analyse.moments", { n: turning.length }) : t("analyse.no-moments"));
    } catch {
      if (!review.signal.aborted) this.moments.replaceChildren(el("p", {}, t("engine.trouble")));
    }
  }
}
