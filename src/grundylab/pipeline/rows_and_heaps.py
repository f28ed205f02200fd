"""Studies of rows: a pattern is learnt from the beginning of a row, tested on the rest, and proved if possible.

A row is a part of a game in which all coordinates but two are fixed, or all but one for Grundy numbers. The positions
with the same values of the fixed coordinates form a *layer*. In a game of one heap with bounded takes the row is the
sequence of all Grundy numbers. The pattern is learnt from the shortest beginning that shows its period twice, and
verified on the rest of the row. The proof is a certificate; it counts only after the kernel has checked it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

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
from grundylab.findings.rows import Row
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
from grundylab.prove.core.periods.heap import proved_heap
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
from grundylab.records.relation import relation_of
from grundylab.solve.periodicity import Period, find_period
from grundylab.solve.row_solver import TableRow, solve_all_rows
from grundylab.statement import Statement
from grundylab.statement.qualified_names import qualified_game, renamed, renaming_of

SHORTEST = 32  # the places of a row in which a period is sought first; the number is then doubled
CONVINCING = 2  # an unproved period must be confirmed for this many times preperiod plus period
MOST_LISTED = 1_000  # the most positions and families of a list or its formula: nobody reads more
CheckStatement = Callable[[Statement], object]
MOST_TERMS = 100  # the most values of preperiod and period of a heap for which a formula is made


def row_records(ruleset: Ruleset, asked: RowsAsked, folder: Path, seed: int) -> list[Row]:
    """Return a record for each row; certificates of proved rows are written to the folder."""
    target = parse_target(asked.target)
    return [
        replace(row, seed=seed)
        for parameters, rows in groupby(asked.rows, key=itemgetter(0))
        for row in study_rows(ruleset, parameters, [fixed for _, fixed in rows], target, asked.length, folder)
    ]


def study_row(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    fixed: Mapping[str, int],
    target: Target,
    length: int,
    folder: Path,
) -> Row:
    """Return the record of one row; see ``study_rows``."""
    return study_rows(ruleset, parameters, [fixed], target, length, folder)[0]


def study_rows(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    several: Sequence[Mapping[str, int]],
    target: Target,
    length: int,
    folder: Path,
) -> list[Row]:
    """Return the records of rows that fix the same coordinates, from their first ``length`` places.

    several: the fixed coordinates of each row. folder: where the certificates of proved rows are written. Layers that
    several rows depend on are computed once. Raises NotLayered unless the game is recognised as one with rows or as one
    of a heap with bounded takes, and InstanceError for coordinates that do not determine a row.
    """
    check_domain(ruleset, parameters)
    if target == GRUNDY and not several[0] and is_heap_game(ruleset, parameters):
        try:
            return [study_heap(ruleset, parameters, folder, length)]
        except NotBounded:
            pass
    game = layered_game(ruleset, parameters, free_coordinates(ruleset, several[0]), target)
    layers = [game.top(fixed) for fixed in several]
    values = solve_all_rows(game, layers, length)
    bare = _bare_row(ruleset, parameters, game.axes, game.target)
    rows = [_with_pattern(bare, game, layer, values[layer]) for layer in layers]
    if all(row.period is None for row in rows):
        return rows
    search, prover = look_for_recurrences(values), _RowProver(ruleset, bare, game, folder)
    return [prover.proved(row, layer, search) for layer, row in zip(layers, rows, strict=True)]


def _bare_row(ruleset: Ruleset, parameters: Mapping[str, int], axes: tuple[str, ...], target: Target) -> Row:
    """Return the record of a row of which nothing is known."""
    return Row(
        ruleset=ruleset.name,
        title=ruleset.title,
        parameters=dict(parameters),
        axes=axes,
        target=target,
        status="undecided",
    )


# -- a row of a game in layers ---------------------------------------------------------------------------------------


def _with_pattern(row: Row, game: LayeredGame, layer: LayerValues, values: TableRow) -> Row:
    """Return the row with its period, and a list of its P-positions with their condition, or a formula for numbers."""
    fixed = dict(zip(game.names, layer, strict=False))
    row = replace(row, row=fixed, checked=len(values))
    learned, period = _learnt_period(values)
    if period is None:
        return replace(row, reason=f"no period up to {game.axes[0]} = {len(values) - 1:,}")
    ascending = len(game.axes) == 2 and is_symmetric(values)
    where = row_condition(game, layer, ascending)
    row = replace(row, status="holds", learned=learned, where=where)
    row = replace(row, preperiod=period.preperiod, period=period.period, saltus=period.saltus)
    if len(game.axes) == 1:
        if period.preperiod + period.period > MOST_LISTED:
            return row
        formula = number_formula(game.axes[0], 0, values[:learned].tolist(), period)
        return replace(row, formula=formula, size=formula.size)
    least = max((fixed.get(pile, 0) for pile in ordered_piles(game)), default=0) if ascending else None
    pattern = find_pattern(values[:learned], least)
    if pattern is None or find_pattern(values, least) != pattern:
        return row
    row = replace(row, exceptions=len(pattern.singles), families=len(pattern.families))
    if len(pattern.singles) + len(pattern.families) > MOST_LISTED:
        return row
    formula, listing = pattern_condition(game.axes, pattern), tuple(listing_texts(game, layer, pattern))
    return replace(row, positions=listing, formula=formula, size=formula.size)


def _learnt_period(row: TableRow) -> tuple[int, Period | None]:
    """Return the number of places from which a period was learnt, and the period; None if none holds for the row."""
    seen = SHORTEST
    while seen < 2 * len(row):
        seen = min(seen, len(row))
        period = find_period(row[:seen])
        if period is not None and period.saltus == period.period:
            later, earlier = row[period.preperiod + period.period :], row[period.preperiod : -period.period]
            if np.all(later == earlier + period.saltus):
                return seen, period
        seen *= 2
    return len(row), None


class _RowProver:
    """The prover of rows of one game. Its kernel computes a layer once, even if several rows depend on it."""

    def __init__(self, ruleset: Ruleset, bare: Row, game: LayeredGame, folder: Path) -> None:
        self._ruleset, self._bare, self._game, self._folder = ruleset, bare, game, folder
        self._kernel, self._closed = Kernel(), qualified_game(ruleset)

    def proved(self, row: Row, layer: LayerValues, search: PeriodSearch) -> Row:
        """Return the row with its certificate or, without one, with the reason.

        Without a certificate a period is ``undecided`` if too few places confirm it.
        """
        if row.preperiod is None or row.period is None:
            return row
        try:
            evidence = row_evidence(self._game, recurrences_of(search, self._game.below(layer)))
            theorem = self._theorem(row, (row.preperiod, row.period), evidence)
            listed_right = theorem.statement.plain and self._has_listing(row, theorem)
        except (NotFound, Refused) as missing:
            places = row.preperiod + row.period  # the others of those learnt from confirm the period
            if row.learned - places >= CONVINCING * places:
                return replace(row, reason=f"not proved: {missing}")
            return replace(self._bare, row=row.row, checked=row.checked, reason=str(missing))
        row = replace(row, positions=row.positions if listed_right else None)
        return _with_theorem(
            self._ruleset, row, theorem, partial(self._kernel.check, evidence=evidence), self._folder
        )

    def _has_listing(self, row: Row, theorem: Theorem) -> bool:
        """Tell whether the list, as papers print it, provably has exactly the P-positions of the formula."""
        if row.positions is None:
            return False
        listing = replace(theorem.statement, formula=listing_condition(self._closed, row.positions))
        try:
            return listing == theorem.statement or bool(self._kernel.check(listing, theorem.evidence))
        except GrundylabError:  # the automata of the list would be too large
            return False

    def _theorem(self, row: Row, period: tuple[int, int], evidence: Rows) -> Theorem:
        """Return the theorem that the formula is right or, without a formula, that the row has the period."""
        theorem = None
        if self._game.game.play == "normal":
            where = equalities({**row.parameters, **row.row}.items())
            statement = row_period(self._closed, where, self._game.axes, row.target, period)
            theorem = self._kernel.check(statement, evidence.model_copy(update={"period": period}))
        if row.formula is not None:
            statement = _statement(self._ruleset, row, row.formula, row.where)
            theorem = self._kernel.check(statement, evidence)
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


def study_heap(ruleset: Ruleset, parameters: Mapping[str, int], folder: Path, length: int = 0) -> Row:
    """Return the period of the Grundy numbers of a game of one heap, ``undecided`` if none is found.

    length: the period is sought among at least this many tokens. The theorem states the formula or, if that would
    be too long, the period. Raises NotBounded if the game is not one heap with bounded takes.
    """
    game, kernel = specialise(ruleset, parameters), Kernel()
    heap = heap_coordinate(game)
    bare = _bare_row(ruleset, parameters, (heap,), GRUNDY)
    undecided = replace(bare, reason="no period in the tables that are searched")
    evidence = find_heap_evidence(game, length)
    if evidence is None:
        return undecided
    closed, fixed = qualified_game(ruleset), equalities(parameters.items())
    try:
        period = (evidence.first, evidence.period)
        theorem = kernel.check(row_period(closed, fixed, (heap,), GRUNDY, period, saltus=0), evidence)
    except Refused:
        return undecided
    sequence = proved_heap(game, evidence, kernel)
    least, looked_at = sequence.least, evidence.until + evidence.period
    # how many values before the period differ from those of the period continued to the left
    exceptions = sum(
        sequence(n) != sequence(sequence.first + (n - sequence.first) % sequence.period)
        for n in range(least, sequence.first)
    )
    row = replace(bare, checked=looked_at, learned=looked_at, exceptions=exceptions)
    row = replace(row, preperiod=evidence.first, period=evidence.period, saltus=0)
    if sequence.first + sequence.period - least <= MOST_TERMS:
        shown = Period(sequence.first - least, sequence.period, 0, evidence.until)
        formula = number_formula(heap, least, sequence.values, shown)
        row = replace(row, formula=formula, size=formula.size)
        try:
            theorem = kernel.check(_statement(ruleset, row, formula, TRUE), evidence)
        except GrundylabError:
            return undecided
        if not gate_report(closed, theorem.statement.claim()).good:
            return undecided
    return _with_theorem(ruleset, row, theorem, partial(kernel.check, evidence=evidence), folder)


# -- what a certificate proves ----------------------------------------------------------------------------------------


def _statement(ruleset: Ruleset, row: Row, formula: Expr, where: Expr) -> Statement:
    """Return the statement that the formula is right, for the row's parameters, wherever ``where`` is true."""
    formula, where = (renamed(e, renaming_of(ruleset)) for e in (formula, where))
    parameters = equalities(row.parameters.items())
    return Statement(qualified_game(ruleset), row.target, formula, conjunction(parameters, where))


