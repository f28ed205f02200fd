"""Proof files that ask for endless work are refused before it begins; files that are no proofs, in one line."""

import json

import pytest

from grundylab.games import Claim, parse_ruleset, parse_target
from grundylab.games.layers import layered_game
from grundylab.games.model import GRUNDY
from grundylab.language import parse
from grundylab.language.syntax import TRUE
from grundylab.prove.core.evidence import (
    HeapEvidence,
    Induction,
    Layer,
    PropertyInstance,
    Rows,
)
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.periods import heap, row_formula
from grundylab.prove.core.periods import row_period as rows
from grundylab.prove.core.periods.row_period import row_period
from grundylab.prove.core.theorem import Refused, Theorem
from grundylab.prove.period_search import period_evidence
from grundylab.prove.proof_files import check_proof_file, proof_text
from grundylab.statement import statement_about
from grundylab.statement.qualified_names import qualified_game

P = parse_target("p")
NIM = parse_ruleset(
    "title: t\nposition: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {take: t, from: y}]\n"
)
TOP = layered_game(NIM, {}, ("x", "y")).top({})
HEAP = parse_ruleset("title: t\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n")
TWO = parse_ruleset("title: t\nposition: {x: 0..N}\nmoves: [{take: [1, 2], from: x}]\n")


def unreached(*_):
    raise AssertionError("the work began")


def said(ruleset, target, formula):
    return statement_about(ruleset, Claim("", target, parse(formula)))


def record(statement, evidence):
    """Return the proof file, as data, of a theorem that nobody has checked."""
    return json.loads(proof_text(Theorem(statement, evidence)))


def certify(statement, evidence):
    return check_proof_file(record(statement, evidence), statement.game, Kernel())


def row(first=0, period=1, **changes):
    """Return evidence for Nim's row, which is right for every beginning and period."""
    layer = Layer(layer=TOP, first=first, period=period, gap=0)
    return Rows(axes=("x", "y"), target=P, layers=(layer,), **changes)


ROW = said(NIM, P, "x == y")
PERIOD = row_period(qualified_game(NIM), TRUE, ("x", "y"), P, (0, 1))


@pytest.mark.parametrize(("first", "period"), [(10**9, 1), (0, 10**9), (5_000_000, 1)])
@pytest.mark.parametrize("statement", [ROW, PERIOD])
def test_rows_too_long(monkeypatch, first, period, statement):
    monkeypatch.setattr(rows, "check_layers", unreached)
    evidence = row(first, period)
    if statement == PERIOD:
        evidence = evidence.model_copy(update={"period": (0, 1)})
    with pytest.raises(Refused, match="places of rows"):
        certify(statement, evidence)


def test_squares_too_large_before_any_row_is_worked_out(monkeypatch):
    monkeypatch.setattr(rows, "check_layers", unreached)
    with pytest.raises(Refused, match="4,000,001 by 4,000,001"):
        certify(ROW, row(4_000_000))


def test_formulas_that_take_too_long_to_follow(monkeypatch):
    assert certify(ROW, row(0, 50)).statement == ROW
    monkeypatch.setattr(row_formula, "STEPS", 500)
    with pytest.raises(Refused, match="500 steps"):
        certify(ROW, row(0, 50))


NUMBERS = said(HEAP, GRUNDY, "x")


@pytest.mark.parametrize("number", [0.9, 0.0, "0", True, None, 10**12])
def test_numbers_that_are_no_whole_numbers_or_far_too_large_are_not_taken_for_some(number):
    of_heap, of_rows = record(NUMBERS, HeapEvidence(first=0, period=1, until=1)), record(ROW, row())
    (layer,) = of_rows["evidence"]["layers"]
    evidence = [of_heap["evidence"] | {name: number} for name in ("first", "period", "until")]
    layers = [layer | {name: number} for name in ("first", "period")]
    if number != 10**12:
        layers += [layer | {"gap": number}, layer | {"beyond": [number]}]
    changed = [of_heap | {"evidence": each} for each in evidence]
    changed += [of_rows | {"evidence": of_rows["evidence"] | {"layers": [each]}} for each in layers]
    changed += [of_rows | {"evidence": of_rows["evidence"] | {"period": [0, number]}}]
    for each in changed:
        with pytest.raises(Refused, match=r"no proof: evidence\."):
            check_proof_file(each, HEAP if each["evidence"]["rule"] == "heap" else NIM, Kernel())


