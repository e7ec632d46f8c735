/** The one line that tells what is going on, with the buttons that answer it. Its place keeps its height. */

import { button, el } from "../../dom.js";
import { t } from "../../text.js";

/** @typedef {{label: string, icon?: string, kind?: string, press: () => void}} Answer */

export class Status {
  /** @param {() => void} [answered] when the button that had the focus is gone: somewhere else must have it */
  constructor(answered = () => {}) {
    this.answered = answered;
    this.text = el("p", { class: "status-text" });
    this.answers = el("div", { class: "status-answers" });
    this.node = el("div", { class: "status" }, this.text, this.answers);
    this.key = "";
  }

  /** @param {{text: string, tone?: "calm" | "alert" | "won" | "lost" | "even" | "busy", title?: string, answers?: Answer[]}} what */
  update({ text, tone = "calm", title, answers = [] }) {
    this.node.dataset.tone = tone;
    const key = [title, text, tone, ...answers.map((answer) => answer.label)].join("\n");
    this.pressed = answers;
    if (key === this.key) return; // the same buttons keep their focus
    this.key = key;
    const focused = this.answers.contains(document.activeElement);
    this.text.replaceChildren(...(title ? [el("strong", {}, title), " "] : []), text);
    this.answers.replaceChildren(...answers.map((answer, i) => button({ ...answer, press: () => this.pressed?.[i]?.press() })));
    if (focused) this.answered();
  }
}

/** The engine's start: a thin line while it loads, a sentence and a button when it failed. */
export class BootLine {
  /** @param {import("../../app.js").EngineLike} engine */
  constructor(engine) {
    this.text = el("p", { class: "boot-text" });
    this.meter = el("progress", { class: "boot-meter", max: 100, "aria-label": t("boot.label") });
    this.retry = button({ label: t("boot.retry"), icon: "restart", kind: "primary", press: () => engine.retry() });
    this.node = el("div", { class: "boot" }, this.text, this.meter, this.retry);
    this.stop = engine.onstage((stage) => this.update(stage));
  }

  /** @param {import("../../engine.js").Stage} stage */
  update(stage) {
    const { state, loaded, total, failure } = stage;
    this.node.hidden = state === "ready";
    this.meter.hidden = state !== "loading";
    this.retry.hidden = state !== "failed";
    this.node.classList.toggle("is-failed", state === "failed");
    if (state === "failed") this.text.textContent = t(`boot.failed.${failure?.kind ?? "broken"}`, { file: failure?.file ?? "" });
    else if (state === "loading") {
      const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
      this.text.textContent = stage.stage === "download" && total ? t("boot.download", { loaded: megabytes(loaded), total: megabytes(total) }) : t(`boot.${stage.stage}`);
      if (total) this.meter.value = 100 * loaded / total;
    }
  }

  destroy() { this.stop(); }
}
