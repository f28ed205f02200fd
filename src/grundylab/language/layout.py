"""The typesetting of formulas as papers print them: ⊕ for nim-sum, floors of fractions, congruences, cases.

Parentheses follow people's habits, not Python's grammar. Products bind more tightly than sums. But no precedence is
established between ⊕, &, |, mod and sums, nor between ∧ and ∨, so parentheses always show the grouping there.
"""

from __future__ import annotations

import re

from grundylab.language import boxes, syntax
from grundylab.language.boxes import Box
from grundylab.language.builtins import BUILTINS
from grundylab.language.operators import OPERATORS
from grundylab.language.syntax import Expr, Kind, free_names

# How strongly the outermost sign of a typeset expression binds, the loosest first.
_LOOSE, _LOGIC, _NOT, _COMPARE, _BITS, _SUM, _SUMMATION, _PRODUCT, _ATOM = range(9)
_CONNECTIVES = {"and": boxes.AND, "or": boxes.OR}


def to_latex(expr: Expr) -> str:
    """Return the expression in LaTeX's math mode, on one line."""
    return layout(expr).latex


def to_mathml(expr: Expr, alttext: str | None = None) -> str:
    """Return the expression as ``math`` elements. alttext: a description in words, by default the formula's text."""
    return boxes.elements(layout(expr), str(expr) if alttext is None else alttext)


def layout(expr: Expr) -> Box:
    """Return the expression as a box."""
    return _typeset(expr)[0]


def _typeset(expr: Expr) -> tuple[Box, int]:
    """Return the expression's box, and how strongly its outermost sign binds."""
    match expr:
        case syntax.Int(value=value):
            return boxes.number(value), _ATOM
        case syntax.Bool(value=truth):
            return boxes.text_box("true" if truth else "false"), _ATOM
        case syntax.Name(id=name):
            return name_box(name), _ATOM
        case syntax.Negate(operand=operand):
            return boxes.row(boxes.MINUS, _within(operand, _SUMMATION), apart=False), _SUM
        case syntax.Binary(op=op, left=left, right=right):
            return _binary(op, left, right)
        case syntax.Compare():
            return _comparison(expr), _COMPARE
        case syntax.Not(operand=syntax.Call(name="is_power_of_two", arguments=(argument,))):
            return _power_of_two(argument, boxes.NOT_IN), _COMPARE
        case syntax.Not(operand=operand):
            return boxes.row(boxes.NOT, _within(operand, _ATOM)), _NOT
        case syntax.Logic(op=op, terms=terms):
            alike = [isinstance(term, syntax.Logic) and term.op == op for term in terms]
            weakest = [_LOGIC if same else _NOT for same in alike]
            return boxes.operator_row(_CONNECTIVES[op], list(map(_within, terms, weakest))), _LOGIC
        case syntax.If():
            return _cases(expr), _BITS if expr.kind is Kind.NUMBER else _LOOSE
        case syntax.Call(name=name, arguments=arguments):
            return _call(name, arguments)
        case syntax.Accepts(automaton, arguments):  # typeset by its number of states; the text identifies it
            head = boxes.subscript(boxes.script("A"), str(automaton.states))
            if not automaton.system.binary:
                head = boxes.power(head, boxes.text_box(str(automaton.system)))
            return boxes.application(head, list(map(layout, arguments))), _ATOM
        case syntax.Bounded(quantifier, variable, start, stop, body) if quantifier in syntax.TOTALS:
            below = boxes.row(name_box(variable), boxes.EQUAL, layout(start), apart=False)
            sign = boxes.SUMMATIONS[quantifier]
            return boxes.row(
                boxes.limits(sign, below, layout(_last(stop))), _within(body, _PRODUCT)
            ), _SUMMATION
        case syntax.Bounded():
            return _quantified(expr), _LOOSE
    raise TypeError(f"not an expression: {expr!r}")


def name_box(name: str, function: bool = False) -> Box:
    """Return the box of a name, with a trailing number as a subscript. function: whether the name is applied."""
    head, digits = _stem_and_number(name)
    base = boxes.letters(head, function)
    return boxes.subscript(base, digits) if digits else base


def _stem_and_number(name: str) -> tuple[str, str]:
    """Split a name into its stem and its trailing number."""
    head = re.sub(r"_?\d+$", "", name)
    return head, name[len(head) :].lstrip("_")


def _within(expr: Expr, binding: int, leading: bool = False) -> Box:
    """Return the expression's box, in parentheses unless it binds at least as tightly as ``binding``.

    leading: whether nothing stands to the left of the box, so that it may begin with a minus sign.
    """
    return _parenthesised(*_typeset(expr), binding, leading)


def _parenthesised(box: Box, own: int, binding: int, leading: bool = False) -> Box:
    """Return the box, in parentheses if ``own``, how tightly it binds, is less than ``binding``.

    It also gets parentheses if it begins with a minus sign, unless ``leading``.
    """
    return box if own >= binding and (leading or box.begins != "minus") else boxes.parenthesised(box)


