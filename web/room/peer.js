/** Two browsers joined by a WebRTC data channel, the offer and the answer carried by people. */

import { CodeError, encodeCode } from "./code.js";
import { readSdp, writeSdp } from "./sdp.js";

/** @typedef {import("./code.js").Code} Code */

/**
 * What carries messages: a data channel or another tab.
 * @typedef {{send: (text: string) => void, close: () => void, onmessage: (data: unknown) => void, onclose: () => void}} Carrier
 */

/** How long to wait for the browser to find its own addresses, and for the other side to be reached. */
const GATHERING = 4000;
const REACHING = 30_000;
/** The last words before closing need a moment on the way. */
const LAST_WORDS = 400;

const hex = (/** @type {number} */ bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export const canJoin = () => typeof RTCPeerConnection === "function";

/** @param {RTCIceServer[]} iceServers */
function open(iceServers) {
  const connection = new RTCPeerConnection({ iceServers });
  // Agreed on beforehand, so that neither side waits to be told of it.
  const channel = connection.createDataChannel("qirkat", { negotiated: true, id: 0, ordered: true });
  return { connection, channel };
}

/** @param {RTCPeerConnection} connection */
function gathered(connection) {
  return new Promise((resolve) => {
    const done = () => { if (connection.iceGatheringState === "complete") resolve(undefined); };
    connection.addEventListener("icegatheringstatechange", done);
    setTimeout(resolve, GATHERING);
    done();
  });
}

/** @param {RTCPeerConnection} connection @param {RTCDataChannel} channel @returns {Carrier} */
function carrierOf(connection, channel) {
  let closed = false;
  /** @type {Carrier} */
  const carrier = {
    send: (text) => { if (channel.readyState === "open") channel.send(text); },
    close: () => {
      if (closed) return;
      closed = true;
      setTimeout(() => connection.close(), LAST_WORDS);
    },
    onmessage: () => {}, onclose: () => {},
  };
  const gone = () => { if (!closed) { closed = true; connection.close(); carrier.onclose(); } };
  channel.onmessage = ({ data }) => { if (!closed) carrier.onmessage(data); };
  channel.onclose = gone;
  connection.onconnectionstatechange = () => { if (["failed", "closed"].includes(connection.connectionState)) gone(); };
  addEventListener("pagehide", () => connection.close(), { once: true });
  return carrier;
}

/**
 * @param {RTCPeerConnection} connection
 * @param {RTCDataChannel} channel
 * @param {number} patience ms
 * @returns {Promise<Carrier>} rejects with CodeError "unreachable"
 */
function opened(connection, channel, patience) {
  return new Promise((resolve, reject) => {
    const carrier = carrierOf(connection, channel);
    const timer = setTimeout(() => { connection.close(); reject(new CodeError("unreachable")); }, patience);
    carrier.onclose = () => { clearTimeout(timer); reject(new CodeError("unreachable")); };
    /** @type {unknown[]} */
    const early = [];
    carrier.onmessage = (data) => early.push(data);
    const ready = () => {
      clearTimeout(timer);
      carrier.onclose = () => {};
      resolve(carrier);
      // Whoever takes the carrier sets its listener first.
      setTimeout(() => { for (const data of early) carrier.onmessage(data); }, 0);
    };
    if (channel.readyState === "open") ready();
    else channel.onopen = ready;
  });
}

/** One invitation, good for one guest. */
export class Invitation {
  /** @param {"play" | "watch"} kind @param {string} room @param {RTCIceServer[]} servers */
  static async make(kind, room, servers) {
    const { connection, channel } = open(servers);
    await connection.setLocalDescription(await connection.createOffer());
    await gathered(connection);
    const session = readSdp(connection.localDescription?.sdp ?? "");
    return new Invitation(connection, channel, { kind, room, ticket: hex(4), made: Date.now(), session });
  }

  /** @param {RTCPeerConnection} connection @param {RTCDataChannel} channel @param {Code} code */
  constructor(connection, channel, code) {
    this.connection = connection;
    this.channel = channel;
    this.facts = code;
    this.code = encodeCode(code);
    this.used = false;
  }

  get kind() { return this.facts.kind; }

  /** @param {Code} answer one with this invitation's ticket @returns {Promise<Carrier>} */
  async accept(answer) {
    if (this.used) throw new CodeError("taken");
    this.used = true;
    await this.connection.setRemoteDescription({ type: "answer", sdp: writeSdp(answer.session) });
    return opened(this.connection, this.channel, REACHING);
  }

  cancel() { if (!this.used) this.connection.close(); }
}

/**
 * The guest's side: an answer to carry back, and the carrier once the host has used it.
 * @param {Code} invitation @param {RTCIceServer[]} servers
 */
export async function answerTo(invitation, servers) {
  const { connection, channel } = open(servers);
  // The host opens the encryption, once it has an answer. Were it the guest, everyone who opens the invitation would
  // knock with a key of their own, and the host's browser might take the wrong knock for the answer's.
  await connection.setRemoteDescription({ type: "offer", sdp: writeSdp({ ...invitation.session, setup: "active" }) });
  await connection.setLocalDescription(await connection.createAnswer());
  await gathered(connection);
  const session = readSdp(connection.localDescription?.sdp ?? "");
  const code = encodeCode({ kind: "answer", room: invitation.room, ticket: invitation.ticket, made: Date.now(), session });
  // People take their time: the answer waits as long as the invitation lives.
  return { code, carrier: opened(connection, channel, 30 * 60_000), cancel: () => connection.close() };
}
