/** Learning: the games to choose from, and each game's guide with boards to look at, to step through and to try on. */

import { Board } from "../board/board.js";
import { narrowScreen, Layout } from "../board/geometry.js";
import { loadIndex } from "../boards.js";
import { el } from "../dom.js";
import { formatHash } from "../hash.js";
import { gameName, hasText, language, rulesetName, t } from "../text.js";
import { piecesInWords, problemText } from "../wording.js";
import { loadLines, restingView } from "./home/living.js";
import { ExamplePlayer } from "./learn/example.js";
import { loadGuide, rich } from "./learn/guide.js";
import { MistakeBoard } from "./learn/mistake.js";

/** @typedef {import("../hash.js").Place} Place */
/** @typedef {import("./learn/guide.js").Guide} Guide */
/** @typedef {import("./learn/guide.js").Section} Section */
/** @typedef {import("./learn/guide.js").Block} Block */

/** The chapter of the chosen rules, among the sections that all rules share. */
const RULES = "rules";
/** After which section it stands. */
const RULES_AFTER = "end";

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app, place) {
  return place.parts[0] ? new GuideScreen(outlet, app, place) : new Library(outlet, place);
}

/** The list of games. */
class Library {
  /** @param {HTMLElement} outlet @param {Place} place @param {import("../hash.js").Problem | null} [problem] */
  constructor(outlet, place, problem = place.problem) {
    /** @type {Board[]} */
    this.boards = [];
    this.gone = false;
    this.shelf = el("div", { class: "learn-shelf" });
    this.node = el("div", { class: "learn" },
      problem ? el("p", { class: "notice" }, problemText(problem)) : null,
      el("header", { class: "learn-welcome" }, el("h1", {}, t("learn.title")), el("p", {}, t("learn.line"))), this.shelf);
    outlet.append(this.node);
    scrollTo(0, 0);
    void this.fill(place.params.lang);
  }

  /** @param {import("../text.js").Language} [lang] */
  async fill(lang) {
    /** @type {Map<string, import("../wire.js").RulesetInfo[]>} */
    const games = new Map();
    try {
      for (const info of await loadIndex()) games.set(info.game, [...(games.get(info.game) ?? []), info]);
    } catch {
      this.shelf.append(el("p", { class: "notice" }, t("learn.missing")));
      return;
    }
    /** @type {Map<string, HTMLElement>} */
    const pictures = new Map();
    for (const [game, rulesets] of games) {
      const picture = el("span", { class: "learn-picture", "aria-hidden": "true" });
      this.shelf.append(el("article", { class: "learn-card" },
        el("a", { class: "learn-door", href: formatHash(`learn/${game}`, { lang }) }, picture, el("span", { class: "learn-words" }, el("strong", {}, gameName(game)), el("span", {}, t(`game.${game}.line`)))),
        rulesets.length > 1 ? el("ul", { class: "learn-rulesets", "aria-label": t("home.rules", { game: gameName(game) }) }, ...rulesets.map(({ ruleset }) =>
          el("li", {}, el("a", { href: formatHash(`learn/${game}/${RULES}`, { g: ruleset, lang }) }, rulesetName(ruleset))))) : null));
      pictures.set(game, picture);
    }
    const lines = await loadLines().catch(() => /** @type {Record<string, import("./home/living.js").Line>} */ ({}));
    for (const [game, picture] of pictures) {
      if (this.gone || !lines[game]) continue;
      const board = new Board(picture, lines[game].board, { still: true, label: gameName(game) });
      board.show(restingView(lines[game]));
      this.boards.push(board);
    }
  }

  destroy() {
    this.gone = true;
    for (const board of this.boards) board.destroy();
    this.node.remove();
  }
}

/** One game's guide. */
class GuideScreen {
  /** @param {HTMLElement} outlet @param {import("../app.js").App} app @param {Place} place */
  constructor(outlet, app, place) {
    this.app = app;
    this.outlet = outlet;
    this.game = place.parts[0];
    this.params = place.params;
    /** @type {{destroy: () => void}[]} */
    this.parts = [];
    /** Boards still to be drawn, one a frame. @type {(() => void)[]} */
    this.waiting = [];
    this.gone = false;
    this.node = el("div", { class: "guide" }, el("p", { class: "guide-opening" }, t("learn.opening")));
    outlet.append(this.node);
    if (!place.parts[1]) scrollTo(0, 0);
    void this.open(place);
  }

  destroy() {
    this.gone = true;
    for (const part of this.parts) part.destroy();
    this.node.remove();
    document.title = t("app.title");
  }

  /** The same guide with the same rules: only another place in it. @param {Place} place */
  update(place) {
    if (place.problem || place.parts[0] !== this.game || place.params.g !== this.params.g) return false;
    this.go(place.parts[1]);
    return true;
  }

