"""The nearest true formula to a refuted claim: the one with the fewest signs changed.

Changes are made in the formula and in the condition under which it is claimed: first one change, then two. Changed
claims are tested on a sample of the positions, and those that are right there at all positions. The truth values of an
expression on the sample are kept as a Python integer with one bit for each position. ``and``, ``or``, ``not`` and
``if`` combine such integers, so that after a change only the parts of an expression around it have to be evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from heapq import nsmallest
from itertools import combinations, product
from operator import and_, or_

import numpy as np

from grundylab.check.edits import (
    CONDITION,
    Edit,
    EditSide,
    EditVocabulary,
    connective_operands,
    evaluation_weight,
    flatten,
    reflexive_comparisons,
)
from grundylab.errors import EvaluationError
from grundylab.language import Expr, Kind
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.neighbours import Path
from grundylab.language.syntax import (
    COMPARISONS,
    Binary,
    Bounded,
    Compare,
    Int,
    Name,
    compare,
    distinct_parts,
    free_names,
    walk,
)
from grundylab.numeric import Array

BUDGET = 8_000_000  # nodes evaluated on the sample, in about 20 seconds; counted, so that every machine finds the same
MOST = 5  # corrections of one cost that are returned
_WRONG, _RIGHT = 400, 1200  # rows of each kind in the sample
_CANDIDATES = 300  # candidates ranked on all positions, for each number of changes
_TRIES = 100  # candidates tried on all positions
_KEPT = 0.5  # the least share of all positions that a new condition must keep
_KEPT_EACH = 0.25  # the same for positions where the target is true, for the others, and for the largest
_LARGEST = 0.25  # the share of positions that are the largest; without them y <= 19 could keep half of a table up to 40
_SLACK = 0.8  # factor of the least shares on the sample, where they are only estimates
_LONGEST = 4096  # values of a quantifier's variable; a change that leads to more is not tried
_ALIKE = 5  # the most changes kept for each effect on the sample
_PAIRED = 100  # conditions to which a second one is added

Bits = int
Edits = tuple[Edit, ...]
EditMatch = tuple[Edits, Bits]  # edits, and the positions that the claim then concerns


@dataclass(frozen=True)
class NearestFormula:
    """A true formula, the condition under which it is claimed, and the changes that led to it, in words."""

    formula: Expr
    where: Expr
    changes: tuple[str, ...]


@dataclass(frozen=True)
class NearestProblem:
    """The problem: positions, the values that a formula must have there, and the vocabulary of the edits.

    columns: for each name an array (positions,). wanted: bool for a condition, int64 for a number.
    """

    columns: Mapping[str, Array]
    wanted: Array
    words: EditVocabulary

    def at(self, rows: Array) -> NearestProblem:
        """Return the problem restricted to some positions. rows: their numbers, or a mask."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return NearestProblem(columns, self.wanted[rows], self.words)

    def values(self, expr: Expr) -> Array | None:
        """Return the expression's value at every position, or None if it has no value at some position."""
        try:
            return evaluate_arrays(expr, self.columns, self.words.functions)
        except EvaluationError:
            return None

    def right(self, expr: Expr) -> bool:
        """Tell whether the formula is right at every position."""
        values = self.values(expr)
        return values is not None and np.array_equal(values, self.wanted)

    def wrong(self, expr: Expr) -> Array:
        """Return the mask of the positions where the formula is wrong or has no value."""
        values, count = self.values(expr), len(self.wanted)
        if values is not None:
            return np.asarray(values != self.wanted)
        if count < 2:
            return np.ones(count, dtype=bool)
        return np.concatenate([self.at(half).wrong(expr) for half in np.array_split(np.arange(count), 2)])

    @cached_property
    def sides(self) -> list[Array]:
        """Sets of positions, as masks; a condition that keeps too few of one would make the claim nearly empty.

        The sets are the largest positions and, for a condition, those where it is true and those where it is false.
        """
        none = np.zeros(len(self.wanted), np.int64)
        measure = sum((self.columns[name] for name in self.words.names), none)
        sides = [measure >= np.quantile(measure, 1 - _LARGEST)]
        if self.wanted.dtype == bool:
            sides += [self.wanted, ~self.wanted]
        return [side for side in sides if side.any()]

    def kept(self, where: Expr) -> float:
        """Return the share of positions where a new condition holds; 0 if too small, also within one of ``sides``."""
        mask = self.values(where)
        if mask is None or mask.mean() < _KEPT or any(mask[side].mean() < _KEPT_EACH for side in self.sides):
            return 0.0
        return float(mask.mean())


