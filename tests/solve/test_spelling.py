"""The spelling of a linear expression changes neither the game nor the way in which it is solved."""

import numpy as np
import pytest

from grundylab.games import make_instance, parse_ruleset
from grundylab.games.linear_moves import (
    affine_form,
    is_sum_of_products,
    lowers_sum,
    measure_weights,
    standard_form,
)
from grundylab.games.shapes import Take
from grundylab.language import parse
from grundylab.language.syntax import Binary, Int, Name
from grundylab.solve.reference import solve_reference
from grundylab.solve.sweeps import describe_sweep, solve_sweep

HEAD = "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N, y: 0..N, s: 0..2}\n"


def game(*moves, more=""):
    return parse_ruleset(HEAD + f"moves: [{', '.join(moves)}]\n{more}", "t")


TAKE_Y = "{take: t, from: y}"
DOWN = '{when: "s >= 1 and x + y >= 2", to: {s: s - 1}}'
SPELLINGS = {
    "{for: {t: 1..x}, to: {x: x - t}}": [
        "{for: {t: 1..x}, to: {x: -t + x}}",
        "{for: {t: 1..x}, to: {x: x - 1*t}}",
        "{for: {t: 1..x}, to: {x: x + -t}}",
        "{for: {t: 1..x}, to: {x: 0 - (t - x)}}",
        "{for: {t: 1..x}, to: {x: (x + 1) - t - 1}}",
        "{for: {t: 1..x}, to: {x: 2*x - x - t}}",
        "{for: {t: 1..x + 0}, to: {x: x - t}}",
        "{for: {t: 2 - 1..1*x}, to: {x: x - t, y: y + 0}}",
        "{for: {t: 1..x}, to: {x: -t + x, y: 2*y - y, s: s*1}}",
    ],
    "{for: {w: 0..x - 1}, to: {x: w}}": [
        "{for: {w: 0..-1 + x}, to: {x: w}}",
        "{for: {w: 1 - 1..x - 1}, to: {x: 0 + w}}",
        "{for: {w: 0*3..x - 3 + 2}, to: {x: w*1}}",
    ],
    '{for: {t: "1..min(x, 3)"}, to: {x: x - t}}': [
        '{for: {t: "1..min(x, 3)"}, to: {x: -t + x}}',
        '{for: {t: "3 - 2..min(x, 3)"}, to: {x: x - t + 0}}',
    ],
}
PAIRS = [(plain, spelled) for plain, others in SPELLINGS.items() for spelled in others]


@pytest.mark.parametrize(("plain", "spelled"), PAIRS)
def test_games_that_are_spelled_otherwise_are_swept_alike(plain, spelled):
    one, other = game(plain, TAKE_Y, DOWN), game(spelled, TAKE_Y, DOWN)
    assert one.hash == other.hash
    first, second = (make_instance(ruleset, {"m": 1}, {"N": 6}) for ruleset in (one, other))
    for kind in ("outcome", "grundy"):
        assert describe_sweep(first, kind) == describe_sweep(second, kind)
        swept = solve_sweep(second, kind)
        assert np.array_equal(swept.values, solve_reference(first, kind).values)


def test_a_level_that_leaves_the_axes_alone_may_say_so_in_any_way():
    plain = game("{take: t, from: x}", TAKE_Y, DOWN)
    spelled = game("{take: t, from: x}", TAKE_Y, DOWN.replace("s: s - 1", "s: -1 + s, x: x - 0, y: 0 + y"))
    ways = {
        describe_sweep(make_instance(ruleset, {"m": 1}, {"N": 6}), "grundy") for ruleset in (plain, spelled)
    }
    assert len(ways) == 1


def test_a_number_that_is_plain_for_one_value_of_a_parameter_is_swept_there():
    ruleset = game('{for: {t: "1..x"}, when: "True", to: {x: x - m*t, y: y, s: s}}', TAKE_Y, DOWN)
    instance = make_instance(ruleset, {"m": 1}, {"N": 6})
    assert describe_sweep(instance, "grundy").startswith("the values already")
    assert np.array_equal(solve_sweep(instance, "grundy").values, solve_reference(instance, "grundy").values)


