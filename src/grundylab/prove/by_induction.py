"""Proofs by induction on the measure: the sentence that it needs is decided by MONA (docs/proved.md)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from grundylab.automata.automaton import Automaton
from grundylab.check.verification import Counterexample, affordable, verify
from grundylab.errors import InstanceError, LimitError
from grundylab.games.model import ALWAYS, Claim, Ruleset, Values
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language import syntax
from grundylab.language.substitution import substitute
from grundylab.language.syntax import FALSE, TRUE, Expr, conjunction
from grundylab.logic.mona import MonaAnswer
from grundylab.logic.ws1s.reader import OutsideFragment
from grundylab.prove.deciding import Deciding
from grundylab.prove.evidence import MANY, SMALL, clash, confirm, disproof, ground_truth, positions
from grundylab.prove.hypothesis import Hypothesis
from grundylab.prove.induction import choose_hypothesis
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
from grundylab.prove.outcome import Limits, Proof, Status
from grundylab.prove.readback import read_condition
from grundylab.prove.space import NotProvable
from grundylab.prove.statement import ASKED, split_where
from grundylab.solve.reference import show
from grundylab.solve.table import Table


def by_induction(
    ruleset: Ruleset, asked: Claim, parent: Ruleset | None, question: bool, limits: Limits
) -> Proof:
    """What MONA makes of the statement by induction on the measure, or of the tables that are looked at on the way."""
    unknown = Proof("undecided", asked.formula, asked.target, asked.where)
    try:
        return _Attempt(ruleset, asked, parent, question, limits).result()
    except (OutsideFragment, NotProvable) as error:
        return replace(unknown, reason=error.message)
    except _Unanswered as error:
        return replace(unknown, reason=str(error), script=error.script)


class _Unanswered(Exception):
    def __init__(self, reason: str, script: str) -> None:
        super().__init__(reason)
        self.script = script


class _Attempt:
    def __init__(
        self, ruleset: Ruleset, asked: Claim, parent: Ruleset | None, question: bool, limits: Limits
    ) -> None:
        self._ruleset, self._asked = ruleset, asked
        self._fixed = fixed = fixed_by(asked.where, ruleset.parameter_names)
        put = {name: syntax.Int(value) for name, value in fixed.items()}
        self._game = specialise(ruleset, fixed)
        self._parent = parent and specialise(
            parent, {name: value for name, value in fixed.items() if name in parent.parameter_names}
        )
        self._assuming, about = split_where(substitute(asked.where, put), self._game)
        self._statement = replace(asked, formula=substitute(asked.formula, put), where=about)
        self._question = question and bool(self._game.parameters)
        self._limits = limits
        # what is claimed to be true of every position needs no induction
        self._goal = SAID if asked.target == ALWAYS else INDUCTION

    # -- the course of a proof --------------------------------------------------------------------------------

    def result(self) -> Proof:
        """Refuted by a small table, else proved by MONA, else refuted by a large table or MONA, else undecided."""
        if not self._question and (early := self._refuted_by(self._tables)):
            return early
        sentence = self._sentence(self._goal)
        script = self._script(sentence)
        if self._question:
            return self._for_which()
        answer = self._hear(sentence, min(_QUICK, self._limits.timeout))
        if answer.status != "valid":
            if late := self._refuted_by(self._large_tables()):
                return replace(late, script=script)
            if answer.status == "timeout":
                answer = self._hear(sentence, self._limits.timeout)
        if self._answered(answer, script).status != "valid":
            return self._why_not(script)
        return self._proved(script, *self._exact_set())

    def _proved(self, script: str, condition: Expr | None, automaton: Automaton | None) -> Proof:
        playable = self._playable(condition)
        return self._proof(
            "proved", script=script, condition=condition, automaton=automaton, playable=playable
        )

    def _refuted_by(self, tables: Sequence[Table]) -> Proof | None:
        statement = self._statement
        tables = [t for t in tables if affordable((statement.formula, statement.where), t.instance)]
        if not tables:
            return None
        verdict = verify(statement.formula, statement.target, tables, statement.where)
        if verdict.status != "refuted":
            return None
        example = verdict.counterexample
        assert example is not None
        proof = self._refuted(example)
        if not self._game.parameters:
            return proof
        try:  # it may still hold for some of them
            condition, automaton = self._exact_set()
        except (OutsideFragment, NotProvable, _Unanswered):
            return proof
        return replace(proof, condition=condition, automaton=automaton)

    def _for_which(self) -> Proof:
        script = self._script(self._sentence(self._goal, self._game.parameter_names, TRUE))
        condition, automaton = self._good_for(self._goal)
        if condition == FALSE:
            proof = self._why_not(script)
            return replace(proof, condition=FALSE) if proof.status == "refuted" else proof
        if condition is not None:
            script = self._script(Sentence(self._goal, equal_to=condition))
        proof = self._proved(script, condition, automaton)
        if self._alone:
            return proof
        if condition is None:
            return self._undecided("the parameters for which the induction succeeds have no name", script)
        where = conjunction(self._statement.where, condition)
        return replace(proof, where=where, condition=None, automaton=None)

    def _exact_set(self) -> tuple[Expr | None, Automaton | None]:
        """The parameters for which the statement holds, so far as the induction tells.

        Where it fails, a claim that helps may be to blame, so only the statement's own induction is exact.
        """
        if not self._game.parameters:
            return TRUE, None
        return self._good_for(self._goal) if self._alone else (None, None)

    def _playable(self, condition: Expr | None) -> Expr | None:
        """The parameters for which the rules make a game, if that is not all; ``condition`` where they have no name.

        A statement that fails where there is no game is not to blame.
        """
        if condition in (TRUE, FALSE, None) or self._goal != INDUCTION:
            return None
        found, _ = self._good_for(PLAYABLE)
        return condition if found is None else None if found == TRUE else found

    def _good_for(self, goal: str) -> tuple[Expr | None, Automaton | None]:
        """The parameters for which the goal is so: as a condition if one is found, and MONA's automaton."""
        automaton = self._ask(
            self._sentence(goal, self._game.parameter_names, TRUE), automaton=True
        ).automaton
        assert automaton is not None

        def equal(condition: Expr) -> bool:
            return self._ask(Sentence(goal, equal_to=condition)).status == "valid"

        return read_condition(automaton, self._game, equal, self._limits.words), automaton

    @property
    def _alone(self) -> bool:
        """Whether the induction needs nothing but the statement: where it fails the statement is false."""
        return self._hypothesis.region == TRUE and set(self._hypothesis.origins) == {ASKED}

    def _why_not(self, script: str) -> Proof:
        """The induction fails somewhere: find where, and whether the statement is to blame."""
        names = (*self._game.coordinate_names, *self._game.parameter_names)
        goals = (NATURAL, STAYS, CLOSED, EXACT, FOLLOWS) if self._goal == INDUCTION else (NATURAL, FOLLOWS)
        for goal in goals:
            answer = self._ask(self._sentence(goal, names))
            if answer.status == "valid":
                continue
            assert answer.counterexample is not None
            values = {name: answer.counterexample.get(f"v_{name}", 0) for name in names}
            position = tuple(values[name] for name in self._game.coordinate_names)
            parameters = {name: values[name] for name in self._game.parameter_names}
            if goal in _FAULTS:
                given = ", ".join(f"{name}={value}" for name, value in parameters.items())
                at = show(self._game.coordinate_names, position) + (f" with {given}" if given else "")
                return self._undecided(_FAULTS[goal].format(at), script)
            return self._blamed(goal, parameters, position, script)
        return self._undecided("MONA's answers contradict each other; please report this", script)

    def _blamed(self, goal: str, parameters: dict[str, int], position: tuple[int, ...], script: str) -> Proof:
        """A counterexample of the induction is one of the statement only if ground truth says so."""
        statement, at = self._statement, show(self._game.coordinate_names, position)
        if statement.target == ALWAYS and (example := disproof(self._game, statement, parameters, position)):
            return self._refuted(example, script)
        verdict = confirm(
            self._game, statement.formula, statement.target, statement.where, parameters, position
        )
        if verdict is not None and verdict.counterexample is not None:
            return self._refuted(verdict.counterexample, script)
        if verdict is None and self._alone and statement.target.name == "p":
            fault = None
            with suppress(LimitError):
                fault = clash(self._game, statement.formula, parameters, position)
            if fault is not None:
                return self._proof("refuted", reason=fault, script=script)
        if self._alone and verdict is not None:
            raise AssertionError(
                f"MONA and the solver disagree at {at} with {parameters}; please report this"
            )
        return self._undecided(
            f"{at} {_WHY[goal]}, so the statement cannot be proved from these claims", script
        )

    def _undecided(self, reason: str, script: str) -> Proof:
        return self._proof("undecided", reason=reason, script=script)

    def _refuted(self, example: Counterexample, script: str | None = None) -> Proof:
        whole = replace(example, parameters={**self._fixed, **example.parameters})
        return self._proof("refuted", counterexample=whole, script=script)

    # -- what goes into it ------------------------------------------------------------------------------------

    @cached_property
    def _hypothesis(self) -> Hypothesis:
        return choose_hypothesis(self._game, self._statement, self._parent, lambda: self._tables)

    @cached_property
    def _deciding(self) -> Deciding:
        return Deciding(self._game, self._hypothesis, self._statement)

    @cached_property
    def _tables(self) -> tuple[Table, ...]:
        return self._tables_of(SMALL)

    def _large_tables(self) -> tuple[Table, ...]:
        """None if they do not fit the machine."""
        try:
            return self._tables_of(MANY)
        except InstanceError:
            return ()

    def _tables_of(self, most: int) -> tuple[Table, ...]:
        if self._statement.target == ALWAYS:
            try:
                return positions(self._game, self._assuming, most)
            # a variable of a claim may be negative, of which the logic knows nothing
            except InstanceError as error:
                raise NotProvable(error.message) from None
        values: Values = "grundy" if self._game.play == "normal" else "outcome"
        return ground_truth(self._game, self._assuming, values, most)

    # -- asking MONA, or the automata ---------------------------------------------------------------------------

    def _sentence(self, goal: str, free: tuple[str, ...] = (), assuming: Expr | None = None) -> Sentence:
        return Sentence(goal, free, self._assuming if assuming is None else assuming)

    def _script(self, sentence: Sentence) -> str:
        equal = sentence.equal_to
        goal = (
            sentence.goal
            if equal is None
            else f"is the induction right for exactly the parameters where {equal}"
        )
        return self._deciding.script(self._title(goal), sentence)

    def _title(self, goal: str) -> str:
        ruleset, asked = self._ruleset, self._asked
        fixed = "".join(f", {name} = {value}" for name, value in self._fixed.items())
        return (
            f"grundylab: {ruleset.name} ({ruleset.title}){fixed}\n"
            f"target {asked.target}: {asked.formula}\nwhere {asked.where}\n"
            f"This file asks: {goal}\nRun it with: mona FILE"
        )

    def _ask(self, sentence: Sentence, automaton: bool = False) -> MonaAnswer:
        answer = self._hear(sentence, self._limits.timeout, automaton)
        return answer if answer.status in _ANSWERS else self._answered(answer, self._script(sentence))

    def _hear(self, sentence: Sentence, timeout: float, automaton: bool = False) -> MonaAnswer:
        script = self._script(sentence)
        return self._deciding.answer(script, sentence, timeout, self._limits.memory, automaton)

    def _answered(self, answer: MonaAnswer, script: str) -> MonaAnswer:
        if answer.status not in _ANSWERS:
            raise _Unanswered(answer.message, script)
        return answer

    def _proof(self, status: Status, **evidence: object) -> Proof:
        asked, fixed = self._asked, tuple(self._fixed.items())
        proof = Proof(status, asked.formula, asked.target, asked.where, fixed=fixed, **evidence)  # type: ignore[arg-type]
        if status != "proved":
            return proof
        used = tuple(origin for origin in self._hypothesis.origins if origin != ASKED)
        return replace(proof, used=used, hypothesis=self._hypothesis, procedure=self._deciding.procedure)


_ANSWERS = ("valid", "unsatisfiable", "mixed")
_QUICK = 3.0  # seconds: almost every theorem is proved sooner
_FAULTS = {
    NATURAL: "a coordinate may begin below 0: see {}",
    STAYS: "a move from {} leaves the position space or does not lower the measure",
}
_WHY = {
    CLOSED: "has options that no claim is about",
    EXACT: "contradicts its options in the induction",
    FOLLOWS: "is a position of which no claim says enough",
}
