"""The engine ``transfer``: Grundy values as a function of those of the positions with one coordinate one lower.

The model is a pass: its coordinate p is 1 while the pass is available, and the engine looks for F with
G(x, 1) = F(G(x, 0)), where G is the Grundy value. It does so for every coordinate with few values. F may have cases, by
one or two simple conditions on the coordinates. The formula looks up the lower value, here G(x, 0). If a small formula
for the lower values is found, it replaces the lookup, and the result is proposed, too.

Let g be the lower value of a position. On a set of positions the target is a function of g if no two positions have the
same g and different targets. The cases are made by the smallest conditions that separate such pairs of positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import complete
from grundylab.discover.base import BUDGET_SHARE, Proposals, out_of_time, span
from grundylab.discover.engines import search
from grundylab.discover.fingerprints import distinct_splits
from grundylab.discover.ranking import is_exact
from grundylab.discover.rewriting import short_comparison, simplify
from grundylab.discover.sampling import setting_numbers
from grundylab.discover.search_budget import SearchBudget
from grundylab.games.model import GRUNDY, Target
from grundylab.games.statements import THIS
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.names import unused_name
from grundylab.language.substitution import replace_part, substitute
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Call,
    If,
    Int,
    Name,
    by_cases,
    chain,
    compare,
    conjunction,
    negate,
)
from grundylab.numeric import Array
from grundylab.records.finding import Finding

FEW = 4  # greatest number of values of the coordinate
# A function is not a coincidence if there are SEEN times as many positions as arguments, or if its formula has at most
# SHARE nodes for each argument.
SEEN, SHARE = 4 / 3, 1 / 2
LARGEST = 40  # most nodes of the function's formula
SMALLEST = 1 / 4  # share of the remaining work for a formula of the lower values
# Constants and moduli of the conditions that separate cases.
CONSTANTS = (0, 1, 2, 3)
MODULI = (2, 3, 4)
SCREENED = 20_000  # number of positions on which conditions are tested first
FIRST = 60  # conditions for which a second one is sought
MOST = 6  # most ways to distinguish cases that are kept


@dataclass(frozen=True)
class Case:
    """One case: a mask of positions on which the target is a function of g, and the condition that selects them.

    It selects them among the positions that no earlier case has; in the last case it is True.
    """

    mask: Array
    condition: Expr


TransferCases = tuple[Case, ...]  # in the order in which they apply


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return formulas that look up lower Grundy values, and notes on the coordinates for which none is found.

    The target must be the Grundy value; else there is only a note.
    """
    if target != GRUNDY:
        return Proposals(
            notes=("values are looked up as Grundy numbers, and the target is not the Grundy number",)
        )
    work = SearchBudget(budget_seconds)
    proposals: list[Finding] = []
    notes: list[str] = []
    few_valued = [
        name
        for name in samples.coordinates
        if 1 <= span(samples.columns[name]) < FEW
        and len(np.unique(samples.columns[name])) == span(samples.columns[name]) + 1
    ]
    if not few_valued:
        return Proposals(notes=(f"no coordinate has 2 to {FEW} consecutive values",))
    for name in few_valued:
        transfer = _transfer_along(samples, name, work)
        if transfer is None:
            notes.append(f"some positions have no counterpart with {name} one lower")
            continue
        proposals += transfer.proposals()
        notes += transfer.notes
    if work.over:
        notes.append(out_of_time(budget_seconds))
    return Proposals((), tuple(notes), tuple(proposals))


def _transfer_along(samples: Samples, name: str, work: SearchBudget) -> _Transfer | None:
    """Return the search for relations along this coordinate; None if a position has no counterpart one lower."""
    column = samples.columns[name]
    least, most = int(column.min()), int(column.max())
    which = setting_numbers(samples, [other for other in samples.names if other != name])
    places = np.full((int(which.max()) + 1, most - least + 1), -1, dtype=np.int64)
    places[which, column - least] = np.arange(len(samples))
    above = np.flatnonzero(column > least)
    below = places[which[above], column[above] - least - 1]
    if np.any(below < 0):
        return None
    two = most == least + 1
    lowered: Expr = Int(least) if two else Binary("-", Name(name), Int(1))
    call = Call(
        unused_name("G", (*samples.names, *(function.name for function in samples.functions))),
        tuple(lowered if other == name else Name(other) for other in samples.coordinates),
    )
    where = compare("==", Name(name), Int(most)) if two else compare(">", Name(name), Int(least))
    base = samples.at(np.flatnonzero(column == least)) if two else None
    return _Transfer(name, samples.at(above), samples.values[below], call, where, base, work)


