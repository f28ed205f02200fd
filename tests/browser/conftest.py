"""Fixtures of the browser tests: a headless Chromium, and pages for it. Without a Chromium the tests are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import grundylab
from grundylab.files import write_text
from grundylab.games import Ruleset
from grundylab.report.site.explorer import game_script
from grundylab.report.templates import PagePart

ROOT = Path(__file__).parents[2]
ASSETS = Path(grundylab.__file__).parent.resolve() / "report" / "assets"
PROGRAM = shutil.which(os.environ.get("GRUNDYLAB_CHROMIUM", "chromium"))
UNPACKED = "() => !window.grundylabPictures || !document.querySelector('.pictures .controls[hidden]')"
OFFLINE = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@dataclass
class Watched:
    """A browser tab with the faults seen in it: console errors, exceptions, and requests for anything but files."""

    page: Page
    faults: list[str] = field(default_factory=list)

    def open(self, path: Path, place: str = "") -> Page:
        """Open a file, at a fragment of the address if one is given, and wait until its tables are unpacked."""
        self.page.goto("about:blank")
        self.page.goto(path.resolve().as_uri() + place, wait_until="load")
        self.page.wait_for_function(UNPACKED)
        return self.page


@pytest.fixture(
    scope="module"
)  # Playwright's event loop runs until it ends, and Snakemake in the process refuses another
def browser() -> Iterator[Browser]:
    if PROGRAM is None:
        pytest.skip("no Chromium here (Debian package chromium), so the page is not tested")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=PROGRAM, args=list(OFFLINE))
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Watched:
    """Return a tab whose faults are recorded. A new tab for each test would take half a second of processor time."""
    tab = Watched(browser.new_page())
    tab.page.on("console", lambda message: message.type == "error" and tab.faults.append(message.text))
    tab.page.on("pageerror", lambda error: tab.faults.append(str(error)))
    tab.page.on(
        "request",
        lambda request: (
            request.url.startswith(("file:", "data:", "blob:", "about:")) or tab.faults.append(request.url)
        ),
    )
    return tab


@pytest.fixture
def watched(tab: Watched) -> Iterator[Watched]:
    """Yield the shared tab in its initial state; afterwards the test fails if the tab has recorded a fault."""
    tab.page.set_viewport_size({"width": 1280, "height": 800})
    tab.page.emulate_media(media="null", color_scheme="null")
    yield tab
    tab.page.evaluate("location.protocol === 'file:' && localStorage.clear()")
    tab.page.goto("about:blank")
    faults, tab.faults = tab.faults, []
    assert faults == []


def page_with(folder: Path, part: PagePart, scripts: Sequence[str]) -> Path:
    """Write a page that contains only this part, and return its file.

    scripts: the names of assets, in order; ``data.js`` is the part's own script.
    """
    write_text(folder / "data.js", part.script)
    sources = [name if name == "data.js" else (ASSETS / name).as_uri() for name in scripts]
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>t</title>'
    head += f'<link rel="stylesheet" href="{(ASSETS / "page.css").as_uri()}">'
    head += "".join(f'<script defer src="{source}"></script>' for source in sources)
    path = folder / "page.html"
    main = f'<main class="measure"><h1>t</h1><h2>t</h2>{part.html}</main>'
    write_text(path, f'<!doctype html><html lang="en">{head}{main}')
    return path


def scripts_page(folder: Path, rulesets: Sequence[Ruleset]) -> Path:
    """Write an empty page that contains rules.js and the scripts of these games, and return its file."""
    scripts = [(ASSETS / "rules.js").read_text(), *map(game_script, rulesets)]
    path = folder / "scripts.html"
    body = "".join(f"<script>{script}</script>" for script in scripts)
    write_text(path, f'<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>{body}')
    return path
