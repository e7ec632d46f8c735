import assert from "node:assert/strict";
import test from "node:test";

import { NEWCOMER } from "../../web/profile/glicko.js";
import { makeKeys, sign, verify } from "../../web/profile/keys.js";
import { Session, SILENCE } from "../../web/room/session.js";

const ROOM = "00112233445566ff";
const TERMS = { ruleset: "alquerque/table", start: null, clock: null, rated: false, colours: "choose" };

/** A game of six moves in turn, written like real ones; `a9-…` is against its rules. Offers and resigning as on the wire. */
function fakeEngine() {
  const stateOf = (moves) => {
    let side = "x"; let count = 0; let offer = null; let outcome = null; const plies = [];
    const fail = (kind) => { throw Object.assign(new Error(kind), { data: { kind } }); };
    for (const text of moves) {
      if (outcome) fail("over");
      const event = /^(resign|offer-draw|accept|decline):([xo])$/.exec(text);
      if (!event && (!/^[a-e][1-5]-[a-e][1-5]$/.test(text))) fail("move.illegal");
      plies.push({ text, kind: event ? "event" : "step", side: event ? event[2] : side });
      if (!event) {
        if (offer && offer.by !== side) offer = null;
        count += 1; side = side === "x" ? "o" : "x";
        if (count === 6) outcome = { winner: "x", reason: "blocked" };
      } else if (event[1] === "resign") outcome = { winner: event[2] === "x" ? "o" : "x", reason: "resignation" };
      else if (event[1] === "offer-draw") { if (offer) fail("move.event"); offer = { kind: "draw", by: event[2] }; }
      else { if (!offer || offer.by === event[2]) fail("move.event"); if (event[1] === "accept") outcome = { winner: null, reason: "agreement" }; offer = null; }
    }
    const events = outcome ? [] : ["resign:x", "resign:o", ...(offer ? [`accept:${offer.by === "x" ? "o" : "x"}`, `decline:${offer.by === "x" ? "o" : "x"}`] : ["offer-draw:x", "offer-draw:o"])];
    return { side, outcome, offer, events, plies, last: plies.findLast((ply) => ply.kind !== "event") ?? null };
  };
  return async (method, { ruleset, moves = [], move }) => {
    if (ruleset !== TERMS.ruleset) throw Object.assign(new Error(ruleset), { data: { kind: "ruleset.unknown" } });
    await null;
    const state = stateOf(method === "play" ? [...moves, move] : moves);
    return method === "game" ? { state, plies: state.plies } : state;
  };
}

/** Two sessions and a wire between them that can be cut, held back and written on. */
async function pair({ keys = [null, null], terms = TERMS, now, saved = [null, null], wish = true } = {}) {
  const engine = fakeEngine();
  const make = (role, i) => new Session({
    role, room: ROOM, me: { name: role === "host" ? "Hana" : "Gil", key: keys[i]?.public ?? null }, ask: engine, rating: () => ({ ...NEWCOMER }),
    sign: async (text) => (keys[i] ? sign(keys[i], text) : null), verify, now, saved: saved[i], save: (value) => { kept[i] = structuredClone(value); },
  });
  const kept = [...saved];
  const [host, guest] = [make("host", 0), make("guest", 1)];
  if (wish) host.wish = { terms, x: "host" };
  const wire = { held: null, open: true };
  const join = (/** someone else may come */ comer = guest) => {
    const ends = [host, comer];
    wire.open = true;
    const links = ends.map((_, i) => ({
      send: (text) => { const go = () => { if (wire.open && ends[1 - i].link === links[1 - i]) ends[1 - i].hear(text); }; if (wire.held) wire.held.push(go); else queueMicrotask(go); },
      close: () => { queueMicrotask(() => void ends[1 - i].closed(links[1 - i])); },
    }));
    host.attach(links[0]); comer.attach(links[1]);
    // Greetings sent before the other end stood are sent again by real channels' buffers; here both stand first.
  };
  const settle = async () => { for (let i = 0; i < 40; i++) { await new Promise((resolve) => setImmediate(resolve)); await host.queue; await guest.queue; } };
  await Promise.all([host.wake(), guest.wake()]);
  return { host, guest, join, settle, wire, kept, engine };
}

