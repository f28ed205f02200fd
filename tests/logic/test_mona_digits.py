"""MONA on digits of recurrences: sums are right, sentences mean the same as their formulas, and faults are noticed."""

from functools import partial
from itertools import product

import pytest

from grundylab.automata.dfa import AutomataBudget, natural_tuples
from grundylab.automata.sums import linear_in_recurrence
from grundylab.automata.systems import FIBONACCI, TRIBONACCI, System
from grundylab.games import load_ruleset
from grundylab.language import parse, parse_condition
from grundylab.language.plain import evaluate
from grundylab.logic import ws1s_digits
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.lowering import Lowering
from grundylab.logic.mona import MISSING, find_mona, run_mona
from grundylab.logic.sentence import TRUE, Linear, all_of, exists, form_is_zero, negation, variable_form
from grundylab.logic.ws1s import mona_script
from grundylab.prove.outcome import Disagreement, Limits
from grundylab.prove.prover import prove_claim
from grundylab.prove.second_opinion import opinion_on_induction

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)
FEW = (FIBONACCI, System((2, 1)), System.of_base(3))
SYSTEMS = (
    *FEW,
    pytest.param(TRIBONACCI, marks=pytest.mark.long),
)  # whose sums take an automaton of 281 states
ZECKENDORF = "+1,,2, +0,,, -,3,, +3,,2,"


def decided(text):
    return run_mona(text, timeout=600).status  # which a busy machine keeps


@pytest.mark.parametrize("system", SYSTEMS, ids=str)
def test_mona_finds_that_the_sums_are_sums(system):
    assert decided(mona_script(TRUE, "sums", system)) == "valid"


@pytest.mark.parametrize(("factor", "more"), [(1, 1), (1, -1), (2, 0)])
def test_mona_finds_that_other_sums_are_none(factor, more, monkeypatch):
    """The wrong sums are a + factor * b + more instead of a + b."""
    forged = natural_tuples(
        linear_in_recurrence({"a": 1, "b": factor, "c": -1}, more, "==", AutomataBudget(system=FIBONACCI))
    )
    monkeypatch.setattr(ws1s_digits, "addition", lambda _: forged)
    monkeypatch.setattr(ws1s_digits, "prelude", ws1s_digits.prelude.__wrapped__)
    assert decided(mona_script(TRUE, "sums", FIBONACCI)) == "unsatisfiable"


FORMULAS = [
    "x + 2*y >= 7",
    "3*x == 5*y + 1",
    "x != y and (x < y or y == 0)",
    "min(x, y) == 2 or max(x, y, 3) == y",
    "abs(x - y) == 3",
    "x // 3 == y % 4",
    "any(x == 2*k for k in range(0, y))",
    "all(k + k != x for k in range(0, 20))",
]


@pytest.mark.parametrize("system", SYSTEMS, ids=str)
@pytest.mark.parametrize("text", FORMULAS)
def test_a_sentence_is_true_where_the_formula_is(text, system):
    logic, condition = Lowering(system=system), parse_condition(text)
    x, y = logic.variable("x"), logic.variable("y")
    said, parts = logic.condition(condition), []
    for a, b in product(range(0, 12, 3), range(4)):
        at = all_of(
            form_is_zero(variable_form(x) - Linear((), a)), form_is_zero(variable_form(y) - Linear((), b))
        )
        true = exists([x, y], all_of(at, said))
        parts.append(true if evaluate(condition, {"x": a, "y": b}) else negation(true))
    assert decided(mona_script(all_of(*parts), text, system)) == "valid"


@pytest.mark.parametrize("text", ["x ^ y == 0", "is_power_of_two(x)", "isqrt(5*x*x) == y", "x & 1 == 0"])
def test_what_other_digits_do_not_tell_is_refused(text):
    with pytest.raises(OutsideFragment):
        Lowering(system=FIBONACCI).condition(parse_condition(text))


def with_another(expr, other):
    return parse(str(expr).replace(ZECKENDORF, other)) if ZECKENDORF in str(expr) else expr


def test_mona_agrees_with_a_theorem_and_not_with_another_set():
    game = load_ruleset("wythoff")
    proof = prove_claim(game, game.claim("zeckendorf"))
    assert (proof.status, proof.second.status) == ("proved", "agrees")
    for other in ("+1,,2, +0,,, -,3,, +3,,,", "+1,,2, +1,,, -,3,, +3,,2,"):
        forged = partial(with_another, other=other)
        statement, evidence = proof.theorem.statement, proof.evidence
        assert forged(statement.formula) != statement.formula
        levels = tuple(map(forged, evidence.levels))
        with pytest.raises(Disagreement):
            opinion_on_induction(
                statement.changed(forged), evidence.model_copy(update={"levels": levels}), Limits()
            )
