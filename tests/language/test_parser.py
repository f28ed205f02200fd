"""The language reads accepted texts as Python would; it refuses other texts with the exact fault and its column."""

import ast

import pytest

from grundylab.errors import FormulaError
from grundylab.language import Function, Functions, check_names, parse, parse_condition, parse_number
from grundylab.language.syntax import Binary, Bounded, Call, Compare, If, Int, Name, Negate

ONLY = "is not in the language: only integers, True and False are"
NAMING = "use letters, digits and '_', as in m1"

DIGITS = "write a number with its digits alone, and a space after it"
QUOTED = "an automaton is one text in plain quotation marks"
A_STATE = "but a state is + or -, and for each symbol the number of the next state or nothing, as in '+0,,,0'"

REFUSED = [
    # (text, column, words)
    ("", None, "the formula is empty"),
    ("  \n ", None, "the formula is empty"),
    ("x ** 2", 1, "'x ** 2': powers are not in the language ('^' is nim-sum): write products, or 1 << n for a power of two"),
    ("y + x.real", 5, "'x.real': attributes are not in the language"),
    ("x[0]", 1, "'x[0]': indexing is not in the language"),
    ("lambda x: x", 1, "'lambda x: x': lambda is not in the language: define a function in the ruleset"),
    ("[x, y]", 1, "'[x, y]': lists are not in the language"),
    ("(x, y)", 1, "'(x, y)': tuples are not in the language: is a comma or a function's name missing?"),
    ("x == 1, 2", 1, "'x == 1, 2': tuples are not in the language: is a comma or a function's name missing?"),
    ("~x", 1, "'~x': '~' is not in the language"),
    ("x @ y", 1, "'x @ y': '@' is not in the language"),
    ("x in (1, 2)", 1, "'x in (1, 2)': 'in' is not in the language: write x == 1 or x == 2"),
    ("x is 1", 1, "'x is 1': 'is' is not in the language: write =="),
    ("x not in y", 1, "'x not in y': this comparison is not in the language"),
    ("(x := 1)", 2, "'x := 1': ':=' is not in the language: write =="),
    ("{x}", 1, "'{x}': 'Set' is not in the language"),
    ("{x: 1}", 1, "'{x: 1}': 'Dict' is not in the language"),
    ("[n for n in range(0, 3)]", 1, "'[n for n in range(0, 3)]': 'ListComp' is not in the language"),
    ("await x", 1, "'await x': 'Await' is not in the language"),
    ("f'{x}'", 1, "'f'{x}'': text is not in the language"),
    ("'x'", 1, f"''x'': 'x' {ONLY}"),
    ("x == b'1'", 6, f"'b'1'': b'1' {ONLY}"),
    ("1.5 * x", 1, f"'1.5': 1.5 {ONLY}"),
    ("x + 2j", 5, f"'2j': 2j {ONLY}"),
    ("None", 1, f"'None': None {ONLY}"),
    ("'" + "a" * 100 + "'", 1, f"''{'a' * 56}…': '{'a' * 56}… {ONLY}"),
    ("__import__('os')", 1, f"'__import__' cannot be a name: {NAMING}"),
    ("__class__ + 1", 1, f"'__class__' cannot be a name: {NAMING}"),
    ("any(_n == x for _n in range(0, 3))", 1, f"'_n' cannot be a name: {NAMING}"),
    ("é + 1", 1, f"'é' cannot be a name: {NAMING}"),
    ("α(1)", 1, f"'α' cannot be a name: {NAMING}"),
    ("min", 1, "'min': 'min' is a function: write min(…)"),
    ("x + range", 5, "'range': 'range' is a function: write range(…)"),
    ("h(z=1)", 1, "'h(z=1)': a call is name(argument, …), without keywords"),
    ("h(1)(2)", 1, "'h(1)(2)': a call is name(argument, …), without keywords"),
    ("x.h(1)", 1, "'x.h(1)': a call is name(argument, …), without keywords"),
    ("min(*x)", 1, "'min(*x)': '*' before an argument is not in the language"),
    ("min(x)", 1, "min() takes 2 or more arguments, not 1"),
    ("abs(x, y)", 1, "abs() takes 1 argument, not 2"),
    ("h()", 1, "h() takes 1 or more arguments, not 0"),
    ("range(0, 3)", 1, "'range(0, 3)': range(a, b) may only stand in any(), all() or sum()"),
    ("any(x == 1)", 1, "'any(x == 1)': write any(CONDITION for n in range(a, b))"),
    ("sum(x, y)", 1, "'sum(x, y)': write sum(EXPRESSION for n in range(a, b))"),
    ("all(n == 1 for n in range(3))", 1, "'all(n == 1 for n in range(3))': write all(CONDITION for n in range(a, b))"),
    ("all(n == 1 for n in x)", 1, "'all(n == 1 for n in x)': write all(CONDITION for n in range(a, b))"),
    (
        "any(n == 1 for n in range(0, 3) if n)", 1,
        "'any(n == 1 for n in range(0, 3) if n)': write any(CONDITION for n in range(a, b))",
    ),
    (
        "any(n == k for n in range(0, 3) for k in range(0, 3))", 1,
        "'any(n == k for n in range(0, 3) for k in range(0, 3))': write any(CONDITION for n in range(a, b))",
    ),
    (
        "any(min == 1 for min in range(0, 3))", 1,
        "'any(min == 1 for min in range(0, 3))': 'min' is a built-in name; use another variable",
    ),
    ("accepts", 1, "'accepts': 'accepts' is a function: write accepts(…)"),
    ("x + accepts(x, y)", 5, """'accepts(x, y)': write accepts("…", x, y): an automaton, and the numbers that it reads"""),
    ('accepts("+0,1 +,")', 1, """'accepts("+0,1 +,")': write accepts("…", x, y): an automaton, and the numbers that it reads"""),
    ('accepts("+0,,,0", x)', 1, "accepts(): the automaton reads 2 numbers, not 1"),
    ('accepts("+0,", x, y)', 1, "accepts(): the automaton reads 1 number, not 2"),
    ('accepts("+0,", x == 1)', 1, "accepts() takes a number, but 'x == 1' is a condition"),
    ('accepts("+0,", x/2)', 1, "'/' is exact division: write floor(a/b), ceil(a/b) or a // b around 'x / 2'"),
    ('accepts("+0,", *x)', 1, """'accepts("+0,", *x)': '*' before an argument is not in the language"""),
    ('x == 1 or accepts("+0", x)', 11, f"state 0 of the automaton is '+0', {A_STATE}"),
    ("x ^ ...", 1, "'x': '...' needs a ruleset with 'piles:'"),
    ("...", 1, "'...': '...' may only follow an operator or a comma, as in x ^ ..."),
    ("x = 1", 3, "cannot read 'x = 1': invalid syntax ('=' is '==' here)"),
    ("(x", 1, "cannot read '(x': '(' was never closed"),
    ("x +", 3, "cannot read 'x +': invalid syntax"),
    ("x & & y", 5, "cannot read 'x & & y': invalid syntax"),
    ("1x", 1, "cannot read '1x': invalid decimal literal (a product needs its sign: 2*x)"),
    ("2 x", 3, "cannot read '2 x': invalid syntax (a product needs its sign: 2*x)"),
    ("007", 1, "cannot read '007': leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"),
    ("x/2", None, "'x / 2' is a fraction, but a number is needed here; write floor(a/b) or a // b"),
    ("x/2 == 1", 1, "'/' is exact division: write floor(a/b), ceil(a/b) or a // b around 'x / 2'"),
    ("min(x/2, 1)", 1, "'/' is exact division: write floor(a/b), ceil(a/b) or a // b around 'x / 2'"),
    ("(x/2) ^ y", 1, "'/' is exact division: write floor(a/b), ceil(a/b) or a // b around 'x / 2'"),
    ("1 + (x/2) % 2", 5, "'/' is exact division: write floor(a/b), ceil(a/b) or a // b around 'x / 2'"),
    ("x + (y == 1)", 1, "'+' takes a number, but 'y == 1' is a condition"),
    ("x and y == 1", 1, "'and' takes a condition, but 'x' is a number"),
    ("not x", 1, "'not' takes a condition, but 'x' is a number"),
    (
        "x == 1 and primes(x)", 1,
        "'and' takes a condition, but 'primes(x)' is a number; no condition 'primes' is built in: there are is_power_of_two and is_prime",
    ),
    (
        "1 if primes(x) else 2", 1,
        "'if' takes a condition, but 'primes(x)' is a number; no condition 'primes' is built in: there are is_power_of_two and is_prime",
    ),
    ("-(x == 1)", 1, "'-' takes a number, but 'x == 1' is a condition"),
    ("+(x == 1)", 1, "'+' takes a number, but 'x == 1' is a condition"),
    ("(x == 1) == True", 1, "'==' takes a number, but 'x == 1' is a condition"),
    ("x == True", 1, "'==' takes a number, but 'True' is a condition"),
    ("1 if x else 2", 1, "'if' takes a condition, but 'x' is a number"),
    ("1 if x == 1 else x == 2", 1, "'else', like the branch before it, takes a number, but 'x == 2' is a condition"),
    ("is_power_of_two(x) + 1", 1, "'+' takes a number, but 'is_power_of_two(x)' is a condition"),
    ("any(n for n in range(0, 3))", 1, "any() takes a condition, but 'n' is a number"),
    ("sum(n == 1 for n in range(0, 3))", 1, "sum() takes a number, but 'n == 1' is a condition"),
    ("abs(x == 1)", 1, "abs() takes a number, but 'x == 1' is a condition"),
    ("floor(x == 1)", 1, "floor() takes a number, but 'x == 1' is a condition"),
    ("1" * 41, None, "a number has at most 40 digits"),
    ("1" * 10_000, None, "a number has at most 40 digits"),
    ("_".join("1" * 41), None, "a number has at most 40 digits"),
    ("x + 0x" + "f" * 34, 5, f"'0x{'f' * 34}': a number has at most 40 digits"),
    ("x + 0x" + "f" * 5_000, 5, f"'0x{'f' * 55}…': a number has at most 40 digits"),
    ("9" * 100_000, None, "a formula has at most 20,000 characters, this one 100,000"),
    ("x" * 20_001, None, "a formula has at most 20,000 characters, this one 20,001"),
    ("-" * 151 + "x", 152, "'x': the formula is nested too deeply (at most 150)"),
    ("x+" * 9_999 + "x", None, "cannot read the formula: it is nested too deeply (at most 150)"),
    ("-" * 19_000 + "x", None, "cannot read the formula: it is nested too deeply (at most 150)"),
    ("(" * 201 + "x" + ")" * 201, 201, f"cannot read '{'(' * 57}…': too many nested parentheses"),
    ("\udcff", None, "cannot read the formula: it is not plain text"),
    ("x == 1 # and y == 1", 8, "'#' begins no comment in a formula: leave out what follows, or write it outside of the formula's text"),
    ("(x == 1 # one\n or y == 1)", 9, "'#' begins no comment in a formula: leave out what follows, or write it outside of the formula's text"),
    ("# x", 1, "'#' begins no comment in a formula: leave out what follows, or write it outside of the formula's text"),
    ("y + ｘ", 5, "'ｘ' (U+FF58) is not 'x': write plain letters, digits and signs"),
    ("x１", 2, "'１' (U+FF11) is not '1': write plain letters, digits and signs"),
    ("ﬁ(x)", 1, "'ﬁ' (U+FB01) is not 'fi': write plain letters, digits and signs"),
    ("\u212a + 1", 1, "'\u212a' (U+212A) is not 'K': write plain letters, digits and signs"),
    ("x ^ …", 5, "'…' (U+2026) is not '...': write plain letters, digits and signs"),
    ("x + 1_000", 5, f"'1_000': {DIGITS}"),
    ("0x_1f", 1, f"'0x_1f': {DIGITS}"),
    ("x == 1or y == 2", 6, f"'1': {DIGITS}"),
    ("any(0xfor n in range(0, 3))", 1, "'any(0xfor n in range(0, 3))': write any(CONDITION for n in range(a, b))"),
    ("x == 0xfor y == 1", 6, f"'0xf': {DIGITS}"),
    ('accepts(r"+0,", x)', 9, f"""'r"+0,"': {QUOTED}"""),
    ('accepts("+0" ",", x)', 9, f"""'"+0" ","': {QUOTED}"""),
    (r'accepts("+\x30,", x)', 9, rf"""'"+\x30,"': {QUOTED}"""),
    ('accepts("""+0,""", x)', 9, f"""'""\"+0,""\"': {QUOTED}"""),
    ("x == 1; y == 2", 7, "cannot read 'x == 1; y == 2': invalid syntax"),
    ("x + \\\n 1", 6, "cannot read 'x + \\ 1': unexpected character after line continuation character"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "column", "words"), REFUSED, ids=[row[0][:40] or "empty" for row in REFUSED]
)
def test_refusals(text, column, words):
    with pytest.raises(FormulaError) as refusal:
        parse_number(text) if words.endswith("floor(a/b) or a // b") else parse(text)
    assert (refusal.value.place.column, refusal.value.message) == (column, words)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x + mm", "unknown name 'mm'; did you mean 'm'?"),
        ("pass_left", "unknown name 'pass_left'; known here: m, x, y"),
        ("x + hh(y)", "unknown function 'hh'; did you mean 'h'?"),
        ("flor(x)", "unknown function 'flor'; did you mean 'floor'?"),
        ("eval(x)", "unknown function 'eval'; known here: abs, ceil, floor, floor_log2, h, is_power_of_two, is_prime, isqrt, max, min, popcount, prime_factors, valuation2"),
        ("h(x, y)", "h() takes 1 argument, not 2"),
        ("any(h(n, x) == 1 for n in range(0, 2))", "h() takes 1 argument, not 2"),
        ("any(x == y for x in range(0, 2))", "'x' is already the name of something else; use another variable in range()"),
        ("any(n == y for n in range(0, n))", "unknown name 'n'; known here: m, x, y"),
    ],
)  # fmt: skip
def test_unknown_names_are_refused_with_a_suggestion(text, words):
    functions = Functions((Function("h", ("z",), Name("z")),))
    with pytest.raises(FormulaError) as refusal:
        check_names(parse(text), ("x", "y", "m"), functions)
    assert refusal.value.message == words


