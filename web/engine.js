/**
 * The page's side of the engine: starts the worker, tries one way of starting after the other,
 * sends requests and watches that answers come. The engine itself is Python (pyengine/service.py);
 * what can be asked stands in docs/wire.md.
 *
 * Every request carries the whole game, so a worker that hangs can be ended at any moment: a new
 * one gets the open requests again.
 */

import { BUILD } from "./build.js";
import { compileInterpreter, fault, INTERPRETER, takeHatched } from "./interpreter.js";

/** @typedef {import("./workers/messages.js").Way} Way */

/**
 * Where the start stands. `loaded` and `total` are bytes on the wire.
 * @typedef {object} Stage
 * @property {"loading" | "ready" | "failed"} state
 * @property {"download" | "python" | "engine" | "ready" | "failed"} stage
 * @property {number} loaded
 * @property {number} total
 * @property {Way | null} way the way that is being tried, or that worked
 * @property {number} ms since the start
 * @property {Failure | null} failure
 *
 * `kind`: "missing" (a file could not be had; `file`), "no-wasm" (the browser has no WebAssembly or
 * is not allowed to use it), "no-worker" (workers are refused, as from a `file:` page), "memory",
 * "timeout" or "broken".
 * @typedef {{kind: string, file?: string, detail: string}} Failure
 *
 * @typedef {object} Request
 * @property {string} method
 * @property {object} params
 * @property {(result: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {((progress: any) => void) | undefined} onProgress
 * @property {number} deaths workers that went silent over it
 */

/** What the engine answered instead of a result (`code` and `data` as in docs/wire.md). */
export class EngineError extends Error {
  /** @param {string} message @param {number} code @param {any} data */
  constructor(message, code, data) {
    super(message);
    this.name = "EngineError";
    this.code = code;
    this.data = data;
  }
}

/** Code of errors that come from this file and not from the engine; `data.kind` says which. */
export const CLIENT_ERROR = -32000;

/** The start failed if nothing was heard for so long (ms). Slow phones run Python for seconds. */
const BOOT_SILENCE = 45_000;
/** A worker is given up if it owes an answer and was silent for so long (ms)… */
const SILENCE = 1_500;
/** …and for longer after each time: the request may just be long on this machine. */
const PATIENCE_GROWTH = 5;
const MOST_DEATHS = 3;
const TICK = 250;

/** @type {Record<Way, string[]>} the files whose download is counted, per way */
const COUNTED = {
  snapshot: ["pyodide.asm.wasm", "app.bin", "snapshot.bin"],
  zip: ["pyodide.asm.wasm", "app.bin"],
  plain: ["pyodide.asm.wasm"],
};

/** @param {unknown} error @returns {Failure} */
const asFailure = (error) =>
  typeof error === "object" && error !== null && "kind" in error && "detail" in error
    ? /** @type {Failure} */ (error)
    : fault("broken", String(error));

/** The ways of starting that are worth trying now, the fastest first. @returns {Promise<Way[]>} */
async function waysToTry(/** @type {string} */ runtime) {
  // Only a page that the service worker serves is given what that has kept.
  if (!globalThis.navigator?.serviceWorker?.controller) return ["zip", "plain"];
  try {
    const coming = takeHatched(runtime, "snapshot") ?? caches.match(`${runtime}snapshot.bin`);
    return (await coming) ? ["snapshot", "zip", "plain"] : ["zip", "plain"];
  } catch {
    return ["zip", "plain"]; // a page may not even look at what it is forbidden to keep
  }
}

