"""Generation of the part of a kernel that runs through the options of one position.

For each option the code writes the position's stamp into the array ``seen``, at the option's value + 2. Cells that are
not solved yet, and cells outside the space, have the values -2 and -1. So they appear in the first two entries of
``seen`` and need no test for each option. Work that does not change along the innermost loop is done before it:
conditions that always have a value, and the tests that options lie in the box and lower the measure. These tests need
only the two ends of the loop where they are linear along it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grundylab.games.model import Move, Ranged, Ruleset
from grundylab.language.intervals import is_total
from grundylab.language.linear import linear_dependence
from grundylab.language.syntax import (
    MIRRORED,
    TRUE,
    Binary,
    Compare,
    Expr,
    Int,
    Logic,
    Name,
    free_names,
    negative,
)

FAILED = 1
ExpressionWriter = Callable[[Expr, Sequence[str]], str]


@dataclass(frozen=True)
class Guard:
    """The parts of a move's condition, in the places where a kernel tests them.

    before: for each loop over a choice the conditions tested before it, and as the last entry those tested inside all
    loops. clips: pairs (factor, room); each limits the last choice by ``factor * choice <= room``.
    """

    before: tuple[tuple[Expr, ...], ...]
    clips: tuple[tuple[Expr, Expr], ...]


def split_guard(move: Move, ruleset: Ruleset) -> Guard:
    """Split the condition of a move into a guard.

    A part that always has a value is tested as soon as its names are known. But it is not tested before another part,
    or an end of a loop, that may have no value: the definition would evaluate that first and raise an error.
    """
    names = [choice.name for choice in move.choices]
    least = 0  # the number of loops that must enclose every test
    for depth, choice in enumerate(move.choices, 1):
        if not all(is_total(end, ruleset.functions) for end in choice.ends):
            least = depth
    before: list[list[Expr]] = [[] for _ in range(len(names) + 1)]
    clips: list[tuple[Expr, Expr]] = []
    early = True
    for part in _conjuncts(move.when, ruleset):
        early = early and is_total(part, ruleset.functions)
        least = least if early else len(names)
        depth_needed = max(
            [least, *(depth for depth, name in enumerate(names, 1) if name in free_names(part))]
        )
        clip = _clips(part, names[-1]) if names and early else None
        if clip is None:
            before[depth_needed].append(part)
        else:
            clips += clip
    return Guard(tuple(map(tuple, before)), tuple(clips))


def _conjuncts(condition: Expr, ruleset: Ruleset) -> Iterator[Expr]:
    """Yield conditions whose conjunction is ``condition``; a chain a < b < c is split only if it always has a value."""
    if isinstance(condition, Logic) and condition.op == "and":
        for term in condition.terms:
            yield from _conjuncts(term, ruleset)
    elif isinstance(condition, Compare) and is_total(condition, ruleset.functions):
        for op, left, right in condition.links:
            yield Compare((op,), (left, right))
    elif condition != TRUE:
        yield condition


def _clips(condition: Expr, name: str) -> list[tuple[Expr, Expr]] | None:
    """Return the comparison as pairs (factor, room) with factor * name <= room; None if it has another form."""
    if not isinstance(condition, Compare) or name not in free_names(condition):
        return None
    ((op, left, right),) = condition.links
    if name in free_names(left) and name in free_names(right):
        return None
    if name in free_names(right):
        left, right, op = right, left, MIRRORED[op]
    line = linear_dependence(left, name)
    if line is None or op == "!=":
        return None
    factor, rest = line
    room: Expr = Binary("-", right, rest)
    at_most, at_least = (factor, room), (negative(factor), negative(room))
    if op == "==":
        return [at_most, at_least]
    factor, most = at_most if op in ("<", "<=") else at_least
    return [(factor, most if op.endswith("=") else Binary("-", most, Int(1)))]


class MoveWriter:
    """A writer of the code for the moves of a ruleset.

    weights: the factors of the coordinates in the measure, or None if it is no weighted sum. write: returns the code of
    an expression; its second argument lists the coordinates and choices that are variables there.
    """

    def __init__(self, ruleset: Ruleset, weights: Mapping[str, int] | None, write: ExpressionWriter) -> None:
        self._ruleset = ruleset
        self._names = ruleset.coordinate_names
        self._weights = weights
        self._write_in = write
        passes = any(move.a_pass for move in ruleset.moves)
        self._counts = passes or ruleset.play == "misere"

    def moves(self, indent: str) -> Iterator[str]:
        """Yield code that stamps the values of a position's options in ``seen``, passes last.

        The code returns at a faulty move.
        """
        if self._counts:
            yield f"{indent}options = 0"
        if self._ruleset.splits:
            yield f"{indent}fault = 0"
        for move in sorted(self._ruleset.moves, key=lambda move: move.a_pass):
            yield f"{indent}# {' '.join(move.name.split())}"
            if move.a_pass:
                yield f"{indent}if options > 0:"
            yield from self._move(move, indent + "    " * move.a_pass)
        unsolved = "seen[0] == stamp or seen[1] == stamp" + " or fault < 0" * self._ruleset.splits
        yield from self._fail(unsolved, indent)

    def _write(self, expr: Expr, *choices: str) -> str:
        return self._write_in(expr, (*self._names, *choices))

    def _fail(self, condition: str, indent: str) -> Iterator[str]:
        yield f"{indent}if {condition}:"
        yield f"{indent}    status[1] = {FAILED}"
        yield f"{indent}    return"

    def _move(self, move: Move, indent: str) -> Iterator[str]:
        guard = split_guard(move, self._ruleset)
        chosen: tuple[str, ...] = ()
        for choice, tests in zip(move.choices, guard.before, strict=False):
            indent = yield from self._test(tests, chosen, indent)
            if choice is move.choices[-1]:
                yield from self._innermost(move, choice, guard, chosen, indent)
                return
            low, high = self._ends(choice, chosen)
            chosen = (*chosen, choice.name)
            yield f"{indent}for v_{choice.name} in range({low}, {high} + 1):"
            indent += "    "
        indent = yield from self._test(guard.before[-1], chosen, indent)
        yield from self._option(move, chosen, indent, range(len(self._names)))

    def _test(
        self, conditions: Sequence[Expr], chosen: tuple[str, ...], indent: str
    ) -> Generator[str, None, str]:
        """Yield one line that tests the conditions; return the indent of the code that depends on them."""
        if not conditions:
            return indent
        yield f"{indent}if {' and '.join(self._write(condition, *chosen) for condition in conditions)}:"
        return indent + "    "

    def _ends(self, choice: Ranged, chosen: tuple[str, ...]) -> tuple[str, str]:
        return self._write(choice.range.low, *chosen), self._write(choice.range.high, *chosen)

    def _innermost(
        self, move: Move, choice: Ranged, guard: Guard, chosen: tuple[str, ...], indent: str
    ) -> Iterator[str]:
        """Yield the code for the last loop over choices."""
        low, high = self._ends(choice, chosen)
        yield f"{indent}first, last = {low}, {high}"
        for factor, room in guard.clips:
            limit = f"{self._write(factor, *chosen)}, {self._write(room, *chosen)}"
            yield f"{indent}first, last = at_most(first, last, {limit})"
        yield f"{indent}if first <= last:"
        inside = (*chosen, choice.name)
        indent += "    "
        if guard.before[-1] or self._weights is None:
            yield f"{indent}for v_{choice.name} in range(first, last + 1):"
            indent = yield from self._test(guard.before[-1], inside, indent + "    ")
            yield from self._option(move, inside, indent, range(len(self._names)))
            return
        slopes = [
            {place: linear_dependence(part[place], choice.name) for place in self._changed(part)}
            for part in move.parts
        ]
        for end in ("first", "last"):
            yield f"{indent}v_{choice.name} = {end}"
            for part, lines in zip(move.parts, slopes, strict=True):
                straight = [place for place in lines if lines[place] is not None]
                yield from self._check_box(part, inside, indent, straight)
                if len(straight) == len(lines):
                    yield from self._check_measure(part, inside, indent, straight)
        if all(line is not None for lines in slopes for line in lines.values()):
            yield from self._line(move, choice, slopes, inside, indent)
        else:
            rest = [place for lines in slopes for place in lines if lines[place] is None]
            yield f"{indent}for v_{choice.name} in range(first, last + 1):"
            yield from self._option(move, inside, indent + "    ", rest)

    def _line(
        self,
        move: Move,
        choice: Ranged,
        slopes: list[dict[int, tuple[Expr, Expr] | None]],
        inside: tuple[str, ...],
        indent: str,
    ) -> Iterator[str]:
        """Yield code for options whose cells are equal steps apart and known to be in the box.

        slopes: for each part of the option, a mapping from the number of each changed coordinate to (factor, rest); the
        coordinate's new value is factor * choice + rest.
        """
        yield f"{indent}v_{choice.name} = first"
        for number, (part, lines) in enumerate(zip(move.parts, slopes, strict=True)):
            yield f"{indent}at_{number} = {self._place(part, inside, ())}"
            steps = [
                f"{self._write(line[0], *inside)} * stride_{place}"
                for place, line in lines.items()
                if line is not None and line[0] != Int(0)
            ]
            yield f"{indent}step_{number} = {' + '.join(steps) or '0'}"
        if self._counts:
            yield f"{indent}options += last - first + 1"
        yield f"{indent}for _ in range(last - first + 1):"
        yield from self._stamp(len(move.parts), indent + "    ")
        for number in range(len(move.parts)):
            yield f"{indent}    at_{number} += step_{number}"

    def _option(
        self, move: Move, chosen: tuple[str, ...], indent: str, checked: Sequence[int]
    ) -> Iterator[str]:
        """Yield code for one option.

        checked: the numbers of the coordinates that the code must still test to be in the box.
        """
        for number, part in enumerate(move.parts):
            yield from self._check_box(part, chosen, indent, checked)
            yield from self._check_measure(part, chosen, indent, checked)
            yield f"{indent}at_{number} = {self._place(part, chosen, checked)}"
        if self._counts:
            yield f"{indent}options += 1"
        yield from self._stamp(len(move.parts), indent)

    def _stamp(self, parts: int, indent: str) -> Iterator[str]:
        """Yield code that stamps the value in the cell ``at_0``, or the nim-sum of the values in all parts' cells."""
        if parts == 1:
            yield f"{indent}seen[np.uint64(values[np.uint64(at_0)] + 2)] = stamp"
            return
        for number in range(parts):
            yield f"{indent}value_{number} = values[np.uint64(at_{number})]"
        names = [f"value_{number}" for number in range(parts)]
        yield f"{indent}fault |= {' | '.join(names)}"
        yield f"{indent}seen[np.uint64((({' ^ '.join(names)}) & (size - 1)) + 2)] = stamp"

    def _check_box(
        self, part: tuple[Expr, ...], chosen: tuple[str, ...], indent: str, places: Sequence[int]
    ) -> Iterator[str]:
        """Yield code that fails if a coordinate of the position ``part`` lies outside the box.

        Of the coordinates with the numbers ``places``, those that the move changes are tested.
        """
        for place in self._changed(part):
            if place in places:
                yield f"{indent}u_{place} = {self._write(part[place], *chosen)}"
                yield from self._fail(f"u_{place} < low_{place} or u_{place} > high_{place}", indent)

    def _check_measure(
        self, part: tuple[Expr, ...], chosen: tuple[str, ...], indent: str, checked: Sequence[int]
    ) -> Iterator[str]:
        """Yield code that fails unless the part has a smaller measure than the position."""
        new = {place: self._value(part, place, chosen, checked) for place in self._changed(part)}
        if self._weights is None:
            arguments = (new.get(place, f"v_{name}") for place, name in enumerate(self._names))
            yield from self._fail(f"measure_of({', '.join(arguments)}, E) >= measure", indent)
            return
        terms = [
            f"{self._weights.get(self._names[place], 0)} * ({value} - v_{self._names[place]})"
            for place, value in new.items()
        ]
        yield from self._fail(f"{' + '.join(terms) or 0} >= 0", indent)

    def _place(self, part: tuple[Expr, ...], chosen: tuple[str, ...], checked: Sequence[int]) -> str:
        """Return code, an expression, for the number of the cell of the position ``part``."""
        steps = [
            f"({self._value(part, place, chosen, checked)} - v_{self._names[place]}) * stride_{place}"
            for place in self._changed(part)
        ]
        return " + ".join(["cell", *steps])

    def _value(
        self, part: tuple[Expr, ...], place: int, chosen: tuple[str, ...], checked: Sequence[int]
    ) -> str:
        """Return code for the value of the coordinate number ``place`` in the position ``part``.

        If that coordinate is in ``checked``, the code is the variable ``u_`` with this number, which holds the value.
        """
        return f"u_{place}" if place in checked else self._write(part[place], *chosen)

    def _changed(self, part: tuple[Expr, ...]) -> list[int]:
        """Return the numbers of the coordinates that the part changes."""
        return [place for place, value in enumerate(part) if value != Name(self._names[place])]
