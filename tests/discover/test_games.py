"""Games with a known formula: the engines' formulas must hold in larger tables than those they learnt from."""

import pytest
from tests.discover import games
from tests.sizes import thinned
from tests.solved import tables

from grundylab.discover import EngineQuestion, collect, engine_findings
from grundylab.discover.engines import READERS
from grundylab.games import parse_target
from grundylab.language.syntax import Accepts

MAXIMUM_NIM = games.one_pile("1..floor(x/2)")
SMALL, LARGE = {"N": 60, "K": 12}, {"N": 70, "K": 20}
# (engine, game, its text, target, training tables, larger tables, answer): the most nodes of its smallest formula, its
# formula as text, or the states of its automaton; None if that does not matter
ROWS = [
    ("search", "three-pile Nim", games.piles(3), "p", {"N": 12}, {"N": 24}, 5),
    ("search", "four-pile Nim's Grundy numbers", games.piles(4), "grundy", {"N": 7}, {"N": 12}, 7),
    ("search", "a level set of three-pile Nim", games.piles(3), "grundy == 2", {"N": 12}, {"N": 24}, 7),
    ("search", "three-pile Nim with a pass from m stones on", games.PASS_FROM_M, "p", {"N": 24, "m": (4, 8, 12)}, {"N": 32, "m": (16, 20, 64)}, 16),
    ("search", "two-pile Nim with a pass", games.piles(2, games.PASS), "p", {"N": 16}, {"N": 60}, 11),
    ("search", "maximum Nim", MAXIMUM_NIM, "p", {"N": 100}, {"N": 400}, 4),
    ("search", "a level set of maximum Nim", MAXIMUM_NIM, "grundy == 1", {"N": 100}, {"N": 400}, 8),
    ("search", "two kinds of stones", games.TWO_STONES, "p", {"N": 24}, {"N": 60}, 8),
    ("search", "chocolate", games.CHOCOLATE, "p", {"N": 12}, {"N": 32}, 5),
    ("search", "chocolate with a pass", games.CHOCOLATE + games.PASS, "p", {"N": 12}, {"N": 32}, 13),
    ("search", "taking at most m", games.SUBTRACTION, "p", {"N": 50, "m": (1, 2, 3, 5)}, {"N": 80, "m": (7, 11)}, 7),
    ("search", "taking at most m from one of three piles", games.SUBTRACTION_PILES, "p", {"N": 10, "m": (2, 3, 4)}, {"N": 16, "m": (5, 6)}, 17),
    ("search", "Grundy numbers of taking a divisor", games.DIVISORS, "grundy", {"N": 64}, {"N": 400}, 6),
    ("search", "Grundy numbers of delete-nim", games.DELETE_NIM, "grundy", {"N": 24}, {"N": 60}, 10),
    ("search", "three-pile maximum Nim", games.MAXIMUM_NIM_PILES, "p", {"N": 14}, {"N": 32}, 29),
    ("search", "Grundy numbers of taking at most m", games.SUBTRACTION, "grundy", {"N": 50, "m": (1, 2, 3, 5)}, {"N": 80, "m": (7, 11)}, 5),
    ("tree", "three-pile Nim", games.piles(3), "p", {"N": 12}, {"N": 24}, None),
    ("tree", "chocolate", games.CHOCOLATE, "p", {"N": 12}, {"N": 32}, None),
    ("tree", "taking at most m", games.SUBTRACTION, "p", {"N": 50, "m": (1, 2, 3, 5)}, {"N": 80, "m": (7, 11)}, None),
    ("tree", "Grundy numbers of taking at most m", games.SUBTRACTION, "grundy", {"N": 50, "m": (1, 2, 3, 5)}, {"N": 80, "m": (7, 11)}, None),
    ("tree", "three-pile Nim with a pass from m stones on", games.PASS_FROM_M, "p", {"N": 24, "m": (4, 8, 12)}, {"N": 32, "m": (16, 20, 64)}, None),
    ("periods", "two-pile Nim", games.piles(2), "p", {"N": 20}, {"N": 60}, "x == y"),
    ("periods", "two-pile Nim with a pass", games.piles(2, games.PASS), "p", {"N": 40}, {"N": 60},
     "y == (x if p == 0 else 0 if x == 0 else x - 1 if x % 2 == 0 else x + 1)"),
    ("periods", "split or take", games.SPLIT_OR_TAKE, "grundy", {"N": 40}, {"N": 90},
     "0 if x == 0 else x - 1 if x % 4 == 0 else x + 1 if x % 4 == 3 else x"),
    ("periods", "Grundy numbers of taking up to 3", games.one_pile("1..min(x, 3)"), "grundy", {"N": 40}, {"N": 90}, "x % 4"),
    ("periods", "taking up to 3", games.one_pile("1..min(x, 3)"), "p", {"N": 40}, {"N": 90}, "x % 4 == 0"),
    ("periods", "taking 2 or 3", games.one_pile("2..min(x, 3)"), "grundy", {"N": 40}, {"N": 90}, "x % 5 // 2"),
    ("periods", "Wythoff's game", games.WYTHOFF, "p", {"N": 40}, {"N": 120},
     "min(x, y) == (abs(x - y) + isqrt(5 * abs(x - y) * abs(x - y))) // 2"),
    ("periods", "near Wythoff's game", games.NEAR_DIAGONAL, "p", {"N": 60}, {"N": 90},
     "(x - y) % 2 == 0 and min(x, y) == isqrt(2 * (abs(x - y) // 2) * (abs(x - y) // 2))"),
    ("automata", "two-pile Nim", games.piles(2), "p", {"N": 16}, {"N": 60}, "2 states"),
    ("automata", "three-pile Nim", games.piles(3), "p", {"N": 12}, {"N": 24}, "2 states"),
    ("automata", "four-pile Nim", games.piles(4), "p", {"N": 7}, {"N": 12}, "2 states"),
    ("automata", "a level set of three-pile Nim", games.piles(3), "grundy == 2", {"N": 12}, {"N": 24}, "4 states"),
    ("automata", "two-pile Nim with a pass", games.piles(2, games.PASS), "p", {"N": 16}, {"N": 60}, "5 states"),
    ("automata", "a level set of two-pile Nim with a pass", games.piles(2, games.PASS), "grundy == 2", {"N": 100}, {"N": 130}, "22 states"),
    ("automata", "misère Nim", games.piles(3, "play: misere\n"), "p", {"N": 20}, {"N": 32}, "5 states"),
    ("automata", "two kinds of stones", games.TWO_STONES, "p", {"N": 16}, {"N": 40}, "4 states"),
    ("automata", "chocolate with a pass", games.CHOCOLATE + games.PASS, "p", {"N": 16}, {"N": 32}, "5 states"),
    ("automata", "heaps of 1 and 2", games.HEAPS, "p", {"N": 30}, {"N": 60}, "3 states"),
    ("automata", "heaps of 1 and 2 with a pass", games.HEAPS + games.PASS, "p", {"N": 30}, {"N": 60}, "7 states"),
    ("automata", "Wythoff's game, in Fibonacci digits", games.WYTHOFF, "p", {"N": 32}, {"N": 100}, "7 states"),
    ("automata", "three-pile Nim with a pass from m stones on", games.PASS_FROM_M, "p", {"N": 24, "m": range(4, 33, 4)}, {"N": 32, "m": (16, 20, 64)}, "8 states"),
    ("runs", "taking c to d", games.BETWEEN, "p", {"c": (1, 2, 3), "d": (3, 4, 6), "N": 60}, {"c": 5, "d": (5, 9), "N": 300}, "x % (c + d) < c"),
    ("runs", "as many in every turn", games.turns("m", "m: m >= 1"), "p", {"m": (1, 2, 3), "N": 30, "K": 8}, {"m": 7, **LARGE}, "u % (m + 1) == 0"),
    ("runs", "the turn to twice the turn", games.DOUBLE, "p", SMALL, LARGE, None),
    ("runs", "every other turn", games.BY_TWO, "p", SMALL, LARGE,
     "any(j * (2 * j + k - 1) <= u <= j * (2 * j + k + 1) for j in range(0, u + 1))"),
    ("runs", "two parameters", games.turns("m*k + c", "m: m >= 0, c: c >= 1"), "p",
     {"m": (0, 1, 2), "c": (1, 2, 3), "N": 40, "K": 10}, {"m": 3, "c": 5, **LARGE},
     "any(j * (m * (j + k - 1) + c + 1) <= u <= j * (m * (j + k) + c + 1) for j in range(0, u + 1))"),
    ("runs", "half the turn", games.turns("k // 2 + 1"), "p", SMALL, LARGE, None),
    ("runs", "any number in the first turn", games.turns("m if k == 1 else k", "m: m >= 1"), "p", {"m": (1, 3, 8), **SMALL}, {"m": (2, 5, 20), **LARGE}, None),
    *(("runs", f"turn-limit-{name}", f"turn-limit-{name}", "p", SMALL, LARGE, games.SUMS)
      for name in ("square", "power-3-2", "log2", "log10", "fibonacci", "tribonacci")),
]  # fmt: skip
CASES = {row[:2]: row[2:] for row in ROWS}


@pytest.mark.parametrize(
    ("engine", "name"), thinned(CASES, 2, lambda case: case[0] not in ("search", "tree"))
)
def test_a_game__has_a_formula_that_is_found_and_holds_on_larger_tables(engine, name):
    game, target, training, larger, answer = CASES[engine, name]
    learnt, question = tables(game, target, **training), EngineQuestion(parse_target(target))
    if engine in READERS:  # from these tables alone
        found = question.about(engine, collect(learnt, question.target))
    else:
        (found,) = engine_findings(learnt, question, [engine])
    exact = [candidate.formula for candidate in found.candidates if candidate.exact]
    best = found.candidates[0]
    assert best.formula in exact
    assert games.holds(best, tables(game, target, **larger)), str(best.formula)
    if isinstance(answer, int):
        assert min(formula.size for formula in exact) <= answer
    elif answer is not None:
        automaton = isinstance(best.formula, Accepts)
        assert (f"{best.formula.automaton.states} states" if automaton else str(best.formula)) == answer
