"""Verification of a formula against solved tables, at every position of larger instances and new parameter values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product
from operator import attrgetter, itemgetter
from typing import Any, Literal

import numpy as np

from grundylab.check.samples import Samples, restricted_columns
from grundylab.errors import EvaluationError, FormulaError, GrundylabError, LimitError
from grundylab.games.fields import NumberField
from grundylab.games.instance import Instance
from grundylab.games.model import Target
from grundylab.language import check_names
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.functions import Functions
from grundylab.language.intervals import range_combinations
from grundylab.language.plain import Meter, compile_plain
from grundylab.language.syntax import TRUE, Call, Expr, Kind, Name, chain, equalities
from grundylab.numeric import Array
from grundylab.solve.table import Table, target_values

VerdictStatus = Literal["holds", "refuted", "undecided"]
_EVALUATED = 100_000_000  # values tried by ranges over all positions of a table; so many take some seconds
_STEPS = 1_000_000_000  # steps that evaluate a slab's positions one by one; so many take some minutes
FEW = 8  # the most wrong positions that count as exceptions
_MANY = 10  # positions that a check must have for each exception
_PART = 4  # exceptions lie in the first 1/4 of every coordinate that grows
_GROWS = 8  # the least maximum of a coordinate that counts as growing


class PositionRecord:
    """A record of one position."""

    position: Mapping[str, int]

    @property
    def where(self) -> Expr:
        """The condition that is true at this position only."""
        return equalities(self.position.items())


@dataclass(frozen=True)
class Exceptional(PositionRecord):
    """A position where a formula is wrong, and the value of the target there (for a condition 0 or 1)."""

    position: Mapping[str, int]
    truth: int


def exceptions_text(places: Iterable[PositionRecord]) -> str:
    """Return the positions as text: ``(x=0, y=1), (x=2, y=2)``."""
    positions = (", ".join(f"{name}={value}" for name, value in one.position.items()) for one in places)
    return ", ".join(f"({position})" for position in positions)


@dataclass(frozen=True)
class ChosenFunction:
    """Values of a free function in one game of a family, at a box of arguments in lexicographic order.

    lows: the least value of each argument. shape: the number of values of each argument.
    """

    lows: tuple[int, ...]
    shape: tuple[int, ...]
    values: tuple[int, ...]

    def told(self, name: str) -> str:
        """Return the values as text: ``F(0, 0..1) = 0, F(0, 2) = 1, F(1, 0..2) = 1``."""
        *outer, width = self.shape
        *before, low = self.lows
        rows = product(*(range(first, first + count) for first, count in zip(before, outer, strict=True)))
        said = []
        for number, row in enumerate(rows):
            values = self.values[number * width : (number + 1) * width]
            for value, run in groupby(enumerate(values, low), key=itemgetter(1)):
                places = [place for place, _ in run]
                span = str(places[0]) if len(places) == 1 else f"{places[0]}..{places[-1]}"
                said.append(f"{name}({', '.join([*map(str, row), span])}) = {value}")
        return ", ".join(said)


@dataclass(frozen=True)
class Counterexample(PositionRecord):
    """A position where a formula is wrong.

    truth: the solver's value (for a condition 0 or 1). found: the formula's value, or None if it has none. functions:
    for a family of games, the free functions with their values in the position's game. smallest: True if all positions
    of a table were examined, so that this is the smallest; False if distant positions were examined one by one.
    """

    position: Mapping[str, int]
    parameters: Mapping[str, int]
    measure: int
    truth: int
    found: NumberField | None
    functions: Mapping[str, ChosenFunction] = field(default_factory=dict)
    smallest: bool = True

    @property
    def order(self) -> tuple[Any, ...]:
        """The key by which counterexamples are sorted: measure, then position, then parameters, then functions."""
        values = (value for chosen in self.functions.values() for value in chosen.values)
        return (self.measure, *self.position.values(), *self.parameters.values(), *values)


@dataclass(frozen=True)
class FrameRows:
    """The rows of a data frame, which take the place of an instance in a check."""

    count: int

    @property
    def label(self) -> str:
        """The number of rows in words."""
        return f"{self.count:,} row{'s' * (self.count != 1)} of the frame"

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True)
class Check:
    """The result of the check of one instance or data frame.

    checked: the number of positions checked. counterexample: the smallest one, if any. limit: the reason why the check
    stopped early, if it did. wrong: the number of positions where the formula is wrong. all_wrong: all these
    positions if they are at most FEW, else empty; for a family of games always empty. true, true_wrong: in the check of
    a whole table, for a target that is a condition, how many positions fulfil it, and at how many of these the formula
    is wrong; else 0.
    """

    instance: Instance | FrameRows
    checked: int
    counterexample: Counterexample | None
    limit: str | None = None
    wrong: int = 0
    all_wrong: tuple[Counterexample, ...] = ()
    true: int = field(default=0, compare=False)
    true_wrong: int = field(default=0, compare=False)

    @property
    def game(self) -> Instance:
        """The instance that was checked, which must not be a data frame."""
        assert isinstance(self.instance, Instance)
        return self.instance

    @property
    def holds(self) -> bool | None:
        """True if the formula is right at every position, False if not, None if none was checked or a limit was met."""
        if self.counterexample is not None:
            return False
        return True if self.checked and self.limit is None else None


@dataclass(frozen=True)
class Verdict:
    """The result of verification on several instances. ``holds`` says nothing beyond the bounds of these instances."""

    formula: Expr
    target: Target
    where: Expr
    checks: tuple[Check, ...]

    @property
    def status(self) -> VerdictStatus:
        """``refuted`` if a check has a counterexample, else ``undecided`` if there is a ``reason``, else ``holds``."""
        if any(check.holds is False for check in self.checks):
            return "refuted"
        return "undecided" if self.reason else "holds"

    @property
    def reason(self) -> str | None:
        """The reason why the formula is undecided if no check refutes it, or None if there is no such reason."""
        limits = [f"{check.instance}: {check.limit}" for check in self.checks if check.limit]
        if limits:
            return limits[0]
        return None if self.checked else f"no position of the instances satisfies {self.where}"

    @property
    def informative(self) -> tuple[Check, ...]:
        """The checks with a counterexample, and the completed checks of at least one position."""
        return tuple(check for check in self.checks if check.holds is not None)

    @property
    def checked(self) -> int:
        """The number of positions checked, over all instances."""
        return sum(check.checked for check in self.checks)

    @property
    def wrong(self) -> int:
        """The number of checked positions where the formula is wrong."""
        return sum(check.wrong for check in self.checks)

    @property
    def counterexample(self) -> Counterexample | None:
        """The smallest counterexample of all instances."""
        examples = [check.counterexample for check in self.checks if check.counterexample]
        return min(examples, key=attrgetter("order"), default=None)

    @property
    def exceptions(self) -> tuple[Counterexample, ...]:
        """The positions where the formula is wrong, if few, the same in all instances, and far from the edge."""
        if self.status != "refuted" or any(
            check.limit or len(check.all_wrong) != check.wrong for check in self.checks
        ):
            return ()
        by_position = {tuple(e.position.items()): e for check in self.checks for e in check.all_wrong}
        for check in self.informative:
            if isinstance(check.instance, FrameRows):
                return ()
            names, box = check.instance.ruleset.coordinate_names, check.instance.box
            ends = exception_bounds({name: side.high for name, side in zip(names, box, strict=True)})
            if check.checked < _MANY * check.wrong:
                return ()
            if not ends or not all(dict(at)[name] <= end for at in by_position for name, end in ends.items()):
                return ()
            if {tuple(e.position.items()) for e in check.all_wrong} != set(by_position):
                return ()
        return tuple(sorted(by_position.values(), key=attrgetter("order"))) if len(by_position) <= FEW else ()

    def __repr__(self) -> str:
        return (
            f"<Verdict {self.status}: {self.target}: {self.formula}{where_clause(self.where)}; "
            f"{self.checked:,} checked, {self.wrong:,} wrong>"
        )


def where_clause(where: Expr) -> str:
    """Return `` where x > 0``, or an empty string if the condition is True."""
    return "" if where == TRUE else f" where {where}"


def merge_checks(parts: Sequence[Check]) -> Check:
    """Return one check of an instance from the checks of its parts, in any order.

    A limit that some part met is the limit of the whole.
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
        true=sum(part.true for part in parts),
        true_wrong=sum(part.true_wrong for part in parts),
    )


