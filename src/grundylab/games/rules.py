"""The definition of a legal move: positions, options and the measure of an instance, one position at a time.

Everything is evaluated in Python's integers, which is slow; every faster solver is tested against it. In a correct
ruleset, moves stay in the position space and lower the measure. This module does not check that; ``checked_options`` of
``solve/reference.py`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from grundylab.games.instance import Instance, Position
from grundylab.games.model import Ranged
from grundylab.language import Expr, plain
from grundylab.language.plain import Evaluator, Meter

_CompiledRange = tuple[str, Evaluator, Evaluator]  # name, least value, greatest value
# (name, its range, values of the names before it) -> the values in the range that are tried
Sample = Callable[[str, range, Mapping[str, int]], Iterable[int]]


class Rules:
    """The rules of an instance, evaluated at one position at a time."""

    def __init__(self, instance: Instance, meter: Meter | None = None, sample: Sample | None = None) -> None:
        """Compile the rules.

        meter: limits the number of steps of all evaluations together; by default there is no limit. sample: a function
        of a coordinate's or choice's name, its range and the values of earlier names, which returns the values to try;
        by default all in the range are tried.
        """
        ruleset = instance.ruleset

        def compiled(expr: Expr) -> Evaluator:
            return plain.compile_plain(expr, ruleset.functions, meter)

        def ranges(numbers: Sequence[Ranged]) -> list[_CompiledRange]:
            return [(n.name, compiled(n.range.low), compiled(n.range.high)) for n in numbers]

        self.instance = instance
        self._sample = sample
        self._constants = instance.constants
        self._names = ruleset.coordinate_names
        self._ranges = ranges(ruleset.coordinates)
        self._where = compiled(ruleset.where)
        self._measure = compiled(ruleset.measure)
        passes_last = sorted(enumerate(ruleset.moves), key=lambda numbered: numbered[1].a_pass)
        self._moves = [
            (
                number,
                move.a_pass,
                ranges(move.choices),
                compiled(move.when),
                [[compiled(value) for value in part] for part in move.parts],
            )
            for number, move in passes_last
        ]

    def positions(self) -> Iterator[Position]:
        """Yield every legal position, in lexicographic order."""
        for env in _assignments(self._ranges, self._constants, self._sample):
            if self._where(env):
                yield tuple(env[name] for name in self._names)

    def environment(self, position: Position) -> dict[str, int]:
        """Return the values of coordinates, parameters and bounds, by name."""
        return {**self._constants, **dict(zip(self._names, position, strict=True))}

    def legal(self, position: Position) -> bool:
        """Tell whether the position is in the position space of the instance."""
        env = dict(self._constants)
        for value, (name, low, high) in zip(position, self._ranges, strict=True):
            if not low(env) <= value <= high(env):
                return False
            env[name] = value
        return bool(self._where(env))

    def measure(self, position: Position) -> int:
        """Return the value of the measure, which every move must lower."""
        return self._measure(self.environment(position))

    def options(self, position: Position) -> Iterator[tuple[int, tuple[Position, ...]]]:
        """Yield each option as (number of its move, positions whose sum it is): in the ruleset's order, passes last."""
        env = self.environment(position)
        any_option = False
        for number, a_pass, choices, when, parts in self._moves:
            if a_pass and not any_option:
                return
            for chosen in _assignments(choices, env, self._sample):
                if when(chosen):
                    any_option = True
                    yield number, tuple([tuple([value(chosen) for value in part]) for part in parts])


def _assignments(
    ranges: Sequence[_CompiledRange], env: dict[str, int], sample: Sample | None
) -> Iterator[dict[str, int]]:
    """Yield ``env`` with one number from each range added, in every way; a range may depend on earlier numbers."""
    if not ranges:
        yield env
        return
    (name, low, high), *others = ranges
    values = range(low(env), high(env) + 1)
    for value in values if sample is None else sample(name, values, env):
        inner = {**env, name: value}
        if others:
            yield from _assignments(others, inner, sample)
        else:
            yield inner