async function seated(options) {
  const both = await pair(options);
  both.join();
  await both.settle();
  assert.equal(both.guest.state.phase, "choosing");
  await both.guest.answer(true);
  await both.settle();
  assert.deepEqual([both.host.state.phase, both.guest.state.phase], ["playing", "playing"]);
  return both;
}

const MOVES = ["a1-a2", "b1-b2", "c1-c2", "d1-d2", "e1-e2", "a2-a3"];
async function play(both, from, to) {
  for (let i = from; i < to; i++) { await (i % 2 ? both.guest : both.host).move(MOVES[i]); await both.settle(); }
}
const same = ({ host, guest }) => { assert.deepEqual(host.state.stand.moves, guest.state.stand.moves); return host.state.stand.moves; };
/** Writes a message in the host's or guest's name. */
const forge = (session, fields, t = "move") => session.send(t, fields);

test("a whole game ends on both sides in the same way", async () => {
  const both = await seated();
  await play(both, 0, 6);
  assert.deepEqual(same(both), MOVES);
  for (const one of [both.host, both.guest]) assert.deepEqual([one.state.phase, one.state.stand.ended], ["over", { winner: "x", reason: "blocked" }]);
  assert.deepEqual([both.host.score, both.guest.score], [{ mine: 1, theirs: 0 }, { mine: 0, theirs: 1 }]);
});

test("out of turn, illegal, misplaced and forged entries change nothing and are shown", async () => {
  const both = await seated();
  const { host, guest, settle } = both;
  await assert.rejects(guest.move("b1-b2"), (fault) => fault.kind === "turn");
  const game = host.state.stand.game;
  for (const [fields, kind] of [
    [{ game, at: 0, text: "b1-b2", left: null }, "turn"],
    [{ game, at: 0, text: "resign:x", left: null }, "turn"],
    [{ game, at: 4, text: "b1-b2", left: null }, "stale"],
    [{ game: "f".repeat(16), at: 0, text: "b1-b2", left: null }, "stale"],
  ]) {
    forge(guest, fields);
    await settle();
    assert.equal(host.state.note.kind, kind);
    assert.deepEqual(host.state.stand.moves, []);
    host.strikes = 0;
  }
  await play(both, 0, 1);
  forge(guest, { game, at: 1, text: "a9-a8", left: null });
  await settle();
  assert.deepEqual([host.state.note.kind, host.state.note.detail, host.state.stand.moves], ["illegal", "a9-a8", ["a1-a2"]]);
  assert.equal(guest.state.note.kind, "denied.illegal");
  await play(both, 1, 6);
  assert.deepEqual(same(both), MOVES);
});

test("too much nonsense ends the connection and keeps the game", async () => {
  const both = await seated();
  await play(both, 0, 2);
  for (let i = 0; i < 5; i++) { both.guest.link.send("{\"t\":\"nonsense\"}"); both.guest.sent += 1; }
  await both.settle();
  assert.deepEqual([both.host.state.phase, both.host.state.note.kind, both.host.state.stand.moves.length], ["apart", "strikes", 2]);
});

test("a flood ends the connection at once", async () => {
  const both = await seated({ now: () => 0 });
  for (let i = 0; i < 500; i++) both.guest.send("ping");
  await both.settle();
  assert.deepEqual([both.host.state.phase, both.host.state.note.kind], ["apart", "flood"]);
});

test("draw offered, declined, offered again and accepted", async () => {
  const both = await seated();
  await play(both, 0, 1);
  for (const [who, event] of [["host", "offer-draw:x"], ["guest", "decline:o"], ["guest", "offer-draw:o"], ["host", "accept:x"]]) { await both[who].move(event); await both.settle(); }
  assert.deepEqual(same(both).at(-1), "accept:x");
  assert.deepEqual([both.host.state.stand.ended, both.guest.state.stand.ended].map((ended) => ended.winner), [null, null]);
});

