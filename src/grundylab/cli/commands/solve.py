"""``grundylab solve``: computes the value of every position, and writes a dataset."""

from __future__ import annotations

import argparse
from pathlib import Path

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult, cell_total, check_writable, progress, select_instances
from grundylab.errors import InstanceError
from grundylab.games import Instance, load_ruleset
from grundylab.solve import solve
from grundylab.solve.dataset import (
    Stored,
    dataset_path,
    write_dataset,
    write_p_positions,
)
from grundylab.solve.memory import PROGRAM, check_bytes, free_memory, p_position_bytes, table_bytes
from grundylab.solve.reference import check_kind
from grundylab.solve.solving import solve_p_positions


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Compute the value of every position of a table, and write them to a Parquet file.",
        "grundylab solve nim --bound N=64",
        "grundylab solve nim-with-a-pass-from-m --bound N=100 --param m=4,8 --target p",
    )
    arguments.ruleset(parser)
    arguments.sweep(parser)
    parser.add_argument(
        "--target",
        choices=("grundy", "outcome", "p"),
        help="the values: grundy, the Grundy numbers (default); outcome, P or N at every position (default under "
        "misère play); or p, the P-positions alone",
    )
    parser.add_argument(
        "--memory",
        type=arguments.memory,
        metavar="4GiB",
        help="the memory limit (default: the free memory)",
    )
    arguments.out(parser, "the file to write (default: in data/RULESET)")


def run(options: argparse.Namespace) -> CommandResult:
    """Solve each selected instance, and write a file for each."""
    ruleset = load_ruleset(options.ruleset)
    instances = select_instances(ruleset, options)
    if options.out and len(instances) != 1:
        raise InstanceError(f"--out takes one instance, but the sweep has {len(instances)}")
    if options.out and Path(options.out).suffix == ".csv":
        raise InstanceError(f"--out {options.out}: a dataset is Parquet; 'grundylab export csv' writes CSV")
    check_writable(options.force, options.out)
    kind: Stored = options.target or ("outcome" if ruleset.play == "misere" else "grundy")
    for instance in instances:  # before anything is written
        check_fits(instance, kind, options.memory)
    lines, files, positions = [], [], 0
    paths = [Path(options.out) if options.out else dataset_path(instance, kind) for instance in instances]
    with progress(options, "solving", cell_total(instances)) as done:
        for path, instance in zip(paths, instances, strict=True):
            if kind == "p":
                p_positions = solve_p_positions(instance, options.memory)
                write_p_positions(p_positions, path)
                count = p_positions.positions
                text = f"{len(p_positions):,} P-positions of {count:,} positions"
            else:
                table = solve(instance, kind)
                write_dataset(table, path)
                count = table.positions
                text = f"{count:,} positions, {kind}"
            done(instance.cells)
            positions += count
            files.append(str(path))
            lines.append(f"{instance}: {text} → {path}")
    return CommandResult("done", "\n".join(lines), {"checked": positions, "files": files})


def check_fits(instance: Instance, kind: Stored, limit: int | None) -> None:
    """Raise InstanceError, which names targets that would fit, if solving needs more than the limit or free memory."""
    check_kind(instance, "outcome" if kind == "p" else kind)
    most = min(free_memory(), 2**62 if limit is None else limit - PROGRAM)
    needed = _bytes_needed(instance, kind)
    if needed > most:
        others = [other for other in _SMALLER[kind] if _bytes_needed(instance, other) <= most]
        check_bytes(instance, needed, limit, "".join(f", or --target {other}" for other in others))


_SMALLER: dict[Stored, tuple[Stored, ...]] = {"grundy": ("outcome", "p"), "outcome": ("p",), "p": ()}


def _bytes_needed(instance: Instance, kind: Stored) -> int:
    return p_position_bytes(instance) if kind == "p" else table_bytes(instance, kind)
