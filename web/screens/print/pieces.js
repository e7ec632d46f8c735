/** Pieces to cut out, laid out in rows on as many sheets as they need. */

import { drawPiece, toneOf } from "../../board/pieces.js";
import { svg } from "../../dom.js";
import { t } from "../../text.js";
import { sideName } from "../../wording.js";

/** @typedef {import("../../wire.js").Description} Description */
/** @typedef {{title: string, tone: "dark" | "light", crowned: boolean, count: number}} Group */

const SPARE = 2;
const GAP = 3; // room for the scissors
const TITLE = 9;
/** How much smaller than best pieces may be, if that saves a sheet. */
const SMALLEST = 0.85;

/** @param {Description} description @returns {Group[]} */
function groupsOf(description) {
  const sides = /** @type {const} */ (["x", "o"]);
  const tone = (/** @type {"x" | "o"} */ side) => toneOf(description.colours[side]);
  const men = sides.map((side) => ({
    title: t("print.set", { who: sideName(description, side), n: description.sets[side], spare: SPARE }),
    tone: tone(side), crowned: false, count: description.sets[side] + SPARE,
  }));
  if (!description.sultans) return men;
  // A quarter of the men is more than a game ever crowns at a time.
  return [...men, ...sides.map((side, i) => ({ title: i === 0 ? t("print.sultans") : "", tone: tone(side), crowned: true, count: Math.ceil(description.sets[side] / 4) }))];
}

/**
 * @param {Description} description
 * @param {number} best diameter of a piece
 * @param {number} width of the room on a sheet
 * @param {number} height
 * @returns {SVGSVGElement[]} one drawing a sheet, in millimetres
 */
export function pieceSheets(description, best, width, height) {
  const whole = layOut(description, best, width, height);
  for (let size = best - 1; size >= best * SMALLEST; size--) {
    const sheets = layOut(description, size, width, height);
    if (sheets.length < whole.length) return sheets;
  }
  return whole;
}

/** @param {Description} description @param {number} size @param {number} width @param {number} height @returns {SVGSVGElement[]} */
function layOut(description, size, width, height) {
  const pitch = size + GAP;
  const columns = Math.floor((width + GAP) / pitch);
  /** @type {SVGSVGElement[]} */
  const sheets = [];
  let y = 0;
  const open = () => {
    y = 0;
    sheets.push(svg("svg", { class: "sheet-pieces", width: `${width}mm`, height: `${height}mm`, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }));
  };
  open();
  for (const { title, tone, crowned, count } of groupsOf(description)) {
    for (let done = 0; done < count; done += columns) {
      const heading = done === 0 && title ? TITLE : 0;
      if (y + heading + size > height) open();
      const sheet = sheets[sheets.length - 1];
      if (heading) sheet.append(svg("text", { class: "sheet-label", x: 0, y: y + 5, "font-size": 4 }, title));
      y += heading;
      for (let i = 0; i < Math.min(columns, count - done); i++) {
        sheet.append(svg("g", { class: "cutout", transform: `translate(${i * pitch + size / 2} ${y + size / 2})` },
          svg("circle", { class: "cut", r: size / 2 }), drawPiece(tone, size / 2 - 0.5, crowned)));
      }
      y += pitch;
    }
    y += GAP;
  }
  return sheets;
}
