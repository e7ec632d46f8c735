"""Starting Python in the browser: every way, every fall, and what the page is told of it."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Site
from playwright.sync_api import Page

START = """async ([module, options, damage]) => {
  const { Engine } = await import(module);
  const engine = new Engine(options);
  globalThis.engine = engine;
  const stages = [];
  await new Promise((settled) => engine.onstage((stage) => {
    stages.push(stage);
    if (stage.state !== "loading") settled();
  }));
  return stages;
}"""

ASK = """([method, params]) => engine.request(method, params)"""
TABLE = {"ruleset": "alquerque/table"}


def start(page: Page, site: Site, **options: Any) -> list[dict[str, Any]]:
    """Start an engine in the page; every stage that it told."""
    return page.evaluate(START, [site.module("engine.js"), options, None])


def ask(page: Page, method: str, **params: Any) -> Any:
    return page.evaluate(ASK, [method, params])


def plays(page: Page) -> bool:
    return [move["text"] for move in ask(page, "state", **TABLE)["legal"]] == [
        "b2-c3",
        "c2-c3",
        "d2-c3",
        "d3-c3",
    ]


@pytest.mark.parametrize("way", ["zip", "snapshot", "plain"])
def test_each_way_starts_an_engine_that_plays(probe: Page, site: Site, way: str) -> None:
    stages = start(probe, site, ways=[way])
    assert stages[-1]["state"] == "ready"
    assert stages[-1]["way"] == way
    assert plays(probe)
    assert ask(probe, "perft", **TABLE, depth=4)["leaves"] > 0


def test_progress_grows_to_the_announced_bytes(probe: Page, site: Site) -> None:
    stages = start(probe, site)
    loaded = [stage["loaded"] for stage in stages if stage["stage"] == "download"]
    assert loaded == sorted(loaded)
    assert len(set(loaded)) > 2
    total = stages[-1]["total"]
    assert 4_000_000 < total < 6_200_000
    assert stages[-1]["loaded"] == total
    assert "python" in [stage["stage"] for stage in stages]


@pytest.mark.parametrize("damage", ["missing", "cut", "noise", "other build"])
def test_a_bad_snapshot_falls_back_to_the_zip(probe: Page, site: Site, damage: str) -> None:
    file = site.runtime / "snapshot.bin"
    good = file.read_bytes()
    if damage == "missing":
        file.unlink()
    elif damage == "cut":
        site.write(file, good[: len(good) // 2])
    elif damage == "noise":
        site.write(file, b"no snapshot" * 100)
    else:
        import gzip

        memory = bytearray(gzip.decompress(good))
        memory[16:24] = b"\1\2\3\4\5\6\7\x08"
        site.write(file, gzip.compress(memory, 1))
    stages = start(probe, site, ways=["snapshot", "zip", "plain"])
    assert (stages[-1]["state"], stages[-1]["way"]) == ("ready", "zip")
    assert plays(probe)


@pytest.mark.parametrize("damage", ["missing", "cut", "noise"])
def test_a_bad_zip_falls_back_to_plain_pyodide(probe: Page, site: Site, damage: str) -> None:
    file = site.runtime / "app.bin"
    if damage == "missing":
        file.unlink()
    else:
        site.write(file, file.read_bytes()[:100_000] if damage == "cut" else b"PK" * 5000)
    stages = start(probe, site)
    assert (stages[-1]["state"], stages[-1]["way"]) == ("ready", "plain")
    assert plays(probe)


def test_nothing_there_is_told_and_can_be_tried_again(probe: Page, site: Site) -> None:
    away = site.root / "away"
    runtime = site.runtime
    runtime.rename(away)
    stages = start(probe, site)
    failure = stages[-1]["failure"]
    assert stages[-1]["state"] == "failed"
    assert failure["kind"] == "missing"
    assert failure["file"] in {path.name for path in away.iterdir()}

    waiting = probe.evaluate("() => { globalThis.later = engine.request('version'); }")
    assert waiting is None
    away.rename(runtime)
    probe.evaluate("() => engine.retry()")
    assert probe.evaluate("() => later")["engine"]
    assert probe.evaluate("() => engine.stage.way") == "zip"


def test_a_wrong_type_for_the_interpreter_does_no_harm(probe: Page, site: Site) -> None:
    site.mistype(".wasm")
    assert start(probe, site)[-1]["way"] == "zip"
    assert plays(probe)


def test_a_browser_without_webassembly_is_told(probe: Page, site: Site) -> None:
    probe.evaluate("() => { delete globalThis.WebAssembly; }")
    stages = start(probe, site)
    assert stages[-1]["failure"]["kind"] == "no-wasm"


def test_a_start_that_hangs_ends_in_a_timeout(probe: Page, site: Site) -> None:
    probe.evaluate(
        """() => { globalThis.Worker = class { postMessage() {} terminate() {} }; }""",
    )
    stages = start(probe, site, bootSilence=300)
    assert stages[-1]["failure"]["kind"] == "timeout"


def test_a_silent_worker_is_replaced_and_asked_again(probe: Page, site: Site) -> None:
    start(probe, site)
    answer = probe.evaluate(
        """async () => {
          const first = engine.worker;
          first.postMessage = () => {};  // as deaf as a worker that computes for ever
          const began = performance.now();
          const state = await engine.request("state", {ruleset: "alquerque/table"});
          return {legal: state.legal.length, replaced: engine.worker !== first,
                  ms: performance.now() - began};
        }""",
    )
    assert answer["legal"] == 4
    assert answer["replaced"]
    assert 1400 < answer["ms"] < 8000


def test_a_request_that_kills_every_worker_is_given_up(probe: Page, site: Site) -> None:
    start(probe, site, silence=300)
    kind = probe.evaluate(
        """async () => {
          const post = Worker.prototype.postMessage;
          Worker.prototype.postMessage = function (data) {
            if (typeof data !== "string") post.call(this, data);
          };
          const fate = await engine.request("version").catch((error) => error.data.kind);
          Worker.prototype.postMessage = post;
          const next = await engine.request("state", {ruleset: "alquerque/table"});
          return [fate, next.legal.length];
        }""",
    )
    assert kind == ["stuck", 4]


def test_a_search_is_stopped_at_once_and_others_are_served_meanwhile(
    probe: Page, site: Site
) -> None:
    start(probe, site)
    seen = probe.evaluate(
        """async () => {
          const table = {ruleset: "surakarta/6x6"}; // no proof may end the search
          const progress = [];
          const stop = new AbortController();
          const search = engine.request("search", {...table, ms: 20000},
            {signal: stop.signal, onProgress: (news) => progress.push(news.depth)});
          await new Promise((later) => setTimeout(later, 600));
          const waits = [];
          for (let turn = 0; turn < 5; turn += 1) {
            const asked = performance.now();
            await engine.request("state", table);
            waits.push(performance.now() - asked);
          }
          const stopped = performance.now();
          stop.abort();
          const {move} = await search;
          return {waits, progress, move: move.text, stop: performance.now() - stopped};
        }""",
    )
    assert seen["move"]
    assert seen["progress"]
    # Some 10 ms on an idle machine. A search that held the worker would take its 20 s here.
    assert sorted(seen["waits"])[2] < 500
    assert seen["stop"] < 500


def test_errors_are_refusals_and_not_deaths(probe: Page, site: Site) -> None:
    start(probe, site)
    refused = probe.evaluate(
        """async () => {
          const of = (...words) => engine.request(...words)
            .catch(({code, data}) => ({code, kind: data.kind}));
          return [await of("state", {ruleset: "chess/blitz"}), await of("no-such"),
                  await of("state", {ruleset: 7})];
        }""",
    )
    assert refused[0] == {"code": -32602, "kind": "ruleset.unknown"}
    assert refused[1]["code"] == -32601
    assert refused[2]["code"] == -32602
    assert plays(probe)


def test_a_destroyed_engine_refuses(probe: Page, site: Site) -> None:
    start(probe, site)
    kind = probe.evaluate(
        """() => {
          const open = engine.request("version");
          engine.destroy();
          return open.catch((error) => error.data.kind);
        }""",
    )
    assert kind == "destroyed"


def test_restored_memory_is_seeded_anew(probe: Page, site: Site) -> None:
    """Two starts from one snapshot must not play the same 'random' game."""
    kinds = probe.evaluate(
        """async (module) => {
          const { Engine } = await import(module);
          const seeds = [];
          const post = Worker.prototype.postMessage;
          for (let turn = 0; turn < 2; turn += 1) {
            const engine = new Engine({ways: ["snapshot"]});
            const moves = [];
            for (let game = 0; game < 12; game += 1) {
              const {move} = await engine.request("search",
                {ruleset: "alquerque/table", level: 1});
              moves.push(move.text);
            }
            seeds.push(moves.join(" "));
            engine.destroy();
          }
          return seeds;
        }""",
        site.module("engine.js"),
    )
    assert kinds[0] != kinds[1]


def test_any_pyodide_page_can_install_the_engine(probe: Page, site: Site) -> None:
    """The wheel at its public address, as the README shows it."""
    (wheel,) = (site.root / "wheels").iterdir()
    start_text = probe.evaluate(
        """async ([runtime, wheel]) => {
          const { loadPyodide } = await import(runtime + "pyodide.mjs");
          const pyodide = await loadPyodide({packageBaseUrl: runtime});
          await pyodide.loadPackage("micropip");
          await pyodide.pyimport("micropip").install(wheel);
          return pyodide.runPython(
            "from pyengine import Position; str(Position.start('seega/5x5'))");
        }""",
        [f"{site.url}{site.runtime.name}/", f"{site.url}wheels/{wheel.name}"],
    )
    assert start_text == "5/5/5/5/5 x 0 hand=12,12"


def test_tables_come_when_a_game_nears_its_end(probe: Page, site: Site) -> None:
    start(probe, site)
    ending = {**TABLE, "position": "2o2/5/2x2/1x3/5 x 0", "nodes": 300}
    assert not [path for path in site.asked if path.endswith(".bin") and "tables/" in path]
    ask(probe, "search", **ending)
    known = probe.evaluate(
        """async (search) => {
          for (let turn = 0; turn < 300; turn += 1) {
            if ((await engine.request("search", search)).lines[0].table) return true;
            await new Promise((later) => setTimeout(later, 50));
          }
          return false;
        }""",
        ending,
    )
    assert known
    assert [path for path in site.asked if "tables/alquerque-table" in path]
