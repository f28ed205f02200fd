"""``grundylab rows``: rows of positions that become arithmetic-periodic, with certificates."""

from __future__ import annotations

import argparse
import time
from itertools import product
from pathlib import Path

from grundylab.catalogue.files import plain
from grundylab.catalogue.records import RowFound
from grundylab.catalogue.words import numbers, row_words
from grundylab.cli import arguments
from grundylab.cli.common import Result, progress
from grundylab.cli.outputs import PROOF, check_free
from grundylab.errors import InstanceError
from grundylab.games import load_ruleset, parse_target
from grundylab.games.layers import NotLayered
from grundylab.games.settings import combinations, parse_sweep
from grundylab.language import Expr
from grundylab.pipeline.rows import record_of, study_row

_OTHERS = (
    "periods of the Grundy numbers of other games of one pile are looked for by 'discover --engine periods'"
)
_SHOWN = 60  # nodes of a formula that is printed for people


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    arguments.ruleset(parser)
    parser.add_argument(
        "--fix",
        action="append",
        default=[],
        metavar="p=1,x=2,3",
        help="the coordinates held fixed: all but two (for grundy all but one); a list is a sweep",
    )
    arguments.parameters(parser)
    arguments.target(parser)
    parser.add_argument(
        "--length",
        type=arguments.count,
        default=100_000,
        metavar="PLACES",
        help="how far (default: 100000)",
    )
    arguments.out(parser, "for certificates; default: results/proofs/RULESET", "FOLDER")


def run(options: argparse.Namespace) -> Result:
    """Study each row of the sweep."""
    ruleset = load_ruleset(options.ruleset)
    target = parse_target(options.target)
    folder = Path(options.out or Path("results") / "proofs" / ruleset.name)
    if options.out:
        for path in folder.glob("row-*.json"):
            check_free(path, PROOF, options.force)
    records, lines = [], []
    parameter_sweep, fixed_sweep = parse_sweep(options.param, "--param"), parse_sweep(options.fix, "--fix")
    asked = [*product(combinations(parameter_sweep), combinations(fixed_sweep))]
    with progress(options, "looking at rows", len(asked) if len(asked) > 1 else None) as done:
        for parameters, fixed in asked:
            started = time.process_time()
            try:
                result = study_row(ruleset, parameters, fixed, target, options.length)
            except NotLayered as error:
                raise InstanceError(f"{error.message}; {_OTHERS}", error.place) from None
            record = record_of(ruleset, result, parameters, folder)
            records.append(record)
            lines.append(_text(record, result.formula, time.process_time() - started))
            done(1)
    status = "proved" if all(record.status == "proved" for record in records) else "undecided"
    return Result(status, "\n".join(lines), {"target": str(target), "rows": list(map(plain, records))})


def _text(row: RowFound, formula: Expr | None, seconds: float) -> str:
    lines = [f"{numbers({**row.row, **row.parameters}) or 'all'}: {row.status}: {row_words(row)}"]
    if row.period is not None:
        lines[0] += f" (seen in {row.learned:,} places, checked in {row.checked:,})"
    if formula is not None and formula.size <= _SHOWN:
        lines.append(f"    {formula}    where {row.where}")
    if row.claims:
        of = f" with {numbers(row.parameters)}" if row.parameters else ""
        lines.append(f"    proves the claims {', '.join(row.claims)}{of}")
    if row.proof:
        lines.append(f"    certificate: {row.proof} (found and checked in {seconds:.2f} s)")
    return "\n".join(lines)
