"""Every example, diagram and mistake of the guides is tried on the engine, and the three languages say the same."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyengine.rules import find_rules
from pyengine.service import Service

ROOT = Path(__file__).parents[1]
GUIDES = ROOT / "web" / "guides"
TEXTS = ROOT / "web" / "texts"
LANGUAGES = ("fr", "es", "en")
GAMES = ("alquerque", "konane", "fanorona", "seega", "surakarta")
COMMON_SECTIONS = [
    "board",
    "turn",
    "end",
    "example",
    "mistake",
    "questions",
    "strategy",
    "drawing",
    "history",
    "reading",
]
BLOCKS = {
    "p": {"p"},
    "list": {"list"},
    "diagram": {"diagram", "ruleset", "caption"},
    "example": {"example", "caption", "steps"},
    "mistake": {"mistake", "caption", "why"},
    "question": {"question", "answer"},
}
#: Keys of a block whose values are not words for a reader.
CODES = {"diagram", "ruleset", "example", "mistake"}
POINT = re.compile(r"\b[a-j](?:10|[1-9])\b")

Json = dict[str, Any]


def load(path: Path) -> Json:
    data: Json = json.loads(path.read_text(encoding="utf-8"))
    return data


def guide(game: str, language: str) -> Json:
    return load(GUIDES / f"{game}.{language}.json")


def examples(game: str) -> Json:
    return load(GUIDES / f"{game}.examples.json")


def names(language: str) -> Json:
    return load(TEXTS / f"rules.{language}.json")


def ask(method: str, **params: Any) -> Any:
    """The engine's answer, as the page gets it."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    (reply,) = json.loads(Service().handle(json.dumps(request)))
    assert "result" in reply, f"{params}: {reply['error']['message']}"
    return reply["result"]


def all_sections(text: Json) -> Iterator[tuple[str | None, Json]]:
    """Every section with its ruleset; None for the common ones."""
    for section in text["sections"]:
        yield None, section
    for entry in text["rulesets"]:
        for section in entry["sections"]:
            yield entry["ruleset"], section


def blocks(text: Json) -> Iterator[Json]:
    for _, section in all_sections(text):
        yield from section["blocks"]


def sentences(value: Any, key: str | None = None) -> Iterator[str]:
    """Everything a reader reads, in order."""
    if isinstance(value, str):
        if key not in CODES:
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from sentences(item, key)
    else:
        for name, item in value.items():
            if name != "id":
                yield from sentences(item, name)


def shape(value: Any, key: str | None = None) -> Any:
    """A guide without its words: what must be the same in every language."""
    if isinstance(value, str):
        return value if key in CODES or key == "id" else None
    if isinstance(value, list):
        return [shape(item, key) for item in value]
    return {name: shape(item, name) for name, item in value.items()}


EXAMPLES = [
    pytest.param(entry, id=f"{game}-{name}")
    for game in GAMES
    for name, entry in examples(game)["examples"].items()
]
MISTAKES = [
    pytest.param(entry, id=f"{game}-{name}")
    for game in GAMES
    for name, entry in examples(game)["mistakes"].items()
]


# --- what the guides claim about the rules -----------------------------------------------------------


@pytest.mark.parametrize("entry", EXAMPLES)
def test_example_can_be_played(entry: Json) -> None:
    assert set(entry) == {"ruleset", "position", "moves"}
    assert entry["moves"]
    start = {"ruleset": entry["ruleset"], "position": entry["position"]}
    assert ask("check", **start)["position"] == entry["position"]
    for played, move in enumerate(entry["moves"]):
        legal = ask("state", **start, moves=entry["moves"][:played])["legal"]
        assert move in [candidate["text"] for candidate in legal]


@pytest.mark.parametrize("game", GAMES)
def test_an_empty_board_has_a_picture_to_show_at_rest(game: str) -> None:
    first = next(one["ruleset"] for one in ask("rulesets") if one["game"] == game)
    start = ask("state", ruleset=first)
    picture = examples(game).get("picture")
    assert bool(start["pieces"]) != bool(picture)
    if picture:
        test_example_can_be_played(picture)


@pytest.mark.parametrize("entry", MISTAKES)
def test_mistake_is_refused_with_its_reason(entry: Json) -> None:
    assert set(entry) in (
        {"ruleset", "position", "path", "kind"},
        {"ruleset", "position", "path", "move", "kind"},
    )
    start = {"ruleset": entry["ruleset"], "position": entry["position"]}
    assert ask("check", **start)["position"] == entry["position"]
    assert ask("state", **start)["legal"], "a finished game refuses everything"
    attempt = {"move": entry["move"]} if "move" in entry else {"path": entry["path"]}
    refusal = ask("explain", **start, **attempt)
    assert refusal is not None, "the engine accepts this"
    assert refusal["kind"] == entry["kind"]


@pytest.mark.parametrize("game", GAMES)
def test_diagrams_are_positions(game: str) -> None:
    shown = [block for block in blocks(guide(game, "en")) if "diagram" in block]
    assert shown
    for block in shown:
        checked = ask("check", ruleset=block["ruleset"], position=block["diagram"])
        assert checked["position"] == block["diagram"]


