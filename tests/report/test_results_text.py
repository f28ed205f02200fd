"""results/new-results.md: each finding with a verdict that says what is known and no more, the best first."""

import json
import re

import pytest

from grundylab.cli.main import main
from grundylab.files import write_json
from grundylab.report.results import findings, results_text


def study(name, ruleset="nim", targets=("p",), unsolved=None, engines=("search", "tree"), **more):
    return {
        "study": name, "open": unsolved, "ruleset": ruleset, "title": f"The game {name}", "where": "True",
        "targets": list(targets), "training": ["N=8"], "test": ["N=20"], "engines": {t: list(engines) for t in targets}, **more,
    }  # fmt: skip


def formula(name, status="holds", text="x == y", relation="new", **more):
    record = {
        "study": name, "ruleset": "nim", "target": "p", "formula": text, "latex": "x = y", "stated": f"\\text{{{text}}}",
        "engine": "search", "seed": 0, "size": len(text), "correct": 81, "total": 81, "share": 1.0, "exact": True,
        "training": ["N=8"], "status": status, "reason": None, "where": "True", "checked": 1_441,
        "instances": [{"instance": "N=20", "checked": 1_441, "holds": True}], "counterexample": None,
        "condition": None, "only_wrong_at": [], "exceptions": [], "repaired": False, "exact_for": [], "proofs": [],
        "relation": {"relation": relation, "to": []},
    }  # fmt: skip
    return {**record, **more}


AGREES = {"by": "automata in two's complement", "status": "agrees", "reason": None}


def proof(status="proved", **more):
    record = {
        "status": status, "under": "True", "where": "True", "exactly": True, "reason": None, "used": [],
        "proof": "results/a/proofs/formula-1.mona", "second": AGREES, "procedures": ["MONA", AGREES["by"]],
    }  # fmt: skip
    return {**record, **more}


WRONG = {
    "position": {"x": 5, "y": 7},
    "parameters": {},
    "truth": 1,
    "found": 0,
    "measure": 12,
    "functions": {},
}
REFUTED = {"status": "refuted", "counterexample": WRONG, "relation": None}


def catalogue(studies, formulas, claims=(), **more):
    return {"studies": studies, "formulas": formulas, "claims": list(claims), **more}


def part(text, heading):
    """The text under a heading, up to the next of the same depth or less."""
    depth = len(heading.split()[0])
    rest = text[text.index(f"{heading}\n") + len(heading) :]
    end = re.search(rf"^#{{1,{depth}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def test_a_theorem_says_for_all_sizes_by_what_and_for_which_parameters():
    records = [formula("a", "proved", proofs=[proof(where="m % 4 == 3")])]
    text = part(
        results_text(catalogue([study("a", unsolved="a paper sees none")], records)),
        "## Proved for all sizes",
    )
    assert "Open: a paper sees none." in text
    assert "- verdict: **proved** for all sizes exactly where `m % 4 == 3`" in text
    assert "- proof: by induction, decided by MONA: `results/a/proofs/formula-1.mona`" in text
    assert "- formula: `x == y`" in text
    assert r"$\text{x == y}$" in text
    assert "- found by `search`, seed 0, size 6; learnt from 81 positions (N=8)" in text


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "**proved** for all sizes, by two procedures"),
        (
            {"exactly": False, "where": "m == 4"},
            "**proved** for all sizes with `m == 4`, by two procedures",
        ),
        ({"under": "k == 1"}, "**proved** for all sizes with `k == 1`, by two procedures"),
        (
            {"under": "k == 1", "where": "k == 1 and s >= 3", "procedures": ["MONA"]},
            "**proved** for all sizes with `k == 1 and s >= 3`, by one procedure",
        ),
    ],
)
def test_a_proof_under_a_condition_is_one_under_it(more, said):
    (found,) = findings(catalogue([study("a")], [formula("a", "proved", proofs=[proof(**more)])]))
    assert found.verdict == said


def test_a_certificate_is_said_to_be_one():
    proofs = [proof(proof="results/a/proofs/formula-1.json")]
    (found,) = findings(catalogue([study("a")], [formula("a", "proved", proofs=proofs)]))
    assert found.evidence.startswith("by a certificate")


