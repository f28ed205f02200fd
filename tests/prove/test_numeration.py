"""Proofs in other numeration systems: formulas that are read, proved and refused, compared with the definitions."""

from __future__ import annotations

import itertools
import random
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from math import isqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden import refused
from tests.prove.forging import check_refused, forged, proved_by, record_of
from tests.sizes import examples, night
from tests.strategies import FUNCTIONS, NAMES, accepted_in_other_systems, automata, conditions

from grundylab.automata.dfa import AutomataBudget, TooLarge
from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.systems import FIBONACCI, System
from grundylab.discover.engines.periods import propose
from grundylab.discover.residuals import learn
from grundylab.errors import GrundylabError
from grundylab.findings.wording import counterexample_text
from grundylab.games import load_ruleset, make_instance, parse_ruleset
from grundylab.games.model import ALWAYS, P_POSITIONS
from grundylab.language import Expr, parse
from grundylab.language.numeration import numeration_system
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE, Accepts, Name
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.mona import MISSING
from grundylab.logic.reader import AutomataReader
from grundylab.prove.core.decide import GameReaders
from grundylab.prove.core.formulas import Formulas
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.solution import INDUCTION, Decider, Question
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.inductions import InductionSearch, prove_by_induction
from grundylab.prove.other_words import in_other_words
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.statement import statement_about

T, BASE_3, BASE_5 = System((2, 1)), System.of_base(3), System.of_base(5)
ALL_GAMES = GameReaders()  # what of a game depends on no formula is made once
MUTANTS = 60 if night() else 6  # of each automaton
POINTS = st.lists(st.tuples(*[st.integers(0, 40)] * len(NAMES)), min_size=1, max_size=5)

PILES = """title: t
position: {x: 0..N, y: 0..N}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
"""
BOTH = '  - {name: both, for: {t: "1..min(x, y)"}, to: {x: x - t, y: y - t}}\n'
WYTHOFF = PILES + BOTH
MISERE = WYTHOFF + "play: misere\n"
ENDS = "\n".join(
    line.replace("{take: t, from: x}", "{name: a, when: x + y > 2, for: {t: 1..x}, to: {x: x - t}}")
    .replace("{take: t, from: y}", "{name: b, when: x + y > 2, for: {t: 1..y}, to: {y: y - t}}")
    .replace("{name: both,", "{name: both, when: x + y > 2,")
    for line in WYTHOFF.splitlines()
)
# Flanigan's game: from both piles as many as have a sum that ends in base 3 in no more zeros than either.
RIM = PILES + (
    "  - name: both\n    for: {a: 1..x, b: 1..y}\n"
    """    when: 'accepts("base 3: -0,1,1,1,1,,1,,1 +1,1,1,1,1,1,1,1,1", a, b)'\n    to: {x: x - a, y: y - b}\n"""
)


def wider(t):
    """Return a game whose moves may also take from both piles, if the numbers differ by less than t."""
    other = f"(i + d - {t - 1})"
    return (
        f"{PILES}  - name: both\n    for: {{i: 1..x, d: 0..{2 * t - 2}}}\n"
        f"    when: 1 <= {other} <= y\n    to: {{x: x - i, y: y - {other}}}\n"
    )


# name: (game, system, bound to learn from, states)
GAMES = {
    "Wythoff": (WYTHOFF, FIBONACCI, 40, 7),
    "misère Wythoff": (MISERE, FIBONACCI, 96, 14),
    "nobody moves from x + y <= 2": (ENDS, FIBONACCI, 96, 22),
    "2-Wythoff": (wider(2), T, 50, 9),
    "3-Wythoff": (wider(3), System((3, 1)), 200, 11),
    "Rim in base 3": (RIM, BASE_3, 40, 2),
}


@lru_cache
def ruleset(name):
    return parse_ruleset(GAMES[name][0], "t")


