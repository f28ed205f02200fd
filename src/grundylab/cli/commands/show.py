"""``grundylab show``: draws a slice of a table, or a paper's figure, in the terminal and as a picture."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult, check_cells, check_writable, solve_slice
from grundylab.errors import InstanceError
from grundylab.findings.papers import load_papers
from grundylab.games import Ruleset, load_ruleset
from grundylab.games.model import Values
from grundylab.report.drawing import PictureOptions, format_of, write_picture
from grundylab.report.figures import caption, figure_grid, figures_of, named_figure
from grundylab.report.grid import Grid, slice_table
from grundylab.report.terminal import to_text, wants_colour
from grundylab.solve.instance_choice import TO_LOOK_AT

SEEN = replace(TO_LOOK_AT, largest=20)  # limits for choosing bounds: the table fits a terminal


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Draw a table of P-positions or Grundy numbers in the terminal. --out also writes it as a picture; "
        "--figure draws a figure of a paper instead.",
        "grundylab show nim --bound N=12 --fix z=3 --target grundy",
        "grundylab show max-nim-ceil-pass --figure figure-1 --out figure.pdf",
    )
    arguments.ruleset(parser)
    arguments.sweep(parser)
    what = "the coordinates to hold fixed (default: all but two, at their lowest values)"
    arguments.repeated(parser, "--fix", "p=1,z=3", what)
    parser.add_argument(
        "--axes", metavar="k,u", help="which coordinate goes down and which across (default: in order)"
    )
    parser.add_argument(
        "--target",
        choices=("p", "grundy"),
        help="the values: p, the P-positions (default), or grundy, the Grundy numbers",
    )
    parser.add_argument("--figure", metavar="ID", help="draw this figure of a paper, such as figure-7")
    arguments.out(parser, "also write a picture: FILE.svg, FILE.pdf or FILE.png")
    parser.add_argument(
        "--width",
        type=arguments.integer_between(20, 2000),
        metavar="MM",
        help="the width of the picture in mm (default: depends on its cells)",
    )
    parser.add_argument(
        "--dpi",
        type=arguments.integer_between(20, 2400),
        default=200,
        metavar="DOTS",
        help="dots per inch of a PNG (default: 200)",
    )
    arguments.flag(parser, "--no-title", "omit the line above the picture")
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="whether to use colours; auto does in a terminal, unless NO_COLOR is set",
    )


def run(options: argparse.Namespace) -> CommandResult:
    """Draw a slice of one instance's table, or a figure of a paper."""
    ruleset = load_ruleset(options.ruleset)
    picture = Path(options.out) if options.out else None
    if picture:
        format_of(picture)
        check_writable(options.force, picture)
    if options.figure is None:
        grid, fields = _slice(ruleset, options)
    else:
        conflicts = [name for name in ("bound", "param", "fix", "axes", "target") if getattr(options, name)]
        if conflicts:
            raise InstanceError(f"a figure has its own --{conflicts[0]}; leave it out")
        papers = load_papers()
        figure = named_figure(figures_of(papers, ruleset.name), options.figure, ruleset.name)
        words = caption(figure, next(paper for paper in papers if paper.name == figure.paper))
        grid, fields = figure_grid(figure, ruleset), {"figure": figure.id, "caption": words}
        grid = replace(grid, title=f"{figure.at}: {grid.title}")
    record = {
        **fields,
        "fixed": dict(grid.fixed),
        "values_kind": grid.kind,
        "rows": [grid.row_name, *grid.rows] if grid.row_name else [],
        "columns": [grid.column_name, *grid.columns],
        "values": grid.values.tolist(),
        "checked": int(grid.values.size),
        "out": options.out,
    }
    if picture:
        write_picture(grid, picture, PictureOptions(options.width, options.dpi, not options.no_title))
    stream = sys.stderr if options.json else sys.stdout
    width = shutil.get_terminal_size().columns if stream.isatty() else None
    return CommandResult("done", to_text(grid, wants_colour(options.color, stream), width), record)


def _slice(ruleset: Ruleset, options: argparse.Namespace) -> tuple[Grid, dict[str, object]]:
    """Return the grid of the slice that the options select, and the entries about it in the record for ``--json``."""
    axes = tuple(name.strip() for name in options.axes.split(",")) if options.axes else ()

    def check(sides: Mapping[str, int]) -> None:
        check_cells([sides[name] for name in axes if name in sides] or [*sides.values()][:2])

    kind: Values = "grundy" if options.target == "grundy" else "outcome"
    table, fixed = solve_slice(ruleset, options, kind, "show draws", check, SEEN)
    if not fixed and len(ruleset.coordinates) > 2:
        lows = {
            name: side.low for name, side in zip(ruleset.coordinate_names, table.instance.box, strict=True)
        }
        shown = axes if axes and set(axes) <= lows.keys() else ruleset.coordinate_names[:2]
        fixed = {name: low for name, low in lows.items() if name not in shown}
    return slice_table(table, fixed, axes), {"instance": table.instance.label}
