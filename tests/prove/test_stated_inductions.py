"""Games whose moves take elements of a set that automata cannot read, such as the primes: that a formula solves them is a premise."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.check.judging import judge_table
from grundylab.errors import GrundylabError
from grundylab.games import Ruleset, make_instance, parse_ruleset, parse_target
from grundylab.games.model import Claim
from grundylab.language import parse, parse_condition
from grundylab.language.plain import compile_plain
from grundylab.language.syntax import TRUE
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.statement import Statement, statement_about

FUNCTIONS = (
    "functions: {p3(k): {recurrence: 3*p3(k-1), initial: {0: 1}}, "
    "q(k): {recurrence: 2*q(k-1) + q(k-2), initial: {1: 1, 2: 3}}}\n"
)
THREES, PELL = "any(t == p3(j) for j in range(0, t))", "any(q(j) == t for j in range(1, n + 1))"


def heap(when: str, play: str = "normal") -> Ruleset:
    return parse_ruleset(
        f"title: t\nplay: {play}\n{FUNCTIONS}position: {{n: 0..N}}\n"
        f"moves: [{{for: {{t: 1..n}}, when: '{when}', to: {{n: n - t}}}}]\n"
    )


def claimed(text: str, target: str = "p") -> Claim:
    return unpublished_claim(
        parse(text) if target == "grundy" else parse_condition(text), parse_target(target)
    )


# (condition on the number taken, play, target, formula): the formulas are true, and become false with another residue
PROVED = [
    ("t == 1 or is_prime(t)", "normal", "grundy", "n % 4"),
    ("t == 1 or t == 4 or is_prime(t) and t > 2", "normal", "p", "n % 8 == 0 or n % 8 == 2"),
    ("is_power_of_two(t) or " + THREES, "misere", "p", "n % 5 == 1"),
    (THREES, "normal", "grundy", "n % 2"),
    (PELL, "misere", "p", "n % 2 == 1"),
    ("t < n and n % t == 0", "normal", "p", "n % 2 == 1 or n == 0"),
    ("not (is_prime(t) and t > 2) and t % 2 == 1", "normal", "p", "n % 2 == 0"),
]


@pytest.mark.parametrize(("when", "play", "target", "formula"), PROVED)
def test_a_formula_modulo_m_is_proved_where_it_is_true_and_only_there(when, play, target, formula):
    ruleset, limits = heap(when, play), Limits(timeout=10)
    table = solve(make_instance(ruleset, {}, {"N": 120}), "grundy" if target == "grundy" else "outcome")
    for change, status in (("n", "proved"), ("(n + 1)", "refuted")):
        claim = claimed(formula.replace("n", change), target)
        assert (judge_table(claim, table).wrong == 0) == (status == "proved")
        proof = prove_claim(ruleset, claim, limits=limits)
        assert proof.status == status
        assert status == "refuted" or proof.evidence.by_premises


def test_divisors_are_read_in_a_game_that_ends_at_a_parameter():
    """A puzzle: add a divisor of n to n; who writes a number above k loses."""
    game = parse_ruleset("""title: t
