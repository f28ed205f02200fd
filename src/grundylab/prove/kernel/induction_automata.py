"""Inductions on a game's measure by automata: the relations of its moves, the induction's parts, and their decision.

One automaton accepts the positions of a game, and one for each move accepts the pairs of a position and an option. For
each part of the induction, automata accept the positions where it fails; it holds if they accept none. The hypothesis
itself is not trusted. If all parts hold, then by its formulas no option of a position has the position's value,
and each smaller value is the value of an option; so by induction on the measure the formulas give the true values
(Siegel, Combinatorial Game Theory, Section IV.1).

Where a docstring here says that positions, pairs or parameter values are returned, it means the automaton that accepts
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from grundylab.automata.dfa import AutomataBudget, Dfa, intersection, projection, union
from grundylab.automata.systems import System
from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, Move, Ruleset
from grundylab.games.specialise import expand_choices, fixed_values, specialise
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr, Int, Kind, Name, chain, compare, conjunction
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.reader import AutomataReader
from grundylab.prove.core.space import (
    check_provable,
    game_numeration,
    position_space,
    signed_choices,
)
from grundylab.prove.kernel.question import Hypothesis, Question, level_of
from grundylab.statement.conditions import split_condition

CELLS = 1_200_000_000  # the most cells of transition tables for one question, by default
NATURAL = "no coordinate begins below 0"
STAYS = "every move leads into the position space and lowers the measure"
CLOSED = "no move from a position whose value the hypothesis gives leads out of the region"
EXACT = "the hypothesis is what the options make it"
FOLLOWS = "the claim is what the hypothesis says"
INDUCTION = (NATURAL, STAYS, CLOSED, EXACT, FOLLOWS)
PLAYABLE = (NATURAL, STAYS)  # these two parts: the rules make a game
SAID = (NATURAL, FOLLOWS)  # these two parts suffice for a condition claimed of every position

# tracks of Grundy values, and of the measure; no name of a ruleset begins with "="
_VALUE, _OTHER = "=g", "=h"
_SIZE = "=m"


class GameAutomata:
    """The automata of a game that depend on no formula about it.

    An automaton reads several numbers at once, each on a track with a name: that of a coordinate or parameter, or
    NAME'k for the new value of coordinate NAME in part k of a move.
    """

    def __init__(self, ruleset: Ruleset, reader: AutomataReader) -> None:
        self.ruleset = expand_choices(ruleset)
        self.reader = reader
        self._relations: dict[int, Dfa] = {}

    @cached_property
    def domain(self) -> Dfa:
        """The combinations of parameter values in the game's domain."""
        return self.reader.true(self.ruleset.domain)

    @cached_property
    def space(self) -> Dfa:
        """The positions, whatever the bounds are; the parameters need not be in their domain."""
        return intersection(
            [*self._low_ends, self.reader.true(position_space(self.ruleset))], self.reader.work
        )

    @property
    def _low_ends(self) -> list[Dfa]:
        """The condition, for each coordinate, that it is at least its low end; position_space omits low ends of 0."""
        return [self.reader.true(compare("<=", c.range.low, Name(c.name))) for c in self.ruleset.coordinates]

    @cached_property
    def positions(self) -> Dfa:
        """The positions together with parameter values in the domain."""
        return self.space & self.domain

    def after(self, move: Move, part: int) -> dict[str, str]:
        """Return the track of the new value, for each coordinate that the move changes in this part of its option."""
        return {name: f"{name}'{part}" for name in move.changes(self.ruleset.coordinate_names, part)}

    def made(self, move: Move) -> Dfa:
        """Return the pairs of position and option of a move, the option on the tracks of new values."""
        number = self.ruleset.moves.index(move)
        if number not in self._relations:
            choices = [choice.name for choice in move.choices]
            self._relations[number] = projection(choices, self._steps(move), self.reader.work)
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
        """The positions that have a move other than a pass."""
        moves = [move for move in self.ruleset.moves if not move.a_pass]
        return union((self.leading(move, []) for move in moves), self.reader.work)

    def leading(self, move: Move, targets: Sequence[Dfa], hidden: Sequence[str] = ()) -> Dfa:
        """Return the positions from which the move leads to an option that is in all targets.

        targets: automata on the tracks of new values. hidden: further tracks to remove from the result.
        """
        tracks = [track for part in range(len(move.parts)) for track in self.after(move, part).values()]
        return projection([*tracks, *hidden], [self.made(move), *targets], self.reader.work)

    def option_in(self, wanted: Dfa) -> Dfa:
        """Return the positions with an option in ``wanted``, for a game whose moves lead to single positions."""
        each = (self.leading(move, [wanted.renamed(self.after(move, 0))]) for move in self.ruleset.moves)
        return union(each, self.reader.work)

    def below_zero(self) -> list[Dfa]:
        """Return, for each coordinate, places where its range begins below 0, but earlier coordinates are in theirs.

        The ruleset's condition on positions is left out here, which can only add failures.
        """
        found, before = list[Dfa](), [self.domain]
        for coordinate in self.ruleset.coordinates:
            natural = self.reader.true(compare(">=", coordinate.range.low, Int(0)))
            found.append(intersection([*before, ~natural], self.reader.work))
            before.append(self.reader.true(coordinate.within(self.ruleset.bounds)))
        return found

    # -- what a game must be for an induction on its measure ---------------------------------------------------

    @cached_property
    def faults(self) -> list[Dfa]:
        """The positions where the rules make no game, for one of these reasons.

        The measure is negative or has no value; the condition of the position space has no value; a part of a move has
        no value; a move leaves the position space, or does not lower the measure.
        """
        measure, read = self.ruleset.measure, self.reader.true
        natural = read(compare(">=", measure, Int(0)))
        found = [self.positions & ~natural]
        meaning = self.reader.defined(position_space(self.ruleset))
        if meaning is not None:
            found.append(intersection([*self._low_ends, self.domain, ~meaning], self.reader.work))
        for move in self.ruleset.moves:
            found += self._meaningless(move)
            for part in range(len(move.parts)):
                after = self.after(move, part)
                new: Mapping[str, Expr] = {name: Name(track) for name, track in after.items()}
                lower = read(compare("<", substitute(measure, new), measure))
                bad = ~(self.space.renamed(after) & lower)
                found.append(intersection([self.positions, self.made(move), bad], self.reader.work))
        return found

    def _meaningless(self, move: Move) -> list[Dfa]:
        """Return the positions where a part of the move is evaluated but has no value.

        The parts are, in order, the ranges of the choices, the condition ``when``, and the new values. A part is
        evaluated only where all earlier choices are in their ranges, and the new values only where ``when`` is true.
        """
        found = []
        steps = [choice.ends for choice in move.choices]
        last = [move.when, *(value for values in move.parts for value in values)]
        for number, exprs in enumerate([*steps, last[:1], last[1:]]):
            looks = [self.reader.defined(expr) for expr in exprs]
            if number > len(steps):  # a new value that no track can hold would be missing in ``made``
                looks += [self.reader.held(expr) for expr in exprs]
            meanings = [meaning for meaning in looks if meaning is not None]
            if not meanings:
                continue
            earlier = [self.reader.true(choice.inside) for choice in move.choices[:number]]
            if number > len(move.choices):
                earlier.append(self.reader.true(move.when))
            without = ~intersection(meanings, self.reader.work)
            found.append(intersection([self.positions, *earlier, without], self.reader.work))
        return found


