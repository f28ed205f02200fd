"""Files for other programs: scripts for Walnut, of games with each construct and of automata in other digits.

These were checked by a slow reader of Walnut's language, and some in Walnut itself (docs/exports.md): of a script that
changes, that has to be done again.
"""

import pytest

from grundylab.games import load_ruleset, parse_ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.prove.second_opinion import walnut_files

TWO_PILES = "title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: '1..min(2, x)', from: x}]\n"
TAKE_TO_M = (
    "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(m, x)', from: x}]\n"
)
GAMES = {
    "true": (TWO_PILES, "p", "(x % 3) ^ (y % 3) == 0", "True"),
    "pass": (TWO_PILES + "pass: {when: x + ... >= 2}\n", "p", "(x % 3) ^ (y % 3) == 0", "p == 0"),
    "misere": ("title: t\nposition: {x: 0..N}\nmoves: [{take: '1..min(2, x)', from: x}]\nplay: misere\n", "p", "x % 3 == 1", "True"),
    "grundy": ("title: t\nposition: {x: 0..N}\nmoves: [{take: '1..min(2, x)', from: x}]\n", "grundy", "x % 3", "True"),
    "sums": ("title: t\nposition: {x: 0..N}\nmoves: [{for: {a: 1..x-1}, to: [{x: a}, {x: x - a}]}]\n", "grundy", "0 if x == 0 else (x - 1) * 0 + (1 if x % 2 == 0 else 0)", "True"),
    "leaves": ("title: t\nposition: {x: 0..N}\nwhere: x != 2\nmoves: [{take: '1..min(2, x)', from: x}]\n", "p", "x % 3 == 0", "True"),
    "ceil": ("title: t\nposition: {x: 0..N}\nmoves: [{take: '1..ceil(x/2)', from: x}]\n", "p", "is_power_of_two(x + 2)", "True"),
    "never": (TWO_PILES, "p", "False", "x >= 1"),
    "divided-by-a-parameter": (TAKE_TO_M, "grundy", "x % (m + 1)", "m == 2"),
    "shifted-by-a-coordinate": (TWO_PILES + "pass: {}\n", "p", "(x % 3) ^ (y % 3) == 0 << p", "p == 0"),
    "powers": (TAKE_TO_M, "p", "x % 3 == 0 and all(x % (1 << i) == 0 for i in range(0, m))", "m == 2"),
}  # fmt: skip
CLAIMS = {
    "wythoff": 'accepts("fib: +1,,2, +0,,, -,3,, +3,,2,", min(x, y), max(x, y))',
    "wythoff-2": 'accepts("2,1: +1,,,2,,,3,, +0,,,,,,,, -,4,,,2,,,, -,,4,,,2,,, +4,,,2,,,3,,", min(x, y), max(x, y))',
    "nim-2": 'accepts("trib: +0,,,1 +0,,,2 +0,,,", x, y)',
    "nim-2-binary": 'accepts("+0,,,0", x, y)',
}


def script(name):
    """Return the files of a game or claim as one text, each below its path."""
    if name in GAMES:
        text, target, formula, where = GAMES[name]
        ruleset = parse_ruleset(text)
    else:
        ruleset, target, formula, where = (
            load_ruleset(name.removesuffix("-binary")),
            "p",
            CLAIMS[name],
            "True",
        )
    tree = parse(formula, ruleset.piles)
    files = walnut_files(ruleset, tree, parse_target(target), parse_condition(where), "g")
    return "".join(f"== {path}\n{content}" for path, content in files.items())


@pytest.mark.parametrize("name", [*GAMES, *CLAIMS])
def test_walnut(name, golden):
    assert script(name) == golden
