"""The catalogue as pandas frames: the documented columns, a row for each record, and no stronger claims than these."""

import re
from pathlib import Path

import pandas as pd
import pytest
from tests.findings.made import WRONG, attempted, catalogue, claim, formula, proof, theorem_by

import grundylab as gl
from grundylab.errors import ConfigError
from grundylab.files import write_json
from grundylab.findings.catalogue import record_from_json, record_to_json, write_catalogue
from grundylab.findings.columns import COLUMNS
from grundylab.language.syntax import TRUE
from grundylab.records.finding import Finding

ROOT = Path(__file__).parents[2]
FOUND = [
    formula(proofs=(proof("k == 1", "k == 1"),), engine="tree"),
    formula(formula="x <= y", counterexample=WRONG),
    claim(at="Theorem 2", paper="a-paper"),
]


WRITTEN = catalogue(formulas=FOUND[:2], claims=FOUND[2:])


def written(folder):
    write_catalogue(WRITTEN, folder)
    return folder / "catalogue.json"


def documented(head, name):
    """Return the names in the first column of the table below this heading of docs/data.md."""
    section = (ROOT / "docs" / "data.md").read_text().split(f"\n## {head}\n")[1].split("\n## ")[0]
    cells = [line.split(" | ")[0] for line in re.findall(r"(?m)^\| .*", section)[2:]]
    return [found for cell in cells for found in re.findall(name, cell)]


def test_the_documented_columns_are_the_frames(tmp_path):
    assert documented("The catalogue", "`(.+?)`") == list(COLUMNS)
    frame = gl.catalogue(written(tmp_path)).to_frame()
    assert list(frame.columns) == list(COLUMNS)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "catalogue.parquet"), frame)


def test_a_row_is_a_finding_with_its_conditions(tmp_path):
    frame = gl.catalogue(written(tmp_path)).to_frame()
    assert frame["kind"].tolist() == ["formula", "formula", "claim"]
    assert frame["status"].tolist() == ["proved", "refuted", "holds"]
    assert [extent.partition(" with ")[2] for extent in frame["extent"]] == ["k == 1", "", ""]
    assert frame["counterexample"][1].startswith("(x=5, y=7): ")
    assert (frame["engine"][0], frame["size"][0], pd.isna(frame["size"][2])) == ("tree", 3, True)
    assert (frame["paper"][2], frame["at"][2]) == ("a-paper", "Theorem 2")


def test_what_is_read_is_what_was_written(tmp_path):
    assert gl.catalogue(written(tmp_path)) == WRITTEN


def test_a_status_is_not_read_but_follows_from_the_evidence():
    record = {**record_to_json(formula()), "status": "proved", "procedures": ["MONA", "another"]}
    found = record_from_json(Finding, record, "somewhere")
    assert (found.status, found.procedures) == ("holds", ())


@pytest.mark.parametrize(
    ("change", "said"),
    [({"tables": 1}, "tables: "), ({"tables": {"test": {"right": "many"}}}, "tables.test.right: "), ({"proofs": [1]}, "proofs.0: ")],
)  # fmt: skip
def test_what_does_not_fit_is_named_with_what_to_do(tmp_path, change, said):
    data = record_to_json(catalogue(formulas=FOUND[:1]))
    data["findings"][0] |= change
    write_json(tmp_path / "catalogue.json", data)
    with pytest.raises(ConfigError, match="'make run'") as problem:
        gl.catalogue(tmp_path / "catalogue.json")
    assert f"(findings.0.{said}" in str(problem.value)


def test_a_table_has_a_row_a_position():
    game = gl.load("nim-with-a-pass-from-m")
    frame = gl.solve(game, N=3, m=2).to_frame()
    table = gl.solve(game, N=3, m=2)
    names = game.coordinate_names
    assert documented("Columns", ".+") == [
        "| the coordinates", "| the parameters", "| the bounds", "| `grundy`", "| `outcome`",
    ]  # fmt: skip
    assert list(frame.columns) == [*names, "m", "N", "grundy", "outcome"]
    assert len(frame) == table.positions
    for row in frame.to_dict("records"):
        assert row["grundy"] == table[tuple(row[name] for name in names)]
        assert row["outcome"] == ("P" if row["grundy"] == 0 else "N")
    assert frame.attrs["grundylab"] == {
        "ruleset": game.name, "hash": game.hash, "coordinates": [*names], "parameters": ["m"], "bounds": ["N"],
    }  # fmt: skip
    outcomes = gl.solve(game, "outcome", N=3, m=2).to_frame()
    assert outcomes["grundy"].isna().all()
    pd.testing.assert_frame_equal(outcomes.drop(columns="grundy"), frame.drop(columns="grundy"))


