/**
 * Style sheets that only some screens need. What the frame and every board need stands in the page itself; the rest
 * comes with the screen, so that the first paint carries no other screen's styles.
 */

/** In which order the sheets stand in the page, whichever is visited first: later ones win. */
const ORDER = ["home", "play", "share", "learn", "print", "room", "tools"];

/** @type {Map<string, Promise<void>>} */
const asked = new Map();

/** A sheet of styles/, put into the page once. Settles when it applies, or cannot be had: a bare screen is better than none. @param {string} name @returns {Promise<void>} */
export function sheet(name) {
  const there = asked.get(name);
  if (there) return there;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`./styles/${name}.css`, import.meta.url).href;
  link.dataset.sheet = name;
  /** @type {Promise<void>} */
  const settled = new Promise((done) => { link.onload = link.onerror = () => done(); });
  asked.set(name, settled);
  const rank = ORDER.indexOf(name);
  const after = [...document.head.querySelectorAll("link[data-sheet]")].find((other) => other instanceof HTMLElement && ORDER.indexOf(other.dataset.sheet ?? "") > rank);
  document.head.insertBefore(link, after ?? null);
  return settled;
}

/** A module together with the sheets it needs, fetched side by side. @template T @param {() => Promise<T>} load @param {string[]} names @returns {() => Promise<T>} */
export const dressed = (load, ...names) => async () => (await Promise.all([load(), ...names.map(sheet)]))[0];
