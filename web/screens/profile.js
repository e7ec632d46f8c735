/** The visitor's profile: name, ratings by ruleset, the way they went, every rated game, and what to do with it all. */

import { loadIndex } from "../boards.js";
import { button, confirm, el } from "../dom.js";
import { ownRules } from "../own-rules.js";
import { avatar } from "../profile/avatar.js";
import { drawChart } from "../profile/chart.js";
import { verify } from "../profile/keys.js";
import { loadLevels, strengthOf } from "../profile/levels.js";
import { cleanName, Profile } from "../profile/profile.js";
import { loadRated, RATED } from "../profile/rated.js";
import { saveFile } from "../share/record.js";
import { freshId } from "../store.js";
import { fullName, language, t } from "../text.js";
import { rulesetPicker } from "./picker.js";
import { LEVELS } from "./play/setup.js";
import { tellLine } from "./room/parts.js";

/** @typedef {import("../profile/profile.js").Result} Result */

/** @param {import("../profile/glicko.js").Rating} rating */
const spread = ({ rating, deviation }) => t("profile.rating", { rating: Math.round(rating), deviation: Math.round(2 * deviation) });

/** @type {import("../router.js").Screen["mount"]} */
export const mount = (outlet, app) => new ProfileScreen(outlet, app);

class ProfileScreen {
  /** @param {HTMLElement} outlet @param {import("../app.js").App} app */
  constructor(outlet, app) {
    this.outlet = outlet;
    this.app = app;
    this.gone = false;
    this.profile = new Profile(app.store);
    this.chosen = this.profile.data.results[0]?.ruleset ?? "";
    void this.draw();
  }

  destroy() { this.gone = true; }

  async draw() {
    const [infos, levels] = await Promise.all([loadIndex().catch(() => []), loadLevels().catch(() => null)]);
    if (this.gone) return;
    this.outlet.replaceChildren(el("div", { class: "room profile" },
      el("h1", {}, t("profile.title")), this.who(), this.ratings(), levels ? this.ratedForm(infos, levels) : null, this.results(), this.file(),
      el("p", { class: "room-more" }, el("a", { href: "#/room" }, t("room.title")), el("a", { href: "#/letters" }, t("room.to-letters")), el("a", { href: "#/privacy" }, t("room.to-privacy")))));
  }

