/** What of the site is kept on this device, and keeping the tables of endings too. The service worker does the keeping. */

import { BUILD } from "./build.js";

/** @typedef {{name: string, bytes: number}} Table */

const ROOT = new URL(BUILD.root, import.meta.url);
const TABLES = new URL("./tables/", import.meta.url);

/** @param {URL | string} address */
async function isKept(address) {
  try {
    return Boolean(await globalThis.caches?.match(String(address)));
  } catch {
    return false; // where storage is forbidden, asking for it already throws
  }
}

/** Tables of endings, and proofs of openings. @returns {Promise<Table[]>} */
export async function listTables() {
  const answer = await fetch(new URL("index.json", TABLES));
  if (!answer.ok) throw new Error(`tables/index.json: ${answer.status}`);
  const { files, proofs } = await answer.json();
  return [...files, ...proofs];
}

/**
 * @typedef {object} Kept
 * @property {boolean} worker whether the page is served by its own worker
 * @property {boolean} site pages, engine, boards
 * @property {boolean} quick the memory image for a quick start
 * @property {number} tables how many are kept
 * @property {number} of
 * @property {number} bytes of all tables
 */

/** @returns {Promise<Kept>} */
export async function whatIsKept() {
  const tables = await listTables().catch(() => []);
  const kept = await Promise.all(tables.map(({ name }) => isKept(new URL(name, TABLES))));
  return {
    worker: Boolean(navigator.serviceWorker?.controller),
    site: await isKept(new URL("index.html", ROOT)),
    quick: await isKept(new URL(`${BUILD.runtime}snapshot.bin`, import.meta.url)),
    tables: kept.filter(Boolean).length, of: tables.length, bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Fetches what is missing, one after the other: whatever is fetched, the worker keeps. @param {(done: number, of: number) => void} tell @returns {Promise<void>} rejects when one cannot be had */
export async function keepTables(tell) {
  const tables = await listTables();
  for (const [index, { name }] of tables.entries()) {
    tell(index, tables.length);
    const address = new URL(name, TABLES);
    if (await isKept(address)) continue;
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    await answer.arrayBuffer();
  }
  tell(tables.length, tables.length);
}
