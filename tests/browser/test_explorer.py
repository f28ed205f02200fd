"""The explorer as a reader uses it: by links, fields, clicks and keys, on wide and narrow screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Watched
from tests.browser.explorers import scripts_page, site

from grundylab.games import Ruleset, load_ruleset, parse_ruleset
from grundylab.report.site.explorer import explorer

RULESETS = Path(__file__).parents[2] / "rulesets"
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
    """A slow machine is no fault."""
    expect.set_options(timeout=60_000)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture
def at(watched: Watched, tmp_path: Path) -> At:
    """Opens the explorer's page of a game, or of a shipped one, at this position if one is given."""

    def opened(game: Ruleset | str, position: str = "", style: str = "") -> Page:
        ruleset = load_ruleset(game, RULESETS) if isinstance(game, str) else game
        uri = site(tmp_path, ruleset, style).as_uri()
        watched.page.goto(f"{uri}#explore:{position}" if position else uri, wait_until="load")
        return watched.page

    return opened


def status(page: Page) -> str:
    return page.get_by_role("status").inner_text()


def option(page: Page, text: str) -> Locator:
    return page.get_by_role("button", name=text, exact=True)


def expect_at(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=3)).to_have_text(text)


def fill(page: Page, **values: int | str) -> None:
    for name, value in values.items():
        page.get_by_role("spinbutton", name=name, exact=True).fill(str(value))


# -- what is shown ---------------------------------------------------------------------------------------


def test_a_link_opens_a_position_with_its_value_options_and_reason(at: At) -> None:
    page = at(PASS, "m=8,x=3,y=5,z=6,p=1")
    expect_at(page, "(x=3, y=5, z=6, p=1)")
    assert status(page) == "(x=3, y=5, z=6, p=1): N-position, Grundy number 1; 3 winning moves of 15"
    why = page.locator(".explorer-why").inner_text()
    assert why.startswith(
        "An N-position, because of the move “take from x” to the P-position (x=2, y=5, z=6, p=1)."
    )
    assert why.endswith("The Grundy numbers of its options include 0, but not 1.")
    rows = page.locator(".explorer tbody tr")
    expect(rows).to_have_count(15)
    cells = ["pass", "p: 1 → 0", "(x=3, y=5, z=6, p=0)", "P", "0", "wins"]
    assert rows.nth(2).locator("td").all_inner_texts() == cells
    assert page.locator(".explorer tr.wins").count() == 3
    assert page.get_by_role("spinbutton", name="m", exact=True).input_value() == "8"


@pytest.mark.parametrize(
    ("name", "position", "said", "why"),
    [
        ("nim", "x=1,y=2,z=3", "P-position, Grundy number 0; 0 winning moves of 6", "every option is an N-position"),
        ("misere-nim", "x=0,y=0,z=0", "N-position; 0 winning moves of 0", "whoever cannot move wins"),
        ("kayles", "x=5+x=7", "N-position, Grundy number 6; 4 winning moves of 22", "This is a sum"),  # 4 ^ 2
    ],
)  # fmt: skip
def test_a_position_is_said_to_be_what_it_is_and_why(
    at: At, name: str, position: str, said: str, why: str
) -> None:
    page = at(name, position)
    title = " + ".join(f"({part.replace(',', ', ')})" for part in position.split("+"))
    expect_at(page, title)
    assert status(page) == f"{title}: {said}"
    expect(page.locator(".explorer-why")).to_contain_text(why)


def test_without_a_link_it_begins_somewhere_and_leaves_the_address_alone(at: At) -> None:
    page = at("wythoff")
    expect_at(page, "(x=6, y=6)")
    assert page.evaluate("location.hash") == ""


def test_an_option_is_a_link_and_back_goes_back(at: At) -> None:
    page = at("nim", "x=3,y=5,z=6")
    option(page, "(x=3, y=5, z=0)").click()
    expect_at(page, "(x=3, y=5, z=0)")
    assert page.evaluate("location.hash") == "#explore:x=3,y=5,z=0"
    assert page.get_by_role("spinbutton", name="z", exact=True).input_value() == "0"
    option(page, "(x=3, y=3, z=0)").click()
    expect_at(page, "(x=3, y=3, z=0)")
    page.get_by_role("button", name="Back").click()
    expect_at(page, "(x=3, y=5, z=0)")
    page.get_by_role("button", name="Back").click()
    expect_at(page, "(x=3, y=5, z=6)")
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    page.go_back()
    expect_at(page, "(x=3, y=5, z=0)")


def test_a_sum_is_cited_and_left_part_by_part(at: At) -> None:
    page = at("kayles", "x=5+x=7")
    option(page, "(x=5) + (x=5)").first.click()
    expect_at(page, "(x=5) + (x=5)")
    assert page.evaluate("location.hash") == "#explore:x=5+x=5"
    assert "P-position, Grundy number 0" in status(page)


