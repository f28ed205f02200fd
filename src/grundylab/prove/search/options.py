"""Facts about the option of a position by a move with given choices."""

from __future__ import annotations

from collections.abc import Sequence

from grundylab.language.syntax import Call, Expr
from grundylab.prove.core.facts import SmallerInstance, ValueDifference
from grundylab.prove.core.sequent import Sequent


def option_by(sequent: Sequent, call: Call, move: int, choices: Sequence[Expr]) -> tuple[Expr, ...]:
    """Return the option of a value's position by a move."""
    rules = sequent.theory.move(call.name, move)
    given = {choice.name: term for choice, term in zip(rules.choices, choices, strict=True)}
    return tuple(sequent.theory.at(call.name, value, call.arguments, given) for value in rules.parts[0])


def smaller_at(sequent: Sequent, call: Call, move: int, choices: Sequence[Expr]) -> SmallerInstance:
    """Return that the claim holds at the option of a value's position by a move."""
    return SmallerInstance(at=option_by(sequent, call, move, choices))


def at_option(
    sequent: Sequent, call: Call, move: int, choices: Sequence[Expr]
) -> tuple[SmallerInstance, ValueDifference]:
    """Return that the claim holds at the option of a value's position by a move, and that its value is another."""
    return smaller_at(sequent, call, move, choices), difference(call, move, choices)


def difference(call: Call, move: int, choices: Sequence[Expr]) -> ValueDifference:
    """Return that a value differs from that of the option by a move."""
    return ValueDifference(values=call.name, place=call.arguments, move=move, choices=tuple(choices))
