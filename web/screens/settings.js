/** All settings on one page, and what is kept for use without a network. */

import { button, confirm, el } from "../dom.js";
import { keepTables, whatIsKept } from "../offline.js";
import { t } from "../text.js";
import { bytesInWords } from "./amounts.js";
import { choiceGroup } from "./appearance.js";

/** @typedef {keyof typeof import("../settings.js").CHOICES} Choice */

/** @type {{key: string, choices: Choice[]}[]} */
const GROUPS = [
  { key: "settings.looks", choices: ["language", "theme", "board", "coordinates", "motion"] },
  { key: "settings.playing", choices: ["confirm", "forced", "turn", "sound"] },
];

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app) {
  let gone = false;
  const groups = el("div", { class: "settings-groups" });
  const said = el("p", { class: "share-said", role: "status" });
  const draw = () => groups.replaceChildren(
    ...GROUPS.map(({ key, choices }) => el("section", { class: "settings-group", "aria-labelledby": key }, el("h2", { id: key }, t(key)), ...choices.map((name) => choiceGroup(app, name)))),
    offline);

  const offlineText = el("p", {});
  const meter = el("progress", { class: "boot-meter", max: 1, hidden: true, "aria-label": t("settings.tables") });
  const keep = button({ label: t("settings.tables.keep"), icon: "save", press: () => void keepAll() });
  const offline = el("section", { class: "settings-group", "aria-labelledby": "settings.offline" }, el("h2", { id: "settings.offline" }, t("settings.offline")),
    el("p", {}, t("settings.offline.line")), offlineText, meter, keep);
  const tellKept = async () => {
    const kept = await whatIsKept();
    if (gone) return;
    const all = kept.of > 0 && kept.tables === kept.of;
    offlineText.textContent = !kept.worker ? t(navigator.serviceWorker ? "settings.offline.soon" : "settings.offline.none") : t("settings.tables.kept", { n: kept.tables, all: kept.of, size: bytesInWords(kept.bytes) });
    keep.toggleAttribute("disabled", !kept.worker || all);
  };
  const keepAll = async () => {
    keep.setAttribute("disabled", "");
    meter.hidden = false;
    try {
      await keepTables((done, of) => { meter.max = of; meter.value = done; });
      said.textContent = t("settings.tables.done");
    } catch {
      said.textContent = t("settings.tables.failed");
    }
    meter.hidden = true;
    await tellKept();
  };
  const reset = async () => {
    if (!await confirm({ title: t("settings.reset"), text: t("settings.reset.sure"), yes: t("settings.reset.yes"), no: t("settings.reset.no") })) return;
    app.settings.take({});
    draw();
    said.textContent = t("settings.reset.done");
  };

  const node = el("div", { class: "settings" },
    el("header", {}, el("h1", {}, t("settings.title")), el("p", { class: "tools-line" }, t(app.store.safe ? "settings.line" : "store.unsafe"))),
    groups, said,
    el("div", { class: "settings-end" }, button({ label: t("settings.reset"), icon: "restart", press: () => void reset() }),
      el("a", { class: "button", href: "#/games" }, t("games.title")), el("a", { class: "button", href: "#/about" }, t("about.title"))));
  outlet.append(node);
  draw();
  void tellKept();
  // A sound setting is heard at once.
  const unlisten = app.settings.listen(({ sound }) => { if (sound && !before) app.sound.knock("take"); before = sound; });
  let before = app.settings.values.sound;
  const onworker = () => void tellKept();
  navigator.serviceWorker?.addEventListener("controllerchange", onworker);
  return { destroy() { gone = true; unlisten(); navigator.serviceWorker?.removeEventListener("controllerchange", onworker); node.remove(); } };
}
