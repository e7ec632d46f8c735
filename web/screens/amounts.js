/** Amounts in words of the visitor's language. */

import { language } from "../text.js";

const UNITS = /** @type {const} */ (["kilobyte", "megabyte", "gigabyte"]);

/** "1.4 MB". @param {number} bytes */
export function bytesInWords(bytes) {
  const step = bytes < 1e6 ? 0 : bytes < 1e9 ? 1 : 2;
  const amount = bytes / 1000 ** (step + 1);
  return new Intl.NumberFormat(language(), { style: "unit", unit: UNITS[step], unitDisplay: "short", maximumFractionDigits: amount < 10 ? 1 : 0 }).format(amount);
}

/** "0.62 s". @param {number} ms */
export const secondsInWords = (ms) => new Intl.NumberFormat(language(), { style: "unit", unit: "second", unitDisplay: "short", minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(ms / 1000);
