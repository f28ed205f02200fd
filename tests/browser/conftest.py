"""A headless Chromium for the page's tests; without one they are skipped, and say so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

PROGRAM = shutil.which(os.environ.get("GRUNDYLAB_CHROMIUM", "chromium"))
OFFLINE = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@dataclass
class Watched:
    """A tab, and what went wrong in it: console errors, exceptions, requests that are not for files."""

    page: Page
    faults: list[str] = field(default_factory=list)

    def open(self, path: Path) -> Page:
        """Open a file and wait until it is loaded."""
        self.page.goto(path.resolve().as_uri(), wait_until="load")
        return self.page


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if PROGRAM is None:
        pytest.skip("no Chromium here (Debian package chromium), so the page is not tested")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=PROGRAM, args=list(OFFLINE))
        yield chromium
        chromium.close()


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """A new tab. The test fails in the end if anything went wrong in it, or if it asked the network for something."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    tab = Watched(context.new_page())
    tab.page.on("console", lambda message: message.type == "error" and tab.faults.append(message.text))
    tab.page.on("pageerror", lambda error: tab.faults.append(str(error)))
    tab.page.on(
        "request",
        lambda request: request.url.startswith(("file:", "data:", "blob:")) or tab.faults.append(request.url),
    )
    yield tab
    context.close()
    assert tab.faults == []
