/** Shows the screen that the address names. Screens are loaded when first needed. */

import { showMissing } from "./missing.js";
import { readHash } from "./share/link.js";
import { language } from "./text.js";

/**
 * A screen module exports `mount`. The returned handle's `update` may take a new place without being rebuilt
 * (answer true); `destroy` undoes everything `mount` did.
 * @typedef {{destroy: () => void, update?: (place: import("./hash.js").Place) => boolean}} Mounted
 * @typedef {{mount: (outlet: HTMLElement, app: import("./app.js").App, place: import("./hash.js").Place) => Mounted}} Screen
 */

export class Router {
  /**
   * @param {HTMLElement} outlet
   * @param {import("./app.js").App} app
   * @param {Record<string, () => Promise<Screen>>} screens by route; "" is home
   */
  constructor(outlet, app, screens) {
    this.outlet = outlet;
    this.app = app;
    this.screens = screens;
    /** @type {Mounted | null} */
    this.mounted = null;
    this.route = "";
    this.turn = 0;
  }

  /** @param {boolean} [rebuild] mount again even if the screen could take the new place (a new language) */
  async show(rebuild = false) {
    const turn = ++this.turn;
    const place = await readHash(location.hash);
    if (turn !== this.turn) return; // the visitor went elsewhere meanwhile
    const known = Object.hasOwn(this.screens, place.route);
    const route = known ? place.route : "";
    if (!known) place.problem ??= { key: "link.page", params: {} };
    if (!rebuild && this.mounted && route === this.route && this.mounted.update?.(place)) return;
    const screen = await this.screens[route]().catch((fault) => {
      console.error(fault);
      return { mount: sayMissing };
    });
    if (turn !== this.turn) return;
    if (this.mounted && !rebuild) scrollTo(0, 0); // a new page begins at its beginning
    this.mounted?.destroy();
    this.outlet.replaceChildren();
    this.outlet.dataset.route = route || "home";
    document.documentElement.dataset.route = route || "home";
    this.route = route;
    this.mounted = screen.mount(this.outlet, this.app, place);
  }
}

/** In the place of a screen that cannot be had. @type {Screen["mount"]} */
function sayMissing(outlet) {
  showMissing(outlet, language());
  return { destroy: () => outlet.replaceChildren() };
}
