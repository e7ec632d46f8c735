"""Boards on other people's pages: in a frame, as an element, several, from another origin, without storage."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serve
from conftest import Site
from people import until
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect
from table import READY

FANORONA = "d3e3+ f4f3+ d2d3+ c3d4-,d5- b3c3-,d2- c4c3+,b4-"
HEAR = """
window.heard = [];
addEventListener("message", ({data}) => { if (data?.qirkat) heard.push(data); });
for (const name of ["ready", "move", "undo", "show", "end", "error"]) {
  addEventListener("qirkat-" + name, ({type, target, detail}) => {
    (window.events ??= []).push([type, target.id, detail]);
  });
}
"""


class Club:
    """Somebody's page on an origin of its own, without any policy."""

    def __init__(self, folder: Path, site: Site) -> None:
        self.folder = folder
        self.site = site
        handler = functools.partial(serve.Handler, directory=str(folder))
        self.server = serve.Server(("localhost", 0), handler)
        self.origin = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def write(self, body: str, *, element: bool = True) -> str:
        """The address of a page with this body; it notes all messages and events."""
        script = f'<script src="{self.site.url}qirkat-board.js" defer></script>'
        (self.folder / "index.html").write_text(
            f"<!doctype html><meta charset=utf-8><title>Club</title><link rel=icon href='data:,'>"
            f"<style>body{{margin:8px}}</style><script>{HEAR}</script>"
            f"{script if element else ''}{body}"
        )
        return f"{self.origin}/index.html"


