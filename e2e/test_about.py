"""About: what is told of version, start, network, storage and licences is true."""

from __future__ import annotations

import json

import pytest
from conftest import Site
from playwright.sync_api import Browser, expect
from screens import found_by_axe, overflow, settle, visit
from table import READY

#: Resolves once the site's own worker serves the page.
KEPT = """new Promise(done => navigator.serviceWorker.controller ? done()
    : navigator.serviceWorker.addEventListener('controllerchange', () => done()))"""


def test_it_tells_what_is_there(browser: Browser, site: Site) -> None:
    with visit(browser, site) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/about")
        expect(page.locator(".about-list").first).to_contain_text(
            site.app.name.removeprefix("app-")
        )
        expect(page.get_by_text("Altogether")).to_be_visible(timeout=READY)
        expect(page.locator(".about")).to_contain_text("Workers running: 1, at most")
        expect(page.locator(".about")).not_to_contain_text("needs a network")  # it is on its way
        shipped = json.loads((site.app / "licences.json").read_text("utf-8"))["packages"]
        expect(page.locator(".about-licence")).to_have_count(len(shipped))
        names = {one["name"] for one in shipped}
        assert names == {"Qirkat", "pyodide", "Python", "micropip", "lean-qr"}
        assert all(one["licence"] not in ("", "?") and one["version"] for one in shipped)
        page.get_by_text("Text of the licence").first.click()
        expect(page.locator(".about-licence pre").first).to_contain_text("Permission is hereby")
        page.evaluate(KEPT)
        expect(page.locator(".about")).to_contain_text("works without a network now", timeout=READY)


def test_it_knows_what_is_kept(browser: Browser, site: Site) -> None:
    with visit(browser, site) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/about")
        page.evaluate(KEPT)
        page.reload()
        expect(page.locator(".about")).to_contain_text("works without a network now", timeout=READY)
        page.goto(f"{site.url}#/settings")
        keep = page.get_by_role("button", name="Keep all tables here")
        expect(keep).to_be_enabled(timeout=READY)
        keep.click()
        expect(page.locator(".share-said")).to_contain_text("All tables are kept", timeout=READY)
        index = json.loads((site.app / "tables" / "index.json").read_text("utf-8"))
        kept = page.evaluate(
            """async () => { const names = [];
            for (const name of await caches.keys()) for (const {url} of await (await caches.open(name)).keys())
              if (/\\/tables\\/.*\\.bin$/.test(url)) names.push(url.split('/').at(-1));
            return names.sort() }"""
        )
        assert kept == sorted(one["name"] for one in [*index["files"], *index["proofs"]])


@pytest.mark.parametrize(("lang", "scheme"), [("en", "dark"), ("fr", "light"), ("es", "dark")])
def test_axe_is_content(browser: Browser, site: Site, lang: str, scheme: str) -> None:
    with visit(browser, site, color_scheme=scheme, bypass_csp=True) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/about?lang={lang}")
        settle(page, ".about-licence")
        assert found_by_axe(page) == []
        for width in (360, 820, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            assert overflow(page) <= 0
