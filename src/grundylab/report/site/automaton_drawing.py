"""Drawings of small automata as SVG; a state's column is the least number of digits that lead to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot

from markupsafe import Markup

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.systems import symbol_digits
from grundylab.report.templates import page_environment

LARGEST = 12  # the most states of an automaton that is drawn
_RADIUS, _ACROSS, _DOWN, _MARGIN = 18, 130, 92, 48
# Where a label may stand along its curve, from 0 to 1; rather near the start, since many edges meet at their ends.
_ALONG = (0.4, 0.35, 0.45, 0.3, 0.5, 0.55, 0.6, 0.25, 0.65)
_ENOUGH = 24  # a label that is so far from all else need not be farther
_BASELINE = 4  # from the middle of a label down to its baseline
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
    labels = _edges(automaton)
    across = max(_ACROSS, 2 * _RADIUS + _LETTER * (2 + max(map(len, labels.values()), default=0)))
    places = _layout(automaton, across)
    lowest, highest = (dict(sorted(places.values(), reverse=top)) for top in (False, True))  # of each column
    curves = {}
    for source, target in labels:
        x, y = places[source]
        if source == target:
            # the loop is drawn below the last state of a column, above every other one
            side = 1 if highest[x] < y == lowest[x] else -1
            left, right = f"{x - 34:.1f},{y + 66 * side:.1f}", f"{x + 34:.1f},{y + 66 * side:.1f}"
            path = f"M{x:.1f},{y:.1f} C{left} {right} {x:.1f},{y:.1f}"
            curves[source, target] = _Edge(path, [(x, y + 50 * side)])
        else:
            back = source in automaton.rows[target]
            curves[source, target] = _curve(places, source, target, back, across)
    at = _label_places(curves, labels, places.values())
    edges = [
        (curve.path, (at[edge][0], at[edge][1] + _BASELINE), labels[edge]) for edge, curve in curves.items()
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
    labels: dict[tuple[int, int], list[str]] = defaultdict(list)
    for source, row in enumerate(automaton.rows):
        for symbol, target in enumerate(row):
            if target != DEAD:
                places = reversed(range(automaton.arity))
                digits = [
                    symbol_digits(automaton.system.base, automaton.arity, place)[symbol] for place in places
                ]
                labels[source, target].append("".join(f"{digit:x}" for digit in digits))
    return {edge: ", ".join(_abbreviate(symbols, automaton.system.base)) for edge, symbols in labels.items()}


def _abbreviate(symbols: Sequence[str], base: int) -> list[str]:
    """Return the symbols, shortened: those that differ in one digit become one with a star if all its values occur."""
    shortened = sorted(set(symbols))
    for place in range(len(symbols[0])):
        merged: dict[tuple[str, str], list[str]] = defaultdict(list)
        for symbol in shortened:
            merged[symbol[:place], symbol[place + 1 :]].append(symbol)
        groups = (
            [f"{head}*{tail}"] if len(group) == base else group for (head, tail), group in merged.items()
        )
        shortened = [symbol for group in groups for symbol in group]
    return sorted(shortened)


def _layout(automaton: DigitAutomaton, across: float) -> dict[int, DrawingPoint]:
    """Return the place of each state except the dead one.

    The column is the least number of digits that lead to the state; in each column the states are placed from above.
    across: the distance between columns.
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
            places[state] = (_MARGIN + 40.0 + across * column, _MARGIN + 22.0 + _DOWN * (top + row) + shift)
    return places


@dataclass(frozen=True)
class _Edge:
    """A transition's curve as an SVG path, and points along it beside which its label may stand."""

    path: str
    along: Sequence[DrawingPoint]


def _curve(places: Mapping[int, DrawingPoint], source: int, target: int, back: bool, across: float) -> _Edge:
    """Return a curve between two states, from centre to centre; the states are drawn over its ends.

    back: whether there is also an edge in the other direction. across: the distance between columns.
    """
    (x1, y1), (x2, y2) = places[source], places[target]
    length = hypot(x2 - x1, y2 - y1)
    aside = (-(y2 - y1) / length, (x2 - x1) / length)
    steps = max(round(abs(x2 - x1) / across), round(abs(y2 - y1) / _DOWN) if x1 == x2 else 0)
    bend = -_BEND * (1.8 * steps if steps > 1 else 1.0 if back else 0.25) - (10 if x2 < x1 else 0)
    middle = ((x1 + x2) / 2 + aside[0] * bend, (y1 + y2) / 2 + aside[1] * bend)
    points = [
        ((1 - s) ** 2 * x1 + 2 * s * (1 - s) * middle[0] + s**2 * x2,
         (1 - s) ** 2 * y1 + 2 * s * (1 - s) * middle[1] + s**2 * y2)
        for s in _ALONG
    ]  # fmt: skip
    return _Edge(f"M{x1:.1f},{y1:.1f} Q{middle[0]:.1f},{middle[1]:.1f} {x2:.1f},{y2:.1f}", points)


def _label_places(
    edges: Mapping[tuple[int, int], _Edge],
    labels: Mapping[tuple[int, int], str],
    states: Iterable[DrawingPoint],
) -> dict[tuple[int, int], DrawingPoint]:
    """Return a place for each label beside its curve, as far as possible from states, curves and labels."""
    taken = {edge: list(curve.along) for edge, curve in edges.items()}
    sides = (-_RADIUS, 0, _RADIUS)
    circles = [(x + across, y + down) for x, y in states for across in sides for down in sides]
    places = dict[tuple[int, int], DrawingPoint]()
    for edge, curve in edges.items():
        half = _LETTER * len(labels[edge]) / 2
        others = [point for other, points in taken.items() if other != edge for point in points]
        room = partial(_room, half, [*others, *circles], curve.along)
        beside = [
            (x + across * (half + 5), y + down)
            for x, y in curve.along
            for across, down in ((0, -9), (0, 9), (1, 0), (-1, 0))
        ]
        x, y = places[edge] = max(beside, key=room)
        taken[edge] += [(x - half, y), (x, y), (x + half, y)]
    return places


def _room(
    half: float, others: Iterable[DrawingPoint], own: Iterable[DrawingPoint], place: DrawingPoint
) -> float:
    """Return how far a label is from the nearest point of the others, at most ``_ENOUGH``; less on its own curve.

    half: half the width of the label, of which ``place`` is the middle.
    """

    def nearest(points: Iterable[DrawingPoint]) -> float:
        return min(hypot(max(abs(place[0] - x) - half, 0), place[1] - y) for x, y in points)

    return min(_ENOUGH, nearest(others), 3 * nearest(own))