  who() {
    const told = tellLine();
    const picture = el("span", { class: "profile-avatar" }, avatar(this.profile.name));
    const input = el("input", { type: "text", id: "profile-name", maxlength: 24, autocomplete: "nickname", value: this.profile.name,
      oninput: () => picture.replaceChildren(avatar(cleanName(input.value))) });
    return el("form", { class: "room-form profile-who", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.profile.rename(input.value);
      input.value = this.profile.name;
      told.tell(t("profile.saved"));
    } }, picture, el("div", { class: "field" }, el("label", { for: "profile-name" }, t("profile.name")), input), el("button", { type: "submit", class: "button" }, t("profile.save")), told.node,
    el("p", { class: "room-note" }, t("profile.local")));
  }

  ratings() {
    const { ratings, results } = this.profile.data;
    const names = Object.keys(ratings).sort((a, b) => fullName(a).localeCompare(fullName(b), language()));
    if (!names.length) return el("p", {}, t("profile.none"));
    const chart = el("div", { class: "profile-chart" });
    const show = (/** @type {string} */ ruleset) => {
      this.chosen = ruleset;
      for (const node of rows.querySelectorAll("button")) node.setAttribute("aria-pressed", String(node.dataset.ruleset === ruleset));
      const games = results.filter((result) => result.ruleset === ruleset).reverse();
      chart.replaceChildren(games.length ? drawChart([games[0].before, ...games.map(({ after }) => after)], t("profile.chart", { name: fullName(ruleset), from: Math.round(games[0].before.rating), to: Math.round(ratings[ruleset].rating), n: games.length })) : "");
    };
    const rows = el("div", { class: "profile-ratings" }, ...names.map((ruleset) => {
      const node = el("button", { type: "button", class: "button profile-row", "data-ruleset": ruleset, onclick: () => show(ruleset) }, el("span", {}, fullName(ruleset)), el("strong", {}, spread(ratings[ruleset])));
      return node;
    }));
    show(names.includes(this.chosen) ? this.chosen : names[0]);
    return el("section", { "aria-labelledby": "profile-ratings" }, el("h2", { id: "profile-ratings" }, t("profile.ratings")), rows, chart, el("p", { class: "room-note" }, t("profile.glicko")));
  }

  /** @param {import("../wire.js").RulesetInfo[]} infos @param {import("../profile/levels.js").Levels} levels */
  ratedForm(infos, levels) {
    const waiting = loadRated(this.app.store);
    if (waiting) return el("section", { class: "room-form" }, el("h2", {}, t("rated.title")), el("p", {}, t("rated.waiting", { name: fullName(waiting.ruleset), level: waiting.level })), el("a", { class: "button primary wide", href: "#/rated" }, t("rated.go-on")));
    const rules = rulesetPicker({ id: "rated-rules", infos, own: ownRules(this.app.store), chosen: "alquerque/table", change: () => tell() });
    const level = el("select", { id: "rated-level", onchange: () => tell() }, ...LEVELS.map((one) => el("option", { value: one, selected: one === 3 }, t(`level.${one}`))));
    const note = el("p", { class: "room-note" });
    const tell = () => {
      const { rating, deviation, measured } = strengthOf(levels, rules.value, Number(level.value));
      note.textContent = t(measured ? "rated.strength" : "rated.strength.assumed", { rating, deviation: 2 * deviation });
    };
    tell();
    return el("form", { class: "room-form", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const side = crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? "x" : "o";
      this.app.store.write(RATED, { v: 1, id: freshId(), ruleset: rules.value, level: Number(level.value), side, moves: [] });
      location.hash = "#/rated";
    } }, el("h2", {}, t("rated.title")), el("p", {}, t("rated.note")),
    el("div", { class: "field" }, el("label", { for: "rated-rules" }, t("setup.rules")), rules), el("div", { class: "field" }, el("label", { for: "rated-level" }, t("setup.level")), level), note,
    el("button", { type: "submit", class: "button primary wide" }, t("setup.start")));
  }

  results() {
    const { results } = this.profile.data;
    if (!results.length) return null;
    const body = el("tbody", { role: "rowgroup" }, ...results.slice(0, 100).map((result) => this.row(result)));
    return el("section", { "aria-labelledby": "profile-results" }, el("h2", { id: "profile-results" }, t("profile.results")),
      el("div", { class: "profile-table", tabindex: 0, role: "region", "aria-label": t("profile.results") }, el("table", { role: "table" }, el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...["when", "game", "against", "result", "rating", "signed"].map((one) => el("th", { scope: "col", role: "columnheader" }, t(`profile.column.${one}`))))), body)),
      el("p", { class: "room-note" }, t("profile.signed.note")));
  }

  /** @param {Result} result */
  row(result) {
    const { at, ruleset, kind, opponent, score, before, after } = result;
    const signed = el("td", { class: "signed", role: "cell", "data-label": t("profile.column.signed"), "data-signed": kind === "level" ? "never" : null }, kind === "level" ? "–" : t("profile.signed.checking"));
    if (kind === "friend") void this.signed(result).then((key) => { signed.textContent = t(`profile.signed.${key}`); signed.dataset.signed = key; });
    const change = Math.round(after.rating) - Math.round(before.rating);
    // The roles stay where a narrow screen lays a row out as two lines.
    const cell = (/** @type {string} */ kind, /** @type {import("../dom.js").Child[]} */ ...content) => el("td", { class: kind, role: "cell" }, ...content);
    return el("tr", { role: "row" },
      cell("when", new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(at)), cell("game", fullName(ruleset)),
      cell("against", el("bdi", {}, kind === "level" ? t("profile.level", { level: opponent.level ?? 0 }) : opponent.name), ` (${Math.round(opponent.rating)})`),
      cell("result", t(`profile.score.${score === 0.5 ? "draw" : score ? "won" : "lost"}`)), cell("rating", `${Math.round(after.rating)} (${change < 0 ? "−" : "+"}${Math.abs(change)})`), signed);
  }

  /** @param {Result} result @returns {Promise<"both" | "mine" | "none" | "broken">} */
  async signed({ text, signatures, opponent }) {
    const own = this.profile.data.keys?.public;
    if (!text || !signatures.mine || !own) return "none";
    if (!await verify(own, text, signatures.mine)) return "broken";
    if (!signatures.theirs || !opponent.key) return "mine";
    return await verify(opponent.key, text, signatures.theirs) ? "both" : "broken";
  }

  file() {
    const told = tellLine();
    const pick = el("input", { type: "file", id: "profile-file", accept: "application/json,.json", class: "only-heard", tabindex: -1, "aria-label": t("profile.file"), onchange: () => void read() });
    const read = async () => {
      const [file] = pick.files ?? [];
      if (!file) return;
      const outcome = file.size > 4_000_000 ? "big" : await this.profile.imported(await file.text());
      pick.value = "";
      if (outcome !== "ok") return told.tell(t(`profile.import.${outcome}`), true);
      this.app.announce(t("profile.import.ok"));
      await this.draw();
    };
    const importIt = async () => {
      const { results, name } = this.profile.data;
      if ((results.length || name) && !await confirm({ title: t("profile.import"), text: t("profile.import.sure"), yes: t("profile.import.yes"), no: t("profile.keep"), danger: true })) return;
      pick.click();
    };
    const erase = async () => {
      if (!await confirm({ title: t("profile.erase"), text: t("profile.erase.sure"), yes: t("profile.erase.yes"), no: t("profile.keep"), danger: true })) return;
      this.profile.erase();
      await this.draw();
      this.app.announce(t("profile.erased"));
    };
    return el("section", { class: "room-form", "aria-labelledby": "profile-file-title" }, el("h2", { id: "profile-file-title" }, t("profile.file")), el("p", { class: "room-note" }, t("profile.file.note")),
      el("div", { class: "room-buttons" }, button({ label: t("profile.export"), press: () => saveFile(this.profile.exported(), "qirkat-profile.json") }),
        button({ label: t("profile.import"), press: () => void importIt() }), pick, button({ label: t("profile.erase"), kind: "danger", press: () => void erase() })), told.node);
  }
}