test("a move and an event that cross end in one order", async () => {
  const both = await seated();
  await play(both, 0, 2);
  both.wire.held = [];
  await both.host.move(MOVES[2]);
  await both.guest.move("offer-draw:o");
  const held = both.wire.held; both.wire.held = null;
  for (const go of held) go();
  await both.settle();
  assert.deepEqual(same(both), [...MOVES.slice(0, 3), "offer-draw:o"]);
  both.wire.held = [];
  await both.host.move("decline:x"); await both.settle();
  both.wire.held.splice(0).forEach((go) => go()); both.wire.held = null; await both.settle();
  both.wire.held = [];
  await both.host.move("offer-draw:x");
  await both.guest.move("offer-draw:o");
  const again = both.wire.held; both.wire.held = null;
  for (const go of again) go();
  await both.settle();
  assert.deepEqual(same(both).at(-1), "offer-draw:x", "of two events the host's stands");
  assert.equal(both.guest.state.note, null);
});

test("undo is asked, refused, asked again and granted", async () => {
  const both = await seated();
  await play(both, 0, 3);
  both.host.askUndo(2); await both.settle();
  await assert.rejects(both.host.move("offer-draw:x"), (fault) => fault.kind === "waiting");
  await both.guest.answerUndo(false); await both.settle();
  assert.deepEqual([both.host.state.undo, both.host.state.note.kind, same(both).length], [null, "undo-refused", 3]);
  both.host.askUndo(2); await both.settle();
  await both.guest.answerUndo(true); await both.settle();
  assert.deepEqual(same(both), MOVES.slice(0, 2));
  both.guest.send("undo", { game: both.guest.state.stand.game, at: 2, to: 0, say: "yes" }); await both.settle();
  assert.equal(both.host.state.stand.moves.length, 2, "a yes to no question takes nothing back");
});

test("the rematch changes colours and needs both", async () => {
  const both = await seated();
  await play(both, 0, 6);
  both.guest.askRematch(); await both.settle();
  assert.equal(both.host.state.rematch.by, "guest");
  both.host.answerRematch(true); await both.settle();
  assert.deepEqual([both.host.state.phase, both.guest.state.phase, both.host.mySide(), both.guest.mySide()], ["playing", "playing", "o", "x"]);
  await both.guest.move("resign:x"); await both.settle();
  both.guest.askRematch(); both.host.askRematch(); await both.settle();
  assert.deepEqual([both.host.state.phase, both.guest.state.phase, both.host.mySide()], ["playing", "playing", "x"], "asked by both at once");
  await both.host.move("resign:x"); await both.settle();
  both.host.askRematch(); await both.settle(); both.guest.answerRematch(false); await both.settle();
  assert.deepEqual([both.host.state.note.kind, both.host.state.phase], ["rematch-refused", "over"]);
});

test("unknown rules are refused by the guest's own engine", async () => {
  const both = await pair({ terms: { ...TERMS, ruleset: "chess/fide" } });
  both.join(); await both.settle();
  assert.deepEqual([both.guest.state.note.kind, both.host.state.phase, both.host.state.note.kind], ["rules", "refused", "seat-refused"]);
});

test("a guest who does not want to sit leaves with a word", async () => {
  const both = await pair();
  both.join(); await both.settle();
  await both.guest.answer(false); await both.settle();
  assert.deepEqual([both.guest.state.phase, both.host.state.phase], ["refused", "refused"]);
});

for (const leave of ["refuses", "is lost"]) {
  test(`when a guest ${leave} before the game, the seat is free for anyone else`, async () => {
    const keys = [await makeKeys(), await makeKeys(), await makeKeys()];
    const both = await pair({ keys });
    const other = (await pair({ keys: [keys[0], keys[2]] })).guest;
    both.join(); await both.settle();
    if (leave === "refuses") await both.guest.answer(false);
    else { both.host.lost(); both.guest.lost(); }
    await both.settle();
    both.join(other); await both.settle(); await other.queue; await both.settle();
    assert.deepEqual([both.host.state.phase, other.state.phase], ["proposing", "choosing"]);
    await other.answer(true); await both.settle();
    assert.deepEqual([both.host.state.phase, both.host.state.peer.key], ["playing", keys[2].public]);
  });
}

for (const cut of [0, 1, 3, 5]) {
  test(`cut off after ${cut} moves, both come back by a fresh link and end the game`, async () => {
    const both = await seated();
    await play(both, 0, cut);
    both.wire.open = false; // this move is lost on the way
    await (cut % 2 ? both.guest : both.host).move(MOVES[cut]);
    both.host.lost(); both.guest.lost(); await both.settle();
    const saved = both.kept;
    assert.deepEqual([saved[0].stand.moves.length + saved[1].stand.moves.length], [2 * cut + 1]);
    const later = await pair({ saved, wish: false }); // both tabs were closed
    later.join(); await later.settle();
    assert.deepEqual(same(later), MOVES.slice(0, cut + 1));
    await play(later, cut + 1, 6);
    assert.deepEqual(same(later), MOVES);
  });
}

