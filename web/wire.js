/**
 * Shapes of the engine's answers (docs/wire.md). Only types live here.
 *
 * @typedef {"x" | "o"} Side
 * @typedef {Record<string, string>} Pieces point to "x", "o", "X" or "O"
 * @typedef {{to: string, captures: string[], label: null | "approach" | "withdrawal", track: string[]}} Hop
 * @typedef {{text: string, kind: string, path: string[], captures: string[], hops: Hop[], promotes: boolean}} Move
 * @typedef {Move & {side: Side, position: string, pieces: Pieces, counts: {x: number, o: number}, clock: number}} Ply
 *
 * @typedef {object} Snapshot
 * @property {string} position
 * @property {Side} side
 * @property {number} clock
 * @property {Pieces} pieces
 * @property {{x: number, o: number} | null} hand
 * @property {string[]} huffable
 * @property {{x: number, o: number}} counts
 * @property {{x: number, o: number} | null} lost
 *
 * @typedef {object} Standing
 * @property {string} ruleset
 * @property {null | {winner: Side | null, reason: string}} outcome
 * @property {Move[]} legal
 * @property {"play" | "remove" | "place"} stage
 * @property {string[]} events
 * @property {null | {kind: "draw" | "count", by: Side}} offer
 * @property {number} repeated
 * @property {string[]} movable
 * @property {Ply | null} last
 * @typedef {Snapshot & Standing} State
 *
 * @typedef {{name: string, column: number, rank: number, row: number}} Point
 * @typedef {{corner: "top-left" | "top-right" | "bottom-left" | "bottom-right", circuit: string, ends: [string, string]}} Loop
 *
 * @typedef {object} Description
 * @property {string} ruleset
 * @property {string} game
 * @property {string} preset
 * @property {number} columns
 * @property {number} rows
 * @property {"lines" | "hollows" | "cells"} surface
 * @property {Point[]} points
 * @property {[string, string][]} lines
 * @property {{name: string, lines: [string, string][]}[]} circuits
 * @property {Loop[]} loops
 * @property {{point: string, kind: string}[]} marks
 * @property {{x: string, o: string}} colours
 * @property {{x: number, o: number}} sets
 * @property {boolean} sultans
 * @property {string} start
 * @property {Pieces} startPieces
 * @property {{name: string, value: string | number, default: string | number, choices: string[]}[]} options
 * @property {string[]} notes
 * @property {number} limit
 * @property {string} onlimit
 * @property {string[]} agreements
 * @property {boolean} clock
 * @property {boolean} repetition
 * @property {boolean} hand
 *
 * @typedef {{kind: string, points?: string[], [more: string]: any}} Refusal
 * @typedef {{ruleset: string, game: string, preset: string, options: Record<string, string | number>, named: boolean}} RulesetInfo
 * @typedef {{move: Move, score: number, mate: number | null, chance: number, pv: string[], depth: number, nodes: number, ms: number, book: boolean}} SearchResult
 * @typedef {{state: State, start: Snapshot, plies: Ply[]}} Record_
 */

export {};
