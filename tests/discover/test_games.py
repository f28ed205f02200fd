"""Games with a known formula: the engines' formulas must hold in larger tables than those they learnt from."""

import pytest
from tests.discover.games import (
    CHOCOLATE,
    DELETE_NIM,
    DIVISORS,
    MAXIMUM_NIM_PILES,
    PASS,
    PASS_FROM_M,
    SUBTRACTION,
    SUBTRACTION_PILES,
    TWO_STONES,
    WYTHOFF,
    holds,
    one_pile,
    piles,
    tables,
)
from tests.sizes import thinned

from grundylab.discover import EngineQuestion, engine_findings
from grundylab.games import parse_target

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
