"""Sequences agree with the table and with the OEIS; CSV has every position once."""

import csv
import io

from hypothesis import given
from tests.findings.made import catalogue, formula
from tests.random_games import instances
from tests.sizes import examples

from grundylab.games import load_ruleset, make_instance, parse_ruleset
from grundylab.report.csv_tables import catalogue_csv, table_csv
from grundylab.report.oeis import b_file, sequence_of
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


def test_the_pairs_of_wythoff_s_game_are_known_by_their_numbers_as_far_as_the_table_has_both():
    solved = solve(make_instance(load_ruleset("wythoff"), {}, {"N": 100}), "outcome")
    smaller, larger = (sequence_of(solved, {}, kind) for kind in ("smaller", "larger"))
    assert (smaller.number, larger.number) == ("A000201", "A001950")
    assert b_file(smaller).splitlines()[:4] == ["# A000201", "1 1", "2 3", "3 4"]
    assert b_file(larger).splitlines()[-1] == "38 99"
    other = solve(make_instance(load_ruleset("wythoff-2"), {}, {"N": 100}), "outcome")
    assert sequence_of(other, {}, "smaller").number is None


def test_counts_end_where_the_table_does():
    found = sequence_of(table(NIM, "outcome", N=5), {"p": 0}, "count")
    assert found.terms == (1, 0, 1, 0, 1, 0)  # (5, 5) is in the table, but not all positions of sum 10 are


SLANTED = """\
title: Two piles below a line
position: {x: 0..N, y: 0..N - 2*x}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
"""


def test_counts_end_before_a_sum_that_larger_tables_have_more_positions_of(tmp_path):
    (tmp_path / "slanted.yaml").write_text(SLANTED)
    game = load_ruleset(str(tmp_path / "slanted.yaml"))
    small, large = (
        sequence_of(solve(make_instance(game, {}, {"N": n}), "outcome"), {}, "count") for n in (12, 40)
    )
    assert small.terms == large.terms[: len(small.terms)] == (1, 0, 1, 0, 1, 0, 1)


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
    record = formula(formula='accepts("+0,,,0", x, y)', checked=3, engine="e")
    (row,) = csv.DictReader(io.StringIO(catalogue_csv(catalogue(formulas=[record]))))
    assert (row["formula"], row["engine"], row["checked"]) == ('accepts("+0,,,0", x, y)', "e", "3")
