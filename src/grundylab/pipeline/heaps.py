"""Studying the Grundy numbers of one heap with bounded takes: their period, with a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from grundylab.discover.patterns import number_formula
from grundylab.games.heaps import one_heap
from grundylab.games.model import GRUNDY, Claim, Ruleset
from grundylab.games.specialise import specialise
from grundylab.language.syntax import TRUE, Expr, Int, Name, compare
from grundylab.prove.gate import look
from grundylab.prove.heap_certificate import HeapCertificate, ProvedSequence, check_formula, check_heap
from grundylab.prove.periodic import find_heap_certificate
from grundylab.prove.recurrence import CertificateError
from grundylab.solve.periodicity import Period

MOST_SAID = 100  # terms of the preperiod and the period that are written down as a formula


@dataclass(frozen=True)
class HeapResult:
    """What is known of the Grundy numbers of one heap: a period from ``first`` on, if the certificate was checked."""

    game: Ruleset
    heap: str
    certificate: HeapCertificate | None
    sequence: ProvedSequence | None
    formula: Expr | None
    parameters: tuple[tuple[str, int], ...] = ()
    where: Expr = TRUE

    @property
    def status(self) -> Literal["proved", "undecided"]:
        """Proved or not."""
        return "proved" if self.certificate else "undecided"

    @property
    def exceptions(self) -> int:
        """How many of the numbers before the period are not what the period would have there."""
        sequence = self.sequence
        assert sequence is not None
        return sum(
            sequence(n) != sequence(sequence.first + (n - sequence.first) % sequence.period)
            for n in range(sequence.least, sequence.first)
        )

    def record(self) -> dict[str, Any]:
        """As JSON, in the form of a row's record."""
        found, sequence = self.certificate, self.sequence
        return {
            "row": {},
            "axes": (self.heap,),
            "target": str(GRUNDY),
            "status": self.status,
            "checked": found.until + found.period if found else 0,
            "learned": found.until + found.period if found else 0,
            "preperiod": found and found.first,
            "period": found and found.period,
            "saltus": 0 if found else None,
            "exceptions": self.exceptions if sequence else None,
            "families": None,
            "formula": str(self.formula) if self.formula else None,
            "where": str(self.where),
            "positions": None,
            "reason": None if found else "no period in the tables that are looked at",
        }

    def certificate_record(self) -> dict[str, Any] | None:
        """The certificate, with the formula (or where it would be too long the first Grundy number)."""
        if self.certificate is None or self.sequence is None:
            return None
        formula, where = self.said
        said = {"target": str(GRUNDY), "formula": str(formula), "where": str(where)}
        return {**self.certificate.record(), "parameters": dict(self.parameters), **said}

    @property
    def said(self) -> tuple[Expr, Expr]:
        """The formula, and where; if it would be too long the first Grundy number."""
        if self.formula is not None or self.sequence is None:
            return self.formula or Int(0), self.where
        least = self.sequence.least
        return Int(self.sequence(least)), compare("==", Name(self.heap), Int(least))

    def proves(self, formula: Expr, where: Expr) -> bool:
        """Whether the formula describes the Grundy numbers of all sizes that fulfil ``where``."""
        if self.sequence is None:
            return False
        try:
            check_formula(self.sequence, self.game, formula, GRUNDY, where)
        except CertificateError:
            return False
        return True


def study_heap(ruleset: Ruleset, parameters: Mapping[str, int]) -> HeapResult:
    """The period of the Grundy numbers of the game's heap. Raises NotBounded if the game is not of one heap."""
    game = specialise(ruleset, parameters)
    heap = one_heap(game)
    given = tuple(parameters.items())
    certificate = find_heap_certificate(game)
    if certificate is None:
        return HeapResult(game, heap, None, None, None, given)
    try:
        sequence = check_heap(certificate)
    except CertificateError:
        return HeapResult(game, heap, None, None, None, given)
    result = HeapResult(game, heap, certificate, sequence, None, given)
    if not look(game, Claim("heap", GRUNDY, *result.said)).good:
        return HeapResult(game, heap, None, None, None, given)
    if sequence.first + sequence.period - sequence.least > MOST_SAID:
        return result
    period = Period(sequence.first - sequence.least, sequence.period, 0, certificate.until)
    formula = number_formula(heap, sequence.least, sequence.values, period)
    said = HeapResult(game, heap, certificate, sequence, formula, given)
    good = said.proves(formula, TRUE) and look(game, Claim("heap", GRUNDY, formula)).good
    return said if good else result
