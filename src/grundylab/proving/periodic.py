"""Proofs about one heap by the period of its Grundy numbers, where a table shows one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grundylab.errors import EvaluationError, InstanceError
from grundylab.formula.syntax import Expr, Int, substitute
from grundylab.periodicity import find_period
from grundylab.proving.heap_certificate import HeapCertificate, check_formula, check_heap, needed
from grundylab.proving.recurrence import CertificateError
from grundylab.rulesets.heaps import NotBounded, one_heap
from grundylab.rulesets.instance import make_instance
from grundylab.rulesets.model import ALWAYS, Ruleset, Target
from grundylab.rulesets.specialise import fixed_by, specialise
from grundylab.solving import solve

SIZES = (64, 256, 1024, 4096)  # bounds of the tables that are looked at
SETTLING = 8  # places that the moves may need to take their shape


def prove_by_period(ruleset: Ruleset, formula: Expr, target: Target, where: Expr) -> dict[str, Any] | None:
    """A checked certificate from which the formula follows for all sizes that fulfil ``where``; None if none is found.

    It can be found where ``where`` fixes every parameter.
    """
    fixed = fixed_by(where, ruleset.parameter_names)
    game = specialise(ruleset, fixed)
    put = {name: Int(value) for name, value in fixed.items()}
    formula, where = substitute(formula, put), substitute(where, put)
    try:
        certificate = find_heap_certificate(game)
        if certificate is None or target == ALWAYS:
            return None
        check_formula(check_heap(certificate), game, formula, target, where)
    except (NotBounded, CertificateError, EvaluationError, InstanceError):
        return None
    said = {"target": str(target), "formula": str(formula), "where": str(where)}
    return {**certificate.record(), "parameters": fixed, **said}


def find_heap_certificate(game: Ruleset) -> HeapCertificate | None:
    """The certificate that the smallest table with a period gives. Raises NotBounded for other games."""
    one_heap(game)
    return next(_certificates(game), None)


def _certificates(game: Ruleset) -> Iterator[HeapCertificate]:
    for size in SIZES:
        instance = make_instance(game, {}, dict.fromkeys(game.bounds, size))
        least, values = instance.box[0].low, solve(instance, "grundy").values
        period = find_period(values)
        if period is None or period.saltus != 0:
            continue
        for first in range(least + period.preperiod, least + period.preperiod + SETTLING):
            until = _until(game, first, period.period)
            if until is not None and until + period.period <= least + len(values):
                yield HeapCertificate(game, first, period.period, until)
                break


def _until(game: Ruleset, first: int, period: int) -> int | None:
    """Up to where the period must be seen; None if the moves do not have their shape there, or depend on more."""
    until = first + 1
    for _ in range(SETTLING):
        try:
            wanted = needed(game, first, period, until)
        except NotBounded:
            until += 1
            continue
        if wanted <= until:
            return until
        until = wanted
    return None