def test_the_first_diagram_is_the_start() -> None:
    for game in GAMES:
        block = next(block for block in blocks(guide(game, "en")) if "diagram" in block)
        assert block["diagram"] == ask("describe", ruleset=block["ruleset"])["start"]


def test_rule_sheet_cases_are_examples() -> None:
    cases = json.loads((ROOT / "tests" / "data" / "cases.json").read_text(encoding="utf-8"))
    sheet = {
        (case["ruleset"], case["position"])
        for case in cases
        if case["note"].startswith("rule sheet")
    }
    assert len(sheet) == 5
    shown = {
        (entry["ruleset"], entry["position"])
        for game in GAMES
        for entry in examples(game)["examples"].values()
    }
    assert sheet <= shown


def test_what_the_guide_says_about_the_first_move_on_nine_points() -> None:
    """Two of the four first captures of fanorona/telo win, two lose; 1012 positions; eleven plies."""
    rules = find_rules("fanorona/telo")
    start = rules.start()
    after: dict[Any, list[Any]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        key = rules.key(state)
        if key not in after:
            fresh = (*state[:3], 0, *state[4:])  # the value without the limit of quiet plies
            after[key] = [rules.key(child) for child in rules.successors(fresh)]
            waiting += rules.successors(fresh)
    assert len(after) == 1012
    lost_in = {key: 0 for key, children in after.items() if not children}
    won_in: dict[Any, int] = {}
    for distance in range(1, 30):
        for key, children in after.items():
            if key in won_in or key in lost_in or not children:
                continue
            if any(lost_in.get(child) == distance - 1 for child in children):
                won_in[key] = distance
            elif all(won_in.get(child, distance) < distance for child in children):
                lost_in[key] = distance
    assert won_in[rules.key(start)] == 11
    first = {move.text: rules.key(move.after) for move in rules.legal_moves(start)}
    assert sorted(text for text, key in first.items() if key in lost_in) == ["c1b2+", "c2b2+"]
    assert sorted(text for text, key in first.items() if key in won_in) == ["a1b2+", "b1b2+"]
    assert len(examples("fanorona")["examples"]["telo-won"]["moves"]) == 11


# --- every ruleset has its guide and its names -------------------------------------------------------


def test_every_ruleset_has_a_guide_and_names() -> None:
    infos = [info for info in ask("rulesets") if info["game"] in GAMES]
    assert len(infos) == 21
    offered = [info["ruleset"] for info in infos]
    told = [entry["ruleset"] for game in GAMES for entry in guide(game, "en")["rulesets"]]
    assert sorted(told) == sorted(offered)
    for language in LANGUAGES:
        keys = {key for key in names(language) if key.startswith("ruleset.")}
        assert keys == {
            f"ruleset.{ruleset}.{part}" for ruleset in offered for part in ("name", "about")
        }


def test_every_option_and_value_has_a_name() -> None:
    described = ask("describe", ruleset="alquerque/table")["options"]
    assert len(described) == 11
    wanted = {"option.limit.n", "option.limit.0", "option.limit.0.about"}
    for option in described:
        wanted |= {f"option.{option['name']}.{part}" for part in ("name", "about")}
        for value in option["choices"]:
            wanted |= {f"option.{option['name']}.{value}", f"option.{option['name']}.{value}.about"}
    assert {key for key in names("en") if key.startswith("option.")} == wanted


def test_every_impossible_mix_is_explained() -> None:
    """Every pair of option values that the engine refuses together has its sentence."""
    options = ask("describe", ruleset="alquerque/table")["options"]
    pairs = [
        (option["name"], value)
        for option in options
        for value in [*option["choices"], *_limits(option)]
    ]
    refused = set()
    for one, value in pairs:
        for other, second in pairs:
            if one < other:
                text = f"alquerque/table;{one}={value};{other}={second}"
                request = {
                    "jsonrpc": "2.0",
                    "id": 1,
                    "method": "describe",
                    "params": {"ruleset": text},
                }
                (reply,) = json.loads(Service().handle(json.dumps(request)))
                if "error" in reply:
                    assert reply["error"]["data"]["kind"] == "ruleset.mix"
                    refused.add(f"mix.{reply['error']['data']['mix']}")
    assert refused
    assert refused <= names("en").keys()


@pytest.mark.parametrize(
    ("mix", "plain"),
    [
        ("alquerque/maximum;finish=may", "alquerque/maximum"),
        ("alquerque/doce-short;lastrank=captures-only", "alquerque/doce-short"),
        ("alquerque/doce-long;lastrank=sideways-only", "alquerque/doce-long"),
        ("alquerque/table;sultan=short", "alquerque/table"),
    ],
)
def test_mixes_called_pointless_change_no_move(mix: str, plain: str) -> None:
    """The same moves are legal all along random games, whatever the option says."""
    one, other = find_rules(mix), find_rules(plain)
    chance = random.Random(1)
    for _ in range(25):
        state, twin = one.start(), other.start()
        while moves := {move.text: move.after for move in one.legal_moves(state)}:
            twins = {move.text: move.after for move in other.legal_moves(twin)}
            assert moves.keys() == twins.keys()
            text = chance.choice(sorted(moves))
            state, twin = moves[text], twins[text]
        assert not other.legal_moves(twin)


def _limits(option: Json) -> list[str]:
    return ["0", "40"] if option["name"] == "limit" else []


def test_colours_have_names() -> None:
    used = {
        colour
        for game in GAMES
        for colour in ask("describe", ruleset=f"{game}/{_preset(game)}")["colours"].values()
    }
    assert {f"colour.{colour}" for colour in used} <= names("en").keys()


def _preset(game: str) -> str:
    return next(info["preset"] for info in ask("rulesets") if info["game"] == game)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_guide_is_complete(game: str, language: str) -> None:
    text = guide(game, language)
    assert set(text) == {"title", "intro", "sections", "rulesets"}
    assert [section["id"] for section in text["sections"]] == COMMON_SECTIONS
    questions = [block for block in blocks(text) if "question" in block]
    assert len(questions) >= 3
    for entry in text["rulesets"]:
        own = {section["id"]: section["blocks"] for section in entry["sections"]}
        assert (
            {"differs", "example", "mistake", "strategy"}
            <= set(own)
            <= {*COMMON_SECTIONS, "differs"}
        )
        assert len(own) == len(entry["sections"])
        assert any("example" in block for block in own["example"])
        assert any("mistake" in block for block in own["mistake"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_blocks_fit_the_examples(game: str, language: str) -> None:
    data, used = examples(game), set()
    for ruleset, section in all_sections(guide(game, language)):
        for block in section["blocks"]:
            (kind,) = BLOCKS.keys() & block.keys()
            assert set(block) == BLOCKS[kind]
            if kind in ("example", "mistake"):
                entry = data[f"{kind}s"][block[kind]]
                used.add((kind, block[kind]))
                assert ruleset in (None, entry["ruleset"])
                if kind == "example":
                    assert len(block["steps"]) == len(entry["moves"]) + 1
            elif kind == "diagram":
                assert ruleset in (None, block["ruleset"])
    assert used == {(kind, name) for kind in ("example", "mistake") for name in data[f"{kind}s"]}


# --- the languages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_languages_have_one_shape_and_name_the_same_points(game: str) -> None:
    english = guide(game, "en")
    for language in ("fr", "es"):
        other = guide(game, language)
        assert shape(other) == shape(english)
        for ours, theirs in zip(sentences(english), sentences(other), strict=True):
            assert set(POINT.findall(ours)) == set(POINT.findall(theirs)), f"{ours} | {theirs}"


def test_names_have_one_set_of_keys() -> None:
    assert list(names("fr")) == list(names("es")) == list(names("en"))


@pytest.mark.parametrize("game", GAMES)
def test_points_named_beside_a_board_are_on_it(game: str) -> None:
    data = examples(game)
    for block in blocks(guide(game, "en")):
        for kind in BLOCKS.keys() & block.keys() & {"example", "mistake", "diagram"}:
            ruleset = (
                block["ruleset"] if kind == "diagram" else data[f"{kind}s"][block[kind]]["ruleset"]
            )
            board = find_rules(ruleset).board.names
            for sentence in sentences(block):
                assert set(POINT.findall(sentence)) <= set(board), sentence


def every_sentence(language: str) -> list[str]:
    return [
        *names(language).values(),
        *(sentence for game in GAMES for sentence in sentences(guide(game, language))),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_typography(language: str) -> None:
    for sentence in every_sentence(language):
        assert sentence == sentence.strip() != ""
        assert "TODO" not in sentence
        assert "  " not in sentence
        assert not re.search("[\"']", sentence), f"straight quote: {sentence}"
        assert sentence.count("*") % 2 == 0, sentence
        if language == "fr":
            assert not re.search("[^\u202f][;!?]", sentence), f"no narrow space: {sentence}"
            assert not re.search("[^\u00a0]:", sentence), f"no hard space: {sentence}"
            assert not re.search("«[^\u00a0]|[^\u00a0]»", sentence), f"guillemets: {sentence}"
        elif language == "es":
            assert sentence.count("?") == sentence.count("¿"), sentence
            assert sentence.count("!") == sentence.count("¡"), sentence
            assert not re.search("[“”]", sentence), sentence
        else:
            assert not re.search("[«»]", sentence), sentence


def test_doubts_are_flagged() -> None:
    """History that nobody can prove is named so: disputed, untenable, legend, unproven, not verified."""
    flags = {
        "fr": ("Contesté", "Intenable", "Légende", "Non prouvé", "Non vérifié"),
        "es": ("Discutido", "Insostenible", "Leyenda", "No probado", "No verificado"),
        "en": ("Disputed", "Untenable", "Legend", "Unproven", "Not verified"),
    }
    for language, words in flags.items():
        for game in GAMES:
            history = next(s for s in guide(game, language)["sections"] if s["id"] == "history")
            told = " ".join(sentences(history["blocks"]))
            assert any(f"*{word}.*" in told for word in words), (game, language)
