/** About: version, how the start went, what works without a network, what is stored, what is shipped under which licence. */

import { BUILD } from "../build.js";
import { button, el } from "../dom.js";
import { MEGABYTES, roomForHelpers } from "../helpers.js";
import { whatIsKept } from "../offline.js";
import { t } from "../text.js";
import { applyUpdate, checkForUpdate } from "../updates.js";
import { bytesInWords, secondsInWords } from "./amounts.js";

/** What tools/licences.py writes. @typedef {{name: string, version: string, licence: string, what: string, source: string, text: string | null}} Licence */
/** @typedef {{source: string, packages: Licence[]}} Licences */

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app) {
  return new AboutScreen(outlet, app);
}

class AboutScreen {
  /** @param {HTMLElement} outlet @param {import("../app.js").App} app */
  constructor(outlet, app) {
    this.app = app;
    this.gone = false;
    this.version = list([[t("about.page"), BUILD.version], [t("about.engine"), BUILD.engine], [t("about.python"), `Pyodide ${BUILD.pyodide}`]]);
    this.start = el("div", {});
    this.offline = el("div", {});
    this.storage = el("div", {});
    this.licences = el("div", { class: "about-licences" });
    this.links = el("p", { class: "about-links" });
    this.said = el("p", { class: "share-said", role: "status" });
    const section = (/** @type {string} */ key, /** @type {Node[]} */ ...content) => el("section", { class: "about-part", "aria-labelledby": key }, el("h2", { id: key }, t(key)), ...content);
    this.node = el("div", { class: "about" },
      el("header", {}, el("h1", {}, t("about.title")), el("p", { class: "tools-line" }, t("about.line")), el("p", { class: "tools-line" }, t("about.name"))),
      el("div", { class: "about-parts" },
        section("about.version", this.version, button({ label: t("about.look"), icon: "restart", kind: "slim", press: () => void this.look() }), this.said),
        section("about.start", this.start),
        section("about.offline", this.offline),
        section("about.storage", this.storage)),
      section("about.shipped", el("p", {}, t("about.shipped.line")), this.licences),
      this.links);
    outlet.append(this.node);
    this.stop = app.engine.onstage(() => this.drawStart());
    this.onworker = () => void this.drawOffline();
    navigator.serviceWorker?.addEventListener("controllerchange", this.onworker);
    void this.drawOffline();
    void this.drawStorage();
    void this.drawLicences();
  }

  destroy() {
    this.gone = true;
    this.stop();
    navigator.serviceWorker?.removeEventListener("controllerchange", this.onworker);
    this.node.remove();
  }

  drawStart() {
    const { stages } = this.app;
    const ready = stages.get("ready");
    const order = /** @type {const} */ (["download", "python", "engine", "ready"]);
    /** @type {[string, string][]} */
    const rows = [];
    for (const [i, name] of order.entries()) {
      const stage = stages.get(name);
      const next = order.slice(i + 1).map((later) => stages.get(later)).find(Boolean);
      if (stage && next) rows.push([t(`about.stage.${name}`), secondsInWords(next.ms - stage.ms)]);
    }
    if (ready) rows.push([t("about.stage.ready"), secondsInWords(ready.ms)], [t("about.way"), t(`about.way.${ready.way ?? "plain"}`)]);
    this.start.replaceChildren(...(rows.length ? [list(rows), el("p", {}, this.workers())] : [el("p", {}, t(this.app.engine.state === "failed" ? "about.start.failed" : "about.start.going"))]));
  }

  /** How many workers there are, and what each costs. */
  workers() {
    const { first, more } = MEGABYTES;
    return t("about.workers", { n: 1 + (this.app.engine.helpers?.ready ?? 0), most: 1 + roomForHelpers(), first, more });
  }

