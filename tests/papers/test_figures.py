"""The figures drawn again agree with what the papers' texts say about them."""

from functools import cache
from math import isqrt, log2, log10

import pytest
from tests.golden.refused import FIGURE
from tests.papers.small import ROOT, ruleset

from grundylab.errors import InstanceError
from grundylab.findings.papers import load_papers
from grundylab.games.model import PrintedTable
from grundylab.report.figures import caption, figure_grid, figures_of, named_figure

PAPERS = {paper.name: paper for paper in load_papers(ROOT / "papers")}
FIGURES = [figure for paper in PAPERS.values() for figure in paper.figures]
RESTRICTION = "games-of-nim-with-restriction"


def grid_of(paper, at):
    (figure,) = [f for f in FIGURES if (f.paper, f.at) == (paper, at)]
    return figure_grid(figure, ruleset(figure.ruleset))


def white(grid):
    """Return the cells of P-positions as (number at the left, number at the top)."""
    rows = grid.rows if grid.row_name else [None]
    return {
        (row, column)
        for row, values in zip(rows, grid.values, strict=True)
        for column, value in zip(grid.columns, values, strict=True)
        if value == 0
    }


def limits(name):
    """Return f(1) to f(50), computed here independently from the figure's caption."""
    if name == "Figure 19":
        values = [1, 2]
        while len(values) < 50:
            values.append(values[-1] + values[-2])
    elif name == "Figure 20":
        values = [1, 1, 2]
        while len(values) < 50:
            values.append(values[-1] + values[-2] + values[-3])
    else:
        f = {
            "Figure 11": lambda k: k,
            "Figure 15": lambda k: isqrt(k**3),  # k^1.5 rounded down
            "Figure 16": lambda k: k * k,
            "Figure 17": lambda k: int(log2(k)) + 1,
            "Figure 18": lambda k: int(log10(k)) + 1,
        }[name]
        values = [f(k) for k in range(1, 51)]
    return dict(enumerate(values, 1))


def turn_game(f, stones, turns):
    """Return the P-positions by Definitions 2 and 27, that is, by recursion over all moves."""

    @cache
    def is_p(u, k):
        return not any(is_p(u - t, k + 1) for t in range(1, min(u, f[k]) + 1))

    return {(k, u) for k in range(1, turns + 1) for u in range(stones + 1) if is_p(u, k)}


@pytest.mark.parametrize("at", [f"Figure {number}" for number in (11, 15, 16, 17, 18, 19, 20)])
def test_a_figure_of_turns_is_white_at_the_positions_without_a_move_to_a_white_one(at):
    grid = grid_of(RESTRICTION, at)
    assert (grid.row_name, list(grid.rows), grid.column_name, list(grid.columns)) == (
        "k", list(range(1, 16)), "u", list(range(31)),
    )  # fmt: skip
    assert (grid.values >= 0).all()
    assert white(grid) == turn_game(limits(at), 30, 15)


def test_figure_11_is_the_union_of_the_intervals_of_definition_29():
    expected = {(k, n * (n + k) + i) for k in range(1, 16) for n in range(31) for i in range(n + 1)}
    assert white(grid_of(RESTRICTION, "Figure 11")) == {(k, u) for k, u in expected if u <= 30}


def test_figure_8_is_the_set_of_definition_20():
    expected = {(2 * i - 2, 2**n - i) for n in range(6) for i in range(1, 2**n + 1)}
    assert white(grid_of(RESTRICTION, "Figure 8")) == {(x, y) for x, y in expected if max(x, y) <= 30}


def test_figure_7_is_the_game_of_definition_16():
    @cache
    def is_p(x, y):
        options = [
            (x - t, y - u) for t in range(x + 1) for u in range(y + 1) if 1 <= t + 2 * u <= (x + 2 * y) // 2
        ]
        return not any(is_p(*option) for option in options)

    assert white(grid_of(RESTRICTION, "Figure 7")) == {
        (x, y) for x in range(31) for y in range(31) if is_p(x, y)
    }


def test_figure_4_is_white_at_the_powers_of_two_less_one():
    grid = grid_of(RESTRICTION, "Figure 4")
    assert (grid.row_name, len(grid.values)) == (None, 1)
    assert white(grid) == {(None, 2**n - 1) for n in range(6)}


@pytest.mark.parametrize(
    ("paper", "at", "claim"),
    [
        ("restricted-nim-with-a-pass", "Figure 1", "figure-1"),
        ("chocolate-games-with-a-pass", "Table 2", "table-2"),
    ],
)
def test_a_table_of_grundy_numbers_has_the_printed_entries(paper, at, claim):
    (figure,) = [f for f in FIGURES if (f.paper, f.at) == (paper, at)]
    printed = ruleset(figure.ruleset).claim(claim).printed
    assert isinstance(printed, PrintedTable)
    grid = grid_of(paper, at)
    assert (printed.coordinates, dict(printed.fixed)) == ((grid.row_name, grid.column_name), dict(grid.fixed))
    assert dict(printed.entries) == {
        (row, column): int(grid.values[i, j])
        for i, row in enumerate(grid.rows)
        for j, column in enumerate(grid.columns)
    }


def test_the_figures_of_p_positions_that_the_paper_prints_are_all_there():
    drawn = {figure.at for figure in FIGURES if figure.paper == RESTRICTION}
    assert drawn == {f"Figure {n}" for n in (4, 7, 8, 11, *range(15, 21))}


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: f"{figure.paper}/{figure.id}")
def test_a_figure_stands_at_the_ruleset_that_it_shows_and_says_what_is_assumed(figure):
    found = figures_of(PAPERS.values(), figure.ruleset)
    assert named_figure(found, figure.id, figure.ruleset) == figure
    words = caption(figure, PAPERS[figure.paper])
    assert figure.at in words
    assert PAPERS[figure.paper].title in words
    assert (figure.assumed is None) == ("Assumed" not in words)


def test_a_figure_of_two_papers_is_named_with_its_paper(tmp_path):
    (tmp_path / "a.yaml").write_text(FIGURE)
    (tmp_path / "b.yaml").write_text(FIGURE.replace("A1", "A2"))
    figures = figures_of(load_papers(tmp_path), "nim-2")
    with pytest.raises(InstanceError, match="a/figure-1, b/figure-1"):
        named_figure(figures, "figure-1", "nim-2")
    assert named_figure(figures, "b/figure-1", "nim-2").paper == "b"
    with pytest.raises(InstanceError, match="nim-2"):
        named_figure(figures, "figure-2", "nim-2")