def exception_bounds(largest: Mapping[str, int]) -> dict[str, int]:
    """Return the largest value that an exception may have, for each coordinate that grows.

    largest: the largest value of each coordinate in a table. A coordinate is said to grow if this value is at least
    ``_GROWS``.
    """
    return {name: value // _PART for name, value in largest.items() if value >= _GROWS}


def check_values(target: Target, table: Table) -> None:
    """Raise FormulaError if the table does not have the values that the target needs."""
    if target.values == "grundy" and table.kind != "grundy":
        raise FormulaError(
            f"target {target} needs Grundy numbers, but the table of {table.instance} has outcomes only; solve it for "
            "Grundy numbers"
        )


def verify(formula: Expr, target: Target, tables: Iterable[Table], where: Expr = TRUE) -> Verdict:
    """Return the verdict on the formula, from all those positions of the tables that satisfy ``where``.

    The tables are instances of one ruleset. Raises FormulaError if the formula does not fit the target or the game.
    """
    return Verdict(
        formula, target, where, tuple(check_table(formula, target, table, where) for table in tables)
    )


def ranges_affordable(exprs: Sequence[Expr], instance: Instance) -> bool:
    """Tell whether the ranges in the expressions have few enough values in all, over all cells of the instance."""
    ruleset = instance.ruleset
    ranges = instance.spans()
    try:
        values = sum(
            range_combinations(ruleset.functions.expand(expr), ranges, ruleset.functions) for expr in exprs
        )
    except (GrundylabError, KeyError):
        return True  # no bounds are known; a missing value shows when the expression is evaluated
    return values * instance.cells <= _EVALUATED


def check_table(
    formula: Expr, target: Target, table: Table, where: Expr = TRUE, functions: Functions | None = None
) -> Check:
    """Check the formula at all positions of one table that satisfy ``where``.

    functions: those that formula and condition may call; by default the game's.
    """
    ruleset = table.instance.ruleset
    functions = functions or ruleset.functions
    ruleset.check_formula(formula, target, functions)
    check_values(target, table)
    checks = [Check(table.instance, 0, None)]
    for slab in table.slabs():
        try:
            columns, values = restricted_columns(slab, table.instance, where, functions)
            wanted = target_values(values, target)
            samples = Samples(ruleset.formula_names, columns, wanted, ruleset.parameter_names, functions)
            wrong, answers = _disagreements(formula, samples)
        except LimitError as error:
            checks.append(Check(table.instance, 0, None, error.message))
            break
        few = tuple(_smallest(samples.at(wrong), answers, ruleset.measure))
        every = few if len(wrong) <= FEW else ()
        check = Check(table.instance, len(values), next(iter(few), None), None, len(wrong), every)
        if target.kind is Kind.CONDITION:
            check = replace(check, true=int(wanted.sum()), true_wrong=int(wanted[wrong].sum()))
        checks.append(check)
    return merge_checks(checks)


def verify_samples(formula: Expr, target: Target, samples: Samples, where: Expr = TRUE) -> Verdict:
    """Return the verdict on the formula, from samples that are rows of a data frame.

    where: the condition that all samples satisfy; the verdict states it. The smallest counterexample is the row with
    the least sum of magnitudes. Raises FormulaError if the formula does not fit the target or the samples.
    """
    check_names(formula, samples.names, samples.functions, "column")
    samples.functions.check_growth(formula)
    target.check_kind(formula)
    rows = FrameRows(len(samples))
    try:
        wrong, values = _disagreements(formula, samples)
    except LimitError as error:
        return Verdict(formula, target, where, (Check(rows, 0, None, error.message),))
    magnitude = chain("+", [Call("abs", (Name(name),)) for name in samples.names])
    smallest = next(_smallest(samples.at(wrong), values, magnitude), None)
    return Verdict(formula, target, where, (Check(rows, len(samples), smallest, wrong=len(wrong)),))


def _disagreements(formula: Expr, samples: Samples) -> tuple[Array, list[int | None]]:
    """Return the numbers of the rows where the formula is wrong or has no value, and the formula's values there."""
    if not len(samples):
        return np.empty(0, dtype=np.int64), []
    try:
        values = evaluate_arrays(formula, samples.columns, samples.functions)
        wrong = np.flatnonzero(values != samples.values)
        return wrong, list(map(int, values[wrong].tolist()))
    except LimitError:
        raise
    except EvaluationError:
        pass  # it has no value at some position: the positions are looked at one by one
    value = compile_plain(formula, samples.functions, Meter(_STEPS, LimitError))
    rows, formula_values = list[int](), list[int | None]()
    for row in range(len(samples)):
        try:
            got: int | None = int(value({name: int(column[row]) for name, column in samples.columns.items()}))
        except LimitError:
            raise
        except EvaluationError:
            got = None
        if got != int(samples.values[row]):
            rows.append(row)
            formula_values.append(got)
    return np.array(rows, dtype=np.int64), formula_values


def _smallest(wrong: Samples, values: list[int | None], measure: Expr) -> Iterator[Counterexample]:
    """Yield counterexamples, smallest first; of more than FEW, only the smallest.

    wrong: the positions where the formula is wrong. values: the formula's values there. measure: what is compared
    first; equal ones are followed by the coordinates and parameters, in order.
    """
    if not len(wrong):
        return
    measures = evaluate_arrays(measure, wrong.columns, wrong.functions)
    rows = range(len(wrong)) if len(wrong) <= FEW else np.flatnonzero(measures == measures.min()).tolist()
    columns = (measures, *wrong.columns.values())
    ordered = sorted(rows, key=lambda row: [int(column[row]) for column in columns])
    for row in ordered if len(wrong) <= FEW else ordered[:1]:
        named = {name: int(column[row]) for name, column in wrong.columns.items()}
        yield Counterexample(
            position={name: named[name] for name in wrong.coordinates},
            parameters={name: named[name] for name in wrong.parameters},
            measure=int(measures[row]),
            truth=int(wrong.values[row]),
            found=values[row],
        )
