"""The sentence that an induction on the measure has to prove, made from a ruleset and a hypothesis alone.

The hypothesis is about level sets (level u has the positions of Grundy number u; level 0 has the P-positions) or about
Grundy numbers, in a region. For level sets the sentence says of all positions of the region: a position is in level u
exactly if none of its options in the region is in level u, and each smaller level has one of these options. For Grundy
numbers it says: no option has the position's value, and each smaller value is the value of an option. An option may
be a sum of several positions, its parts.

The sentence also says that every move stays in the position space and lowers the measure, which is never negative; and
that no move leads out of the region. Moves from positions in no level of the hypothesis may do so: options within the
region already show that these are in none. By induction on the measure, the hypothesis is then true in its whole region
(Siegel, *Combinatorial Game Theory*, Section IV.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from grundylab.games.model import ALWAYS, Move, Ruleset
from grundylab.games.specialise import expand_choices
from grundylab.language.names import OTHER, VALUE, moved_coordinate_name, part_value_name
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr, Int, Name, chain, compare, conjunction
from grundylab.logic import sentence as logic
from grundylab.logic.lowering import Lowering
from grundylab.logic.sentence import (
    Definition,
    DefinitionUse,
    Sentence,
    Variable,
    all_of,
    any_of,
    equivalence,
    exists,
    for_all,
    implies,
    negation,
)
from grundylab.prove.core.space import (
    SUMS,
    NotProvable,
    check_provable,
    game_numeration,
    plainly_natural,
    position_space,
    signed_choices,
)
from grundylab.prove.kernel.question import Question, level_of
from grundylab.statement.conditions import split_condition

ObligationPart = Mapping[str, str]  # coordinates that change in a part of an option, to their new names
_HERE: ObligationPart = {}


class Obligations:
    """The definitions and the parts of one induction, each a sentence about a position and parameters.

    parts: the parts by name, without those that are trivially true. Raises OutsideFragment if the logic cannot express
    the induction, NotProvable if the game is of a kind that inductions do not cover.
    """

    def __init__(self, ruleset: Ruleset, question: Question) -> None:
        self._ruleset, self._question = expand_choices(ruleset), question
        assumed, about = split_condition(question.where, ruleset)
        if ruleset.splits and question.hypothesis.grundy is None and question.target != ALWAYS:
            raise NotProvable(SUMS)
        check_provable(ruleset)
        self.system = game_numeration(ruleset, (question.formula, question.where))
        self._lowering = Lowering(ruleset.functions, signed_choices(ruleset.moves), self.system)
        self.coordinates = self._variables(ruleset.coordinate_names)
        self.parameters = self._variables(ruleset.parameter_names)
        domain = conjunction(ruleset.domain, assumed)
        self._domain = self._define("domain", "the parameters", domain, self.parameters)
        self._define_all(about)
        parts = {"natural": self._natural(), "follows": self._follows()}
        if question.target != ALWAYS:
            parts |= {"stays": self._stays(), "closed": self._closed(), "exact": self._exact()}
        self.parts = {name: part for name, part in parts.items() if part != logic.TRUE}

    def sentence(self, goal: Sentence | None = None) -> Sentence:
        """Return the sentence that the goal holds at all positions, for the question's parameters.

        goal: by default the conjunction of all parts.
        """
        question = self._question
        goal = for_all(self.coordinates, all_of(*self.parts.values()) if goal is None else goal)
        condition = self._lowering.condition(question.condition)
        goal = equivalence(goal, condition) if question.exactly else implies(condition, goal)
        # Walnut allows no definition without parameters
        domain = DefinitionUse(self._domain, self.parameters) if self.parameters else self._domain.sentence
        return for_all(self.parameters, implies(domain, goal))

    # -- definitions ----------------------------------------------------------------------------------------

    def _variables(self, names: Sequence[str]) -> tuple[Variable, ...]:
        return tuple(map(self._lowering.variable, names))

    def _define(
        self, name: str, says: str, meaning: Expr | Sentence, parameters: Sequence[Variable] | None = None
    ) -> Definition:
        """Return the definition of ``meaning`` under this name; ``says`` is its comment.

        A condition counts as false where it has no value. parameters: the variables that the definition takes, by
        default the coordinates and the ruleset's parameters.
        """
        if isinstance(meaning, Expr):
            says = f"{says}: {meaning}"
            meaning = all_of(self._lowering.defined(meaning), self._lowering.condition(meaning))
        everything = (*self.coordinates, *self.parameters)
        return Definition(name, tuple(everything if parameters is None else parameters), meaning, says)

    def _value(self, name: str, says: str, number: Expr) -> Definition:
        """Return the definition that the variable VALUE equals the expression, which is a Grundy number."""
        parameters = (*self.coordinates, *self.parameters, Variable(VALUE))
        return self._define(name, f"{says}: {number}", self._lowering.equals(VALUE, number), parameters)

    def _define_all(self, about: Expr) -> None:
        question, hypothesis = self._question, self._question.hypothesis
        self._space = self._define("space", "the position space", position_space(self._ruleset))
        self._region = self._define("region", "what the hypothesis is about", hypothesis.region)
        self._levels = [
            self._define(f"level{number}", f"hypothesis: Grundy number {number}", level)
            for number, level in enumerate(hypothesis.levels)
        ]
        self._movable = self._define(
            "movable", "there is a move", self._some_option(lambda _: logic.TRUE, passes=False)
        )
        self._in_level = [
            self._define(f"option{number}", "some move leads there", self._some_option(partial(self._first, level)))
            for number, level in enumerate(self._levels)
        ]  # fmt: skip
        if hypothesis.grundy is not None:
            self._known = self._value("value", "hypothesis: the Grundy number", hypothesis.grundy)
            reached = self._some_option(self._sum_is_value)
            parameters = (*self.coordinates, *self.parameters, Variable(VALUE))
            self._reached = self._define("optionof", "some option has the value", reached, parameters)
        self._about = self._define("claimed", "what is claimed about", about)
        if question.target.name == "grundy":
            self._claim = self._value("claim", "claim: the Grundy number", question.formula)
        else:
            self._claim = self._define("claim", "claim", question.formula)

    def _is(self, definition: Definition, at: ObligationPart = _HERE, *values: str) -> Sentence:
        """Return the sentence that the definition is true of the position, or of a part of an option.

        at: the new names of the coordinates that change in the part. values: variables for further parameters.
        """
        moved = tuple(Variable(at.get(variable.name, variable.name)) for variable in self.coordinates)
        return DefinitionUse(definition, (*moved, *self.parameters, *map(Variable, values)))

    def _first(self, definition: Definition, parts: Sequence[ObligationPart]) -> Sentence:
        if self._question.hypothesis.region == TRUE:
            return self._is(definition, parts[0])
        return all_of(self._is(self._region, parts[0]), self._is(definition, parts[0]))

    def _sum_is_value(self, parts: Sequence[ObligationPart]) -> Sentence:
        """Return the sentence that the nim-sum of the parts' Grundy numbers is VALUE."""
        if len(parts) == 1:
            return self._is(self._known, parts[0], VALUE)
        values = [part_value_name(number) for number in range(len(parts))]
        nim_sum = chain("^", map(Name, values))
        are = (self._is(self._known, part, value) for part, value in zip(parts, values, strict=True))
        return exists(map(Variable, values), all_of(*are, self._lowering.equals(VALUE, nim_sum)))

    # -- moves ----------------------------------------------------------------------------------------------

    def _some_option(
        self, truth: Callable[[Sequence[ObligationPart]], Sentence], passes: bool = True
    ) -> Sentence:
        """Return the sentence that some option's parts fulfil ``truth``. passes: False to ignore moves that pass."""
        moves = [move for move in self._ruleset.moves if passes or not move.a_pass]
        return any_of(*(self._moving(move, truth) for move in moves))

    def _moving(self, move: Move, truth: Callable[[Sequence[ObligationPart]], Sentence]) -> Sentence:
        """Return the sentence that the move, for some choices, is possible and leads to parts that fulfil ``truth``."""
        parts, equations = list[ObligationPart](), list[Sentence]()
        for number in range(len(move.parts)):
            part, said = self._after(move, number)
            parts.append(part)
            equations += said
        new = (Variable(name) for part in parts for name in part.values())
        return self._choosing(move, exists(new, all_of(*equations, truth(parts))))

    def _after(self, move: Move, number: int) -> tuple[ObligationPart, list[Sentence]]:
        """Return the new names of coordinates that change in a part of the option, and equations for their values."""
        changed = move.changes(self._ruleset.coordinate_names, number)
        said = [
            self._lowering.equals(moved_coordinate_name(name, number), value)
            for name, value in changed.items()
        ]
        return {name: moved_coordinate_name(name, number) for name in changed}, said

    def _choosing(self, move: Move, inner: Sentence) -> Sentence:
        """Return the sentence that ``inner`` holds for some choices that the move's ranges and guard allow."""
        inner = all_of(self._lowering.condition(move.when), inner)
        for choice in reversed(move.choices):
            inner = all_of(self._lowering.condition(choice.inside), inner)
            inner = exists((self._lowering.variable(choice.name),), inner)
        return all_of(self._is(self._movable), inner) if move.a_pass else inner

    # -- the parts ------------------------------------------------------------------------------------------

    def _throughout(self, inner: Sentence) -> Sentence:
        return implies(all_of(self._is(self._space), self._is(self._region)), inner)

    def _has(self, condition: Expr) -> Sentence:
        """Return the sentence that the condition has a value and is true."""
        return all_of(self._lowering.defined(condition), self._lowering.condition(condition))

    def _natural(self) -> Sentence:
        """Return the sentence that no coordinate begins below 0: claims on natural numbers then cover all positions.

        It says that each range begins at 0 or above if all earlier coordinates are within their ranges.
        """
        parts, before = list[Sentence](), list[Expr]()
        for coordinate in self._ruleset.coordinates:
            low = coordinate.range.low
            if not plainly_natural(low):
                inside = self._lowering.condition(conjunction(*before))
                parts.append(implies(inside, self._has(compare(">=", low, Int(0)))))
            before.append(coordinate.within(self._ruleset.bounds))
        return all_of(*parts)

    def _stays(self) -> Sentence:
        """Return the sentence that every move leads into the position space and lowers the measure.

        It also says that the measure is never negative, and that the expressions of space and moves have values.
        """
        ruleset = self._ruleset
        meaning = self._lowering.defined(position_space(ruleset))
        parts = [self._has(compare(">=", ruleset.measure, Int(0)))]
        for move in ruleset.moves:
            parts += self._has_meaning(move)
            parts.append(negation(self._choosing(move, negation(self._moving_well(move)))))
        return all_of(meaning, implies(self._is(self._space), all_of(*parts)))

    def _has_meaning(self, move: Move) -> Iterator[Sentence]:
        """Yield sentences that the move's ranges and guard have values, for all earlier choices within their ranges."""
        for number, choice in enumerate((*move.choices, None)):
            exprs = [choice.range.low, choice.range.high] if choice else [move.when]
            meaning = all_of(*map(self._lowering.defined, exprs))
            if meaning != logic.TRUE:
                earlier = Move(move.name, move.choices[:number], TRUE, move.parts)
                yield negation(self._choosing(earlier, negation(meaning)))

    def _moving_well(self, move: Move) -> Sentence:
        """Return the sentence that each part of the option is a position of smaller measure."""
        ruleset, found = self._ruleset, list[Sentence]()
        for number in range(len(move.parts)):
            part, equations = self._after(move, number)
            measure = substitute(ruleset.measure, {name: Name(new) for name, new in part.items()})
            smaller = self._lowering.condition(compare("<", measure, ruleset.measure))
            inner = all_of(*equations, self._is(self._space, part), smaller)
            found.append(exists(map(Variable, part.values()), inner))
        return all_of(*found)

    def _closed(self) -> Sentence:
        """Return the sentence that no move leads out of the region, except from a position that is in no level."""
        if self._question.hypothesis.region == TRUE:
            return logic.TRUE
        said = any_of(*map(self._is, self._levels)) if self._levels else logic.TRUE

        def outside(parts: Sequence[ObligationPart]) -> Sentence:
            return negation(all_of(*(self._is(self._region, part) for part in parts)))

        return self._throughout(implies(said, negation(self._some_option(outside))))

    def _exact(self) -> Sentence:
        """Return the sentence that the hypothesis gives each position the value that its options determine."""
        if self._question.hypothesis.grundy is not None:
            value, other = Variable(VALUE), Variable(OTHER)
            smaller = self._lowering.condition(compare("<", Name(VALUE), Name(OTHER)))
            every = for_all([value], implies(smaller, self._is(self._reached, _HERE, VALUE)))
            own, reached = self._is(self._known, _HERE, OTHER), self._is(self._reached, _HERE, OTHER)
            return self._throughout(exists([other], all_of(own, every, negation(reached))))
        parts = []
        for number, level in enumerate(self._levels):
            below = [self._is(lower) for lower in self._in_level[:number]]
            if self._ruleset.play == "misere":  # a player who cannot move wins
                below = [self._is(self._movable)]
            parts.append(
                equivalence(self._is(level), all_of(negation(self._is(self._in_level[number])), *below))
            )
        return self._throughout(all_of(*parts))

    def _follows(self) -> Sentence:
        """Return the sentence that the claim follows from the hypothesis."""
        target, hypothesis = self._question.target, self._question.hypothesis
        if target == ALWAYS:
            said = self._is(self._claim)
        elif target.name == "grundy":
            both = all_of(self._is(self._claim, _HERE, VALUE), self._is(self._known, _HERE, VALUE))
            said = exists([Variable(VALUE)], both)
        elif hypothesis.grundy is not None:
            level = self._lowering.equals(VALUE, Int(level_of(target)))
            is_level = exists([Variable(VALUE)], all_of(level, self._is(self._known, _HERE, VALUE)))
            said = equivalence(self._is(self._claim), is_level)
        else:
            said = equivalence(self._is(self._claim), self._is(self._levels[-1]))
        about = all_of(self._is(self._space), self._is(self._about))
        meaning = self._lowering.defined(self._question.formula)
        return implies(about, all_of(self._is(self._region), meaning, said))
