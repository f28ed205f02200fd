"""The position space of every size, and plain signs of expressions: what a proof needs to know before it begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from grundylab.automata.systems import System
from grundylab.errors import GrundylabError
from grundylab.games.model import Move, Parameter, Ruleset
from grundylab.games.takes import grows_with_bounds
from grundylab.language import syntax
from grundylab.language.functions import Function
from grundylab.language.numeration import numeration_system
from grundylab.language.syntax import Binary, Compare, Expr, Int, Name, compare, conjunction, free_names


class NotProvable(GrundylabError):
    """A game that the obligations do not cover; the message says why."""


SUMS = "moves split positions, so their parts' Grundy numbers are needed: claim those first"


def check_provable(ruleset: Ruleset) -> None:
    """Raise NotProvable where a parameter may be negative: proofs read parameters as natural numbers."""
    for parameter in ruleset.parameters:
        if not at_least_zero(parameter):
            reason = (
                f"the domain of {parameter.name} does not plainly begin at 0 or above: {parameter.domain}"
            )
            raise NotProvable(reason)


def position_space(ruleset: Ruleset) -> Expr:
    """Return the legal positions of every size: ranges without upper ends that mention a bound, and ``where``."""
    parts = []
    for coordinate in ruleset.coordinates:
        low, high = coordinate.range.low, coordinate.range.high
        if free_names(low) & set(ruleset.bounds):
            raise NotProvable(
                f"the lower end of {coordinate.name} mentions a bound, which is the study's, not the game's"
            )
        if low != Int(0):
            parts.append(compare("<=", low, Name(coordinate.name)))
        if not free_names(high) & set(ruleset.bounds):
            parts.append(compare("<=", Name(coordinate.name), high))
        elif not grows_with_bounds(high, ruleset.bounds):
            raise NotProvable(
                f"the upper end of {coordinate.name} mentions a bound, and may not grow with it: {high}"
            )
    return conjunction(*parts, ruleset.where)


def game_numeration(ruleset: Ruleset, asked: Iterable[Expr]) -> System:
    """Return the numeration system of the expressions and of the game."""
    said = [*asked, *ruleset.expressions, ruleset.domain]
    used = (each for each in ruleset.functions.called_by(*said) if isinstance(each, Function))
    return numeration_system([*said, *(function.body for function in used)])


def signed_choices(moves: Sequence[Move]) -> frozenset[str]:
    """Return the choices that may be negative."""
    found: set[str] = set()
    for move in moves:  # a choice's range mentions earlier ones
        for choice in move.choices:
            if not plainly_natural(choice.range.low, found):
                found.add(choice.name)
    return frozenset(found)


def plainly_natural(low: Expr, signed: Set[str] = frozenset()) -> bool:
    """Tell whether the expression is plainly never negative, where no names but those in ``signed`` may be."""
    match low:
        case Int(value=value):
            return value >= 0
        case Name(id=name):
            return name not in signed
        case Binary(op="+" | "*", left=left, right=right):
            return plainly_natural(left, signed) and plainly_natural(right, signed)
    return False


def natural_coordinates(game: Ruleset) -> Expr:
    """Return the condition that no coordinate is below 0, as far as that is not plain."""
    signed = {parameter.name for parameter in game.parameters if not at_least_zero(parameter)}
    doubtful = list[Name]()
    for coordinate in game.coordinates:
        if not plainly_natural(coordinate.range.low, signed):
            signed.add(coordinate.name)
            doubtful.append(Name(coordinate.name))
    return conjunction(*(compare(">=", name, Int(0)) for name in doubtful))


def signed_variables(expr: Expr) -> frozenset[str]:
    """Return the bound variables of an expression that may be negative, if no other names are."""
    signed, before = set[str](), -1
    bound = [node for node in syntax.distinct_parts(expr) if isinstance(node, syntax.Bounded)]
    while len(signed) > before:  # a range may begin at another bound variable
        before = len(signed)
        signed |= {node.variable for node in bound if not plainly_natural(node.start, signed)}
    return frozenset(signed)


def low_ends(condition: Expr, of: Expr) -> Iterator[Expr]:
    """Yield the lower bounds that the condition plainly gives for the expression."""
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
    """Tell whether the domain plainly excludes negative values.

    It does by a constant, or by an earlier parameter that is checked, too.
    """
    ends = low_ends(parameter.domain, Name(parameter.name))
    return any(plainly_natural(end, {parameter.name}) for end in ends)
