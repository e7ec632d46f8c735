/**
 * What takes longest begins before anything else: the engine's worker is made and the interpreter
 * asked for while the page is still being read. A classic script, since a module waits for all
 * that it imports and for its turn. web/engine.js and web/interpreter.js take over what is here;
 * where nothing is, as in an embedded board, they begin by themselves.
 */
(() => {
  const { src, dataset } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const runtime = new URL(/** @type {string} */ (dataset.runtime), location.href).href;
  /** @type {import("./interpreter.js").Hatched} */
  const hatched = { runtime, worker: null, failed: false, interpreter: null, snapshot: null };
  try {
    hatched.worker = new Worker(new URL("workers/engine.worker.js", src), {
      type: "module",
      name: "qirkat-engine",
    });
    hatched.worker.onerror = (event) => {
      event.preventDefault();
      hatched.failed = true;
    };
    hatched.worker.postMessage({ runtime });
  } catch {
    // The engine tries again and tells.
  }
  hatched.interpreter = fetch(`${runtime}pyodide.asm.wasm`);
  hatched.interpreter.catch(() => undefined);
  // Only a page that the service worker serves is given what that has kept.
  if (navigator.serviceWorker?.controller) {
    hatched.snapshot = caches.match(`${runtime}snapshot.bin`).catch(() => undefined);
  }
  /** @type {{hatched?: import("./interpreter.js").Hatched}} */ (globalThis).hatched = hatched;
})();
