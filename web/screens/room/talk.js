/** The corner of a table in a room: who is there, who watches, and a few words to each other. */

import { avatar } from "../../profile/avatar.js";
import { button, el } from "../../dom.js";
import { MOST_CHAT } from "../../room/messages.js";
import { t } from "../../text.js";

/** @typedef {import("../../room/session.js").RoomState} RoomState */

export class Talk {
  /** @param {{role: "host" | "guest", me: string, say: (text: string) => void, mute: (on: boolean) => void, watch: (() => void) | null}} means */
  constructor({ role, me, say, mute, watch }) {
    this.role = role;
    this.me = me;
    /** @type {RoomState["chat"] | null} */
    this.chat = null;
    this.presence = el("p", { class: "talk-presence" });
    this.crowd = el("span", { class: "talk-crowd" });
    this.log = el("div", { class: "talk-log", role: "log", "aria-label": t("room.talk"), tabindex: 0 });
    this.muted = button({ label: t("room.mute"), kind: "plain talk-mute", press: () => mute(this.muted.getAttribute("aria-pressed") !== "true") });
    this.input = el("input", { type: "text", id: "talk-input", maxlength: MOST_CHAT, autocomplete: "off", placeholder: t("room.talk.placeholder"), "aria-label": t("room.talk.label") });
    const form = el("form", { class: "talk-form", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); say(this.input.value); this.input.value = ""; } },
      this.input, el("button", { type: "submit", class: "button" }, t("room.talk.send")));
    this.node = el("section", { class: "talk", "aria-label": t("room.title") },
      el("div", { class: "talk-head" }, this.presence, this.crowd, watch ? button({ label: t("room.invite-watch"), icon: "people", quiet: true, kind: "plain", press: watch }) : null, this.muted),
      this.log, form);
  }

  /** @param {RoomState} state @returns {boolean} whether something new was said to us */
  update(state) {
    const { peer, crowd, muted, phase } = state;
    const here = ["playing", "over", "disputed", "handed", "choosing", "proposing"].includes(phase);
    const key = here ? (peer?.away ? "room.is-away" : "room.is-here") : "room.is-gone";
    const presence = peer ? t(key, { name: peer.name }) : "";
    if (this.presence.textContent !== presence) this.presence.replaceChildren(...(peer ? [avatar(peer.name), el("bdi", {}, presence)] : []));
    this.presence.dataset.here = String(here && !peer?.away);
    this.crowd.textContent = crowd.count ? t("room.crowd", { n: crowd.count, most: crowd.most }) : "";
    this.muted.setAttribute("aria-pressed", String(muted));
    this.log.hidden = muted;
    if (state.chat === this.chat) return false;
    const fresh = state.chat.length > (this.chat?.length ?? 0) && state.chat.at(-1)?.by !== this.role;
    this.chat = state.chat;
    this.log.replaceChildren(...state.chat.map(({ by, text }) => el("p", { class: by === this.role ? "is-mine" : "is-theirs" },
      el("strong", {}, el("bdi", {}, by === this.role ? this.me : peer?.name ?? "")), " ", el("bdi", {}, text))));
    this.log.scrollTop = this.log.scrollHeight;
    return fresh;
  }
}
