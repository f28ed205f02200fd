"""Which changes make a claim right on a sample: one change, then two, each with where the claim is made then.

What a variant does on the sample is a set of rows, kept as a Python integer with a bit for each. A claim is put
together from parts by ``and``, ``or``, ``not`` and ``if``; the other parts say where a part matters and what it must be
there. So all pairs of changes in two parts are tried, at little cost; pairs of changes within one part are tried as far
as the budget goes, the most promising first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from heapq import nsmallest
from itertools import product
from operator import and_, attrgetter, or_

import numpy as np

from grundylab.check.correcting.edits import (
    CONDITION,
    Edit,
    Edits,
    Path,
    conditions,
    edits_of,
    reflexive,
    weight,
)
from grundylab.check.correcting.problem import KEPT, KEPT_EACH, Bits, Problem, Side, bits_of, rows_of, sides
from grundylab.language import Expr
from grundylab.language.syntax import Bounded, If, Logic, Not

_SLACK = 0.8  # a share that is estimated on the sample may be that much too small
_HARD = 64  # rows of each sort that pairs of changes within a part are tried on first
_ALIKE = 5  # changes of the same effect on the sample that are kept
_PAIRED = 100  # conditions to which a second one is added


@dataclass(frozen=True)
class Part:
    """What is at ``path``, under each of the quantifiers ``around`` by itself: any(A or B) is any(A) or any(B)."""

    side: Side
    path: Path
    expr: Expr
    around: tuple[Bounded, ...] = ()

    def whole(self, expr: Expr) -> Expr:
        """With its quantifiers, and another expression in its place."""
        return reduce(lambda body, outer: replace(outer, body=body), reversed(self.around), expr)

    def edits(self, words: Problem) -> Iterator[Edit]:
        """Changes in it, but x == x for x == y: what compares a term with itself says nothing."""
        known = replace(words, names=(*words.names, *(outer.variable for outer in self.around)))
        empty = reflexive(self.expr)
        return (
            edit for edit in edits_of(self.expr, known, self.side) if reflexive(edit.of(self.expr)) <= empty
        )

    @property
    def pieces(self) -> Iterator[Part]:
        """What it is put together from by ``and``, ``or``, ``not`` and ``if``; nothing if by something else."""
        outer, expr = self.around[0].quantifier if self.around else None, self.expr
        inner = expr.quantifier if isinstance(expr, Bounded) else None
        if isinstance(expr, Bounded) and inner and outer in (None, inner):
            if isinstance(expr.body, Bounded) or _joined(expr.body, inner):
                yield Part(self.side, (*self.path, 2), expr.body, (*self.around, expr))
        elif _joined(expr, outer) if outer else isinstance(expr, Logic | Not | If):
            for place, child in enumerate(expr.children):
                yield Part(self.side, (*self.path, place), child, self.around)


def _joined(expr: Expr, quantifier: str) -> bool:
    """Whether the quantifier may be put before each of its terms instead."""
    return isinstance(expr, Logic) and expr.op == {"any": "or", "all": "and"}.get(quantifier)


@dataclass(frozen=True)
class Claimed:
    """A claim as parts with values at every position of the sample, then the condition to add (nothing yet).

    known: what the parts are. right: where the claim is right, of what its parts are; made: where it is made.
    """

    formula: Expr
    where: Expr
    parts: tuple[Part, ...]
    known: tuple[Bits, ...]
    right: Callable[[Sequence[Bits]], Bits]
    made: Callable[[Sequence[Bits]], Bits]


Found = tuple[Edits, Bits]  # changes, and where the claim is made then


class Search:
    """Changes that make a claim right at every position of the sample."""

    def __init__(self, sample: Problem, spread: Bits, budget: int) -> None:
        self.sample, self.spread, self._left = sample, spread, budget
        self._sides = [bits_of(side) for side in sides(sample)]
        self._known: dict[Expr, Bits | None] = {}
        self._choices: dict[Part, dict[Bits, list[Edit]]] = {}
        self._added: dict[Bits, list[Edit]] = {}

    def claim(self, formula: Expr, where: Expr, wrong: Bits | None = None) -> Claimed | None:
        """None if it has no value somewhere, unless it is known where it is wrong then."""
        parts: list[Part] = []
        condition = self._split(Part("where", (), where), parts)
        truth = self._split(Part("formula", (), formula), parts)
        goal, every, last = self.sample.goal, self.sample.every, len(parts)
        known: list[Bits] = []
        for part in parts:
            bits = self._read(part)
            if bits is None and wrong is not None:  # the part is all of its side
                bits = every if part.side == "where" else goal ^ wrong
            if bits is None:
                return None
            known.append(bits)

        def made(values: Sequence[Bits]) -> Bits:
            return condition(values) & values[last]

        def right(values: Sequence[Bits]) -> Bits:
            return every ^ (made(values) & (truth(values) ^ goal))

        known.append(every)
        return Claimed(formula, where, tuple(parts), tuple(known), right, made)

    def _read(self, part: Part) -> Bits | None:
        expr = part.whole(part.expr)
        if expr not in self._known:
            self._known[expr] = self.sample.bits(expr)
        return self._known[expr]

    def _split(self, part: Part, parts: list[Part]) -> Callable[[Sequence[Bits]], Bits]:
        """The value of a part, of the values of those that it consists of, which are appended."""
        pieces = [*part.pieces]
        if not pieces or any(self._read(piece) is None for piece in pieces):
            place = len(parts)
            parts.append(part)
            return lambda values: values[place]
        terms, every = [self._split(piece, parts) for piece in pieces], self.sample.every
        match part.expr:
            case Not():
                return lambda values: every ^ terms[0](values)
            case If():
                test, then, otherwise = terms
                return lambda values: test(values) & then(values) | (every ^ test(values)) & otherwise(values)
            case Logic(op="and"):
                return lambda values: reduce(and_, (term(values) for term in terms))
        return lambda values: reduce(or_, (term(values) for term in terms))

    def kept(self, made: Bits) -> float:
        """About which share of the positions is left; 0 if too few are."""
        share = (made & self.spread).bit_count() / self.spread.bit_count()
        least = min((made & side).bit_count() / side.bit_count() for side in self._sides)
        return share if share >= KEPT * _SLACK and least >= KEPT_EACH * _SLACK else 0.0

    def _options(self, claim: Claimed, place: int) -> Mapping[Bits, Sequence[Edit]]:
        """The changes within a part, by what it is then; without those after which it has no value somewhere."""
        if place == len(claim.parts):
            return self._additions(claim)
        part = claim.parts[place]
        key = replace(part, path=())
        if key not in self._choices:
            found: dict[Bits, list[Edit]] = {}
            for edit in part.edits(self.sample):
                variant = part.whole(edit.of(part.expr))
                self._left -= weight(variant)
                bits = self.sample.bits(variant) if self._left > 0 else None
                if bits is not None:
                    found.setdefault(bits, []).append(edit)
            self._choices[key] = {
                bits: nsmallest(_ALIKE, e, key=attrgetter("cost")) for bits, e in found.items()
            }
        return self._choices[key]

    def _additions(self, claim: Claimed) -> Mapping[Bits, Sequence[Edit]]:
        """The conditions to add: the same ones for all variants of a claim. None to what is to be always true."""
        if not self._added and not self.sample.gentle:
            for bits, condition in conditions((claim.formula, claim.where), self.sample):
                self._left -= condition.size
                alike = self._added.setdefault(bits, []) if self._left > 0 and self.kept(bits) else []
                if len(alike) < _ALIKE:
                    alike.append(Edit((), condition, CONDITION, "where", added=True))
        return self._added

    def one(self, claim: Claimed) -> Iterator[Found]:
        """The changes that do."""
        yield from self._last(claim, claim.known, 0, frozenset())
        for edit, changed in self._outer(claim):
            made = changed.made(changed.known)
            if changed.right(changed.known) == self.sample.every and self.kept(made):
                yield (edit,), made

    def two(self, claim: Claimed) -> Iterator[Found]:
        """The pairs of changes that do, neither of which does alone."""
        alone = frozenset(
            (place, bits)
            for place in range(len(claim.known))
            for bits in self._options(claim, place)
            if bits == claim.known[place] or claim.right(_with(claim.known, place, bits)) == self.sample.every
        )
        for edit, changed in self._outer(claim):
            if changed.right(changed.known) != self.sample.every:
                yield from (((edit, *edits), made) for edits, made in self.one(changed))
        for place, part in enumerate(claim.parts):
            for bits, edits in self._options(claim, place).items():
                if (place, bits) not in alone:
                    rest = self._last(claim, _with(claim.known, place, bits), place + 1, alone)
                    for (more, made), edit in product(rest, edits):
                        yield (_under(part.path, edit), *more), made
            if part.side == "formula":
                yield from self._twice(claim, place)
        yield from self._added_twice(claim)

    def _last(
        self, claim: Claimed, values: Sequence[Bits], start: int, without: frozenset[tuple[int, Bits]]
    ) -> Iterator[Found]:
        """The changes within a part, from the start-th on, that make the claim right."""
        every = self.sample.every
        for place in range(start, len(values)):
            on, off = (claim.right(_with(values, place, bits)) for bits in (every, 0))
            matters = on ^ off
            if on | off != every:  # it is wrong somewhere whatever the part is
                continue
            path = claim.parts[place].path if place < len(claim.parts) else ()
            for bits, edits in self._options(claim, place).items():
                if (bits ^ on) & matters or (place, bits) in without:
                    continue
                if self.kept(made := claim.made(_with(values, place, bits))):
                    yield from (((_under(path, edit),), made) for edit in edits)

    def _outer(self, claim: Claimed) -> Iterator[tuple[Edit, Claimed]]:
        """The changes of what joins the parts, with the claims that they make."""
        sides: tuple[tuple[Side, Expr], ...] = (("formula", claim.formula), ("where", claim.where))
        for side, expr in sides:
            paths = [part.path for part in claim.parts if part.side == side]
            for edit in edits_of(expr, self.sample, side):
                if not any(edit.path[: len(path)] == path for path in paths):
                    changed = edit.of(expr)
                    pair = (changed, claim.where) if side == "formula" else (claim.formula, changed)
                    if variant := self.claim(*pair):
                        yield edit, variant

    def _twice(self, claim: Claimed, place: int) -> Iterator[Found]:
        """Pairs of changes within one part of the formula: first those after which the fewest positions are wrong."""
        every, known, part = self.sample.every, claim.known, claim.parts[place]
        on, off = (claim.right(_with(known, place, bits)) for bits in (every, 0))
        if on | off != every:
            return
        matters, wrong = on ^ off, every ^ claim.right(known)
        hard = np.concatenate([rows_of(matters & wrong)[:_HARD], rows_of(matters & ~wrong)[:_HARD]])
        few, needed = self.sample.at(hard), bits_of(np.isin(hard, rows_of(on)))
        ranked = [
            (((bits ^ on) & matters).bit_count(), edit.cost, number, edit)
            for bits, edits in self._options(claim, place).items()
            for number, edit in enumerate(edits)
        ]
        for *_, first in sorted(ranked, key=lambda row: row[:3]):
            changed = replace(part, expr=first.of(part.expr))
            for second in changed.edits(self.sample):
                variant = part.whole(second.of(changed.expr))
                self._left -= weight(variant)
                if self._left <= 0:
                    return
                if second.path == first.path or few.bits(variant) != needed:
                    continue
                bits = self.sample.bits(variant)
                if bits is not None and not (bits ^ on) & matters:
                    yield (_under(part.path, first), _under(part.path, second)), every

    def _added_twice(self, claim: Claimed) -> Iterator[Found]:
        wrong = self.sample.every ^ claim.right(claim.known)
        added = {bits: edits for bits, edits in self._additions(claim).items() if bits & wrong}
        best = nsmallest(_PAIRED, added, key=lambda bits: (bits & wrong).bit_count())
        for a, b in product(best, added):
            if not a & b & wrong and self.kept(a & b):
                yield (added[a][0], added[b][0]), a & b


def total(edits: Edits) -> int:
    """What the changes cost together."""
    return sum(edit.cost for edit in edits)


def _under(path: Path, edit: Edit) -> Edit:
    return replace(edit, path=path + edit.path)


def _with(values: Sequence[Bits], place: int, bits: Bits) -> tuple[Bits, ...]:
    return (*values[:place], bits, *values[place + 1 :])
