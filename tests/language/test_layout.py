"""Formulas in LaTeX and MathML look as a mathematician would typeset them."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from tests.sizes import examples
from tests.strategies import formulas, fractions

from grundylab.language import parse
from grundylab.language.layout import to_latex, to_mathml
from grundylab.language.syntax import Binary, Int, Name, Not

TYPESET = [
    # nim-sums, and what they are mixed with
    ("x ^ y ^ z == 0", r"x \oplus y \oplus z = 0"),
    ("x ^ (y ^ z)", r"x \oplus y \oplus z"),
    ("x ^ y + 1", r"x \oplus (y + 1)"),
    ("(x ^ y) + 1", r"(x \oplus y) + 1"),
    ("x ^ 2*y", r"x \oplus 2 y"),
    ("x ^ -1", r"x \oplus (-1)"),
    ("-x ^ y", r"(-x) \oplus y"),
    ("-3*x ^ y", r"(-3 x) \oplus y"),
    ("x ^ y & z", r"x \oplus (y \mathbin{\&} z)"),
    ("x & (y | z)", r"x \mathbin{\&} (y \mathbin{|} z)"),
    ("2*(x ^ y)", r"2 (x \oplus y)"),
    ("2*nim_product(x, y + 1) ^ z", r"2 (x \otimes (y + 1)) \oplus z"),
    # sums and products
    ("x + y - z", "x + y - z"),
    ("x - (y - z)", "x - (y - z)"),
    ("x + (y - z)", "x + y - z"),
    ("x - -3", "x - (-3)"),
    ("x + -y", "x + (-y)"),
    ("-x + y", "-x + y"),
    ("-(x + y)", "-(x + y)"),
    ("-x*y", "(-x) y"),
    ("-(x*y)", "-x y"),
    ("2*x", "2 x"),
    ("2*x*y", "2 x y"),
    ("2*(x + 1)", "2 (x + 1)"),
    ("(x + 1)*(y + 1)", "(x + 1) (y + 1)"),
    ("x*(x + 1)", r"x \cdot (x + 1)"),
    ("x*y*(x + 1)", r"x y \cdot (x + 1)"),
    ("h(x)*(x + 1)", r"h(x) \cdot (x + 1)"),
    ("2*3", r"2 \cdot 3"),
    ("x*2", r"x \cdot 2"),
    ("x*(2*y)", r"x \cdot 2 y"),
    ("x*(1 << n)", r"x \cdot 2^{n}"),
    ("pile*x", r"\mathit{pile} \cdot x"),
    ("-3*x*y", "-3 x y"),
    ("x*-3", r"x \cdot (-3)"),
    # floors, fractions, powers of two
    ("x // 2", r"\left\lfloor \frac{x}{2} \right\rfloor"),
    ("floor((x + 2*y)/2)", r"\left\lfloor \frac{x + 2 y}{2} \right\rfloor"),
    ("ceil(z/3) - 1", r"\left\lceil \frac{z}{3} \right\rceil - 1"),
    ("floor(x/2 + y/3)", r"\left\lfloor \frac{x}{2} + \frac{y}{3} \right\rfloor"),
    ("floor(2*(x/3))", r"\left\lfloor 2 \cdot \frac{x}{3} \right\rfloor"),
    ("floor(-(x/3))", r"\left\lfloor -\frac{x}{3} \right\rfloor"),
    ("(x // 2 + 1)*3", r"\left( \left\lfloor \frac{x}{2} \right\rfloor + 1 \right) \cdot 3"),
    ("x >> k", r"\left\lfloor \frac{x}{2^{k}} \right\rfloor"),
    ("1 << n + 1", "2^{n + 1}"),
    ("3 << n", r"3 \cdot 2^{n}"),
    ("x + 1 << n", r"(x + 1) \cdot 2^{n}"),
    # remainders and congruences
    ("n % 4 == 1", r"n \equiv 1 \pmod{4}"),
    ("n % 4 != 1", r"n \not\equiv 1 \pmod{4}"),
    ("(x + y) % 3 == 0", r"x + y \equiv 0 \pmod{3}"),
    ("(x ^ y) % 3 == 0", r"x \oplus y \equiv 0 \pmod{3}"),
    ("n % 4 == 4", r"n \bmod 4 = 4"),
    ("n % 4 == -1", r"n \bmod 4 = -1"),
    ("n % -4 == 0", r"n \bmod (-4) = 0"),
    ("n % m == 0", r"n \bmod m = 0"),
    ("n % 4 <= 1", r"n \bmod 4 \le 1"),
    ("n % 4 == 1 == x", r"n \bmod 4 = 1 = x"),
    ("x % 4 + 1", r"(x \bmod 4) + 1"),
    ("x + x % 4", r"x + (x \bmod 4)"),
    ("-x % 3", r"(-x) \bmod 3"),
    ("-(x % 3)", r"-(x \bmod 3)"),
    ("x % 4 % 2", r"(x \bmod 4) \bmod 2"),
    ("x ^ y % 4", r"x \oplus (y \bmod 4)"),
    # comparisons and logic
    ("0 <= x < y != z", r"0 \le x < y \ne z"),
    ("x >= y > z", r"x \ge y > z"),
    ("x == 1 and y == 2 and z == 3", r"x = 1 \land y = 2 \land z = 3"),
    ("(x == 1 and y == 2) and z == 3", r"x = 1 \land y = 2 \land z = 3"),
    ("x == 1 and (y == 2 or z == 3)", r"x = 1 \land (y = 2 \lor z = 3)"),
    ("x == 1 and y == 2 or z == 3", r"(x = 1 \land y = 2) \lor z = 3"),
    ("not x == 1", r"\lnot (x = 1)"),
    ("not not x == 1", r"\lnot (\lnot (x = 1))"),
    ("not True", r"\lnot \text{true}"),
    ("False", r"\text{false}"),
    # cases
    (
        "x ^ y == (1 if p == 1 and x + y >= m else 0)",
        r"x \oplus y = \begin{cases} 1 & \text{if } p = 1 \land x + y \ge m \\ 0 & \text{otherwise} \end{cases}",
    ),
    (
        "1 if x == 0 else 2 if x == 1 else x",
        r"\begin{cases} 1 & \text{if } x = 0 \\ 2 & \text{if } x = 1 \\ x & \text{otherwise} \end{cases}",
    ),
    (
        "(1 if x == 1 else 2) + 3",
        r"\left( \begin{cases} 1 & \text{if } x = 1 \\ 2 & \text{otherwise} \end{cases} \right) + 3",
    ),
    (
        "(x == 1 if y == 1 else x == 2) and z == 3",
        r"\left( \begin{cases} x = 1 & \text{if } y = 1 \\ x = 2 & \text{otherwise} \end{cases} \right) \land z = 3",
    ),
    # bounded quantifiers and sums
    ("any(x == 2*n for n in range(0, y))", r"\exists n \in \{0, \dots, y - 1\} \colon\ x = 2 n"),
    ("any(x == 2*n for n in range(0, y + 1))", r"\exists n,\ 0 \le n \le y \colon\ x = 2 n"),
    ("all(x != n for n in range(1, 5))", r"\forall n \in \{1, \dots, 4\} \colon\ x \ne n"),
    ("any(x == n for n in range(0, y + 3))", r"\exists n \in \{0, \dots, y + 2\} \colon\ x = n"),
    ("any(x == n for n in range(0, y - 1))", r"\exists n \in \{0, \dots, y - 2\} \colon\ x = n"),
    (
        "any(x == n for n in range(0, 3)) and y == 0",
        r"(\exists n \in \{0, \dots, 2\} \colon\ x = n) \land y = 0",
    ),
    ("sum(j for j in range(a, b))", r"\sum_{j=a}^{b - 1} j"),
    ("sum(j + 1 for j in range(0, n + 1)) + 3", r"\sum_{j=0}^{n} (j + 1) + 3"),
    ("2*sum(j for j in range(0, n))", r"2 \left( \sum_{j=0}^{n - 1} j \right)"),
    ("x ^ sum(j for j in range(0, n))", r"x \oplus \left( \sum_{j=0}^{n - 1} j \right)"),
    # functions and names
    ("min(x, y, 2)", r"\min(x, y, 2)"),
    ("max(x // 2, 1)", r"\max\left( \left\lfloor \frac{x}{2} \right\rfloor, 1 \right)"),
    ("abs(x - y)", r"\left\lvert x - y \right\rvert"),
    ("is_power_of_two(x + 1)", r"x + 1 \in \{2^{i} : i \ge 0\}"),
    ("is_power_of_two(i + j)", r"i + j \in \{2^{k} : k \ge 0\}"),
    ("not is_power_of_two(x)", r"x \notin \{2^{i} : i \ge 0\}"),
    ("floor_log2(n)", r"\left\lfloor \log_2 n \right\rfloor"),
    ("floor_log2(n + 1)", r"\left\lfloor \log_2 (n + 1) \right\rfloor"),
    ("isqrt(n + 1)", r"\left\lfloor \sqrt{n + 1} \right\rfloor"),
    ("h(z) + F(x, z)", "h(z) + F(x, z)"),
    ("fib(n) - f1(n)", r"\operatorname{fib}(n) - f_{1}(n)"),
    ('accepts("+0,,,0", x, y + 1)', r"\mathcal{A}_{2}(x, y + 1)"),
    (
        'not accepts("-0,1 +1,", x // 2)',
        r"\lnot \mathcal{A}_{3}\left( \left\lfloor \frac{x}{2} \right\rfloor \right)",
    ),
    ("m1 + n_0 + x12", "m_{1} + n_{0} + x_{12}"),
    ("pile + pile2 + left_over", r"\mathit{pile} + \mathit{pile}_{2} + \mathit{left\_over}"),
]


@pytest.mark.parametrize(("text", "latex"), TYPESET)
def test_typeset(text, latex):
    assert to_latex(parse(text)) == latex


def balanced(latex: str) -> bool:
    r"""Tell whether {…}, \\left…\\right, \\begin…\\end and plain parentheses are nested properly."""
    pairs = {"}": "{", r"\right": r"\left", r"\end": r"\begin", ")": "("}
    waiting = []
    bare = re.sub(r"\\(left|right)[()]", r"\\\1", re.sub(r"\\[{}&]", "", latex))
    for token in re.findall(r"\\(?:left|right|begin|end)(?![a-z])|[{}()]", bare):
        if token in pairs.values():
            waiting.append(token)
        elif not waiting or waiting.pop() != pairs[token]:
            return False
    return not waiting


@examples(40, 5_000)
@given(formulas() | fractions())
def test_latex_is_balanced_ascii_on_one_line(expr):
    latex = to_latex(expr)
    assert balanced(latex)
    assert latex.isascii()
    assert "\n" not in latex
    assert "--" not in latex
    assert not re.search(r"[+\-*=] [+\-*]|\\(cdot|oplus|bmod) -", latex), "a sign follows a sign"


COMMANDS = {
    "begin", "bigoplus", "bmod", "cdot", "colon", "dots", "end", "equiv", "exists", "forall", "frac", "ge", "in", "land", "lceil",
    "le", "left", "lfloor", "lnot", "log", "lor", "lvert", "mathbin", "mathcal", "mathit", "max", "min", "ne", "not",
    "notin", "nu", "operatorname", "oplus", "otimes", "pmod", "rceil", "rfloor", "right", "rvert", "sqrt", "sum", "text",
}  # fmt: skip


@examples(40, 5_000)
@given(formulas())
def test_latex_uses_only_commands_of_amsmath(expr):
    assert set(re.findall(r"\\([a-zA-Z]+)", to_latex(expr))) <= COMMANDS


@pytest.mark.parametrize("op", ["^", "&", "|", "+", "-", "*", "//", "%", "<<", ">>"])
@pytest.mark.parametrize("other", ["^", "&", "|", "+", "-", "*", "//", "%", "<<", ">>"])
def test_two_groupings_look_the_same_only_where_they_are_equal(op, other):
    x, y, z = map(Name, "xyz")
    left, right = Binary(other, Binary(op, x, y), z), Binary(op, x, Binary(other, y, z))
    equal = {("^", "^"), ("&", "&"), ("|", "|"), ("+", "+"), ("+", "-"), ("*", "*"), ("*", "<<")}
    assert (to_latex(left) == to_latex(right)) == ((op, other) in equal)


def test_a_negated_condition_does_not_swallow_its_neighbour():
    assert to_latex(Not(parse("x == 1 and y == 2"))) == r"\lnot (x = 1 \land y = 2)"


def test_brackets_of_constants():
    assert to_latex(Binary("-", Int(-1), Int(-2))) == "-1 - (-2)"


# -- MathML ----------------------------------------------------------------------------------------

ELEMENTS = {
    "math", "mfrac", "mi", "mn", "mo", "mrow", "mspace", "msqrt", "msub", "msup", "mtable", "mtd", "mtext", "mtr",
    "munderover", "page",
}  # fmt: skip
UNSEEN = "\u2061\u2062"


def read(text):
    """Return the text's MathML elements; fail if the text is no XML."""
    return ElementTree.fromstring(f"<page>{text}</page>")