@pytest.fixture
def club(tmp_path: Path, site: Site) -> Iterator[Club]:
    folder = tmp_path / "club"
    folder.mkdir()
    made = Club(folder, site)
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Page]:
    """A page of a fresh profile that may ask both origins; its console must stay free of errors."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1100, "height": 800})
    errors: list[str] = []
    page = context.new_page()
    page.on(
        "console", lambda message: errors.append(message.text) if message.type == "error" else None
    )
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield page
    context.close()
    assert errors == []


def frame_of(page: Page, number: int = 0, within: str = "body") -> Frame:
    """The frame in the order in which the page has its boards."""
    handle = page.query_selector_all(f"{within} iframe")[number]  # looks into shadow trees as well
    frame = handle.content_frame()
    assert frame
    frame.wait_for_selector(".points", timeout=READY)
    return frame


def press(frame: Frame, *points: str) -> None:
    for name in points:
        frame.locator(f'[data-point="{name}"]').click(force=True)


def at(frame: Frame, name: str) -> str:
    said = frame.locator(f'[data-point="{name}"]').get_attribute("aria-label") or ""
    return said.split(", ")[1]


def stands(frame: Frame, name: str, what: str, timeout: float = 5000) -> None:
    """The point holds this, once a piece under way has arrived."""
    label = re.compile(f"^{name}, {what}(,|$)")
    expect(frame.locator(f'[data-point="{name}"]')).to_have_attribute(
        "aria-label", label, timeout=timeout
    )


def ready(page: Page, count: int = 1) -> None:
    until(
        page, "count => (window.heard ?? []).filter(m => m.type === 'ready').length >= count", count
    )


def events(page: Page, kind: str) -> list[tuple[str, dict[str, Any]]]:
    found: list[list[Any]] = page.evaluate("window.events ?? []")
    return [(where, detail) for name, where, detail in found if name == f"qirkat-{kind}"]


def board(identity: str, **attributes: str) -> str:
    written = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<qirkat-board id="{identity}"{written}></qirkat-board>'


def asked_python(site: Site) -> bool:
    return any("pyodide.asm.wasm" in path for path in site.asked)


def test_two_boards_stand_and_take_a_first_move_without_python(
    visit: Page, club: Club, site: Site
) -> None:
    one = board("one", game="alquerque/table", side="both", controls="none", style="width:340px")
    two = board("two", game="seega/5x5", side="both", lang="fr", style="width:340px")
    visit.goto(club.write(one + two))
    ready(visit, 2)
    first, second = frame_of(visit), frame_of(visit, 1)
    visit.wait_for_timeout(300)
    assert not asked_python(site)
    press(first, "d2", "c3")
    expect(first.locator(".trail-line")).to_have_count(1)
    stands(first, "c3", "dark piece")
    stands(second, "c3", "vide")
    [(where, detail)] = events(visit, "move")
    assert where == "one"
    assert (detail["move"], detail["side"], detail["by"]) == ("d2-c3", "x", "visitor")
    assert detail["state"]["moves"] == ["d2-c3"] and detail["state"]["side"] == "o"
    press(second, "a1")
    until(visit, "document.querySelector('#two').state.moves.length === 1")
    assert visit.evaluate("document.querySelector('#one').state.moves") == ["d2-c3"]


def test_the_page_can_play_step_and_change_a_board(visit: Page, club: Club) -> None:
    visit.goto(club.write(board("b", game="alquerque/table", side="both", style="width:400px")))
    ready(visit)
    frame = frame_of(visit)

    def call(text: str) -> Any:
        return visit.evaluate(f"""async () => {{
          const b = document.querySelector("#b");
          try {{ return await {text}; }} catch (error) {{ return [error.kind, error.message]; }}
        }}""")

    assert call("b.play('D2 - c3')")["moves"] == ["d2-c3"]
    assert call("b.play('d4xd2')")["moves"] == ["d2-c3", "d4xd2"]
    [(_, played), (_, again)] = events(visit, "move")
    assert played["by"] == again["by"] == "page"
    kind, message = call("b.play('a1-a2')")
    assert kind == "must-capture" and message.startswith("You must capture")
    assert [detail["kind"] for _, detail in events(visit, "error")] == ["must-capture"]
    assert call("b.show(0)")["ply"] == 0
    stands(frame, "d2", "dark piece")
    assert call("b.step(1)")["ply"] == 1
    assert call("b.step(99)")["ply"] == 2
    assert call("b.turn(true)")["flip"] is True
    assert call("b.turn(true)")["flip"] is True
    assert call("b.turn()")["flip"] is False
    assert call("b.undo()")["moves"] == ["d2-c3"]
    assert call("b.play('resign:o')")["outcome"] == {"winner": "x", "reason": "resignation"}
    [(_, end)] = events(visit, "end")
    assert (end["winner"], end["reason"]) == ("x", "resignation")
    assert call("b.again()")["moves"] == []

    visit.evaluate("""() => {
      const b = document.querySelector("#b");
      b.game = "fanorona/tsivy"; b.moves = "d3e3+ f4f3+"; b.ply = 1; b.readonly = true;
    }""")
    until(visit, "document.querySelector('#b').state.ply === 1 && b.state.moves.length === 2")
    expect(frame.locator(".play")).to_have_class(re.compile("is-readonly is-set"))
    assert frame.locator(".point").count() == 45
    visit.evaluate("document.querySelector('#b').ply = 2")
    until(visit, "document.querySelector('#b').state.ply === 2")
    visit.evaluate("b.theme = 'dark'; b.setAttribute('board', 'stone'); b.flip = true")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    expect(frame.locator("html")).to_have_attribute("data-board", "stone")
    until(visit, "document.querySelector('#b').state.flip === true")
    visit.evaluate("b.game = 'chess'")
    until(visit, "events.at(-1)[2].kind === 'link.value'")


@pytest.mark.parametrize("named", ["https://elsewhere.example", None])
def test_commands_from_a_page_that_is_not_named_are_not_heard(
    visit: Page, club: Club, site: Site, named: str | None
) -> None:
    origin = f"&origin={named}" if named else ""
    source = f"{site.url}embed.html#/play?g=alquerque/table&side=both{origin}"
    visit.goto(
        club.write(
            f'<iframe id="f" src="{source}" width="400" height="500"></iframe>', element=False
        )
    )
    frame = frame_of(visit)
    if named:  # nor is such a page told anything: the browser drops what goes to another origin
        visit.wait_for_timeout(500)
        assert visit.evaluate("heard.length") == 0
    else:
        ready(visit)
    visit.evaluate(
        "f.contentWindow.postMessage({qirkat: 1, id: 1, command: 'move', move: 'd2-c3'}, '*')"
    )
    visit.wait_for_timeout(500)
    stands(frame, "c3", "empty")
    assert visit.evaluate("heard.filter(m => m.type === 'answer').length") == 0


def test_only_the_page_around_is_heard_and_only_in_whole_commands(
    visit: Page, club: Club, site: Site
) -> None:
    source = f"{site.url}embed.html#/play?g=alquerque/table&side=both&origin={club.origin}"
    (club.folder / "other.html").write_text(
        "<script>onmessage = () => parent.frames[0].postMessage("
        "{qirkat: 1, id: 'sly', command: 'move', move: 'd2-c3'}, '*')</script>"
    )
    visit.goto(
        club.write(
            f'<iframe id="f" src="{source}" width="400" height="500"></iframe>'
            '<iframe id="g" src="other.html"></iframe>',
            element=False,
        )
    )
    ready(visit)
    frame = frame_of(visit)
    visit.evaluate("g.contentWindow.postMessage('go', '*')")
    visit.wait_for_timeout(400)
    stands(frame, "c3", "empty")
    for wrong in (
        "{qirkat: 1, id: 'a', command: 'eval', code: '1'}",
        "{qirkat: 1, id: 'b', command: 'move', move: '<b>'}",
        "{qirkat: 1, id: 'c', command: 'move', move: 'd2-c3', more: 1}",
        "{qirkat: 2, id: 'd', command: 'move', move: 'd2-c3'}",
    ):
        visit.evaluate(f"f.contentWindow.postMessage({wrong}, '*')")
    visit.evaluate("f.contentWindow.postMessage({hello: 'world'}, '*')")
    until(visit, "heard.filter(m => m.type === 'error').length === 4")
    assert visit.evaluate("heard.filter(m => m.kind === 'command').length") == 4
    stands(frame, "c3", "empty")
    visit.evaluate(
        "f.contentWindow.postMessage({qirkat: 1, id: 'e', command: 'move', move: 'd2-c3'}, '*')"
    )
    until(visit, "heard.some(m => m.type === 'answer' && m.id === 'e' && m.ok)")
    stands(frame, "c3", "dark piece")
    assert visit.evaluate("heard.filter(m => m.type === 'answer' && m.ok).length") == 1


def test_a_board_for_looking_only(page: Page, site: Site) -> None:
    moves = FANORONA.replace(" ", "_")
    address = f"embed.html#/play?g=fanorona/tsivy&readonly=1&ply=4&m={moves}"
    site.write(
        site.root / "host.html",
        "<!doctype html><title>Host</title><link rel='icon' href='icons/icon.svg'>"
        f"<iframe width=600 height=480 src='{address}'></iframe>",
    )
    page.goto(f"{site.url}host.html")
    frame = frame_of(page)
    caption = frame.locator(".status")
    expect(caption).to_contain_text("4/6", timeout=READY)
    for _ in range(50):  # its engine has gone again: all is read
        if not page.workers:
            break
        page.wait_for_timeout(100)
    assert page.workers == []
    before = at(frame, "e3")
    press(frame, "d1", "d2")
    assert at(frame, "e3") == before
    expect(caption).to_contain_text("4/6")
    frame.get_by_role("button", name="Forward one move").click()
    expect(caption).to_contain_text("5/6")
    page.keyboard.press("End")
    expect(caption).to_contain_text("6/6")
    page.keyboard.press("Home")
    expect(caption).to_contain_text("Starting position")
    assert page.workers == []
    assert not frame.get_by_role("button", name="Undo").is_visible()
    link = frame.get_by_role("link", name="Open in Qirkat").get_attribute("href") or ""
    assert link.startswith(f"{site.url}#/play?g=fanorona/tsivy&m=d3e3+_f4f3+")


def test_arrow_keys_are_the_pages_own_until_the_board_has_the_focus(
    visit: Page, club: Club
) -> None:
    body = '<input id="field">' + board("b", game="fanorona/tsivy", readonly="", moves=FANORONA)
    visit.goto(club.write(body))
    ready(visit)
    visit.evaluate("field.focus()")
    visit.keyboard.press("ArrowLeft")
    visit.keyboard.press("Home")
    visit.wait_for_timeout(200)
    assert visit.evaluate("b.state.ply") == 6
    frame_of(visit).get_by_role("button", name="Back one move").click()
    visit.keyboard.press("ArrowLeft")
    until(visit, "b.state.ply === 4")
    visit.evaluate("field.focus()")
    visit.keyboard.press("ArrowLeft")
    visit.wait_for_timeout(200)
    assert visit.evaluate("b.state.ply") == 4


def test_the_computer_plays_where_storage_is_blocked(visit: Page, club: Club, site: Site) -> None:
    visit.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {"
        "Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } }) }"
        "Object.defineProperty(Navigator.prototype, 'serviceWorker', { get() { return undefined; } });"
        "Object.defineProperty(Navigator.prototype, 'locks', { get() { return undefined; } });"
    )
    visit.goto(club.write(board("b", game="alquerque/table", side="o", level="1", controls="full")))
    ready(visit)
    frame = frame_of(visit)
    visit.wait_for_timeout(300)
    assert not asked_python(site)  # the computer moves first, but nobody is playing yet
    frame.get_by_role("button", name="Start", exact=True).click()
    until(visit, "b.state.moves.length === 1 && b.state.side === 'o'")
    [(_, detail)] = events(visit, "move")
    assert (detail["side"], detail["by"]) == ("x", "computer")
    expect(frame.locator(".strip-name").first).to_have_text("Computer")
    assert frame.locator("html").get_attribute("data-theme") == "auto"


def test_an_engine_that_cannot_be_fetched_can_be_tried_again(page: Page, site: Site) -> None:
    page.route("**/engine.js", lambda route: route.abort())
    page.goto(f"{site.url}embed.html#/play?g=alquerque/table&side=x&level=1")
    expect(page.locator(".points")).to_be_visible(timeout=READY)
    for point in ("d2", "c3"):
        page.locator(f'[data-point="{point}"]').click(force=True)
    expect(page.locator(".boot.is-failed")).to_contain_text("engine.js", timeout=READY)
    page.unroute("**/engine.js")
    assert page.get_by_role("button", name="Try again").count() == 1
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".moves [data-ply]")).to_have_count(2, timeout=READY)


def test_a_board_speaks_the_language_it_is_told(visit: Page, club: Club) -> None:
    visit.goto(club.write(board("b", game="seega/5x5", side="both", lang="fr", theme="dark")))
    ready(visit)
    frame = frame_of(visit)
    expect(frame.locator("html")).to_have_attribute("lang", "fr")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    press(frame, "a1")
    until(visit, "b.state.moves.length === 1")
    visit.evaluate("b.lang = 'es'")
    expect(frame.locator("html")).to_have_attribute("lang", "es")
    until(visit, "b.state.moves.length === 1")
    expect(frame.get_by_role("button", name="Deshacer", exact=True)).to_be_visible()


def test_a_wrong_address_is_told_to_both(visit: Page, club: Club) -> None:
    visit.goto(club.write(board("b", game="seega/5x5", moves="a1 <b>", side="both")))
    ready(visit)
    expect(frame_of(visit).locator(".status")).to_contain_text("cannot be read")
    [(_, detail)] = events(visit, "error")
    assert detail["kind"] == "link.value" and "<b>" in detail["message"]


@pytest.mark.parametrize("size", [(200, 240), (320, 400), (360, 640), (640, 300), (900, 700)])
@pytest.mark.parametrize("controls", ["full", "bar", "none"])
def test_a_board_fits_any_frame(
    page: Page, site: Site, size: tuple[int, int], controls: str
) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{site.url}embed.html#/play?g=fanorona/tsivy&side=both&lang=fr&controls={controls}")
    page.wait_for_selector(".points", timeout=READY)
    assert page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    ) == [width, height]
    drawn = page.locator(".board .slab-edge").bounding_box()
    assert drawn
    assert drawn["x"] >= -1 and drawn["x"] + drawn["width"] <= width + 1
    assert drawn["y"] >= -1 and drawn["y"] + drawn["height"] <= height + 1
    assert drawn["width"] >= 0.55 * width
    if controls != "none":
        for button in page.locator(".steps .button:visible, .actions .button:visible").all():
            box = button.bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= width + 0.5
            assert box["y"] + box["height"] <= height + 0.5
            assert (box["height"] >= 40 and box["width"] >= 30) or width < 300


def test_the_element_takes_the_height_that_its_board_needs(visit: Page, club: Club) -> None:
    visit.goto(
        club.write(
            board("a", game="fanorona/tsivy", style="width:360px")
            + board("b", game="surakarta/6x6", style="width:300px", controls="none")
            + board("c", game="seega/5x5", style="width:300px;height:250px")
        )
    )
    ready(visit, 3)
    visit.wait_for_timeout(300)
    sizes = visit.evaluate("[a, b, c].map(one => [one.offsetWidth, one.offsetHeight])")
    assert sizes[0][0] == 360 and 290 < sizes[0][1] < 350
    assert sizes[1][0] == 300 and 295 <= sizes[1][1] <= 310
    assert sizes[2] == [300, 250]
    for number, (width, height) in enumerate(sizes[:2]):
        box = frame_of(visit, number).evaluate(
            "(() => { const {width, height} = document.querySelector('.board').getBoundingClientRect();"
            "return [width, height]; })()"
        )
        assert box[0] > width - 20 and box[1] <= height


@pytest.mark.parametrize(
    ("locale", "says"), [("fr-CH", "Trouvé"), ("es-ES", "Resuelto"), ("en-GB", "Solved")]
)
def test_the_examples(browser: Browser, site: Site, locale: str, says: str) -> None:
    context: BrowserContext = browser.new_context(
        locale=locale, viewport={"width": 820, "height": 1180}
    )
    page = context.new_page()
    errors: list[str] = []
    page.on(
        "console", lambda message: errors.append(message.text) if message.type == "error" else None
    )
    page.goto(f"{site.url}examples/")
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    assert page.locator("h1 span:visible").count() == 1
    puzzle = frame_of(page, within="#puzzle")
    puzzle.wait_for_selector(".mark-movable", timeout=READY)
    press(puzzle, "c1", "a3", "c5", "e3", "c1")
    expect(page.locator("#puzzle .said")).to_contain_text(says, timeout=READY)
    assert frame_of(page, within="#puzzle").locator("html").get_attribute("lang") == locale[:2]
    if locale == "en-GB":
        output = page.locator("#viewer output")
        frame_of(page, within="#viewer").wait_for_selector(".steps .button:enabled", timeout=READY)
        page.locator("#viewer [data-step='1']").click()
        page.locator("#viewer [data-step='1']").click()
        expect(output).to_have_text("2")
        page.locator("#frame iframe").scroll_into_view_if_needed()
        stands(frame_of(page, within="#frame"), "d3", "empty", READY)
    context.close()
    assert errors == []
