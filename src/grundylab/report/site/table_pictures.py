"""The pictures of a ruleset's page: slices of its tables, and the papers' figures drawn again.

assets/pictures.js draws the slices from tables in a script, as a page opened as a file may not read other files. Before
it runs, and on the card of the game, a small PNG of one pixel per cell shows the first slice.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from markupsafe import Markup

from grundylab.catalogue.papers import Figure, Paper
from grundylab.games import Ruleset
from grundylab.games.model import PASS_COORDINATE
from grundylab.report.drawing import dots_png
from grundylab.report.figures import caption, figure_picture, figures_of, view_of
from grundylab.report.grid import (
    LINE,
    SCALE,
    SHOWN,
    TableWindow,
    View,
    description,
    first_view,
    is_dark,
    slice_window,
)
from grundylab.report.templates import PagePart, render_part

_CELL = 4  # pixels of a cell's side in the small picture
_ZERO = ord("0")  # the letter for the value 0


@dataclass(frozen=True)
class FigurePicture:
    """A paper's figure, drawn again. path: of its file in the page's folder."""

    path: str
    picture: bytes
    caption: str
    words: str


def pictures(
    ruleset: Ruleset, windows: Sequence[TableWindow], figures: Sequence[Figure] = ()
) -> tuple[PagePart, Markup]:
    """Return the page's part with the ruleset's pictures, and the small picture; both are empty without windows."""
    if not windows:
        return PagePart(Markup(""), ""), Markup("")
    start = _start(windows)
    window = windows[start]
    view = view_of(window, figures)
    grid = first_view(replace(slice_window(window, view), title=_subject(window), kind="outcome"))
    first = Markup('<img class="dots" src="{}" width="{}" height="{}" alt="{}">').format(
        f"data:image/png;base64,{b64encode(dots_png(grid)).decode()}",
        *(_CELL * size for size in reversed(grid.values.shape)),
        description(grid),
    )
    dull = np.count_nonzero(grid.values == 0) < 2  # as for a single pile of Nim
    shows = "grundy" if dull and window.kind == "grundy" else "p"
    script = _script(ruleset, windows, start, view, shows)
    return render_part("pictures.html.j2", script, ruleset=ruleset.name, first=first), first


def figure_pictures(ruleset: Ruleset, papers: Sequence[Paper]) -> list[FigurePicture]:
    """Return the papers' figures of the ruleset."""
    by_name = {paper.name: paper for paper in papers}
    return [
        FigurePicture(
            f"figures/{figure.paper}-{figure.id}.png",
            figure_picture(figure, ruleset, "png"),
            caption(figure, by_name[figure.paper]),
            f"{figure.at}, {by_name[figure.paper].title}",
        )
        for figure in figures_of(papers, ruleset.name)
    ]


def _start(windows: Sequence[TableWindow]) -> int:
    """Return the index of the first window that has at least a third of the cells of the largest."""
    largest = max(window.values.size for window in windows)
    return next(place for place, window in enumerate(windows) if 3 * window.values.size >= largest)


def _script(ruleset: Ruleset, windows: Sequence[TableWindow], start: int, view: View, shows: str) -> str:
    """Return the tables as a script for assets/pictures.js."""
    data = {
        "names": list(ruleset.coordinate_names),
        "pass": PASS_COORDINATE if any(move.a_pass for move in ruleset.moves) else None,
        "scale": list(SCALE),
        "dark": sum(
            map(is_dark, SCALE)
        ),  # the number of colours, from the first on, that are too dark for black letters
        "shown": {"side": SHOWN, "line": LINE},
        "start": start,
        "shows": shows,
        "view": {"down": view.down, "across": view.across, "fixed": dict(view.fixed)},
        "windows": [_window(window) for window in windows],
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return f"(window.grundylabPictures ||= {{}})[{json.dumps(ruleset.name)}] = {text};\n"


def _subject(window: TableWindow) -> str:
    return ", ".join(filter(None, [window.instance.ruleset.name, window.settings]))


def _window(window: TableWindow) -> Mapping[str, Any]:
    """Return the window as JSON; its values are letters from the one before ``0`` (no position) on, compressed."""
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