def seen(text):
    """Return the visible signs of a formula in MathML, without spaces, as one line."""
    return re.sub(rf"[\s{UNSEEN}]", "", "".join(read(to_mathml(parse(text))).itertext()))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x ^ y ^ z == 0", "x⊕y⊕z=0"),
        ("x ^ (y + 1) != 2*z", "x⊕(y+1)≠2z"),
        ("x - -3 <= -y", "x−(−3)≤−y"),
        ("2*3", "2⋅3"),
        ("n % 4 == 1", "n≡1(mod4)"),
        ("n % m == 0", "nmodm=0"),
        ("x == 1 and not (y == 2 or z < 3)", "x=1∧¬(y=2∨z<3)"),
        ("abs(x - y) & 3", "|x−y|&3"),
        ("is_power_of_two(x + 1)", "x+1∈{2i:i≥0}"),
        ("min(x, h(y))", "min(x,h(y))"),
        ("m1 + pile_2", "m1+pile2"),
        ("any(x == n for n in range(0, y + 1))", "∃n,0≤n≤y:x=n"),
        ("all(x != n for n in range(1, 5))", "∀n∈{1,…,4}:x≠n"),
        ("1 if x == 0 else 2", "{1ifx=02otherwise"),
    ],
)
def test_what_is_seen(text, line):
    assert seen(text) == line


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("floor((x + 1)/2)", "<mo>⌊</mo><mfrac>"),
        ("ceil(x/2)", "<mo>⌈</mo><mfrac>"),
        ("isqrt(x)", "<msqrt><mi>x</mi></msqrt>"),
        ("m1", "<msub><mi>m</mi><mn>1</mn></msub>"),
        ("1 << n", "<msup><mn>2</mn><mi>n</mi></msup>"),
        ("sum(j for j in range(0, n))", "<munderover><mo>∑</mo>"),
        ("1 if p == 1 else 0", "<mtable"),
    ],
)
def test_how_it_is_set(text, shape):
    assert shape in to_mathml(parse(text))


