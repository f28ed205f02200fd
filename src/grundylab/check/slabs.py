"""A large instance in slabs: parts of its lines that several jobs look at, and what their checks say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from grundylab.check.verification import FEW, Check
from grundylab.errors import InstanceError


@dataclass(frozen=True)
class Slab:
    """One of ``count`` parts of the lines of each layer, counted from 1: neighbouring lines, of as many as the others
    but for one.
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise InstanceError(
                f"slab {self.number}/{self.count}: write one of 1/{self.count} to {self.count}/{self.count}"
            )

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def of(self, lines: int) -> range:
        """The lines of so many that are in it."""
        return range(lines * (self.number - 1) // self.count, lines * self.number // self.count)


WHOLE = Slab(1, 1)


def merged(parts: Sequence[Check]) -> Check:
    """What ``check_lines`` says of the whole, from what it says of each slab of one instance, in any order.

    What could not be looked at in one slab was not looked at to the end.
    """
    wrong = sum(part.wrong for part in parts)
    examples = sorted((part.counterexample for part in parts if part.counterexample), key=attrgetter("order"))
    few = sorted((example for part in parts for example in part.all_wrong), key=attrgetter("order"))
    return Check(
        parts[0].instance,
        sum(part.checked for part in parts),
        examples[0] if examples else None,
        limit=next((part.limit for part in parts if part.limit), None),
        wrong=wrong,
        all_wrong=tuple(few) if wrong <= FEW else (),
    )
