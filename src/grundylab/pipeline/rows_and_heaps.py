"""Studies of rows: a pattern is learnt from the beginning of a row, tested on the rest, and proved if possible.

A row is a part of a game in which all coordinates but two are fixed, or all but one for Grundy numbers. The positions
with the same values of the fixed coordinates form a *layer*. In a game of one heap with bounded takes the row is the
sequence of all Grundy numbers. The pattern is learnt from the shortest beginning that shows its period twice, and
verified on the rest of the row. The proof is a certificate; it counts only after the kernel has checked it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Literal

import numpy as np

from grundylab.discover.patterns import (
    find_pattern,
    is_symmetric,
    listing_texts,
    number_formula,
    ordered_piles,
    pattern_condition,
    row_condition,
)
from grundylab.errors import GrundylabError
from grundylab.files import write_text
from grundylab.findings.claim_comparisons import COMPARING, comparison_by_certificate
from grundylab.findings.rows import ROWS, Row
from grundylab.games import Claim, Ruleset, Target, parse_target
from grundylab.games.heap_games import NotBounded, heap_coordinate, is_heap_game
from grundylab.games.instance import check_domain
from grundylab.games.layers import LayeredGame, LayerValues, free_coordinates, layered_game
from grundylab.games.listing import listed_condition, read_listing
from grundylab.games.model import GRUNDY
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr, Int, conjunction, equalities
from grundylab.pipeline.study import RowsAsked
from grundylab.prove.comparing import comparable_claims
from grundylab.prove.core.evidence import Rows
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.periods.heap import ProvedSequence, proved_heap
from grundylab.prove.core.periods.row_period import row_period
from grundylab.prove.core.theorem import Refused, Theorem
from grundylab.prove.gate import gate_report
from grundylab.prove.outcome import Limits, rules_of
from grundylab.prove.period_search import (
    NotFound,
    PeriodSearch,
    find_heap_evidence,
    look_for_recurrences,
    recurrences_of,
    row_evidence,
)
from grundylab.prove.proof_files import proof_text
from grundylab.records.relation import Relation, relation_of
from grundylab.solve.periodicity import Period, find_period
from grundylab.solve.row_solver import TableRow, solve_all_rows
from grundylab.statement import Statement
from grundylab.statement.qualified_names import qualified_game, renamed, renaming_of

SHORTEST = 32  # the places of a row in which a period is sought first; the number is then doubled
CONVINCING = 2  # an unproved period must be confirmed for this many times preperiod plus period
MOST_LISTED = 1_000  # the most positions and families of a list or its formula: nobody reads more
MOST_TERMS = 100  # the most values of preperiod and period of a heap for which a formula is made


@dataclass(frozen=True)
class RowResult:
    """The result for a row, or for the Grundy numbers of one heap.

    fixed: the values of the coordinates that are fixed. axes: the other coordinates. status: ``proved`` (the kernel
    accepted the certificate), ``holds`` (the period is right at all ``checked`` places, and was learnt from the first
    ``learned``) or ``undecided`` (no period was found, or too few places confirm it). exceptions, families: the numbers
    of single positions and of families in the list of P-positions. formula, positions: the formula, and the list as
    papers print it; None if too long. where: the condition of both. theorem: states the formula or, without one, the
    period. check: a function of a formula and a condition; it raises GrundylabError unless the evidence implies that
    the formula is right wherever the condition is true.
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
    theorem: Theorem | None = None
    check: Callable[[Expr, Expr], object] | None = None
    reason: str | None = None

    def proves(self, formula: Expr, where: Expr) -> bool:
        """Tell whether the evidence implies that the formula is right wherever the condition ``where`` is true."""
        if self.check is None:
            return False
        try:
            self.check(formula, where)
        except GrundylabError:
            return False
        return True


def study_row(
    ruleset: Ruleset, parameters: Mapping[str, int], fixed: Mapping[str, int], target: Target, length: int
) -> RowResult:
    """Return the result for one row; see ``study_rows``."""
    return study_rows(ruleset, parameters, [fixed], target, length)[0]


