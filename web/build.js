/**
 * What the build knows about itself. tools/build.py writes this file anew into dist/; the values
 * here only give its shape.
 *
 * @typedef {{bytes: number, wire: number}} FileSize bytes as stored, and gzipped on the way
 * @typedef {object} Build
 * @property {string} version changes with every change of a shipped byte
 * @property {string} engine the engine's version, as of its wheel
 * @property {string} pyodide
 * @property {string} runtime folder of the Python runtime, relative to this file
 * @property {string} root folder of the whole site, relative to this file
 * @property {string} wheel file name of the engine's wheel in the runtime folder
 * @property {Record<string, FileSize>} files of the runtime folder
 * @property {object} lock Pyodide's lock file without packages
 */

/** @type {Build} */
export const BUILD = {
  version: "source",
  engine: "0",
  pyodide: "0",
  runtime: "./runtime/",
  root: "./",
  wheel: "",
  files: {},
  lock: {},
};
