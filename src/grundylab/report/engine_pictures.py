"""The answers of several engines to one question, as SVG: complexity against the share of positions described.

The ground is white and letters are black, so that a picture looks the same on a light and on a dark page. Lengths are
in pixels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from math import cos, floor, pi, sin
from textwrap import wrap

from grundylab.check.shares import percent
from grundylab.discover import ENGINES

# Colours of engines: each has a contrast of 3 at least with white (WCAG's for marks).
COLOURS = (
    "#0072b2", "#d55e00", "#00785a", "#882255", "#8a6d00", "#c2378b",
    "#332288", "#5f5f5f", "#a0522d", "#1b7f2a", "#c62828", "#00838f",
)  # fmt: skip
_WIDTH, _HEIGHT = 620, 400  # of the plot
_LEFT, _MARGIN, _LETTER, _LINE = 92, 14, 13, 18
_ADVANCE = 0.66 * _LETTER  # the width of a letter: of the fonts below few are wider
_FONT = "'DejaVu Sans',Verdana,sans-serif"
_RADIUS, _ABOVE = 6.3, 14  # of a mark, and from mark to mark at one place
_STEPS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)
_USUAL = 0.1  # where all shares are 100 %
_TICKS = 6  # at most so many on each axis, about
_TOGETHER = "at one place"
_GRID, _FRAME = "#dddddd", "#595959"


@dataclass(frozen=True)
class Point:
    """An engine's formula. complexity: its nodes. share: of positions described, from 0 to 1. exact: at all of them."""

    engine: str
    complexity: int
    share: float
    exact: bool


def engines_svg(points: Iterable[Point], title: str, positions: str = "test positions") -> str:
    """Return the picture as a file of its own; exact answers are filled marks, each engine's front is a line.

    positions: what the shares are counted on, in words.
    """
    plot = _Plot(tuple(dict.fromkeys(points)))
    legend = max(map(len, (*plot.engines, _TOGETHER)))
    beside = _LEFT + _WIDTH + 2 * _MARGIN
    width = round(beside + 2 * _LINE + legend * _ADVANCE + _MARGIN)
    head = wrap(title, int((width - 2 * _MARGIN) / _ADVANCE))
    top = _MARGIN + _LINE * len(head) + _MARGIN + plot.above
    rows = len(plot.engines) + 4
    height = round(top + max(_HEIGHT + 3 * _LINE, rows * _LINE) + _MARGIN)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="engines" role="img" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}">',
            f"<title>{escape(title)}</title><desc>{escape(_description(plot, positions))}</desc>",
            f'<rect width="{width}" height="{height}" fill="#fff"/>',
            f'<g font-family="{_FONT}" font-size="{_LETTER}" fill="#000">',
            *(
                _text(_MARGIN, _MARGIN + _LINE * (number + 0.5), line, ' font-weight="bold"')
                for number, line in enumerate(head)
            ),
            f'<g class="plot" transform="translate({_LEFT} {top:.1f})">',
            *_axes(plot, positions),
            *_fronts(plot),
            *_marks(plot),
            f'</g><g class="legend" transform="translate({beside} {top:.1f})">',
            *_legend(plot),
            "</g></g></svg>",
        ]
    )


def front(points: Iterable[Point]) -> list[Point]:
    """Return the points with a greater share than all that are no more complex, the least complex first."""
    best: list[Point] = []
    for point in sorted(points, key=lambda p: (p.complexity, -p.share)):
        if not best or point.share > best[-1].share:
            best.append(point)
    return best


