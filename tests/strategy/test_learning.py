"""Strategies that are known from books are learnt from small tables, with their conditions."""

import pytest
from tests.solved import solved_table
from tests.strategy.referee import failures

from grundylab.games.model import Target
from grundylab.language import parse
from grundylab.solve.table import Table
from grundylab.strategy import learning
from grundylab.strategy.board import n_positions
from grundylab.strategy.learning import learn, right, with_readable_conditions
from grundylab.strategy.lines import Aim

GAMES = [
    # game, tables, formula for P-positions, condition on it, lines: (move, condition, choices)
    ("nim-2", [{"N": 12}], "x == y", "True", [(0, "x > y", "x - y"), (1, "y > x", "y - x")]),
    (
        "nim",
        [{"N": 8}],
        "x ^ y ^ z == 0",
        "True",
        [
            (0, "x > y ^ z", "x - (y ^ z)"),
            (1, "y > x ^ z", "y - (x ^ z)"),
            (2, "z > x ^ y", "z - (x ^ y)"),
        ],
    ),
    (
        "subtraction-1-to-m",
        [{"m": m, "N": 30} for m in (2, 3, 5)],
        "x % (m + 1) == 0",
        "True",
        [(0, "True", "x % (m + 1)")],
    ),
    ("max-nim-floor", [{"N": 60}], "is_power_of_two(x + 1)", "True", [(0, "True", "x + 1 - (1 << floor_log2(x + 1))")]),
]  # fmt: skip


def _learnt(tables: list[Table], aim: Aim | None):
    ruleset = tables[0].instance.ruleset
    return with_readable_conditions(
        learn(n_positions(tables, aim.where if aim else parse("True")), aim), ruleset
    )


@pytest.mark.parametrize(
    ("game", "tables", "formula", "where", "lines"), GAMES, ids=[each[0] for each in GAMES]
)
def test_a_known_strategy_is_found(game, tables, formula, where, lines):
    aim = Aim(parse(formula), Target("p"), parse(where))
    found = _learnt([solved_table(game, **each) for each in tables], aim)
    assert [(each.number, str(each.when), *map(str, each.choices)) for each in found] == lines


def test_it_wins_at_every_position_of_a_larger_table_of_nim_with_a_pass():
    aim = Aim(parse("x ^ y ^ z == (0 if x + y + z < m else p)"), Target("p"), parse("m % 4 == 0"))
    found = _learnt([solved_table("nim-with-a-pass-from-m", "outcome", m=m, N=6) for m in (4, 8)], aim)
    larger = solved_table("nim-with-a-pass-from-m", "outcome", m=12, N=9)
    assert not failures(found, larger.instance, aim)


def test_a_sum_is_known_by_grundy_numbers():
    """In Lasker's Nim a pile may be split: its outcome does not follow from those of the parts."""
    table = solved_table("laskers-nim", N=40)
    assert failures([], table.instance)
    found = _learnt([table], None)
    assert not failures(found, solved_table("laskers-nim", N=60).instance)


def test_the_golden_ratio_is_suggested_by_an_automaton_that_reads_fibonacci_digits():
    """Wythoff's game: from y, the P-positions (x, y) are found by multiples of the golden ratio, rounded down."""
    table = solved_table("wythoff", N=30)
    losing = parse('accepts("fib: +1,2,3, +0,,, -,,4, -,5,, +4,2,, +5,,3,", x, y)')
    found = _learnt([table], Aim(losing, Target("p")))
    assert not failures(found, solved_table("wythoff", N=45).instance)


def test_a_remainder_is_solved_for_a_pile_in_a_nim_sum():
    """Take one to three stones from one of three piles: P-positions are those whose nim-sum is divisible by 4."""
    game = "title: Three at most\npiles: 3\nposition: {x: 0..N}\nmoves: [{take: '1..min(3, x)', from: x}]\n"
    table = solved_table(game, N=8)
    found = _learnt([table], Aim(parse("((x ^ y) - z) % 4 == 0"), Target("p")))
    assert [str(line.choices[0]) for line in found] == [
        "(x - (y ^ z)) % 4",
        "(y - (x ^ z)) % 4",
        "(z - (x ^ y)) % 4",
    ]
    assert not failures(found, solved_table(game, N=10).instance)


def test_a_line_whose_condition_is_true_nowhere_leaves_the_positions_to_the_lines_after_it():
    (first, second) = _learnt([solved_table("nim-2", N=6)], Aim(parse("x == y"), Target("p"), parse("True")))
    boards = n_positions([solved_table("nim-2", N=6)], parse("x < y"))
    assert right(boards, [first]).tolist() == [False] * len(boards)
    assert right(boards, [first, second]).all()


def test_only_so_many_choices_of_formulas_are_compared_with_the_positions(monkeypatch):
    compared = list[int]()
    monkeypatch.setattr(learning, "MOST_TRIED", 3)
    monkeypatch.setattr(learning, "_option", lambda _, number, choices: compared.append(number))
    learn(n_positions([solved_table("nim", N=4)]), None)
    assert compared == [0, 1, 2]
