import assert from "node:assert/strict";
import test from "node:test";

import { listLetters } from "../../web/room/letters.js";
import { listRooms } from "../../web/room/rooms.js";
import { Store } from "../../web/store.js";

/** A localStorage with a limit. */
class Shelf {
  constructor(limit = Infinity) { this.limit = limit; this.map = new Map(); }
  get length() { return this.map.size; }
  key(i) { return [...this.map.keys()][i] ?? null; }
  getItem(key) { return this.map.get(key) ?? null; }
  setItem(key, value) {
    const others = [...this.map].filter(([name]) => name !== key).reduce((sum, [, text]) => sum + text.length, 0);
    if (others + value.length > this.limit) throw new Error("QuotaExceededError");
    this.map.set(key, value);
  }
  removeItem(key) { this.map.delete(key); }
}

const game = (id, moves, more = {}) => ({ id, ruleset: "alquerque/table", start: null, moves, seats: { x: "human", o: "computer" }, level: 3, flip: false, hints: 0, over: false, ...more });

test("a game is kept and found again", () => {
  const shelf = new Shelf();
  new Store(shelf).saveGame(game("a", ["c2-c3"]));
  assert.deepEqual(new Store(shelf).unfinished().map(({ id, moves }) => [id, moves]), [["a", ["c2-c3"]]]);
});

test("another tab's different game is never overwritten", () => {
  const shelf = new Shelf();
  const [one, two] = [new Store(shelf), new Store(shelf)];
  one.saveGame(game("a", ["c2-c3"]));
  assert.equal(two.saveGame(game("a", ["c2-c3", "b4-c4"])), "a", "going on from the same moves is the same game");
  const fresh = one.saveGame(game("a", ["c2-c3", "d4-c4"]));
  assert.notEqual(fresh, "a");
  assert.deepEqual(one.games().map(({ moves }) => moves[1]).sort(), ["b4-c4", "d4-c4"]);
});

test("without storage everything lasts as long as the page", () => {
  const store = new Store(null);
  store.saveGame(game("a", ["c2-c3"]));
  assert.equal(store.loadGame("a")?.moves.length, 1);
  assert.equal(store.safe, false);
});

test("a full disk drops finished games before anything else, then keeps in memory", () => {
  const shelf = new Shelf(600);
  const store = new Store(shelf);
  store.saveGame(game("old", ["a"], { over: true }));
  store.saveGame(game("a", ["c2-c3"]));
  store.saveGame(game("b", ["c2-c3"]));
  assert.equal(store.loadGame("old"), null);
  store.saveGame(game("c", Array(200).fill("c2-c3")));
  assert.equal(store.loadGame("c")?.moves.length, 200);
  assert.equal(store.safe, false);
});

test("what is not a game is passed over", () => {
  const shelf = new Shelf();
  for (const [i, text] of ["", "{", "null", "[]", '{"v":1}', '{"v":1,"id":"x","ruleset":1}'].entries()) shelf.setItem(`qirkat.game.${i}`, text);
  assert.deepEqual(new Store(shelf).games(), []);
});

test("a slot with another game's name or an impossible day is no game", () => {
  const shelf = new Shelf();
  const store = new Store(shelf);
  store.saveGame(game("a", ["c2-c3"]));
  const good = store.loadGame("a");
  for (const more of [{ id: "b" }, { updated: 1e300 }, { updated: -1 }, { updated: "now" }]) {
    shelf.setItem("qirkat.game.a", JSON.stringify({ ...good, ...more }));
    assert.deepEqual(store.games(), [], JSON.stringify(more));
  }
});

test("letters and rooms with an impossible day are none", () => {
  const store = new Store(new Shelf());
  const letter = { v: 1, k: "0123456789abcdef", ruleset: "alquerque/table", start: null, moves: [], side: "x", names: { x: "", o: "" }, sent: 0, over: false, updated: 5 };
  const room = { v: 1, room: "0123456789abcdef", role: "host", peer: null, stand: null, ratings: {}, score: { mine: 0, theirs: 0 }, updated: 5 };
  for (const [key, value, list] of [["qirkat.letter.0123456789abcdef", letter, listLetters], ["qirkat.room.0123456789abcdef", room, listRooms]]) {
    store.write(key, value);
    assert.equal(list(store).length, 1, key);
    store.write(key, { ...value, updated: 1e300 });
    assert.deepEqual(list(store), []);
    store.write(`${key.slice(0, -1)}0`, value);
    assert.deepEqual(list(store), [], "in another's slot");
  }
});
