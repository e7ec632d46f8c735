/** Text to a short word for a link and back: raw deflate (RFC 1951) in base64url. */

import { MAX_HASH } from "../hash.js";
import { fromBase64, toBase64 } from "../room/code.js";

/** Something that cannot be unpacked; `key` is the text that says why. */
export class PackError extends Error {
  /** @param {"link.packed" | "link.long" | "link.unpackable"} key */
  constructor(key) {
    super(key);
    this.key = key;
  }
}

/** @param {string} text @returns {Promise<string | null>} null where the browser cannot compress */
export async function pack(text) {
  try {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
  } catch {
    return null;
  }
}

/**
 * A few bytes can hold millions: reading stops as soon as there are more than a game can have.
 * @param {string} word @param {number} [most] @returns {Promise<string>} rejects with a PackError
 */
export async function unpack(word, most = MAX_HASH) {
  /** @type {Uint8Array<ArrayBuffer>} */
  let bytes;
  /** @type {DecompressionStream} */
  let opener;
  try { bytes = fromBase64(word); } catch { throw new PackError("link.packed"); }
  try { opener = new DecompressionStream("deflate-raw"); } catch { throw new PackError("link.unpackable"); }
  const reader = new Blob([bytes]).stream().pipeThrough(opener).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for (let total = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      total += value.byteLength;
      if (total > most) throw new PackError("link.long");
      text += decoder.decode(value, { stream: true });
    }
  } catch (fault) {
    void reader.cancel().catch(() => undefined);
    throw fault instanceof PackError ? fault : new PackError("link.packed");
  }
}
