/**
 * An engine that is started when something is first asked of it. Until then it counts as ready: a board and its
 * first move need no engine, and ten boards on a page must not start ten Pythons.
 */

/** @typedef {import("../engine.js").Stage} Stage */

/** @type {Stage} */
const AT_REST = { state: "ready", stage: "ready", loaded: 0, total: 0, way: null, ms: 0, failure: null };

export class LazyEngine {
  constructor() {
    /** @type {Set<(stage: Stage) => void>} */
    this.listeners = new Set();
    this.stage = AT_REST;
    /** @type {Promise<import("../engine.js").Engine> | null} */
    this.starting = null;
    /** Fetches the engine, and once it is there starts it anew. @type {() => void} */
    this.fetch = () => undefined;
  }

  get state() { return this.stage.state; }

  /** @param {(stage: Stage) => void} listener @returns {() => void} stops it */
  onstage(listener) {
    this.listeners.add(listener);
    listener(this.stage);
    return () => this.listeners.delete(listener);
  }

  /** Starts the engine before it is asked anything. */
  wake() {
    this.starting ??= new Promise((resolve) => {
      this.fetch = () => import("../engine.js").then(({ Engine }) => {
        const engine = new Engine();
        this.fetch = () => engine.retry();
        engine.onstage((stage) => this.tell(stage));
        resolve(engine);
      }, (fault) => this.tell({ ...AT_REST, state: "failed", stage: "failed", failure: { kind: "missing", file: "engine.js", detail: String(fault) } }));
      this.fetch();
    });
    return this.starting;
  }

  /** @param {Stage} stage */
  tell(stage) {
    this.stage = stage;
    for (const listener of this.listeners) listener(stage);
  }

  /** @param {string} method @param {object} [params] @param {{onProgress?: (progress: any) => void, signal?: AbortSignal}} [options] */
  async request(method, params, options) {
    return (await this.wake()).request(method, params, options);
  }

  retry() { this.fetch(); }

  /** Gives the worker and its memory back; the next question starts it again. */
  rest() {
    const { starting } = this;
    this.starting = null;
    void starting?.then((engine) => {
      engine.destroy();
      this.tell(AT_REST);
    });
  }
}

/**
 * Boards of one site on one page start their engines one after the other. Where locks are missing or refused, and
 * when another board takes too long, this one does not wait.
 * @template T @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function inTurn(work) {
  let begun = false;
  try {
    return await navigator.locks.request("qirkat-embed", { signal: AbortSignal.timeout(10_000) }, () => {
      begun = true;
      return work();
    });
  } catch (fault) {
    if (begun) throw fault;
    return work();
  }
}

/** When the board comes into view. @param {Element} node @returns {Promise<void>} */
export function inView(node) {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(node);
  });
}