def study_rows(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    several: Sequence[Mapping[str, int]],
    target: Target,
    length: int,
) -> list[RowResult]:
    """Return the results for rows that fix the same coordinates, from their first ``length`` places.

    several: the fixed coordinates of each row. Layers that several rows depend on are computed once. Raises NotLayered
    unless the game is recognised as one with rows or as one of a heap with bounded takes, and InstanceError for
    coordinates that do not determine a row.
    """
    check_domain(ruleset, parameters)
    if target == GRUNDY and not several[0] and is_heap_game(ruleset, parameters):
        try:
            return [study_heap(ruleset, parameters, length)]
        except NotBounded:
            pass
    game = layered_game(ruleset, parameters, free_coordinates(ruleset, several[0]), target)
    layers = [game.top(fixed) for fixed in several]
    rows = solve_all_rows(game, layers, length)
    results = [_pattern_of(game, layer, rows[layer]) for layer in layers]
    if all(result.period is None for result in results):
        return results
    search, prover = look_for_recurrences(rows), _RowProver(ruleset, parameters, game)
    return [prover.proved(result, layer, search) for layer, result in zip(layers, results, strict=True)]


# -- a row of a game in layers ---------------------------------------------------------------------------------------


def _pattern_of(game: LayeredGame, layer: LayerValues, row: TableRow) -> RowResult:
    """Return the row's period, with a list of its P-positions and their condition, or a formula for Grundy numbers."""
    fixed = dict(zip(game.names, layer, strict=False))
    result = RowResult(fixed, game.axes, game.target, "undecided", len(row))
    learned, period = _learnt_period(row)
    if period is None:
        return replace(result, reason=f"no period up to {game.axes[0]} = {len(row) - 1:,}")
    ascending = len(game.axes) == 2 and is_symmetric(row)
    result = replace(
        result, status="holds", learned=learned, period=period, where=row_condition(game, layer, ascending)
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
    return replace(result, positions=positions, formula=pattern_condition(game.axes, pattern))


def _learnt_period(row: TableRow) -> tuple[int, Period | None]:
    """Return the number of places from which a period was learnt, and the period; None if none holds for the row."""
    seen = SHORTEST
    while seen < 2 * len(row):
        seen = min(seen, len(row))
        period = find_period(row[:seen])
        if period is not None and period.saltus == period.period and _holds(period, row):
            return seen, period
        seen *= 2
    return len(row), None


def _holds(period: Period, row: TableRow) -> bool:
    later, earlier = row[period.preperiod + period.period :], row[period.preperiod : -period.period]
    return bool(np.all(later == earlier + period.saltus))


class _RowProver:
    """The prover of rows of one game. Its kernel computes a layer once, even if several rows depend on it."""

    def __init__(self, ruleset: Ruleset, parameters: Mapping[str, int], game: LayeredGame) -> None:
        self._game, self._kernel = game, Kernel()
        self._closed, self._names = qualified_game(ruleset), renaming_of(ruleset)
        self._parameters = equalities(parameters.items())

    def proved(self, result: RowResult, layer: LayerValues, search: PeriodSearch) -> RowResult:
        """Return the result with its theorem or, without one, with the reason.

        Without a theorem a period is ``undecided`` if too few places confirm it.
        """
        period = result.period
        if period is None:
            return result
        try:
            evidence = row_evidence(self._game, recurrences_of(search, self._game.below(layer)))
            theorem = self._theorem(result, period, evidence)
            listed_right = theorem.statement.plain and self._has_listing(result, theorem)
        except (NotFound, Refused) as missing:
            if period.confirmed >= CONVINCING * (period.preperiod + period.period):
                return replace(result, reason=f"not proved: {missing}")
            return RowResult(
                result.fixed, result.axes, result.target, "undecided", result.checked, reason=str(missing)
            )

        def check(formula: Expr, where: Expr) -> None:
            self._kernel.check(self._about(result.target, formula, where), evidence)

        positions = result.positions if listed_right else None
        return replace(result, status="proved", theorem=theorem, check=check, positions=positions)

    def _has_listing(self, result: RowResult, theorem: Theorem) -> bool:
        """Tell whether the list, as papers print it, provably has exactly the P-positions of the formula."""
        if result.positions is None:
            return False
        listing = replace(theorem.statement, formula=listing_condition(self._closed, result.positions))
        try:
            return listing == theorem.statement or bool(self._kernel.check(listing, theorem.evidence))
        except GrundylabError:  # the automata of the list would be too large
            return False

    def _about(self, target: Target, formula: Expr, where: Expr) -> Statement:
        formula, where = (renamed(e, self._names) for e in (formula, where))
        return Statement(self._closed, target, formula, conjunction(self._parameters, where))

    def _theorem(self, result: RowResult, period: Period, evidence: Rows) -> Theorem:
        """Return the theorem that the formula is right or, without a formula, that the row has the period."""
        theorem = None
        if self._game.game.play == "normal":
            where = conjunction(self._parameters, equalities(result.fixed.items()))
            p = (period.preperiod, period.period)
            statement = row_period(self._closed, where, self._game.axes, result.target, p)
            theorem = self._kernel.check(statement, evidence.model_copy(update={"period": p}))
        if result.formula is not None:
            theorem = self._kernel.check(self._about(result.target, result.formula, result.where), evidence)
        if theorem is None:
            raise Refused("under misère play a period can be stated only by a formula")
        statement = theorem.statement
        if statement.lookups == () and not gate_report(statement.game, statement.claim()).good:
            raise Refused("the gate found it wrong, or found no position to check")
        return theorem


def listing_condition(game: Ruleset, texts: Sequence[str]) -> Expr:
    """Return the condition that a position belongs to the list ``texts``, written as in a claim's ``positions:``.

    The list may leave out the coordinate that says whether a pass is left.
    """
    listing = read_listing(texts, (*game.formula_names, *(f.name for f in game.functions)))
    names = game.coordinate_names
    if len(listing.members[0].entries) == len(names) - 1:
        names = game.own_coordinates
    return listed_condition(listing, names)


# -- the Grundy numbers of one heap ----------------------------------------------------------------------------------


def study_heap(ruleset: Ruleset, parameters: Mapping[str, int], length: int = 0) -> RowResult:
    """Return the period of the Grundy numbers of a game of one heap, ``undecided`` if none is found.

    length: the period is sought among at least this many tokens. The theorem states the formula or, if that would
    be too long, the period. Raises NotBounded if the game is not one heap with bounded takes.
    """
    game, kernel = specialise(ruleset, parameters), Kernel()
    heap = heap_coordinate(game)
    reason = "no period in the tables that are searched"
    undecided = RowResult({}, (heap,), GRUNDY, "undecided", 0, reason=reason)
    evidence = find_heap_evidence(game, length)
    if evidence is None:
        return undecided
    closed, fixed = qualified_game(ruleset), equalities(parameters.items())

    def about(formula: Expr, where: Expr) -> Statement:
        formula, where = (renamed(e, renaming_of(ruleset)) for e in (formula, where))
        return Statement(closed, GRUNDY, formula, conjunction(fixed, where))

    def check(formula: Expr, where: Expr) -> None:
        kernel.check(about(formula, where), evidence)

    try:
        period = (evidence.first, evidence.period)
        theorem = kernel.check(row_period(closed, fixed, (heap,), GRUNDY, period, saltus=0), evidence)
    except Refused:
        return undecided
    sequence = proved_heap(game, evidence, kernel)
    least, looked_at = sequence.least, evidence.until + evidence.period
    result = RowResult(
        {},
        (heap,),
        GRUNDY,
        "proved",
        checked=looked_at,
        learned=looked_at,
        period=Period(evidence.first, evidence.period, 0, evidence.until),
        exceptions=_exceptions(sequence),
        theorem=theorem,
        check=check,
    )
    if sequence.first + sequence.period - least > MOST_TERMS:
        return result
    shown = Period(sequence.first - least, sequence.period, 0, evidence.until)
    whole = number_formula(heap, least, sequence.values, shown)
    if not result.proves(whole, TRUE):
        return undecided
    theorem = kernel.check(about(whole, TRUE), evidence)
    if not gate_report(closed, theorem.statement.claim()).good:
        return undecided
    return replace(result, formula=whole, theorem=theorem)


def _exceptions(sequence: ProvedSequence) -> int:
    """Return how many values before the period differ from those of the period continued to the left."""
    return sum(
        sequence(n) != sequence(sequence.first + (n - sequence.first) % sequence.period)
        for n in range(sequence.least, sequence.first)
    )


# -- as records ------------------------------------------------------------------------------------------------------


def row_records(ruleset: Ruleset, asked: RowsAsked, folder: Path, seed: int) -> list[Row]:
    """Return a record for each row; certificates of proved rows are written to the folder."""
    return [
        row_record(ruleset, result, parameters, folder, seed)
        for parameters, rows in groupby(asked.rows, key=itemgetter(0))
        for result in study_rows(
            ruleset, parameters, [fixed for _, fixed in rows], parse_target(asked.target), asked.length
        )
    ]


def row_record(
    ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int], folder: Path, seed: int = 0
) -> Row:
    """Return the record of one row; the certificate of a proved row is written to the folder."""
    period, formula = result.period, result.formula
    claims = _proved_claims(ruleset, result, parameters)
    return Row(
        ruleset=ruleset.name,
        title=ruleset.title,
        engine=ROWS,
        seed=seed,
        parameters=dict(parameters),
        row=dict(result.fixed),
        axes=result.axes,
        target=result.target,
        where=result.where,
        status=result.status,
        reason=result.reason,
        checked=result.checked,
        learned=result.learned,
        preperiod=period.preperiod if period else None,
        period=period.period if period else None,
        saltus=period.saltus if period else None,
        exceptions=result.exceptions,
        families=result.families,
        size=formula.size if formula else None,
        claims=tuple(claim.id for claim in claims),
        relation=_relation(ruleset, result, parameters, claims),
        proof=_keep(result, parameters, folder),
        rules=rules_of(result.theorem) if result.theorem else (),
        formula=formula,
        positions=result.positions,
    )


