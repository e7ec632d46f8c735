/** What is kept where, what a room reveals, and how to erase it all. */

import { button, confirm, el } from "../dom.js";
import { eraseEverything } from "../profile/profile.js";
import { t } from "../text.js";
import { tellLine } from "./room/parts.js";

const SECTIONS = ["site", "here", "room", "servers", "letters", "signatures"];

/** @type {import("../router.js").Screen["mount"]} */
export function mount(outlet, app) {
  const told = tellLine();
  const erase = async () => {
    if (!await confirm({ title: t("privacy.erase"), text: t("privacy.erase.sure"), yes: t("privacy.erase.yes"), no: t("profile.keep"), danger: true })) return;
    eraseEverything(app.store);
    told.tell(t("privacy.erased"));
  };
  outlet.append(el("div", { class: "room privacy" }, el("h1", {}, t("privacy.title")),
    ...SECTIONS.map((one) => el("section", { "aria-labelledby": `privacy-${one}` }, el("h2", { id: `privacy-${one}` }, t(`privacy.${one}`)), el("p", {}, t(`privacy.${one}.text`)))),
    el("section", { class: "room-form", "aria-labelledby": "privacy-erase" }, el("h2", { id: "privacy-erase" }, t("privacy.erase")), el("p", {}, t("privacy.erase.text")),
      el("div", { class: "room-buttons" }, button({ label: t("privacy.erase.yes"), kind: "danger", press: () => void erase() })), told.node)));
  return { destroy() {} };
}
