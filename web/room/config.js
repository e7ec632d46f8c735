/**
 * What the owner of a site may set in `site-config.json` before building:
 * `iceServers`: STUN and TURN servers as RTCPeerConnection takes them, `[{"urls": "stun:…"}]`; none by default, then rooms
 * join within one network and wherever both sides can reach each other directly.
 * `spectators`: how many may watch a room at once, 0 to 32; each costs the host's connection one copy of every move.
 */

/** @typedef {{iceServers: RTCIceServer[], spectators: number}} SiteConfig */

/** @type {SiteConfig} */
const PLAIN = { iceServers: [], spectators: 8 };

/** @param {any} value @returns {SiteConfig} what is not understood is left out */
export function readConfig(value) {
  const text = (/** @type {unknown} */ one) => typeof one === "string" && one.length < 300;
  const server = (/** @type {any} */ one) => typeof one === "object" && one !== null
    && [one.urls].flat().every((url) => text(url) && /^(stun|turns?):\S+$/.test(url))
    && (one.username === undefined || text(one.username)) && (one.credential === undefined || text(one.credential));
  const servers = Array.isArray(value?.iceServers) ? value.iceServers.filter(server) : PLAIN.iceServers;
  const spectators = Number.isInteger(value?.spectators) ? Math.max(0, Math.min(32, value.spectators)) : PLAIN.spectators;
  return { iceServers: servers.slice(0, 8), spectators };
}

/** @returns {Promise<SiteConfig>} */
export async function loadConfig() {
  try {
    const answer = await fetch(new URL("../site-config.json", import.meta.url));
    return readConfig(await answer.json());
  } catch {
    return PLAIN;
  }
}