export class Engine {
  /**
   * Starts at once. `ways` and `silence` are for tests and measurements.
   * @param {{base?: string, ways?: Way[], silence?: number, bootSilence?: number}} [options]
   *   `base`: address of the folder with build.js, by default this file's
   */
  constructor({ base = import.meta.url, ways, silence = SILENCE, bootSilence } = {}) {
    this.runtime = new URL(BUILD.runtime, new URL(base, import.meta.url)).href;
    this.ways = ways;
    this.silence = silence;
    this.bootSilence = bootSilence ?? BOOT_SILENCE;
    /** @type {Map<number, Request>} */
    this.requests = new Map();
    this.nextId = 1;
    /** @type {Set<(stage: Stage) => void>} */
    this.listeners = new Set();
    /** @type {Worker | null} */
    this.worker = null;
    /** A worker that no way has been tried in. @type {{worker: Worker | null, broken: Promise<never>} | null} */
    this.hatched = null;
    /** ms for which the worker owes a sign of life */
    this.quiet = 0;
    this.ticked = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.destroyed = false;
    /** Others that think along; the page sets it. @type {import("./helpers.js").Helpers | null} */
    this.helpers = null;
    /** Told what a search found for others of its team. @type {((news: any) => void) | null} */
    this.onlearned = null;
    this.began = 0;
    /** @type {Map<string, number>} bytes on the wire that have come, by file */
    this.loaded = new Map();
    /** Called at every sign that the start goes on. @type {() => void} */
    this.heard = () => {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.alarm = undefined;
    /** @type {Stage} */
    this.stage = {
      state: "loading",
      stage: "download",
      loaded: 0,
      total: 0,
      way: null,
      ms: 0,
      failure: null,
    };
    void this.#start();
  }

  /** @returns {"loading" | "ready" | "failed"} */
  get state() {
    return this.stage.state;
  }

  /**
   * Calls `listener` now and at every change of the start.
   * @param {(stage: Stage) => void} listener
   * @returns {() => void} stops it
   */
  onstage(listener) {
    this.listeners.add(listener);
    listener(this.stage);
    return () => this.listeners.delete(listener);
  }

  /**
   * Asks the engine. Waits for the start if need be. A `search` whose `signal` aborts answers with
   * its best so far; any other request, or one that has not begun, is refused with an AbortError.
   * @param {string} method
   * @param {object} [params]
   * @param {{onProgress?: (progress: any) => void, signal?: AbortSignal}} [options]
   * @returns {Promise<any>} rejects with an EngineError
   */
  request(method, params = {}, options = {}) {
    if (this.helpers?.helpsWith(method, params)) return this.helpers.search(params, options);
    return this.ask(method, params, options);
  }

  /**
   * The same, of this worker alone.
   * @param {string} method
   * @param {object} params
   * @param {{onProgress?: (progress: any) => void, signal?: AbortSignal}} options
   * @returns {Promise<any>}
   */
  ask(method, params, { onProgress, signal }) {
    if (signal?.aborted) return Promise.reject(abortError());
    if (this.destroyed) return Promise.reject(clientError("destroyed"));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.requests.set(id, { method, params, resolve, reject, onProgress, deaths: 0 });
      signal?.addEventListener("abort", () => this.#abort(id), { once: true });
      if (this.state === "ready") this.#send(id);
    });
  }

  /** Tells the engine something that needs no answer. @param {string} method @param {object} params */
  notify(method, params) {
    if (this.state === "ready") this.#post({ jsonrpc: "2.0", method, params });
  }

  /** Stops every running search; each answers with its best so far. */
  cancel() {
    for (const [id, { method }] of this.requests) if (method === "search") this.#abort(id);
  }

  /** After a failed start: tries again from the beginning. Open requests are kept. */
  retry() {
    if (this.state === "failed") void this.#start();
  }

  /** Ends the worker and refuses what is open. */
  destroy() {
    this.destroyed = true;
    this.helpers?.destroy();
    this.#endWorker();
    for (const { reject } of this.requests.values()) reject(clientError("destroyed"));
    this.requests.clear();
    this.listeners.clear();
  }

  // --- the start --------------------------------------------------------------------------------