  async drawOffline() {
    const kept = await whatIsKept();
    if (this.gone) return;
    const yes = (/** @type {boolean} */ so) => t(so ? "about.kept" : "about.not-kept");
    this.offline.replaceChildren(
      el("p", {}, t(kept.worker && kept.site ? "about.offline.yes" : kept.site ? "about.offline.soon" : navigator.serviceWorker ? "settings.offline.soon" : "about.offline.no")),
      list([[t("about.offline.site"), yes(kept.site)], [t("about.offline.quick"), yes(kept.quick)], [t("about.offline.tables"), t("about.offline.count", { n: kept.tables, all: kept.of })]]),
      el("a", { class: "button slim", href: "#/settings" }, t("settings.title")));
  }

  async drawStorage() {
    const { store } = this.app;
    const estimate = await navigator.storage?.estimate?.().catch(() => null);
    const persisted = await navigator.storage?.persisted?.().catch(() => false);
    if (this.gone) return;
    /** @type {[string, string][]} */
    const rows = [[t("about.storage.games"), store.storage ? bytesInWords(store.size()) : t("about.not-kept")]];
    if (estimate?.usage !== undefined) rows.push([t("about.storage.all"), bytesInWords(estimate.usage)]);
    if (estimate?.quota) rows.push([t("about.storage.free"), bytesInWords(estimate.quota - (estimate.usage ?? 0))]);
    rows.push([t("about.storage.lasting"), t(persisted ? "about.yes" : "about.no")]);
    const said = el("p", { class: "share-said", role: "status" });
    this.storage.replaceChildren(list(rows), ...(store.safe ? [] : [el("p", { class: "notice" }, t(store.storage ? "store.unsafe" : "store.blocked"))]), said,
      ...(persisted || !navigator.storage?.persist ? [] : [button({ label: t("about.persist"), kind: "slim", press: async () => {
        const lasting = await navigator.storage.persist().catch(() => false);
        await this.drawStorage();
        this.app.announce(t(lasting ? "about.persist.yes" : "about.persist.no"));
        if (!lasting) this.storage.querySelector(".share-said")?.replaceChildren(t("about.persist.no"));
      } })]),
      el("a", { class: "button slim", href: "#/games" }, t("games.title")));
  }

  async drawLicences() {
    /** @type {Licences} */
    let found;
    try { found = await (await fetch(new URL("../licences.json", import.meta.url))).json(); } catch { return; }
    if (this.gone) return;
    this.licences.replaceChildren(...found.packages.map(({ name, version, licence, what, source, text }) => el("article", { class: "about-licence" },
      el("h3", {}, `${name} ${version}`), el("p", {}, `${t(`about.what.${what}`)} · ${licence}`),
      source ? el("a", { href: source, rel: "noopener", target: "_blank" }, t("about.source")) : null,
      text ? el("details", {}, el("summary", {}, t("about.licence.text")), el("pre", { tabindex: 0 }, text)) : null)));
    if (!found.source) this.licences.after(el("p", {}, t("about.code.inside")));
    this.links.replaceChildren(...[
      found.source ? el("a", { class: "button", href: found.source, rel: "noopener", target: "_blank" }, t("about.code")) : null,
      BUILD.wheel ? el("a", { class: "button", href: new URL(`wheels/${BUILD.wheel}`, new URL(BUILD.root, import.meta.url)).href, download: true }, t("about.wheel")) : null,
      el("a", { class: "button", href: "#/privacy" }, t("privacy.title")),
      el("a", { class: "button", href: "#/learn" }, t("learn.title")),
    ].filter((link) => link !== null));
  }

  async look() {
    this.said.textContent = t("about.looking");
    await checkForUpdate();
    const waiting = Boolean((await navigator.serviceWorker?.getRegistration(new URL(BUILD.root, import.meta.url)))?.waiting);
    if (this.gone) return;
    this.said.replaceChildren(t(waiting ? "about.newer" : "about.newest"), ...(waiting ? [" ", button({ label: t("bar.update"), kind: "slim", press: applyUpdate })] : []));
  }
}

/** @param {[string, string][]} rows */
const list = (rows) => el("dl", { class: "about-list" }, ...rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
