"""Instances of rulesets: fixed parameters, a bounded table, and the box of cells that contains it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from grundylab.errors import EvaluationError, GrundylabError, InstanceError, WorkError
from grundylab.games.model import Move, Range, Ruleset
from grundylab.language import plain
from grundylab.language.intervals import Interval, interval
from grundylab.language.plain import Meter
from grundylab.language.syntax import free_names

Position = tuple[int, ...]
LARGEST = 2**31 - 1  # coordinates are stored as 32-bit integers
LARGEST_NUMBER = 2**63 - 1  # parameters, and numbers of a data frame, are stored as 64-bit integers
_FEW = 3  # instances that a message names one by one
_QUOTED = 256  # bits of a number that a message quotes
_DOMAIN_STEPS = 5_000_000  # steps to evaluate one parameter's domain: about a second


@dataclass(frozen=True)
class Instance:
    """A ruleset and the values of its parameters and bounds. ``make_instance`` makes and checks it."""

    ruleset: Ruleset
    parameters: tuple[tuple[str, int], ...]
    bounds: tuple[tuple[str, int], ...]

    @property
    def constants(self) -> dict[str, int]:
        """The parameters and bounds by name."""
        return dict(self.parameters + self.bounds)

    @property
    def label(self) -> str:
        """The parameters and bounds in words, as in ``m=8,N=64``."""
        return ",".join(f"{name}={value}" for name, value in self.parameters + self.bounds) or "all"

    def __str__(self) -> str:
        return f"{self.ruleset.name} ({self.label})"

    @cached_property
    def box(self) -> tuple[Interval, ...]:
        """An interval for each coordinate that contains all its values; not every cell of the box is a position."""
        known = {name: Interval(value, value) for name, value in self.constants.items()}
        found = []
        for coordinate in self.ruleset.coordinates:
            try:
                span = self._span(coordinate.range, known)
            except EvaluationError as error:
                raise InstanceError(f"{self}: the range of {coordinate.name}: {error.message}") from None
            if span.low < 0:
                raise InstanceError(
                    f"{self}: the range of {coordinate.name} begins at {span.low}; at least 0 is needed"
                )
            if span.high > LARGEST:
                raise InstanceError(
                    f"{self}: {coordinate.name} may be {span.high:,}; at most {LARGEST:,} is stored"
                )
            known[coordinate.name] = span
            found.append(span)
        return tuple(found)

    def _span(self, ends: Range, known: Mapping[str, Interval]) -> Interval:
        low = interval(ends.low, known, self.ruleset.functions).low
        high = interval(ends.high, known, self.ruleset.functions).high
        return Interval(low, max(high, low - 1))

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values of each coordinate in the box."""
        return tuple(side.width for side in self.box)

    @property
    def cells(self) -> int:
        """The number of cells of the box."""
        return prod(self.shape)

    @cached_property
    def moves(self) -> int:
        """An upper bound on the moves in the table: for each cell, every choice of every move in the widest ranges.

        Each cell counts for ten more, for its own cost. 2**62 where no bounds on the ranges are known.
        """
        try:
            return self.cells * (10 + sum(map(self.choices, self.ruleset.moves)))
        except EvaluationError:
            return 2**62

    def choices(self, move: Move) -> int:
        """Return an upper bound on the number of choices of a move. Raises as ``spans``."""
        return prod(self.spans(move)[choice.name].width for choice in move.choices)

    def spans(self, move: Move | None = None) -> dict[str, Interval]:
        """Return bounds on parameters, bounds, coordinates and, in order, the move's choices.

        Raises EvaluationError where none are known.
        """
        known = {name: Interval(value, value) for name, value in self.constants.items()}
        known |= dict(zip(self.ruleset.coordinate_names, self.box, strict=True))
        for choice in move.choices if move else ():
            known[choice.name] = self._span(choice.range, known)
        return known


def make_instance(ruleset: Ruleset, parameters: Mapping[str, int], bounds: Mapping[str, int]) -> Instance:
    """Return the instance.

    Raises InstanceError for a value that is missing, unknown, no integer or out of its domain.
    """
    _require("parameter", "--param", ruleset.parameter_names, parameters, ruleset.name)
    _require("bound", "--bound", ruleset.bounds, bounds, ruleset.name)
    parameters = {name: integer(value, f"{ruleset.name}: {name}") for name, value in parameters.items()}
    bounds = {name: integer(value, f"{ruleset.name}: the bound {name}") for name, value in bounds.items()}
    check_domain(ruleset, parameters)
    for name in ruleset.bounds:
        if bounds[name] < 0:
            raise InstanceError(f"{ruleset.name}: the bound {name}={bounds[name]} must be at least 0")
    fixed = tuple((name, parameters[name]) for name in ruleset.parameter_names)
    return Instance(ruleset, fixed, tuple((name, bounds[name]) for name in ruleset.bounds))


def check_domain(ruleset: Ruleset, fixed: Mapping[str, int]) -> None:
    """Raise InstanceError if a fixed parameter is outside its domain, as far as the fixed ones decide that."""
    for parameter in ruleset.parameters:
        if not {parameter.name, *free_names(parameter.domain)} <= fixed.keys():
            continue
        try:
            inside = plain.evaluate(parameter.domain, fixed, ruleset.functions, Meter(_DOMAIN_STEPS))
        except WorkError as error:
            raise InstanceError(f"{ruleset.name}: the domain of {parameter.name} {error.message}") from None
        except GrundylabError:
            inside = False
        if not inside:
            value = fixed[parameter.name]
            raise InstanceError(
                f"{ruleset.name}: {parameter.name}={value} is out of its domain: {parameter.domain}"
            )


def integer(value: object, what: str, most: int | None = None) -> int:
    """Return the value, an integer of Python's or NumPy's, as Python's.

    most: the largest absolute value, if the number is to be stored. Raises InstanceError for other types, for truth
    values, and for a number that is too large.
    """
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        if most is not None and abs(int(value)) > most:
            raise InstanceError(
                f"{what}={number_text(int(value))} is too large to be stored; at most {most:,} is"
            )
        return int(value)
    shown = " ".join((repr(value) if isinstance(value, str) else str(value)).split())[:40]
    raise InstanceError(f"{what}={shown} is no integer: give one, such as {what.rpartition(' ')[2]}=3")


def check_stored(instance: Instance) -> None:
    """Raise InstanceError for a parameter or bound that no dataset and no frame can hold."""
    for name, value in (*instance.parameters, *instance.bounds):
        integer(value, f"{instance.ruleset.name}: {name}", LARGEST_NUMBER)


def number_text(number: int) -> str:
    """Return the number as text for a message, or its length in bits if it is very long."""
    return str(number) if number.bit_length() <= _QUOTED else f"a number of {number.bit_length():,} bits"


def _require(what: str, option: str, wanted: tuple[str, ...], given: Mapping[str, int], name: str) -> None:
    for missing in (key for key in wanted if key not in given):
        raise InstanceError(f"{name}: the {what} {missing} has no value; give {option} {missing}=…")
    for unknown in (key for key in given if key not in wanted):
        known = f"its {what}s: {', '.join(wanted)}" if wanted else f"it has no {what}s"
        raise InstanceError(f"{name} has no {what} '{unknown}'; {known}")


def instance_labels(labels: Sequence[str]) -> str:
    """Return the labels of instances, or the first, the last and their number if there are many."""
    if len(labels) <= _FEW:
        return "; ".join(labels)
    return f"{labels[0]} … {labels[-1]}, {len(labels)} instances"
