"""Positions where a formula is wrong though it is right elsewhere: one by one, and for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grundylab.language import Expr
from grundylab.language.syntax import Int, Name, compare, conjunction


class Placed:
    """What is about one position."""

    position: Mapping[str, int]

    @property
    def where(self) -> Expr:
        """That it is this position."""
        return conjunction(*(compare("==", Name(name), Int(value)) for name, value in self.position.items()))


@dataclass(frozen=True)
class Exceptional(Placed):
    """A position where a formula is wrong, and the target's value there (for a condition 0 or 1)."""

    position: Mapping[str, int]
    truth: int


def exceptions_text(found: Iterable[Placed]) -> str:
    """``(x=0, y=1), (x=2, y=2)``."""
    each = (", ".join(f"{name}={value}" for name, value in one.position.items()) for one in found)
    return ", ".join(f"({position})" for position in each)
