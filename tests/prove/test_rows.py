"""Periods of rows: found periods are proved, proved ones are true, and no others are accepted.

A formula along a row is accepted exactly if it is true at every position; every small change of it is tried.
"""

import json
from functools import cache
from math import lcm
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from tests.prove.forging import Change, check_refused, forged, proved_by, proves, record_of
from tests.random_games import games
from tests.sizes import examples

from grundylab.discover import discover
from grundylab.errors import GrundylabError
from grundylab.games import Claim, make_instance, parse_ruleset
from grundylab.games.layers import layered_game
from grundylab.games.model import GRUNDY, P_POSITIONS, Target
from grundylab.language import parse, parse_condition
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Expr, Int
from grundylab.pipeline.rows_and_heaps import study_row
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.periods.recurrence import Recurrence, RecurrenceState, check_layers
from grundylab.prove.core.periods.row_formula import check_row_formula
from grundylab.prove.core.periods.row_period import row_period
from grundylab.prove.core.theorem import Refused
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.period_search import NotFound, find_recurrences, period_evidence
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.solve.row_solver import solve_rows
from grundylab.statement import statement_about

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


def row_of(fixed, target, length):
    """Return the record of a row of the game, and its theorem; None if it is not proved."""
    with TemporaryDirectory() as folder:
        row = study_row(GAME, {"m": 0}, fixed, target, length, Path(folder))
        return row, row.proof and proved_by(json.loads(Path(row.proof).read_text()), GAME)


@cache
def studied():
    """Return the record and the theorem of the row x = 4."""
    return row_of({"x": 4, "p": 1}, P_POSITIONS, 2000)


@cache
def row_4():
    """Return the game, the layer and the proved period of the row x = 4, the arguments of ``check_row_formula``."""
    game = layered_game(GAME, {"m": 0}, ("y", "z"))
    layer = game.top({"x": 4, "p": 1})
    return game, layer, check_layers(game, layer, find_recurrences(solve_rows(game, layer, 300)))[layer]


@examples(15)
@given(games("layers"), st.integers(0, 3), st.integers(0, 1))
def test_what_the_checker_accepts_goes_on_as_it_says(file, s, q):
    note(file.report())
    game = layered_game(parse_ruleset(file.text), file.parameters, ("x", "y"))
    top = game.top({"s": s, "q": q} | ({"p": 1} if "p" in game.names else {}))
    try:
        claimed = find_recurrences(solve_rows(game, top, 400))
    except NotFound:
        return
    proved = check_layers(game, top, claimed)[top]
    assert [proved(m) for m in range(1500)] == solve_rows(game, top, 1500)[top].tolist()


def test_a_row_of_nim_with_a_pass_is_proved_as_the_atlas_lists_it():
    result, _ = studied()
    assert list(result.positions) == [
        "4, 5, 8", "4, 6, 9", "4, 8 * k + 2, 8 * k + 5 for k >= 1", "4, 8 * k + 3, 8 * k + 6 for k >= 1",
        "4, 8 * k + 4, 8 * k + 7 for k >= 1", "4, 8 * k + 8, 8 * k + 9 for k >= 1",
    ]  # fmt: skip
    assert (result.preperiod, result.period) == (10, 8)


def test_the_theorem_needs_more_than_one_layer_s_own_state():
    """The row 9 has period 10 from 20 on, but the rows below have period 8: the row's own state proves nothing."""
    game = layered_game(GAME, {"m": 0}, ("y", "z"))
    top = game.top({"x": 9, "p": 1})
    rows = solve_rows(game, top, 500)
    claimed = find_recurrences(rows)
    assert (rows[top][20:400] + 10).tolist() == rows[top][30:410].tolist()
    last = claimed[-1]
    assert last.period == lcm(10, 16)
    short = Recurrence(last.layer, last.first, 10, last.state)
    with pytest.raises(Refused, match="below does not fit"):
        check_layers(game, top, [*claimed[:-1], short])
    with pytest.raises(Refused, match="layer x=1, p=1"):
        check_layers(game, top, [found for found in claimed if found.layer != (1, 1, 0)])


def test_a_condition_that_changes_later_is_not_believed():
    """A pass is possible from 60 stones on; the rows recur before that, and then change."""
    game = layered_game(GAME, {"m": 60}, ("y", "z"))
    top = game.top({"x": 0, "p": 1})
    rows = solve_rows(game, top, 200)[top].tolist()
    assert rows[:30] == list(range(30)) != rows[30:60]
    claimed = [
        Recurrence((0, 0, 0), 0, 1, RecurrenceState(0, ())),
        Recurrence((0, 1, 0), 0, 1, RecurrenceState(0, ())),
    ]
    with pytest.raises(Refused, match="may change after a period"):
        check_layers(game, top, claimed)


def test_under_misere_play_the_end_is_not_taken_for_the_rule():
    nim = "title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nplay: misere\n"
    game = layered_game(parse_ruleset(nim), {}, ("x", "y"))
    check_layers(game, (0,), [Recurrence((0,), 2, 1, RecurrenceState(0, ()))])
    with pytest.raises(Refused, match="misère"):
        check_layers(game, (0,), [Recurrence((0,), 0, 2, RecurrenceState(0, ()))])


def changes(record):
    """Yield copies of the proof file with one number of its evidence changed."""
    layers = record["evidence"]["layers"]
    for number, _ in enumerate(layers):
        for key, by in (("first", -1), ("first", 1), ("period", 1), ("period", -1), ("gap", 1)):
            yield forged(record, lambda r, n=number, k=key, d=by: _add(r["evidence"]["layers"][n], k, d))
        yield forged(record, lambda r, n=number: r["evidence"]["layers"].pop(n))


