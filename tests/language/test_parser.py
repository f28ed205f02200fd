"""The language reads accepted texts as Python would; it refuses other texts with the exact fault and its column."""

import ast

import pytest

from grundylab.errors import FormulaError
from grundylab.language import Function, Functions, check_names, parse, parse_condition, parse_number
from grundylab.language.syntax import Binary, Bounded, Call, Compare, If, Int, Name, Negate


@pytest.mark.parametrize("text", ["x", "x + h(y)", "any(h(n) == x for n in range(0, y))", "min(x, abs(y))"])
def test_known_names_pass(text):
    check_names(parse(text), ("x", "y"), Functions((Function("h", ("z",), Name("z")),)))


def test_kinds_are_enforced_where_one_is_needed():
    assert parse_condition("x == 1") == parse("x == 1")
    assert parse_number("x + 1") == parse("x + 1")


def test_the_power_bomb_is_a_tree_and_not_a_number():
    assert parse("1 << 1000000000") == Binary("<<", Int(1), Int(10**9))


# Each pair is one tree: the parentheses show how Python, and so the language, reads the left side.
PRECEDENCE = [
    ("x ^ y + 1", "x ^ (y + 1)"),
    ("x ^ y == 0", "(x ^ y) == 0"),
    ("x & 1 == 0", "(x & 1) == 0"),
    ("x | y ^ z & w", "x | (y ^ (z & w))"),
    ("x & y << 1 + z", "x & (y << (1 + z))"),
    ("x - y - z", "(x - y) - z"),
    ("x // y * z % w", "((x // y) * z) % w"),
    ("x + y * z", "x + (y * z)"),
    ("-x + y", "(-x) + y"),
    ("-x * y", "(-x) * y"),
    ("-x % 2", "(-x) % 2"),
    ("x << 1 << 2", "(x << 1) << 2"),
    ("not x == 1 and y == 2", "(not (x == 1)) and (y == 2)"),
    ("x == 1 or y == 2 and z == 3", "(x == 1) or ((y == 2) and (z == 3))"),
    ("1 if x == 1 else 2 if y == 2 else 3", "1 if (x == 1) else (2 if (y == 2) else 3)"),
    ("x + 1 if x == 1 else 2", "(x + 1) if (x == 1) else 2"),
    ("x ^ y ^ z == 1 if p == 1 else x == 0", "(((x ^ y) ^ z) == 1) if (p == 1) else (x == 0)"),
    ("x < y + 1 <= z ^ 1", "x < (y + 1) <= (z ^ 1)"),
]


@pytest.mark.parametrize(("text", "shown"), PRECEDENCE)
def test_precedence_is_pythons(text, shown):
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(shown))
    assert parse(text) == parse(shown)


@pytest.mark.parametrize(
    "text",
    [
        "x ^ (y + 1)", "(x + 1) ^ y", "x ^ y ^ z", "x ^ (y ^ z)", "x & (y | z)", "(x << 1) + y", "x - (y - z)", "x - y - z",
        "x * (y + 1)", "x * y + 1", "-(x + y)", "-x * y", "x - -3", "--x", "x // y * z", "x // (y * z)", "floor((x + 1) / 2)",
        "x ^ y == z", "0 <= x < y", "not x == y", "not (x == y or z == 1)", "x == y and (y == z or z == 1)",
        "(1 if x == y else 2) + 1", "1 if x == y else 2 if y == z else 3", "(1 if x == y else 2) if y == z else 3",
        "any(n == x for n in range(0, y + 1))", "min(x, 1 if x == y else 2)",
    ],
)  # fmt: skip
def test_printed_as_one_would_write_it(text):
    assert str(parse(text)) == text


x, y, z = map(Name, "xyz")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("x ^ y + 1", Binary("^", x, Binary("+", y, Int(1)))),
        ("-x + -2", Binary("+", Negate(x), Int(-2))),
        ("+x", x),
        ("0 <= x < 3", Compare(("<=", "<"), (Int(0), x, Int(3)))),
        ("1 if x < y else 2", If(Compare(("<",), (x, y)), Int(1), Int(2))),
        ("h(x, y // 2)", Call("h", (x, Binary("//", y, Int(2))))),
        ("sum(n for n in range(x, y))", Bounded("sum", "n", x, y, Name("n"))),
        ("0x10 + 0b11 + 0o7", Binary("+", Binary("+", Int(16), Int(3)), Int(7))),
        ("x\n  +\ty", Binary("+", x, y)),
        ("1" * 40, Int(int("1" * 40))),
    ],
)
def test_trees(text, tree):
    assert parse(text) == tree


def test_the_column_counts_characters_of_the_line_as_printed():
    with pytest.raises(FormulaError) as refusal:
        parse("x  +\n 'é' ")
    assert refusal.value.place.column == 5
    assert str(refusal.value).startswith("column 5: ")


# -- piles -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("x ^ ...", "x ^ y ^ z"),
        ("x ^ ... == 0", "x ^ y ^ z == 0"),
        ("p + x ^ ...", "(p + x) ^ (p + y) ^ (p + z)"),
        ("p + (x ^ ...)", "p + (x ^ y ^ z)"),
        ("p + x + ...", "p + x + y + z"),
        ("x + ... + p", "x + y + z + p"),
        ("(p + x) + ...", "(p + x) + (p + y) + (p + z)"),
        ("p - q + x // 2 + ...", "p - q + x // 2 + y // 2 + z // 2"),
        ("p - x - ...", "p - x - y - z"),
        ("2 * x * ...", "2 * x * y * z"),
        ("p ^ (x % 3) ^ ... ^ q", "p ^ (x % 3) ^ (y % 3) ^ (z % 3) ^ q"),
        ("max(x, ..., p)", "max(x, y, z, p)"),
        ("h(p, x, ..., p)", "h(p, x, y, z, p)"),
        ("x == 0 and ... and p == 1", "x == 0 and y == 0 and z == 0 and p == 1"),
        ("(x - 1) + ...", "(x - 1) + (y - 1) + (z - 1)"),
        ("x - ...", "x - y - z"),
        ("x // 2 + ...", "x // 2 + y // 2 + z // 2"),
        ("max(x, ...)", "max(x, y, z)"),
        ("max(p, x % 4, ...)", "max(p, x % 4, y % 4, z % 4)"),
        ("x == 0 and ...", "x == 0 and y == 0 and z == 0"),
        ("p == 1 or x == 0 or ...", "p == 1 or x == 0 or y == 0 or z == 0"),
        ("any(n == x for n in range(0, 2)) or ...", " or ".join(f"any(n == {p} for n in range(0, 2))" for p in "xyz")),
    ],
)  # fmt: skip
def test_dots_repeat_the_expression_of_the_first_pile(text, meaning):
    assert parse(text, ("x", "y", "z")) == parse(meaning)


def test_dots_with_one_pile_are_that_pile():
    assert parse("x ^ ...", ("x",)) == parse("max(x, ...)", ("x",)) == Name("x")
    assert parse("x == 0 and ...", ("x",)) == parse("x == 0")
    assert parse("h(x, ...)", ("x",)) == parse("h(x)")
