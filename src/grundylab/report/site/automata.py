"""A small automaton as a drawing: its states in layers, by how many digits lead there at least."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import hypot

from markupsafe import Markup

from grundylab.automata.digits import DEAD, DigitAutomaton

LARGEST = 12  # states that are drawn
_RADIUS, _ACROSS, _DOWN, _MARGIN = 18, 130, 92, 48
_LABEL = 0.36
_BEND = 26  # how far an edge leaves the straight line

Point = tuple[float, float]


def draw(automaton: DigitAutomaton, names: Sequence[str], title: str) -> Markup | None:
    """An SVG of the automaton, or None if it has more than LARGEST states. names: of the numbers that it reads.

    A transition is labelled by the digits that it reads, one of each number in their order; the state from which
    nothing is accepted is not drawn.
    """
    if len(automaton.rows) > LARGEST:
        return None
    places, edges = _places(automaton), _edges(automaton)
    width = max(x for x, _ in places.values()) + _MARGIN + _RADIUS
    height = max(y for _, y in places.values()) + _MARGIN + _RADIUS
    parts = [_edge(places, source, target, label, automaton) for (source, target), label in edges.items()]
    parts += [_start(places[0])]
    parts += [_state(place, state, automaton.accepting[state]) for state, place in places.items()]
    return Markup(
        '<svg class="automaton" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" role="img" '
        'aria-label="{2}"><title>{2}</title>{3}</svg>'
    ).format(width, height, title, Markup("").join(parts))


def described(automaton: DigitAutomaton, names: Sequence[str]) -> str:
    """The automaton in a sentence, for those who do not see the drawing."""
    reads = " and ".join(names) if len(names) < 3 else ", ".join(names)
    accepting = [str(state) for state, accepts in enumerate(automaton.accepting) if accepts]
    moves = "; ".join(
        f"from {source} by {label} to {target}" for (source, target), label in _edges(automaton).items()
    )
    good = ", ".join(accepting) or "none"
    return f"It reads the binary digits of {reads}, lowest first, from state 0. Accepting: {good}. {moves}."


def _edges(automaton: DigitAutomaton) -> Mapping[tuple[int, int], str]:
    """(source, target) → the symbols that lead there, short: ``0*, 11``, where a star is either digit."""
    found: dict[tuple[int, int], list[str]] = defaultdict(list)
    for source, row in enumerate(automaton.rows):
        for symbol, target in enumerate(row):
            if target != DEAD:
                found[source, target].append(f"{symbol:0{automaton.arity}b}")
    return {edge: ", ".join(_shortened(symbols)) for edge, symbols in found.items()}


def _shortened(symbols: Sequence[str]) -> list[str]:
    """The same symbols with a dot for either digit, where two of them differ in one digit only."""
    found = sorted(set(symbols))
    for place in range(len(symbols[0])):
        merged: dict[tuple[str, str], list[str]] = defaultdict(list)
        for symbol in found:
            merged[symbol[:place], symbol[place + 1 :]].append(symbol)
        found = [f"{head}*{tail}" if len(group) == 2 else group[0] for (head, tail), group in merged.items()]
    return sorted(found)


def _places(automaton: DigitAutomaton) -> dict[int, Point]:
    """Where each state stands: its column is the number of digits that lead there, its row the next that is free."""
    depth, waiting = {0: 0}, [0]
    for state in waiting:  # which grows
        for target in automaton.rows[state]:
            if target != DEAD and target not in depth:
                depth[target] = depth[state] + 1
                waiting.append(target)
    columns: dict[int, list[int]] = defaultdict(list)
    for state in waiting:
        columns[depth[state]].append(state)
    most = max(map(len, columns.values()))
    places = {}
    for column, states in columns.items():
        top = (most - len(states)) / 2
        for row, state in enumerate(states):
            # every other column a little lower, so that fewer edges run through states
            shift = 0.18 * _DOWN * (column % 2) if most > 1 else 0.0
            places[state] = (_MARGIN + 40.0 + _ACROSS * column, _MARGIN + 22.0 + _DOWN * (top + row) + shift)
    return places


def _edge(
    places: Mapping[int, Point], source: int, target: int, label: str, automaton: DigitAutomaton
) -> Markup:
    if source == target:
        return _loop(places[source], label)
    (x1, y1), (x2, y2) = places[source], places[target]
    length = hypot(x2 - x1, y2 - y1)
    aside = (-(y2 - y1) / length, (x2 - x1) / length)
    back = source in automaton.rows[target]
    steps = round(abs(x2 - x1) / _ACROSS)
    bend = -_BEND * (1.8 * steps if steps > 1 else 1.0 if back else 0.25) - (10 if x2 < x1 else 0)
    middle = ((x1 + x2) / 2 + aside[0] * bend, (y1 + y2) / 2 + aside[1] * bend)
    start, end = _rim((x1, y1), middle, _RADIUS), _rim((x2, y2), middle, _RADIUS + 2)
    path = f"M{start[0]:.1f},{start[1]:.1f} Q{middle[0]:.1f},{middle[1]:.1f} {end[0]:.1f},{end[1]:.1f}"
    at = _LABEL  # along the curve: nearer to where it begins, since edges meet where they end
    spot = tuple(
        (1 - at) ** 2 * a + 2 * at * (1 - at) * m + at**2 * b
        for a, m, b in zip(start, middle, end, strict=True)
    )
    return _drawn(path, end, middle, (spot[0], spot[1] + (-5 if aside[1] * bend <= 0 else 13)), label)


def _rim(centre: Point, towards: Point, radius: float) -> Point:
    """The point at that distance from the centre."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    length = hypot(dx, dy)
    return centre[0] + dx / length * radius, centre[1] + dy / length * radius


