"""Studying rows: a pattern is learned from the beginning of a row, held against the rest, and proved if it recurs.

A row is what is left of a game in layers when all coordinates but two are fixed (but one, for Grundy numbers). The
engine sees only as much of it as it needs to see a period through twice; what follows is for verification. The proof
is a certificate, which is believed only after the checker has gone through it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from grundylab.discover.patterns import number_formula
from grundylab.discover.rows import (
    Pattern,
    about,
    condition,
    find_pattern,
    listing,
    listing_texts,
    mirrored,
    ordered_piles,
)
from grundylab.games.layers import Layer, Layered, layered
from grundylab.games.model import P_POSITIONS, Listing, Ruleset, Target
from grundylab.language.syntax import TRUE, Expr
from grundylab.prove.gate import look
from grundylab.prove.recurrence import (
    NOTHING_KNOWN,
    CertificateError,
    ProvedRow,
    Recurrence,
    check_layers,
)
from grundylab.prove.recurring import NotFound, look_for_recurrences, recurrences_below
from grundylab.prove.row_certificate import RowCertificate, check_row, said_of_row
from grundylab.solve.periodicity import Period, find_period
from grundylab.solve.rows import Row, Rows, solve_several

SHORTEST = 32  # places of a row that are looked at first; then twice as many, and so on
CONVINCING = 2  # times as long as what is remembered of a row must be seen to repeat if that is not proved
MOST_LISTED = 20_000  # positions and families
MOST_SAID = 1_000  # of them; of a longer list the formula is too long to be checked, or looked at


@dataclass(frozen=True)
class RowResult:
    """What is known of a row.

    status: ``proved`` (the certificate was checked), ``holds`` (up to ``length`` - 1, learned from the first
    ``learned`` places) or ``undecided`` (no period up to there, or one that few places confirm). where: what formula
    and listing, if they are not too long, are about. proved: the row and those below, as the checker left them.
    seconds: for all rows studied together, for finding, and for checking.
    """

    game: Layered
    layer: Layer
    status: Literal["proved", "holds", "undecided"]
    length: int
    learned: int = 0
    period: Period | None = None
    pattern: Pattern | None = None
    where: Expr = TRUE
    formula: Expr | None = None
    listing: Listing | None = None
    certificate: RowCertificate | None = None
    proved: Mapping[Layer, ProvedRow] = field(default_factory=dict)
    reason: str | None = None
    seconds: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def fixed(self) -> dict[str, int]:
        """The coordinates that make the row."""
        return dict(zip(self.game.names, self.layer, strict=False))

    @property
    def positions(self) -> tuple[str, ...] | None:
        """The P-positions as papers list them."""
        return tuple(listing_texts(self.listing)) if self.listing else None

    @property
    def parameters(self) -> tuple[tuple[str, int], ...]:
        """The parameters that the certificate is about."""
        return self.certificate.parameters if self.certificate else ()

    def certificate_record(self) -> dict[str, Any] | None:
        """The certificate as JSON, if there is one."""
        return self.certificate.record() if self.certificate else None

    def proves(self, formula: Expr, where: Expr) -> bool:
        """Whether it follows from the certificate that the formula describes the target where the condition holds."""
        if self.certificate is None:
            return False
        try:
            check_row(replace(self.certificate, formula=formula, where=where, positions=None), self.proved)
        except CertificateError:
            return False
        return True

    def record(self) -> dict[str, Any]:
        """As JSON."""
        period, pattern = self.period, self.pattern
        return {
            "row": self.fixed,
            "axes": self.game.axes,
            "target": str(self.game.target),
            "status": self.status,
            "checked": self.length,
            "learned": self.learned,
            "preperiod": period and period.preperiod,
            "period": period and period.period,
            "saltus": period and period.saltus,
            "exceptions": len(pattern.singles) if pattern else None,
            "families": len(pattern.families) if pattern else None,
            "formula": str(self.formula) if self.formula else None,
            "where": str(self.where),
            "positions": self.positions,
            "reason": self.reason,
        }


def study_row(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    fixed: Mapping[str, int],
    target: Target = P_POSITIONS,
    length: int = 100_000,
) -> RowResult:
    """What is found of the row that these coordinates fix, from its first ``length`` places.

    Raises NotLayered if the game is not recognised as one with rows, InstanceError for what is no row of it.
    """
    (result,) = study_rows(ruleset, parameters, [fixed], target, length)
    return result


def study_rows(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    several: Sequence[Mapping[str, int]],
    target: Target = P_POSITIONS,
    length: int = 100_000,
) -> list[RowResult]:
    """The same of several rows that fix the same coordinates: what lies below more than one is worked out once."""
    axes = tuple(name for name in ruleset.coordinate_names if name not in several[0])
    game = layered(ruleset, parameters, axes, target)
    layers = [game.top(fixed) for fixed in several]
    started = time.perf_counter()
    rows = solve_several(game, layers, length)
    seconds = time.perf_counter() - started
    results = [_described(_learned(game, layer, rows[layer], seconds), rows[layer]) for layer in layers]
    return _certified(results, rows, parameters)


def _learned(game: Layered, layer: Layer, row: Row, seconds: float) -> RowResult:
    learned, period = _learn(row)
    if period is None:
        reason = f"no period up to {game.axes[0]} = {len(row) - 1:,}"
        return RowResult(game, layer, "undecided", len(row), reason=reason, seconds=(seconds, 0.0, 0.0))
    return RowResult(game, layer, "holds", len(row), learned, period, seconds=(seconds, 0.0, 0.0))


def _learn(row: Row) -> tuple[int, Period | None]:
    """How much of the row was looked at, and the period seen there that holds for all of it."""
    seen = SHORTEST
    while seen < 2 * len(row):
        seen = min(seen, len(row))
        period = find_period(row[:seen])
        if period is not None and period.saltus == period.period and _holds(period, row):
            return seen, period
        seen *= 2
    return len(row), None


def _holds(period: Period, row: Row) -> bool:
    later, earlier = row[period.preperiod + period.period :], row[period.preperiod : -period.period]
    return bool(np.all(later == earlier + period.saltus))


def _described(result: RowResult, row: Row) -> RowResult:
    """With the pattern in words: for P-positions a listing and its condition, for Grundy numbers a formula."""
    game, layer, period = result.game, result.layer, result.period
    if period is None:
        return result
    seen = row[: result.learned]
    if len(game.axes) == 1:
        where = about(game, layer, ascending=False)
        if period.preperiod + period.period > MOST_SAID:
            return replace(result, where=where)
        return replace(result, where=where, formula=number_formula(game.axes[0], 0, seen.tolist(), period))
    ascending = mirrored(row)
    result = replace(result, where=about(game, layer, ascending))
    least = max((result.fixed.get(pile, 0) for pile in ordered_piles(game)), default=0)
    pattern = find_pattern(seen, least if ascending else None)
    if pattern is None or not _listed_right(pattern, row, least if ascending else None):
        return result
    result = replace(result, pattern=pattern)
    entries = len(pattern.singles) + len(pattern.families)
    return replace(
        result,
        listing=listing(game, layer, pattern) if entries <= MOST_LISTED else None,
        formula=condition(game.axes, pattern) if entries <= MOST_SAID else None,
    )


def _listed_right(pattern: Pattern, row: Row, least: int | None) -> bool:
    """Whether the pattern, learned from the beginning, is that of the whole row."""
    whole = find_pattern(row, least)
    return whole == pattern


def _certified(results: Sequence[RowResult], rows: Rows, parameters: Mapping[str, int]) -> list[RowResult]:
    """Each with its certificate, if there is one and the checker accepts it."""
    if all(result.period is None for result in results):
        return list(results)
    started = time.perf_counter()
    found = look_for_recurrences(rows)
    finding = time.perf_counter() - started
    known: Mapping[Layer, ProvedRow] = NOTHING_KNOWN
    certified = []
    for result in results:
        if result.period is not None:
            result = _with_certificate(result, found, known, parameters)
            result = replace(result, seconds=(result.seconds[0], finding, result.seconds[2]))
            known = {**known, **result.proved}
        certified.append(result)
    return certified


def _with_certificate(
    result: RowResult,
    found: Mapping[Layer, Recurrence | NotFound],
    known: Mapping[Layer, ProvedRow],
    parameters: Mapping[str, int],
) -> RowResult:
    game, layer, period, listed = result.game, result.layer, result.period, result.positions
    assert period is not None
    started = time.perf_counter()
    try:
        recurrences = tuple(recurrences_below(game.below(layer), found))
        certificate = RowCertificate(
            game,
            layer,
            period.preperiod,
            period.period,
            recurrences,
            tuple(listed) if listed else None,
            result.where,
            result.formula,
            tuple(parameters.items()),
        )
        proved = check_layers(game, layer, recurrences, known)
        said = said_of_row(certificate, check_row(certificate, proved))
        if not look(game.game, said).good:
            raise CertificateError("the gate found it wrong, or found nothing to look at")
    except (NotFound, CertificateError) as missing:
        if period.confirmed < CONVINCING * (period.preperiod + period.period):
            return RowResult(
                game, layer, "undecided", result.length, reason=str(missing), seconds=result.seconds
            )
        return replace(result, reason=f"not proved: {missing}")
    seconds = (result.seconds[0], 0.0, time.perf_counter() - started)
    return replace(result, status="proved", certificate=certificate, proved=proved, seconds=seconds)
