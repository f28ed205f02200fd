"""Scatter plots of engines' formulas for one target: complexity against the share of positions described."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grundylab.check.shares import percent
from grundylab.discover import ENGINES
from grundylab.report.drawing import render_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The engines' colours and shapes; each colour has a contrast of at least 3 with white (WCAG's limit for marks).
COLOURS = (
    "#0072b2", "#d55e00", "#00785a", "#882255", "#8a6d00", "#c2378b",
    "#332288", "#5f5f5f", "#a0522d", "#1b7f2a", "#c62828", "#00838f",
)  # fmt: skip
SHAPES = "os^DvP*h>X<d"
_SIZE = (8.2, 4.4)  # inches
_ABOVE = 9  # points (1/72 inch) between marks of the same place, which are drawn above each other
_ROOM = 0.035  # the share of the plot's height that each of these marks takes


@dataclass(frozen=True)
class EnginePoint:
    """An engine's formula as a point of the plot.

    complexity: the number of the formula's nodes. share: the share of the positions that it describes, from 0 to 1.
    exact: whether it describes all of them.
    """

    engine: str
    complexity: int
    share: float
    exact: bool


def engines_svg(
    points: Iterable[EnginePoint],
    title: str,
    positions: str = "test positions",
    constant: float | None = None,
) -> bytes:
    """Return the plot as SVG; exact formulas are filled marks, and a line joins each engine's Pareto front.

    positions: the name, in the axis label, of the positions that the shares are of. constant: the share of the best
    constant, which is a dotted line.
    """
    every = list(dict.fromkeys(points))

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot(title=title, xlabel="complexity (nodes of the formula, logarithmic)")
        plot(figure, axes, every, constant)
        axes.set_ylabel(f"accuracy at {positions}")
        axes.legend(title="filled: exact", loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)

    return render_figure(draw, _SIZE, "svg", about=description(every, positions, constant))


def plot(figure: Figure, axes: Axes, points: Sequence[EnginePoint], constant: float | None = None) -> None:
    """Draw a mark for each point, a line along each engine's Pareto front, and a dotted line at the best constant.

    Marks of the same place are drawn above each other.
    """
    from matplotlib.transforms import offset_copy

    axes.grid(color="#dddddd")
    heights: Counter[tuple[int, float]] = Counter()
    for engine in in_turn_order(point.engine for point in points):
        own, look = [point for point in points if point.engine == engine], style_index(engine)
        style: Any = {"color": COLOURS[look], "marker": SHAPES[look], "linestyle": "none", "clip_on": False}
        best = pareto_front(own)
        axes.plot([p.complexity for p in best], [p.share for p in best], color=COLOURS[look], alpha=0.5)
        for point in own:
            place = (point.complexity, point.share)
            above = offset_copy(axes.transData, figure, y=_ABOVE * heights[place], units="points")
            fill: Any = "full" if point.exact else "none"
            axes.plot([place[0]], [place[1]], transform=above, fillstyle=fill, zorder=3, **style)
            heights[place] += 1
        axes.plot([], [], label=engine, **style)
    if constant is not None:
        axes.axhline(constant, color="#555555", linestyle=":", label="constant", zorder=1)
    shares = [point.share for point in points] + ([] if constant is None else [constant])
    low = min(shares, default=0.0)
    room = (1 - low) or 0.1  # if all shares are 100 %
    axes.set_ylim(1 - 1.05 * room, 1 + room * _ROOM * max([1, *heights.values()]))
    # most formulas are small: on a linear axis, a single large one leaves them no room
    axes.set_xscale("log", base=2)
    axes.set_xlim(0.8, 1.25 * max([point.complexity for point in points], default=1))
    axes.xaxis.set_major_formatter(lambda nodes, _: f"{nodes:g}" if nodes >= 1 else "")
    axes.yaxis.set_major_formatter(lambda share, _: percent(share, digits=4))


def in_turn_order(engines: Iterable[str]) -> list[str]:
    """Return the engines, each once, in the order of ENGINES; unknown engines come last."""
    present = dict.fromkeys(engines)
    return [*(e for e in ENGINES if e in present), *(e for e in present if e not in ENGINES)]


def style_index(engine: str) -> int:
    """Return the index of an engine in COLOURS and SHAPES, which is the same in all pictures."""
    return [*ENGINES].index(engine) if engine in ENGINES else len(ENGINES) % len(COLOURS)


def pareto_front(points: Iterable[EnginePoint]) -> list[EnginePoint]:
    """Return the Pareto front, by rising complexity: the points that no other point beats.

    A point is beaten by one that is no more complex and describes at least as great a share.
    """
    best: list[EnginePoint] = []
    for point in sorted(points, key=lambda p: (p.complexity, -p.share)):
        if not best or point.share > best[-1].share:
            best.append(point)
    return best


def description(
    points: Iterable[EnginePoint], positions: str = "test positions", constant: float | None = None
) -> str:
    """Return a sentence that replaces the picture for readers who cannot see it: the best formula of each engine."""
    every, parts = list(points), []
    for engine in in_turn_order(point.engine for point in every):
        best = max((p for p in every if p.engine == engine), key=lambda p: (p.share, -p.complexity))
        parts.append(f"{engine}: {percent(best.share)} with {best.complexity} nodes")
    if constant is not None:
        parts.append(f"the best constant: {percent(constant)}")
    return f"Accuracy of each engine's best formula at {positions}. {'; '.join(parts) or 'None'}."
