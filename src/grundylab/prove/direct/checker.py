"""The second checker: whether a formula is what induction on a game's measure makes it, by automata of its own.

It is given what MONA was asked (the game, the formula, and what the induction assumes, of which it believes nothing),
builds the automata of the formulas and of the moves, and asks of each part of the induction whether there is a position
where it fails. The positions of one value have no option of that value, and one of each smaller; so by induction on the
measure the formulas are the truth (Siegel, Combinatorial Game Theory, Section IV.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import cast

from grundylab.automata.kernel import Dfa, Work, both, constant, exists, some
from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, Move, Ruleset, Target
from grundylab.language import syntax
from grundylab.language.syntax import TRUE, Binary, Expr, Int, Kind, Name, compare, conjunction, free_names
from grundylab.logic.direct.reader import Reader, Unreadable
from grundylab.prove.direct.moves import Game
from grundylab.prove.hypothesis import Hypothesis

_VALUE, _OTHER = "=g", "=h"  # tracks of Grundy numbers: no name of a ruleset begins so


class Disagreement(GrundylabError):
    """A statement that MONA calls proved, and where it fails by the second checker."""


@dataclass(frozen=True)
class Question:
    """A statement and its induction, in a game where the parameters that have one value are that value.

    where: of which positions and parameters. condition: for which of those parameters it is proved. exactly: and for no
    others.
    """

    formula: Expr
    target: Target
    where: Expr
    hypothesis: Hypothesis
    condition: Expr = TRUE
    exactly: bool = False


class Checker:
    """Goes through inductions about one game; what they have in common is made once.

    limit: cells of transition tables for one question.
    """

    def __init__(self, ruleset: Ruleset, limit: int) -> None:
        self._limit = limit
        self._work = Work(limit)
        self._reader = Reader(ruleset.functions, self._work)
        self._game = Game(ruleset, self._reader)
        self._ruleset = ruleset
        self._faults: list[tuple[str, Dfa]] | None = None

    def check(self, question: Question) -> None:
        """Nothing, if all of the induction is right.

        Raises Disagreement with the position where it is not, Unreadable for a subterm that is not read, TooLarge
        if the limit is met, NotProvable for a game that no proof covers.
        """
        self._work.left = self._limit
        if self._ruleset.splits and question.hypothesis.grundy is None and question.target != ALWAYS:
            raise Unreadable(
                "moves split positions, and the levels of the parts do not say that of their sum"
            )
        assumed, about = (self._reader.true(part) for part in self._split(question.where))
        condition = self._reader.true(question.condition)
        asked = Asked(self._game, question, assumed & condition, about)
        for what, where in self._failures(asked):
            self._refuse(what, where & asked.assumed)
        if question.exactly:
            self._refuse_others(Asked(self._game, question, assumed, about), condition)

    def _failures(self, asked: Asked) -> Iterator[tuple[str, Dfa]]:
        yield from self._game.below_zero()
        if asked.target != ALWAYS:
            if self._faults is None:
                self._faults = self._game.faults()
            yield from self._faults
        yield from asked.failures()

    def _refuse_others(self, asked: Asked, condition: Dfa) -> None:
        """Refuse it if there are parameters outside the condition for which the induction is right as well."""
        failing = [
            exists(set(where.tracks) - set(self._ruleset.parameter_names), [where], self._work)
            for _, where in self._failures(asked)
        ]
        others = both([self._game.domain, asked.assumed, ~condition], self._work)
        self._refuse("it is true as well", others & ~some(failing, self._work))

    def _split(self, where: Expr) -> tuple[Expr, Expr]:
        """The terms that are about the parameters alone, and the others."""
        terms = syntax.conjuncts(where)
        coordinates = set(self._ruleset.coordinate_names)
        return (
            conjunction(*(term for term in terms if not free_names(term) & coordinates)),
            conjunction(*(term for term in terms if free_names(term) & coordinates)),
        )

    def _refuse(self, what: str, where: Dfa) -> None:
        example = where.example()
        if example is not None:
            shown = ", ".join(f"{name}={example.get(name, 0)}" for name in self._ruleset.formula_names)
            raise Disagreement(f"at ({shown}) {what}")


class Asked:
    """The parts of one induction."""

    def __init__(self, game: Game, question: Question, assumed: Dfa, about: Dfa) -> None:
        self.assumed, self.target = assumed, question.target
        self._about = about
        self._game, self._question = game, question
        self._ruleset, self._reader = game.ruleset, game.reader
        self._work = game.reader.work
        self._region = self._reader.true(question.hypothesis.region)
        self._here = both([game.positions, assumed, self._region], self._work)

    def failures(self) -> Iterator[tuple[str, Dfa]]:
        """What may be wrong, and where it is."""
        if self.target != ALWAYS:
            yield from self.leaving()
            yield from self.wrong()
        yield from self.not_following()

    def leaving(self) -> Iterator[tuple[str, Dfa]]:
        """Moves that lead out of the region."""
        for move in self._ruleset.moves if self._question.hypothesis.region != TRUE else ():
            for part in range(len(move.parts)):
                outside = ~self._region.renamed(self._game.after(move, part))
                yield (
                    f"move '{move.name}' leads out of what the induction is about",
                    both([self._here, self._game.made(move), outside], self._work),
                )

    def wrong(self) -> Iterator[tuple[str, Dfa]]:
        """Where the hypothesis is not what the options make it."""
        if self._question.hypothesis.grundy is not None:
            yield from self._wrong_number(self._question.hypothesis.grundy)
        else:
            yield from self._wrong_levels()

    def not_following(self) -> Iterator[tuple[str, Dfa]]:
        """Where the hypothesis does not say what is claimed."""
        if self.target == ALWAYS:
            claimed = both([self._game.positions, self.assumed, self._about], self._work)
            yield "the condition is not true", claimed & ~self._reader.true(self._question.formula)
        else:
            yield "the statement does not follow", self._not_following()

    # -- levels -----------------------------------------------------------------------------------------------

    def _wrong_levels(self) -> Iterator[tuple[str, Dfa]]:
        # no move leads out of the positions, so what a formula says elsewhere may go: it only makes automata larger
        levels = [
            self._reader.true(level) & self._game.positions for level in self._question.hypothesis.levels
        ]
        below: list[Dfa] = []
        if self._ruleset.play == "misere":  # who cannot move wins
            below.append(self._game.movable)
        for number, level in enumerate(levels):
            option = self._game.option_in(level)
            right = both([self._here, ~option, *below], self._work)
            yield f"level {number} is not what the options make it", right ^ (self._here & level)
            if self._ruleset.play == "normal":
                below.append(option)

    # -- Grundy numbers ---------------------------------------------------------------------------------------

    def _value(self, number: Expr) -> Dfa:
        """The positions together with the number on the track of values."""
        natural = self._reader.true(compare(">=", Name(_VALUE), Int(0)))
        is_value = self._reader.true(compare("==", Name(_VALUE), number))
        return both([is_value, natural, self._game.positions], self._work)

    def _wrong_number(self, number: Expr) -> Iterator[tuple[str, Dfa]]:
        value = self._value(number)
        option = some((self._option_value(move, value) for move in self._ruleset.moves), self._work)
        yield "the formula has no natural value", self._here & ~value.without(_VALUE)
        yield "an option has the position's Grundy number", both([self._here, value, option], self._work)
        smaller = self._reader.true(
            conjunction(compare("<=", Int(0), Name(_VALUE)), compare("<", Name(_VALUE), Name(_OTHER)))
        )
        missing = [self._here, value.renamed({_VALUE: _OTHER}), smaller, ~option]
        yield "no option has some smaller Grundy number", both(missing, self._work)

    def _option_value(self, move: Move, value: Dfa) -> Dfa:
        """The positions together with a Grundy number that an option by the move has."""
        if len(move.parts) == 1:
            return self._game.leading(move, [value.renamed(self._game.after(move, 0))])
        names = [f"{_VALUE}{part}" for part in range(len(move.parts))]
        nim_sum = reduce(lambda a, b: Binary("^", a, b), map(Name, names[1:]), cast(Expr, Name(names[0])))
        values = [
            value.renamed({**self._game.after(move, part), _VALUE: name}) for part, name in enumerate(names)
        ]
        same = self._reader.true(compare("==", Name(_VALUE), nim_sum))
        return self._game.leading(move, [*values, same], names)

    # -- the statement ----------------------------------------------------------------------------------------

    def _not_following(self) -> Dfa:
        question, game = self._question, self._game
        claimed = both([game.positions, self.assumed, self._about], self._work)
        hypothesis, formula = question.hypothesis, question.formula
        if formula.kind is Kind.NUMBER:
            assert hypothesis.grundy is not None
            own, known = self._value(formula), self._value(hypothesis.grundy)
            same = exists([_VALUE], [own, known], self._work)
        else:
            own = self._reader.true(formula)
            if hypothesis.grundy is not None:
                level = question.target.value if question.target.name == "level" else 0
                known = self._reader.true(compare("==", hypothesis.grundy, Int(level)))
            else:
                known = self._reader.true(hypothesis.levels[-1])
            same = ~(own ^ known)
        meaning = self._reader.defined(formula)
        right = both(
            [self._region, same, constant(True, self._work) if meaning is None else meaning], self._work
        )
        return claimed & ~right
