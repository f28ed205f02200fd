"""Refusals of expressions outside the *fragment*, the part of the formula language that automata and sentences express.

The modules that build automata, sentences and Coq terms share them, so that all refuse with the same message. ``expr``
is always the subterm that the message names.
"""

from __future__ import annotations

import re

from grundylab.automata.beatty import RootMultiple, root_multiple
from grundylab.automata.systems import System
from grundylab.errors import EvaluationError, GrundylabError
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Function, Functions
from grundylab.language.numeration import square_root_of
from grundylab.language.operators import OPERATORS
from grundylab.language.plain import closed_value
from grundylab.language.syntax import Binary, Bounded, Call, Expr

MAX_FACTORS = 16  # values of a factor by which a product is split into cases
MAX_TERMS = 64  # values of a bound variable that are written out one by one


class OutsideFragment(GrundylabError):
    """The error for a subterm that cannot be expressed; the message names the subterm and the reason."""


def outside_fragment(expr: Expr, why: str) -> OutsideFragment:
    """Return the error for a subterm. why: the reason. Bound variables are shown under their original names."""
    return OutsideFragment(f"{re.sub(r'~[0-9]+', '', str(expr))}: {why}")


def constant_operand(expr: Binary, by: int | None) -> int:
    """Return the right operand ``by``. Raises OutsideFragment if it is not constant (None), or has no value there."""
    row = OPERATORS[expr.op]
    if by is None:
        raise outside_fragment(expr, f"a {row.noun} by a variable is not expressible")
    if row.domain and not row.domain.contains(by):
        raise outside_fragment(expr, f"a {row.noun} by {by or 'zero'} has no value")
    return by


def check_same_system(expr: Expr, system: System, ours: System) -> None:
    """Raise OutsideFragment if an automaton reads another numeration system than the statement's, which is ``ours``."""
    if system != ours:
        raise outside_fragment(
            expr, f"it reads {system.words}, and the others {ours.words}: no automaton reads both"
        )


def check_binary_automaton(expr: Expr, system: System) -> None:
    """Raise OutsideFragment if an automaton's system is not binary, for a program that handles binary digits only."""
    if not system.binary:
        raise outside_fragment(expr, f"it reads {system.words}, and this is written for binary digits only")


def check_binary_system(expr: Expr, what: str, system: System) -> None:
    """Raise OutsideFragment for an operation on binary digits in another system. what: the operation's name."""
    if not system.binary:
        raise outside_fragment(expr, f"{what} is about binary digits, and is not automatic in {system}")


def check_digitwise(expr: Binary, system: System) -> None:
    """Raise OutsideFragment unless the operation is one on digits, and the system's digits are binary."""
    if OPERATORS[expr.op].digits is None:
        raise outside_fragment(expr, f"'{expr.op}' is not expressible")
    check_binary_system(expr, f"'{expr.op}'", system)


def refuse_root(expr: Call, system: System) -> None:
    """Raise OutsideFragment for a square root in a sentence.

    Its automaton is proved correct by automata here; the prover of a sentence cannot check it.
    """
    if root_in_system(expr, system) is not None:
        raise outside_fragment(expr, "the automaton of a square root is proved correct by automata only")


def root_in_system(expr: Call, system: System) -> tuple[RootMultiple, Expr] | None:
    """Return (multiple, n) for the call ``isqrt(c * n * n)``, with c constant; None for any other call.

    The multiple expresses sqrt(c) by the system's irrational (``automata/beatty.py``). Raises OutsideFragment if that
    is impossible: then no automaton in the system computes multiples of the root.
    """
    root = square_root_of(expr)
    if root is None:
        return None
    multiple = root_multiple(root.square, system)
    if multiple is None:
        raise outside_fragment(
            expr, f"multiples of the square root of {root.square} are not automatic in {system.words}"
        )
    return multiple, root.number


def call_outside(expr: Call, functions: Functions) -> OutsideFragment:
    """Return the error for a call for which there is no more specific error."""
    if expr.name in BUILTINS:
        return outside_fragment(expr, BUILTINS[expr.name].unspoken or "it is not expressible")
    function = functions[expr.name]
    return outside_fragment(
        expr,
        "a recurrence is not expressible" if isinstance(function, Function) else f"it is {function.what}",
    )


def constant_value(expr: Expr, functions: Functions) -> int:
    """Return the value of an expression that depends on no name. Raises OutsideFragment if it has none."""
    try:
        return closed_value(expr, functions)
    except EvaluationError as error:
        raise outside_fragment(expr, error.message) from None


def constant_range(expr: Bounded, length: int) -> range:
    """Return ``range(length)``: the distances of the bound variable's values from the lower end of its range.

    Raises OutsideFragment if there are more than MAX_TERMS.
    """
    if length > MAX_TERMS:
        raise outside_fragment(
            expr, f"{expr.quantifier}() over more than {MAX_TERMS} values is not written out"
        )
    return range(length)


def varying_sum(expr: Bounded) -> OutsideFragment:
    """Return the error for a sum whose number of values is not constant."""
    return outside_fragment(expr, "sum() over a varying number of values is not expressible")


def nim_sum_outside(expr: Bounded) -> OutsideFragment:
    """Return the error for a nim-sum over a range of values."""
    return outside_fragment(expr, "nim_sum() is not expressible")
