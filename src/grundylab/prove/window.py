"""A pile x from which 1 to f(x) stones are taken, where f(0) = 0 and f rises by 0 or 1 from each x to the next.

The numbers x - f(x), ..., x have the values 0, 1, ..., f(x), each once. For x = 0 that is so. Where f(x) = f(x - 1) + 1
the options of x are the whole window of x - 1, which has the values 0 to f(x) - 1, and so the value of x is f(x). Where
f(x) = f(x - 1) they are that window without its first number x - f(x) - 1, so that the value of this one alone is
missing, and it is the value of x. (Levine, *Fractal sequences and restricted Nim*, Ars Combinatoria 80, 2006.)

Other coordinates may be there, as long as nothing but the pile can be moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grundylab.games.listing import quantified
from grundylab.games.model import GRUNDY, Claim, Ruleset
from grundylab.games.statements import THIS
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
from grundylab.prove.lookups import Lookups
from grundylab.prove.neighbours import Place, Step, always, equal, here, negation, steps
from grundylab.prove.outcome import Premise


def window(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """The claim under ``where`` by the window of each pile that fits."""
    about = conjunction(claim.where, where)
    lookups, this = Lookups([name for name, _ in claim.values]), all(of == THIS for _, of in claim.values)
    if claim.target != GRUNDY or claim.variables or claim.tables or not this or not lookups.is_plain(about):
        return
    if ruleset.play != "normal" or ruleset.splits or ruleset.where != TRUE:
        return
    moves = list(steps(ruleset, here(ruleset)))
    for number, coordinate in enumerate(ruleset.coordinates):
        most = [_most(move, here(ruleset), number) for move in moves]
        taken = [each for each in most if each is not None]
        if len(taken) == 1 and _is_free(ruleset, coordinate.name):
            others = [move for move, each in zip(moves, most, strict=True) if each is None]
            pile = _Pile(ruleset, number, Name(coordinate.name), taken[0])
            said = pile.says(claim.formula, lookups)
            if said is not None:
                yield tuple(pile.premises(about, others, said))


def _most(move: Step, place: Place, number: int) -> Expr | None:
    """f(x) where the move is to take from 1 to f(x) from this coordinate, whenever that can be; else None."""
    choices, when, to = move
    if len(choices) != 1 or when != TRUE or choices[0].range.low != Int(1):
        return None
    taken = Binary("-", place[number], Name(choices[0].name))
    wanted = tuple(taken if n == number else each for n, each in enumerate(place))
    return choices[0].range.high if to == wanted else None


def _is_free(ruleset: Ruleset, name: str) -> bool:
    """Whether the coordinate may be any number from 0 on, whatever the others are, and they whatever it is."""
    (mine,) = (each for each in ruleset.coordinates if each.name == name)
    ends = [end for each in ruleset.coordinates for end in each.ends]
    endless = isinstance(mine.range.high, Name) and mine.range.high.id in ruleset.bounds
    return mine.range.low == Int(0) and endless and not any(name in free_names(end) for end in ends)


@dataclass(frozen=True)
class _Pile:
    """most: f(x), at most so many are taken."""

    ruleset: Ruleset
    number: int
    name: Name
    most: Expr

    @property
    def before(self) -> Expr:
        """f(x - 1)."""
        return substitute(self.most, {self.name.id: Binary("-", self.name, Int(1))})

    def says(self, formula: Expr, lookups: Lookups) -> Expr | None:
        """When the formula is the value by the window; None if it looks values up otherwise."""
        grows = compare(">", self.most, self.before)
        if lookups.is_plain(formula):
            first = compare("==", self.name, Int(0))
            return conjunction(disjunction(first, grows), compare("==", formula, self.most))
        if not isinstance(formula, Call) or not all(map(lookups.is_plain, formula.arguments)):
            return None
        missing = Binary("-", Binary("-", self.name, self.most), Int(1))
        place = tuple(missing if n == self.number else each for n, each in enumerate(here(self.ruleset)))
        some = compare(">=", self.name, Int(1))
        return conjunction(some, compare("==", self.most, self.before), equal(formula.arguments, place))

    def premises(self, about: Expr, others: list[Step], said: Expr) -> Iterator[Premise]:
        """That f is as it must be and nothing else can be moved, for every x beside the others; and what is said."""
        beside = conjunction(*(term for term in conjuncts(about) if self.name.id not in free_names(term)))
        first = compare("==", substitute(self.most, {self.name.id: Int(0)}), Int(0))
        rises = Compare(("<=", "<="), (self.before, self.most, Binary("+", self.before, Int(1))))
        none = (negation(quantified("any", choices, when)) for choices, when, _ in others)
        yield from always(self.ruleset, beside, [first, *none])
        some = conjunction(beside, compare(">=", self.name, Int(1)))
        yield from always(self.ruleset, some, [rises])
        yield from always(self.ruleset, about, [said])
