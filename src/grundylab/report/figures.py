"""The figures of papers, drawn again from computed tables of their games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grundylab.errors import GrundylabError, InstanceError, PaperError
from grundylab.findings.papers import Figure, Paper
from grundylab.games import Ruleset, make_instance
from grundylab.games.model import Values
from grundylab.report.drawing import PictureOptions, picture
from grundylab.report.grid import (
    Grid,
    TableWindow,
    View,
    crop,
    slice_window,
    usual_view,
    whole_window,
)
from grundylab.solve import solve
from grundylab.version import __version__

_DPI = 150  # dots per inch of a picture on the page


def figures_of(papers: Iterable[Paper], ruleset: str) -> tuple[Figure, ...]:
    """Return the figures in the papers that show the game of this ruleset."""
    return tuple(figure for paper in papers for figure in paper.figures if figure.ruleset == ruleset)


def named_figure(figures: Sequence[Figure], name: str, ruleset: str) -> Figure:
    """Return the figure with this name: its id or its place, or ``PAPER/`` and one of them.

    Raises InstanceError if there is no such figure or more than one. ruleset: the name of the game, for the message.
    """
    matching = [
        figure
        for figure in figures
        if name in (figure.id, figure.at, f"{figure.paper}/{figure.id}", f"{figure.paper}/{figure.at}")
    ]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise InstanceError(f"--figure {name}: which of {', '.join(f'{f.paper}/{f.id}' for f in matching)}?")
    ids = ", ".join(figure.id for figure in figures) or "none"
    raise InstanceError(f"--figure {name}: no paper has such a figure of {ruleset}; its figures: {ids}")


def figure_grid(figure: Figure, ruleset: Ruleset) -> Grid:
    """Return the figure's grid, taken from a computed table; raise PaperError at the figure if that is impossible."""
    kind: Values = "outcome" if figure.shows == "p" else "grundy"
    axes, names = _axes(figure), ruleset.coordinate_names
    ends = {
        **(figure.down or {}),
        **figure.across,
        **{name: (value, value) for name, value in figure.fix.items()},
    }
    try:
        table = solve(make_instance(ruleset, figure.parameters, figure.bounds), kind)
        if len(ends) != len(axes) + len(figure.fix) or set(ends) < set(names):
            raise InstanceError(f"each of {', '.join(names)} must go down, go across, or be fixed")
        ranges = {name: range(first, last + 1) for name, (first, last) in ends.items()}
        view = View(axes[0] if figure.down else None, axes[-1], figure.fix)
        return slice_window(crop(whole_window(table), ranges), view)
    except GrundylabError as error:
        raise PaperError(error.message, figure.place) from None


def _axes(figure: Figure) -> list[str]:
    """Return the coordinate that goes down, if there is one, and then the coordinate that goes across."""
    return [*(figure.down or {}), *figure.across]


def view_of(window: TableWindow, figures: Iterable[Figure]) -> View:
    """Return the usual view of a window; a figure with the same two coordinates determines which of them goes down."""
    usual = usual_view(window)
    for figure in figures:
        axes = _axes(figure)
        if usual.down and sorted(axes) == sorted([usual.down, usual.across]):
            return View(axes[0], axes[1], usual.fixed)
    return usual


def caption(figure: Figure, paper: Paper) -> str:
    """Return a caption: ``As Figure 7 of “Games of Nim with restriction”: the P-positions of …``, and assumptions."""
    assumed = f" Assumed (not stated in the paper): {figure.assumed}." if figure.assumed else ""
    return f"As {figure.at} of “{paper.title}”: {figure.about}.{assumed}"


def figure_picture(figure: Figure, ruleset: Ruleset) -> bytes:
    """Return a PNG of a paper's figure; Grundy numbers are written in the cells, however many there are."""
    grid = figure_grid(figure, ruleset)
    look = PictureOptions(dpi=_DPI, title=False, numbered=max(grid.values.shape))
    about = f"grundylab {__version__}, ruleset {ruleset.name} with hash {ruleset.hash}"
    return picture(grid, "png", look, about=about)
