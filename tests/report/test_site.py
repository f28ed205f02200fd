"""The page agrees with the catalogue, is written as a whole or not at all, and escapes all texts."""

import json
import re
import shutil
import zipfile
from itertools import combinations
from math import dist
from xml.etree import ElementTree

import pytest
from markupsafe import escape
from tests.findings.made import catalogue, claim, needs_mona, proof
from tests.papers.small import NAMES, ruleset
from tests.report.project import HOSTILE, shared_project

from grundylab.automata.digits import DigitAutomaton
from grundylab.errors import ConfigError, GrundylabError
from grundylab.files import write_json
from grundylab.findings.answers import tallies
from grundylab.findings.catalogue import read_catalogue
from grundylab.findings.papers import load_papers
from grundylab.findings.wording import percent
from grundylab.report.output_folder import write_folder
from grundylab.report.rules_in_words import rules
from grundylab.report.site.automaton_drawing import automaton_svg, automaton_text
from grundylab.report.site.build import write_site
from grundylab.report.site.headlines import group_equal, one_for_each_game
from grundylab.report.site.ruleset_pages import SiteData
from grundylab.report.summary import run_summary
from grundylab.report.typeset import sentence_html


@pytest.fixture
def project(tmp_path_factory):
    return shared_project(tmp_path_factory.getbasetemp())


@pytest.fixture
def data(project):
    return json.loads((project / "results" / "catalogue.json").read_text())


@pytest.fixture
def site(project):
    return project / "results" / "report"


@pytest.fixture
def written(project, tmp_path):
    """Return a function that writes the page of other data about the same project."""

    def write(data):
        write_json(tmp_path / "catalogue.json", data)
        write_site(read_catalogue(tmp_path / "catalogue.json"), project, tmp_path / "site")
        return tmp_path / "site"

    return write


@pytest.mark.parametrize(
    ("old", "new"), [("min(2, x)", "min(3, x)"), ("title: Take one", "title: Take 1"), ("x % 3", "x % 2")]
)
def test_results_are_not_put_beside_a_ruleset_that_was_edited(project, tmp_path, old, new):
    for folder in ("rulesets", "papers"):
        shutil.copytree(project / folder, tmp_path / folder)
    data = read_catalogue(project / "results" / "catalogue.json")
    write_site(data, tmp_path, tmp_path / "site")
    before = (tmp_path / "site" / "index.html").read_bytes()
    path = tmp_path / "rulesets" / "take.yaml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ConfigError, match=r"take.yaml: .*'make run'"):
        write_site(data, tmp_path, tmp_path / "site")
    assert (tmp_path / "site" / "index.html").read_bytes() == before


def page(site, name):
    return (site / "rulesets" / f"{name}.html").read_text()


# -- the folder -----------------------------------------------------------------------------------------------


def test_what_was_in_the_folder_is_gone(tmp_path):
    write_folder(tmp_path / "site", {"index.html": "old", "rulesets/gone.html": "old"})
    write_folder(tmp_path / "site", {"index.html": "new"})
    assert [path.name for path in tmp_path.rglob("*")] == ["site", "index.html"]
    assert (tmp_path / "site" / "index.html").read_text() == "new"


def test_nothing_is_written_if_something_cannot_be(tmp_path, data, written):
    write_folder(tmp_path / "site", {"index.html": "old"})
    data["findings"][0]["ruleset"] = "there-is-none"
    with pytest.raises(GrundylabError, match="'there-is-none'"):
        written(data)
    assert {path.name for path in tmp_path.iterdir()} == {"site", "catalogue.json"}
    assert (tmp_path / "site" / "index.html").read_text() == "old"


def test_no_file_leaves_the_folder(tmp_path):
    with pytest.raises(ValueError, match="not below"):
        write_folder(tmp_path / "site", {"../index.html": ""})
    assert list(tmp_path.iterdir()) == []


def test_every_file_that_is_linked_to_is_there(site):
    for file in site.rglob("*.html"):
        text = file.read_text()
        for attribute in ("href", "src"):
            for part in text.split(f' {attribute}="')[1:]:
                target = part.split('"')[0]
                if target.startswith(("data:", "#explore:")):
                    continue
                path, _, place = target.partition("#")
                there = (file.parent / path).resolve() if path else file
                assert there.is_file(), f"{file.name}: {target}"
                assert not place or f'id="{place}"' in there.read_text(), f"{file.name}: {target}"


