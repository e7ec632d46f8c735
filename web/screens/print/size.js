/** Sizes on paper, all in millimetres: which way round a sheet lies, how far apart the points can be, how sizes are said. */

import { UNIT } from "../../board/geometry.js";
import { t } from "../../text.js";

/** @typedef {import("../../board/geometry.js").Layout} Layout */
/** @typedef {"a4" | "letter"} Paper */
/** @typedef {"cm" | "in"} Unit */
/** @typedef {{width: number, height: number, landscape: boolean}} Sheet */

const INCH = 25.4;
/** What no printer's rim reaches. */
export const MARGIN = 12;
/** Kept free on the board's sheet for its heading and its ruler. */
const HEAD = 12;
const FOOT = 16;
/** Larger boards are no easier to play on. */
const WIDEST = 45;
/** Smaller stones cannot be handled. */
const NARROWEST = 10;

/** @type {Record<Paper, [number, number]>} */
const PAPERS = { a4: [210, 297], letter: [8.5 * INCH, 11 * INCH] };
/** Distances are whole steps of this. @type {Record<Unit, number>} */
const STEPS = { cm: 2.5, in: INCH / 8 };
/** A length to check the printer with. @type {Record<Unit, number>} */
export const RULERS = { cm: 100, in: 4 * INCH };

/** A paper, lying so that the board comes out largest. @param {Paper} paper @param {Layout} layout @returns {Sheet} */
export function sheetFor(paper, layout) {
  const [short, long] = PAPERS[paper];
  const upright = { width: short, height: long, landscape: false };
  const across = { width: long, height: short, landscape: true };
  return largest(across, layout) > largest(upright, layout) ? across : upright;
}

/** The largest distance of points that fits. @param {Sheet} sheet @param {Layout} layout */
const largest = (sheet, layout) => Math.min(WIDEST, (sheet.width - 2 * MARGIN) / (layout.width / UNIT), (sheet.height - 2 * MARGIN - HEAD - FOOT) / (layout.height / UNIT));

/** Distances to choose from, the largest first. @param {Sheet} sheet @param {Layout} layout @param {Unit} unit */
export function spacings(sheet, layout, unit) {
  const step = STEPS[unit];
  const found = [];
  for (let n = Math.floor(largest(sheet, layout) / step + 1e-9); n * step >= NARROWEST; n--) found.push(n * step);
  return found;
}

/** The width of a whole board. @param {Layout} layout @param {number} spacing */
export const boardWidth = (layout, spacing) => (layout.width / UNIT) * spacing;

/** The diameter of pieces that go with a board: as on the screen, in whole millimetres. @param {Layout} layout @param {number} spacing */
export const pieceSize = (layout, spacing) => Math.floor((2 * layout.radius / UNIT) * spacing);

/** @param {number} millimetres @param {Unit} unit */
export function sizeInWords(millimetres, unit) {
  if (unit === "cm") return t("print.cm", { n: (millimetres / 10).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 }) });
  const eighths = Math.round(millimetres / INCH * 8);
  const whole = Math.floor(eighths / 8);
  const rest = ["", "⅛", "¼", "⅜", "½", "⅝", "¾", "⅞"][eighths % 8];
  return t("print.in", { n: whole ? `${whole}${rest}` : rest });
}
