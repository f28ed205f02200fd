"""The nearest true formula: a claim that is refuted, with as few signs changed as make it true.

One change is tried, then two, in the formula and in the condition where it is claimed, on a sample of the positions;
what is right there is tried on all. What an expression is at the positions of the sample is kept as a Python integer
with a bit for each. ``and``, ``or``, ``not`` and ``if`` join such integers, so that of a changed formula only the
condition around the change is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from heapq import nsmallest
from itertools import combinations, product
from operator import and_, or_

import numpy as np

from grundylab.check.edits import CONDITION, Edit, Path, Side, Words, flat, joined, reflexive, weight
from grundylab.errors import EvaluationError
from grundylab.language import Expr, Kind
from grundylab.language.arrays import Array, evaluate_arrays
from grundylab.language.syntax import (
    COMPARISONS,
    Binary,
    Bounded,
    Compare,
    Int,
    Name,
    compare,
    free_names,
    parts,
    walk,
)

BUDGET = 8_000_000  # nodes evaluated on the sample: some 20 seconds. Counted, so that every machine finds the same.
MOST = 5  # corrections of one cost that are given
_WRONG, _RIGHT = 400, 1200  # rows of each sort in the sample
_CANDIDATES = 300  # changes that are looked at on all positions, for each number of changes
_TRIES = 100  # of these the first that are tried there
_KEPT = 0.5  # the share of the positions that a new condition keeps at least,
_KEPT_EACH = 0.25  # and that of those where the target holds, of the others, and of the largest positions:
_LARGEST = 0.25  # this share of all; or y <= 19 would keep half of a table that ends at 40
_SLACK = 0.8  # a share that is estimated on the sample may be that much too small
_LONGEST = 4096  # values of a quantifier's variable: changes after which there are more are not tried
_ALIKE = 5  # changes of the same effect on the sample that are kept
_PAIRED = 100  # conditions to which a second one is added

Bits = int
Edits = tuple[Edit, ...]
Found = tuple[Edits, Bits]  # changes, and where the claim is made then


@dataclass(frozen=True)
class Correction:
    """A true formula, where it is claimed, and what was changed for that."""

    formula: Expr
    where: Expr
    changes: tuple[str, ...]


@dataclass(frozen=True)
class Problem:
    """Positions, what the formula must give there (bool for a condition, else int64), and what it may be made of."""

    columns: Mapping[str, Array]
    wanted: Array
    words: Words

    def at(self, rows: Array) -> Problem:
        """Only some of the positions: by their numbers, or by a mask."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return Problem(columns, self.wanted[rows], self.words)

    def values(self, expr: Expr) -> Array | None:
        """The expression at every position, or None if it has no value at some."""
        try:
            return evaluate_arrays(expr, self.columns, self.words.functions)
        except EvaluationError:
            return None

    def right(self, expr: Expr) -> bool:
        """Whether the formula is right at every position."""
        found = self.values(expr)
        return found is not None and np.array_equal(found, self.wanted)

    def wrong(self, expr: Expr) -> Array:
        """The mask of the positions where the formula is wrong or has no value."""
        found, count = self.values(expr), len(self.wanted)
        if found is not None:
            return np.asarray(found != self.wanted)
        if count < 2:
            return np.ones(count, dtype=bool)
        return np.concatenate([self.at(half).wrong(expr) for half in np.array_split(np.arange(count), 2)])

    @cached_property
    def sides(self) -> list[Array]:
        """Positions of which a new condition must keep enough, or it would be a way to say nothing."""
        none = np.zeros(len(self.wanted), np.int64)
        measure = sum((self.columns[name] for name in self.words.names), none)
        sides = [measure >= np.quantile(measure, 1 - _LARGEST)]
        if self.wanted.dtype == bool:
            sides += [self.wanted, ~self.wanted]
        return [side for side in sides if side.any()]

    def kept(self, where: Expr) -> float:
        """The share of the positions that a new condition keeps; 0 if it keeps too few."""
        mask = self.values(where)
        if mask is None or mask.mean() < _KEPT or any(mask[side].mean() < _KEPT_EACH for side in self.sides):
            return 0.0
        return float(mask.mean())


