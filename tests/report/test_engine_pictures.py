"""The picture of engines' answers: a mark each, in the order of complexity and share, and a legend beside the plot."""

import re
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.discover import ENGINES
from grundylab.report.engine_pictures import COLOURS, Point, engines_svg, front

SVG = "{http://www.w3.org/2000/svg}"
points = st.lists(
    st.builds(
        lambda engine, complexity, right: Point(engine, complexity, right / 100, right == 100),
        st.sampled_from([*ENGINES, "cvc5"]), st.integers(1, 90), st.integers(0, 100),
    ),
    max_size=25, unique=True,
)  # fmt: skip


def drawn(given_points, title="Nim"):
    return ElementTree.fromstring(engines_svg(given_points, title))


def group(picture, name):
    """The group of that class, and how far to the right and down it is moved."""
    (part,) = (each for each in picture.iter(f"{SVG}g") if each.get("class") == name)
    return part, tuple(map(float, re.findall(r"[\d.]+", part.get("transform"))))


def corners(mark):
    return [tuple(map(float, pair.split(","))) for pair in mark.get("points").split()]


def middle(mark):
    """The middle of the mark's box, by its title."""
    xs, ys = zip(*corners(mark), strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


@given(points)
@examples(40)
def test_there_is_a_mark_for_each_point_filled_if_exact_and_a_key_for_each_engine(found):
    picture = drawn(found, "a < b & c")
    assert picture.find(f"{SVG}title").text == "a < b & c"
    plot, _ = group(picture, "plot")
    marks = list(plot.iter(f"{SVG}polygon"))
    assert len(marks) == len(found)
    assert sum(mark.get("fill") != "#fff" for mark in marks) == sum(point.exact for point in found)
    legend, _ = group(picture, "legend")
    engines = {point.engine for point in found}
    words = [each.text for each in legend.iter(f"{SVG}text")]
    assert set(words) - {"exact", "not exact", "at one place"} == engines
    assert len({(key.get("stroke"), shape(key)) for key in list(legend.iter(f"{SVG}polygon"))[:-2]}) == len(
        engines
    )


def shape(mark):
    x, y = corners(mark)[0]
    return tuple((round(a - x, 1), round(b - y, 1)) for a, b in corners(mark))


def test_marks_are_further_right_with_complexity_and_higher_with_the_share():
    found = [Point("search", n, 0.6 + n / 50, n == 20) for n in range(1, 21)]
    plot, _ = group(drawn(found), "plot")
    middles = [middle(mark) for mark in plot.iter(f"{SVG}polygon")]
    assert all(a[0] < b[0] and a[1] > b[1] for a, b in pairwise(middles))
    (line,) = (each for each in plot.iter(f"{SVG}path") if each.get("class") == "front")
    assert len(line.get("d").split("L")) == len(found)


@given(points)
@examples(40)
def test_the_legend_is_beside_the_plot_and_all_is_inside_the_picture(found):
    picture = drawn(found)
    width, height = float(picture.get("width")), float(picture.get("height"))
    (plot, (left, top)), (legend, (beside, high)) = group(picture, "plot"), group(picture, "legend")
    xs, ys = [0.0], [0.0]
    for mark in plot.iter(f"{SVG}polygon"):
        xs += [x for x, _ in corners(mark)]
        ys += [y for _, y in corners(mark)]
    assert left + min(xs) >= 0
    assert left + max(xs) < beside - 8  # half a key
    assert top + min(ys) >= 0
    assert top + max(ys) < height
    for text in legend.iter(f"{SVG}text"):
        assert beside + float(text.get("x")) + 8 * len(text.text) <= width
        assert high + float(text.get("y")) < height


@given(points)
@examples(40)
def test_a_front_has_what_no_simpler_formula_reaches(found):
    best = front(found)
    assert all(a.complexity < b.complexity and a.share < b.share for a, b in pairwise(best))
    for point in found:
        assert any(b.complexity <= point.complexity and b.share >= point.share for b in best)


def test_answers_at_one_place_stand_one_above_another_in_the_order_of_the_engines():
    found = [Point(engine, 3, 1.0, True) for engine in reversed(ENGINES[:4])]
    plot, _ = group(drawn(found), "plot")
    marks = list(plot.iter(f"{SVG}polygon"))
    assert [mark[0].text for mark in marks] == [f"{e}: 3 nodes, 100 %, exact" for e in ENGINES[:4]]
    lows = [(max(y for _, y in corners(mark)), min(y for _, y in corners(mark))) for mark in marks]
    assert all(above[0] <= below[1] for below, above in pairwise(lows))


def test_an_engine_looks_the_same_in_every_picture():
    def looks(names):
        legend, _ = group(drawn([Point(name, 2, 0.5, False) for name in names]), "legend")
        keys = list(legend.iter(f"{SVG}polygon"))
        return {name: (key.get("stroke"), shape(key)) for name, key in zip(names, keys, strict=False)}

    every = looks(ENGINES)
    assert (
        len({colour for colour, _ in every.values()})
        == len({form for _, form in every.values()})
        == len(ENGINES)
    )
    assert looks(("tree", "pysr")) == {name: every[name] for name in ("tree", "pysr")}


def test_the_axis_of_shares_is_from_the_least_to_all():
    plot, _ = group(drawn([Point("search", 3, 1.0, True), Point("tree", 5, 0.9967, False)]), "plot")
    ticks = [text.text for text in plot.iter(f"{SVG}text") if text.text.endswith("%")]
    assert ticks == ["100 %", "99.9 %", "99.8 %", "99.7 %", "99.6 %"]


def test_colours_have_a_contrast_of_3_with_white():
    def light(text):
        channels = [int(text[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        return sum(w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
                   for w, c in zip((0.2126, 0.7152, 0.0722), channels, strict=True))  # fmt: skip

    assert all(1.05 / (light(colour) + 0.05) >= 3 for colour in COLOURS)
