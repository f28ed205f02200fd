"""The session, which rules share while they check evidence: the automata of games, and other results to be kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, TypeVar

from grundylab.games.model import Ruleset
from grundylab.language.syntax import TRUE
from grundylab.prove.kernel.induction_automata import CELLS, Decider, Games
from grundylab.prove.kernel.question import Question
from grundylab.statement.conditions import split_condition

_T = TypeVar("_T")


class Session:
    """The automata of games, and results that several statements need.

    cells: of transition tables, that one question to automata may take.
    """

    def __init__(self, cells: int = CELLS) -> None:
        self.cells = cells
        self.games = Games()
        self._kept: dict[Hashable, Any] = {}
        self._deciders: dict[tuple[str, Question], Decider] = {}

    def kept(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return the result of this key, which is made at the first call."""
        if key not in self._kept:
            self._kept[key] = make()
        found: _T = self._kept[key]
        return found

    def decider(self, game: Ruleset, question: Question) -> Decider:
        """Return the decider of an induction; the same for the same induction."""
        _, about = split_condition(question.where, game)
        bare = replace(question, where=about, condition=TRUE, exactly=False)
        if (game.hash, bare) not in self._deciders:
            automata = self.games.of(game, (question.formula, question.where))
            self._deciders[game.hash, bare] = Decider(automata, bare, self.cells)
        return self._deciders[game.hash, bare]