@dataclass(frozen=True)
class _Plot:
    points: tuple[Point, ...]

    @cached_property
    def engines(self) -> tuple[str, ...]:
        """The engines of the points, in the order in which they take their turns; then unknown ones."""
        there = dict.fromkeys(point.engine for point in self.points)
        return (*(e for e in ENGINES if e in there), *(e for e in there if e not in ENGINES))

    @cached_property
    def looks(self) -> Mapping[str, int]:
        """The number of each engine's colour and shape: an engine has the same ones in all pictures."""
        others = [engine for engine in self.engines if engine not in ENGINES]
        return {engine: number for number, engine in enumerate((*ENGINES, *others))}

    @cached_property
    def most(self) -> int:
        """The end of the axis of complexities."""
        return max([point.complexity for point in self.points], default=0) + 1

    @cached_property
    def step(self) -> float:
        """The distance between ticks of the axis of shares."""
        room = 1 - min([point.share for point in self.points], default=0.0)
        if not room:
            return _USUAL
        return next((step for step in _STEPS if room <= step * _TICKS), _STEPS[-1])

    @cached_property
    def least(self) -> float:
        """The beginning of the axis of shares: the least share, or the tick below it."""
        least = min([point.share for point in self.points], default=0.0)
        return max(0.0, 1 - self.step * max(1, -floor(round((least - 1) / self.step, 6))))

    @cached_property
    def crowds(self) -> tuple[tuple[Point, ...], ...]:
        """The points of each place, which the marks stand above one above another."""
        places = defaultdict(list)
        for point in sorted(self.points, key=lambda p: self.looks[p.engine]):
            places[point.complexity, point.share].append(point)
        return tuple(map(tuple, places.values()))

    @cached_property
    def above(self) -> float:
        """The room above the plot for marks of exact answers."""
        crowds = [(len(crowd), self.down(crowd[0].share)) for crowd in self.crowds]
        return max([_ABOVE * (count - 1) - down for count, down in crowds if count > 1], default=0.0)

    def across(self, complexity: int) -> float:
        return _WIDTH * complexity / self.most

    def down(self, share: float) -> float:
        return _HEIGHT * (1 - share) / (1 - self.least)


def _description(plot: _Plot, positions: str) -> str:
    """The picture in words: of each engine the best answer."""
    parts = []
    for engine in plot.engines:
        best = max((p for p in plot.points if p.engine == engine), key=lambda p: (p.share, -p.complexity))
        parts.append(f"{engine}: {percent(best.share)} with {best.complexity} nodes")
    return f"Share of {positions} described by the best formula of each engine. {'; '.join(parts) or 'None'}."


# -- parts of the picture ----------------------------------------------------------------------------------------


def _axes(plot: _Plot, positions: str) -> Iterator[str]:
    """Ticks with their numbers and lines across, the names of the axes, and the frame."""
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 10**9) if plot.most <= 2 * _TICKS * step)
    centred, right = ' text-anchor="middle"', ' text-anchor="end"'
    for complexity in range(0, plot.most + 1, every):
        x = plot.across(complexity)
        yield f'<path d="M{x:.1f} 0V{_HEIGHT}" stroke="{_GRID}"/>'
        yield _text(x, _HEIGHT + 0.8 * _LINE, str(complexity), centred)
    for number in range(round((1 - plot.least) / plot.step) + 1):
        share = max(1 - number * plot.step, 0.0)
        y = plot.down(share)
        yield f'<path d="M0 {y:.1f}H{_WIDTH}" stroke="{_GRID}"/>'
        yield _text(-6, y, f"{round(100 * share, 2):g} %", right)
    yield f'<path d="M0 0V{_HEIGHT}H{_WIDTH}" fill="none" stroke="{_FRAME}"/>'
    yield _text(_WIDTH / 2, _HEIGHT + 2.2 * _LINE, "complexity (nodes of the formula)", centred)
    turned = f' transform="translate({_LETTER - _LEFT} {_HEIGHT / 2}) rotate(-90)"'
    yield _text(0, 0, f"share of {positions} described", centred + turned)


def _fronts(plot: _Plot) -> Iterator[str]:
    for engine in plot.engines:
        best = front(point for point in plot.points if point.engine == engine)
        if len(best) > 1:
            path = "L".join(f"{plot.across(p.complexity):.1f} {plot.down(p.share):.1f}" for p in best)
            style = (
                f'fill="none" stroke="{_colour(plot.looks[engine])}" stroke-opacity=".55" stroke-width="1.5"'
            )
            yield f'<path class="front" d="M{path}" {style}/>'


