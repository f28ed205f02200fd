"""From a ruleset to the source of its kernel: one module per ruleset, the same for all its instances.

The module has three functions over flat arrays of the instance's box, cells in lexicographic order:
``mark(values, E, lows, widths)`` tells positions from other cells, ``measures(values, result, …)`` computes the
measure, and ``solve(values, order, start, stop, …)`` fills in the values, for some steps of the order. What is wrong
with a move is left in ``status`` as (cell, code, and the length of a buffer); the message is made by the caller
from the definition.
"""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.formula.compiled import Emitter
from grundylab.formula.syntax import Binary, Expr, Name, free_names
from grundylab.rulesets.model import Choice, Move, Ruleset
from grundylab.rulesets.takes import weights
from grundylab.solving.table import NO_POSITION

UNSOLVED = -2
OK, LEAVES_SPACE, NOT_LOWER, NOT_SOLVED_YET, BAD_MEASURE = 0, 1, 2, 3, 4

_HEAD = '''"""Made by grundylab from the ruleset with hash {hash}; do not edit."""
import numba
import numpy as np

from grundylab.solving.runtime import (
    check_span, divide, floor_log2, is_power_of_two, isqrt, look_up, modulo, shift_left, shift_right,
)

njit = numba.njit(cache=True, nogil=True, error_model="python")
'''


def kernel_source(ruleset: Ruleset) -> tuple[str, tuple[str, ...]]:
    """The module's source, and the recurrences whose tables follow the constants in ``E``."""
    emitter = Emitter(ruleset.functions, constants(ruleset))
    writer = _Writer(ruleset, emitter)
    parts = [writer.measure_of(), writer.mark(), writer.measures(), writer.solve()]
    helpers = [f"@njit\n{helper}" for helper in emitter.helpers]
    text = "\n\n".join([_HEAD.format(hash=ruleset.hash), *emitter.arrays, *helpers, *parts])
    return text, tuple(emitter.tables)


def constants(ruleset: Ruleset) -> tuple[str, ...]:
    """The names at the beginning of ``E``: parameters, then bounds."""
    return ruleset.parameter_names + ruleset.bounds


