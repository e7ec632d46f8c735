/**
 * Further workers that think along with a long search, where the device has room for them.
 *
 * The first worker searches as if it were alone and its answer is the answer. A helper searches the
 * same position, looks ahead at what the first comes to last, and both tell each other what they
 * found (`learned` and `teach` in docs/wire.md). So a helper that is late, slow or dead costs
 * nothing but its help. Only searches by time are helped: the others answer alike everywhere.
 */

import { Engine } from "./engine.js";

/** @typedef {{onProgress?: (progress: any) => void, signal?: AbortSignal}} Options */
/** @typedef {{name: string, endings: number, entries: string}} News */
/** What is needed of an engine. @typedef {Pick<Engine, "state" | "ask" | "notify" | "destroy"> & {onlearned: ((news: News) => void) | null}} Worker_ */

/** The level that thinks by the clock (pyengine/ai/levels.py). */
const TIMED_LEVEL = 9;
/** A search shorter than this (ms) is over before help counts. */
const LONG = 500;
/** What the first worker needs, the page included, and each helper: `python3 dev.py bench memory`, rounded up. */
export const MEGABYTES = { first: 210, more: 95 };
/** A helper that was not needed for so long (ms) gives its memory back. */
const REST = 120_000;

/**
 * How many helpers this device has room for: one where there are four processors and 4 GB, none on
 * phones and tablets, which end big pages. Browsers that do not tell their memory are desktops'.
 */
export function roomForHelpers() {
  const { hardwareConcurrency = 1, deviceMemory = 8 } = /** @type {Navigator & {deviceMemory?: number}} */ (navigator);
  const held = !matchMedia("(any-pointer: fine)").matches;
  return hardwareConcurrency >= 4 && deviceMemory >= 4 && !held ? 1 : 0;
}

export class Helpers {
  /**
   * @param {Worker_} first the engine that answers
   * @param {{most?: number, rest?: number, start?: () => Worker_}} [options] for tests: how many helpers, how long they
   *   stay unused, what starts one
   */
  constructor(first, { most = roomForHelpers(), rest = REST, start = () => new Engine() } = {}) {
    this.first = first;
    this.most = most;
    this.rest = rest;
    this.start = start;
    /** @type {Worker_[]} */
    this.helpers = [];
    /** Searches that run, and searches so far. */
    this.running = 0;
    this.asked = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    first.onlearned = (news) => this.#pass(news, first);
  }

  /** How many helpers are ready. */
  get ready() {
    return this.helpers.filter(({ state }) => state === "ready").length;
  }

  /** Whether a request is one to help with. @param {string} method @param {any} params */
  helpsWith(method, params) {
    const { level, ms, nodes } = params;
    const long = ms === undefined ? level === TIMED_LEVEL : ms >= LONG && (level ?? TIMED_LEVEL) === TIMED_LEVEL;
    return method === "search" && this.most > 0 && nodes === undefined && long;
  }

  /**
   * A search with the helpers that are ready; the others start meanwhile, for the next one.
   * @param {any} params @param {Options} [options] as of `Engine.ask`
   * @returns {Promise<any>} the first worker's answer, with the nodes of all
   */
  async search(params, options = {}) {
    const helpers = this.helpers.filter(({ state }) => state === "ready");
    this.#wake();
    this.running += 1;
    this.asked += 1;
    const name = `search ${this.asked}`;
    // All must judge alike, so the errors of judgement are chosen here.
    const seed = params.seed ?? crypto.getRandomValues(new Uint32Array(1))[0];
    const over = new AbortController();
    const nodes = helpers.map(() => 0);
    const all = (/** @type {number} */ own) => nodes.reduce((sum, count) => sum + count, own);
    /** @param {number} place */
    const part = (place) => ({ ...params, seed, team: { name, place, of: 1 + helpers.length } });
    for (const [i, helper] of helpers.entries()) {
      const onProgress = (/** @type {any} */ news) => (nodes[i] = news.nodes);
      helper.ask("search", part(1 + i), { signal: over.signal, onProgress }).catch(() => this.#dismiss(helper));
    }
    try {
      const { onProgress, signal } = options;
      const found = await this.first.ask("search", helpers.length ? part(0) : { ...params, seed }, {
        signal, onProgress: onProgress && ((news) => onProgress({ ...news, nodes: all(news.nodes) })) });
      return { ...found, nodes: all(found.nodes) };
    } finally {
      over.abort();
      this.running -= 1;
      this.#restLater();
    }
  }

  /** Ends the helpers. */
  destroy() {
    clearTimeout(this.timer);
    for (const helper of this.helpers.splice(0)) helper.destroy();
  }

  #wake() {
    clearTimeout(this.timer);
    while (this.helpers.length < this.most) {
      const helper = this.start();
      helper.onlearned = (news) => this.#pass(news, helper);
      this.helpers.push(helper);
    }
  }

  #restLater() {
    clearTimeout(this.timer);
    if (!this.running) this.timer = setTimeout(() => this.destroy(), this.rest);
  }

  /** A helper in trouble is done without; the next search starts another. @param {Worker_} helper */
  #dismiss(helper) {
    helper.destroy();
    this.helpers = this.helpers.filter((one) => one !== helper);
  }

  /** @param {News} news @param {Worker_} from */
  #pass(news, from) {
    for (const worker of [this.first, ...this.helpers]) if (worker !== from) worker.notify("teach", news);
  }
}
