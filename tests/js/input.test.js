import assert from "node:assert/strict";
import test from "node:test";

import { choose, chooseLabel, complete, hopsMade, laterPoints, nextPoints, NOTHING, stopHere } from "../../web/board/input.js";

/** A move along `path`; `labels` for its hops. */
const move = (path, labels = []) => ({
  text: path.join("x") + labels.join(""), kind: "capture", path, captures: [], promotes: false,
  hops: path.slice(1).map((to, i) => ({ to, captures: [`t${to}`], label: labels[i] ?? null, track: [path[i], to] })),
});
const at = (legal, ...points) => {
  const context = { legal, own: (point) => point.startsWith("own") };
  return points.reduce((outcome, point) => choose(outcome.entry, point, context), { entry: NOTHING, move: null, refused: null });
};

test("start and landing make a move", () => {
  const step = move(["c2", "c3"]);
  assert.equal(at([step], "c2", "c3").move, step);
});

test("a single point is a whole move", () => {
  const place = { ...move(["d4"]), kind: "place", hops: [] };
  assert.equal(at([place], "d4").move, place);
});

test("a chain that may stop waits; the choice of its own stone takes it back", () => {
  const short = move(["a", "c"]);
  const long = move(["a", "c", "e"]);
  const { entry, move: done } = at([short, long], "a", "c");
  assert.equal(done, null);
  assert.deepEqual([complete(entry), nextPoints(entry), hopsMade(entry).length], [[short], ["e"], 1]);
  assert.equal(stopHere(entry), short);
  assert.equal(at([short, long], "a", "c", "e").move, long);
  assert.deepEqual(at([short, long], "a", "c", "c").entry, NOTHING);
});

test("a later landing point goes there when the rest agrees", () => {
  const long = move(["a", "c", "e", "g"]);
  const { entry } = at([long, move(["a", "c", "e", "h"])], "a", "e");
  assert.deepEqual(entry.path, ["a", "c", "e"]);
  assert.equal(at([long], "a", "g").move, long);
});

test("two ways to a point are a question with numbered next points", () => {
  const legal = [move(["a", "b", "z"]), move(["a", "c", "z"])];
  const { entry } = at(legal, "a", "z");
  assert.deepEqual(entry.question, { kind: "routes", goal: "z", next: ["b", "c"] });
  assert.equal(at(legal, "a", "z", "c", "z").move, legal[1]);
});

test("a chain may come back to its start, and over a point twice", () => {
  const round = move(["a", "b", "c", "a"]);
  assert.deepEqual(laterPoints(at([round], "a").entry), ["c", "a"]);
  assert.equal(at([round], "a", "b", "c", "a").move, round);
});

test("approach and withdrawal at one point are a question; the answer goes on", () => {
  const legal = [move(["a", "b"], ["approach"]), move(["a", "b"], ["withdrawal"]), move(["a", "b", "c"], ["withdrawal", "approach"])];
  const { entry } = at(legal, "a", "b");
  assert.deepEqual(entry.question?.options.map((option) => option.label), ["approach", "withdrawal"]);
  assert.equal(chooseLabel(entry, "approach", {}).move, legal[0]);
  const further = chooseLabel(entry, "withdrawal", {}).entry;
  assert.deepEqual([further.path, nextPoints(further)], [["a", "b"], ["c"]]);
});

test("a jump ahead stops at a fork of labels on its way", () => {
  const legal = [move(["a", "b", "c"], ["approach", "approach"]), move(["a", "b", "c"], ["withdrawal", "approach"])];
  const { entry } = at(legal, "a", "c");
  assert.equal(entry.question?.kind, "labels");
});

test("what cannot be chosen is handed back to be explained", () => {
  const legal = [move(["own1", "c3"]), move(["own2", "d3"])];
  assert.deepEqual(at(legal, "x9").refused, ["x9"]);
  assert.deepEqual(at(legal, "own1", "e5").refused, ["own1", "e5"]);
  assert.deepEqual(at(legal, "own1", "own2").entry.path, ["own2"]);
  assert.deepEqual(at(legal, "own1", "own3").refused, ["own3"]);
});

test("forced moves run by themselves only on wish", () => {
  const long = move(["a", "c", "e"]);
  assert.equal(choose(NOTHING, "a", { legal: [long], own: () => false, forced: true }).move, long);
  assert.equal(choose(NOTHING, "a", { legal: [long], own: () => false }).move, null);
});
