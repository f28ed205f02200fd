"""Studying rows: a pattern is learned from the beginning of a row, held against the rest, and proved if it recurs.

A row is what is left of a game in layers when all coordinates but two are fixed (but one, for Grundy numbers). The
engine sees only as much of it as it needs to see a period through twice; what follows is for verification. The proof
is a certificate, which is believed only after the checker has gone through it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from grundylab.discover.patterns import number_formula
from grundylab.discover.rows import (
    about,
    condition,
    find_pattern,
    listing,
    listing_texts,
    mirrored,
    ordered_piles,
)
from grundylab.games.layers import Layer, Layered, axes_of, layered
from grundylab.games.model import Ruleset, Target
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
from grundylab.solve.rows import Row, solve_several

SHORTEST = 32  # places of a row that are looked at first; then twice as many, and so on
CONVINCING = 2  # times as long as what is remembered of a row must be seen to repeat if that is not proved
MOST_LISTED = 20_000  # positions and families
MOST_SAID = 1_000  # of them; of a longer list the formula is too long to be checked, or looked at


@dataclass(frozen=True)
class RowResult:
    """What is known of a row, or of the Grundy numbers of one heap.

    fixed: the coordinates that make the row. status: ``proved`` (the certificate was checked), ``holds`` (at all
    ``checked`` places, learned from the first ``learned``) or ``undecided`` (no period up to there, or one that few
    places confirm). exceptions, families: of how many single positions and families its list is. where: what formula
    and positions, if they are not too long, are about. certificate: as JSON. check: raises CertificateError unless it
    follows from the certificate that a formula describes the target where a condition holds.
    """

    fixed: Mapping[str, int]
    axes: tuple[str, ...]
    target: Target
    status: Literal["proved", "holds", "undecided"]
    checked: int
    learned: int = 0
    period: Period | None = None
    exceptions: int | None = None
    families: int | None = None
    where: Expr = TRUE
    formula: Expr | None = None
    positions: tuple[str, ...] | None = None
    certificate: Mapping[str, Any] | None = None
    check: Callable[[Expr, Expr], object] | None = None
    reason: str | None = None

    def proves(self, formula: Expr, where: Expr) -> bool:
        """Whether it follows from the certificate that the formula describes the target where the condition holds."""
        if self.check is None:
            return False
        try:
            self.check(formula, where)
        except CertificateError:
            return False
        return True


def study_rows(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    several: Sequence[Mapping[str, int]],
    target: Target,
    length: int,
) -> list[RowResult]:
    """What is found of rows that fix the same coordinates, from their first ``length`` places.

    What lies below more than one is worked out once. Raises NotLayered if the game is not recognised as one with rows,
    InstanceError for what is no row of it.
    """
    game = layered(ruleset, parameters, axes_of(ruleset, several[0]), target)
    layers = [game.top(fixed) for fixed in several]
    rows = solve_several(game, layers, length)
    results = [_learned(game, layer, rows[layer]) for layer in layers]
    if all(result.period is None for result in results):
        return results
    found = look_for_recurrences(rows)
    known: Mapping[Layer, ProvedRow] = NOTHING_KNOWN
    certified = []
    for layer, result in zip(layers, results, strict=True):
        if result.period is not None:
            result, known = _certified(result, result.period, game, layer, found, known, parameters)
        certified.append(result)
    return certified


def _learned(game: Layered, layer: Layer, row: Row) -> RowResult:
    """What is seen of the row: for P-positions a list and its condition, for Grundy numbers a formula."""
    fixed = dict(zip(game.names, layer, strict=False))
    result = RowResult(fixed, game.axes, game.target, "undecided", len(row))
    learned, period = _learn(row)
    if period is None:
        return replace(result, reason=f"no period up to {game.axes[0]} = {len(row) - 1:,}")
    ascending = len(game.axes) == 2 and mirrored(row)
    result = replace(
        result, status="holds", learned=learned, period=period, where=about(game, layer, ascending)
    )
    if len(game.axes) == 1:
        if period.preperiod + period.period > MOST_SAID:
            return result
        return replace(result, formula=number_formula(game.axes[0], 0, row[:learned].tolist(), period))
    least = max((fixed.get(pile, 0) for pile in ordered_piles(game)), default=0) if ascending else None
    pattern = find_pattern(row[:learned], least)
    if pattern is None or find_pattern(row, least) != pattern:
        return result
    entries = len(pattern.singles) + len(pattern.families)
    positions = listing_texts(listing(game, layer, pattern)) if entries <= MOST_LISTED else None
    return replace(
        result,
        exceptions=len(pattern.singles),
        families=len(pattern.families),
        positions=None if positions is None else tuple(positions),
        formula=condition(game.axes, pattern) if entries <= MOST_SAID else None,
    )


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


def _certified(
    result: RowResult,
    period: Period,
    game: Layered,
    layer: Layer,
    found: Mapping[Layer, Recurrence | NotFound],
    known: Mapping[Layer, ProvedRow],
    parameters: Mapping[str, int],
) -> tuple[RowResult, Mapping[Layer, ProvedRow]]:
    """With its certificate, if there is one and the checker accepts it; and all rows that are proved then."""
    try:
        recurrences = tuple(recurrences_below(game.below(layer), found))
        certificate = RowCertificate(
            game,
            layer,
            period.preperiod,
            period.period,
            recurrences,
            result.positions or None,
            result.where,
            result.formula,
            tuple(parameters.items()),
        )
        proved = check_layers(game, layer, recurrences, known)
        said = said_of_row(certificate, check_row(certificate, proved))
        if not look(game.game, said).good:
            raise CertificateError("the gate found it wrong, or found nothing to look at")
    except (NotFound, CertificateError) as missing:
        if period.confirmed >= CONVINCING * (period.preperiod + period.period):
            return replace(result, reason=f"not proved: {missing}"), known
        nothing = RowResult(result.fixed, result.axes, result.target, "undecided", result.checked)
        return replace(nothing, reason=str(missing)), known

    def check(formula: Expr, where: Expr) -> None:
        check_row(replace(certificate, formula=formula, where=where, positions=None), proved)

    result = replace(result, status="proved", certificate=certificate.record(), check=check)
    return result, {**known, **proved}
