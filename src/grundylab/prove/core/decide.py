"""The decision of obligations about games, by automata; the automata of a game are kept for further questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property

from grundylab.automata.dfa import AutomataBudget, Dfa, intersection, projection, union
from grundylab.automata.systems import System
from grundylab.errors import GrundylabError
from grundylab.games.model import Ruleset
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language import names
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Compare, Expr, Int, Name, compare, conjunction
from grundylab.logic import sentence as logic
from grundylab.logic.decision import SentenceReader
from grundylab.logic.reader import AutomataReader
from grundylab.logic.sentence import Variable, all_of, atom, implies
from grundylab.prove.core.game import FOLLOWS, GameSentences, Obligation, rules_alone
from grundylab.prove.core.space import check_provable, game_numeration
from grundylab.statement.conditions import split_condition

CELLS = 1_200_000_000  # the most cells of transition tables for one question, by default
_SIZE = "_size"  # the track of the measure


class Goal:
    """An obligation, and the automaton of the values for which it fails.

    part, name: the obligation's.
    """

    def __init__(self, obligation: Obligation, game: GameReader) -> None:
        self.part, self.name = obligation.part, obligation.name or obligation.part
        self._obligation, self._game = obligation, game

    @cached_property
    def failing(self) -> Dfa:
        """The values of variables and parameters, all of them natural, for which the obligation is false."""
        variables = (*self._obligation.variables, *self._game.sentences.parameters)
        parts = self._game.reader.natural(variables, logic.negation(self._obligation.sentence))
        return intersection(parts, self._game.work)


class GameReader:
    """The sentences about a game, their automata, and the goals that were asked for.

    atoms: the reader of conditions. work: the budget.
    """

    def __init__(self, game: Ruleset, system: System) -> None:
        self.game, self.sentences, self.work = game, GameSentences(game), AutomataBudget(system=system)
        chosen = (choice.name for move in self.sentences.game.moves for choice in move.choices)
        parts = range(max((len(move.parts) for move in game.moves), default=0))
        moved = (names.moved_coordinate_name(name, part) for name in game.coordinate_names for part in parts)
        natural = {*game.formula_names, *chosen, *moved}
        natural -= self.sentences.signed
        self.atoms = AutomataReader(game.functions, self.work, frozenset(natural))
        self.reader = SentenceReader(self.atoms)
        self._goals: dict[object, list[Goal]] = {}

    def goals(self, key: object, obligations: Callable[[GameSentences], Iterable[Obligation]]) -> list[Goal]:
        """Return the goals of the obligations, and of their having a value; kept under the key."""
        if key not in self._goals:
            self._goals[key] = [
                Goal(obligation, self) for obligation in self.sentences.meant(obligations(self.sentences))
            ]
        return self._goals[key]

    def failing(self, goals: Iterable[Goal]) -> Dfa:
        """Return the positions and parameters, and values of other variables, for which one of the goals fails."""
        return union((goal.failing for goal in goals), self.work)

    def good_parameters(self, goals: Iterable[Goal]) -> Dfa:
        """Return the parameter values for which no goal fails; values outside the domain are among them."""
        failing = self.failing(goals)
        return ~projection(set(failing.tracks) - set(self.game.parameter_names), [failing], self.work)

    def first(self, goals: Iterable[Goal]) -> dict[str, int] | None:
        """Return the position of least measure, with parameters, where a goal fails; None if none fails anywhere.

        Positions are ordered by measure, then by coordinates, then by parameters.
        """
        wrong, order = self.failing(goals), (_SIZE, *self.game.formula_names)
        wrong = projection(set(wrong.tracks) - set(order), [wrong], self.work)
        measured = atom(compare("==", Name(_SIZE), self.game.measure))
        parts = self.reader.natural([Variable(_SIZE)], measured, self.sentences.here)
        among, values = intersection([wrong, *parts], self.work), dict[str, int]()
        for name in order:
            # the least number that ``among`` accepts on the track; 0 if it accepts nothing
            numbers = projection(set(among.tracks) - {name}, [among], self.work)
            low, high = 0, (numbers.example() or {}).get(name, 0)
            while low < high:
                middle = (low + high) // 2
                inside = Compare(("<=", "<="), (Int(0), Name(name), Int(middle)))
                smaller = (numbers & self.atoms.true(inside)).example()
                low, high = (middle + 1, high) if smaller is None else (low, smaller.get(name, 0))
            values[name] = high
            among = among & self.atoms.true(compare("==", Name(name), Int(high)))
        return None if among.is_empty else {name: values[name] for name in order[1:]}


class GameReaders:
    """A store of the automata of games, so that several questions about one game make them once."""

    def __init__(self) -> None:
        self._known: dict[object, GameReader] = {}

    def of(self, game: Ruleset, said: Iterable[Expr] = ()) -> GameReader:
        """Return the reader of a game, in the numeration system that its rules and the expressions ``said`` need."""
        game = rules_alone(game)
        key = game, game_numeration(game, said)
        if key not in self._known:
            self._known[key] = GameReader(*key)
        return self._known[key]


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
        condition, where = substitute(condition, fixed), substitute(where, fixed)
        assumed, _ = split_condition(where, still)
        reader = GameReaders().of(still, (condition, where))
        sentences, meant = reader.sentences, reader.sentences.definedness.of
        about = all_of(sentences.here, atom(conjunction(meant(where), where)))
        true = all_of(atom(meant(condition)), atom(condition))
        said = Obligation(FOLLOWS, sentences.coordinates, implies(about, true))
        reader.work.give(cells)
        goals = [Goal(obligation, reader) for obligation in (*sentences.natural_coordinates(assumed), said)]
        return all(goal.failing.is_empty for goal in goals)
    except GrundylabError:  # not decided, or a fixed parameter is outside its domain
        return None