@dataclass
class _Transfer:
    """Search for relations between the values of positions and of those with one coordinate one lower.

    name: the coordinate. samples: the positions where it is above its least value. lower: for each of these the Grundy
    value of the position with the coordinate one lower. call: the formula that looks up this value. where: the
    condition that selects the samples. base: the positions where the coordinate has its least value; None if it has
    more than two values.
    """

    name: str
    samples: Samples
    lower: Array
    call: Call
    where: Expr
    base: Samples | None
    work: SearchBudget
    notes: list[str] = field(default_factory=list)
    _known: dict[bytes, Expr | None] = field(default_factory=dict)

    def proposals(self) -> list[Finding]:
        """Return the relations found; those about most positions come first. Notes report failures."""
        self._tell_conflict()
        ways = [(cases, self._functions(cases)) for cases in smallest_cases(self.samples, self.lower)]
        if not ways:
            others = ", ".join(name for name in self.samples.coordinates if name != self.name)
            self.notes.append(f"no two conditions on {others} separate cases that have such a function")
            return []
        made = []
        for cases, parts in ways:
            if parts:
                conditions = [case.condition for case in cases[:-1]]
                whole = by_cases([*zip(conditions, parts[:-1], strict=True)], parts[-1])
                made.append((whole, cases, parts))
        if not made:
            self.notes.append("no formula of the function was found, or too few positions determine it")
            return []
        whole, cases, parts = min(made, key=lambda way: (way[0].size, str(way[0])))
        closed = list[Finding]()  # a formula for the lower values in place of the lookup
        if self.base is not None:
            for low in complete.smallest_formulas(self.base, self.work.part(SMALLEST)).formulas[:1]:
                everywhere = If(self.where, replace_part(whole, self.call, low), low)
                closed.append(Finding(formula=simplify(everywhere), target=GRUNDY))
        return [*closed, self._proposal(whole, TRUE), *self._part(cases, parts)]

    def _tell_conflict(self) -> None:
        """Add a note with two positions that show that the target is no function of the lower value.

        They are the smallest such positions. Do nothing if the target is a function of it.
        """
        names, values = self.samples.names, self.samples.values
        columns = [self.samples.columns[name] for name in names]
        measure = np.sum([self.samples.columns[name] for name in self.samples.coordinates], axis=0)
        order = np.lexsort([*reversed(columns), measure])
        pair = conflict(self.lower[order], values[order])
        if pair is None:
            return
        one, other = (int(order[row]) for row in pair)
        at = [
            "("
            + ", ".join(f"{name}={column[row]}" for name, column in zip(names, columns, strict=True))
            + ")"
            for row in (one, other)
        ]
        self.notes.append(
            f"where {self.where} the Grundy numbers are not a function of {self.call} alone: it is {self.lower[one]} "
            f"for both {at[0]} and {at[1]}, whose Grundy numbers are {values[one]} and {values[other]}"
        )

    def _functions(self, cases: TransferCases) -> list[Expr]:
        """Return for each case a formula of the target that looks up the lower value.

        Empty if one is not found, or if the formulas may be coincidences (SEEN, SHARE).
        """
        distinct, parts = 0, list[Expr]()
        name = unused_name("g", self.samples.names)  # for the lower value, until the lookup replaces it
        for case in cases:
            numbers, first = np.unique(self.lower[case.mask], return_index=True)
            values = self.samples.values[case.mask][first].astype(np.int64)
            table = Samples((name,), {name: numbers.astype(np.int64)}, values)
            key = numbers.tobytes() + values.tobytes()
            if key not in self._known:
                formulas = search.ranked_formulas(table, self.work.part(BUDGET_SHARE / 2))
                right = (f for f in formulas if is_exact(f, table) and f.size <= LARGEST)
                self._known[key] = next(right, None)
            if (formula := self._known[key]) is not None:
                parts.append(formula)
            distinct += len(numbers)
        if len(self.samples) < SEEN * distinct and sum(part.size for part in parts) > SHARE * distinct:
            return []
        return [substitute(part, {name: self.call}) for part in parts] if len(parts) == len(cases) else []

    def _proposal(self, formula: Expr, where: Expr) -> Finding:
        values = {self.call.name: THIS}
        return Finding(formula=formula, target=GRUNDY, where=conjunction(self.where, where), values=values)

    def _part(self, cases: TransferCases, parts: list[Expr]) -> list[Finding]:
        """Return a proposal for the largest case alone, if there are several cases and most positions belong to it."""
        sizes = [int(np.count_nonzero(case.mask)) for case in cases]
        largest = int(np.argmax(sizes))
        if len(parts) == 1 or 2 * sizes[largest] <= sum(sizes):
            return []
        case = cases[largest]
        asked = [negate(c.condition) for c in cases[:largest]]
        asked += [case.condition] if case.condition != TRUE else []
        for condition in list(asked):  # drop conditions that the others imply
            fewer = [other for other in asked if other != condition]
            fulfilled = evaluate_arrays(conjunction(*fewer), self.samples.columns)
            if fewer and np.array_equal(fulfilled, case.mask):
                asked = fewer
        return [self._proposal(parts[largest], conjunction(*asked))]


# -- cases ---------------------------------------------------------------------------------------------------


