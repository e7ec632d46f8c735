/**
 * Talk with the page around: events go out, commands come in. Commands are obeyed only from the parent window, and
 * only when it is of the origin that the address names (or of our own); each is checked field by field. What the
 * messages mean stands in docs/embedding.md.
 */

import { MAX_HASH } from "../hash.js";

const VERSION = 1;

const whole = (/** @type {number} */ least, /** @type {number} */ most) => (/** @type {unknown} */ value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const text = (/** @type {RegExp} */ grammar) => (/** @type {unknown} */ value) => typeof value === "string" && grammar.test(value);

/** The fields of every command; those that end in "?" may be left out. @type {Record<string, Record<string, (value: unknown) => boolean>>} */
const COMMANDS = {
  load: { query: (value) => typeof value === "string" && value.length <= MAX_HASH },
  move: { move: text(/^[A-Za-z0-9:,+*\- ]{1,200}$/) }, // as a person types it
  show: { ply: whole(0, 9999) },
  step: { by: whole(-9999, 9999) },
  flip: { "flip?": (value) => typeof value === "boolean" },
  undo: {},
  again: {},
  state: {},
};
const ENVELOPE = ["qirkat", "command", "id"];
const goodId = (/** @type {unknown} */ id) => id === undefined || Number.isSafeInteger(id) || (typeof id === "string" && id.length <= 64);

/** @typedef {{command: string, id?: string | number, [field: string]: any}} Command */
/** @typedef {{kind: string, message: string}} Refused */

/** @param {unknown} data @returns {Command | null} null when it is no command as documented */
export function readCommand(data) {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return null;
  const message = /** @type {Record<string, unknown>} */ (data);
  const { command, id } = message;
  if (message.qirkat !== VERSION || typeof command !== "string" || !Object.hasOwn(COMMANDS, command) || !goodId(id)) return null;
  const fields = COMMANDS[command];
  const names = Object.keys(fields).map((name) => name.replace("?", ""));
  if (!Object.keys(message).every((name) => ENVELOPE.includes(name) || names.includes(name))) return null;
  for (const [name, fits] of Object.entries(fields)) {
    const bare = name.replace("?", "");
    if (!(bare in message) && bare !== name) continue;
    if (!fits(message[bare])) return null;
  }
  return /** @type {Command} */ (message);
}

export class Channel {
  /** @param {string | undefined} origin of the page around, as the address names it @param {(command: Command) => Promise<Refused | null>} obey @param {() => object} state what an answer tells of the game */
  constructor(origin, obey, state) {
    this.parent = window.parent === window ? null : window.parent;
    this.origin = origin;
    this.obey = obey;
    this.state = state;
    addEventListener("message", (event) => void this.hear(event));
  }

  /** @param {string} type @param {object} data */
  send(type, data) { this.parent?.postMessage({ qirkat: VERSION, type, ...data }, this.origin ?? "*"); }

  /** @param {MessageEvent} event */
  async hear(event) {
    if (!this.parent || event.source !== this.parent || event.origin !== (this.origin ?? location.origin)) return;
    if (typeof event.data !== "object" || event.data === null || !("qirkat" in event.data)) return; // meant for something else
    const command = readCommand(event.data);
    if (!command) {
      const error = { kind: "command", message: "This is no command as documented." };
      const { id } = event.data;
      this.send("error", error);
      if (id !== undefined && goodId(id)) this.send("answer", { id, ok: false, error, state: this.state() });
      return;
    }
    const refused = await this.obey(command).catch((fault) => ({ kind: fault?.data?.kind ?? "unexpected", message: String(fault?.message ?? fault) }));
    if (refused) this.send("error", refused);
    this.send("answer", { id: command.id ?? null, ok: !refused, error: refused, state: this.state() });
  }
}
