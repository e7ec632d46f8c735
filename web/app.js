/** Starts the page: storage, settings, language, engine, frame and screens. */

import { el, button, openDialog } from "./dom.js";
import { parseHash } from "./hash.js";
import { showMissing } from "./missing.js";
import { Router } from "./router.js";
import { openAppearance } from "./screens/appearance.js";
import { SettingsStore } from "./settings.js";
import { dressed } from "./sheets.js";
import { engine } from "./start.js";
import { Sound } from "./sound.js";
import { ownRules } from "./own-rules.js";
import { Store } from "./store.js";
import { isLanguage, language, LANGUAGES, preferredLanguage, setLanguage, t } from "./text.js";

/** What the page needs of the engine; web/engine.js has it. */
/**
 * @typedef {object} EngineLike
 * @property {(method: string, params?: object, options?: {onProgress?: (progress: any) => void, signal?: AbortSignal}) => Promise<any>} request
 * @property {(listener: (stage: import("./engine.js").Stage) => void) => () => void} onstage
 * @property {() => void} retry
 * @property {"loading" | "ready" | "failed"} state
 * @property {import("./helpers.js").Helpers | null} [helpers]
 */

/** Not needed before the engine is there. */
const updates = () => import("./updates.js");

/** What every screen gets. */
export class App {
  /** @param {EngineLike} engine */
  constructor(engine) {
    this.engine = engine;
    this.store = new Store();
    this.settings = new SettingsStore(this.store);
    this.sound = new Sound(() => this.settings.values.sound);
    /** The engine's stages as they first came. @type {Map<string, import("./engine.js").Stage>} */
    this.stages = new Map();
    engine.onstage((stage) => { if (!this.stages.has(stage.stage)) this.stages.set(stage.stage, stage); });
    this.bar = /** @type {HTMLElement} */ (document.getElementById("bar"));
    this.outlet = /** @type {HTMLElement} */ (document.getElementById("screen"));
    this.announcer = /** @type {HTMLElement} */ (document.getElementById("announcer"));
    this.updates = false;
    /** The language setting that was heard last. @type {string | null} */
    this.chosen = this.settings.values.language;
    this.router = new Router(this.outlet, this, {
      "": dressed(() => import("./screens/home.js"), "home"),
      play: dressed(() => import("./screens/play.js"), "play"),
      learn: dressed(() => import("./screens/learn.js"), "learn"),
      print: dressed(() => import("./screens/print.js"), "print"),
      room: dressed(() => import("./screens/room.js"), "play", "share", "room"),
      letters: dressed(() => import("./screens/letters.js"), "play", "share", "room"),
      profile: dressed(() => import("./screens/profile.js"), "play", "room"),
      rated: dressed(() => import("./screens/rated.js"), "play", "room"),
      privacy: dressed(() => import("./screens/privacy.js"), "room"),
      rules: dressed(() => import("./screens/builder.js"), "share", "tools"),
      edit: dressed(() => import("./screens/editor.js"), "play", "share", "tools"),
      analyse: dressed(() => import("./screens/analyse.js"), "play", "share", "tools"),
      games: dressed(() => import("./screens/games.js"), "share", "tools"),
      settings: dressed(() => import("./screens/settings.js"), "play", "share", "tools"),
      about: dressed(() => import("./screens/about.js"), "share", "tools"),
    });
  }

