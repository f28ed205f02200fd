"""Certificates of rows: what is found is proved, what is proved is true, and nothing else is believed.

A formula along a row is accepted exactly if it is true at every position: tried on every small change of it.
"""

import copy
import json
from functools import cache
from math import lcm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import examples
from tests.solve.test_rows import layered_games

from grundylab.discover import discover
from grundylab.errors import GrundylabError
from grundylab.games import make_instance, parse_ruleset
from grundylab.games.layers import layered
from grundylab.games.model import GRUNDY, P_POSITIONS, Target
from grundylab.language import parse, parse_condition
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Expr, Int
from grundylab.pipeline.rows import study_row
from grundylab.prove.certificates import check_certificate
from grundylab.prove.hypothesis import asked
from grundylab.prove.outcome import CertificateError
from grundylab.prove.periodic import NotFound, find_recurrences, prove_by_period
from grundylab.prove.prover import prove_claim
from grundylab.prove.recurrence import Recurrence, State, check_layers
from grundylab.prove.row_certificate import check_row, read_row
from grundylab.prove.row_formula import check_row_formula
from grundylab.solve import solve
from grundylab.solve.rows import solve_rows

GAME = parse_ruleset(
    "title: t\npiles: 3\nposition: {x: 0..N}\nparameters: {m: m >= 0}\n"
    'moves: [{take: t, from: x}]\npass: {when: "x + ... >= m"}\n'
)
ROW_4 = "z == y + 3 and (y == 5 or y == 6) or y >= 10 and (z == y + 1 and y % 8 == 0 or z == y + 3 and 2 <= y % 8 <= 4)"
OTHERWISE = (  # by the remainder of z, which strips must follow
    "y == 5 and z == 8 or y == 6 and z == 9 or y > 8 and y < z < y + 8 and ((z - y) % 8 == 3 and 5 <= z % 8 <= 7"
    " or z % 8 == 1 and y % 8 == 0)"
)
SIDE = 60


@cache
def certificate():
    """That of the row x = 4, as JSON."""
    result = study_row(GAME, {"m": 0}, {"x": 4, "p": 1}, P_POSITIONS, 2000)
    return json.dumps(result.certificate)


@cache
def row_4():
    """That row, proved: what ``check_row_formula`` asks for."""
    game = layered(GAME, {"m": 0}, ("y", "z"))
    layer = game.top({"x": 4, "p": 1})
    return game, layer, check_layers(game, layer, find_recurrences(solve_rows(game, layer, 300)))[layer]


@examples(15)
@given(layered_games(), st.integers(0, 3), st.integers(0, 1))
def test_what_the_checker_accepts_goes_on_as_it_says(ruleset, s, q):
    game = layered(ruleset, {}, ("x", "y"))
    top = game.top({"s": s, "q": q} | ({"p": 1} if "p" in game.names else {}))
    try:
        claimed = find_recurrences(solve_rows(game, top, 400))
    except NotFound:
        return
    proved = check_layers(game, top, claimed)[top]
    assert [proved(m) for m in range(1500)] == solve_rows(game, top, 1500)[top].tolist()


def test_a_row_of_nim_with_a_pass_is_proved_as_the_atlas_lists_it():
    record = json.loads(certificate())
    assert record["positions"] == [
        "4, 5, 8", "4, 6, 9", "4, 8 * k + 2, 8 * k + 5 for k >= 1", "4, 8 * k + 3, 8 * k + 6 for k >= 1",
        "4, 8 * k + 4, 8 * k + 7 for k >= 1", "4, 8 * k + 8, 8 * k + 9 for k >= 1",
    ]  # fmt: skip
    assert (record["preperiod"], record["period"]) == (10, 8)
    assert "period and saltus 8 from 10 on; the 6 entries" in check_certificate(record, GAME)[1]


