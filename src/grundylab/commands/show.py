"""``grundylab show``: a table's slice in the terminal, and as a picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from grundylab.commands import Result, arguments, asked_instances
from grundylab.errors import InstanceError
from grundylab.report.grid import slice_table, to_text, write_png
from grundylab.rulesets import load_ruleset
from grundylab.solving import solve
from grundylab.study import parse_sweep


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    arguments.ruleset(parser)
    arguments.sweep(parser)
    parser.add_argument(
        "--fix", action="append", default=[], metavar="p=1,z=3", help="coordinates held fixed"
    )
    parser.add_argument("--values", choices=("grundy", "outcome"), default="outcome")
    parser.add_argument("--png", metavar="FILE", help="also draw a picture")


def run(options: argparse.Namespace) -> Result:
    """Draw one instance."""
    ruleset = load_ruleset(options.ruleset)
    asked = asked_instances(ruleset, options)
    if len(asked) != 1:
        raise InstanceError(f"show draws one instance, but the sweep has {len(asked)}")
    fixed = {}
    for name, values in parse_sweep(options.fix, "--fix").items():
        if len(values) != 1:
            raise InstanceError(f"--fix: {name} takes one value")
        fixed[name] = values[0]
    grid = slice_table(solve(asked[0], options.values), fixed)
    record = {
        "instance": asked[0].label,
        "fixed": fixed,
        "values_kind": options.values,
        "rows": [grid.row_name, *grid.rows] if grid.row_name else [],
        "columns": [grid.column_name, *grid.columns],
        "values": grid.values.tolist(),
        "checked": int(grid.values.size),
    }
    if options.png:
        write_png(grid, Path(options.png))
        record["png"] = options.png
    return Result("done", to_text(grid), record)
