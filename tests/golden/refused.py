"""Inputs that grundylab refuses, by the reader that refuses them. The messages are in the golden files; other tests use the inputs."""

FORMULAS = [
    "", "  \n ", "x ** 2", "y + x.real", "x[0]", "lambda x: x", "[x, y]", "(x, y)", "x == 1, 2", "~x",
    "x @ y", "x in (1, 2)", "x is 1", "x not in y", "(x := 1)", "{x}", "{x: 1}",
    "[n for n in range(0, 3)]", "await x", "f'{x}'", "'x'", "x == b'1'", "1.5 * x", "x + 2j", "None",
    "'" + "a" * 100 + "'", "__import__('os')", "__class__ + 1", "any(_n == x for _n in range(0, 3))",
    "é + 1", "α(1)", "min", "x + range", "h(z=1)", "h(1)(2)", "x.h(1)", "min(*x)", "min(x)",
    "abs(x, y)", "h()", "range(0, 3)", "any(x == 1)", "sum(x, y)", "all(n == 1 for n in range(3))",
    "all(n == 1 for n in x)", "any(n == 1 for n in range(0, 3) if n)",
    "any(n == k for n in range(0, 3) for k in range(0, 3))", "any(min == 1 for min in range(0, 3))",
    "accepts", "x + accepts(x, y)", 'accepts("+0,1 +,")', 'accepts("+0,,,0", x)',
    'accepts("+0,", x, y)', 'accepts("+0,", x == 1)', 'accepts("+0,", x/2)', 'accepts("+0,", *x)',
    'x == 1 or accepts("+0", x)', "x ^ ...", "...", "x = 1", "(x", "x +", "x & & y", "1x", "2 x",
    "007", "x/2 == 1", "min(x/2, 1)", "(x/2) ^ y", "1 + (x/2) % 2", "x + (y == 1)",
    "x and y == 1", "not x", "x == 1 and primes(x)", "1 if primes(x) else 2", "-(x == 1)", "+(x == 1)",
    "(x == 1) == True", "x == True", "1 if x else 2", "1 if x == 1 else x == 2",
    "is_power_of_two(x) + 1", "any(n for n in range(0, 3))", "sum(n == 1 for n in range(0, 3))",
    "abs(x == 1)", "floor(x == 1)", "1" * 41, "1" * 10_000, "_".join("1" * 41), "x + 0x" + "f" * 34,
    "x + 0x" + "f" * 5_000, "9" * 100_000, "x" * 20_001, "-" * 151 + "x", "x+" * 9_999 + "x",
    "-" * 19_000 + "x", "(" * 201 + "x" + ")" * 201, "\udcff", "x == 1 # and y == 1",
    "(x == 1 # one\n or y == 1)", "# x", "y + ｘ", "x１", "ﬁ(x)", "\u212a + 1", "x ^ …", "x + 1_000",
    "0x_1f", "x == 1or y == 2", "any(0xfor n in range(0, 3))", "x == 0xfor y == 1",
    'accepts(r"+0,", x)', 'accepts("+0" ",", x)', r'accepts("+\x30,", x)', 'accepts("""+0,""", x)',
    "x == 1; y == 2", "x + \\\n 1",
]  # fmt: skip

UNKNOWN_NAMES = [
    "x + mm", "pass_left", "x + hh(y)", "flor(x)", "eval(x)", "h(x, y)",
    "any(h(n, x) == 1 for n in range(0, 2))", "any(x == y for x in range(0, 2))",
    "any(n == y for n in range(0, n))",
]  # fmt: skip

DOTS = [
    "y ^ ...", "... ^ x", "x < ...", "max(...)", "x ^ ... ^ ...", "max(x, ..., ...)", "x + p + ...",
    "x - 1 + ...", "p * x // ...", "1 << x >> ...",
]  # fmt: skip

AUTOMATA = [
    "", "+0,0 " * 1_001, "+0,1 1,0", "+0,1 +1;0", "+", "+0,-1", "+0,1234567", "x" * 100, "+0,0,0",
    "+0" + ",0" * 511, "+0,1 +1,,,", "+0,2 +1,", "+,0", "-1,0 +1,",
]  # fmt: skip

OUTSIDE = [
    "x == n * k + 1", "(x + 1) * (y - 1) > 0", "x // y == 2", "floor((x + 1)/y) == 2",
    "x % (y + 1) == 2", "x // 0 == 2", "x % (2 - 2) == 2", "x << y == 2", "x >> -1 == 2",
    "x << floor_log2(y) == 2", "floor_log2(x) == y", "popcount(x) == y", "valuation2(x) + 1 == 2",
    "isqrt(x + 1) == 2", "isqrt(-1) == 2", "fib(x) == 2", "fib(-1) == 2", "walk(7) == 2",
    "sum(k for k in range(0, x)) == 2", "sum(k for k in range(0, 65)) == 2",
    "any(x == n * y for n in range(0, z))", "nim_sum(k for k in range(0, 3)) == 3", "nim_product(x, y) == 2",
]  # fmt: skip

