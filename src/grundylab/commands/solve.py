"""``grundylab solve``: every position's value, written as a dataset."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grundylab.commands import Result, arguments, asked_instances
from grundylab.commands.progress import measured, progress
from grundylab.errors import DatasetError, InstanceError
from grundylab.rulesets import Instance, load_ruleset
from grundylab.rulesets.model import Values
from grundylab.solving import check_memory, solve
from grundylab.solving.dataset import dataset_path, metadata, read_metadata, write_dataset


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    arguments.ruleset(parser)
    arguments.sweep(parser)
    parser.add_argument(
        "--values", choices=("grundy", "outcome"), help="default: grundy (misère play: outcome)"
    )
    parser.add_argument("--out", metavar="FILE", help="default: data/RULESET/INSTANCE.VALUES.parquet")


def run(options: argparse.Namespace) -> Result:
    """Solve and write one instance, or a sweep of them."""
    ruleset = load_ruleset(options.ruleset)
    asked = asked_instances(ruleset, options)
    if options.out == "":
        raise InstanceError("--out takes the name of a file")
    if options.out and len(asked) != 1:
        raise InstanceError(f"--out takes one instance, but the sweep has {len(asked)}")
    kind: Values = options.values or ("outcome" if ruleset.play == "misere" else "grundy")
    for instance in asked:  # before anything is written
        check_memory(instance)
    lines, files, positions = [], [], 0
    paths = [Path(options.out) if options.out else dataset_path(instance, kind) for instance in asked]
    for path, instance in zip(paths, asked, strict=True):
        _say_if_replaced(path, instance, kind)
    with progress(options, "solving", measured(asked)) as done:
        for path, instance in zip(paths, asked, strict=True):
            table = solve(instance, kind)
            write_dataset(table, path)
            done(instance.cells)
            positions += table.positions
            files.append(str(path))
            lines.append(f"{instance}: {table.positions:,} positions, {kind} → {path}")
    return Result("done", "\n".join(lines), {"checked": positions, "files": files})


def _say_if_replaced(path: Path, instance: Instance, kind: Values) -> None:
    """A file that is not this instance's dataset is replaced, but not in silence."""
    if not path.exists():
        return
    try:
        found = read_metadata(path)
    except DatasetError as error:
        print(f"replacing {error}", file=sys.stderr)
        return
    differing = [key for key, value in metadata(instance, kind).items() if found.get(key) != value]
    if differing:
        print(f"replacing {path}: made for another {', '.join(differing)}", file=sys.stderr)
