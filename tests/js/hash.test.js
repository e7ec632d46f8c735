import assert from "node:assert/strict";
import test from "node:test";

import { formatHash, MAX_HASH, parseHash } from "../../web/hash.js";

test("a game's address comes back as it was", () => {
  const params = { g: "alquerque/maximum;bonus=yes", p: "5/1o3/5/5/x4 x 0", m: ["a1xc3", "d3e3+,f4-"], side: "both", level: 7, flip: true, lang: "fr" };
  const text = formatHash("play", params);
  assert.ok(!text.includes(" "));
  assert.deepEqual(parseHash(text), { route: "play", parts: [], params, problem: null });
});

test("a plus sign is a plus sign, an underscore a space", () => {
  assert.deepEqual(parseHash("#/play?m=d3e3+_a1b2").params.m, ["d3e3+", "a1b2"]);
  assert.deepEqual(parseHash("#/play?m=d3e3%2B%20a1b2").params.m, ["d3e3+", "a1b2"]);
});

test("foreign additions are passed over, doubled values are not", () => {
  assert.deepEqual(parseHash("#/play?utm_source=x&g=seega/5x5").params, { g: "seega/5x5" });
  assert.equal(parseHash("#/play?g=seega/5x5&g=seega/7x7").problem?.key, "link.twice");
});

test("what does not fit its grammar is refused, whole and with its place kept", () => {
  for (const bad of ["g=", "g=x", "g=Alquerque/table", "p=x", "p=5/5_q_0", "side=me", "level=0", "level=10", "flip=yes", "lang=de", "m=<b>", "m=%E0%A4%A", "g=a/b;c"]) {
    const place = parseHash(`#/play?${bad}&side=x`.replace("side=me&side=x", "side=me"));
    assert.equal(place.problem?.key, "link.value", bad);
    assert.deepEqual([place.route, place.params], ["play", {}]);
  }
  assert.equal(parseHash(`#/play?m=${"a1-a2_".repeat(MAX_HASH)}`).problem?.key, "link.long");
  assert.equal(parseHash(`#/play?m=${"a_".repeat(2100)}`).problem?.key, "link.long");
  assert.equal(parseHash("#/../etc?g=a/b").problem?.key, "link.page");
});

test("the names of objects' own workings are no routes and no parameters", () => {
  assert.equal(parseHash("#/__proto__").problem?.key, "link.page");
  assert.deepEqual(parseHash("#/play?constructor=1&toString=2").params, {});
});
