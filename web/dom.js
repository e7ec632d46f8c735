/** Small makers for HTML and SVG elements. Text only ever enters as text nodes, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * Attributes whose value is a function become listeners ("onclick"); true means present, false, null and undefined absent.
 * @param {Element} node
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.replace(/^on/, ""), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  fill(node, attributes, children);
  return node;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = /** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, tag));
  fill(node, attributes, children);
  return node;
}

/**
 * A button with an icon and a visible or spoken label.
 * @param {{label: string, icon?: string, press: (event: MouseEvent) => void, kind?: string, quiet?: boolean, key?: string}} options
 *   quiet: the label is only heard (and shown as tooltip); key: the keyboard shortcut to tell
 */
export function button({ label, icon: name, press, kind = "", quiet = false, key }) {
  return el("button", {
    type: "button", class: `button ${kind}`, onclick: press,
    "aria-label": quiet ? label : null, title: quiet ? (key ? `${label} (${key})` : label) : null,
    "aria-keyshortcuts": key ?? null,
  }, name ? icon(name) : null, quiet ? null : el("span", {}, label));
}

/** @type {Record<string, string>} Paths on a 24×24 field, drawn as strokes. */
const ICONS = {
  back: "M15 5l-7 7 7 7",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  restart: "M5 12a7 7 0 1 0 2.2-5.1M4 4v4h4",
  flip: "M8 4v16M8 20l-4-4M8 20l4-4M16 20V4M16 4l-4 4M16 4l4 4",
  hint: "M9 18h6M10 21h4M8.5 15a6 6 0 1 1 7 0c-.6.5-1 1-1 2h-5c0-1-.4-1.5-1-2z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  first: "M18 6l-6 6 6 6M11 6l-6 6 6 6",
  previous: "M15 6l-6 6 6 6",
  next: "M9 6l6 6-6 6",
  last: "M6 6l6 6-6 6M13 6l6 6-6 6",
  stop: "M7 7h10v10H7z",
  flag: "M6 21V4M6 4h11l-3 4 3 4H6",
  hand: "M4 12l5 5L20 6",
  close: "M6 6l12 12M18 6L6 18",
  moon: "M19 14.5A8 8 0 0 1 9.5 5 8 8 0 1 0 19 14.5z",
  look: "M12 4a8 8 0 1 0 0 16c1.5 0 2-1 1.4-2-.8-1.3.1-3 1.8-3H17a3 3 0 0 0 3-3c0-4.4-3.6-8-8-8zM8 11h.01M11 8h.01M15 8.5h.01",
  globe: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM4 12h16M12 4c5 5 5 11 0 16M12 4c-5 5-5 11 0 16",
  help: "M9 9.2a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18h.01",
  people: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM16 11a3 3 0 1 0 0-6M3 19c0-3 2-5 5-5s5 2 5 5M15 14c3 0 5 2 5 5",
  share: "M12 15V4M12 4L8 8M12 4l4 4M5 13v6h14v-6",
  replay: "M8 5l11 7-11 7z",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  save: "M12 4v11M12 15l-4-4M12 15l4-4M5 19h14",
  outside: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
};

/** @param {string} name */
export function icon(name) {
  return svg("svg", { class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, svg("path", { d: ICONS[name] ?? "" }));
}

/**
 * A modal dialog that closes on Escape, on a press outside and on its close button, and gives the focus back.
 * @param {{title: string, close: string, content: Child[], kind?: string, onclose?: () => void}} options
 * @returns {{node: HTMLDialogElement, close: () => void}}
 */
export function openDialog({ title, close, content, kind = "", onclose }) {
  const before = document.activeElement;
  const heading = el("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
  const node = el("dialog", { class: `dialog ${kind}`, "aria-labelledby": heading.id },
    el("div", { class: "dialog-head" }, heading,
      button({ label: close, icon: "close", quiet: true, kind: "plain", press: () => node.close() })),
    ...content);
  node.addEventListener("click", (event) => { if (event.target === node) node.close(); });
  node.addEventListener("close", () => {
    node.remove();
    if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
    onclose?.();
  });
  document.body.append(node);
  node.showModal();
  return { node, close: () => node.close() };
}

/**
 * Asks before something that cannot be taken back. The harmless answer comes first and holds the focus.
 * @param {{title: string, text: string, yes: string, no: string, danger?: boolean}} options
 * @returns {Promise<boolean>}
 */
export function confirm({ title, text, yes, no, danger = true }) {
  return new Promise((resolve) => {
    let answer = false;
    const stay = button({ label: no, press: () => dialog.close(), kind: "wide" });
    const dialog = openDialog({
      title, close: no, kind: "ask", onclose: () => resolve(answer),
      content: [el("p", {}, text), el("div", { class: "dialog-answers" }, stay,
        button({ label: yes, kind: danger ? "wide danger" : "wide primary", press: () => { answer = true; dialog.close(); } }))],
    });
    stay.focus();
  });
}
