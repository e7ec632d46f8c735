/**
 * Starts Python in one given way and then passes JSON-RPC texts between the page and
 * `pyengine.service`. It knows no game and takes no decision: which way to try, and what to do when
 * it fails, is the page's business (web/engine.js), because after a failure only a new worker is
 * clean.
 *
 * From the page: first an object `Coming`, then a `Boot` and an `Interpreter`, then texts, each one
 * JSON-RPC request, or the object `Wanted`.
 * To the page: objects `News` while starting, then texts, each a JSON array of JSON-RPC messages,
 * and `{news: "alive"}` now and then while a search runs.
 * The shapes stand in messages.js.
 *
 * @typedef {import("./messages.js").Boot} Boot
 * @typedef {import("./messages.js").News} News
 */

/** How long one slice of a search may hold the worker, in ms: what a `cancel` waits at most. */
const SLICE_MS = 8;
/** How often a running search shows the page that it lives, in ms. */
const ALIVE_MS = 250;

/** What Pyodide is told to fetch as its library: it is given what was unpacked already. */
const LIBRARY = "app.zip";

/** @type {(module: WebAssembly.Module) => void} */
let bringInterpreter;
/** @type {Promise<WebAssembly.Module>} */
const interpreter = new Promise((resolve) => {
  bringInterpreter = resolve;
});

/** @param {News} news */
const tell = (news) => self.postMessage(news);

class MissingFile extends Error {
  /** @param {string} file @param {unknown} cause */
  constructor(file, cause) {
    super(`${file}: ${cause}`);
    this.file = file;
  }
}

/** Files asked for before it is known which way to go. @type {Map<string, Promise<any>>} */
const coming = new Map();

/** Asks for what the quick ways need. @param {string} runtime */
function prepare(runtime) {
  for (const file of ["pyodide.mjs", "pyodide.asm.mjs"]) coming.set(file, import(runtime + file));
  coming.set("app.bin", fetch(`${runtime}app.bin`));
  for (const file of coming.values()) file.catch(() => undefined); // whoever takes it hears of it
}

/**
 * A file of the runtime folder.
 * @param {string} runtime @param {string} file
 * @returns {Promise<Response>}
 */
async function open(runtime, file) {
  let response;
  try {
    response = await (coming.get(file) ?? fetch(runtime + file));
    coming.delete(file);
  } catch (error) {
    throw new MissingFile(file, error);
  }
  if (!response.ok || !response.body) throw new MissingFile(file, response.status);
  return response;
}

/**
 * The same file, counted while it comes.
 * @param {Response} response @param {string} file
 */
function counted(response, file) {
  let bytes = 0;
  const body = response.body?.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        tell({ news: "loaded", file, bytes });
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(body);
}

/**
 * All of a file. What the device has kept is there at once and need not be counted. A cut one is
 * found here by its length: Pyodide would wait for ever over it.
 * @param {Boot} boot @param {string} file
 */