@pytest.mark.parametrize(("first", "period", "until"), [(0, 10**9, 0), (0, 1, 10**9), (10**9, 1, 3)])
def test_heaps_too_large(monkeypatch, first, period, until):
    monkeypatch.setattr(heap, "make_instance", unreached)
    with pytest.raises(Refused, match="tokens; at most"):
        certify(NUMBERS, HeapEvidence(first=first, period=period, until=until))


def nested(depth, what):
    for _ in range(depth):
        what = {"and": [what]}
    return what


def test_conditions_nested_too_deeply():
    file = record(ROW, Induction(levels=(ROW.formula,)))
    file["evidence"]["region"] = nested(5_000, "x == y")
    with pytest.raises(Refused, match="no proof"):
        check_proof_file(file, NIM, Kernel())


def test_premises_nested_too_deeply_or_too_many():
    inner = Induction(levels=(ROW.formula,))
    for _ in range(60):
        inner = PropertyInstance(properties=(), premises=(inner,))
    with pytest.raises(Refused, match=r"nested|no proof"):
        certify(ROW, inner)
    file = record(ROW, Induction(levels=(ROW.formula,)))
    file["evidence"]["premises"] = [{"rule": "computed"}] * 2_001
    with pytest.raises(Refused, match="no proof: evidence"):
        check_proof_file(file, NIM, Kernel())


# -- what is no proof of this statement ----------------------------------------------------------------------------------

INDUCTION = record(ROW, Induction(levels=(ROW.formula,)))


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("proof",), 1, "prove .* again"),
        (("statement", "formula"), "x == y + 0", "of another statement"),
        (("statement", "where"), "x >= 1", "of another statement"),
        (("statement", "for"), [["k", "0", "1"]], "variables"),
        (("statement", "values"), {"B": "nim-2"}, "of another statement"),
        (("statement", "values"), {"B": "/etc/passwd"}, "not a path"),
        (("statement", "key"), "0" * 64, "of another statement"),
        (
            ("evidence", "levels"),
            ["x == y or x == 40 and y == 3"],
            "the hypothesis is what the options make it",
        ),
        (("evidence", "levels"), ["z == 1"], "z"),
        (("evidence", "rule"), "axiom", "no proof: evidence"),
        (("evidence", "levels"), [{"and": 7}], "no proof: evidence"),
        (("evidence", "levels"), [{"if": ["x", "y", "x"]}], "."),
        (("evidence", "levels"), [{"or": ["x == y", 5]}], "no proof: evidence"),
        (("evidence", "levels"), [{"and": ["x", "y + 1"]}], "."),
        (("evidence", "region"), "x", "is no condition"),
        (("evidence", "premises"), [{"rule": "computed"}], "needs 0 premises"),
        (("more",), 1, "no proof: more"),
    ],
)
def test_a_forged_file_proves_nothing(place, value, message):
    assert check_proof_file(INDUCTION, NIM, Kernel()).statement == ROW
    file = json.loads(json.dumps(INDUCTION))
    inside = file
    for name in place[:-1]:
        inside = inside[name]
    inside[place[-1]] = value
    with pytest.raises(Exception, match=message) as found:
        check_proof_file(file, NIM, Kernel())
    assert found.type.__module__.startswith("grundylab")
    assert "\n" not in str(found.value)


def test_files_of_older_versions_are_refused():
    for old in (
        {"certificate": "heap", "first": 0},
        {"certificate": "induction", "hash": NIM.hash},
        [],
        None,
        7,
    ):
        with pytest.raises(Refused, match=r"prove .* again"):
            check_proof_file(old, NIM, Kernel())


def test_what_is_found_is_what_is_certified():
    """Without this test, the checker could refuse everything and pass all tests above."""
    for right, wrong in (
        (said(TWO, GRUNDY, "x % 3"), said(TWO, GRUNDY, "x % 4")),
        (ROW, said(NIM, P, "x <= y")),
    ):
        evidence = period_evidence(right)
        assert certify(right, evidence).statement == right
        with pytest.raises(Refused, match="wrong at"):
            certify(wrong, evidence)