OF_OTHER_DIGITS = [
    'accepts("fib: -0,1 +1,", x ^ y)', 'accepts("fib: -0,1 +1,", x) and x & 1 == 0',
    'accepts("fib: -0,1 +1,", x) and is_power_of_two(y)',
    'accepts("fib: -0,1 +1,", x) and accepts("-0,1 +1,", y)',
    'accepts("fib: -0,1 +1,", x) and accepts("2,1: +0,0,0", y)',
    'accepts("base 3: -0,1,1 +1,1,", x) and accepts("base 5: +0,0,0,0,", y)',
    'accepts("base 3: -0,1,1 +1,1,", x) and x ^ y == 0',
    'accepts("fib: -0,1 +1,", x) and any(k < y for k in range(y - 3, y + x))',
    'accepts("fib: -0,1 +1,", x) and min(x, y - 3) < 2',
    'accepts("fib: -0,1 +1,", x) and popcount(y) == 1',
    'accepts("fib: -0,1 +1,", x) and isqrt(y) == 1',
    'accepts("fib: -0,1 +1,", x) and isqrt(2 * y * y) == 1',
    "isqrt(5 * y * y) == 1 and isqrt(2 * x * x) == 1", "isqrt(3 * y * y) == 1",
    "isqrt(5 * y * x) == 1", "isqrt(5 * y * y + 4) == 1", "isqrt(5 * y * y) ^ x == 1",
    'isqrt(5 * y * y) == 1 and accepts("-0,1 +1,", y)',
]  # fmt: skip

# Of the leaves x and y, as PySR writes them.
EQUATIONS = [
    "x0 + 0.5", "max(-1.1469448239632052, x0)", "1e999", "x0 / x1", "x0 ^ 2.0", "greater(x0, x1)", "nimsum(x0)", "x3", "y",
    "NaN", "x0 +", "remainder(x0, " * 12 + "x1" + ")" * 12,
]  # fmt: skip
# Without a value at x = 0.
WITHOUT_VALUE = [
    "1 // x", "5 % x", "floor(3/x)", "floor(1/(2/x))", "floor(1/(2/0))", "1 << x - 1", "1 >> 4097 + x",
    "1 << 1000000000", "floor_log2(x)", "isqrt(x - 1)", " << ".join(["1 + x", *["4096"] * 64]),
    " * ".join(["(1 + x << 4096)"] * 65), "sum(1 for j in range(0, 1000001 + x))",
]  # fmt: skip
# Recurrences: the definition, the initial values, a call, and where the value is missing.
RECURRENCES = [
    ("f(n - 1) + 1", ((0, 0),), "f(-1)", "f(-1)"),
    ("f(n - 2)", ((1, 0),), "f(2)", "f(0)"),
    ("f(n)", (), "f(3)", "f(3)"),
    ("f(7 - n)", (), "f(3)", "f(3)"),
    ("f(n + 1)", (), "f(3)", "f(3)"),
    ("f(n + 1001)", (), "f(3)", "f(3)"),
    ("f(n - 1) * f(n - 1)", ((0, 3),), "f(20)", "f(16)"),
]
# A record of a paper, and what replaces a part of it; behind a text without a part, more lines.
PAPER = """\
title: On Nim
authors: [A. Body]
key: Body1901
statements:
  - {at: Lemma 1, about: heaps}
"""
PAPERS = [
    ("title: On Nim\n", ""), ("[A. Body]", "[]"), ("Body1901", "A. Body"), (", about: heaps", ""), ("about", "abuot"),
    ("about: heaps", "about: ''"), ("Body1901", "Body1902"),
    ("", "published: {journal: J, year: last}\n"),
    ("", "  - {at: Lemma 1, about: more heaps}\n"),
    ("", "version of: a\n"),
    ("", "version of: c\n"),
    ("", "  - {at: Lemma 2, about: piles, same as: Lemma 1}\n"),
    ("", "  - {at: Lemma 2, about: piles, same as: Lemma 9}\nversion of: b\n"),
    ("", "  - {at: Lemma 2, about: piles, kind: text uncertain}\n"),
    ("", "  - {at: Lemma 2, about: piles, kind: lemma}\n"),
    ("", "  - {at: Lemma 2, about: piles, same as: Lemma 1, reason: none}\nversion of: b\n"),
]  # fmt: skip
FIGURE = """\
title: A
authors: [B]
key: A1
statements:
  - at: Figure 1
    about: a picture
    figure:
      ruleset: nim-2
      bounds: {N: 5}
      down: {x: 0..5}
      across: {y: 0..5}
"""
FIGURES = [
    ("across: {y: 0..5}", "across: {y: 5..0}"), ("across: {y: 0..5}", "across: {}"), ("bounds", "bound"),
    ("across: {y: 0..5}", "across: {z: 0..5}"), ("across: {y: 0..5}", "across: {y: 0..6}"),
    ("      down: {x: 0..5}\n", ""), ("across: {y: 0..5}", "across: {x: 0..5}"), ("bounds: {N: 5}", "bounds: {M: 5}"),
]  # fmt: skip
# The coordinates that are held fixed, and the kind of sequence.
SEQUENCES = [
    ({}, "grundy"), ({"x": 0, "y": 0, "p": 0}, "p-positions"), ({"x": 0, "y": 0}, "smaller"), ({"x": 0, "y": 0}, "count"),
]  # fmt: skip
