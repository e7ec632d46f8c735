/** The visitor's choices, kept in the store and put on the document where styles read them. */

/**
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark" | "contrast"} theme
 * @property {"wood" | "stone" | "plain"} board
 * @property {"off" | "letters" | "rows"} coordinates
 * @property {"auto" | "fr" | "es" | "en"} language
 * @property {boolean} motion
 * @property {boolean} sound
 * @property {boolean} forced play forced moves for me
 * @property {boolean} confirm confirm each move with a button
 * @property {boolean} turn turn the board after each move when two play at one screen
 */

/** Every choice there is, the default first. @type {{[K in keyof Settings]: readonly Settings[K][]}} */
export const CHOICES = {
  theme: ["auto", "light", "dark", "contrast"],
  board: ["wood", "stone", "plain"],
  coordinates: ["letters", "off", "rows"],
  language: ["auto", "fr", "es", "en"],
  motion: [true, false],
  sound: [false, true],
  forced: [false, true],
  confirm: [false, true],
  turn: [false, true],
};

export const SETTINGS_KEY = "qirkat.settings";

export class SettingsStore {
  /** @param {import("./store.js").Store} store */
  constructor(store) {
    this.store = store;
    /** @type {Set<(settings: Settings) => void>} */
    this.listeners = new Set();
    this.values = clean(store.read(SETTINGS_KEY));
    this.put();
  }

  /** @template {keyof Settings} K @param {K} name @param {Settings[K]} value */
  set(name, value) {
    this.take({ ...this.values, [name]: value });
  }

  /** Takes a whole set of choices over; what is missing or wrong in it gets its default. @param {unknown} values */
  take(values) {
    this.values = clean(values);
    this.store.write(SETTINGS_KEY, this.values);
    this.put();
    for (const listener of this.listeners) listener(this.values);
  }

  /** @param {(settings: Settings) => void} listener @returns {() => void} stops listening */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  put() {
    const root = document.documentElement;
    root.dataset.theme = this.values.theme;
    root.dataset.board = this.values.board;
    root.dataset.motion = this.moves() ? "on" : "off";
  }

  /** Whether things may move: the visitor's choice and the system's. */
  moves() { return this.values.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches; }
}

/** Whatever was stored, a whole and valid set of choices. @param {unknown} stored @returns {Settings} */
function clean(stored) {
  const from = /** @type {Record<string, unknown>} */ (typeof stored === "object" && stored !== null ? stored : {});
  const entries = Object.entries(CHOICES).map(([name, choices]) =>
    [name, /** @type {readonly unknown[]} */ (choices).includes(from[name]) ? from[name] : choices[0]]);
  return /** @type {Settings} */ (Object.fromEntries(entries));
}
