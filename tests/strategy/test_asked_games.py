"""Games that people ask about, from contests and textbooks: the strategy found wins by the definition.

Each is learnt from small tables and a formula for P-positions, and tried by the referee in a larger table.
"""

from dataclasses import dataclass

import pytest
from tests.strategy.referee import failures

from grundylab.games import make_instance, parse_ruleset
from grundylab.games.model import Target
from grundylab.language import parse
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.strategy.board import n_positions
from grundylab.strategy.learning import learn
from grundylab.strategy.lines import Aim, claim_of


@dataclass(frozen=True)
class Asked:
    """A game with a formula for its P-positions; sizes of tables to learn from and to try; whether it is proved."""

    rules: str
    lost: str
    small: int
    large: int
    proved: bool = True
    parameters: tuple[dict[str, int], ...] = ({},)


GAMES = {
    "chefbro": Asked(
        "position: {x: 0..N, y: 0..N}\nmoves:\n  - {take: [1, 2], from: x}\n  - {take: [1, 2], from: y}\n"
        "  - {for: {t: 1..2}, when: x >= t and y >= t, to: {x: x - t, y: y - t}}\n",
        "(x + y) % 3 == 0", 10, 20,
    ),
    "chip game": Asked(
        "piles: 2\nposition: {x: 0..N}\nmoves: [{for: {t: 1..x}, when: t % 2 == 1, to: {x: x - t}}]\n",
        "(x + y) % 2 == 0", 10, 20,
    ),
    "box cards": Asked(
        "position: {n: 1..N}\nmoves: [{for: {b: 1..n-1}, when: (n + b) % 2 == 1 and (n + b) % 3 == 0, to: {n: b}}]\n",
        "n % 6 == 1 or n % 6 == 3 or n % 6 == 4", 40, 90,
    ),
    "beans": Asked(
        "position: {x: 0..N}\nmoves:\n  - {take: 1, from: x, when: x >= 3}\n"
        "  - {name: a whole heap, when: x == 2 or x == 3, to: {x: 0}}\n",
        "x == 1 or x != 2 and x % 2 == 0", 40, 90,
    ),
    "a split into halves": Asked(
        "position: {n: 0..N}\nmoves:\n  - {take: 1, from: n}\n"
        "  - {name: split, when: n > 0 and n % 2 == 0, to: [{n: n // 2}, {n: n // 2}]}\n",
        "n == 0 or n > 1 and n % 2 == 1", 40, 90,
    ),
    "divisors": Asked(
        "position: {n: 1..N}\nmoves: [{for: {d: 2..n-1}, when: n % d == 0, to: {n: n - d}}]\n",
        "is_power_of_two(n) if n % 6 == 2 else n % 2 == 1", 128, 200, proved=False,
    ),
    "a circle of coins": Asked(
        'parameters: {K: K >= 2}\nposition: {n: 0..N, c: 0..1}\nmeasure: 2*n + c\nmoves:\n'
        '  - {name: open the circle, for: {t: "1..min(K, n)"}, when: c == 1, to: {n: n - t, c: 0}}\n'
        '  - {name: from a row, for: {t: "1..min(K, n)", a: 0..n-t}, when: c == 0, '
        "to: [{n: a, c: 0}, {n: n - t - a, c: 0}]}\n",
        "n == 0 or c == 1 and n > K", 20, 30, proved=False, parameters=({"K": 2}, {"K": 3}, {"K": 5}),
    ),
    "a half at most": Asked(
        "position: {x: 0..N}\nmoves: [{take: 1..ceil(x/2), from: x}]\n", "is_power_of_two(x + 2)", 60, 150,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_it_is_known_how_to_win(name):
    asked = GAMES[name]
    ruleset = parse_ruleset(f"title: {name}\n{asked.rules}", "asked")
    aim = Aim(parse(asked.lost), Target("p"))
    tables = [solve(make_instance(ruleset, each, {"N": asked.small})) for each in asked.parameters]
    lines = learn(n_positions(tables), aim)
    for each in asked.parameters:
        assert not failures(lines, make_instance(ruleset, each, {"N": asked.large}))
    if asked.proved:
        assert prove_claim(ruleset, claim_of(lines, aim, ruleset)).status == "proved"
