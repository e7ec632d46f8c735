import assert from "node:assert/strict";
import test from "node:test";

import { pattern } from "../../web/profile/avatar.js";
import { makeKeys } from "../../web/profile/keys.js";
import { cleanName, Profile, readProfile } from "../../web/profile/profile.js";
import { readConfig } from "../../web/room/config.js";
import { relate } from "../../web/room/letters.js";
import { Store } from "../../web/store.js";

const plies = (text) => text.split(" ").filter(Boolean).map((move, i) => ({ text: move, side: i % 2 ? "o" : "x", kind: "step" }));

test("what a link is to the game that is here", () => {
  const ours = ["a", "b", "c"];
  assert.deepEqual(relate(ours, plies("a b c"), "x"), { relation: "same", common: 3 });
  assert.deepEqual(relate(ours, plies("a b c d"), "x"), { relation: "news", common: 3 });
  assert.deepEqual(relate(ours, plies("a b"), "x"), { relation: "stale", common: 2 });
  assert.deepEqual(relate(ours, plies(""), "x"), { relation: "stale", common: 0 });
  assert.deepEqual(relate(ours, plies("a b d"), "x"), { relation: "fork", common: 2 });
  assert.deepEqual(relate(ours, plies("a b c d e"), "x"), { relation: "mine", common: 3 }, "e is a move in our name");
  assert.deepEqual(relate([], plies("a"), "o"), { relation: "news", common: 0 });
});

test("events in our name are not news either", () => {
  const more = [...plies("a b c"), { text: "resign:x", side: "x", kind: "event" }];
  assert.equal(relate(["a", "b", "c"], more, "x").relation, "mine");
  assert.equal(relate(["a", "b", "c"], more, "o").relation, "news");
});

const memory = () => new Store(null);
const GAME = { id: "1", ruleset: "seega/5x5", kind: "level", opponent: { name: "", key: null, level: 3, rating: 1100, deviation: 300 }, side: "x", score: 1, reason: "few", moves: 30, text: null, signatures: { mine: null, theirs: null } };

test("a rated game counts once, and not at all before both have moved", () => {
  const profile = new Profile(memory());
  const first = profile.count(GAME);
  assert.ok(first.after.rating > 1500 && profile.rating(GAME.ruleset).rating === first.after.rating);
  profile.count({ ...GAME, score: 0, signatures: { mine: "s", theirs: null } });
  assert.equal(profile.rating(GAME.ruleset).rating, first.after.rating);
  assert.deepEqual(profile.data.results.map(({ score, signatures }) => [score, signatures.mine]), [[1, "s"]]);
  assert.equal(profile.count({ ...GAME, id: "2", moves: 1 }), null);
  assert.equal(profile.rating("surakarta/6x6").rating, 1500);
});

test("a profile goes out to a file and back, and nothing else comes in", async () => {
  const profile = new Profile(memory());
  profile.rename("  Ana\u202e  ");
  assert.equal(profile.name, "Ana");
  await profile.keys();
  profile.count(GAME);
  const other = new Profile(memory());
  assert.equal(await other.imported(profile.exported()), "ok");
  assert.deepEqual(other.data, profile.data);
  const before = structuredClone(other.data);
  const twisted = JSON.parse(profile.exported());
  twisted.keys.public = (await makeKeys()).public;
  assert.equal(await other.imported(JSON.stringify(twisted)), "keys");
  for (const change of [{ v: 2 }, { name: "a\nb" }, { ratings: { "seega/5x5": { rating: "1" } } }, { results: [{}] }, { results: null }, { ratings: { "<b>": { rating: 1500, deviation: 350, volatility: 0.06 } } }]) {
    assert.equal(await other.imported(JSON.stringify({ ...JSON.parse(profile.exported()), ...change })), "shape", JSON.stringify(change));
  }
  assert.equal(await other.imported("{"), "syntax");
  assert.equal(await other.imported("[]"), "shape");
  assert.deepEqual(other.data, before);
  other.erase();
  assert.deepEqual([other.name, other.data.keys, other.data.results], ["", null, []]);
  assert.equal(readProfile(null), null);
});

test("names are cut to what may be shown", () => {
  assert.equal(cleanName("\u0000 "), "");
  assert.equal(cleanName("x".repeat(40)).length, 24);
  assert.equal(cleanName("Ñusta"), "Ñusta");
});

test("the same name gives the same picture, others other ones", () => {
  assert.deepEqual(pattern("Ana"), pattern("Ana"));
  const seen = new Set(Array.from({ length: 200 }, (_, i) => JSON.stringify(pattern(`player ${i}`))));
  assert.ok(seen.size > 190, String(seen.size));
});

test("what the owner of a site sets is read strictly", () => {
  assert.deepEqual(readConfig({ iceServers: [{ urls: "stun:stun.example.org" }, { urls: "http://x" }, 7, null, { urls: ["turn:a.example", "bad"] }], spectators: 99 }), { iceServers: [{ urls: "stun:stun.example.org" }], spectators: 32 });
  assert.deepEqual(readConfig(null), { iceServers: [], spectators: 8 });
});
