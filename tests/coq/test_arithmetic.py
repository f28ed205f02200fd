"""Each row of the table of arithmetic is a lemma in Coq, about all integers, with the conventions of Coq's operations."""

from __future__ import annotations

import re
from itertools import pairwise

from tests.coq.test_development import FOLDER, needs_coq

from grundylab.language.syntax import Binary, Call, Compare, Expr, If, Int, Logic, Name, Not
from grundylab.logic.coqc import run_coqc
from grundylab.prove.core.arithmetic import ROWS, ArithmeticRow

LEMMAS = {row: row.replace("-", "_") for row in ROWS}
NUMBERS = {"+": "({} + {})", "-": "({} - {})", "*": "({} * {})", "//": "({} / {})", "%": "({} mod {})",
           "^": "(Z.lxor {} {})", "<<": "(Z.shiftl {} {})"}  # fmt: skip
# Coq's a > b and a >= b are other statements than b < a and b <= a, and the lemmas use only these
CONDITIONS = {
    "==": "({0} = {1})",
    "!=": "({0} <> {1})",
    "<": "({0} < {1})",
    "<=": "({0} <= {1})",
    ">": "({1} < {0})",
    ">=": "({1} <= {0})",
}
LOGIC = {"and": " /\\ ", "or": " \\/ "}


def printed(expr: Expr) -> str:
    """Return the row's expression about integers as a statement or a number of Coq."""
    match expr:
        case Int(value=value):
            return f"({value})"
        case Name(id=name):
            return name
        case Binary(op=op, left=left, right=right):
            return NUMBERS[op].format(printed(left), printed(right))
        case Not(operand=operand):
            return f"(~ {printed(operand)})"
        case Compare(ops=(op,), terms=(left, right)):
            return CONDITIONS[op].format(printed(left), printed(right))
        case Logic(op=op, terms=terms):
            return f"({LOGIC[op].join(map(printed, terms))})"
        case If(condition=Compare(ops=("<" | "<=" as op,), terms=(left, right)), then=then, otherwise=other):
            tested = f"{printed(left)} {op}? {printed(right)}"
            return f"(if {tested} then {printed(then)} else {printed(other)})"
        case Call(name="floor_log2", arguments=(argument,)):
            return f"(Z.log2 {printed(argument)})"
        case Call(name="is_power_of_two" | "is_prime" as name, arguments=(argument,)):
            return f"({name} {printed(argument)})"
    raise TypeError(f"no row has had this: {expr!r}")


def statement(row: ArithmeticRow) -> str:
    return f"forall {' '.join(row.arguments)} : Z, {printed(row.said)}"


def test_each_row_has_a_lemma() -> None:
    """Without Coq, this is what a new row without a proof fails."""
    lemmas = re.findall(r"^Lemma (\w+)", (FOLDER / "Arithmetic.v").read_text(), re.MULTILINE)
    assert not {*LEMMAS.values()} - {*lemmas}


@needs_coq
def test_each_lemma_proves_its_row_and_no_other_row() -> None:
    """All cases are in one file, since Coq starts slowly."""
    right = [
        f"Definition {lemma}_row : {statement(ROWS[row])} := Arithmetic.{lemma}."
        for row, lemma in LEMMAS.items()
    ]
    wrong = [
        f"Fail Definition wrong : {statement(ROWS[row])} := Arithmetic.{LEMMAS[other]}."
        for row, other in pairwise([*LEMMAS, next(iter(LEMMAS))])
    ]
    rows = ", ".join(f"{lemma}_row" for lemma in LEMMAS.values())
    text = "\n".join([
        "From Coq Require Import ZArith. From Grundylab Require Import Arithmetic. Local Open Scope Z_scope.",
        *wrong, *right, f"Definition proved := ({rows}).", "Print Assumptions proved.\n",
    ])  # fmt: skip
    answer = run_coqc(text, timeout=300)
    assert (answer.status, answer.reason) == ("accepted", None)
