"""Positions where a formula is wrong though it is right elsewhere: one by one, as records, and for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grundylab.language import Expr
from grundylab.language.syntax import Int, Name, compare, conjunction


@dataclass(frozen=True)
class Exceptional:
    """A position where a formula is wrong, and the target's value there (for a condition 0 or 1)."""

    position: tuple[tuple[str, int], ...]
    truth: int

    @property
    def where(self) -> Expr:
        """That it is this position."""
        return conjunction(*(compare("==", Name(name), Int(value)) for name, value in self.position))


def exceptions_record(found: Sequence[Exceptional]) -> list[dict[str, Any]]:
    """The positions one by one, with the true value at each (of a condition 0 or 1)."""
    return [{"position": dict(exception.position), "truth": exception.truth} for exception in found]


def exceptions_text(record: Sequence[Mapping[str, Any]]) -> str:
    """``(x=0, y=1), (x=2, y=2)``."""
    each = (", ".join(f"{name}={value}" for name, value in item["position"].items()) for item in record)
    return ", ".join(f"({position})" for position in each)
