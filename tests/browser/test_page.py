"""The page in a browser: it loads without faults, its list filters and sorts, it fits a phone, axe finds no fault."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from tests.browser.conftest import Watched
from tests.findings.made import needs_mona
from tests.report.project import HOSTILE, shared_project

RULESETS = ("rulesets/from-m.html", "rulesets/take.html", "rulesets/hostile.html")
PAGES = ("index.html", "list.html", *RULESETS)
SHOWN = "() => [...document.querySelectorAll('#entries tbody tr')].filter((row) => !row.hidden).map((row) => row.id)"


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_project(tmp_path_factory.getbasetemp()) / "results" / "report"


@pytest.fixture
def index(watched: Watched, site: Path) -> Page:
    return watched.open(site / "index.html")


@pytest.fixture
def entries(watched: Watched, site: Path) -> Page:
    return watched.open(site / "list.html")


def shown(page: Page) -> list[str]:
    return page.evaluate(SHOWN)


def column(page: Page, number: int) -> list[str]:
    cells = page.locator(f"#entries tbody tr:not([hidden]) td:nth-child({number})")
    return [text.strip() for text in cells.all_inner_texts()]


def count(page: Page) -> str:
    return page.locator("#count").inner_text()


def test_errors_and_requests_are_seen(watched: Watched, tmp_path: Path) -> None:
    """Check that the fixture itself records faults."""
    path = tmp_path / "page.html"
    path.write_text(
        "<!doctype html><script>console.error('wrong'); fetch('http://127.0.0.1:9/x').catch(() => 0)</script>"
    )
    watched.open(path).wait_for_timeout(100)
    assert "wrong" in watched.faults
    assert any("127.0.0.1:9" in fault for fault in watched.faults)
    watched.faults.clear()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_quietly_and_is_no_wider_than_the_screen(watched, site, name):
    for width in (1280, 390):
        watched.page.set_viewport_size({"width": width, "height": 800})
        page = watched.open(site / name)
        assert page.locator("h1").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_fault(watched, site, name, scheme):
    watched.page.emulate_media(color_scheme=scheme)
    page = watched.open(site / name)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    # a dark page is the same page in other colours
    only = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
    faults = Axe().run(page, options={"preload": False, **only}).response["violations"]
    assert [(fault["id"], node["html"][:200]) for fault in faults for node in fault["nodes"]] == []


FOCUS = """() => {
  const now = document.activeElement, style = getComputedStyle(now);
  if (now === document.body) return null;
  now.dataset.reached = "yes";
  return parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none";
}"""
UNREACHED = """() => [...document.querySelectorAll("a[href], button, input, select, summary")]
  .filter((each) => each.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) && !each.dataset.reached)
  .map((each) => each.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("name", PAGES)
def test_every_control_is_reached_by_the_tab_key_and_shows_that_it_is(watched, site, name):
    page = watched.open(site / name)
    for _ in range(400):
        page.keyboard.press("Tab")
        outlined = page.evaluate(FOCUS)
        if outlined is None:
            break
        assert outlined, page.evaluate("document.activeElement.outerHTML.slice(0, 120)")
    assert outlined is None  # there is no trap
    assert page.evaluate(UNREACHED) == []


def test_the_first_tab_leads_past_the_head_of_the_page(watched, site):
    page = watched.open(site / RULESETS[0])
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text().startswith("Skip ")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.parametrize("name", PAGES)
def test_on_paper_it_is_black_on_white_whole_and_without_controls(watched, site, name):
    paper = 680  # pixels within the margins of A4
    watched.page.set_viewport_size({"width": paper, "height": 1000})
    watched.page.emulate_media(media="print", color_scheme="dark")
    page = watched.open(site / name)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(28, 30, 34)"
    assert page.evaluate("document.documentElement.scrollWidth") <= paper
    controls = page.locator("header.top, form, .copies, .explorer")
    assert not any(control.is_visible() for control in controls.all())
    for folded in page.locator("details:not(.yaml) > :not(summary)").all():
        assert folded.evaluate("(each) => each.getBoundingClientRect().height") > 0


def test_the_first_screen_says_what_was_asked_and_has_the_matrix(watched, site):
    """A few sentences on what this is, the number of questions and of theorems, each question by each engine."""
    watched.page.set_viewport_size({"width": 1300, "height": 900})
    page = watched.open(site / "index.html")
    words = page.locator(".lead").inner_text()
    assert len(re.findall(r"[.](?= |$)", words)) == 4
    for word in (
        "Grundy numbers",
        "P-positions",
        "symbolic regression",
        "decision trees",
        "tested",
        "prove",
    ):
        assert word in words
    assert re.findall(r"\d+", page.locator(".asked").inner_text()) == [
        "3",
        "3",
        "3",
    ]  # studies, questions, theorems
    box = page.locator(".league").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 900
    assert box["x"] + box["width"] <= 1300
    assert page.locator("details .card, details .league, details .lead").count() == 0


def test_every_study_has_its_card_with_a_picture_a_verdict_and_a_formula(index):
    cards = index.locator(".card").all()
    assert [card.get_attribute("id") for card in cards] == ["study-from-m", "study-take", "study-hostile"]
    for card in cards:
        for part in (".dots", ".formula math", ".badge", "h3 a"):
            assert card.locator(part).first.is_visible()


def test_the_matrix_comes_before_the_studies_and_these_before_what_is_new(index):
    sections = index.locator("main > section").evaluate_all("all => all.map((each) => each.id)")
    assert sections == ["about", "engines", "studies", "new"]


def test_a_theorem_stands_once_on_the_first_page(index):
    """A headline about a formula that is on a study's card is a link to the card."""
    told = index.locator(".card math[alttext], .headline .stated math[alttext]")
    formulas = [each.get_attribute("alttext") for each in told.all()]
    assert len(set(formulas)) == len(formulas) > 0
    for link in index.locator(".headline .head a").all():
        assert index.locator(str(link.get_attribute("href"))).count() == 1


@needs_mona
def test_the_numbers_of_positions_lead_to_their_datasets(index, site):
    sizes = [row.locator("td.number").all() for row in index.locator(".league tbody tr").all()]
    assert [[size.inner_text().split()[0] for size in row] for row in sizes[:1]] == [["72", "–", "400"]]
    links = index.locator(".league td.number a").all()
    files = {(site / str(link.get_attribute("href"))).resolve() for link in links}
    assert files == {file.resolve() for file in (site.parents[1] / "data").rglob("*.parquet")}


def test_a_formula_that_several_engines_found_is_one_entry(entries):
    rows = entries.locator("#entries tbody tr[data-kind=formula]").all()
    said = [
        (row.get_attribute("data-ruleset"), row.locator("math").first.get_attribute("alttext"))
        for row in rows
    ]
    assert len(set(said)) == len(said) > 0
    assert {"search tree automata"} <= {row.get_attribute("data-engine") for row in rows}


@needs_mona
def test_the_league_has_a_cell_for_each_engine_and_says_why_one_is_empty(index):
    heads = index.locator(".league thead th").all_inner_texts()
    assert heads == ["Game and target", "search", "automata", "tree", "constant", "Train", "Validate", "Test"]
    rows = [
        row.locator("td:not(.number)").all_inner_texts() for row in index.locator(".league tbody tr").all()
    ]
    assert [[" ".join(cell.split()) for cell in row] for row in rows] == [
        ["100 % proved", "none", "93 % 80.55 % partial", "90 % 50 %"],
        [*["100 % proved"] * 3, "64.51 % 50 %"],
        ["100 % proved", "–", "–", "96.77 % 50 %"],
    ]


def test_a_game_s_page_begins_with_its_picture_and_what_is_known(watched, site):
    watched.page.set_viewport_size({"width": 1300, "height": 900})
    page = watched.open(site / "rulesets" / "take.html")
    picture, known = (
        page.locator(".canvas svg").bounding_box(),
        page.locator("#short dd").first.bounding_box(),
    )
    assert picture
    assert known
    assert picture["y"] + picture["height"] <= 900
    assert known["y"] + known["height"] <= 900
    assert [heading.inner_text() for heading in page.locator("main h2").all()[:2]] == ["How to win", "Rules"]
    best, wrong = page.locator("#short dd").all()
    assert (best.locator(".badge").inner_text(), wrong.locator(".badge").inner_text()) == (
        "proved",
        "refuted",
    )
    assert "the formula says" in wrong.inner_text()
    wrong.get_by_role("link", name="evidence").click()
    assert page.locator("article:target").is_visible()


def test_a_counterexample_leads_to_its_options(watched, site):
    page = watched.open(site / "rulesets" / "take.html")
    page.locator("#claims-little").get_by_role("link", name="Show this position and its options").click()
    page.get_by_text("(x=3): P-position").first.wait_for()
    assert page.locator(".explorer tbody tr").count() == 2


def test_the_list_shows_all_at_first_but_leaves_what_is_partial_to_the_rulesets_pages(entries):
    everything = entries.locator("#entries tbody tr").count()
    assert len(shown(entries)) == everything > 0
    assert count(entries) == f"{everything} formulas and claims."
    assert "partial" not in " ".join(column(entries, 1))
    assert entries.get_by_text("Partial formulas (1)").is_visible()


def test_each_choice_shows_what_fits_and_nothing_else(entries):
    everything = len(shown(entries))
    choices = {"kind": "claim", "engine": "automata", "paper": "little", "ruleset": "from-m"}
    for control, value in choices.items():
        wanted = entries.locator(f'#entries tbody tr[data-{control}~="{value}"]')
        ids = [row.get_attribute("id") for row in wanted.all()]
        assert 0 < len(ids) < everything
        entries.select_option(f"[name={control}]", value)
        assert shown(entries) == ids
        assert count(entries).startswith(f"{len(ids)} of ")
        entries.select_option(f"[name={control}]", "")
    for verdict in ("proved", "holds", "undecided"):
        entries.uncheck(f"[name=verdict][value={verdict}]")
    assert {row.split()[-1] for row in column(entries, 1)} == {"refuted"}
    entries.check("[name=verdict][value=proved]")
    assert {row.split()[-1] for row in column(entries, 1)} == {"refuted", "proved"}


def test_words_are_looked_for_in_the_formulas_text_and_in_the_place(entries):
    entries.fill("[name=q]", "theorem 3")
    assert len(shown(entries)) == 1
    entries.fill("[name=q]", "x%3 == 0")
    assert len(shown(entries)) >= 2
    entries.fill("[name=q]", "no such words")
    assert shown(entries) == []
    entries.click("button[type=reset]")
    entries.wait_for_function("document.getElementById('count').textContent.endsWith('claims.')")
    entries.wait_for_function(f"({SHOWN})().length > 3")


def test_columns_sort_both_ways_and_say_so_by_the_keyboard_too(entries):
    def sort(key: str, number: int) -> tuple[list[str], str | None]:
        entries.focus(f"th[data-sort={key}] button")
        entries.keyboard.press("Enter")
        assert entries.locator("th[aria-sort]").count() == 1
        return column(entries, number), entries.locator(f"th[data-sort={key}]").get_attribute("aria-sort")

    sizes, way = sort("size", 5)
    assert [int(size) for size in sizes if size] == sorted(int(size) for size in sizes if size)
    assert (len(set(sizes)) > 2, way) == (True, "ascending")
    again, way = sort("size", 5)
    assert [int(size) for size in again if size] == sorted(
        (int(size) for size in again if size), reverse=True
    )
    assert way == "descending"
    names, _ = sort("ruleset", 3)
    assert names == sorted(names)
    entries.focus("[name=verdict][value=proved]")
    entries.keyboard.press("Space")
    assert len(shown(entries)) < len(names)


def test_the_address_keeps_the_view(entries, watched, site):
    entries.select_option("[name=kind]", "claim")
    entries.uncheck("[name=verdict][value=holds]")
    entries.fill("[name=q]", "theorem")
    entries.click("th[data-sort=by] button")
    entries.click("th[data-sort=by] button")
    view, address = shown(entries), entries.url
    assert len(view) == 2
    assert "kind=claim" in address
    watched.open(site / "list.html", "#" + address.partition("#")[2])
    assert shown(entries) == view
    assert entries.locator("th[data-sort=by]").get_attribute("aria-sort") == "descending"
    assert not entries.is_checked("[name=verdict][value=holds]")


def test_a_link_to_an_entry_shows_it(watched, site):
    page = watched.open(site / "list.html")
    last = page.locator("#entries tbody tr").last.get_attribute("id")
    page = watched.open(site / "list.html", f"#{last}")
    assert page.locator(f"#{last}").is_visible()


@needs_mona
def test_a_proved_entry_shows_its_proof_and_the_exact_condition(entries):
    entries.select_option("[name=kind]", "claim")
    entries.fill("[name=q]", "conjecture 1")
    row = entries.locator("#entries tbody tr:not([hidden])")
    assert row.count() == 1
    assert "exactly where" in row.inner_text()
    entry = row.get_attribute("id")
    row.locator("a").click()
    article = entries.locator(f"article#{entry}")
    article.wait_for()
    assert "proved" in article.locator(".badge").first.inner_text()
    assert "decided by automata" in article.inner_text()
    assert article.locator("svg.automaton").is_visible()
    with entries.expect_download() as started:
        article.locator("a", has_text=".zip").click()
    archive = zipfile.ZipFile(started.value.path())
    assert any(b"ws1s;" in archive.read(name) for name in archive.namelist())


def test_the_theme_is_chosen_and_kept(index, site):
    def dark() -> bool:
        return index.evaluate("getComputedStyle(document.body).backgroundColor").startswith("rgb(22")

    assert not dark()
    index.click("#theme")
    index.click("#theme")
    assert index.locator("#theme").inner_text() == "Theme: dark"
    assert dark()
    index.goto((site / "rulesets" / "take.html").resolve().as_uri())
    for _ in range(50):  # another page may be another process, which hears of the choice a little later
        if dark():
            break
        index.wait_for_timeout(100)
        index.reload()
    assert dark()


@pytest.mark.parametrize("kind", ["text", "LaTeX"])
def test_a_formula_is_copied(watched, site, kind):
    page = watched.open(site / "rulesets" / "take.html")
    button = page.locator("button[data-copy]", has_text=kind).first
    wanted = button.get_attribute("data-copy")
    button.click()
    page.get_by_role("button", name="Copied", exact=True).wait_for(
        timeout=10_000
    )  # the clipboard takes its time
    page.evaluate("document.body.append(Object.assign(document.createElement('textarea'), { id: 'paste' }))")
    page.focus("#paste")
    page.keyboard.press("Control+V")
    assert page.input_value("#paste") == wanted


def test_every_formula_and_claim_can_be_copied(watched, site):
    page = watched.open(site / "rulesets" / "take.html")
    for entry in page.locator("article.entry").all():
        kinds = entry.locator("button[data-copy]").all_text_contents()  # some entries are folded
        assert kinds == ["Copy as text", "Copy as LaTeX"]


def test_hostile_words_are_only_words(watched, site):
    page = watched.open(site / "rulesets" / "hostile.html")
    assert page.locator("h1").inner_text() == HOSTILE
    assert "taken over" not in page.title().replace(HOSTILE, "")
    assert page.title().startswith(HOSTILE[:20])


def test_without_scripts_everything_is_there(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "list.html").resolve().as_uri())
    rows = page.locator("#entries tbody tr")
    assert all(row.is_visible() for row in rows.all())
    assert not page.locator("#filter").is_visible()
    context.close()
