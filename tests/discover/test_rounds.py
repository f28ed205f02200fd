"""Rounds of counterexamples, replayed: what a fit is given after each of PySR's recorded answers."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.discover.made import made

import grundylab as gl
from grundylab.check.samples import collect
from grundylab.discover.base import HallRow
from grundylab.discover.engines.pysr import read_equations
from grundylab.discover.ranking import error_mask, is_exact
from grundylab.discover.rounds import ADDED, FRESH, ROUNDS, SAMPLE, Equation, fit_in_rounds
from grundylab.games import parse_target
from grundylab.language import parse

# PySR 2.7.2 on Julia 1.10.8, 200,000 evaluations a round: the equations of each round, the number of counterexamples
# kept before it (kept), and the number of P-positions at which its best formula is wrong (wrong).
RECORDED = [
    json.loads(line)
    for line in (Path(__file__).parent / "pysr" / "recorded-rounds.jsonl").read_text().splitlines()
]


@pytest.fixture(scope="module")
def samples():
    """Nim with a pass while m stones are left, for m = 4, 8, 12, with piles of at most 24 stones."""
    game = gl.load("nim-with-a-pass-from-m")
    return collect([gl.solve(game, m=m, N=24) for m in (4, 8, 12)], parse_target("p"))


def positions(rows):
    return set(map(tuple, rows.tolist()))


SUMS = "x ^ y ^ z == (p if x + (x ^ y) + y >= m else 0)"


@pytest.mark.parametrize(
    ("seed", "formula"),
    [
        (1, "x ^ y ^ z == (p if (x ^ 1) + (x ^ y) + y > m else 0)"),
        (2, SUMS),  # with a quotient by m that is compared with 0
        (3, SUMS),
        (6, SUMS),  # with a remainder by a quotient
        (9, SUMS),  # with products with p
    ],
)
def test_each_round_is_given_what_the_best_formula_before_it_got_wrong(samples, seed, formula):
    """The exact formula at the end is in plain words, which the automata can read."""
    answers = [each for each in RECORDED if (each["config"], each["seed"]) == ("rounds", seed)]
    answered, given = iter(answers), []

    def fit(problem, _):
        given.append(positions(np.column_stack([problem.features[:, :4], problem.wanted])))
        return read_equations(next(answered)["equations"], problem)

    fitted = fit_in_rounds(samples, 0, fit)
    assert fitted.exact
    assert formula in [str(each) for each in fitted.formulas if is_exact(each, samples)]
    assert next(answered, None) is None  # no round after the exact one
    assert [(row.complexity, row.loss) for row in fitted.hall] == [
        tuple(each[:2]) for each in answers[-1]["equations"]
    ]
    assert [row.formula for row in fitted.hall if row.chosen] == [formula]
    table = np.column_stack([samples.columns[name] for name in ("x", "y", "p", "m", "z")])
    kept = set()
    for number, (answer, rows) in enumerate(zip(answers, given, strict=True)):
        assert len(rows) == SAMPLE
        assert kept <= rows
        assert len(kept) == answer["kept"]
        texts = {each[2] for each in answer["equations"]}
        assert texts
        if number + 1 < len(answers):
            best = best_mask(answer, samples)
            assert np.count_nonzero(best) == answer["wrong"] <= ADDED
            kept |= positions(table[best])
            assert len(rows & given[number + 1] - kept) < SAMPLE / 4  # the rest is drawn anew


def best_mask(answer, samples):
    """Return the mask of the P-positions at which the best of the equations is wrong."""

    class Problem:
        leaves = tuple(map(parse, answer["leaves"]))

        def formula(self, term):
            return parse(f"z == ({term})")

    masks = [error_mask(each.formula, samples) for each in read_equations(answer["equations"], Problem())]
    return min(masks, key=np.count_nonzero) & samples.values


def test_rounds_end_with_the_budget_and_keep_what_they_found():
    """Wrong everywhere, the formula has more counterexamples than a round has room for."""
    samples = made("x ^ y", x=range(40), y=range(40))
    sizes, seeds = [], []

    def fit(problem, seed):
        if len(sizes) == 2 * ROUNDS:
            return None
        sizes.append(len(problem.wanted))
        seeds.append(seed)
        return [
            Equation("x5", 1, 1.0, parse("x + 64")),
            Equation("?", 2, 0.5, None, "unread"),
        ]

    fitted = fit_in_rounds(samples, 3, fit)
    assert (list(map(str, fitted.formulas)), fitted.exact) == (["x + 64"], False)
    assert fitted.hall == (
        HallRow(1, 1.0, "x5", "x + 64", chosen=True),
        HallRow(2, 0.5, "?", "", "unread"),
    )
    assert {each.reason for each in fitted.unread} == {"unread"}
    assert len(set(seeds)) == len(sizes) == 2 * ROUNDS
    assert sizes[0] <= SAMPLE
    assert sizes[-1] >= (2 * ROUNDS - 1) * ADDED * 3 // 4 + FRESH // 2  # all counterexamples are still there


def test_a_seed_gives_the_same_rounds(samples):
    def run(seed):
        given = []

        def fit(problem, number):
            given.append((problem.features.tolist(), number))
            return [Equation("x", 1, 1.0, parse("z == x ^ y"))] if len(given) < 3 else None

        fit_in_rounds(samples, seed, fit)
        return given

    assert run(0) == run(0) != run(1)
