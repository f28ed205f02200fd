"""Simplification of conditions on natural numbers: parts that are plainly true or false are left out.

Every free name is taken for a natural number. The search uses this, and the kernel does not.
"""

from __future__ import annotations

from functools import partial

from grundylab.games.linear_moves import affine_form, standard_form
from grundylab.language.linear import atom_polynomial
from grundylab.language.plain import COMPARE
from grundylab.language.substitution import lower, rewrite
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Bool,
    Compare,
    Expr,
    Int,
    Logic,
    Name,
    Not,
    conjunction,
    disjunction,
    free_names,
)
from grundylab.prove.core.definedness import negation
from grundylab.prove.core.space import signed_variables


def simplify_condition(expr: Expr) -> Expr:
    """Return a simpler expression with the same value for all natural numbers in place of its free names.

    A bound variable may be negative unless its range plainly excludes that.
    """
    lowered = lower(expr)
    return rewrite(lowered, partial(_simplified, signed=signed_variables(lowered)))


def _simplified(node: Expr, signed: frozenset[str]) -> Expr:
    match node:
        case Binary(op="^", left=other, right=Int(value=0)) | Binary(op="^", left=Int(value=0), right=other):
            return other
        case Binary(op="+" | "-" | "*"):
            return standard_form(node)
        case Logic(op="and", terms=terms):
            return conjunction(*terms)
        case Logic(op="or", terms=terms):
            return disjunction(*terms)
        case Not(operand=operand):
            return negation(operand)
        case Compare(ops=(op,), terms=(a, b)) if not free_names(node) & signed:
            pass  # it is true or false if the sign of the two sides' difference is plain
        case _:
            return node
    if op == "<=" and a == Int(0) and _is_natural(b):
        return TRUE
    if affine_form(a) is None or affine_form(b) is None:
        return node
    difference = atom_polynomial(a) - atom_polynomial(b)
    if (number := difference.number) is not None:
        return Bool(bool(COMPARE[op](number, 0)))
    if all(coefficient > 0 for _, coefficient in difference.terms) and op in ("<", ">="):
        return Bool(op == ">=")
    if all(coefficient < 0 for _, coefficient in difference.terms) and op in (">", "<="):
        return Bool(op == "<=")
    return node


def _is_natural(expr: Expr) -> bool:
    """Tell whether the expression combines only names and natural constants, by ``^``."""
    match expr:
        case Int(value=value):
            return value >= 0
        case Binary(op="^", left=left, right=right):
            return _is_natural(left) and _is_natural(right)
    return isinstance(expr, Name)
