"""The page's texts: three complete languages, nothing missing, nothing left over."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
LANGUAGES = ("fr", "es", "en")
#: Keys that a module makes from data: the part before is fixed, the rest comes from the engine or from settings.
MADE = re.compile(r"\bt\(\s*`([^`$]*)\$\{")
BUILT = re.compile(r"`([a-z][a-z0-9-]*\.(?:[a-z0-9-]+[.-])*)\$\{")
PLAIN = re.compile(r"""["'`]([a-z][a-z-]*(?:\.[a-z0-9-]+)+)["'`]""")


def texts(language: str, kind: str = "") -> dict[str, str]:
    name = f"{kind}.{language}.json" if kind else f"{language}.json"
    pairs = json.loads((WEB / "texts" / name).read_text("utf-8"), object_pairs_hook=list)
    found = dict(pairs)
    assert len(found) == len(pairs), f"{name} says a key twice"
    return found


def sources() -> str:
    files = [path for path in WEB.rglob("*.js") if "vendor" not in path.parts]
    return "\n".join(path.read_text("utf-8") for path in files)


def stem(key: str) -> str:
    return key.split("#")[0]


def wire_kinds(heading: str) -> set[str]:
    wire = (ROOT / "docs" / "wire.md").read_text("utf-8")
    section = wire.split(f"## {heading}")[1].split("\n## ")[0]
    return set(re.findall(r"`([a-z]+(?:[.-][a-z]+)*)`", section))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts(language: str) -> None:
    english = {stem(key): value for key, value in texts("en").items()}
    other = texts(language)
    assert {stem(key) for key in other} == set(english)
    assert all(value.strip() for value in other.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_the_forms_that_the_language_needs(language: str) -> None:
    forms: dict[str, set[str]] = {}
    for key in texts(language):
        if "#" in key:
            forms.setdefault(stem(key), set()).add(key.split("#")[1])
    assert all({"one", "other"} <= found for found in forms.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fills_the_same_places(language: str) -> None:
    english = texts("en")

    def places(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text)) - {"who"}  # a language may leave out who acts

    def same(key: str, text: str) -> bool:
        one = {"n"} if key.endswith("#one") else set()  # "one move" needs no figure
        return places(text) - one == places(english[key]) - one

    wrong = [key for key, text in texts(language).items() if not same(key, text)]
    assert wrong == []


def test_every_text_that_the_page_asks_for_is_there() -> None:
    known = {stem(key) for key in texts("en")} | {stem(key) for key in texts("en", "rules")}
    asked = set(re.findall(r"""\bt\(\s*["']([^"']+)["']""", sources()))
    assert asked - known == set()
    for prefix in MADE.findall(sources()):
        assert any(key.startswith(prefix) for key in known), prefix


def test_no_text_is_left_over() -> None:
    code = sources()
    plain = set(PLAIN.findall(code))
    made = tuple(BUILT.findall(code))
    unused = [
        key
        for key in {stem(key) for key in texts("en")}
        if key not in plain and not key.startswith(made) and f'"{key}"' not in code
    ]
    assert unused == []


def test_every_refusal_and_fault_has_its_sentence() -> None:
    known = set(texts("en"))
    refusals = wire_kinds("Refusal kinds (explain, illegal moves)")
    assert len(refusals) > 25
    assert {f"refusal.{kind}" for kind in refusals} - known == set()
    faults = {kind for kind in wire_kinds("Position error kinds") if "." in kind}
    assert len(faults) > 15
    assert {f"fault.{kind}" for kind in faults} - known == set()


def test_every_result_has_its_reason() -> None:
    known = set(texts("en"))
    for reason in (
        "eliminated",
        "blocked",
        "few",
        "count",
        "limit",
        "repetition",
        "agreement",
        "resignation",
    ):
        assert f"reason.{reason}" in known


def test_french_marks_stand_off_without_breaking_the_line() -> None:
    for key, text in texts("fr").items():
        assert not re.search("[ \u00a0][;!?]|[ \u202f][:»%]|«[ \u202f]", text), f"{key}: {text}"
