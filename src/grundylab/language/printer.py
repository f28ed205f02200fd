"""The text of a formula, such that ``parse(to_text(f)) == f``.

Python would need almost all of its parentheses.
"""

from __future__ import annotations

from grundylab.language import syntax
from grundylab.language.operators import OPERATORS, SUM_BINDS, UNARY_BINDS
from grundylab.language.syntax import ACCEPTS, MAX_WRITTEN, Expr, check_size

# How strongly the signs other than infix operators bind, in Python's order.
_IF, _NOT, _COMPARE, _ATOM = 0, 3, 4, UNARY_BINDS + 1
_LOGIC = {"or": 1, "and": 2}

_LINE = "_line"  # the attribute in which a node caches its line


def to_text(expr: Expr) -> str:
    """Return the expression as a line of text in the formula language. Raises FormulaError if it is too large.

    The node caches the line.
    """
    if _LINE not in vars(expr):
        vars(expr)[_LINE] = _text(check_size(expr, MAX_WRITTEN))
    line: str = vars(expr)[_LINE]
    return line


def _text(expr: Expr) -> str:
    return _text_and_strength(expr)[0]


def _text_and_strength(expr: Expr) -> tuple[str, int]:
    """Return the text, and how strongly its outermost operator binds: _ATOM if it never needs parentheses."""
    match expr:
        case syntax.Int(value=value):
            return str(value), _ATOM if value >= 0 else UNARY_BINDS
        case syntax.Bool(value=truth):
            return str(truth), _ATOM
        case syntax.Name(id=name):
            return name, _ATOM
        case syntax.Negate(operand=operand):
            return f"-{_inside(operand, UNARY_BINDS)}", UNARY_BINDS
        case syntax.Not(operand=operand):
            return f"not {_inside(operand, _NOT)}", _NOT
        case syntax.Binary(op=op, left=left, right=right):
            strength = OPERATORS[op].binds
            return f"{_operand(left, op, strength)} {op} {_operand(right, op, strength + 1)}", strength
        case syntax.Compare(ops=ops, terms=terms):
            texts = [_inside(term, _COMPARE + 1) for term in terms]
            links = (f" {op} {text}" for op, text in zip(ops, texts[1:], strict=True))
            return texts[0] + "".join(links), _COMPARE
        case syntax.Logic(op=op, terms=terms):
            return f" {op} ".join(_inside(term, _LOGIC[op] + 1) for term in terms), _LOGIC[op]
        case syntax.If(condition=condition, then=then, otherwise=otherwise):
            return f"{_inside(then, 1)} if {_inside(condition, 1)} else {_text(otherwise)}", _IF
        case syntax.Call(name=name, arguments=arguments):
            return f"{name}({', '.join(map(_text, arguments))})", _ATOM
        case syntax.Accepts(automaton, arguments):
            return f'{ACCEPTS}("{automaton}", {", ".join(map(_text, arguments))})', _ATOM
        case syntax.Bounded(quantifier, variable, start, stop, body):
            span = f"range({_text(start)}, {_text(stop)})"
            return f"{quantifier}({_text(body)} for {variable} in {span})", _ATOM
    raise TypeError(f"not an expression: {expr!r}")


def _operand(expr: Expr, op: str, strength: int) -> str:
    """Return the text of an operand of ``op``, in parentheses where it needs them.

    Where ``op`` binds less than a sum, an operand with another operator always has parentheses: ``(x + 1) ^ y``.
    """
    if OPERATORS[op].binds < SUM_BINDS and isinstance(expr, syntax.Binary) and expr.op != op:
        return f"({_text(expr)})"
    return _inside(expr, strength)


def _inside(expr: Expr, strength: int) -> str:
    text, own = _text_and_strength(expr)
    return text if own >= strength else f"({text})"


Expr.__str__ = to_text  # type: ignore[method-assign, assignment] # syntax.py cannot import this module
