/** Two tabs of one browser joined by BroadcastChannel; and codes that were opened in another tab than the room's. */

import { CodeError } from "./code.js";

/** @typedef {import("./peer.js").Carrier} Carrier */

/** A tab in the background may take its time. */
const PATIENCE = 1500;
/** A channel reaches its own page's other ends as well: nobody knocks at their own door. */
const PAGE = crypto.getRandomValues(new Uint32Array(2)).join("-");
const fresh = () => crypto.getRandomValues(new Uint32Array(2)).join("-");

/** @param {string} room */
const channelOf = (room) => new BroadcastChannel(`qirkat.room.${room}`);

/** @param {BroadcastChannel} channel @param {string} line @param {"host" | "guest"} end @param {() => void} after @returns {Carrier} */
function carrierOf(channel, line, end, after) {
  let closed = false;
  /** @type {Carrier} */
  const carrier = {
    send: (text) => { if (!closed) channel.postMessage({ line, from: end, text }); },
    close: () => {
      if (closed) return;
      closed = true;
      channel.postMessage({ line, from: end, bye: true });
      done();
    },
    onmessage: () => {}, onclose: () => {},
  };
  const hear = (/** @type {MessageEvent} */ { data }) => {
    if (closed || data?.line !== line || data.from === end) return;
    if (data.bye) { closed = true; done(); carrier.onclose(); } else carrier.onmessage(data.text);
  };
  const done = () => { channel.removeEventListener("message", hear); removeEventListener("pagehide", carrier.close); after(); };
  channel.addEventListener("message", hear);
  addEventListener("pagehide", carrier.close);
  return carrier;
}

/**
 * The host's door. @param {string} room
 * @param {(kind: "play" | "watch") => string | null} mayEnter null: come in; else why not
 * @param {(kind: "play" | "watch", carrier: Carrier) => void} enter
 */
export function openDoor(room, mayEnter, enter) {
  const channel = channelOf(room);
  channel.addEventListener("message", ({ data }) => {
    if (typeof data?.knock !== "string" || data.page === PAGE) return;
    const kind = data.kind === "watch" ? "watch" : "play";
    const refusal = mayEnter(kind);
    channel.postMessage({ answer: data.knock, refusal });
    if (refusal === null) enter(kind, carrierOf(channel, data.knock, "host", () => {}));
  });
  return { close: () => channel.close() };
}

/** @param {string} room @param {"play" | "watch"} kind @returns {Promise<Carrier | null>} null: no tab of this browser has the room open; rejects with CodeError when it refuses */
export function knock(room, kind) {
  return new Promise((resolve, reject) => {
    if (typeof BroadcastChannel !== "function") { resolve(null); return; }
    const channel = channelOf(room);
    const line = fresh();
    const timer = setTimeout(() => { channel.close(); resolve(null); }, PATIENCE);
    channel.addEventListener("message", function hear({ data }) {
      if (data?.answer !== line) return;
      clearTimeout(timer);
      channel.removeEventListener("message", hear);
      if (data.refusal === null) resolve(carrierOf(channel, line, "guest", () => channel.close()));
      else { channel.close(); reject(new CodeError(String(data.refusal))); }
    });
    channel.postMessage({ knock: line, kind, page: PAGE });
  });
}

const CODES = "qirkat.answers";

/**
 * A tab with a room waits for codes that other tabs were opened with: answers to its invitations, and invitations back
 * to its own game. @param {(code: string) => Promise<string> | null} take null: not for us; else what to send back to
 * who sent the code, "" for nothing
 */
export function awaitCodes(take) {
  if (typeof BroadcastChannel !== "function") return { close: () => {} };
  const channel = new BroadcastChannel(CODES);
  channel.addEventListener("message", ({ data }) => {
    const back = typeof data?.code === "string" ? take(data.code) : null;
    if (!back) return;
    channel.postMessage({ taken: data.code });
    void back.catch(() => "").then((text) => channel.postMessage({ back: text, to: data.code }));
  });
  return { close: () => channel.close() };
}

/** Hands a code to the tab that it is for. @param {string} code @returns {Promise<{back: Promise<string>} | null>} null: no tab took it */
export function handOver(code) {
  return new Promise((resolve) => {
    if (typeof BroadcastChannel !== "function") { resolve(null); return; }
    const channel = new BroadcastChannel(CODES);
    const timer = setTimeout(() => { channel.close(); resolve(null); }, PATIENCE);
    /** @type {Promise<string>} */
    const back = new Promise((answered) => {
      channel.addEventListener("message", ({ data }) => {
        if (data?.taken === code) { clearTimeout(timer); resolve({ back }); }
        if (data?.to === code) { channel.close(); answered(String(data.back)); }
      });
    });
    channel.postMessage({ code });
  });
}
