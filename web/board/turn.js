/** What a board shows of a turn: what can be chosen, and how far an unfinished move has come. */

import { hopsMade, laterPoints, nextPoints } from "./input.js";

/** @typedef {import("../wire.js").Pieces} Pieces */
/** @typedef {import("./board.js").View} View */
/** @typedef {import("./input.js").Entry} Entry */

/** The points where legal moves start. @param {import("../wire.js").Move[]} legal */
export const startsOf = (legal) => [...new Set(legal.flatMap((move) => move.path.slice(0, 1)))];

/** Before anything is chosen. Where a capture must be played, or a stone taken away, the choices are pointed out. @param {Pieces} pieces @param {import("../wire.js").State} now @returns {View} */
export function idleView(pieces, now) {
  const starts = startsOf(now.legal);
  const compelled = now.legal.length > 0 && now.legal.every((move) => move.captures.length > 0) && now.stage === "play";
  return { pieces, movable: starts, marked: compelled || now.stage === "remove" ? starts : [], huffable: now.huffable.filter((point) => starts.includes(point)) };
}

/** While a move is being chosen; `entry.path` is not empty. @param {Pieces} pieces @param {Entry} entry @param {import("../wire.js").State} now @param {(label: string) => string} word @returns {View} */
export function entryView(pieces, entry, now, word) {
  const moved = { ...pieces };
  const [from] = entry.path;
  const here = entry.path[entry.path.length - 1];
  delete moved[from];
  moved[here] = pieces[from];
  const { question } = entry;
  return {
    pieces: moved, selected: here, taken: hopsMade(entry).flatMap((hop) => hop.captures),
    next: question?.kind === "routes" ? [] : nextPoints(entry), later: question ? [] : laterPoints(entry),
    movable: now.movable, marked: [], ghosts: question?.kind === "routes" ? question.next : [],
    fork: question?.kind === "labels" ? question.options.map(({ label, captures }) => ({ label, word: word(label), captures })) : [],
    ways: Object.fromEntries(entry.candidates.filter((move) => move.hops.length >= entry.path.length).map((move) => [move.path[entry.path.length], move.hops[entry.path.length - 1]])),
    trail: entry.path.length > 1 ? { path: entry.path, hops: hopsMade(entry), captures: [] } : null,
  };
}