@examples(40, 5_000)
@given(formulas() | fractions())
def test_every_formula_is_well_formed(expr):
    page = read(to_mathml(expr))
    assert {node.tag for node in page.iter()} <= ELEMENTS
    assert page[0].get("alttext") == str(expr)
    for node in page.iter():
        wanted = {"mfrac": 2, "msub": 2, "msup": 2, "munderover": 3}.get(node.tag)
        assert wanted is None or len(node) == wanted
        assert node.tag not in ("mi", "mn", "mo", "mtext") or (node.text and len(node) == 0)


@examples(40, 5_000)
@given(formulas())
def test_the_parentheses_are_those_of_latex(expr):
    latex = re.sub(r"\\pmod\{\d+\}|\\[{}]", "", to_latex(expr))
    text = "".join(re.sub(r"<mi>mod</mi>.*?<mn>\d+</mn>", "MOD", to_mathml(expr)))
    shown = re.sub(r"<[^>]*>", "", text).replace("(MOD)", "")
    assert [sign for sign in shown if sign in "()"] == [sign for sign in latex if sign in "()"]


def test_a_long_formula_may_be_broken_before_its_signs_of_logic():
    broken = to_mathml(parse("x == 0 and (y == 1 or z == 2) or x + y == z"))
    assert broken.count("<math") == 2
    assert broken.split(" <math>")[1].startswith('<mrow><mo lspace="0" form="infix">∨</mo>')
    assert to_mathml(parse("x ^ y == 1")).count("<math") == 1


def test_what_is_not_markup_is_escaped():
    page = to_mathml(parse("x < y"), '<b> & "')
    assert read(page)[0].get("alttext") == '<b> & "'
    assert "<mo>&lt;</mo>" in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("head", "rest"), [("abs(", ")"), ("floor_log2(", ")"), ("max(", ", y)"), ("isqrt(", ")")]
)
def test_an_argument_is_typeset_once_however_deep_it_is(head, rest):
    assert to_latex(parse(f"{head * 60}x{rest * 60}")).count("x") >= 1
