/**
 * Invitation codes: the few bytes of a WebRTC offer or answer that the other side needs, as text for a link, a QR
 * code or a message. Packed by hand, about 100 bytes, because a QR code of 130 characters is read at once by any
 * phone and one of 1,500 is not. A code is foreign input: a checksum finds slips, every field is checked.
 *
 * Layout: version 1 · kind 1 · room 8 · ticket 4 · made 4 (seconds since 1970) · setup 1 · ufrag · pwd (each with its
 * length) · fingerprint 32 · count 1 · candidates (type and family 1, address 4 or 16, port 2) · checksum 4.
 */

/** @typedef {"play" | "watch" | "answer"} Kind play, watch: invitations; answer: to either */
/** @typedef {{type: "host" | "srflx" | "relay", address: string, port: number}} Candidate address: IPv4, IPv6 or a `….local` name */
/** @typedef {{ufrag: string, pwd: string, fingerprint: string, setup: "actpass" | "active" | "passive", candidates: Candidate[]}} Session fingerprint: 64 hexadecimal digits */
/** @typedef {{kind: Kind, room: string, ticket: string, made: number, session: Session}} Code room: 16 hexadecimal digits; ticket: 8, the same in an invitation and its answer; made: ms */

const VERSION = 1;
/** @type {Kind[]} */
const KINDS = ["play", "watch", "answer"];
/** @type {Candidate["type"][]} */
const TYPES = ["host", "srflx", "relay"];
/** @type {Session["setup"][]} */
const SETUPS = ["actpass", "active", "passive"];
const FAMILIES = /** @type {const} */ (["ipv4", "ipv6", "mdns"]);
export const MOST_CANDIDATES = 12;
/** An invitation is good for so long: the browser's port behind it stays open about that time. */
export const LIFETIME = 30 * 60_000;
/** Clocks of two machines may differ by this much. */
const CLOCK_SLIP = 5 * 60_000;

/** A code that cannot be used; `kind` is a text key's end: empty, damaged, version, expired, … */
export class CodeError extends Error {
  /** @param {string} kind */
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

/** @param {Uint8Array} bytes CRC-32, as in zip and PNG */
export function checksum(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** @param {Uint8Array} bytes */
export const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** @param {string} hex */
export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} address @returns {{family: number, bytes: Uint8Array} | null} */
function packAddress(address) {
  const four = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address);
  if (four) return { family: 0, bytes: Uint8Array.from(four.slice(1), Number) };
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.local$/i.test(address)) return { family: 2, bytes: fromHex(address.slice(0, 36).replaceAll("-", "").toLowerCase()) };
  const six = address.includes(":") && !address.includes(".") ? expandIPv6(address) : null;
  return six && { family: 1, bytes: six };
}

/** @param {string} address */
function expandIPv6(address) {
  const [head, tail, more] = address.split("::");
  if (more !== undefined) return null;
  const parts = (/** @type {string | undefined} */ text) => (text ? text.split(":") : []);
  const before = parts(head);
  const after = parts(tail);
  const zeros = 8 - before.length - after.length;
  if (tail === undefined ? zeros !== 0 : zeros < 1) return null;
  const groups = [...before, ...Array(zeros).fill("0"), ...after];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return Uint8Array.from(groups.flatMap((group) => { const n = parseInt(group, 16); return [n >> 8, n & 255]; }));
}

/** @param {typeof FAMILIES[number]} family @param {Uint8Array} bytes */
function unpackAddress(family, bytes) {
  if (family === "ipv4") return bytes.join(".");
  const hex = toHex(bytes);
  if (family === "mdns") return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}.local`;
  return (hex.match(/..../g) ?? []).map((group) => parseInt(group, 16).toString(16)).join(":");
}

/** @param {number} value */
const uint32 = (value) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

/** @param {Code} code @returns {string} */
export function encodeCode({ kind, room, ticket, made, session }) {
  const bytes = [VERSION, KINDS.indexOf(kind), ...fromHex(room), ...fromHex(ticket), ...uint32(Math.floor(made / 1000)), SETUPS.indexOf(session.setup)];
  for (const text of [session.ufrag, session.pwd]) bytes.push(text.length, ...new TextEncoder().encode(text));
  bytes.push(...fromHex(session.fingerprint));
  const packed = session.candidates.flatMap(({ type, address, port }) => {
    const place = packAddress(address);
    return place ? [[TYPES.indexOf(type) * 4 + place.family, ...place.bytes, port >> 8, port & 255]] : [];
  }).slice(0, MOST_CANDIDATES);
  bytes.push(packed.length, ...packed.flat());
  return toBase64(Uint8Array.from([...bytes, ...uint32(checksum(Uint8Array.from(bytes)))]));
}

/** Finds the code in what was pasted: the bare code, or a whole link, or a message around a link. @param {string} text */
export function codeIn(text) {
  const link = /[?&]i=([A-Za-z0-9_-]+)/.exec(text);
  return link ? link[1] : text.replace(/\s+/g, "");
}

/** @param {string} text a bare code or a link with one @param {number} [now] ms; expiry is not looked at when left out @returns {Code} throws CodeError */
export function decodeCode(text, now) {
  const bare = codeIn(text);
  if (bare === "") throw new CodeError("empty");
  if (!/^[A-Za-z0-9_-]{40,1200}$/.test(bare)) throw new CodeError("damaged");
  let bytes;
  try { bytes = fromBase64(bare); } catch { throw new CodeError("damaged"); }
  const end = bytes.length - 4;
  if (checksum(bytes.subarray(0, end)) !== new DataView(bytes.buffer).getUint32(end)) throw new CodeError("damaged");
  if (bytes[0] !== VERSION) throw new CodeError("version");
  let at = 1;
  const take = (/** @type {number} */ count) => {
    if (at + count > end) throw new CodeError("damaged");
    return bytes.subarray(at, (at += count));
  };
  const pick = (/** @type {readonly any[]} */ list, /** @type {number} */ index) => list[index] ?? bad();
  const word = (/** @type {RegExp} */ pattern) => {
    const text_ = String.fromCharCode(...take(take(1)[0]));
    return pattern.test(text_) ? text_ : bad();
  };
  const number = (/** @type {Uint8Array} */ four) => four.reduce((sum, byte) => sum * 256 + byte, 0);

  const kind = pick(KINDS, take(1)[0]);
  const room = toHex(take(8));
  const ticket = toHex(take(4));
  const made = number(take(4)) * 1000;
  const setup = pick(SETUPS, take(1)[0]);
  const ufrag = word(/^[A-Za-z0-9+/]{4,32}$/);
  const pwd = word(/^[A-Za-z0-9+/]{22,64}$/);
  const fingerprint = toHex(take(32));
  const [count] = take(1);
  if (count > MOST_CANDIDATES) bad();
  const candidates = Array.from({ length: count }, () => {
    const [head] = take(1);
    const family = pick(FAMILIES, head & 3);
    const type = pick(TYPES, head >> 2);
    const address = unpackAddress(family, take(family === "ipv4" ? 4 : 16));
    return { type, address, port: number(take(2)) };
  });
  if (at !== end) bad();
  if ((setup === "actpass") !== (kind !== "answer")) bad();
  if (now !== undefined && now - made > LIFETIME + CLOCK_SLIP) throw new CodeError("expired");
  return { kind, room, ticket, made, session: { ufrag, pwd, fingerprint, setup, candidates } };
}

/** @returns {never} */
function bad() { throw new CodeError("damaged"); }
