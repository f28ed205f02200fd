"""``grundylab verify``: a claim or formula against every position of larger tables."""

from __future__ import annotations

import argparse

from grundylab.commands import Result, asked_instances
from grundylab.conditions import propose_condition
from grundylab.errors import FormulaError, GrundylabError, Place
from grundylab.formula import parse, parse_condition
from grundylab.formula.syntax import TRUE, Expr, conjunction
from grundylab.records import verdict_record, verdict_text
from grundylab.rulesets import Ruleset, Target, load_ruleset, parse_target
from grundylab.solve import check_memory, solve
from grundylab.verify import verify

_EXIT = {"holds": 0, "refuted": 1, "undecided": 3}


def run(options: argparse.Namespace) -> Result:
    """Verify; the smallest counterexample refutes."""
    ruleset = load_ruleset(options.ruleset)
    formula, target, where = asked_formula(ruleset, options)
    asked = asked_instances(ruleset, options)
    for instance in asked:
        check_memory(instance)
    verdict = verify(formula, target, (solve(instance, target.values) for instance in asked), where)
    condition = propose_condition(verdict)
    record = verdict_record(verdict, condition)
    return Result(verdict.status, verdict_text(verdict, condition), record, _EXIT[verdict.status])


def asked_formula(ruleset: Ruleset, options: argparse.Namespace) -> tuple[Expr, Target, Expr]:
    """Formula, target and ``where`` from ``--claim`` or from ``--formula``, ``--target`` and ``--where``."""
    extra = _read("--where", options.where, ruleset, None) if options.where else TRUE
    if options.claim:
        if options.target:
            raise FormulaError("--target goes with --formula; a claim has its own")
        claim = ruleset.claim(options.claim)
        return claim.formula, claim.target, conjunction(claim.where, extra)
    target = parse_target(options.target or "p")
    return _read("--formula", options.formula, ruleset, target), target, extra


def _read(option: str, text: str, ruleset: Ruleset, target: Target | None) -> Expr:
    try:
        if target is not None:
            return ruleset.check_formula(parse(text, ruleset.piles), target)
        return ruleset.check_condition(parse_condition(text, ruleset.piles))
    except GrundylabError as error:
        raise FormulaError(error.message, Place(option, column=error.place.column)) from None
