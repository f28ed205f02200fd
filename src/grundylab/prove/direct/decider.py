"""What an induction needs, decided by automata: the sentences that MONA is asked, by a reader of their own."""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.automata.automaton import Automaton
from grundylab.automata.kernel import Dfa, TooLarge, Work, both, exists, some
from grundylab.games.model import ALWAYS, Claim, Ruleset
from grundylab.language.syntax import Expr
from grundylab.logic.direct.reader import Reader, Unreadable
from grundylab.logic.mona import MonaAnswer
from grundylab.prove.direct.checker import Asked, Question
from grundylab.prove.direct.moves import Game
from grundylab.prove.hypothesis import Hypothesis
from grundylab.prove.obligations import (
    CLOSED,
    EXACT,
    FOLLOWS,
    INDUCTION,
    NATURAL,
    PLAYABLE,
    SAID,
    STAYS,
    Sentence,
)

CELLS = 20_000_000  # of transition tables in a second, at least
_PARTS = {
    SAID: (NATURAL, FOLLOWS),
    PLAYABLE: (NATURAL, STAYS),
    INDUCTION: (NATURAL, STAYS, CLOSED, EXACT, FOLLOWS),
}


class Decider:
    """Answers for one game, hypothesis and statement, as ``run_mona`` does for their scripts."""

    def __init__(self, ruleset: Ruleset, hypothesis: Hypothesis, statement: Claim) -> None:
        self._ruleset = ruleset
        self._work = Work()
        self._reader = Reader(ruleset.functions, self._work)
        self._game = Game(ruleset, self._reader)
        self._question = Question(statement.formula, statement.target, statement.where, hypothesis)
        self._failing: dict[tuple[str, Expr], Dfa] = {}

    def answer(self, asked: Sentence, seconds: float) -> MonaAnswer:
        """Whether the sentence is true, where it is not, and for which values of the parameters if these are free."""
        self._work.left = round(seconds * CELLS)
        try:
            return self._answer(asked)
        except TooLarge as error:
            return MonaAnswer("timeout", message=error.message)
        except Unreadable as error:
            return MonaAnswer("error", message=error.message)

    def _answer(self, asked: Sentence) -> MonaAnswer:
        failing = self._fails(asked.goal, asked.assuming)
        for_which = bool(asked.free) and asked.free == self._ruleset.parameter_names
        if asked.equal_to is None and not for_which:
            return _said(failing)
        coordinates = set(failing.tracks) - set(self._ruleset.parameter_names)
        good = ~exists(coordinates, [failing], self._work)
        if asked.equal_to is None:
            return MonaAnswer("mixed", automaton=_automaton(good, self._ruleset.parameter_names))
        among = both([self._game.domain, self._reader.true(asked.assuming)], self._work)
        return _said(among & (good ^ self._reader.true(asked.equal_to)))

    def _fails(self, goal: str, assuming: Expr) -> Dfa:
        """The positions and parameters where the goal is not so."""
        key = goal, assuming
        if key not in self._failing:
            parts = _PARTS.get(goal, (goal,))
            if self._question.target == ALWAYS:
                parts = tuple(part for part in parts if part in (NATURAL, FOLLOWS))
            assumed = self._reader.true(assuming)
            found = [where for part in parts for where in self._where(part, assuming)]
            self._failing[key] = some(found, self._work) & assumed
        return self._failing[key]

    def _where(self, part: str, assuming: Expr) -> Iterator[Dfa]:
        about, assumed = self._reader.true(self._question.where), self._reader.true(assuming)
        asked = Asked(self._game, self._question, assumed, about)
        found = {
            NATURAL: self._game.below_zero, STAYS: self._game.faults,
            CLOSED: asked.leaving, EXACT: asked.wrong, FOLLOWS: asked.not_following,
        }[part]()  # fmt: skip
        yield from (where for _, where in found)


def _said(failing: Dfa) -> MonaAnswer:
    example = failing.example()
    if example is None:
        return MonaAnswer("valid")
    return MonaAnswer("mixed", counterexample={f"v_{name}": value for name, value in example.items()})


def _automaton(of: Dfa, names: tuple[str, ...]) -> Automaton:
    """The same set of tuples of natural numbers, with the letter for truth values that MONA's automata begin with."""
    letters = range(of.next.shape[1])
    patterns = [
        "".join(str(letter >> of.tracks.index(name) & 1) if name in of.tracks else "X" for name in names)
        for letter in letters
    ]
    rows = tuple(tuple(zip(patterns, (int(state) + 1 for state in after), strict=True)) for after in of.next)
    accepting = frozenset(state + 1 for state in range(of.states) if of.sign[state, 0])
    first = (("X" * len(names), 1),)
    return Automaton(
        tuple(f"v_{name}" for name in names),
        of.states + 1,
        0,
        accepting,
        (first, *rows),
    )
