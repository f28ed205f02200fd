"""Strategies: lists of moves with conditions; and what a strategy must do, as a formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grundylab.games.model import ALWAYS, Claim, Move, Ruleset, Target
from grundylab.language.linear import atom_polynomial
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Binary,
    Bounded,
    Expr,
    Int,
    by_cases,
    chain,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    negate,
)

CLAIM = "how-to-win"  # the name of the claim that a strategy is right and complete


@dataclass(frozen=True)
class Line:
    """A line of a strategy: where ``when`` is true, and no earlier line's condition is, make this move.

    number: the index of the move in the rules. choices: a formula for each of its choices, in order.
    """

    number: int
    when: Expr
    choices: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Aim:
    """A formula for the P-positions or the Grundy numbers, by which positions to move to are known.

    where: the condition on positions and parameters under which it is right. proved: whether it is proved there; a
    formula that is only right in tables is an aim, too.
    """

    formula: Expr
    target: Target
    where: Expr = TRUE
    proved: bool = False

    @property
    def lost(self) -> Expr:
        """The condition that a position is a P-position."""
        return self.formula if self.target.name == "p" else compare("==", self.formula, Int(0))

    def reached(self, move: Move, choices: Sequence[Expr], names: Sequence[str]) -> Expr:
        """Return a condition under which the move leads to a P-position, if the formula is right.

        For a move to one position, or if the formula is for Grundy numbers, the move leads to an N-position wherever
        the condition is false. Otherwise, a sum is known to be a P-position if all its parts are, or if it has two
        parts that are equal (whoever moves in one is answered in the other). names: the game's coordinates.
        """
        values = choices_by_name(move, choices)
        parts = [
            {name: substitute(value, values) for name, value in zip(names, part, strict=True)}
            for part in move.parts
        ]
        given = conjuncts(self.where)
        inside = [
            term for part in parts for term in conjuncts(substitute(self.where, part)) if term not in given
        ]
        if self.target.name == "grundy" and len(parts) > 1:
            grundy = chain("^", [substitute(self.formula, part) for part in parts])
            return conjunction(*inside, compare("==", grundy, Int(0)))
        inside_and_lost = conjunction(*inside, *(substitute(self.lost, part) for part in parts))
        if len(parts) != 2:
            return inside_and_lost
        one, other = parts
        pairs = ((one[name], other[name]) for name in names)
        return disjunction(conjunction(*(compare("==", a, b) for a, b in pairs if a != b)), inside_and_lost)


def choices_by_name(move: Move, choices: Sequence[Expr]) -> dict[str, Expr]:
    """Return the formulas for the choices of a move, by name."""
    return dict(zip((choice.name for choice in move.choices), choices, strict=True))


def legal(move: Move, choices: Sequence[Expr]) -> Expr:
    """Return the condition that the choices are in their ranges, and that the move may be made with them.

    A pass needs another move besides. Where play is normal there is one at every N-position, because a position
    without another move is a P-position.
    """
    chosen: dict[str, Expr] = {}
    conditions = list[Expr]()
    for choice, value in zip(move.choices, choices, strict=True):
        low, high = (substitute(end, chosen) for end in choice.ends)
        conditions += [compare("<=", low, value), compare("<=", value, high)]
        chosen[choice.name] = value
    return conjunction(*conditions, substitute(move.when, chosen))


def wins(line: Line, aim: Aim, ruleset: Ruleset) -> Expr:
    """Return the condition that the line's move is legal and leads to a P-position, as far as ``aim`` says it."""
    move = ruleset.moves[line.number]
    reached = aim.reached(move, line.choices, ruleset.coordinate_names)
    return conjunction(legal(move, line.choices), reached)


def by_rules(lines: Sequence[Line], aim: Aim, ruleset: Ruleset) -> tuple[Line, ...]:
    """Return the lines with the conditions that the rules and the formula give, which are long but never wrong."""
    return tuple(replace(line, when=wins(line, aim, ruleset)) for line in lines)


def playable(ruleset: Ruleset) -> Expr:
    """Return the condition that some move can be made, passes apart."""
    return disjunction(*(_some_choice(move, 0) for move in ruleset.moves if not move.a_pass))


def _some_choice(move: Move, first: int) -> Expr:
    """Return the condition that choices from the one with this index on make the move legal."""
    if first == len(move.choices):
        return move.when
    choice = move.choices[first]
    low, high = choice.ends
    inner = _some_choice(move, first + 1)
    if choice.name not in inner.free:
        return conjunction(compare("<=", low, high), inner)
    return Bounded("any", choice.name, low, Binary("+", high, Int(1)), inner)


def question(aim: Aim, ruleset: Ruleset) -> Expr:
    """Return the condition on the positions for which a strategy has to name a move: the N-positions.

    Under misère play, a player who cannot move has won, and needs none.
    """
    more = (playable(ruleset),) if ruleset.play == "misere" else ()
    return conjunction(aim.where, negate(aim.lost), *more)


def claim_of(lines: Sequence[Line], aim: Aim, ruleset: Ruleset) -> Claim:
    """Return the claim that the first line whose condition is true wins, at every N-position.

    If ``aim`` is right, the claim says that the strategy is right and complete.
    """
    cases = [(line.when, wins(line, aim, ruleset)) for line in lines]
    *others, (when, last) = cases
    formula = by_cases(others, last) if when == TRUE else by_cases(cases, FALSE)
    return Claim(CLAIM, ALWAYS, formula, question(aim, ruleset), kind="condition", unpublished=True)


def left_by(move: Move, choices: Sequence[Expr], names: Sequence[str]) -> dict[str, Expr]:
    """Return the new values, by name, of the coordinates that the move changes; none for a move to a sum.

    names: the game's coordinates.
    """
    if len(move.parts) != 1:
        return {}
    values = choices_by_name(move, choices)
    changes = move.changes(tuple(names))
    return {name: _collected(substitute(value, values)) for name, value in changes.items()}


def difference(whole: Expr, number: Expr) -> Expr:
    """Return ``whole - number`` with equal terms put together."""
    return _collected(Binary("-", whole, number))


def _collected(number: Expr) -> Expr:
    """Return the number with equal terms put together, if it is then shorter."""
    if not isinstance(number, Binary) or number.op not in "+-":
        return number
    other = atom_polynomial(number).expression()
    return other if other.size < number.size else number
