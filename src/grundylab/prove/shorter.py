"""Conditions on numbers from 0 on, written shorter: what is plainly true or false is left out."""

from __future__ import annotations

from functools import partial

from grundylab.games.takes import affine, plainly
from grundylab.language.linear import poly
from grundylab.language.plain import COMPARE
from grundylab.language.substitution import lower, rewritten
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Bool,
    Bounded,
    Compare,
    Expr,
    Int,
    Logic,
    Name,
    Not,
    conjunction,
    disjunction,
    free_names,
    parts,
)
from grundylab.prove.neighbours import negation
from grundylab.prove.space import plainly_natural


def shorter(expr: Expr) -> Expr:
    """The same as it would be written, of numbers from 0 on: no name is negative, but for a bound one, perhaps."""
    bound = (node for node in parts(expr) if isinstance(node, Bounded))
    signed = {node.variable for node in bound if not plainly_natural(node.start)}
    return rewritten(lower(expr), partial(_shorter, signed=signed))


def _shorter(node: Expr, signed: set[str]) -> Expr:
    match node:
        case Binary(op="^", left=other, right=Int(value=0)) | Binary(op="^", left=Int(value=0), right=other):
            return other
        case Binary(op="+" | "-" | "*"):
            return plainly(node)
        case Compare(ops=(op,), terms=(a, b)) if not free_names(node) & signed:
            return _compared(node, op, a, b)
        case Logic(op="and", terms=terms):
            return conjunction(*terms)
        case Logic(op="or", terms=terms):
            return disjunction(*terms)
        case Not(operand=operand):
            return negation(operand)
    return node


def _compared(node: Expr, op: str, a: Expr, b: Expr) -> Expr:
    """True or false, where the sign of the difference of both sides is plain."""
    if op == "<=" and a == Int(0) and _is_natural(b):
        return TRUE
    if affine(a) is None or affine(b) is None:
        return node
    difference = poly(a) - poly(b)
    if (number := difference.number) is not None:
        return Bool(bool(COMPARE[op](number, 0)))
    if all(coefficient > 0 for _, coefficient in difference.terms) and op in ("<", ">="):
        return Bool(op == ">=")
    if all(coefficient < 0 for _, coefficient in difference.terms) and op in (">", "<="):
        return Bool(op == "<=")
    return node


def _is_natural(expr: Expr) -> bool:
    """Whether it is made of names and such numbers by digits."""
    match expr:
        case Int(value=value):
            return value >= 0
        case Binary(op="^", left=left, right=right):
            return _is_natural(left) and _is_natural(right)
    return isinstance(expr, Name)