def conflict(g: Array, values: Array) -> tuple[int, int] | None:
    """Return two rows with equal g and different values; None if there are none.

    Of all such pairs it is the one whose later row comes first.
    """
    _, first, which = np.unique(g, return_index=True, return_inverse=True)
    earlier = first[which.reshape(-1)]
    wrong = np.flatnonzero(values != values[earlier])
    return (int(earlier[wrong[0]]), int(wrong[0])) if len(wrong) else None


def smallest_cases(samples: Samples, g: Array) -> list[TransferCases]:
    """Return the simplest ways to make cases by one or two conditions; in each case the target is a function of g.

    If the target is a function of g at all positions, there is only one case. Empty if no two conditions suffice.
    """
    everywhere = np.ones(len(samples), dtype=bool)
    if conflict(g, samples.values) is None:
        return [(Case(everywhere, TRUE),)]
    trees, rows = case_conditions(samples)
    screen = np.unique(np.linspace(0, len(samples) - 1, min(SCREENED, len(samples))).astype(np.int64))
    ways = list[TransferCases]()
    for chosen in _likely(rows[:, screen], g[screen], samples.values[screen]):
        cases, left = list[Case](), everywhere
        for n in chosen:
            cases.append(Case(left & rows[n], trees[n]))
            left = left & ~rows[n]
        cases.append(Case(left, TRUE))
        if all(conflict(g[case.mask], samples.values[case.mask]) is None for case in cases):
            ways.append(tuple(cases))
        if len(ways) == MOST:
            break
    return ways


def _likely(rows: Array, g: Array, values: Array) -> Iterator[tuple[int, ...]]:
    """Yield conditions that make two cases with the target a function of g in each; if none does, yield pairs.

    A pair makes three cases. Conditions are yielded as tuples of their numbers. rows: the values of the conditions and
    then of their negations in the same order, (conditions and negations, positions).
    """
    pairs, which = np.unique(np.stack([g, values], axis=1), axis=0, return_inverse=True)
    order = np.argsort(which.reshape(-1), kind="stable")
    rows, count = rows[:, order], len(rows) // 2
    starts = np.searchsorted(which.reshape(-1)[order], np.arange(len(pairs)))
    groups = np.searchsorted(pairs[:, 0], np.unique(pairs[:, 0]))

    def both(among: Array) -> tuple[Array, Array]:
        """Return two masks of conditions: the target is a function of g where they hold; and where they fail.

        Only the positions ``among`` are considered. The first mask has no condition that never holds there, the second
        none that never fails.
        """
        met = np.logical_or.reduceat(rows & among, starts, axis=1)
        several = np.add.reduceat(met, groups, axis=1, dtype=np.int64)
        pure = (several.max(axis=1) <= 1) & met.any(axis=1)
        return pure[:count], pure[count:]

    yes, no = both(np.ones(rows.shape[1], dtype=bool))
    single = np.flatnonzero(yes & no)
    yield from ((int(n),) for n in single)
    if len(single):
        return
    for n in np.flatnonzero(yes ^ no)[:FIRST]:
        apart = int(n if yes[n] else n + count)
        others = np.flatnonzero(np.logical_and(*both(~rows[apart])))
        yield from ((apart, int(other)) for other in others if other != n)


def case_conditions(samples: Samples) -> tuple[list[Expr], Array]:
    """Return simple conditions on the coordinates and parameters, smallest first, then their negations, and all values.

    They are about coordinates, parameters, differences and symmetric terms of the coordinates. The values are bool
    (conditions and negations, positions). Of conditions that make the same two cases only the smallest is returned.
    """
    coordinates = [Name(name) for name in samples.variables if name not in samples.parameters]
    parameters = [Name(name) for name in samples.variables if name in samples.parameters]
    terms: list[Expr] = [*coordinates, *parameters]
    terms += [Binary("-", a, b) for a, b in combinations(terms, 2)]
    if len(coordinates) > 1:
        total, largest = chain("+", coordinates), Call("max", tuple(coordinates))
        terms += [total, largest, Call("min", tuple(coordinates)), chain("^", coordinates)]
        terms += [Binary("-", total, term) for term in (largest, *parameters)]
    conditions = [short_comparison(op, *pair) for op in ("==", "<") for pair in product(terms, CONSTANTS)]
    rests = [(modulus, rest) for modulus in MODULI for rest in range(modulus)]
    for term, (modulus, rest) in product(terms, rests):
        conditions.append(compare("==", Binary("%", term, Int(modulus)), Int(rest)))
    trees = sorted(dict.fromkeys(conditions), key=lambda tree: (tree.size, str(tree)))
    rows = np.array([evaluate_arrays(tree, samples.columns) for tree in trees], dtype=bool).reshape(
        -1, len(samples)
    )
    varied = distinct_splits(rows)
    kept = [trees[n] for n in varied]
    return [*kept, *map(negate, kept)], np.concatenate([rows[varied], ~rows[varied]])
