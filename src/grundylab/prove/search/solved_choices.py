"""Choices that lead to a wanted value, read off a formula in which numbers are combined by ``^``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Call, Compare, Expr, Name, chain, operands
from grundylab.prove.core.instances import HOLE
from grundylab.prove.core.sequent import Sequent
from grundylab.prove.search.simplification import simplify_condition


@dataclass(frozen=True)
class SolvedChoice:
    """The choice of a move that leads to a value if the formula is right: an equation ``choice = term``.

    move: the number of the move. term: the other side; if the name ``HOLE`` is in it, it depends on the choice.
    """

    move: int
    term: Expr

    @property
    def is_image(self) -> bool:
        """True if the term depends on the choice, so that the choice is a fixed point."""
        return HOLE in self.term.free


def claimed_formula(sequent: Sequent, own: Call) -> Expr | None:
    """Return the formula that the claim of the sequent gives for a value; None if it gives none."""
    match sequent.claim.said:
        case Compare(ops=("==",), terms=(left, right)) if left == own:
            return right
        case Compare(ops=("==",), terms=(left, right)) if right == own:
            return left
    return None


def solved_choices(sequent: Sequent, own: Call, wanted: Expr) -> Iterator[SolvedChoice]:
    """Yield the choices with which a move from the position of ``own`` leads to the value ``wanted``."""
    formula = claimed_formula(sequent, own)
    if formula is None:
        return
    game = sequent.theory.game(own.name)
    for number, move in enumerate(game.moves):
        if len(move.parts) == 1 and len(move.choices) == 1:
            (choice,), (part,) = move.choices, move.parts
            unknown = {choice.name: Name(HOLE)}
            option = [sequent.theory.at(own.name, to, own.arguments, unknown) for to in part]
            place = dict(zip(sequent.claim.names, option, strict=True))
            value = simplify_condition(substitute(formula, place))
            if (term := _solution(value, wanted)) is not None:
                yield SolvedChoice(number, term)


def _solution(formula: Expr, wanted: Expr) -> Expr | None:
    """Return what ``HOLE`` is if a formula combined by ``^`` has the wanted value; None if that cannot be read off."""
    numbers = operands(formula, "^")
    for index, number in enumerate(numbers):
        rest = chain("^", [wanted, *numbers[:index], *numbers[index + 1 :]])
        match number:
            case Name(id=name) if name == HOLE:
                return rest
            case Binary(op="-", left=left, right=Name(id=name)) if name == HOLE and HOLE not in left.free:
                return Binary("-", left, rest) if HOLE not in rest.free else None
    return None
