/** A player's place at the table: stone, name, what is in hand, what was taken. */

import { stoneIcon } from "../../board/pieces.js";
import { el } from "../../dom.js";
import { t } from "../../text.js";

export class Strip {
  /** @param {"dark" | "light"} tone @param {"dark" | "light"} foe tone of the stones it takes */
  constructor(tone, foe) {
    this.foe = foe;
    this.tone = tone;
    this.name = el("bdi", { class: "strip-name" });
    this.note = el("span", { class: "strip-note" });
    this.tray = el("span", { class: "tray", role: "img" });
    this.node = el("div", { class: "strip" }, stoneIcon(tone), el("span", { class: "strip-who" }, this.name, this.note), this.tray);
  }

  /** @param {{name: string, note: string, taken: number, hand: number | null, active: boolean, thinking: boolean}} data */
  update({ name, note, taken, hand, active, thinking }) {
    this.name.textContent = name;
    this.note.textContent = note;
    this.node.classList.toggle("is-active", active);
    this.node.classList.toggle("is-thinking", thinking);
    const count = hand ?? taken;
    if (this.tray.dataset.count === `${hand === null}${count}`) return;
    this.tray.dataset.count = `${hand === null}${count}`;
    this.tray.setAttribute("aria-label", hand === null ? t("tray.taken", { n: taken }) : t("tray.hand", { n: hand }));
    const stones = Array.from({ length: Math.min(count, 24) }, () => el("span", { class: "tray-stone" }, stoneIcon(hand === null ? this.foe : this.tone)));
    this.tray.replaceChildren(el("span", { class: "tray-stones" }, ...stones), el("span", { class: "tray-count" }, count ? String(count) : ""));
  }
}
