/**
 * `<qirkat-board>`: a board of Qirkat on any page, in this one file.
 *
 *     <script src="https://…/qirkat-board.js" defer></script>
 *     <qirkat-board game="alquerque/classic" side="x" level="3"></qirkat-board>
 *
 * The element frames embed.html, which stands beside this file. A frame, and not the board's modules themselves,
 * because a page may not start a worker from another site, because styles of both sides stay apart, and because the
 * page then needs to trust nothing but this file. Attributes, events and methods: docs/embedding.md.
 *
 * It runs as a plain script and as a module: a page may load a plain script from any host, a module only from hosts
 * that allow it by a header.
 */
{

const SCRIPT = /** @type {HTMLScriptElement | null} */ (document.currentScript ?? document.querySelector('script[src*="qirkat-board.js"]'));
if (!SCRIPT) throw new Error("qirkat-board.js has to be loaded by a script element: it looks for embed.html beside itself.");
const FRAME = new URL("embed.html", SCRIPT.src);
const VERSION = 1;

/** Attributes and their names in the frame's address. @type {Record<string, string>} */
const VALUES = {
  game: "g", position: "p", moves: "m", ply: "ply", side: "side", level: "level", lang: "lang",
  theme: "theme", board: "board", coordinates: "coordinates", controls: "controls",
};
/** Attributes that are there or not. */
const SWITCHES = ["flip", "readonly"];
/** What the page is told; "layout" and "answer" stay in here. */
const EVENTS = ["ready", "move", "undo", "show", "end", "error"];
/** A frame that does not answer for so long (ms) is not there. */
const PATIENCE = 60_000;

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: block; position: relative; overflow: hidden; container-type: inline-size; border-radius: 12px; }
  :host([hidden]) { display: none; }
  div { height: calc((100cqi - var(--sides, 13px)) / var(--ratio, 1) + var(--bars, 105px)); max-height: max(20rem, 92vh); }
  iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
