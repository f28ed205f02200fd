"""The position space without bounds, and expressions whose form shows that they are not negative."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from grundylab.automata.systems import System
from grundylab.errors import GrundylabError
from grundylab.games.linear_moves import grows_with_bounds
from grundylab.games.model import Move, Parameter, Ranged, Ruleset
from grundylab.language import syntax
from grundylab.language.functions import Function
from grundylab.language.numeration import numeration_system
from grundylab.language.syntax import Binary, Compare, Expr, Int, Name, compare, conjunction, free_names


class NotProvable(GrundylabError):
    """The error that proofs do not cover a game; the message says why."""


SUMS = "moves split positions, so their parts' Grundy numbers are needed: claim those first"


def check_provable(ruleset: Ruleset) -> None:
    """Raise NotProvable if a parameter may be negative, because proofs read parameters as natural numbers."""
    for parameter in ruleset.parameters:
        if not at_least_zero(parameter):
            reason = (
                f"the domain of {parameter.name} does not plainly begin at 0 or above: {parameter.domain}"
            )
            raise NotProvable(reason)


def position_space(ruleset: Ruleset) -> Expr:
    """Return the condition of being a legal position, whatever the bounds are.

    It consists of the coordinates' ranges, without low ends of 0 and upper ends that mention a bound, and of ``where``.
    Raises NotProvable if a lower end mentions a bound, or if an upper end does and may not grow with it.
    """
    ranges = list[Expr]()
    for condition in range_conditions(ruleset.coordinates, ruleset.bounds):
        from_zero = (
            isinstance(condition, Compare) and condition.ops == ("<=",) and condition.terms[0] == Int(0)
        )
        if not from_zero:
            ranges.append(condition)
    return conjunction(*ranges, ruleset.where)


def range_conditions(ranged: Iterable[Ranged], bounds: Sequence[str]) -> Iterator[Expr]:
    """Yield the conditions that numbers are in their ranges, in order, without upper ends that mention a bound.

    Raises NotProvable if a lower end mentions a bound, or if an upper end does and may not grow with it.
    """
    for number in ranged:
        low, high = number.range.low, number.range.high
        if free_names(low) & set(bounds):
            raise NotProvable(
                f"the lower end of {number.name} mentions a bound, which belongs to a table's size, not to the game"
            )
        yield compare("<=", low, Name(number.name))
        if not free_names(high) & set(bounds):
            yield compare("<=", Name(number.name), high)
        elif not grows_with_bounds(high, bounds):
            raise NotProvable(
                f"the upper end of {number.name} mentions a bound, and may not grow with it: {high}"
            )


def game_numeration(ruleset: Ruleset, asked: Iterable[Expr]) -> System:
    """Return the numeration system in which automata read the game and the expressions ``asked``."""
    said = [*asked, *ruleset.expressions, ruleset.domain]
    used = (f for f in ruleset.functions.called_by(*said) if isinstance(f, Function))
    return numeration_system([*said, *(function.body for function in used)])


def signed_choices(moves: Sequence[Move]) -> frozenset[str]:
    """Return the names of the choices whose ranges do not plainly begin at 0 or above."""
    signed: set[str] = set()
    for move in moves:  # a choice's range may mention earlier choices
        for choice in move.choices:
            if not plainly_natural(choice.range.low, signed):
                signed.add(choice.name)
    return frozenset(signed)


def plainly_natural(low: Expr, signed: Set[str] = frozenset()) -> bool:
    """Tell whether the expression is plainly never negative if only the names in ``signed`` may be negative."""
    match low:
        case Int(value=value):
            return value >= 0
        case Name(id=name):
            return name not in signed
        case Binary(op="+" | "*", left=left, right=right):
            return plainly_natural(left, signed) and plainly_natural(right, signed)
    return False


def signed_variables(expr: Expr) -> frozenset[str]:
    """Return those bound variables of an expression that may be negative even when no free name is."""
    signed, before = set[str](), -1
    bound = [node for node in syntax.distinct_parts(expr) if isinstance(node, syntax.Bounded)]
    while len(signed) > before:  # a range may begin at another bound variable
        before = len(signed)
        signed |= {node.variable for node in bound if not plainly_natural(node.start, signed)}
    return frozenset(signed)


def low_ends(condition: Expr, of: Expr) -> Iterator[Expr]:
    """Yield each lower bound that a comparison in the condition gives for the expression ``of``."""
    for term in syntax.conjuncts(condition):
        for op, left, right in term.links if isinstance(term, Compare) else ():
            if left == of and op in (">=", ">", "=="):
                low = right
            elif right == of and op in ("<=", "<", "=="):
                low = left
            else:
                continue
            if op not in ("<", ">"):
                yield low
            else:
                yield Int(low.value + 1) if isinstance(low, Int) else Binary("+", low, Int(1))


def at_least_zero(parameter: Parameter) -> bool:
    """Tell whether the parameter's domain plainly excludes negative values.

    The lower bound may be a constant or an earlier parameter; callers must check that parameter, too.
    """
    ends = low_ends(parameter.domain, Name(parameter.name))
    return any(plainly_natural(end, {parameter.name}) for end in ends)
