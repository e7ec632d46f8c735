import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { deflateRawSync } from "node:zlib";

import { readAddress } from "../../web/embed/address.js";
import { readCommand } from "../../web/embed/channel.js";
import { formatHash, MAX_HASH, parseHash } from "../../web/hash.js";
import { linkHash, PLAIN, readHash } from "../../web/share/link.js";
import { pack, PackError, unpack } from "../../web/share/pack.js";

const LINKS = JSON.parse(readFileSync(new URL("../data/links.json", import.meta.url), "utf8"));
const word = (text) => deflateRawSync(text).toString("base64url");
const FANORONA = { g: "fanorona/tsivy", m: ["d3e3+", "c3d4-,d5-", "e3d3-,d4+,c4-,c3-"], side: "both" };
/** Two hundred long moves that do not repeat. */
const LONG = { g: "surakarta/6x6", p: "oooooo/oooooo/6/6/xxxxxx/xxxxxx x 0", m: Array.from({ length: 200 }, (_, i) => `${"abcdef"[(i * 7) % 6]}${1 + (i * i) % 6}-${"abcdef"[(i * 5 + 1) % 6]}${1 + (i * 3) % 6}`) };

test("every kept link reads without a problem", async () => {
  for (const { what, link, ruleset, plies } of LINKS) {
    const { route, params, problem } = await readHash(link);
    assert.equal(problem, null, what);
    assert.deepEqual([route, params.g, params.m?.length ?? 0], ["play", ruleset, plies], what);
  }
});

test("a short game's link is plain, signs and all", async () => {
  const link = await linkHash("play", FANORONA);
  assert.equal(link, "#/play?g=fanorona/tsivy&m=d3e3+_c3d4-,d5-_e3d3-,d4+,c4-,c3-&side=both");
  assert.deepEqual((await readHash(link)).params, FANORONA);
});

test("a long game's link is packed, under 2 KB, and comes back whole", async () => {
  assert.ok(formatHash("play", LONG).length > PLAIN);
  const link = await linkHash("play", { ...LONG, flip: true, lang: "fr", ply: 7 });
  assert.ok(link.length < 1200, `${link.length} characters`);
  assert.match(link, /[?&]z=/);
  assert.match(link, /lang=fr/); // the page chooses its language before it unpacks
  assert.deepEqual((await readHash(link)).params, { ...LONG, flip: true, lang: "fr", ply: 7 });
});

test("without CompressionStream links are plain", async () => {
  const kept = globalThis.CompressionStream;
  delete globalThis.CompressionStream;
  try {
    assert.equal(await pack("m=a1-a2"), null);
    const link = await linkHash("play", LONG);
    assert.equal(link, formatHash("play", LONG));
    assert.deepEqual((await readHash(link)).params, LONG);
  } finally { globalThis.CompressionStream = kept; }
});

test("without DecompressionStream a packed link says so", async () => {
  const kept = globalThis.DecompressionStream;
  delete globalThis.DecompressionStream;
  try {
    assert.equal((await readHash(`#/play?g=seega/5x5&z=${word("m=a1")}`)).problem.key, "link.unpackable");
  } finally { globalThis.DecompressionStream = kept; }
});

test("a bomb is refused after what a game can have", async () => {
  const bomb = word("m=" + "a1-a2_".repeat(600_000)); // 3.6 million letters
  assert.ok(bomb.length < 8192, `${bomb.length} letters`); // short enough for a link
  await assert.rejects(unpack(bomb), (fault) => fault instanceof PackError && fault.key === "link.long");
  const small = word("m=" + "a1-a2_".repeat(300_000)).slice(0, 8192);
  assert.equal((await readHash(`#/play?g=seega/5x5&z=${small}`)).problem.key, "link.long");
  await assert.rejects(unpack(word("x".repeat(MAX_HASH + 1))), (fault) => fault.key === "link.long");
  assert.equal((await unpack(word("x".repeat(MAX_HASH)))).length, MAX_HASH);
});

