"""Linear relations between the ends of runs in neighbouring rows, and the sums that follow from them.

Runs are the maximal intervals of a row on which a condition holds, numbered from 0 (``run_intervals``). A relation says
that an end of run n in a row equals an end of run n or n - 1 in a nearby row, plus a few terms: numbers, coordinates,
and values of the ruleset's functions. Applied repeatedly, down to run 0, it yields a sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from operator import add

import numpy as np

from grundylab.discover.polynomials import PolynomialVariable, add_constant, product_of, solve_linear, sum_of
from grundylab.discover.rewriting import tidy
from grundylab.discover.run_intervals import SIDES, RunSide, RunTable
from grundylab.language import Expr
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Bounded, Int, Name, free_names
from grundylab.numeric import Array

STEPS = (0, 1, 2, -1)  # from a row to a nearby one, in each coordinate
OFFSETS = (0, 1, 2)  # added to a coordinate as the argument of a function
MOST_TERMS = 3
LARGEST = 4  # greatest absolute value of a coefficient
SUPPORT = 3  # runs needed for each coefficient
KEPT = 24  # most relations kept for each side
MOST_RUNS = 5_000  # runs examined

RelationTerms = tuple[tuple[int, Expr], ...]  # (coefficient, term)
Shift = tuple[tuple[str, int], ...]  # (coordinate, difference) for each coordinate of a row


@dataclass(frozen=True)
class RunRelation:
    """A relation ``side(n, row) == source(n - back, row + shift) + sum(coefficient * term)``.

    side, source: ``start`` or ``end`` of a run, as a function of the run's number n and its row. The terms are
    evaluated at n and the row. number: the name of n in the terms.
    """

    number: str
    side: RunSide
    source: RunSide
    back: int
    shift: Shift
    terms: RelationTerms

    @property
    def plainness(self) -> tuple[int, ...]:
        """Sort key: fewer terms first, then smaller numbers."""
        sizes = sum(abs(c) for c, _ in self.terms) + sum(abs(step) for _, step in self.shift)
        return len(self.terms), sizes, sum(term.size for _, term in self.terms)

    def followed_by(self, other: RunRelation) -> RunRelation:
        """Return the relation with its source replaced according to ``other``, a relation whose side is this source."""
        moved = tuple((c, moved_by(term, self, Int(1))) for c, term in other.terms)
        steps = dict(other.shift)
        shift = tuple((name, step + steps[name]) for name, step in self.shift)
        return RunRelation(
            self.number, self.side, other.source, self.back + other.back, shift, (*self.terms, *moved)
        )


def moved_by(term: Expr, relation: RunRelation, times: Expr) -> Expr:
    """Return the term for the run and the row that the relation reaches when it is applied ``times`` times."""
    names = [name for name, _ in relation.shift]
    steps = {relation.number: -relation.back, **dict(relation.shift)}
    put: dict[str, Expr] = {
        name: sum_of([(1, Name(name)), (step, times)]) for name, step in steps.items() if step
    }
    return tidy(substitute(term, put), [*names, relation.number])


def find_relations(runs: RunTable) -> dict[RunSide, list[RunRelation]]:
    """Return for each side the plainest relations that hold for all runs where both ends are known."""
    runs = runs.at(np.arange(min(len(runs), MOST_RUNS)))
    by_side: dict[RunSide, list[RunRelation]] = {side: [] for side in SIDES}
    steps = list(product(STEPS, repeat=len(runs.coordinates)))
    names = map(Name, [*(name for name in runs.row if name in runs.parameters), *runs.coordinates])
    near = [add_constant(Name(name), offset) for name in runs.coordinates for offset in OFFSETS]
    one = PolynomialVariable(Int(1), np.ones(len(runs), dtype=np.int64))
    terms = [one, *runs.evaluated([*names, *runs.calls(near)])]
    keys = list(zip(*(column.tolist() for column in runs.row.values()), runs.number.tolist(), strict=True))
    places = {side: {keys[i]: i for i in np.flatnonzero(runs.known(side)).tolist()} for side in SIDES}
    for side, source, back, step in product(SIDES, SIDES, (0, 1), steps):
        if (side, back, any(step)) == (source, 0, False):
            continue  # the end itself
        shift = tuple(zip(runs.coordinates, step, strict=True))
        moved = [*(dict(shift).get(name, 0) for name in runs.row), -back]
        pairs = [(i, places[source].get(tuple(map(add, key, moved)))) for key, i in places[side].items()]
        known_pairs = np.array([pair for pair in pairs if pair[1] is not None], dtype=np.intp)
        if len(known_pairs) < SUPPORT:
            continue
        here, other = known_pairs.T  # the runs for which both ends are known, and the source's run for each
        differences = runs.ends(side)[here] - runs.ends(source)[other]
        for chosen in _sums([PolynomialVariable(t.expr, t.values[here]) for t in terms], differences):
            by_side[side].append(RunRelation(runs.fresh[0], side, source, back, shift, chosen))
    return {side: sorted(by_side[side], key=lambda r: r.plainness)[:KEPT] for side in SIDES}


def _sums(terms: Sequence[PolynomialVariable], differences: Array) -> list[RelationTerms]:
    """Return the sums of terms, with small integer coefficients, that equal the differences everywhere.

    Only sums with the fewest terms possible, and those with one term more, are returned; the latter since the shorter
    ones may be coincidences.
    """
    if solve_linear([term.column for term in terms], differences) is None:
        return []
    sums: list[RelationTerms] = [] if differences.any() else [()]
    least = None if differences.any() else 0
    for size in range(1, MOST_TERMS + 1):
        if len(differences) < SUPPORT * size or (least is not None and size > least + 1):
            break
        for chosen in combinations(terms, size):
            solution = solve_linear([term.column for term in chosen], differences)
            if solution and all(c.denominator == 1 and 0 < abs(c) <= LARGEST for c in solution):
                sums.append(tuple((int(c), term.expr) for c, term in zip(solution, chosen, strict=True)))
                least = least or size
    return sums


def recurrences(relations: Mapping[RunSide, Sequence[RunRelation]]) -> list[dict[RunSide, RunRelation]]:
    """Return the recurrences from run n - 1 to run n that follow from pairs of relations, plainest first.

    Each pair consists of a relation for the start and one for the end. It is left out unless a recurrence
    follows for both.
    """
    pairs = sorted(
        product(relations["start"], relations["end"]),
        key=lambda pair: (*map(sum, zip(*(relation.plainness for relation in pair), strict=True)),),
    )
    followed = []
    for start, end in pairs:
        pair: dict[RunSide, RunRelation] = {"start": start, "end": end}
        by_side = {
            side: relation if relation.source == side else relation.followed_by(pair[relation.source])
            for side, relation in pair.items()
        }
        if all(relation.source == side and relation.back == 1 for side, relation in by_side.items()):
            followed.append(by_side)
    return followed


def followed_down(recurrence: RunRelation, first: Expr, index: str) -> Expr:
    """Return a formula for an end of run n: the end of run 0 in the row that the recurrence reaches, plus its terms.

    first: the formula for the end of run 0. index: an unused name, for the variable of the sum.
    """
    number, i = Name(recurrence.number), Name(index)
    outside: list[tuple[int, Expr]] = []
    inside: list[tuple[int, Expr]] = []
    for coefficient, term in recurrence.terms:
        moved = moved_by(term, recurrence, i)
        if index in free_names(moved):
            inside.append((coefficient, moved))
        else:
            outside.append((coefficient, product_of(1, [moved, number])))
    names = [recurrence.number, *(name for name, _ in recurrence.shift)]
    summand = tidy(sum_of(inside), names)
    total = (
        Bounded("sum", index, Int(0), number, summand)
        if index in free_names(summand)
        else product_of(1, [number, summand])
    )
    return tidy(sum_of([(1, moved_by(first, recurrence, number)), *outside, (1, total)]), names)