parameters: {k: k >= 1}
position: {n: 1..k}
moves: [{for: {d: 1..n}, when: n % d == 0 and n + d <= k, to: {n: n + d}}]
measure: k - n
""")
    claim = unpublished_claim(parse_condition("n % 2 == 1"), parse_target("p"), parse_condition("k % 2 == 1"))
    proof = prove_claim(game, claim, limits=Limits(timeout=10))
    assert proof.status == "proved"
    assert prove_claim(game, replace(claim, where=TRUE), limits=Limits(timeout=10)).status == "refuted"


# -- the premises ------------------------------------------------------------------------------------------------------


def premises(ruleset: Ruleset, claim: Claim) -> tuple[Statement, ...]:
    return Kernel().checked_premises(statement_about(ruleset, claim), Induction(by_premises=True))


def are_true(needed: tuple[Statement, ...], size: int) -> list[bool]:
    """Tell of each condition whether it is true of all heaps up to a size, by the plain reader."""
    places = [{"n": n} for n in range(size + 1)]
    return [all(map(compile_plain(each.formula, each.game.functions), places)) for each in needed]


TO = {
    "one heap": "to: {n: n - t}",
    "sums": "to: [{n: n - t}, {n: t - 1}]",
}
ATOMS = [
    "is_prime(t)",
    "is_prime(n - t)",
    "n % t == 0",
    "(n + 1) % t != 0",
    "t <= 3",
    "n % 3 == 1",
    "is_power_of_two(t)",
]
CONDITIONS = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.builds("not ({})".format, inner),
        st.builds("({}) and ({})".format, inner, inner),
        st.builds("({}) or ({})".format, inner, inner),
    ),
    max_leaves=4,
)
FORMULAS = {
    "p": ["n % 2 == 0", "n % 2 == 1", "n == 0", "n % 3 == 0", "is_power_of_two(n)", "n <= 1", "True"],
    "grundy": ["n", "n % 2", "n % 3", "min(n, 1)", "n - 1", "0", "n // 2"],
}


@examples(60, 3_000)
@given(
    when=CONDITIONS,
    leads=st.sampled_from(sorted(TO)),
    play=st.sampled_from(["normal", "misere"]),
    target=st.sampled_from(["p", "grundy"]),
    number=st.integers(0, 6),
)
def test_the_premises_are_true_exactly_if_the_formula_is_right(when, leads, play, target, number):
    if target == "grundy" or leads != "one heap":
        play, target = "normal", "grundy"
    text = f"title: t\nplay: {play}\nposition: {{n: 0..N}}\nmoves: [{{for: {{t: 1..n}}, when: '{when}', {TO[leads]}}}]\n"
    game, claim = parse_ruleset(text), claimed(FORMULAS[target][number], target)
    table = solve(make_instance(game, {}, {"N": 14}), "grundy" if target == "grundy" else "outcome")
    right = not judge_table(claim, table).wrong
    assert all(are_true(premises(game, claim), 14)) == right


LIES = {  # moves, play, target, formula, and which of the premises is the only one that is false
    "play without end": (
        "{when: n % 2 == 0, to: {n: n + 1}}, {when: n % 2 == 1, to: {n: n - 1}}", "normal", "p", "n % 2 == 0", 0),
    "a move that leaves the positions": ("{when: n == 5, to: {n: n - 6}}", "normal", "p", "n != 5", 0),
    "a move from a P-position to one": ("{when: n >= 1, to: {n: n - 1}}", "normal", "p", "n % 2 == 0 or n == 9", 1),
    "an N-position without a move to a P-position": ("{when: n >= 1, to: {n: n - 1}}", "normal", "p", "n == 0", 2),
    "under misère play, a P-position without moves": ("{when: n < 0, to: {n: 0}}", "misere", "p", "n == 7", 1),
    "under misère play, a move from a P-position to one": ("{when: n >= 1, to: {n: n - 1}}", "misere", "p", "n % 2 == 1 or n == 8", 2),
    "under misère play, an N-position without a move to a P-position": ("{when: n >= 1, to: {n: n - 1}}", "misere", "p", "n == 1", 3),
    "a value below 0": ("{when: n < 0, to: {n: 0}}", "normal", "grundy", "-1", 1),
    "an option with the position's value": ("{when: n >= 1, to: {n: n - 1}}", "normal", "grundy", "0", 1),
    "a smaller number that is no option's value": ("{when: n >= 1, to: {n: n - 1}}", "normal", "grundy", "n", 2),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_each_premise_is_needed(lie):
    moves, play, target, formula, which = LIES[lie]
    game = parse_ruleset(f"title: t\nplay: {play}\nposition: {{n: 0..N}}\nmoves: [{moves}]\n")
    needed = premises(game, claimed(formula, target))
    assert [number for number, each in enumerate(are_true(needed, 12)) if not each] == [which]
    with pytest.raises(GrundylabError):
        Kernel().check(needed[which], Induction())


def test_a_condition_of_a_move_without_a_value_is_no_premise_that_is_proved():
    """The condition is never true, whether or not the logarithm is read."""
    text = "title: t\nposition: {n: 0..N}\nmoves: [{for: {t: '1..n'}, when: 'floor_log2(n - 3) >= 0 and False', to: {n: n - t}}]\n"
    well_founded, *_ = premises(parse_ruleset(text), claimed("True"))
    with pytest.raises(GrundylabError, match="has a value"):
        Kernel().check(well_founded, Induction())
