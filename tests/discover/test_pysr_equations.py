"""PySR's equations as formulas: real and invented equations, compared with an evaluator of PySR's operators."""

import json
import math
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from tests.golden import refused

from grundylab.discover.genetic import LARGEST, NoFormula
from grundylab.discover.pysr_equations import equation_formula, equation_text
from grundylab.language import parse
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Int, Name

# Each line is a run of pysr 2.7.2, on Julia 1.10.8 (recorded-second, recorded-rounds) or 1.10.10: the leaves that x0, x1,
# … stand for, and the equations.
RECORDED = [
    json.loads(line)
    for file in sorted((Path(__file__).parent / "pysr").glob("*.jsonl"))
    for line in file.read_text().splitlines()
]
EQUATIONS = sorted(
    {
        (tuple(run["leaves"]), each if isinstance(each, str) else each[2])
        for run in RECORDED
        for each in run["equations"]
    }
)
LOOSE = "it has a constant that is not a whole number"
LEAVES = (Name("x"), Name("y"), Int(1))


# -- the operators, once more, on floats as in Julia -----------------------------------------------------------


class Cut(Exception):
    """A product that was limited in size: by design, the equation and its formula differ there."""


def whole(operator):
    """Return a function that gives NaN for arguments that are no whole numbers, and a float for all others."""

    def guarded(*arguments):
        if any(not float(a).is_integer() or abs(a) >= 2**53 for a in arguments):
            return math.nan
        return float(operator(*map(int, arguments)))

    return guarded


def times(a, b):
    if abs(a * b) > 2**31:
        raise Cut
    return a * b


def quotient(a, b):
    return 0 if b == 0 else math.floor(a / b)


def remainder(a, b):
    return a if b == 0 else a - b * math.floor(a / b)


def choose(a, b, c):
    return b if a > 0 else c


OPERATORS = {
    "times": whole(times), "quotient": whole(quotient), "remainder": whole(remainder), "choose": whole(choose),
    "nimsum": whole(int.__xor__), "below": whole(int.__lt__), "min": min, "max": max,
}  # fmt: skip


def rows(leaves, count=40):
    """Positions of small whole numbers, with many zeros and equal ones, and the columns that the leaves stand for."""
    drawn = random.Random(7)
    names = [leaf for leaf in leaves if leaf.isidentifier()]
    for most in [0, 1, 2, 5, 30] * (count // 5):
        position = {name: drawn.randint(0, most) for name in names}
        yield (
            position,
            [float(int(leaf)) if leaf.isdecimal() else float(nimsum(position, leaf)) for leaf in leaves],
        )


def nimsum(position, leaf):
    value = 0
    for name in leaf.split(" ^ "):
        value ^= position[name]
    return value


def compared(leaves, equation, formula) -> int:
    """Return the number of positions where the equation and the formula were compared; assert that they are equal."""
    agreed = 0
    for position, columns in rows(leaves):
        values = {f"x{place}": value for place, value in enumerate(columns)}
        try:
            expected = eval(equation, {"__builtins__": {}, **OPERATORS, **values})  # noqa: S307 - our own files
        except Cut:
            continue
        assert evaluate(formula, position) == expected, (equation, position)
        agreed += 1
    return agreed


def test_every_recorded_equation_is_its_formula_or_has_a_loose_constant():
    counts: Counter[str] = Counter()
    for leaves, equation in EQUATIONS:
        try:
            formula = equation_formula(equation, [parse(leaf) for leaf in leaves])
        except NoFormula as reason:
            counts[str(reason).split(" (")[0]] += 1
            continue
        assert compared(leaves, equation, formula) >= 30, equation
        counts["read"] += 1
    assert set(counts) == {"read", LOOSE}
    assert counts["read"] >= 200
    assert counts[LOOSE] == sum(bool(re.search(r"\d\.\d*[1-9]", equation)) for _, equation in EQUATIONS) >= 8


def test_an_equation_that_is_right_at_every_position_is_read_however_much_it_grows():
    """An adapter with a limit of 200 nodes dropped this one, which grows to 242."""
    equation = (
        "remainder(max(x0 + x1, x2), remainder(x4, quotient(x3, quotient(x1, quotient(times(remainder(x1, x4), "
        "max(x1, x2)), x3)))))"
    )
    leaves = ("m1", "m2", "0", "1", "2")
    assert (leaves, equation) in EQUATIONS
    formula = equation_formula(equation, [parse(leaf) for leaf in leaves])
    assert 200 < formula.size < LARGEST
    for m1 in range(12):
        for m2 in range(12):
            assert (evaluate(formula, {"m1": m1, "m2": m2}) == 0) == (m1 % 2 == 0 and m2 % 2 == 0)


@pytest.mark.parametrize(
    ("equation", "formula"),
    [
        ("x0", "x"),
        ("nimsum(x0, x1) + 1.0", "(x ^ y) + 1"),
        ("x0 - (x1 - x0)", "x - (y - x)"),
        ("(x0 - x1) - x0", "x - y - x"),
        ("-x1 + 2.0", "-y + 2"),
        ("x0 * 3.0", "x * 3"),
        ("choose(below(x0, x1), x2, max(x0, -1.0))", "1 if x < y else max(x, -1)"),
        ("choose(x0 - x1, x2, x1)", "1 if x - y > 0 else y"),
        ("quotient(x0, 2.0)", "x // 2"),
        ("quotient(x0, below(x0, x1))", "x // (1 if x < y else 0) if x < y else 0"),
        ("remainder(x0, x1)", "x % y if y != 0 else x"),
        ("times(x0, min(x1, 1e3))", "x * min(y, 1000)"),
    ],
)  # fmt: skip
def test_an_equation_is_read_as_the_formula_that_it_is(equation, formula):
    assert str(equation_formula(equation, LEAVES)) == formula


@pytest.mark.parametrize("equation", refused.EQUATIONS)
def test_an_equation_that_is_no_formula__has_a_reason(equation):
    with pytest.raises(NoFormula):
        equation_formula(equation, LEAVES)


def test_an_equation_is_told_with_the_names_of_its_leaves():
    leaves = (Name("x"), Int(2), parse("x ^ y"))
    assert (
        equation_text("choose(x0 - x1, x2, -1.5 * x12)", leaves) == "choose(x - 2, nimsum(x, y), -1.5 * x12)"
    )
