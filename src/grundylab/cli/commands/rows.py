"""``grundylab rows``: finds periods of rows of positions, and proves them by certificates."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from itertools import product
from pathlib import Path

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult, check_writable, progress
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.coq_checks import check_rows_by_coq
from grundylab.findings.rows import Row
from grundylab.findings.wording import assignment_text, coq_answer_text, row_words
from grundylab.games import Ruleset, load_ruleset, parse_target
from grundylab.games.layers import NotLayered, TooManyLayers
from grundylab.games.model import Target
from grundylab.games.settings import MOST_ROWS, check_count, combinations, parse_sweep
from grundylab.language.layout import to_latex
from grundylab.pipeline.rows_and_heaps import study_row
from grundylab.pipeline.stages import COQ_SECONDS
from grundylab.prove.outcome import Limits

_SHOWN = 60  # the most nodes of a formula that the text shows


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Fix all coordinates but two (for Grundy numbers, all but one), find a period in the rest, and prove "
        "it.",
        "grundylab rows subtraction-1-3-4 --target grundy",
        "grundylab rows nim-with-a-pass-from-m --fix p=1,x=2,3,4 --param m=8",
    )
    arguments.ruleset(parser)
    what = "the coordinates to hold fixed; each combination of values is a row"
    arguments.repeated(parser, "--fix", "p=1,x=2,3", what)
    arguments.parameters(parser)
    arguments.target(parser)
    parser.add_argument(
        "--length",
        type=arguments.count,
        default=100_000,
        metavar="PLACES",
        help="the length of a row (default: 100000)",
    )
    arguments.flag(parser, "--coq", "let Coq check the periods, and keep its files")
    arguments.out(parser, "where the proofs are kept (default: results/proofs/RULESET)", "FOLDER")


def run(options: argparse.Namespace) -> CommandResult:
    """Look for a period in each selected row, and report the periods with their proofs."""
    ruleset = load_ruleset(options.ruleset)
    target = parse_target(options.target)
    folder = Path(options.out or Path("results") / "proofs" / ruleset.name)
    if options.out:
        check_writable(options.force, *folder.glob("row-*.json"))
    records, lines = [], []
    parameter_sweep, fixed_sweep = parse_sweep(options.param, "--param"), parse_sweep(options.fix, "--fix")
    check_count(ruleset, parameter_sweep, fixed_sweep, most=MOST_ROWS)
    settings = [*product(combinations(parameter_sweep), combinations(fixed_sweep))]
    with progress(options, "looking at rows", len(settings) if len(settings) > 1 else None) as done:
        for parameters, fixed in settings:
            started = time.process_time()
            try:
                record = study_row(ruleset, parameters, fixed, target, options.length, folder)
            except TooManyLayers:
                raise
            except NotLayered as error:
                raise NotLayered(f"{error.message}; {_remedy(ruleset, fixed, target)}") from None
            if options.coq:
                (record,) = check_rows_by_coq(ruleset, [record], folder, Limits(COQ_SECONDS))
            records.append(record)
            lines.append(_text(record, time.process_time() - started))
            done(1)
    status = "proved" if all(record.status == "proved" for record in records) else "undecided"
    rows = [
        {**record_to_json(row), "latex": None if row.formula is None else to_latex(row.formula)}
        for row in records
    ]
    return CommandResult(status, "\n".join(lines), {"target": str(target), "rows": rows})


def _remedy(ruleset: Ruleset, fixed: Mapping[str, int], target: Target) -> str:
    """Return advice, for an error, to a user whose game has no rows with these fixed coordinates."""
    free, needed = len(ruleset.coordinates) - len(fixed), 1 if target.name == "grundy" else 2
    if free > needed:
        return "hold the others fixed, as in --fix p=1"
    if free == 1 < needed and ruleset.play == "normal":
        return "for a row of one coordinate, give --target grundy"
    return "'grundylab study' and 'grundylab discover' accept every game"


def _text(row: Row, seconds: float) -> str:
    lines = [f"{assignment_text({**row.row, **row.parameters}) or 'all'}: {row.status}: {row_words(row)}"]
    if row.period is not None:
        lines[0] += f" (seen in {row.learned:,} places, checked in {row.checked:,})"
    if row.formula is not None and row.formula.size <= _SHOWN:
        lines.append(f"    {row.formula}    where {row.where}")
    if row.claims:
        setting = f" with {assignment_text(row.parameters)}" if row.parameters else ""
        lines.append(f"    proves the claims {', '.join(row.claims)}{setting}")
    if row.proof:
        lines.append(f"    certificate: {row.proof} (found and checked in {seconds:.2f} s)")
    if row.machine_checked is not None:
        file = row.machine_checked.file
        lines.append(f"    {coq_answer_text(row)}{f' ({file})' if file else ''}")
    return "\n".join(lines)
