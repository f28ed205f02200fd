"""What a correction is, and the positions on which one is looked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from grundylab.errors import EvaluationError
from grundylab.language import NO_FUNCTIONS, Expr, Functions, Kind
from grundylab.language.arrays import Array, evaluate_arrays
from grundylab.language.syntax import Bounded, free_names, walk

KEPT = 0.5  # the share of the positions that a new condition keeps at least,
KEPT_EACH = 0.25  # and that of those where the target holds, of the others, and of the largest positions:
LARGEST = 0.25  # this share of all; or y <= 19 would keep half of a table that ends at 40
_LONGEST = 4096  # values of a quantifier's variable: changes after which there are more are not tried

Bits = int
Side = Literal["formula", "where"]


@dataclass(frozen=True)
class Change:
    """``before`` becomes ``after`` somewhere ``inside``; before is None for a condition added."""

    side: Side
    before: Expr | None
    after: Expr
    inside: Expr

    def __str__(self) -> str:
        before, after = self.before, self.after
        if before is None:
            return f"the condition {after} is added"
        place = "the condition " if self.side == "where" else ""
        around = f" in {place}'{self.inside}'" if place or self.inside != before else ""
        if (
            isinstance(before, Bounded)
            and isinstance(after, Bounded)
            and before.quantifier == after.quantifier
        ):
            ranges = [f"range({e.start}, {e.stop})" for e in (before, after)]  # the body is long and the same
            return f"{' becomes '.join(ranges)} for {before.variable}{around}"
        return f"{before} becomes {after}{around}"


@dataclass(frozen=True)
class Correction:
    """A true formula, where it is claimed, and what was changed for that."""

    formula: Expr
    where: Expr
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Problem:
    """Positions and what the formula must give there (bool for a condition, else int64).

    names: which of the columns a change may bring in. gentle: the formula is a condition that is to be always true, so
    that most changes would only make it say less.
    """

    columns: Mapping[str, Array]
    wanted: Array
    names: tuple[str, ...]
    functions: Functions = NO_FUNCTIONS
    gentle: bool = False

    def at(self, rows: Array) -> Problem:
        """Only some of the positions: by their numbers, or by a mask."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return replace(self, columns=columns, wanted=self.wanted[rows])

    def values(self, expr: Expr) -> Array | None:
        """The expression at every position, or None if it has no value at some."""
        try:
            return evaluate_arrays(expr, self.columns, self.functions)
        except EvaluationError:
            return None

    def bits(self, expr: Expr) -> Bits | None:
        """Where a condition is true, or a number is the one wanted; None without a value somewhere, or for too long."""
        loops = [node for node in walk(expr) if isinstance(node, Bounded)]
        for loop in (node for node in loops if free_names(node) <= {*self.columns}):
            low, high = self.values(loop.start), self.values(loop.stop)
            if low is not None and high is not None and np.max(high - low, initial=0) > _LONGEST:
                return None
        found = self.values(expr)
        if found is None:
            return None
        return bits_of(found if expr.kind is Kind.CONDITION else found == self.wanted)

    @cached_property
    def every(self) -> Bits:
        """All positions."""
        return (1 << len(self.wanted)) - 1

    @cached_property
    def goal(self) -> Bits:
        """What ``bits`` must be of a right formula."""
        return bits_of(self.wanted) if self.wanted.dtype == bool else self.every

    def wrong(self, expr: Expr) -> Array:
        """The mask of the positions where the formula is wrong or has no value."""
        found, count = self.values(expr), len(self.wanted)
        if found is not None:
            return np.asarray(found != self.wanted)
        if count < 2:
            return np.ones(count, dtype=bool)
        return np.concatenate([self.at(half).wrong(expr) for half in np.array_split(np.arange(count), 2)])


def bits_of(mask: Array) -> Bits:
    """The rows where the mask is true."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def rows_of(bits: Bits) -> Array:
    """Their numbers."""
    packed = np.frombuffer(bits.to_bytes((bits.bit_length() + 7) // 8, "little"), dtype=np.uint8)
    return np.flatnonzero(np.unpackbits(packed, bitorder="little"))


def sides(problem: Problem) -> list[Array]:
    """Positions of which a new condition must keep enough, or it would be a way to say nothing."""
    measure = sum((problem.columns[name] for name in problem.names), np.zeros(len(problem.wanted), np.int64))
    sides = [measure >= np.quantile(measure, 1 - LARGEST)]
    if problem.wanted.dtype == bool:
        sides += [problem.wanted, ~problem.wanted]
    return [side for side in sides if side.any()]