  /** @param {Place} place */
  async open(place) {
    try {
      this.guide = await loadGuide(this.game, language());
    } catch {
      if (this.gone) return;
      const known = await loadIndex().then((infos) => infos.some((info) => info.game === this.game), () => true);
      if (this.gone) return;
      if (known) this.node.replaceChildren(el("p", { class: "notice" }, t("learn.missing")));
      else {
        this.node.remove();
        this.parts.push(new Library(this.outlet, place, { key: "link.page", params: {} }));
      }
      return;
    }
    if (this.gone) return;
    const { text } = this.guide;
    const asked = this.params.g;
    this.ruleset = asked?.startsWith(`${this.game}/`) ? asked : text.rulesets[0].ruleset;
    document.title = `${text.title} · ${t("app.name")}`;
    this.write(text, place);
    this.drawWaiting();
    if (place.parts[1]) this.go(place.parts[1], false);
  }

  /** @param {import("./learn/guide.js").GuideText} text @param {Place} place */
  write(text, place) {
    const { ruleset } = this;
    this.node.lang = language();
    this.node.dataset.ruleset = ruleset;
    const chapters = text.sections.flatMap((section) => (section.id === RULES_AFTER ? [this.section(section), this.rules(text)] : [this.section(section)]));
    const several = text.rulesets.length > 1;
    if (several) chapters.push(this.others(text));
    const contents = el("ol", {}, ...chapters.map((chapter) => el("li", {}, el("a", { href: this.address(chapter.dataset.section ?? "") }, chapter.querySelector("h2")?.textContent ?? ""))));
    this.node.replaceChildren(
      el("nav", { class: "guide-contents", "aria-label": t("learn.contents") }, el("p", { class: "guide-contents-title" }, t("learn.contents")), contents),
      el("article", { class: "guide-text" },
        place.problem ? el("p", { class: "notice" }, problemText(place.problem)) : null,
        el("header", { class: "guide-head" },
          el("p", { class: "guide-up" }, el("a", { href: formatHash("learn", { lang: this.params.lang }) }, t("learn.all"))),
          el("h1", {}, text.title), el("p", { class: "guide-intro" }, ...rich(text.intro)),
          several ? this.chooser(text) : null,
          el("div", { class: "guide-doors" },
            el("a", { class: "button primary", href: formatHash("play", { g: ruleset, side: "x", level: 3, lang: this.params.lang }) }, t("learn.play")),
            el("a", { class: "button", href: formatHash("play", { g: ruleset, side: "both", lang: this.params.lang }) }, t("home.people")),
            el("a", { class: "button", href: formatHash("print", { g: ruleset, lang: this.params.lang }) }, t("learn.print"))),
          el("details", { class: "guide-contents-small" }, el("summary", {}, t("learn.contents")), contents.cloneNode(true))),
        ...chapters,
        el("footer", { class: "guide-doors guide-end" },
          el("a", { class: "button primary", href: formatHash("play", { g: ruleset, side: "x", level: 3, lang: this.params.lang }) }, t("learn.play")),
          el("a", { class: "button", href: formatHash("learn", { lang: this.params.lang }) }, t("learn.all")))));
  }

  /** @param {string} section */
  address(section) { return formatHash(section ? `learn/${this.game}/${section}` : `learn/${this.game}`, { g: this.params.g, lang: this.params.lang }); }

  /** Which rules to read about. @param {import("./learn/guide.js").GuideText} text */
  chooser(text) {
    const known = text.rulesets.some(({ ruleset }) => ruleset === this.ruleset);
    return el("div", { class: "guide-chooser" }, el("label", { for: "guide-ruleset" }, t("learn.rules")),
      el("select", { id: "guide-ruleset", onchange: (/** @type {Event} */ event) => {
        location.hash = formatHash(`learn/${this.game}/${RULES}`, { g: /** @type {HTMLSelectElement} */ (event.target).value, lang: this.params.lang });
      } },
      known ? null : el("option", { value: this.ruleset, selected: true }, rulesetName(this.ruleset ?? "")),
      ...text.rulesets.map(({ ruleset }) => el("option", { value: ruleset, selected: ruleset === this.ruleset }, rulesetName(ruleset)))));
  }

  /** @param {Section} section */
  section(section) {
    const heading = el("h2", { id: `guide-${section.id}`, tabindex: -1 }, section.title);
    return el("section", { class: `guide-section is-${section.id}`, "data-section": section.id, "aria-labelledby": heading.id }, heading, ...section.blocks.flatMap((block) => this.block(block)));
  }

