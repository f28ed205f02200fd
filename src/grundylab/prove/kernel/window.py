"""The rule of the window: a pile of x stones, from which a move takes 1 to f(x).

Let f(0) = 0, and let f rise by 0 or 1 from each x to the next. Call the numbers x - f(x), …, x the window of x.

Claim: the piles in the window of x have the Grundy values 0, 1, …, f(x), each once. The proof is by induction on x; for
x = 0 it is true. If f(x) = f(x - 1) + 1, the options of x are the whole window of x - 1, with the values 0 to f(x) - 1.
So x has the value f(x). If f(x) = f(x - 1), the options of x are the window of x - 1 without its first number
x - f(x) - 1. So only the value of that number is missing from the options, and it is the value of x. (Levine, *Fractal
sequences and restricted Nim*, Ars Combinatoria 80, 2006.)

The game may have other coordinates, as long as only the pile can be moved. So every play ends, whatever measure the
ruleset names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grundylab.games.listing import quantify
from grundylab.games.model import GRUNDY, Ruleset
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Call,
    Compare,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    free_names,
)
from grundylab.prove.core.definedness import negation
from grundylab.prove.kernel.calls import Calls
from grundylab.prove.kernel.evidence import WindowEvidence
from grundylab.prove.kernel.moves import OptionPlace, Step, always_statement, equal, own_place, steps
from grundylab.prove.kernel.playable import family_ends
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition
from grundylab.statement import Statement


def premises(statement: Statement, evidence: WindowEvidence) -> Iterator[Statement]:
    """Yield the premises: f is as required, only the pile can be moved, and the window gives the claimed value.

    Raises Refused if the game is of another kind, or something else is claimed.
    """
    game = statement.game
    if statement.target != GRUNDY:
        raise Refused("the rule is for the target grundy only")
    if evidence.pile not in game.coordinate_names:
        raise Refused(f"{evidence.pile} is no coordinate of the game")
    number = game.coordinate_names.index(evidence.pile)
    moves = list(steps(game, own_place(game), (statement.formula, statement.where)))
    most = [_most(move, own_place(game), number) for move in moves]
    taken = [each for each in most if each is not None]
    if len(taken) != 1 or not _is_free(game, evidence.pile):
        raise Refused(f"{evidence.pile} is no pile from which 1 to f({evidence.pile}) stones are taken")
    others = [move for move, each in zip(moves, most, strict=True) if each is None]
    pile = _Pile(game, number, Name(evidence.pile), taken[0])
    said = pile.says(statement.formula, Calls([each.name for each in statement.lookups]))
    if said is None:
        raise Refused("the formula is neither a plain formula for f nor the looked-up value of one position")
    yield from pile.premises(statement.where, others, said)


def _most(move: Step, place: OptionPlace, number: int) -> Expr | None:
    """Return f(x) if the move takes 1 to f(x) from coordinate ``number`` under no further condition; else None."""
    choices, when, to = move
    if len(choices) != 1 or when != TRUE or choices[0].range.low != Int(1):
        return None
    taken = Binary("-", place[number], Name(choices[0].name))
    wanted = tuple(taken if n == number else each for n, each in enumerate(place))
    return choices[0].range.high if to == wanted else None


def _is_free(ruleset: Ruleset, name: str) -> bool:
    """Tell whether the coordinate's range is all natural numbers, and no coordinate's range mentions it."""
    (mine,) = (each for each in ruleset.coordinates if each.name == name)
    ends = [end for each in ruleset.coordinates for end in each.ends]
    endless = isinstance(mine.range.high, Name) and mine.range.high.id in ruleset.bounds
    return mine.range.low == Int(0) and endless and not any(name in free_names(end) for end in ends)


@dataclass(frozen=True)
class _Pile:
    """The pile. number: its place among the coordinates. most: f(x), the most stones that a move takes."""

    game: Ruleset
    number: int
    name: Name
    most: Expr

    @property
    def before(self) -> Expr:
        """The value f(x - 1)."""
        return substitute(self.most, {self.name.id: Binary("-", self.name, Int(1))})

    def says(self, formula: Expr, calls: Calls) -> Expr | None:
        """Return the condition that the formula is the value of x by the window argument.

        A formula without look-ups must equal f(x), where x = 0 or f(x) > f(x - 1). A single look-up must be of the pile
        x - f(x) - 1, where f(x) = f(x - 1). None for any other formula.
        """
        grows = compare(">", self.most, self.before)
        if calls.is_plain(formula):
            first = compare("==", self.name, Int(0))
            return conjunction(disjunction(first, grows), compare("==", formula, self.most))
        if not isinstance(formula, Call) or formula not in calls.within(formula):
            return None
        if not all(map(calls.is_plain, formula.arguments)):
            return None
        missing = Binary("-", Binary("-", self.name, self.most), Int(1))
        place = tuple(missing if n == self.number else each for n, each in enumerate(own_place(self.game)))
        some = compare(">=", self.name, Int(1))
        return conjunction(some, compare("==", self.most, self.before), equal(formula.arguments, place))

    def premises(self, about: Expr, others: list[Step], said: Expr) -> Iterator[Statement]:
        """Yield the premises: f is as required, no move among ``others`` can ever be made, and ``said`` is true."""
        beside = conjunction(*(term for term in conjuncts(about) if self.name.id not in free_names(term)))
        first = compare("==", substitute(self.most, {self.name.id: Int(0)}), Int(0))
        rises = Compare(("<=", "<="), (self.before, self.most, Binary("+", self.before, Int(1))))
        none = (negation(quantify("any", choices, when)) for choices, when, _ in others)
        yield from family_ends(self.game)
        yield from always_statement(self.game, beside, [first, *none])
        some = conjunction(beside, compare(">=", self.name, Int(1)))
        yield from always_statement(self.game, some, [rises])
        yield from always_statement(self.game, about, [said])


RULE = Rule(
    "values of a pile, by the window of its options",
    WindowEvidence,
    (
        SideCondition(
            "no other game is looked up", lambda s, *_: all(each.game is None for each in s.lookups)
        ),
        SideCondition("all positions in their ranges are legal", lambda s, *_: s.game.where == TRUE),
    ),
    lambda statement, evidence: tuple(dict.fromkeys(premises(statement, evidence))),
)
