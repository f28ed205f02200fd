"""Looked-up values as numbers: statements that the kernel accepts are true in every table, whatever the evidence."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.prove.asking import by_instances
from tests.prove.rules.shared import game
from tests.sizes import examples

from grundylab.check.judging import judge_table
from grundylab.errors import GrundylabError
from grundylab.games import load_ruleset, make_instance, parse_ruleset
from grundylab.games.model import Ruleset
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.statement import statement_about

LIMITS = Limits(timeout=3)
LIMITS_OF_A_MOVE = ("x", "x // 2", "x - x // 2", "min(x, 2)", "min(x, 3)", "x % 3")
SIZE = 14  # of the tables that a theorem is held against


def wrong_somewhere(ruleset: Ruleset) -> bool:
    """Tell whether the claim is wrong, or has no value, somewhere in a table of the solver."""
    instance = make_instance(ruleset, {}, dict.fromkeys(ruleset.bounds, SIZE))
    try:
        return judge_table(ruleset.claims[0], solve(instance, "grundy")).wrong > 0
    except GrundylabError:
        return True


def accepted(ruleset: Ruleset) -> bool:
    """Tell whether the kernel makes a theorem of the claim by evidence that is found, without the gate."""
    return by_instances(statement_about(ruleset, ruleset.claims[0]), Kernel(20_000_000)) is not None


# -- conditions on values ----------------------------------------------------------------------------------------------

VALUES = ("G(x)", "G(x - 1)", "G(x + 1)", "G(x // 2)", "G(0)", "x", "0", "1", "2")
AT_CHOICE = ("G(x - t)", "G(t)", "G(x)", "t", "x - t")


@st.composite
def relations(draw: st.DrawFn, terms: tuple[str, ...]) -> str:
    one, other = draw(st.sampled_from(terms)), draw(st.sampled_from((*terms, "x", "1", "0")))
    return f"{one} {draw(st.sampled_from(('==', '!=', '<', '<=', '>')))} {other}"


@st.composite
def conditions(draw: st.DrawFn) -> str:
    """Draw conditions on values at x, near x and at choices: some true in every game, some in a few, most in none."""
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return draw(relations(VALUES))
    if kind == 1:
        return f"({draw(conditions())}) {draw(st.sampled_from(('and', 'or')))} ({draw(relations(VALUES))})"
    quantifier = draw(st.sampled_from(("any", "all", "not any", "not all")))
    if kind == 2:
        within = draw(
            st.sampled_from(("range(1, x + 1)", "range(0, x)", "range(1, LIMIT + 1)", "range(0, G(x))"))
        )
        return f"{quantifier}({draw(relations(AT_CHOICE))} for t in {within})"
    if kind == 3:
        return f"all(any(G(x - t) == g for t in range(1, LIMIT + 1)) {draw(st.sampled_from(('', 'or g == 0')))} for g in range(0, G(x)))"
    if kind == 4:
        return f"x == 0 or {draw(conditions())}"
    return f"not ({draw(relations(VALUES))}) or {draw(conditions())}"


@examples(60)
@given(conditions(), st.sampled_from(LIMITS_OF_A_MOVE))
def test_what_is_proved_of_values_that_are_looked_up_is_true(said: str, limit: str) -> None:
    said = said.replace("LIMIT", f"({limit})")
    move = f'{{for: {{t: "1..{limit}"}}, to: {{x: x - t}}}}'
    try:
        ruleset = parse_ruleset(game(f'condition: "{said}", values: {{G: this}}', move))
        statement_about(ruleset, ruleset.claims[0])
    except GrundylabError:
        return
    if accepted(ruleset):
        assert not wrong_somewhere(ruleset), said


@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("not any(G(x - t) == G(x) for t in range(1, x // 2 + 1))", True),
        ("all(any(G(x - t) == g for t in range(1, x // 2 + 1)) for g in range(0, G(x)))", True),
        ("all(any(G(x - t) == g for t in range(2, x // 2 + 1)) for g in range(0, G(x)))", False),
        ("all(any(G(x - t) == g for t in range(1, x // 2 + 1)) for g in range(0, G(x) + 1))", False),
        ("G(x) <= x", True),
        ("G(x) < x or x == 0", None),  # true, and more than mex says
        ("G(x) != G(x - x // 2) or x < 2", True),
        ("G(x) != G(x - x // 2)", False),  # where nothing is taken it is the same position
        ("x == 0 or G(x) != G(x - 1)", False),
        ("G(x - 1) >= 0", False),  # there is no position before 0
    ],
)
def test_of_mex_no_more_follows_than_is_so(said: str, true: bool | None) -> None:
    ruleset = parse_ruleset(
        game(f'condition: "{said}", values: {{G: this}}', '{for: {t: "1..x // 2"}, to: {x: x - t}}')
    )
    assert true is None or accepted(ruleset) == true
    assert wrong_somewhere(ruleset) == (true is False)


# -- a pass, of which the values without it are not known --------------------------------------------------------------

PASSED = """
title: t
position: {{x: 0..N}}
moves: [{{for: {{t: "1..{limit}"}}, to: {{x: x - t}}}}]
pass: {{}}
claims: [{{id: c, target: grundy, where: p == 1, formula: "{formula}", values: {{G: this}}}}]
"""
FORMULAS = (
    "0 if x == 0 else G(x, 0) ^ 1",
    "G(x, 0) ^ 1",
    "0 if x == 0 else G(x, 0) + 1",
    "G(x, 0)",
    "0 if x < 2 else G(x, 0) ^ 1",
    "0 if x == 0 else (2 if G(x, 0) == 1 else 0 if G(x, 0) == 2 else G(x, 0) ^ 1)",
    "0 if G(x, 0) == 0 else G(x, 0) ^ 1",
)


@examples(6)
@example("x", "0 if x == 0 else G(x, 0) + 1")  # the option of value 0 is missing
@example("min(x, 2)", "G(x, 0) ^ 1")  # an option has the position's own value
@given(st.sampled_from(LIMITS_OF_A_MOVE), st.sampled_from(FORMULAS))
def test_values_with_a_pass_by_those_without_are_proved_only_where_they_are_so(
    limit: str, formula: str
) -> None:
    ruleset = parse_ruleset(PASSED.format(limit=limit, formula=formula))
    proof = prove_claim(ruleset, ruleset.claims[0], limits=LIMITS)
    assert proof.status != "proved" or not wrong_somewhere(ruleset)


def test_the_values_with_a_pass_follow_from_those_without_of_which_no_formula_is_known() -> None:
    """The pass may be made anywhere, so that the game is a sum with a heap of one stone."""
    moves = '{for: {t: "1..x - x // 3"}, to: {x: x - t}}', "{when: p == 1, to: {p: 0}}"
    text = game(
        'target: grundy, formula: "G(x, 0) ^ 1", where: p == 1, values: {G: this}',
        *moves,
        position="x: 0..N, p: 0..1",
    )
    ruleset = parse_ruleset(text)
    proof = prove_claim(ruleset, ruleset.claims[0], limits=LIMITS)
    assert (proof.status, proof.reason) == ("proved", None)
    assert not wrong_somewhere(ruleset)
    false = parse_ruleset(text.replace("^ 1", "^ 2"))
    assert prove_claim(false, false.claims[0], limits=LIMITS).status != "proved"


def test_automata_are_asked_as_often_as_the_timeout_allows():
    asked = load_ruleset("max-nim-ceil-pass")
    assert prove_claim(asked, asked.claim("theorem-3-ii"), limits=Limits(0.001)).status == "undecided"
