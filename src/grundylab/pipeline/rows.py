"""Studying rows: a pattern is learned from the beginning of a row, held against the rest, and proved if it recurs.

A row is what is left of a game in layers when all coordinates but two are fixed (but one, for Grundy numbers); of a
game of one heap with bounded takes it is all Grundy numbers. The engine sees only as much of a row as it needs to see a
period through twice; what follows is for verification. The proof is a certificate, which is believed only after the
checker has gone through it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

import numpy as np

from grundylab.catalogue.attempts import shared
from grundylab.catalogue.records import Relation, RowFound
from grundylab.catalogue.relations import COMPARING, beside_proved, relation_of
from grundylab.discover.patterns import (
    about,
    condition,
    find_pattern,
    listing_texts,
    mirrored,
    number_formula,
    ordered_piles,
)
from grundylab.files import write_json
from grundylab.games import Claim, Ruleset, Target, parse_target
from grundylab.games.heaps import NotBounded, is_heap, one_heap
from grundylab.games.instance import check_domain
from grundylab.games.layers import Layer, Layered, axes_of, layered
from grundylab.games.model import GRUNDY
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language.layout import to_latex
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr, Int, conjunction, equalities
from grundylab.pipeline.study import RowsAsked
from grundylab.prove.comparing import claims_on
from grundylab.prove.gate import look
from grundylab.prove.heap_certificate import ProvedSequence, check_formula, check_heap
from grundylab.prove.outcome import CertificateError, Limits
from grundylab.prove.periodic import Looked, NotFound, all_found, find_heap_certificate, look_for_recurrences
from grundylab.prove.recurrence import ProvedRow, check_layers
from grundylab.prove.row_certificate import RowCertificate, check_row, said_of_row
from grundylab.solve.periodicity import Period, find_period
from grundylab.solve.rows import Row, solve_several

ENGINE = "rows"
SHORTEST = 32  # places of a row that are looked at first; then twice as many, and so on
CONVINCING = 2  # times as long as what is remembered of a row must be seen to repeat if that is not proved
MOST_LISTED = 1_000  # positions and families; nobody looks at a longer list, nor at its formula
MOST_TERMS = 100  # of the preperiod and the period of a heap that are written down as a formula


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


def study_row(
    ruleset: Ruleset, parameters: Mapping[str, int], fixed: Mapping[str, int], target: Target, length: int
) -> RowResult:
    """What is found of one row; see ``study_rows``."""
    return study_rows(ruleset, parameters, [fixed], target, length)[0]


def study_rows(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    several: Sequence[Mapping[str, int]],
    target: Target,
    length: int,
) -> list[RowResult]:
    """What is found of rows that fix the same coordinates, from their first ``length`` places.

    What lies below more than one is worked out once. Raises NotLayered if the game is not recognised as one with rows,
    nor as one of a heap with bounded takes, InstanceError for what is no row of it.
    """
    check_domain(ruleset, parameters)
    if target == GRUNDY and not several[0] and is_heap(ruleset, parameters):
        try:
            return [study_heap(ruleset, parameters, length)]
        except NotBounded:
            pass
    game = layered(ruleset, parameters, axes_of(ruleset, several[0]), target)
    layers = [game.top(fixed) for fixed in several]
    rows = solve_several(game, layers, length)
    results = [_learned(game, layer, rows[layer]) for layer in layers]
    if all(result.period is None for result in results):
        return results
    found, proved = look_for_recurrences(rows), dict[Layer, ProvedRow]()
    return [
        _certified(result, game, layer, found, proved, parameters)
        for layer, result in zip(layers, results, strict=True)
    ]


# -- a row of a game in layers ---------------------------------------------------------------------------------------


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
        if period.preperiod + period.period > MOST_LISTED:
            return result
        return replace(result, formula=number_formula(game.axes[0], 0, row[:learned].tolist(), period))
    least = max((fixed.get(pile, 0) for pile in ordered_piles(game)), default=0) if ascending else None
    pattern = find_pattern(row[:learned], least)
    if pattern is None or find_pattern(row, least) != pattern:
        return result
    result = replace(result, exceptions=len(pattern.singles), families=len(pattern.families))
    if len(pattern.singles) + len(pattern.families) > MOST_LISTED:
        return result
    positions = tuple(listing_texts(game, layer, pattern))
    return replace(result, positions=positions, formula=condition(game.axes, pattern))


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
    game: Layered,
    layer: Layer,
    found: Looked,
    proved: dict[Layer, ProvedRow],
    parameters: Mapping[str, int],
) -> RowResult:
    """With its certificate, if there is one and the checker accepts it.

    proved: the rows that are proved so far, to which those of this certificate are added.
    """
    period = result.period
    if period is None:
        return result
    try:
        recurrences = tuple(all_found(found, game.below(layer)))
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
        more = {**proved, **check_layers(game, layer, recurrences, proved)}
        said = said_of_row(certificate, check_row(certificate, more))
        if not look(game.game, said).good:
            raise CertificateError("the gate found it wrong, or found nothing to look at")
        proved |= more  # not before: other rows take it for a fact
    except (NotFound, CertificateError) as missing:
        if period.confirmed >= CONVINCING * (period.preperiod + period.period):
            return replace(result, reason=f"not proved: {missing}")
        return RowResult(
            result.fixed, result.axes, result.target, "undecided", result.checked, reason=str(missing)
        )

    def check(formula: Expr, where: Expr) -> None:
        check_row(replace(certificate, formula=formula, where=where, positions=None), proved)

    return replace(result, status="proved", certificate=certificate.record(), check=check)


# -- the Grundy numbers of one heap ----------------------------------------------------------------------------------


def study_heap(ruleset: Ruleset, parameters: Mapping[str, int], length: int = 0) -> RowResult:
    """The period of the Grundy numbers of the game's heap. Raises NotBounded if the game is not of one heap.

    length: up to how many tokens it is looked for, if that is more than usual.

    The certificate states the formula, or where that would be too long the first Grundy number.
    """
    game = specialise(ruleset, parameters)
    heap = one_heap(game)
    reason = "no period in the tables that are looked at"
    undecided = RowResult({}, (heap,), GRUNDY, "undecided", 0, reason=reason)
    certificate = find_heap_certificate(game, length)
    if certificate is None:
        return undecided
    try:
        sequence = check_heap(certificate)
    except CertificateError:
        return undecided

    def check(formula: Expr, where: Expr) -> None:
        check_formula(sequence, replace(certificate, formula=formula, where=where))

    least, looked_at = sequence.least, certificate.until + certificate.period
    result = RowResult(
        {},
        (heap,),
        GRUNDY,
        "proved",
        checked=looked_at,
        learned=looked_at,
        period=Period(certificate.first, certificate.period, 0, certificate.until),
        exceptions=_exceptions(sequence),
        check=check,
    )
    whole: Expr | None = None
    if sequence.first + sequence.period - least <= MOST_TERMS:
        period = Period(sequence.first - least, sequence.period, 0, certificate.until)
        whole = number_formula(heap, least, sequence.values, period)
    for formula, where in ((whole, TRUE), (Int(sequence(least)), equalities([(heap, least)]))):
        if (
            formula is not None
            and result.proves(formula, where)
            and look(game, Claim("heap", GRUNDY, formula, where)).good
        ):
            said = replace(certificate, parameters=tuple(parameters.items()), formula=formula, where=where)
            return replace(result, formula=whole if where == TRUE else None, certificate=said.record())
    return undecided


def _exceptions(sequence: ProvedSequence) -> int:
    """How many of the numbers before the period are not what the period would have there."""
    return sum(
        sequence(n) != sequence(sequence.first + (n - sequence.first) % sequence.period)
        for n in range(sequence.least, sequence.first)
    )


# -- as records ------------------------------------------------------------------------------------------------------


def row_records(ruleset: Ruleset, asked: RowsAsked, folder: Path, seed: int) -> list[RowFound]:
    """A record for each row. Certificates are written to the folder."""
    return [
        record_of(ruleset, result, parameters, folder, seed)
        for parameters, rows in groupby(asked.rows, key=itemgetter(0))
        for result in study_rows(
            ruleset, parameters, [fixed for _, fixed in rows], parse_target(asked.target), asked.length
        )
    ]


def record_of(
    ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int], folder: Path, seed: int = 0
) -> RowFound:
    """The record of one row; its certificate, if it has one, is written to the folder."""
    period, formula = result.period, result.formula
    claims = _proved_claims(ruleset, result, parameters)
    known = {
        **shared(RowFound, result),
        **(shared(RowFound, period) if period else dict.fromkeys(("preperiod", "period", "saltus"))),
        "target": str(result.target),
        "where": str(result.where),
        "formula": str(formula) if formula else None,
    }
    return RowFound(
        **known,
        ruleset=ruleset.name,
        title=ruleset.title,
        engine=ENGINE,
        seed=seed,
        parameters=dict(parameters),
        row=dict(result.fixed),
        size=formula.size if formula else None,
        claims=tuple(claim.id for claim in claims),
        relation=_relation(ruleset, result, parameters, claims),
        proof=_keep(result, parameters, folder),
        latex=to_latex(formula) if formula else None,
    )


def _relation(
    ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int], claims: Sequence[Claim]
) -> Relation | None:
    """What the row's formula is to the claims that its certificate proves; None without a formula or such claims."""
    names = {claim.id for claim in claims}
    said = [one for one in claims_on(ruleset, None, result.target) if one.claim in names]
    if result.formula is None or not said:
        return None
    where = conjunction(equalities(parameters.items()), result.where)
    return relation_of(result.status, beside_proved(ruleset, where, said, Limits(COMPARING)))


def _keep(result: RowResult, parameters: Mapping[str, int], folder: Path) -> str | None:
    """Write the row's certificate, if it has one, and say where."""
    if result.certificate is None:
        return None
    fixed = [f"{name}={value}" for name, value in {**parameters, **result.fixed}.items()]
    path = folder / f"row-{result.target.slug}-{','.join(fixed) or 'all'}.json"
    write_json(path, result.certificate)
    return str(path)


def _proved_claims(ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int]) -> list[Claim]:
    """The claims about just this row that its certificate proves."""
    fixed = {name: Int(value) for name, value in parameters.items()}
    found = []
    for claim in ruleset.claims:
        where = substitute(claim.where, fixed)
        if claim.target != result.target or not claim.plain:
            continue
        if fixed_by(where, ruleset.coordinate_names) != result.fixed:
            continue
        proved = result.proves(substitute(claim.formula, fixed), where)
        if proved and look(ruleset, claim, equalities(parameters.items())).good:
            found.append(claim)
    return found
