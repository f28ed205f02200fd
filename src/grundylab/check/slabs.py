"""Slabs of a large instance: parts of its lines that different jobs verify."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.errors import InstanceError


@dataclass(frozen=True)
class Slab:
    """One of ``count`` contiguous parts of the lines of each layer, numbered from 1.

    Parts differ by at most one line.
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
        """Return the numbers of the lines that belong to the slab. lines: how many there are in all."""
        return range(lines * (self.number - 1) // self.count, lines * self.number // self.count)


WHOLE = Slab(1, 1)