test("cut off when the game is over, both come back and play again", async () => {
  const both = await seated();
  await play(both, 0, 6);
  both.guest.askRematch(); await both.settle();
  both.host.lost(); both.guest.lost(); await both.settle();
  both.join(); await both.settle();
  assert.deepEqual([both.host.state.phase, both.guest.state.phase, same(both)], ["over", "over", MOVES]);
  both.host.askRematch(); await both.settle();
  both.guest.answerRematch(true); await both.settle();
  assert.deepEqual([both.host.state.phase, both.guest.state.phase, same(both)], ["playing", "playing", []]);
});

for (const lost of ["the offer", "the answer"]) {
  test(`cut off when ${lost} of another game is on its way, the host offers it again`, async () => {
    const both = await seated();
    await play(both, 0, 6);
    both.host.askRematch(); await both.settle();
    if (lost === "the offer") both.wire.held = [];
    both.guest.answerRematch(true);
    if (lost === "the answer") {
      const { send } = both.guest;
      both.guest.send = (t, fields) => { if (t !== "seat") send.call(both.guest, t, fields); };
      await both.settle();
      delete both.guest.send;
      assert.deepEqual([both.host.state.phase, both.guest.state.stand.moves], ["proposing", []]);
    }
    both.host.lost(); both.guest.lost(); both.wire.held = null; await both.settle();
    both.join(); await both.settle();
    if (lost === "the offer") { both.host.askRematch(); await both.settle(); both.guest.answerRematch(true); } else await both.guest.answer(true);
    await both.settle();
    assert.deepEqual([both.host.state.phase, both.guest.state.phase, same(both), both.host.state.stand.x], ["playing", "playing", [], "guest"]);
  });
}

test("the longer record is not taken when it holds moves in my name", async () => {
  const both = await seated();
  await play(both, 0, 2);
  const saved = structuredClone(both.kept);
  saved[1].stand.moves.push("c1-c2"); // x is the host: the guest puts a move into its mouth
  const later = await pair({ saved, wish: false });
  later.join(); await later.settle();
  assert.deepEqual([later.host.state.phase, later.host.state.stand.moves.length, later.host.state.common], ["disputed", 2, 2]);
});

test("records that part ways are shown, and both can go back to the fork", async () => {
  const both = await seated();
  await play(both, 0, 2);
  const saved = structuredClone(both.kept);
  saved[0].stand.moves = ["a1-a2", "b1-b3"];
  const later = await pair({ saved, wish: false });
  later.join(); await later.settle();
  assert.deepEqual([later.host.state.phase, later.guest.state.phase, later.host.state.common], ["disputed", "disputed", 1]);
  later.host.askUndo(1); await later.settle();
  await later.guest.answerUndo(true); await later.settle();
  assert.deepEqual([same(later), later.host.state.phase, later.guest.state.phase], [["a1-a2"], "playing", "playing"]);
  await play(later, 1, 6);
  assert.deepEqual(same(later).length, 6);
});

test("who lost the record is handed it and may take it", async () => {
  const both = await seated();
  await play(both, 0, 2);
  const later = await pair({ saved: [both.kept[0], null], wish: false });
  later.join(); await later.settle();
  assert.equal(later.guest.state.phase, "handed");
  await later.guest.answer(true); await later.settle();
  assert.deepEqual([same(later).length, later.host.state.phase, later.guest.state.phase], [2, "playing", "playing"]);
});

test("clocks: flags fall on both sides, a false claim does not count", async () => {
  let now = 1000;
  const both = await seated({ now: () => now, terms: { ...TERMS, clock: { main: 10, increment: 1 } } });
  await play(both, 0, 2);
  assert.equal(both.host.state.clock.running, "x");
  now += 4000;
  forge(both.guest, { game: both.host.state.stand.game, at: 2, side: "x" }, "flag"); await both.settle();
  assert.deepEqual([both.host.state.phase, both.guest.state.note.kind], ["playing", "denied.time"]);
  await play(both, 2, 3);
  assert.equal(both.guest.timeLeft("x"), 7000);
  now += 10_100;
  both.guest.tick(); await both.settle();
  for (const one of [both.host, both.guest]) assert.deepEqual(one.state.stand.ended, { winner: "x", reason: "time" });
});