def test_names_where_none_are_known():
    with pytest.raises(FormulaError, match="unknown parameter 'q'; no names are known here"):
        check_names(parse("q"), (), what="parameter")


@pytest.mark.parametrize("text", ["x", "x + h(y)", "any(h(n) == x for n in range(0, y))", "min(x, abs(y))"])
def test_known_names_pass(text):
    check_names(parse(text), ("x", "y"), Functions((Function("h", ("z",), Name("z")),)))


def test_kinds_are_enforced_where_one_is_needed():
    assert parse_condition("x == 1") == parse("x == 1")
    assert parse_number("x + 1") == parse("x + 1")
    with pytest.raises(FormulaError, match=r"^'x' is a number, but a condition is needed here$"):
        parse_condition("x")
    with pytest.raises(FormulaError, match=r"^'x == 1' is a condition, but a number is needed here$"):
        parse_number("x == 1")


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


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("y ^ ...", 1, "'y': '...' repeats an expression of the first pile, 'x'"),
        ("... ^ x", 1, "'...': '...' may only follow an operator or a comma, as in x ^ ..."),
        ("x < ...", 5, "'...': '...' may only follow an operator or a comma, as in x ^ ..."),
        ("max(...)", 5, "'...': '...' may only follow an operator or a comma, as in x ^ ..."),
        ("x ^ ... ^ ...", 5, "'...': '...' may only follow an operator or a comma, as in x ^ ..."),
        ("max(x, ..., ...)", 8, "'...': '...' may only follow an operator or a comma, as in x ^ ..."),
        ("x + p + ...", 5, "'p': '...' repeats an expression of the first pile, 'x'"),
        ("x - 1 + ...", 1, "'x - 1': put parentheses around what '...' repeats: it follows both '-' and '+'"),
        (
            "p * x // ...",
            1,
            "'p * x': put parentheses around what '...' repeats: it follows both '*' and '//'",
        ),
        (
            "1 << x >> ...",
            1,
            "'1 << x': put parentheses around what '...' repeats: it follows both '<<' and '>>'",
        ),
    ],
)
def test_dots_in_the_wrong_place(text, column, words):
    with pytest.raises(FormulaError) as refusal:
        parse(text, ("x", "y", "z"))
    assert (refusal.value.place.column, refusal.value.message) == (column, words)
