/** A game's record is a list of entries: moves, and what was said between them. */

/** Resigning, offering, answering: said between moves, and no move. @param {string} text */
export const isEvent = (text) => /^(resign|offer-[a-z]+|accept|decline):[xo]$/.test(text);

/** How many of the entries are moves. @param {string[]} entries */
export const countMoves = (entries) => entries.filter((entry) => !isEvent(entry)).length;
