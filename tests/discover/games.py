"""Games that tests of engines learn from, as texts of rulesets, and their solved tables."""

from collections.abc import Sequence
from functools import cache

from grundylab.discover import Candidate, collect
from grundylab.discover.ranking import is_exact
from grundylab.games import make_instance, parse_ruleset, parse_target
from grundylab.games.model import Values
from grundylab.solve import solve
from grundylab.solve.table import Table


def piles(count: int, more: str = "", takes: str = "t") -> str:
    """Return a ruleset with so many piles, from one of which a move takes."""
    text = f"title: t\npiles: {count}\nposition: {{x: 0..N}}\n"
    return text + f'moves: [{{take: "{takes}", from: x}}]\n' + more


def one_pile(takes: str) -> str:
    """Return a ruleset with one pile, from which a move takes these numbers."""
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
    """Return the solved table of a game with this bound, one for each value of its parameters."""
    return list(_solved(game, parse_target(target).values, bound, tuple(values)))


@cache
def _solved(game: str, kind: Values, bound: int, values: tuple[int, ...]) -> tuple[Table, ...]:
    ruleset = parse_ruleset(game)
    settings = [dict.fromkeys(ruleset.parameter_names, value) for value in values or [0]]
    return tuple(solve(make_instance(ruleset, setting, {"N": bound}), kind) for setting in settings)


def holds(candidate: Candidate, larger: list[Table]) -> bool:
    """Tell whether the candidate's formula is right at every position of the tables."""
    return is_exact(candidate.formula, collect(larger, candidate.target))