def test_many_options_are_shown_when_asked_for(at: At) -> None:
    page = at("nim", "x=0,y=0,z=300")
    expect(page.locator(".explorer tbody tr")).to_have_count(200)
    page.get_by_role("button", name="Show all 300 options").click()
    expect(page.locator(".explorer tbody tr")).to_have_count(300)


# -- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "words", "at_fault"),
    [
        ({"m": 0}, "m = 0 is out of its domain: m >= 1", "m"),
        ({"x": -1}, "x = -1 is not possible: it must be at least 0", "x"),
        ({"p": 2}, "p = 2 is not possible: it must be at most 1", "p"),
        ({"y": ""}, "y must be a whole number", "y"),
        ({"y": "1.5"}, "y must be a whole number", "y"),
        ({"z": 3 * 10**9}, "z = 3000000000 is not possible: it must be at most 2147483647", "z"),
    ],
)
def test_a_wrong_number_is_refused_beside_its_field(
    at: At, values: dict[str, int | str], words: str, at_fault: str
) -> None:
    page = at(PASS, "m=8,x=3,y=5,z=6,p=1")
    expect_at(page, "(x=3, y=5, z=6, p=1)")
    fill(page, **values)
    page.get_by_role("button", name="Show").click()
    alert = page.get_by_role("alert")
    expect(alert).to_have_text(words)
    field = page.get_by_role("spinbutton", name=at_fault, exact=True)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    expect(page.locator(".explorer tbody tr")).to_have_count(0)
    fill(page, m=8, x=3, y=5, z=6, p=1)
    page.keyboard.press("Enter")
    expect_at(page, "(x=3, y=5, z=6, p=1)")
    expect(alert).to_have_text("")
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_after_a_refusal_back_goes_to_what_was_shown_before(at: At) -> None:
    page = at("nim", "x=3,y=5,z=6")
    expect_at(page, "(x=3, y=5, z=6)")
    fill(page, x=-1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).not_to_have_text("")
    fill(page, x=2)
    page.keyboard.press("Enter")
    expect_at(page, "(x=2, y=5, z=6)")
    page.get_by_role("button", name="Back").click()
    expect_at(page, "(x=3, y=5, z=6)")


def test_a_cell_that_is_no_position_is_refused_with_the_rule(at: At) -> None:
    page = at("chocolate-log-pass", "x=1,y=9,z=2,p=1")
    expect(page.get_by_role("alert")).to_have_text("this is no position: y <= h(z) is not fulfilled")


@pytest.mark.parametrize("position", ["x=1,y=2", "x=1,y=2,z=three", "x=1;y=2;z=3", "%ff"])
def test_a_broken_link_is_refused(at: At, position: str) -> None:
    page = at("nim", position)
    expect(page.get_by_role("alert")).not_to_have_text("")
    fill(page, x=1, y=2, z=3)
    page.get_by_role("button", name="Show").click()
    expect_at(page, "(x=1, y=2, z=3)")


def test_too_large_a_position_is_given_up_with_the_limit(at: At) -> None:
    page = at("subtraction-1-3-4", "x=1000000")
    expect(page.get_by_role("alert")).to_have_text(
        "more than 200,000 positions or 5,000,000 moves would have to be looked at to solve (x=1000000): "
        "choose a smaller position",
        timeout=60_000,
    )


def test_a_new_question_ends_the_old_one(at: At) -> None:
    page = at("subtraction-1-3-4", "x=5")
    expect_at(page, "(x=5)")
    page.evaluate(WATCH_SOLVING)
    # both questions in one task, so that the first cannot be answered before the second is asked
    ask = "(value) => { const x = document.querySelector('#explorer-in-x'); x.value = value; x.form.requestSubmit(); }"
    page.evaluate(f"[150000, 7].forEach({ask})")
    expect_at(page, "(x=7)")
    page.wait_for_function("window.ended.length === 2")
    assert page.evaluate("window.ended") == ["7 solved", "150000 given up"]
    expect(page.get_by_role("alert")).to_have_text("")
    expect_at(page, "(x=7)")
    page.get_by_role("button", name="Back").click()
    expect_at(page, "(x=5)")


# -- playing ---------------------------------------------------------------------------------------------


def test_a_game_is_won_by_the_winning_moves_with_the_pass(at: At) -> None:
    page = at(PASS, "m=1,x=1,y=1,z=0,p=1")  # with no pass a P-position
    expect_at(page, "(x=1, y=1, z=0, p=1)")
    page.get_by_role("button", name="Play from here").click()
    expect_at(page, "Your move at (x=1, y=1, z=0, p=1)")
    expect(page.locator(".explorer tbody tr")).to_have_count(2)  # the pass is a button of its own
    page.get_by_role("button", name="Pass").click()
    assert "It is your move at" in status(page)
    assert page.locator(".explorer-log li").first.inner_text() == (
        "You: pass (p: 1 → 0), to (x=1, y=1, z=0, p=0)"
    )
    expect(page.get_by_role("button", name="Pass")).to_have_count(0)
    page.locator(".explorer tbody button").first.click()
    expect_at(page, "You win")
    assert "The program has no move, and whoever cannot move loses: you win." in status(page)
    page.get_by_role("button", name="Back to exploring").click()
    expect_at(page, "(x=0, y=0, z=0, p=0)")
    page.get_by_role("button", name="Back").click()
    expect_at(page, "(x=1, y=1, z=0, p=1)")


