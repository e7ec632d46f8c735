/** The paper and the measures that the visitor prints with, kept from one visit to the next. */

/** @typedef {{paper: import("./size.js").Paper, unit: import("./size.js").Unit}} Habits */

export const HABITS_KEY = "qirkat.print";

/** What is kept, where it can be understood; else what is usual where the browser's language is spoken. @param {unknown} stored @returns {Habits} */
export function habitsFrom(stored) {
  const from = /** @type {Record<string, unknown>} */ (typeof stored === "object" && stored !== null ? stored : {});
  const american = /-(US|CA|MX|PH|CL|CO)$/.test(navigator.language);
  const paper = from.paper === "a4" || from.paper === "letter" ? from.paper : american ? "letter" : "a4";
  const unit = from.unit === "cm" || from.unit === "in" ? from.unit : navigator.language === "en-US" ? "in" : "cm";
  return { paper, unit };
}
