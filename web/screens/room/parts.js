/** Small parts of the room's views: a text to hand on, a line that tells, names. */

import { button, el } from "../../dom.js";
import { drawQr } from "../../share/qr.js";
import { hasText, t } from "../../text.js";

/** Why a code was not taken, or a room not entered. @param {unknown} fault */
export function faultText(fault) {
  const kind = /** @type {{kind?: string}} */ (fault)?.kind ?? "";
  return hasText(`room.fault.${kind}`) ? t(`room.fault.${kind}`) : t("room.fault.trouble");
}

/** @param {{kind: string, detail?: string}} note */
export const noteText = ({ kind, detail = "" }) => (hasText(`room.note.${kind}`) ? t(`room.note.${kind}`, { detail }) : t("room.note.schema"));

/** Who can come in at all: told before anybody tries. @param {import("../../room/config.js").SiteConfig} config */
export const reachText = ({ iceServers }) => t(iceServers.length ? "room.reach.far" : "room.reach.near");

/** What to tell of a code that nobody outside this browser can use; "": all is well. @param {import("../../room/code.js").Session} session in the code */
export const noNetwork = ({ candidates }) => (candidates.length && navigator.onLine ? "" : el("p", { class: "notice", role: "status" }, t("room.no-network")));

/** The address of a code on this site. @param {string} code */
export const linkOf = (code) => `${location.href.split("#")[0]}#/room?i=${code}`;

/** A line for what just happened, heard as well as seen. */
export function tellLine() {
  const node = el("p", { class: "room-told", role: "status" });
  return { node, tell: (/** @type {string} */ text, alert = false) => { node.textContent = text; node.classList.toggle("is-alert", alert); } };
}

/**
 * A link to hand on: copied, shared, or read from the screen by a phone.
 * @param {{link: string, label: string, qr: string}} what qr: what the picture is
 */
export function handOn({ link, label, qr }) {
  const told = tellLine();
  const field = el("input", { type: "text", class: "room-link", readonly: true, value: link, "aria-label": label, onfocus: () => field.select() });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      told.tell(t("room.copied"));
    } catch {
      field.focus();
      field.select();
      told.tell(t("room.copy-by-hand"));
    }
  };
  const picture = el("details", { class: "room-qr", hidden: true }, el("summary", {}, t("room.qr")));
  void drawQr(link, qr).then((code) => { if (code) { picture.append(code); picture.hidden = false; } });
  return el("div", { class: "room-hand" }, field,
    el("div", { class: "room-buttons" },
      button({ label: t("room.copy"), kind: "primary", press: () => void copy() }),
      typeof navigator.share === "function" ? button({ label: t("room.share"), icon: "share", press: () => void navigator.share({ url: link }).catch(() => {}) }) : null),
    told.node,
    picture);
}
