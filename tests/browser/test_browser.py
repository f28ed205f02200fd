"""The tests' own net: what goes wrong in a tab is seen."""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import Watched


def test_errors_and_requests_are_seen(watched: Watched, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(
        "<!doctype html><script>console.error('wrong'); fetch('http://127.0.0.1:9/x').catch(() => 0)</script>"
    )
    watched.open(path).wait_for_timeout(100)
    assert "wrong" in watched.faults
    assert any("127.0.0.1:9" in fault for fault in watched.faults)
    watched.faults.clear()