def table(game, bound):
    """Return an array that says which positions are P-positions."""
    solved = solve(make_instance(game, {}, {"N": bound}), "outcome")
    return np.array([[solved[x, y] == 0 for y in range(bound + 1)] for x in range(bound + 1)])


@lru_cache
def learnt(name):
    _, system, bound, _ = GAMES[name]
    automaton = learn(table(ruleset(name), bound).astype(np.int8), 400, system=system)
    assert automaton is not None
    return automaton


def says(automaton):
    return Accepts(automaton, (Name("x"), Name("y")))


# -- what automata read --------------------------------------------------------------------------------------


def check(expr: Expr, system: System, points, cells=3_000_000) -> bool:
    """Assert that the condition is read correctly, if it is read at all; return whether it is."""
    try:
        reader = AutomataReader(FUNCTIONS, AutomataBudget(cells, system), frozenset(NAMES))
        truth = reader.truth(expr)
    except (OutsideFragment, TooLarge):
        return False
    for point in points:
        env = dict(zip(NAMES, point, strict=True))
        try:
            value = evaluate(expr, env, FUNCTIONS)
        except GrundylabError:
            continue
        assert (truth.true.contains(env), truth.false.contains(env)) == (value, not value), env
    return True


@given(conditions(NAMES, 2), st.sampled_from([FIBONACCI, T, BASE_3, BASE_5]), POINTS)
@examples(15, 2000)
def test_random_formulas_are_read_as_they_are_meant(expr, system, points):
    check(expr, system, points)


@given(accepted_in_other_systems(), POINTS)
@examples(4, 1000)
def test_automata_of_sums_are_read_as_they_are_meant(expr, points):
    check(expr, numeration_system([expr]), points)


LEAVES = ["1", "3"]
NUMBERS = [
    "{a}", "({a} + {b})", "({a} - {b})", "2*({a})", "abs({a} - {b})", "min({a}, {b})", "max({a}, {b})",
    "({a} // 3)", "({a} % 2)", "({a} if {a} < {b} else {b})",
]  # fmt: skip
SAID = ["({c}) and ({d})", "({c}) or not ({d})"]
MANY = ["any({e} for k in range({a}, {b}))", "all({e} for k in range({a}, {b}))"]


def number(luck, names, depth):
    if depth == 0:
        return luck.choice([*names, *LEAVES])
    a, b = (number(luck, names, depth - 1) for _ in range(2))
    return luck.choice(NUMBERS).format(a=a, b=b)


def condition(luck, system, names, depth):
    """Return a random condition of sums, comparisons, quantifiers, quotients by constants, and automata."""
    a, b = (number(luck, names, 1) for _ in range(2))
    if depth == 0:
        if luck.random() < 0.5:
            return f"{a} {luck.choice(['<', '<=', '==', '!='])} {b}"
        states = luck.randrange(1, 4)
        rows = [[luck.randrange(-1, states) for _ in range(system.base**2)] for _ in range(states)]
        for state, row in enumerate(rows):
            row[0] = state  # zeros make no difference
        accepting = tuple(luck.random() < 0.5 for _ in range(states))
        return f'accepts("{DigitAutomaton(tuple(map(tuple, rows)), accepting, system)}", {a}, {b})'
    c, d = (condition(luck, system, names, depth - 1) for _ in range(2))
    e = condition(luck, system, (*names, "k"), depth - 1)
    return luck.choice([*SAID, *MANY]).format(a=a, b=b, c=c, d=d, e=e)


@pytest.mark.parametrize("system", [FIBONACCI, T, BASE_3, BASE_5], ids=str)
def test_arithmetic_is_read_as_it_is_meant(system):
    luck, read = random.Random(str(system)), 0
    for _ in range(200 if night() else 40):
        expr = parse(condition(luck, system, ("x", "y"), luck.choice([0, 1, 1, 2])))
        points = [[luck.choice([luck.randrange(6), luck.randrange(40)]) for _ in NAMES] for _ in range(12)]
        read += check(expr, system, points)
    assert read > 15