def test_the_theorem_needs_more_than_one_layer_s_own_state():
    """The row 9 has the period 10 from 20 on, but those below have the period 8: its state alone is no proof."""
    game = layered(GAME, {"m": 0}, ("y", "z"))
    top = game.top({"x": 9, "p": 1})
    rows = solve_rows(game, top, 500)
    claimed = find_recurrences(rows)
    assert (rows[top][20:400] + 10).tolist() == rows[top][30:410].tolist()
    last = claimed[-1]
    assert last.period == lcm(10, 16)
    short = Recurrence(last.layer, last.first, 10, last.state)
    with pytest.raises(CertificateError, match="below does not fit"):
        check_layers(game, top, [*claimed[:-1], short])
    with pytest.raises(CertificateError, match="nothing is said of the layer x=1, p=1"):
        check_layers(game, top, [found for found in claimed if found.layer != (1, 1, 0)])


def test_a_condition_that_changes_later_is_not_believed():
    """With a pass from 60 stones on, the rows recur before that, and then go on otherwise."""
    game = layered(GAME, {"m": 60}, ("y", "z"))
    top = game.top({"x": 0, "p": 1})
    rows = solve_rows(game, top, 200)[top].tolist()
    assert rows[:30] == list(range(30)) != rows[30:60]
    claimed = [Recurrence((0, 0, 0), 0, 1, State(0, ())), Recurrence((0, 1, 0), 0, 1, State(0, ()))]
    with pytest.raises(CertificateError, match="may change with the period"):
        check_layers(game, top, claimed)


def test_under_misere_play_the_end_is_not_taken_for_the_rule():
    nim = "title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nplay: misere\n"
    game = layered(parse_ruleset(nim), {}, ("x", "y"))
    check_layers(game, (0,), [Recurrence((0,), 2, 1, State(0, ()))])
    with pytest.raises(CertificateError, match="misère"):
        check_layers(game, (0,), [Recurrence((0,), 0, 2, State(0, ()))])


def changes(record):
    """The certificate with one number or listed position changed."""
    for key in ("preperiod", "period"):
        for by in (-1, 1, 3):
            yield {**record, key: record[key] + by}
    for number, layer in enumerate(record["layers"]):
        for key, by in (("first", -1), ("again", 1), ("again", -layer["again"] + layer["first"])):
            changed = copy.deepcopy(record)
            changed["layers"][number][key] += by
            yield changed
    listed = record["positions"]
    for number, text in enumerate(listed):
        wrong = text.replace("5", "6") if "5" in text else text.replace("9", "10").replace("7", "8")
        for instead in ([], [wrong]):
            yield {**record, "positions": [*listed[:number], *instead, *listed[number + 1 :]]}
    for more in ("4, 5 * k, 5 * k for k >= 7", "5, 5, 8", "4, 5", "4, k, k", "4, 8 * k + 1, 8 * k + 1 for 1 <= k <= 3",
                 "4, y, 8", "what"):  # fmt: skip
        yield {**record, "positions": [*listed, more]}
    yield {**record, "where": "p == 1 and x == 4 and y <= z"}
    yield {**record, "where": "p == 1 and x == 4 and x <= y <= z and z != 800"}
    yield {**record, "parameters": {"m": 1}}
    yield {**record, "row": {"x": 3, "p": 1}}
    yield {**record, "row": {"x": 3}}
    yield {**record, "certificate": "heap"}
    yield {}


def test_a_changed_certificate_proves_nothing_that_is_false():
    """It is refused, or what it says is true as well (a later preperiod, a layer that is seen to recur later)."""
    record, accepted = json.loads(certificate()), []
    for changed in changes(record):
        try:
            check_certificate(changed, GAME)
        except GrundylabError:
            continue
        accepted.append(changed)
    assert len(accepted) <= 12
    for changed in accepted:
        found = read_row(changed, GAME)
        row = solve_rows(found.game, found.layer, 3000)[found.layer]
        start, period = found.preperiod, found.period
        assert (row[start + period :] == row[start:-period] + period).all()
        assert list(found.positions) == record["positions"]


def test_grundy_numbers_along_a_row_have_a_formula_that_is_proved():
    result = study_row(GAME, {"m": 0}, {"x": 0, "y": 2, "p": 1}, GRUNDY, 2000)
    assert result.status == "proved"
    check_row(read_row(result.certificate, GAME))
    with pytest.raises(CertificateError, match="formula is wrong"):
        check_certificate({**result.certificate, "formula": "z + 1"}, GAME)


