r"""Formula to LaTeX (amsmath), as papers print it: ⊕ for nim-sum, floors of fractions, congruences, cases.

Parentheses follow a reader's habits, not Python's grammar: products bind tighter than sums, but between ⊕, &,
|, mod and sums, or between ∧ and ∨, there is no habit to rely on, so there they always show what belongs to
what. ``\left( \right)`` is used only around something tall.
"""

from __future__ import annotations

import re

from grundylab.formula.syntax import (
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
_COMPARISONS = {"==": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}
_BIT_SIGNS = {"^": r"\oplus", "&": r"\mathbin{\&}", "|": r"\mathbin{|}", "%": r"\bmod"}
_CONNECTIVES = {"and": r"\land", "or": r"\lor"}
_TALL = (r"\frac", r"\begin", r"\sum", r"\sqrt")


def to_latex(expr: Expr) -> str:
    """The expression in LaTeX's math mode, on one line."""
    return _typeset(expr)[0]


def _typeset(expr: Expr) -> tuple[str, int]:
    """The text and how tightly it binds."""
    match expr:
        case Int(value=value):
            return str(value), _ATOM
        case Bool(value=truth):
            return rf"\text{{{'true' if truth else 'false'}}}", _ATOM
        case Name(id=name):
            return _named(name), _ATOM
        case Negate(operand=operand):
            return f"-{_within(operand, _SUMMATION)}", _SUM
        case Binary(op=op, left=left, right=right):
            return _binary(op, left, right)
        case Compare():
            return _comparison(expr), _COMPARE
        case Not(operand=Call(name="is_power_of_two", arguments=(argument,))):
            return _power_of_two(argument, r"\notin"), _COMPARE
        case Not(operand=operand):
            return rf"\lnot {_within(operand, _ATOM)}", _NOT
        case Logic(op=op, terms=terms):
            alike = [isinstance(term, Logic) and term.op == op for term in terms]
            weakest = [_LOGIC if same else _NOT for same in alike]
            return f" {_CONNECTIVES[op]} ".join(map(_within, terms, weakest)), _LOGIC
        case If():
            return _cases(expr), _BITS if expr.kind is Kind.NUMBER else _LOOSE
        case Call(name=name, arguments=arguments):
            return _call(name, arguments)
        case Accepts(automaton, arguments):  # which one it is, the text says; here how large it is
            read = _parenthesised(", ".join(map(to_latex, arguments)))
            return rf"\mathcal{{A}}_{{{automaton.states}}}{read}", _ATOM
        case Bounded(quantifier="sum", variable=variable, start=start, stop=stop, body=body):
            span = f"_{{{_named(variable)}={to_latex(start)}}}^{{{to_latex(_last(stop))}}}"
            return rf"\sum{span} {_within(body, _PRODUCT)}", _SUMMATION
        case Bounded():
            return _quantified(expr), _LOOSE
    raise TypeError(f"not an expression: {expr!r}")


def _within(expr: Expr, binding: int, leading: bool = False) -> str:
    """The text, in parentheses unless it binds that tightly; a minus sign is bare only in a leading place."""
    text, own = _typeset(expr)
    return text if own >= binding and (leading or not text.startswith("-")) else _parenthesised(text)


def _parenthesised(text: str) -> str:
    return rf"\left( {text} \right)" if any(sign in text for sign in _TALL) else f"({text})"


def _named(name: str, long: str = r"\mathit") -> str:
    """``m``, ``m_{1}``, or for more than one letter the name in the command ``long``."""
    letters = re.sub(r"_?\d+$", "", name)
    digits = name[len(letters) :].lstrip("_")
    base = letters if len(letters) == 1 else f"{long}{{{letters}}}".replace("_", r"\_")
    return f"{base}_{{{digits}}}" if digits else base


def _binary(op: str, left: Expr, right: Expr) -> tuple[str, int]:
    match op:
        case "+":
            return f"{_within(left, _SUM, leading=True)} + {_within(right, _SUM)}", _SUM
        case "-":
            return f"{_within(left, _SUM, leading=True)} - {_within(right, _SUMMATION)}", _SUM
        case "*":
            return _product(left, right), _PRODUCT
        case "/":
            return _fraction(left, to_latex(right)), _ATOM
        case "//":
            return _floor(_fraction(left, to_latex(right))), _ATOM
        case ">>":
            return _floor(_fraction(left, _power(right))), _ATOM
        case "<<" if left == Int(1):
            return _power(right), _ATOM
        case "<<":
            return rf"{_within(left, _PRODUCT, leading=True)} \cdot {_power(right)}", _PRODUCT
        case "%":
            return rf"{_within(left, _PRODUCT)} \bmod {_within(right, _PRODUCT)}", _BITS
        case _:
            operands = [_bit_operand(op, part) for part in (left, right)]
            return f" {_BIT_SIGNS[op]} ".join(operands), _BITS


def _bit_operand(op: str, operand: Expr) -> str:
    """An operand of ⊕, & or |: of these and of mod only the same associative one needs no parentheses."""
    alike = isinstance(operand, Binary) and operand.op == op
    return _within(operand, _BITS if alike else _PRODUCT)


def _product(left: Expr, right: Expr) -> str:
    texts = _within(left, _PRODUCT, leading=True), _within(right, _PRODUCT)
    before, after = left, right
    while isinstance(before, Binary) and before.op == "*":
        before = before.right
    while isinstance(after, Binary) and after.op == "*":
        after = after.left
    return (" " if _may_touch(before, after, texts[1]) else r" \cdot ").join(texts)


def _may_touch(before: Expr, after: Expr, text: str) -> bool:
    """Whether two factors may stand side by side: 2x, 2(x+1), xy; but not 2·3, x·2, x·(y+1), 2·½."""
    if text[0].isdigit() or text.startswith(r"\frac"):
        return False
    if any(isinstance(part, Name) and r"\mathit" in _named(part.id) for part in (before, after)):
        return False
    if text.startswith(("(", r"\left(")):
        return not isinstance(before, Name | Call)
    return True


def _fraction(top: Expr, bottom: str) -> str:
    return rf"\frac{{{to_latex(top)}}}{{{bottom}}}"


def _power(exponent: Expr) -> str:
    return f"2^{{{to_latex(exponent)}}}"


def _floor(text: str) -> str:
    return rf"\left\lfloor {text} \right\rfloor"


def _comparison(expr: Compare) -> str:
    match expr:
        case Compare(("==" | "!=" as op,), (Binary("%", left, Int(value=modulus)), Int(value=residue))) if (
            0 <= residue < modulus
        ):
            sign = r"\equiv" if op == "==" else r"\not\equiv"
            return rf"{_within(left, _BITS, leading=True)} {sign} {residue} \pmod{{{modulus}}}"
    first, *others = (_within(term, _BITS, leading=True) for term in expr.terms)
    return first + "".join(f" {_COMPARISONS[op]} {text}" for op, text in zip(expr.ops, others, strict=True))


def _power_of_two(argument: Expr, sign: str) -> str:
    taken = free_names(argument)
    names = ("i", "j", "k", *(f"i{number}" for number in range(len(taken))))
    exponent = _named(next(name for name in names if name not in taken))
    return rf"{_within(argument, _BITS, leading=True)} {sign} \{{2^{{{exponent}}} : {exponent} \ge 0\}}"


def _cases(expr: If) -> str:
    rows: list[str] = []
    rest: Expr = expr
    while isinstance(rest, If):
        rows.append(rf"{to_latex(rest.then)} & \text{{if }} {to_latex(rest.condition)} \\")
        rest = rest.otherwise
    rows.append(rf"{to_latex(rest)} & \text{{otherwise}}")
    return rf"\begin{{cases}} {' '.join(rows)} \end{{cases}}"


def _call(name: str, arguments: tuple[Expr, ...]) -> tuple[str, int]:
    first = arguments[0]
    match name:
        case "floor":
            return _floor(to_latex(first)), _ATOM
        case "ceil":
            return rf"\left\lceil {to_latex(first)} \right\rceil", _ATOM
        case "abs":
            return rf"\left\lvert {to_latex(first)} \right\rvert", _ATOM
        case "isqrt":
            return _floor(rf"\sqrt{{{to_latex(first)}}}"), _ATOM
        case "floor_log2":
            return _floor(rf"\log_2 {_within(first, _ATOM)}"), _ATOM
        case "is_power_of_two":
            return _power_of_two(first, r"\in"), _COMPARE
    head = rf"\{name}" if name in ("min", "max") else _named(name, r"\operatorname")
    return head + _parenthesised(", ".join(map(to_latex, arguments))), _ATOM


def _quantified(expr: Bounded) -> str:
    sign = r"\exists" if expr.quantifier == "any" else r"\forall"
    variable, last = _named(expr.variable), _last(expr.stop)
    if expr.stop == Binary("+", last, Int(1)):
        low, high = (_within(end, _BITS, leading=True) for end in (expr.start, last))
        span = rf"{variable},\ {low} \le {variable} \le {high}"
    else:
        span = rf"{variable} \in \{{{to_latex(expr.start)}, \dots, {to_latex(last)}\}}"
    return rf"{sign} {span} \colon\ {to_latex(expr.body)}"


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
