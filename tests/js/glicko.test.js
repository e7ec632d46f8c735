import assert from "node:assert/strict";
import test from "node:test";

import { expected, NEWCOMER, rate } from "../../web/profile/glicko.js";

const near = (found, wanted, slack) => assert.ok(Math.abs(found - wanted) <= slack, `${found} instead of ${wanted}`);

test("the worked example of Glickman's paper", () => {
  const own = { rating: 1500, deviation: 200, volatility: 0.06 };
  const games = [
    { rating: 1400, deviation: 30, score: 1 },
    { rating: 1550, deviation: 100, score: 0 },
    { rating: 1700, deviation: 300, score: 0 },
  ];
  const after = rate(own, games, { tau: 0.5 });
  near(after.rating, 1464.06, 0.01);
  near(after.deviation, 151.52, 0.01);
  near(after.volatility, 0.05999, 0.00001);
});

test("the paper's expected scores", () => {
  const own = { rating: 1500, deviation: 200, volatility: 0.06 };
  near(expected(own, { rating: 1400, deviation: 30 }), 0.639, 0.001);
  near(expected(own, { rating: 1550, deviation: 100 }), 0.432, 0.001);
  near(expected(own, { rating: 1700, deviation: 300 }), 0.303, 0.001);
});

test("a period without games only widens the deviation, never beyond a newcomer's", () => {
  const quiet = rate({ rating: 1600, deviation: 50, volatility: 0.06 }, []);
  assert.equal(quiet.rating, 1600);
  near(quiet.deviation, Math.hypot(50, 0.06 * 173.7178), 1e-9);
  assert.equal(rate(NEWCOMER, []).deviation, NEWCOMER.deviation);
});

test("who wins against an equal rises as far as the other falls, and surprises raise the volatility", () => {
  const equal = { rating: 1500, deviation: 80, volatility: 0.06 };
  const [won, lost] = [1, 0].map((score) => rate(equal, [{ ...equal, score }]));
  near(won.rating - 1500, 1500 - lost.rating, 1e-6);
  assert.ok(won.rating > 1500 && won.deviation < 80.8);
  const shock = rate(equal, Array(8).fill({ rating: 2300, deviation: 50, score: 1 }));
  assert.ok(shock.volatility > equal.volatility);
});

test("no rating is ever quite sure", () => {
  let own = { ...NEWCOMER };
  for (let i = 0; i < 400; i++) own = rate(own, [{ rating: 1500, deviation: 45, score: i % 2 }]);
  assert.ok(own.deviation > 45 && own.deviation < 75, String(own.deviation));
});
