import assert from "node:assert/strict";
import test from "node:test";

import { countMoves } from "../../web/entries.js";
import { exportEverything, readEverything, takeEverything } from "../../web/everything.js";
import { cleanRules, keepRules, ownRules } from "../../web/own-rules.js";
import { readPosition, writePosition } from "../../web/position.js";
import { Store } from "../../web/store.js";

class Shelf {
  constructor() { this.map = new Map(); }
  get length() { return this.map.size; }
  key(i) { return [...this.map.keys()][i] ?? null; }
  getItem(key) { return this.map.get(key) ?? null; }
  setItem(key, value) {
    if (this.map.size >= (this.most ?? Infinity) && !this.map.has(key)) throw new Error("QuotaExceededError");
    this.map.set(key, value);
  }
  removeItem(key) { this.map.delete(key); }
}

const game = (id, moves, more = {}) => ({ id, ruleset: "alquerque/table", start: null, moves, seats: { x: "human", o: "computer" }, level: 3, flip: false, hints: 0, over: false, ...more });
const app = () => {
  const taken = [];
  return { store: new Store(new Shelf()), settings: { take: (values) => taken.push(values) }, taken };
};

test("everything goes out and comes back", async () => {
  const [here, there] = [app(), app()];
  here.store.saveGame(game("a1", ["c2-c3"]));
  here.store.saveGame(game("b2", ["d2-c3"], { over: true }));
  here.store.renameGame("b2", "Sunday");
  here.store.write("qirkat.settings", { theme: "dark", board: "stone" });
  keepRules(here.store, { name: "Ours", ruleset: "alquerque/table;noreturn=yes" });
  const answer = readEverything(exportEverything(here.store));
  assert.equal(answer.kind, "ok");
  assert.deepEqual(await takeEverything(there, answer.found, { profile: false }), { games: 2, profile: "none" });
  assert.deepEqual(there.store.games().map(({ id }) => id).sort(), ["a1", "b2"]);
  assert.equal(there.store.loadGame("b2")?.name, "Sunday");
  assert.deepEqual(there.taken, [{ theme: "dark", board: "stone" }]);
  assert.deepEqual(ownRules(there.store), [{ name: "Ours", ruleset: "alquerque/table;noreturn=yes" }]);
  assert.deepEqual(await takeEverything(there, answer.found, { profile: false }), { games: 0, profile: "none" }, "twice is once");
});

test("a game in the place of another one gets a place of its own", async () => {
  const [here, there] = [app(), app()];
  here.store.saveGame(game("a1", ["c2-c3"]));
  there.store.saveGame(game("a1", ["d2-c3"]));
  await takeEverything(there, readEverything(exportEverything(here.store)).found, { profile: false });
  assert.deepEqual(there.store.games().map(({ moves }) => moves[0]).sort(), ["c2-c3", "d2-c3"]);
});

test("a file that is none of ours is refused with its reason", () => {
  for (const [text, kind] of [["", "syntax"], ["{", "syntax"], ["null", "shape"], ["[]", "shape"], ['{"qirkat":"profile","v":1}', "shape"], ['{"qirkat":"everything","v":2,"games":[]}', "shape"], [" ".repeat(8_000_001), "big"]]) {
    assert.deepEqual(readEverything(text), { kind });
  }
});

test("what is no game in a file is left out and counted", () => {
  const good = { v: 1, ...game("a1", ["c2-c3"]), updated: 5, writer: "w" };
  const bad = [null, 7, { ...good, id: "../x" }, { ...good, ruleset: "alquerque/<b>" }, { ...good, moves: ["<img>"] }, { ...good, level: 99 }, { ...good, seats: { x: "remote", o: "human" } }, { ...good, start: "rubbish" }];
  const answer = readEverything(JSON.stringify({ qirkat: "everything", v: 1, games: [good, ...bad], settings: { theme: "dark", evil: 1 }, rules: [{ name: "x", ruleset: "<" }], profile: { v: 1, name: 3 } }));
  assert.equal(answer.kind, "ok");
  assert.equal(answer.found.refused, bad.length);
  assert.deepEqual(answer.found.games.map(({ id, writer }) => [id, writer]), [["a1", "file"]]);
  assert.deepEqual(answer.found.settings, { theme: "dark" });
  assert.deepEqual(answer.found.rules, []);
  assert.equal(answer.found.profile, null);
});

