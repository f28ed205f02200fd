"""Slabs: parts of a large instance that different jobs verify.

A slab consists of lines; a line is the positions that differ only in the last pile.
"""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.errors import InstanceError


@dataclass(frozen=True)
class Slab:
    """One of ``count`` contiguous parts of an instance's lines, numbered from 1.

    The sizes of two parts differ by at most one line.
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
        """Return the numbers of the lines in this slab. lines: the number of lines in all."""
        return range(lines * (self.number - 1) // self.count, lines * self.number // self.count)


WHOLE = Slab(1, 1)
