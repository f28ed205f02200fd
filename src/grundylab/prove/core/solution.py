"""The rule of solutions: formulas that agree with the options everywhere give the values of a well-founded game.

Let a game be well founded: every move leads to positions, and lowers a natural number. Let formulas be given for the
positions of a region, and let them be *local*: no move leads from there out of the region, no option of a position has
the position's value, and each smaller value is the value of an option (all by the formulas). Then by induction on the
measure they give the true values (Siegel, Combinatorial Game Theory, Section IV.1). An option outside the region does
no harm at a position that is in none of the levels: there only options that are found in a level count.

Conversely the values are the only solution on the whole space: where one formula is not local, it is wrong at a
position of least measure. So for which parameters a formula is true is decided by the same sentence.

Both premises are sentences (``game.py``), and automata decide them. This module alone makes theorems of the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grundylab.automata.dfa import AutomataBudget, Dfa, intersection, projection, union
from grundylab.automata.systems import System
from grundylab.games.model import ALWAYS, Ranged, Ruleset
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language import names
from grundylab.language.functions import Function
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Compare, Expr, Int, Kind, Name, compare, conjunction, conjuncts
from grundylab.logic import sentence as logic
from grundylab.logic.decision import SentenceReader
from grundylab.logic.reader import AutomataReader
from grundylab.logic.sentence import Variable, atom, implies
from grundylab.prove.core.core_theorem import (
    Claimed,
    CoreTheorem,
    ExactlyWhere,
    Formulas,
    Refused,
    Solved,
    WellFounded,
)
from grundylab.prove.core.definedness import Definedness, first_argument
from grundylab.prove.core.evidence_types import Decided, Solution
from grundylab.prove.core.game import EXACT, MEANING, GameSentences, Obligation, agreement, rules_alone
from grundylab.prove.core.space import game_numeration
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition

CELLS = 1_200_000_000  # the most cells of transition tables for one question, by default
DESCENDS = "a recurrence rests on earlier values alone"
_SIZE, _ARGUMENT = "_size", "_argument"  # names of tracks: the measure, and a recurrence's argument


@dataclass(frozen=True)
class CoreQuestion:
    """A statement with numbers in place of its fixed parameters, and its condition in two parts.

    assumed: the part of the condition on parameters alone. rest: the other part. earlier: the terms of the statement's
    condition up to the last one that fixes a parameter, as they were.
    """

    game: Ruleset
    claim: Claimed
    assumed: Expr
    rest: Expr
    whole_game: Ruleset
    earlier: Expr


def question_of(statement: Statement) -> CoreQuestion:
    """Return the statement with numbers in place of fixed parameters; raise Refused for one that looks values up."""
    if statement.lookups or statement.tables:
        raise Refused("automata cannot look values up")
    whole, where = rules_alone(statement.game), statement.where
    fixed = fixed_values(where, whole.parameter_names)
    terms = conjuncts(where)
    fixing = [number for number, term in enumerate(terms) if fixed_values(term, whole.parameter_names)]
    game = specialise(whole, fixed)
    assumed, rest = split_condition(put := substitute(where, fixed), game)
    variables = tuple(v.mapped(lambda end: substitute(end, fixed)) for v in statement.variables)
    claim = Claimed(statement.target, substitute(statement.formula, fixed), put, variables)
    earlier = conjunction(*terms[: fixing[-1] + 1]) if fixing else TRUE
    return CoreQuestion(game, claim, assumed, rest, whole, earlier)


def formulas_of(question: CoreQuestion, evidence: Solution, fixed: dict[str, int]) -> Formulas:
    """Return the evidence's formulas about the question's game; raise Refused for some that are not about it."""
    put: Callable[[Expr], Expr] = lambda expr: question.game.check_condition(substitute(expr, fixed))  # noqa: E731
    grundy = None if evidence.grundy is None else put(evidence.grundy)
    formulas = Formulas(put(evidence.region), grundy, tuple(map(put, evidence.levels)))
    conditions = (formulas.region, *formulas.levels)
    if any(each.kind is not Kind.CONDITION for each in conditions) or (
        grundy and grundy.kind is not Kind.NUMBER
    ):
        raise Refused("a region and levels are conditions, and Grundy values are a number")
    if (grundy is None) == (not formulas.levels):
        raise Refused("a solution gives either Grundy values or levels")
    return formulas


class _Goal:
    """An obligation, and the automaton of the values for which it fails."""

    def __init__(self, obligation: Obligation, room: _Room) -> None:
        self.name, self._obligation, self._room = obligation.name, obligation, room

    @cached_property
    def failing(self) -> Dfa:
        """The values of variables and parameters, all of them natural, for which the obligation is false."""
        variables = (*self._obligation.variables, *self._room.sentences.parameters)
        parts = self._room.reader.natural(variables, logic.negation(self._obligation.sentence))
        return intersection(parts, self._room.work)


class _Room:
    """The sentences about a game, their automata, and the goals that were asked for."""

    def __init__(self, game: Ruleset, system: System, variables: Sequence[Ranged]) -> None:
        self.sentences, self.work = GameSentences(game), AutomataBudget(system=system)
        chosen = (choice.name for move in self.sentences.game.moves for choice in move.choices)
        parts = range(max((len(move.parts) for move in game.moves), default=0))
        moved = (names.moved_coordinate_name(name, part) for name in game.coordinate_names for part in parts)
        natural = {*game.formula_names, *chosen, *moved, *(each.name for each in variables)}
        self.reader = SentenceReader(AutomataReader(game.functions, self.work, frozenset(natural)))
        self._goals: dict[object, list[_Goal]] = {}

    def goals(self, key: object, obligations: Callable[[], Iterable[Obligation]]) -> list[_Goal]:
        """Return the goals of the obligations, and of their having a value; kept under the key."""
        if key not in self._goals:
            self._goals[key] = [_Goal(each, self) for each in self.sentences.meant(obligations())]
        return self._goals[key]


class Core:
    """The maker of theorems. It keeps automata for further questions about the same games.

    cells: the largest number of cells of transition tables that one question may use.
    """

    def __init__(self, cells: int = CELLS) -> None:
        self.cells = cells
        self._rooms: dict[object, _Room] = {}

    # -- theorems -------------------------------------------------------------------------------------------

    def check(self, statement: Statement, evidence: Solution | Decided) -> CoreTheorem:
        """Return the statement as a theorem; raise Refused, or another GrundylabError, if it is not."""
        statement.check()
        asked = question_of(statement)
        if isinstance(evidence, Decided):
            return self._decided(asked)
        if asked.claim.target.name not in ("p", "grundy", "level"):
            raise Refused("a solution is about outcomes or Grundy numbers")
        formulas = formulas_of(asked, evidence, fixed_values(statement.where, statement.game.parameter_names))
        solved = self.solution(asked.game, asked.assumed, formulas)
        room = self._room(asked, formulas)
        self._prove(room, self._claim_goals(room, asked, formulas))
        self._check_earlier(asked)
        return CoreTheorem(asked.game, asked.assumed, asked.claim, evidence, (solved,))

    def well_founded(self, game: Ruleset, assumed: Expr) -> CoreTheorem:
        """Return the theorem that the rules make a game for all parameters that fulfil ``assumed``."""
        room = self._room_of(game, (assumed,), ())
        self._prove(room, self._foundation_goals(room, assumed))
        return CoreTheorem(game, assumed, WellFounded(), Decided())

    def solution(self, game: Ruleset, assumed: Expr, formulas: Formulas) -> CoreTheorem:
        """Return the theorem that the formulas give the game's values, for all parameters that fulfil ``assumed``."""
        if not assumed.free <= set(game.parameter_names):
            raise Refused("what is assumed is about parameters alone")
        founded = self.well_founded(game, assumed)
        room = self._room_of(game, (assumed, formulas.region, *_values(formulas)), ())
        self._prove(room, self._local_goals(room, assumed, formulas))
        evidence = Solution(region=formulas.region, grundy=formulas.grundy, levels=formulas.levels)
        return CoreTheorem(game, assumed, Solved(formulas), evidence, (founded,))

    def check_recurrences(self, game: Ruleset, said: Iterable[Expr]) -> None:
        """Raise Refused unless each recurrence that the expressions call has a value from its first argument on."""
        room = self._room_of(rules_alone(game), (), ())
        descents = room.sentences.meant(self._descents(room.sentences, said))
        self._prove(room, [_Goal(each, room) for each in descents])

    def solution_exactly(self, statement: Statement, condition: Expr) -> CoreTheorem:
        """Return the theorem that the statement is true for no other parameters than those with ``condition``.

        The statement must describe the outcomes or the Grundy numbers at all positions.
        """
        asked, formulas, room = self._alone(statement)
        asked.game.check_condition(condition)
        if not condition.free <= set(asked.game.parameter_names):
            raise Refused("the condition is about more than the parameters")
        good, read = self._good(room, asked, formulas), room.reader.reader.true
        among = intersection([read(asked.game.domain), read(asked.assumed)], room.work)
        meant = room.sentences.definedness.of(condition)
        if not (among & ~read(meant)).is_empty or not (among & (good ^ read(condition))).is_empty:
            raise Refused("the statement is true for exactly the parameters with the condition")
        said = ExactlyWhere(asked.claim.target, asked.claim.formula, condition)
        evidence = Solution(region=formulas.region, grundy=formulas.grundy, levels=formulas.levels)
        return CoreTheorem(asked.game, asked.assumed, said, evidence)

    def _decided(self, asked: CoreQuestion) -> CoreTheorem:
        if asked.claim.target != ALWAYS:
            raise Refused("a condition is claimed of every position")
        room = self._room(asked)
        self._prove(room, self._claim_goals(room, asked, None))
        self._check_earlier(asked)
        return CoreTheorem(asked.game, asked.assumed, asked.claim, Decided())

    def _check_earlier(self, asked: CoreQuestion) -> None:
        """Raise Refused unless the condition has a value also for other values of the parameters that it fixes.

        Then an equation of it is false, and nothing after the last of these equations is evaluated.
        """
        meant = Definedness(asked.whole_game.functions).of(asked.earlier)
        if meant != TRUE:
            room = self._room_of(asked.whole_game, (meant,), ())
            obligation = Obligation(
                MEANING, room.sentences.coordinates, implies(room.sentences.here, atom(meant))
            )
            self._prove(room, [_Goal(obligation, room)])

    def _prove(self, room: _Room, goals: Iterable[_Goal]) -> None:
        """Raise Refused, with an example, unless no goal fails anywhere."""
        room.work.give(self.cells)
        for goal in goals:
            example = goal.failing.example()
            if example is not None:
                place = ", ".join(f"{name}={value}" for name, value in sorted(example.items()))
                raise Refused(f"it is not so that {goal.name}" + (f": at {place}" if place else ""))

    # -- for the search: these make no theorem --------------------------------------------------------------

    def good_parameters(self, statement: Statement) -> Dfa:
        """Return the parameters for which the statement, about all positions, is true; others outside the domain."""
        asked, formulas, room = self._alone(statement)
        return self._good(room, asked, formulas)

    def local_failure(self, statement: Statement) -> dict[str, int] | None:
        """Return the position of least measure at which the statement, about all positions, is wrong; None if none is.

        Positions are ordered by measure, then by their coordinates and parameters. Raises Refused if the rules make no
        game.
        """
        asked, formulas, room = self._alone(statement)
        self.well_founded(asked.game, asked.assumed)
        room.work.give(self.cells)
        goals = self._local_goals(room, asked.assumed, formulas)
        measure = compare("==", Name(_SIZE), asked.game.measure)
        wrong = union((goal.failing for goal in goals if goal.name in (EXACT, MEANING)), room.work)
        order = (_SIZE, *asked.game.formula_names)
        wrong = projection(set(wrong.tracks) - set(order), [wrong], room.work)
        among = intersection(
            [wrong, *room.reader.natural([Variable(_SIZE)], atom(measure))], room.work
        )  # fmt: skip
        values = dict[str, int]()
        for name in order:
            values[name] = _least(name, among, room)
            among = among & room.reader.reader.true(compare("==", Name(name), Int(values[name])))
        return None if among.is_empty else {name: values[name] for name in order[1:]}

    def _good(self, room: _Room, asked: CoreQuestion, formulas: Formulas) -> Dfa:
        room.work.give(self.cells)
        goals = [
            *self._foundation_goals(room, asked.assumed),
            *self._local_goals(room, asked.assumed, formulas),
            *self._claim_goals(room, asked, formulas),
        ]
        failing = union((goal.failing for goal in goals), room.work)
        hidden = set(failing.tracks) - set(asked.game.parameter_names)
        return ~projection(hidden, [failing], room.work)

    def _alone(self, statement: Statement) -> tuple[CoreQuestion, Formulas, _Room]:
        """Return the question whether the statement's own formula is a solution on the whole space."""
        statement.check()
        asked, target = question_of(statement), statement.target
        if asked.rest != TRUE or asked.claim.variables or target.name not in ("p", "grundy"):
            raise Refused("the statement describes the outcomes or the Grundy numbers of all positions")
        formula = asked.claim.formula
        number = target.name == "grundy"
        formulas = Formulas(TRUE, formula if number else None, () if number else (formula,))
        return asked, formulas, self._room(asked, formulas)

    # -- goals ----------------------------------------------------------------------------------------------

    def _foundation_goals(self, room: _Room, assumed: Expr) -> list[_Goal]:
        def obligations() -> Iterator[Obligation]:
            yield from self._descents(room.sentences, room.sentences.game.expressions)
            yield from room.sentences.well_founded(assumed)

        return room.goals(("well founded", assumed), obligations)

    def _local_goals(self, room: _Room, assumed: Expr, formulas: Formulas) -> list[_Goal]:
        def obligations() -> Iterator[Obligation]:
            yield from self._descents(room.sentences, (formulas.region, *_values(formulas)))
            yield from room.sentences.local(formulas, assumed)

        return room.goals(("local", assumed, formulas), obligations)

    def _claim_goals(self, room: _Room, asked: CoreQuestion, formulas: Formulas | None) -> list[_Goal]:
        claim = asked.claim
        level = claim.target.value if claim.target.name == "level" else 0
        said = atom(claim.formula) if formulas is None else agreement(claim.formula, formulas, level)

        def obligations() -> Iterator[Obligation]:
            ends = (end for each in claim.variables for end in each.ends)
            yield from self._descents(room.sentences, (claim.formula, claim.where, *ends))
            if formulas is None:  # otherwise the rules make a game, which is shown on its own
                given = room.sentences.given(asked.assumed)
                yield from room.sentences.natural_ranges((), asked.game.coordinates, given)
            yield from room.sentences.claimed(claim, asked.assumed, said)

        return room.goals(("claim", claim, asked.assumed, formulas), obligations)

    def _descents(self, sentences: GameSentences, said: Iterable[Expr]) -> Iterator[Obligation]:
        """Yield that each recurrence that the expressions call has a value at every argument from its first one on."""
        functions, number = sentences.game.functions, Name(_ARGUMENT)
        for function in functions.called_by(*said):
            if not isinstance(function, Function) or not (function.recursive or function.initial):
                continue
            if first_argument(function) < 0:
                raise Refused(f"{names.with_plain_names(function.name)}() begins at 0 or above")
            descends = substitute(sentences.definedness.recurrence(function), {function.arguments[0]: number})
            given = sentences.given(TRUE)
            yield Obligation(DESCENDS, (Variable(_ARGUMENT),), implies(given, atom(descends)))

    # -- rooms ----------------------------------------------------------------------------------------------

    def _room(self, asked: CoreQuestion, formulas: Formulas | None = None) -> _Room:
        said = () if formulas is None else (formulas.region, *_values(formulas))
        return self._room_of(
            asked.game, (asked.claim.formula, asked.claim.where, *said), asked.claim.variables
        )

    def _room_of(self, game: Ruleset, said: Iterable[Expr], variables: tuple[Ranged, ...]) -> _Room:
        """Return the room of a game, in the numeration system that its rules and the expressions need."""
        if variables:  # a claim about them says nothing about the moves
            game = replace(game, moves=())
        ends = (end for each in variables for end in each.ends)
        key = game, game_numeration(game, (*said, *ends)), tuple(each.name for each in variables)
        if key not in self._rooms:
            self._rooms[key] = _Room(key[0], key[1], variables)
        return self._rooms[key]


def _values(formulas: Formulas) -> tuple[Expr, ...]:
    return formulas.levels if formulas.grundy is None else (formulas.grundy,)


def _least(name: str, among: Dfa, room: _Room) -> int:
    """Return the least number that ``among`` accepts on a track of natural numbers; 0 if it accepts nothing."""
    numbers = projection(set(among.tracks) - {name}, [among], room.work)
    low, high = 0, (numbers.example() or {}).get(name, 0)
    while low < high:
        middle = (low + high) // 2
        inside = Compare(("<=", "<="), (Int(0), Name(name), Int(middle)))
        smaller = (numbers & room.reader.reader.true(inside)).example()
        low, high = (middle + 1, high) if smaller is None else (low, smaller.get(name, 0))
    return high
