"""Pictures agree with the solver's table: the slices, the dots, and the data in the page."""

import io
import json
import re
import zlib
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.image import imread
from tests.findings import made
from tests.random_games import instances
from tests.sizes import examples
from tests.solved import solved_table

from grundylab.errors import ConfigError
from grundylab.findings.papers import load_papers
from grundylab.games import make_instance, parse_ruleset
from grundylab.games.yamlfile import parse_document
from grundylab.pipeline.config import make_studies
from grundylab.pipeline.picture_windows import study_windows
from grundylab.pipeline.study import SPLITS, Study
from grundylab.report.drawing import dots_png
from grundylab.report.grid import (
    SCALE,
    View,
    colour,
    crop,
    description,
    first_cells,
    is_dark,
    scale_index,
    scale_top,
    slice_table,
    slice_window,
    trim,
    usual_view,
    whole_window,
    wrap_row,
)
from grundylab.report.site.table_pictures import figure_pictures, first_place, pictures
from grundylab.solve import solve
from grundylab.solve.dataset import dataset_name, write_dataset
from grundylab.solve.table import NO_POSITION

NIM = "title: Nim\npiles: {piles}\nposition: {{x: 0..N}}\nmoves: [{{take: t, from: x}}]\n"


THREE = NIM.format(piles=3)


def solved(text=THREE, kind="grundy", parameters=(), **bounds):
    return solve(make_instance(parse_ruleset(text, "nim"), dict(parameters), bounds), kind, "reference")


@st.composite
def random_windows(draw):
    """Draw a window of a random game that has positions, of outcomes or Grundy numbers, whole or in part."""
    instance = draw(instances())
    kinds = ["outcome"] if instance.ruleset.play == "misere" else ["outcome", "grundy"]
    table = solve(instance, draw(st.sampled_from(kinds)), "reference")
    window = whole_window(table)
    for name, side in window.sides.items():
        if len(side) > 1 and draw(st.booleans()):
            start = draw(st.integers(side.start, side.stop - 1))
            window = crop(window, {name: range(start, draw(st.integers(start + 1, side.stop)))})
    return table, window


def data_of(part):
    """Return the data in the part's script."""
    return json.loads(part.script.partition(" = ")[2].rstrip(";\n"))


def values_of(data):
    """Return a window's values, decoded as assets/pictures.js does."""
    letters = zlib.decompress(b64decode(data["values"])).decode()
    return np.array([ord(letter) - ord("0") for letter in letters]).reshape(data["shape"])


@given(random_windows(), st.integers(1, 60), st.data())
@examples(20)
def test_the_page_s_data_are_the_table_and_so_is_each_slice_and_what_is_trimmed(drawn, cells, data):
    table, window = drawn
    names = list(window.names)

    def expect(value, position):
        try:
            assert value == table[position]
        except KeyError:
            assert value == NO_POSITION

    (sent,) = data_of(pictures(table.instance.ruleset, [window])[0])["windows"]
    assert (values_of(sent) == window.values).all()
    for cell, value in np.ndenumerate(values_of(sent)):
        expect(value, tuple(low + offset for low, offset in zip(sent["low"], cell, strict=True)))

    axes = data.draw(st.permutations(names))[: min(2, len(names))]
    fixed = {name: data.draw(st.sampled_from(list(window.sides[name]))) for name in names if name not in axes}
    grid = slice_window(window, View(axes[0] if len(axes) == 2 else None, axes[-1], fixed))
    assert grid.values.shape == (len(grid.rows), len(grid.columns))
    for (row, column), value in np.ndenumerate(grid.values):
        here = {**fixed, axes[0]: grid.rows[row], axes[-1]: grid.columns[column]}
        expect(value, tuple(here[name] for name in names))

    small = trim(window, cells)
    assert 1 <= small.values.size <= max(cells, 1)
    assert (small.values == window.values[tuple(map(slice, small.values.shape))]).all()
    assert all(new.start == old.start for new, old in zip(small.box, window.box, strict=True))


