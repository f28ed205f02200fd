"""Files for Walnut: each construct, and the words that automata and sums accept; tests/golden has whole scripts."""

from dataclasses import replace
from itertools import product

import pytest
from tests.golden.test_exports import GAMES, TAKE_TO_M, TWO_PILES

from grundylab.automata.digits import DigitAutomaton
from grundylab.automata.systems import System
from grundylab.errors import InstanceError
from grundylab.games import load_ruleset, parse_ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.logic.addition import ADDITION
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.lowering import Lowering
from grundylab.logic.walnut import walnut_files_of as script_of
from grundylab.logic.walnut import walnut_predicate as written
from grundylab.logic.walnut_files import automaton_file, base_files, walnut_system_name
from grundylab.prove.core.space import NotProvable
from grundylab.prove.second_opinion import walnut_files

# Each construct that a script is made of; Walnut 6 and 7 read all of these.
SAID = [
    ("x ^ y == 3", "(E w1 ($nimsum(vx,vy,w1) & w1=3))"),
    ("x & y == 2", "(E w1 ($bitand(vx,vy,w1) & w1=2))"),
    ("x | y == 3", "(E w1 ($bitor(vx,vy,w1) & w1=3))"),
    ("x ^ y != 3", "(E w1 ($nimsum(vx,vy,w1) & ~(w1=3)))"),
    ("True", "0=0"),
    ("2*x + 3 >= 5*y", "5*vy<=2*vx+3"),
    ("x != y and (x < y or y == 0)", "(~(vx=vy) & (vx<vy | vy=0))"),
    ("all(x != k for k in range(0, y))", "(A w1 ~((w1<vy & vx=w1)))"),
    ("(x if x < y else y) == 3", "(E w1 (((vx<vy & vx=w1) | (~(vx<vy) & vy=w1)) & w1=3))"),
    (
        "max(x, y, 2) == 3",
        "(E w1 (((vy<=vx & vx=w1) | (~(vy<=vx) & vy=w1)) & (E w2 (((1<w1 & w1=w2) | (~(1<w1) & 2=w2)) & w2=3))))",
    ),
    ("abs(x - y) <= 1", "(E w1 (((vy<=vx & vx=vy+w1) | (~(vy<=vx) & vy=vx+w1)) & w1<=1))"),
    ("x == 4 << floor_log2(y)", "(E w1 ($power2(w1) & w1<=vy & vy<2*w1 & vx=4*w1))"),
    ("x - y > 1", "vy+1<vx"),
    ("x // 3 == y", "(E w2 ((E w1 (w1<=2 & vx=3*w2+w1)) & w2=vy))"),
    ("any(x == 2*k for k in range(0, y))", "(E w1 (w1<vy & vx=2*w1))"),
    ("is_power_of_two(x + 1)", "(E w1 (vx+1=w1 & $power2(w1)))"),
    ("-x // 2 == -y", "(E w2 ((E w1 (w1<=1 & 2*w2=vx+w1)) & vy=w2))"),
    ("ceil(x/2) ^ y == 0", "(E w2 ((E w1 (w1<=1 & vx+1=2*w2+w1)) & (E w3 ($nimsum(w2,vy,w3) & w3=0))))"),
    ("(x - 1) // 4 == y", "(E w2 ((E w1 (w1<=3 & vx+3=4*w2+w1)) & w2=vy+1))"),
    ("(x - y) % 3 == 0", "(E w1 (w1<=2 & (E w2 vx+2*vy=3*w2+w1) & w1=0))"),
    ("any(x == 1 << i for i in range(0, 3))", "(vx=1 | vx=2 | vx=4)"),
    ("any(x == 1 << i for i in range(-7 // 2 + 6, 9 % 5))", "(vx=4 | vx=8)"),
    ("all(x >> i != y for i in range(y, y))", "0=0"),
    ("any(x == y + d for d in range(-1, 1))", "(E w1 (w1<=1 & vx+1=vy+w1))"),
    ("sum(i*x for i in range(0, 3)) == y", "3*vx=vy"),
]


@pytest.mark.parametrize(("formula", "text"), SAID)
def test_what_is_written(formula, text):
    assert written(Lowering().condition(parse_condition(formula))) == text


@pytest.mark.parametrize(
    "formula", ["x * y == 3", "any(x == 1 << i for i in range(0, y))", "any(x * i == y for i in range(0, 65))", "sum(i for i in range(0, x)) == y", "(x - y) // 2 ^ y == 0", "(x - 1) ^ y == 0", "isqrt(x) == y", "x >> y == 1", "x // (x - x) == 0"]
)  # fmt: skip
def test_what_cannot_be_said_is_refused(formula):
    with pytest.raises(OutsideFragment):
        written(Lowering().condition(parse_condition(formula)))


@pytest.mark.parametrize("title", ["one", "one: two", "one; two # three", '"one" ::', "one;"])
def test_a_comment_ends_with_its_line_in_every_version(title):
    ruleset = replace(parse_ruleset(TWO_PILES), title=title)
    files = walnut_files(ruleset, parse("x == y"), parse_target("p"), parse_condition("True"))
    script = files["Command Files/game.txt"]
    comments = [line for line in script.splitlines() if line.startswith("#")]
    assert len(comments) == 3
    assert all(line.endswith(";") for line in comments)
    # up to Walnut 6 a command is what stands before the first ';' or ':' of its line
    assert all(
        line.startswith(("def ", "eval ")) and line.index(":") == len(line) - 1
        for line in script.splitlines()
        if line not in comments
    )