def _loop(place: Point, label: str) -> Markup:
    x, y = place
    tip = (x + 10, y - _RADIUS + 1)
    points = [(x - 9, y - _RADIUS + 2), (x - 24, y - 52), (x + 24, y - 52), tip]
    start, *others = (f"{across:.1f},{down:.1f}" for across, down in points)
    path = f"M{start} C{' '.join(others)}"
    return _drawn(path, tip, (x + 17, y - 40), (x, y - 46), label)


def _drawn(path: str, tip: Point, back: Point, spot: Point, label: str) -> Markup:
    """A curve that ends at the tip, with the head of an arrow there that points away from ``back``."""
    dx, dy = tip[0] - back[0], tip[1] - back[1]
    length = hypot(dx, dy)
    dx, dy = dx / length, dy / length
    wings = [(tip[0] - 9 * dx - side * 3.6 * dy, tip[1] - 9 * dy + side * 3.6 * dx) for side in (1, -1)]
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, *wings))
    return Markup(
        '<path class="edge" d="{}"/><polygon class="head" points="{}"/>'
        '<text class="digits" x="{:.1f}" y="{:.1f}">{}</text>'
    ).format(path, head, *spot, label)


def _state(place: Point, state: int, accepts: bool) -> Markup:
    inner = (
        Markup('<circle cx="{:.1f}" cy="{:.1f}" r="{}"/>').format(*place, _RADIUS - 4)
        if accepts
        else Markup("")
    )
    return Markup(
        '<g class="state"><circle cx="{0:.1f}" cy="{1:.1f}" r="{2}"/>{3}<text x="{0:.1f}" y="{4:.1f}">{5}</text></g>'
    ).format(*place, _RADIUS, inner, place[1] + 5, state)


def _start(place: Point) -> Markup:
    x, y = place
    tip = (x - _RADIUS - 2, y)
    return _drawn(f"M{x - 52:.1f},{y:.1f} L{tip[0]:.1f},{y:.1f}", tip, (x - 52, y), tip, "")