def test_nothing_is_asked_of_the_network_and_nobodys_words_are_markup_or_script(site):
    for file in site.rglob("*.html"):
        text = file.read_text().replace("http://www.w3.org", "")
        for word in ("http:", "https:", "<script>", " onclick=", "<b>bold"):
            assert word not in text, file
    assert str(escape(HOSTILE)) in page(site, "hostile")


# -- what is said ---------------------------------------------------------------------------------------------


@needs_mona
def test_a_proof_comes_with_its_file_and_the_exact_condition(site):
    text = page(site, "from-m")
    claim = text[text.index("Printed") :]
    assert 'alttext="m % 4 == 0 or m % 4 == 3"' in claim
    name, archive = re.search(r'<code>([^<]*)</code> in <a href="../([^"]*)"', claim).groups()
    script = zipfile.ZipFile(site / archive).read(name).decode()
    assert script.startswith("# grundylab: from-m")
    assert "ws1s;" in script


def test_of_several_refuted_formulas_of_one_engine_the_page_has_one_with_evidence_and_lists_the_others(site):
    text = page(site, "take")
    first, other = map(escape, ("x % 3 == 0 and x <= 24", "x % 3 == 0 and x <= 21"))
    assert f'data-copy="p: {first}"' in text
    assert f"<code>{other}</code>" in text
    assert f'data-copy="p: {other}"' not in text


def test_a_claim_without_a_paper_is_not_said_to_be_printed(data, written):
    refuted = next(each for each in data["findings"] if "source" in each and each["status"] == "refuted")
    formulas = [each for each in data["findings"] if "source" not in each]
    data["findings"] = [
        *formulas,
        {**refuted, "source": {**refuted["source"], "paper": None, "at": "", "claim": "guess"}},
    ]
    text = (written(data) / "index.html").read_text()
    assert 'id="own"' in text
    assert 'id="refuted"' not in text
    assert re.search(r"claims? of \d+ papers?", text) is None


def test_page_and_terminal_count_alike_and_a_formula_once(site, project):
    """A formula of an engine may also be found for a row; partial descriptions do not count as formulas."""
    data = read_catalogue(project / "results" / "catalogue.json")
    counts, text = tallies(data), (site / "index.html").read_text()
    whole = sum(counts["formulas"].values()) - counts["formulas"]["partial"]
    assert whole < sum(each.found and each.status != "partial" for each in data.findings)
    assert f"{whole} formulas from " in text
    assert (site / "list.html").read_text().count('data-kind="formula"') == whole
    assert f"{sum(each.get('proved', 0) for each in counts.values())} proved (" in text
    for name, statuses in counts.items():
        (line,) = (line for line in run_summary(data).splitlines() if line.startswith(f"{name}: "))
        assert line == f"{name}: " + ", ".join(
            f"{n} {status}" for status, n in statuses.items() if status != "partial"
        )


def test_each_proof_names_its_file_in_the_archive(site):
    text = page(site, "from-m") + page(site, "take")
    named = re.findall(r"<code>([^<]*)</code> in <a href=\"../(proofs/[^\"]*)\"", text)
    assert named
    for name, archive in named:
        assert name in zipfile.ZipFile(site / archive).namelist()


@needs_mona
def test_a_correction_says_of_which_parameters_it_is_proved_and_has_each_proof(data, written):
    claim = next(record for record in data["findings"] if record.get("correction"))
    (first,) = claim["correction"]["proofs"]
    parts = [
        {**first, "under": under, "where": under, "exactly": False} for under in ("x % 2 == 0", "x % 2 == 1")
    ]
    parts[1] |= {"procedures": ["MONA"]}
    claim["correction"]["proofs"] = parts
    new = written(data)
    better = page(new, claim["ruleset"]).partition('class="correction"')[2].split("</dd>")[0]
    words = re.sub(r'<math[^>]*alttext="([^"]*)".*?</math>', r"\1", better, flags=re.S)
    assert words.count("x % 2 == 0") == words.count("x % 2 == 1") == 2
    head = (new / "index.html").read_text().split('class="better"')[1].split("</li>")[0]
    assert "one procedure" in head


def listed(ruleset, found, **changes):
    return claim(ruleset=ruleset, paper="a", proofs=(found,), **changes)


