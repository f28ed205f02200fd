"""The order of equal formulas: by size, and by the effort of reading them."""

from __future__ import annotations

from grundylab.language import Expr, Kind
from grundylab.language.builtins import BUILTINS
from grundylab.language.operators import OPERATORS
from grundylab.language.syntax import (
    Accepts,
    Binary,
    Bool,
    Bounded,
    Call,
    Compare,
    If,
    Int,
    Name,
    Negate,
    negative,
    walk,
)

_UNUSUAL = 3  # nodes of a plain formula that take as long to read as one unusual node
_CRYPTIC = 18  # and as one node whose value must be computed before the formula is understood
_CHOOSING = frozenset({"min", "max", "abs"})
_RARE = frozenset({"*", *(op for op, row in OPERATORS.items() if row.cost > 1)})


def plainness(expr: Expr) -> tuple[int, int, int, int, int, str]:
    """Return a sort key for formulas, the shortest first, and the plainest of those of the same size.

    It consists of the size, the number of conditionals and truth constants, the number of unusual operators and calls,
    the number of inequalities, the sum of the constants' magnitudes (each plus 1), and the text.
    """
    nodes = list(walk(expr))
    rare = sum(isinstance(node, Call) or (isinstance(node, Binary) and node.op in _RARE) for node in nodes)
    ordered = sum(isinstance(node, Compare) and not {"==", "!="} & {*node.ops} for node in nodes)
    constants = sum(1 + abs(node.value) for node in nodes if isinstance(node, Int) and node.value)
    return expr.size, sum(isinstance(node, If | Bool) for node in nodes), rare, ordered, constants, str(expr)


def reading_effort(expr: Expr) -> tuple[int, int, tuple[int, int, int, int, int, str]]:
    """Return a sort key for formulas by the effort of reading, the least first.

    The effort is the size, with more for what has to be computed before it is understood (see ``_effort``). A part that
    occurs again counts as a single node: it has been read. Equal efforts are ordered by the number of ``!=``, then by
    ``plainness``.
    """
    read: set[Expr] = set()
    total, waiting = 0, [expr]
    while waiting:
        node = waiting.pop()
        if node in read:
            total += 1
            continue
        if node.children:
            read.add(node)
        if isinstance(node, Binary) and node.op == "&" and node.right == negative(node.left):
            # n & -n is one sign for "the greatest power of two that divides it", and its operand
            total += 1 + _UNUSUAL
            waiting += node.children[:1]
            continue
        total += node.size - sum(child.size for child in node.children) + _effort(node)
        waiting += node.children[::-1]
    unequal = sum(node.ops.count("!=") for node in walk(expr) if isinstance(node, Compare))
    return total, unequal, plainness(expr)


def is_plain(expr: Expr) -> bool:
    """Tell whether the formula can be read without computing: no part of it adds to its ``reading_effort``."""
    return not any(map(_effort, walk(expr)))


def _effort(node: Expr) -> int:
    """Return what a node adds to the effort of reading beyond its size.

    Nobody sees at once what these are: a nim-sum with a constant or a negative number, of a sum with one of its
    terms, or of two numbers made of one name; the sum of two remainders of one name, or of ``x % 7 % 2`` and a
    number; what remains of a multiple, or of a number made of a remainder; common digits of numbers; other functions
    of a minimum, maximum or magnitude; and automata.
    Only unusual are sums over a range, the other functions and operators on digits, conditions by cases, remainders
    that are added before they are compared, and the minimum of a number and a constant. Comparisons, other minima,
    remainders and the nim-sum of piles add nothing.
    """
    match node:
        case Negate() | Accepts():
            return _CRYPTIC
        case Bounded(kind=Kind.NUMBER):
            return 2 * _UNUSUAL
        case If():
            return _UNUSUAL * (node.kind is Kind.CONDITION)
        case Binary(op="^", left=left, right=right):
            constant = any(isinstance(side, Int | Negate) for side in (left, right))
            if (
                constant
                or len(node.free) == 1
                or (left.free & right.free and any(map(_is_sum, (left, right))))
            ):
                return _CRYPTIC
            # a pile, a sum, or a nim-sum of these
            usual = (
                isinstance(side, Name) or (isinstance(side, Binary) and side.op in ("+", "-", "^"))
                for side in (left, right)
            )
            return int(not all(usual))
        case Binary(op="+" | "-", left=left) if len(node.free) == 1:
            return _CRYPTIC * (all(map(_has_remainder, node.children)) or _is_double_remainder(left))
        case Compare(terms=terms):
            return _UNUSUAL * any(map(_adds_remainders, terms))
        case Binary(op="%") if _is_double_remainder(node):
            return _UNUSUAL
        case Binary(op="%" | "//", right=Int(value=value)) if value < 0:
            return _CRYPTIC
        case Binary(op="%" | "//" as op, left=left):
            return _CRYPTIC * _is_puzzle(op, left) or int(isinstance(left, Binary) and left.op == "^")
        case Binary(op=op) if OPERATORS[op].cost > 1:
            return _CRYPTIC if OPERATORS[op].digits else _UNUSUAL
        case Call(name=name) if name in _CHOOSING:
            return _UNUSUAL * (len(node.free) == 1 or any(map(_has_choice, node.children)))
        case Call(name=name):
            row = BUILTINS.get(name)  # rounded quotients are plain
            if row is None or row.rounds:
                return 0
            return _CRYPTIC if any(map(_has_choice, node.children)) else _UNUSUAL
    return 0


def _is_sum(expr: Expr) -> bool:
    return isinstance(expr, Binary) and expr.op in ("+", "-")


def _is_double_remainder(expr: Expr) -> bool:
    """Tell whether this is a remainder of a name's remainder, such as ``x % 7 % 2``."""
    match expr:
        case Binary(op="%", left=Binary(op="%", left=Name())):
            return True
    return False


def _adds_remainders(expr: Expr) -> bool:
    """Tell whether this is a multiple of a remainder, or a sum with a remainder."""
    parts = expr.children if isinstance(expr, Binary) and expr.op in ("+", "-", "*") else ()
    return any(isinstance(part, Binary) and part.op == "%" for part in parts)


def _is_puzzle(op: str, dividend: Expr) -> bool:
    """Tell whether a remainder (or quotient) must be computed to be understood: its dividend is made of one name."""
    match dividend:
        case Name() | Binary(op="%" | "//", left=Name()) | Binary(op="+" | "-", left=Name(), right=Int()):
            return False
        case Call(name="min" | "max", arguments=arguments) if any(
            _is_sum(argument) for argument in arguments
        ):
            return True
    puzzling = dividend.name in _CHOOSING if isinstance(dividend, Call) else op == "%"
    return len(dividend.free) == 1 and (_has_remainder(dividend) or puzzling)


def _has_remainder(expr: Expr) -> bool:
    return any(isinstance(node, Binary) and node.op == "%" for node in walk(expr))


def _has_choice(expr: Expr) -> bool:
    return any(isinstance(node, Call) and node.name in _CHOOSING for node in walk(expr))
