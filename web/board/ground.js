/** The parts of a board that never change during a game: slab, grain, lines or hollows or cells, marks, coordinates. */

import { svg } from "../dom.js";

/** @typedef {import("./geometry.js").Layout} Layout */

/** Numbers that are the same on every visit, so that a board keeps its grain. @param {number} seed */
function dice(seed) {
  let state = seed * 2654435761 % 4294967296;
  return () => (state = (state * 1664525 + 1013904223) % 4294967296) / 4294967296;
}

/** @param {Layout} layout @param {string} uid unique in the page, for gradients and clips */
export function drawGround(layout, uid) {
  const { width, height } = layout;
  const radius = layout.description.surface === "lines" ? 26 : 20;
  const clip = svg("clipPath", { id: `slab-${uid}` }, svg("rect", { width, height, rx: radius }));
  const wash = svg("linearGradient", { id: `wash-${uid}`, x1: "0", y1: "0", x2: "1", y2: "1" },
    svg("stop", { class: "slab-1", offset: "0" }), svg("stop", { class: "slab-2", offset: "1" }));
  return svg("g", { class: "ground", "aria-hidden": "true" },
    svg("defs", {}, clip, wash),
    svg("rect", { class: "slab", width, height, rx: radius, fill: `url(#wash-${uid})` }),
    svg("g", { "clip-path": `url(#slab-${uid})` }, grain(width, height), speckle(width, height)),
    svg("rect", { class: "slab-edge", x: 2.5, y: 2.5, width: width - 5, height: height - 5, rx: radius - 2 }),
    surface(layout), marks(layout), coordinates(layout));
}

/** Wood: long slow lines with a knot or two in them. @param {number} width @param {number} height */
function grain(width, height) {
  const roll = dice(width + height);
  const group = svg("g", { class: "grain" });
  const knot = { x: width * (0.2 + 0.6 * roll()), y: height * (0.2 + 0.6 * roll()) };
  for (let y = -20; y < height + 20; y += 7 + 15 * roll()) {
    let d = `M -10 ${y}`;
    for (let x = -10; x < width + 60; x += 60) {
      const near = Math.exp(-(((x - knot.x) / 130) ** 2)) * Math.exp(-(((y - knot.y) / 70) ** 2));
      const pushed = y + 5 * Math.sin(x / 170 + y / 40) + near * 26 * Math.sign(y - knot.y || 1);
      d += ` S ${x - 24} ${pushed} ${x} ${pushed}`;
    }
    group.append(svg("path", { d, "stroke-width": 0.8 + 2.4 * roll(), opacity: 0.35 + 0.65 * roll() }));
  }
  return group;
}

/** Stone: specks, light and dark. @param {number} width @param {number} height */
function speckle(width, height) {
  const roll = dice(width * 3 + height);
  let light = "";
  let dark = "";
  for (let i = 0; i < width * height / 1900; i++) {
    const r = 0.5 + 1.7 * roll() ** 3;
    const spot = `M ${(roll() * width).toFixed(1)} ${(roll() * height).toFixed(1)} m ${-r} 0 a ${r} ${r * 0.8} 0 1 0 ${2 * r} 0 a ${r} ${r * 0.8} 0 1 0 ${-2 * r} 0 `;
    if (roll() < 0.4) light += spot; else dark += spot;
  }
  return svg("g", { class: "speckle" }, svg("path", { class: "speck-dark", d: dark }), svg("path", { class: "speck-light", d: light }));
}

/** @param {Layout} layout */
function surface(layout) {
  const { surface: kind } = layout.description;
  if (kind === "hollows") return hollows(layout);
  if (kind === "cells") return cells(layout);
  return drawnLines(layout);
}

