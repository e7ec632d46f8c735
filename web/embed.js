/** A board on somebody else's page. Its address says everything (docs/embedding.md). */

import { readAddress } from "./embed/address.js";
import { EmbedApp } from "./embed/app.js";
import { Channel } from "./embed/channel.js";
import { EmbedScreen } from "./embed/screen.js";
import { DEFAULT_RULESET } from "./defaults.js";
import { preferredLanguage, setLanguage, t } from "./text.js";
import { problemText } from "./wording.js";

/** @typedef {import("./embed/address.js").Place} Place */
/** @typedef {import("./embed/address.js").Params} Params */

/** What makes another game, and what another table for it. */
const GAME = /** @type {const} */ (["g", "p", "m"]);
const TABLE = /** @type {const} */ (["side", "level", "readonly", "lang"]);

class Embed {
  /** @param {Place} place */
  constructor(place) {
    this.app = new EmbedApp();
    this.outlet = /** @type {HTMLElement} */ (document.getElementById("screen"));
    this.place = place;
    /** @type {EmbedScreen | null} */
    this.screen = null;
    this.layout = "";
    this.channel = new Channel(place.params.origin, (command) => this.obey(command), () => this.screen?.summary() ?? {});
    new ResizeObserver(() => this.measure()).observe(this.outlet);
  }

  /** @param {Place} place */
  async show(place) {
    const { params } = place;
    const language = params.lang ?? preferredLanguage();
    if (document.documentElement.lang !== language || !this.screen) await setLanguage(language);
    this.app.dress(params);
    this.screen?.destroy();
    this.place = place;
    this.screen = new EmbedScreen(this.outlet, this.app, place, { ruleset: DEFAULT_RULESET, tell: (type, data) => this.tell(type, data) });
    document.title = t("app.title");
  }

  /** @param {string} type @param {object} data */
  tell(type, data) {
    if (type === "ready") this.measure();
    this.channel.send(type, data);
  }

  /** Tells the page what height fits its width: `width` less `sides`, over `ratio`, and `bars` more. */
  measure() {
    const { board, boardBox, node } = this.screen ?? {};
    if (!board || !boardBox || !node) return;
    const layout = { ratio: board.layout.width / board.layout.height, bars: Math.ceil(node.offsetHeight - boardBox.offsetHeight), sides: Math.ceil(node.offsetWidth - boardBox.offsetWidth) };
    const text = JSON.stringify(layout);
    if (text === this.layout) return;
    this.layout = text;
    this.channel.send("layout", layout);
  }

  /** @param {import("./embed/channel.js").Command} command @returns {Promise<import("./embed/channel.js").Refused | null>} */
  async obey({ command, query, move, ply, by, flip }) {
    const screen = /** @type {EmbedScreen} */ (this.screen);
    const { game } = screen;
    if (command === "load") return this.load(query);
    if (command === "move") return screen.order(move);
    if (command === "show") game.dispatch({ type: "show", cursor: ply });
    else if (command === "step") game.dispatch({ type: "show", cursor: game.state.cursor + by });
    else if (command === "flip" && flip !== game.state.flip) game.dispatch({ type: "flip" });
    else if (command === "undo") await (screen.quiet.readonly ? game.rewind(Math.max(0, game.state.plies.length - 1)) : game.undo());
    else if (command === "again") screen.again();
    return null;
  }

  /** Another game, or another look for the same one. @param {string} query @returns {Promise<import("./embed/channel.js").Refused | null>} */
  async load(query) {
    const place = await readAddress(`/?${query}`);
    if (place.problem) return { kind: place.problem.key, message: problemText(place.problem) };
    const kept = (/** @type {readonly (keyof Params)[]} */ names) => names.every((name) => JSON.stringify(place.params[name]) === JSON.stringify(this.place.params[name]));
    if (!kept(GAME) || !kept(TABLE)) {
      // Another language or level at the same game: what was played since stays on the board.
      const played = kept(GAME) ? this.screen?.game.state.moves : undefined;
      await this.show(played ? { ...place, params: { ...place.params, m: played } } : place);
      this.place = place;
      return null;
    }
    this.place = place;
    this.app.dress(place.params);
    this.screen?.restyle(place.params);
    return null;
  }
}

const place = await readAddress(location.hash);
const embed = new Embed(place);
await embed.show(place);
