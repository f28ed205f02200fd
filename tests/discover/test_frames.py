"""Frames are checked before the search: each fault is named once, with its column and row."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import grundylab as gl
from grundylab.check.data_frames import column_integers, frame_samples, read_frame
from grundylab.errors import FormulaError, GrundylabError
from grundylab.language import parse
from grundylab.language.syntax import RESERVED
from grundylab.logic.mona import find_mona

TOP = 2**63 - 1
ROWS = range(30)
ONE_PILE = gl.load(
    "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(m, x)', from: x}]"
)
MISERE = gl.load("title: t\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nplay: misere")


def refused(data, target="v", **options):
    with pytest.raises(GrundylabError) as error:
        gl.discover(data, target, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("number", [2**63, 10**30])
def test_a_parameter_of_more_than_64_bits_is_refused_with_the_limit(number):
    for options in ({"m": number, "N": 4}, {"m": 1, "N": number}):
        with pytest.raises(GrundylabError, match="9,223,372,036,854,775,807"):
            gl.solve(ONE_PILE, **options)
    with pytest.raises(GrundylabError, match="2,147,483,647"):
        gl.explain(ONE_PILE, {"x": number}, {"m": 1})


def test_the_largest_parameter_is_one():
    found = gl.discover(gl.solve(ONE_PILE, m=TOP, N=4), "grundy", "search", budget=1)
    assert str(found[0].formula) == "x"


# -- what is no frame, and names ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (pd.Series([1, 2]), "pandas Series"),  # reported, and the next two
        (np.array([[1, 2]]), "numpy ndarray"),
        ({"x": [1], "v": [1]}, "dict"),
        ([{"x": 1, "v": 1}], "list"),
        ([[1, 2]], "list"),
        ("own.csv", "str"),
        (pd.Index([1]), "pandas Index"),
        (3, "int"),
    ],
)
def test_data_that_are_no_frame__are_called_what_they_are(data, named):
    assert f"not a {named};" in refused(data)
    with pytest.raises(GrundylabError, match=f"not a {named}"):
        gl.verify("x", "v", data)


def indexed(x, v):
    return pd.DataFrame({"x": x, "v": v}, index=[7] * len(x))


@pytest.mark.parametrize(
    ("frame", "where", "words"),
    [
        (pd.DataFrame([[1, 2, 3]], columns=["x", "x", "v"]), "True", "called 'x'"),  # reported
        (pd.DataFrame([[1, 2, 3]], columns=["x", "v", "v"]), "True", "called 'v'"),
        (pd.DataFrame([[1, 2]]), "True", "column 0 "),
        (pd.DataFrame({("a", "x"): [1], ("a", "v"): [2]}), "True", "several levels"),
        (pd.DataFrame({"v": [1]}), "True", "to train on"),
        (pd.DataFrame({"x": [], "v": []}), "True", "to train on"),
        (pd.DataFrame(), "True", "no column 'v'"),
        (pd.DataFrame({"x" * 99: [1], "v": [1]}), "True", "x" * 60),
        *((pd.DataFrame({name: [1, 2], "v": [1, 2]}), "True", f"a column '{name}'")
          for name in ("_x", "é", "two words", *sorted(RESERVED))),
        (indexed([1, 1, 2, 2], [0, 1, 0, 1]), "True", "rows 1 and 2 contradict each other"),  # reported: contradict.csv
        (indexed([1, 2, 1, 2, 1], [0, 1, 0, 1, 7]), "True", "rows 1 and 5 contradict each other"),
        (indexed([1, 1, 2, 3, 2], [0, 1, 5, 6, 7]), "x > 1", "rows 3 and 5 contradict each other"),
        (indexed([1, 2, 1], [True, False, False]), "True", "rows 1 and 3 contradict each other"),
    ],
)  # fmt: skip
def test_a_frame__is_refused_if_its_columns_have_no_names_or_its_rows_contradict_each_other(
    frame, where, words
):
    assert words in refused(frame, where=where)


# -- values -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ([1, None], ["no value", "row 2"]),
        ([1.0, np.nan], ["no value", "row 2"]),
        (pd.array([pd.NA, 1], dtype="Int64"), ["no value", "row 1"]),
        (pd.array([True, None], dtype="boolean"), ["no value", "row 2"]),
        ([1, 0.5], ["0.5 at row 2"]),
        ([2e18, 1], ["2e+18 at row 1"]),  # a float that has lost digits
        ([1, np.inf], ["inf at row 2"]),
        ([1, Fraction(1, 2)], ["1/2 at row 2"]),
        ([1, "2"], ["'2' at row 2"]),
        (["a", "b"], ["'a' at row 1"]),
        (pd.Categorical(["a", "b"]), ["'a' at row 1"]),
        (pd.to_datetime(["2020-01-01"] * 2), ["datetime64"]),
        ([1j, 1], ["complex128"]),
        (np.array([2**63, 2**63 + 1], np.uint64), [str(2**63), "too large", str(TOP)]),  # reported: big.csv
        ([0, TOP + 1], ["at row 2", "too large"]),
        ([0, -TOP - 2], [str(-TOP - 2), "too large"]),
        ([2**70, 2**70 + 1], [str(2**70), "too large"]),  # reported: more than 64 bits
        ([10**5000, 1], ["16,610 bits", "too large"]),
        (pd.array([2**63] * 2, dtype="UInt64"), ["at row 1", "too large"]),
        (np.array([1e300] * 2), ["at row 1", "too large"]),
    ],
)  # fmt: skip
def test_a_column__is_refused_unless_it_holds_whole_numbers_of_64_bits(column, words):
    for frame in (pd.DataFrame({"x": column, "v": [1, 2]}), pd.DataFrame({"x": [1, 2], "v": column})):
        answer = refused(frame)
        assert all(word in answer for word in words), answer
        assert "column 'x'" in answer or "column 'v'" in answer


@pytest.mark.parametrize(
    "column",
    [
        [0.0, 1.0], pd.array([0, 1], dtype="Int64"), pd.array([0, 1], dtype="UInt8"), pd.Categorical([0, 1]),
        [False, True], pd.array([False, True], dtype="boolean"), [Decimal(0), Fraction(1)], np.array([0, 1], object),
        np.array([0, 1], np.uint64), np.array([0, 1], np.float16), pd.arrays.SparseArray([0, 1]),
    ],
)  # fmt: skip
def test_whole_numbers_of_every_type_are_read_alike(column):
    found = column_integers(pd.Series(column), "x")
    assert (found.dtype, found.tolist()) == (np.int64, [0, 1])


def test_a_target_of_truth_values_is_a_condition_however_it_is_stored():
    for values in (np.arange(9) > 4, pd.array(np.arange(9) > 4, dtype="boolean")):
        (best, *_) = gl.discover(pd.DataFrame({"x": range(9), "v": values}), "v", budget=1)
        assert (str(best.formula), str(best.target)) == ("x > 4", "v")


def test_the_index_is_not_looked_at():
    plain = pd.DataFrame({"x": range(9), "v": range(9)})
    for index in ([0] * 9, list("abcdefghi"), pd.MultiIndex.from_product([[1, 2, 3], [1, 2, 3]])):
        samples, _ = frame_samples(plain.set_axis(index), "v")
        assert samples.values.tolist() == [*range(9)]


def test_rows_that_say_the_same_twice_contradict_nothing():
    frame = pd.DataFrame({"x": [1, 1, 2], "v": [3, 3, 4]})
    assert len(frame_samples(frame, "v")[0]) == 3


# -- frames of a game ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    return pd.concat([gl.solve(ONE_PILE, m=m, N=20).to_frame() for m in (2, 3)])


def test_answers_do_not_explain_each_other_and_bounds_explain_nothing(table):
    for target in ("grundy", "outcome", "p", "grundy == 1"):
        samples, _ = frame_samples(table, target)
        assert (samples.names, samples.parameters) == (("x", "m"), ("m",))
    table = table.copy()
    table.attrs = {}
    assert frame_samples(table, "grundy")[0].names == ("x", "m", "N")


@pytest.mark.parametrize(
    ("target", "means", "formula"),
    [
        ("grundy", "grundy", "x % (m + 1)"),
        ("p", "p", "x % (m + 1) == 0"),
        ("outcome", "p", "x % (m + 1) == 0"),
        ("grundy == 1", "grundy == 1", "x % (m + 1) == 1"),
    ],
)
def test_a_target_of_a_game_is_read_from_its_columns(tmp_path, table, target, means, formula):
    table.to_parquet(tmp_path / "a.parquet")
    for frame in (table, pd.read_parquet(tmp_path / "a.parquet")):
        verdict = gl.verify(formula, target, frame)
        assert (str(verdict.target), verdict.status, verdict.checked) == (means, "holds", 42)


def test_the_columns_name_alone_tells_what_it_is_of_a_game():
    frame = pd.DataFrame({"x": range(9), "grundy": [i % 4 for i in range(9)]})
    assert frame_samples(frame, "grundy")[1] == gl.parse_target("grundy")
    assert frame_samples(frame, "p")[1] == gl.parse_target("p")
    own = frame.assign(p=frame.x % 2)
    assert frame_samples(own, "p")[0].values.tolist() == own.p.tolist()
    assert frame_samples(frame.assign(grundy=-frame.grundy), "grundy")[1].own


def test_outcomes_alone_have_no_grundy_numbers():
    frame = gl.solve(MISERE, N=9).to_frame()
    assert "column 'grundy'" in refused(frame, "grundy")
    assert str(gl.discover(frame, "p", "search", budget=1)[0].formula) == "x == 1"


def test_a_coordinate_called_p_is_not_taken_for_the_target():
    frame = gl.solve(gl.load("nim-with-a-pass-from-m"), m=2, N=3).to_frame()
    assert "'p' is" in refused(frame, "p")
    assert read_frame(frame, "outcome").target == gl.parse_target("p")


# -- verified, and handed on to the prover ------------------------------------------------------------------------


def test_a_formula_is_held_against_the_rows_of_a_frame():
    frame = pd.DataFrame({"x": [9, 5, 4, -3], "y": [0, 1, 2, 2], "v": [0, 2, 1, 0]})
    verdict = gl.verify("x % 3", "v", frame)
    assert (verdict.status, verdict.checked, verdict.wrong) == ("holds", 4, 0)
    wrong = gl.verify("x % 3 + y // 2", "v", frame)
    assert (wrong.status, wrong.checked, wrong.wrong) == ("refuted", 4, 2)
    example = wrong.counterexample
    assert (dict(example.position), example.truth, example.found) == ({"x": -3, "y": 2}, 0, 1)
    assert "(x=-3, y=2): v is 0" in str(wrong)
    assert gl.verify("x % 3 + y // 2", "v", frame, where="y < 2").status == "holds"
    assert gl.verify("6 // x", "v", pd.DataFrame({"x": [0], "v": [0]})).counterexample.found is None


@pytest.mark.parametrize(
    ("formula", "target", "words"),
    [
        ("x + q", "v", "q"),
        ("x == 1", "v", "needs a number"),
        ("x", "w", "no column 'w'"),
        ("x", None, "needs a target"),
    ],
)
def test_a_formula_that_is_not_about_the_frame_is_refused(formula, target, words):
    given = [formula, *([target] if target else []), pd.DataFrame({"x": [1], "v": [1]})]
    with pytest.raises(GrundylabError, match=words):
        gl.verify(*given)


def test_the_target_of_a_games_frame__is_told_by_the_formulas_kind(table):
    assert str(gl.verify("x % (m + 1)", table).target) == "grundy"
    assert str(gl.verify("x % (m + 1) == 0", table).target) == "p"


def test_a_candidate_for_a_column_of_ones_own_needs_a_target_of_the_game():
    frame = pd.DataFrame(
        {"x": range(12), "losing": [i % 3 == 0 for i in range(12)], "nimber": [i % 3 for i in range(12)]}
    )
    game = gl.load("title: t\nposition: {x: 0..N}\nmoves: [{take: '1..min(2, x)', from: x}]")
    losing = gl.discover(frame.drop(columns="nimber"), "losing", budget=1)[0]
    nimber = gl.discover(frame.drop(columns="losing"), "nimber", budget=1)[0]
    for candidate, target in ((losing, "p"), (nimber, "grundy")):
        for ask in (
            lambda *more, c=candidate: gl.prove(game, c, *more),
            lambda *more, c=candidate: gl.verify(c, *more, gl.solve(game, N=9)),
        ):
            with pytest.raises(FormulaError, match=f"'{candidate.target}'"):
                ask()
            assert ask(target).status in ("proved", "holds")
    with pytest.raises(FormulaError, match="target grundy needs a number"):
        gl.prove(game, losing, "grundy")


@pytest.mark.skipif(find_mona() is None, reason="needs MONA")
def test_a_candidate_of_a_games_frame_is_proved_as_it_is(table):
    candidate = gl.discover(table, "outcome", budget=1)[0]
    assert gl.prove(ONE_PILE, candidate).status == "proved"


def test_grundy_numbers_are_not_refuted_by_a_table_of_outcomes():
    candidate = gl.discover(gl.solve(ONE_PILE, m=2, N=9).to_frame(), "grundy", budget=1)[0]
    outcomes = gl.solve(ONE_PILE, "outcome", m=2, N=9)
    for data, words in ((outcomes, "needs Grundy numbers"), (outcomes.to_frame(), "only outcomes are known")):
        with pytest.raises(GrundylabError, match=words):
            gl.verify(candidate, data)


def test_printed_values__are_short(table):
    candidates = gl.discover(table, "p", budget=4)
    solved = gl.solve(ONE_PILE, m=2, N=40)
    values = [candidates, candidates[0], solved, gl.verify("x == m", "p", solved)]
    values.append(
        gl.Proof("undecided", parse("x == m"), gl.parse_target("p"), parse("True"), reason="too large")
    )
    for value in values:
        assert len(str(value)) < 600
        assert len(repr(value)) < 2000
        assert "array(" not in repr(value) + str(value)
    assert "smallest counterexample: (x=0) with m=2" in str(values[3])
    assert "x % (m + 1) == 0" in str(candidates)
