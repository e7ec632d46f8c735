import assert from "node:assert/strict";
import test from "node:test";

import { CodeError, codeIn, decodeCode, encodeCode, LIFETIME } from "../../web/room/code.js";
import { readSdp, writeSdp } from "../../web/room/sdp.js";

const SESSION = {
  ufrag: "k3Yx", pwd: "0123456789abcdefABCDEF+/", fingerprint: "ab".repeat(32), setup: "actpass",
  candidates: [
    { type: "host", address: "192.168.1.20", port: 51000 },
    { type: "host", address: "8f2e6a4c-1b3d-4e5f-8a9b-0c1d2e3f4a5b.local", port: 52000 },
    { type: "srflx", address: "203.0.113.9", port: 61234 },
    { type: "host", address: "2001:db8:0:0:0:0:0:1", port: 9 },
  ],
};
const CODE = { kind: "play", room: "0123456789abcdef", ticket: "deadbeef", made: 1_790_000_000_000, session: SESSION };

const refused = (kind) => (fault) => fault instanceof CodeError && fault.kind === kind;

test("a code comes back as it was", () => {
  assert.deepEqual(decodeCode(encodeCode(CODE)), CODE);
  const answer = { ...CODE, kind: "answer", session: { ...SESSION, setup: "active", candidates: [] } };
  assert.deepEqual(decodeCode(encodeCode(answer)), answer);
});

test("a code with two candidates fits a QR code that any phone reads", () => {
  const code = encodeCode({ ...CODE, session: { ...SESSION, candidates: SESSION.candidates.slice(1, 3) } });
  assert.ok(code.length < 170, `${code.length} letters`);
});

test("short IPv6 forms are understood, strange addresses left out", () => {
  const candidates = ["fe80::1", "::", "1:2:3:4:5:6:7:8", "1::2::3", "::1.2.3.4", "example.org", "x.local"].map((address) => ({ type: "host", address, port: 1 }));
  const read = decodeCode(encodeCode({ ...CODE, session: { ...SESSION, candidates } })).session.candidates;
  assert.deepEqual(read.map(({ address }) => address), ["fe80:0:0:0:0:0:0:1", "0:0:0:0:0:0:0:0", "1:2:3:4:5:6:7:8"]);
});

test("the code is found in a link, in a message and across line breaks", () => {
  const code = encodeCode(CODE);
  assert.equal(codeIn(`Come and play! https://example.org/q/#/room?i=${code}&lang=fr bye`), code);
  assert.equal(codeIn(`${code.slice(0, 60)}\n ${code.slice(60)}`), code);
});

test("every single slip is noticed", () => {
  const code = encodeCode(CODE);
  for (let i = 0; i < code.length; i++) {
    const other = code[i] === "A" ? "B" : "A";
    const slipped = code.slice(0, i) + other + code.slice(i + 1);
    if (i === code.length - 1) {
      // The last letter may hold bits that belong to no byte.
      try { assert.deepEqual(decodeCode(slipped), CODE); } catch (fault) { assert.ok(fault instanceof CodeError); }
    } else assert.throws(() => decodeCode(slipped), refused("damaged"), `letter ${i}`);
  }
  assert.throws(() => decodeCode(code.slice(0, -3)), refused("damaged"));
  assert.throws(() => decodeCode(`${code}AAAA`), refused("damaged"));
  assert.throws(() => decodeCode("  "), refused("empty"));
  assert.throws(() => decodeCode("<script>alert(1)</script>"), refused("damaged"));
});

test("an old invitation is called old, a slow clock is forgiven", () => {
  const code = encodeCode(CODE);
  assert.throws(() => decodeCode(code, CODE.made + LIFETIME + 6 * 60_000), refused("expired"));
  assert.equal(decodeCode(code, CODE.made + LIFETIME).room, CODE.room);
  assert.equal(decodeCode(code, CODE.made - 3600_000).room, CODE.room);
});

test("a rebuilt description holds what was read and nothing else", () => {
  const sdp = writeSdp(SESSION);
  const read = readSdp(sdp);
  assert.deepEqual({ ...read, candidates: new Set(read.candidates.map(({ address }) => address)) }, { ...SESSION, candidates: new Set(SESSION.candidates.map(({ address }) => address)) });
  assert.equal(read.candidates[0].type, "srflx", "ways out of the house stand first");
  const noisy = sdp.replace("a=mid:0", "a=candidate:9 1 tcp 1 10.0.0.1 9 typ host tcptype active\r\na=candidate:9 2 udp 1 10.0.0.1 9 typ host\r\na=mid:0");
  assert.equal(readSdp(noisy).candidates.length, SESSION.candidates.length);
});
