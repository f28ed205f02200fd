"""A formula along a row is accepted exactly if it is true at every position: tried on every small change of it."""

import json

import numpy as np
import pytest
from tests.prove.test_recurrence import GAME

from grundylab.discover import discover
from grundylab.games import make_instance
from grundylab.games.layers import layered
from grundylab.games.model import GRUNDY, P_POSITIONS, Target
from grundylab.language import parse, parse_condition
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Expr, Int
from grundylab.prove.certificates import check_certificate
from grundylab.prove.periodic import find_recurrences, prove_by_period
from grundylab.prove.prover import asked, prove_claim
from grundylab.prove.recurrence import CertificateError, check_layers
from grundylab.prove.row_certificate import check_row_formula
from grundylab.solve import solve
from grundylab.solve.rows import solve_rows

ROW_4 = "z == y + 3 and (y == 5 or y == 6) or y >= 10 and (z == y + 1 and y % 8 == 0 or z == y + 3 and 2 <= y % 8 <= 4)"
OTHERWISE = (  # by the remainder of z, which strips must follow
    "y == 5 and z == 8 or y == 6 and z == 9 or y > 8 and y < z < y + 8 and ((z - y) % 8 == 3 and 5 <= z % 8 <= 7"
    " or z % 8 == 1 and y % 8 == 0)"
)
WHERE = parse_condition("m == 0 and p == 1 and x == 4 and x <= y <= z")
SIDE = 60


def proved_row(s):
    game = layered(GAME, {"m": 0}, ("y", "z"))
    layer = game.top({"x": s, "p": 1})
    return game, layer, check_layers(game, layer, find_recurrences(solve_rows(game, layer, 300)))[layer]


def changed(expr: Expr):
    """With one constant 1 more or less."""
    if isinstance(expr, Int):
        yield from (Int(expr.value + by) for by in (-1, 1) if expr.value + by > 0)
    for place, child in enumerate(expr.children):
        for other in changed(child):
            yield rebuild(expr, (*expr.children[:place], other, *expr.children[place + 1 :]))


@pytest.mark.parametrize("text", [ROW_4, OTHERWISE])
def test_a_formula_is_accepted_exactly_if_it_is_true(text):
    game, layer, row = proved_row(4)
    where = parse_condition("x <= y <= z")
    y, z = (side.reshape(-1) for side in np.mgrid[0:SIDE, 0:SIDE])
    columns = {"x": 0 * y + 4, "y": y, "z": z, "p": 0 * y + 1}
    inside = evaluate_arrays(where, columns)
    wanted = np.array([row(i) for i in range(SIDE)])[y] == z
    right = parse(text)
    check_row_formula(game, layer, row, right, where)
    for formula in dict.fromkeys(changed(right)):
        true = bool((evaluate_arrays(formula, columns)[inside] == wanted[inside]).all())
        try:
            check_row_formula(game, layer, row, formula, where)
            accepted = True
        except CertificateError:
            accepted = False
        assert accepted == true, str(formula)


@pytest.mark.parametrize(
    ("formula", "where", "fault"),
    [
        (ROW_4, "x <= y", "wrong at"),
        (ROW_4, "y < 0", "no position"),
        (f"z != 900 and ({ROW_4})", "x <= y <= z", "cannot be followed|wrong"),
        (f"y != 900 and ({ROW_4})", "x <= y <= z", "cannot be followed|wrong"),
        (f"y == z - 900 or {ROW_4}", "x <= y <= z", "cannot be followed|wrong"),
        (f"y * z == 3600 or {ROW_4}", "x <= y <= z", "cannot be followed|wrong"),
        (f"z % 7 == 0 and y > 50 or {ROW_4}", "x <= y <= z", "cannot be followed|wrong"),
        (f"1 // (y - 30) == 5 or {ROW_4}", "x <= y <= z", "no value"),
    ],
)
def test_what_is_false_far_out_or_cannot_be_followed_is_refused(formula, where, fault):
    game, layer, row = proved_row(4)
    with pytest.raises(CertificateError, match=fault):
        check_row_formula(game, layer, row, parse(formula), parse_condition(where))


def test_without_mona_a_claim_about_a_row_is_proved_by_its_certificate(monkeypatch):
    monkeypatch.setenv("GRUNDYLAB_MONA", "/no/such/program")
    proof = prove_claim(GAME, asked(parse(ROW_4), P_POSITIONS), WHERE)
    assert (proof.status, proof.script, dict(proof.fixed)) == ("proved", None, {"m": 0})
    assert "its formula" in check_certificate(json.loads(proof.certificate), GAME)[1]
    assert prove_claim(GAME, asked(parse(ROW_4.replace("8", "9")), P_POSITIONS), WHERE).status != "proved"
    assert (
        prove_claim(GAME, asked(parse(ROW_4), P_POSITIONS), parse_condition("p == 1 and x == 4")).status
        != "proved"
    )


def test_grundy_numbers_and_level_sets_along_rows():
    one_pile = parse_condition("m == 0 and p == 1 and x == 0 and y == 0")
    formula = "0 if z == 0 else z - 1 if z % 2 == 0 else z + 1"
    assert prove_by_period(GAME, parse(formula), GRUNDY, one_pile)
    assert (
        prove_by_period(GAME, parse(formula), GRUNDY, parse_condition("m == 0 and p == 1 and x == 0")) is None
    )
    assert prove_by_period(GAME, parse(formula.replace("- 1", "- 2")), GRUNDY, one_pile) is None
    two_piles = parse_condition("m == 0 and p == 1 and x == 0")
    level = parse("y == z and y != 0 and y != 2 or y == 0 and z == 2 or y == 2 and z == 0")
    assert prove_by_period(GAME, level, Target("level", 1), two_piles)
    assert prove_by_period(GAME, level, Target("level", 2), two_piles) is None


def test_the_engine_finds_the_row_from_a_table_of_its_region():
    small, large = (solve(make_instance(GAME, {"m": 0}, {"N": bound}), "outcome") for bound in (40, 50))
    region = parse_condition("p == 1 and x == 4 and x <= y <= z")
    best = discover([small], P_POSITIONS, "periods", where=region)[0]
    assert str(best.formula) == ROW_4
    assert discover([large], P_POSITIONS, "periods", where=region)[0].formula == best.formula
    assert discover([small], P_POSITIONS, "periods", where=parse_condition("p == 1 and x == 10")) == []
