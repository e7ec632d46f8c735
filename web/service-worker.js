/**
 * Keeps the site for use without a network. Each version has a cache of its own that is filled as a
 * whole before it counts, so that files of two versions never meet. A new version waits until the
 * page asks for it or all pages are closed.
 */

/** @typedef {{hash: string, bytes: number, tier: "core" | "extra" | "lazy"}} ListedFile */

/** The build puts the list of all files here. @type {{version: string, files: Record<string, ListedFile>}} */
const MANIFEST = { version: "source", files: {} };

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SCOPE = worker.registration.scope;
// Several sites of one user often share one origin: the whole address tells our caches from theirs.
const PREFIX = `qirkat ${SCOPE} `;
const CACHE = PREFIX + MANIFEST.version;
/** Where a cache keeps its version's list of files. */
const LIST = "list.json";
/** Files fetched side by side: more would starve each other on a slow line. */
const LANES = 6;

/** @param {string} path */
const address = (path) => new URL(path, SCOPE).href;

worker.addEventListener("install", (event) => event.waitUntil(keep("core")));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => {
  if (event.data === "apply") event.waitUntil(worker.skipWaiting());
  // The page says when it is at rest, so that the big files never slow its start.
  if (event.data === "keep-extras") event.waitUntil(keep("extra").then(announce));
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(SCOPE)) return;
  const path = decodeURI(url.pathname.slice(new URL(SCOPE).pathname.length)) || "index.html";
  event.respondWith(answer(request, path));
});

async function activate() {
  await worker.clients.claim();
  await dropOldCaches();
}

/** Old versions stay while another page may still be running on one of them. */
async function dropOldCaches() {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length > 1) return;
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
}

async function announce() {
  for (const page of await worker.clients.matchAll()) page.postMessage("extras-kept");
}

/**
 * Answers from this version, or from an older one that a page still runs on, or from the network.
 * @param {Request} request @param {string} path
 */
async function answer(request, path) {
  const cache = await caches.open(CACHE);
  const kept = (await cache.match(address(path))) ?? (await matchOlder(path));
  if (kept) return kept;
  const listed = Object.hasOwn(MANIFEST.files, path) ? MANIFEST.files[path] : null;
  if (!listed) return fetch(request);
  try {
    return await fetchVerified(path, listed);
  } catch {
    return fetch(request);
  }
}

/** @param {string} path */
async function matchOlder(path) {
  if (Object.hasOwn(MANIFEST.files, path)) return undefined;
  for (const name of await caches.keys()) {
    const found = name.startsWith(PREFIX) && (await (await caches.open(name)).match(address(path)));
    if (found) return found;
  }
  return undefined;
}

/**
 * Brings all files of a tier into this version's cache: from an older version where the content is
 * the same, else from the network. What an older version had kept beyond that comes along.
 * @param {"core" | "extra"} tier
 */
async function keep(tier) {
  const cache = await caches.open(CACHE);
  await cache.put(address(LIST), new Response(JSON.stringify(MANIFEST.files)));
  const older = await olderFiles();
  const waiting = Object.entries(MANIFEST.files);
  const lanes = Array.from({ length: LANES }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [path, file] = next;
      if (await cache.match(address(path))) continue;
      const same = await older.get(file.hash)?.();
      if (same) await cache.put(address(path), atHome(same, path));
      else if (file.tier === tier) await fetchVerified(path, file);
    }
  });
  await Promise.all(lanes);
}

/** What older versions have kept, by the hash of the content. */
async function olderFiles() {
  /** @type {Map<string, () => Promise<Response | undefined>>} */
  const found = new Map();
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX) || name === CACHE) continue;
    const cache = await caches.open(name);
    /** @type {Record<string, ListedFile>} */
    const files = await (await cache.match(address(LIST)))?.json().catch(() => ({})) ?? {};
    const kept = new Set((await cache.keys()).map(({ url }) => url));
    for (const [path, { hash }] of Object.entries(files)) {
      if (kept.has(address(path))) found.set(hash, () => cache.match(address(path)));
    }
  }
  return found;
}

/**
 * A response remembers where it came from, and a module resolves its imports against that place:
 * one that moves to another address must forget it.
 * @param {Response} response @param {string} path
 */
function atHome(response, path) {
  if (response.url === address(path)) return response;
  return new Response(response.body, { headers: response.headers });
}

/**
 * Fetches a file, checks that it is this version's and keeps it. A host or a cache in between may
 * still give out an older one under the same name: then it is asked once more, past all caches.
 * @param {string} path @param {ListedFile} file
 */
async function fetchVerified(path, file) {
  for (const cache of /** @type {RequestCache[]} */ (["default", "reload"])) {
    const response = await fetch(address(path), { cache, redirect: "follow" });
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
    const bytes = await response.clone().arrayBuffer();
    if ((await sha256(bytes)) !== file.hash) continue;
    // The response itself is kept, not a copy of its bytes: only so the browser keeps compiled code.
    const store = await caches.open(CACHE);
    await store.put(address(path), response.clone());
    return response;
  }
  throw new Error(`${path}: the host gives another version`);
}

/** @param {ArrayBuffer} bytes */
async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