GAME = ("name", "version", "ruleset", "files", "given")  # as the rule of the page has them
STUDIES = """\
engines: [search]
studies:
  a:
    ruleset: game
    targets: [p]
    train: {bounds: {N: 5}, parameters: {m: [1, 2]}}
    test: {bounds: {N: 9}, parameters: {m: 2}}
  b:
    ruleset: game
    targets: [grundy]
    train: {bounds: {N: 3}, parameters: {m: 2}}
    test: {bounds: {N: 4}, parameters: {m: [2, 3]}}
"""


def test_of_each_setting_the_largest_table_with_the_most_known_is_shown(tmp_path):
    (tmp_path / "game.yaml").write_text(
        'title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: "1..min(m, x)", from: x}]\n'
    )
    studies = make_studies(parse_document(STUDIES, "config.yaml", ConfigError), str(tmp_path))
    for study in studies.values():
        for split in ("train", "validate", "test"):
            for instance in study.datasets(split):
                folder = tmp_path / "data" / study.name / split
                write_dataset(solve(instance, study.values), folder / dataset_name(instance))
    windows = study_windows(studies.values(), tmp_path / "data")["game"]
    assert [(w.settings, w.kind, len(w.values)) for w in windows] == [
        ("m=1", "outcome", 6), ("m=2", "grundy", 5), ("m=3", "grundy", 5),
    ]  # fmt: skip


FAMILY = """\
studies:
  max-nim-regular: {test: {bounds: {N: 3}}, every: {f: "0..3 -> 0..2"}}
  nim-2: {targets: [p], train: {bounds: {N: 2}}, test: {bounds: {N: 4}}}
engines: [search]
"""


def test_a_family_of_games_has_no_picture_and_stops_no_other():
    studies = make_studies(parse_document(FAMILY, "config.yaml", ConfigError), "rulesets").values()
    asked = [Study.of(study.part([*GAME, "values", *SPLITS, "rows"])) for study in studies]
    assert list(study_windows(asked, None)) == ["nim-2"]


@pytest.mark.parametrize(
    ("piles", "more", "view"),
    [
        (1, "", View(None, "x", {})),
        (2, "", View("x", "y", {})),
        (3, "", View("x", "y", {"z": 2})),
        (1, "pass: {}\n", View("p", "x", {})),  # the pass beside a long row goes down
        (2, "pass: {}\n", View("x", "y", {"p": 1})),
    ],
)
def test_the_usual_view(piles, more, view):
    assert usual_view(whole_window(solved(NIM.format(piles=piles) + more, N=9))) == view


def seen(picture):
    """Return the cells of a picture of dots as three masks: white, grey, empty."""
    red, opacity = (imread(io.BytesIO(picture))[:, :, place] for place in (0, 3))
    return (red == 1) & (opacity == 1), (opacity > 0) & (opacity < 1), opacity == 0


@given(random_windows())
@examples(20)
def test_a_dot_is_white_for_a_p_position_grey_for_others_and_nothing_where_there_is_none(drawn):
    _, window = drawn
    grid = replace(slice_window(window, usual_view(window)), kind="outcome")
    masks = (grid.values == 0, grid.values > 0, grid.values == NO_POSITION)
    for found, expected in zip(seen(dots_png(grid)), masks, strict=True):
        assert (found == expected).all()


def test_a_dot_of_a_grid_of_grundy_numbers_has_the_colour_of_its_number():
    grid = slice_table(solved(NIM.format(piles=1), N=7), {})
    (dots,) = imread(io.BytesIO(dots_png(grid)))
    assert list(map(to_hex, dots)) == [grid.colour(value) for value in grid.values[0]]
    assert len(set(map(to_hex, dots))) == 8


def test_a_picture_in_words_has_its_first_p_positions():
    grid = slice_table(solved(NIM.format(piles=2), "outcome", N=3), {})
    assert description(grid) == (
        "P-positions of nim (N=3): y from 0 to 3 across, x from 0 to 3 down. 4 of 16 positions are "
        "P-positions: (x=0, y=0), (x=1, y=1), (x=2, y=2), (x=3, y=3)."
    )
    row = wrap_row(slice_table(solved(NIM.format(piles=1), N=40), {}), 8)
    assert description(row).count("from 0 to 40") == 2


