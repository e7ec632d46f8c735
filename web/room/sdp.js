/** Between a browser's session description and the few facts in it that the other side needs. */

import { MOST_CANDIDATES } from "./code.js";

/** @typedef {import("./code.js").Session} Session */
/** @typedef {import("./code.js").Candidate} Candidate */

/** The type's place in the order in which ICE tries pairs (RFC 8445, 5.1.2.1). */
const PREFERENCE = { host: 126, srflx: 100, relay: 0 };

/** @param {string} sdp with its candidates gathered @returns {Session} */
export function readSdp(sdp) {
  const value = (/** @type {RegExp} */ pattern) => pattern.exec(sdp)?.[1] ?? "";
  /** @type {Candidate[]} */
  const candidates = [];
  for (const [, address, port, type] of sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ (host|srflx|relay)/gim)) {
    candidates.push({ type: /** @type {Candidate["type"]} */ (type), address, port: Number(port) });
  }
  // Ways out of the house first: they must not fall off the end of a long list.
  candidates.sort((a, b) => PREFERENCE[a.type] - PREFERENCE[b.type]);
  return {
    ufrag: value(/^a=ice-ufrag:(\S+)/m),
    pwd: value(/^a=ice-pwd:(\S+)/m),
    fingerprint: value(/^a=fingerprint:sha-256 (\S+)/im).replaceAll(":", "").toLowerCase(),
    setup: /** @type {Session["setup"]} */ (value(/^a=setup:(\S+)/m)),
    candidates: candidates.slice(0, MOST_CANDIDATES),
  };
}

/** @param {Session} session @returns {string} a description with one data channel section */
export function writeSdp({ ufrag, pwd, fingerprint, setup, candidates }) {
  const lines = candidates.map(({ type, address, port }, i) => {
    const priority = PREFERENCE[type] * 2 ** 24 + (65535 - i) * 256 + 255;
    const related = type === "host" ? "" : " raddr 0.0.0.0 rport 0";
    return `a=candidate:${i + 1} 1 udp ${priority} ${address} ${port} typ ${type}${related}`;
  });
  return [
    "v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", ...lines,
    `a=ice-ufrag:${ufrag}`, `a=ice-pwd:${pwd}`, `a=fingerprint:sha-256 ${(fingerprint.match(/../g) ?? []).join(":").toUpperCase()}`,
    `a=setup:${setup}`, "a=mid:0", "a=sctp-port:5000", "a=max-message-size:262144", "",
  ].join("\r\n");
}
