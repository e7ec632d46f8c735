/** Sending a game away and taking one in: two dialogs over the table. */

import { button, el, openDialog } from "../dom.js";
import { atEnd } from "../game.js";
import { linkHash } from "../share/link.js";
import { drawQr } from "../share/qr.js";
import { addressOf, MOST_TEXT, readText, recordOf, saveFile } from "../share/record.js";
import { hasText, language, listOf, rulesetName, t } from "../text.js";
import { problemText } from "../wording.js";
import { paramsOf } from "./play.js";

/** @typedef {import("../game.js").GameState} GameState */
/** @typedef {import("../share/record.js").Fault} Fault */
/** @typedef {import("../share/record.js").GameText} GameText */

/** The folder that the page stands in, without the address after `#`. */
const here = () => location.href.split("#")[0];

/** @param {GameState} state the position at the ply shown */
const positionOf = (state) => (state.cursor === 0 ? state.opening?.position : state.plies[state.cursor - 1].position) ?? "";

/** @param {import("../app.js").App} app @param {GameState} state */
export function openShare(app, state) {
  let whole = true;
  let speaks = false;
  const field = el("input", { type: "text", id: "share-link", readonly: true, spellcheck: "false", onfocus: () => field.select() });
  const picture = el("div", { class: "share-qr" });
  const said = el("p", { class: "share-said", role: "status" });
  const say = (/** @type {string} */ text) => { said.textContent = text; };
  const spare = el("textarea", { class: "share-text", rows: 4, readonly: true, hidden: true, "aria-label": t("share.text") });

  const params = () => {
    const lang = speaks ? language() : undefined;
    const game = { ...paramsOf(state), ...(Object.values(state.seats).includes("remote") ? { side: /** @type {const} */ ("both"), level: undefined } : {}) };
    return whole ? { ...game, ply: atEnd(state) ? undefined : state.cursor, lang } : { ...game, p: positionOf(state), m: undefined, lang };
  };
  const refresh = async () => {
    const hash = await linkHash("play", params());
    field.value = here() + hash;
    frame.value = frameCode(hash);
    picture.replaceChildren(await drawQr(field.value, t("share.qr")) ?? el("p", {}, t("share.qr-long")));
  };
  /** @param {string} text @param {string} done */
  const copy = async (text, done) => {
    try {
      await navigator.clipboard.writeText(text);
      spare.hidden = true;
      say(done);
    } catch {
      spare.value = text;
      spare.hidden = false;
      spare.focus();
      spare.select();
      say(t("share.by-hand"));
    }
  };
  /** @param {(text: string) => void} use */
  const withRecord = async (use) => {
    try { use(await recordOf(app.engine, state)); } catch { say(t("engine.trouble")); }
  };

  const choice = (/** @type {boolean} */ value, /** @type {string} */ label) => el("label", { class: "segment" },
    el("input", { type: "radio", name: "share-what", value: value ? "game" : "position", checked: whole === value, onchange: () => { whole = value; void refresh(); } }), el("span", {}, label));
  const frame = el("textarea", { class: "share-text", rows: 4, readonly: true, spellcheck: "false", "aria-label": t("share.embed"), onfocus: () => frame.select() });
  const sheet = typeof navigator.share === "function"
    ? button({ label: t("share.send"), icon: "share", press: () => void navigator.share({ title: t("app.name"), url: field.value }).catch(() => undefined) }) : null;

  openDialog({
    title: t("share.title"), close: t("close"), kind: "share",
    content: [
      state.moves.length ? el("fieldset", { class: "choice" }, el("legend", {}, t("share.what")), el("div", { class: "segments" }, choice(true, t("share.game")), choice(false, t("share.position")))) : null,
      el("div", { class: "share-send" },
        el("div", { class: "field" }, el("label", { for: "share-link" }, t("share.link")), field,
          el("div", { class: "share-row" }, button({ label: t("share.copy-link"), icon: "copy", kind: "primary", press: () => void copy(field.value, t("play.copied")) }), sheet),
          el("label", { class: "share-tick" }, el("input", { type: "checkbox", onchange: (/** @type {Event} */ event) => { speaks = /** @type {HTMLInputElement} */ (event.target).checked; void refresh(); } }),
            el("span", {}, t("share.language", { language: t(`language.${language()}`) })))),
        picture),
      el("div", { class: "field" }, el("h3", {}, t("share.text")), el("div", { class: "share-row" },
        button({ label: t("share.copy-record"), icon: "copy", press: () => void withRecord((text) => void copy(text, t("share.record-copied"))) }),
        button({ label: t("share.save-record"), icon: "save", press: () => void withRecord((text) => saveFile(text, fileName(state))) }),
        button({ label: t("share.copy-position"), icon: "copy", press: () => void copy(positionOf(state), t("share.position-copied")) })), spare),
      el("details", { class: "share-embed" }, el("summary", {}, t("share.embed")), frame,
        el("div", { class: "share-row" }, button({ label: t("share.copy-embed"), icon: "copy", press: () => void copy(frame.value, t("share.embed-copied")) }),
          el("a", { class: "button", href: "examples/", target: "_blank", rel: "noopener" }, t("share.examples")))),
      said,
    ],
  });
  void refresh();
}

