"""Sessions: the automata of games, and other results, that rules compute once and share while they check evidence."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, TypeVar

from grundylab.games.model import Ruleset
from grundylab.language.syntax import TRUE
from grundylab.prove.core.decide import CELLS, GameReaders
from grundylab.prove.core.solution import Core
from grundylab.prove.kernel.induction_automata import Decider
from grundylab.prove.kernel.question import Question
from grundylab.statement.conditions import split_condition

_T = TypeVar("_T")


class Session:
    """A store of the automata of games, and of results that several statements need.

    cells: the largest number of cells of transition tables that one question to automata may use.
    """

    def __init__(self, cells: int = CELLS) -> None:
        self.cells = cells
        self.games = GameReaders()
        self.core = Core(cells)
        self._kept: dict[Hashable, Any] = {}
        self._deciders: dict[tuple[str, Question], Decider] = {}

    def kept(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return the result stored under the key; at the first call, ``make`` computes it."""
        if key not in self._kept:
            self._kept[key] = make()
        found: _T = self._kept[key]
        return found

    def decider(self, game: Ruleset, question: Question) -> Decider:
        """Return the Decider of a question; questions that differ only in conditions on the parameters share one."""
        _, about = split_condition(question.where, game)
        bare = replace(question, where=about, condition=TRUE, exactly=False)
        if (game.hash, bare) not in self._deciders:
            automata = self.games.of(game, (question.formula, question.where))
            self._deciders[game.hash, bare] = Decider(automata, bare, self.cells)
        return self._deciders[game.hash, bare]