def _relation(
    ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int], claims: Sequence[Claim]
) -> Relation | None:
    """Return the relation of the row's formula to ``claims``, which its certificate proves as well.

    Return None if the row has no formula, or if there are no such claims.
    """
    names = {claim.id for claim in claims}
    said = [one for one in comparable_claims(ruleset, None, result.target) if one.claim in names]
    if result.formula is None or not said:
        return None
    where = conjunction(equalities(parameters.items()), result.where)
    return relation_of(result.status, comparison_by_certificate(ruleset, where, said, Limits(COMPARING)))


def _keep(result: RowResult, parameters: Mapping[str, int], folder: Path) -> str | None:
    """Write the row's certificate to the folder and return its path; return None if the row is not proved."""
    if result.theorem is None:
        return None
    fixed = [f"{name}={value}" for name, value in {**parameters, **result.fixed}.items()]
    key = result.theorem.statement.key[:12]
    path = folder / f"row-{result.target.slug}-{','.join(fixed) or 'all'}-{key}.json"
    write_text(path, proof_text(result.theorem))
    return str(path)


def _proved_claims(ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int]) -> list[Claim]:
    """Return the claims that are about exactly this row and that its certificate proves."""
    fixed = {name: Int(value) for name, value in parameters.items()}
    claims = []
    for claim in ruleset.claims:
        where = substitute(claim.where, fixed)
        if claim.target != result.target or not claim.plain:
            continue
        if fixed_values(where, ruleset.coordinate_names) != result.fixed:
            continue
        proved = result.proves(substitute(claim.formula, fixed), where)
        if proved and gate_report(ruleset, claim, equalities(parameters.items())).good:
            claims.append(claim)
    return claims
