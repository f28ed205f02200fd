"""Comparisons of a formula with each published claim about the same game and target.

Two questions are decided: whether formula and claim agree wherever both apply, and which of them covers more positions.
The answer holds for all sizes if automata decide the question, or if formula and claim are proved. Otherwise it comes
from the positions of tables, and the record says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grundylab.check.samples import restricted_columns
from grundylab.errors import GrundylabError
from grundylab.games import Claim, Rules, Ruleset, Target
from grundylab.games.listing import move_condition
from grundylab.games.model import ALWAYS, PrintedTable
from grundylab.games.specialise import fixed_values
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Bool,
    If,
    Int,
    Kind,
    Not,
    by_cases,
    called_functions,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    equalities,
)
from grundylab.prove.core.solution import level_of
from grundylab.prove.hypothesis import claims_without_pass, pieces_at_level, with_permuted_piles
from grundylab.records.relation import By, ClaimComparison, Comparison
from grundylab.solve.table import Table
from grundylab.statement.qualified_names import qualified_game, renaming_of

# Tells whether its first condition is true wherever its second one is; None if that is not known.
Decide = Callable[[Expr, Expr], bool | None]

_ENTRIES = 100  # the most entries of a printed table that is compared
_PILES = 4  # the most piles that are permuted in all ways
_TERMINAL = 8  # the most positions without a move that no claim need cover


@dataclass(frozen=True)
class ClaimStatement:
    """A claim about a target: the value is ``formula`` at the positions and parameters that fulfil ``where``."""

    claim: str
    formula: Expr
    where: Expr
    own: bool  # the claim is about this game, not about the game without the pass
    fact: bool  # the claim is a single value or a list of values, not a formula


@dataclass(frozen=True)
class SourcedTruth:
    """The answer to a question, and its source; ``truth`` is None if the answer is not known."""

    truth: bool | None
    by: By = "tables"


EqualityTest = Callable[[Expr, Expr], SourcedTruth]


def comparable_claims(ruleset: Ruleset, parent: Ruleset | None, target: Target) -> list[ClaimStatement]:
    """Return the published claims that determine the target: the ruleset's, and its parent's if it adds only a pass.

    A claim about Grundy numbers also determines the P-positions, where they are 0. Claims about a single position, and
    claims that look up the values of other positions, are left out.
    """
    names = ruleset.coordinate_names
    own = [(claim, True) for claim in ruleset.claims]
    above = [(claim, False) for claim in (_of_same_game(parent, ruleset) if parent else ())]
    statements = []
    for claim, is_own in (*own, *above):
        plain = _of_table(claim, names) if isinstance(claim.printed, PrintedTable) else claim
        if plain is None or claim.unpublished or set(fixed_values(plain.where, names)) >= set(names):
            continue
        for piece in pieces_at_level([plain], target, level_of(target)):
            fact = plain is not claim or isinstance(piece.formula, Bool | Int)
            statements.append(ClaimStatement(claim.id, piece.formula, plain.where, is_own, fact))
    return statements


def claims_left_out(ruleset: Ruleset) -> int:
    """Return the number of published claims that look up values of the game, with which no formula is compared."""
    own = {"this", ruleset.name}
    return sum(not claim.unpublished and any(of in own for _, of in claim.values) for claim in ruleset.claims)


def _of_same_game(parent: Ruleset, ruleset: Ruleset) -> list[Claim]:
    """Return the claims of the game without the pass, as claims about positions whose pass is used up.

    The list is empty if the ruleset changes more than the pass. A claim that calls a function which the ruleset defines
    anew is left out: its formula would be read as another one.
    """
    theirs, mine = qualified_game(parent), qualified_game(ruleset)
    moves = [
        replace(move, parts=tuple(part[:-1] for part in move.parts)) for move in mine.moves if not move.a_pass
    ]
    if [move.described for move in moves] != [move.described for move in theirs.moves]:
        return []
    if (theirs.coordinates, theirs.where, theirs.play) != (mine.coordinates[:-1], mine.where, mine.play):
        return []
    if not {*theirs.parameters} <= {*mine.parameters}:
        return []
    names, own = renaming_of(parent), renaming_of(ruleset)
    anew = {name for name in names if names[name] != own.get(name)}
    return [claim for claim in claims_without_pass(parent, ruleset) if not claim.called & anew]


def _of_table(claim: Claim, names: Sequence[str]) -> Claim | None:
    """Return the claim of a printed table as a formula by cases.

    None if the table has many entries, or leaves a coordinate of its positions open.
    """
    printed = claim.printed
    assert isinstance(printed, PrintedTable)
    if len(printed.entries) > _ENTRIES:
        return None
    fixed = dict(printed.fixed)
    places = []
    for entry, value in printed.entries:
        position = {**fixed, **dict(zip(printed.coordinates, entry, strict=True))}
        if set(position) != set(names):
            return None
        places.append((equalities((name, position[name]) for name in names), value))
    formula: Expr
    if claim.target.kind is Kind.CONDITION:
        formula = disjunction(*(place for place, value in places if value))
    else:
        formula = by_cases([(place, Int(value)) for place, value in places], Int(0))
    tables = {table.name for table in claim.tables}
    beside = (term for term in conjuncts(claim.where) if not called_functions(term) & tables)
    where = conjunction(*beside, disjunction(*(place for place, _ in places)))
    return replace(claim, formula=formula, where=where, printed=None, tables=(), kind="formula")


def equal_values_condition(a: Expr, b: Expr) -> Expr:
    """Return the condition that two formulas for one target have equal values; TRUE if the formulas are identical."""
    if a == b:
        return TRUE
    if a.kind is Kind.NUMBER:
        return compare("==", a, b)
    return If(a, b, Not(b))


def at_positions_of(tables: Sequence[Table]) -> Decide:
    """Return a function that tells whether a condition is true at all positions of the tables that fulfil another.

    It returns None if one of the conditions has no value somewhere.
    """

    def decide(condition: Expr, where: Expr) -> bool | None:
        for table in tables:
            ruleset = table.instance.ruleset
            for slab in table.slabs():
                try:
                    columns, _ = restricted_columns(slab, table.instance, where, ruleset.functions)
                    truth = evaluate_arrays(condition, columns, ruleset.functions)
                except GrundylabError:  # a formula without a value, or with a look-up
                    return None
                if not np.all(truth):
                    return False
        return True

    return decide


def compare_with_claims(
    ruleset: Ruleset,
    formula: Expr,
    where: Expr,
    claims: Iterable[ClaimStatement],
    ask: EqualityTest,
    known_same: Mapping[str, bool] | None = None,
    plain: Expr = FALSE,
) -> Comparison:
    """Compare a formula about the positions that fulfil ``where`` with each claim.

    ask: tells whether its first condition is true wherever its second one is. known_same: by claim id,
    whether it is proved that the claim agrees (True) or disagrees (False) with the formula where both apply. plain:
    a condition on positions where no move is possible, which no claim need cover.
    """
    same, rows, agreeing = known_same or {}, [], []
    for said in claims:
        both = conjunction(where, said.where)
        apart, equal, within = ask(FALSE, both), SourcedTruth(None), SourcedTruth(None)
        meet, by = None if apart.truth is None else not apart.truth, apart.by
        if meet:
            equal, within = ask(equal_values_condition(formula, said.formula), both), ask(where, said.where)
            if equal.truth is None and said.claim in same:
                equal = SourcedTruth(same[said.claim], "proof")
            by = "proof" if {equal.by, within.by} == {"proof"} else "tables"
        if equal.truth:
            agreeing.append(said)
        rows.append(ClaimComparison(said.claim, said.own, said.fact, meet, equal.truth, within.truth, by))
    doubtful = any(row.meet is not False and row.same is None for row in rows)
    covered = SourcedTruth(None if doubtful else False, "proof")
    if agreeing:
        spoken, whole = covered_region(ruleset, formula, where, agreeing, ask, plain)
        covered = ask(spoken, where)
        if covered.truth is False and (doubtful or not whole):  # other claims may cover the rest
            covered = SourcedTruth(None)
    return Comparison(tuple(rows), covered.truth, covered.by)


def covered_region(
    ruleset: Ruleset,
    formula: Expr,
    where: Expr,
    claims: Iterable[ClaimStatement],
    ask: EqualityTest,
    plain: Expr = FALSE,
) -> tuple[Expr, bool]:
    """Return the positions that the claims or ``plain`` cover, as a condition, and whether it is known to be complete.

    A claim with its piles permuted covers its positions, too, if it agrees with the formula. The result is not known to
    be complete if some agreement is not decided.
    """
    claims = list(claims)
    regions = dict.fromkeys(said.where for said in claims)
    if TRUE in regions:
        return TRUE, True
    if not 2 <= len(ruleset.piles) <= _PILES:
        return disjunction(*regions, plain), True
    for said in claims:
        for turned in with_permuted_piles(Claim(said.claim, ALWAYS, said.formula, said.where), ruleset.piles):
            if turned.where in regions:
                continue
            same = equal_values_condition(formula, turned.formula)
            agrees = ask(same, conjunction(where, turned.where)).truth
            if agrees is None:  # other permutations would be as hard to decide
                return disjunction(*regions, plain), False
            if agrees:
                regions[turned.where] = None
    return disjunction(*regions, plain), True


def terminal_region(condition: Expr, where: Expr, tables: Sequence[Table]) -> Expr:
    """Return the positions that fulfil ``where`` but not the condition, if they are few and none of them has a move.

    The result is a condition: the position is one of them, and no move is possible there. It is FALSE if there are more
    than eight in a table, or if one of them has a move.
    """
    ruleset, terminal = tables[0].instance.ruleset, set[tuple[int, ...]]()
    names, others = ruleset.coordinate_names, conjunction(where, Not(condition))
    for table in tables:
        rules = Rules(table.instance)
        for slab in table.slabs():
            try:
                columns, values = restricted_columns(slab, table.instance, others, ruleset.functions)
            except GrundylabError:
                return FALSE
            if len(values) > _TERMINAL:
                return FALSE
            positions = set(zip(*(columns[name].tolist() for name in names), strict=True))
            if any(True for position in positions for _ in rules.options(position)):
                return FALSE
            terminal |= positions
    some = move_condition(ruleset)
    return disjunction(
        *(
            conjunction(
                equalities(zip(names, position, strict=True)),
                Not(substitute(some, dict(zip(names, position, strict=True)))),
            )
            for position in sorted(terminal)
        )
    )


def equality_test(decide: Decide, by: By) -> EqualityTest:
    """Return a test that answers trivial questions itself, others by ``decide``. by: the source of those answers."""

    def ask(condition: Expr, where: Expr) -> SourcedTruth:
        if condition in (TRUE, where) or where == FALSE:
            return SourcedTruth(True, "proof")
        return SourcedTruth(decide(condition, where), by)

    return ask
