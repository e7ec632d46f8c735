import assert from "node:assert/strict";
import test from "node:test";

import { Bucket, Gate, parseMessage, Refused } from "../../web/room/messages.js";

const GAME = "0123456789abcdef";
const move = (more = {}) => ({ t: "move", n: 1, game: GAME, at: 0, text: "b2-c3", left: null, ...more });
const parse = (value, from = "guest") => parseMessage(JSON.stringify(value), from);
const refused = (kind) => (fault) => fault instanceof Refused && fault.kind === kind;

test("a good message passes unchanged", () => {
  assert.deepEqual(parse(move()), move());
  assert.deepEqual(parse({ t: "chat", n: 7, text: "<b>hi</b> 🙂" }), { t: "chat", n: 7, text: "<b>hi</b> 🙂" });
});

test("a field too many, too few or of another kind is refused", () => {
  for (const more of [{ extra: 1 }, { at: -1 }, { at: 1.5 }, { at: "0" }, { text: "" }, { text: "b2 c3" }, { text: "x".repeat(300) }, { text: ["b2-c3"] }, { left: -1 }, { left: 1e12 }, { game: "g" }, { n: "1" }, { n: 1.5 }, { at: undefined }, { __proto__x: 1 }]) {
    assert.throws(() => parse(move(more)), refused("schema"), JSON.stringify(more));
  }
  for (const value of [null, 1, "move", [], [move()], { t: "toString", n: 1 }, { t: "__proto__", n: 1 }, { n: 1 }]) assert.throws(() => parse(value), refused("schema"));
  assert.throws(() => parseMessage("{", "guest"), refused("schema"));
  assert.throws(() => parseMessage(new ArrayBuffer(8), "guest"), refused("schema"));
});

test("who watches cannot play, and a guest cannot play the host", () => {
  assert.throws(() => parse(move(), "watch"), refused("role"));
  assert.throws(() => parse({ t: "chat", n: 1, text: "hi" }, "watch"), refused("role"));
  assert.throws(() => parse({ t: "crowd", n: 1, count: 1, most: 8 }, "guest"), refused("role"));
});

test("what is too long is refused before it is understood", () => {
  assert.throws(() => parse({ t: "chat", n: 1, text: "a".repeat(5000) }), refused("size"));
  assert.throws(() => parseMessage(`"${"a".repeat(200_000)}"`, "guest"), refused("size"));
  assert.throws(() => parse({ t: "chat", n: 1, text: "a".repeat(301) }), refused("schema"));
});

test("names cannot turn the line round or break it", () => {
  const hello = (name) => ({ t: "hello", n: 1, v: 1, room: GAME, role: "guest", name, key: null, nonce: "0".repeat(32) });
  for (const name of ["Ana", "Ñusta 7", "علي", "王", "<img src=x>"]) assert.ok(parse(hello(name)));
  for (const name of ["", " Ana", "Ana ", "a\nb", "a\u202eb", "a\u2066b", "\u0000", "x".repeat(25)]) assert.throws(() => parse(hello(name)), refused("schema"), JSON.stringify(name));
});

test("order is kept: a repeated, skipped or older number is refused", () => {
  const gate = new Gate("guest");
  const at = (n) => JSON.stringify({ t: "ping", n });
  gate.pass(at(1), 0);
  assert.throws(() => gate.pass(at(1), 0), refused("order"));
  assert.throws(() => gate.pass(at(3), 0), refused("order"));
  gate.pass(at(2), 0);
});

test("a flood is refused, a steady game is not", () => {
  const flood = new Gate("guest");
  assert.throws(() => { for (let n = 1; n < 1000; n++) flood.pass(JSON.stringify({ t: "ping", n }), 0); }, refused("flood"));
  const steady = new Gate("guest");
  for (let n = 1; n < 1000; n++) steady.pass(JSON.stringify({ t: "ping", n }), n * 100);
  const chatty = new Gate("guest");
  assert.throws(() => { for (let n = 1; n < 20; n++) chatty.pass(JSON.stringify({ t: "chat", n, text: "!" }), 0); }, refused("chat-flood"));
  const bucket = new Bucket(2, 1);
  assert.deepEqual([bucket.take(0), bucket.take(0), bucket.take(0), bucket.take(1000), bucket.take(1000)], [true, true, false, true, false]);
});
