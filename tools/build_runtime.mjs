/**
 * Makes the folder with the Python runtime: Pyodide's files, the engine's wheel, the compiled
 * `app.zip` and the memory snapshot. Run by tools/build.py in Node:
 *
 *     node tools/build_runtime.mjs WHEEL MICROPIP_WHEEL OUT
 *
 * Runs the very Pyodide that the browser will run, so that its byte code and memory fit.
 */

import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const HERE = dirname(fileURLToPath(import.meta.url));
const PYODIDE = join(HERE, "..", "node_modules", "pyodide");
const FILES = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"];
/** The same memory for the same input: no run may differ by its hash seed. */
const ENV = { PYTHONHASHSEED: "0" };

const [wheel, micropip, out] = process.argv.slice(2);
const { loadPyodide } = await import(join(PYODIDE, "pyodide.mjs"));

for (const file of FILES) copyFileSync(join(PYODIDE, file), join(out, file));
for (const file of [wheel, micropip]) copyFileSync(file, join(out, basename(file)));
const lock = writeLock();
await writeSnapshot(await writeApp());

/** Pyodide's lock file, reduced to what lies beside it. */
function writeLock() {
  const full = JSON.parse(readFileSync(join(PYODIDE, "pyodide-lock.json"), "utf8"));
  const entry = { ...full.packages.micropip };
  const name = basename(micropip);
  if (entry.file_name !== name) {
    throw new Error(`Pyodide expects ${entry.file_name}: pin that version in web-wheels.txt`);
  }
  entry.sha256 = createHash("sha256").update(readFileSync(micropip)).digest("hex");
  const kept = { info: full.info, packages: { micropip: entry } };
  writeFileSync(join(out, "pyodide-lock.json"), JSON.stringify(kept));
  return { info: full.info, packages: {} };
}

/** Installs the wheel as any page would, and packs what is then there. */
async function writeApp() {
  const pyodide = await loadPyodide({ indexURL: out, packageBaseUrl: out, env: ENV });
  await pyodide.loadPackage("micropip", { messageCallback() {} });
  pyodide.FS.writeFile(`/tmp/${basename(wheel)}`, readFileSync(wheel));
  await pyodide.pyimport("micropip").install(`emfs:/tmp/${basename(wheel)}`);
  pyodide.FS.writeFile("/tmp/pack_app.py", readFileSync(join(HERE, "pack_app.py")));
  const report = pyodide.runPython(`
import sys
sys.path.insert(0, "/tmp")
import pack_app
pack_app.pack("/tmp/app.zip")
`);
  const zip = pyodide.FS.readFile("/tmp/app.zip");
  // Not named .gz: some hosts would unpack such a file on the way.
  writeFileSync(join(out, "app.bin"), gzipSync(zip, { level: 9 }));
  console.log(`app.zip: ${report}`);
  return zip;
}

/**
 * Stops the clocks and the dice, so that the memory of the same input is the same. What the picture
 * froze is started anew after a restore: `reseed` in pyengine.service.
 */
function holdStill() {
  const RealDate = Date;
  const moment = Date.UTC(1980, 0, 1);
  globalThis.Date = /** @type {any} */ (
    class extends RealDate {
      constructor(/** @type {any[]} */ ...words) {
        // @ts-expect-error: a Date takes what it takes
        super(...(words.length ? words : [moment]));
      }
      /** @override */
      static now() {
        return moment;
      }
    }
  );
  let ticks = 0;
  performance.now = () => (ticks += 1) / 1000;
  crypto.getRandomValues = (array) => {
    if (array) new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(1);
    return array;
  };
}

/** A picture of the memory after the engine was imported, from `app.zip` as in the browser. */
async function writeSnapshot(/** @type {Uint8Array} */ zip) {
  const library = join(tmpdir(), `qirkat-${process.pid}.zip`);
  writeFileSync(library, zip);
  holdStill();
  const pyodide = await loadPyodide({
    indexURL: out,
    packageBaseUrl: out,
    lockFileContents: lock,
    stdLibURL: library,
    env: ENV,
    _sysExecutable: "/usr/bin/python", // else the picture would hold the path of this machine
    _makeSnapshot: true,
  });
  rmSync(library);
  pyodide.runPython(`
import gc
import pyengine.ai.book
import pyengine.notation
import pyengine.service
pyengine.service.self_test()
pyengine.service.reseed(0)
gc.collect()
`);
  const memory = pyodide.makeMemorySnapshot();
  const packed = gzipSync(withoutZeros(memory), { level: 9 });
  writeFileSync(join(out, "snapshot.bin"), packed);
  const mega = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
  console.log(`snapshot: ${mega(memory.length)} MB, ${mega(packed.length)} MB gzipped`);
}

/**
 * More than half of the memory is zeros: left out, there is less to unpack at every start. What is
 * kept is read by `unpack` in web/workers/engine.worker.js.
 * @param {Uint8Array} memory
 */
function withoutZeros(memory) {
  const page = 4096;
  /** @type {number[][]} */
  const runs = [];
  /** @type {Uint8Array[]} */
  const parts = [];
  const zeros = Buffer.alloc(page);
  for (let start = 0; start < memory.length; start += page) {
    const part = memory.subarray(start, start + page);
    if (zeros.subarray(0, part.length).equals(part)) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === start) last[1] += part.length;
    else runs.push([start, part.length]);
    parts.push(part);
  }
  const head = Uint32Array.from([memory.length, runs.length, ...runs.flat()]);
  return Buffer.concat([new Uint8Array(head.buffer), ...parts]);
}
