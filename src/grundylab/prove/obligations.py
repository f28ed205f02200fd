"""The sentences of an induction (``core/game.py``) as one sentence for MONA or Walnut."""

from __future__ import annotations

from itertools import chain

from grundylab.games.model import Ruleset
from grundylab.logic.lowering import Lowering
from grundylab.logic.sentence import Sentence, Variable, all_of, equivalence, for_all, implies
from grundylab.prove.core.game import CLOSED, EXACT, FOLLOWS, NATURAL, STAYS, GameSentences, rules_alone
from grundylab.prove.core.solution import Question
from grundylab.prove.core.space import check_provable, game_numeration
from grundylab.statement.conditions import split_condition

_NAMES = {NATURAL: "natural", STAYS: "stays", CLOSED: "closed", EXACT: "exact", FOLLOWS: "follows"}


class Obligations:
    """The parts of one induction, each a sentence about parameters.

    parts: the parts by name, without those that are trivially true. Raises OutsideFragment if the logic cannot express
    the induction, NotProvable if the game is of a kind that inductions do not cover, Refused for unfit formulas.
    """

    def __init__(self, ruleset: Ruleset, question: Question) -> None:
        check_provable(ruleset)
        self._game, self._question = GameSentences(rules_alone(ruleset)), question
        self._assumed, _ = split_condition(question.where, ruleset)
        self.system = game_numeration(ruleset, (question.formula, question.where))
        self._lowering = Lowering(ruleset.functions, self._game.signed, self.system)
        self.parameters = tuple(map(Variable, ruleset.parameter_names))
        sentences: dict[str, list[Sentence]] = {}
        sources = question.about_positions(ruleset).sources(self._assumed, _NAMES)
        for goal in self._game.meant(chain.from_iterable(make(self._game) for _, make in sources)):
            if goal.part in _NAMES:  # recurrences are outside this logic, unless their values are constants
                said = for_all(goal.variables, self._lowering.sentence(goal.sentence))
                sentences.setdefault(_NAMES[goal.part], []).append(said)
        self.parts = {name: all_of(*parts) for name, parts in sentences.items()}

    def sentence(self, goal: Sentence | None = None) -> Sentence:
        """Return the sentence that the goal holds for the question's parameters.

        goal: by default the conjunction of all parts.
        """
        question = self._question
        goal = all_of(*self.parts.values()) if goal is None else goal
        condition = self._lowering.condition(question.condition)
        goal = equivalence(goal, condition) if question.exactly else implies(condition, goal)
        given = self._lowering.sentence(self._game.given(self._assumed))
        return for_all(self.parameters, implies(given, goal))