def test_one_row_in_lines_keeps_the_order():
    grid = slice_table(solved(NIM.format(piles=1), N=10), {})
    lined = wrap_row(grid, 4)
    assert lined.values.tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, NO_POSITION]]
    assert (lined.row_name, list(lined.rows), lined.column_name, list(lined.columns)) == (
        "x", [0, 4, 8], "+", [0, 1, 2, 3],
    )  # fmt: skip
    assert wrap_row(grid, 11) is grid
    assert first_cells(grid, 1, 3).values.tolist() == [[0, 1, 2]]


def test_the_scale_grows_lighter_and_p_positions_are_white():
    def light(text):
        channels = [int(text[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        return sum(w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
                   for w, c in zip((0.2126, 0.7152, 0.0722), channels, strict=True))  # fmt: skip

    steps = list(map(light, SCALE))
    assert steps == sorted(steps)
    assert [is_dark(text) for text in SCALE] == sorted(map(is_dark, SCALE), reverse=True)
    assert colour(0, 7) == "#ffffff"
    for text in SCALE:  # letters on it have a contrast of 4.5 at least (WCAG AA)
        letters = 1.05 / (light(text) + 0.05) if is_dark(text) else (light(text) + 0.05) / 0.05
        assert letters >= 4.5


@given(st.integers(1, 1000), st.data())
def test_values_up_to_the_top_have_a_place_in_the_scale_that_never_falls(largest, data):
    top = scale_top(largest)
    assert largest <= top < 2 * largest + 1
    places = scale_index(np.arange(0, top + 1), top)
    assert places[0] < 0
    assert (np.diff(places[1:]) >= 0).all()
    assert places[1] == 0
    assert top == 1 or places[-1] == len(SCALE) - 1
    value = data.draw(st.integers(1, top))
    assert scale_index(value, top) == places[value]


def test_the_part_of_a_page_shows_its_first_picture_without_a_script_and_brings_its_tables():
    table = solved(N=8)
    part, small = pictures(table.instance.ruleset, [whole_window(table)])
    assert part.script.startswith('(window.grundylabPictures ||= {})["nim"] = ')
    data = data_of(part)
    assert data["view"] == {"down": "x", "across": "y", "fixed": {"z": 2}}
    assert (values_of(data["windows"][0]) == table.values).all()
    x, y = np.mgrid[0:9, 0:9]
    assert small in part.html
    white, _, _ = seen(b64decode(re.search(r'src="data:image/png;base64,([^"]*)"', small)[1]))
    assert (white == ((x ^ y ^ 2) == 0)).all()
    assert not re.search(r"https?:", part.html + part.script)


def test_a_family_of_games_has_no_pictures():
    family = parse_ruleset("title: t\nposition: {x: 0..N}\nfunctions: {f(n): {any: f(n) >= 0}}\n"
                           'moves: [{take: "1..min(x, f(x))", from: x}]\n', "family")  # fmt: skip
    part, small = pictures(family, [])
    assert (part.html, part.script, small) == ("", "", "")
    assert figure_pictures(family, load_papers("papers")) == []


@pytest.mark.parametrize(
    ("where", "proofs", "first"),
    [
        ("True", (), 3),
        ("m % 4 == 0", (), 4),
        ("True", (made.proof(where="m % 4 == 0"),), 4),
        ("m >= 4", (made.proof(where="m == 8"),), 8),
        ("m == 5", (), 3),  # no picture has it
    ],
)
def test_the_first_picture_has_parameters_for_which_the_best_answer_is_right(where, proofs, first):
    tables = [solved_table("nim-with-a-pass-from-m", "outcome", m=m, N=4) for m in (3, 4, 7, 8)]
    best = made.formula(formula="x == 0", where=where, proofs=proofs)
    windows = [whole_window(table) for table in tables]
    assert windows[first_place(windows, best)].instance.parameters == (("m", first),)
