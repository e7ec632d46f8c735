/**
 * Names and other single lines that people give to each other. They are shown as text only; but signs that turn the
 * line round, hide, or pile up over the lines beside could still make one name look like another, or like none.
 */

/** No letter: breaks, halves of signs, everything that is drawn as nothing. Joiners and variants stay, scripts and pictures need them. */
const HIDDEN = "(?:[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u2800\\ufff9-\\ufffb]|(?!\\u200c|\\u200d|[\\ufe00-\\ufe0f])\\p{DI})";
/** More marks on one letter than any script has. */
const PILE = "\\p{M}{6}";
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A line of at most so many characters with something to see in it, no spaces round it. @param {number} most */
export const lineOf = (most) => new RegExp(`^(?! )(?=.*${SEEN.source})(?!.*${PILE})(?:(?!${HIDDEN}).){1,${most}}(?<! )$`, "u");

/** @param {string} text @param {number} most characters @returns {string} what `lineOf(most)` takes, or "" when nothing is left to see */
export function cleanLine(text, most) {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replace(new RegExp(HIDDEN, "gu"), "").replace(/(\p{M}{5})\p{M}+/gu, "$1").trim();
  const cut = [...line].slice(0, most).join("").trim(); // by characters: half a picture is none
  return SEEN.test(cut) ? cut : "";
}