ROOTS = [
    "x == (y + isqrt(5 * y * y)) // 2",
    "isqrt(5 * (x - y) * (x - y)) <= 3*x",
    "isqrt((x - y) * -20 * (x - y) * -1) % 3 == 1",
    "x == isqrt(2 * y * y)",
    "isqrt(2 * y * 2 * (2*y)) < 4*x + 1",
    "(isqrt(13 * (x // 2) * (x // 2)) - x // 2) // 2 == y",
    'accepts("4,1: -0,1,1,1,1 +1,1,,1,1", isqrt(5 * (x + y) * (x + y)))',
    "any(isqrt(8 * k * k) == x + y for k in range(0, x))",
]


@pytest.mark.parametrize("text", ROOTS)
def test_multiples_of_a_square_root_are_read_as_they_are_meant(text):
    expr, luck = parse(text), random.Random(text)
    near = [
        (n, m + luck.randrange(-1, 2)) for n in (0, 1, 5, 34) for m in (0, n, (n + isqrt(5 * n * n)) // 2)
    ]
    far = [(luck.randrange(10**k), luck.randrange(10**k)) for k in (2, 9, 20)]
    right = [
        (a, b)
        for n in (7, 10**6, 10**12 + 39)
        for a, b in ((n, isqrt(2 * n * n)), ((n + isqrt(5 * n * n)) // 2, n))
    ]
    points = near if text.startswith("any") else [*near, *far, *right, *(pair[::-1] for pair in right)]
    assert check(expr, numeration_system([expr]), [(*pair, 0, 0) for pair in points if min(pair) >= 0], 10**8)


@pytest.mark.parametrize("text", refused.OF_OTHER_DIGITS)
def test_what_is_outside__is_not_proved(text):
    expr = parse(text)
    with pytest.raises(OutsideFragment):
        AutomataReader(FUNCTIONS, AutomataBudget(system=numeration_system([expr]))).truth(expr)
    proof = prove_claim(ruleset("Wythoff"), unpublished_claim(parse(f"x < 9 or {text}"), P_POSITIONS))
    assert proof.status != "proved"


def test_which_of_them_it_is_is_told_of_a_statement():
    claim = unpublished_claim(
        parse('x < 50 and y < 50 or accepts("fib: -0,1 +1,", x) or (x ^ y) >= 0'), ALWAYS
    )
    proof = prove_by_induction(
        statement_about(ruleset("Wythoff"), claim), False, InductionSearch(Kernel(), Limits())
    )
    assert proof.status == "undecided"
    assert proof.reason.startswith("x ^ y: '^' ")


# -- proofs ----------------------------------------------------------------------------------------------------

SLOW = ("2-Wythoff", "3-Wythoff")  # as Wythoff, in larger systems: by make test-long


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in SLOW else ()) for name in GAMES]
)
def test_what_is_learnt_is_proved_and_its_file_is_gone_through_again(name):
    game, formula = ruleset(name), says(learnt(name))
    assert formula.automaton.states == GAMES[name][3]
    proof = prove_claim(game, unpublished_claim(formula, P_POSITIONS))
    assert proof.status == "proved"
    assert proof.by.endswith(f" {formula.automaton.system.words}")
    slow = ["MONA did not finish in 5 seconds"] if name == "3-Wythoff" else []  # of 54 it does not, either
    assert proof.second.status == "agrees" or proof.second.reason in (MISSING, *slow)
    record = record_of(proof.theorem)
    assert proved_by(record, game) == proof.theorem
    false = statement_about(game, unpublished_claim(parse(f"{formula} and x < 1000"), P_POSITIONS))

    def change(r):
        r["statement"].update(formula=str(false.formula), key=false.key)
        r["evidence"].update(levels=[str(false.formula)])

    check_refused(forged(record, change), game, "the hypothesis is what the options make it")


