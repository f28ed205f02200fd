"""Who decides what an induction needs: MONA where it is installed, else grundylab's own automata."""

from __future__ import annotations

from functools import cached_property

from grundylab.games.model import Claim, Ruleset
from grundylab.logic.mona import MonaAnswer, find_mona, run_mona
from grundylab.prove.direct.decider import Decider
from grundylab.prove.hypothesis import Hypothesis
from grundylab.prove.obligations import Obligations, Sentence
from grundylab.prove.outcome import AUTOMATA, MONA


class Deciding:
    """Answers about one game, hypothesis and statement.

    Raises OutsideFragment and NotProvable for what neither is asked.
    """

    def __init__(self, ruleset: Ruleset, hypothesis: Hypothesis, statement: Claim) -> None:
        self._about = ruleset, hypothesis, statement
        self._obligations = Obligations(ruleset, hypothesis, statement)
        self.procedure = AUTOMATA if find_mona() is None else MONA

    def script(self, title: str, asked: Sentence) -> str:
        """The sentence for MONA, whoever decides it here."""
        return self._obligations.script(title, asked)

    def answer(
        self, script: str, asked: Sentence, timeout: float, memory: int | None, automaton: bool = False
    ) -> MonaAnswer:
        """What is said of the sentence, of which this is the script. automaton: whether MONA is to print its own."""
        if self.procedure == AUTOMATA:
            return self._decider.answer(asked, timeout)
        return run_mona(script, timeout=timeout, memory=memory, automaton=automaton)

    @cached_property
    def _decider(self) -> Decider:
        return Decider(*self._about)
