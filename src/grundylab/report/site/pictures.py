"""The pictures of a ruleset's page: the papers' figures drawn again, and its tables to look through.

What is seen first is drawn here, as SVG that needs no script. assets/pictures.js draws every other slice, from tables
that go along as a script (a page opened as a file may not read other files).
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from grundylab.catalogue.papers import Figure, Paper
from grundylab.games import Ruleset
from grundylab.games.model import PASS_COORDINATE
from grundylab.report.figures import caption, figure_grid, figures_of, view_of
from grundylab.report.grid import (
    LINE,
    SCALE,
    SHOWN,
    View,
    Window,
    beginning,
    is_dark,
    slice_window,
)
from grundylab.report.svg import NUMBERED, grid_svg
from grundylab.report.templates import Part, part

_ZERO = ord("0")  # the letter of the value 0


def pictures(ruleset: Ruleset, windows: Sequence[Window], papers: Sequence[Paper] = ()) -> Part:
    """The part of the ruleset's page; without windows only the papers' figures are in it."""
    figures = figures_of(papers, ruleset.name)
    titles = {paper.name: paper for paper in papers}
    printed = [_printed(figure, titles[figure.paper], ruleset) for figure in figures]
    panes: list[_Pane] = []
    script = ""
    if windows:
        start = _start(windows)
        view = view_of(windows[start], figures)
        panes, script = _panes(windows[start], view), _script(ruleset, windows, start, view)
    return part("pictures.html.j2", script, ruleset=ruleset.name, printed=printed, panes=panes)


def _start(windows: Sequence[Window]) -> int:
    """The window that is seen first: the first that is not much smaller than the largest."""
    largest = max(window.values.size for window in windows)
    return next(place for place, window in enumerate(windows) if 3 * window.values.size >= largest)


def _printed(figure: Figure, paper: Paper, ruleset: Ruleset) -> dict[str, Any]:
    """A paper's figure: its SVG, and what stands below it."""
    grid = figure_grid(figure, ruleset)
    columns = len(grid.columns)
    drawn = grid_svg(grid, figure.shows != "p", numbered=columns)  # a table of numbers is printed as such
    return {
        "svg": Markup(drawn),
        "caption": caption(figure, paper),
        "label": f"{figure.at}, {paper.title}",
        "small": columns <= NUMBERED,
    }


@dataclass(frozen=True)
class _Pane:
    """A picture: what it shows (``p``, ``grundy`` or ``plot``), its SVG, and its legend as (colour, text).

    A colour is one of the scale, or ``p`` or ``n`` for those that the style sheet gives to positions.
    """

    shows: str
    title: str
    svg: str = ""
    legend: tuple[tuple[str, str], ...] = ()


def _panes(window: Window, view: View) -> list[_Pane]:
    """What is seen first: P-positions, and beside them Grundy numbers where they are known."""
    grid = replace(slice_window(window, view), title=_subject(window))
    outcomes = (("p", "P-position"), ("n", "N-position"))
    shown = beginning(grid)
    panes = [_Pane("p", "P-positions", Markup(grid_svg(shown)), outcomes)]
    if window.kind == "grundy":  # drawn by the script, from the numbers that are there already
        panes.append(_Pane("grundy", "Grundy numbers"))
    if window.kind == "grundy" and view.down is None:
        panes.append(_Pane("plot", "Grundy numbers as points"))
    return panes


def _script(ruleset: Ruleset, windows: Sequence[Window], start: int, view: View) -> str:
    """The tables, for assets/pictures.js."""
    data = {
        "names": list(ruleset.coordinate_names),
        "pass": PASS_COORDINATE if any(move.a_pass for move in ruleset.moves) else None,
        "scale": list(SCALE),
        "dark": sum(map(is_dark, SCALE)),  # so many of them, the first, are too dark for black letters
        "shown": {"side": SHOWN, "line": LINE},
        "start": start,
        "view": {"down": view.down, "across": view.across, "fixed": dict(view.fixed)},
        "windows": [_window(window) for window in windows],
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return f"(window.grundylabPictures ||= {{}})[{json.dumps(ruleset.name)}] = {text};\n"


def _subject(window: Window) -> str:
    return ", ".join(filter(None, [window.instance.ruleset.name, window.settings]))


def _window(window: Window) -> Mapping[str, Any]:
    """The window as JSON: its values, compressed; a letter each, from the one before ``0`` (no position) on."""
    letters = "".join(map(chr, (window.values + _ZERO).ravel().tolist()))
    return {
        "label": window.settings,
        "subject": _subject(window),
        "parameters": [f"{name}={value}" for name, value in window.instance.parameters],
        "kind": window.kind,
        "low": [side.start for side in window.box],
        "shape": [len(side) for side in window.box],
        "values": b64encode(zlib.compress(letters.encode(), 9)).decode(),
    }
