"""The pictures of a ruleset's page: slices of its tables, and the papers' figures drawn again.

In the browser, assets/pictures.js draws the slices. The tables are in a script, since a page that is opened as a file
may not read other files. Until the script runs, and on the game's card, a small PNG shows the first slice.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from markupsafe import Markup

from grundylab.findings.papers import Figure, Paper
from grundylab.findings.study_questions import is_right_at
from grundylab.games import Ruleset
from grundylab.games.model import Values
from grundylab.records.finding import Finding
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
from grundylab.report.templates import PagePart, PagePicture, render_part

_CELL = 4  # the side of a cell in the small picture, in pixels
_ZERO = ord("0")  # the code of the letter that stands for the value 0


def pictures(
    ruleset: Ruleset,
    windows: Sequence[TableWindow],
    figures: Sequence[Figure] = (),
    best: Finding | None = None,
) -> tuple[PagePart, Markup]:
    """Return the part of the page with the ruleset's pictures, and the small picture as HTML.

    Both are empty if there are no windows. figures: papers' figures of the game, which determine the axes. best: the
    best answer, beside which the picture is shown.
    """
    if not windows:
        return PagePart(Markup(""), ""), Markup("")
    start = first_place(windows, best)
    window = windows[start]
    view = view_of(window, figures)
    grid = first_view(replace(slice_window(window, view), title=_subject(window)))
    dull = np.count_nonzero(grid.values == 0) < 2  # as of a single pile of Nim, where only 0 is a P-position
    shows: Values = "grundy" if dull and window.kind == "grundy" else "outcome"
    grid = replace(grid, kind=shows)
    first = Markup('<img class="dots" src="{}" width="{}" height="{}" alt="{}">').format(
        f"data:image/png;base64,{b64encode(dots_png(grid)).decode()}",
        *(_CELL * size for size in reversed(grid.values.shape)),
        description(grid),
    )
    script = _script(ruleset, windows, start, view, "grundy" if shows == "grundy" else "p")
    part = render_part("pictures.html.j2", script, ruleset=ruleset.name, first=first, setting=window.settings)
    return part, first


def figure_pictures(ruleset: Ruleset, papers: Sequence[Paper]) -> list[PagePicture]:
    """Return the figures in these papers that show the game of the ruleset, drawn again from its tables."""
    by_name = {paper.name: paper for paper in papers}
    return [
        PagePicture(
            f"figures/{figure.paper}-{figure.id}.png",
            figure_picture(figure, ruleset),
            f"{figure.at}, {by_name[figure.paper].title}",
            caption(figure, by_name[figure.paper]),
        )
        for figure in figures_of(papers, ruleset.name)
    ]


def first_place(windows: Sequence[TableWindow], best: Finding | None = None) -> int:
    """Return the index of the window shown at first: the first with at least a third of the cells of the largest.

    If possible, it has parameters for which the answer ``best`` is right.
    """
    places = range(len(windows))
    right = [
        place for place in places if best and is_right_at(best, dict(windows[place].instance.parameters))
    ]
    sizes = {place: windows[place].values.size for place in right or places}
    return next(place for place, size in sizes.items() if 3 * size >= max(sizes.values()))


def _script(ruleset: Ruleset, windows: Sequence[TableWindow], start: int, view: View, shows: str) -> str:
    """Return the tables as a script, which assets/pictures.js reads.

    The values of a window are a text with a letter per cell, compressed and in Base64: the letter's code is the value
    plus the code of ``0``, so that the letter before ``0`` is a cell without a position.

    start: the index of the window shown at first. view: its slice. shows: ``grundy`` or ``p``, for what is drawn.
    """
    tables = []
    for window in windows:
        letters = "".join(map(chr, (window.values + _ZERO).ravel().tolist()))
        table = {
            "label": window.settings,
            "subject": _subject(window),
            "parameters": [f"{name}={value}" for name, value in window.instance.parameters],
            "kind": window.kind,
            "low": [side.start for side in window.box],
            "shape": [len(side) for side in window.box],
            "values": b64encode(zlib.compress(letters.encode(), 9)).decode(),
        }
        tables.append(table)
    data = {
        "names": list(ruleset.coordinate_names),
        "pass": ruleset.pass_flag,
        "scale": list(SCALE),
        "dark": sum(map(is_dark, SCALE)),  # the colours at its start that are too dark for black letters
        "shown": {"side": SHOWN, "line": LINE},
        "start": start,
        "shows": shows,
        "view": {"down": view.down, "across": view.across, "fixed": dict(view.fixed)},
        "windows": tables,
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return f"(window.grundylabPictures ||= {{}})[{json.dumps(ruleset.name)}] = {text};\n"


def _subject(window: TableWindow) -> str:
    return ", ".join(filter(None, [window.instance.ruleset.name, window.settings]))