def test_a_row_too_short_for_its_period_is_undecided():
    result = study_row(GAME, {"m": 0}, {"x": 10, "p": 1}, P_POSITIONS, 150)
    assert (result.status, result.certificate, result.formula) == ("undecided", None, None)
    assert result.reason == "in the row x=10, p=1 no state comes again after 80"


# -- formulas along a row --------------------------------------------------------------------------------------------


def changed(expr: Expr):
    """With one constant 1 more or less."""
    if isinstance(expr, Int):
        yield from (Int(expr.value + by) for by in (-1, 1) if expr.value + by > 0)
    for place, child in enumerate(expr.children):
        for other in changed(child):
            yield rebuild(expr, (*expr.children[:place], other, *expr.children[place + 1 :]))


@pytest.mark.parametrize("text", [ROW_4, OTHERWISE])
def test_a_formula_is_accepted_exactly_if_it_is_true(text):
    game, layer, row = row_4()
    where, right = parse_condition("x <= y <= z"), parse(text)
    y, z = (side.reshape(-1) for side in np.mgrid[0:SIDE, 0:SIDE])
    columns = {"x": 0 * y + 4, "y": y, "z": z, "p": 0 * y + 1}
    inside = evaluate_arrays(where, columns)
    wanted = np.array([row(i) for i in range(SIDE)])[y] == z
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
    with pytest.raises(CertificateError, match=fault):
        check_row_formula(*row_4(), parse(formula), parse_condition(where))


def test_without_mona_a_claim_about_a_row_is_proved_by_its_certificate(monkeypatch):
    monkeypatch.setenv("GRUNDYLAB_MONA", "/no/such/program")
    where = parse_condition("m == 0 and p == 1 and x == 4 and x <= y <= z")
    proof = prove_claim(GAME, asked(parse(ROW_4), P_POSITIONS), where)
    assert (proof.status, proof.script, dict(proof.fixed)) == ("proved", None, {"m": 0})
    assert "its formula" in check_certificate(json.loads(proof.certificate), GAME)[1]


LEVEL = "y == z and y != 0 and y != 2 or y == 0 and z == 2 or y == 2 and z == 0"
PAIRS = "0 if z == 0 else z - 1 if z % 2 == 0 else z + 1"


@pytest.mark.parametrize(
    ("formula", "target", "where", "proved"),
    [
        (PAIRS, GRUNDY, "m == 0 and p == 1 and x == 0 and y == 0", True),
        (PAIRS, GRUNDY, "m == 0 and p == 1 and x == 0", False),
        (PAIRS.replace("- 1", "- 2"), GRUNDY, "m == 0 and p == 1 and x == 0 and y == 0", False),
        (LEVEL, Target("level", 1), "m == 0 and p == 1 and x == 0", True),
        (LEVEL, Target("level", 2), "m == 0 and p == 1 and x == 0", False),
        (ROW_4.replace("8", "9"), P_POSITIONS, "m == 0 and p == 1 and x == 4 and x <= y <= z", False),
        (ROW_4, P_POSITIONS, "p == 1 and x == 4", False),
    ],
)
def test_what_a_period_proves_of_grundy_numbers_level_sets_and_p_positions(formula, target, where, proved):
    found = prove_by_period(GAME, parse(formula), target, parse_condition(where))
    assert (found is not None) == proved


def test_the_engine_finds_the_row_from_a_table_of_its_region():
    small, large = (solve(make_instance(GAME, {"m": 0}, {"N": bound}), "outcome") for bound in (40, 50))
    region = parse_condition("p == 1 and x == 4 and x <= y <= z")
    best = discover([small], P_POSITIONS, "periods", where=region)[0]
    assert str(best.formula) == ROW_4
    assert discover([large], P_POSITIONS, "periods", where=region)[0].formula == best.formula
    assert discover([small], P_POSITIONS, "periods", where=parse_condition("p == 1 and x == 10")) == []
