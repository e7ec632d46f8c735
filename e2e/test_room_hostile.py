"""Two tabs of one browser in a room, and a hostile other side that speaks the protocol by hand."""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import Site
from people import act, open_room, play_out, record, same_plies, sit_down, until
from playwright.sync_api import Page, expect
from table import READY, plies, status, wait_ready

#: Joins a room as its guest would, over the browser's own channel, and then says whatever it is told to.
INTRUDER = """
async ([base, link, kind]) => {
  const { decodeCode } = await import(`${base}room/code.js`);
  const { knock } = await import(`${base}room/tabs.js`);
  const room = decodeCode(link).room;
  let carrier;
  for (let i = 0; i < 8 && !carrier; i++) {
    try { carrier = await knock(room, kind ?? "play"); } catch (fault) { return fault.kind; }
  }
  if (!carrier) return "nobody";
  const me = { heard: [], n: 0, closed: false, carrier, room };
  me.raw = (text) => carrier.send(text);
  me.say = (t, fields = {}) => carrier.send(JSON.stringify({ t, n: ++me.n, ...fields }));
  carrier.onmessage = (text) => me.heard.push(JSON.parse(text));
  carrier.onclose = () => { me.closed = true; };
  me.greet = (name = "Mal", role = "guest") =>
    me.say("hello", { v: 2, room, role, name, key: null, nonce: "0".repeat(32) });
  window.me = me;
  return "in";
}
"""


def intrude(page: Page, site: Site, link: str, kind: str = "play") -> str:
    page.goto(f"{site.url}probe.html")
    return page.evaluate(INTRUDER, [site.module(""), link, kind])


def invitation(page: Page, site: Site, kind: str, room: str) -> str:
    """A code that leads to the room for tabs of this browser, and nowhere over a network."""
    return page.evaluate(
        """async ([base, kind, room]) => {
          const { encodeCode } = await import(`${base}room/code.js`);
          const keys = { ufrag: "abcd", pwd: "a".repeat(24), fingerprint: "00".repeat(32) };
          const session = { ...keys, setup: "actpass", candidates: [] };
          return encodeCode({ kind, room, ticket: "00000000", made: Date.now(), session });
        }""",
        [site.module(""), kind, room],
    )


def heard(page: Page, kind: str) -> dict[str, Any]:
    """The last message of this kind that the host has sent."""
    until(page, "t => me.heard.some(m => m.t === t)", kind)
    return page.evaluate("t => me.heard.findLast(m => m.t === t)", kind)


def seated(host: Page, mal: Page, site: Site) -> str:
    """The intruder in the guest's seat (it plays the second side); returns the game's id."""
    link = open_room(host, site)
    assert intrude(mal, site, link) == "in"
    mal.evaluate("me.greet(); me.say('proof', { signature: null })")
    game = heard(mal, "game")["game"]
    mal.evaluate("game => me.say('seat', { game, yes: true, rating: null })", game)
    host.wait_for_selector(".in-room .points", timeout=READY)
    wait_ready(host)
    return game


@pytest.fixture
def mal(host: Page) -> Page:
    return host.context.new_page()


def test_two_tabs_play_a_whole_game(host: Page, mal: Page, site: Site) -> None:
    link = open_room(host, site, rules="fanorona/telo")
    mal.goto(link)
    mal.get_by_label("Your name").fill("Tab")
    mal.get_by_role("button", name="Come in").click()
    sit_down(host, mal, guest=mal)
    play_out(host, mal, random.Random(4))
    expect(host.locator(".status")).to_contain_text("Rematch", timeout=READY)
    assert record(host) == record(mal)
    assert intrude(host.context.new_page(), site, link) == "full"


def test_forged_moves_change_nothing_and_are_shown(host: Page, mal: Page, site: Site) -> None:
    game = seated(host, mal, site)
    move = "f => me.say('move', { game: f.game, at: f.at, text: f.text, left: null })"
    told = host.locator(".status")

    mal.evaluate(move, {"game": game, "at": 0, "text": "b4-c3"})
    expect(told).to_contain_text("out of turn (b4-c3)")
    assert heard(mal, "deny")["why"] == "turn"
    host.get_by_role("button", name="All right").click()
    act(host, random.Random(1))
    same_plies(host, count=1)
    mal.evaluate(move, {"game": game, "at": 1, "text": "a1-e5"})
    expect(told).to_contain_text("rules forbid (a1-e5)")
    mal.evaluate(move, {"game": game, "at": 1, "text": "resign:x"})
    expect(told).to_contain_text("out of turn (resign:x)")
    same_plies(host, count=1)

    legal = host.evaluate(
        """async ([base, moves]) => {
          const { engine } = await import(`${base}start.js`);
          const state = await engine.request("state", { ruleset: "alquerque/table", moves });
          return state.legal[0].text;
        }""",
        [site.module(""), [heard(mal, "move")["text"]]],
    )
    mal.evaluate(move, {"game": game, "at": 1, "text": legal})
    same_plies(host, count=2)
    assert "forbid" not in status(host)