  async start() {
    await this.speak();
    ownRules(this.store); // their names are known everywhere
    // The one listener of the address: a screen is built once, in the language that the address asks for, if it does.
    // It listens before the first screen stands: who is quick goes elsewhere meanwhile.
    addEventListener("hashchange", async () => {
      const { lang } = parseHash(location.hash).params;
      await this.router.show(lang !== undefined && await this.speak());
    });
    await this.router.show();
    // Keeping the site for offline use must not compete with the engine's start.
    const stop = this.engine.onstage(({ state }) => {
      if (state !== "ready") return;
      queueMicrotask(() => stop());
      const without = () => undefined; // a page that is being left, or whose line broke, does without
      import("./helpers.js").then(({ Helpers }) => { engine.helpers ??= new Helpers(engine); }, without);
      updates().then(({ watchUpdates }) => watchUpdates(({ kind }) => { if (kind === "new-version") this.offerUpdate(); }), without);
    });
    this.settings.listen(async ({ language }) => {
      if (language === this.chosen) return; // a link's language stays when only the look changes
      this.chosen = language;
      if (await this.speak()) await this.router.show(true);
    });
    addEventListener("keydown", (event) => {
      const writing = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
      if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || writing) return;
      event.preventDefault();
      this.showKeys();
    });
  }

  /** The language of the link, else the visitor's choice, else the browser's. @returns {Promise<boolean>} whether it is another one than before */
  async speak() {
    const { lang } = parseHash(location.hash).params;
    const chosen = this.settings.values.language;
    const language = lang ?? (isLanguage(chosen) ? chosen : preferredLanguage());
    const other = document.documentElement.lang !== language || !this.spoken;
    if (other) {
      try {
        await setLanguage(language);
      } catch (fault) {
        if (!this.spoken) throw fault;
        console.error(fault); // the line broke: better the language that is here than none
        return false;
      }
      this.spoken = true;
      this.drawBar();
    }
    document.title = t("app.title");
    return other;
  }

  /** The frame's upper bar: name, language, look. */
  drawBar() {
    const languages = el("select", { class: "plain-select", "aria-label": t("bar.language"), onchange: (/** @type {Event} */ event) => this.chooseLanguage(/** @type {HTMLSelectElement} */ (event.target).value) },
      ...LANGUAGES.map((one) => el("option", { value: one, lang: one, selected: one === document.documentElement.lang }, t(`language.${one}`))));
    this.bar.replaceChildren(
      el("a", { class: "brand", href: "#/" }, brandMark(), el("span", {}, t("app.name"))),
      el("span", { class: "bar-middle", id: "bar-middle" }),
      languages,
      button({ label: t("bar.look"), icon: "look", quiet: true, kind: "plain", press: () => openAppearance(this) }),
      button({ label: t("bar.keys"), icon: "help", quiet: true, kind: "plain keys-button", key: "?", press: () => this.showKeys() }));
    if (this.updates) this.offerUpdate();
  }

  /** A new version waits until the visitor wants it: never in the middle of a game. */
  offerUpdate() {
    this.updates = true;
    this.bar.querySelector("#bar-middle")?.replaceChildren(button({ label: t("bar.update"), icon: "restart", kind: "update", press: () => void updates().then(({ applyUpdate }) => applyUpdate()) }));
    this.announce(t("bar.update"));
  }

  /** @param {string} value */
  chooseLanguage(value) {
    if (!isLanguage(value)) return;
    // A link's language would win over the choice: the choice takes it out.
    if (parseHash(location.hash).params.lang) history.replaceState(history.state, "", location.hash.replace(/([?&])lang=[a-z]{2}&?/, "$1").replace(/[?&]$/, ""));
    this.chosen = null; // even if it is the setting already: the link may have spoken otherwise
    this.settings.set("language", value);
  }

  /** Says something to screen readers. @param {string} text */
  announce(text) {
    this.announcer.append(el("p", {}, text));
    while (this.announcer.childElementCount > 4) this.announcer.firstElementChild?.remove();
  }

  showKeys() {
    const row = (/** @type {string} */ keys, /** @type {string} */ what) => el("tr", {}, el("th", { scope: "row" }, ...keys.split(" ").map((key) => el("kbd", {}, key))), el("td", {}, t(what)));
    openDialog({
      title: t("keys.title"), close: t("close"), kind: "keys",
      content: [el("table", {}, el("tbody", {},
        row("← ↑ → ↓", "keys.arrows"), row("Enter", "keys.enter"), row("Esc", "keys.escape"), row("z", "keys.undo"), row("h", "keys.hint"),
        row("f", "keys.flip"), row("← →", "keys.step"), row("Home End", "keys.ends"), row("?", "keys.help")))],
    });
  }
}

/** Five points and the two diagonals: the board's own sign. */
function brandMark() {
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  mark.setAttribute("viewBox", "0 0 24 24");
  mark.setAttribute("class", "brand-mark");
  mark.setAttribute("aria-hidden", "true");
  const lines = document.createElementNS(mark.namespaceURI, "path");
  lines.setAttribute("d", "M4 4H20V20H4ZM4 4L20 20M20 4L4 20M12 4V20M4 12H20");
  mark.append(lines);
  return mark;
}

const app = new App(engine);
app.start().catch((fault) => {
  console.error(fault);
  showMissing(app.outlet, app.spoken ? language() : null);
});
