"""Transformations of trees: new children for a node, substitution for names, and lowering to a smaller language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from typing import Any

from grundylab.language import names, syntax
from grundylab.language.builtins import BUILTINS
from grundylab.language.operators import OPERATORS
from grundylab.language.syntax import (
    MIRRORED,
    Expr,
    Kind,
    chain,
    check_size,
    compare,
    free_names,
    negative,
    operands,
    walk,
)


def rebuild(expr: Expr, children: tuple[Expr, ...]) -> Expr:
    """Return a node like ``expr`` with ``children``, as many as it has, in place of its own."""
    if isinstance(expr, syntax.Negate):
        return negative(*children)
    if not children:
        return expr
    fresh = iter(children)
    return type(expr)(*(_refilled(getattr(expr, name), fresh) for name in expr.__dataclass_fields__))


def _refilled(value: Any, fresh: Iterator[Expr]) -> Any:  # noqa: ANN401 - whatever a field of a node may hold
    """Return a field's value, perhaps a nested tuple, with each expression in it replaced by the next of ``fresh``."""
    if isinstance(value, Expr):
        return next(fresh)
    return tuple(_refilled(part, fresh) for part in value) if isinstance(value, tuple) else value


def rewrite(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Return the expression with ``change`` applied to every part, children first; a shared part is changed once."""
    done: dict[int, Expr] = {}

    def of(node: Expr) -> Expr:
        if id(node) not in done:
            done[id(node)] = change(with_children(node, tuple(map(of, node.children))))
        return done[id(node)]

    return of(expr)


def with_children(expr: Expr, children: tuple[Expr, ...]) -> Expr:
    """Return the node with these children; the node itself if they are the same objects as its own children."""
    own = expr.children
    return expr if all(map(lambda a, b: a is b, own, children)) else rebuild(expr, children)


def replace_part(expr: Expr, old: Expr, new: Expr) -> Expr:
    """Return the expression with each part ``old`` replaced by ``new``, except where a name of ``old`` is bound."""
    if expr == old:
        return new
    if isinstance(expr, syntax.Bounded) and expr.variable in free_names(old):
        # in the body the name means the bound variable
        start, stop = replace_part(expr.start, old, new), replace_part(expr.stop, old, new)
        return replace(expr, start=start, stop=stop)
    if isinstance(expr, syntax.Bounded) and expr.variable in free_names(new):
        taken = free_names(expr.body) | free_names(old) | free_names(new)
        expr = _with_variable(expr, names.fresh_bound_name(expr.variable, taken))
    return rebuild(expr, tuple(replace_part(child, old, new) for child in expr.children))


def _with_variable(expr: syntax.Bounded, name: str) -> syntax.Bounded:
    """Return the quantifier or sum with its variable renamed."""
    body = substitute(expr.body, {expr.variable: syntax.Name(name)})
    return replace(expr, variable=name, body=body)


def with_bound_names_apart(expr: Expr, taken: Collection[str]) -> Expr:
    """Return the expression with each bound variable renamed whose name is in ``taken``."""

    def change(node: Expr) -> Expr:
        if not isinstance(node, syntax.Bounded) or node.variable not in taken:
            return node
        return _with_variable(node, names.fresh_bound_name(node.variable, {*taken, *free_names(node.body)}))

    return rewrite(expr, change)


def with_user_names(expr: Expr, taken: Collection[str]) -> Expr:
    """Return the expression with each generated bound variable renamed to a name that a user can write.

    The new names are not in ``taken``.
    """

    def change(node: Expr) -> Expr:
        if not isinstance(node, syntax.Bounded) or not names.is_generated(node.variable):
            return node
        inside = {part.variable for part in walk(node.body) if isinstance(part, syntax.Bounded)}
        return _with_variable(node, names.user_name(node.variable, {*taken, *free_names(node.body), *inside}))

    return rewrite(expr, change)


def substitute(expr: Expr, values: Mapping[str, Expr | int]) -> Expr:
    """Return the expression with free names replaced; a bound variable that would capture a name is renamed.

    values: an expression or a number for each name to replace. Raises FormulaError if the result is too large.
    """
    put = {name: syntax.Int(value) if isinstance(value, int) else value for name, value in values.items()}
    replaced = _substitute(expr, put)
    return (
        replaced
        if all(isinstance(value, syntax.Name | syntax.Int) for value in put.values())
        else check_size(replaced)
    )


def _substitute(expr: Expr, values: Mapping[str, Expr], done: dict[int, Expr] | None = None) -> Expr:
    """Return the expression with free names replaced. done: the results for parts so far, by the parts' ``id``."""
    if expr.free.isdisjoint(values):
        return expr
    done = {} if done is None else done
    if id(expr) in done:
        return done[id(expr)]
    match expr:
        case syntax.Name(id=name):
            result = values[name]
        case syntax.Bounded(quantifier, variable, start, stop, body):
            inner = {name: value for name, value in values.items() if name != variable}
            start, stop = _substitute(start, values, done), _substitute(stop, values, done)
            incoming = reduce(
                frozenset.union,
                (free_names(value) for name, value in inner.items() if name in free_names(body)),
                frozenset[str](),
            )
            if variable in incoming:
                taken = incoming | free_names(body) | set(inner)
                fresh = names.fresh_bound_name(variable, taken)
                body, variable = _substitute(body, {variable: syntax.Name(fresh)}), fresh
            result = syntax.Bounded(quantifier, variable, start, stop, _substitute(body, inner))
        case _:
            result = with_children(expr, tuple(_substitute(child, values, done) for child in expr.children))
    done[id(expr)] = result
    return result


def is_symmetric_in(expr: Expr, names: Sequence[str]) -> bool:
    """Tell whether every permutation of the names leaves the expression the same, up to the order of operands.

    False means only that no such symmetry was noticed.
    """
    form = with_sorted_operands(expr)
    return all(
        with_sorted_operands(substitute(expr, {one: syntax.Name(other), other: syntax.Name(one)})) == form
        for one, other in pairwise(names)
    )


def with_sorted_operands(expr: Expr) -> Expr:
    """Return the expression with operands in a standard order where it does not matter, and ``a > b`` as ``b < a``."""
    return rewrite(expr, _in_order)


def _in_order(expr: Expr) -> Expr:
    """Return the node with operands sorted by their texts if their order does not matter; ``a > b`` as ``b < a``."""
    match expr:
        case syntax.Binary(op=op) if OPERATORS[op].commutes:
            return chain(op, sorted(operands(expr, op), key=str))
        case syntax.Compare(ops=("==" | "!=",)):
            return with_children(expr, tuple(sorted(expr.terms, key=str)))
        case syntax.Compare(ops=(">" | ">=" as op,), terms=(left, right)):
            return compare(MIRRORED[op], right, left)
        case syntax.Logic():
            return with_children(expr, tuple(sorted(expr.terms, key=str)))
        case syntax.Call(name=name, arguments=arguments) if name in BUILTINS and BUILTINS[name].several:
            return with_children(expr, tuple(sorted(arguments, key=str)))
    return expr


# -- lowering: to a smaller language of equal expressive power, the only one that evaluation handles -------------
# ``/``, ``floor`` and ``ceil`` become ``//`` on integers, chains of comparisons become single ones with ``and``.

_LOWERED, _FRACTION = "_lowered", "_fraction"  # attributes in which a node caches the results


def fraction(expr: Expr) -> tuple[Expr, Expr]:
    """Return a number or fraction as (numerator, denominator): two lowered numbers, not reduced, of any signs.

    Fractions within fractions can double the size again and again: raises FormulaError if it becomes too large.
    """
    if _FRACTION not in vars(expr):
        vars(expr)[_FRACTION] = _fraction(expr)
    parts: tuple[Expr, Expr] = vars(expr)[_FRACTION]
    return parts


def lower(expr: Expr) -> Expr:
    """Return an equivalent expression without ``/``, ``floor``, ``ceil`` and comparisons of more than two terms.

    A shared part is lowered once, and is shared in the result. The node caches the result, because the same formula is
    lowered many times.
    """
    if _LOWERED not in vars(expr):
        lowered = _lower(expr)
        vars(expr)[_LOWERED] = None if lowered is expr else lowered  # no reference cycle
    plain: Expr | None = vars(expr)[_LOWERED]
    return plain or expr


def _lower(expr: Expr) -> Expr:
    if isinstance(expr, syntax.Call) and expr.name in ("floor", "ceil"):
        top, bottom = fraction(expr.arguments[0])
        if bottom == syntax.Int(1):
            return top
        if expr.name == "floor":
            return syntax.Binary("//", top, bottom)
        if isinstance(bottom, syntax.Int) and bottom.value > 0:
            # no negative numbers, which not all systems write
            return syntax.Binary("//", syntax.Binary("+", top, syntax.Int(bottom.value - 1)), bottom)
        return negative(syntax.Binary("//", negative(top), bottom))
    if isinstance(expr, syntax.Compare) and len(expr.ops) > 1:
        # like the chain, ``and`` stops at the first link that is false
        return syntax.Logic("and", tuple(compare(op, lower(a), lower(b)) for op, a, b in expr.links))
    lowered = with_children(expr, tuple(map(lower, expr.children)))
    match lowered:
        case syntax.Binary(op="%", left=left, right=syntax.Int() as by):
            return with_children(lowered, (_with_small_factors(left, by), by))
    return lowered


def _with_small_factors(expr: Expr, by: Expr) -> Expr:
    """Return a number with the same remainder modulo ``by``, where one of two factors that vary is a remainder.

    Automata can read such a product, because one of its factors has few values. A count of digits in a sum becomes a
    remainder, too, which automata can read.
    """
    match expr:
        case syntax.Binary(op="*", left=left, right=right) if free_names(left) and free_names(right):
            return with_children(expr, (syntax.Binary("%", _with_small_factors(left, by), by), right))
        case syntax.Binary(op="+" | "-" | "*") | syntax.Negate():
            parts = list[Expr]()
            for child in expr.children:
                part = _with_small_factors(child, by)
                row = BUILTINS.get(part.name) if isinstance(part, syntax.Call) else None
                counts_digits = row is not None and row.digits is not None
                parts.append(syntax.Binary("%", part, by) if counts_digits else part)
            return with_children(expr, tuple(parts))
    return expr


def _fraction(expr: Expr) -> tuple[Expr, Expr]:
    if expr.kind is Kind.NUMBER:
        return lower(expr), syntax.Int(1)
    if isinstance(expr, syntax.Negate):
        top, bottom = fraction(expr.operand)
        return negative(top), bottom
    assert isinstance(expr, syntax.Binary)
    (a, b), (c, d) = fraction(expr.left), fraction(expr.right)
    if expr.op == "*":
        return _product(a, c), _product(b, d)
    if expr.op == "/":
        if not isinstance(d, syntax.Int) or d.value == 0:
            a, b = _product(a, d), _product(b, d)  # d stays below: a/(c/d) has no value where d is 0
        return check_size(_product(a, d)), check_size(_product(b, c))
    return check_size(syntax.Binary(expr.op, _product(a, d), _product(c, b))), _product(b, d)


def _product(a: Expr, b: Expr) -> Expr:
    if a == syntax.Int(1):
        return b
    return a if b == syntax.Int(1) else syntax.Binary("*", a, b)
