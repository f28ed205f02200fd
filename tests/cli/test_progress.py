"""Progress: a bar at a terminal, lines elsewhere, and nothing for work that ends soon."""

import argparse
import io
import re
import sys
import time
from math import log

import pytest

import grundylab.progress
from grundylab.cli.common import cell_total, progress
from grundylab.games import make_instance, parse_ruleset

GAME = parse_ruleset("title: t\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def shown(monkeypatch):
    """Return a function that returns the output on standard error of work with progress.

    until: words that the work waits for, however slow the machine is; without them it takes 0.3 seconds.
    """
    monkeypatch.setenv("TERM", "xterm")

    def run(total, *, json=False, file=Terminal, delay=0.0, now="solving", until=None):
        monkeypatch.setattr(grundylab.progress, "DELAY", delay)
        monkeypatch.setattr(sys, "stderr", file())
        started = time.monotonic()
        with progress(argparse.Namespace(json=json), "solving", total) as done:
            done(2, now)
            while time.monotonic() < started + (60 if until else 0.3):
                time.sleep(0.01)
                if until and until in sys.stderr.getvalue():
                    break
            done(4)
        return sys.stderr.getvalue()

    return run


def test_a_measured_bar_shows_the_share_that_is_done(shown):
    text = shown(8, until="25%")
    assert "solving" in text
    assert "25%" in text
    assert "75%" in text


def test_a_bar_without_a_measure_claims_no_share(shown):
    text = shown(None, until="0:00:0")
    assert "solving" in text
    assert "0:00:0" in text
    assert "%" not in text


@pytest.mark.parametrize("how", [{"delay": 9.0}, {"json": True}, {"file": io.StringIO}])
def test_nothing_is_shown_of_work_that_is_over_soon(shown, how):
    assert shown(8, **how) == ""


@pytest.mark.parametrize("how", [{"json": True}, {"file": io.StringIO}])
def test_without_a_bar_lines_tell_the_share_at_growing_intervals(monkeypatch, shown, how):
    monkeypatch.setattr(grundylab.progress, "LONG", 0.02)
    started = time.monotonic()
    text = shown(8, now="solving nim", until="s)\ngrundylab: solving nim (2 of 8, ", **how)
    times = (time.monotonic() - started) / 0.02
    lines = text.splitlines()
    assert 2 <= len(lines) <= 1 + log(times, 3)  # after 0.02, 0.06, 0.18 s, and not one each 0.02 s
    assert all(re.fullmatch(r"grundylab: solving nim \(2 of 8, \d+ s\)", line) for line in lines)


def test_a_bar_names_what_is_done_now(shown):
    with_names = shown(None, now="search (1 of 9)", until="search (1 of 9)")
    assert "search (1 of 9)" in with_names


@pytest.mark.parametrize(("engine", "part"), [("all", "in turn"), ("tree", "about 5 s ")])
def test_discover_says_how_long_it_may_take(monkeypatch, grundylab, engine, part):
    monkeypatch.setattr("grundylab.progress.LONG", 0.001)
    _, _, error = grundylab(
        f"discover nim --bound N=4 --param m=2 --where 'p == 0' --engine {engine} --budget 5"
    )
    assert part in error


def test_only_a_sweep_has_a_measure():
    sizes = [make_instance(GAME, {}, {"N": size}) for size in (4, 9)]
    assert cell_total(sizes) == 15
    assert cell_total(sizes[:1]) is None