def test_a_parameter_that_nothing_fixes_or_that_is_outside_its_domain_is_refused():
    ruleset, formula, target = parse_ruleset(TAKE_TO_M), parse("x % (m + 1)"), parse_target("grundy")
    for where in ("True", "m >= 2", "m == 2 or m == 3"):
        with pytest.raises(OutsideFragment, match="division by"):
            walnut_files(ruleset, formula, target, parse_condition(where))
    with pytest.raises(InstanceError, match="its domain"):
        walnut_files(ruleset, formula, target, parse_condition("m == 0"))


def test_a_statement_that_a_script_cannot_be_about_is_refused():
    ruleset = parse_ruleset(GAMES["sums"][0])
    with pytest.raises(NotProvable, match="split"):
        walnut_files(ruleset, parse("x == 0"), parse_target("p"), parse_condition("True"))
    with pytest.raises((OutsideFragment, NotProvable)):
        walnut_files(ruleset, parse("x == 0"), parse_target("grundy == 2"), parse_condition("True"))


# -- other numeration systems, and automata ------------------------------------------------------------------

AUTOMATA = [
    "fib: +1,,2, +0,,, -,3,, +3,,2,",
    "fib: +0,1,2,0 -1,2,,0 -2,,0,1",
    "trib: +0,1,,2 -1,,0, -,0,,1",
    "2,1: +1,,,2,,,3,, +0,,,,,,,, -,4,,,2,,,, -,,4,,,2,,, +4,,,2,,,3,,",
    "3,1: +0,1,1,0 -1,0,0,1",
    "2,2,1: -1,0,0 -1,0,1",
    "+1,,2, +0,,, -,3,, +3,,2,",
]


class Machine:
    """An automaton as read from its file for Walnut; the first state is the initial one."""

    def __init__(self, file, system):
        self.system, self.rows, self.accepting = system, {}, set()
        for line in filter(None, file.splitlines()[1:]):
            symbol, arrow, target = line.rpartition(" -> ")
            if arrow:
                self.rows[next(reversed(self.rows))][symbol] = target
            else:
                state, accepts = line.split()
                self.rows[state] = {}
                self.accepting |= {state} if accepts == "1" else set()

    def accepts(self, *numbers):
        """Tell whether the automaton accepts the numbers, highest digits first."""
        return self.reads([list(self.system.digits(number)) for number in numbers])

    def reads(self, words):
        """Tell whether the automaton accepts the words, which are given with their lowest digits first."""
        state = next(iter(self.rows))
        for place in reversed(range(max(map(len, words)))):
            symbol = " ".join(str(word[place]) if place < len(word) else "0" for word in words)
            state = self.rows.get(state, {}).get(symbol)
        return state in self.accepting


@pytest.mark.parametrize("text", AUTOMATA)
def test_a_file_of_an_automaton_has_the_numbers_that_it_accepts(text):
    automaton = DigitAutomaton.parse(text)
    machine = Machine(automaton_file(automaton)[1], automaton.system)
    for numbers in product(range(41), repeat=automaton.arity):
        assert machine.accepts(*numbers) == (numbers in automaton), numbers


@pytest.mark.parametrize("system", ["2,1", "3,1", "2,2", "1,1,1,1", "2,1,1"])
def test_the_files_of_a_system_have_all_words_and_their_sums(system):
    system = System.parse(system)
    words, sums = (Machine(file, system) for file in base_files(system).values())
    places = system.places(1_000)[:5]
    for word in product(range(system.base), repeat=len(places)):
        number = sum(digit * place for digit, place in zip(word, places, strict=True))
        digits = [*system.digits(number), *[0] * len(word)][: len(word)]
        assert words.reads([word]) == (digits == list(word)), word
    for a, b in product(range(21), repeat=2):
        assert [c for c in range(41) if sums.accepts(a, b, c)] == [a + b]


def test_of_a_system_that_walnut_does_not_have_the_sums_are_asked_for():
    for system, first in (
        ("2,1", [f'eval g_sums "?msd_u2_1 {written(ADDITION)}":']),
        ("fib", []),
        ("trib", []),
    ):
        number = System.parse(system)
        questions = {"q": Lowering(system=number).condition(parse_condition("x >= 2"))}
        script = script_of(questions, "g", (), number)["Command Files/g.txt"]
        assert script.splitlines() == [*first, f'eval g_q "?{walnut_system_name(number)} 1<vx":']


@pytest.mark.parametrize(("name", "formula", "why"), [
    ("wythoff", "min(x, y) == (abs(x - y) + isqrt(5 * (x - y) * (x - y))) // 2", "square root"),
    ("wythoff", 'accepts("fib: +0,,,0", x, y) or accepts("2,1: +0,,,,0,,,,0", x, y)', "reads both"),
    ("wythoff", 'accepts("fib: +0,,,0", x, y) or accepts("+0,,,0", x, y)', "reads both"),
    ("wythoff", 'accepts("fib: +0,,,0", x, y) or x ^ y == 0', "automatic in fib"),
])  # fmt: skip
def test_what_is_not_told_in_one_system_is_refused(name, formula, why):
    with pytest.raises(OutsideFragment, match=why):
        walnut_files(load_ruleset(name), parse(formula), parse_target("p"), parse_condition("True"))


def test_an_automaton_that_is_too_large_the_other_way_round_is_refused():
    """Refuse to reverse an automaton for "the digit at place 15 is 1", which would have to keep the last 16 digits."""
    rows = "".join(f"-{place + 1},{place + 1} " for place in range(15))
    automaton = DigitAutomaton.parse(f"{rows}-17,16 +16,16 -17,17")
    with pytest.raises(OutsideFragment, match="highest digit"):
        automaton_file(automaton)
