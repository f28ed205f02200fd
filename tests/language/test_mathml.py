"""The same typesetting as in LaTeX, in the browser's own language."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from tests.strategies import formulas, fractions

from grundylab.language import parse
from grundylab.language.layout import to_latex, to_mathml

ELEMENTS = {
    "math", "mfrac", "mi", "mn", "mo", "mrow", "mspace", "msqrt", "msub", "msup", "mtable", "mtd", "mtext", "mtr",
    "munderover", "page",
}  # fmt: skip
UNSEEN = "\u2061\u2062"


def read(text):
    """The math elements; it fails if that is no XML."""
    return ElementTree.fromstring(f"<page>{text}</page>")


def seen(text):
    """What is seen, without spaces, as one line."""
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


@given(formulas() | fractions())
def test_every_formula_is_well_formed(expr):
    page = read(to_mathml(expr))
    assert {node.tag for node in page.iter()} <= ELEMENTS
    assert page[0].get("alttext") == str(expr)
    for node in page.iter():
        wanted = {"mfrac": 2, "msub": 2, "msup": 2, "munderover": 3}.get(node.tag)
        assert wanted is None or len(node) == wanted
        assert node.tag not in ("mi", "mn", "mo", "mtext") or (node.text and len(node) == 0)


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
