/** Sentences about games: points, moves, refusals and results in the visitor's language. */

import { hasText, listOf, t } from "./text.js";

/** @typedef {import("./wire.js").Description} Description */
/** @typedef {import("./wire.js").Side} Side */
/** @typedef {import("./game.js").GameState} GameState */
/** @typedef {(point: string) => string} Label how the screen calls a point */

/** @param {Description} description @param {Side} side "Dark", "White", … */
export const sideName = (description, side) => t(`colour.${description.colours[side]}`);

/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === "x" ? "o" : "x");

/** Who sits there: "You", "Computer", or the colour when two people play. @param {GameState} state @param {Side} side */
export function playerName(state, side) {
  if (state.seats[side] === "computer") return t("player.computer");
  return state.seats[side] === "human" && state.seats[otherSide(side)] !== "human" ? t("player.you") : state.description ? sideName(state.description, side) : "";
}

/** @param {Description} description @param {string | undefined} code */
export function pieceName(description, code) {
  if (!code) return t("point.empty");
  const side = code.toLowerCase() === "x" ? "x" : "o";
  const key = `point.${code === side ? "stone" : "sultan"}.${description.colours[side]}`;
  return t(hasText(`${key}.${description.surface}`) ? `${key}.${description.surface}` : key);
}

/**
 * @param {string} name as shown
 * @param {Description} description
 * @param {string | undefined} code
 * @param {{movable?: boolean, next?: boolean, selected?: boolean}} marks
 */
export function pointName(name, description, code, { movable, next, selected }) {
  const note = selected ? t("point.selected") : next ? t("point.next") : movable ? t("point.movable") : "";
  return [name, pieceName(description, code), note].filter(Boolean).join(", ");
}

/** What stands where, in words, for who cannot see the board. @param {Description} description @param {import("./wire.js").Pieces} pieces @param {Label} [label] */
export function piecesInWords(description, pieces, label = (point) => point) {
  const { points } = description;
  const sides = (/** @type {const} */ (["x", "o"])).flatMap((side) => {
    const own = points.map(({ name }) => name).filter((name) => pieces[name]?.toLowerCase() === side);
    const named = own.map((name) => (pieces[name] === side ? label(name) : t("learn.sultan", { point: label(name) })));
    return named.length ? [t("learn.stands", { who: sideName(description, side), points: listOf(named, "conjunction") })] : [];
  });
  return sides.join(" ") || t("learn.nothing-stands");
}

/** A move in words, for the live region. @param {import("./wire.js").Ply} ply @param {Description} description @param {Label} label */
export function moveInWords(ply, description, label) {
  const who = sideName(description, ply.side);
  if (ply.kind === "event") return eventInWords(ply.text, description);
  const points = ply.path.map(label);
  const way = points.join(t("move.then"));
  const params = { who, way, point: points[0] ?? "", n: ply.captures.length, taken: listOf(ply.captures.map(label), "conjunction") };
  const base = hasText(`move.${ply.kind}`) ? t(`move.${ply.kind}`, params) : `${who}: ${ply.text}`;
  const extra = ply.captures.length && ply.kind !== "capture" ? ` ${t("move.takes", params)}` : "";
  return base + extra + (ply.promotes ? ` ${t("move.promotes", { who })}` : "");
}

/** "offer-draw:x" and its like in words. @param {string} text @param {Description} description */
export function eventInWords(text, description) {
  const [what, side] = text.split(":");
  return t(`event.${what}`, { who: sideName(description, side === "o" ? "o" : "x") });
}

/** A short text for the move list. @param {import("./wire.js").Ply} ply */
export function moveShort(ply) {
  const [what] = ply.text.split(":");
  if (ply.kind === "event") return t(`event.${what}.short`);
  if (ply.kind === "pass") return t("move.pass.short");
  if (ply.kind === "huff") return t("move.huff.short", { point: ply.path[0] ?? ply.text.slice(5) });
  return ply.text.replaceAll("x", "×").replaceAll("-", "–");
}

/** Why something cannot be played. @param {import("./wire.js").Refusal | null} refusal @param {Label} label */
export function refusalText(refusal, label) {
  if (!refusal) return t("refusal.unreachable");
  const points = (refusal.points ?? []).map(label);
  const key = `refusal.${refusal.kind}`;
  const known = hasText(key) ? key : "refusal.unreachable";
  const bare = points.length === 0 && hasText(`${known}.bare`) ? `${known}.bare` : known;
  const candidates = Array.isArray(refusal.candidates) ? listOf(refusal.candidates.map(String)) : "";
  return t(bare, { points: listOf(points), candidates, n: Number(refusal.most ?? points.length) });
}

/** @param {import("./hash.js").Problem} problem */
export function problemText(problem) {
  return hasText(problem.key) ? t(problem.key, problem.params) : t("engine.trouble");
}

/** How the game ended: a headline and the reason. @param {GameState} state @returns {{title: string, text: string, mood: "won" | "lost" | "even"} | null} */
export function resultText(state) {
  const { now, description } = state;
  if (!now?.outcome || !description) return null;
  const { winner, reason } = now.outcome;
  const vs = state.seats.x !== state.seats.o;
  const title = winner === null ? t("result.draw")
    : !vs ? t("result.wins", { who: sideName(description, winner) })
      : state.seats[winner] === "human" ? t("result.you-win") : state.seats[winner] === "remote" ? t("result.wins", { who: sideName(description, winner) }) : t("result.computer-wins");
  const key = `reason.${reason}${winner === null && hasText(`reason.${reason}.draw`) ? ".draw" : ""}`;
  const text = t(key, {
    winner: winner ? sideName(description, winner) : "", loser: winner ? sideName(description, otherSide(winner)) : "",
    x: now.counts.x, o: now.counts.o, xname: sideName(description, "x"), oname: sideName(description, "o"), limit: description.limit,
  });
  return { title, text, mood: winner === null ? "even" : vs && state.seats[winner] !== "human" ? "lost" : "won" };
}
