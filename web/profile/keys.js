/**
 * Keys made in this browser, and signatures with them: ECDSA on P-256 with SHA-256, as every WebCrypto has it.
 * A signature shows that a record was not changed after the holder of a key signed it. It does not show who that is.
 */

import { fromBase64, toBase64 } from "../room/code.js";

/** @typedef {{public: string, secret: JsonWebKey}} Keys public: the uncompressed point in base64url, 87 letters */

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };
const SIGNING = { name: "ECDSA", hash: "SHA-256" };

/** Pages from plain http (other than localhost) have no WebCrypto. */
export const canSign = () => typeof globalThis.crypto?.subtle === "object";

/** @returns {Promise<Keys | null>} null where the browser does not allow it */
export async function makeKeys() {
  if (!canSign()) return null;
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const [raw, secret] = await Promise.all([crypto.subtle.exportKey("raw", pair.publicKey), crypto.subtle.exportKey("jwk", pair.privateKey)]);
  return { public: toBase64(new Uint8Array(raw)), secret };
}

/** @param {Keys} keys @param {string} text @returns {Promise<string>} 86 letters of base64url */
export async function sign(keys, text) {
  const key = await crypto.subtle.importKey("jwk", keys.secret, ALGORITHM, false, ["sign"]);
  return toBase64(new Uint8Array(await crypto.subtle.sign(SIGNING, key, new TextEncoder().encode(text))));
}

/** @param {string} publicKey @param {string} text @param {string} signature @returns {Promise<boolean>} */
export async function verify(publicKey, text, signature) {
  if (!canSign()) return false;
  try {
    const key = await crypto.subtle.importKey("raw", fromBase64(publicKey), ALGORITHM, false, ["verify"]);
    return await crypto.subtle.verify(SIGNING, key, fromBase64(signature), new TextEncoder().encode(text));
  } catch {
    return false;
  }
}

/** Whether a secret and a public key belong together; for profiles that are read in. @param {unknown} keys @returns {Promise<boolean>} */
export async function isKeys(keys) {
  const pair = /** @type {Partial<Keys> | null} */ (keys);
  if (typeof pair?.public !== "string" || typeof pair.secret !== "object" || pair.secret === null) return false;
  try {
    const probe = "qirkat";
    return await verify(pair.public, probe, await sign(/** @type {Keys} */ (pair), probe));
  } catch {
    return false;
  }
}
