"""Generation of kernels from rulesets: one module per ruleset, the same for all its instances.

A module's functions work on a flat array of the cells of the instance's box. In it the coordinates are in the *order of
play*, and the last one varies fastest. The order is chosen from the text of the moves so that every position comes
after its options. If the text does not show such an order, the order is a guess; a kernel then either finds each option
solved or reports a failure. The functions are:

- ``solve``, if the order of play is that of the coordinates: loops over the ranges of the position space;
- ``extents`` and ``solve_rows``, for any other order. The first marks the positions and finds the ends of each row
  along the last coordinate of the order; the second runs through the rows;
- ``measures`` and ``solve_sorted``, in a module of their own, used if an option was met before it was solved. The first
  marks the positions and computes their measures; the second solves them in the order of the measure.

At a faulty move a kernel stops with (cell, FAILED, …) in the array ``status``; the caller derives the message from the
definition. numba compiles a function at its first call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from grundylab.games.linear_moves import measure_weights
from grundylab.games.model import Move, Ruleset
from grundylab.language.builtins import BUILTINS
from grundylab.language.infinity import INFINITY
from grundylab.language.intervals import ANY, NATURAL, Interval, known_bounds
from grundylab.language.linear import AtomPolynomial, InequalityReader, atom_polynomial
from grundylab.language.numba_source import Emitter
from grundylab.language.substitution import lower
from grundylab.language.syntax import Expr, Int, Name, compare, conjunction
from grundylab.solve.movegen import FAILED, MoveWriter
from grundylab.solve.table import NO_POSITION

UNSOLVED = -2
OK = 0
# The beginning of a module of generated kernels.
IMPORTS = "\n".join(
    [
        "import numba",
        "import numpy as np",
        "",
        "from grundylab.solve.runtime import (",
        "    BUILT_IN, at_most, check_span, from_least, look_up, shift,",
        ")",
        "",
        *(f'{name} = BUILT_IN["{name}"]' for name, row in BUILTINS.items() if row.machine),
        'njit = numba.njit(cache=True, nogil=True, error_model="python")',
    ]
)


@dataclass(frozen=True)
class KernelSource:
    """The source of a kernel.

    tables: the functions whose tables follow the parameters and bounds in ``E``, the kernel's argument with the data of
    an instance. order: the numbers of the coordinates, in the order of play.
    """

    text: str
    tables: tuple[str, ...]
    order: tuple[int, ...]


@lru_cache(maxsize=16)  # a study solves many instances of few rulesets
def kernel_source(ruleset: Ruleset, by_measure: bool = False) -> KernelSource:
    """Return the source of the ruleset's kernel.

    by_measure: return the module that solves in the order of the measure.
    """
    emitter = Emitter(ruleset.functions, ruleset.parameter_names + ruleset.bounds)
    writer = _Writer(ruleset, emitter)
    parts = [writer.measure_of()]
    if by_measure:
        parts += [writer.measures(), writer.solve_sorted()]
    elif writer.direct:
        parts += [writer.solve()]
    else:
        parts += [writer.extents(), writer.solve_rows()]
    text = module_text("from the rules of a game", emitter, parts)
    return KernelSource(text, tuple(emitter.tables), writer.order)


def module_text(origin: str, emitter: Emitter, parts: Sequence[str]) -> str:
    """Return the source of a module that consists of what the emitter has collected, and of these parts.

    origin: the words in the module's docstring that say what it is made from.
    """
    helpers = [f"@njit\n{helper}" for helper in emitter.helpers]
    return "\n\n".join(
        [f'"""Made by grundylab {origin}; do not edit."""', IMPORTS, *emitter.arrays, *helpers, *parts]
    )


class _Writer:
    def __init__(self, ruleset: Ruleset, emitter: Emitter) -> None:
        self._ruleset = ruleset
        self._names = ruleset.coordinate_names
        self.write = emitter.expression
        self._weights = measure_weights(ruleset.measure, self._names)
        self.order = order_of_play(ruleset)
        self.direct = self.order == tuple(range(len(self._names)))

    def measure_of(self) -> str:
        """Return the source of a function for the measure of one position."""
        arguments = ", ".join([*(f"v_{name}" for name in self._names), "E"])
        return f"@njit\ndef measure_of({arguments}):\n    return {self.write(self._ruleset.measure, self._names)}"

    def extents(self) -> str:
        """Return the source of a function that sets positions to UNSOLVED and finds the ends of each row.

        A row runs along the last coordinate of the order of play.
        """
        loops, indent = self._loops()
        last = self.order[-1]
        return "\n".join([
            "@njit",
            "def extents(values, starts, stops, rows, E, lows, highs, strides):",
            *self._box(), *loops,
            f"{indent}values[{self._cell()}] = {UNSOLVED}",
            f"{indent}row = {self._row()}",
            f"{indent}if starts[row] > v_{self._names[last]}:",
            f"{indent}    starts[row] = v_{self._names[last]}",
            f"{indent}if stops[row] <= v_{self._names[last]}:",
            f"{indent}    stops[row] = v_{self._names[last]} + 1",
        ])  # fmt: skip

    def measures(self) -> str:
        """Return the source of a function that sets positions to UNSOLVED and computes their measures."""
        loops, indent = self._loops()
        return "\n".join([
            "@njit",
            "def measures(values, result, E, lows, highs, strides):",
            *self._box(), *loops,
            f"{indent}values[{self._cell()}] = {UNSOLVED}",
            f"{indent}result[{self._cell()}] = measure_of({self._position()}, E)",
        ])  # fmt: skip

    def solve(self) -> str:
        """Return the source of a function that solves the positions whose first coordinate is in begin..end - 1.

        The function loops over the ranges of the position space.
        """
        loops, indent = self._loops("max(begin, {low})", "min(end, {high} + 1)")
        return "\n".join([
            "@njit",
            "def solve(values, begin, end, E, lows, highs, strides, grundy, status):",
            *self._box(), *self._start(), *loops,
            f"{indent}cell = {self._cell()}",
            *self._solve_cell(indent),
        ])  # fmt: skip

    def solve_rows(self) -> str:
        """Return the source of a function that solves row by row.

        Its rows are those in which the first coordinate of the order of play is in begin..end - 1.
        """
        first, *middle, last = self.order
        lines = [
            "@njit",
            "def solve_rows(values, starts, stops, rows, begin, end, "
            "E, lows, highs, strides, grundy, status):",
            *self._box(), *self._start(),
        ]  # fmt: skip
        indent = "    "
        for place in (first, *middle):
            ends = "begin, end" if place == first else f"low_{place}, high_{place} + 1"
            lines.append(f"{indent}for v_{self._names[place]} in range({ends}):")
            indent += "    "
        lines += [
            f"{indent}row = {self._row()}",
            f"{indent}for v_{self._names[last]} in range(starts[row], stops[row]):",
            f"{indent}    cell = {self._cell()}",
            f"{indent}    if values[cell] == {UNSOLVED}:",
            *self._solve_cell(indent + "        "),
        ]
        return "\n".join(lines)

    def solve_sorted(self) -> str:
        """Return the source of a function that solves the cells order[begin:end], one after another."""
        return "\n".join([
            "@njit",
            "def solve_sorted(values, order, begin, end, E, lows, highs, strides, grundy, status):",
            *self._box(), *self._start(),
            "    for step in range(begin, end):",
            "        cell = order[step]",
            f"        if values[cell] != {NO_POSITION}:",
            *(f"            v_{name} = cell // stride_{place} % (high_{place} - low_{place} + 1) + low_{place}"
              for place, name in enumerate(self._names)),
            *self._solve_cell("            "),
        ])  # fmt: skip

    def _start(self) -> Iterator[str]:
        # status[2] is a power of two above all values found so far, so their nim-sums are below it, too
        yield "    size = status[2]"
        yield "    seen = np.zeros(size + 3, dtype=np.int32)  # at value + 2: when an option last had the value"
        yield "    stamp = 0"

    def _solve_cell(self, indent: str) -> Iterator[str]:
        """Yield the code that computes the value of ``cell``, when the variables of its coordinates are set."""
        yield f"{indent}status[0] = cell"
        yield f"{indent}stamp += 1"
        yield f"{indent}if stamp == 2147483647:"
        yield f"{indent}    stamp = 1"
        yield f"{indent}    seen[:] = 0"
        if self._weights is None or min(self._weights.values(), default=0) < 0:
            yield f"{indent}measure = measure_of({self._position()}, E)"
            yield f"{indent}if measure < 0:"
            yield f"{indent}    status[1] = {FAILED}"
            yield f"{indent}    return"
        yield from MoveWriter(self._ruleset, self._weights, self.write).moves(indent)
        yield f"{indent}if grundy:"
        yield f"{indent}    value = 0"
        yield f"{indent}    while seen[np.uint64(value + 2)] == stamp:"
        yield f"{indent}        value += 1"
        yield f"{indent}    values[cell] = value"
        yield f"{indent}    if value >= size:"
        yield f"{indent}        size = status[2] = 2 * size"
        yield f"{indent}        seen = np.zeros(size + 3, dtype=np.int32)"
        yield f"{indent}else:"
        if self._ruleset.play == "misere":
            yield f"{indent}    values[cell] = 1 if seen[2] == stamp or options == 0 else 0"
        else:
            yield f"{indent}    values[cell] = 1 if seen[2] == stamp else 0"

    def _loops(self, begin: str = "{low}", end: str = "{high} + 1") -> tuple[list[str], str]:
        """Return the code of loops over the position space, and the indent of the code inside them.

        begin, end: the first coordinate's range, as templates that may contain {low} and {high}.
        """
        lines, indent = [], "    "
        for number, coordinate in enumerate(self._ruleset.coordinates):
            low = self.write(coordinate.range.low, self._names[:number])
            high = self.write(coordinate.range.high, self._names[:number])
            first, stop = (begin, end) if number == 0 else ("{low}", "{high} + 1")
            ends = f"{first.format(low=low)}, {stop.format(high=high)}"
            lines.append(f"{indent}for v_{coordinate.name} in range({ends}):")
            indent += "    "
        where = self.write(self._ruleset.where, self._names)
        return ([*lines, f"{indent}if {where}:"], indent + "    ") if where != "True" else (lines, indent)

    def _position(self) -> str:
        return ", ".join(f"v_{name}" for name in self._names)

    def _cell(self) -> str:
        return " + ".join(
            f"(v_{name} - low_{place}) * stride_{place}" for place, name in enumerate(self._names)
        )

    def _row(self) -> str:
        """Return code for the number of the position's row, along the last coordinate of the order of play."""
        steps = (f"(v_{self._names[place]} - low_{place}) * rows[{place}]" for place in self.order[:-1])
        return " + ".join(steps) or "0"

    def _box(self) -> Iterator[str]:
        """Yield code that assigns the ends and the strides of the box to variables."""
        for place in range(len(self._names)):
            yield f"    low_{place} = lows[{place}]"
            yield f"    high_{place} = highs[{place}]"
            yield f"    stride_{place} = strides[{place}]"