`);

class QirkatBoard extends HTMLElement {
  static observedAttributes = [...Object.keys(VALUES), ...SWITCHES, "title"];

  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  /** @type {HTMLElement} holds the place open that the board wants */
  #place = document.createElement("div");
  /** @type {Map<string, {resolve: (state: object) => void, reject: (error: Error) => void, alarm: ReturnType<typeof setTimeout>}>} */
  #asked = new Map();
  #count = 0;
  #ready = false;
  #changing = false;
  /** @type {any} what the frame told last about the game */
  #state = null;
  #hear = (/** @type {MessageEvent} */ event) => this.#told(event);

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.append(this.#place);
  }

  connectedCallback() {
    addEventListener("message", this.#hear);
    this.#frame = document.createElement("iframe");
    this.#frame.loading = "lazy";
    this.#frame.title = this.title || "Qirkat";
    this.#frame.src = `${FRAME.href}#/play?${this.#query()}`;
    this.shadowRoot?.append(this.#frame);
  }

  disconnectedCallback() {
    removeEventListener("message", this.#hear);
    this.#frame?.remove();
    this.#frame = null;
    this.#ready = false;
    for (const [id] of this.#asked) this.#answer(id, null, { kind: "removed", message: "The board was removed from the page." });
  }

  /** @param {string} name @param {string | null} before @param {string | null} now */
  attributeChangedCallback(name, before, now) {
    if (before === now || !this.#frame) return;
    if (name === "title") {
      this.#frame.title = now || "Qirkat";
      return;
    }
    if (this.#changing) return;
    this.#changing = true; // several attributes set in a row are one change
    queueMicrotask(() => {
      this.#changing = false;
      if (!this.#frame) return;
      if (this.#ready && this.#origin()) void this.#ask("load", { query: this.#query() }).catch(() => undefined);
      else this.#frame.src = `${FRAME.href}#/play?${this.#query()}`;
    });
  }

  // --- what a page can do ---

  /** The game as it stands: ruleset, start, moves, ply, position, shown, side, flip, outcome. Null until the board is ready. */
  get state() { return this.#state; }

  /** Plays a move for the side that is not the computer's, or an event such as "resign:x". @param {string} move */
  play(move) { return this.#ask("move", { move }); }

  /** Shows the position after so many plies. @param {number} ply */
  show(ply) { return this.#ask("show", { ply }); }

  /** Steps forward, or back with a negative number. @param {number} by */
  step(by) { return this.#ask("step", { by }); }

  /** Takes back the visitor's last move; on a board for looking only, the last one. */
  undo() { return this.#ask("undo"); }

  /** Begins again with the position and moves of the attributes. */
  again() { return this.#ask("again"); }

  /** Turns the board as it stands; the attribute `flip` says how it starts. @param {boolean} [flip] */
  turn(flip) { return this.#ask("flip", flip === undefined ? {} : { flip }); }

  // --- the frame ---

  /** This page's origin; a page without one (a local file, a sandbox) can send no commands. */
  #origin() { return /^https?:/.test(location.origin) ? location.origin : null; }

  #query() {
    const pairs = Object.entries(VALUES).flatMap(([name, key]) => {
      const value = this.getAttribute(name)?.trim();
      return value ? [[key, value]] : [];
    });
    for (const name of SWITCHES) if (this.hasAttribute(name)) pairs.push([name, "1"]);
    const origin = this.#origin();
    if (origin) pairs.push(["origin", origin]);
    return pairs.map(([key, value]) => `${key}=${encodeURIComponent(value.replace(/\s+/g, " ")).replaceAll("%20", "_")}`).join("&");
  }

  /** @param {string} command @param {object} [fields] @returns {Promise<object>} the game after it */
  #ask(command, fields = {}) {
    if (!this.#frame || !this.#origin()) return Promise.reject(new Error("This page cannot talk to the board: it has no origin, or the board is not in the page."));
    const id = String(++this.#count);
    const message = { qirkat: VERSION, id, command, ...fields };
    return new Promise((resolve, reject) => {
      const alarm = setTimeout(() => this.#answer(id, null, { kind: "silent", message: "The board does not answer." }), PATIENCE);
      this.#asked.set(id, { resolve, reject, alarm });
      const send = () => this.#frame?.contentWindow?.postMessage(message, FRAME.origin);
      if (this.#ready) send();
      else this.addEventListener("qirkat-ready", send, { once: true });
    });
  }

  /** @param {string} id @param {any} state @param {{kind: string, message: string} | null} [error] */
  #answer(id, state, error) {
    const asked = this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id);
    clearTimeout(asked.alarm);
    if (error) asked.reject(Object.assign(new Error(error.message), { kind: error.kind }));
    else asked.resolve(state);
  }

  /** @param {MessageEvent} event */
  #told({ source, origin, data }) {
    if (!this.#frame || source !== this.#frame.contentWindow || origin !== FRAME.origin || data?.qirkat !== VERSION) return;
    if (data.state) this.#state = data.state;
    if (data.type === "layout") {
      this.#place.style.setProperty("--ratio", String(Number(data.ratio)));
      for (const name of ["bars", "sides"]) this.#place.style.setProperty(`--${name}`, `${Number(data[name])}px`);
    } else if (data.type === "answer") this.#answer(String(data.id), data.state, data.error);
    else if (EVENTS.includes(data.type)) {
      if (data.type === "ready") this.#ready = true;
      const { type, ...detail } = data;
      delete detail.qirkat;
      this.dispatchEvent(new CustomEvent(`qirkat-${type}`, { detail, bubbles: true, composed: true }));
    }
  }
}

// Every attribute is a property as well: `board.moves = "d2-c3"`, `board.flip = true`.
for (const name of Object.keys(VALUES)) {
  if (name === "lang") continue; // every element has it
  Object.defineProperty(QirkatBoard.prototype, name, {
    configurable: true,
    get() { return this.getAttribute(name) ?? ""; },
    set(value) { if (value === null || value === undefined || value === "") this.removeAttribute(name); else this.setAttribute(name, String(value)); },
  });
}
for (const name of SWITCHES) {
  Object.defineProperty(QirkatBoard.prototype, name, {
    configurable: true,
    get() { return this.hasAttribute(name); },
    set(value) { this.toggleAttribute(name, Boolean(value)); },
  });
}

if (!customElements.get("qirkat-board")) customElements.define("qirkat-board", QirkatBoard);

}
