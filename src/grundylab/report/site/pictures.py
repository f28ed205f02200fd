"""The pictures of a ruleset's page: the papers' figures drawn again, and its tables to look through.

What is seen first is drawn here, as SVG that needs no script. assets/pictures-shapes.js and, after it, pictures.js draw
every other slice, from tables that go along as a script (a page opened as a file may not read other files).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from markupsafe import Markup

from grundylab.catalogue.papers import Figure, Paper
from grundylab.games import Ruleset
from grundylab.games.model import PASS_COORDINATE
from grundylab.report.colours import SCALE, colour
from grundylab.report.figures import caption, figure_grid, figures_of, view_of
from grundylab.report.grid import LINE, SHOWN, beginning, first_cells, slice_window
from grundylab.report.plot import plot_svg
from grundylab.report.site.part import Part
from grundylab.report.svg import NUMBERED, grid_svg
from grundylab.report.templates import environment
from grundylab.report.window import LONGEST, View, Window, trimmed

CELLS = 72_000  # of one window: 33 by 33 by 33 by 2 are a little less
_BYTES = 480_000  # of all windows of a ruleset, before base64
_SWATCHES = 15  # so many numbers have each its patch in the legend


def within_bytes(windows: Sequence[Window]) -> tuple[Window, ...]:
    """The windows, all of them made smaller if together they are too many bytes."""
    cells = CELLS
    while cells > 1 and sum(window.values.size * _bits(window) // 8 for window in windows) > _BYTES:
        cells = cells * 3 // 4
        windows = [trimmed(window, cells) for window in windows]
    return tuple(windows)


def pictures(ruleset: Ruleset, windows: Sequence[Window], papers: Sequence[Paper] = ()) -> Part:
    """The part of the ruleset's page; without windows only the papers' figures are in it."""
    figures = figures_of(papers, ruleset.name)
    titles = {paper.name: paper for paper in papers}
    printed = [_printed(figure, titles[figure.paper], ruleset) for figure in figures]
    path = f"data/{ruleset.name}.pictures.js"
    panes: list[_Pane] = []
    files: dict[str, str] = {}
    if windows:
        start = _start(windows)
        view = view_of(windows[start], figures)
        panes, files = _panes(windows[start], view), {path: _script(ruleset, windows, start, view)}
    template = environment("report/site/templates").get_template("pictures.html.j2")
    html = template.render(ruleset=ruleset.name, printed=printed, panes=panes, path=f"../{path}")
    return Part("pictures", "Pictures", Markup(html if printed or panes else ""), files)


def _start(windows: Sequence[Window]) -> int:
    """The window that is seen first: the first that is not much smaller than the largest."""
    largest = max(window.values.size for window in windows)
    return next(place for place, window in enumerate(windows) if 3 * window.values.size >= largest)


def _printed(figure: Figure, paper: Paper, ruleset: Ruleset) -> dict[str, Any]:
    """A paper's figure: its SVG, and what stands below it."""
    grid = figure_grid(figure, ruleset)
    columns = len(grid.columns)
    return {
        "svg": Markup(
            grid_svg(grid, figure.shows != "p", numbered=columns)
        ),  # a table of numbers is printed as such
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
    svg: Markup
    legend: tuple[tuple[str, str], ...] = ()


def _panes(window: Window, view: View) -> list[_Pane]:
    """What is seen first: P-positions, and beside them Grundy numbers where they are known."""
    grid = replace(slice_window(window, view), title=_subject(window))
    outcomes = (("p", "P-position"), ("n", "N-position"))
    shown = beginning(grid)
    panes = [_Pane("p", "P-positions", Markup(grid_svg(shown)), outcomes)]
    if window.kind == "grundy":
        svg = Markup(grid_svg(shown, numbers=True))
        panes.append(_Pane("grundy", "Grundy numbers", svg, _legend(shown.top)))
    if window.kind == "grundy" and view.down is None:
        points = Markup(plot_svg(first_cells(grid, 1, LINE)))
        panes.append(_Pane("plot", "Grundy numbers as points", points))
    return panes


def _legend(top: int) -> tuple[tuple[str, str], ...]:
    """Each number's colour, or of many numbers some."""
    numbers = range(top + 1) if top <= _SWATCHES else [0, 1, *(top * i // 6 for i in range(1, 7))]
    return tuple((colour(number, top) if number else "p", str(number)) for number in dict.fromkeys(numbers))


def _script(ruleset: Ruleset, windows: Sequence[Window], start: int, view: View) -> str:
    """The tables, for assets/pictures.js."""
    data = {
        "names": list(ruleset.coordinate_names),
        "pass": PASS_COORDINATE if any(move.a_pass for move in ruleset.moves) else None,
        "scale": list(SCALE),
        "shown": {"side": SHOWN, "line": LINE, "most": LONGEST},
        "start": start,
        "view": {"down": view.down, "across": view.across, "fixed": dict(view.fixed)},
        "windows": [packed(window) for window in windows],
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return f"(window.grundylabPictures ||= {{}})[{json.dumps(ruleset.name)}] = {text};\n"


def _subject(window: Window) -> str:
    return ", ".join(filter(None, [window.instance.ruleset.name, window.settings]))


def _bits(window: Window) -> int:
    """Bits a cell; all of them set where there is no position."""
    if window.kind == "outcome":
        return 2
    return 8 if int(window.values.max(initial=0)) < 2**8 - 1 else 16


def packed(window: Window) -> Mapping[str, Any]:
    """The window as JSON: its values in order as bits of bytes, low bits first, in base64."""
    bits = _bits(window)
    nothing = (1 << bits) - 1
    values = np.where(window.values < 0, nothing, window.values).reshape(-1)
    return {
        "label": window.settings,
        "subject": _subject(window),
        "parameters": [f"{name}={value}" for name, value in window.instance.parameters],
        "kind": window.kind,
        "low": [side.start for side in window.box],
        "shape": [len(side) for side in window.box],
        "bits": bits,
        "data": base64.b64encode(_bytes(values, bits)).decode("ascii"),
    }


def _bytes(values: npt.NDArray[np.int64], bits: int) -> bytes:
    if bits == 16:
        return values.astype("<u2").tobytes()
    if bits == 8:
        return values.astype(np.uint8).tobytes()
    quads = np.zeros(-(-len(values) // 4) * 4, dtype=np.uint8)
    quads[: len(values)] = values
    return bytes(np.bitwise_or.reduce(quads.reshape(-1, 4) << np.array([0, 2, 4, 6], dtype=np.uint8), axis=1))
