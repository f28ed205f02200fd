"""Constant folding for printing: ``1 * x + 0`` becomes ``x``. The value is the same wherever the original has one."""

from __future__ import annotations

from grundylab.errors import EvaluationError
from grundylab.language.operators import OPERATORS
from grundylab.language.parser import has_short_numbers
from grundylab.language.plain import evaluate
from grundylab.language.substitution import rewrite
from grundylab.language.syntax import Binary, Expr, Int, Name


def fold_constants(expr: Expr) -> Expr:
    """Return the expression with operations on constants evaluated, and neutral operands such as ``+ 0`` removed.

    The product of 0 and a name becomes 0.
    """
    return rewrite(expr, _folded)


def _folded(node: Expr) -> Expr:
    if not isinstance(node, Binary) or node.op == "/":
        return node
    left, right = node.left, node.right
    if isinstance(left, Int) and isinstance(right, Int):
        try:
            value = Int(int(evaluate(node, {})))
        except EvaluationError:
            return node
        return value if has_short_numbers(value) else node
    row = OPERATORS[node.op]
    if row.neutral is not None:
        if right == Int(row.neutral):
            return left
        if row.commutes and left == Int(row.neutral):
            return right
    zero = node.op == "*" and Int(0) in (left, right)
    return Int(0) if zero and (isinstance(left, Name) or isinstance(right, Name)) else node
