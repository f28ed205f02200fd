"""A game as automata: its positions, and each move as the relation of a position and what it leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from grundylab.automata.kernel import Dfa, both, exists, some
from grundylab.games.model import Move, Ruleset
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Expr, Int, Name, compare
from grundylab.logic.direct.reader import Reader
from grundylab.prove.space import position_space


class Game:
    """What of a game does not depend on a formula. A coordinate's new value in part k of a move is the track NAME'k."""

    def __init__(self, ruleset: Ruleset, reader: Reader) -> None:
        self.ruleset = ruleset
        self.reader = reader
        self._relations: dict[int, Dfa] = {}

    @cached_property
    def domain(self) -> Dfa:
        """The parameter values of the game."""
        return self.reader.true(self.ruleset.domain)

    @cached_property
    def space(self) -> Dfa:
        """The positions, of every size."""
        return both([*self._from, self.reader.true(position_space(self.ruleset))], self.reader.work)

    @property
    def _from(self) -> list[Dfa]:
        """Each coordinate is no less than its range begins: position_space leaves out what natural numbers are."""
        return [self.reader.true(compare("<=", c.range.low, Name(c.name))) for c in self.ruleset.coordinates]

    @cached_property
    def positions(self) -> Dfa:
        """The positions for each of the parameter values."""
        return self.space & self.domain

    def after(self, move: Move, part: int) -> dict[str, str]:
        """For each coordinate that the part changes the track of its new value."""
        return {name: f"{name}'{part}" for name in move.changes(self.ruleset.coordinate_names, part)}

    def made(self, move: Move) -> Dfa:
        """The positions and new values such that the move leads from the one to the others."""
        number = self.ruleset.moves.index(move)
        if number not in self._relations:
            choices = [choice.name for choice in move.choices]
            self._relations[number] = exists(choices, self._steps(move), self.reader.work)
        return self._relations[number]

    def _steps(self, move: Move) -> list[Dfa]:
        read = self.reader.true
        parts = [*(read(choice.inside) for choice in move.choices), read(move.when)]
        for number in range(len(move.parts)):
            after, changes = self.after(move, number), move.changes(self.ruleset.coordinate_names, number)
            parts += [read(compare("==", Name(after[name]), value)) for name, value in changes.items()]
        if move.a_pass:
            parts.append(self.movable)
        return parts

    @cached_property
    def movable(self) -> Dfa:
        """The positions with a move that is no pass."""
        moves = [move for move in self.ruleset.moves if not move.a_pass]
        return some((self.leading(move, []) for move in moves), self.reader.work)

    def leading(self, move: Move, targets: Sequence[Dfa], hidden: Sequence[str] = ()) -> Dfa:
        """The positions with an option by the move such that all is true. targets: on tracks of new values."""
        tracks = [track for part in range(len(move.parts)) for track in self.after(move, part).values()]
        return exists([*tracks, *hidden], [self.made(move), *targets], self.reader.work)

    def option_in(self, wanted: Dfa) -> Dfa:
        """The positions with an option, which is a single position, among those wanted."""
        each = (self.leading(move, [wanted.renamed(self.after(move, 0))]) for move in self.ruleset.moves)
        return some(each, self.reader.work)

    def below_zero(self) -> list[Dfa]:
        """Where the coordinates before one are in their ranges, and its own does not begin at 0 or above.

        What else is asked of a position does not matter: negative numbers are not what the rest is about.
        """
        found, before = list[Dfa](), [self.domain]
        for coordinate in self.ruleset.coordinates:
            natural = self.reader.true(compare(">=", coordinate.range.low, Int(0)))
            found.append(both([*before, ~natural], self.reader.work))
            before.append(self.reader.true(coordinate.within(self.ruleset.bounds)))
        return found

    # -- what a game must be for an induction on its measure ---------------------------------------------------

    @cached_property
    def faults(self) -> list[Dfa]:
        """The positions where the rules make no game.

        The measure is negative or has no value; whether it is a position has none; a move has no value, leaves the
        position space, or does not lower the measure.
        """
        measure, read = self.ruleset.measure, self.reader.true
        natural = read(compare(">=", measure, Int(0)))
        found = [self.positions & ~natural]
        meaning = self.reader.defined(position_space(self.ruleset))
        if meaning is not None:
            found.append(both([*self._from, self.domain, ~meaning], self.reader.work))
        for move in self.ruleset.moves:
            found += self._meaningless(move)
            for part in range(len(move.parts)):
                after = self.after(move, part)
                new: Mapping[str, Expr] = {name: Name(track) for name, track in after.items()}
                lower = read(compare("<", substitute(measure, new), measure))
                bad = ~(self.space.renamed(after) & lower)
                found.append(both([self.positions, self.made(move), bad], self.reader.work))
        return found

    def _meaningless(self, move: Move) -> list[Dfa]:
        """Where a range, the guard or a new value has none although the choices before it can be made."""
        found = []
        steps = [choice.ends for choice in move.choices]
        last = [move.when, *(value for values in move.parts for value in values)]
        for number, exprs in enumerate([*steps, last[:1], last[1:]]):
            meanings = [meaning for expr in exprs if (meaning := self.reader.defined(expr)) is not None]
            if not meanings:
                continue
            earlier = [self.reader.true(choice.inside) for choice in move.choices[:number]]
            if number > len(move.choices):
                earlier.append(self.reader.true(move.when))
            without = ~both(meanings, self.reader.work)
            found.append(both([self.positions, *earlier, without], self.reader.work))
        return found
