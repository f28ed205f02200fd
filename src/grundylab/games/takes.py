"""Moves that take from one pile: any number, or any up to a limit that depends on the pile."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.games.affine import affine
from grundylab.games.model import Move
from grundylab.language.syntax import TRUE, Binary, Expr, Int, Name, free_names


@dataclass(frozen=True)
class Take:
    """From 1 to ``limit`` tokens are taken from the pile; the limit may mention the pile, parameters and bounds."""

    pile: str
    limit: Expr

    @property
    def unbounded(self) -> bool:
        """Whether all of the pile may be taken, however large it is."""
        return self.limit == Name(self.pile)


def take_of(move: Move, names: tuple[str, ...]) -> Take | None:
    """The move as a take; None if it is of another kind. names: the coordinates."""
    if len(move.parts) != 1 or len(move.choices) != 1 or move.when != TRUE or move.a_pass:
        return None
    changes = move.changes(names)
    if len(changes) != 1:
        return None
    ((pile, new),), (choice,) = changes.items(), move.choices
    low, high = choice.ends
    number, size = Name(choice.name), Name(pile)
    if new == Binary("-", size, number) and low == Int(1):
        limit = high
    elif new == number and high == Binary("-", size, Int(1)):
        limit = size if low == Int(0) else Binary("-", size, low)
    else:
        return None
    others = set(names) - {pile}
    return None if free_names(limit) & others else Take(pile, limit)


def weights(measure: Expr, names: tuple[str, ...]) -> dict[str, int] | None:
    """How much each coordinate counts in a measure that is a sum of multiples of them; 0 for those not named here.
    None for another measure."""
    form = affine(measure)
    return dict(form) if form and form.keys() <= set(names) else None
