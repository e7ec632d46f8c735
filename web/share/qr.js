/** A QR code as one SVG path, drawn here and now: nothing is asked of a network. */

import { svg } from "../dom.js";

// The build puts the library there as it is published; it has no types at that place.
const LIBRARY = new URL("../vendor/lean-qr/index.mjs", import.meta.url).href;

/** The quiet zone that readers need round the code, in modules. */
const QUIET = 4;

/** @param {string} text @param {string} label what it is, spoken @returns {Promise<SVGSVGElement | null>} null when the text is too long for any code */
export async function drawQr(text, label) {
  /** @type {{size: number, get: (x: number, y: number) => boolean}} */
  let code;
  try { code = (await import(LIBRARY)).generate(text); } catch { return null; }
  const side = code.size + 2 * QUIET;
  let path = "";
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      let run = 0;
      while (x + run < code.size && code.get(x + run, y)) run++;
      if (run) path += `M${x + QUIET} ${y + QUIET}h${run}v1h-${run}z`;
      x += run;
    }
  }
  return svg("svg", { class: "qr", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { class: "qr-ground", width: side, height: side }), svg("path", { class: "qr-code", d: path }));
}
