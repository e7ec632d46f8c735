"""The service asks its host for tables of endings, takes them in, and searches with them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from pyengine.service import Service

TABLES = Path(__file__).resolve().parent.parent / "web" / "tables"
INDEX = (TABLES / "index.json").read_text("utf-8")
RULESET = "alquerque/table"
ENDING = "2o2/5/2x2/1x3/5 x 0"


def ask(service: Service, method: str, **params: Any) -> tuple[dict[str, Any], list[str]]:
    """The answer, and the names of the files wanted meanwhile."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    texts = [service.handle(json.dumps(request))]
    while service.busy:
        texts.append(service.pump(50))
    messages = [message for text in texts if text for message in json.loads(text)]
    wanted = [m["params"]["files"] for m in messages if m.get("method") == "wanted"]
    (found,) = [message for message in messages if message.get("id") == 1]
    return found, [name for names in wanted for name in names]


def test_a_search_near_the_end_wants_its_tables_and_then_knows() -> None:
    service = Service()
    search = {"ruleset": RULESET, "position": ENDING, "level": 7}
    assert ask(service, "search", **search)[1] == []  # nothing was offered yet

    assert "error" not in ask(service, "tables.offer", index=INDEX)[0]
    assert ask(service, "search", ruleset=RULESET, level=7)[1] == []  # far from any ending
    (proof,) = ask(service, "search", ruleset=RULESET, nodes=300)[1]
    assert proof.endswith(".proof.bin")  # which level 7 does not follow
    before, wanted = ask(service, "search", **search)
    assert wanted
    for name in wanted:
        data = base64.b64encode((TABLES / name).read_bytes()).decode()
        assert ask(service, "tables.add", name=name, data=data)[0]["result"] == {"ruleset": RULESET}

    after, still = ask(service, "search", **search)
    assert still == []
    assert before["result"]["lines"][0]["table"] is None
    assert after["result"]["lines"][0]["table"] is not None


@pytest.mark.parametrize("data", ["!", "aaaa", "", "A" * 2_000_000])
def test_what_is_no_table_is_refused(data: str) -> None:
    answer, _ = ask(Service(), "tables.add", name="x.bin", data=data)
    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize("index", ["", "[]", '{"files": [{"name": 1}]}'])
def test_what_is_no_list_of_tables_is_refused(index: str) -> None:
    answer, _ = ask(Service(), "tables.offer", index=index)
    assert answer["error"]["code"] == -32602
