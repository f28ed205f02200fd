"""Sequences are the table's numbers, in the OEIS's forms; CSV is every position once."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.catalogue.made import catalogue, formula
from tests.random_games import instances
from tests.sizes import examples

from grundylab.errors import InstanceError
from grundylab.games import load_ruleset, make_instance, parse_ruleset
from grundylab.report.oeis import IntegerSequence, b_file, draft, sequence_of
from grundylab.report.tables import catalogue_csv, table_csv
from grundylab.solve import solve

KAYLES = "title: Kayles\nposition: {x: 0..N}\nmoves: [{name: knock, for: {t: 1..2, a: 0..x-t}, to: [{x: a}, {x: x - t - a}]}]\n"
NIM = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\npass: {}\n"


def table(text, kind="grundy", **bounds):
    return solve(make_instance(parse_ruleset(text), {}, bounds), kind)


def test_grundy_numbers_of_kayles_are_those_of_a002186():
    found = sequence_of(table(KAYLES, N=20), {}, "grundy")
    assert (found.offset, found.terms[:15]) == (0, (0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2))
    assert b_file(found).splitlines()[:3] == ["0 0", "1 1", "2 2"]
    assert b_file(found).splitlines()[-1] == f"20 {found.terms[20]}"


def test_p_positions_are_counted_from_1():
    found = sequence_of(table(NIM, "outcome", N=9), {"p": 0, "y": 4}, "p-positions")
    assert b_file(found) == "1 4\n"
    assert found.name == "Numbers x for which (x,4,0) is a P-position in Nim"


def test_the_pairs_of_wythoff_s_game_are_known_by_their_numbers_as_far_as_the_table_has_both():
    solved = solve(make_instance(load_ruleset("wythoff"), {}, {"N": 100}), "outcome")
    smaller, larger = (sequence_of(solved, {}, kind) for kind in ("smaller", "larger"))
    assert (smaller.number, larger.number) == ("A000201", "A001950")
    assert b_file(smaller).splitlines()[:4] == ["# A000201", "1 1", "2 3", "3 4"]
    assert b_file(larger).splitlines()[-1] == "38 99"
    assert draft(larger, solved).startswith("%I A001950\n%S A001950 2,5,7,10,13,")
    other = solve(make_instance(load_ruleset("wythoff-2"), {}, {"N": 100}), "outcome")
    assert sequence_of(other, {}, "smaller").number == "A000000"


def test_counts_end_where_the_table_does():
    found = sequence_of(table(NIM, "outcome", N=5), {"p": 0}, "count")
    assert found.terms == (1, 0, 1, 0, 1, 0)  # (5, 5) is in the table, but not all positions of sum 10 are


@pytest.mark.parametrize(
    ("fixed", "kind", "line"),
    [
        ({}, "grundy", "a sequence has one free coordinate, not 3 (x, y, p): use --fix"),
        (
            {"x": 0, "y": 0, "p": 0},
            "p-positions",
            "a sequence has one free coordinate, not 0 (none): use --fix",
        ),
        ({"x": 0, "y": 0}, "smaller", "pairs are of two free coordinates, not 1: use --fix"),
        ({"x": 0, "y": 0}, "count", "there are finitely many such positions: their numbers make no sequence"),
    ],
)
def test_what_is_no_sequence_is_refused(fixed, kind, line):
    with pytest.raises(InstanceError) as error:
        sequence_of(table(NIM, N=5), fixed, kind)
    assert str(error.value) == line


@examples(20)
@given(st.lists(st.integers(0, 10**12), max_size=400), st.integers(0, 3))
def test_a_draft_has_the_first_terms_on_three_lines_and_no_other_letters_between(terms, offset):
    text = draft(IntegerSequence("numbers", offset, tuple(terms)), table(KAYLES, N=3))
    lines = text.splitlines()
    assert all(re.match(r"%[ISTUNCKOA] A000000", line) for line in lines)
    data = [line for line in lines if line[1] in "STU"]
    shown = [int(term) for line in data for term in line[11:].split(",") if term]
    assert shown == terms[: len(shown)]
    assert all(len(line[11:]) <= 80 for line in data)
    assert len(shown) == len(terms) or sum(len(line[11:]) for line in data) > 180
    assert [line[11:].endswith(",") for line in data] == [True] * (len(data) - 1) + [False] * bool(data)


def test_a_draft_says_the_rules():
    text = draft(sequence_of(table(KAYLES, N=40), {}, "grundy"), table(KAYLES, N=40))
    assert text.isascii()
    assert text.startswith("%I A000000\n%S A000000 0,1,2,3,1,4,3,2,1,4,")
    assert "%N A000000 Grundy numbers of (x) in Kayles.\n" in text
    assert "%C A000000 A position is a whole number x >= 0.\n" in text
    assert "%O A000000 0,3\n" in text


@examples(20)
@given(instances())
def test_csv_has_every_position_once_with_its_value(instance):
    kind = "outcome" if instance.ruleset.play == "misere" else "grundy"
    solved = solve(instance, kind)
    rows = list(csv.DictReader(io.StringIO(table_csv(solved, {}))))
    assert len(rows) == solved.positions
    for row in rows:
        value = solved[tuple(int(row[name]) for name in instance.ruleset.coordinate_names)]
        assert row[kind] == (str(value) if kind == "grundy" else "N" if value else "P")


def test_csv_of_a_slice_is_that_slice():
    rows = table_csv(table(NIM, N=2), {"p": 0, "x": 1}).splitlines()
    assert rows == ["x,y,p,grundy", "1,0,0,1", "1,1,0,0", "1,2,0,3"]


def test_csv_of_the_catalogue_survives_commas_and_quotes():
    record = formula(formula='accepts("1,2", x)', checked=3, engine="e")
    (row,) = csv.DictReader(io.StringIO(catalogue_csv(catalogue(formulas=[record]))))
    assert (row["formula"], row["engine"], row["checked"]) == ('accepts("1,2", x)', "e", "3")
