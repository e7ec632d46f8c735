/** How the table looks: theme, board, coordinates, and a few habits. A dialog over any screen. */

import { el, openDialog } from "../dom.js";
import { CHOICES } from "../settings.js";
import { t } from "../text.js";

/** One group of radio buttons for a setting. @param {import("../app.js").App} app @param {keyof typeof CHOICES} name */
export function choiceGroup(app, name) {
  return el("fieldset", { class: "choice" }, el("legend", {}, t(`setting.${name}`)),
    el("div", { class: "segments" }, ...CHOICES[name].map((value) => el("label", { class: `segment ${name}-${value}` },
      el("input", { type: "radio", name: `setting-${name}`, value: String(value), checked: app.settings.values[name] === value,
        onchange: () => app.settings.set(name, /** @type {never} */ (value)) }),
      el("span", {}, t(`setting.${name}.${value}`))))));
}

/** @param {import("../app.js").App} app */
export function openAppearance(app) {
  const dialog = openDialog({
    title: t("look.title"), close: t("close"), kind: "look",
    content: [...(/** @type {const} */ (["theme", "board", "coordinates", "motion", "sound"])).map((name) => choiceGroup(app, name)),
      el("a", { class: "button", href: "#/settings", onclick: () => dialog.close() }, t("settings.all"))],
  });
}
