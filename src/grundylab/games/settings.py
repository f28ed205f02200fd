"""Which values of the parameters a condition leaves, where these are finitely many and can be listed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import inf, isfinite, prod

from grundylab.errors import GrundylabError
from grundylab.games.model import Ruleset
from grundylab.language.linear import Poly, poly
from grundylab.language.plain import evaluate
from grundylab.language.syntax import MIRRORED, Compare, Expr, Logic, conjunction, conjuncts, free_names

Setting = tuple[tuple[str, int], ...]  # each parameter with its value, in the ruleset's order
MOST = 10_000  # settings that are gone through one by one

_Ends = tuple[float, float]  # integers, or infinite


def settings(ruleset: Ruleset, where: Expr) -> frozenset[Setting] | None:
    """All settings of the parameters in their domains of which ``where`` may be true; None if they are too many.

    Of ``where`` only what it says of the parameters alone counts, so a setting more may be listed, and none is missing.
    """
    names = ruleset.parameter_names
    asked = [term for term in conjuncts(conjunction(ruleset.domain, where)) if free_names(term) <= set(names)]
    spans = []
    for name in names:
        low, high = _ends(conjunction(*asked), name)
        if not isfinite(high - low):
            return None
        spans.append(range(int(low), int(high) + 1))
    if prod(len(span) for span in spans) > MOST:
        return None
    every = (tuple(zip(names, values, strict=True)) for values in product(*spans))
    return frozenset(setting for setting in every if _may(asked, dict(setting), ruleset))


def _may(asked: Iterable[Expr], values: dict[str, int], ruleset: Ruleset) -> bool:
    """Whether no condition says that these are not meant."""
    for condition in asked:
        try:
            if not evaluate(condition, values, ruleset.functions):
                return False
        except GrundylabError:
            continue
    return True


def _ends(condition: Expr, name: str) -> _Ends:
    """Between which values the condition holds the name; infinite for an end that is not plain from it."""
    match condition:
        case Logic(terms=terms):
            ends = [_ends(term, name) for term in terms]
        case Compare():
            ends = [_end(op, poly(left) - poly(right), name) for op, left, right in condition.links]
        case _:
            return -inf, inf
    lows, highs = zip(*ends, strict=True)
    if isinstance(condition, Logic) and condition.op == "or":
        return min(lows), max(highs)
    return max(lows), min(highs)


def _end(op: str, form: Poly, name: str) -> _Ends:
    """As ``_ends``, of the condition that the form is 0, more than 0, … as the sign says."""
    sides = form.split(name) or (Poly(), Poly())
    factor, rest = (side.number for side in sides)
    if factor not in (1, -1) or rest is None:
        return -inf, inf
    end = -factor * rest
    ends = {"<": (-inf, end - 1), "<=": (-inf, end), "==": (end, end), ">=": (end, inf), ">": (end + 1, inf)}
    return ends.get(op if factor == 1 else MIRRORED[op], (-inf, inf))