async function whole(boot, file) {
  const response = await open(boot.runtime, file);
  const kept = boot.way === "snapshot";
  const bytes = new Uint8Array(await (kept ? response : counted(response, file)).arrayBuffer());
  if (bytes.length !== boot.sizes[file]) throw new MissingFile(file, `${bytes.length} bytes`);
  return bytes;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function gunzip(bytes) {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const [buffer] = await Promise.all([new Response(readable).arrayBuffer(), written]);
  return buffer;
}

/**
 * The memory that tools/build_runtime.mjs packed: more than half of it is zeros and left out. In
 * front stand its size, the number of runs that are not, and each run's place and length.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function unpack(bytes) {
  const buffer = await gunzip(bytes);
  const [size, count] = new Uint32Array(buffer, 0, 2);
  const runs = new Uint32Array(buffer, 8, 2 * count);
  const memory = new Uint8Array(size);
  let at = 8 + runs.byteLength;
  for (let run = 0; run < runs.length; run += 2) {
    memory.set(new Uint8Array(buffer, at, runs[run + 1]), runs[run]);
    at += runs[run + 1];
  }
  return memory;
}

const forever = () => /** @type {Promise<never>} */ (new Promise(() => undefined));

/**
 * Runs `load` with the interpreter's download answered from what the page compiled already, and
 * with the standard library's from `library` if given; both may still be on their way. Pyodide waits
 * for ever when one of them cannot be had (it only warns), so that failure is raised here.
 * @template T
 * @param {Promise<ArrayBuffer> | null} library @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
async function withOwnFiles(library, load) {
  const { fetch } = self;
  const { instantiateStreaming } = WebAssembly;
  const failed = new Promise((_, reject) => {
    library?.catch(reject);
    WebAssembly.instantiateStreaming = async (_source, imports) => {
      try {
        const module = await interpreter;
        return { module, instance: await WebAssembly.instantiate(module, imports) };
      } catch (error) {
        reject(error);
        throw error;
      }
    };
  });
  self.fetch = async (input, init) => {
    const address = String(input instanceof Request ? input.url : input);
    if (address.endsWith(".asm.wasm")) return new Response();
    // Pyodide would not catch it: once the library has failed, nothing more is answered.
    if (library && address.endsWith(LIBRARY)) return new Response(await library.catch(forever));
    return fetch(input, init);
  };
  try {
    return /** @type {T} */ (await Promise.race([load(), failed]));
  } finally {
    self.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}

/** @typedef {(boot: Boot) => Promise<any>} Way a started Pyodide in which `pyengine` can be imported */

/** @param {Boot} boot @param {string} file */
async function script(boot, file) {
  try {
    return await (coming.get(file) ?? import(boot.runtime + file));
  } catch (error) {
    throw new MissingFile(file, error);
  }
}

/**
 * The standard library and the engine, compiled, in one zip.
 * @type {Way}
 */
async function startFromZip(boot) {
  const library = whole(boot, "app.bin").then(gunzip);
  library.then(() => tell({ news: "stage", stage: "python" }), () => undefined);
  const [{ loadPyodide }, asm] = await Promise.all([
    script(boot, "pyodide.mjs"),
    script(boot, "pyodide.asm.mjs"),
  ]);
  return withOwnFiles(library, () =>
    loadPyodide({ ...options(boot, asm), stdLibURL: boot.runtime + LIBRARY }),
  );
}

/**
 * A picture of the memory of a Python that has imported the engine. Files are not in the picture,
 * so the zip is mounted as well for what is imported later.
 * @type {Way}
 */
async function startFromSnapshot(boot) {
  const library = whole(boot, "app.bin").then(gunzip);
  library.catch(() => undefined); // it is heard of where it is needed
  const [{ loadPyodide }, asm, memory] = await Promise.all([
    script(boot, "pyodide.mjs"),
    script(boot, "pyodide.asm.mjs"),
    whole(boot, "snapshot.bin").then(unpack),
  ]);
  tell({ news: "stage", stage: "python" });
  const plain = options(boot, asm);
  return withOwnFiles(library, () =>
    loadPyodide({
      ...plain,
      stdLibURL: boot.runtime + LIBRARY,
      _loadSnapshot: memory,
      /** @param {any} settings */
      async createPyodideModule(settings) {
        const module = await plain.createPyodideModule(settings);
        keepTrampoline(module, memory);
        return module;
      },
    }),
  );
}

/**
 * One word of the memory belongs to the browser and not to the picture: the table index through
 * which CPython calls C functions. Without this a picture made elsewhere crashes or calls slowly.
 * @param {any} module @param {Uint8Array} memory
 */
function keepTrampoline(module, memory) {
  const header = new Uint32Array(memory.buffer, memory.byteOffset, 2)[1];
  const place = module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET / 4];
  new DataView(memory.buffer, memory.byteOffset).setInt32(
    header + place,
    module.HEAP32[place / 4],
    true,
  );
}

/**
 * Pyodide as it is published, and the engine's wheel installed by micropip: slow, but it stands on
 * public interfaces only.
 * @type {Way}
 */
