"""results/new-results.md: each finding has a verdict that says no more than is known; the best come first."""

import json
import re
from dataclasses import replace

import pytest
from tests.findings import made
from tests.findings.made import catalogue, claim, proof, row

from grundylab.cli.main import main
from grundylab.files import write_json, write_text
from grundylab.findings.catalogue import record_to_json, write_catalogue
from grundylab.records.finding import LearntTables
from grundylab.report.results_document import items, results_text


def study(name, unsolved=None, **more):
    return made.study(name, ruleset=name, open=unsolved, title=f"The game {name}", **more)


def formula(name, text="x == y", relation="new", **more):
    known = {"formula": text, "stated": f"\\text{{{text}}}", "learnt": LEARNT}
    return made.formula(relation, **{**known, "study": name, "ruleset": name, **more})


LEARNT = (LearntTables(instances=("N=8",), positions=81),)
FILE = "results/a/proofs/formula-1.mona"
PROVED = {"proofs": (proof(exactly=True, proof=FILE),)}
PARTIAL = {"train": made.counts(97, 100), "relation": None}


def part(text, heading):
    """Return the text under a heading, up to the next heading of the same or a higher level."""
    depth = len(heading.split()[0])
    rest = text[text.index(f"{heading}\n") + len(heading) :]
    end = re.search(rf"^#{{1,{depth}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def test_the_best_come_first_and_what_the_papers_say_is_left_out():
    ours = claim(study="family", at="found by runs", unpublished=True, paper=None, **PROVED)
    studies = [study(name) for name in ("known", "more", "fresh", "wrong")]
    studies += [study(name, unsolved="none is known") for name in ("open", "lost")]
    known = {"known": "rediscovers", "more": "extends", "fresh": "new", "wrong": "corrects"}
    formulas = [formula(name, relation=relation, **PROVED) for name, relation in known.items()]
    formulas.append(formula("open"))
    published = replace(ours, source=replace(ours.source, unpublished=False), study="published")
    found = items(catalogue(studies, formulas, [ours, published]))
    assert [(*f.studies, f.section) for f in found] == [
        ("fresh", "proved"), ("wrong", "proved"), ("family", "proved"), ("open", "holds"), ("lost", "open"),
        ("more", "also"),
    ]  # fmt: skip


def test_the_smallest_of_the_best_is_shown():
    formulas = [formula("a", "x", **PARTIAL), formula("a", "x == y and 1 == 1"), formula("a")]
    (found,) = items(catalogue([study("a")], formulas))
    assert str(found.record.formula) == "x == y"


def test_the_command_writes_it_and_tells_the_same_as_json(tmp_path, capsys):
    data = catalogue([study("a", unsolved="none is known")], [formula("a")])
    write_catalogue(data, tmp_path)
    out = tmp_path / "new.md"
    assert main(["results", "--results", str(tmp_path), "--out", str(out), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["counts"] == {"holds": 1}
    assert record["findings"][0]["formula"] == "x == y"
    assert out.read_text() == results_text(data, papers=False)
    assert "papers.md" not in out.read_text()  # there is none beside
    write_text(tmp_path / "papers.md", "")
    assert main(["results", "--results", str(tmp_path), "--out", str(out), "--force"]) == 0
    assert out.read_text() == results_text(data)
    assert "(papers.md)" in out.read_text()


@pytest.mark.parametrize(
    "data", [{"formulas": []}, {}, {**record_to_json(catalogue()), "studies": [{"study": "a"}]}]
)
def test_another_file_is_refused_in_one_line(tmp_path, capsys, data):
    write_json(tmp_path / "catalogue.json", data)
    assert main(["results", "--results", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("catalogue.json: ") == 1


@pytest.mark.parametrize(("key", "text"), [("formula", "x +"), ("target", "q"), ("where", "x + 1")])
def test_a_damaged_text_is_named_with_its_file_and_key(tmp_path, capsys, key, text):
    data = record_to_json(catalogue([study("a")], [formula("a")]))
    data["findings"][0][key] = text
    write_json(tmp_path / "catalogue.json", data)
    assert main(["results", "--results", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "catalogue.json: " in line
    assert f"findings.0.{key}" in line


def test_settings_that_are_learnt_from_alone_each_have_their_finding_and_the_others_are_named():
    about = [("m == 1", "x == 1"), ("m == 2", "x == 2"), ("m == 1 and x >= 1", "x > 1")]
    records = [
        formula("a", text, where=where, train=made.counts(len(where)), proofs=(proof(where=where),))
        for where, text in about
    ]
    asked = study("a", unsolved="why not", each=True, settings=tuple({"m": m} for m in (1, 2, 3, 4)))
    found = items(catalogue([asked], records))
    *answered, left = found
    assert [(f.section, str(f.record.formula), str(f.record.where)) for f in answered] == [
        ("proved", "x == 1", "m == 1"),  # of all positions, as the other one is not
        ("proved", "x == 2", "m == 2"),
    ]
    assert (left.section, left.record, left.settings) == ("open", None, [{"m": 3}, {"m": 4}])
    assert len(items(catalogue([replace(asked, settings=({"m": 1}, {"m": 2}))], records))) == 2


def test_what_a_claim_says_already_is_no_new_result_of_an_open_study():
    known = {"m == 1": "rediscovers", "m == 2": "new"}
    records = [formula("a", where=where, relation=relation, **PROVED) for where, relation in known.items()]
    asked = study("a", unsolved="why not", each=True, settings=({"m": 1}, {"m": 2}))
    assert [str(f.record.where) for f in items(catalogue([asked], records))] == ["m == 2"]


def test_what_describes_all_positions_comes_before_what_describes_a_part():
    part = formula("a", "x", where="p == 1", train=made.counts(40, 40))
    (found,) = items(catalogue([study("a", unsolved="why not")], [part, formula("a")]))
    assert (str(found.record.formula), str(found.record.where)) == ("x == y", "True")


@pytest.mark.parametrize(
    ("where", "left"),
    [("True", ["grundy"]), ("p == 0", ["p", "grundy"])],  # what is right for a part answers a part
)
def test_a_target_without_an_answer_is_not_found_whether_or_not_a_paper_leaves_it_open(where, left):
    known = formula("a", where=where, relation="rediscovers", **PROVED)
    data = catalogue([study("a", targets=("p", "grundy"))], [known])
    assert [(item.section, str(item.target)) for item in items(data)] == [("open", target) for target in left]
    assert "Nothing is left" not in results_text(data)


def test_what_two_studies_found_is_there_once_with_both():
    studies = [study(name, unsolved="none is known") for name in ("a", "b")]
    records = [
        formula(name, ruleset="a", engine=by, **PROVED) for name, by in (("a", "search"), ("b", "tree"))
    ]
    data = catalogue([studies[0], replace(studies[1], ruleset="a")], records)
    assert [item.studies for item in items(data)] == [("a", "b")]
    text = results_text(data)
    assert "`search`, `tree`" in text
    assert "- ruleset `a`, studies `a`, `b`" in text


@pytest.mark.parametrize(("changes", "number"), [(PROVED, 1), ({}, 2), ({"reason": "too large"}, 3)])
def test_a_statement_of_our_own_stands_there_with_its_place_and_its_note(changes, number):
    ours = claim(at="found by runs", note="as it seems", unpublished=True, paper=None, study="a", **changes)
    told = results_text(catalogue([study("a", targets=())], claims=[ours])).split("\n## ")[number]
    assert "- found by runs\n" in told
    assert "- as it seems\n" in told
    assert f"**{ours.status}**" in told


def test_only_rows_that_a_paper_leaves_open_are_new():
    """Call a row new only if a paper leaves it open, not because no claim on record is about it."""
    found = [row(ruleset="known"), row(ruleset="fresh", open="a paper sees none")]
    text = results_text(catalogue(rows=found))
    rows = part(text, "## Rows")
    assert "| `fresh` | `x=10` | `p` | 1,000 | 4 | **proved** (5,000 places checked) |" in rows
    assert "known" not in rows
    assert "## Rows" not in results_text(catalogue(rows=found[:1]))


def test_a_formula_of_a_single_row_does_not_answer_for_all_positions():
    single = formula("a", engine="rows", where="x == 1", **PROVED)
    (found,) = items(catalogue([study("a", unsolved="why not")], [single]))
    assert (found.section, found.record) == ("open", None)
