"""Answers: a formula is one entry, however many engines found it, and all outputs show the same best answer."""

from dataclasses import replace

import pytest
from tests.findings.made import PARTIAL, UNNAMED, WRONG, catalogue, claim, counts, formula, proof, row, study

from grundylab.findings.answers import (
    answer_order,
    answers,
    best_answer,
    closest,
    formula_answers,
    further_refuted,
    tallies,
    unanswered_settings,
)
from grundylab.games.model import GRUNDY, P_POSITIONS

ALL, SOME = (proof(),), (proof(where="m == 3"),)
OTHER = {"formula": "x ^ y == 0", "engine": "tree", "study": "t"}


def found(*records, studies=()):
    return formula_answers(answers(catalogue(studies, records)))


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        ({"engine": "tree", "study": "t"}, 1),
        ({"formula": "x ^ y == 0"}, 2),
        ({"where": "p == 0"}, 2),
        ({"ruleset": "other"}, 2),
        ({"target": "grundy == 1"}, 2),
        ({"values": {"G": "this"}}, 2),
    ],
)
def test_a_statement_is_one_answer_with_all_who_found_it(changes, count):
    both = found(formula(), formula(**changes))
    assert len(both) == count
    if count == 1:
        assert (both[0].engines, both[0].studies) == (("search", "tree"), ("s", "t"))


@pytest.mark.parametrize(
    ("proofs", "others", "count"),
    [
        (ALL, ALL, 1),
        (SOME, SOME, 1),
        (SOME, ALL, 2),  # of more parameters: not the same
        (ALL, (), 2),  # what holds may differ further out
        ((), (), 2),
        ((proof(**UNNAMED),), (proof(**UNNAMED),), 2),  # nothing says that the automata are the same
    ],
)
def test_formulas_proved_for_the_same_positions_are_one_answer(proofs, others, count):
    both = found(formula(proofs=others, **OTHER), formula(proofs=proofs))
    assert len(both) == count
    if count == 1:
        (one,) = both
        assert [str(each.formula) for each in (one, *one.others)] == ["x == y", "x ^ y == 0"]
        assert ({*one.engines}, {*one.studies}) == ({"search", "tree"}, {"s", "t"})


def test_what_is_proved_of_other_positions_or_another_target_is_another_answer():
    for changes in {"where": "p == 0"}, {"target": "grundy == 0"}:
        assert len(found(formula(proofs=ALL), formula(proofs=ALL, **OTHER, **changes))) == 2


def test_a_claim_that_says_the_same_stands_with_the_formula_and_alone_where_none_was_found():
    (one,) = answers(catalogue([], [formula(proofs=ALL)], [claim(proofs=ALL)]))
    assert (one.origin.engine, [each.source.claim for each in one.alike if each.claimed]) == (
        "search",
        ["lemma-1"],
    )
    (other,) = answers(catalogue([], [], [claim(proofs=ALL)]))
    assert (other.source.claim, other.engines) == ("lemma-1", ())


def test_claims_that_are_always_true_of_the_game_are_not_one_another():
    both = [claim(target="true", formula=text, key=text, proofs=ALL) for text in ("x >= 0", "y >= 0")]
    assert len(answers(catalogue([], [], both))) == 2


@pytest.mark.parametrize(
    ("first", "second", "status", "positions"),
    [
        ({}, {"counterexample": WRONG}, "refuted", 1_234),
        ({}, PARTIAL, "partial", 1_234),
        ({"proofs": SOME}, {"counterexample": WRONG}, "proved", 1_234),  # for the parameters that it says
        ({"proofs": ALL}, {"counterexample": WRONG}, "refuted", 1_234),  # which nobody should overlook
        ({}, {"proofs": ALL}, "proved", 1_234),
        ({}, {"instances": {"N=9": 6}}, "holds", 1_240),
    ],
)
def test_what_one_study_knows_of_a_statement_counts_for_all(first, second, status, positions):
    for records in (formula(**first), formula(**second, study="t")), (formula(**second), formula(**first)):
        (one,) = found(*records)
        assert (one.status, one.test.checked) == (status, positions)


def test_positions_of_another_study_where_a_statement_is_wrong_are_not_said_to_be_right():
    wrong = replace(
        formula(study="t"), tables={"test": counts(3, 9, instances={"N=9": 9}, counterexample=WRONG)}
    )
    right = replace(formula(proofs=SOME), tables={"test": counts(4, instances={"N=8": 4})})
    (one,) = found(right, wrong)
    assert (one.test.right, one.test.checked) == (4, 4)
    assert [*one.test.instances] == ["N=8"]