class Parts:
    """The parts of one induction, such as ``CLOSED`` or ``EXACT``. assumed: the parameter values that it is about."""

    def __init__(self, game: GameAutomata, question: Question, assumed: Dfa) -> None:
        self._game, self._question, self._assumed = game, question, assumed
        self._ruleset, self._reader = game.ruleset, game.reader
        self._work = game.reader.work
        self._region = self._reader.true(question.hypothesis.region)
        self._here = intersection([game.positions, assumed, self._region], self._work)

    def failing(self, part: str) -> Iterator[Dfa]:
        """Yield automata that together accept exactly the positions and parameters where the part fails."""
        yield from {
            NATURAL: self._game.below_zero,
            STAYS: lambda: self._game.faults,
            CLOSED: self._leaving,
            EXACT: self._inexact,
            FOLLOWS: self._unclaimed,
        }[part]()

    def _leaving(self) -> Iterator[Dfa]:
        """Yield the positions from which a move leads out of the region.

        If the hypothesis gives level sets, only positions in one of them are yielded. A position in no level may have
        options outside the region: ``_wrong_levels`` only asks that it has certain options inside.
        """
        here = self._here
        if self._question.hypothesis.levels:
            here = here & union(map(self._reader.true, self._question.hypothesis.levels), self._work)
        for move in self._ruleset.moves if self._question.hypothesis.region != TRUE else ():
            for part in range(len(move.parts)):
                outside = ~self._region.renamed(self._game.after(move, part))
                yield intersection([here, self._game.made(move), outside], self._work)

    def _inexact(self) -> Iterator[Dfa]:
        """Yield the positions whose value by the hypothesis is not the one that their options determine."""
        if self._question.hypothesis.grundy is not None:
            yield from self._wrong_number(self._question.hypothesis.grundy)
        else:
            yield from self._wrong_levels()

    # -- levels -----------------------------------------------------------------------------------------------

    def _wrong_levels(self) -> Iterator[Dfa]:
        # a formula is restricted to positions: elsewhere its truth does not matter, and only makes automata larger
        known = intersection([self._game.positions, self._region], self._work)
        levels = [self._reader.true(level) & known for level in self._question.hypothesis.levels]
        below: list[Dfa] = []
        if self._ruleset.play == "misere":  # who cannot move wins
            below.append(self._game.movable)
        for level in levels:
            option = self._game.option_in(level)
            right = intersection([self._here, ~option, *below], self._work)
            yield right ^ (self._here & level)
            if self._ruleset.play == "normal":
                below.append(option)

    # -- Grundy numbers ---------------------------------------------------------------------------------------

    def _value(self, number: Expr) -> Dfa:
        """Return the pairs of a position and the formula's value there, if it is natural, on the track of values."""
        natural = self._reader.true(compare(">=", Name(_VALUE), Int(0)))
        is_value = self._reader.true(compare("==", Name(_VALUE), number))
        return intersection([is_value, natural, self._game.positions], self._work)

    def _wrong_number(self, number: Expr) -> Iterator[Dfa]:
        value = self._value(number)
        option = union((self._option_value(move, value) for move in self._ruleset.moves), self._work)
        yield self._here & ~value.without(_VALUE)  # the formula has no natural value
        yield intersection([self._here, value, option], self._work)
        smaller = self._reader.true(
            conjunction(compare("<=", Int(0), Name(_VALUE)), compare("<", Name(_VALUE), Name(_OTHER)))
        )
        yield intersection([self._here, value.renamed({_VALUE: _OTHER}), smaller, ~option], self._work)

    def _option_value(self, move: Move, value: Dfa) -> Dfa:
        """Return the pairs of a position and, on the track of values, the Grundy value of an option by the move.

        value: the pairs of a position and its Grundy value. The value of a sum of positions is the parts' nim-sum.
        """
        if len(move.parts) == 1:
            return self._game.leading(move, [value.renamed(self._game.after(move, 0))])
        names = [f"{_VALUE}{part}" for part in range(len(move.parts))]
        values = [
            value.renamed({**self._game.after(move, part), _VALUE: name}) for part, name in enumerate(names)
        ]
        same = self._reader.true(compare("==", Name(_VALUE), chain("^", map(Name, names))))
        return self._game.leading(move, [*values, same], names)

    # -- the statement ----------------------------------------------------------------------------------------

    def _unclaimed(self) -> Iterator[Dfa]:
        """Yield the positions of the statement where its claim does not follow from the hypothesis."""
        question, reader = self._question, self._reader
        claimed = intersection([self._game.positions, self._assumed, reader.true(question.where)], self._work)
        if question.target == ALWAYS:
            yield claimed & ~reader.true(question.formula)
            return
        meaning = reader.defined(question.formula)
        right = [self._region, self._same(question), *([] if meaning is None else [meaning])]
        yield claimed & ~intersection(right, self._work)

    def _same(self, question: Question) -> Dfa:
        """Return the positions where the statement's formula and the hypothesis agree about the target."""
        known = question.hypothesis.grundy
        if question.formula.kind is Kind.NUMBER:
            assert known is not None
            return projection([_VALUE], [self._value(question.formula), self._value(known)], self._work)
        if known is not None:
            said: Expr = compare("==", known, Int(level_of(question.target)))
        else:
            said = question.hypothesis.levels[-1]
        return ~(self._reader.true(question.formula) ^ self._reader.true(said))


