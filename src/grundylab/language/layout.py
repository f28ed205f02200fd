"""Formula to boxes, as papers print it: ⊕ for nim-sum, floors of fractions, congruences, cases.

Parentheses follow a reader's habits, not Python's grammar: products bind tighter than sums, but between ⊕, &,
|, mod and sums, or between ∧ and ∨, there is no habit to rely on, so there they always show what belongs to
what.
"""

from __future__ import annotations

import re

from grundylab.language import boxes
from grundylab.language.boxes import (
    Box,
    applied,
    elements,
    fenced,
    fraction,
    indexed,
    joined,
    letters,
    listed,
    modulo,
    number,
    parenthesised,
    power,
    row,
    script,
    summation,
    words,
)
from grundylab.language.builtins import BUILTINS
from grundylab.language.syntax import (
    Accepts,
    Binary,
    Bool,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Kind,
    Logic,
    Name,
    Negate,
    Not,
    free_names,
)

# How tightly the outermost sign of a typeset expression binds.
_LOOSE, _LOGIC, _NOT, _COMPARE, _BITS, _SUM, _SUMMATION, _PRODUCT, _ATOM = range(9)
_CONNECTIVES = {"and": boxes.AND, "or": boxes.OR}


def to_latex(expr: Expr) -> str:
    """The expression in LaTeX's math mode, on one line."""
    return layout(expr).latex


def to_mathml(expr: Expr, alttext: str | None = None) -> str:
    """The expression as one or more ``math`` elements; ``alttext``: what it is in words, its text if not given."""
    return elements(layout(expr), str(expr) if alttext is None else alttext)


def layout(expr: Expr) -> Box:
    """The expression in boxes."""
    return _typeset(expr)[0]


def _typeset(expr: Expr) -> tuple[Box, int]:
    """The boxes and how tightly they bind."""
    match expr:
        case Int(value=value):
            return number(value), _ATOM
        case Bool(value=truth):
            return words("true" if truth else "false"), _ATOM
        case Name(id=name):
            return named(name), _ATOM
        case Negate(operand=operand):
            return row(boxes.MINUS, _within(operand, _SUMMATION), apart=False), _SUM
        case Binary(op=op, left=left, right=right):
            return _binary(op, left, right)
        case Compare():
            return _comparison(expr), _COMPARE
        case Not(operand=Call(name="is_power_of_two", arguments=(argument,))):
            return _power_of_two(argument, boxes.NOT_IN), _COMPARE
        case Not(operand=operand):
            return row(boxes.NOT, _within(operand, _ATOM)), _NOT
        case Logic(op=op, terms=terms):
            alike = [isinstance(term, Logic) and term.op == op for term in terms]
            weakest = [_LOGIC if same else _NOT for same in alike]
            return joined(_CONNECTIVES[op], list(map(_within, terms, weakest))), _LOGIC
        case If():
            return _cases(expr), _BITS if expr.kind is Kind.NUMBER else _LOOSE
        case Call(name=name, arguments=arguments):
            return _call(name, arguments)
        case Accepts(automaton, arguments):  # which one it is, the text says; here how large it is
            head = indexed(script("A"), str(automaton.states))
            return applied(head, list(map(layout, arguments))), _ATOM
        case Bounded(quantifier="sum", variable=variable, start=start, stop=stop, body=body):
            below = row(named(variable), boxes.EQUAL, layout(start), apart=False)
            return row(summation(below, layout(_last(stop))), _within(body, _PRODUCT)), _SUMMATION
        case Bounded():
            return _quantified(expr), _LOOSE
    raise TypeError(f"not an expression: {expr!r}")


def named(name: str, function: bool = False) -> Box:
    """``m``, or with its number as an index."""
    head, digits = _apart(name)
    base = letters(head, function)
    return indexed(base, digits) if digits else base


def _apart(name: str) -> tuple[str, str]:
    """A name without its number, and the number."""
    head = re.sub(r"_?\d+$", "", name)
    return head, name[len(head) :].lstrip("_")


def _within(expr: Expr, binding: int, leading: bool = False) -> Box:
    """The boxes, in parentheses unless they bind that tightly; a minus sign is bare only in a leading place."""
    box, own = _typeset(expr)
    return box if own >= binding and (leading or box.begins != "minus") else parenthesised(box)


def _binary(op: str, left: Expr, right: Expr) -> tuple[Box, int]:
    match op:
        case "+":
            return row(_within(left, _SUM, leading=True), boxes.PLUS, _within(right, _SUM)), _SUM
        case "-":
            return row(_within(left, _SUM, leading=True), boxes.MINUS, _within(right, _SUMMATION)), _SUM
        case "*" if left == right and isinstance(left, Name):
            return power(named(left.id), number(2)), _ATOM
        case "*":
            return _product(left, right), _PRODUCT
        case "/":
            return fraction(layout(left), layout(right)), _ATOM
        case "//":
            return fenced("floor", fraction(layout(left), layout(right))), _ATOM
        case ">>":
            return fenced("floor", fraction(layout(left), _power(right))), _ATOM
        case "<<" if left == Int(1):
            return _power(right), _ATOM
        case "<<":
            return row(_within(left, _PRODUCT, leading=True), boxes.TIMES, _power(right)), _PRODUCT
        case "%":
            return row(_within(left, _PRODUCT), boxes.BITS["%"], _within(right, _PRODUCT)), _BITS
        case _:
            operands = [_bit_operand(op, part) for part in (left, right)]
            return joined(boxes.BITS[op], operands), _BITS