  async #start() {
    this.began = performance.now();
    this.#report({ state: "loading", stage: "download", loaded: 0, way: null, failure: null });
    // The worker's script and the biggest file first, while it is found out which way to go.
    this.#hatch();
    this.#interpreter().catch(() => undefined);
    /** @type {Failure | null} */
    let failure = null;
    for (const way of this.ways ?? (await waysToTry(this.runtime))) {
      if (this.destroyed) return;
      try {
        await this.#tryWay(way);
        this.#ready();
        return;
      } catch (error) {
        this.#endWorker();
        // The first failure tells most: later ways need other files and fail for other reasons.
        failure ??= asFailure(error);
        console.warn(`Starting the engine by "${way}" failed:`, asFailure(error).detail);
        if (failure.kind === "no-wasm" || failure.kind === "no-worker") break;
      }
    }
    if (this.destroyed) return;
    this.#report({ state: "failed", stage: "failed", failure });
  }

  #interpreter() {
    return compileInterpreter(this.runtime, (bytes) => this.#count(INTERPRETER, bytes));
  }

  /** Starts a worker in the given way; rejects with a Failure. @param {Way} way */
  #tryWay(way) {
    const { wheel, lock, files } = BUILD;
    const sizes = Object.fromEntries(
      Object.entries(files).map(([file, { bytes }]) => [file, bytes]),
    );
    const total = COUNTED[way].reduce((sum, file) => sum + (files[file]?.wire ?? 0), 0);
    this.#report({ stage: "download", way, total });
    const { worker, broken } = this.hatched ?? this.#hatch();
    this.hatched = null;
    const started = new Promise((resolve, reject) => {
      if (!worker) return;
      this.heard = () => {
        clearTimeout(this.alarm);
        const silent = fault("timeout", `nothing heard for ${this.bootSilence} ms`);
        this.alarm = setTimeout(() => reject(silent), this.bootSilence);
      };
      this.heard();
      worker.onmessage = ({ data }) => {
        this.heard();
        if (data.news === "loaded") this.#count(data.file, data.bytes);
        else if (data.news === "stage") this.#report({ stage: data.stage });
        else if (data.news === "failed") reject(data);
        else if (data.news === "ready") resolve(undefined);
      };
      const tables = new URL("./tables/", import.meta.url).href;
      worker.postMessage({ way, runtime: this.runtime, wheel, sizes, tables, lock });
      this.#interpreter().then((interpreter) => worker.postMessage({ interpreter }), reject);
    });
    return Promise.race([started, broken]).finally(() => {
      clearTimeout(this.alarm);
      this.heard = () => {};
    });
  }

  /** Notes how much of a file has come. @param {string} file @param {number} bytes */
  #count(file, bytes) {
    this.heard();
    const size = BUILD.files[file];
    if (!size) return;
    this.loaded.set(file, Math.min(1, bytes / size.bytes) * size.wire);
    const { way } = this.stage;
    const counted = way ? COUNTED[way] : [];
    const loaded = counted.reduce((sum, name) => sum + (this.loaded.get(name) ?? 0), 0);
    this.#report({ loaded: Math.round(loaded) });
  }

  #newWorker() {
    const address = new URL("./workers/engine.worker.js", import.meta.url);
    const worker = new Worker(address, { type: "module", name: "qirkat-engine" });
    worker.postMessage({ runtime: this.runtime });
    return worker;
  }

  /** A worker that waits to be told which way to go; `broken` rejects with a Failure. */
  #hatch() {
    let worker = takeHatched(this.runtime, "worker");
    /** @type {Promise<never>} */
    const broken = new Promise((_, reject) => {
      try {
        worker ??= this.#newWorker();
      } catch (error) {
        reject(fault("no-worker", String(error)));
        return;
      }
      worker.onerror = (event) => {
        event.preventDefault();
        // A script that cannot be fetched gives an event without a message.
        const kind = event.message ? "broken" : "missing";
        reject(fault(kind, event.message || "the worker's script", "engine.worker.js"));
      };
    });
    broken.catch(() => undefined);
    this.worker = worker;
    return (this.hatched = { worker: /** @type {Worker | null} */ (worker), broken });
  }

  #ready() {
    const worker = /** @type {Worker} */ (this.worker);
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#respawn();
    };
    this.quiet = 0;
    this.ticked = performance.now();
    this.timer = setInterval(() => this.#watch(), TICK);
    const { total, way } = this.stage;
    performance.mark("qirkat-engine-ready", { detail: { way } });
    this.#report({ state: "ready", stage: "ready", loaded: total });
    for (const id of this.requests.keys()) this.#send(id);
  }

  /** @param {Partial<Stage>} change */
  #report(change) {
    this.stage = { ...this.stage, ...change, ms: performance.now() - this.began };
    for (const listener of this.listeners) listener(this.stage);
  }

  // --- requests ---------------------------------------------------------------------------------

  /** @param {number} id */
  #send(id) {
    const { method, params } = /** @type {Request} */ (this.requests.get(id));
    this.#post({ jsonrpc: "2.0", id, method, params });
  }

  /** @param {object} message */
  #post(message) {
    this.worker?.postMessage(JSON.stringify(message));
  }

  /** @param {number} id */
  #abort(id) {
    const request = this.requests.get(id);
    if (!request) return;
    if (this.state === "ready" && request.method === "search") {
      // A notification of ours needs no answer: the search's own answer is what is waited for.
      this.#post({ jsonrpc: "2.0", id: `cancel-${id}`, method: "cancel", params: { id } });
      return;
    }
    this.requests.delete(id);
    request.reject(abortError());
  }

  /** @param {any} data a text with a list of JSON-RPC messages, or a sign of life */
  #hear(data) {
    this.quiet = 0;
    if (typeof data !== "string") return;
    for (const message of JSON.parse(data)) {
      if (message.method === "progress") {
        this.requests.get(message.params.id)?.onProgress?.(message.params);
        continue;
      }
      if (message.method === "learned") {
        this.onlearned?.(message.params);
        continue;
      }
      if (message.method === "wanted") {
        this.worker?.postMessage({ wanted: message.params.files });
        continue;
      }
      const request = this.requests.get(message.id);
      if (!request) continue;
      this.requests.delete(message.id);
      if (message.error) {
        const { message: text, code, data: more } = message.error;
        request.reject(new EngineError(text, code, more ?? {}));
      } else {
        request.resolve(message.result);
      }
    }
  }

  // --- the watch --------------------------------------------------------------------------------

  /**
   * Counts the time for which the worker owes a sign of life. A tick that comes late (a sleeping
   * tab) counts as one: the worker slept as well.
   */
  #watch() {
    const now = performance.now();
    this.quiet += Math.min(now - this.ticked, 2 * TICK);
    this.ticked = now;
    if (!this.requests.size) {
      this.quiet = 0;
      return;
    }
    const deaths = Math.max(...[...this.requests.values()].map((request) => request.deaths));
    if (this.quiet > this.silence * PATIENCE_GROWTH ** deaths) this.#respawn();
  }

  /** Ends a worker that hangs and gives its requests to a new one, except those it hung on often. */
  #respawn() {
    this.#endWorker();
    for (const [id, request] of this.requests) {
      request.deaths += 1;
      if (request.deaths < MOST_DEATHS) continue;
      this.requests.delete(id);
      request.reject(clientError("stuck"));
    }
    void this.#start();
  }

  #endWorker() {
    clearInterval(this.timer);
    this.worker?.terminate();
    this.worker = null;
    this.hatched = null;
  }
}

const abortError = () => new DOMException("The request was taken back", "AbortError");

/** @param {string} kind */
const clientError = (kind) => new EngineError(`The engine is ${kind}`, CLIENT_ERROR, { kind });