@pytest.mark.parametrize("name", GAMES)
def test_it_is_the_set_of_the_p_positions_far_beyond_what_it_was_learnt_from(name):
    far = max(100, GAMES[name][2] + 60)
    true = table(ruleset(name), far)
    x, y = np.divmod(np.arange((far + 1) ** 2), far + 1)
    assert np.array_equal(learnt(name).contains_each([x, y]), true.reshape(-1))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Wythoff", "min(x, y) == (abs(x - y) + isqrt(5 * abs(x - y) * abs(x - y))) // 2"),
        (
            "2-Wythoff",
            "abs(x - y) % 2 == 0 and min(x, y) == isqrt(2 * (abs(x - y) // 2) * (abs(x - y) // 2))",
        ),
    ],
)
def test_an_automaton_is_put_into_words_that_are_equal_to_it(name, words):
    def proposals(samples, seconds):
        yield parse("x < y and x + y > 3")
        yield from propose(samples, P_POSITIONS, 0, seconds).formulas

    assert in_other_words(ruleset(name), says(learnt(name)), proposals) == parse(words)
    wrong = replace(parse(words), op="or") if name == "2-Wythoff" else parse(words.replace("5", "6"))
    assert in_other_words(ruleset(name), says(learnt(name)), lambda *_: [wrong]) is None


