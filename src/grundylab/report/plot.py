"""Grundy numbers of one coordinate as points: SVG, drawn the same by assets/pictures-shapes.js."""

from __future__ import annotations

from html import escape

from grundylab.report.grid import Grid
from grundylab.report.svg import STEPS
from grundylab.solve.table import NO_POSITION

WIDTH, HEIGHT = 640, 300
LETTER = 11
LEFT, TOP, BELOW = 4 * LETTER, 2.2 * LETTER, 3 * LETTER  # margins


def plot_svg(grid: Grid) -> str:
    """The values of a grid of one row against its coordinate."""
    values = [int(value) for value in grid.values.reshape(-1)]
    largest = max(max(values), 1)
    first, last = grid.columns[0], max(grid.columns[-1], grid.columns[0] + 1)
    across, up = (WIDTH - LEFT - 10) / (last - first), (HEIGHT - TOP - BELOW) / largest

    def x(number: int) -> float:
        return LEFT + (number - first) * across

    def y(value: int) -> float:
        return HEIGHT - BELOW - value * up

    points = "".join(
        f"M{x(number):.1f} {y(value):.1f}h0"
        for number, value in zip(grid.columns, values, strict=True)
        if value != NO_POSITION
    )
    rules, texts = [], []
    for value in _ticks(0, largest, 6):
        rules.append(f"M{LEFT} {y(value):.1f}H{WIDTH - 10}")
        texts.append(f'<text class="side" x="{LEFT - 6}" y="{y(value) + 0.36 * LETTER:.1f}">{value}</text>')
    for number in _ticks(first, last, 12):
        texts.append(f'<text x="{x(number):.1f}" y="{HEIGHT - BELOW + 1.5 * LETTER:.1f}">{number}</text>')
    described = (
        f"Grundy numbers of {grid.subject} as points: {grid.column_name} from {first} to {grid.columns[-1]} across, "
        f"Grundy numbers from 0 to {max(values)} upwards."
    )
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{escape(described, quote=True)}"><path class="rules" d="{"".join(rules)}"/>'
        f'<path class="points" d="{points}"/><g font-size="{LETTER}">{"".join(texts)}'
        f'<text class="axes" x="1" y="{1.2 * LETTER:.1f}">Grundy number ↑  {escape(grid.column_name)} →'
        "</text></g></svg>"
    )


def _ticks(first: int, last: int, most: int) -> range:
    """Round numbers from first to last, about so many at most."""
    step = next((step for step in STEPS if (last - first) <= step * most), STEPS[-1])
    return range(-(-first // step) * step, last + 1, step)
