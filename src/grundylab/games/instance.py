"""Instances: rulesets with values for their parameters and bounds, and the box of cells that contains the positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from grundylab.errors import EvaluationError, GrundylabError, InstanceError, WorkError, number_text
from grundylab.games.model import Move, Range, Ruleset
from grundylab.language import plain
from grundylab.language.intervals import Interval, interval
from grundylab.language.plain import Meter
from grundylab.language.syntax import free_names

Position = tuple[int, ...]
LARGEST = 2**31 - 1  # coordinates are stored as 32-bit integers
LARGEST_NUMBER = 2**63 - 1  # parameters, and numbers of a data frame, are stored as 64-bit integers
_FEW = 3  # the most instances that a message lists one by one
_DOMAIN_STEPS = 5_000_000  # steps to evaluate one parameter's domain: about a second


@dataclass(frozen=True)
class Instance:
    """A ruleset with values for its parameters and bounds; ``make_instance`` checks the values and makes it."""

    ruleset: Ruleset
    parameters: tuple[tuple[str, int], ...]
    bounds: tuple[tuple[str, int], ...]

    @property
    def constants(self) -> dict[str, int]:
        """The values of the parameters and bounds, by name."""
        return dict(self.parameters + self.bounds)

    @property
    def label(self) -> str:
        """The parameters and bounds as text, such as ``m=8,N=64``; ``all`` if there are none."""
        return (
            ",".join(f"{name}={number_text(value)}" for name, value in self.parameters + self.bounds) or "all"
        )

    def __str__(self) -> str:
        return f"{self.ruleset.name} ({self.label})"

    @cached_property
    def box(self) -> tuple[Interval, ...]:
        """For each coordinate, an interval that contains all its values; not every cell of the box is a position.

        Raises InstanceError if no interval is known, or if a coordinate may be negative or too large to store.
        """
        intervals = {name: Interval(value, value) for name, value in self.constants.items()}
        sides = []
        for coordinate in self.ruleset.coordinates:
            try:
                span = self._span(coordinate.range, intervals)
            except EvaluationError as error:
                raise InstanceError(f"{self}: the range of {coordinate.name}: {error.message}") from None
            if span.low < 0:
                begin = number_text(span.low)
                raise InstanceError(
                    f"{self}: the range of {coordinate.name} begins at {begin}; it must begin at 0 or more"
                )
            if span.high > LARGEST:
                raise InstanceError(
                    f"{self}: {coordinate.name} may be {number_text(span.high, ',')}; at most {LARGEST:,} can be stored"
                )
            intervals[coordinate.name] = span
            sides.append(span)
        return tuple(sides)

    def _span(self, ends: Range, intervals: Mapping[str, Interval]) -> Interval:
        """Return an interval that contains the range for all values of the names in ``intervals``."""
        low = interval(ends.low, intervals, self.ruleset.functions).low
        high = interval(ends.high, intervals, self.ruleset.functions).high
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
        """An upper bound on the number of moves from all positions together, as a measure of work.

        Every move counts with all choices in its widest ranges, and each cell counts for ten moves more, for its own
        cost. The value is 2**62 if no bounds on the ranges are known.
        """
        try:
            return self.cells * (10 + sum(map(self.choices, self.ruleset.moves)))
        except EvaluationError:
            return 2**62

    def choices(self, move: Move) -> int:
        """Return an upper bound on the number of assignments of the move's choices.

        Raises EvaluationError as ``spans`` does.
        """
        return prod(self.spans(move)[choice.name].width for choice in move.choices)

    def spans(self, move: Move | None = None) -> dict[str, Interval]:
        """Return an interval for each parameter, bound and coordinate, and for each choice of the move, in order.

        Raises EvaluationError if no interval is known for a choice.
        """
        intervals = {name: Interval(value, value) for name, value in self.constants.items()}
        intervals |= dict(zip(self.ruleset.coordinate_names, self.box, strict=True))
        for choice in move.choices if move else ():
            intervals[choice.name] = self._span(choice.range, intervals)
        return intervals


def make_instance(ruleset: Ruleset, parameters: Mapping[str, int], bounds: Mapping[str, int]) -> Instance:
    """Return the instance of the ruleset with these values.

    Raises InstanceError if a value is missing, is no integer, is out of its domain, or belongs to an unknown name.
    """
    values = (
        ("parameter", "--param", ruleset.parameter_names, parameters),
        ("bound", "--bound", ruleset.bounds, bounds),
    )
    for what, _, names, given in values:
        if unknown := [name for name in given if name not in names]:
            own_names = f"its {what}s: {', '.join(names)}" if names else f"it has no {what}s"
            raise InstanceError(f"{ruleset.name} has no {what} '{unknown[0]}'; {own_names}")
    for what, option, names, given in values:
        if missing := [name for name in names if name not in given]:
            raise InstanceError(
                f"{ruleset.name}: the {what} {missing[0]} has no value; give {missing[0]}=…, "
                f"or {option} {missing[0]}=… on the command line"
            )
    parameters = {name: integer(value, f"{ruleset.name}: {name}") for name, value in parameters.items()}
    bounds = {name: integer(value, f"{ruleset.name}: the bound {name}") for name, value in bounds.items()}
    check_domain(ruleset, parameters)
    for name in ruleset.bounds:
        if bounds[name] < 0:
            raise InstanceError(f"{ruleset.name}: the bound {name}={bounds[name]} must be at least 0")
    fixed = tuple((name, parameters[name]) for name in ruleset.parameter_names)
    return Instance(ruleset, fixed, tuple((name, bounds[name]) for name in ruleset.bounds))


def check_domain(ruleset: Ruleset, fixed: Mapping[str, int]) -> None:
    """Raise InstanceError if a fixed parameter is outside its domain.

    A domain that mentions a parameter without a value is not checked.
    """
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
                f"{ruleset.name}: {parameter.name}={value} is outside its domain: {parameter.domain}"
            )


def integer(value: object, what: str, most: int | None = None) -> int:
    """Return an integer of Python or NumPy as a Python integer.

    what: the name of the value in messages. most: the largest absolute value that can be stored, if there is a limit.
    Raises InstanceError for other types, for truth values, and for a number that is too large.
    """
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        if most is not None and abs(int(value)) > most:
            raise InstanceError(
                f"{what}={number_text(int(value))} is too large to be stored; give at most {most:,}"
            )
        return int(value)
    shown = " ".join((repr(value) if isinstance(value, str) else str(value)).split())[:40]
    raise InstanceError(f"{what}={shown} is not an integer; give one, such as {what.rpartition(' ')[2]}=3")


def check_stored(instance: Instance) -> None:
    """Raise InstanceError for a parameter or bound that is too large for a dataset or a data frame."""
    for name, value in (*instance.parameters, *instance.bounds):
        integer(value, f"{instance.ruleset.name}: {name}", LARGEST_NUMBER)


def instance_labels(labels: Sequence[str]) -> str:
    """Return the labels as one text; of many, only the first, the last and their number."""
    if len(labels) <= _FEW:
        return "; ".join(labels)
    return f"{labels[0]} … {labels[-1]}, {len(labels)} instances"