def _binary(op: str, left: Expr, right: Expr) -> tuple[Box, int]:
    sign = OPERATORS[op].sign
    match op:
        case "+" | "-" if sign:
            after = _within(right, _SUM if op == "+" else _SUMMATION)
            return boxes.row(_within(left, _SUM, leading=True), sign, after), _SUM
        case "*" if left == right and isinstance(left, syntax.Name):
            return boxes.power(name_box(left.id), boxes.number(2)), _ATOM
        case "*":
            return _product(left, right), _PRODUCT
        case "/":
            return boxes.fraction(layout(left), layout(right)), _ATOM
        case "//":
            return boxes.fenced("floor", boxes.fraction(layout(left), layout(right))), _ATOM
        case ">>":
            return boxes.fenced("floor", boxes.fraction(layout(left), _power(right))), _ATOM
        case "<<" if left == syntax.Int(1):
            return _power(right), _ATOM
        case "<<":
            return boxes.row(_within(left, _PRODUCT, leading=True), boxes.TIMES, _power(right)), _PRODUCT
        case "%" if sign:
            return boxes.row(_within(left, _PRODUCT), sign, _within(right, _PRODUCT)), _BITS
    assert sign is not None
    joined = []
    for part in (left, right):  # in parentheses unless it is the same operation or binds like a product
        alike = isinstance(part, syntax.Binary) and part.op == op and OPERATORS[op].commutes
        joined.append(_within(part, _BITS if alike else _PRODUCT))
    return boxes.operator_row(sign, joined), _BITS


def _product(left: Expr, right: Expr) -> Box:
    factors = _within(left, _PRODUCT, leading=True), _within(right, _PRODUCT)
    before, after = left, right
    while isinstance(before, syntax.Binary) and before.op == "*":
        before = before.right
    while isinstance(after, syntax.Binary) and after.op == "*":
        after = after.left
    # side by side: 2x, 2(x+1), xy; but not 2·3, x·2, x·(y+1), 2·½
    names = [part.id for part in (before, after) if isinstance(part, syntax.Name)]
    long = any(len(_stem_and_number(name)[0]) > 1 for name in names)
    applied = factors[1].begins == "parenthesis" and isinstance(before, syntax.Name | syntax.Call)
    apart = factors[1].begins == "number" or long or applied
    sign = boxes.TIMES if apart else boxes.UNSEEN_TIMES
    return boxes.row(factors[0], sign, factors[1])


def _power(exponent: Expr) -> Box:
    return boxes.power(boxes.number(2), layout(exponent))


def _comparison(expr: syntax.Compare) -> Box:
    match expr:
        case syntax.Compare(
            ("==" | "!=" as op,),
            (syntax.Binary("%", left, syntax.Int(value=modulus)), syntax.Int(value=residue)),
        ) if 0 <= residue < modulus:
            sign = boxes.EQUIVALENT if op == "==" else boxes.NOT_EQUIVALENT
            return boxes.row(
                _within(left, _BITS, leading=True), sign, boxes.number(residue), boxes.modulo(modulus)
            )
    head, *others = (_within(term, _BITS, leading=True) for term in expr.terms)
    links = (part for op, box in zip(expr.ops, others, strict=True) for part in (boxes.COMPARISONS[op], box))
    return boxes.row(head, *links)


def _power_of_two(argument: Expr, sign: Box) -> Box:
    taken = free_names(argument)
    names = ("i", "j", "k", *(f"i{place}" for place in range(len(taken))))
    exponent = name_box(next(name for name in names if name not in taken))
    powers = boxes.row(
        boxes.power(boxes.number(2), exponent), boxes.SUCH_THAT, exponent, boxes.AT_LEAST, boxes.number(0)
    )
    return boxes.row(_within(argument, _BITS, leading=True), sign, boxes.fenced("{", powers))


def _cases(expr: syntax.If) -> Box:
    rows: list[tuple[Box, Box]] = []
    rest: Expr = expr
    while isinstance(rest, syntax.If):
        rows.append((layout(rest.then), layout(rest.condition)))
        rest = rest.otherwise
    return boxes.cases(rows, layout(rest))


def _call(name: str, arguments: tuple[Expr, ...]) -> tuple[Box, int]:
    if name == "is_power_of_two":
        return _power_of_two(arguments[0], boxes.IN), _COMPARE
    laid, built_in = list(map(_typeset, arguments)), BUILTINS.get(name)
    given = [box for box, _ in laid]
    if built_in is not None and built_in.sign is not None:
        return boxes.operator_row(built_in.sign, [_parenthesised(*one, _ATOM) for one in laid]), _BITS
    if built_in is None or built_in.typeset is None:
        return boxes.application(name_box(name, function=True), given), _ATOM
    return built_in.typeset(given, _parenthesised(*laid[0], _ATOM)), _ATOM


def _quantified(expr: syntax.Bounded) -> Box:
    sign = boxes.EXISTS if expr.quantifier == "any" else boxes.ALL
    variable, last = name_box(expr.variable), _last(expr.stop)
    span: tuple[Box, ...]
    if expr.stop == syntax.Binary("+", last, syntax.Int(1)):
        low, high = (_within(end, _BITS, leading=True) for end in (expr.start, last))
        span = (
            boxes.row(variable, boxes.COMMA, apart=False),
            low,
            boxes.AT_MOST,
            variable,
            boxes.AT_MOST,
            high,
        )
    else:
        ends = boxes.comma_list((layout(expr.start), boxes.DOTS, layout(last)))
        span = (variable, boxes.IN, boxes.fenced("{", ends))
    return boxes.row(boxes.row(sign, *span), boxes.COLON, layout(expr.body))


def _last(stop: Expr) -> Expr:
    """Return ``stop - 1`` in its simplest form."""
    match stop:
        case syntax.Int(value=value):
            return syntax.Int(value - 1)
        case syntax.Binary("+", left, syntax.Int(value=1)):
            return left
        case syntax.Binary("+" | "-" as op, left, syntax.Int(value=value)):
            value = value - 1 if op == "+" else value + 1
            return left if value == 0 else syntax.Binary(op, left, syntax.Int(value))
    return syntax.Binary("-", stop, syntax.Int(1))
