import assert from "node:assert/strict";
import test from "node:test";

import { clockText, pressClock, runClock, startClock, stopClock, timeLeft, TOLERANCE } from "../../web/room/clock.js";

const PACE = { main: 60, increment: 5 };

test("only the side to move loses time, and a move gives the increment", () => {
  let clock = runClock(startClock(PACE), "x", 1000);
  assert.equal(timeLeft(clock, "x", 11_000), 50_000);
  assert.equal(timeLeft(clock, "o", 11_000), 60_000);
  clock = pressClock(clock, "x", "o", 11_000, { counts: true });
  assert.deepEqual([clock.x, clock.o, clock.running], [55_000, 60_000, "o"]);
  clock = pressClock(clock, "o", "o", 12_000, { counts: true });
  assert.deepEqual([timeLeft(clock, "o", 13_000), clock.running], [63_000, "o"], "the same side may go on");
});

test("nothing runs before both have moved", () => {
  const clock = pressClock(startClock(PACE), "x", "o", 99_000, { counts: false });
  assert.deepEqual([clock.x, clock.o, clock.running], [60_000, 60_000, null]);
});

test("the mover's own measure is believed within the tolerance only", () => {
  const clock = runClock(startClock({ main: 60, increment: 0 }), "x", 0);
  const after = (told) => pressClock(clock, "x", "o", 10_000, { counts: true, told }).x;
  assert.equal(after(50_400), 50_400);
  assert.equal(after(60_000), 50_000 + TOLERANCE);
  assert.equal(after(10), 50_000 - TOLERANCE);
});

test("a stopped clock keeps what was left, and no clock goes below nothing", () => {
  const clock = stopClock(runClock(startClock(PACE), "o", 0), 7000);
  assert.deepEqual([clock.o, clock.running, timeLeft(clock, "o", 1e9)], [53_000, null, 53_000]);
  assert.equal(timeLeft(runClock(startClock(PACE), "x", 0), "x", 1e9), 0);
});

test("how a clock reads", () => {
  assert.deepEqual([0, 7300, 9999, 10_000, 61_000, 600_000, 3_725_000].map(clockText), ["0:00.0", "0:07.3", "0:09.9", "0:10", "1:01", "10:00", "1:02:05"]);
});
