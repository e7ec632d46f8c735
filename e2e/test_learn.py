"""The guides: every one in every language, every example to its end, every mistake with its reason."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Site
from people import until
from playwright.sync_api import Locator, Page, expect
from table import READY

LANGUAGES = ("fr", "es", "en")
GAMES = ("alquerque", "konane", "fanorona", "seega", "surakarta")
STILL = (
    "if (location.host) localStorage.setItem('qirkat.settings', JSON.stringify({motion: false}))"
)

Json = Any


@pytest.fixture
def quiet(quiet: Page) -> Page:
    """Without motion, too."""
    quiet.add_init_script(STILL)
    return quiet


@pytest.fixture
def reader(quiet: Page) -> Page:
    """A visitor whose engine never comes: a guide must not need it."""
    quiet.route("**/runtime-*/**", lambda route: None)
    return quiet


def read(path: Path) -> Json:
    return json.loads(path.read_text("utf-8"))


def open_guide(page: Page, site: Site, address: str) -> None:
    asked = dict(re.findall(r"[?&](g|lang)=([^&]+)", address))
    if page.evaluate("document.documentElement.lang") != asked["lang"]:
        page.goto("about:blank")  # a change of language would mount the screen twice
    page.goto(f"{site.url}#/learn/{address}")
    ruleset = f'="{asked["g"]}"' if "g" in asked else ""
    page.wait_for_selector(f".guide[lang={asked['lang']}][data-ruleset{ruleset}]")
    everything_drawn(page)


def everything_drawn(page: Page) -> None:
    until(
        page,
        "() => [...document.querySelectorAll('.lesson-board')].every(box => box.firstElementChild)",
    )


def lesson(page: Page, kind: str, nth: int = 0) -> Locator:
    return page.locator(f".lesson.{kind}").nth(nth)


def click(board: Locator, name: str) -> None:
    board.locator(f'[data-point="{name}"]').scroll_into_view_if_needed()
    box = board.locator(f'[data-point="{name}"]').bounding_box()
    assert box
    board.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def template(text: str) -> re.Pattern[str]:
    """What a text with places can become."""
    return re.compile(".+".join(re.escape(part) for part in re.split(r"\{\w+\}", text)))


def words_refusal(texts: dict[str, str], kind: str, said: str) -> None:
    """The sentence is the one for this kind of refusal."""
    forms = [
        template(value)
        for key, value in texts.items()
        if key.split("#")[0] in (f"refusal.{kind}", f"refusal.{kind}.bare")
    ]
    assert forms and any(form.fullmatch(said) for form in forms), (kind, said)


def says_why(node: Locator, texts: dict[str, str], kind: str, why: str) -> None:
    node.locator(".lesson-why").wait_for()
    words_refusal(texts, kind, node.locator(".lesson-text").inner_text())
    assert node.locator(".lesson-why").inner_text() == why.replace("*", "")


def chapters(guide: Json, ruleset: str) -> list[Json]:
    """The blocks of a guide in the order of the page."""
    own = next(entry for entry in guide["rulesets"] if entry["ruleset"] == ruleset)
    order = []
    for section in guide["sections"]:
        order.append(section)
        if section["id"] == "end":
            order += own["sections"]
    return [block for section in order for block in section["blocks"]]


#: Goes through all examples with the arrow key and presses every "show the mistake"; without
#: motion each answer is there at once. Tells what was read and how many stones stood there.
READ_THROUGH = """async () => {
  const text = (node) => node?.textContent ?? null;
  const examples = [...document.querySelectorAll('.lesson.example')].map((node) => {
    const steps = [];
    for (let left = node.querySelectorAll('.lesson-step').length; left > 0; left--) {
      steps.push([text(node.querySelector('[aria-current=step] span:last-child')),
        node.querySelectorAll('.pieces .piece').length]);
      node.querySelector('.lesson-controls .primary')
        .dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
    }
    return steps;
  });
  const mistakes = [];
  for (const node of document.querySelectorAll('.lesson.mistake')) {
    node.querySelector('.lesson-answers button').click();
    for (let turn = 0; turn < 100 && !node.querySelector('.lesson-why'); turn++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    mistakes.push([text(node.querySelector('.lesson-text')), text(node.querySelector('.lesson-why'))]);
  }
  return {examples, mistakes};
}"""


@pytest.mark.parametrize("game", GAMES)
def test_every_guide_reads_through(reader: Page, site: Site, game: str) -> None:
    for language in LANGUAGES:
        reads_through(reader, site, game, language)


def reads_through(reader: Page, site: Site, game: str, language: str) -> None:
    guide = read(site.app / "guides" / f"{game}.{language}.json")
    boards = read(site.app / "guides" / f"{game}.boards.json")
    examples = read(site.app / "guides" / f"{game}.examples.json")
    texts = read(site.app / "texts" / f"{language}.json")
    for entry in guide["rulesets"]:
        ruleset = entry["ruleset"]
        open_guide(reader, site, f"{game}?g={ruleset}&lang={language}")
        assert reader.evaluate("document.documentElement.lang") == language
        expect(reader.locator("h1")).to_have_text(guide["title"])
        blocks = chapters(guide, ruleset)
        seen = reader.evaluate(READ_THROUGH)

        wanted = []
        for block in (block for block in blocks if "example" in block):
            told = boards["examples"][block["example"]]
            places = [told["start"], *told["plies"]]
            wanted.append(
                [
                    [caption.replace("*", ""), len(place["pieces"])]
                    for caption, place in zip(block["steps"], places, strict=True)
                ]
            )
        assert seen["examples"] == wanted

        wrong = [block for block in blocks if "mistake" in block]
        for block, (reason, why) in zip(wrong, seen["mistakes"], strict=True):
            words_refusal(texts, examples["mistakes"][block["mistake"]]["kind"], reason)
            assert why == block["why"].replace("*", "")


def test_every_mistake_can_be_made_by_hand(reader: Page, site: Site) -> None:
    texts = read(site.app / "texts" / "en.json")
    for game in GAMES:
        done = set()
        guide = read(site.app / "guides" / f"{game}.en.json")
        boards = read(site.app / "guides" / f"{game}.boards.json")
        examples = read(site.app / "guides" / f"{game}.examples.json")
        for entry in guide["rulesets"]:
            open_guide(reader, site, f"{game}?g={entry['ruleset']}&lang=en")
            blocks = [block for block in chapters(guide, entry["ruleset"]) if "mistake" in block]
            for nth, block in enumerate(blocks):
                if block["mistake"] in done:
                    continue
                done.add(block["mistake"])
                node = lesson(reader, "mistake", nth)
                mistake = boards["mistakes"][block["mistake"]]
                for point in mistake["path"]:
                    click(node, point)
                if mistake["stop"]:
                    node.get_by_role("button", name=texts["play.end-turn"]).click()
                says_why(node, texts, examples["mistakes"][block["mistake"]]["kind"], block["why"])


def test_keys_step_through_an_example(page: Page, site: Site) -> None:
    """With motion: a run under way gives way to the next key."""
    page.route("**/runtime-*/**", lambda route: None)
    open_guide(page, site, "alquerque?lang=en")
    node = page.get_by_role("group", name="A first exchange")
    count = node.locator(".lesson-count")
    forward = node.get_by_role("button", name="Next move")
    forward.focus()
    for key, shown in (
        ("ArrowRight", "1 of 5"),
        ("ArrowRight", "2 of 5"),
        ("ArrowLeft", "1 of 5"),
        ("End", "5 of 5"),
        ("Home", "0 of 5"),
        ("ArrowLeft", "0 of 5"),
        ("Enter", "1 of 5"),
    ):
        page.keyboard.press(key)
        expect(count).to_have_text(shown)
    page.keyboard.press("End")
    expect(forward).to_be_focused()
    assert forward.get_attribute("aria-disabled") == "true"
    expect(node.locator("svg.board")).to_have_attribute("aria-label", re.compile("Dark: .*Light: "))
    node.get_by_role("button", name=re.compile("^c4×c2")).click()
    expect(count).to_have_text("2 of 5")
    until(page, "document.querySelector('#announcer').textContent.includes('c4')")


def test_other_tries_are_answered_by_the_engine(quiet: Page, site: Site) -> None:
    open_guide(quiet, site, "alquerque?lang=en")
    node = quiet.get_by_role("group", name="A quiet step while a capture waits")
    examples = read(site.app / "guides" / "alquerque.boards.json")["mistakes"]
    moves = examples["table-must-capture"]["state"]["legal"]
    click(node, "a1")
    click(node, "b1")
    expect(node.locator(".lesson-text")).to_have_text(re.compile("capture", re.I), timeout=READY)
    expect(node.locator(".lesson-why")).to_have_count(0)
    quiet.keyboard.press("Escape")
    for point in moves[0]["path"]:
        click(node, point)
    expect(node.locator(".lesson-text")).to_have_text(re.compile("^That move is allowed"))
    node.get_by_role("button", name="Set up again").click()
    expect(node.locator(".lesson-text")).to_have_text(re.compile("^Try it"))


def test_the_list_leads_to_guides_and_rules_to_chapters(reader: Page, site: Site) -> None:
    reader.goto(f"{site.url}#/learn?lang=es")
    expect(reader.locator(".learn-card")).to_have_count(len(GAMES))
    reader.locator(".learn-rulesets a", has_text="Bell").click()
    heading = reader.locator(".is-rules h2")
    expect(heading).to_have_text("Reglas de Bell")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    reader.get_by_label("Reglas", exact=True).select_option("alquerque/maximum")
    expect(heading).not_to_have_text("Reglas de Bell")
    assert "g=alquerque/maximum" in reader.url
    reader.get_by_role("navigation").get_by_role("link", name="Historia").click()
    expect(reader.locator("#guide-history")).to_be_in_viewport()
    reader.go_back()
    reader.go_back()
    expect(heading).to_have_text("Reglas de Bell")
    play = reader.locator(".guide-head").get_by_role("link", name="ordenador")
    assert "g=alquerque/bell" in (play.get_attribute("href") or "")


def test_a_mix_without_a_guide_is_told_by_its_options(reader: Page, site: Site) -> None:
    open_guide(reader, site, "alquerque/rules?g=alquerque/table;noreturn=yes&lang=en")
    names = read(site.app / "texts" / "rules.en.json")
    expect(reader.locator(".guide-options dd")).to_have_text(names["option.noreturn.yes.about"])


def test_a_wrong_address_and_a_lost_file_are_told(page: Page, site: Site) -> None:
    page.route("**/runtime-*/**", lambda route: None)
    page.goto(f"{site.url}#/learn/chess")
    expect(page.locator(".notice")).to_be_visible()
    expect(page.locator(".learn-card")).to_have_count(len(GAMES))
    (site.app / "guides" / "seega.boards.json").unlink()
    page.goto(f"{site.url}#/learn/seega?lang=en")
    expect(page.locator(".notice")).to_have_text(re.compile("could not be fetched"))


def test_guides_fit_a_phone(reader: Page, site: Site) -> None:
    reader.set_viewport_size({"width": 360, "height": 640})
    for game, language in itertools.product(GAMES, LANGUAGES):
        ruleset = read(site.app / "guides" / f"{game}.en.json")["rulesets"][-1]["ruleset"]
        open_guide(reader, site, f"{game}?g={ruleset}&lang={language}")
        until(reader, f"document.documentElement.lang === '{language}'")
        assert reader.evaluate("document.documentElement.scrollWidth") == 360
        small = reader.evaluate(
            "[...document.querySelectorAll('main :is(button, select, summary, .button)')]"
            ".filter(node => node.checkVisibility({visibilityProperty: true}))"
            ".map(node => [node.textContent, node.getBoundingClientRect()])"
            ".filter(([, box]) => box.width && (box.width < 40 || box.height < 40))"
            ".map(([text]) => text)"
        )
        assert small == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_screens_are_accessible(reader: Page, site: Site, theme: str) -> None:
    reader.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    for address, mark in (
        ("learn", ".learn-card:nth-child(5)"),
        ("learn/fanorona", ".guide[data-ruleset='fanorona/tsivy'] .guide-text"),
        ("learn/alquerque", ".guide[data-ruleset='alquerque/table'] .guide-text"),
        ("print", ".pieces-sheet"),
    ):
        reader.goto(f"{site.url}#/{address}?lang=en")
        reader.wait_for_selector(mark)
        everything_drawn(reader)
        reader.evaluate((ROOT / "node_modules/axe-core/axe.min.js").read_text())
        faults = reader.evaluate(
            "axe.run('main').then(({violations}) => violations"
            ".map(({id, nodes}) => [id, nodes.map(({target}) => target.join()).slice(0, 4)]))"
        )
        assert faults == [], address
