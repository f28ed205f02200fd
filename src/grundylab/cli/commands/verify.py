"""``grundylab verify``: tests a claim or formula at every position of tables."""

from __future__ import annotations

import argparse
from typing import Any

from grundylab.api import verify
from grundylab.check.families import judge_family
from grundylab.check.judging import judge_instances
from grundylab.check.table_files import NAMES, errors_with_file, is_table, read_table
from grundylab.check.verification import Verdict
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
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.claim_layout import claim_text
from grundylab.findings.columns import row
from grundylab.findings.verdicts import finding_of_verdict
from grundylab.games import load_ruleset
from grundylab.language import Expr
from grundylab.report.decisions import verdict_text


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
    arguments.repeated(
        parser,
        "--lookup",
        "G=this",
        "let G(…) in the formula stand for the Grundy number of a position of this ruleset, or of a named one",
    )
    arguments.repeated(
        parser,
        "--every",
        "'f: 0..8 -> 0..9'",
        "for a family of games: consider every function with these arguments and these values",
    )


def run(options: argparse.Namespace) -> CommandResult:
    """Verify the claim or formula, and report the smallest counterexample if it is refuted."""
    if is_table(options.ruleset):
        refuse_options(options, "bound", "param", "claim", "lookup", "every")
        frame = read_table(options.ruleset)
        with errors_with_file(options.ruleset):
            target = options.target or str(frame.columns[-1])
            verdict = verify(options.formula, target, frame, options.where or "True")
        record = {**_record(verdict), "file": options.ruleset}
        return CommandResult(verdict.status, verdict_text(verdict), record)
    ruleset = load_ruleset(options.ruleset)
    claim = select_claim(ruleset, options).claim
    instances = select_instances(ruleset, options)
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
        text += f"\nin all {games:,} games of the family up to that size"
    record = {**_record(verdict, condition), "games": games}
    return CommandResult(verdict.status, text, record)


def _record(verdict: Verdict, condition: Expr | None = None) -> dict[str, Any]:
    """Return the verdict as a record. condition: the parameter values for which the statement seems to hold."""
    finding = finding_of_verdict(verdict)
    test = record_to_json(finding.test)
    checks = [{"instance": c.instance.label, "checked": c.checked, "holds": c.holds} for c in verdict.checks]
    more = {
        "instances": checks,
        "counterexample": test["counterexample"],
        "only_wrong_at": test["exceptions"],
        "condition": None if condition is None else str(condition),
        "reason": verdict.reason,
    }
    return {**row(finding), **more}
