"""The rows stage: its records of rows and heaps agree with the definition, and its certificates are checked."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.findings.made import needs_mona
from tests.sizes import examples

from grundylab.errors import GrundylabError
from grundylab.findings.catalogue import formula_of
from grundylab.findings.wording import row_words
from grundylab.games import make_instance, parse_ruleset, parse_target
from grundylab.games.listing import listed_condition, read_listing
from grundylab.language.arrays import evaluate_arrays
from grundylab.pipeline.rows_and_heaps import (
    row_records,
    study_heap,
    study_row,
)
from grundylab.pipeline.study import RowsAsked
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.proof_files import check_proof_file, statement_line
from grundylab.solve.reference import solve_reference

P, GRUNDY = parse_target("p"), parse_target("grundy")
PASS = parse_ruleset("""title: t
parameters: {m: m >= 0}
piles: 3
position: {x: 0..N}
moves: [{take: t, from: x}]
pass: {when: x + ... >= m}
claims:
  - {id: bouton, where: p == 0 and x == 2, target: p, formula: z == (y + 2 if y % 4 < 2 else y - 2)}
  - {id: never, where: p == 0 and x == 2, target: p, formula: "False"}
  - {id: other, where: p == 0 and x == 3, target: p, formula: z == (y + 2 if y % 4 < 2 else y - 2)}
""")
KAYLES = parse_ruleset("""title: t
position: {x: 0..N}
moves:
  - for: {t: 1..2, a: 0..x-t}
    to: [{x: a}, {x: x - t - a}]
claims:
  - {id: late, where: x >= 71 and x % 12 == 0, target: grundy, formula: 4}
  - {id: early, where: x % 12 == 0, target: grundy, formula: 4}
""")
SUBTRACTION = parse_ruleset("""title: t
parameters: {m: m >= 1}
position: {x: 0..N}
moves: [{take: "1..min(x, m)", from: x}]
""")


@examples(6)
@given(st.integers(0, 4), st.integers(0, 9), st.integers(0, 1))
def test_a_row_is_recorded_as_the_definition_has_it(tmp_path_factory, x, m, p):
    folder = tmp_path_factory.mktemp("rows")
    record = study_row(PASS, {"m": m}, {"x": x, "p": p}, P, 300, folder)
    assert record.status == "proved"
    check_proof_file(read(record), PASS, Kernel())
    table = solve_reference(make_instance(PASS, {"m": m}, {"N": 9}), "outcome").values[x, :, :, p]
    y, z = (side.reshape(-1) for side in np.mgrid[0:10, 0:10])
    columns = {"x": 0 * y + x, "y": y, "z": z, "p": 0 * y + p}
    inside = evaluate_arrays(record.where, columns)
    listed = listed_condition(read_listing(record.positions, ["x", "y", "z", "p"]), ["x", "y", "z"])
    for formula in (record.formula, listed):
        said = evaluate_arrays(formula, columns)
        assert (said[inside] == (table.reshape(-1) == 0)[inside]).all()


def test_a_row_proves_the_claims_about_it_and_no_others(tmp_path):
    assert study_row(PASS, {"m": 1}, {"x": 2, "p": 0}, P, 300, tmp_path).claims == ("bouton",)


@needs_mona
@pytest.mark.parametrize(
    ("claims", "relation"),
    [
        (["x >= 0"], ["rediscovers"]),
        (["x >= 4"], ["extends"]),
        (["x >= 4", "x <= 6"], ["rediscovers", "rediscovers"]),
        ([], None),
    ],
)
def test_a_row_that_says_more_than_a_claim_extends_it(tmp_path, claims, relation):
    text = 'title: t\nposition: {x: 0..N}\nmoves: [{take: "1..min(x, 2)", from: x}]\nclaims:\n'
    text += "  - {id: other, where: x < 3, target: grundy, formula: 1}\n"
    for number, where in enumerate(claims):
        text += f"  - {{id: c{number}, where: {where}, target: grundy, formula: x % 3}}\n"
    ruleset = parse_ruleset(text)
    found = formula_of(study_row(ruleset, {}, {}, GRUNDY, 300, tmp_path)).relation
    assert (found and [entry.relation for entry in found.to]) == relation


def read(record):
    return json.loads(Path(record.proof).read_text())


def grundy_numbers(count):
    """Return the first Grundy numbers of Kayles, by the definition of the mex."""
    values = [0]
    for n in range(1, count):
        options = {values[a] ^ values[n - t - a] for t in (1, 2) for a in range(n - t + 1)}
        values.append(next(g for g in range(count) if g not in options))
    return values


def test_kayles_has_its_period_and_fourteen_exceptions(tmp_path):
    record = study_heap(KAYLES, {}, tmp_path)
    assert (record.status, record.preperiod, record.period, record.exceptions) == ("proved", 71, 12, 14)
    assert record.claims == ("late",)
    assert evaluate_arrays(record.formula, {"x": np.arange(300)}).tolist() == grundy_numbers(300)
    assert str(check_proof_file(read(record), KAYLES, Kernel()).statement.formula) == str(record.formula)
    assert row_words(record) == "period 12 from 71 on; 14 exceptions"


def test_a_period_too_long_for_a_formula_still_has_its_certificate(tmp_path, monkeypatch):
    monkeypatch.setattr("grundylab.pipeline.rows_and_heaps.MOST_TERMS", 50)
    record = study_heap(KAYLES, {}, tmp_path)
    assert (record.status, record.formula, formula_of(record)) == ("proved", None, None)
    said = statement_line(check_proof_file(read(record), KAYLES, Kernel()).statement)
    assert said == "G(x + 12) == G(x), where x >= 71, with G() of this"


def test_the_rows_of_a_study_are_those_that_fulfil_its_condition(tmp_path):
    asked = RowsAsked(parameters={"m": [1, 2, 3, 4]}, length=100, target="grundy", where="m % 2 == 0")
    asked.check(SUBTRACTION)
    records = row_records(SUBTRACTION, asked, tmp_path, 0)
    assert [(r.parameters, r.period, r.status) for r in records] == [
        ({"m": 2}, 3, "proved"),
        ({"m": 4}, 5, "proved"),
    ]
    assert [(str(f.formula), str(f.where)) for f in map(formula_of, records)] == [
        ("x % 3", "m == 2"),
        ("x % 5", "m == 4"),
    ]


def test_a_game_outside_its_domain_has_no_row(tmp_path):
    with pytest.raises(GrundylabError, match="m=0"):
        study_row(SUBTRACTION, {"m": 0}, {}, GRUNDY, 100, tmp_path)
