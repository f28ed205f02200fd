"""The table of infix operators: a new row is all that a new operator needs."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.check.edits import EditVocabulary
from grundylab.discover.cost import cost
from grundylab.language import NO_FUNCTIONS, parse
from grundylab.language.infinity import INFINITY
from grundylab.language.operators import OPERATORS
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Binary

FORMULAS = Path(__file__).parents[2] / "docs/formulas.md"


def test_the_language_s_page_has_the_meaning_of_every_row():
    text = FORMULAS.read_text()
    assert [op for op, row in OPERATORS.items() if row.meaning not in text] == []


@pytest.mark.parametrize("op", [op for op, row in OPERATORS.items() if op != "/"])
@examples(60, 5_000)
@given(numbers=st.tuples(*[st.integers(-(10**40), 10**40)] * 2), open_ends=st.tuples(*[st.booleans()] * 4))
def test_bounds_with_infinite_ends_hold_the_values_of_numbers_of_any_size(op, numbers, open_ends):
    row, (a, b) = OPERATORS[op], numbers
    b = abs(b) % 4096 if op in ("<<", ">>") else b
    assume(row.domain is None or row.domain.contains(b))
    ends = [
        end * INFINITY if is_open else n
        for n, end, is_open in zip((a, a, b, b), (-1, 1, -1, 1), open_ends, strict=True)
    ]
    low, high = row.bounds((ends[0], ends[1]), (ends[2], ends[3]))
    assert low <= row.value(a, b) <= high


def test_digits_of_two_zeros_are_zeros():
    assert [op for op, row in OPERATORS.items() if row.digits and row.value(0, 0)] == []


def test_inverses_give_each_operand_from_the_other_and_the_value():
    rows = [(row, [parse(formula) for formula in row.inverse]) for row in OPERATORS.values() if row.inverse]
    for row, formulas in rows:
        for a, b in product(range(-4, 9), repeat=2):
            known = {"a": a, "b": b, "c": row.value(a, b)}
            others = [{name: known[name] for name in known if name != own} for own in ("a", "b")]
            assert list(map(evaluate, formulas, others)) == [a, b]
    assert len(rows) == 3


def test_only_signs_that_papers_seldom_print_cost_more_than_a_sum():
    costs = {op: cost(parse(f"x {op} 3")) - cost(parse("x + 3")) for op in OPERATORS if op != "/"}
    assert {op for op, more in costs.items() if more} == {"&", "|", "<<", ">>"}


def test_a_shift_is_confused_with_its_contrary_and_its_meaning_and_other_signs_with_each_other():
    def others(op):
        edits = EditVocabulary(("x",), NO_FUNCTIONS).edits(parse(f"x {op} x"))
        return {node.op for edit in edits if isinstance(node := edit.node, Binary) and edit.path == ()}

    assert [others("<<"), others(">>")] == [{">>", "*"}, {"<<", "//"}]
    usual = {"+", "-", "*", "//", "%", "&", "|", "^"}
    assert all(others(op) == usual - {op} for op in usual)


# Two rows that are not in the language, made before anything else is imported, as they would be in their module:
# a @ b has the digits of a where b has none; a ** b is the distance of two numbers, about which logic says nothing.
NEW_ROWS = """
import json
from grundylab.language import operators
from grundylab.language.boxes import sign
operators.OPERATORS["@"] = operators.InfixOperator(
    "the number whose binary digits are 1 where only the first has a 1",
    10,
    lambda a, b: a & ~b,
    operators._digit_bounds,
    "({a} & ~{b})",
    neutral=0,
    digits=operators.Digits("without", "({result} = ({left} \\\\ {right}))", "({left} & ~{right})"),
    sign=sign("@", "@"),
    cost=2,
)
operators.OPERATORS["**"] = operators.InfixOperator(
    "the distance",
    12,
    lambda a, b: abs(a - b),
    lambda a, b: (0, max(a[1] - b[0], b[1] - a[0])),
    "abs({a} - {b})",
    commutes=True,
    neutral=0,
    by_constant=True,
    javascript="R.distance({a}, {b})",
    sign=sign("*", "*"),
)
import numpy as np
import grundylab as gl
from grundylab.check.edits import EditVocabulary
from grundylab.discover.bank import BINARY
from grundylab.discover.cost import cost
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.folding import fold_constants
from grundylab.language.functions import NO_FUNCTIONS
from grundylab.language.intervals import Interval, interval
from grundylab.language.javascript import Script
from grundylab.language.layout import to_latex
from grundylab.language.numba_source import Emitter
from grundylab.language.plain import evaluate
from grundylab.logic.coq_terms import CoqPrinter
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.lowering import Lowering
from grundylab.logic.reader import AutomataReader
from grundylab.logic.walnut import walnut_files_of
from grundylab.logic.ws1s import mona_script
without, apart = gl.parse("x @ y @ 1"), gl.parse("x ** y")
question = gl.parse("x @ 5 == 8")
sentence = Lowering().condition(question)
def refused(read, text="x ** y == 1"):
    try:
        return read(gl.parse(text)) and ""
    except OutsideFragment as error:
        return str(error)
