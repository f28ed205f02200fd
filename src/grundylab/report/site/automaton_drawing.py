"""Drawings of small automata as SVG; a state's column is the least number of digits that lead to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import hypot

from markupsafe import Markup

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.systems import symbol_digits
from grundylab.report.templates import page_environment

LARGEST = 12  # the most states of an automaton that is drawn
_RADIUS, _ACROSS, _DOWN, _MARGIN = 18, 130, 92, 48
_LABEL = 0.36  # a label's place along its curve, from 0 to 1: nearer to the start, since many edges meet at their ends
_LETTER = 7  # the width of a letter of a label
_BEND = 26  # the unit by which edges bend away from the straight line

DrawingPoint = tuple[float, float]


def automaton_svg(automaton: DigitAutomaton, title: str) -> Markup | None:
    """Return the automaton as SVG, or None if it has more than LARGEST states.

    A transition's label shows the digits that it reads, one of each number, in the numbers' order. The dead state, from
    which nothing is accepted, is not drawn.
    """
    if len(automaton.rows) > LARGEST:
        return None
    places = _layout(automaton)
    edges = [
        (*_curve(places, source, target, source in automaton.rows[target]), label)
        for (source, target), label in _edges(automaton).items()
    ]
    ends = [*places.values(), *((x + _LETTER * len(label) / 2 - _RADIUS, y) for _, (x, y), label in edges)]
    width = max(x for x, _ in ends) + _MARGIN + _RADIUS
    height = max(y for _, y in ends) + _MARGIN + _RADIUS
    states = [(state, *place, automaton.accepting[state]) for state, place in places.items()]
    template = page_environment().get_template("automaton.svg.j2")
    return Markup(
        template.render(
            title=title, width=round(width), height=round(height), radius=_RADIUS, edges=edges, states=states
        )
    )


def automaton_text(automaton: DigitAutomaton, names: Sequence[str]) -> str:
    """Return the automaton in words, for readers who cannot see the drawing. names: of the numbers that it reads."""
    reads = " and ".join(names) if len(names) < 3 else ", ".join(names)
    accepting = [str(state) for state, accepts in enumerate(automaton.accepting) if accepts]
    moves = "; ".join(
        f"from {source} by {label} to {target}" for (source, target), label in _edges(automaton).items()
    )
    good = ", ".join(accepting) or "none"
    return f"It reads the {automaton.system.words} of {reads}, lowest first, from state 0. Accepting: {good}. {moves}."


def _edges(automaton: DigitAutomaton) -> Mapping[tuple[int, int], str]:
    """Return a label for each pair (source, target) of states with transitions, except those to the dead state.

    In a label such as ``0*, 11`` a star stands for any digit.
    """
    found: dict[tuple[int, int], list[str]] = defaultdict(list)
    for source, row in enumerate(automaton.rows):
        for symbol, target in enumerate(row):
            if target != DEAD:
                places = reversed(range(automaton.arity))
                digits = [
                    symbol_digits(automaton.system.base, automaton.arity, place)[symbol] for place in places
                ]
                found[source, target].append("".join(f"{digit:x}" for digit in digits))
    return {edge: ", ".join(_abbreviate(symbols, automaton.system.base)) for edge, symbols in found.items()}


def _abbreviate(symbols: Sequence[str], base: int) -> list[str]:
    """Return the symbols, shortened: those that differ in one digit become one with a star if all its values occur."""
    found = sorted(set(symbols))
    for place in range(len(symbols[0])):
        merged: dict[tuple[str, str], list[str]] = defaultdict(list)
        for symbol in found:
            merged[symbol[:place], symbol[place + 1 :]].append(symbol)
        groups = (
            [f"{head}*{tail}"] if len(group) == base else group for (head, tail), group in merged.items()
        )
        found = [symbol for group in groups for symbol in group]
    return sorted(found)


def _layout(automaton: DigitAutomaton) -> dict[int, DrawingPoint]:
    """Return the place of each state except the dead one.

    The column is the least number of digits that lead to the state; in each column the states are placed from above.
    """
    depth, queue = {0: 0}, [0]
    for state in queue:  # the queue grows in the loop
        for target in automaton.rows[state]:
            if target != DEAD and target not in depth:
                depth[target] = depth[state] + 1
                queue.append(target)
    columns: dict[int, list[int]] = defaultdict(list)
    for state in queue:
        columns[depth[state]].append(state)
    most = max(map(len, columns.values()))
    places = {}
    for column, states in columns.items():
        top = (most - len(states)) / 2
        for row, state in enumerate(states):
            # every other column is a little lower, so that fewer edges run through states
            shift = 0.18 * _DOWN * (column % 2) if most > 1 else 0.0
            places[state] = (_MARGIN + 40.0 + _ACROSS * column, _MARGIN + 22.0 + _DOWN * (top + row) + shift)
    return places


def _curve(
    places: Mapping[int, DrawingPoint], source: int, target: int, back: bool
) -> tuple[str, DrawingPoint]:
    """Return an SVG path from a state to another or to itself, and the place of its label.

    The path leads from centre to centre; the states are drawn over its ends. back: whether there is also an edge in the
    other direction.
    """
    (x1, y1), (x2, y2) = places[source], places[target]
    if source == target:
        return (
            f"M{x1:.1f},{y1:.1f} C{x1 - 34:.1f},{y1 - 66:.1f} {x1 + 34:.1f},{y1 - 66:.1f} {x1:.1f},{y1:.1f}",
            (x1, y1 - 54),
        )
    length = hypot(x2 - x1, y2 - y1)
    aside = (-(y2 - y1) / length, (x2 - x1) / length)
    steps = max(round(abs(x2 - x1) / _ACROSS), round(abs(y2 - y1) / _DOWN) if x1 == x2 else 0)
    bend = -_BEND * (1.8 * steps if steps > 1 else 1.0 if back else 0.25) - (10 if x2 < x1 else 0)
    middle = ((x1 + x2) / 2 + aside[0] * bend, (y1 + y2) / 2 + aside[1] * bend)
    x, y = (
        (1 - _LABEL) ** 2 * a + 2 * _LABEL * (1 - _LABEL) * m + _LABEL**2 * b
        for a, m, b in zip((x1, y1), middle, (x2, y2), strict=True)
    )
    curve = f"M{x1:.1f},{y1:.1f} Q{middle[0]:.1f},{middle[1]:.1f} {x2:.1f},{y2:.1f}"
    return curve, (x, y + (-5 if aside[1] * bend <= 0 else 13))
