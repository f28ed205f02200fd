"""Smaller trees of the same meaning: rewriting by rules, and by what the data allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from grundylab.language import Expr, Kind
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import (
    FALSE,
    MIRRORED,
    OPPOSITE,
    TRUE,
    Binary,
    Bool,
    Call,
    Compare,
    If,
    Int,
    Logic,
    Not,
    chain,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    operands,
    walk,
)

_RARE = frozenset({"&", "|", "*", "<<", ">>"})


def relation(op: str, term: Expr, value: int) -> Expr:
    """``term op value``, with a difference or nim-sum on the left taken apart where that is shorter."""
    if isinstance(term, Binary) and term.op == "-":
        if op == "<" and value == 1:
            op, value = "<=", 0
        elif op == ">=" and value == 1:
            op, value = ">", 0
    if (
        isinstance(term, Binary)
        and value == 0
        and (term.op == "-" or (term.op == "^" and op in ("==", "!=")))
    ):
        if isinstance(term.left, Int):
            return compare(MIRRORED[op], term.right, term.left)
        return compare(op, term.left, term.right)
    return compare(op, term, Int(value))


def negate(condition: Expr) -> Expr:
    """The opposite condition, with ``not`` moved inside."""
    match condition:
        case Bool(value=truth):
            return Bool(not truth)
        case Not(operand=operand):
            return operand
        case Compare(ops=(op,), terms=terms):
            return Compare((OPPOSITE[op],), terms)
        case Logic(op="and", terms=terms):
            return disjunction(*map(negate, terms))
        case Logic(terms=terms):
            return conjunction(*map(negate, terms))
        case If(condition=test, then=then, otherwise=otherwise):
            return If(test, negate(then), negate(otherwise))
        case _:
            return Not(condition)


def plainness(expr: Expr) -> tuple[int, int, int, int, int, str]:
    """What is smaller comes first, then fewer conditionals, plainer operators, fewer thresholds, smaller constants."""
    nodes = list(walk(expr))
    rare = sum(isinstance(node, Call) or (isinstance(node, Binary) and node.op in _RARE) for node in nodes)
    ordered = sum(isinstance(node, Compare) and not {"==", "!="} & {*node.ops} for node in nodes)
    constants = sum(1 + abs(node.value) for node in nodes if isinstance(node, Int) and node.value)
    return expr.size, sum(isinstance(node, If | Bool) for node in nodes), rare, ordered, constants, str(expr)


@lru_cache(maxsize=20_000)  # what is cut down is looked at part by part, again and again
def simplify(expr: Expr) -> Expr:
    """An expression with the same values, no larger: by rules only, so equal everywhere."""
    while True:
        whole = rebuild(expr, tuple(map(simplify, expr.children)))
        others = list(_rewritten(whole))
        best = min(whole, *others, key=plainness) if others else whole
        if best == expr or (best.size >= expr.size and best == whole):
            return best
        expr = best


def _rewritten(expr: Expr) -> Iterator[Expr]:
    match expr:
        case If(condition=test, then=a, otherwise=b):
            yield from _choices(test, a, b)
        case Logic(op="and", terms=terms):
            yield conjunction(*terms)
        case Logic(op="or", terms=terms):
            yield disjunction(*terms)
            yield from _factored(terms)
        case Not(operand=operand):
            yield negate(operand)
        case _:
            return


def _choices(test: Expr, a: Expr, b: Expr) -> Iterator[Expr]:
    """Other forms of ``a if test else b``."""
    opposite = negate(test)
    if a == b or isinstance(test, Bool):
        yield b if test == FALSE else a
        return
    if a.kind is Kind.CONDITION:
        if isinstance(a, Bool):
            yield disjunction(test, b) if a.value else conjunction(opposite, b)
        if isinstance(b, Bool):
            yield disjunction(opposite, a) if b.value else conjunction(test, a)
    if isinstance(a, If):
        if a.otherwise == b:
            yield If(conjunction(test, a.condition), a.then, b)
        if a.then == b:
            yield If(conjunction(test, negate(a.condition)), a.otherwise, b)
    if isinstance(b, If):
        if b.then == a:
            yield If(disjunction(test, b.condition), a, b.otherwise)
        if b.otherwise == a:
            yield If(conjunction(opposite, b.condition), b.then, a)
    yield from _merged(test, a, b)


def _merged(test: Expr, a: Expr, b: Expr) -> Iterator[Expr]:
    """``S ^ u == v if c else S ^ w == v`` is one comparison, ``S ^ v == (u if c else w)``; so for numbers."""
    one, other = _nim_parts(a), _nim_parts(b)
    if one is None or other is None or a == b:
        return
    common = [part for part in one if part in other]
    if not common:
        return
    rest = [part for part in one if part not in common], [part for part in other if part not in common]
    choice = simplify(If(test, _nim_sum(rest[0]), _nim_sum(rest[1])))
    if a.kind is Kind.NUMBER:
        yield _nim_sum([*common, choice])
    else:
        yield compare("==", _nim_sum(common), choice)


def _nim_parts(expr: Expr) -> list[Expr] | None:
    """The parts of a nim-sum or of an equation's two sides; None for others and if two are equal."""
    if expr.kind is Kind.NUMBER:
        parts = [part for part in operands(expr, "^") if part != Int(0)]
    elif isinstance(expr, Compare) and expr.ops == ("==",):
        parts = [part for term in expr.terms for part in operands(term, "^") if part != Int(0)]
    else:
        return None
    return parts if len(set(parts)) == len(parts) else None


def _nim_sum(parts: list[Expr]) -> Expr:
    return chain("^", parts) if parts else Int(0)


def _factored(terms: tuple[Expr, ...]) -> Iterator[Expr]:
    """``a and b or a and c`` is ``a and (b or c)``."""
    sets = list(map(conjuncts, terms))
    common = [part for part in sets[0] if all(part in other for other in sets[1:])]
    if common:
        rests = [conjunction(*(part for part in other if part not in common)) for other in sets]
        yield conjunction(*common, disjunction(*rests))


def reduced(expr: Expr, exact: Callable[[Expr], bool]) -> Expr:
    """The expression cut down as long as ``exact`` holds: a part left out, or put in place of the whole."""
    while True:
        shorter = sorted(
            {str(e): e for e in _cuts(expr) if e.size < expr.size}.items(), key=lambda p: (p[1].size, p[0])
        )
        better = next((candidate for _, candidate in shorter if exact(candidate)), None)
        if better is None:
            return expr
        expr = simplify(better)


def _cuts(expr: Expr) -> Iterator[Expr]:
    """The expression with one subexpression made smaller."""
    yield from _smaller(expr)
    children = expr.children
    for index, child in enumerate(children):
        for cut in _cuts(child):
            yield simplify(rebuild(expr, (*children[:index], cut, *children[index + 1 :])))


def _smaller(expr: Expr) -> Iterator[Expr]:
    for child in expr.children:
        if child.kind is expr.kind:
            yield child
    if expr.kind is Kind.CONDITION:
        yield from (TRUE, FALSE)
    elif expr.size > 1:
        yield from (Int(0), Int(1))
    if isinstance(expr, Logic) and len(expr.terms) > 2:
        for index in range(len(expr.terms)):
            yield Logic(expr.op, expr.terms[:index] + expr.terms[index + 1 :])
    if isinstance(expr, Binary) and expr.op == "^":
        parts = operands(expr, "^")
        for index in range(len(parts)):
            yield _nim_sum(parts[:index] + parts[index + 1 :])