def _add(layer, key, by):
    layer[key] += by


def test_changed_evidence_proves_nothing_or_the_same():
    """Some changes are harmless: a layer's recurrence may be noticed later than necessary."""
    (_, proved), accepted = studied(), 0
    for changed in changes(record_of(proved)):
        try:
            theorem = proved_by(changed, GAME)
        except GrundylabError:
            continue
        accepted += 1
        assert theorem.statement == proved.statement
    assert accepted <= 12


ROW = "m == 0 and p == 1 and x == 4 and x <= y <= z"


def about_row(formula, where=ROW, target=P_POSITIONS):
    return statement_about(GAME, Claim("asked", target, parse(formula), parse_condition(where)))


def restated(formula=ROW_4, where=ROW) -> Change:
    """Return a change of a proof file that puts in another statement and its key."""
    said = {"formula": formula, "where": where, "key": about_row(formula, where).key}
    return lambda r: r["statement"].update(said)


FORGERIES = {
    "no evidence": lambda r: r.pop("evidence"),
    "no layers": lambda r: r["evidence"].update(layers=[]),
    "one axis": lambda r: r["evidence"].update(axes=["y"]),
    "other axes": lambda r: r["evidence"].update(axes=["x", "y"]),
    "that of a heap": lambda r: r.update(evidence={"rule": "heap", "first": 10, "period": 8, "until": 30}),
    "a period of another row": lambda r: r["evidence"].update(period=[10, 8]),
    "a parameter's other value": restated(where=ROW.replace("m == 0", "m == 9")),
    "no value of the parameter": restated(where=ROW.replace("m == 0 and ", "")),
    "another row": restated(where=ROW.replace("x == 4", "x == 3")),
    "a row of two": restated(where=ROW.replace(" and p == 1", "")),
    "more positions": restated(where=ROW.replace("x <= y", "x <= y + 3")),
    "a formula that is wrong at once": restated(ROW_4.replace("y == 5", "y == 4")),
    "a formula that is wrong later": restated(f"({ROW_4}) and z != 805"),
    "the key of another formula": lambda r: r["statement"].update(key=about_row("y == z").key),
}


@pytest.mark.parametrize("how", FORGERIES)
def test_a_forged_proof_of_a_row_proves_nothing(how):
    check_refused(forged(record_of(studied()[1]), FORGERIES[how]), GAME)


@pytest.mark.parametrize(("period", "right"), [((10, 8), True), ((20, 8), True), ((10, 16), True), ((9, 8), False),
                                               ((10, 7), False), ((10, 4), False), ((0, 0), False)])  # fmt: skip
def test_a_period_of_a_row_is_a_theorem_exactly_if_it_has_it(period, right):
    game, evidence = about_row(ROW_4).game, studied()[1].evidence
    for target, is_right in ((P_POSITIONS, right), (Target("level", 1), False)):
        statement = row_period(
            game, parse_condition("m == 0 and p == 1 and x == 4"), ("y", "z"), target, period
        )
        assert proves(statement, evidence.model_copy(update={"period": period, "target": target})) == is_right


def test_grundy_numbers_along_a_row_have_a_formula_that_is_proved():
    result, theorem = row_of({"x": 0, "y": 2, "p": 1}, GRUNDY, 2000)
    assert result.status == "proved"
    wrong = statement_about(GAME, Claim("asked", GRUNDY, parse("z + 1"), theorem.statement.where))
    with pytest.raises(Refused, match="formula is wrong"):
        Kernel().check(wrong, theorem.evidence)


def test_a_row_too_short_for_its_period_is_undecided():
    result, theorem = row_of({"x": 10, "p": 1}, P_POSITIONS, 150)
    assert (result.status, theorem, result.formula) == ("undecided", None, None)
    assert "row x=10, p=1 " in result.reason


# -- formulas along a row --------------------------------------------------------------------------------------------


def changed(expr: Expr):
    """Yield the formulas in which one constant is 1 more or less."""
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
        except Refused:
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
    with pytest.raises(Refused, match=fault):
        check_row_formula(*row_4(), parse(formula), parse_condition(where))


def test_without_mona_a_claim_about_a_row_is_proved_by_its_certificate(monkeypatch):
    monkeypatch.setenv("GRUNDYLAB_MONA", "/no/such/program")
    where = parse_condition("m == 0 and p == 1 and x == 4 and x <= y <= z")
    proof = prove_claim(GAME, unpublished_claim(parse(ROW_4), P_POSITIONS), where)
    assert (proof.status, proof.script, dict(proof.fixed)) == ("proved", None, {"m": 0})
    assert proof.evidence.kind == "rows"
    assert proved_by(record_of(proof.theorem), GAME) == proof.theorem


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
    statement = about_row(formula, where, target)
    evidence = period_evidence(statement)
    assert (evidence is not None and proves(statement, evidence)) == proved


def test_the_engine_finds_the_row_from_a_table_of_its_region():
    small, large = (solve(make_instance(GAME, {"m": 0}, {"N": bound}), "outcome") for bound in (40, 50))
    region = parse_condition("p == 1 and x == 4 and x <= y <= z")
    best = discover([small], P_POSITIONS, "periods", where=region)[0]
    assert str(best.formula) == ROW_4
    assert discover([large], P_POSITIONS, "periods", where=region)[0].formula == best.formula
    assert discover([small], P_POSITIONS, "periods", where=parse_condition("p == 1 and x == 10")) == []
