"""``grundylab show``: colours on terminals only, vector files that are reproducible, and figures by name."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from grundylab.cli.main import main
from grundylab.games import make_instance, parse_ruleset
from grundylab.report.drawing import PictureOptions, write_picture
from grundylab.report.grid import slice_table
from grundylab.report.terminal import to_text, wants_colour
from grundylab.solve import solve

ROOT = Path(__file__).parents[2]
NIM = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
BAR = "title: A bar\nposition: {x: 0..N, y: 0..x}\nmoves: [{take: t, from: y}]\n"


def grid_of(kind="outcome", text=NIM, size=4):
    return slice_table(
        solve(make_instance(parse_ruleset(text, "nim"), {}, {"N": size}), kind, "reference"), {}
    )


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("asked", "stream", "environment", "colours"),
    [
        ("auto", Terminal(), {}, True),
        ("auto", Terminal(), {"TERM": "xterm", "NO_COLOR": ""}, True),  # empty is as if it were not set
        ("auto", Terminal(), {"NO_COLOR": "1"}, False),
        ("auto", Terminal(), {"TERM": "dumb"}, False),
        ("auto", io.StringIO(), {}, False),
        ("always", io.StringIO(), {"NO_COLOR": "1"}, True),
        ("never", Terminal(), {}, False),
    ],
)
def test_colours_are_for_terminals_unless_someone_says_otherwise(asked, stream, environment, colours):
    assert wants_colour(asked, stream, environment) == colours


@pytest.mark.parametrize("kind", ["outcome", "grundy"])
@pytest.mark.parametrize("text", [NIM, BAR])
def test_without_its_colours_the_grid_says_the_same(kind, text):
    grid = grid_of(kind, text)
    plain = re.sub(r"\x1b\[[\d;]*m", "", to_text(grid, coloured=True))
    assert plain.split() == to_text(grid).split()


def test_p_positions_are_on_white_and_others_on_grey_and_nothing_is_on_no_colour():
    lines = to_text(grid_of(text=BAR, size=2), coloured=True).splitlines()[2:5]
    white, grey = "48;5;231m ●", "48;5;249m ·"
    assert [(line.count(white), line.count(grey)) for line in lines] == [(1, 0), (1, 1), (1, 2)]
    assert all(line.endswith(" \x1b[0m") for line in lines)


@pytest.mark.parametrize(("width", "cell"), [(65, 2), (60, 1)])
def test_a_grid_wider_than_the_terminal_has_narrow_cells(width, cell):
    lines = to_text(grid_of(text=BAR, size=30), coloured=True, width=width).splitlines()
    shown = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]
    assert all(len(line) == 2 + 31 * cell <= width for line in shown[1:-1])
    numbers = (0, 10, 20, 30) if cell == 2 else (0, 10, 20)  # 30 has no room in one letter
    assert [int(number) for number in shown[1].split()] == list(numbers)
    assert [shown[1].index(str(number)) for number in numbers] == [2 + cell * number for number in numbers]
    grounds = [re.findall(r"48;5;(\d+)m(?= *\x1b| *$)", line) for line in lines[2:-1]]
    spaces = re.split(r"\x1b\[[\d;]*m", lines[4])[3:]
    assert (grounds[2], [len(part) for part in spaces[:3]]) == (["231", "249", "249"], [cell] * 3)
    assert shown[-1] == "white: P-position, grey: N-position"


@pytest.mark.parametrize(
    ("ending", "kind", "start"),
    [("png", "outcome", b"\x89PNG"), ("svg", "grundy", b"<?xml"), ("pdf", "grundy", b"%PDF")],
)
def test_a_picture_is_the_same_every_time_and_brings_its_letters_along(tmp_path, ending, kind, start):
    files = [tmp_path / f"{name}.{ending}" for name in "ab"]
    for file in files:
        write_picture(grid_of(kind), file)
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert first.startswith(start)
    if ending == "pdf":
        assert b"/FontFile2" in first
    if ending == "svg":
        assert b"<text" not in first  # letters are outlines
        assert b"<image" not in first
        assert not re.search(rb"\d{4}-\d\d-\d\d", first.partition(b"<svg")[2])


def test_the_width_is_as_asked(tmp_path):
    write_picture(grid_of(), tmp_path / "a.svg", PictureOptions(width=100))
    points = float(re.search(r'width="([\d.]+)pt"', (tmp_path / "a.svg").read_text())[1])
    assert points == pytest.approx(100 / 25.4 * 72)


def test_white_cells_of_a_png_are_the_p_positions(tmp_path):
    from matplotlib.image import imread

    write_picture(grid_of(size=3), tmp_path / "a.png", PictureOptions(dpi=100, title=False))
    pixels = imread(tmp_path / "a.png")[..., :3]
    grey = np.all(np.abs(pixels - 0xB3 / 255) < 0.01, axis=2)
    rows, columns = np.flatnonzero(grey.any(axis=1)), np.flatnonzero(grey.any(axis=0))
    top, left = rows[0], columns[0]
    height, width = (rows[-1] + 1 - top) / 4, (columns[-1] + 1 - left) / 4
    middles = [
        [pixels[int(top + (r + 0.5) * height), int(left + (c + 0.5) * width)].min() for c in range(4)]
        for r in range(4)
    ]
    assert (np.array(middles) > 0.95).tolist() == np.eye(4, dtype=bool).tolist()


@pytest.fixture
def show(monkeypatch, capsys):
    """Run the command in the project's folder: (exit status, standard output, standard error)."""
    monkeypatch.chdir(ROOT)

    def run(*arguments):
        return main(["show", *arguments]), *capsys.readouterr()

    return run


def test_a_figure_of_a_paper_is_drawn_by_its_name(show, tmp_path):
    status, out, _ = show(
        "max-nim-ceil-pass", "--figure", "figure-1", "--json", "--out", str(tmp_path / "f.svg")
    )
    said = json.loads(out)
    assert (status, said["rows"], said["columns"][:3]) == (0, ["p", 0, 1], ["x", 0, 1])
    assert said["values"][0][:8] == [0, 1, 0, 2, 1, 3, 0, 4]
    assert "Figure 1" in said["caption"]
    assert (tmp_path / "f.svg").is_file()


def test_axes_are_as_asked(show):
    out = show("nim-2", "--bound", "N=2", "--axes", "y,x", "--target", "grundy")[1]
    assert out.splitlines()[0] == "nim-2 (N=2): y ↓ x →"
    out = show("turn-limit-square", "--bound", "N=3,K=2", "--axes", "k,u", "--json")[1]
    said = json.loads(out)
    assert (said["rows"][0], said["columns"]) == ("k", ["u", 0, 1, 2, 3])
    assert said["values"][0][:2] == [0, 1]


@pytest.mark.parametrize("more", [["8"], ["figure-8", "--bound", "N=5"]])
def test_figure__is_called_by_its_whole_name_and_has_its_own_table(show, more):
    status, out, err = show("two-stones-ceil", "--figure", *more)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert ("figure-8" in err, "--bound" in err) == (more == ["8"], len(more) > 1)
