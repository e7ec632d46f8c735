"""Keeping the site on the device: without a network, under new versions, beside other sites."""

from __future__ import annotations

from conftest import Site
from people import until
from playwright.sync_api import BrowserContext, Page

KEEP = """async (module) => {
  const updates = await import(module);
  globalThis.updates = updates;
  globalThis.heard = [];
  await new Promise((done) => {
    updates.watchUpdates(({ kind }) => {
      heard.push(kind);
      if (kind === "extras-kept") done();
    });
  });
}"""

START = """async (module) => {
  const { Engine } = await import(module);
  const engine = new Engine();
  const {legal} = await engine.request("state", {ruleset: "alquerque/table"});
  const {move} = await engine.request("search", {ruleset: "alquerque/table", nodes: 200});
  const way = engine.stage.way;
  engine.destroy();
  return {way, legal: legal.length, move: move.text};
}"""

KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    found[name] = (await (await caches.open(name)).keys()).map(({url}) => url);
  }
  return found;
}"""


def keep(page: Page, site: Site) -> None:
    """Have the whole site kept by the service worker."""
    page.evaluate(KEEP, site.module("updates.js"))


def test_everything_works_without_a_network_after_one_visit(page: Page, site: Site) -> None:
    page.goto(site.url)
    keep(page, site)
    site.stop()

    for address in (site.url, f"{site.url}?from=club#/", f"{site.url}index.html"):
        page.goto("about:blank")
        page.goto(address)
        assert page.title().startswith("Qirkat")
        started = page.evaluate(START, site.module("engine.js"))
        assert started["way"] == "snapshot"
        assert started["legal"] == 4
        assert started["move"]
    site.start()


def test_later_visits_start_from_the_snapshot(probe: Page, site: Site) -> None:
    assert probe.evaluate(START, site.module("engine.js"))["way"] == "zip"
    assert not [path for path in site.asked if "snapshot" in path]
    keep(probe, site)
    probe.reload()
    site.asked.clear()
    assert probe.evaluate(START, site.module("engine.js"))["way"] == "snapshot"
    assert not [path for path in site.asked if "runtime-" in path], "all of it was kept"


def test_the_whole_list_is_kept_and_nothing_twice(probe: Page, site: Site) -> None:
    probe.evaluate(START, site.module("engine.js"))
    keep(probe, site)
    (urls,) = probe.evaluate(KEPT).values()
    names = {url.removeprefix(site.url) for url in urls}
    for file in site.root.rglob("*"):
        name = file.relative_to(site.root).as_posix()
        lazy = ("python_stdlib.zip", "pyodide-lock.json", ".whl", "probe.html", "service-worker.js")
        late = name.startswith("examples/") or "/tables/" in name
        if file.is_file() and not name.endswith(lazy) and not late:
            assert name in names
    fetched = [path for path in site.asked if path.endswith((".wasm", "app.bin"))]
    # Once for the start; what keeps it finds it in the browser's own cache or asks whether it is
    # still good, but never loads the runtime twice: the test host answers 304 then.
    assert len(fetched) <= 4


def test_a_new_version_waits_for_the_persons_wish(
    context: BrowserContext, probe: Page, site: Site
) -> None:
    keep(probe, site)
    old = probe.evaluate(f"async () => (await import('{site.module('build.js')}')).BUILD.version")
    probe.evaluate("() => { globalThis.inTheMiddleOfAGame = true; }")
    old_app = site.module("engine.js")
    probe.evaluate("() => caches.open('another site of this origin')")
    new = site.deploy()
    assert new != old

    probe.evaluate("() => updates.checkForUpdate()")
    until(probe, "() => heard.includes('new-version')")
    probe.wait_for_timeout(500)
    assert probe.evaluate("() => globalThis.inTheMiddleOfAGame"), "the page was reloaded"
    # The running page still gets its own version's files, though the host has them no more.
    assert probe.evaluate(START, old_app)["legal"] == 4

    with probe.expect_navigation():
        probe.evaluate("() => { updates.applyUpdate(); }")
    assert probe.evaluate(START, site.module("engine.js"))["legal"] == 4
    kept = probe.evaluate(KEPT)
    assert "another site of this origin" in kept
    assert [name for name in kept if name.endswith(old)] == []
    assert [name for name in kept if name.endswith(new)]


def test_unchanged_files_are_not_loaded_again(probe: Page, site: Site) -> None:
    keep(probe, site)
    site.deploy()
    site.asked.clear()
    probe.evaluate("() => updates.checkForUpdate()")
    until(probe, "() => heard.includes('new-version')")
    assert not [path for path in site.asked if "runtime-" in path]


def test_a_new_version_is_found_at_the_next_start(
    context: BrowserContext, page: Page, site: Site
) -> None:
    page.goto(f"{site.url}probe.html")
    keep(page, site)
    page.close()
    new = site.deploy()

    second = context.new_page()
    second.goto(f"{site.url}probe.html")
    second.evaluate(
        """async (module) => {
          const updates = await import(module);
          await new Promise((done) => {
            updates.watchUpdates(({kind}) => kind === "new-version" && done());
          });
        }""",
        site.module("updates.js"),
    )
    second.close()

    third = context.new_page()
    third.goto(f"{site.url}probe.html")
    left = third.evaluate(
        """async (version) => {
          for (let turn = 0; turn < 200; turn += 1) {
            const names = await caches.keys();
            if (names.every((name) => name.endsWith(version))) return names.length;
            await new Promise((later) => setTimeout(later, 50));
          }
          return caches.keys();
        }""",
        new,
    )
    assert left == 1


def test_a_host_that_mixes_versions_is_not_kept(probe: Page, site: Site) -> None:
    """A file whose content is not the listed one keeps the version from counting as there."""
    site.write(site.app / "boards.js", "// from another deployment\n")
    answer = probe.evaluate(
        """async (root) => {
          const worker = await navigator.serviceWorker.register(root + "service-worker.js");
          const coming = worker.installing;
          return new Promise((done) => coming.addEventListener("statechange",
            () => done(coming.state)));
        }""",
        site.url,
    )
    assert answer == "redundant"


def test_without_a_service_worker_the_site_still_runs(
    context: BrowserContext, page: Page, site: Site
) -> None:
    page.add_init_script("delete Navigator.prototype.serviceWorker")
    page.goto(f"{site.url}probe.html")
    page.evaluate(
        "async (module) => (await import(module)).watchUpdates(() => {})",
        site.module("updates.js"),
    )
    assert page.evaluate(START, site.module("engine.js"))["way"] == "zip"
