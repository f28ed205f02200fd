"""Other forms of the nodes of a formula, by tables whose rows are (pattern, condition, other form).

In a pattern, a, b and c stand for any numbers. The condition is about what is known of them: ``a_low`` and ``a_high``
are bounds on a. Where it is true, the other form has the same value wherever the pattern has one. A row for a
comparison serves for its negation, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations

from grundylab.errors import EvaluationError
from grundylab.language.folding import fold_constants
from grundylab.language.intervals import Interval
from grundylab.language.operators import OPERATORS
from grundylab.language.parser import parse
from grundylab.language.plain import evaluate
from grundylab.language.substitution import rebuild, rewrite, substitute
from grundylab.language.syntax import (
    MIRRORED,
    Binary,
    Bool,
    Call,
    Compare,
    Expr,
    Name,
    Negate,
    chain,
    compare,
    negate,
    operands,
)

BoundsOf = Callable[[Expr], Interval | None]  # bounds on a number, if any are known
FormTable = tuple[tuple[str, str, str], ...]
ANY = "True"
LARGEST = 1 << 64  # a bound of this magnitude or more is none

# fmt: off
SIMPLER: FormTable = (  # forms that are simpler wherever they occur
    ("a // 1", ANY, "a"),
    ("a % 1", ANY, "0"),
    ("a * b", "a_low == 0 and a_high == 1", "b if a > 0 else 0"),
    ("-1 // b", "b_low >= 1", "-1"),
    ("-1 % b", "b_low >= 1", "b - 1"),
    ("1 % b", "b_low >= 1", "1 if b > 1 else 0"),
    ("a // b", "0 <= a_low and a_high < b_low", "0"),
    ("a % b", "0 <= a_low and a_high < b_low", "a"),
    ("min(a, a)", ANY, "a"),
    ("max(a, a)", ANY, "a"),
    ("min(a, b)", "a_high <= b_low", "a"),
    ("max(a, b)", "a_high <= b_low", "b"),
    ("min(a // b, c)", "a_low >= 0 and b_low >= 1 and c_low == 0 and c_high == 1", "c if a // b > 0 else 0"),
    ("a == a", ANY, "True"),
    ("a <= a", ANY, "True"),
    ("a == b", "a_low == a_high == b_low == b_high", "True"),
    ("a == b", "a_high < b_low", "False"),
    ("a < b", "a_high < b_low", "True"),
    ("a <= b", "a_high <= b_low", "True"),
    *((f"a + b {op} c", "b_low == b_high and c_low == c_high", f"a {op} c_low - b_low") for op in ("==", "<", "<=")),
    ("a // b < c", "b_low >= 1 and c_low == c_high", "a < c_low * b"),
    ("a // b <= c", "b_low >= 1 and c_low == c_high", "a < (c_low + 1) * b"),
    ("a // b == c", "b_low >= 1 and c_low == c_high", "a >= c_low * b and a < (c_low + 1) * b"),
)
PLAINER: FormTable = (  # forms that may be read with less effort
    # comparisons of numbers whose ranges meet in one value
    ("a == b", "a_low == b_high", "a == a_low and b == b_high"),
    ("a <= b", "a_low == b_high", "a == a_low and b == b_high"),
    ("a < b", "a_low + 1 == b_high", "a == a_low and b == b_high"),
    ("a != b", "a_low + 1 == a_high and a_low <= b_low == b_high <= a_high", "a == a_low + a_high - b_low"),
    # negative numbers in operations on digits, and in divisions
    ("a & b", "max(a_high, b_high) < 0", "-((-a - 1) | (-b - 1)) - 1"),
    ("a | b", "max(a_high, b_high) < 0", "-((-a - 1) & (-b - 1)) - 1"),
    ("a ^ b", "max(a_high, b_high) < 0", "(-a - 1) ^ (-b - 1)"),
    ("a ^ b", "b_high < 0", "-(a ^ (-b - 1)) - 1"),
    ("a // b", "b_high < 0", "-a // -b"),
    ("-a // -b", ANY, "a // b"),
    ("a % b", "b_high < 0", "(a - 1) % -b + b + 1"),
    ("-a % b", "b_low >= 1", "b - 1 - (a - 1) % b"),
    ("a % b == 0", "b_high < 0", "a % -b == 0"),
    ("-(-a // b)", "b_low >= 1", "(a + b - 1) // b"),
    ("-(a - b)", ANY, "b - a"),
    # the greatest power of two that divides a number
    ("a ^ -a", ANY, "-(2 * (a & -a))"),
    ("a ^ (a - 1)", "a_low >= 1", "2 * (a & -a) - 1"),
    ("a ^ (a + 1)", "a_low >= 0", "2 * ((a + 1) & -(a + 1)) - 1"),
    # operations on digits that are others, too
    ("a ^ b", "a_low >= 0 and a_high == 1 and b_low == b_high == 1", "1 - a"),
    ("a & b", "b_low == b_high and is_power_of_two(b_low)", "b_low * (a // b_low % 2)"),
    ("a & b", "0 <= a_low and a_high < 2 * b_low == 2 * b_high and is_power_of_two(b_low)", "b_low * (a // b_low)"),
    ("a & b", "b_low == b_high and is_power_of_two(b_low + 1)", "a % (b_low + 1)"),
    ("a >> b", "0 <= b_low == b_high", "a // (1 << b_low)"),
    ("a | b == c", "c_low == c_high == 0", "a == 0 and b == 0"),
    # signs that make no difference
    ("abs(a)", "a_low >= 0", "a"),
    ("abs(a - b) % 2", ANY, "(a + b) % 2"),
    ("abs(a) % 2", ANY, "a % 2"),
)
GUESSES: FormTable = (  # forms that are often equal: whoever takes one needs a proof
    ("a ^ b", ANY, "a + b"),
    ("(a | b) % c == 0", ANY, "a % c == 0 and b % c == 0"),
)
# fmt: on


def other_forms(
    node: Expr, ends: BoundsOf, table: FormTable, total: Callable[[Expr], bool] = lambda _: True
) -> Iterator[Expr]:
    """Yield the other forms of a node that the rows of a table give.

    ends: returns bounds on a part of it. total: tells whether a part may be left out since it surely has a value.
    """
    for pattern, condition, other in _parsed(table):
        for meant in _matches(pattern, node, {}) if type(node) is type(pattern) else ():
            bounds = {name: interval for name, number in meant.items() if (interval := ends(number))}
            lows = {f"{name}_low": interval.low for name, interval in bounds.items()}
            highs = {f"{name}_high": interval.high for name, interval in bounds.items()}
            numbers = {name: end for name, end in (lows | highs).items() if abs(end) < LARGEST}
            if (
                condition.free <= numbers.keys()
                and _holds(condition, numbers)
                and all(map(total, meant.values()))
            ):
                yield rewrite(fold_constants(substitute(other, {**meant, **numbers})), _cleared)
    if isinstance(node, Binary) and OPERATORS[node.op].commutes:
        parts = operands(node, node.op)
        for pair in combinations(range(len(parts)), 2) if len(parts) > 2 else ():
            rest = [part for number, part in enumerate(parts) if number not in pair]
            both = Binary(node.op, parts[pair[0]], parts[pair[1]])
            yield from (chain(node.op, [*rest, form]) for form in other_forms(both, ends, table, total))


@cache
def _parsed(table: FormTable) -> tuple[tuple[Expr, Expr, Expr], ...]:
    """Return the rows as trees; after each one that is about a comparison, the same about its negation."""
    rows = list[tuple[Expr, Expr, Expr]]()
    for pattern, condition, other in (map(parse, row) for row in table):
        rows.append((pattern, condition, other))
        if isinstance(pattern, Compare):
            rows.append((negate(pattern), condition, negate(other)))
    return tuple(rows)


def _matches(pattern: Expr, node: Expr, parts: Mapping[str, Expr]) -> Iterator[Mapping[str, Expr]]:
    """Yield the numbers for which the names of a pattern stand, for each way in which the node has its form."""
    if isinstance(pattern, Name):
        if parts.get(pattern.id, node) == node:
            yield {**parts, pattern.id: node}
    elif not pattern.children:
        if pattern == node:
            yield parts
    elif len(pattern.children) == len(node.children):
        for turned in _turned(node):
            if rebuild(turned, pattern.children) == pattern:
                matches = [parts]
                for part, child in zip(pattern.children, turned.children, strict=True):
                    matches = [more for match in matches for more in _matches(part, child, match)]
                yield from matches


def _turned(node: Expr) -> Iterator[Expr]:
    """Yield the node and, if its two operands can be exchanged, the same with these exchanged."""
    yield node
    match node:
        case Binary(op=op, left=a, right=b) if OPERATORS[op].commutes:
            yield Binary(op, b, a)
        case Compare(ops=(op,), terms=(a, b)):
            yield compare(MIRRORED[op], b, a)
        case Call(name="min" | "max" as name, arguments=(a, b)):
            yield Call(name, (b, a))


def _cleared(node: Expr) -> Expr:
    """Return the truth value of a comparison of constants; a number without a double sign; else the node unchanged."""
    match node:
        case Compare() if not node.free:
            return Bool(_holds(node, {}))
        case Negate(operand=Negate(operand=inner)):
            return inner
    return node


def _holds(condition: Expr, numbers: Mapping[str, int]) -> bool:
    try:
        return bool(evaluate(condition, numbers))
    except EvaluationError:
        return False
