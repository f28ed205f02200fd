"""The picture of the engines' formulas: a mark each, by complexity and share, and a legend of engines."""

from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from tests.sizes import examples

from grundylab.discover import ENGINES
from grundylab.report.engine_pictures import (
    COLOURS,
    SHAPES,
    EnginePoint,
    description,
    engines_svg,
    pareto_front,
    plot,
    style_index,
)

points = st.lists(
    st.builds(
        lambda engine, complexity, right: EnginePoint(engine, complexity, right / 100, right == 100),
        st.sampled_from([*ENGINES, "cvc5"]), st.integers(1, 90), st.integers(0, 100),
    ),
    max_size=25, unique=True,
)  # fmt: skip


def marks(found):
    """Yield each mark of the plot: engine (by colour), complexity, share, whether filled, points above its place."""
    figure = Figure()
    axes = figure.add_subplot()
    plot(figure, axes, found)
    figure.draw_without_rendering()
    drawn = [line for line in axes.lines if line.get_marker() != "None" and len(line.get_xdata())]
    for line in drawn:
        (x,), (y,) = line.get_xdata(), line.get_ydata()
        above = line.get_transform().transform((x, y))[1] - axes.transData.transform((x, y))[1]
        yield COLOURS.index(line.get_color()), x, y, line.get_fillstyle() == "full", round(above)


@given(points)
@examples(20)
def test_there_is_a_mark_for_each_point_filled_if_exact_and_no_two_stand_on_each_other(found):
    drawn = list(marks(found))
    assert sorted(mark[:4] for mark in drawn) == sorted(
        (style_index(point.engine), point.complexity, point.share, point.exact) for point in found
    )
    assert len({(x, y, above) for _, x, y, _, above in drawn}) == len(drawn)


def test_the_file_has_its_title_and_the_picture_in_words_and_is_the_same_every_time():
    found = [EnginePoint("search", 3, 1.0, True), EnginePoint("tree", 5, 0.9967, False)]
    picture = engines_svg(found, "a < b & c")
    assert picture == engines_svg(found, "a < b & c")
    ElementTree.fromstring(picture)
    for part in ("search: 100 % ", "3 nodes", "tree: 99.67 % ", "5 nodes"):
        assert part in description(found)
    assert description(found).encode() in picture


@given(points)
@examples(40)
def test_a_front_has_what_no_simpler_formula_reaches(found):
    best = pareto_front(found)
    assert all(a.complexity < b.complexity and a.share < b.share for a, b in pairwise(best))
    for point in found:
        assert any(b.complexity <= point.complexity and b.share >= point.share for b in best)


def test_an_engine_has_a_look_of_its_own():
    assert len(COLOURS) == len(SHAPES) > len(ENGINES)
    assert len({(COLOURS[style_index(engine)], SHAPES[style_index(engine)]) for engine in ENGINES}) == len(
        ENGINES
    )


def test_colours_have_a_contrast_of_3_with_white():
    def light(text):
        channels = [int(text[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        return sum(w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
                   for w, c in zip((0.2126, 0.7152, 0.0722), channels, strict=True))  # fmt: skip

    assert all(1.05 / (light(colour) + 0.05) >= 3 for colour in COLOURS)


def test_small_formulas_have_room_beside_a_very_large_one():
    figure = Figure()
    axes = figure.add_subplot()
    plot(figure, axes, [EnginePoint("search", size, 0.9, False) for size in (2, 4, 500)])
    places = [
        axes.transAxes.inverted().transform(axes.transData.transform((size, 0.9)))[0] for size in (2, 4, 500)
    ]
    assert places[1] - places[0] > 0.1
    assert 0 < places[0] < places[2] < 1