def test_the_best_is_right_of_all_positions_proved_for_all_and_plain_in_this_order():
    ordered = [
        formula(formula="x == y + 0", proofs=ALL),
        formula(formula="x == 1", proofs=SOME),
        formula(formula="x == 2"),
        formula(formula="x == 2 + 0"),
        formula(formula="x == 3", derived=True),
        formula(formula="x == G(y)", values={"G": "this"}),
        formula(where="m == 3", proofs=ALL),
        formula(where="p == 0", proofs=ALL),
        formula(formula="x == 4", counterexample=WRONG, proofs=SOME),
        formula(formula="x == 5", counterexample=WRONG),
        formula(formula="x == 6", train=counts(9, 10)),
        formula(formula="x == 7", train=counts(8, 10)),
    ]
    parameters = [study(settings=({"m": 3},))]
    told = found(*reversed(ordered), studies=parameters)
    assert [(r.formula, r.where) for r in told] == [(r.formula, r.where) for r in ordered]
    every = answers(catalogue(parameters, ordered))
    assert best_answer(every, "nim", P_POSITIONS).formula == ordered[0].formula
    assert best_answer(every, "nim", GRUNDY) is None
    assert best_answer(answers(catalogue(parameters, ordered[-3:])), "nim", P_POSITIONS) is None


def test_of_the_refuted_formulas_of_an_engine_all_but_the_best_of_each_question_are_further_ones():
    wrong = {"counterexample": WRONG}
    first, second = formula(formula="x == 1", **wrong), formula(formula="x == 2", **wrong)
    others = [
        formula(formula="x == 3", engine="tree", **wrong),
        formula(formula="x == 4", where="p == 0", **wrong),
        formula(formula="x == 5", target="grundy == 1", **wrong),
        formula(formula="x == 6", proofs=SOME, key="", **wrong),  # which is true for some parameters
        formula(formula="x == 7", train=counts(9, 10)),
    ]
    told = further_refuted(found(first, second, *others))
    assert [str(each.formula) for each in told] == ["x == 2"]


def test_the_closest_formula_is_the_first_that_is_wrong_by_an_engine_of_the_study_about_what_it_asks():
    records = [
        formula(formula="x == 1", where="m == 1", counterexample=WRONG),
        formula(formula="x == 2", train=counts(8, 10)),
        formula(formula="x == 3", engine="tree", train=counts(9, 10)),
        formula(formula="x == 4", engine="automata", counterexample=WRONG),
        formula(formula="x == 5", study="t", counterexample=WRONG),
        formula(formula="x == 6"),
    ]
    asked = study(settings=({"m": 1}, {"m": 2}))
    assert str(closest(asked, P_POSITIONS, found(*records)).formula) == "x == 3"
    assert closest(asked, GRUNDY, found(*records)) is None
    each = replace(asked, each=True)
    assert str(closest(each, P_POSITIONS, found(*records[:1])).formula) == "x == 1"
    assert closest(asked, P_POSITIONS, found(*records[:1])) is None


def test_the_order_of_records_is_that_of_corrections_too():
    whole, part, holds = formula(proofs=ALL), formula(proofs=SOME), formula()
    assert sorted((holds, part, whole), key=answer_order) == [whole, part, holds]
    few, many = (
        formula(formula=text, wrong=wrong, counterexample=WRONG)
        for text, wrong in (("x == y + 0", 3), ("x == y", 30))
    )
    assert sorted((many, few), key=answer_order) == [few, many]


def test_a_formula_that_is_found_for_a_row_as_well_is_counted_once():
    """The row counts as a row; the terminal and the page show the same counts."""
    by_row = formula(proofs=ALL, engine="rows", key="")
    data = catalogue([study()], [formula(proofs=ALL)], [claim()], [row()])
    data = replace(data, findings=(*data.findings, by_row))
    assert tallies(data) == {"formulas": {"proved": 1}, "claims": {"holds": 1}, "rows": {"proved": 1}}


@pytest.mark.parametrize(("places", "told"), [(168, {"N=500": 501}), (600, {"600 places": 600})])
def test_no_position_is_counted_both_in_a_table_and_in_a_row(places, told):
    tables = {"N=500": 501}, {f"{places} places": places}
    data = catalogue([study()], [])
    found = [
        formula(proofs=ALL, engine=engine, checked=sum(its.values()), instances=its)
        for engine, its in zip(("periods", "rows"), tables, strict=True)
    ]
    (answer,) = answers(replace(data, findings=tuple(found)))
    assert answer.test.instances == told
    assert answer.test.checked == sum(told.values())


@pytest.mark.parametrize(
    ("wheres", "each", "left"),
    [
        (["True"], False, []),
        (["p == 0"], False, [{}]),
        ([], False, [{}]),
        (["m == 1"], False, [{}]),
        (["True"], True, []),
        (["m == 1", "m == 2 and p == 0"], True, [{"m": 2}]),
    ],
)
def test_a_target_is_answered_by_what_is_right_at_all_its_positions_or_for_each_setting(wheres, each, left):
    asked = study(settings=({"m": 1}, {"m": 2}), each=each)
    known = [formula(where=where) for where in wheres]
    wrong = [formula(formula="x == 0", counterexample=WRONG), formula(target="grundy")]
    assert unanswered_settings(asked, P_POSITIONS, found(*known, *wrong)) == left
