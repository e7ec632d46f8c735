/** A rating's way through the games: a line, and the range in which the true strength most likely lies. */

import { svg } from "../dom.js";

/** @typedef {import("./glicko.js").Rating} Rating */

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [640, 220, 52, 26, 12];

/** @param {Rating[]} ratings oldest first, the one before the first game included @param {string} label spoken */
export function drawChart(ratings, label) {
  const low = Math.floor(Math.min(...ratings.map(({ rating, deviation }) => rating - 2 * deviation)) / 100) * 100;
  const high = Math.ceil(Math.max(...ratings.map(({ rating, deviation }) => rating + 2 * deviation)) / 100) * 100;
  const x = (/** @type {number} */ i) => LEFT + (WIDTH - LEFT - 12) * (ratings.length > 1 ? i / (ratings.length - 1) : 0.5);
  const y = (/** @type {number} */ rating) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (rating - low) / (high - low || 1));
  const point = (/** @type {number} */ i, /** @type {number} */ rating) => `${x(i).toFixed(1)} ${y(rating).toFixed(1)}`;
  const upper = ratings.map(({ rating, deviation }, i) => point(i, rating + 2 * deviation));
  const lower = ratings.map(({ rating, deviation }, i) => point(i, rating - 2 * deviation)).reverse();
  const step = Math.max(100, Math.ceil((high - low) / 500) * 100);
  const marks = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);
  return svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    ...marks.map((mark) => svg("g", {}, svg("path", { class: "chart-rule", d: `M${LEFT} ${y(mark)}H${WIDTH - 12}` }), svg("text", { class: "chart-mark", x: LEFT - 8, y: y(mark) + 4 }, String(mark)))),
    svg("path", { class: "chart-range", d: `M${[...upper, ...lower].join("L")}Z` }),
    svg("path", { class: "chart-line", d: `M${ratings.map(({ rating }, i) => point(i, rating)).join("L")}` }),
    ...ratings.map(({ rating }, i) => svg("circle", { class: "chart-point", cx: x(i).toFixed(1), cy: y(rating).toFixed(1), r: ratings.length > 60 ? 1.5 : 3.5 })));
}