test("a rated game is taken along, but none that has been counted here", async () => {
  const rated = { v: 1, id: "0123456789abcdef", ruleset: "konane/6x6", level: 2, side: "x", moves: ["c3"] };
  const [here, there] = [app(), app()];
  here.store.write("qirkat.rated", rated);
  const { found } = readEverything(exportEverything(here.store));
  assert.deepEqual(await takeEverything(there, found, { profile: false }), { games: 1, profile: "none" });
  assert.deepEqual(there.store.read("qirkat.rated"), rated);
  await takeEverything(there, { ...found, rated: { ...rated, moves: ["d4", "d3"] } }, { profile: false });
  assert.deepEqual(there.store.read("qirkat.rated"), rated, "another way of the same game does not take its place");
  const rating = { rating: 1500, deviation: 350, volatility: 0.06 };
  const result = { id: rated.id, at: 5, ruleset: rated.ruleset, kind: "level", opponent: { name: "", key: null, level: 2, rating: 1000, deviation: 350 }, side: "x", score: 0, reason: "blocked", moves: 9, before: rating, after: rating, text: null, signatures: { mine: null, theirs: null } };
  there.store.remove("qirkat.rated");
  there.store.write("qirkat.profile", { v: 1, name: "", keys: null, ratings: {}, results: [result] });
  assert.deepEqual(await takeEverything(there, found, { profile: false }), { games: 0, profile: "none" });
  assert.equal(there.store.read("qirkat.rated"), null);
});

test("what is said between moves is no move", () => {
  assert.equal(countMoves(["c2-c3", "offer-draw:x", "decline:o", "c4xc2", "resign:x"]), 2);
});

test("a game keeps its name when it is played on", () => {
  const store = new Store(new Shelf());
  store.saveGame(game("a1", ["c2-c3"]));
  store.renameGame("a1", "Ours");
  store.saveGame(game("a1", ["c2-c3", "c4xc2"]));
  assert.equal(store.loadGame("a1")?.name, "Ours");
  store.renameGame("a1", "");
  assert.equal(store.loadGame("a1")?.name, undefined);
});

test("names of rules are one plain line", () => {
  const rules = cleanRules([{ name: " a\u202eb\n ", ruleset: "alquerque/bell" }, { name: "\n", ruleset: "alquerque/table" }, null, 3]);
  assert.deepEqual(rules, [{ name: "ab", ruleset: "alquerque/bell" }]);
});

const board = { columns: 12, rows: 2, points: [2, 1].flatMap((rank) => [..."abcdefghijkl"].map((letter, i) => ({ name: letter + rank, column: i + 1, rank, row: 3 - rank }))) };

test("a position text is read and written alike", () => {
  for (const text of ["12/12 x 0", "x11/5X6 o 12", "xoXO8/11o x 0 hand=1,2 prev=a1b2"]) assert.equal(writePosition(readPosition(text, board), board), text);
  assert.equal(writePosition(readPosition(" x11/12_o_3 ", board), board), "x11/12 o 3");
});

test("what cannot be laid out is no position", () => {
  for (const text of ["", "12 x 0", "13/12 x 0", "11/12 x 0", "x12/12 x 0", "q11/12 x 0", "12/12 y 0", "12/12 x", "12/12 x -1", "12/12 x 0 hand", "12/12 x 0 hand=1 hand=2"]) assert.equal(readPosition(text, board), null, text);
});

test("a big file never pushes out a game that is here", async () => {
  const here = app();
  here.store.saveGame(game("aa", ["c2-c3"], { over: true }));
  here.store.storage.most = 3;
  const games = Array.from({ length: 9 }, (_, i) => ({ ...game(`f${i}`, ["d2-c3"]), v: 1, updated: 5, writer: "x" }));
  const answer = readEverything(JSON.stringify({ qirkat: "everything", v: 1, games }));
  assert.equal((await takeEverything(here, answer.found, { profile: false })).games, 9);
  assert.ok(here.store.storage.getItem("qirkat.game.aa"));
  assert.equal(here.store.safe, false, "and the visitor is told");
  assert.equal(here.store.games().length, 10, "what came lasts as long as the page");
});

