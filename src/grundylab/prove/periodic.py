"""Proofs by a period: of the Grundy numbers of one heap, or of a row, where a table shows one."""

from __future__ import annotations

from math import lcm
from typing import Any

from grundylab.errors import EvaluationError, InstanceError
from grundylab.games.heaps import NotBounded, one_heap, shape_of
from grundylab.games.instance import make_instance
from grundylab.games.layers import layered
from grundylab.games.model import ALWAYS, Ruleset, Target
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Expr
from grundylab.prove.heap_certificate import HeapCertificate, check_formula, check_heap, needed
from grundylab.prove.recurrence import CertificateError
from grundylab.prove.recurring import NotFound, find_recurrences
from grundylab.prove.row_certificate import RowCertificate, check_row
from grundylab.solve import solve
from grundylab.solve.periodicity import find_period
from grundylab.solve.rows import solve_rows

SIZES = (64, 256, 1024, 4096, 16384)  # bounds of the tables that are looked at
LENGTHS = (256, 4096, 65536)  # of the rows that are looked at
ANY = lcm(*range(1, 65))
SETTLING = 8  # places that the moves may need to take their shape


def prove_by_period(ruleset: Ruleset, formula: Expr, target: Target, where: Expr) -> dict[str, Any] | None:
    """A checked certificate from which the formula follows for all sizes that fulfil ``where``; None if none is found.

    It can be found where ``where`` fixes every parameter and, for a game of more than one coordinate, all but two of
    them (for Grundy numbers all but one).
    """
    fixed = fixed_by(where, ruleset.parameter_names)
    if target == ALWAYS or len(fixed) < len(ruleset.parameters):
        return None
    formula, where = substitute(formula, fixed), substitute(where, fixed)
    prove = _of_heap if len(ruleset.coordinates) == 1 else _of_row
    try:
        return prove(ruleset, fixed, formula, target, where)
    except (CertificateError, EvaluationError, InstanceError, NotFound):
        return None


def _of_heap(
    ruleset: Ruleset, parameters: dict[str, int], formula: Expr, target: Target, where: Expr
) -> dict[str, Any] | None:
    game = specialise(ruleset, parameters)
    certificate = find_heap_certificate(game)
    if certificate is None:
        return None
    check_formula(check_heap(certificate), game, formula, target, where)
    said = {"target": str(target), "formula": str(formula), "where": str(where)}
    return {**certificate.record(), "parameters": parameters, **said}


def _of_row(
    ruleset: Ruleset, parameters: dict[str, int], formula: Expr, target: Target, where: Expr
) -> dict[str, Any] | None:
    fixed = fixed_by(where, ruleset.coordinate_names)
    axes = tuple(name for name in ruleset.coordinate_names if name not in fixed)
    game = layered(ruleset, parameters, axes, target)
    layer = game.top(fixed)
    for length in LENGTHS:
        try:
            found = tuple(find_recurrences(solve_rows(game, layer, length)))
        except NotFound:
            continue
        last = found[-1]
        certificate = RowCertificate(
            game, layer, last.first, last.period, found,
            where=where, formula=formula, parameters=tuple(parameters.items()),
        )  # fmt: skip
        check_row(certificate)
        return certificate.record()
    return None


def find_heap_certificate(game: Ruleset) -> HeapCertificate | None:
    """The certificate that the smallest table with a period gives. Raises NotBounded for other games."""
    one_heap(game)
    # whatever the period, remainders by small numbers do not change in steps of this
    shape_of(game, ANY, ANY)
    for size in SIZES:
        instance = make_instance(game, {}, dict.fromkeys(game.bounds, size))
        least, values = instance.box[0].low, solve(instance, "grundy").values
        period = find_period(values)
        if period is None or period.saltus != 0:
            continue
        for first in range(least + period.preperiod, least + period.preperiod + SETTLING):
            until = _until(game, first, period.period)
            if until is not None and until + period.period <= least + len(values):
                return HeapCertificate(game, first, period.period, until)
    return None


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
