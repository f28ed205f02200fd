"""``grundylab verify``: a claim or formula against every position of larger tables."""

from __future__ import annotations

import argparse

from grundylab.commands import Result, asked_instances
from grundylab.commands.asked import asked_claim
from grundylab.conditions import propose_condition
from grundylab.judging import judge
from grundylab.printing import claim_text
from grundylab.records import verdict_record, verdict_text
from grundylab.rulesets import load_ruleset
from grundylab.solving import check_memory, solve

_EXIT = {"holds": 0, "refuted": 1, "undecided": 3}


def run(options: argparse.Namespace) -> Result:
    """Verify; the smallest counterexample refutes."""
    ruleset = load_ruleset(options.ruleset)
    claim = asked_claim(ruleset, options).claim
    instances = asked_instances(ruleset, options)
    for instance in instances:
        check_memory(instance)
    tables = (solve(instance, claim.target.values) for instance in instances)
    verdict = judge(claim, tables)
    condition = propose_condition(verdict)
    record = verdict_record(verdict, condition)
    return Result(
        verdict.status, verdict_text(verdict, condition, claim_text(claim)), record, _EXIT[verdict.status]
    )
