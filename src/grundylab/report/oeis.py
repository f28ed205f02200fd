"""Sequences for the On-Line Encyclopedia of Integer Sequences, as b-files: files of lines ``n a(n)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from grundylab.errors import InstanceError
from grundylab.games.instance import Instance
from grundylab.language import parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.plain import evaluate
from grundylab.language.syntax import free_names
from grundylab.solve.table import NO_POSITION, Table

SequenceKind = Literal["grundy", "p-positions", "count", "smaller", "larger"]
KINDS: tuple[SequenceKind, ...] = ("grundy", "p-positions", "count", "smaller", "larger")
# Sequences of the encyclopedia that are recognised, by number, each with a formula for its term a(n), n = 1, 2, …
KNOWN = {"A000201": "(n + isqrt(5*n*n)) // 2", "A001950": "(3*n + isqrt(5*n*n)) // 2"}
_ENOUGH = 10  # terms that identify a sequence


@dataclass(frozen=True)
class IntegerSequence:
    """A sequence of integers; ``terms`` are a(offset), a(offset + 1) and so on."""

    offset: int
    terms: tuple[int, ...]

    @property
    def number(self) -> str | None:
        """The number in the encyclopedia of the known sequence that has these terms; None if there is none."""
        if self.offset != 1 or len(self.terms) < _ENOUGH:
            return None
        formulas = ((number, parse(text)) for number, text in KNOWN.items())
        numbered = list(enumerate(self.terms, 1))
        return next((a for a, f in formulas if all(evaluate(f, {"n": n}) == t for n, t in numbered)), None)


def sequence_of(table: Table, fixed: dict[str, int], kind: SequenceKind) -> IntegerSequence:
    """Return a sequence of the table's slice in which the fixed coordinates have these values.

    The kinds are

    - grundy: the Grundy numbers along the one free coordinate;
    - p-positions: the values of the one free coordinate that make P-positions;
    - count: for each n, the number of P-positions whose free coordinates sum to n, as far as the table has them all;
    - smaller, larger: of the P-positions (a, b) in two free coordinates with a <= b and b > 0, the numbers a or the
      numbers b. They end before the first number that is in no pair, since its partner may be beyond the table.

    Raises InstanceError if the slice has the wrong number of free coordinates, or no positions where it would begin.
    """
    instance = table.instance
    box = dict(zip(instance.ruleset.coordinate_names, instance.box, strict=True))
    free = [name for name in box if name not in fixed]
    values = table.values[
        tuple(slice(None) if name in free else fixed[name] - side.low for name, side in box.items())
    ]
    if kind == "count":
        return _count_sequence(instance, values, fixed)
    if kind in ("smaller", "larger"):
        return _pair_sequence(instance, values, free, kind)
    if len(free) != 1:
        raise InstanceError(
            f"a sequence has one free coordinate, not {len(free)} ({', '.join(free) or 'none'}); "
            f"fix {'fewer' if not free else 'all but one'} with --fix"
        )
    (name,) = free
    low = box[name].low
    if kind == "p-positions":
        return IntegerSequence(1, tuple((np.flatnonzero(values == 0) + low).tolist()))
    occupied = values != NO_POSITION
    if not occupied[0]:
        raise InstanceError(f"there is no position at {name}={low}, where the sequence would begin")
    beginning = values[np.logical_and.accumulate(occupied)]
    return IntegerSequence(low, tuple(beginning.tolist()))


def _pair_sequence(
    instance: Instance, values: npt.NDArray[np.int32], free: Sequence[str], kind: SequenceKind
) -> IntegerSequence:
    if len(free) != 2:
        raise InstanceError(f"pairs need two free coordinates, not {len(free)}: use --fix for the others")
    names = instance.ruleset.coordinate_names
    lows = [side.low for name, side in zip(names, instance.box, strict=True) if name in free]
    pairs = [tuple(pair) for pair in (np.argwhere(values == 0) + lows).tolist()]
    numbers = {number for pair in pairs for number in pair}
    end = next(number for number in range(min(lows), max(numbers, default=0) + 2) if number not in numbers)
    terms = [pair[kind == "larger"] for pair in pairs if pair[0] <= pair[1] and pair[1] > 0 and pair[0] < end]
    return IntegerSequence(1, tuple(terms))


def _count_sequence(
    instance: Instance, values: npt.NDArray[np.int32], fixed: Mapping[str, int]
) -> IntegerSequence:
    ruleset, box = instance.ruleset, dict(zip(instance.ruleset.coordinate_names, instance.box, strict=True))
    free = [name for name in box if name not in fixed]
    if not free:
        raise InstanceError("to count P-positions, leave a coordinate free")
    grows = [
        c for c in ruleset.coordinates if c.name in free and free_names(c.range.high) & {*ruleset.bounds}
    ]
    if not grows:
        raise InstanceError(
            "to count P-positions, a free coordinate needs a bound in its range; leave such a coordinate free"
        )
    outside = []  # the least sums of free coordinates of which one is beyond its range, the others in the table
    for coordinate in grows:
        low, high = coordinate.ends
        rest = [name for name in free if name != coordinate.name]
        others = [name for name in rest if name in free_names(low) | free_names(high)]
        grid = dict(zip(others, np.indices([box[name].width for name in others]), strict=True))
        columns = {**instance.constants, **fixed, **{name: grid[name] + box[name].low for name in others}}
        ends = [evaluate_arrays(end, columns, ruleset.functions) for end in (low, high)]
        beyond = sum((columns[name] for name in others), np.maximum(ends[0], ends[1] + 1))
        outside.append(int(np.min(beyond)) + sum(box[name].low for name in rest if name not in others))
    sums = np.argwhere(values == 0).sum(axis=1) + sum(box[name].low for name in free)
    counts = np.bincount(sums, minlength=min(outside))[: min(outside)]
    return IntegerSequence(0, tuple(counts.tolist()))


def b_file(sequence: IntegerSequence) -> str:
    """Return the b-file: lines ``n a(n)``, after a comment with the sequence's number if it has one."""
    header = f"# {sequence.number}\n" if sequence.number else ""
    return header + "".join(f"{n} {term}\n" for n, term in enumerate(sequence.terms, sequence.offset))
