"""Certificates of rows: what is found is proved, what is proved is true, and nothing else is believed."""

import copy
import json
from math import lcm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.test_rows import layered_games

from grundylab.errors import GrundylabError
from grundylab.games import parse_ruleset
from grundylab.games.layers import layered
from grundylab.games.listing import condition_of, read_listing
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.language.arrays import evaluate_arrays
from grundylab.pipeline.rows import study_row
from grundylab.prove.certificates import check_certificate
from grundylab.prove.periodic import NotFound, find_recurrences
from grundylab.prove.recurrence import CertificateError, Recurrence, State, check_layers
from grundylab.prove.row_certificate import check_row, read_row
from grundylab.solve.rows import solve_rows

GAME = parse_ruleset(
    "title: t\npiles: 3\nposition: {x: 0..N}\nparameters: {m: m >= 0}\n"
    'moves: [{take: t, from: x}]\npass: {when: "x + ... >= m"}\n'
)
ROW = {"x": 4, "p": 1}


def record_of(fixed=ROW, m=0):
    result = study_row(GAME, {"m": m}, fixed, P_POSITIONS, 2000)
    assert result.certificate is not None
    return json.loads(json.dumps(result.certificate))


@settings(max_examples=25)
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
    record = record_of()
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
    game = layered(parse_ruleset("title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nplay: misere\n"),
                   {}, ("x", "y"))  # fmt: skip
    state = State(0, ())
    check_layers(game, (0,), [Recurrence((0,), 2, 1, state)])
    with pytest.raises(CertificateError, match="misère"):
        check_layers(game, (0,), [Recurrence((0,), 0, 2, state)])


def changes():
    """The certificate with one number or listed position changed."""
    record = record_of()
    for key in ("preperiod", "period"):
        for by in (-1, 1, 3):
            yield f"{key} {by}", {**record, key: record[key] + by}
    for number, layer in enumerate(record["layers"]):
        for key, by in (("first", -1), ("again", 1), ("again", -layer["again"] + layer["first"])):
            changed = copy.deepcopy(record)
            changed["layers"][number][key] += by
            yield f"layer {number} {key} {by}", changed
    for number, text in enumerate(record["positions"]):
        yield f"without {text}", {**record, "positions": [p for p in record["positions"] if p != text]}
        wrong = text.replace("5", "6") if "5" in text else text.replace("9", "10").replace("7", "8")
        yield (
            wrong,
            {
                **record,
                "positions": [*record["positions"][:number], wrong, *record["positions"][number + 1 :]],
            },
        )
    for more in ("4, 13, 16", "4, 16 * k + 2, 16 * k + 5 for k >= 9", "4, 5 * k, 5 * k for k >= 7", "5, 5, 8", "4, 5", "4, k, k",
                 "4, 8 * k + 1, 8 * k + 1 for 1 <= k <= 3", "4, y, 8", "what"):  # fmt: skip
        if more not in (
            "4, 13, 16",
            "4, 16 * k + 2, 16 * k + 5 for k >= 9",
        ):  # which are true, and there already
            yield more, {**record, "positions": [*record["positions"], more]}
    yield "another region", {**record, "where": "p == 1 and x == 4 and y <= z"}
    yield "an unsettled region", {**record, "where": "p == 1 and x == 4 and x <= y <= z and z != 800"}
    yield "another game", {**record, "parameters": {"m": 1}}
    yield "another row", {**record, "row": {"x": 3, "p": 1}}
    yield "no row", {**record, "row": {"x": 3}}
    yield "another kind", {**record, "certificate": "heap"}
    yield "nothing", {}


CHANGES = dict(changes())


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_certificate_proves_nothing_that_is_false(change):
    """It is refused, or what it says is true as well (a later preperiod, a layer that is seen to recur later)."""
    record = CHANGES[change]
    try:
        check_certificate(record, GAME)
    except GrundylabError:
        return
    found = read_row(record, GAME)
    row = solve_rows(found.game, found.layer, 3000)[found.layer]
    start, period = found.preperiod, found.period
    assert (row[start + period :] == row[start:-period] + period).all()
    assert found.positions == tuple(record_of()["positions"])


def test_most_changes_are_refused():
    refused = 0
    for record in CHANGES.values():
        try:
            check_certificate(record, GAME)
        except GrundylabError:
            refused += 1
    assert refused >= len(CHANGES) - 12


@pytest.mark.parametrize(("s", "m"), [(3, 0), (5, 0), (6, 7), (2, 9)])
def test_the_condition_and_the_listing_are_the_row(s, m):
    result = study_row(GAME, {"m": m}, {"x": s, "p": 1}, P_POSITIONS, 2000)
    y, z = (side.reshape(-1) for side in np.mgrid[0:41, 0:41])
    columns = {"x": 0 * y + s, "y": y, "z": z, "p": 0 * y + 1, "m": 0 * y + m}
    inside = evaluate_arrays(result.where, columns)
    game = layered(GAME, {"m": m}, ("y", "z"))
    layer = game.top({"x": s, "p": 1})
    wanted = solve_rows(game, layer, 41)[layer][y] == z
    listed = condition_of(read_listing(result.positions, ["x", "y", "z", "p"]), ["x", "y", "z"])
    for formula in (result.formula, listed):
        assert (evaluate_arrays(formula, columns)[inside] == wanted[inside]).all()


def test_grundy_numbers_along_a_row_have_a_formula_that_is_proved():
    result = study_row(GAME, {"m": 0}, {"x": 0, "y": 2, "p": 1}, GRUNDY, 2000)
    assert result.status == "proved"
    record = result.certificate
    check_row(read_row(record, GAME))
    with pytest.raises(CertificateError, match="formula is wrong"):
        check_certificate({**record, "formula": "z + 1"}, GAME)


def test_a_row_too_short_for_its_period_is_undecided():
    result = study_row(GAME, {"m": 0}, {"x": 10, "p": 1}, P_POSITIONS, 150)
    assert (result.status, result.certificate, result.formula) == ("undecided", None, None)
    assert result.reason == "in the row x=10, p=1 no state comes again after 80"
