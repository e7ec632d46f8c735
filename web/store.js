/**
 * What the browser keeps: one slot a game, and the settings. Works with blocked or full storage too, then only until the tab closes.
 *
 * Two tabs: every game has its own slot, and a slot remembers which tab wrote it last. A tab that finds its slot
 * written by another tab moves to a fresh slot instead of overwriting (see `saveGame`).
 */

const PREFIX = "qirkat.";
const GAME = `${PREFIX}game.`;
const KEEP = 40;
export const LONGEST_NAME = 60;

/**
 * @typedef {object} SavedGame
 * @property {1} v
 * @property {string} id
 * @property {string} ruleset
 * @property {string | null} start position text; null for the ruleset's own start
 * @property {string[]} moves
 * @property {{x: string, o: string}} seats "human" or "computer"
 * @property {number} level
 * @property {boolean} flip
 * @property {number} hints
 * @property {number[]} [hinted] plies, from 1, played after a hint
 * @property {boolean} over
 * @property {number} updated ms since 1970
 * @property {string} writer the tab that wrote it
 * @property {string} [name] given by the visitor
 */

export const freshId = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @returns {Storage | null} null where the browser forbids storage */
function browserStorage() {
  try {
    const storage = window.localStorage;
    storage.setItem(`${PREFIX}probe`, "1");
    storage.removeItem(`${PREFIX}probe`);
    return storage;
  } catch {
    return null;
  }
}

/** A moment, in ms since 1970, that a calendar has. @param {unknown} value @returns {value is number} */
export const isTime = (value) => typeof value === "number" && value >= 0 && value < 2 ** 52;

/** @param {unknown} value @returns {value is SavedGame} */
export function isSavedGame(value) {
  const game = /** @type {Partial<SavedGame> | null} */ (value);
  const seat = (/** @type {unknown} */ one) => one === "human" || one === "computer";
  return typeof game === "object" && game !== null && game.v === 1 && typeof game.id === "string" && typeof game.ruleset === "string"
    && (game.start === null || typeof game.start === "string")
    && Array.isArray(game.moves) && game.moves.every((move) => typeof move === "string")
    && typeof game.seats === "object" && seat(game.seats?.x) && seat(game.seats?.o)
    && (game.hinted === undefined || Array.isArray(game.hinted) && game.hinted.every((ply) => Number.isInteger(ply)))
    && (game.name === undefined || typeof game.name === "string") && typeof game.level === "number" && isTime(game.updated) && typeof game.writer === "string";
}

export class Store {
  /** @param {Storage | null} [storage] */
  constructor(storage = browserStorage()) {
    this.storage = storage;
    this.writer = freshId();
    /** @type {Map<string, string>} what could not be written */
    this.memory = new Map();
    /** False as soon as something could only be kept in memory. */
    this.safe = storage !== null;
  }

  /** @param {string} key @returns {unknown} */
  read(key) {
    let text = this.memory.get(key) ?? null;
    try { text ??= this.storage?.getItem(key) ?? null; } catch { /* forbidden meanwhile: the memory has what there is */ }
    if (text === null) return null;
    try { return JSON.parse(text); } catch { return null; }
  }

  /** @param {string} key @param {unknown} value @param {{push?: boolean}} [how] push: old finished games may go to make room */
  write(key, value, { push = true } = {}) {
    const text = JSON.stringify(value);
    for (let attempt = 0; attempt < 2 && this.storage; attempt++) {
      try {
        this.storage.setItem(key, text);
        this.memory.delete(key);
        return;
      } catch {
        if (!push) break;
        this.forgetOldest(key); // full: finished games go first
      }
    }
    this.safe = false;
    this.memory.set(key, text);
  }

  /** @param {string} key */
  remove(key) {
    this.memory.delete(key);
    try { this.storage?.removeItem(key); } catch { /* nothing to do */ }
  }

  /** Every key in use that begins so. @param {string} prefix @returns {string[]} */
  keys(prefix) {
    const keys = new Set(this.memory.keys());
    try { for (let i = 0; i < (this.storage?.length ?? 0); i++) keys.add(this.storage?.key(i) ?? ""); } catch { /* memory only */ }
    return [...keys].filter((key) => key.startsWith(prefix));
  }

  /** Characters that all of it takes. */
  size() { return this.keys(PREFIX).reduce((sum, key) => sum + key.length + (this.memory.get(key) ?? this.storage?.getItem(key) ?? "").length, 0); }

  /** @param {string} except */
  forgetOldest(except) {
    const oldest = this.games().filter((game) => GAME + game.id !== except && game.over).at(-1);
    if (oldest) this.removeGame(oldest.id);
  }

  /** Saves under the game's id, or under a fresh one when another tab owns that slot. @param {Omit<SavedGame, "v" | "updated" | "writer">} game @returns {string} the id used */
  saveGame(game) {
    const there = this.loadGame(game.id);
    const foreign = there !== null && there.writer !== this.writer && there.moves.join(" ") !== game.moves.slice(0, there.moves.length).join(" ");
    const id = foreign ? freshId() : game.id;
    const name = foreign ? undefined : there?.name;
    this.write(GAME + id, { ...game, id, v: 1, updated: Date.now(), writer: this.writer, ...(name ? { name } : {}) });
    return id;
  }

  /** Puts a game down as it is: one that comes back, or from a file. @param {SavedGame} game @param {{push?: boolean}} [how] */
  putGame(game, how) { this.write(GAME + game.id, game, how); }

  /** @param {string} id @param {string} name "" for none */
  renameGame(id, name) {
    const game = this.loadGame(id);
    if (!game) return;
    const { name: old, ...rest } = game;
    void old;
    this.putGame(name ? { ...rest, name } : rest);
  }

  /** @param {string} id @returns {SavedGame | null} */
  loadGame(id) {
    const value = this.read(GAME + id);
    return isSavedGame(value) && value.id === id ? value : null;
  }

  /** @param {string} id */
  removeGame(id) { this.remove(GAME + id); }

  /** All saved games, latest first; the oldest finished ones beyond a fair number are dropped. @returns {SavedGame[]} */
  games() {
    const games = this.keys(GAME).map((key) => this.loadGame(key.slice(GAME.length)));
    return games.filter((game) => game !== null).sort((a, b) => b.updated - a.updated);
  }

  /** Games worth going on with. @returns {SavedGame[]} */
  unfinished() {
    const games = this.games();
    for (const old of games.filter((game) => game.over).slice(KEEP)) this.removeGame(old.id);
    return games.filter((game) => !game.over && game.moves.length > 0);
  }
}
