/**
 * Compiles Python's interpreter once for all workers of the page, so that a second worker, or one
 * that replaces another, starts without it.
 */

/** @typedef {import("./engine.js").Failure} Failure */

/**
 * What web/hatch.js has begun; each part is for whoever takes it first.
 * @typedef {object} Hatched
 * @property {string} runtime address of the folder that it is of
 * @property {Worker | null} worker null where the browser refuses workers: the engine will say why
 * @property {boolean} failed whether the worker has had an error before anybody listened
 * @property {Promise<Response> | null} interpreter
 * @property {Promise<Response | undefined> | null} snapshot what the service worker has kept of it
 */

/** @type {Promise<WebAssembly.Module> | null} one compiled interpreter for all workers */
let compiled = null;

/** The interpreter's file. */
export const INTERPRETER = "pyodide.asm.wasm";

/**
 * Compiles the interpreter, streamed where the host names its type rightly.
 * @param {string} runtime address of its folder @param {(bytes: number) => void} onBytes
 * @returns {Promise<WebAssembly.Module>}
 */
export function compileInterpreter(runtime, onBytes) {
  compiled ??= compile(runtime, onBytes).catch((error) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

/** @param {string} runtime @param {(bytes: number) => void} onBytes */
async function compile(runtime, onBytes) {
  if (typeof WebAssembly !== "object") throw fault("no-wasm", "WebAssembly is not there");
  const file = INTERPRETER;
  const coming = takeHatched(runtime, "interpreter") ?? fetch(runtime + file);
  const response = await coming.catch((error) => {
    throw fault("missing", String(error), file);
  });
  if (!response.ok) throw fault("missing", `HTTP ${response.status}`, file);
  try {
    if (response.headers.get("content-type") !== "application/wasm") {
      return await WebAssembly.compile(await response.arrayBuffer());
    }
    // A cached file is there at once, and only an untouched response keeps its compiled code.
    if (!navigator.serviceWorker?.controller) count(response.clone(), onBytes);
    return await WebAssembly.compileStreaming(response);
  } catch (error) {
    const detail = String(error);
    if (error instanceof RangeError || /memory/i.test(detail)) throw fault("memory", detail);
    if (error instanceof WebAssembly.CompileError && /polic|disallowed|csp/i.test(detail)) {
      throw fault("no-wasm", detail);
    }
    throw fault("broken", detail, file);
  }
}

/**
 * Takes a part of what web/hatch.js has begun, if it has and nobody did.
 * @template {"worker" | "interpreter" | "snapshot"} Part
 * @param {string} runtime @param {Part} part
 * @returns {Hatched[Part]}
 */
export function takeHatched(runtime, part) {
  const { hatched } = /** @type {{hatched?: Hatched}} */ (globalThis);
  if (hatched?.runtime !== runtime) return null;
  const taken = hatched[part];
  hatched[part] = null;
  return part === "worker" && hatched.failed ? null : taken;
}

/** @param {Response} response @param {(bytes: number) => void} onBytes */
async function count(response, onBytes) {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes((bytes += value.byteLength));
    }
  } catch {
    // The reader of the other copy reports it.
  }
}

/**
 * @param {string} kind @param {string} detail @param {string} [file]
 * @returns {Failure}
 */
export const fault = (kind, detail, file) => (file ? { kind, detail, file } : { kind, detail });
