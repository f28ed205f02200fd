"""Games whose P-positions follow from digits in some base: learnt, worded and proved in this base; mutants are not."""

from __future__ import annotations

import pytest

from grundylab.automata.digits import DigitAutomaton
from grundylab.check.samples import collect
from grundylab.discover.engines.automata import propose
from grundylab.findings.digit_words import digits_in_words
from grundylab.findings.wording import words_text
from grundylab.games import make_instance, parse_ruleset
from grundylab.games.model import P_POSITIONS
from grundylab.games.specialise import expand_choices
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import Accepts
from grundylab.logic.mona import MISSING
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve


def heap(*moves: str, least: int = 0) -> str:
    return "\n  - ".join([f"title: t\nposition: {{n: {least}..N}}\nmoves:", *moves]) + "\n"


LARGEST = "divided by 2 to 9, rounded up (POJ 2505)"  # its base takes as long as all other games together
# game: (rules, bound to learn from, words)
GAMES = {
    "take 1 or 2, or a third is left (Fraenkel 2011, Mark-t)": (
        heap("{take: [1, 2], from: n}", "{when: n >= 1, to: {n: n // 3}}"),
        243,
        "in base 3 n ends in an odd number of zeros, or n is 0",
    ),
    "take 1 to 4, or a fifth is left": (
        heap("{take: [1, 2, 3, 4], from: n}", "{when: n >= 1, to: {n: n // 5}}"),
        625,
        "in base 5 n ends in an odd number of zeros, or n is 0",
    ),
    "a third at least is left": (
        heap("{for: {t: 1..n}, when: 3*(n - t) >= n, to: {n: n - t}}"),
        243,
        "in base 3 the digits of n are all 1, or n is 0",
    ),
    LARGEST: (
        heap("{for: {k: 2..9}, when: n >= 2, to: {n: (n + k - 1) // k}}", least=1),
        65_536,
        "in base 18 the highest digit of n - 1 is 9 to 17, or n - 1 is 0",
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name == LARGEST else ()) for name in GAMES]
)
def test_a_game_of_digits_is_learnt_put_in_words_and_proved(name):
    rules, bound, words = GAMES[name]
    game = parse_ruleset(rules, "t")
    samples = collect([solve(make_instance(game, {}, {"N": bound}), "outcome")], P_POSITIONS)
    (formula,) = propose(samples, P_POSITIONS, 0, 30.0).formulas
    assert words_text(digits_in_words(formula)) == words
    limits = Limits(timeout=600)  # a busy machine keeps MONA's share of it
    proof = prove_claim(game, unpublished_claim(formula, P_POSITIONS), limits=limits)
    assert proof.status == "proved"
    assert proof.by.endswith(f" {formula.automaton.system.words}")
    assert proof.second.status == "agrees" or proof.second.reason == MISSING
    rows, accepting = formula.automaton.rows, formula.automaton.accepting
    turned = DigitAutomaton(rows, tuple(not accepts for accepts in accepting), formula.automaton.system)
    for false in (
        Accepts(turned, formula.arguments),
        parse(f"{formula} and n < 1000"),
        parse(f"{formula} or n == 50"),
    ):
        assert prove_claim(game, unpublished_claim(false, P_POSITIONS)).status != "proved"


# -- choices between constants, and constants ------------------------------------------------------------------

CHOICES = [
    ("{for: {k: 2..4}, when: n >= k, to: {n: n // k}}", 3),
    ("{for: {k: 2..4, j: 1..k}, when: n >= k, to: {n: n // k - j % 2}}", 3),
    ("{for: {k: 2..4}, when: n % k == 0 and n >= k, to: {n: n - k}}", 3),
    ("{for: {k: 2..4}, when: n >= k, to: {n: n - k}}", 1),  # a number like any other
    ("{for: {k: 2..n}, when: n >= k, to: {n: n // k}}", 1),  # of any size
    ("{for: {k: 2..99}, when: n >= k, to: {n: n // k}}", 1),  # too many
]


@pytest.mark.parametrize(("move", "moves"), CHOICES)
def test_choices_between_constants_that_divide_are_written_out(move, moves):
    game = parse_ruleset(heap(move), "t")
    other = expand_choices(game)
    assert len(other.moves) == moves
    before, after = (
        solve(make_instance(each, {}, {"N": 60}), "grundy", "reference") for each in (game, other)
    )
    assert [before[n,] for n in range(61)] == [after[n,] for n in range(61)]


def test_a_remainder_by_a_term_of_constants_is_read_by_both_procedures():
    game = parse_ruleset(
        "title: t\nposition: {n: 0..N}\nparameters: {k: k >= 2}\nmoves:\n"
        '  - {for: {t: "1..min(3, n)"}, when: "n % min(k - 1, 3) < t + 3", to: {n: n - t}}\n',
        "t",
    )
    proof = prove_claim(
        game, unpublished_claim(parse_condition("n % 4 == 0"), P_POSITIONS), parse_condition("k == 4")
    )
    assert proof.status == "proved"
    assert proof.second.status == "agrees" or proof.second.reason == MISSING
