"""From moves read backwards to the source of a module that marks the positions before each P-position.

It has one function, ``sweep(marks, first, last, E, lows, highs, strides, spans)``: over the lines from ``first`` to
``last``, in lexicographic order of the coordinates but the axis, along which a line runs. It returns how many steps
that took.

marks: uint64 (lines, words), a bit for each place. lows, highs, strides: for each coordinate of the ruleset, in its
order, its least and largest value, and by how many lines one more of it is further (0 for the axis). spans: int64
(variables, 2), the ends of the interval that each variable of each move lies in.
"""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.language.compiled import Emitter
from grundylab.language.linear import Poly, constant
from grundylab.language.syntax import Expr, free_names
from grundylab.solve.codegen import module_text
from grundylab.solve.sweeps.drops import Drop, Drops

_ARGUMENTS = "marks, line, place, E, lows, highs, strides, spans"  # of a move's function, before the position
_IMPORTS = "from grundylab.solve.sweeps.bits import fill, mark, next_free"


def marking_source(drops: Drops, axis: str) -> str:
    """The module's source."""
    return _Writer(drops, axis).module()


class _Writer:
    def __init__(self, drops: Drops, axis: str) -> None:
        ruleset = drops.instance.ruleset
        self._drops, self.axis, self.edges = drops, axis, drops.edges
        self.names = ruleset.coordinate_names
        self._emitter = Emitter(ruleset.functions, ruleset.parameter_names + ruleset.bounds)
        self.position = ", ".join(f"v_{name}" for name in self.names)

    def module(self) -> str:
        first_span, functions = 0, []
        for number, drop in enumerate(self._drops.moves):
            functions.append("\n".join(_MoveWriter(self, drop, number, first_span).lines()))
            first_span += len(drop.variables)
        functions.append("\n".join(self._sweep()))
        made = "to mark the positions before each P-position"
        return module_text(made, self._emitter, [_IMPORTS, *functions])

    def write(self, expr: Expr, local: tuple[str, ...]) -> str:
        return self._emitter.expression(expr, (*self.names, *self.edges, *local))

    def _sweep(self) -> Iterator[str]:
        yield "@njit"
        yield "def sweep(marks, first, last, E, lows, highs, strides, spans):"
        yield "    seen = 0"
        yield "    for line in range(first, last):"
        yield "        rest = line"
        for number, name in enumerate(self.names):
            if name == self.axis:
                axis = number
                continue
            yield f"        v_{name} = rest // strides[{number}] + lows[{number}]"
            yield f"        rest %= strides[{number}]"
        yield f"        width = highs[{axis}] - lows[{axis}] + 1"
        yield "        place = next_free(marks[line], 0)"
        yield "        while place < width:"
        yield f"            v_{self.axis} = place + lows[{axis}]"
        indent = " " * 12
        yield f"{indent}seen += 1"
        for number in range(len(self._drops.moves)):
            yield f"{indent}seen += before_{number}({_ARGUMENTS}, {self.position})"
        yield f"{indent}place = next_free(marks[line], place + 1)"
        yield "    return seen"


