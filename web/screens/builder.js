/**
 * The rules builder: the options that a game's rules have, one sentence each, and what comes of them. Which options
 * there are, what they exclude and which are pointless together is the engine's word; the texts give it a sentence.
 */

import { loadBoard, loadIndex } from "../boards.js";
import { button, el } from "../dom.js";
import { DEFAULT_LEVEL, DEFAULT_RULESET } from "../defaults.js";
import { problemOf } from "../game.js";
import { formatHash } from "../hash.js";
import { cleanRulesName, forgetRules, keepRules, LONGEST_NAME, ownRules } from "../own-rules.js";
import { gameName, hasText, rulesetName, t } from "../text.js";
import { problemText } from "../wording.js";
import { copyText } from "./copy.js";
import { rulesetPicker } from "./picker.js";

/** @typedef {import("../wire.js").Description} Description */
/** @typedef {import("../wire.js").RulesetInfo} RulesetInfo */
/** @typedef {Description["options"][number]} Option */

const MOST_LIMIT = 9999;

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app, place) {
  return new BuilderScreen(outlet, app, place);
}

class BuilderScreen {
  /** @param {HTMLElement} outlet @param {import("../app.js").App} app @param {import("../hash.js").Place} place */
  constructor(outlet, app, place) {
    this.app = app;
    this.lang = place.params.lang;
    /** Rulesets of games that have options. @type {RulesetInfo[]} */
    this.infos = [];
    /** The preset that the mix starts from. */
    this.preset = "";
    /** @type {Option[]} as the preset has them; `value` is what was chosen */
    this.options = [];
    /** The canonical name of what was chosen; null while it contradicts itself. @type {string | null} */
    this.ruleset = null;
    /** The option changed last. */
    this.changed = "";
    this.turn = 0;
    this.gone = false;
    this.node = el("div", { class: "builder" });
    outlet.append(this.node);
    void this.begin(place.params.g ?? DEFAULT_RULESET, place.problem ? problemText(place.problem) : "");
  }

  destroy() {
    this.gone = true;
    this.node.remove();
  }

  /** @param {import("../hash.js").Place} place */
  update({ params, problem }) {
    const same = !problem && params.g !== undefined && params.g === this.ruleset;
    if (same) this.lang = params.lang;
    return same;
  }

  /** @param {string} ruleset @param {string} notice */
  async begin(ruleset, notice) {
    this.node.replaceChildren(el("h1", {}, t("rules.title")), el("p", { class: "builder-line" }, t("rules.opening")));
    try {
      const all = await loadIndex();
      this.infos = all.filter(({ options }) => Object.keys(options).length > 0);
    } catch {
      if (!this.gone) this.node.replaceChildren(el("p", { class: "notice" }, t("home.missing")));
      return;
    }
    const game = ruleset.split("/")[0];
    if (!this.infos.some((info) => info.game === game)) ruleset = DEFAULT_RULESET;
    await this.startFrom(ruleset, notice);
  }

  /** Takes a ruleset's options over. @param {string} ruleset @param {string} [notice] */
  async startFrom(ruleset, notice = "") {
    const turn = ++this.turn;
    /** @type {Description} */
    let description;
    try {
      description = await this.describe(ruleset);
    } catch (fault) {
      if (turn !== this.turn || this.gone) return;
      // A link may hold a mix that cannot be: it is shown with what is wrong with it, from its preset.
      const preset = ruleset.split(";")[0];
      if (preset === ruleset) return this.node.replaceChildren(el("p", { class: "notice" }, problemText(problemOf(fault))));
      await this.startFrom(preset);
      const wanted = Object.fromEntries(ruleset.split(";").slice(1).map((pair) => pair.split("=")));
      this.options = this.options.map((option) => (option.choices.includes(wanted[option.name]) ? { ...option, value: wanted[option.name] } : option));
      this.draw("");
      return this.ask();
    }
    if (turn !== this.turn || this.gone) return;
    this.preset = `${description.game}/${description.preset}`;
    this.options = description.options;
    this.draw(notice);
    this.conclude(description);
  }

  /** A named ruleset is known before the engine is there. @param {string} ruleset @returns {Promise<Description>} */
  async describe(ruleset) {
    return (await loadBoard(ruleset).catch(() => null))?.describe ?? this.app.engine.request("describe", { ruleset });
  }

  /** The ruleset as chosen: the preset with what differs from it. */
  wanted() {
    const changed = this.options.filter(({ value, default: usual }) => value !== usual).map(({ name, value }) => `${name}=${value}`);
    return [this.preset, ...changed.sort()].join(";");
  }

  // Drawing

