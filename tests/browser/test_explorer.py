"""The explorer as a reader uses it: by links, fields, clicks and keys, on wide and narrow screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Watched, page_with, scripts_page
from tests.papers.small import ruleset as shipped

from grundylab.games import Ruleset, parse_ruleset
from grundylab.language import parse
from grundylab.report.site.explorer import explorer
from grundylab.strategy.lines import Line

PASS = "nim-with-a-pass-from-m"
At = Callable[..., Page]
# How the work on each question ended.
WATCH_SOLVING = """() => {
  const solve = grundylab.Solver.prototype.solve;
  window.ended = [];
  grundylab.Solver.prototype.solve = function* (positions) {
    let how = "given up";
    try {
      yield* solve.call(this, positions);
      how = "solved";
    } finally {
      window.ended.push(`${positions.join()} ${how}`);
    }
  };
}"""


@pytest.fixture(autouse=True)
def patient() -> Iterator[None]:
    """Allow a minute for each expectation, since a slow machine is no fault."""
    expect.set_options(timeout=60_000)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture
def at(watched: Watched, tmp_path: Path) -> At:
    """Return a function that opens the explorer of a game at a position.

    The game is a ruleset or its name; without a position, the explorer's start is shown.
    """

    def opened(game: Ruleset | str, position: str = "") -> Page:
        ruleset = shipped(game) if isinstance(game, str) else game
        path = page_with(tmp_path, explorer(ruleset), ["rules.js", "data.js", "explorer.js"])
        return watched.open(path, f"#explore:{position}" if position else "")

    return opened


def status(page: Page) -> str:
    return page.get_by_role("status").inner_text()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def follow(page: Page, position: str) -> None:
    """Click the link of the option at this position, and check that the explorer shows the position."""
    page.get_by_role("link", name=position, exact=True).first.click()
    expect_at(page, position)


def expect_at(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=3)).to_have_text(text)


def field(page: Page, name: str) -> Locator:
    return page.get_by_role("spinbutton", name=name, exact=True)


def fill(page: Page, **values: int | str) -> None:
    for name, value in values.items():
        field(page, name).fill(str(value))


# -- what is shown ---------------------------------------------------------------------------------------


def test_a_link_opens_a_position_with_its_value_options_and_reason(at: At) -> None:
    page = at(PASS, "m=8,x=3,y=5,z=6,p=1")
    expect_at(page, "(x=3, y=5, z=6, p=1)")
    assert status(page) == "(x=3, y=5, z=6, p=1): N-position, Grundy number 1; 3 winning moves of 15"
    why = page.locator(".explorer-why").inner_text()
    for part in ("“take from x”", "(x=2, y=5, z=6, p=1)", "include 0, but not 1"):
        assert part in why
    rows = page.locator(".explorer tbody tr")
    expect(rows).to_have_count(15)
    cells = ["pass", "p: 1 → 0", "(x=3, y=5, z=6, p=0)", "P", "0", "wins"]
    assert rows.nth(2).locator("td").all_inner_texts() == cells
    assert page.locator(".explorer tr.wins").count() == 3
    assert field(page, "m").input_value() == "8"


@pytest.mark.parametrize(
    ("name", "position", "said", "why"),
    [
        ("nim", "x=1,y=2,z=3", "P-position, Grundy number 0; 0 winning moves", "every option"),
        ("misere-nim", "x=0,y=0,z=0", "N-position; 0 winning moves", "cannot move wins"),
        ("kayles", "x=5+x=7", "N-position, Grundy number 6; 4 winning moves", "a sum"),  # 4 ^ 2
    ],
)  # fmt: skip
def test_a_position_is_said_to_be_what_it_is_and_why(
    at: At, name: str, position: str, said: str, why: str
) -> None:
    page = at(name, position)
    title = " + ".join(f"({part.replace(',', ', ')})" for part in position.split("+"))
    expect_at(page, title)
    assert status(page).startswith(f"{title}: {said}")
    expect(page.locator(".explorer-why")).to_contain_text(why)
    if "+" in position:  # a sum is cited and left part by part
        follow(page, "(x=5) + (x=5)")
        assert page.evaluate("location.hash") == "#explore:x=5+x=5"


def test_an_option_is_a_link_and_the_browser_s_back_goes_back(at: At) -> None:
    page = at("wythoff")
    expect_at(page, "(x=6, y=6)")  # without a link it begins somewhere, and leaves the address alone
    assert page.evaluate("location.hash") == ""
    follow(page, "(x=6, y=4)")
    assert page.evaluate("location.hash") == "#explore:x=6,y=4"
    assert field(page, "y").input_value() == "4"
    expect(page.get_by_role("heading", level=3)).to_be_focused()
    follow(page, "(x=1, y=4)")
    page.go_back()
    expect_at(page, "(x=6, y=4)")
    page.go_back()
    expect_at(page, "(x=6, y=6)")


def test_many_options_are_shown_when_asked_for(at: At) -> None:
    page = at("nim", "x=0,y=0,z=300")
    expect(page.locator(".explorer tbody tr")).to_have_count(200)
    press(page, "Show all 300 options")
    expect(page.locator(".explorer tbody tr")).to_have_count(300)


# -- what is refused -------------------------------------------------------------------------------------


def test_a_wrong_number_is_refused_beside_its_field(at: At) -> None:
    page = at(PASS, "m=8,x=3,y=5,z=6,p=1")
    alert = page.get_by_role("alert")
    for name, value, words in [
        ("m", 0, "m = 0 is outside its domain: m >= 1"),
        ("x", -1, "x = -1 is not possible: it must be at least 0"),
        ("p", 2, "p = 2 is not possible: it must be at most 1"),
        ("y", "", "y must be a whole number"),
        ("y", "1.5", "y must be a whole number"),
        ("z", 3 * 10**9, "z = 3000000000 is not possible: it must be at most 2147483647"),
    ]:
        expect_at(page, "(x=3, y=5, z=6, p=1)")
        fill(page, **{name: value})
        press(page, "Show")
        expect(alert).to_have_text(words)
        expect(field(page, name)).to_have_attribute("aria-invalid", "true")
        expect(field(page, name)).to_be_focused()
        expect(page.locator(".explorer tbody tr")).to_have_count(0)
        fill(page, m=8, x=3, y=5, z=6, p=1)
        page.keyboard.press("Enter")
        expect_at(page, "(x=3, y=5, z=6, p=1)")
        expect(alert).to_have_text("")
        expect(field(page, name)).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize(
    ("name", "position", "words"),
    [
        ("chocolate-log-pass", "x=1,y=9,z=2,p=1", "y <= h(z)"),
        ("nim", "x=1,y=2", "number for z"),
        ("nim", "x=1,y=2,z=three", "number for z"),
        ("nim", "%ff", "too large"),
        (
            "subtraction-1-3-4", "x=1000000",
            "(x=1000000)",
        ),
    ],
)  # fmt: skip
def test_a_link_to_what_is_no_position_or_too_large_is_refused(
    at: At, name: str, position: str, words: str
) -> None:
    page = at(name, position)
    expect(page.get_by_role("alert")).to_contain_text(words)
    if name == "nim":
        fill(page, x=1, y=2, z=3)
        press(page, "Show")
        expect_at(page, "(x=1, y=2, z=3)")


def test_a_new_question_ends_the_old_one(at: At) -> None:
    page = at("subtraction-1-3-4", "x=5")
    expect_at(page, "(x=5)")
    page.evaluate(WATCH_SOLVING)
    # both questions in one task, so that the first cannot be answered before the second is asked
    ask = "(value) => { const x = document.querySelector('#explorer-in-x'); x.value = value; x.form.requestSubmit(); }"
    page.evaluate(f"[150000, 7].forEach({ask})")
    page.wait_for_function("window.ended.length === 2")
    assert page.evaluate("window.ended") == ["7 solved", "150000 given up"]
    expect(page.get_by_role("alert")).to_have_text("")
    expect_at(page, "(x=7)")


def test_everything_is_reached_by_the_keyboard(at: At) -> None:
    page = at("wythoff", "x=1,y=1")
    expect_at(page, "(x=1, y=1)")

    def tab_to(name: str, press: str = "Enter") -> None:
        for _ in range(30):
            page.keyboard.press("Tab")
            text = "document.activeElement.textContent || document.activeElement.id"
            if page.evaluate(text) == name:
                return page.keyboard.type(press) if len(press) == 1 else page.keyboard.press(press)
        raise AssertionError(f"{name} is not reached")

    tab_to("explorer-in-x", "2")
    tab_to("Show")
    expect_at(page, "(x=2, y=1)")
    expect(page.get_by_role("heading", level=3)).to_be_focused()
    tab_to("(x=1, y=0)")
    expect_at(page, "(x=1, y=0)")


# -- the page around it ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [PASS, "heaps-1-2-3-4"])
def test_a_narrow_screen_needs_no_scrolling_sideways(watched: Watched, at: At, name: str) -> None:
    watched.page.set_viewport_size({"width": 390, "height": 800})
    page = at(name)
    expect(page.locator(".explorer table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'><!-- {{x}}"
HOSTILE_GAME = f"""\
title: {HOSTILE!r}
position: {{x: 0..N}}
moves: [{{name: "{HOSTILE}", for: {{t: 1..x}}, to: {{x: x - t}}}}]
"""


def test_hostile_names_are_only_text(watched: Watched, at: At, tmp_path: Path) -> None:
    ruleset = parse_ruleset(HOSTILE_GAME, '"><img src=x onerror="window.hacked=1">')
    page = watched.open(scripts_page(tmp_path, [ruleset]))
    assert page.evaluate("Object.keys(grundylab.games)") == [ruleset.name]
    assert page.evaluate("window.hacked") is None
    for game in (ruleset, parse_ruleset(HOSTILE_GAME, "__proto__")):
        page = at(game, "x=2")
        expect(page.locator(".explorer tbody td").first).to_have_text(" ".join(HOSTILE.split()))
        assert page.locator("img").count() == 0
        assert page.evaluate("window.hacked") is None


def test_a_family_has_no_explorer_and_says_why_and_without_scripts_the_page_says_so() -> None:
    part = explorer(shipped("turn-limit-nondecreasing"))
    assert part.script == ""
    assert "<code>f(k)</code> may be" in part.html
    assert "needs JavaScript" in explorer(shipped("nim")).html


def test_the_move_of_the_strategy_is_marked_among_the_winning_ones(watched, tmp_path):
    """All three winning moves of (3, 5, 7) win; the first line that applies names the one in x."""
    nim = shipped("nim")
    lines = [
        Line(0, parse("x > y ^ z"), (parse("x - (y ^ z)"),)),
        Line(1, parse("y > x ^ z"), (parse("y - (x ^ z)"),)),
    ]
    path = page_with(tmp_path, explorer(nim, strategy=lines), ["rules.js", "data.js", "explorer.js"])
    page = watched.open(path, "#explore:x=3,y=5,z=7")
    expect(page.get_by_role("cell", name="wins: the strategy’s move")).to_have_count(1)
    marked = page.get_by_role("row").filter(has_text="the strategy’s move")
    expect(marked).to_contain_text("(x=2, y=5, z=7)")
    expect(page.get_by_role("cell", name="wins", exact=True)).to_have_count(2)
