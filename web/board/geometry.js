/**
 * From a Description (engine data) to places on a fixed viewBox. One unit (the distance of two neighbours) is 100.
 * Turning the board is a different layout, not a transform, so that letters and shadows stay upright.
 */

/** @typedef {import("../wire.js").Description} Description */
/** @typedef {{x: number, y: number}} Spot */
/** What of a hop is its way. @typedef {Pick<import("../wire.js").Hop, "track" | "captures">} Way */

export const UNIT = 100;

/** Whether this is a screen on which a board's width is dear; it changes when a phone is turned. */
export const narrowScreen = matchMedia("(max-width: 599px), (max-height: 480px)");

/** How far a loop with ends at distance d from its corner bulges out, and where its quarter arcs are centred (in units). */
const bulge = (/** @type {number} */ d) => 0.2 + 0.45 * d;
const waist = (/** @type {number} */ d) => 0.3 * d;

export class Layout {
  /**
   * @param {Description} description
   * @param {{flip?: boolean, coordinates?: "off" | "letters" | "rows", narrow?: boolean}} [options] narrow: on a screen where width is dear
   */
  constructor(description, { flip = false, coordinates = "off", narrow = false } = {}) {
    this.description = description;
    this.flip = flip;
    this.coordinates = coordinates;
    this.byName = new Map(description.points.map((point) => [point.name, point]));
    this.loops = new Map(description.loops.flatMap((loop) => [[loop.ends.join(), loop], [[...loop.ends].reverse().join(), loop]]));
    const reach = Math.max(0, ...description.loops.map((loop) => bulge(this.loopDistance(loop))));
    const wide = description.columns >= 9;
    const bare = reach ? reach + 0.14 : description.surface === "lines" ? 0.6 : wide ? 0.52 : 0.58;
    const labels = coordinates !== "off" && !reach && description.surface !== "cells";
    // Numbers have their own margin; where width is dear they sit between the points instead.
    this.tight = narrow && labels && description.columns >= 8;
    const side = this.tight ? 0.5 : labels ? 0.76 : bare;
    const ends = labels ? (this.tight ? 0.72 : 0.76) : bare;
    this.margin = { side: side * UNIT, ends: ends * UNIT };
    this.width = (description.columns - 1 + 2 * side) * UNIT;
    this.height = (description.rows - 1 + 2 * ends) * UNIT;
    this.viewBox = `0 0 ${this.width} ${this.height}`;
    this.radius = (description.surface === "lines" ? 0.375 : 0.385) * UNIT;
    /** Rows of point names as seen, top to bottom and left to right. @type {string[][]} */
    this.grid = this.seenRows();
  }

  /** @param {string} name @returns {Spot} */
  at(name) {
    const point = this.byName.get(name);
    if (!point) throw new RangeError(`no point ${name}`);
    const column = this.flip ? this.description.columns - point.column : point.column - 1;
    const row = this.flip ? this.description.rows - point.row : point.row - 1;
    return { x: this.margin.side + column * UNIT, y: this.margin.ends + row * UNIT };
  }

  /** The point nearest to a place, if it is within reach of it. @param {Spot} spot @returns {string | null} */
  nearest(spot) {
    let best = null;
    let least = 0.62 * UNIT;
    for (const { name } of this.description.points) {
      const at = this.at(name);
      const distance = Math.hypot(at.x - spot.x, at.y - spot.y);
      if (distance < least) [best, least] = [name, distance];
    }
    return best;
  }

  /** The neighbour on the screen, for arrow keys; null at the border. @param {string} name @param {number} right @param {number} down */
  step(name, right, down) {
    const row = this.grid.findIndex((names) => names.includes(name));
    const column = this.grid[row].indexOf(name);
    return this.grid[row + down]?.[column + right] ?? null;
  }

  seenRows() {
    /** @type {string[][]} */
    const rows = Array.from({ length: this.description.rows }, () => []);
    const sorted = [...this.description.points].sort((a, b) => a.column - b.column);
    for (const point of sorted) rows[point.row - 1].push(point.name);
    return this.flip ? rows.reverse().map((row) => row.reverse()) : rows;
  }

  /** How a point is called on the screen under the chosen coordinates. @param {string} name */
  label(name) {
    const point = this.byName.get(name);
    return this.coordinates === "rows" && point ? `(${point.row}, ${point.column})` : name;
  }

  // Loops

  /** Distance of a loop's ends from its corner, in units. @param {import("../wire.js").Loop} loop */
  loopDistance(loop) {
    const [a, b] = loop.ends.map((name) => /** @type {import("../wire.js").Point} */ (this.byName.get(name)));
    return Math.abs(a.column - b.column);
  }

  /** Path data of the arc from one end to the other round the corner, without the first "M". @param {import("../wire.js").Loop} loop @param {string} from */
  loopArc(loop, from) {
    const ends = loop.ends[0] === from ? loop.ends : [loop.ends[1], loop.ends[0]];
    const [start, end] = ends.map((name) => this.at(name));
    const d = this.loopDistance(loop) * UNIT;
    const e = bulge(this.loopDistance(loop)) * UNIT;
    const c = waist(this.loopDistance(loop)) * UNIT;
    const right = this.flip !== loop.corner.endsWith("right");
    const bottom = this.flip !== loop.corner.startsWith("bottom");
    const corner = { x: right ? this.width - this.margin.side : this.margin.side, y: bottom ? this.height - this.margin.ends : this.margin.ends };
    const sx = right ? -1 : 1; // towards the middle of the board
    const sy = bottom ? -1 : 1;
    const fromRank = Math.abs(start.y - corner.y) < 1; // starts on the top or bottom border
    const outer = { x: corner.x + sx * c, y: corner.y - sy * e };
    const inner = { x: corner.x - sx * e, y: corner.y + sy * c };
    const [first, second] = fromRank ? [outer, inner] : [inner, outer];
    const [r1, r2] = fromRank ? [[d - c, e], [e, d - c]] : [[e, d - c], [d - c, e]];
    const turn = (sx * sy > 0) === fromRank ? 0 : 1;
    return `A ${r1[0]} ${r1[1]} 0 0 ${turn} ${first.x} ${first.y} A ${c + e} ${c + e} 0 0 ${turn} ${second.x} ${second.y} `
      + `A ${r2[0]} ${r2[1]} 0 0 ${turn} ${end.x} ${end.y}`;
  }

  /** The loop that a hop runs through on its way to a point of its track; a hop that takes nothing goes straight (docs/wire.md). @param {Way} hop @param {number} i */
  loopTo({ track, captures }, i) { return captures.length ? this.loops.get([track[i - 1], track[i]].join()) : undefined; }

  /** Path data of a hop's track; two neighbours that a loop joins are joined by its arc. @param {Way} hop */
  path(hop) {
    return hop.track.map((name, i) => {
      const spot = this.at(name);
      if (i === 0) return `M ${spot.x} ${spot.y}`;
      const loop = this.loopTo(hop, i);
      return loop ? this.loopArc(loop, hop.track[i - 1]) : `L ${spot.x} ${spot.y}`;
    }).join(" ");
  }
}