def test_html_in_names_and_talk_stays_text(host: Page, mal: Page, site: Site) -> None:
    link = open_room(host, site)
    assert intrude(mal, site, link) == "in"
    mal.evaluate("me.greet('<b onclick=x()>Mal</b>'); me.say('proof', { signature: null })")
    game = heard(mal, "game")["game"]
    mal.evaluate("game => me.say('seat', { game, yes: true, rating: null })", game)
    host.wait_for_selector(".in-room .points", timeout=READY)
    mal.evaluate("me.say('chat', { text: '<script>document.title=1</script>' })")
    expect(host.locator(".talk-log")).to_contain_text("<script>document.title=1</script>")
    assert host.locator(".play b, .talk script").count() == 0
    expect(host.locator(".seat.upper")).to_contain_text("<b onclick=x()>Mal</b>")


def test_a_flood_ends_the_connection_and_keeps_the_game(host: Page, mal: Page, site: Site) -> None:
    seated(host, mal, site)
    act(host, random.Random(1))
    mal.evaluate("for (let i = 0; i < 3000; i++) me.say('ping')")
    expect(host.locator(".status")).to_contain_text("too many messages", timeout=READY)
    until(mal, "me.closed")
    same_plies(host, count=1)


def test_nonsense_ends_the_connection_and_keeps_the_game(host: Page, mal: Page, site: Site) -> None:
    seated(host, mal, site)
    act(host, random.Random(1))
    mal.evaluate("me.raw('{'.repeat(1000))")
    expect(host.locator(".status")).to_contain_text("does not understand")
    same_plies(host, count=1)
    mal.evaluate("me.raw('x'.repeat(1_000_000))")
    expect(host.locator(".status")).to_contain_text("oversized", timeout=READY)
    until(mal, "me.closed")
    same_plies(host, count=1)


def test_fuzzed_messages_never_change_a_game(host: Page, mal: Page, site: Site) -> None:
    game = seated(host, mal, site)
    act(host, random.Random(1))
    dice = random.Random(7)
    good = f'{{"t":"move","n":0,"game":"{game}","at":1,"text":"b4-c3","left":null}}'
    for _ in range(40):
        text = list(good)
        for _ in range(dice.randint(1, 6)):
            text[dice.randrange(len(text))] = chr(dice.randrange(1, 300))
        mal.evaluate("text => me.raw(text)", "".join(text))
        if mal.evaluate("me.closed"):
            break
    until(mal, "me.closed")
    same_plies(host, count=1)
    expect(host.locator(".status")).to_contain_text("kept")


def test_unknown_rules_are_refused_by_the_guest(host: Page, mal: Page, site: Site) -> None:
    """Here the host is the hostile one: it holds the door by hand."""
    mal.goto(f"{site.url}probe.html")
    mal.evaluate(
        """async (base) => {
          const { openDoor } = await import(`${base}room/tabs.js`);
          window.heard = [];
          openDoor("00112233445566ff", () => null, (kind, carrier) => {
            let n = 0;
            const say = (t, fields) => carrier.send(JSON.stringify({ t, n: ++n, ...fields }));
            carrier.onmessage = (text) => {
              const m = JSON.parse(text);
              heard.push(m);
              const hello = { v: 2, room: m.room, role: "host", name: "Mal", key: null };
              if (m.t === "hello") say("hello", { ...hello, nonce: "0".repeat(32) });
              if (m.t === "proof") {
                say("proof", { signature: null });
                const terms = { start: null, clock: null, rated: false, colours: "choose" };
                say("game", {
                  game: "a".repeat(16), terms: { ruleset: "alquerque/none", ...terms },
                  x: "guest", rating: null, began: 0,
                });
              }
            };
          });
        }""",
        site.module(""),
    )
    code = invitation(mal, site, "play", "00112233445566ff")
    host.goto(f"{site.url}#/room?i={code}")
    host.get_by_label("Your name").fill("Gil")
    host.get_by_role("button", name="Come in").click()
    expect(host.get_by_role("alert")).to_contain_text(
        "unknown here (alquerque/none)", timeout=READY
    )
    until(mal, "heard.some(m => m.t === 'seat' && m.yes === false)")


def test_a_watcher_cannot_touch_the_game(host: Page, mal: Page, site: Site) -> None:
    game = seated(host, mal, site)
    act(host, random.Random(1))
    spy = host.context.new_page()
    link = invitation(mal, site, "watch", mal.evaluate("me.room"))
    assert intrude(spy, site, link, "watch") == "in"
    spy.evaluate("me.greet('Spy', 'watch')")
    assert len(heard(spy, "show")["moves"]) == 1
    spy.evaluate("game => me.say('move', { game, at: 1, text: 'resign:x', left: null })", game)
    until(spy, "me.closed")
    same_plies(host, count=1)
    assert plies(host) == 1 and "resign" not in status(host)