class _MoveWriter:
    """The function of one move: it marks from where the move leads to a position."""

    def __init__(self, writer: _Writer, drop: Drop, number: int, first_span: int) -> None:
        self._writer, self._drop, self._number = writer, drop, number
        self._spans = {name: first_span + place for place, (name, _) in enumerate(drop.variables)}
        self._taken = dict(zip(writer.names, drop.taken, strict=True))
        run = next(filter(self._runs, self._spans), None)
        others = [name for name in self._spans if name != run]
        self._order = (*others, run) if run else tuple(others)
        self._whole = run is not None and not self._late_checks()

    def _runs(self, name: str) -> bool:
        """Whether this choice moves along the line alone, one place at a time."""
        others = (less for axis, less in self._taken.items() if axis != self._writer.axis)
        found = self._taken[self._writer.axis].split(name)
        return (
            found is not None and found[0] == constant(1) and not any(name in less.names for less in others)
        )

    def _late_checks(self) -> bool:
        """Whether something is to be asked at every value of the last choice."""
        last = self._order[-1]
        return any(last in free_names(condition) for condition in self._drop.conditions) or any(
            last in one.names and one.split(last) is None for one in self._drop.inequalities
        )

    def lines(self) -> Iterator[str]:
        """The function's source."""
        writer = self._writer
        yield "@njit"
        yield f"def before_{self._number}({_ARGUMENTS}, {writer.position}):"
        for place, edge in enumerate(writer.edges):
            yield f"    v_{edge} = highs[{place}]"
        yield "    seen = 0"
        yield from self._checks(0, "    ", "return seen")
        yield from self._loop(0, "    ")
        yield "    return seen"

    def _loop(self, depth: int, indent: str) -> Iterator[str]:
        if depth == len(self._order):
            yield f"{indent}seen += 1"
            place = f"place + {self._source(self._taken[self._writer.axis])}"
            yield f"{indent}mark(marks[{self._line()}], {place})"
            return
        name = self._order[depth]
        yield f"{indent}low_{name}, high_{name} = spans[{self._spans[name]}, 0], spans[{self._spans[name]}, 1]"
        for one in self._drop.inequalities:
            if name in one.names and self._depth(one.names) == depth + 1:
                yield from self._narrow(name, one, indent)
        if depth + 1 == len(self._order) and self._whole:
            yield f"{indent}seen += 1"
            yield f"{indent}if low_{name} <= high_{name}:"
            yield f"{indent}    seen += (high_{name} - low_{name}) >> 6"
            yield f"{indent}    v_{name} = low_{name}"
            yield f"{indent}    run = place + {self._source(self._taken[self._writer.axis])}"
            yield f"{indent}    fill(marks[{self._line()}], run, run + high_{name} - low_{name})"
            return
        yield f"{indent}seen += 1"
        yield f"{indent}for v_{name} in range(low_{name}, high_{name} + 1):"
        yield from self._checks(depth + 1, indent + "    ", "continue")
        yield from self._loop(depth + 1, indent + "    ")

    def _depth(self, names: frozenset[str]) -> int:
        """How many of the choices must be made before the names have values."""
        return max((place + 1 for place, name in enumerate(self._order) if name in names), default=0)

    def _checks(self, depth: int, indent: str, otherwise: str) -> Iterator[str]:
        """What can be asked after so many choices, and not before, and has not narrowed the last of them."""
        name = self._order[depth - 1] if depth else None
        for condition in self._drop.conditions:
            if self._depth(free_names(condition)) == depth:
                yield f"{indent}if not {self._write(condition)}:"
                yield f"{indent}    {otherwise}"
        for one in self._drop.inequalities:
            if self._depth(one.names) == depth and (name is None or one.split(name) is None):
                if one.number is not None and one.number >= 0:
                    continue
                yield f"{indent}if {self._source(one)} < 0:"
                yield f"{indent}    {otherwise}"

    def _narrow(self, name: str, one: Poly, indent: str) -> Iterator[str]:
        """Bounds on the name from ``slope * name + rest >= 0``."""
        found = one.split(name)
        if found is None:
            return
        slope, rest = found[0].number, self._source(found[1])
        if slope == 1:
            yield f"{indent}low_{name} = max(low_{name}, -{rest})"
        elif slope == -1:
            yield f"{indent}high_{name} = min(high_{name}, {rest})"
        elif slope is not None and slope > 0:
            yield f"{indent}low_{name} = max(low_{name}, -({rest} // {slope}))"
        elif slope is not None:
            yield f"{indent}high_{name} = min(high_{name}, {rest} // {-slope})"
        else:
            yield f"{indent}slope, rest = {self._source(found[0])}, {rest}"
            yield f"{indent}if slope > 0:"
            yield f"{indent}    low_{name} = max(low_{name}, -(rest // slope))"
            yield f"{indent}elif slope < 0:"
            yield f"{indent}    high_{name} = min(high_{name}, rest // -slope)"
            yield f"{indent}elif rest < 0:"
            yield f"{indent}    high_{name} = low_{name} - 1"

    def _line(self) -> str:
        steps = [
            f"{self._source(less)} * strides[{place}]"
            for place, (name, less) in enumerate(self._taken.items())
            if name != self._writer.axis and less != Poly()
        ]
        return " + ".join(["line", *steps])

    def _source(self, one: Poly) -> str:
        return self._write(one.expression())

    def _write(self, expr: Expr) -> str:
        return self._writer.write(expr, tuple(self._spans))
