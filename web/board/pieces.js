/** The stones: told apart by brightness and by an inner mark (ring against dot), so that a grey print still plays. */

import { svg } from "../dom.js";

/** @param {string} colour a ruleset's colour name @returns {"dark" | "light"} */
export const toneOf = (colour) => (colour === "dark" || colour === "black" ? "dark" : "light");

/**
 * A stone drawn round (0, 0).
 * @param {"dark" | "light"} tone
 * @param {number} radius
 * @param {boolean} [crowned] a Sultan: a second tier with a crown
 */
export function drawPiece(tone, radius, crowned = false) {
  const r = radius;
  const group = svg("g", { class: `stone ${tone}${crowned ? " crowned" : ""}` },
    svg("ellipse", { class: "stone-shadow", cx: r * 0.07, cy: r * 0.16, rx: r * 1.02, ry: r * 0.98 }),
    tier(tone, r, 0));
  if (crowned) group.append(svg("ellipse", { class: "stone-shadow", cx: 0, cy: -r * 0.08, rx: r * 0.76, ry: r * 0.76 }), tier(tone, r * 0.74, -r * 0.2), crown(r));
  else group.append(tone === "dark"
    ? svg("circle", { class: "stone-mark ring", r: r * 0.44, "stroke-width": r * 0.1 })
    : svg("circle", { class: "stone-mark dot", r: r * 0.17 }));
  return group;
}

/** @param {"dark" | "light"} tone @param {number} r @param {number} y */
function tier(tone, r, y) {
  return svg("g", { transform: `translate(0 ${y})` },
    svg("circle", { class: "stone-body", r: r * 0.97, fill: `url(#stone-${tone})`, "stroke-width": r * 0.06 }),
    svg("circle", { class: "stone-rim", r: r * 0.76, "stroke-width": r * 0.05 }));
}

/** @param {number} r */
function crown(r) {
  const w = r * 0.4;
  const y = -r * 0.2;
  return svg("path", {
    class: "stone-crown",
    d: `M ${-w} ${y + w * 0.7} L ${-w * 1.1} ${y - w * 0.5} L ${-w * 0.5} ${y} L 0 ${y - w * 0.85} L ${w * 0.5} ${y} L ${w * 1.1} ${y - w * 0.5} L ${w} ${y + w * 0.7} Z`,
  });
}

/**
 * Gradients that all stones of a page (or of a shadow tree, which cannot see the page's) share, put there once.
 * Colours come from the style sheet.
 * @param {Node} root document or shadow root
 */
export function ensureStoneDefs(root) {
  const home = root instanceof Document ? root.body : root instanceof ShadowRoot ? root : null;
  if (!home || home.querySelector(".stone-defs")) return;
  const gradient = (/** @type {string} */ tone) => svg("radialGradient", { id: `stone-${tone}`, cx: "38%", cy: "32%", r: "75%" },
    svg("stop", { class: `stone-${tone}-1`, offset: "0" }), svg("stop", { class: `stone-${tone}-2`, offset: ".55" }), svg("stop", { class: `stone-${tone}-3`, offset: "1" }));
  home.append(svg("svg", { class: "stone-defs", width: 0, height: 0, "aria-hidden": "true", focusable: "false" }, svg("defs", {}, gradient("dark"), gradient("light"))));
}

/** A small stone on its own, for trays, buttons and lists. @param {"dark" | "light"} tone */
export function stoneIcon(tone) {
  ensureStoneDefs(document);
  return svg("svg", { class: "stone-icon", viewBox: "-52 -52 104 104", "aria-hidden": "true", focusable: "false" }, drawPiece(tone, 46));
}