test("silence for long counts as gone", async () => {
  let now = 0;
  const both = await seated({ now: () => now });
  now += SILENCE + 1;
  both.host.tick(); await both.settle();
  assert.deepEqual([both.host.state.phase, both.host.state.note.kind], ["apart", "silent"]);
});

test("a rated game is signed by both; no undo; a stranger with another key is not let in", async () => {
  const keys = [await makeKeys(), await makeKeys()];
  const both = await seated({ keys, terms: { ...TERMS, rated: true } });
  const results = [];
  both.host.results.add((result) => results.push(result));
  await play(both, 0, 3);
  both.host.send("undo", { game: both.host.state.stand.game, at: 3, to: 2, say: "ask" }); await both.settle();
  assert.deepEqual([both.guest.state.undo, same(both).length], [null, 3]);
  await play(both, 3, 6);
  for (let i = 0; i < 5; i++) await both.settle();
  const last = results.at(-1);
  assert.ok(last.signatures.mine && last.signatures.theirs);
  assert.equal(last.text, both.guest.signedText());
  assert.ok(await verify(keys[1].public, last.text, last.signatures.theirs));
  assert.ok(!await verify(keys[1].public, last.text.replace("a1-a2", "a1-a3"), last.signatures.theirs), "a changed record is noticed");

  const stranger = await pair({ keys: [keys[0], await makeKeys()], saved: [both.kept[0], null], wish: false });
  stranger.join(); await stranger.settle();
  assert.deepEqual([stranger.host.state.note.kind, stranger.guest.state.note.kind], ["part.stranger", "bye.full"]);
});

test("nobody gains rating against oneself", async () => {
  const keys = await makeKeys();
  const both = await seated({ keys: [keys, keys], terms: { ...TERMS, rated: true } });
  assert.deepEqual([both.host.state.stand.terms.rated, both.guest.state.stand.terms.rated, both.host.signedText()], [false, false, null]);
});

test("a false proof of a key is not believed", async () => {
  const keys = [await makeKeys(), await makeKeys()];
  const both = await pair({ keys });
  both.guest.sign = async (text) => sign(keys[0], text);
  both.join(); await both.settle();
  assert.equal(both.host.state.note.kind, "part.proof");
});

test("nothing is heard before the greeting, and a muted voice is not kept", async () => {
  const both = await pair();
  const heard = [];
  both.host.attach({ send: (text) => heard.push(text), close: () => {} });
  both.host.hear(JSON.stringify({ t: "chat", n: 1, text: "hi" }));
  await both.settle();
  assert.deepEqual([both.host.state.chat, both.host.state.note.kind], [[], "early"]);
  const two = await seated();
  two.host.mute(true);
  two.guest.say("hello"); await two.settle();
  assert.deepEqual(two.host.state.chat, []);
  two.host.mute(false);
  two.guest.say("<i>again</i>"); await two.settle();
  assert.deepEqual(two.host.state.chat, [{ by: "guest", text: "<i>again</i>" }]);
});

test("random bytes and twisted messages never change a game", async () => {
  let now = 0;
  const both = await seated({ now: () => now });
  await play(both, 0, 2);
  const real = JSON.stringify({ t: "move", n: 0, game: both.host.state.stand.game, at: 2, text: "c1-c2", left: null });
  let seed = 7;
  const random = (below) => { seed = (seed * 1103515245 + 12345) % 2 ** 31; return seed % below; };
  for (let i = 0; i < 2000; i++) {
    now += 200;
    const letters = [...real];
    for (let k = 0; k <= random(4); k++) letters[random(letters.length)] = String.fromCharCode(random(128));
    both.host.hear(letters.join(""));
    await both.host.queue;
    if (!both.host.link) { both.join(); await both.settle(); }
    assert.deepEqual(both.host.state.stand.moves, MOVES.slice(0, 2), letters.join(""));
  }
});
