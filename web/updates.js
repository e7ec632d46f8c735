/**
 * Keeping the site on the device, and new versions of it. The service worker does the work; without
 * one (some private windows have none) the page runs all the same, only not without a network.
 */

import { BUILD } from "./build.js";

/** @typedef {{kind: "kept"} | {kind: "extras-kept"} | {kind: "new-version"}} Update */

const ROOT = new URL(BUILD.root, import.meta.url);

/** @type {ServiceWorkerRegistration | null} */
let registration = null;
let applying = false;

/**
 * Registers the service worker and tells what becomes of it: the site is kept ("kept"), also the
 * files for a faster start ("extras-kept"), a newer version waits ("new-version"). Call it when the
 * engine is ready, so that keeping files does not compete with starting.
 * @param {(update: Update) => void} callback
 */
export async function watchUpdates(callback) {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const hadController = Boolean(serviceWorker.controller);
  serviceWorker.addEventListener("message", ({ data }) => {
    if (data === "extras-kept") callback({ kind: "extras-kept" });
  });
  serviceWorker.addEventListener("controllerchange", () => {
    // The first worker ever takes over quietly; a later one does so only when it was asked to.
    if (applying) location.reload();
  });
  try {
    registration = await serviceWorker.register(new URL("service-worker.js", ROOT), {
      scope: ROOT.pathname,
      updateViaCache: "none",
    });
  } catch (error) {
    console.warn("The site cannot be kept on this device:", error);
    return;
  }
  // Some browsers that refuse, as in a private window, do so without an error.
  if (!registration) return;
  const announce = () => callback({ kind: "new-version" });
  if (registration.waiting && hadController) announce();
  registration.addEventListener("updatefound", () => {
    const coming = registration?.installing;
    coming?.addEventListener("statechange", () => {
      if (coming.state === "installed" && serviceWorker.controller) announce();
    });
  });
  const { active } = await serviceWorker.ready;
  callback({ kind: "kept" });
  active?.postMessage("keep-extras");
}

/** Changes to the version that waits, and loads the page anew. Only ever on a person's wish. */
export function applyUpdate() {
  const waiting = registration?.waiting;
  if (!waiting) {
    location.reload();
    return;
  }
  applying = true;
  waiting.postMessage("apply");
}

/** Looks for a new version now; the browser does so by itself at every start. */
export async function checkForUpdate() {
  await registration?.update().catch(() => undefined);
}