  /** @param {string} notice */
  draw(notice) {
    const { store } = this.app;
    const chosen = this.wanted();
    /** @type {Map<string, HTMLElement>} */
    this.groups = new Map(this.options.map((option) => [option.name, this.drawOption(option)]));
    this.summary = el("ul", { class: "builder-summary" });
    this.name = el("h2", {});
    this.trouble = el("div", { class: "builder-trouble", role: "status" });
    const door = (/** @type {string} */ text, kind = "") => el("a", { class: `button ${kind}` }, text);
    this.doors = { computer: door(t("home.computer"), "primary"), both: door(t("home.people")), room: door(t("home.friend")), edit: door(t("rules.edit"), "plain") };
    this.doorBox = el("div", { class: "builder-doors" }, this.doors.computer, this.doors.both, this.doors.room,
      button({ label: t("share.copy-link"), icon: "copy", press: () => void this.copyLink() }), this.doors.edit);
    this.said = el("p", { class: "share-said", role: "status" });
    this.nameField = el("input", { type: "text", id: "builder-name", maxlength: LONGEST_NAME, autocomplete: "off" });
    this.mine = el("ul", { class: "builder-mine" });
    this.keepForm = el("form", { class: "builder-keep", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.keep(); } },
      el("label", { for: "builder-name" }, t("rules.name")), this.nameField, el("button", { type: "submit", class: "button" }, t("rules.keep")));
    this.node.replaceChildren(
      el("div", { class: "builder-main" },
        el("header", {}, el("h1", {}, t("rules.title")), el("p", { class: "builder-line" }, t("rules.line", { game: gameName(this.preset.split("/")[0]) }))),
        notice ? el("p", { class: "notice" }, notice) : "",
        el("div", { class: "field" }, el("label", { for: "builder-start" }, t("rules.start")),
          rulesetPicker({ id: "builder-start", infos: this.infos, own: ownRules(store), chosen: this.nameOfMix(chosen), change: (ruleset) => void this.startFrom(ruleset) })),
        ...this.groups.values()),
      el("aside", { class: "builder-side", "aria-label": t("rules.result") },
        el("div", { class: "builder-card" }, this.name, this.trouble, this.doorBox, this.said,
          this.summary, this.keepForm, this.mine)));
  }

  /** @param {Option} option */
  drawOption({ name, value, choices }) {
    const legend = el("legend", {}, t(`option.${name}.name`));
    const about = el("p", { class: "option-about" }, t(`option.${name}.about`));
    if (choices.length === 0) return el("fieldset", { class: "option" }, legend, about, this.drawNumber(name, Number(value)));
    return el("fieldset", { class: "option" }, legend, about, el("div", { class: "option-choices" }, ...choices.map((choice) => el("label", { class: "option-choice" },
      el("input", { type: "radio", name: `option-${name}`, value: choice, checked: choice === value, onchange: () => this.choose(name, choice) }),
      el("span", {}, el("strong", {}, t(`option.${name}.${choice}`)), el("span", {}, t(`option.${name}.${choice}.about`)))))));
  }

  /** A number of turns, or none. @param {string} name @param {number} value */
  drawNumber(name, value) {
    const field = el("input", { type: "text", inputmode: "numeric", class: "short-number", maxlength: 4, autocomplete: "off", value: value || 80, "aria-label": t(`option.${name}.about`),
      onchange: () => { limited.checked = true; take(); } });
    const take = () => {
      const number = /^\d{1,4}$/.test(field.value.trim()) ? Math.min(MOST_LIMIT, Number(field.value)) : 0;
      if (number > 0) field.value = String(number);
      else { unlimited.checked = true; field.value = "80"; }
      this.choose(name, unlimited.checked ? 0 : number);
    };
    const limited = el("input", { type: "radio", name: `option-${name}`, value: "some", checked: value > 0, onchange: take });
    const unlimited = el("input", { type: "radio", name: `option-${name}`, value: "0", checked: value === 0, onchange: take });
    const [before, after] = t(`option.${name}.n`, { n: "\u0000" }).split("\u0000");
    return el("div", { class: "option-choices" },
      el("div", { class: "option-choice option-number" }, el("label", {}, limited, el("span", {}, el("strong", {}, t("rules.limited")))), el("span", { class: "option-count" }, before, field, after)),
      el("label", { class: "option-choice" }, unlimited, el("span", {}, el("strong", {}, t(`option.${name}.0`)), el("span", {}, t(`option.${name}.0.about`)))));
  }

  /** @param {string} name @param {string | number} value */
  choose(name, value) {
    this.changed = name;
    this.options = this.options.map((option) => (option.name === name ? { ...option, value } : option));
    void this.ask();
  }

  // What comes of it

  /** The named ruleset with the very same options, if there is one. @param {string} ruleset */
  nameOfMix(ruleset) {
    const game = ruleset.split("/")[0];
    const values = new Map(this.options.map(({ name, value }) => [name, value]));
    const same = (/** @type {RulesetInfo} */ info) => info.game === game && Object.entries(info.options).every(([name, value]) => values.get(name) === value);
    if (ownRules(this.app.store).some((own) => own.ruleset === ruleset) || this.infos.some((info) => info.ruleset === ruleset)) return ruleset;
    return this.infos.find((info) => same(info) && info.ruleset.startsWith(this.preset))?.ruleset ?? ruleset;
  }

  async ask() {
    const turn = ++this.turn;
    try {
      const description = await this.describe(this.nameOfMix(this.wanted()));
      if (turn === this.turn && !this.gone) this.conclude(description);
    } catch (fault) {
      if (turn === this.turn && !this.gone) this.refuse(fault);
    }
  }

  /** @param {Description} description */
  conclude({ ruleset, options, notes }) {
    this.ruleset = ruleset;
    this.tell(notes, []);
    const name = rulesetName(ruleset);
    if (this.name) this.name.textContent = name;
    const known = hasText(`ruleset.${ruleset}.about`);
    this.summary?.replaceChildren(
      ...(known ? [el("li", { class: "builder-about" }, t(`ruleset.${ruleset}.about`))] : []),
      ...options.map((option) => el("li", { class: option.value === option.default ? "" : "is-changed" }, el("span", { class: "builder-option" }, t(`option.${option.name}.name`)), " ", ruleInWords(option))));
    const { doors } = this;
    if (!doors) return;
    doors.computer.href = formatHash("play", { g: ruleset, side: "x", level: DEFAULT_LEVEL });
    doors.both.href = formatHash("play", { g: ruleset, side: "both" });
    doors.room.href = formatHash("room", { g: ruleset });
    doors.edit.href = formatHash("edit", { g: ruleset });
    history.replaceState(history.state, "", formatHash("rules", { g: ruleset, lang: this.lang }));
    const own = ownRules(this.app.store);
    const mine = own.find((one) => one.ruleset === ruleset);
    this.keepForm?.toggleAttribute("hidden", known);
    if (this.nameField) this.nameField.value = mine?.name ?? "";
    this.drawMine(own);
  }

  /** The mix contradicts itself: the engine says which options do, the text says why. @param {unknown} fault */
  refuse(fault) {
    const data = /** @type {{data?: {kind?: string, mix?: string, options?: string[]}}} */ (fault)?.data ?? {};
    const key = `mix.${data.mix}`;
    this.ruleset = null;
    if (this.name) this.name.textContent = t("rules.impossible");
    this.summary?.replaceChildren();
    this.keepForm?.toggleAttribute("hidden", true);
    this.tell([hasText(key) ? key : ""], data.options ?? [], hasText(key) ? "" : problemText(problemOf(fault)));
  }

  /** @param {string[]} keys sentences @param {string[]} options those at odds @param {string} [other] */
  tell(keys, options, other = "") {
    const bad = this.ruleset === null;
    this.trouble?.replaceChildren(...[...keys.filter(Boolean).map((key) => t(key)), other].filter(Boolean).map((text) => el("p", { class: bad ? "notice" : "builder-note" }, text)));
    this.doorBox?.toggleAttribute("hidden", bad);
    // On a narrow screen the result is far away: the reason stands at the choice too.
    const place = options.includes(this.changed) ? this.changed : options[0];
    for (const [name, group] of this.groups ?? []) {
      group.classList.toggle("is-at-odds", options.includes(name));
      group.querySelector(".option-wrong")?.remove();
      if (name === place) group.append(el("p", { class: "notice option-wrong" }, keys.filter(Boolean).map((key) => t(key)).join(" ")));
    }
  }

  // Keeping

  keep() {
    const name = cleanRulesName(this.nameField?.value ?? "");
    if (!this.ruleset || !this.said) return;
    if (!name) {
      this.said.textContent = t("rules.name-first");
      this.nameField?.focus();
      return;
    }
    keepRules(this.app.store, { name, ruleset: this.ruleset });
    this.said.textContent = this.app.store.safe ? t("rules.kept", { name }) : t("store.unsafe");
    if (this.name) this.name.textContent = name;
    this.drawMine(ownRules(this.app.store));
  }

  /** @param {import("../own-rules.js").OwnRules[]} own */
  drawMine(own) {
    if (!this.mine) return;
    this.mine.hidden = own.length === 0;
    this.mine.setAttribute("aria-label", t("rules.mine"));
    this.mine.replaceChildren(...own.map(({ name, ruleset }) => el("li", {},
      button({ label: name, kind: "plain", press: () => void this.startFrom(ruleset) }),
      button({ label: t("rules.forget", { name }), icon: "close", quiet: true, kind: "plain", press: () => { forgetRules(this.app.store, ruleset); void this.startFrom(this.ruleset ?? ruleset); } }))));
  }

  async copyLink() {
    if (!this.ruleset || !this.said) return;
    this.said.textContent = await copyText(location.href.split("#")[0] + formatHash("play", { g: this.ruleset, side: "both" })) ? t("play.copied") : t("share.by-hand");
  }
}

/** One rule as a sentence. @param {Option} option */
export function ruleInWords({ name, value, choices }) {
  if (choices.length) return t(`option.${name}.${value}.about`);
  return value === 0 ? t(`option.${name}.0.about`) : t("rules.limit-in-words", { n: Number(value) });
}