print(json.dumps({
    "text": [str(without), str(gl.parse("x @ (y @ 1)")), str(gl.parse("x + 2 @ y"))],
    "plain": [evaluate(without, {"x": 15, "y": 4}), evaluate(apart, {"x": 3, "y": 8})],
    "arrays": evaluate_arrays(without, {"x": np.arange(8), "y": np.array(4)}).tolist(),
    "bounds": [interval(apart, {"x": Interval(2, 3), "y": Interval(0, 9)}).high],
    "numba": Emitter(NO_FUNCTIONS, ()).expression(without, ("x", "y")),
    "javascript": [Script(NO_FUNCTIONS).expression(expr) for expr in (without, apart)],
    "latex": to_latex(without),
    "folded": str(fold_constants(gl.parse("x @ 0"))),
    "cost": [cost(without), cost(apart)],
    "bank": [op for op in ("@", "**") if op in BINARY],
    "edits": "x @ y" in [str(edit.node) for edit in EditVocabulary(("x", "y"), NO_FUNCTIONS).edits(gl.parse("x + y"))],
    "direct": [n for n in range(16) if AutomataReader().true(question).contains({"x": n})],
    "mona": "\\\\" in mona_script(sentence, "without"),
    "walnut": [line for line in str(walnut_files_of({"q": sentence}, "w", [])).split("\\n") if "reg without" in line],
    "refused": [refused(Lowering().condition), refused(AutomataReader().true)],
    "coq": refused(CoqPrinter().term, "x @ y == 1"),
}))
"""


def test_a_new_row_is_an_operator_for_every_reader(tmp_path):
    script = tmp_path / "new_rows.py"
    script.write_text(NEW_ROWS)
    answer = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    said = json.loads(answer.stdout)
    assert said["text"] == ["x @ y @ 1", "x @ (y @ 1)", "x + 2 @ y"]
    assert said["plain"] == [10, 5]
    assert said["arrays"] == [0, 0, 2, 2, 0, 0, 2, 2]
    assert said["bounds"] == [7]
    assert said["numba"] == "((v_x & ~v_y) & ~(1))"
    assert said["javascript"] == ["((v_x & ~v_y) & ~1n)", "R.distance(v_x, v_y)"]
    assert said["latex"] == r"(x @ y) @ 1"
    assert said["folded"] == "x"
    assert said["cost"] == [7, 4]
    assert said["bank"] == ["@", "**"]
    assert said["edits"]
    assert said["direct"] == [8, 9, 12, 13]
    assert said["mona"]
    assert "[0,0,0]|[0,1,0]|[1,0,1]|[1,1,0]" in said["walnut"][0]
    assert all("'**' is not expressible" in why for why in said["refused"])
    assert said["coq"] == "x @ y: '@' is not written for Coq"
