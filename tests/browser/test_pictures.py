"""The pictures on a page: the script draws the slice of the table that the controls select."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Watched, page_with

from grundylab.games import make_instance, parse_ruleset
from grundylab.report.grid import trim, whole_window
from grundylab.report.site.table_pictures import pictures
from grundylab.solve import solve

PILES = """\
title: Three piles and a pass
parameters: {m: m >= 1}
piles: 3
position: {x: 0..N}
moves: [{take: t, from: x}]
pass: {when: x + ... >= m}
"""
BAR = "title: A bar\nposition: {x: 0..N, y: 0..x}\nmoves: [{take: t, from: y}]\n"
ROW = 'title: A row\nposition: {n: 0..N}\nmoves: [{take: "1..min(2, n)", from: n}]\n'
LARGE = "title: One pile\nposition: {n: 0..N}\nmoves: [{take: t, from: n}]\n"


def page_of(folder: Path, text: str, *instances: dict[str, int], kind: str = "grundy", script: bool = True):
    """Write a page with the pictures of some instances of a game; return its file and the tables."""
    ruleset = parse_ruleset(text, "game")
    tables = []
    for given in instances:
        fixed = {name: value for name, value in given.items() if name in ruleset.parameter_names}
        bounds = {name: value for name, value in given.items() if name not in fixed}
        tables.append(solve(make_instance(ruleset, fixed, bounds), kind, "reference"))
    part, _ = pictures(ruleset, [trim(whole_window(table), 10**6) for table in tables])
    return page_with(folder, part, ("data.js", "pictures.js") if script else ()), tables


def cells(path: str | None) -> list[tuple[int, int]]:
    """Return the cells that an SVG path covers, in order; check that it draws the edges between neighbouring cells."""
    found = []
    for x, y, width, edges in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z((?:m1 0v1)?(?:m1-1v1)*)", path or ""):
        assert edges.count("v1") == int(width) - 1
        found += [(int(y), int(x) + place) for place in range(int(width))]
    return found


def squares(mask: np.ndarray) -> list[tuple[int, int]]:
    """Return the cells (row, column) where a mask is true, in order."""
    return list(map(tuple, np.argwhere(mask).tolist()))


def white(page: Page) -> list[tuple[int, int]]:
    """Return the cells that the picture draws white."""
    return cells(page.locator(".canvas .cells path.p").get_attribute("d"))


def show(page: Page, what: str) -> None:
    page.get_by_label("Show", exact=True).select_option(what)


def slide(page: Page, label: str, value: int) -> None:
    page.get_by_label(label, exact=True).fill(str(value))


def test_without_a_script_the_same_cells_are_seen_small(watched: Watched, tmp_path: Path) -> None:
    path, (table,) = page_of(tmp_path, PILES, {"m": 2, "N": 9}, script=False)
    page = watched.open(path)
    assert not page.locator(".controls").is_visible()
    image = page.locator(".canvas img")
    words = image.get_attribute("alt")
    assert words
    assert f"{(table.values[:, :, 2, 1] == 0).sum()} of 100 positions" in words
    assert image.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [10, 10]


def test_slider_pass_and_axes_choose_the_slice(watched: Watched, tmp_path: Path) -> None:
    path, (table, other) = page_of(tmp_path, PILES, {"m": 2, "N": 9}, {"m": 5, "N": 9})
    page = watched.open(path)
    assert white(page) == squares(table.values[:, :, 2, 1] == 0)
    slide(page, "z", 7)
    assert white(page) == squares(table.values[:, :, 7, 1] == 0)
    page.get_by_label("Pass still available (p = 1)").uncheck()
    assert white(page) == squares(table.values[:, :, 7, 0] == 0)
    page.get_by_label("Down", exact=True).select_option("z")  # x, which went down, is now held fixed
    slide(page, "x", 3)
    assert white(page) == squares(table.values[3, :, :, 0].T == 0)
    page.get_by_label("Across", exact=True).select_option("z")  # the two axes change places
    assert white(page) == squares(table.values[3, :, :, 0] == 0)
    page.get_by_label("Pass still available (p = 1)").check()
    page.get_by_label("Parameters").select_option("m=5")
    assert white(page) == squares(other.values[3, :, :, 1] == 0)
    slide(page, "Cells a side", 4)
    assert white(page) == squares(other.values[3, :4, :4, 1] == 0)


def in_hexadecimal(style: str | None) -> str:
    """Return the colour in a CSS style as #rrggbb."""
    return "#" + "".join(f"{int(channel):02x}" for channel in re.findall(r"\d+", style or ""))


def test_grundy_numbers_are_in_their_cells_and_in_the_colours_of_the_legend(
    watched: Watched, tmp_path: Path
) -> None:
    path, (table,) = page_of(tmp_path, PILES, {"m": 2, "N": 9})
    page = watched.open(path)
    show(page, "grundy")
    slide(page, "Cells a side", 5)
    slide(page, "z", 1)
    values = table.values[:5, :5, 1, 1]
    pane = page.locator(".pictures")
    assert [
        int(text) for text in pane.locator(".numbers text").all_text_contents()
    ] == values.ravel().tolist()
    legend = {
        int(item.inner_text()): item.locator("span").get_attribute("style")
        for item in pane.locator(".legend li").all()
    }
    assert set(legend) == set(range(8))  # 2^3 - 1 is the first such number from the largest value, 6, on
    for value in range(1, 1 + values.max()):
        drawn = pane.locator(f'.cells path[fill="{in_hexadecimal(legend[value])}"]')
        assert cells(drawn.get_attribute("d") if drawn.count() else "") == squares(values == value)