def _marks(plot: _Plot) -> Iterator[str]:
    """Marks at their places; those of one place stand above it, on a stem."""
    for crowd in plot.crowds:
        x, y = plot.across(crowd[0].complexity), plot.down(crowd[0].share)
        if len(crowd) > 1:
            yield f'<path class="stem" d="M{x:.1f} {y:.1f}v-{_ABOVE * (len(crowd) - 1)}" stroke="{_FRAME}"/>'
        for number, point in enumerate(crowd):
            hint = (
                f"{point.engine}: {point.complexity} nodes, {percent(point.share)}{', exact' * point.exact}"
            )
            yield _mark(plot.looks[point.engine], x, y - _ABOVE * number, point.exact, hint)


def _legend(plot: _Plot) -> Iterator[str]:
    """A line for each engine, and below them what else a mark says."""
    for number, engine in enumerate(plot.engines):
        yield from _key(number, plot.looks[engine], True, engine)
    first = len(plot.engines) + 1
    yield from _key(first, None, True, "exact")
    yield from _key(first + 1, None, False, "not exact")
    if any(len(crowd) > 1 for crowd in plot.crowds):
        yield f'<path d="M0 {_LINE * (first + 2) + 2}v{_LINE - 4}" stroke="{_FRAME}"/>'
        yield _text(_LINE, _LINE * (first + 2.5), _TOGETHER)


def _key(number: int, look: int | None, filled: bool, words: str) -> Iterator[str]:
    middle = _LINE * (number + 0.5)
    yield _mark(look, 0, middle, filled, "", "key")
    yield _text(_LINE, middle, words)


def _text(x: float, middle: float, words: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{middle + 0.35 * _LETTER:.1f}"{more}>{escape(words)}</text>'


# -- marks: one shape and one colour an engine ---------------------------------------------------------------------


def _polygon(corners: int, turn: float = 0.0, inner: float = 1.0) -> tuple[tuple[float, float], ...]:
    """Corners around the middle, the first above it but for the turn; inner: the radius of every second one."""
    radii = [1.0 if number % 2 == 0 else inner for number in range(corners)]
    angles = [2 * pi * number / corners + turn for number in range(corners)]
    return tuple((r * sin(angle), -r * cos(angle)) for r, angle in zip(radii, angles, strict=True))


_CROSS = ((-0.35, -1), (0.35, -1), (0.35, -0.35), (1, -0.35), (1, 0.35), (0.35, 0.35),
          (0.35, 1), (-0.35, 1), (-0.35, 0.35), (-1, 0.35), (-1, -0.35), (-0.35, -0.35))  # fmt: skip
_SHAPES: Sequence[tuple[tuple[float, float], ...]] = (
    _polygon(24),  # as good as a circle
    _polygon(4, pi / 4),
    _polygon(3),
    _polygon(4),
    _polygon(3, pi),
    _CROSS,
    _polygon(10, 0, 0.45),
    _polygon(6),
    _polygon(3, pi / 2),
    _polygon(8, pi / 4, 0.4),
    _polygon(3, -pi / 2),
    tuple((0.5 * x, 1.1 * y) for x, y in _polygon(4, pi / 4)),
)


def _colour(look: int) -> str:
    return COLOURS[look % len(COLOURS)]


def _mark(look: int | None, x: float, y: float, filled: bool, hint: str, kind: str = "mark") -> str:
    """A mark in the look of that number, or a grey circle. hint: what a mouse on it is shown."""
    shape, colour = (
        (_SHAPES[look % len(_SHAPES)], _colour(look)) if look is not None else (_SHAPES[0], _FRAME)
    )
    corners = " ".join(f"{x + _RADIUS * dx:.1f},{y + _RADIUS * dy:.1f}" for dx, dy in shape)
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    fill = colour if filled else "#fff"
    style = f'fill="{fill}" stroke="{colour}" stroke-width="1.5"'
    return f'<polygon class="{kind}" points="{corners}" {style}>{inside}</polygon>'