def test_each_of_several_proofs_says_what_it_is_of_and_by_how_many_procedures():
    unsure = {**AGREES, "status": "not checked", "reason": "a product | of two"}
    proofs = [
        proof(under="k == 1", where="k == 1", exactly=False),
        proof(
            under="k == 2", where="k == 2", exactly=False, proof="2.mona", second=unsure, procedures=["MONA"]
        ),
    ]
    data = catalogue([study("a", unsolved="none")], [formula("a", "proved", proofs=proofs)])
    (found,) = findings(data)
    assert found.verdict == "**proved** for all sizes with `k == 1`, or `k == 2`, by one procedure"
    assert found.evidence == (
        "for all sizes with `k == 1`: by induction, decided by MONA: `results/a/proofs/formula-1.mona`; "
        "by two independent procedures (MONA; automata in two's complement); "
        "for all sizes with `k == 2`: by induction, decided by MONA: `2.mona`; by one procedure "
        r"(MONA; the second (automata in two's complement) has not checked it: a product \| of two)"
    )
    assert "1 in all, 0 by two independent procedures" in results_text(data)


def test_the_number_of_theorems_is_told_with_that_of_those_by_two_procedures():
    formulas = [formula(name, "proved", proofs=[proof()]) for name in "ab"]
    formulas += [formula("c", "proved", proofs=[proof(procedures=["MONA"])])]
    text = results_text(catalogue([study(name, unsolved="none") for name in "abc"], formulas))
    assert "3 in all, 2 by two independent procedures" in part(text, "## Proved for all sizes")


def test_what_holds_names_its_bound_and_why_there_is_no_proof():
    proofs = [proof("undecided", proof=None, reason="x * y is outside")]
    data = catalogue([study("a", unsolved="none is known")], [formula("a", proofs=proofs)])
    text = results_text(data)
    held = part(text, "## Holds as far as checked")
    assert "- verdict: **holds** at all 1,441 positions (N=20); not proved" in held
    assert r"- proof: none: x \* y is outside" in held
    assert "Nothing." in part(text, "## Proved for all sizes")


def test_what_was_not_found_has_every_engine_asked_its_notes_and_the_best_with_its_counterexample():
    partial = formula("a", "partial", "x < y", share=0.97, exact=False, relation=None, engine="tree")
    refuted = formula("a", text="x <= y", **REFUTED)
    notes = [{"study": "a", "target": "p", "engine": "automata", "notes": ["it kept growing | to 99 states"]}]
    asked = study("a", unsolved="none is known", engines=("search", "tree", "automata"))
    text = part(results_text(catalogue([asked], [partial, refuted], engines=notes)), "## Not found")
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("| `")]
    assert [[cell.strip() for cell in row] for row in rows] == [
        ["`search`", "`x <= y`", "**refuted** at (x=5, y=7): a P-position, the formula says N", ""],
        ["`tree`", "`x < y`", "describes 97 % of 81 training positions", ""],
        ["`automata`", "", "no formula", r"it kept growing \| to 99 states"],
    ]


def test_a_study_without_any_formula_is_not_forgotten():
    (found,) = findings(catalogue([study("a", unsolved="none is known")], []))
    assert (found.section, found.verdict, found.formula) == ("open", "nothing was found", None)


def test_exceptions_and_conditions_are_added_to_a_refutation_and_do_not_undo_it():
    wrong_at = [{"position": {"x": 0, "y": 1}, "truth": 1}]
    record = formula("a", **{**REFUTED, "only_wrong_at": wrong_at, "condition": "m % 2 == 0"})
    (found,) = findings(catalogue([study("a", unsolved="none")], [record]))
    assert found.section == "open"
    assert found.verdict.startswith(
        "**refuted** at (x=5, y=7): a P-position, the formula says N; holds except at"
    )
    assert "(x=0, y=1), at 1,441 positions" in found.verdict
    assert "it seems to hold exactly where `m % 2 == 0`" in found.verdict


def test_a_share_that_is_almost_all_is_not_all():
    record = formula("a", "partial", share=0.9999999, total=10_000_000, relation=None)
    (found,) = findings(catalogue([study("a", unsolved="none")], [record]))
    assert found.verdict == "describes 99.99 % of 10,000,000 training positions"


def test_the_best_come_first_and_what_the_papers_say_is_left_out():
    claim = {
        "study": "family", "ruleset": "family", "title": "Every game", "claim": "runs", "at": "found by runs",
        "target": "p", "statement": "p: x == y", "formula": "x == y", "latex": "x = y", "where": "True", "status": "proved", "note": "",
        "unpublished": True, "proofs": [proof()], "checked": 9, "instances": [], "games": 3, "every": "f", "reason": None,
    }  # fmt: skip
    studies = [
        study("known"),
        study("fresh"),
        study("wrong"),
        study("open", unsolved="none is known"),
        study("lost", unsolved="x"),
    ]
    formulas = [
        formula("known", "proved", relation="rediscovers", proofs=[proof()]),
        formula("fresh", "proved", proofs=[proof()]),
        formula("wrong", "proved", relation="corrects", proofs=[proof()]),
        formula("open"),
    ]
    published = {**claim, "unpublished": False, "study": "published"}
    found = findings(catalogue(studies, formulas, [claim, published]))
    assert [(f.study, f.section) for f in found] == [
        ("wrong", "proved"), ("family", "proved"), ("open", "holds"), ("lost", "open"), ("fresh", "also"),
    ]  # fmt: skip


