/** A picture drawn from a name: the same name gives the same small board of stones, everywhere. */

import { svg } from "../dom.js";

/** FNV-1a over the UTF-16 units, then stirred. @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39);
  return (value ^ (value >>> 15)) >>> 0;
}

/** Which of 3 × 5 cells hold a stone, mirrored to 5 × 5, and one of six colours. @param {string} name */
export function pattern(name) {
  const bits = hash(name);
  const cells = Array.from({ length: 15 }, (_, i) => Boolean((bits >>> i) & 1));
  return { cells, colour: (bits >>> 24) % 6 };
}

/** @param {string} name @param {string} [kind] a further class */
export function avatar(name, kind = "") {
  const { cells, colour } = pattern(name);
  const stones = cells.flatMap((there, i) => {
    if (!there) return [];
    const [column, row] = [i % 3, Math.floor(i / 3)];
    return [...new Set([column, 4 - column])].map((x) => svg("circle", { cx: 6 + 5 * x, cy: 6 + 5 * row, r: 2.3 }));
  });
  return svg("svg", { class: `avatar avatar-${colour} ${kind}`, viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("rect", { class: "avatar-ground", width: 32, height: 32, rx: 8 }), svg("g", { class: "avatar-stones" }, ...stones));
}
