/** What the play screen needs of an app, on somebody else's page: nothing is stored, the address decides. */

import { el } from "../dom.js";
import { SettingsStore } from "../settings.js";
import { Sound } from "../sound.js";
import { Store } from "../store.js";
import { LazyEngine } from "./lazy-engine.js";

export class EmbedApp {
  constructor() {
    this.engine = new LazyEngine();
    // Browsers part an embedded page's storage from the visitor's own, or forbid it: nothing is read or written.
    this.store = new Store(null);
    this.settings = new SettingsStore(this.store);
    this.sound = new Sound(() => false);
    this.announcer = /** @type {HTMLElement} */ (document.getElementById("announcer"));
  }

  /** @param {import("./address.js").Params} look */
  dress({ theme = "auto", board = "wood", coordinates = "letters" }) {
    const { settings } = this;
    for (const [name, value] of /** @type {const} */ ([["theme", theme], ["board", board], ["coordinates", coordinates]])) {
      if (settings.values[name] !== value) settings.set(name, value);
    }
  }

  /** Says something to screen readers. @param {string} text */
  announce(text) {
    this.announcer.append(el("p", {}, text));
    while (this.announcer.childElementCount > 4) this.announcer.firstElementChild?.remove();
  }
}