/** The line of HTML that puts the game on another page. @param {string} hash */
const frameCode = (hash) => `<iframe src="${here().replace(/[^/]*$/, "")}embed.html${hash.replaceAll("&", "&amp;")}" title="Qirkat" width="420" height="500" loading="lazy"></iframe>`;

/** @param {GameState} state */
const fileName = ({ ruleset }) => `qirkat-${ruleset.split("/")[0]}-${new Date().toISOString().slice(0, 10)}.txt`;

/** Takes a game in: pasted or from a file; whatever is wrong with it is told, and what is right can be opened. @param {import("../app.js").App} app @param {string} ruleset for a text that names none */
export function openLoad(app, ruleset) {
  const text = el("textarea", { class: "share-text", id: "load-text", rows: 7, spellcheck: "false", autocapitalize: "off", maxlength: MOST_TEXT });
  const answer = el("div", { class: "load-answer", role: "status" });
  const file = el("input", { type: "file", class: "only-heard", id: "load-file", "aria-label": t("share.load"), accept: ".txt,.pgn,text/plain", onchange: async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    if (chosen.size > MOST_TEXT) return tell(t("share.too-big"));
    try { text.value = await chosen.text(); } catch { return tell(t("share.unreadable")); }
    void read();
  } });
  const tell = (/** @type {string} */ sentence) => answer.replaceChildren(el("p", { class: "notice" }, sentence));
  const open = (/** @type {string} */ address) => {
    dialog.close();
    location.hash = address;
  };
  const read = async () => {
    answer.replaceChildren(el("p", {}, t("share.reading")));
    const found = await readText(text.value, ruleset, app.engine);
    if (found.address) return open(found.address);
    if (found.problem) return tell(problemText(found.problem));
    answer.replaceChildren(...found.games.slice(0, 100).map((game, index) => oneGame(game, found.faults.filter((fault) => fault.game === index), open)),
      ...found.faults.filter((fault) => fault.game >= found.games.length).map((fault) => el("p", { class: "notice" }, faultText(fault))));
  };
  const dialog = openDialog({
    title: t("share.load"), close: t("close"), kind: "share load",
    content: [
      el("div", { class: "field" }, el("label", { for: "load-text" }, t("share.paste")), text),
      el("div", { class: "share-row" }, button({ label: t("share.open"), kind: "primary", press: () => void read() }),
        button({ label: t("share.file"), icon: "list", press: () => file.click() }), file),
      answer,
    ],
  });
  text.focus();
}

/** A game of several, or one with a fault. @param {GameText} game @param {Fault[]} faults @param {(address: string) => void} open */
function oneGame(game, faults, open) {
  const { ruleset, moves, tags } = game;
  const bdi = (/** @type {string | undefined} */ text) => el("bdi", {}, text ?? "?");
  const players = tags.X || tags.O ? [bdi(tags.X), " – ", bdi(tags.O)] : [];
  const n = moves.length;
  const good = ruleset && !faults.some((fault) => fault.kind.startsWith("ruleset.")) && (n > 0 || faults.length === 0);
  return el("article", { class: "load-game" },
    el("p", {}, el("strong", {}, ...players, ...(ruleset ? [players.length ? " · " : "", bdi(rulesetName(ruleset))] : [])), " ", tags.Date ? bdi(tags.Date) : ""),
    ...faults.map((fault) => el("p", { class: "notice" }, faultText(fault))),
    good ? button({ label: faults.length ? t("share.open-part", { n }) : t("share.open-game", { n }), press: () => void addressOf(game).then(open) }) : null);
}

/** @param {Fault} fault what is wrong, where, and what may have been meant */
function faultText({ kind, line, column, found, candidates }) {
  const [family] = kind.split(".");
  const key = [`share.fault.${kind}`, `share.fault.${family}`, `fault.${kind}`].find(hasText) ?? "share.fault.other";
  const what = t(key, { found: found.length > 40 ? `${found.slice(0, 40)}…` : found });
  const meant = candidates.length ? ` ${t("share.fault.perhaps", { candidates: listOf(candidates.slice(0, 5)) })}` : "";
  return `${t("share.fault.at", { line, column })} ${what}${meant}`;
}