def test_what_is_not_the_same_is_not_read_as_the_same():
    for move in (
        "{for: {t: 1..x}, to: {x: t - x}}",
        '{for: {t: "1..x // 2"}, to: {x: x - 2*t}}',
        "{for: {t: 1..x}, to: {x: x - t + 1}}",
        "{for: {t: 1..x}, to: {x: x - t - y}}",
        "{for: {t: 1..x}, to: {x: x - t*t}}",
        "{for: {t: 2..x}, to: {x: -t + x}}",
    ):
        assert not isinstance(game(move).shapes[0], Take), move


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("x", {"x": 1}), ("7", {"": 7}), ("0", {}), ("x - x", {}), ("-(x - 3*y) + 2", {"x": -1, "y": 3, "": 2}),
        ("(2 + 3)*(x + 1)", {"x": 5, "": 5}), ("x*y", None), ("x // 1", None), ("x + 1 // z", None), ("0*(1 // x)", None),
        ("x ^ y", None), ("min(x, x)", None),
    ],
)  # fmt: skip
def test_linear_forms(text, form):
    assert affine_form(parse(text)) == form


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("-t + x", "x - t"), ("1 + x", "x + 1"), ("-1 + x", "x - 1"), ("4 - 6", "-2"), ("0 + x", "x"), ("x - t - 1", "x - t - 1"),
        ("2*x - x", "x"), ("x - 2*t", "x - 2*t"), ("x + y", "x + y"), ("-x", "-x"), ("1 - x", "1 - x"), ("x // 2", "x // 2"),
    ],
)  # fmt: skip
def test_only_the_plainest_forms_are_written_anew(text, plain):
    assert standard_form(parse(text)) == parse(plain)


def test_a_shared_number_is_read_once_a_part():
    expr = Name("x")
    for _ in range(40):
        expr = Binary("-", Binary("+", expr, expr), expr)
    assert affine_form(expr) == {"x": 1}
    assert standard_form(Binary("-", expr, Int(0))) == Name("x")


def test_a_measure_weighs_the_coordinates_however_it_is_spelled():
    assert (
        measure_weights(parse("x + 2*y"), ("x", "y"))
        == measure_weights(parse("(y + x) + y*1"), ("x", "y"))
        == {"x": 1, "y": 2}
    )
    for text in ("x + 1", "x*y", "x + w", "max(x, y)", "3"):
        assert measure_weights(parse(text), ("x", "y")) is None


def test_products_are_seen_and_nothing_else_is_taken_for_one():
    assert all(is_sum_of_products(parse(text)) for text in ("x*x", "2*x*y + x + 3", "(x + 1)*(x + y)"))
    others = (
        "x + 2*y",
        "x*x - y",
        "x*x - x*x + y",
        "x*x + max(x, y)",
        "x*x + 0*(1 // x)",
        "x + 0*x*y",
        "7",
        "x // x",
    )
    assert not any(is_sum_of_products(parse(text)) for text in others)


def test_what_a_move_does_to_the_sum_is_seen_in_its_form():
    falling = (
        "{take: t, from: x}", "{for: {t: 1..x, u: 0..t}, to: {x: x - t, y: y + u - 1}}",
        "{for: {a: 0..x - 1}, to: {x: a}}", '{for: {t: "1..min(2, x)", a: 0..x-t}, to: {x: x - a - t}}',
        '{for: {t: "max(1, y)..x"}, to: {x: x - t}}',
    )  # fmt: skip
    others = (
        "{for: {t: 0..x}, to: {x: x - t}}", "{for: {t: 1..x}, to: {x: x - t, y: y + t}}",
        "{when: x >= 1, to: {x: 0}}", "{for: {t: 1..x}, to: {x: x - t*t}}", "{when: x >= 1, to: {x: x // 2}}",
    )  # fmt: skip
    for move, falls in [*((move, True) for move in falling), *((move, False) for move in others)]:
        assert lowers_sum(game(move).moves[0], ("x", "y", "s")) == falls, move
