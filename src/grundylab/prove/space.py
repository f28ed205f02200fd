"""What may plainly be negative, and the position space of every size: what a proof must know before it begins."""

from __future__ import annotations

from collections.abc import Sequence

from grundylab.errors import GrundylabError
from grundylab.games.growing import grows
from grundylab.games.model import Move, Parameter, Ruleset
from grundylab.language import syntax
from grundylab.language.syntax import Binary, Compare, Expr, Int, Name, compare, conjunction, free_names


class NotProvable(GrundylabError):
    """The game is of a kind that the obligations do not cover; the message says which."""


def position_space(ruleset: Ruleset) -> Expr:
    """The legal positions of every size: ranges without their upper ends that mention a bound, and ``where``."""
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
        elif not grows(high, ruleset.bounds):
            raise NotProvable(
                f"the upper end of {coordinate.name} mentions a bound, and may not grow with it: {high}"
            )
    return conjunction(*parts, ruleset.where)


def signed_choices(moves: Sequence[Move]) -> frozenset[str]:
    """The choices that may be negative."""
    found: set[str] = set()
    for move in moves:  # a choice's range mentions earlier ones
        for choice in move.choices:
            if not _natural(choice.range.low, found):
                found.add(choice.name)
    return frozenset(found)


def plainly_natural(low: Expr) -> bool:
    """Whether the expression in coordinates and parameters is plainly never negative, if none of those is."""
    return _natural(low, set())


def _natural(low: Expr, signed: set[str]) -> bool:
    """Whether the expression is plainly never negative (coordinates and parameters never are)."""
    match low:
        case Int(value=value):
            return value >= 0
        case Name(id=name):
            return name not in signed
        case Binary(op="+" | "*", left=left, right=right):
            return _natural(left, signed) and _natural(right, signed)
    return False


def at_least_zero(parameter: Parameter) -> bool:
    """Whether the domain plainly says so: by a constant, or by an earlier parameter of which it is checked too."""
    domain = parameter.domain
    terms = domain.terms if isinstance(domain, syntax.Logic) and domain.op == "and" else (domain,)
    links = [link for term in terms if isinstance(term, Compare) for link in term.links]
    ends = [right for op, left, right in links if op in (">=", ">", "==") and left == Name(parameter.name)]
    ends += [left for op, left, right in links if op in ("<=", "<", "==") and right == Name(parameter.name)]
    return any(_natural(end, {parameter.name}) for end in ends)
