"""Pictures as files of their own, for Snakemake's report and for who wants to look without the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grundylab.catalogue.papers import Figure, Paper
from grundylab.games import Ruleset
from grundylab.report.figures import figure_grid, figures_of, view_of
from grundylab.report.grid import beginning, slice_window
from grundylab.report.site.folder import write_folder
from grundylab.report.svg import grid_svg, side_by_side
from grundylab.report.window import Window
from grundylab.version import __version__


def write_game_figures(
    windows: Mapping[str, Sequence[Window]], papers: Iterable[Paper], folder: Path
) -> None:
    """``RULESET.svg`` of each game: its P-positions, and its Grundy numbers where they are known.

    Of a game with parameters the first setting is drawn, of one with many coordinates the usual slice; the axes are as
    in the papers' figures.
    """
    papers = tuple(papers)
    write_folder(
        folder,
        {
            f"{ruleset}.svg": _stamped(_game_svg(first, figures_of(papers, ruleset)), first.instance.ruleset)
            for ruleset, (first, *_) in windows.items()
        },
    )


def _game_svg(window: Window, figures: Sequence[Figure]) -> str:
    grid = beginning(slice_window(window, view_of(window, figures)))
    if window.kind == "outcome":
        return grid_svg(grid, standalone=True)
    return side_by_side([grid_svg(grid, standalone=True), grid_svg(grid, numbers=True, standalone=True)])


def write_paper_figures(papers: Iterable[Paper], rulesets: Mapping[str, Ruleset], folder: Path) -> None:
    """``PAPER/figure-7.svg`` of each figure that is of one of the rulesets."""
    figures = [figure for paper in papers for figure in paper.figures if figure.ruleset in rulesets]
    write_folder(
        folder,
        {
            f"{figure.paper}/{figure.id}.svg": _figure_svg(figure, rulesets[figure.ruleset])
            for figure in figures
        },
    )


def _figure_svg(figure: Figure, ruleset: Ruleset) -> str:
    grid = figure_grid(figure, ruleset)
    picture = grid_svg(grid, figure.shows != "p", True, len(grid.columns))
    return _stamped(picture, ruleset)


def _stamped(picture: str, ruleset: Ruleset) -> str:
    """The picture with by what it was made."""
    stamp = f"<metadata>grundylab {__version__}, ruleset {ruleset.name} with hash {ruleset.hash}</metadata>"
    return picture.replace(">", f">{stamp}", 1)
