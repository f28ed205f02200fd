"""The parts of an induction on a game's measure, decided by automata as sentences of the core (``core/game.py``)."""

from __future__ import annotations

from collections.abc import Sequence

from grundylab.automata.dfa import Dfa, intersection
from grundylab.games.model import ALWAYS
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.prove.core.core_theorem import Claimed, Formulas
from grundylab.prove.core.decide import GameReader, Goal
from grundylab.prove.core.game import CLOSED, EXACT, FOLLOWS, NATURAL, STAYS
from grundylab.prove.core.solution import claim_goals, foundation_goals, local_goals
from grundylab.prove.kernel.question import Question

INDUCTION = (NATURAL, STAYS, CLOSED, EXACT, FOLLOWS)
PLAYABLE = (NATURAL, STAYS)  # these two parts: the rules make a game
SAID = (NATURAL, FOLLOWS)  # these two parts suffice for a condition claimed of every position


class Decider:
    """Decisions about one induction. cells: the largest number of transition-table cells that one decision may use.

    Each method raises TooLarge if it would need more cells, OutsideFragment for a subterm that automata cannot express.
    """

    def __init__(self, game: GameReader, question: Question, cells: int) -> None:
        self._game, self._question, self._cells = game, question, cells

    def example(
        self, parts: Sequence[str], assuming: Expr = TRUE, cells: int | None = None
    ) -> dict[str, int] | None:
        """Return a position and parameters where at least one of the parts fails; None if they hold everywhere.

        assuming: a condition that the parameters fulfil. cells: a smaller limit for this one decision.
        """
        self._game.work.give(min(cells or self._cells, self._cells))
        failing = (goal.failing.example() for goal in self._goals(parts, assuming))
        found = next((example for example in failing if example is not None), None)
        names = self._game.game.formula_names
        return None if found is None else {name: found.get(name, 0) for name in names}

    def first(self, part: str, assuming: Expr = TRUE) -> dict[str, int] | None:
        """Return the first position where the part fails; None if it fails nowhere.

        Positions are ordered by measure, then lexicographically by coordinates, then by parameters.
        """
        self._game.work.give(self._cells)
        return self._game.first(self._goals((part,), assuming))

    def good_for(self, parts: Sequence[str], assuming: Expr = TRUE) -> Dfa:
        """Return the parameter values for which all parts hold; values outside the domain are among them."""
        self._game.work.give(self._cells)
        return self._game.good_parameters(self._goals(parts, assuming))

    def good_exactly(self, parts: Sequence[str], condition: Expr, assuming: Expr = TRUE) -> bool:
        """Tell whether the parameters for which all parts hold are, under ``assuming``, those with ``condition``."""
        good, read = self.good_for(parts, assuming), self._game.atoms.true
        among = intersection([read(self._game.game.domain), read(assuming)], self._game.work)
        return (among & (good ^ read(condition))).is_empty

    def holds(self, part: str, assuming: Expr, condition: Expr) -> bool:
        """Tell whether the part holds for all parameters that fulfil ``assuming`` and ``condition``."""
        self._game.work.give(self._cells)
        true = self._game.atoms.true(condition)
        return all((goal.failing & true).is_empty for goal in self._goals((part,), assuming))

    def _goals(self, parts: Sequence[str], assuming: Expr) -> list[Goal]:
        question, hypothesis = self._question, self._question.hypothesis
        goals, formulas = list[Goal](), None
        if question.target != ALWAYS:
            formulas = Formulas(hypothesis.region, hypothesis.grundy, hypothesis.levels)
        if formulas is not None or STAYS in parts:
            goals += foundation_goals(self._game, assuming)
        if formulas is not None and {CLOSED, EXACT} & set(parts):
            goals += local_goals(self._game, assuming, formulas)
        if FOLLOWS in parts or formulas is None:
            claim = Claimed(question.target, question.formula, conjunction(assuming, question.where))
            goals += claim_goals(self._game, claim, assuming, formulas)
        return [goal for goal in goals if goal.part in parts]