def _with_theorem(ruleset: Ruleset, row: Row, theorem: Theorem, check: CheckStatement, folder: Path) -> Row:
    """Return the row as proved, with the claims that its evidence proves as well; write the proof to the folder.

    The row is related to these claims if it has a formula.

    check: checks another statement by the same evidence; it raises GrundylabError if this does not prove it.
    """
    claims = [claim for claim in ruleset.claims if _is_proved(ruleset, claim, row, check)]
    fixed = [f"{name}={value}" for name, value in {**row.parameters, **row.row}.items()]
    key = theorem.statement.key[:12]
    path = folder / f"row-{row.target.slug}-{','.join(fixed) or 'all'}-{key}.json"
    write_text(path, proof_text(theorem))
    names = {claim.id for claim in claims}
    comparable = [one for one in comparable_claims(ruleset, None, row.target) if one.claim in names]
    relation = None
    if row.formula is not None and comparable:
        where = conjunction(equalities(row.parameters.items()), row.where)
        comparison = comparison_by_certificate(ruleset, where, comparable, Limits(COMPARING))
        relation = relation_of("proved", comparison)
    return replace(
        row,
        status="proved",
        claims=tuple(claim.id for claim in claims),
        relation=relation,
        proof=str(path),
        rules=rules_of(theorem),
    )


def _is_proved(ruleset: Ruleset, claim: Claim, row: Row, check: CheckStatement) -> bool:
    """Tell whether the claim is about exactly this row, and the row's evidence proves it. check: as above."""
    fixed = {name: Int(value) for name, value in row.parameters.items()}
    where = substitute(claim.where, fixed)
    if claim.target != row.target or not claim.plain:
        return False
    if fixed_values(where, ruleset.coordinate_names) != row.row:
        return False
    try:
        check(_statement(ruleset, row, substitute(claim.formula, fixed), where))
    except GrundylabError:
        return False
    return gate_report(ruleset, claim, equalities(row.parameters.items())).good
