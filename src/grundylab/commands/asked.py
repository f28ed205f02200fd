"""The formula that ``--claim``, or ``--formula`` with ``--target`` and ``--where``, asks about."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from grundylab.errors import FormulaError, GrundylabError, Place
from grundylab.formula import parse, parse_condition
from grundylab.formula.syntax import TRUE, Expr, conjunction
from grundylab.rulesets import Ruleset, Target, parse_target


@dataclass(frozen=True)
class Asked:
    """claim: its id, or None for a formula typed in."""

    formula: Expr
    target: Target
    where: Expr
    claim: str | None = None


def asked_formula(ruleset: Ruleset, options: argparse.Namespace) -> Asked:
    """Raises FormulaError, at the option, for what is not a formula about the ruleset."""
    extra = _read("--where", options.where, ruleset, None) if options.where is not None else TRUE
    if options.claim is not None:
        if options.target is not None:
            raise FormulaError("--target goes with --formula; a claim has its own")
        claim = ruleset.claim(options.claim)
        return Asked(claim.formula, claim.target, conjunction(claim.where, extra), claim.id)
    target = parse_target("p" if options.target is None else options.target)
    return Asked(_read("--formula", options.formula, ruleset, target), target, extra)


def _read(option: str, text: str, ruleset: Ruleset, target: Target | None) -> Expr:
    try:
        if target is not None:
            return ruleset.check_formula(parse(text, ruleset.piles), target)
        return ruleset.check_condition(parse_condition(text, ruleset.piles))
    except GrundylabError as error:
        raise FormulaError(error.message, Place(option, column=error.place.column)) from None