def test_a_headline_stands_only_for_others_of_which_the_same_is_known():
    claims = [
        listed("a", proof()),
        listed("b", proof("k == 1", "k == 1")),
        listed("c", proof()),
        listed("d", proof(two=False)),
        listed("e", proof(), where="x >= 3"),
    ]
    names = [[f.ruleset for f in one_for_each_game(head)] for head in group_equal(claims)]
    assert names == [["a", "c"], ["b"], ["d"], ["e"]]


def test_a_row_has_as_many_cells_as_its_table_has_columns(site):
    text = page(site, "take")
    table = text[text.index('id="rows"') :].split("</table>")[0]
    heads = table.count('scope="col"')
    assert table.split("<tbody>")[1].count("<td") + 1 == heads
    assert "<td>0</td><td>3</td><td>0</td>" in table.replace("\n", "")


@pytest.mark.parametrize(
    ("share", "text"), [(1, "100 %"), (0.99999999, "99.99 %"), (0.5, "50 %"), (0, "0 %")]
)
def test_a_share_of_less_than_all_is_less_than_100_percent(share, text):
    assert percent(share) == text


# -- rules in words -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_in_words_are_typeset_whole(name):
    for sentence in rules(ruleset(name)):
        shown = ElementTree.fromstring(f"<p>{sentence_html(sentence)}</p>")
        words = [part for part in sentence if isinstance(part, str)]
        assert len(shown.findall("math")) >= len(sentence) - len(words)
        assert all(word.strip() in "".join(shown.itertext()) for word in words)


def test_picture_card_and_explorer_show_the_same_setting_of_the_parameters_and_name_it(site):
    page = (site / "rulesets" / "from-m.html").read_text()
    (setting,) = re.findall(r'<p class="setting">(m=\d+)</p>', page)
    assert f"<small>{setting}</small>" in (site / "index.html").read_text()
    start = json.loads(re.search(r'"start":\s*(\{.*?\})', (site / "games" / "from-m.js").read_text())[1])
    assert f"m={start['parameters'][0]}" == setting


# -- automata and options -------------------------------------------------------------------------------------


def test_a_drawing_has_every_state_and_every_transition():
    automaton = DigitAutomaton.parse("+0,1,,0 -1,,0,2 +2,2,2,2")
    svg = ElementTree.fromstring(str(automaton_svg(automaton, "a drawing")))
    states = [g for g in svg.iter() if g.get("class") == "state"]
    drawn = [("".join(g.itertext()), len(g.findall("circle"))) for g in states]
    assert drawn == [("0", 2), ("1", 1), ("2", 2)]
    labels = [text.text for text in svg.iter() if text.get("class") == "digits" and text.text]
    assert sorted(labels) == ["**", "00", "00, 11", "01", "10", "11"]
    words = automaton_text(automaton, ["x", "y"])
    assert "from 0 by 00, 11 to 0" in words
    assert "Accepting: 0, 2." in words


@pytest.mark.parametrize("states", [7, 9, 11])
def test_no_label_of_a_drawing_stands_on_a_state_or_on_another_label(states):
    text = " ".join(f"{'-' if n else '+'}{2 * n % states},{(2 * n + 1) % states}" for n in range(states))
    svg = ElementTree.fromstring(str(automaton_svg(DigitAutomaton.parse(text), "a drawing")))
    labels = [(float(e.get("x")), float(e.get("y"))) for e in svg.iter() if e.get("class") == "digits"]
    circles = [(float(e.get("cx")), float(e.get("cy"))) for e in svg.iter() if e.tag == "circle"]
    assert len(labels) == 2 * states
    assert all(dist(one, other) > 10 for one, other in combinations(labels, 2))
    assert all(dist((x, y - 4), circle) > 20 for x, y in labels for circle in circles)


def test_what_is_too_large_is_not_drawn():
    chain = " ".join(f"-,{n + 1}" for n in range(12)) + " +12,"
    assert automaton_svg(DigitAutomaton.parse(chain), "long") is None


def test_a_version_of_a_paper_is_named_by_its_title_which_says_so_once():
    known = load_papers("papers")
    assert any(paper.version_of for paper in known)
    titles = SiteData(catalogue(), (), (), known, {}, ()).titles
    assert len({*titles.values()}) == len(known)
    assert max(title.count("version") for title in titles.values()) == 1
