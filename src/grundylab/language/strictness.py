"""What is evaluated whatever the values are: a call's arguments are, even those that the body has no use for."""

from __future__ import annotations

from functools import reduce

from grundylab.language.builtins import BUILTINS
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Logic,
    Name,
    parts,
)


def evaluated(expr: Expr) -> frozenset[str]:
    """The names that are surely asked for when the expression is: not those behind a condition or in a range."""
    match expr:
        case Name(id=name):
            return frozenset({name})
        case If(condition=condition, then=then, otherwise=otherwise):
            return evaluated(condition) | (evaluated(then) & evaluated(otherwise))
        case Logic(terms=(first, *_)):
            return evaluated(first)
        case Compare(terms=(first, second, *_)):
            return evaluated(first) | evaluated(second)
        case Bounded(start=start, stop=stop):
            return evaluated(start) | evaluated(stop)
        case _:
            return reduce(frozenset.union, map(evaluated, expr.children), frozenset[str]())


def always_has_a_value(expr: Expr) -> bool:
    """Whether nothing in it can be without a value, whatever the names are; it may be so without being seen."""
    return all(map(_has_a_value, parts(expr)))


def _has_a_value(node: Expr) -> bool:
    """If its children have."""
    match node:
        case Binary(op="//" | "%" | "/", right=Int(value=value)):
            return value != 0
        case Binary(op="<<" | ">>", right=Int(value=value)):
            return value >= 0
        case Binary(op="//" | "%" | "/" | "<<" | ">>") | Bounded():
            return False
        case Call(name=name):
            return name in BUILTINS and BUILTINS[name].least is None
        case _:
            return True
