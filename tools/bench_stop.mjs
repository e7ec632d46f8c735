/**
 * The part of bench_stop.py that runs in Node: the built engine in the browser's Pyodide.
 *
 *     node tools/bench_stop.mjs RUNTIME SLICES RULESET…
 *
 * Prints a line for each ruleset: the longest slice and the longest stop.
 */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const HERE = dirname(fileURLToPath(import.meta.url));
const [folder, slices, ...rulesets] = process.argv.slice(2);
const runtime = resolve(folder);

/** Milliseconds that this thread had of a processor: where others work too, the wall clock tells of them. */
function clock() {
  try {
    const [ran] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ");
    return Number(ran) / 1e6;
  } catch {
    return performance.now();
  }
}

const library = join(tmpdir(), `qirkat-${process.pid}.zip`);
writeFileSync(library, gunzipSync(readFileSync(join(runtime, "app.bin"))));
const { loadPyodide } = await import(join(runtime, "pyodide.mjs"));
const { info } = JSON.parse(readFileSync(join(runtime, "pyodide-lock.json"), "utf8"));
const pyodide = await loadPyodide({
  indexURL: runtime,
  packageBaseUrl: runtime,
  lockFileContents: { info, packages: {} },
  stdLibURL: library,
});
rmSync(library);
pyodide.FS.mkdirTree("/bench");
pyodide.FS.writeFile("/bench/slices.py", readFileSync(join(HERE, "slices.py")));
pyodide.runPython("import sys; sys.path.insert(0, '/bench')");
const { measure } = pyodide.pyimport("slices");
for (const ruleset of rulesets) {
  const [slice, stop] = measure(ruleset, Number(slices), clock).toJs();
  console.log(`${ruleset.padEnd(22)}${slice.toFixed(1).padStart(14)}${stop.toFixed(1).padStart(14)}`);
}