test("what is packed is as foreign as what is plain", async () => {
  const key = async (query) => (await readHash(`#/play?${query}`)).problem?.key ?? null;
  assert.equal(await key(`z=${word("m=<img>")}`), "link.value");
  assert.equal(await key(`z=${word("p=nonsense")}`), "link.value");
  assert.equal(await key(`z=${word("m=a1&m=a2")}`), "link.twice");
  assert.equal(await key(`m=a1&z=${word("m=a2")}`), "link.twice");
  assert.equal(await key(`p=x_x_0&z=${word("m=a2")}`), "link.twice");
  assert.equal(await key(`z=${word("m=a1")}&z=${word("m=a1")}`), "link.twice");
  assert.equal(await key("z=%%%"), "link.value");
  assert.equal(await key("z=AAAA"), "link.packed");
  assert.equal(await key("z=A"), "link.packed");
  assert.equal(await key(`z=${word("m=a1-a2_a3-a4_a5-a6".repeat(9)).slice(0, -4)}`), "link.packed"); // cut off by a chat
  assert.equal(await key(`z=${deflateRawSync(Buffer.from([0x6d, 0x3d, 0xff, 0xfe])).toString("base64url")}`), "link.packed"); // not UTF-8
  assert.equal(await key(`z=${word("g=chess/classic&side=x&m=a1")}`), null); // only position and moves count in there
  assert.equal((await readHash(`#/play?g=seega/5x5&z=${word("g=chess/classic&m=a1")}`)).params.g, "seega/5x5");
});

test("any wrong value leaves all values out", () => {
  for (const query of ["g=<b>", "p=xx", "m=a1_<b>", "side=z", "level=0", "flip=yes", "ply=-1", "ply=99999", "lang=de", "g=a/b&g=a/b", `m=${"a1_".repeat(2001)}`, `m=${"a".repeat(MAX_HASH)}`]) {
    const { params, problem } = parseHash(`#/play?${query}`);
    assert.ok(problem, query);
    assert.deepEqual(params, {}, query);
  }
});

test("a frame's address may say more", async () => {
  const { params, problem } = await readAddress("#/play?g=seega/5x5&theme=dark&board=stone&coordinates=off&controls=none&readonly=1&origin=https://club.example:8443");
  assert.equal(problem, null);
  assert.deepEqual(params, { g: "seega/5x5", theme: "dark", board: "stone", coordinates: "off", controls: "none", readonly: true, origin: "https://club.example:8443" });
  for (const query of ["theme=pink", "board=glass", "controls=all", "readonly=yes", "origin=*", "origin=null", "origin=https://a.example/path", "origin=javascript:alert(1)", "coordinates=1"]) {
    assert.ok((await readAddress(`#/play?${query}`)).problem, query);
  }
  assert.equal((await readHash("#/play?theme=pink")).problem, null); // the page itself has no such parameter
});

test("commands are checked field by field", () => {
  const good = [
    { qirkat: 1, command: "state" }, { qirkat: 1, id: "a", command: "move", move: "C2 - c3" }, { qirkat: 1, id: 7, command: "show", ply: 0 },
    { qirkat: 1, command: "step", by: -1 }, { qirkat: 1, command: "flip" }, { qirkat: 1, command: "flip", flip: true }, { qirkat: 1, command: "load", query: "g=seega/5x5" },
  ];
  for (const message of good) assert.equal(readCommand(message), message);
  const bad = [
    null, 1, "state", [], {}, { command: "state" }, { qirkat: 2, command: "state" }, { qirkat: 1, command: "eval" }, { qirkat: 1, command: "toString" },
    { qirkat: 1, command: "__proto__" }, { qirkat: 1, command: "move" }, { qirkat: 1, command: "move", move: "<b>" }, { qirkat: 1, command: "move", move: ["a1"] },
    { qirkat: 1, command: "show", ply: 1.5 }, { qirkat: 1, command: "show", ply: -1 }, { qirkat: 1, command: "show", ply: "3" }, { qirkat: 1, command: "step", by: 1e9 },
    { qirkat: 1, command: "flip", flip: "yes" }, { qirkat: 1, command: "undo", extra: 1 }, { qirkat: 1, command: "state", id: {} }, { qirkat: 1, command: "state", id: "x".repeat(65) },
    { qirkat: 1, command: "load", query: "x".repeat(MAX_HASH + 1) }, { qirkat: 1, command: "load", query: 5 },
  ];
  for (const message of bad) assert.equal(readCommand(message), null, JSON.stringify(message));
});
