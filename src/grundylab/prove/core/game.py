"""A game as sentences of logic: its positions and moves, that it is well founded, and what determines its values.

Automata, MONA and Walnut read the same sentences. Every variable is a natural number, except a choice whose range may
begin below 0; the free variables of an ``Obligation`` stand for all their values. A move is a relation between a
position and an option, on new variables for the coordinates that change: so it is one definition, whatever is said of
the option.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from grundylab.games.model import Move, Ranged, Ruleset
from grundylab.games.specialise import expand_choices
from grundylab.language import names
from grundylab.language.functions import Function
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Expr,
    Int,
    Kind,
    Name,
    chain,
    compare,
    conjunction,
)
from grundylab.logic import sentence as logic
from grundylab.logic.sentence import (
    Definition,
    DefinitionUse,
    Sentence,
    Variable,
    all_of,
    any_of,
    atom,
    exists,
    implies,
    negation,
)
from grundylab.prove.core.definedness import Definedness, first_argument
from grundylab.prove.core.formulas import Formulas, Refused
from grundylab.prove.core.space import (
    SUMS,
    NotProvable,
    check_provable,
    plainly_natural,
    range_conditions,
    signed_choices,
)

# What an obligation is for. The first five are the parts of an induction. That the measure is natural, and that
# something has a value, belongs to one of them; a recurrence is no matter of a position.
NATURAL = "no coordinate begins below 0"
STAYS = "every move leads into the position space and lowers the measure"
CLOSED = "no move from a position whose value the hypothesis gives leads out of the region"
EXACT = "the hypothesis is what the options make it"
FOLLOWS = "the claim is what the hypothesis says"
MEASURE = "the measure is a natural number"
DESCENDS = "a recurrence rests on earlier values alone"
MEANING = "everything has a value where it is reached"

_ARGUMENT = "_argument"  # a recurrence's
Part = dict[str, str]  # the coordinates that change in a part of an option, to their new names
Says = Callable[[Sequence[Part]], Sentence]


@dataclass(frozen=True, eq=False)
class Obligation:
    """A sentence to be proved for all natural values of its variables and the parameters.

    part: the part of an induction that it belongs to. name: the side condition that it states, if it is not the part.
    """

    part: str
    variables: tuple[Variable, ...]
    sentence: Sentence
    name: str = ""


def rules_alone(game: Ruleset) -> Ruleset:
    """Return the game without names, titles, files and claims: two games with the same rules become equal."""
    moves = tuple(replace(move, name="") for move in game.moves)
    return Ruleset(
        "", "", game.coordinates, moves, game.measure, game.parameters, game.bounds, game.where, game.functions,
        game.play, free=game.free,
    )  # fmt: skip


def natural_variables(used: Sequence[str]) -> tuple[Variable, ...]:
    """Return variables for natural numbers, with these names."""
    return tuple(map(Variable, used))


class GameSentences:
    """The sentences about one game.

    Choices that may be negative are integers. Raises NotProvable for a game whose positions depend on the size of a
    table, and for one with a parameter that may be negative: everything here takes parameters for natural numbers.
    """

    def __init__(self, game: Ruleset) -> None:
        check_provable(game)
        self.game = expand_choices(game)
        self.coordinates = natural_variables(game.coordinate_names)
        self.parameters = natural_variables(game.parameter_names)
        self.signed = signed_choices(self.game.moves)
        self.definedness = Definedness(game.functions)
        ranges = range_conditions(game.coordinates, game.bounds)
        positions = conjunction(game.domain, *ranges, game.where)
        self._position = self.define("position", "a position, with parameters of the game", atom(positions))
        self._moves = [self._relation(number, move) for number, move in enumerate(self.game.moves)]
        others = (self._chosen(move) for move in self.game.moves if not move.a_pass)
        self._movable = self.define("movable", "some move is possible, besides a pass", any_of(*others))

    # -- positions and moves --------------------------------------------------------------------------------

    def define(self, name: str, says: str, meaning: Sentence, *more: str) -> Definition:
        """Return a definition about a position and the parameters. more: names of further variables."""
        return Definition(
            name, (*self.coordinates, *self.parameters, *natural_variables(more)), meaning, says
        )

    def given(self, assumed: Expr) -> Sentence:
        """Return the sentence that the parameters are in the game's domain and fulfil ``assumed``."""
        return all_of(atom(self.game.domain), atom(assumed))

    def at(self, definition: Definition, part: Part | None = None, *more: str) -> Sentence:
        """Return the sentence that the definition is true of the position, or of a part of an option."""
        place = tuple(Variable((part or {}).get(v.name, v.name)) for v in self.coordinates)
        return DefinitionUse(definition, (*place, *self.parameters, *natural_variables(more)))

    @property
    def here(self) -> Sentence:
        """The sentence that the coordinates are a position, and the parameters in the game's domain."""
        return self.at(self._position)

    @property
    def movable(self) -> Sentence:
        """The sentence that some move is possible."""
        return self.at(self._movable)

    def _parts(self, move: Move) -> list[Part]:
        """Return the parts of a move's option."""
        parts = list[Part]()
        for number in range(len(move.parts)):
            changes = move.changes(self.game.coordinate_names, number)
            parts.append({name: names.moved_coordinate_name(name, number) for name in changes})
        return parts

    def _chosen(self, move: Move, *beside: Sentence) -> Sentence:
        """Return the sentence that for some choices the guard is true, and ``beside``."""
        inside = (atom(choice.inside) for choice in move.choices)
        choices = (self._choice(choice) for choice in move.choices)
        return exists(choices, all_of(*inside, atom(move.when), *beside))

    def _choice(self, choice: Ranged) -> Variable:
        """Return the variable of a choice: a natural number, or an integer if its range may begin below 0."""
        return Variable(choice.name, choice.name in self.signed)

    def _relation(self, number: int, move: Move) -> Definition:
        """Return the definition that the move leads from the position to the option whose parts have the new names."""
        equal, parts = [], self._parts(move)
        for index, part in enumerate(parts):
            values = move.changes(self.game.coordinate_names, index)
            equal += [atom(compare("==", Name(part[name]), value)) for name, value in values.items()]
        new = [name for part in parts for name in part.values()]
        return self.define(
            f"move{number}", f"the move {move.name or number}", self._chosen(move, *equal), *new
        )

    def _moving(self, number: int) -> tuple[list[Part], tuple[Variable, ...], Sentence]:
        """Return the parts of a move's option, their variables, and the sentence that the move leads there."""
        move, parts = self.game.moves[number], self._parts(self.game.moves[number])
        new = [name for part in parts for name in part.values()]
        made = self.at(self._moves[number], None, *new)
        return parts, natural_variables(new), all_of(self.movable, made) if move.a_pass else made

    def some_option(self, says: Says) -> Sentence:
        """Return the sentence that some move leads to an option whose parts fulfil ``says``."""
        moves = map(self._moving, range(len(self._moves)))
        return any_of(*(exists(new, all_of(made, says(parts))) for parts, new, made in moves))

    def each_option(self, assumed: Sentence, says: Says, name: str) -> Iterator[Obligation]:
        """Yield that from each position with ``assumed`` every option fulfils ``says``."""
        for number in range(len(self._moves)):
            parts, new, made = self._moving(number)
            said = implies(all_of(assumed, made), says(parts))
            yield Obligation(name, (*self.coordinates, *new), said)

    # -- well-foundedness -----------------------------------------------------------------------------------

    def well_founded(self, assumed: Expr) -> Iterator[Obligation]:
        """Yield what makes the rules a game: every move leads to positions, and lowers a natural number.

        assumed: a condition on the parameters.
        """
        measure = self.game.measure
        yield from self.recurrences(self.game.expressions)
        yield from self.natural_coordinates(assumed)
        here, not_below = all_of(self.given(assumed), self.here), atom(compare(">=", measure, Int(0)))
        yield Obligation(STAYS, self.coordinates, implies(here, not_below), MEASURE)
        for move in self.game.moves:
            # No coordinate of an option is negative: so the move's relation, about natural numbers, has all options.
            variables = (*self.coordinates, *map(self._choice, move.choices))
            inside = (atom(choice.inside) for choice in move.choices)
            given = all_of(here, *inside, atom(move.when), self.movable if move.a_pass else logic.TRUE)
            values = [
                value for part in move.parts for value in part if not plainly_natural(value, self.signed)
            ]
            natural = conjunction(*(compare(">=", value, Int(0)) for value in values))
            yield Obligation(STAYS, variables, implies(given, atom(natural)))
        for move in self.game.moves:
            if move.when == FALSE:  # which would leave no question about the choices
                ranges = self.definedness.in_order(*(choice.inside for choice in move.choices))
                variables = (*self.coordinates, *map(self._choice, move.choices))
                yield Obligation(STAYS, variables, implies(here, atom(ranges)), MEANING)

        def lower(parts: Sequence[Part]) -> Sentence:
            options = ({name: Name(new) for name, new in part.items()} for part in parts)
            less = (atom(compare("<", substitute(measure, values), measure)) for values in options)
            return all_of(*(self.at(self._position, part) for part in parts), *less)

        yield from self.each_option(here, lower, STAYS)

    def natural_coordinates(self, assumed: Expr) -> Iterator[Obligation]:
        """Yield that no coordinate begins below 0. assumed: a condition on the parameters.

        So a claim about natural numbers is a claim about all positions.
        """
        given, variables = self.given(assumed), tuple[Variable, ...]()
        for coordinate in self.game.coordinates:
            if not plainly_natural(coordinate.range.low):
                natural = atom(compare(">=", coordinate.range.low, Int(0)))
                yield Obligation(NATURAL, variables, implies(given, natural))
            given = all_of(given, atom(coordinate.within(self.game.bounds)))
            variables = (*variables, Variable(coordinate.name))

    # -- what determines the values -------------------------------------------------------------------------

    def local(self, formulas: Formulas, assumed: Expr) -> Iterator[Obligation]:
        """Yield what makes the formulas a solution: at each position of the region they agree with the options.

        assumed: a condition on the parameters. By induction on the measure of a well-founded game, the formulas then
        give the values in the region. If that is the whole space, the converse is true: where an obligation fails at a
        position of least measure, the formula is wrong there.
        """
        yield from self.recurrences((formulas.region, *formulas.values))
        region = self.define(
            "region", "what the formulas are about", all_of(self.here, atom(formulas.region))
        )
        inside: Says = lambda parts: all_of(*(self.at(region, part) for part in parts))  # noqa: E731 - a sentence
        assumption = all_of(self.given(assumed), self.here, self.at(region))
        if formulas.grundy is not None:
            yield from self._local_number(formulas, region, assumption, inside)
        elif any(len(move.parts) != 1 for move in self.game.moves):
            raise NotProvable(SUMS)
        else:
            yield from self._local_levels(formulas, region, assumption, inside)

    def _local_number(
        self, formulas: Formulas, region: Definition, assumption: Sentence, inside: Says
    ) -> Iterator[Obligation]:
        if self.game.play != "normal":
            raise Refused("under misère play there are no Grundy numbers")
        assert formulas.grundy is not None
        value, other = names.VALUE, names.OTHER
        said = all_of(self.at(region), atom(compare("==", Name(value), formulas.grundy)))
        is_value = self.define("value", "the value by the formula", said, value)

        def sums_to_value(parts: Sequence[Part]) -> Sentence:
            if len(parts) == 1:
                return self.at(is_value, parts[0], value)
            of_parts = [names.part_value_name(number) for number in range(len(parts))]
            total = chain("^", map(Name, of_parts)) if parts else Int(0)
            values = (self.at(is_value, part, name) for part, name in zip(parts, of_parts, strict=True))
            same = atom(compare("==", Name(value), total))
            return exists(natural_variables(of_parts), all_of(*values, same))

        reached = self.define("reached", "some option has the value", self.some_option(sums_to_value), value)
        if formulas.region != TRUE:
            yield from self.each_option(assumption, inside, CLOSED)
        natural = atom(compare(">=", formulas.grundy, Int(0)))
        yield Obligation(EXACT, self.coordinates, implies(assumption, natural))
        here, smaller = self.at(is_value, None, value), atom(compare("<", Name(other), Name(value)))
        different = implies(all_of(assumption, here), negation(self.at(reached, None, value)))
        yield Obligation(EXACT, (*self.coordinates, Variable(value)), different)
        lower = implies(all_of(assumption, here, smaller), self.at(reached, None, other))
        yield Obligation(EXACT, (*self.coordinates, Variable(value), Variable(other)), lower)

    def _local_levels(
        self, formulas: Formulas, region: Definition, assumption: Sentence, inside: Says
    ) -> Iterator[Obligation]:
        """Yield both directions for each level: an option that is excluded, or found, must be in the region."""
        if self.game.play != "normal" and len(formulas.levels) != 1:
            raise Refused("under misère play a solution is the set of the P-positions alone")
        levels = [
            self.define(f"level{number}", f"the value is {number}", all_of(self.at(region), atom(level)))
            for number, level in enumerate(formulas.levels)
        ]
        reached = [self._option_in(f"option{number}", level) for number, level in enumerate(levels)]
        outside = (
            self.some_option(lambda parts: negation(inside(parts)))
            if formulas.region != TRUE
            else logic.FALSE
        )
        leaving = self.define("leaving", "some option is outside the region", outside)
        stays = negation(self.at(leaving)) if outside != logic.FALSE else logic.TRUE
        for number, level in enumerate(levels):
            here, option = self.at(level), self.at(reached[number])
            below = [self.at(definition) for definition in reached[:number]]
            if self.game.play == "normal":
                no_lower = [all_of(stays, negation(sentence)) for sentence in below]
            else:  # who cannot move wins
                below, no_lower = [self.movable], [negation(self.movable)]
            said = implies(all_of(assumption, here), stays)
            if said != logic.TRUE:
                yield Obligation(CLOSED, self.coordinates, said)
            said = implies(all_of(assumption, here), all_of(*below, negation(option)))
            yield Obligation(EXACT, self.coordinates, said)
            said = implies(all_of(assumption, negation(here)), any_of(option, *no_lower))
            yield Obligation(EXACT, self.coordinates, said)

    def _option_in(self, name: str, level: Definition) -> Definition:
        return self.define(
            name, "some option is there", self.some_option(lambda parts: self.at(level, parts[0]))
        )

    # -- statements -----------------------------------------------------------------------------------------

    def claimed(self, formula: Expr, where: Expr, assumed: Expr, said: Sentence) -> Iterator[Obligation]:
        """Yield that ``said`` is true wherever the claim's condition is, and that the claim has a value.

        The condition must have one at all positions. formula, where: the claim's. assumed: the part of the condition
        that is about parameters alone.
        """
        meant, here = self.definedness.of, all_of(self.given(assumed), self.here)
        about = all_of(here, atom(where))
        yield from self.recurrences((formula, where))
        yield Obligation(FOLLOWS, self.coordinates, self.definedness.of_sentence(here), MEANING)
        yield Obligation(FOLLOWS, self.coordinates, implies(self.here, atom(meant(where))), MEANING)
        yield Obligation(FOLLOWS, self.coordinates, implies(about, atom(meant(formula))), MEANING)
        yield Obligation(FOLLOWS, self.coordinates, implies(about, said))

    def recurrences(self, said: Iterable[Expr]) -> Iterator[Obligation]:
        """Yield that each recurrence that the expressions call has a value at every argument from its first one on."""
        for function in self.game.functions.called_by(*said):
            if not isinstance(function, Function) or not function.recurrence:
                continue
            if first_argument(function) < 0:
                raise Refused(f"{names.with_plain_names(function.name)}() begins at 0 or above")
            descends = self.definedness.recurrence(function)
            descends = substitute(descends, {function.arguments[0]: Name(_ARGUMENT)})
            has_value = implies(self.given(TRUE), atom(descends))
            yield Obligation(DESCENDS, (Variable(_ARGUMENT),), has_value)

    def meant(self, obligations: Iterable[Obligation]) -> Iterator[Obligation]:
        """Yield each obligation that is not plainly true, after the one that it has a value.

        That something has a value has a value itself, everywhere.
        """
        for obligation in obligations:
            if obligation.name != MEANING:
                meaning = self.definedness.of_sentence(obligation.sentence)
                if meaning != logic.TRUE:
                    yield Obligation(obligation.part, obligation.variables, meaning, MEANING)
            if obligation.sentence != logic.TRUE:
                yield obligation


def agreement(formula: Expr, formulas: Formulas, level: int) -> Sentence:
    """Return the sentence that a claim's formula says of a position what a solution says, and that it is in its region.

    level: the value that the claim says a position has where its formula, a condition, is true.
    """
    inside, known = atom(formulas.region), formulas.grundy
    if known is None and (formula.kind is Kind.NUMBER or len(formulas.levels) != level + 1):
        raise Refused("a solution gives the Grundy numbers, or every level up to the claim's")
    if known is None:
        said = formulas.levels[-1]
    else:
        said = known if formula.kind is Kind.NUMBER else compare("==", known, Int(level))
    if formula == said:
        return inside
    number = formula.kind is Kind.NUMBER
    same = atom(compare("==", formula, said)) if number else logic.equivalence(atom(formula), atom(said))
    return all_of(inside, same)
