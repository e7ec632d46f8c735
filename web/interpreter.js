/**
 * Compiles Python's interpreter once for all workers of the page, so that a second worker, or one
 * that replaces another, starts without it.
 */

/** @typedef {import("./engine.js").Failure} Failure */

/** @type {Promise<WebAssembly.Module> | null} one compiled interpreter for all workers */
let compiled = null;

/**
 * Compiles the interpreter, streamed where the host names its type rightly.
 * @param {string} address @param {(bytes: number) => void} onBytes
 * @returns {Promise<WebAssembly.Module>}
 */
export function compileInterpreter(address, onBytes) {
  compiled ??= compile(address, onBytes).catch((error) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

/** @param {string} address @param {(bytes: number) => void} onBytes */
async function compile(address, onBytes) {
  if (typeof WebAssembly !== "object") throw fault("no-wasm", "WebAssembly is not there");
  const file = address.slice(address.lastIndexOf("/") + 1);
  const response = await fetch(address).catch((error) => {
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
