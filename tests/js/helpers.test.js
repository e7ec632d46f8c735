/** Helpers of a long search, with workers that only note what they are asked. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Helpers } from "../../web/helpers.js";

const MASTER = { ruleset: "a/b", level: 9 };
const NEWS = { name: "search 1", endings: 0, entries: "[[[1,2,0],3,0,40,1]]" };

class FakeWorker {
  constructor() {
    this.state = "ready";
    /** @type {any[]} */
    this.asked = [];
    /** @type {any[]} */
    this.taught = [];
    this.destroyed = false;
  }

  ask(method, params, options) {
    return new Promise((resolve, reject) => {
      this.asked.push({ method, params, options, resolve, reject });
    });
  }

  notify(method, params) { this.taught.push([method, params]); }
  destroy() { this.destroyed = true; }
}

/** A first worker and the helpers that it gets. */
function crew(options = {}) {
  const first = new FakeWorker();
  /** @type {FakeWorker[]} */
  const started = [];
  const start = () => {
    started.push(new FakeWorker());
    return started.at(-1);
  };
  return { first, started, helpers: new Helpers(first, { most: 1, rest: 5, start, ...options }) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 1));

/** A search with the helper that an earlier one has started. */
async function helped(options) {
  const all = crew(options);
  const before = all.helpers.search(MASTER);
  all.first.asked[0].resolve({ move: "m", nodes: 1 });
  await before;
  const news = [];
  const stop = new AbortController();
  const answer = all.helpers.search(MASTER, { onProgress: (one) => news.push(one), signal: stop.signal });
  return { ...all, answer, news, stop, own: all.first.asked[1], other: all.started[0].asked[0] };
}

test("only long searches by time are helped", () => {
  const { helpers } = crew();
  assert.ok(helpers.helpsWith("search", MASTER));
  assert.ok(helpers.helpsWith("search", { ms: 700, lines: 3 }));
  for (const params of [{ level: 8 }, { level: 3, ms: 5000 }, { ms: 100 }, { nodes: 9, ms: 5000 }, { depth: 9 }]) {
    assert.ok(!helpers.helpsWith("search", params), JSON.stringify(params));
  }
  assert.ok(!helpers.helpsWith("state", { ms: 5000 }));
  assert.ok(!crew({ most: 0 }).helpers.helpsWith("search", MASTER));
});

test("a helper starts with the first long search and helps from the next on", async () => {
  const { first, started, helpers } = crew();
  const answer = helpers.search(MASTER);
  assert.equal(started.length, 1);
  assert.equal(started[0].asked.length, 0);
  assert.equal(first.asked[0].params.team, undefined);
  first.asked[0].resolve({ move: "m", nodes: 7 });
  assert.deepEqual(await answer, { move: "m", nodes: 7 });
  helpers.destroy();
});

test("both search the same with one seed, each in its place", async () => {
  const { own, other, helpers } = await helped();
  assert.deepEqual(own.params, { ...MASTER, seed: own.params.seed, team: { name: "search 2", place: 0, of: 2 } });
  assert.deepEqual(other.params, { ...own.params, team: { name: "search 2", place: 1, of: 2 } });
  helpers.destroy();
});

test("a given seed stays", () => {
  const { first, helpers } = crew();
  void helpers.search({ ...MASTER, seed: 5 });
  assert.equal(first.asked[0].params.seed, 5);
  helpers.destroy();
});

test("what one finds is told to the other and not to itself", async () => {
  const { first, started, helpers } = await helped();
  first.onlearned(NEWS);
  assert.deepEqual(started[0].taught, [["teach", NEWS]]);
  assert.deepEqual(first.taught, []);
  started[0].onlearned(NEWS);
  assert.deepEqual(first.taught, [["teach", NEWS]]);
  helpers.destroy();
});

test("nodes are counted together, and the first one's answer is the answer", async () => {
  const { answer, news, own, other, helpers } = await helped();
  other.options.onProgress({ nodes: 30 });
  own.options.onProgress({ nodes: 5, depth: 4 });
  other.resolve({ move: "other", nodes: 90 });
  own.resolve({ move: "own", nodes: 60 });
  assert.deepEqual(news, [{ nodes: 35, depth: 4 }]);
  assert.deepEqual(await answer, { move: "own", nodes: 90 });
  helpers.destroy();
});

test("the helper is stopped when the answer is there, and by whoever stops the search", async () => {
  const { answer, own, other, stop, helpers } = await helped();
  stop.abort();
  assert.ok(own.options.signal.aborted);
  own.resolve({ move: "m", nodes: 1 });
  await answer;
  assert.ok(other.options.signal.aborted);
  helpers.destroy();
});

test("a helper that dies costs nothing but its help, and the next search has another", async () => {
  const { answer, own, other, started, helpers } = await helped();
  other.reject(new Error("stuck"));
  await settled();
  assert.ok(started[0].destroyed);
  own.resolve({ move: "m", nodes: 1 });
  assert.equal((await answer).move, "m");
  void helpers.search(MASTER);
  assert.equal(started.length, 2);
  helpers.destroy();
});

test("a failed search fails, and its helper stops", async () => {
  const { answer, own, other, helpers } = await helped();
  own.reject(new Error("stuck"));
  await assert.rejects(answer, /stuck/);
  assert.ok(other.options.signal.aborted);
  helpers.destroy();
});

test("a helper that is still starting is not waited for", async () => {
  const { first, started, helpers } = crew();
  void helpers.search(MASTER);
  started[0].state = "loading";
  void helpers.search(MASTER);
  assert.equal(started.length, 1);
  assert.equal(first.asked[1].params.team, undefined);
  helpers.destroy();
});

test("helpers that are not needed for long go", async () => {
  const { answer, own, started, helpers } = await helped({ rest: 1 });
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(!started[0].destroyed, "not while a search runs");
  own.resolve({ move: "m", nodes: 1 });
  await answer;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(started[0].destroyed);
  assert.equal(helpers.ready, 0);
});