def test_the_smallest_of_the_best_is_shown():
    formulas = [
        formula("a", "partial", "x", relation=None),
        formula("a", "holds", "x == y and 1 == 1"),
        formula("a"),
    ]
    (found,) = findings(catalogue([study("a")], formulas))
    assert found.formula == "x == y"


def test_the_command_writes_it_and_tells_the_same_as_json(tmp_path, capsys):
    data = catalogue([study("a", unsolved="none is known")], [formula("a")])
    write_json(tmp_path / "catalogue.json", data)
    out = tmp_path / "new.md"
    assert main(["results", "--results", str(tmp_path), "--out", str(out), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["counts"] == {"holds": 1}
    assert record["findings"][0]["formula"] == "x == y"
    assert out.read_text() == results_text(data)


@pytest.mark.parametrize("data", [{"formulas": []}, {}, catalogue([study("a", each=True)], [])])
def test_another_file_is_refused_in_one_line(tmp_path, capsys, data):
    write_json(tmp_path / "catalogue.json", data)
    assert main(["results", "--results", str(tmp_path)]) == 2
    assert "catalogue.json: not a catalogue of this version" in capsys.readouterr().err


def test_settings_that_are_learnt_from_alone_each_have_their_finding_and_the_others_are_named():
    about = [("m == 1", "x == 1"), ("m == 2", "x == 2"), ("m == 1 and x >= 1", "x > 1")]
    records = [
        formula("a", "proved", text=text, where=where, correct=9 * len(where), proofs=[proof(where=where)])
        for where, text in about
    ]
    asked = study("a", unsolved="why not", each=True, settings=[{"m": m} for m in (1, 2, 3, 4)])
    found = findings(catalogue([asked], records))
    assert [(f.section, f.formula, f.where) for f in found] == [
        ("proved", "x > 1", "m == 1 and x >= 1"),  # of more positions than the other one
        ("proved", "x == 2", "m == 2"),
        ("open", None, None),
    ]
    assert found[-1].verdict == "nothing was found for m=3; m=4"
    assert len(findings(catalogue([{**asked, "settings": [{"m": 1}, {"m": 2}]}], records))) == 2


def test_what_a_claim_says_already_is_no_new_result_of_an_open_study():
    records = [
        formula("a", "proved", where="m == 1", relation="rediscovers", proofs=[proof()]),
        formula("a", "proved", where="m == 2", proofs=[proof()]),
    ]
    asked = study("a", unsolved="why not", each=True, settings=[{"m": 1}, {"m": 2}])
    assert [f.where for f in findings(catalogue([asked], records))] == ["m == 2"]


def test_what_describes_all_positions_comes_before_what_describes_a_part():
    part = formula("a", text="x", where="p == 1", correct=40, total=40)
    (found,) = findings(catalogue([study("a", unsolved="why not")], [part, formula("a")]))
    assert (found.formula, found.where) == ("x == y", None)


def row(name, unsolved=None, **more):
    record = {
        "study": name, "open": unsolved, "ruleset": name, "parameters": {}, "row": {"x": 10}, "target": "p", "period": 4,
        "preperiod": 1_000, "status": "proved", "reason": None, "checked": 5_000, "claims": [],
    }  # fmt: skip
    return {**record, **more}


def test_only_rows_that_a_paper_leaves_open_are_new():
    """That no claim on record is about a row does not make it new: who knows what is not on record."""
    text = results_text(catalogue([], [], rows=[row("known"), row("fresh", "a paper sees none")]))
    rows = part(text, "## Rows")
    assert "Open: a paper sees none." in rows
    assert "| `fresh` | `x=10` | `p` | 1,000 | 4 | **proved** (5,000 places seen) |" in rows
    assert "known" not in rows
    assert "## Rows" not in results_text(catalogue([], [], rows=[row("known")]))


def test_a_formula_of_a_single_row_does_not_answer_for_all_positions():
    single = formula("a", "proved", engine="rows", where="x == 1", proofs=[proof()])
    (found,) = findings(catalogue([study("a", unsolved="why not")], [single]))
    assert (found.section, found.verdict) == ("open", "nothing was found")


def test_a_formula_that_looks_values_up_says_in_which_game():
    record = formula("a", "holds", text="G(x, 0) ^ 1", values={"G": "this"})
    text = results_text(catalogue([study("a", unsolved="why not")], [record]))
    assert "- `G(…)` is the Grundy number of that position of this game" in text
