"""Progress is for people at a terminal: it says what is known, and nobody else ever sees it."""

import argparse
import io
import sys

import pytest

from grundylab.cli.progress import Bar, measured, progress
from grundylab.games import make_instance, parse_ruleset

GAME = parse_ruleset("title: t\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def test_a_measured_bar_shows_the_share_that_is_done(terminal):
    bar = Bar("solving", 8, terminal)
    bar.advance(2)
    bar.show()
    bar.advance(4)
    bar.close()
    assert "solving" in terminal.getvalue()
    assert "25%" in terminal.getvalue()
    assert "75%" in terminal.getvalue()


def test_a_bar_without_a_measure_claims_no_share(terminal):
    bar = Bar("proving", None, terminal)
    bar.show()
    bar.close()
    assert "proving" in terminal.getvalue()
    assert "0:00:0" in terminal.getvalue()
    assert "%" not in terminal.getvalue()


def test_a_bar_that_comes_too_late_is_not_shown(terminal):
    bar = Bar("solving", 8, terminal)
    bar.close()
    bar.show()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(("json", "file"), [(True, Terminal), (False, io.StringIO)])
def test_a_pipeline_sees_nothing(monkeypatch, json, file):
    monkeypatch.setattr("grundylab.cli.progress.DELAY", 0)
    monkeypatch.setattr(sys, "stderr", file())
    shown = []
    monkeypatch.setattr(Bar, "show", lambda self: shown.append(self))
    with progress(argparse.Namespace(json=json), "solving", 3) as done:
        done(3)
    assert (sys.stderr.getvalue(), shown) == ("", [])


def test_only_a_sweep_has_a_measure():
    sizes = [make_instance(GAME, {}, {"N": size}) for size in (4, 9)]
    assert measured(sizes) == 15
    assert measured(sizes[:1]) is None
