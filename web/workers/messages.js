/**
 * What the page and the engine's worker say to each other besides JSON-RPC. Only types live here.
 *
 * @typedef {"snapshot" | "zip" | "plain"} Way a way of starting Python, see engine.worker.js
 *
 * @typedef {{runtime: string}} Coming absolute address of the runtime folder, ending in "/"
 *
 * @typedef {object} Boot
 * @property {Way} way
 * @property {string} runtime absolute address of the runtime folder, ending in "/"
 * @property {string} wheel file name of the engine's wheel in that folder
 * @property {Record<string, number>} sizes bytes of the files in that folder
 * @property {string} tables absolute address of the folder with the tables of endings
 * @property {object} lock Pyodide's lock file without packages
 *
 * @typedef {{interpreter: WebAssembly.Module}} Interpreter Python's, compiled
 *
 * @typedef {{wanted: string[]}} Wanted names of tables that the engine asked for
 *
 * @typedef {{news: "loaded", file: string, bytes: number}
 *   | {news: "stage", stage: "python" | "engine"}
 *   | {news: "ready", python: string}
 *   | {news: "failed", kind: string, file?: string, detail: string}
 *   | {news: "alive"}} News
 */

export {};