  /** The chapter of the chosen rules. @param {import("./learn/guide.js").GuideText} text */
  rules(text) {
    const ruleset = this.ruleset ?? "";
    const heading = el("h2", { id: `guide-${RULES}`, tabindex: -1 }, rulesetName(ruleset));
    const own = text.rulesets.find((entry) => entry.ruleset === ruleset);
    const about = hasText(`ruleset.${ruleset}.about`) ? el("p", { class: "guide-about" }, t(`ruleset.${ruleset}.about`)) : null;
    return el("section", { class: "guide-section is-rules", "data-section": RULES, "aria-labelledby": heading.id }, heading, about,
      ...(own ? own.sections.flatMap((section) => [
        // An example's own heading says more than "Example".
        section.id === "example" || section.id === "mistake" ? null : el("h3", {}, section.title),
        ...section.blocks.flatMap((block) => this.block(block))]).filter((node) => node !== null) : optionsInWords(ruleset)));
  }

  /** What else the game is played by. @param {import("./learn/guide.js").GuideText} text */
  others(text) {
    const heading = el("h2", { id: "guide-others", tabindex: -1 }, t("learn.others"));
    const others = text.rulesets.filter(({ ruleset }) => ruleset !== this.ruleset);
    return el("section", { class: "guide-section is-others", "data-section": "others", "aria-labelledby": heading.id }, heading,
      el("ul", { class: "guide-others" }, ...others.map(({ ruleset }) => el("li", {}, el("a", { href: formatHash(`learn/${this.game}/${RULES}`, { g: ruleset, lang: this.params.lang }) },
        el("strong", {}, rulesetName(ruleset)), hasText(`ruleset.${ruleset}.about`) ? el("span", {}, t(`ruleset.${ruleset}.about`)) : null)))));
  }

  /** @param {Block} block @returns {Node[]} */
  block(block) {
    const { boards } = /** @type {Guide} */ (this.guide);
    if ("p" in block) return [el("p", {}, ...rich(block.p))];
    if ("list" in block) return [el("ul", {}, ...block.list.map((item) => el("li", {}, ...rich(item))))];
    if ("question" in block) return [el("details", { class: "guide-question" }, el("summary", {}, ...rich(block.question)), el("p", {}, ...rich(block.answer)))];
    if ("diagram" in block) {
      const description = boards.descriptions[block.ruleset];
      const { pieces } = boards.diagrams[`${block.ruleset} ${block.diagram}`];
      const box = el("div", { class: "lesson-board" });
      this.later(box, description, () => {
        const board = new Board(box, description, { still: true, coordinates: "letters", label: piecesInWords(description, pieces) });
        board.show({ pieces });
        this.parts.push(board);
      });
      return [el("figure", { class: "lesson diagram" }, box, el("figcaption", {}, ...rich(block.caption)))];
    }
    const lesson = "example" in block ? boards.examples[block.example] : boards.mistakes[block.mistake];
    const description = boards.descriptions[lesson.ruleset];
    const part = "example" in block ? new ExamplePlayer(boards.examples[block.example], description, block, this.app) : new MistakeBoard(boards.mistakes[block.mistake], description, block, this.app);
    this.parts.push(part);
    this.later(part.box, description, () => part.draw());
    return [part.node];
  }

  /** Keeps a board's place free until it is drawn. @param {HTMLElement} box @param {import("../wire.js").Description} description @param {() => void} draw */
  later(box, description, draw) {
    const { width, height } = new Layout(description, { coordinates: "letters", narrow: narrowScreen.matches });
    box.style.setProperty("--ratio", String(width / height));
    if (width > height * 1.3) box.classList.add("is-wide");
    this.waiting.push(draw);
  }

  /** One board a frame, from the top, so that no frame is held up. */
  drawWaiting() {
    const draw = this.gone ? undefined : this.waiting.shift();
    if (!draw) return;
    draw();
    requestAnimationFrame(() => this.drawWaiting());
  }

  /** @param {string | undefined} id @param {boolean} [smooth] */
  go(id, smooth = true) {
    const section = id ? this.node.querySelector(`[data-section="${id}"]`) : null;
    if (!section) { scrollTo(0, 0); return; }
    this.node.querySelector(".guide-contents-small")?.removeAttribute("open");
    section.scrollIntoView({ behavior: smooth && this.app.settings.moves() ? "smooth" : "auto" });
    section.querySelector("h2")?.focus({ preventScroll: true });
  }
}

/** A mix of one's own: what each option means. @param {string} ruleset "alquerque/table;noreturn=yes" */
function optionsInWords(ruleset) {
  const options = ruleset.split(";").slice(1).map((option) => option.split("="));
  const about = (/** @type {string} */ name, /** @type {string} */ value) => (hasText(`option.${name}.${value}.about`) ? t(`option.${name}.${value}.about`) : hasText(`option.${name}.n`) ? t(`option.${name}.n`, { n: Number(value) }) : value);
  return [el("dl", { class: "guide-options" }, ...options.flatMap(([name, value]) => [el("dt", {}, hasText(`option.${name}.name`) ? t(`option.${name}.name`) : name), el("dd", {}, about(name, value))]))];
}
