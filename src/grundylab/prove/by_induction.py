"""Proofs by induction on the measure: the sentence that it needs is decided by MONA (docs/proved.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from grundylab.automata.automaton import Automaton
from grundylab.check.verification import Counterexample, affordable, verify
from grundylab.errors import InstanceError, LimitError
from grundylab.games.model import ALWAYS, Ruleset, Target, Values
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language import syntax
from grundylab.language.substitution import substitute
from grundylab.language.syntax import FALSE, TRUE, Expr, conjunction
from grundylab.logic.mona import MonaAnswer, run_mona
from grundylab.logic.ws1s.reader import OutsideFragment
from grundylab.prove.evidence import MANY, SMALL, clash, confirm, disproof, ground_truth, positions
from grundylab.prove.hypothesis import Hypothesis
from grundylab.prove.induction import STATEMENT, choose_hypothesis
from grundylab.prove.obligations import (
    CLOSED,
    EXACT,
    FOLLOWS,
    INDUCTION,
    NATURAL,
    PLAYABLE,
    SAID,
    STAYS,
    Obligations,
)
from grundylab.prove.outcome import Limits, Proof, Status
from grundylab.prove.readback import read_condition
from grundylab.prove.space import NotProvable
from grundylab.prove.statement import Statement, split_where
from grundylab.solve.reference import show
from grundylab.solve.table import Table


def by_induction(
    ruleset: Ruleset,
    formula: Expr,
    target: Target,
    where: Expr,
    parent: Ruleset | None,
    question: bool,
    limits: Limits,
) -> Proof:
    """What MONA makes of the statement by induction on the measure, or of the tables that are looked at on the way."""
    try:
        return _Attempt(ruleset, formula, target, where, parent, question, limits).result()
    except (OutsideFragment, NotProvable) as error:
        return Proof("undecided", formula, target, where, reason=error.message)
    except _Unanswered as error:
        return Proof("undecided", formula, target, where, reason=str(error), script=error.script)


def valid_again(
    game: Ruleset, statement: Statement, hypothesis: Hypothesis, assuming: Expr, limits: Limits
) -> str:
    """The script of an induction that is known. Raises NotProvable where MONA does not find it valid, and why."""
    goal = SAID if statement.target == ALWAYS else INDUCTION
    try:
        title = f"grundylab: {game.name}: {statement.target}: {statement.formula}"
        script = Obligations(game, hypothesis, statement).script(title, goal, assuming=assuming)
    except OutsideFragment as error:
        raise NotProvable(error.message) from None
    answer = run_mona(script, timeout=limits.timeout, memory=limits.memory)
    if answer.status != "valid":
        raise NotProvable(answer.message or "MONA does not find it valid")
    return script


class _Unanswered(Exception):
    def __init__(self, reason: str, script: str) -> None:
        super().__init__(reason)
        self.script = script


class _Attempt:
    def __init__(
        self,
        ruleset: Ruleset,
        formula: Expr,
        target: Target,
        where: Expr,
        parent: Ruleset | None,
        question: bool,
        limits: Limits,
    ) -> None:
        self._given = (ruleset, formula, target, where)
        fixed = fixed_by(where, ruleset.parameter_names)
        put = {name: syntax.Int(value) for name, value in fixed.items()}
        self._fixed = fixed
        self._game = specialise(ruleset, fixed)
        self._parent = parent and specialise(
            parent, {name: value for name, value in fixed.items() if name in parent.parameter_names}
        )
        assumed, about = split_where(substitute(where, put), self._game)
        self._assuming = assumed
        self._statement = Statement(substitute(formula, put), target, about)
        self._question = question and bool(self._game.parameters)
        self._limits = limits
        # what is claimed to be true of every position needs no induction
        self._goal = SAID if target == ALWAYS else INDUCTION

    # -- the course of a proof --------------------------------------------------------------------------------

    def result(self) -> Proof:
        """Refuted by a small table, else proved by MONA, else refuted by a large table or MONA, else undecided."""
        if not self._question and (early := self._refuted_by(self._tables)):
            return early
        hypothesis = self._hypothesis
        obligations = Obligations(self._game, hypothesis, self._statement)
        script = self._script(obligations, self._goal)
        if self._question:
            return self._for_which(obligations)
        answer = self._hear(script, min(_QUICK, self._limits.timeout))
        if answer.status not in ("valid", "missing"):
            if late := self._refuted_by(self._large_tables()):
                return replace(late, script=script)
            if answer.status == "timeout":
                answer = self._hear(script, self._limits.timeout)
        if self._answered(answer, script).status == "valid":
            condition, automaton = self._exact_set(obligations)
            playable = self._playable(obligations, condition)
            return self._proof(
                "proved", script=script, condition=condition, automaton=automaton, playable=playable
            )
        return self._why_not(obligations, script)

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
        proof = self._proof("refuted", counterexample=self._with_fixed(example))
        if not self._game.parameters:
            return proof
        try:  # it may still hold for some of them
            obligations = Obligations(self._game, self._hypothesis, self._statement)
            condition, automaton = self._exact_set(obligations)
        except (OutsideFragment, NotProvable, _Unanswered):
            return proof
        return replace(proof, condition=condition, automaton=automaton)

    def _for_which(self, obligations: Obligations) -> Proof:
        script = self._script(obligations, self._goal, self._game.parameter_names, TRUE)
        condition, automaton = self._inductive(obligations)
        if condition == FALSE:
            proof = self._why_not(obligations, script)
            return replace(proof, condition=FALSE) if proof.status == "refuted" else proof
        if condition is not None:
            script = self._exactly(obligations, condition)
        playable = self._playable(obligations, condition)
        if self._alone:
            return self._proof(
                "proved", script=script, condition=condition, automaton=automaton, playable=playable
            )
        if condition is None:
            return self._undecided("the parameters for which the induction succeeds have no name", script)
        where = conjunction(self._statement.where, condition)
        return replace(self._proof("proved", script=script, playable=playable), where=where)

    def _exact_set(self, obligations: Obligations) -> tuple[Expr | None, Automaton | None]:
        """The parameters for which the statement holds, so far as the induction tells.

        Where it fails, a claim that helps may be to blame, so only the statement's own induction is exact.
        """
        if not self._game.parameters:
            return TRUE, None
        return self._inductive(obligations) if self._alone else (None, None)

    def _playable(self, obligations: Obligations, condition: Expr | None) -> Expr | None:
        """The parameters for which the rules make a game, if that is not all; ``condition`` where they have no name.

        A statement that fails where there is no game is not to blame.
        """
        if condition in (TRUE, FALSE, None) or self._goal != INDUCTION:
            return None
        found, _ = self._good_for(obligations, PLAYABLE)
        return condition if found is None else None if found == TRUE else found

    def _inductive(self, obligations: Obligations) -> tuple[Expr | None, Automaton | None]:
        """The parameters for which the induction succeeds: as a condition if one is found, and MONA's automaton."""
        return self._good_for(obligations, self._goal)

    def _good_for(self, obligations: Obligations, goal: str) -> tuple[Expr | None, Automaton | None]:
        parameters = self._game.parameter_names
        answer = self._ask(self._script(obligations, goal, parameters, TRUE), automaton=True)
        assert answer.automaton is not None

        def equal(condition: Expr) -> bool:
            return self._ask(self._exactly(obligations, condition, goal)).status == "valid"

        return read_condition(answer.automaton, self._game, equal, self._limits.words), answer.automaton

    def _exactly(self, obligations: Obligations, condition: Expr, goal: str | None = None) -> str:
        title = self._title(f"is the induction right for exactly the parameters where {condition}")
        return obligations.script(title, goal or self._goal, equal_to=condition)

    @property
    def _alone(self) -> bool:
        """Whether the induction needs nothing but the statement: where it fails the statement is false."""
        return self._hypothesis.region == TRUE and set(self._hypothesis.origins) == {STATEMENT}

    def _why_not(self, obligations: Obligations, script: str) -> Proof:
        """The induction fails somewhere: find where, and whether the statement is to blame."""
        names = (*self._game.coordinate_names, *self._game.parameter_names)
        for goal in (
            (NATURAL, STAYS, CLOSED, EXACT, FOLLOWS) if self._goal == INDUCTION else (NATURAL, FOLLOWS)
        ):
            answer = self._ask(self._script(obligations, goal, names))
            if answer.status == "valid":
                continue
            assert answer.counterexample is not None
            values = {name: answer.counterexample.get(f"v_{name}", 0) for name in names}
            position = tuple(values[name] for name in self._game.coordinate_names)
            parameters = {name: values[name] for name in self._game.parameter_names}
            at = show(self._game.coordinate_names, position)
            if goal == NATURAL:
                return self._undecided(
                    f"a coordinate may begin below 0: see {at} {_given(parameters)}".rstrip(), script
                )
            if goal == STAYS:
                start = f"{at} {_given(parameters)}".rstrip()
                return self._undecided(
                    f"a move from {start} leaves the position space or does not lower the measure", script
                )
            return self._blamed(goal, parameters, position, script)
        return self._undecided("MONA's answers contradict each other; please report this", script)

    def _blamed(self, goal: str, parameters: dict[str, int], position: tuple[int, ...], script: str) -> Proof:
        """A counterexample of the induction is one of the statement only if ground truth says so."""
        statement, at = self._statement, show(self._game.coordinate_names, position)
        if statement.target == ALWAYS and (example := disproof(self._game, statement, parameters, position)):
            return self._proof("refuted", counterexample=self._with_fixed(example), script=script)
        verdict = confirm(
            self._game, statement.formula, statement.target, statement.where, parameters, position
        )
        if verdict is not None and verdict.counterexample is not None:
            return self._proof(
                "refuted", counterexample=self._with_fixed(verdict.counterexample), script=script
            )
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

    # -- what goes into it ------------------------------------------------------------------------------------

    @cached_property
    def _hypothesis(self) -> Hypothesis:
        return choose_hypothesis(self._game, self._statement, self._parent, lambda: self._tables)

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
            except (
                InstanceError
            ) as error:  # a variable of a claim may be negative, of which the logic knows nothing
                raise NotProvable(error.message) from None
        return ground_truth(self._game, self._assuming, self._values, most)

    @property
    def _values(self) -> Values:
        return "grundy" if self._game.play == "normal" else "outcome"

    # -- asking MONA ------------------------------------------------------------------------------------------

    def _script(
        self, obligations: Obligations, goal: str, free: Sequence[str] = (), assuming: Expr | None = None
    ) -> str:
        return obligations.script(
            self._title(goal), goal, free, self._assuming if assuming is None else assuming
        )

    def _title(self, goal: str) -> str:
        ruleset, formula, target, where = self._given
        fixed = "".join(f", {name} = {value}" for name, value in self._fixed.items())
        return (
            f"grundylab: {ruleset.name} ({ruleset.title}){fixed}\n"
            f"target {target}: {formula}\nwhere {where}\nThis file asks: {goal}\nRun it with: mona FILE"
        )

    def _ask(self, script: str, automaton: bool = False) -> MonaAnswer:
        return self._answered(self._hear(script, self._limits.timeout, automaton), script)

    def _hear(self, script: str, timeout: float, automaton: bool = False) -> MonaAnswer:
        return run_mona(script, timeout=timeout, memory=self._limits.memory, automaton=automaton)

    def _answered(self, answer: MonaAnswer, script: str) -> MonaAnswer:
        if answer.status in ("timeout", "memory", "missing", "error"):
            raise _Unanswered(answer.message, script)
        return answer

    def _with_fixed(self, example: Counterexample) -> Counterexample:
        return replace(example, parameters={**self._fixed, **example.parameters})

    def _proof(self, status: Status, **evidence: object) -> Proof:
        _, formula, target, where = self._given
        proof = Proof(status, formula, target, where, fixed=tuple(self._fixed.items()), **evidence)  # type: ignore[arg-type]
        if status != "proved":
            return proof
        used = tuple(origin for origin in self._hypothesis.origins if origin != STATEMENT)
        return replace(proof, used=used, hypothesis=self._hypothesis)


def _given(parameters: Mapping[str, int]) -> str:
    shown = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return f"with {shown}" if shown else ""


_QUICK = 3.0  # seconds: almost every theorem is proved sooner
_WHY = {
    CLOSED: "has options that no claim is about",
    EXACT: "contradicts its options in the induction",
    FOLLOWS: "is a position of which no claim says enough",
}
