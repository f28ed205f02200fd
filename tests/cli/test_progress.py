"""Progress is for people at a terminal: it says what is known, and nobody else ever sees it."""

import argparse
import io
import sys
import time

import pytest

from grundylab.cli.common import measured, note, progress
from grundylab.games import make_instance, parse_ruleset

GAME = parse_ruleset("title: t\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def shown(monkeypatch):
    """What standard error shows of work that takes a little longer than the delay, or is over before it."""
    monkeypatch.setenv("TERM", "xterm")

    def run(total, *, json=False, file=Terminal, delay=0.0, now="solving"):
        monkeypatch.setattr("grundylab.cli.common.DELAY", delay)
        monkeypatch.setattr(sys, "stderr", file())
        with progress(argparse.Namespace(json=json), "solving", total) as done:
            done(2, now)
            time.sleep(0.3)
            done(4)
        return sys.stderr.getvalue()

    return run


def test_a_measured_bar_shows_the_share_that_is_done(shown):
    text = shown(8)
    assert "solving" in text
    assert "25%" in text
    assert "75%" in text


def test_a_bar_without_a_measure_claims_no_share(shown):
    text = shown(None)
    assert "solving" in text
    assert "0:00:0" in text
    assert "%" not in text


@pytest.mark.parametrize("how", [{"delay": 9.0}, {"json": True}, {"file": io.StringIO}])
def test_what_is_over_soon_and_a_pipeline_show_nothing(shown, how):
    assert shown(8, **how) == ""


@pytest.mark.parametrize(
    ("delay", "json", "said"), [(0.0, False, True), (0.0, True, True), (9.0, False, False)]
)
def test_long_work_that_shows_no_progress_says_how_long_it_may_take(monkeypatch, capsys, delay, json, said):
    monkeypatch.setattr("grundylab.cli.common.LONG", delay)
    with note(argparse.Namespace(json=json), "it takes a minute"):
        time.sleep(0.2)
    assert capsys.readouterr() == ("", "grundylab: it takes a minute\n" * said)


def test_a_bar_names_what_is_done_now(shown):
    with_names = shown(None, now="search (1 of 9)")
    assert "search (1 of 9)" in with_names


@pytest.mark.parametrize(
    ("engine", "part"), [("all", "engines in turn"), ("tree", "about 5 s of processor time")]
)
def test_discover_says_how_long_it_may_take(monkeypatch, grundylab, engine, part):
    monkeypatch.setattr("grundylab.cli.common.LONG", 0.0)
    _, _, error = grundylab(
        f"discover nim --bound N=4 --param m=2 --where 'p == 0' --engine {engine} --budget 5"
    )
    assert error.count("\n") == 1
    assert part in error


def test_only_a_sweep_has_a_measure():
    sizes = [make_instance(GAME, {}, {"N": size}) for size in (4, 9)]
    assert measured(sizes) == 15
    assert measured(sizes[:1]) is None