class Games:
    """A store of the automata of games, so that several inductions on one game compute them once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, System], GameAutomata] = {}

    def of(self, ruleset: Ruleset, asked: Iterable[Expr] = ()) -> GameAutomata:
        """Return the automata of the game, in the numeration system that its rules and the expressions ``asked`` need.

        Raises OutsideFragment if a choice may be negative and the system is not binary, as it has natural numbers only.
        """
        system = game_numeration(ruleset, asked)
        key = ruleset.hash, system
        if key not in self._known:
            if not system.binary and (signed := signed_choices(ruleset.moves)):
                raise OutsideFragment(
                    f"the choice {min(signed)} may be negative, and numbers in {system.words} have no sign"
                )
            natural = frozenset((*ruleset.coordinate_names, *ruleset.parameter_names))
            self._known[key] = GameAutomata(
                ruleset, AutomataReader(ruleset.functions, AutomataBudget(system=system), natural)
            )
        return self._known[key]


class Decider:
    """Decisions about one induction. cells: the largest number of transition-table cells that one decision may use.

    Each method raises TooLarge if it would need more cells, OutsideFragment for a subterm that automata cannot express.
    """

    def __init__(self, game: GameAutomata, question: Question, cells: int) -> None:
        self._game, self._question, self._cells = game, question, cells
        self._work, self._read = game.reader.work, game.reader.true
        self._failing: dict[tuple[str, Expr], Dfa] = {}

    def example(
        self, parts: Sequence[str], assuming: Expr = TRUE, cells: int | None = None
    ) -> dict[str, int] | None:
        """Return a position and parameters where at least one of the parts fails; None if they hold everywhere.

        assuming: a condition that the parameters fulfil. cells: a smaller limit for this one decision.
        """
        self._work.give(min(cells or self._cells, self._cells))
        found = self._fails(parts, assuming).example()
        names = self._game.ruleset.formula_names
        return None if found is None else {name: found.get(name, 0) for name in names}

    def first(self, part: str, assuming: Expr = TRUE) -> dict[str, int] | None:
        """Return the first position where the part fails; None if it fails nowhere.

        Positions are ordered by measure, then lexicographically by coordinates, then by parameters.
        """
        self._work.give(self._cells)
        ruleset, size = self._game.ruleset, Name(_SIZE)
        measured = self._read(compare("==", size, ruleset.measure))
        among = intersection([self._fails((part,), assuming), self._game.positions, measured], self._work)
        values = dict[str, int]()
        for name in (_SIZE, *ruleset.formula_names):
            values[name] = self._least(name, among)
            among = among & self._read(compare("==", Name(name), Int(values[name])))
        return None if among.is_empty else {name: values[name] for name in ruleset.formula_names}

    def _least(self, name: str, among: Dfa) -> int:
        """Return the least number that ``among`` accepts on a track of natural numbers; 0 if it accepts nothing."""
        numbers = projection(set(among.tracks) - {name}, [among], self._work)
        low, high = 0, (numbers.example() or {}).get(name, 0)
        while low < high:
            middle = (low + high) // 2
            smaller = (numbers & self._read(compare("<=", Name(name), Int(middle)))).example()
            low, high = (middle + 1, high) if smaller is None else (low, smaller.get(name, 0))
        return high

    def good_for(self, parts: Sequence[str], assuming: Expr = TRUE) -> Dfa:
        """Return the parameter values for which all parts hold; values outside the domain are among them."""
        self._work.give(self._cells)
        failing = self._fails(parts, assuming)
        hidden = set(failing.tracks) - set(self._game.ruleset.parameter_names)
        return ~projection(hidden, [failing], self._work)

    def good_exactly(self, parts: Sequence[str], condition: Expr, assuming: Expr = TRUE) -> bool:
        """Tell whether the parameters for which all parts hold are, under ``assuming``, those with ``condition``."""
        good = self.good_for(parts, assuming)
        among = intersection([self._game.domain, self._read(assuming)], self._work)
        return (among & (good ^ self._read(condition))).is_empty

    def holds(self, part: str, assuming: Expr, condition: Expr) -> bool:
        """Tell whether the part holds for all parameters that fulfil ``assuming`` and ``condition``."""
        self._work.give(self._cells)
        fails = self._fails([part], assuming)
        return (fails if condition == TRUE else fails & self._read(condition)).is_empty

    def _fails(self, parts: Sequence[str], assuming: Expr) -> Dfa:
        """Return the positions and parameters where at least one of the parts fails."""
        return union((self._fails_in(part, assuming) for part in parts), self._work)

    def _fails_in(self, part: str, assuming: Expr) -> Dfa:
        if (part, assuming) not in self._failing:
            assumed = self._read(assuming)
            found = Parts(self._game, self._question, assumed).failing(part)
            self._failing[part, assuming] = union((where & assumed for where in found), self._work)
        return self._failing[part, assuming]


def true_everywhere(game: Ruleset, condition: Expr, where: Expr, cells: int) -> bool | None:
    """Tell whether the condition is true at every position and for all parameters that fulfil ``where``.

    A condition without a value counts as not true. None if automata cannot decide it: the condition is outside their
    logic, or more than ``cells`` cells would be needed.
    """
    fixed = fixed_values(where, game.parameter_names)
    try:
        # a game without moves: the question is about single positions
        still = specialise(replace(game, moves=(), claims=()), fixed)
        check_provable(still)
        assuming, about = split_condition(substitute(where, fixed), still)
        nothing = Hypothesis(TRUE, None, ())
        question = Question(substitute(condition, fixed), ALWAYS, about, nothing, TRUE)
        automata = Games().of(still, (question.formula, about, assuming))
        return Decider(automata, question, cells).example(SAID, assuming) is None
    except GrundylabError:  # not decided, or a fixed parameter is outside its domain
        return None
