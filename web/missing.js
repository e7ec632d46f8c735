/**
 * What stands there when a part of the page itself could not be had: the line broke, or the site was renewed while
 * the page was open. Its words cannot come from the texts, which may be what is missing.
 */

import { button, el } from "./dom.js";

/** Sentence and button. @type {Record<string, [string, string]>} */
const WORDS = {
  fr: ["Une partie de la page n’a pas pu être chargée. Vérifiez la connexion, puis rechargez la page.", "Recharger la page"],
  es: ["No se pudo cargar una parte de la página. Comprueba la conexión y vuelve a cargarla.", "Volver a cargar"],
  en: ["A part of the page could not be fetched. Check the connection and open the page again.", "Open again"],
};

/** @param {HTMLElement} outlet @param {string | null} language null when none is loaded yet: then all three speak */
export function showMissing(outlet, language) {
  const languages = language && WORDS[language] ? [language] : Object.keys(WORDS);
  outlet.replaceChildren(el("div", { class: "missing", role: "alert" }, ...languages.map((lang) => {
    const [sentence, again] = WORDS[lang];
    return el("div", { lang }, el("p", { class: "notice" }, sentence), button({ label: again, icon: "restart", press: () => location.reload() }));
  })));
}