def nearest_formulas(
    formula: Expr,
    where: Expr,
    problem: NearestProblem,
    confirm: Callable[[Expr, Expr], bool],
    *,
    budget: int = BUDGET,
    most: int = 2,
) -> tuple[NearestFormula, ...]:
    """Return the nearest corrections of the claim that are right at every position and that ``confirm`` accepts.

    The result is empty if the formula is not refuted, or if no near correction is right. Corrections of one change come
    before those of two, up to ``most`` changes. Of equally many changes the cheapest are returned: changes of the
    formula cost less than those of the condition; changes of constants cost their difference, and less than those of
    signs, which cost less than those of connectives. Of equal costs, corrections that concern more positions come
    first. budget: the number of nodes that may be evaluated.
    """
    here = problem.at(evaluate_arrays(where, problem.columns, problem.words.functions))
    wrong = here.wrong(formula)
    if not wrong.any():
        return ()
    order = np.random.default_rng(0).permutation(len(wrong))
    condition = here.wanted.dtype == bool
    sorts = [~wrong & here.wanted, ~wrong & ~here.wanted] if condition else [~wrong]
    # rows from all evenly, wrong ones, and right ones of each sort
    drawn = [order[: 2 * _RIGHT // len(sorts)], order[wrong[order]][:_WRONG]]
    drawn += [order[mask[order]][: 2 * _RIGHT // len(sorts)] for mask in sorts]
    rows = np.array([*dict.fromkeys(np.concatenate(drawn).tolist())])
    spread = (1 << len(drawn[0])) - 1  # as bits those of the sample that were drawn evenly
    search = _Search(formula, where, here.at(rows), bits_of(wrong[rows]), spread, budget)
    for looking in (search.one, search.two)[:most]:
        best = nsmallest(_CANDIDATES, looking(), key=lambda f: (_cost(f[0]), -search.kept(f[1])))
        if confirmed := _confirmed(best, formula, where, problem, here, confirm):
            return confirmed
    return ()


class _Search:
    """Search for changes that make a claim right at every position of the sample.

    wrong: the positions of the sample where the formula is wrong. spread: those that were drawn evenly from all
    positions.
    """

    def __init__(
        self, formula: Expr, where: Expr, sample: NearestProblem, wrong: Bits, spread: Bits, budget: int
    ) -> None:
        self._claim: dict[EditSide, Expr] = {"formula": formula, "where": where}
        self._sample, self._wrong, self._spread, self._left = sample, wrong, spread, budget
        self._every = (1 << len(sample.wanted)) - 1
        self._goal = bits_of(sample.wanted) if sample.wanted.dtype == bool else self._every
        self._sides = [bits_of(side) for side in sample.sides]
        self._known: dict[Expr, Bits | None] = {}

    def one(self) -> Iterator[EditMatch]:
        """Yield the single changes that make the claim right."""
        for edit, wrong, made in self._single:
            if not wrong and self.kept(made):
                yield (edit,), made

    def two(self) -> Iterator[EditMatch]:
        """Yield the pairs of changes that make the claim right together, but not alone."""
        formulas, conditions = self._effects("formula"), self._effects("where")
        for (wrong, edits), (made, more) in product(formulas.items(), conditions.items()):
            if not wrong & made:
                yield from ((pair, made) for pair in product(edits, more))
        best = nsmallest(_PAIRED, conditions, key=lambda made: (made & self._wrong).bit_count())
        for a, b in product(best, conditions):
            if not a & b & self._wrong and conditions[b][0].added and self.kept(a & b):
                yield (conditions[a][0], conditions[b][0]), a & b
        yield from self._twice("formula")
        yield from self._twice("where")

    def _effects(self, side: EditSide) -> dict[Bits, list[Edit]]:
        """Return the cheapest single changes, grouped by their effect.

        The effect of a change of the formula is the set of positions where the formula is then wrong; that of a change
        of the condition is the set of positions that the claim then concerns.
        """
        by_effect: dict[Bits, list[Edit]] = {}
        for edit, wrong, made in sorted(self._single, key=lambda change: change[0].cost):
            if edit.side == side and wrong and self.kept(made):
                alike = by_effect.setdefault(wrong if side == "formula" else made, [])
                alike += [edit] if len(alike) < _ALIKE else []
        return by_effect

    def _twice(self, side: EditSide) -> Iterator[EditMatch]:
        """Yield pairs of changes of one side; those whose first change leaves the fewest wrong positions come first."""
        expr = self._claim[side]
        single = [change for change in self._single if change[0].side == side and not change[0].added]
        alone = {(edit.path, edit.node) for edit, wrong, _ in single if not wrong}
        for first, wrong, _ in sorted(single, key=lambda change: (change[1].bit_count(), change[0].cost)):
            changed = first.of(expr)
            for second, surely_wrong, _ in self._changes(side, changed, first.path) if wrong else ():
                if surely_wrong or (second.path, second.node) in alone:
                    continue
                still_wrong, made = self._after(side, second.of(changed)) or (self._every, 0)
                if not still_wrong and self.kept(made) and not self._idle(side, second.of(changed)):
                    yield (first, second), made

    @cached_property
    def _single(self) -> list[tuple[Edit, Bits, Bits]]:
        """Every single change: (edit, positions where the claim is then wrong, positions that it then concerns)."""
        changes = [
            change
            for side, expr in self._claim.items()
            for change in self._changes(side, expr)
            if not self._idle(side, change[0].of(expr))
        ]
        return [*changes, *self._additions()]

    def _changes(
        self, side: EditSide, expr: Expr, after: Path | None = None
    ) -> Iterator[tuple[Edit, Bits, Bits]]:
        """Yield the changes of one sign, each with the result of ``_after``.

        after: the place of an earlier change, if any. Then only later places are changed and no new expression is
        evaluated, so that the results are bounds only.
        """
        words = self._sample.words
        for edit in words.edits(expr) if side == "formula" or not words.gentle else ():
            if after is not None and edit.path <= after:
                continue
            self._left -= 1
            if effects := self._after(side, edit.of(expr), evaluate=after is None):
                yield (edit if side == "formula" else replace(edit, side=side, cost=CONDITION)), *effects

    def _after(self, side: EditSide, changed: Expr, evaluate: bool = True) -> tuple[Bits, Bits] | None:
        """Return the positions where the changed claim is certainly wrong, and the positions that it may concern.

        None if the claim has no value at some position, or if the budget is spent.
        """
        between = self._between(changed, evaluate)
        if between is None:
            return None
        surely, maybe = between
        if side == "where":
            return surely & self._wrong, maybe
        return surely & (self._every ^ self._goal) | self._goal & (self._every ^ maybe), self._every

    def _idle(self, side: EditSide, changed: Expr) -> bool:
        """Tell whether the change makes a comparison of a term with itself, such as ``x == x``, which says nothing."""
        return reflexive_comparisons(changed) > reflexive_comparisons(self._claim[side])

    def _additions(self) -> Iterator[tuple[Edit, Bits, Bits]]:
        """Yield conditions to add: comparisons of two of the claim's terms, or of a term and a constant.

        There are none for a condition asserted at every position.
        """
        sample, names = self._sample, self._sample.words.names
        if sample.words.gentle:
            return
        inner = [node for claim in self._claim.values() for node in walk(claim)]
        fit = [t for t in inner if t.kind is Kind.NUMBER and free_names(t) and free_names(t) <= set(names)]
        constants = {*range(9), *(node.value for node in inner if isinstance(node, Int) and node.value >= 0)}
        by_values: dict[bytes, tuple[Expr, Array]] = {}
        for term in sorted({*map(Name, names), *fit}, key=lambda t: (t.size, str(t))):
            if (values := sample.values(term)) is not None and values.dtype != object:
                by_values.setdefault(values.tobytes(), (term, values))
        pairs = [*combinations(by_values.values(), 2)]
        pairs += [(t, (Int(n), np.asarray(n))) for t in by_values.values() for n in sorted(constants)]
        for (a, left), (b, right) in sorted(pairs, key=lambda pair: pair[0][0].size + pair[1][0].size):
            less, same = bits_of(left < right), bits_of(left == right)
            more = self._every ^ (less | same)
            for op, made in zip(
                COMPARISONS, (same, less | more, less, less | same, more, more | same), strict=True
            ):
                self._left -= a.size + b.size + 1
                if self._left > 0:
                    edit = Edit((), compare(op, a, b), CONDITION, "where", added=True)
                    yield edit, made & self._wrong, made

    def kept(self, made: Bits) -> float:
        """Estimate the share of all positions that a changed claim concerns; 0 if too small.

        made: those of the sample that it concerns.
        """
        share = (made & self._spread).bit_count() / self._spread.bit_count()
        least = min((made & side).bit_count() / side.bit_count() for side in self._sides)
        return share if share >= _KEPT * _SLACK and least >= _KEPT_EACH * _SLACK else 0.0

    def _between(self, expr: Expr, evaluate: bool) -> tuple[Bits, Bits] | None:
        """Return the positions where the expression is certainly right and those where it is possibly right.

        A condition is right where it is true, a number where it equals the target. The two sets are equal if all parts
        of the expression are evaluated. None if it has no value somewhere, or if the budget is spent.
        """
        op, terms = connective_operands(expr)
        ends = [ends_of for term in terms if (ends_of := self._between(term, evaluate))]
        if terms and len(ends) == len(terms):
            surely, maybe = zip(*ends, strict=True)
            every = self._every
            match op:
                case "not":
                    return every ^ maybe[0], every ^ surely[0]
                case "if":
                    return (
                        surely[0] & surely[1] | (every ^ maybe[0]) & surely[2],
                        maybe[0] & maybe[1] | (every ^ surely[0]) & maybe[2],
                    )
            join = and_ if op == "and" else or_
            return reduce(join, surely), reduce(join, maybe)
        if expr not in self._known:
            if not evaluate:
                return 0, self._every
            self._known[expr] = self._evaluated(expr)
        bits = self._known[expr]
        return None if bits is None else (bits, bits)

    def _evaluated(self, expr: Expr) -> Bits | None:
        """Return the positions where the expression is true, or equals the target; None as for ``_between``."""
        self._left -= evaluation_weight(expr)
        if self._left <= 0:
            return None
        loops = [node for node in distinct_parts(expr) if isinstance(node, Bounded)]
        for loop in (node for node in loops if free_names(node) <= {*self._sample.columns}):
            low, high = self._sample.values(loop.start), self._sample.values(loop.stop)
            if low is not None and high is not None and np.max(high - low, initial=0) > _LONGEST:
                return None
        values = self._sample.values(expr)
        if values is None:
            return None
        return bits_of(values if expr.kind is Kind.CONDITION else values == self._sample.wanted)


def bits_of(mask: Array) -> Bits:
    """Return the mask as an integer whose bit n is set if row n is true."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def _confirmed(
    matches: Iterable[EditMatch],
    formula: Expr,
    where: Expr,
    problem: NearestProblem,
    here: NearestProblem,
    confirm: Callable[[Expr, Expr], bool],
) -> tuple[NearestFormula, ...]:
    """Return the cheapest candidates that are right at all positions and that ``confirm`` accepts.

    here: the problem restricted to the positions that the claim concerns.
    """
    ranked = []
    for edits, made in matches:
        after, inside, changes = formula, where, list[str]()
        for edit in edits:
            if edit.side == "formula":
                changes.append(edit.told(after))
                after = edit.of(after)
            else:
                changes.append(edit.told(inside))
                inside = edit.of(inside)
        correction = NearestFormula(flatten(after), flatten(inside), tuple(changes))
        share = 1.0 if correction.where == where else here.kept(correction.where)
        if share:
            says = (correction.formula, made)
            ranked.append(((_cost(edits), -share), _simplicity(correction), says, correction))
    right: list[NearestFormula] = []
    best, tries, said = None, 0, set[tuple[Expr, Bits]]()
    for cost, _, says, correction in sorted(ranked, key=lambda row: row[:2]):
        if (right and cost != best) or tries == _TRIES or len(right) == MOST:
            break
        if says in said:  # the same statement in another form, such as p < 1 after p == 0
            continue
        tries += 1
        covered = problem.values(correction.where)
        if covered is None or not problem.at(covered).right(correction.formula):
            continue
        if confirm(correction.formula, correction.where):
            best = cost
            right.append(correction)
            said.add(says)
    return tuple(right)


def _cost(edits: Edits) -> int:
    return sum(edit.cost for edit in edits)


def _simplicity(correction: NearestFormula) -> tuple[int, int, int, str]:
    """Return a sort key for corrections of equal cost, by which simpler ones come first.

    It counts products by 0 or 1, then the size, then comparisons other than ``==``; then the text decides.
    """
    nodes = [*walk(correction.formula), *walk(correction.where)]
    signs = [op for node in nodes if isinstance(node, Compare) for op in node.ops]
    products = [node for node in nodes if isinstance(node, Binary) and node.op == "*"]
    idle = sum(not {Int(0), Int(1)}.isdisjoint(node.children) for node in products)
    text = f"{correction.formula} where {correction.where}"
    size = correction.formula.size + correction.where.size
    return idle, size, len(signs) - signs.count("=="), text