def _bit_operand(op: str, operand: Expr) -> Box:
    """An operand of ⊕, & or |: of these and of mod only the same associative one needs no parentheses."""
    alike = isinstance(operand, Binary) and operand.op == op
    return _within(operand, _BITS if alike else _PRODUCT)


def _product(left: Expr, right: Expr) -> Box:
    factors = _within(left, _PRODUCT, leading=True), _within(right, _PRODUCT)
    before, after = left, right
    while isinstance(before, Binary) and before.op == "*":
        before = before.right
    while isinstance(after, Binary) and after.op == "*":
        after = after.left
    sign = boxes.UNSEEN_TIMES if _may_touch(before, after, factors[1].begins) else boxes.TIMES
    return row(factors[0], sign, factors[1])


def _may_touch(before: Expr, after: Expr, begins: str) -> bool:
    """Whether two factors may stand side by side: 2x, 2(x+1), xy; but not 2·3, x·2, x·(y+1), 2·½."""
    if begins == "number" or any(isinstance(part, Name) and _long(part.id) for part in (before, after)):
        return False
    return begins != "parenthesis" or not isinstance(before, Name | Call)


def _long(name: str) -> bool:
    return len(_apart(name)[0]) > 1


def _power(exponent: Expr) -> Box:
    return power(number(2), layout(exponent))


def _comparison(expr: Compare) -> Box:
    match expr:
        case Compare(("==" | "!=" as op,), (Binary("%", left, Int(value=modulus)), Int(value=residue))) if (
            0 <= residue < modulus
        ):
            sign = boxes.EQUIVALENT if op == "==" else boxes.NOT_EQUIVALENT
            return row(_within(left, _BITS, leading=True), sign, number(residue), modulo(modulus))
    head, *others = (_within(term, _BITS, leading=True) for term in expr.terms)
    links = (part for op, box in zip(expr.ops, others, strict=True) for part in (boxes.COMPARISONS[op], box))
    return row(head, *links)


def _power_of_two(argument: Expr, sign: Box) -> Box:
    taken = free_names(argument)
    names = ("i", "j", "k", *(f"i{number}" for number in range(len(taken))))
    exponent = named(next(name for name in names if name not in taken))
    powers = row(power(number(2), exponent), boxes.SUCH_THAT, exponent, boxes.AT_LEAST, number(0))
    return row(_within(argument, _BITS, leading=True), sign, fenced("{", powers))


def _cases(expr: If) -> Box:
    rows: list[tuple[Box, Box]] = []
    rest: Expr = expr
    while isinstance(rest, If):
        rows.append((layout(rest.then), layout(rest.condition)))
        rest = rest.otherwise
    return boxes.cases(rows, layout(rest))


def _call(name: str, arguments: tuple[Expr, ...]) -> tuple[Box, int]:
    if name == "is_power_of_two":
        return _power_of_two(arguments[0], boxes.IN), _COMPARE
    given, row = list(map(layout, arguments)), BUILTINS.get(name)
    if row is None or row.typeset is None:
        return applied(named(name, function=True), given), _ATOM
    return row.typeset(given, _within(arguments[0], _ATOM)), _ATOM


def _quantified(expr: Bounded) -> Box:
    sign = boxes.EXISTS if expr.quantifier == "any" else boxes.ALL
    variable, last = named(expr.variable), _last(expr.stop)
    span: tuple[Box, ...]
    if expr.stop == Binary("+", last, Int(1)):
        low, high = (_within(end, _BITS, leading=True) for end in (expr.start, last))
        span = (row(variable, boxes.COMMA, apart=False), low, boxes.AT_MOST, variable, boxes.AT_MOST, high)
    else:
        ends = listed((layout(expr.start), boxes.DOTS, layout(last)))
        span = (variable, boxes.IN, fenced("{", ends))
    return row(row(sign, *span), boxes.COLON, layout(expr.body))


def _last(stop: Expr) -> Expr:
    """``stop - 1``, as one would write it."""
    match stop:
        case Int(value=value):
            return Int(value - 1)
        case Binary("+", left, Int(value=1)):
            return left
        case Binary("+" | "-" as op, left, Int(value=value)):
            value = value - 1 if op == "+" else value + 1
            return left if value == 0 else Binary(op, left, Int(value))
    return Binary("-", stop, Int(1))
