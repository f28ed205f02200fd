"""The search for proofs by induction: this module chooses the hypothesis, and the kernel decides (docs/proved.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from grundylab.automata.dfa import Dfa, TooLarge, natural_tuples
from grundylab.automata.digits import MAX_ARITY
from grundylab.check.verification import Counterexample, ranges_affordable, verify
from grundylab.errors import InstanceError
from grundylab.games.instance import Position
from grundylab.games.model import ALWAYS, Claim, Ruleset, Values
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language.substitution import with_user_names
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Accepts,
    Expr,
    Kind,
    Name,
    compare,
    conjunction,
    conjuncts,
    equalities,
    free_names,
)
from grundylab.logic.fragment import OutsideFragment
from grundylab.prove.core.decide import GameReader
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.formulas import Formulas
from grundylab.prove.core.game import CLOSED, EXACT, FOLLOWS, NATURAL, STAYS
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.solution import PLAYABLE, Decider, parts_of, question_of
from grundylab.prove.core.space import NotProvable, check_provable
from grundylab.prove.core.theorem import Refused
from grundylab.prove.gate import refutation_at
from grundylab.prove.ground_truth import MANY, SMALL, confirm_counterexample, ground_truth
from grundylab.prove.hypothesis import ASKED, choose_hypothesis
from grundylab.prove.outcome import Disagreement, Limits, Proof
from grundylab.prove.parameter_conditions import read_condition
from grundylab.records.proofs import ProofStatus
from grundylab.solve.reference import position_text
from grundylab.solve.table import Table
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


@dataclass(frozen=True)
class InductionSearch:
    """The kernel, limits and parent of a search. parent: the game that this one extends, whose claims may help."""

    kernel: Kernel
    limits: Limits
    parent: Ruleset | None = None


def prove_by_induction(statement: Statement, question: bool, search: InductionSearch) -> Proof:
    """Return the outcome of a proof by induction on the measure; tables made on the way may refute the statement.

    question: True to ask for which parameters the statement is true, False to assert it for all.
    """
    try:
        return _Attempt(statement, question, search).result()
    except (OutsideFragment, TooLarge, NotProvable, Refused) as error:
        return undecided_proof(statement, error.message)


def undecided_proof(statement: Statement, reason: str) -> Proof:
    """Return an undecided outcome for the statement with this reason."""
    return Proof("undecided", statement.formula, statement.target, statement.where, reason=reason)


def readable(game: GameReader, claim: Claim, cells: int) -> bool:
    """Tell whether automata can read the claim; if not, it cannot help an induction. cells: the budget for this."""
    game.work.give(cells)
    value = Name("=g")
    try:
        for part in (claim.where, claim.formula):
            game.atoms.true(part if part.kind is Kind.CONDITION else compare("==", value, part))
    except OutsideFragment:
        return False
    return True


class _Attempt:
    def __init__(self, statement: Statement, question: bool, search: InductionSearch) -> None:
        self._asked, self._kernel = statement, search.kernel
        self._limits, whole = search.limits, statement.game
        self._fixed = fixed = fixed_values(statement.where, whole.parameter_names)
        self._game, bare = question_of(statement, Induction())
        self._parent = search.parent and specialise(
            search.parent,
            {name: value for name, value in fixed.items() if name in search.parent.parameter_names},
        )
        self._assuming, about = split_condition(bare.where, self._game)
        self._statement = Claim(ASKED, statement.target, bare.formula, about)
        self._question = question and bool(self._game.parameters)
        self._parts = parts_of(statement.target)

    # -- the course of a proof --------------------------------------------------------------------------------

    def result(self) -> Proof:
        """Return the outcome of the first step that decides.

        The steps are: refute by a small table; prove; refute by a large table or at one position; leave undecided.
        """
        if self._question:
            return self._for_which()
        if early := self._refuted_by(self._tables_of(SMALL)):
            return early
        good: bool | None = None
        with suppress(TooLarge):
            good = self._decider.example(self._parts, self._assuming, _QUICK) is None
        if not good:
            large: tuple[Table, ...] = ()
            with suppress(InstanceError):  # they do not fit into memory
                large = self._tables_of(MANY)
            if late := self._refuted_by(large):
                return late
        if good is None:
            good = self._decider.example(self._parts, self._assuming) is None
        return self._proved(*self._exact_set()) if good else self._analyse_failure()

    def _proved(self, condition: Expr | None, automaton: Dfa | None) -> Proof:
        check_provable(self._game)
        playable = None  # where the rules make a game, as other parameters refute no statement; None for all
        if condition not in (TRUE, FALSE, None):
            rules, _ = self._good_for([part for part in PLAYABLE if part in self._parts])
            playable = condition if rules is None else rules
        playable = None if playable == TRUE else playable
        proof = self._proof("proved", condition=condition, automaton=automaton, playable=playable)
        used = tuple(origin for origin in self._origins if origin != ASKED)
        whole = self._asked
        if not self._question:
            theorem = self._kernel.check(whole, self._evidence(TRUE, False))
            # without the conditions on parameters that have no fixed value
            fixing, coordinates = conjuncts(equalities(self._fixed.items())), set(self._game.coordinate_names)
            terms = conjuncts(whole.where)
            kept = (term for term in terms if term in fixing or free_names(term) & coordinates)
            whole = replace(whole, where=conjunction(*kept))
            if condition in (TRUE, None):
                return replace(proof, used=used, theorem=theorem)
        if condition is None and automaton is not None:
            if not 1 <= len(automaton.tracks) <= MAX_ARITY:
                raise NotProvable(
                    "no condition was found for the parameters for which the induction succeeds"
                )
            condition = Accepts(natural_tuples(automaton), tuple(map(Name, automaton.tracks)))
        condition = TRUE if condition is None else condition
        evidence = self._evidence(condition, self._is_self_contained and condition != TRUE)
        exact = self._kernel.check(whole.narrowed(condition), evidence)
        return replace(proof, used=used, theorem=exact if self._question else theorem, exact=exact)

    def _evidence(self, condition: Expr, exactly: bool) -> Induction:
        formulas = self._hypothesis
        return Induction(
            region=formulas.region,
            levels=formulas.levels,
            grundy=formulas.grundy,
            condition=condition,
            exactly=exactly,
        )

    def _refuted_by(self, tables: Sequence[Table]) -> Proof | None:
        statement = self._statement
        tables = [t for t in tables if ranges_affordable((statement.formula, statement.where), t.instance)]
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
        try:  # it may still hold for some parameter values
            condition, automaton = self._exact_set()
        except (OutsideFragment, TooLarge, NotProvable):
            return proof
        return replace(proof, condition=condition, automaton=automaton)

    def _for_which(self) -> Proof:
        condition, automaton = self._good_for(self._parts)
        if condition == FALSE:
            proof = self._analyse_failure()
            return replace(proof, condition=FALSE) if proof.status == "refuted" else proof
        proof = self._proved(condition, automaton)
        if self._is_self_contained:
            return proof
        if condition is None:
            return self._proof(
                "undecided",
                reason="no condition was found for the parameters for which the induction succeeds",
            )
        where = conjunction(self._asked.where, condition)
        return replace(proof, where=where, condition=None, automaton=None)

    def _exact_set(self) -> tuple[Expr | None, Dfa | None]:
        """Return the parameters for which the statement holds, as condition and automaton; each is None if not known.

        If other claims help the induction, they may be the reason why it fails, so the exact set is not known.
        """
        if not self._game.parameters:
            return TRUE, None
        return self._good_for(self._parts) if self._is_self_contained else (None, None)

    def _good_for(self, parts: Sequence[str]) -> tuple[Expr | None, Dfa | None]:
        """Return (condition, automaton) for the parameters for which these parts of the induction hold.

        The condition is None if none is found that is equal to the automaton.
        """
        automaton = self._decider.good_for(parts)

        def equal(condition: Expr) -> bool:
            try:
                return self._decider.good_exactly(parts, condition)
            except OutsideFragment:  # automata cannot read these words
                return False

        return read_condition(automaton, self._game, equal, self._limits.words), automaton

    @property
    def _is_self_contained(self) -> bool:
        """True if the hypothesis is the statement alone, for all positions: if the induction fails, it is false."""
        return self._hypothesis.region == TRUE and set(self._origins) == {ASKED}

    def _analyse_failure(self) -> Proof:
        """Return the outcome for an induction that fails: refuted if it shows the statement to be false, or undecided.

        If the hypothesis is the statement alone, the statement is right at all positions before the first one where the
        induction fails, and so it is wrong at that one; but only EXACT says that a position has the value that its
        options determine.
        """
        for part in self._parts:
            failure = self._decider.example((part,), self._assuming)
            if failure is None:
                continue
            smallest = None
            if part == EXACT and self._is_self_contained:
                with suppress(TooLarge, OutsideFragment):
                    smallest = self._decider.first(part, self._assuming)
            example = smallest or failure
            position = tuple(example[name] for name in self._game.coordinate_names)
            parameters = {name: example[name] for name in self._game.parameter_names}
            return self._judge_counterexample(part, parameters, position, first=smallest is not None)
        return self._proof(
            "undecided",
            reason="the induction fails at no position within the conditions, but is not proved either",
        )

    def _judge_counterexample(
        self, part: str, parameters: dict[str, int], position: Position, first: bool
    ) -> Proof:
        """Return the outcome for a position where a part of the induction fails: refuted if the game confirms it.

        first: True if it is the first such position, and the hypothesis is the statement alone.
        """
        statement, at = self._statement, position_text(self._game.coordinate_names, position)
        if part in _FAULTS:
            given = ", ".join(f"{name}={value}" for name, value in parameters.items())
            return self._proof(
                "undecided", reason=_FAULTS[part].format(at + (f" with {given}" if given else ""))
            )
        if statement.target == ALWAYS and (refutation := self._refuted_at(position, parameters)):
            return refutation
        verdict = confirm_counterexample(
            self._game, statement.formula, statement.target, statement.where, parameters, position
        )
        if verdict is not None and verdict.counterexample is not None:
            return self._refuted(verdict.counterexample)
        if (
            verdict is None
            and self._is_self_contained
            and (refutation := self._refuted_at(position, parameters, first))
        ):
            return refutation
        if self._is_self_contained and verdict is not None:
            raise Disagreement(
                f"{self._game.name}: the automata and the solver disagree at {at} with {parameters}; please report this"
            )
        below = self._statement.target.value if self._statement.target.name == "level" else 0
        more = f"; claims for {_LOWER[below > 1].format(below - 1)} may help" if below else ""
        return self._proof(
            "undecided",
            reason=f"{at} {_WHY[part]}, so the statement cannot be proved from these claims{more}",
        )

    def _refuted_at(
        self, position: Position, parameters: Mapping[str, int], first: bool = False
    ) -> Proof | None:
        """Return the refutation if the statement contradicts itself at the position and its options; None otherwise."""
        seen = refutation_at(self._game, self._statement, parameters, position, first)
        if seen is None:
            return None
        if seen.wrong is not None:
            return self._refuted(seen.wrong)
        return self._proof("refuted", reason=seen.contradiction)

    def _refuted(self, example: Counterexample) -> Proof:
        whole = replace(example, parameters={**self._fixed, **example.parameters})
        return self._proof("refuted", counterexample=whole)

    # -- the hypothesis and ground truth --------------------------------------------------------------------

    @cached_property
    def _choice(self) -> tuple[Formulas, tuple[str, ...]]:
        def can_help(claim: Claim) -> bool:
            check_provable(self._game)
            automata = self._kernel.games.of(self._game, (self._asked.formula, self._asked.where))
            return readable(automata, claim, self._limits.cells)

        formulas, origins = choose_hypothesis(
            self._game, self._statement, self._parent, lambda: self._tables_of(SMALL), can_help
        )
        taken = {*self._game.formula_names, *self._game.bounds}
        levels = tuple(with_user_names(level, taken) for level in formulas.levels)
        grundy = formulas.grundy and with_user_names(formulas.grundy, taken)
        return Formulas(with_user_names(formulas.region, taken), grundy, levels), origins

    @property
    def _hypothesis(self) -> Formulas:
        return self._choice[0]

    @property
    def _origins(self) -> tuple[str, ...]:
        """The ids of the claims that the hypothesis comes from."""
        return self._choice[1]

    @cached_property
    def _decider(self) -> Decider:
        hypothesis = self._hypothesis
        evidence = Induction(region=hypothesis.region, levels=hypothesis.levels, grundy=hypothesis.grundy)
        game, question = question_of(self._asked, evidence)
        return self._kernel.decider(game, question)

    def _tables_of(self, most: int) -> tuple[Table, ...]:
        """Return tables of ground truth, which the kernel keeps for all formulas that are tested on them."""
        values: Values | None = None
        if self._statement.target != ALWAYS:
            values = "grundy" if self._game.play == "normal" else "outcome"
        of = "ground truth", self._game.hash, self._assuming, values, most
        try:
            return self._kernel.kept(of, lambda: ground_truth(self._game, self._assuming, values, most))
        except InstanceError as error:
            if values is not None:
                raise
            # a variable may be negative, which the logic cannot express
            raise NotProvable(error.message) from None

    def _proof(self, status: ProofStatus, **evidence: object) -> Proof:
        asked, fixed = self._asked, tuple(self._fixed.items())
        return Proof(status, asked.formula, asked.target, asked.where, fixed=fixed, **evidence)  # type: ignore[arg-type]


_QUICK = 60_000_000  # cells of transition tables: almost every theorem is proved with fewer
_LOWER = ("target p", "target p, and for the Grundy numbers up to {}")  # the claims that a level needs
_FAULTS = {
    NATURAL: "a coordinate may begin below 0, as at {}",
    STAYS: "a move from {} leaves the position space or does not lower the measure",
}
_WHY = {
    CLOSED: "has options that no claim is about",
    EXACT: "contradicts its options in the induction",
    FOLLOWS: "is a position whose value follows from no claim",
}