test("names of games from a file hide nothing", () => {
  const one = (name) => readEverything(JSON.stringify({ qirkat: "everything", v: 1, games: [{ ...game("a", []), v: 1, updated: 5, writer: "x", name }] })).found.games[0];
  assert.equal(one("Sun\u202eday\u200b").name, "Sunday");
  assert.equal("name" in one("\u200b"), false);
});

const letter = (k, moves, more = {}) => ({ v: 1, k, ruleset: "alquerque/table", start: null, moves, side: "x", names: { x: "Ada", o: "" }, sent: 0, over: false, updated: 5, ...more });
const room = (id, moves, more = {}) => ({
  v: 1, room: id, role: "host", peer: { name: "Bo", key: null }, ratings: { mine: null, theirs: null }, score: { mine: 1.5, theirs: 0.5 }, updated: 5,
  stand: { game: "00000000000000aa", terms: { ruleset: "konane/6x6", start: null, clock: { main: 600, increment: 5 }, rated: false, colours: "choose" }, x: "host", moves, ended: null, left: { x: 599_000, o: 600_000 }, began: 7 }, ...more,
});
const [K, R] = ["0123456789abcdef", "fedcba9876543210"];
const takeAll = (there, found) => takeEverything(there, found, { profile: false });

test("games in rooms and by letter go out and come back", async () => {
  const [here, there] = [app(), app()];
  here.store.write(`qirkat.letter.${K}`, letter(K, ["c2-c3"], { sent: 1 }));
  here.store.write(`qirkat.room.${R}`, room(R, ["c3"]));
  const { found } = readEverything(exportEverything(here.store));
  assert.equal(found.refused, 0);
  assert.equal((await takeAll(there, found)).games, 2);
  assert.deepEqual(there.store.read(`qirkat.letter.${K}`), here.store.read(`qirkat.letter.${K}`));
  assert.deepEqual(there.store.read(`qirkat.room.${R}`), here.store.read(`qirkat.room.${R}`));
  assert.equal((await takeAll(there, found)).games, 0, "twice is once");
});

test("a file takes nothing away from a room or a letter that is here", async () => {
  const file = (moves, more) => readEverything(JSON.stringify({ qirkat: "everything", v: 1, games: [], rooms: [room(R, moves, more)], letters: [letter(K, moves, more)] })).found;
  const there = app();
  const moves = () => [there.store.read(`qirkat.room.${R}`).stand.moves.length, there.store.read(`qirkat.letter.${K}`).moves.length];
  await takeAll(there, file(["c3", "c4"]));
  assert.deepEqual(moves(), [2, 2]);
  for (const other of [["c3"], ["c3", "d3", "a1"]]) assert.equal((await takeAll(there, file(other))).games, 0);
  assert.equal((await takeAll(there, file(["c3", "c4", "a1"], { role: "guest", side: "o" }))).games, 0, "another seat is another game");
  assert.deepEqual(moves(), [2, 2]);
  assert.equal((await takeAll(there, file(["c3", "c4", "a1"]))).games, 2, "what goes on from here is news");
  assert.deepEqual(moves(), [3, 3]);
});

test("what is no room and no letter in a file is left out and counted", () => {
  const good = room(R, ["c3"]);
  const rooms = [good, null, { ...good, room: "../x" }, { ...good, stand: null }, { ...good, stand: { ...good.stand, evil: 1 } }, { ...good, stand: { ...good.stand, ended: { winner: "x", reason: "<b>" } } },
    { ...good, stand: { ...good.stand, left: { x: "1", o: 2 } } }, { ...good, peer: { name: "Bo", key: "k" } }, { ...good, score: { mine: 1e9, theirs: 0 } }, { ...good, ratings: { mine: { rating: "high" }, theirs: null } }];
  const fine = letter(K, ["c2-c3"]);
  const letters = [fine, 3, { ...fine, k: "x" }, { ...fine, sent: 2 }, { ...fine, sent: -1 }, { ...fine, moves: ["<img>"] }, { ...fine, moves: Array(2001).fill("a1") }, { ...fine, names: { x: "a\nb", o: "" } }];
  const { found } = readEverything(JSON.stringify({ qirkat: "everything", v: 1, games: [], rooms: rooms.map((one) => one && { ...one, more: "<b>" }), letters }));
  assert.equal(found.refused, rooms.length + letters.length - 2);
  assert.deepEqual([found.rooms, found.letters], [[good], [fine]]);
});