def nearest(
    formula: Expr,
    where: Expr,
    problem: Problem,
    confirm: Callable[[Expr, Expr], bool],
    *,
    budget: int = BUDGET,
    most: int = 2,
) -> tuple[Correction, ...]:
    """What is nearest to the formula and right at every position; ``confirm`` has the last word on what is.

    () if it is not refuted, or if nothing near is right. One change if that does, else two, but no more than ``most``.
    Of as many the cheapest: formulas before conditions, constants by their difference, then signs, then connectives;
    then what is claimed of the most positions.
    """
    here = problem.at(evaluate_arrays(where, problem.columns, problem.words.functions))
    wrong = here.wrong(formula)
    if not wrong.any():
        return ()
    rows, spread = _drawn(wrong, here.wanted)
    search = _Search(formula, where, here.at(rows), bits_of(wrong[rows]), spread, budget)
    for looking in (search.one, search.two)[:most]:
        best = nsmallest(_CANDIDATES, looking(), key=lambda f: (_cost(f[0]), -search.kept(f[1])))
        if found := _confirmed(best, formula, where, problem, here, confirm):
            return found
    return ()


def _drawn(wrong: Array, wanted: Array) -> tuple[Array, Bits]:
    """Rows for a sample, and which of these are spread evenly over all."""
    order = np.random.default_rng(0).permutation(len(wrong))
    sorts = [~wrong & wanted, ~wrong & ~wanted] if wanted.dtype == bool else [~wrong]
    drawn = [order[: 2 * _RIGHT // len(sorts)], order[wrong[order]][:_WRONG]]
    drawn += [order[mask[order]][: 2 * _RIGHT // len(sorts)] for mask in sorts]
    rows = np.array([*dict.fromkeys(np.concatenate(drawn).tolist())])
    return rows, (1 << len(drawn[0])) - 1


class _Search:
    """Changes that make a claim right at every position of the sample.

    wrong: where the formula is wrong. spread: positions that are spread evenly over all.
    """

    def __init__(
        self, formula: Expr, where: Expr, sample: Problem, wrong: Bits, spread: Bits, budget: int
    ) -> None:
        self._claim: dict[Side, Expr] = {"formula": formula, "where": where}
        self._sample, self._wrong, self._spread, self._left = sample, wrong, spread, budget
        self._every = (1 << len(sample.wanted)) - 1
        self._goal = bits_of(sample.wanted) if sample.wanted.dtype == bool else self._every
        self._sides = [bits_of(side) for side in sample.sides]
        self._known: dict[Expr, Bits | None] = {}

    def one(self) -> Iterator[Found]:
        """The changes that do."""
        for edit, wrong, made in self._single:
            if not wrong and self.kept(made):
                yield (edit,), made

    def two(self) -> Iterator[Found]:
        """The pairs of changes that do, neither of which does alone."""
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

    def _effects(self, side: Side) -> dict[Bits, list[Edit]]:
        """The cheapest changes of each effect: where the formula is wrong then, or where the claim is made."""
        found: dict[Bits, list[Edit]] = {}
        for edit, wrong, made in sorted(self._single, key=lambda change: change[0].cost):
            if edit.side == side and wrong and self.kept(made):
                alike = found.setdefault(wrong if side == "formula" else made, [])
                alike += [edit] if len(alike) < _ALIKE else []
        return found

    def _twice(self, side: Side) -> Iterator[Found]:
        """Two changes of the formula, or of its condition: first those after which the fewest positions are wrong."""
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
        """Every change, with where the claim is wrong then and where it is made."""
        found = [
            change
            for side, expr in self._claim.items()
            for change in self._changes(side, expr)
            if not self._idle(side, change[0].of(expr))
        ]
        return [*found, *self._additions()]

    def _changes(
        self, side: Side, expr: Expr, after: Path | None = None
    ) -> Iterator[tuple[Edit, Bits, Bits]]:
        """Those of one sign; past a place, if one is given, as far as is known without evaluating anything."""
        words = self._sample.words
        for edit in words.edits(expr) if side == "formula" or not words.gentle else ():
            if after is not None and edit.path <= after:
                continue
            self._left -= 1
            if found := self._after(side, edit.of(expr), evaluate=after is None):
                yield (edit if side == "formula" else replace(edit, side=side, cost=CONDITION)), *found

    def _after(self, side: Side, changed: Expr, evaluate: bool = True) -> tuple[Bits, Bits] | None:
        """Where the claim is surely wrong, and where it may be made, with another formula or condition."""
        found = self._between(changed, evaluate)
        if found is None:
            return None
        surely, maybe = found
        if side == "where":
            return surely & self._wrong, maybe
        return surely & (self._every ^ self._goal) | self._goal & (self._every ^ maybe), self._every

    def _idle(self, side: Side, changed: Expr) -> bool:
        """Whether more terms than before are compared with themselves: x == x for x == y says nothing."""
        return reflexive(changed) > reflexive(self._claim[side])

    def _additions(self) -> Iterator[tuple[Edit, Bits, Bits]]:
        """Comparisons of two of the claim's words, or of one and a constant, simplest first, as conditions to add.

        None to what is to be always true.
        """
        sample, names = self._sample, self._sample.words.names
        if sample.words.gentle:
            return
        inner = [node for claim in self._claim.values() for node in walk(claim)]
        fit = [t for t in inner if t.kind is Kind.NUMBER and free_names(t) and free_names(t) <= set(names)]
        constants = {*range(9), *(node.value for node in inner if isinstance(node, Int) and node.value >= 0)}
        known: dict[bytes, tuple[Expr, Array]] = {}
        for term in sorted({*map(Name, names), *fit}, key=lambda t: (t.size, str(t))):
            if (values := sample.values(term)) is not None and values.dtype != object:
                known.setdefault(values.tobytes(), (term, values))
        pairs = [*combinations(known.values(), 2)]
        pairs += [(t, (Int(n), np.asarray(n))) for t in known.values() for n in sorted(constants)]
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
        """About which share of the positions is left; 0 if too few are."""
        share = (made & self._spread).bit_count() / self._spread.bit_count()
        least = min((made & side).bit_count() / side.bit_count() for side in self._sides)
        return share if share >= _KEPT * _SLACK and least >= _KEPT_EACH * _SLACK else 0.0

    def _between(self, expr: Expr, evaluate: bool) -> tuple[Bits, Bits] | None:
        """Where a condition is surely true and where it may be, or a number is the one wanted.

        These are the same if it is evaluated. None without a value somewhere, or for too much work.
        """
        op, terms = joined(expr)
        ends = [found for term in terms if (found := self._between(term, evaluate))]
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
        self._left -= weight(expr)
        if self._left <= 0:
            return None
        loops = [node for node in parts(expr) if isinstance(node, Bounded)]
        for loop in (node for node in loops if free_names(node) <= {*self._sample.columns}):
            low, high = self._sample.values(loop.start), self._sample.values(loop.stop)
            if low is not None and high is not None and np.max(high - low, initial=0) > _LONGEST:
                return None
        found = self._sample.values(expr)
        if found is None:
            return None
        return bits_of(found if expr.kind is Kind.CONDITION else found == self._sample.wanted)


def bits_of(mask: Array) -> Bits:
    """The rows where the mask is true."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def _confirmed(
    found: Iterable[Found],
    formula: Expr,
    where: Expr,
    problem: Problem,
    here: Problem,
    confirm: Callable[[Expr, Expr], bool],
) -> tuple[Correction, ...]:
    """Of the candidates that are right everywhere the best, with those of the same cost."""
    ranked = []
    for edits, made in found:
        correction = _made(edits, formula, where)
        share = 1.0 if correction.where == where else here.kept(correction.where)
        if share:
            says = (correction.formula, made)
            ranked.append(((_cost(edits), -share), _simplicity(correction), says, correction))
    right: list[Correction] = []
    best, tries, said = None, 0, set[tuple[Expr, Bits]]()
    for cost, _, says, correction in sorted(ranked, key=lambda row: row[:2]):
        if (right and cost != best) or tries == _TRIES or len(right) == MOST:
            break
        if says in said:  # p < 1 after p == 0
            continue
        tries += 1
        inside = problem.values(correction.where)
        if inside is None or not problem.at(inside).right(correction.formula):
            continue
        if confirm(correction.formula, correction.where):
            best = cost
            right.append(correction)
            said.add(says)
    return tuple(right)


def _made(edits: Edits, formula: Expr, where: Expr) -> Correction:
    changes = []
    for edit in edits:
        changes.append(edit.told(formula if edit.side == "formula" else where))
        formula = edit.of(formula) if edit.side == "formula" else formula
        where = edit.of(where) if edit.side == "where" else where
    return Correction(flat(formula), flat(where), tuple(changes))


def _cost(edits: Edits) -> int:
    return sum(edit.cost for edit in edits)


def _simplicity(correction: Correction) -> tuple[int, int, int, str]:
    """Smaller is simpler, without products with 0 or 1; of p == 0, p != 1 and p < 1 the first."""
    nodes = [*walk(correction.formula), *walk(correction.where)]
    signs = [op for node in nodes if isinstance(node, Compare) for op in node.ops]
    products = [node for node in nodes if isinstance(node, Binary) and node.op == "*"]
    idle = sum(not {Int(0), Int(1)}.isdisjoint(node.children) for node in products)
    text = f"{correction.formula} where {correction.where}"
    size = correction.formula.size + correction.where.size
    return idle, size, len(signs) - signs.count("=="), text
