"""Games with a known formula: the engines' formulas must hold in larger tables than those they learnt from."""

from collections.abc import Sequence

import pytest
from tests.sizes import thinned

from grundylab.discover import Candidate, EngineQuestion, collect, discover, engine_findings
from grundylab.discover.ranking import is_exact
from grundylab.games import make_instance, parse_ruleset, parse_target
from grundylab.solve import solve
from grundylab.solve.table import Table


def piles(count: int, more: str = "", takes: str = "t") -> str:
    text = f"title: t\npiles: {count}\nposition: {{x: 0..N}}\n"
    return text + f'moves: [{{take: "{takes}", from: x}}]\n' + more


def one_pile(takes: str) -> str:
    return piles(1, takes=takes)


PASS = "pass: {when: True}\n"
PASS_FROM_M = piles(3, "parameters: {m: m >= 1}\npass: {when: x + ... >= m}\n")
SUBTRACTION = one_pile("1..min(x, m)") + "parameters: {m: m >= 1}\n"
TWO_STONES = """title: t
position: {x: 0..N, y: 0..N}
moves:
  - {for: {t: 0..x, u: 0..y}, when: "1 <= t + 2*u <= ceil((x + 2*y)/2)", to: {x: x - t, y: y - u}}
"""
CHOCOLATE = """title: t
position: {x: 0..N, y: 0..N, z: 0..N}
where: y <= h(z)
functions: {h(z): floor(z/2)}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
  - {for: {w: 0..z-1}, to: {z: w, y: "min(y, h(w))"}}
"""
WYTHOFF = """title: t
position: {x: 0..N, y: 0..N}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
  - {for: {t: "1..min(x, y)"}, to: {x: x - t, y: y - t}}
"""
DELETE_NIM = """title: t
position: {x: 0..N, y: 0..N}
moves:
  - {for: {a: 0..x-1}, to: {x: a, y: x - 1 - a}}
  - {for: {a: 0..y-1}, to: {x: a, y: y - 1 - a}}
"""
DIVISORS = """title: t
position: {x: 1..N}
moves: [{for: {t: 1..x-1}, when: x % t == 0, to: {x: x - t}}]
"""
SUBTRACTION_PILES = piles(3, "parameters: {m: m >= 1}\n", "1..min(m, x)")
MAXIMUM_NIM_PILES = piles(3, takes="1..floor(x/2)")


def tables(game: str, target: str, bound: int, values: Sequence[int] = ()) -> list[Table]:
    ruleset = parse_ruleset(game)
    settings = [dict.fromkeys(ruleset.parameter_names, value) for value in values or [0]]
    instances = [make_instance(ruleset, setting, {"N": bound}) for setting in settings]
    return [solve(instance, parse_target(target).values) for instance in instances]


def holds(candidate: Candidate, larger: list[Table]) -> bool:
    return is_exact(candidate.formula, collect(larger, candidate.target))


GAMES = {
    "three-pile Nim": (piles(3), "p", 12, (), 24, (), 5),
    "four-pile Nim's Grundy numbers": (piles(4), "grundy", 7, (), 12, (), 7),
    "a level set of three-pile Nim": (piles(3), "grundy == 2", 12, (), 24, (), 7),
    "three-pile Nim with a pass from m stones on": (PASS_FROM_M, "p", 24, (4, 8, 12), 32, (16, 20, 64), 16),
    "two-pile Nim with a pass": (piles(2, PASS), "p", 16, (), 60, (), 11),
    "maximum Nim": (one_pile("1..floor(x/2)"), "p", 100, (), 400, (), 4),
    "a level set of maximum Nim": (one_pile("1..floor(x/2)"), "grundy == 1", 100, (), 400, (), 8),
    "two kinds of stones": (TWO_STONES, "p", 24, (), 60, (), 8),
    "chocolate": (CHOCOLATE, "p", 12, (), 32, (), 5),
    "chocolate with a pass": (CHOCOLATE + PASS, "p", 12, (), 32, (), 13),
    "taking at most m": (SUBTRACTION, "p", 50, (1, 2, 3, 5), 80, (7, 11), 7),
    "taking at most m from one of three piles": (SUBTRACTION_PILES, "p", 10, (2, 3, 4), 16, (5, 6), 17),
    "Grundy numbers of taking a divisor": (DIVISORS, "grundy", 64, (), 400, (), 6),
    "Grundy numbers of delete-nim": (DELETE_NIM, "grundy", 24, (), 60, (), 10),
    "three-pile maximum Nim": (MAXIMUM_NIM_PILES, "p", 14, (), 32, (), 29),
    "Wythoff's game": (WYTHOFF, "p", 40, (), 120, (), 23),
    "Grundy numbers of taking at most m": (SUBTRACTION, "grundy", 50, (1, 2, 3, 5), 80, (7, 11), 5),
}


BEATTY = "Wythoff's game"
TREES = ["three-pile Nim", "chocolate", "taking at most m", "Grundy numbers of taking at most m",
         "three-pile Nim with a pass from m stones on"]  # fmt: skip


@pytest.mark.parametrize(
    ("engine", "name"),
    thinned(
        [
            *(("search", name) for name in GAMES if name != BEATTY),
            *(("tree", name) for name in TREES),
            ("periods", BEATTY),
        ],
        2,
        lambda case: case[0] == "periods",
    ),
)
def test_a_formula_is_found_that_holds_on_larger_tables_by_search_a_small_one(engine, name):
    game, target, bound, values, larger, others, size = GAMES[name]
    (found,) = engine_findings(
        tables(game, target, bound, values), EngineQuestion(parse_target(target)), [engine]
    )
    best = found.candidates[0]
    assert best.exact
    small = min((each for each in found.candidates if each.exact), key=lambda each: each.size)
    assert engine == "tree" or small.size <= size, str(small.formula)
    assert holds(best, tables(game, target, larger, others)), str(best.formula)


@pytest.mark.parametrize("engine", ["search", "tree"])
@pytest.mark.parametrize("target", ["p", "grundy", "grundy == 1"])
def test_a_game_without_a_formula_gives_candidates_labelled_partial(engine, target):
    found = discover(tables(WYTHOFF, target, 14), parse_target(target), engine=engine, budget=1)
    assert found
    assert all(0 < candidate.share <= 1 for candidate in found)
    assert all(candidate.size <= 120 for candidate in found)
