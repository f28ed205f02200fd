"""``grundylab verify``: tests a claim or formula at every position of tables."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from grundylab.check.data_frames import read_frame
from grundylab.check.families import judge_family
from grundylab.check.judging import judge_instances
from grundylab.check.slabs import Slab
from grundylab.check.table_files import NAMES, errors_with_file, is_table, read_table
from grundylab.check.verification import Verdict, verify_samples
from grundylab.cli import arguments
from grundylab.cli.common import (
    CommandResult,
    cell_total,
    parse_extents,
    progress,
    refuse_options,
    select_claim,
    select_instances,
)
from grundylab.discover.repairs import propose_condition
from grundylab.errors import FormulaError, NoSweep
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.claim_layout import claim_text
from grundylab.findings.records import judged_statement
from grundylab.findings.wording import verdict_text
from grundylab.games import Claim, Instance, load_ruleset
from grundylab.language import parse, parse_condition


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Test a formula, or a claim of the ruleset, on every position of the given tables. It holds, or is "
        "refuted by the smallest position where it is wrong.",
        'grundylab verify nim --formula "x ^ y == z" --bound N=32',
        "grundylab verify nim-with-a-pass-from-m --claim conjecture-1 --bound N=96 --param m=16,20",
    )
    arguments.ruleset(parser, f", or {NAMES}, of which --target is a column (default: the last)")
    arguments.sweep(parser)
    arguments.formula(parser)
    parser.add_argument(
        "--lookup",
        action="append",
        default=[],
        metavar="G=this",
        help="let G(…) in the formula stand for the Grundy number of a position of this ruleset, or of a named one",
    )
    parser.add_argument(
        "--every",
        action="append",
        default=[],
        metavar="'f: 0..8 -> 0..9'",
        help="for a family of games: consider every function with these arguments and these values",
    )
    parser.add_argument(
        "--slab",
        type=arguments.slab,
        metavar="3/16",
        help="check only the third of sixteen parts of each table, as one job on a cluster",
    )


def run(options: argparse.Namespace) -> CommandResult:
    """Verify the claim or formula, and report the smallest counterexample if it is refuted."""
    if is_table(options.ruleset):
        return _verify_table(options)
    ruleset = load_ruleset(options.ruleset)
    claim = select_claim(ruleset, options).claim
    instances = select_instances(ruleset, options)
    if options.slab is not None:
        return _verify_slab(claim, instances, options)
    extents, games = parse_extents(ruleset, options.every), None
    if ruleset.free:
        with progress(options, "looking at every game"):
            (verdict,), games = judge_family([claim], instances, extents)
    else:
        with progress(options, "verifying", cell_total(instances)) as done:
            verdict = judge_instances(claim, instances, done)
    condition = propose_condition(verdict)
    text = verdict_text(verdict, condition, claim_text(claim))
    if games is not None:
        text += f"\nin all {games:,} games of the family to that size"
    record = {**record_to_json(judged_statement(verdict, condition)), "games": games}
    return CommandResult(verdict.status, text, record)


def _verify_table(options: argparse.Namespace) -> CommandResult:
    """Verify the formula on the rows of a table in a file."""
    refuse_options(options, "bound", "param", "claim", "lookup", "every", "slab")
    frame = read_table(options.ruleset)
    with errors_with_file(options.ruleset):
        formula, where = parse(options.formula), parse_condition(options.where or "True")
        read = read_frame(frame, options.target or str(frame.columns[-1]), where)
        if not len(frame):
            raise FormulaError("there is no row to verify on")
        verdict = verify_samples(formula, read.target, read.samples, where)
    record = {**record_to_json(judged_statement(verdict)), "file": options.ruleset}
    return CommandResult(verdict.status, verdict_text(verdict), record)


def _verify_slab(claim: Claim, instances: Sequence[Instance], options: argparse.Namespace) -> CommandResult:
    """Verify one slab (part) of each instance; ``findings.slab_records.combined_verdict`` combines all slabs."""
    from grundylab.check.linewise import check_lines
    from grundylab.findings.slab_records import slab_record

    slab: Slab = options.slab
    if not claim.plain or instances[0].ruleset.free:
        raise FormulaError("--slab goes with a claim on positions of one game, without lookups; leave it out")
    try:
        checks = tuple(check_lines(claim.formula, claim.target, i, claim.where, slab=slab) for i in instances)
    except NoSweep as error:
        raise FormulaError(f"--slab: {error.message}") from None
    verdict = Verdict(claim.formula, claim.target, claim.where, checks)
    head, _, rest = verdict_text(verdict, None, claim_text(claim)).partition("\n")
    name = f"slab {slab.number} of {slab.count}"
    if not verdict.checked:
        rest = f"{verdict.status}: no position of it fulfils {claim.where}"
    record = {**record_to_json(judged_statement(verdict)), **record_to_json(slab_record(claim, checks, slab))}
    return CommandResult(verdict.status, f"{head}\n{name}: {rest}", record)
