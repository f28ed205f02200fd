"""Games whose moves take elements of a set that is known by its residues, such as the primes, or divisors: proved by two bounds."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.check.judging import judge_table
from grundylab.games import Ruleset, make_instance, parse_ruleset, parse_target
from grundylab.games.rules import Rules
from grundylab.language import parse, parse_condition
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Function
from grundylab.language.plain import compile_plain
from grundylab.language.syntax import TRUE
from grundylab.prove.core.between import bounded, orbit
from grundylab.prove.core.evidence import Between
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.theorem import Refused
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.statement import statement_about

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
        text = formula.replace("n", change)
        expr = parse(text) if target == "grundy" else parse_condition(text)
        claim = unpublished_claim(expr, parse_target(target))
        assert (judge_table(claim, table).wrong == 0) == (status == "proved")
        proof = prove_claim(ruleset, claim, limits=limits)
        assert proof.status == status
        assert proof.evidence is None or proof.evidence.kind == "between"


def test_divisors_are_read_in_a_game_that_ends_at_a_parameter():
    """A puzzle: add a divisor of n to n; who writes a number above k loses. The automata of twelve are too large."""
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


@pytest.mark.parametrize("name", [name for name, row in BUILTINS.items() if row.residues])
@pytest.mark.parametrize("modulus", [*range(1, 13), 30, 77])
def test_the_residues_of_a_set_are_those_of_its_elements_above_the_modulus(name, modulus):
    row = BUILTINS[name]
    assert row.residues is not None
    elements = [n for n in range(modulus + 1, 60 * modulus) if row.value(n)]
    assert {n % modulus for n in elements} <= set(row.residues(modulus))


@given(
    factors=st.lists(st.integers(-4, 4), min_size=1, max_size=3),
    initial=st.lists(st.integers(-3, 9), min_size=3, max_size=3),
    first=st.integers(0, 2),
    later=st.integers(0, 5),
    modulus=st.integers(1, 12),
)
def test_every_value_of_a_recurrence_is_listed_or_has_one_of_the_residues(
    factors, initial, first, later, modulus
):
    body = " + ".join(f"({factor}) * f(k - {back})" for back, factor in enumerate(factors, 1)) + " + 1"
    function = Function("f", ("k",), parse(body), tuple(enumerate(initial, first)))
    listed, residues = orbit(function, first + later, modulus)
    values = list(initial)
    for _ in range(2_000):
        values.append(1 + sum(factor * values[-back] for back, factor in enumerate(factors, 1)))
    asked = values[later:]
    assert asked[: len(listed)] == listed
    assert {value % modulus for value in asked[len(listed) :]} <= set(residues)


@pytest.mark.parametrize(
    ("recurrence", "initial"),
    [
        ("f(k-1) + k", {0: 1}),  # not determined by the last values
        ("f(k-2) + 1", {0: 1}),  # a value before the first
        ("f(k-1) // 2", {0: 9}),  # residues do not determine residues
        ("f(k-1) + f(k-2)", {0: 1, 2: 5}),  # initial values that do not follow each other
        ("f(k-1) * f(k-1) + 1", {0: 2}),  # too large before residues modulo 997 repeat
    ],
)
def test_other_recurrences_are_refused(recurrence, initial):
    function = Function("f", ("k",), parse(recurrence), tuple(initial.items()))
    with pytest.raises(Refused):
        orbit(function, 0, 997)


ATOMS = st.sampled_from(
    [
        "is_prime(t)",
        "is_prime(n - t)",
        "is_prime(t + 3)",
        "n % t == 0",
        "(n + 1) % t != 0",
        THREES,
        PELL,
        "t <= 3",
        "n % 3 == 1",
    ]
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("not ({})".format, inner),
        st.builds("({}) and ({})".format, inner, inner),
        st.builds("({}) or ({})".format, inner, inner),
    ),
    max_leaves=6,
)


@examples(40, 400)
@given(when=CONDITIONS, modulus=st.integers(1, 7))
def test_the_moves_lie_between_those_of_the_two_games(when, modulus):
    game = heap(when)
    games = bounded(game, modulus, most=False), game, bounded(game, modulus, most=True)
    smaller, own, larger = (Rules(make_instance(each, {}, {"N": 40})) for each in games)
    for position in own.positions():
        options = [
            {parts for _, parts in islice(rules.options(position), 50)} for rules in (smaller, own, larger)
        ]
        assert options[0] <= options[1] <= options[2]


def test_under_misere_play_who_can_move_must_be_able_to_move_in_the_smaller_game():
    # 17 is prime, but not listed modulo 4: in the smaller game nobody can move, and P-positions are none in both games
    game = heap("is_prime(t) and t > 16", play="misere")
    nowhere = unpublished_claim(parse_condition("False"), parse_target("p"))
    *_, movable = Kernel().checked_premises(statement_about(game, nowhere), Between(modulus=4))
    assert [compile_plain(movable.formula, game.functions)({"n": n}) for n in (16, 17)] == [True, False]
    assert prove_claim(game, nowhere, limits=Limits(timeout=5)).status == "refuted"