def test_a_cell_that_is_pointed_at_is_said_and_one_that_is_clicked_is_kept_and_leads_to_the_explorer(
    watched: Watched, tmp_path: Path
) -> None:
    path, (table,) = page_of(tmp_path, PILES, {"m": 2, "N": 9})
    explorer = '<div class="explorer" data-game="game">x</div></main>'
    path.write_text(path.read_text().replace("</main>", explorer))
    page = watched.open(path)
    told, canvas = page.get_by_role("status"), page.locator(".canvas")

    def place(row: int, column: int) -> tuple[float, float]:
        box = page.locator(".canvas .cells").bounding_box()
        assert box
        return box["x"] + box["width"] * (column + 0.5) / 10, box["y"] + box["height"] * (row + 0.5) / 10

    def expect_told(row: int, column: int) -> None:
        value = table[row, column, 2, 1]
        outcome = "N" if value else "P"
        expect(told).to_contain_text(
            f"x={row}, y={column}, z=2, p=1: {outcome}-position, Grundy number {value}"
        )

    page.mouse.move(*place(1, 3))
    expect_told(1, 3)
    canvas.focus()
    for key in ("ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft"):  # it stops at the edge
        page.keyboard.press(key)
    expect_told(2, 0)
    assert page.locator(".mark").count() == 1
    page.mouse.click(*place(0, 4))
    page.mouse.move(*place(0, 6))
    expect_told(0, 4)
    page.get_by_role("link", name="Open in the explorer").click()
    assert page.evaluate("location.hash") == "#explore:m=2,x=0,y=4,z=2,p=1"


def test_the_controls_are_reached_and_moved_by_keys(watched: Watched, tmp_path: Path) -> None:
    path, (table,) = page_of(tmp_path, PILES, {"m": 2, "N": 9})
    page = watched.open(path)
    reached, focused = (
        [],
        "document.activeElement.labels?.[0]?.textContent ?? document.activeElement.className",
    )
    for _ in range(7):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(focused))
        if reached[-1] == "z":
            page.keyboard.press("ArrowRight")
            assert white(page) == squares(table.values[:, :, 3, 1] == 0)
    controls = ["Show", "Down", "Across", "z", "Pass still available (p = 1)", "Cells a side"]
    assert reached == ["canvas", *controls]
    for control in page.locator(".controls select, .controls input").all():
        assert control.evaluate("element => element.labels.length") == 1


def test_cells_that_are_no_positions_are_not_drawn(watched: Watched, tmp_path: Path) -> None:
    path, (table,) = page_of(tmp_path, BAR, {"N": 5}, kind="outcome")
    page = watched.open(path)
    grey = cells(page.locator(".canvas .cells path.n").get_attribute("d"))
    assert (white(page), grey) == (squares(table.values == 0), squares(table.values > 0))
    assert page.get_by_label("Show", exact=True).count() == 0  # nothing is known of Grundy numbers
    page.locator(".canvas").focus()
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.get_by_role("status")).to_have_text("x=0, y=1: no position")


def test_one_row_goes_in_lines_of_any_length(watched: Watched, tmp_path: Path) -> None:
    path, (table,) = page_of(tmp_path, ROW, {"N": 40})
    page = watched.open(path)
    slide(page, "Cells in a line", 6)
    lines = np.full(42, -1)
    lines[:41] = table.values
    assert white(page) == squares(lines.reshape(7, 6) == 0)
    show(page, "plot")
    points = page.locator(".canvas .points").get_attribute("d")
    found = [tuple(map(float, point)) for point in re.findall(r"M([\d.]+) ([\d.]+)h0", points)]
    assert len(found) == 41
    heights = {
        value: {y for (_, y), own in zip(found, table.values, strict=True) if own == value}
        for value in range(3)
    }
    assert all(len(ys) == 1 for ys in heights.values())
    assert max(heights[2]) < min(heights[1]) < min(heights[0])  # larger values are higher up
    assert np.allclose(np.diff([x for x, _ in found]), found[1][0] - found[0][0], atol=0.11)
    show(page, "p")
    page.locator(".canvas").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.get_by_role("status")).to_have_text("n=7: N-position, Grundy number 1")


@pytest.mark.parametrize("kind", ["outcome", "grundy"])
def test_values_of_every_size_are_read(watched: Watched, tmp_path: Path, kind: str) -> None:
    path, (table,) = page_of(tmp_path, LARGE, {"N": 300}, kind=kind)
    page = watched.open(path)
    read = page.evaluate("""() => {
        const canvas = document.querySelector('.canvas'), told = document.querySelector('.told'), found = [];
        canvas.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown'}));
        for (let i = 0; i < 7; i++) {
            found.push(told.textContent);
            canvas.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown'}));
        }
        return found;
    }""")
    assert len(read) == 7
    suffix = ", Grundy number {}" if kind == "grundy" else ""
    assert read == [f"n={n}: {'N' if n else 'P'}-position" + suffix.format(n) for n in range(0, 168, 24)]
    assert table.values[300] == (300 if kind == "grundy" else 1)


def test_nothing_is_wider_than_the_screen_and_numbers_can_be_read(watched: Watched, tmp_path: Path) -> None:
    path, _ = page_of(tmp_path, PILES.replace("3", "2"), {"m": 2, "N": 31})
    for width in (390, 1280):
        watched.page.set_viewport_size({"width": width, "height": 800})
        page = watched.open(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        heights = page.evaluate(
            "[...document.querySelectorAll('svg.grid text')].map(t => t.getBoundingClientRect().height)"
        )
        assert min(heights) >= 9  # pixels
