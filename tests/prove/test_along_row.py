"""The truth along a row against the reference, at every position of random games in layers, and the gate's use of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import examples
from tests.solve.test_rows import layered_games

from grundylab.games import Claim, Ruleset, make_instance, parse_ruleset
from grundylab.games.model import GRUNDY, P_POSITIONS, Target
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import Int, Name, compare, conjunction
from grundylab.prove import onegame
from grundylab.prove.alongrow import along_row
from grundylab.prove.gate import look
from grundylab.prove.local import wanted
from grundylab.solve.reference import solve_reference

BOUND = 7
NIM_3 = parse_ruleset("title: t\npiles: 3\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n")


@examples(15)
@given(layered_games(), st.integers(0, 3), st.integers(0, 1))
def test_the_truth_along_a_row_is_the_references(ruleset: Ruleset, s: int, q: int) -> None:
    fixed = {"s": s, "q": q} | ({"p": 1} if "p" in ruleset.coordinate_names else {})
    where = conjunction(*(compare("==", Name(name), Int(value)) for name, value in fixed.items()))
    row = along_row(ruleset, Claim("asked", P_POSITIONS, parse("x == y"), where), {}, BOUND + 1)
    assert row is not None
    table = solve_reference(make_instance(ruleset, {}, {"N": BOUND}), "outcome")
    names = ruleset.coordinate_names
    for slab in table.slabs():
        for *position, value in zip(*(c.tolist() for c in (*slab.coordinates, slab.values)), strict=True):
            if fixed.items() <= dict(zip(names, position, strict=True)).items():
                assert row.truth(tuple(position)) == wanted(value, P_POSITIONS), position


def test_it_ends_where_the_row_was_computed_to_and_there_is_none_of_a_statement_about_more() -> None:
    ruleset = parse_ruleset("title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n")

    def row(target: Target, where: str):
        return along_row(ruleset, Claim("asked", target, parse("x"), parse_condition(where)), {}, 5)

    of_grundy = row(GRUNDY, "y == 2")
    assert of_grundy is not None
    assert [of_grundy.truth((x, 2)) for x in range(6)] == [2, 3, 0, 1, 6, None]
    assert row(GRUNDY, "True") is None
    assert row(P_POSITIONS, "y == 2") is None


def test_the_gate_sees_along_a_row_what_no_table_reaches() -> None:
    formula = parse("y == x + 2 and x % 4 <= 1 and x*x != 2000*2000")
    seen = look(NIM_3, Claim("asked", P_POSITIONS, formula, parse_condition("z == 2 and x <= y")))
    assert seen.wrong is not None
    assert dict(seen.wrong.position) == {"x": 2000, "y": 2002, "z": 2}


def test_of_a_formula_that_costs_too_much_the_gate_says_what_it_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = parse("y == x + 2 and x % 4 <= 1 and x >= 0*2000")
    claim = Claim("asked", P_POSITIONS, formula, parse_condition("z == 2 and x <= y"))
    whole = look(NIM_3, claim)
    monkeypatch.setattr(onegame, "ROW_STEPS", 20_000)
    part = look(NIM_3, claim)
    assert part.good
    assert 0 < part.positions < whole.positions
    assert part.reach < whole.reach
