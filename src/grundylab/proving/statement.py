"""What is to be proved: a formula, and the condition under which it is claimed, taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grundylab.errors import GrundylabError, InstanceError
from grundylab.formula import syntax
from grundylab.formula.plain import evaluate
from grundylab.formula.syntax import TRUE, Expr, conjunction, free_names
from grundylab.rulesets.model import Ruleset, Target


@dataclass(frozen=True)
class Statement:
    """What is to be proved of the game: formula and target, at the positions and parameters that fulfil where."""

    formula: Expr
    target: Target
    where: Expr = TRUE


def split_where(where: Expr, game: Ruleset) -> tuple[Expr, Expr]:
    """``where`` as (condition on the parameters alone, condition that mentions coordinates)."""
    terms = where.terms if isinstance(where, syntax.Logic) and where.op == "and" else (where,)
    coordinates = set(game.coordinate_names)
    about = [term for term in terms if free_names(term) & coordinates]
    assumed = [term for term in terms if not free_names(term) & coordinates and not _plainly_true(term)]
    return conjunction(*assumed), conjunction(*about)


def _plainly_true(term: Expr) -> bool:
    if free_names(term):
        return False
    try:
        return bool(evaluate(term, {}))
    except (GrundylabError, KeyError):
        return False


def check_domain(ruleset: Ruleset, fixed: Mapping[str, int]) -> None:
    """Raise InstanceError if a fixed parameter is outside its domain."""
    for parameter in ruleset.parameters:
        if free_names(parameter.domain) <= set(fixed) and not evaluate(
            parameter.domain, fixed, ruleset.functions
        ):
            raise InstanceError(
                f"{ruleset.name}: {parameter.name}={fixed[parameter.name]} is out of its domain: {parameter.domain}"
            )