async function startPlainly(boot) {
  const [{ loadPyodide }, asm] = await Promise.all([
    script(boot, "pyodide.mjs"),
    script(boot, "pyodide.asm.mjs"),
  ]);
  tell({ news: "stage", stage: "python" });
  const pyodide = await withOwnFiles(null, () =>
    loadPyodide({ ...options(boot, asm), lockFileContents: undefined }),
  );
  tell({ news: "stage", stage: "engine" });
  await pyodide.loadPackage("micropip", { messageCallback() {} });
  const micropip = pyodide.pyimport("micropip");
  await micropip.install(boot.runtime + boot.wheel);
  micropip.destroy();
  return pyodide;
}

/**
 * What every way asks of Pyodide alike. Naming the folder as the only place of packages keeps it
 * from ever looking at another host.
 * @param {Boot} boot @param {any} asm
 */
function options(boot, asm) {
  return {
    indexURL: boot.runtime,
    packageBaseUrl: boot.runtime,
    lockFileContents: boot.lock,
    createPyodideModule: asm.default,
  };
}

/** @type {Record<Boot["way"], Way>} */
const WAYS = { snapshot: startFromSnapshot, zip: startFromZip, plain: startPlainly };

/** @param {Boot} boot */
async function start(boot) {
  const pyodide = await WAYS[boot.way](boot);
  const module = pyodide.pyimport("pyengine.service");
  // A restored memory brings the random state of the machine that built it.
  module.reseed(crypto.getRandomValues(new Uint32Array(1))[0]);
  if (!module.self_test()) throw new Error("the engine's self-test failed");
  const service = module.Service();
  module.destroy();
  serve(service, boot.tables);
  tell({ news: "ready", python: pyodide.version });
}

/**
 * Answers texts with texts. A search runs in slices between which the worker reads its messages;
 * a MessageChannel yields in microseconds where a timer takes milliseconds.
 * @param {any} service proxy of a Python `Service`
 * @param {string} tables
 */
function serve(service, tables) {
  const { handle, pump } = service;
  const { port1, port2 } = new MessageChannel();
  let pumping = false;
  let shown = 0;

  /** @param {string} messages */
  const send = (messages) => {
    if (messages) self.postMessage(messages);
  };
  const again = () => {
    pumping = service.busy;
    if (pumping) port2.postMessage(null);
  };
  port1.onmessage = () => {
    send(pump(SLICE_MS));
    const now = performance.now();
    if (now - shown > ALIVE_MS) {
      shown = now;
      tell({ news: "alive" });
    }
    again();
  };
  /** @param {string} text */
  const take = (text) => {
    send(handle(text));
    if (!pumping) again();
  };
  self.onmessage = ({ data }) => {
    if (typeof data === "string") take(data);
    else bringTables(data.wanted);
  };

  /** Tables being fetched or here: the engine asks until it has them. @type {Set<string>} */
  const asked = new Set();
  /** A table that cannot be had is done without. @param {string[]} names */
  const bringTables = (names) => {
    for (const name of names) {
      if (asked.has(name)) continue;
      asked.add(name);
      base64(tables + name).then(
        (data) => take(notification("tables.add", { name, data })),
        () => asked.delete(name),
      );
    }
  };
  fetchOk(`${tables}index.json`).then(async (response) => {
    take(notification("tables.offer", { index: await response.text() }));
  }, () => undefined);
}

/** @param {string} method @param {object} params */
const notification = (method, params) => JSON.stringify({ jsonrpc: "2.0", method, params });

/** @param {string} address */
async function fetchOk(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: HTTP ${response.status}`);
  return response;
}

/** A file as base64. @param {string} address @returns {Promise<string>} */
async function base64(address) {
  const blob = await (await fetchOk(address)).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/**
 * @param {any} error
 * @returns {News}
 */
function failure(error) {
  const detail = String(error?.message ?? error).slice(-2000);
  if (error instanceof MissingFile) {
    return { news: "failed", kind: "missing", file: error.file, detail };
  }
  const memory = error instanceof RangeError || /memory|allocat/i.test(detail);
  return { news: "failed", kind: memory ? "memory" : "broken", detail };
}

self.onmessage = ({ data }) => {
  if (data.interpreter) bringInterpreter(data.interpreter);
  else if (!data.way) prepare(data.runtime);
  else start(data).catch((error) => tell(failure(error)));
};
