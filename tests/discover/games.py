"""Games that tests of engines learn from, as texts of rulesets."""

from grundylab.discover import collect
from grundylab.discover.ranking import is_exact
from grundylab.records.finding import Finding
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


ROWS_OF_PINS = """title: t
position: {x: 0..N}
moves:
  - {for: {t: 1..2, a: 0..x-t}, to: [{x: a}, {x: x - t - a}]}
"""
SPLIT_OR_TAKE = """title: t
position: {x: 0..N}
moves:
  - {take: t, from: x}
  - {for: {a: 1..x-1}, to: [{x: a}, {x: x - a}]}
"""
# Wythoff's game where the two numbers taken may also differ by one (Fraenkel 1982).
NEAR_DIAGONAL = """title: t
position: {x: 0..N, y: 0..N}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
  - {for: {t: 1..x, u: 1..y}, when: abs(t - u) < 2, to: {x: x - t, y: y - u}}
"""
HEAPS = """title: t
position: {m1: 0..N, m2: 0..floor((N - m1)/2)}
measure: m1 + 2*m2
moves:
  - {name: one, when: m1 >= 1, to: {m1: m1 - 1}}
  - {name: two, when: m2 >= 1, to: {m2: m2 - 1}}
  - {name: break, when: m2 >= 1, to: {m1: m1 + 1, m2: m2 - 1}}
"""


def turns(limit: str, parameters: str = "") -> str:
    return f"""title: t
parameters: {{{parameters}}}
position: {{u: 0..N, k: 1..K + N - u}}
measure: u
functions:
  f(k): {limit}
moves: [{{for: {{t: "1..min(u, f(k))"}}, to: {{u: u - t, k: k + 1}}}}]
"""


BETWEEN = """title: t
parameters: {c: c >= 1, d: d >= c}
position: {x: 0..N}
moves: [{take: "c..min(x, d)", from: x}]
"""
DOUBLE = """title: t
position: {u: 0..N, k: 1..K + N - u}
measure: u
moves: [{for: {t: "k..min(u, 2*k)"}, to: {u: u - t, k: k + 1}}]
"""
BY_TWO = """title: t
position: {u: 0..N, k: 1..K + 2*N - 2*u}
measure: u
moves: [{for: {t: "1..min(u, k)"}, to: {u: u - t, k: k + 2}}]
"""


# the unions of runs of every game that limits each turn by a function that never decreases
SUMS = (
    "any(j + sum(f(k + 2 * i) for i in range(0, j)) <= u <= j + sum(f(k + 2 * i + 1) for i in range(0, j)) "
    "for j in range(0, u + 1))"
)


def holds(candidate: Finding, larger: list[Table]) -> bool:
    """Tell whether the candidate's formula is right at every position of the tables."""
    return is_exact(candidate.formula, collect(larger, candidate.target))