@pytest.mark.parametrize(
    ("name", "position", "begins"),
    [
        ("nim", "x=3,y=4,z=5", "program"),
        ("nim", "x=1,y=2,z=3", "you"),
        ("misere-nim", "x=2,y=3,z=1", "you"),
        ("misere-nim", "x=1,y=3,z=1", "program"),
        ("kayles", "x=7", "program"),
        (PASS, "m=3,x=2,y=3,z=2,p=1", "program"),
    ],
)
def test_the_program_wins_what_it_can_win(at: At, name: str, position: str, begins: str) -> None:
    page = at(name, position)
    page.get_by_label("Who begins?").select_option(begins)
    page.get_by_role("button", name="Play from here").click()
    title = page.get_by_role("heading", level=3)
    for _ in range(20):
        if not title.inner_text().startswith("Your move"):
            break
        page.locator(".explorer tbody button").last.click()
    expect_at(page, "The program wins")
    expect(title).to_be_focused()


def test_a_game_can_be_stopped_where_it_is(at: At) -> None:
    page = at("nim", "x=3,y=4,z=5")
    page.get_by_label("Who begins?").select_option("program")
    page.get_by_role("button", name="Play from here").click()
    expect_at(page, "Your move at (x=1, y=4, z=5)")
    page.get_by_role("button", name="Stop playing").click()
    expect_at(page, "(x=1, y=4, z=5)")
    assert page.evaluate("location.hash") == "#explore:x=1,y=4,z=5"


def test_everything_is_reached_by_the_keyboard(at: At) -> None:
    page = at("wythoff", "x=1,y=1")
    expect_at(page, "(x=1, y=1)")

    def tab_to(name: str) -> None:
        for _ in range(30):
            page.keyboard.press("Tab")
            text = "document.activeElement.textContent || document.activeElement.id"
            if page.evaluate(text) == name:
                return
        raise AssertionError(f"{name} is not reached")

    tab_to("explorer-in-x")
    page.keyboard.type("2")
    tab_to("Show")
    page.keyboard.press("Enter")
    expect_at(page, "(x=2, y=1)")
    expect(page.get_by_role("heading", level=3)).to_be_focused()
    tab_to("Play from here")
    page.keyboard.press("Space")
    expect_at(page, "Your move at (x=2, y=1)")
    tab_to("(x=0, y=1)")
    page.keyboard.press("Enter")
    expect_at(page, "The program wins")
    tab_to("Back to exploring")
    page.keyboard.press("Enter")
    expect_at(page, "(x=0, y=0)")


# -- the page around it ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [PASS, "kayles", "heaps-1-2-3-4", "chocolate-fraction-pass"])
def test_a_narrow_screen_needs_no_scrolling_sideways(watched: Watched, at: At, name: str) -> None:
    watched.page.set_viewport_size({"width": 390, "height": 800})
    page = at(name, style="body { margin: 1rem; }")
    expect(page.locator(".explorer table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Play from here").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'><!-- {{x}}"
HOSTILE_GAME = f"""\
title: {HOSTILE!r}
position: {{x: 0..N}}
moves: [{{name: "{HOSTILE}", for: {{t: 1..x}}, to: {{x: x - t}}}}]
"""


def test_hostile_names_are_only_text(watched: Watched, tmp_path: Path) -> None:
    ruleset = parse_ruleset(HOSTILE_GAME, '"><img src=x onerror="window.hacked=1">')
    page = watched.open(scripts_page(tmp_path, [ruleset]))
    assert page.evaluate("Object.keys(grundylab.games)") == [ruleset.name]
    assert page.evaluate("Object.values(grundylab.games)[0].data.title") == ruleset.title
    html = explorer(ruleset).html
    read = "(html) => [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('[data-game], img')]"
    assert page.evaluate(f"{read}.map((found) => found.dataset.game)", str(html)) == [ruleset.name]
    assert page.evaluate("window.hacked") is None


def test_hostile_moves_are_shown_as_text(at: At) -> None:
    page = at(parse_ruleset(HOSTILE_GAME, "__proto__"), "x=2")
    expect(page.locator(".explorer tbody td").first).to_have_text(" ".join(HOSTILE.split()))
    assert page.locator("img").count() == 0
    assert page.evaluate("window.hacked") is None


def test_a_family_has_no_explorer_and_says_why() -> None:
    part = explorer(load_ruleset("turn-limit-nondecreasing", RULESETS))
    assert part.files == {}
    assert "<code>f(k)</code> may be any function with <code>f(k) &gt;= 1" in part.html
    assert "family of games" in part.html


def test_without_its_script_the_page_says_that_it_needs_one() -> None:
    part = explorer(load_ruleset("nim", RULESETS))
    assert "The explorer needs JavaScript" in part.html
    assert list(part.files) == ["games/nim.js"]