/** @param {Layout} layout */
function drawnLines(layout) {
  const { description } = layout;
  const onCircuits = new Set(description.circuits.flatMap((circuit) => circuit.lines.map((line) => line.join())));
  const segment = (/** @type {[string, string]} */ line) => layout.path({ track: line, captures: [] });
  const group = svg("g", { class: "lines" });
  const plain = description.lines.filter((line) => !onCircuits.has(line.join())).map(segment).join(" ");
  group.append(svg("path", { class: "line groove", d: plain }), svg("path", { class: "line", d: plain }));
  description.circuits.forEach((circuit, i) => {
    const arcs = description.loops.filter((loop) => loop.circuit === circuit.name)
      .map((loop) => { const from = layout.at(loop.ends[0]); return `M ${from.x} ${from.y} ${layout.loopArc(loop, loop.ends[0])}`; });
    const d = [...circuit.lines.map(segment), ...arcs].join(" ");
    group.append(svg("path", { class: `circuit under circuit-${i + 1}`, d }), svg("path", { class: `circuit circuit-${i + 1}`, d }));
  });
  for (const { name } of description.points) {
    const { x, y } = layout.at(name);
    group.append(svg("circle", { class: "node", cx: x, cy: y, r: 6.5 }));
  }
  return group;
}

/** @param {Layout} layout */
function hollows(layout) {
  const group = svg("g", { class: "hollows" });
  for (const { name } of layout.description.points) {
    const { x, y } = layout.at(name);
    group.append(
      svg("circle", { class: "hollow-lip", cx: x, cy: y + 2.5, r: 41 }),
      svg("circle", { class: "hollow", cx: x, cy: y, r: 40 }),
      svg("path", { class: "hollow-shade", d: `M ${x - 38} ${y - 6} A 38.5 38.5 0 0 1 ${x + 38} ${y - 6} A 44 40 0 0 0 ${x - 38} ${y - 6} Z` }));
  }
  return group;
}

/** @param {Layout} layout */
function cells(layout) {
  const group = svg("g", { class: "cells" });
  for (const { name, column, row } of layout.description.points) {
    const { x, y } = layout.at(name);
    group.append(svg("rect", { class: `cell${(column + row) % 2 ? " odd" : ""}`, x: x - 47.5, y: y - 47.5, width: 95, height: 95, rx: 7 }));
  }
  return group;
}

/** @param {Layout} layout */
function marks(layout) {
  const group = svg("g", { class: "marks" });
  for (const { point, kind } of layout.description.marks) {
    const { x, y } = layout.at(point);
    group.append(kind === "shelter"
      ? svg("path", { class: "mark shelter", d: `M ${x - 30} ${y - 30} L ${x + 30} ${y + 30} M ${x + 30} ${y - 30} L ${x - 30} ${y + 30} M ${x} ${y - 44} L ${x + 44} ${y} L ${x} ${y + 44} L ${x - 44} ${y} Z` })
      : svg("circle", { class: "mark", cx: x, cy: y, r: 14 }));
  }
  return group;
}

/** Letters along the near edge and numbers along the left one; (row, column) counts rows from the top. @param {Layout} layout */
function coordinates(layout) {
  const group = svg("g", { class: `coordinates ${layout.description.surface}` });
  if (layout.coordinates === "off") return group;
  const { description, grid } = layout;
  const size = layout.tight ? 25 : description.surface === "lines" ? 21 : 19;
  const text = (/** @type {string} */ what, /** @type {number} */ x, /** @type {number} */ y) =>
    group.append(svg("text", { class: "coordinate", x, y, "font-size": size }, what));
  const rows = layout.coordinates === "rows";
  for (const names of grid) {
    const { x, y } = layout.at(names[0]);
    const point = /** @type {import("../wire.js").Point} */ (layout.byName.get(names[0]));
    const what = String(rows ? point.row : point.rank);
    if (description.loops.length) text(what, x + 36, y - 36);
    else if (description.surface === "cells") text(what, x - 40, y - 35);
    else if (layout.tight) text(what, x - 30, y - 42);
    else text(what, x - 56, y);
  }
  for (const name of grid[grid.length - 1]) {
    const { x, y } = layout.at(name);
    const point = /** @type {import("../wire.js").Point} */ (layout.byName.get(name));
    const what = rows ? String(point.column) : name.replace(/\d+$/, "");
    // Within the loops, towards the middle: the corners' loops leave no room outside.
    if (description.loops.length) text(what, x < layout.width / 2 ? x + 35 : x - 35, y + 38);
    else if (description.surface === "cells") text(what, x + 40, y + 37);
    else text(what, x, y + (layout.tight ? 55 : 56));
  }
  return group;
}
