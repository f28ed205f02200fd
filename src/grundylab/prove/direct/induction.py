"""The parts of an induction on a game's measure as automata: the positions where each of them fails.

The game, the formula and what the induction assumes are given, and of the latter nothing is believed. The positions of
one value have no option of that value, and one of each smaller; so by induction on the measure the formulas are the
truth (Siegel, Combinatorial Game Theory, Section IV.1).
"""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.automata.kernel import Dfa, both, exists, some
from grundylab.games.model import ALWAYS, Move
from grundylab.language.syntax import TRUE, Expr, Int, Kind, Name, chain, compare, conjunction
from grundylab.prove.direct.moves import Game
from grundylab.prove.hypothesis import Question, level_of

NATURAL = "no coordinate begins below 0"
STAYS = "every move leads into the position space and lowers the measure"
CLOSED = "no move leads out of the region"
EXACT = "the hypothesis is what the options make it"
FOLLOWS = "the claim is what the hypothesis says"
INDUCTION = (NATURAL, STAYS, CLOSED, EXACT, FOLLOWS)
PLAYABLE = (NATURAL, STAYS)  # the rules make a game
SAID = (NATURAL, FOLLOWS)  # all that a claim needs that plays no game

_VALUE, _OTHER = "=g", "=h"  # tracks of Grundy numbers: no name of a ruleset begins so


class Induction:
    """The parts of one induction. assumed: the parameters that it is about."""

    def __init__(self, game: Game, question: Question, assumed: Dfa) -> None:
        self._game, self._question, self._assumed = game, question, assumed
        self._ruleset, self._reader = game.ruleset, game.reader
        self._work = game.reader.work
        self._region = self._reader.true(question.hypothesis.region)
        self._here = both([game.positions, assumed, self._region], self._work)

    def failing(self, part: str) -> Iterator[Dfa]:
        """The positions and parameters where a part is not so, piece by piece."""
        yield from {
            NATURAL: self._game.below_zero,
            STAYS: lambda: self._game.faults,
            CLOSED: self._leaving,
            EXACT: self._wrong,
            FOLLOWS: self._not_following,
        }[part]()

    def _leaving(self) -> Iterator[Dfa]:
        """Where a move leads out of the region."""
        for move in self._ruleset.moves if self._question.hypothesis.region != TRUE else ():
            for part in range(len(move.parts)):
                outside = ~self._region.renamed(self._game.after(move, part))
                yield both([self._here, self._game.made(move), outside], self._work)

    def _wrong(self) -> Iterator[Dfa]:
        """Where the hypothesis is not what the options make it."""
        if self._question.hypothesis.grundy is not None:
            yield from self._wrong_number(self._question.hypothesis.grundy)
        else:
            yield from self._wrong_levels()

    # -- levels -----------------------------------------------------------------------------------------------

    def _wrong_levels(self) -> Iterator[Dfa]:
        # no move leads out of the positions, so what a formula says elsewhere may go: it only makes automata larger
        levels = [
            self._reader.true(level) & self._game.positions for level in self._question.hypothesis.levels
        ]
        below: list[Dfa] = []
        if self._ruleset.play == "misere":  # who cannot move wins
            below.append(self._game.movable)
        for level in levels:
            option = self._game.option_in(level)
            right = both([self._here, ~option, *below], self._work)
            yield right ^ (self._here & level)
            if self._ruleset.play == "normal":
                below.append(option)

    # -- Grundy numbers ---------------------------------------------------------------------------------------

    def _value(self, number: Expr) -> Dfa:
        """The positions together with the number on the track of values."""
        natural = self._reader.true(compare(">=", Name(_VALUE), Int(0)))
        is_value = self._reader.true(compare("==", Name(_VALUE), number))
        return both([is_value, natural, self._game.positions], self._work)

    def _wrong_number(self, number: Expr) -> Iterator[Dfa]:
        value = self._value(number)
        option = some((self._option_value(move, value) for move in self._ruleset.moves), self._work)
        yield self._here & ~value.without(_VALUE)  # the formula has no natural value
        yield both([self._here, value, option], self._work)
        smaller = self._reader.true(
            conjunction(compare("<=", Int(0), Name(_VALUE)), compare("<", Name(_VALUE), Name(_OTHER)))
        )
        yield both([self._here, value.renamed({_VALUE: _OTHER}), smaller, ~option], self._work)

    def _option_value(self, move: Move, value: Dfa) -> Dfa:
        """The positions together with a Grundy number that an option by the move has."""
        if len(move.parts) == 1:
            return self._game.leading(move, [value.renamed(self._game.after(move, 0))])
        names = [f"{_VALUE}{part}" for part in range(len(move.parts))]
        values = [
            value.renamed({**self._game.after(move, part), _VALUE: name}) for part, name in enumerate(names)
        ]
        same = self._reader.true(compare("==", Name(_VALUE), chain("^", map(Name, names))))
        return self._game.leading(move, [*values, same], names)

    # -- the statement ----------------------------------------------------------------------------------------

    def _not_following(self) -> Iterator[Dfa]:
        """Where the hypothesis does not say what is claimed."""
        question, reader = self._question, self._reader
        claimed = both([self._game.positions, self._assumed, reader.true(question.where)], self._work)
        if question.target == ALWAYS:
            yield claimed & ~reader.true(question.formula)
            return
        meaning = reader.defined(question.formula)
        right = [self._region, self._same(question), *([] if meaning is None else [meaning])]
        yield claimed & ~both(right, self._work)

    def _same(self, question: Question) -> Dfa:
        """Where the formula and the hypothesis say the same."""
        known = question.hypothesis.grundy
        if question.formula.kind is Kind.NUMBER:
            assert known is not None
            return exists([_VALUE], [self._value(question.formula), self._value(known)], self._work)
        if known is not None:
            said: Expr = compare("==", known, Int(level_of(question.target)))
        else:
            said = question.hypothesis.levels[-1]
        return ~(self._reader.true(question.formula) ^ self._reader.true(said))
