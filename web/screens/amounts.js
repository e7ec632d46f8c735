/** Amounts in words of the visitor's language. */

import { language } from "../text.js";

const UNITS = /** @type {const} */ (["byte", "kilobyte", "megabyte", "gigabyte"]);

/** "1.4 MB". @param {number} bytes */
export function bytesInWords(bytes) {
  const step = Math.min(UNITS.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** step;
  return new Intl.NumberFormat(language(), { style: "unit", unit: UNITS[step], unitDisplay: "short", maximumFractionDigits: amount < 10 && step > 0 ? 1 : 0 }).format(amount);
}

/** "0.62 s". @param {number} ms */
export const secondsInWords = (ms) => new Intl.NumberFormat(language(), { style: "unit", unit: "second", unitDisplay: "short", minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(ms / 1000);
