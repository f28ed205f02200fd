"""Studying the Grundy numbers of one heap with bounded takes: their period, with a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grundylab.discover.patterns import number_formula
from grundylab.games.heaps import one_heap
from grundylab.games.model import GRUNDY, Claim, Ruleset
from grundylab.games.specialise import specialise
from grundylab.language.syntax import TRUE, Expr, Int, Name, compare
from grundylab.pipeline.rows import RowResult
from grundylab.prove.gate import look
from grundylab.prove.heap_certificate import ProvedSequence, check_formula, check_heap
from grundylab.prove.periodic import find_heap_certificate
from grundylab.prove.recurrence import CertificateError
from grundylab.solve.periodicity import Period

MOST_SAID = 100  # terms of the preperiod and the period that are written down as a formula


def study_heap(ruleset: Ruleset, parameters: Mapping[str, int]) -> RowResult:
    """The period of the Grundy numbers of the game's heap. Raises NotBounded if the game is not of one heap.

    The certificate states the formula, or where that would be too long the first Grundy number.
    """
    game = specialise(ruleset, parameters)
    heap = one_heap(game)
    reason = "no period in the tables that are looked at"
    undecided = RowResult({}, (heap,), GRUNDY, "undecided", 0, reason=reason)
    certificate = find_heap_certificate(game)
    if certificate is None:
        return undecided
    try:
        sequence = check_heap(certificate)
    except CertificateError:
        return undecided

    def check(formula: Expr, where: Expr) -> None:
        check_formula(sequence, game, formula, GRUNDY, where)

    least = sequence.least
    said, where = Int(sequence(least)), compare("==", Name(heap), Int(least))
    if not look(game, Claim("heap", GRUNDY, said, where)).good:
        return undecided
    record = {**certificate.record(), "parameters": dict(parameters), "target": str(GRUNDY)}
    looked_at = certificate.until + certificate.period
    result = RowResult(
        {},
        (heap,),
        GRUNDY,
        "proved",
        checked=looked_at,
        learned=looked_at,
        period=Period(certificate.first, certificate.period, 0, certificate.until),
        exceptions=_exceptions(sequence),
        certificate={**record, "formula": str(said), "where": str(where)},
        check=check,
    )
    if sequence.first + sequence.period - least > MOST_SAID:
        return result
    period = Period(sequence.first - least, sequence.period, 0, certificate.until)
    formula = number_formula(heap, least, sequence.values, period)
    if not (result.proves(formula, TRUE) and look(game, Claim("heap", GRUNDY, formula)).good):
        return result
    return replace(
        result, formula=formula, certificate={**record, "formula": str(formula), "where": str(TRUE)}
    )


def _exceptions(sequence: ProvedSequence) -> int:
    """How many of the numbers before the period are not what the period would have there."""
    return sum(
        sequence(n) != sequence(sequence.first + (n - sequence.first) % sequence.period)
        for n in range(sequence.least, sequence.first)
    )
