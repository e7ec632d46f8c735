import assert from "node:assert/strict";
import test from "node:test";

import { formatHash, NAME, parseHash } from "../../web/hash.js";
import { cleanLine, lineOf } from "../../web/names.js";
import { cleanRulesName } from "../../web/own-rules.js";
import { cleanName } from "../../web/profile/profile.js";
import { parseMessage } from "../../web/room/messages.js";

const GOOD = ["Ana", "Ñusta 7", "علي", "می‌خواهم", "王", "<img src=x>", "__proto__", "👩‍👧 Eva", "❤️", "Zoë", "a", "_a_b", "กำ"];
const HIDES = ["\u200b", "a\u200bb", "a\u200eb", "a\u200fb", "\u061ca", "a\u202eb", "a\u2066b", "\ufeffa", "a\u00adb", "\u3164", "\u2800", "\u{e0041}a", "\ud83d", "a\udc00", "\u2028", "\u0301", "\u200d", "\u00a0", `a${"\u0301".repeat(9)}`, ""];

test("a name has something to see and hides nothing", () => {
  for (const name of GOOD) assert.ok(NAME.test(name), JSON.stringify(name));
  for (const name of [...HIDES, " a", "a ", "x".repeat(25)]) assert.ok(!NAME.test(name), JSON.stringify(name));
});

test("a cleaned name is empty or a name, whatever it was", () => {
  for (const name of GOOD) assert.equal(cleanName(name), name);
  const pieces = [...GOOD, ...HIDES, " ", "😀", "\n", "\t"];
  for (let seed = 1; seed < 4000; seed++) {
    const text = Array.from({ length: seed % 30 }, (_, i) => pieces[(seed * 7919 + i * (seed + 104729)) % pieces.length]).join("");
    for (const [clean, pattern] of [[cleanName(text), NAME], [cleanRulesName(text), lineOf(40)]]) assert.ok(clean === "" || pattern.test(clean), JSON.stringify([text, clean]));
  }
});

test("a name is cut between characters, and goes through a link", () => {
  const name = cleanName(`a${"😀".repeat(30)}`);
  assert.equal(name, `a${"😀".repeat(23)}`);
  for (const one of [...GOOD, name]) assert.equal(parseHash(formatHash("letters", { x: one })).params.x, one);
  assert.equal(parseHash("#/letters?x=Ana_Mar%C3%ADa").params.x, "Ana María");
});

test("what is said in a room is held to the same", () => {
  const chat = (text) => parseMessage(JSON.stringify({ t: "chat", n: 1, text }), "guest");
  assert.ok(chat("Hello, <b>you</b> 🙂"));
  for (const text of ["a\u2028b", "a\u200bb", "\u3164", "x".repeat(301)]) assert.throws(() => chat(text), JSON.stringify(text));
  assert.ok(chat(cleanLine("one\u2028two\u200b", 300)));
});