@pytest.mark.parametrize("name", GAMES)
def test_no_mutant_is_proved(name):
    """Mutants have inverted acceptance or a changed transition, so that they accept another set."""
    game, automaton = ruleset(name), learnt(name)
    mutants = set()
    for state in range(len(automaton.rows)):
        for symbol, other in itertools.islice(
            itertools.product(range(len(automaton.rows[0])), (DEAD, 0, 1 % len(automaton.rows))),
            state % 5,
            None,
            5,
        ):
            rows = [list(row) for row in automaton.rows]
            rows[state][symbol] = other
            try:
                mutants.add(DigitAutomaton(tuple(map(tuple, rows)), automaton.accepting, automaton.system))
            except GrundylabError:  # zeros would matter
                continue
    mutants.discard(automaton)
    assert len(mutants) > 2
    games = GameReaders()
    for mutant in sorted(mutants, key=str)[:: -(-len(mutants) // MUTANTS)]:
        claim = unpublished_claim(says(mutant), P_POSITIONS)  # automata alone are asked, whatever tables say
        assert _decider(game, claim, games).example(INDUCTION) is not None, mutant


# ruleset, claim, and what is said in it instead of what
FALSE_CLAIMS = [
    ("wythoff", "golden-ratio", "isqrt(5", "isqrt(20"),
    ("wythoff-2", "square-root-of-2", "% 2 == 0 and", "% 2 == 1 or"),
    ("wythoff-3", "square-root-of-13", "isqrt(13", "2 + isqrt(13"),
    ("r-wythoff", "golden-ratio", "min(x, y)", "min(x, y + 1)"),
    ("e-wythoff", "golden-ratio", "// 2", "// 3"),
    ("wythoff-translated", "translation", "x < k", "x + 1 < k"),
    ("fibonacci-nim", "zeckendorf", "+0,1,2,", "+0,1,1,"),
    ("imitation-nim", "no-memory", "min(x, y)", "max(x, y)"),
    ("imitation-nim", "all", "m > min(x, y)", "m >= min(x, y)"),
    ("misere-wythoff-2", "digits", "+2,7,8", "-2,7,8"),
]


@pytest.mark.parametrize(("name", "claim", "said", "instead"), FALSE_CLAIMS)
def test_a_claim_with_something_else_in_it_is_refuted_in_numbers_and_digits(name, claim, said, instead):
    game = load_ruleset(name)
    true = game.claim(claim)
    text = str(true.formula).replace(said, instead, 1)
    assert parse(text) != true.formula
    false = parse(text)
    proof = prove_claim(game, unpublished_claim(false, P_POSITIONS, true.where))
    assert proof.status == "refuted"
    assert proof.counterexample is not None
    system = numeration_system([false])
    words = counterexample_text(proof.counterexample, P_POSITIONS, false)
    assert words.endswith(f" in {system.words})")
    first, value = next(iter(proof.counterexample.position.items()))
    assert f"({first}={system.written(value)}, " in words


def _decider(game, claim, games):
    nothing = Formulas(TRUE, None, (claim.formula,))
    question = Question(claim.formula, claim.target, TRUE, nothing, TRUE)
    return Decider(games.of(game, [claim.formula]), question, Limits().cells)


@given(st.sampled_from([FIBONACCI, T]).flatmap(lambda system: automata(2, 3, system)))
@examples(6, 600)
def test_random_automata_are_proved_only_of_what_they_are(automaton):
    game = ruleset("Wythoff")
    wrong = _decider(game, unpublished_claim(says(automaton), P_POSITIONS), ALL_GAMES).example(INDUCTION)
    x, y = np.divmod(np.arange(31**2), 31)
    right = np.array_equal(automaton.contains_each([x, y]), table(game, 30).reshape(-1))
    assert right or wrong is not None


FAULTY = {
    "a move below 0": PILES + "  - {name: down, when: x < y, to: {x: x - 1}}\n",
    "a choice that may be negative": PILES
    + '  - {name: aside, for: {t: "-1..x"}, when: t != 0, to: {x: x - t}}\n',
    "a coordinate that may begin below 0": PILES.replace("y: 0..N", "y: x - 3..N"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_of_rules_that_make_no_game_nothing_is_proved(name):
    game = parse_ruleset(FAULTY[name], "t")
    for text in ('accepts("fib: +0,,,0", x, y)', 'accepts("fib: +0,1,2,3 +0,,2, +0,1,, +0,,,", x, y)'):
        claim = unpublished_claim(parse(text), P_POSITIONS)
        with suppress(OutsideFragment):
            assert _decider(game, claim, GameReaders()).example(INDUCTION) is not None
        with suppress(GrundylabError):  # the rules are refused where a table is made
            assert prove_claim(game, claim).status != "proved"


def test_a_move_below_0_is_found_where_the_set_would_be_right_without_it():
    """Without the faulty move, the P-positions of two-pile Nim are a theorem in this system."""
    text = 'accepts("fib: +0,,,0", x, y)'
    good = parse_ruleset(PILES, "t")
    assert (
        _decider(good, unpublished_claim(parse(text), P_POSITIONS), GameReaders()).example(INDUCTION) is None
    )
    bad = parse_ruleset(PILES + "  - {name: down, when: x == y, to: {x: x - y - 1}}\n", "t")
    assert (
        _decider(bad, unpublished_claim(parse(text), P_POSITIONS), GameReaders()).example(INDUCTION)
        is not None
    )


def test_binary_statements_about_a_game_are_read_as_before():
    game = parse_ruleset(PILES, "t")
    proof = prove_claim(game, unpublished_claim(parse("x ^ y == 0"), P_POSITIONS))
    assert (proof.status, proof.by) == ("proved", "automata in two's complement")


def test_a_part_of_a_theorem_is_proved_under_its_condition_and_no_more():
    game, formula = ruleset("Wythoff"), says(learnt("Wythoff"))
    ordered = unpublished_claim(replace(formula, arguments=(Name("y"), Name("x"))), P_POSITIONS)
    assert prove_claim(game, ordered).status == "proved"  # the game treats its piles alike
    even = unpublished_claim(parse(f"{formula} and x % 2 == 0"), P_POSITIONS)
    assert prove_claim(game, even).status == "refuted"
    always = unpublished_claim(parse(f"x == y or not {formula} or 3*x < 2*y or 3*y < 2*x"), ALWAYS)
    assert prove_claim(game, always).status == "proved"
    assert (
        prove_claim(game, unpublished_claim(parse(f"not {formula} or 5*x < 3*y"), ALWAYS)).status == "refuted"
    )
