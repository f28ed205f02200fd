"""The comparison of results with the baseline names each statement that says less or more than before."""

import json

import pandas as pd
import pytest
from benchmarks.same_catalogue import allowed, changes, main, report, statements
from tests.findings.made import WRONG, catalogue, claim, formula, proof, row

from grundylab.findings.catalogue import write_catalogue
from grundylab.findings.rows import Row

PROVED = {"proofs": (proof(),)}
SOME = {"proofs": (proof("k == 1", "k == 1"),)}
REFUTED = {"counterexample": WRONG}
LONG = {"formula": "x ^ y == 0"}


def table(findings):
    rows = [each for each in findings if isinstance(each, Row)]
    formulas, claims = (
        [e for e in findings if e not in rows and e.found is found] for found in (True, False)
    )
    return statements(catalogue(formulas=formulas, claims=claims, rows=rows))


@pytest.mark.parametrize(
    ("before", "after", "kind", "named"),
    [
        ([claim(**PROVED)], [claim(**PROVED)], None, []),
        ([claim(**PROVED)], [claim(), claim(study="t", **PROVED)], None, []),
        ([claim(**PROVED)], [claim(claim="other", at="Lemma 2", **PROVED)], None, []),  # one statement, two names
        ([claim(**PROVED)], [claim(key="6" * 64, **PROVED)], None, []),  # one name, another way to make keys
        ([claim()], [claim(**PROVED)], "won", ["lemma-1", "holds", "proved"]),
        ([], [claim(**PROVED)], "won", ["lemma-1"]),
        ([claim(**SOME)], [claim(**PROVED)], "won", ["k == 1"]),
        ([claim(**PROVED)], [claim()], "weaker", ["lemma-1", "proved", "holds"]),
        ([claim(**PROVED)], [claim(**REFUTED)], "weaker", ["proved", "refuted"]),
        ([claim(**REFUTED)], [claim(**PROVED)], "weaker", ["refuted", "proved"]),
        ([claim(**PROVED)], [claim(**SOME)], "weaker", ["k == 1"]),
        ([claim(**PROVED)], [], "lost", ["lemma-1", "proved"]),
        ([formula(**PROVED)], [formula(**PROVED, engine="tree")], None, []),
        ([formula(**PROVED)], [formula()], "weaker", ["formula | nim | s", "proved"]),
        ([formula()], [formula(**REFUTED)], "lost", ["holds", "refuted"]),
        ([formula(reason="none")], [], None, []),
        ([formula(**PROVED)], [formula(**PROVED, **LONG)], "longer", ["x == y", "x ^ y == 0"]),
        ([formula(**PROVED, **LONG)], [formula(**PROVED)], None, []),
        ([formula(**PROVED)], [formula(**PROVED, **LONG), formula(**PROVED)], None, []),
        ([formula(**PROVED, where="x <= 3")], [formula(**PROVED)], None, []),
        ([formula(**PROVED)], [formula(**PROVED, where="x <= 3")], "lost", ["True", "proved"]),
        ([row()], [row()], None, []),
        ([row()], [row(period=24)], "weaker", ["4 after", "24 after"]),
        ([row()], [], "lost", ["row"]),
    ],
)  # fmt: skip
def test_changes__names_what_is_lost_weaker_longer_or_won(before, after, kind, named):
    nothing = formula(study="never", reason="none")
    found = [*changes(table([*before, nothing]), table([*after, nothing]))]
    lines = [line for of, line in found if of == kind]
    assert [of for of, _ in found if of != "won" or kind == "won"] == ([kind] if kind else [])
    assert all(text in line for line in lines for text in named)


def test_report__excuses_only_the_named_statements(tmp_path):
    found = [("lost", "claim | nim | a: proved: x"), ("weaker", "claim | nim | b: proved: y -> holds: y")]
    (tmp_path / "may-be-lost.txt").write_text("# inside a printed proof\nclaim | nim | a\n")
    lines, worse = report(found, allowed(tmp_path))
    assert (worse, json.loads(lines[-1])) == (True, {"lost": 0, "weaker": 1, "longer": 0, "won": 0})
    assert report(found[:1], allowed(tmp_path))[1] is False
    assert report(found[:1])[1] is True


def test_a_survey_and_a_catalogue__are_compared_with_what_was_kept(tmp_path, capsys):
    folder = tmp_path / "baseline"
    folder.mkdir()
    write_catalogue(catalogue(claims=[claim(**PROVED)]), tmp_path)
    rows = {
        "slot.A": ["1", "2"], "claim": ["a", "a"], "status": ["proved", "refuted"], "condition": ["m == 1", None],
        "formula": ["x", "x"], "preperiod": [None, None], "period": [None, None],
    }  # fmt: skip
    survey = tmp_path / "some" / "survey.parquet"
    survey.parent.mkdir()
    pd.DataFrame(rows).to_parquet(survey)
    results = [str(tmp_path / "catalogue.json"), str(survey)]
    assert main(["--write", str(folder / "all.parquet"), *results]) == 0
    assert main([str(folder), *results]) == 0
    pd.DataFrame({**rows, "status": ["undecided", "refuted"]}).to_parquet(survey)
    capsys.readouterr()
    assert main([str(folder), *results]) == 1
    assert "survey | some | 1 | a: proved where m == 1: x" in capsys.readouterr().out