LOWERS, KEEPS, MAY_RAISE = -1, 0, 1  # effects of a move on a coordinate; KEEPS: it is not raised


def order_of_play(ruleset: Ruleset) -> tuple[int, ...]:
    """Return the numbers of the coordinates, outermost loop first.

    In a suitable order, every option comes before its position. The ruleset's own order is returned if the moves show
    that it is suitable; else another order that is; else the ruleset's order, as a guess.
    """
    places = tuple(range(len(ruleset.coordinates)))
    left = [_changes(move, part, ruleset) for move in ruleset.moves for part in move.parts]
    firsts = [next((change for change in changes if change != KEEPS), LOWERS) for changes in left]
    if all(change == LOWERS for change in firsts):
        return places
    chosen: list[int] = []
    while len(chosen) < len(places):
        free = [p for p in places if p not in chosen and all(changes[p] != MAY_RAISE for changes in left)]
        if not free:
            return places
        place = min(free, key=lambda place: (not has_constant_ends(ruleset, place), place))
        chosen.append(place)
        left = [changes for changes in left if changes[place] != LOWERS]
    return tuple(chosen)


def has_constant_ends(ruleset: Ruleset, place: int) -> bool:
    """Tell whether the coordinate's range has constant ends, as the 0..1 of a pass has.

    Such a short range suits no innermost loop.
    """
    ends = ruleset.coordinates[place].range
    return isinstance(ends.low, Int) and isinstance(ends.high, Int)


def _changes(move: Move, part: tuple[Expr, ...], ruleset: Ruleset) -> tuple[int, ...]:
    """Return the effect of the move on each coordinate: LOWERS, KEEPS or MAY_RAISE.

    The effects are derived from the ranges of the choices alone.
    """
    spans = dict.fromkeys(ruleset.coordinate_names, NATURAL)
    spans |= dict.fromkeys((*ruleset.parameter_names, *ruleset.bounds), ANY)
    ranges = []
    for choice in move.choices:
        least = known_bounds(choice.range.low, spans, ruleset.functions)
        spans[choice.name] = Interval(least.low if least else -INFINITY, INFINITY)
        ranges += [
            compare("<=", choice.range.low, Name(choice.name)),
            compare("<=", Name(choice.name), choice.range.high),
        ]
    reader = InequalityReader(spans, ruleset.functions)
    given, _ = reader.conditions(conjunction(*ranges))

    def change(name: str, value: Expr) -> int:
        less = atom_polynomial(Name(name)) - atom_polynomial(lower(value))
        if less != AtomPolynomial() and reader.follows(less - 1, given):
            return LOWERS
        return KEEPS if reader.follows(less, given) else MAY_RAISE

    return tuple(map(change, ruleset.coordinate_names, part))
