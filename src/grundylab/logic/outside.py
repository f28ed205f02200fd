"""What neither automata nor sentences express: both readers refuse the same, and say it in the same words."""

from __future__ import annotations

import re

from grundylab.automata.beatty import Multiple, multiple
from grundylab.automata.systems import System
from grundylab.errors import EvaluationError, GrundylabError
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Function, Functions
from grundylab.language.numeration import root_of
from grundylab.language.plain import MAX_SHIFT, closed_value
from grundylab.language.syntax import Binary, Bounded, Call, Expr

MAX_FACTORS = 16  # values of a factor that a product is split into
MAX_TERMS = 64  # values of a bound variable that are written out one by one


class OutsideFragment(GrundylabError):
    """A subterm that cannot be expressed; the message names it and says why."""


def because(expr: Expr, why: str) -> OutsideFragment:
    """Why the subterm is outside; its bound variables have their own names again."""
    return OutsideFragment(f"{re.sub(r'~[0-9]+', '', str(expr))}: {why}")


def divisor(expr: Binary, by: int | None) -> int:
    """By what it divides, if that is a constant other than zero. by: None if it is no constant."""
    what = "division" if expr.op == "//" else "remainder of a division"
    if by is None:
        raise because(expr, f"a {what} by a variable is not expressible")
    if by == 0:
        raise because(expr, f"a {what} by zero has no value")
    return by


def shift(expr: Binary, by: int | None) -> int:
    """By how many places it shifts, if that is a constant. by: None if it is none."""
    if by is None:
        raise because(expr, "a shift by a variable is not expressible")
    if not 0 <= by <= MAX_SHIFT:
        raise because(expr, f"a shift by {by} has no value")
    return by


def check_system(expr: Expr, system: System, ours: System) -> None:
    """Refuse an automaton that reads digits of another numeration system than all the others."""
    if system != ours:
        raise because(expr, f"it reads {system.words}, and the others {ours.words}: no automaton reads both")


def only_binary(expr: Expr, system: System) -> None:
    """Refuse an automaton in a text that speaks of binary digits."""
    if not system.binary:
        raise because(expr, f"it reads {system.words}, and this is written for binary digits only")


def only_in_binary(expr: Expr, what: str, system: System) -> None:
    """Refuse what is about binary digits in another numeration system."""
    if not system.binary:
        raise because(expr, f"{what} is about binary digits, and is not automatic in {system}")


def unrooted(expr: Call, system: System) -> None:
    """Refuse a square root in a sentence: what it is in the system is proved of automata only."""
    if rooted(expr, system) is not None:
        raise because(expr, "which automaton tells a square root is proved by automata alone")


def rooted(expr: Call, system: System) -> tuple[Multiple, Expr] | None:
    """How a square root is told in the system, and of which number it is a multiple; None of any other call.

    Raises OutsideFragment for a square root that no automaton tells there.
    """
    root = root_of(expr)
    if root is None:
        return None
    found = multiple(root.square, system)
    if found is None:
        raise because(
            expr, f"multiples of the square root of {root.square} are not automatic in {system.words}"
        )
    return found, root.number


def called(expr: Call, functions: Functions) -> OutsideFragment:
    """Why a call is outside that has no other words."""
    if expr.name in BUILTINS:
        return because(expr, BUILTINS[expr.name].unspoken or "it is not expressible")
    function = functions[expr.name]
    return because(
        expr,
        "a recurrence is not expressible" if isinstance(function, Function) else f"it is {function.what}",
    )


def closed(expr: Expr, functions: Functions) -> int:
    """The value of what has no name in it."""
    try:
        return closed_value(expr, functions)
    except EvaluationError as error:
        raise because(expr, error.message) from None


def written_out(expr: Bounded, length: int) -> range:
    """The numbers of the values of a range that are written out one by one, if they are not too many."""
    if length > MAX_TERMS:
        raise because(expr, f"{expr.quantifier}() over more than {MAX_TERMS} values is not written out")
    return range(length)


def varying(expr: Bounded) -> OutsideFragment:
    """What is said of a sum that is not written out."""
    return because(expr, "sum() over a varying number of values is not expressible")
