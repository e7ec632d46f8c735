/** What this page does with its boards: the language, a word when the puzzle is solved, two buttons to step. */

const LANGUAGES = ["fr", "es", "en"];
const SOLVED = /** @type {Record<string, string>} */ ({ fr: "Trouvé !", es: "¡Resuelto!", en: "Solved!" });
const boards = /** @type {NodeListOf<HTMLElement & {step: (by: number) => Promise<object>}>} */ (document.querySelectorAll("qirkat-board"));

/** @param {string} lang */
function speak(lang) {
  document.documentElement.lang = document.documentElement.dataset.lang = lang;
  for (const button of document.querySelectorAll("nav button")) button.setAttribute("aria-pressed", String(button.getAttribute("data-lang") === lang));
  for (const board of boards) board.lang = lang;
}
for (const button of document.querySelectorAll("nav button")) button.addEventListener("click", () => speak(button.getAttribute("data-lang") ?? "en"));
speak(navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => LANGUAGES.includes(tag)) ?? "en");

const [puzzle, viewer] = boards;
const said = /** @type {HTMLElement} */ (document.querySelector("#puzzle .said"));
puzzle.addEventListener("qirkat-end", (event) => {
  if (/** @type {CustomEvent} */ (event).detail.winner === "x") said.textContent = SOLVED[document.documentElement.lang];
});

const output = /** @type {HTMLOutputElement} */ (document.querySelector("#viewer output"));
viewer.addEventListener("qirkat-show", (event) => { output.value = String(/** @type {CustomEvent} */ (event).detail.ply); });
for (const button of document.querySelectorAll("#viewer [data-step]")) {
  button.addEventListener("click", () => void viewer.step(Number(button.getAttribute("data-step"))));
}
