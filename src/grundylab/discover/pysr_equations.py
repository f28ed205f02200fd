"""Translation of PySR's equations into formulas over whole numbers, or the reason why there is no such formula."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from grundylab.discover.genetic import BY_NAME, NoFormula
from grundylab.language import Expr
from grundylab.language.syntax import Binary, Int, negative

FEATURE = re.compile(r"\bx(\d+)\b")
_INFIX: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "times"}


def equation_formula(equation: str, leaves: Sequence[Expr]) -> Expr:
    """Return the formula of an equation that PySR printed. Raise NoFormula if there is none.

    leaves: the expressions for which ``x0``, ``x1``, … stand in the equation.
    """
    try:
        tree = ast.parse(equation, mode="eval").body
    except (SyntaxError, ValueError):
        raise NoFormula("it cannot be read") from None
    return _formula(tree, leaves)


def equation_text(equation: str, leaves: Sequence[Expr]) -> str:
    """Return the equation with the leaves in place of ``x0``, ``x1``, …; a leaf that is a nim-sum becomes a call."""

    def leaf(match: re.Match[str]) -> str:
        place = int(match[1])
        if place >= len(leaves):
            return match[0]
        match leaves[place]:
            case Binary(op="^", left=left, right=right):
                return f"nimsum({left}, {right})"
            case other:
                return str(other)

    return FEATURE.sub(leaf, equation)


def _formula(node: ast.expr, leaves: Sequence[Expr]) -> Expr:
    match node:
        case ast.Name(id=name):
            if (feature := FEATURE.fullmatch(name)) and int(feature[1]) < len(leaves):
                return leaves[int(feature[1])]
            raise NoFormula(f"it mentions an unknown name {name}")
        case ast.Constant(value=int() | float() as value):
            if float(value).is_integer():
                return Int(int(value))
            raise NoFormula(f"it has a constant that is not a whole number ({value:.5g})")
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=float() as value)):
            return _formula(ast.Constant(-value), leaves)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return negative(_formula(operand, leaves))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _INFIX:
            return BY_NAME[_INFIX[type(sign)]].applied([_formula(left, leaves), _formula(right, leaves)])
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            operator = BY_NAME.get(name)
            if operator is None:
                raise NoFormula(f"it calls an unknown function {name}")
            if operator.arity != len(arguments):
                raise NoFormula(
                    f"it calls {name} with {len(arguments)} in place of {operator.arity} arguments"
                )
            return operator.applied([_formula(argument, leaves) for argument in arguments])
        case _:
            part = equation_text(ast.unparse(node), leaves)
            raise NoFormula(f"it has a part that is not always a whole number ({part})")
