/** Two steps to bring someone in: hand on an invitation, take the answer back. */

import { button, el } from "../../dom.js";
import { LIFETIME } from "../../room/code.js";
import { canJoin } from "../../room/peer.js";
import { language, t } from "../../text.js";
import { faultText, handOn, linkOf, noNetwork, tellLine } from "./parts.js";

/** @typedef {import("../../room/room.js").Room} Room */

/**
 * @param {Room} room @param {"play" | "watch"} kind
 * @param {{entered?: () => void}} [means] entered: the invitation was used
 * @returns {{node: HTMLElement, destroy: () => void}}
 */
export function inviteView(room, kind, { entered = () => {} } = {}) {
  const first = el("li", {}, el("p", {}, t("room.preparing")));
  const told = tellLine();
  const field = el("textarea", { id: `room-answer-${kind}`, rows: 3, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": `room-answer-note-${kind}` });
  const take = async () => {
    told.tell(t("room.joining"));
    try {
      await room.takeAnswer(field.value);
      field.value = "";
      told.tell(t("room.joined"));
      entered();
    } catch (fault) {
      told.tell(faultText(fault), true);
      if (/** @type {{kind?: string}} */ (fault)?.kind === "unreachable") void prepare();
    }
  };
  const form = el("form", { class: "room-answer", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void take(); } },
    el("label", { for: `room-answer-${kind}` }, t("room.answer.label")), field,
    el("p", { class: "room-note", id: `room-answer-note-${kind}` }, t("room.answer.note")),
    el("button", { type: "submit", class: "button primary" }, t("room.answer.take")), told.node);
  const prepare = async () => {
    if (!canJoin()) { first.replaceChildren(el("p", { class: "notice" }, t("room.no-webrtc"))); return; }
    try {
      const invitation = await room.invite(kind);
      const until = new Date(invitation.facts.made + LIFETIME).toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" });
      first.replaceChildren(
        el("h2", {}, t(`room.step.send.${kind}`)),
        noNetwork(invitation.facts.session),
        el("p", { class: "room-note" }, t("room.step.send.note", { time: until })),
        handOn({ link: linkOf(invitation.code), label: t("room.invitation"), qr: t("room.invitation.qr") }),
        button({ label: t("room.fresh"), icon: "restart", kind: "plain", press: () => void prepare() }));
    } catch (fault) {
      first.replaceChildren(el("p", { class: "notice" }, faultText(fault)));
    }
  };
  const onanswered = (/** @type {import("../../room/code.js").CodeError | null} */ fault) => {
    if (fault) told.tell(faultText(fault), true);
    else { told.tell(t("room.joined")); entered(); }
  };
  room.answered.add(onanswered);
  void prepare();
  return {
    node: el("ol", { class: "room-steps" }, first, el("li", {}, el("h2", {}, t("room.step.answer")), form)),
    destroy: () => room.answered.delete(onanswered),
  };
}