def test_what_is_found_has_a_frame_with_the_catalogues_columns():
    game = gl.load(
        "title: t\nparameters: {m: m >= 1}\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
    )
    table = gl.solve(game, N=8, m=1)
    found = gl.discover(table, "p", engine="search", budget=1)
    candidates = gl.frame(found)
    assert list(candidates.columns) == [
        "target", "formula", "where", "latex", "engine", "seed", "size", "training", "correct", "total", "validation",
        "validation_correct", "validation_total",
    ]  # fmt: skip
    assert candidates["formula"].tolist() == [str(each.formula) for each in found]
    assert candidates.loc[0, ["correct", "total"]].tolist() == [81, 81]
    assert candidates.loc[0, ["validation_correct", "validation_total"]].tolist() == [257**2, 257**2]
    verdicts = gl.frame(gl.verify(text, "p", table) for text in ("x == y", "x <= y"))
    assert verdicts["status"].tolist() == ["holds", "refuted"]
    assert verdicts[["checked", "wrong"]].to_numpy().tolist() == [[81, 0], [81, 36]]
    assert [each.partition(": ")[0] for each in verdicts["counterexample"]] == ["", "(x=0, y=1) with m=1"]
    both = gl.frame([found[0], gl.verify(found[0], table)])
    assert set(both.columns) == {*candidates.columns, *verdicts.columns}
    assert set(both.columns) < set(COLUMNS)
    with pytest.raises(TypeError, match=r"not Table; for a table use to_frame\(\)"):
        gl.frame(table)


@pytest.mark.parametrize(
    ("proof", "extent", "reason"),
    [
        (gl.Proof("proved", gl.parse("x == m"), gl.parse_target("p"), TRUE, condition=gl.parse_condition("m == 1"),
                  theorem=theorem_by(), exact=theorem_by()),
         "for all sizes exactly where m == 1", ""),
        (gl.Proof("undecided", gl.parse("x == m"), gl.parse_target("p"), TRUE, reason="too large"), "", "too large"),
        (gl.Proof("refuted", gl.parse("x == m"), gl.parse_target("p"), TRUE, counterexample=WRONG), "", ""),
    ],
)  # fmt: skip
def test_the_frame_of_a_proof_says_for_what_or_why_not(proof, extent, reason):
    (row,) = gl.frame(proof).fillna("").to_dict("records")
    assert (row["status"], row["extent"], row["reason"]) == (proof.status, extent, reason)
    assert row["procedures"] == ("automata in two's complement" if extent else "")
    assert bool(row["counterexample"]) == (proof.status == "refuted")


def test_no_finding_is_a_frame_with_the_columns_and_no_row():
    assert (gl.frame([]).columns.tolist(), len(gl.frame([]))) == (list(COLUMNS), 0)


def test_what_holds_says_why_it_is_not_proved():
    asked = proof(status="undecided", reason="too large")
    frame = gl.frame([formula(proofs=(asked,)), formula(proofs=(asked, proof()))])
    assert [*zip(frame["status"], frame["reason"].fillna(""), strict=True)] == [
        ("holds", "too large"),
        ("proved", ""),
    ]


def test_an_attempt_that_was_not_proved_proves_nothing():
    assert attempted("undecided").proofs[0].procedures == ()
    assert formula(proofs=(proof(status="undecided"),)).status == "holds"


def test_the_rules_of_a_proof_are_those_of_its_premises_too():
    game = gl.load("nim-2")
    whole = gl.prove(game, "x == y", "p")
    looked_up = gl.load(
        "title: t\nposition: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {take: t, from: y}]\n"
        "claims:\n"
        "  - {id: values, target: grundy, formula: x ^ y}\n"
        '  - {id: a, condition: "G(x, y) ^ y == x", values: {G: this}}\n'
    )
    claimed = gl.prove(looked_up, looked_up.claim("a"))
    frame = gl.frame([whole, claimed, gl.prove(game, "x <= y", "p")])
    assert frame["rules"].tolist() == ["induction", "induction; instances", ""]
