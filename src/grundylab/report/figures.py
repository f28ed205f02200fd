"""The figures of papers, redrawn from the tables of their games; and pictures as files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grundylab.catalogue.papers import Figure, Paper
from grundylab.errors import GrundylabError, InstanceError, PaperError
from grundylab.games import Ruleset, make_instance
from grundylab.games.model import Values
from grundylab.report.drawing import PictureOptions, picture
from grundylab.report.grid import (
    Grid,
    TableWindow,
    View,
    crop,
    first_view,
    slice_window,
    usual_view,
    whole_window,
)
from grundylab.report.output_folder import write_folder
from grundylab.solve import solve
from grundylab.version import __version__

_DPI = 150  # dots per inch of a picture on the page


def figures_of(papers: Iterable[Paper], ruleset: str) -> tuple[Figure, ...]:
    """Return the papers' figures of this ruleset."""
    return tuple(figure for paper in papers for figure in paper.figures if figure.ruleset == ruleset)


def named_figure(figures: Sequence[Figure], name: str, ruleset: str) -> Figure:
    """Return the figure with this id or place, which may follow its paper's name and a slash.

    Raises InstanceError if there is none, or more than one.
    """
    found = [
        figure
        for figure in figures
        if name in (figure.id, figure.at, f"{figure.paper}/{figure.id}", f"{figure.paper}/{figure.at}")
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise InstanceError(f"--figure {name}: which of {', '.join(f'{f.paper}/{f.id}' for f in found)}?")
    ids = ", ".join(figure.id for figure in figures) or "none"
    raise InstanceError(f"--figure {name}: no paper has such a figure of {ruleset}; its figures: {ids}")


def figure_grid(figure: Figure, ruleset: Ruleset) -> Grid:
    """Return the figure's grid, computed from the game's table; raise PaperError at the figure if that fails."""
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
            raise InstanceError(f"each of {', '.join(names)} goes down, across, or is held fixed")
        ranges = {name: range(first, last + 1) for name, (first, last) in ends.items()}
        view = View(axes[0] if figure.down else None, axes[-1], figure.fix)
        return slice_window(crop(whole_window(table), ranges), view)
    except GrundylabError as error:
        raise PaperError(error.message, figure.place) from None


def _axes(figure: Figure) -> list[str]:
    """Return the coordinates down, if any, and across."""
    return [*(figure.down or {}), *figure.across]


def view_of(window: TableWindow, figures: Iterable[Figure]) -> View:
    """Return the usual view, with the axes as in the first figure that has the same axes."""
    usual = usual_view(window)
    for figure in figures:
        axes = _axes(figure)
        if usual.down and sorted(axes) == sorted([usual.down, usual.across]):
            return View(axes[0], axes[1], usual.fixed)
    return usual


def caption(figure: Figure, paper: Paper) -> str:
    """Return a caption with assumptions: ``As Figure 7 of “Games of Nim with restriction”: the P-positions of …``."""
    assumed = f" Assumed, as the paper does not state it: {figure.assumed}." if figure.assumed else ""
    return f"As {figure.at} of “{paper.title}”: {figure.about}.{assumed}"


# -- files, for the page, for Snakemake's report and for readers without the page -------------------------------


def write_game_figures(
    windows: Mapping[str, Sequence[TableWindow]], papers: Iterable[Paper], folder: Path
) -> None:
    """Write ``RULESET.svg`` for each game: its P-positions, and its Grundy numbers where they are known.

    The first setting of the parameters and the usual slice are drawn; the axes are as in the papers' figures.
    """
    papers, files = tuple(papers), {}
    for name, (window, *_) in windows.items():
        grid = first_view(slice_window(window, view_of(window, figures_of(papers, name))))
        grids = [replace(grid, kind="outcome"), *([grid] if grid.kind == "grundy" else [])]
        files[f"{name}.svg"] = picture(grids, "svg", about=_provenance(window.instance.ruleset))
    write_folder(folder, files)


def write_paper_figures(papers: Iterable[Paper], rulesets: Mapping[str, Ruleset], folder: Path) -> None:
    """Write ``PAPER/figure-7.svg`` for each figure of one of the rulesets."""
    figures = [figure for paper in papers for figure in paper.figures if figure.ruleset in rulesets]
    files = {
        f"{each.paper}/{each.id}.svg": figure_picture(each, rulesets[each.ruleset], "svg") for each in figures
    }
    write_folder(folder, files)


def figure_picture(figure: Figure, ruleset: Ruleset, file_format: str) -> bytes:
    """Return the picture of a paper's figure; a table of Grundy numbers has all of them written in its cells."""
    grid = figure_grid(figure, ruleset)
    look = PictureOptions(dpi=_DPI, title=False, numbered=max(grid.values.shape))
    return picture([grid], file_format, look, about=_provenance(ruleset))


def _provenance(ruleset: Ruleset) -> str:
    """Return the provenance of a picture: version, ruleset and hash."""
    return f"grundylab {__version__}, ruleset {ruleset.name} with hash {ruleset.hash}"