class _Writer:
    def __init__(self, ruleset: Ruleset, emitter: Emitter) -> None:
        self._ruleset = ruleset
        self._emitter = emitter
        self._names = ruleset.coordinate_names

    def _write(self, expr: Expr, *choices: str) -> str:
        return self._emitter.expression(expr, (*self._names, *choices))

    def measure_of(self) -> str:
        """The measure of one position."""
        arguments = ", ".join([*(f"v_{name}" for name in self._names), "E"])
        return f"@njit\ndef measure_of({arguments}):\n    return {self._write(self._ruleset.measure)}"

    def mark(self) -> str:
        """Cells of the box that are positions become UNSOLVED, the others NO_POSITION."""
        lines = ["@njit", "def mark(values, E, lows, widths):", f"    values[:] = {NO_POSITION}"]
        indent = "    "
        for number, coordinate in enumerate(self._ruleset.coordinates):
            ends = (coordinate.range.low, coordinate.range.high)
            low, high = (self._emitter.expression(end, self._names[:number]) for end in ends)
            lines.append(f"{indent}for v_{coordinate.name} in range({low}, {high} + 1):")
            indent += "    "
        lines += [f"{indent}if {self._write(self._ruleset.where)}:", f"{indent}    cell = 0"]
        for place, name in enumerate(self._names):
            lines.append(f"{indent}    cell = cell * widths[{place}] + v_{name} - lows[{place}]")
        lines.append(f"{indent}    values[cell] = {UNSOLVED}")
        return "\n".join(lines)

    def measures(self) -> str:
        """The measure of every position, 0 elsewhere."""
        lines = [
            "@njit",
            "def measures(values, result, E, lows, widths):",
            "    for cell in range(len(values)):",
        ]
        lines += [
            "        result[cell] = 0",
            f"        if values[cell] == {NO_POSITION}:",
            "            continue",
        ]
        lines += self._decode("        ")
        lines.append(
            f"        result[cell] = measure_of({', '.join(f'v_{name}' for name in self._names)}, E)"
        )
        return "\n".join(lines)

    def solve(self) -> str:
        """The values in the given order (or the cells' own, for an empty one)."""
        lines = [
            "@njit",
            "def solve(values, order, start, stop, E, lows, widths, grundy, misere, status):",
            # status[2] is a power of two above all values found so far, and so above their nim-sums
            "    seen = np.zeros(status[2], dtype=np.int64)",
            "    in_order = len(order) == 0",
            *self._box(),
            "    for step in range(start, stop):",
            "        cell = step if in_order else order[step]",
            f"        if values[cell] == {NO_POSITION}:",
            "            continue",
            "        status[0] = cell",
            "        stamp = step + 1",
            "        options = 0",
            "        p_option = False",
            *self._decode("        "),
            f"        measure = measure_of({', '.join(f'v_{name}' for name in self._names)}, E)",
        ]
        lines += ["        if measure < 0:", f"            status[1] = {BAD_MEASURE}", "            return"]
        for move in sorted(self._ruleset.moves, key=lambda move: move.a_pass):
            lines += self._move(move)
        lines += [
            "        if not grundy:",
            "            if misere:",
            "                values[cell] = 1 if p_option or options == 0 else 0",
            "            else:",
            "                values[cell] = 1 if p_option else 0",
            "            continue",
            "        value = 0",
            "        while value < len(seen) and seen[value] == stamp:",
            "            value += 1",
            "        values[cell] = value",
            "        if value >= len(seen):",
            "            status[2] *= 2",
            "            seen = np.zeros(status[2], dtype=np.int64)",
        ]
        return "\n".join(lines)

    def _box(self) -> Iterator[str]:
        """The box as numbers of their own."""
        stride = "1"
        for place in reversed(range(len(self._names))):
            yield f"    low_{place} = lows[{place}]"
            yield f"    high_{place} = lows[{place}] + widths[{place}] - 1"
            yield f"    stride_{place} = {stride}"
            stride = f"stride_{place} * widths[{place}]"

    def _decode(self, indent: str) -> Iterator[str]:
        """The coordinates of ``cell``; the last one runs fastest."""
        yield f"{indent}rest = cell"
        for place in reversed(range(len(self._names))):
            yield f"{indent}v_{self._names[place]} = rest % widths[{place}] + lows[{place}]"
            yield f"{indent}rest //= widths[{place}]"

    def _move(self, move: Move) -> Iterator[str]:
        yield f"        # {' '.join(move.name.split())}"
        indent = "        "
        if move.a_pass:
            yield f"{indent}if options > 0:"
            indent += "    "
        *outer, inner = move.choices or (None,)
        chosen: tuple[str, ...] = ()
        for choice in outer:
            low, high = self._ends(choice, chosen)
            chosen = (*chosen, choice.name)
            yield f"{indent}for v_{choice.name} in range({low}, {high} + 1):"
            indent += "    "
        if inner is None:
            yield f"{indent}if {self._write(move.when, *chosen)}:"
            yield from self._options(move, chosen, indent + "    ", checked=False)
        elif self._linear(move, inner.name):
            yield from self._line(move, inner, chosen, indent)
        else:
            low, high = self._ends(inner, chosen)
            yield f"{indent}for v_{inner.name} in range({low}, {high} + 1):"
            yield f"{indent}    if {self._write(move.when, *chosen, inner.name)}:"
            yield from self._options(move, (*chosen, inner.name), indent + " " * 8, checked=False)

    def _ends(self, choice: Choice, chosen: tuple[str, ...]) -> tuple[str, str]:
        return self._write(choice.range.low, *chosen), self._write(choice.range.high, *chosen)

    def _linear(self, move: Move, choice: str) -> bool:
        """Whether all that the choice decides is by how much coordinates differ, so that its ends tell of all
        values."""
        if choice in free_names(move.when) or weights(self._ruleset.measure, self._names) is None:
            return False
        return all(_linear_in(value, choice) for part in move.parts for value in part)

    def _line(self, move: Move, inner: Choice, chosen: tuple[str, ...], indent: str) -> Iterator[str]:
        """The moves of all values of the last choice, which are smaller positions if those of its ends are in the
        box."""
        low, high = self._ends(inner, chosen)
        yield f"{indent}first, last = {low}, {high}"
        yield f"{indent}if first <= last and {self._write(move.when, *chosen)}:"
        indent, chosen = indent + "    ", (*chosen, inner.name)
        for end in ("first", "last"):
            yield f"{indent}v_{inner.name} = {end}"
            for part in move.parts:
                yield from self._check(part, chosen, indent)
        yield f"{indent}for v_{inner.name} in range(first, last + 1):"
        yield from self._options(move, chosen, indent + "    ", checked=True)

    def _options(self, move: Move, chosen: tuple[str, ...], indent: str, checked: bool) -> Iterator[str]:
        """The value of one option. checked: it is known that it is in the box and has a smaller measure."""
        if len(move.parts) != 1:
            yield f"{indent}reached = 0"
        for part in move.parts:
            if not checked:
                yield from self._check(part, chosen, indent)
            yield from self._part(part, chosen, indent, alone=len(move.parts) == 1)
        yield f"{indent}options += 1"
        yield f"{indent}p_option |= reached == 0"
        yield f"{indent}if grundy:"
        yield f"{indent}    seen[reached] = stamp"

    def _check(self, part: tuple[Expr, ...], chosen: tuple[str, ...], indent: str) -> Iterator[str]:
        """That the part lies in the box and has a smaller measure."""
        changed = self._changed(part)
        for place in changed:
            yield f"{indent}u_{place} = {self._write(part[place], *chosen)}"
            yield f"{indent}if u_{place} < low_{place} or u_{place} > high_{place}:"
            yield f"{indent}    status[1] = {LEAVES_SPACE}"
            yield f"{indent}    return"
        yield f"{indent}if not ({self._lower(changed)}):"
        yield f"{indent}    status[1] = {NOT_LOWER}"
        yield f"{indent}    return"

    def _part(
        self, part: tuple[Expr, ...], chosen: tuple[str, ...], indent: str, alone: bool
    ) -> Iterator[str]:
        """``reached`` becomes the value of the part, or their nim-sum, after checking that it is a solved
        position."""
        steps = [
            f"({self._write(part[place], *chosen)} - v_{self._names[place]}) * stride_{place}"
            for place in self._changed(part)
        ]
        yield f"{indent}value = values[{' + '.join(['cell', *steps])}]"
        yield f"{indent}if value < 0:"
        yield f"{indent}    status[1] = {LEAVES_SPACE} if value == {NO_POSITION} else {NOT_SOLVED_YET}"
        yield f"{indent}    return"
        yield f"{indent}reached = value" if alone else f"{indent}reached ^= value"

    def _changed(self, part: tuple[Expr, ...]) -> list[int]:
        """The places of the coordinates that are not left as they are."""
        return [place for place, value in enumerate(part) if value != Name(self._names[place])]

    def _lower(self, changed: list[int]) -> str:
        """The condition that the part, of which these coordinates differ, has a smaller measure."""
        weight = weights(self._ruleset.measure, self._names)
        if weight is None:
            arguments = (
                f"u_{place}" if place in changed else f"v_{name}" for place, name in enumerate(self._names)
            )
            return f"measure_of({', '.join(arguments)}, E) < measure"
        terms = [
            f"{weight.get(self._names[place], 0)} * (u_{place} - v_{self._names[place]})" for place in changed
        ]
        return f"{' + '.join(terms) or 0} < 0"


def _linear_in(expr: Expr, name: str) -> bool:
    """Whether the expression is a sum of the name, once or not at all or with a minus, and what is without it."""
    if name not in free_names(expr) or expr == Name(name):
        return True
    return (
        isinstance(expr, Binary) and expr.op in "+-" and all(_linear_in(part, name) for part in expr.children)
    )
