"""The shapes of moves: what solvers, layers, words and checks ask about a move, found once when rules are read.

A new short form of a move is a new shape here; a move that has none of them is ``General``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grundylab.language.syntax import (
    TRUE,
    Binary,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
    conjuncts,
    free_names,
)


@dataclass(frozen=True)
class General:
    """A move to one position. changes: the coordinates that it may change."""

    changes: frozenset[str]


@dataclass(frozen=True)
class SplitMove(General):
    """A move to a sum of several positions, or of none. changes: the coordinates that may change in one of them."""


@dataclass(frozen=True)
class Take(General):
    """A move that takes 1 to ``limit`` tokens from a pile. The limit may mention the pile, parameters and bounds."""

    pile: str
    limit: Expr

    @property
    def unbounded(self) -> bool:
        """True if the whole pile may be taken, whatever its size."""
        return self.limit == Name(self.pile)


@dataclass(frozen=True)
class Fall(General):
    """A pass: the move lowers the coordinate ``flag`` from 1 to 0. guard: the condition besides that it is 1."""

    flag: str
    guard: Expr


def shape_of(
    parts: Sequence[Mapping[str, Expr]],
    choices: Sequence[tuple[str, Expr, Expr]],
    when: Expr,
    a_pass: bool,
    names: Sequence[str],
) -> General:
    """Return the shape of a move.

    parts: for each position of its option, the coordinates that change, with their values. choices: each with the two
    ends of its range. when: the condition under which the move can be made. names: the
    game's coordinates.
    """
    changes = frozenset(name for part in parts for name in part)
    if len(parts) != 1:
        return SplitMove(changes)
    if a_pass:
        (flag,) = changes
        guard = [term for term in conjuncts(when) if term != compare("==", Name(flag), Int(1))]
        return Fall(changes, flag, conjunction(*guard))
    if len(changes) == len(choices) == 1 and when == TRUE:
        ((pile, new),), ((choice, low, high),) = parts[0].items(), choices
        size, chosen = Name(pile), Name(choice)
        limit: Expr | None = None  # the most that the move takes, if it takes each number from 1 to that
        if new == Binary("-", size, chosen) and low == Int(1):
            limit = high
        elif new == chosen and high == Binary("-", size, Int(1)):
            limit = size if low == Int(0) else Binary("-", size, low)
        if limit is not None and free_names(limit).isdisjoint({*names} - {pile}):
            return Take(changes, pile, limit)
    return General(changes)
