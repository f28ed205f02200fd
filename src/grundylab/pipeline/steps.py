"""The steps of a study: one list for the workflow, for ``grundylab study`` and for notebooks.

A stage of the workflow takes the steps of its name, and writes the state to a file; ``grundylab study`` takes all of
them in one process. If grundylab chose the tables, a study has further steps: formulas that larger tables refute are
learnt again, parts of the positions are tried, and further engines are asked.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import inf
from pathlib import Path

from grundylab.check.judging import Checks
from grundylab.check.position_counts import finite_count, position_count
from grundylab.check.samples import collect
from grundylab.discover import EngineQuestion, Findings, engine_findings, uses_seed
from grundylab.discover.engines import READERS
from grundylab.discover.ranking import rank
from grundylab.discover.repairs import alternative_conditions
from grundylab.discover.rewriting import short_comparison, simplify
from grundylab.errors import GrundylabError
from grundylab.findings.answers import answer_order
from grundylab.findings.catalogue import Catalogue, catalogue_of, findings_with_rows, record_from_json
from grundylab.findings.claim_comparisons import COMPARING, with_relations
from grundylab.findings.joining import join_settings, proved_whole
from grundylab.findings.proof_records import (
    LATE,
    answers_about_claims,
    proof_record,
    proofs_by_equality,
    prove_all,
    with_proofs,
    write_script,
)
from grundylab.findings.results import NOTHING, Results, StudyRecord
from grundylab.findings.strategy_files import write_strategy
from grundylab.findings.strategy_search import how_to_win
from grundylab.findings.verdicts import (
    ClaimSeconds,
    Splits,
    verified_claims,
    verified_family_claims,
    verified_formulas,
)
from grundylab.findings.wording import number_with_noun
from grundylab.games import Target
from grundylab.games.layers import NotLayered, TooManyLayers
from grundylab.games.model import GRUNDY, P_POSITIONS, Claim
from grundylab.language import Expr
from grundylab.language.syntax import TRUE, Bool, Int, by_cases, conjunction, equalities
from grundylab.pipeline.default_tables import usual_parts
from grundylab.pipeline.study import Study
from grundylab.progress import BeginPart, silent
from grundylab.prove.outcome import Disagreement, Limits
from grundylab.prove.prover import prove_claim
from grundylab.records.finding import Finding, LearntTables, SplitName, distinct
from grundylab.records.proofs import RIGHT, ProofRecord
from grundylab.solve import solve
from grundylab.solve.instance_choice import instances_beyond
from grundylab.solve.table import Table

# Shares of the budget of a study. Of each stage: together the whole budget
SHARES = {"fit": 1 / 2, "rows": 1 / 20, "verify": 1 / 10, "prove": 3 / 10, "win": 1 / 20}
# and, within its stage, the most for all engines, about the first target and about another one; for each setting of the
# parameters alone, if no formula fits all; for the parts of the positions, and for one part
FIRST, ENGINES, EACH, PARTS, PART = 1 / 3, 1 / 5, 1 / 12, 1 / 5, 1 / 24
ALONE = 16  # the most settings of the parameters that are learnt from one by one
PART_ENGINES = ("search",)  # the engines that are asked about a part of the positions
WINNING = 10.0  # seconds, as in ``Limits``, for the proof of a strategy
PYSR = "pysr"  # the engine that runs separately, in one process for all studies
STAGES = ("solve", *SHARES)
ASK = "ask"  # the stage of a survey's games in place of prove: their claims are questions
UNCHECKED = "right at all training positions, and no table has others to test it on"
ReadSplit = Callable[[SplitName], Sequence[Table]]


def _cpu_seconds() -> float:
    """Return the processor time of this process, and of the programs that it called and that have ended."""
    return sum(os.times()[:4])


class Clock:
    """A clock of processor time: each stage has its share of the budget, and what the stages before it left over."""

    def __init__(self, budget: float = inf) -> None:
        """Start the clock. budget: that of the whole study, in seconds."""
        self.budget = budget
        self._end = _cpu_seconds()

    def begin(self, stage: str) -> None:
        """Begin a stage."""
        if stage in SHARES:
            self._end += SHARES[stage] * self.budget

    def left(self, share: float = 1) -> float:
        """Return the seconds that remain to the stage, at most the fraction ``share`` of the whole budget."""
        return min(self._end - _cpu_seconds(), share * self.budget)


@dataclass(frozen=True)
class StudyState:
    """The state of a study: its results so far, and the current step.

    doing: the current step in words; empty at the end. results: of the steps so far; from the step ``verify`` on, they
    are judged by the test tables. failed: the steps that failed, each with the reason.
    """

    study: Study
    doing: str = ""
    results: Results = NOTHING
    failed: tuple[str, ...] = ()

    @cached_property
    def catalogue(self) -> Catalogue:
        """The results so far, as the catalogue that a run of the workflow would write."""
        about = {**self.study.about, "study": self.study.name, "open": None, **self.study.made}
        record = record_from_json(StudyRecord, about, self.study.name)
        return catalogue_of([(record, self.without_unchecked)])

    @cached_property
    def without_unchecked(self) -> Results:
        """The results without the formulas that were checked only where they were learnt.

        The engines of their targets have a note about them instead. Those are kept that are refuted or proved, unless
        the proof is about finitely many positions of a game with others.
        """
        unchecked = {
            finding.statement
            for finding in self.results.formulas
            if finding.reason == UNCHECKED
            and (finding.status == "undecided" or (finding.where != TRUE and finding.finite is not None))
        }
        counts = Counter(f.target for f in self.results.formulas if f.statement in unchecked)
        notes = {
            target: f"left out: {number_with_noun(count, 'formula')}, {UNCHECKED}"
            for target, count in counts.items()
        }
        runs = tuple(
            replace(run, notes=(notes[run.target], *run.notes)) if run.target in notes else run
            for run in self.results.runs
        )
        findings = tuple(f for f in self.results.findings if f.claimed or f.statement not in unchecked)
        return replace(self.results, runs=runs, findings=findings)

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """The findings so far, with those of rows, and without what was checked only where it was learnt."""
        return findings_with_rows(self.without_unchecked.findings, self.results.rows)

    @cached_property
    def formulas(self) -> Sequence[Finding]:
        """The formulas among ``findings``, the first of each statement."""
        return distinct(self.findings)

    def found(self, target: Target) -> bool:
        """Tell whether there is an answer; see ``answer_stands``."""
        return answer_stands(self.study, self.results.formulas, target)

    def right(self, target: Target) -> bool:
        """Tell whether a formula for the target holds or is proved."""
        return any(finding.target == target and finding.status in RIGHT for finding in self.formulas)

    def lacks(self, target: Target) -> bool:
        """Tell whether no formula for the target holds or is proved."""
        return not self.right(target)

    def refuted(self, target: Target) -> bool:
        """Tell whether engines found a formula (see ``found``), but none for the target holds in the larger tables."""
        return self.lacks(target) and self.found(target)

    @property
    def open(self) -> Results:
        """The formulas and claims that hold but are not proved."""
        claims = [finding for finding in self.findings if finding.claimed]
        holding = tuple(finding for finding in (*self.formulas, *claims) if finding.status == "holds")
        return Results(findings=holding)

    def unproved(self, target: Target) -> bool:
        """Tell whether a formula for the target holds, but none is proved."""
        statuses = {finding.status for finding in self.formulas if finding.target == target}
        return "holds" in statuses and "proved" not in statuses

    def engines_run(self, target: Target) -> set[str]:
        """Return the engines that have searched for formulas for the target."""
        return {run.engine for run in self.results.runs if run.target == target}

    def with_results(self, more: Results) -> StudyState:
        """Return the state with these results added."""
        return replace(self, results=self.results + more)


def answer_stands(study: Study, findings: Iterable[Finding], target: Target) -> bool:
    """Tell whether a formula for all positions, without lookups, is right in all tables that its engine has seen.

    These are the tables from which it learnt and those on which it tested the formula. If the study learns from each
    setting of the parameters alone, every setting needs such a formula.
    """
    right = {f.where for f in findings if f.target == target and f.exact and not f.values}
    if study.each:
        return {equalities(instance.parameters) for instance in study.train} <= right
    return not right.isdisjoint({TRUE, study.where})


@dataclass(frozen=True)
class StudyStep:
    """A step of a study.

    words: what it does. take: returns the state after it. needed: tells whether the state leaves it something to do.
    target: what it is about, if that is one target; ``take`` and ``needed`` get it after the state.
    """

    words: str
    take: Callable[..., StudyState]
    needed: Callable[..., bool] = lambda *_: True
    target: tuple[Target, ...] = ()


@dataclass(frozen=True)
class Steps:
    """The steps of a study over its tables.

    read: returns the tables of a split; each is read once. folder: where proofs are written. begin: is called with the
    name of each part of a step. asked, seconds: receive what the engines say, and the seconds of each claim.
    """

    study: Study
    read: ReadSplit
    folder: Path
    clock: Clock = field(default_factory=Clock)
    begin: BeginPart = silent
    asked: list[Findings] = field(default_factory=list)
    seconds: ClaimSeconds = field(default_factory=dict)

    # -- the tables ----------------------------------------------------------------------------------------------------

    @cached_property
    def train(self) -> Sequence[Table]:
        """The tables to learn from."""
        return self.read("train")

    @cached_property
    def validate(self) -> Sequence[Table]:
        """The tables on which an answer is tried; of a study with chosen tables, engines solve them when needed."""
        return self.read("validate")

    @cached_property
    def test(self) -> Sequence[Table]:
        """The tables to check on; if those chosen by grundylab cannot be solved, the tables to learn from."""
        try:
            return self.read("test")
        except GrundylabError:
            if not self.study.chosen:
                raise
            return self.train

    @property
    def rungs(self) -> list[list[Table]]:
        """The tables of each rung (see ``Study.rungs``): first the training tables, then larger and larger ones."""
        tables = [*self.train, *self.validate]
        return [[tables[place] for place in rung] for rung in self.study.rungs]

    @property
    def has_strategy(self) -> bool:
        """True if a strategy is sought: of one game, with tables that grundylab solves, and with targets."""
        return bool(self.study.targets) and not (self.study.ruleset.free or self.study.given)

    # -- the steps -----------------------------------------------------------------------------------------------------

    def of_stage(self, stage: str) -> Iterator[StudyStep]:
        """Yield the steps of a stage, in order."""
        study = self.study
        if stage == "solve":
            labels = dict.fromkeys(instance.label for instance in (study.train[0], study.train[-1]))
            yield StudyStep(f"solving {' to '.join(labels)}", self.solved)
        elif stage == "fit":
            yield from self._for_targets("looking for formulas", self.formulas)
        elif stage == "rows" and study.rows is not None:
            yield StudyStep("looking for periods of rows", self.rows, self.asks_for_rows)
        elif stage == "verify":
            yield StudyStep("checking on larger tables", self.verdicts)
            if study.chosen:
                yield from self._for_targets(
                    "training again on larger tables", self.again, StudyState.refuted
                )
        elif stage == ASK:
            yield StudyStep("finding the parameters for which the claims are true", self.answers)
        elif stage == "prove":
            yield StudyStep("proving", self.proofs)
            if study.chosen:
                if len(study.train) > 1 and not _is_finite(study):
                    words = "proving for each parameter setting"
                    yield StudyStep(words, self.proofs_of_settings, lambda state: state.open != NOTHING)
                words = "taking P-positions from Grundy numbers"
                yield StudyStep(words, self.from_values, self.asks_for_values)
                words = "looking for formulas for some of the positions"
                yield from self._for_targets(words, self.parts, StudyState.lacks)
                words = "looking for a formula that can be proved"
                yield from self._for_targets(words, self.readers, self.asks_readers)
                words = "proving with the help of earlier proofs"
                yield StudyStep(words, self.proofs_with_help, self.asks_for_help)
            words = "joining the proofs for individual parameter settings"
            yield StudyStep(
                words, self.joined, lambda state: bool(join_settings(study.ruleset, state.formulas))
            )
        elif stage == "win" and self.has_strategy:
            yield StudyStep("looking for a strategy", self.strategy)

    def _for_targets(
        self,
        words: str,
        take: Callable[[StudyState, Target], StudyState],
        needed: Callable[[StudyState, Target], bool] = lambda *_: True,
    ) -> Iterator[StudyStep]:
        """Return a step for each target of the engines."""
        return (StudyStep(f"{words}: {target}", take, needed, (target,)) for target in self.study.engines)

    def states(self, state: StudyState, *stages: str) -> Iterator[StudyState]:
        """Yield the state before each step of these stages (by default all) and, at the end, the final state.

        ``doing`` names the step that follows. A caller may stop early and keep the last state. If grundylab chose the
        tables, a step that is impossible for this game is recorded in ``failed``, and the next step follows.
        """
        for stage in stages or STAGES:
            self.clock.begin(stage)
            for step in self.of_stage(stage):
                if not step.needed(state, *step.target):
                    continue
                yield (state := replace(state, doing=step.words))
                self.begin(step.words)
                try:
                    state = step.take(state, *step.target)
                except Disagreement:
                    raise  # two procedures contradict each other: nothing that follows could be trusted
                except GrundylabError as error:
                    if stage == "solve" or not self.study.chosen:
                        raise
                    state = replace(state, failed=(*state.failed, f"{step.words}: {error.message}"))
        statements = (*state.results.formulas, *state.results.claims)
        late = sum(proof.reason == LATE for statement in statements for proof in statement.proofs)
        notes = (f"{number_with_noun(late, 'proof')} {LATE}; a larger budget gives more",) if late else ()
        yield replace(state, doing="", failed=(*state.failed, *notes))

    def after(self, state: StudyState, *stages: str) -> StudyState:
        """Return the state after the steps of these stages."""
        *_, state = self.states(state, *stages)
        return state

    def judged(self, state: StudyState) -> StudyState:
        """Return the state of a study that was interrupted, judged at least by the tables that were learnt from."""
        if all("test" in finding.tables for finding in state.results.findings):
            return state
        return replace(state, results=self._verified(state.results, {"test": self.train}, first=True))

    def solved(self, state: StudyState) -> StudyState:
        """Return the state unchanged, after the tables to learn from are solved."""
        assert self.train, "there are no tables to train on"
        return state

    # -- formulas ------------------------------------------------------------------------------------------------------

    def formulas(self, state: StudyState, target: Target) -> StudyState:
        """Return the state with formulas for the target.

        They are sought for all settings of the parameters together and, if none is right, for each setting alone.
        """
        study, (train, *above) = self.study, self.rungs
        rungs = None if study.chosen else above
        engines = tuple(engine for engine in study.engines[target] if engine != PYSR)
        within = self.clock.left(FIRST if target == next(iter(study.engines)) else ENGINES)
        state = state.with_results(self.propose(study, target, train, within, engines, rungs))
        settings = {instance.parameters for instance in study.train}
        if study.each or state.found(target) or not 1 < len(settings) <= ALONE or _is_finite(study):
            return state
        if self.clock.left() <= 0:
            return state  # each setting would take the time of a short search
        alone = study.model_copy(update={"each": True, "budget": study.budget / len(settings), "budgets": {}})
        engines = tuple(engine for engine in engines if not uses_seed(engine))
        return state.with_results(self.propose(alone, target, train, self.clock.left(EACH), engines, rungs))

    def propose(
        self,
        study: Study,
        target: Target,
        tables: Sequence[Table],
        within: float = inf,
        engines: Sequence[str] | None = None,
        above: Sequence[Sequence[Table]] | None = None,
    ) -> Results:
        """Run engines in turn to find formulas for the target in these tables; return what they propose.

        Unless the study asks all engines, those after the first with an answer do not run. within: seconds for all
        engines together, if not all are asked. engines: by default the study's. above: the larger tables on which
        answers are tried; None if they are to be solved when needed.
        """
        within = inf if study.ask == "all" else within
        runs = engine_findings(
            tables,
            EngineQuestion(target, study.seed, study.budget, study.seeds, within, study.budgets),
            study.engines[target] if engines is None else engines,
            study.where,
            study.each,
            above=above,
            every=study.ask == "all",
            begin=lambda engine: self.begin(f"looking for {target}: {engine}"),
        )
        self.asked.extend(runs)
        candidates = tuple(candidate for run in runs for candidate in run.candidates)
        return Results(runs=tuple(run.run for run in runs), findings=candidates)

    def again(self, state: StudyState, target: Target) -> StudyState:
        """Return the state with formulas of engines that have not run yet, or of all, for those that were refuted.

        The engines that have not run yet learn from the same tables as the others. If none of their formulas is right,
        all engines learn from the tables that refuted the others, and are judged on larger ones.
        """
        wrong = state.engines_run(target)
        others = tuple(engine for engine in self.study.engines[target] if engine not in wrong)
        first = self._of(others, target)
        if any(finding.status == "holds" for finding in first.formulas):
            return state.with_results(first)
        engines = (*others, *(engine for engine in self.study.engines[target] if engine in wrong))
        proposed = self.propose(self.study, target, self.test, self.clock.left(ENGINES), engines)
        if not any(finding.exact for finding in proposed.findings):
            return state
        try:
            larger = instances_beyond(self.study.test, self.study.seconds, self.study.values)
            tables = [solve(instance, self.study.values) for instance in larger]
        except GrundylabError:  # the rules make no game of this size
            tables = []
        return state.with_results(self._checked(proposed, self.test, tables or self.test))

    def parts(self, state: StudyState, target: Target) -> StudyState:
        """Return the state with formulas for parts of the positions, and their proofs.

        The divisions of ``usual_parts`` are tried in order. If each part of a division has a formula, these become one
        formula by cases for all positions, and no further division is tried. Otherwise the first parts with formulas
        are kept.
        """
        formulas, end = list[Finding](), self.clock.left() - PARTS * self.clock.budget
        for wheres in usual_parts(self.study.ruleset):
            if self.clock.left() <= max(end, 0):
                break
            if formulas and len(wheres) == 1:
                continue
            right = [one for where in wheres if (one := self._part(target, where)) is not None]
            if len(wheres) > 1 and len(right) == len(wheres):
                cases = [(where, part.formula) for where, part in zip(wheres, right[:-1], strict=False)]
                whole = self._judged(by_cases(cases, right[-1].formula), target, right)
                formulas = right if whole is None else [whole]
                break
            if not formulas and not all(isinstance(one.formula, Bool | Int) for one in right):
                formulas = right  # a constant value of a part says little
        if not formulas:
            return state
        return state.with_results(self._proved(Results(findings=tuple(formulas))))

    def asks_for_values(self, state: StudyState) -> bool:
        """Tell whether P-positions are sought, and no formula for them is right, but one for Grundy numbers is."""
        return P_POSITIONS in self.study.engines and state.lacks(P_POSITIONS) and state.right(GRUNDY)

    def from_values(self, state: StudyState) -> StudyState:
        """Return the state with the P-positions as those where the best formula for Grundy numbers is 0."""
        whole = (finding for finding in state.formulas if finding.where in (TRUE, self.study.where))
        right = [finding for finding in whole if finding.target == GRUNDY and finding.status in RIGHT]
        if not right:
            return state
        best = min(right, key=answer_order)
        zeros = self._judged(short_comparison("==", best.formula, 0), P_POSITIONS, [best])
        if zeros is None:
            return state
        return state.with_results(self._proved(Results(findings=(zeros,))))

    def readers(self, state: StudyState, target: Target) -> StudyState:
        """Return the state with formulas, and their proofs, of the engines in ``READERS`` that have not run yet."""
        engines = tuple(engine for engine in READERS if engine not in state.engines_run(target))
        return state.with_results(self._proved(self._of(engines, target)))

    def _of(self, engines: Sequence[str], target: Target) -> Results:
        """Return what these engines propose, with the verdicts of the larger tables."""
        proposed = self.propose(self.study, target, self.train, self.clock.left(ENGINES), engines)
        return self._checked(proposed, self.train, self.test)

    def _part(self, target: Target, where: Expr) -> Finding | None:
        """Return the best formula for the positions in ``where`` that holds in the larger tables; None if none does."""
        about = self.study.model_copy(update={"where": conjunction(self.study.where, where)})
        proposed = self.propose(about, target, self.train, self.clock.left(PART), PART_ENGINES)
        if not any(finding.exact for finding in proposed.findings):
            return None
        checked = self._checked(proposed, self.train, self.test, where=about.where).formulas
        return min((f for f in checked if f.status == "holds"), key=answer_order, default=None)

    def _judged(self, formula: Expr, target: Target, parts: Sequence[Finding]) -> Finding | None:
        """Return the formula as a finding if it holds in the larger tables; None if it does not.

        parts: the findings from whose formulas it is made, and with which it shares its origin.
        """
        last, samples = parts[-1], collect(self.train, target, self.study.where)
        ranked = rank([simplify(formula)], samples, target, last.origin.engine, self.study.seed)
        first = LearntTables(instances=last.origin.training, positions=len(samples))
        learnt = (first, *dict.fromkeys(tables for part in parts for tables in part.origin.learnt[1:]))
        proposed = [replace(finding, origin=replace(finding.origin, learnt=learnt)) for finding in ranked]
        judged, *_ = self._checked(Results(findings=tuple(proposed)), self.train, self.test).formulas
        return judged if judged.status == "holds" else None

    def asks_readers(self, state: StudyState, target: Target) -> bool:
        """Tell whether a formula for the target holds that is not proved, and there is time to look for another."""
        return state.unproved(target) and self.clock.left() > 0 and not self.study.ruleset.misere_sums

    # -- rows ----------------------------------------------------------------------------------------------------------

    def asks_for_rows(self, state: StudyState) -> bool:
        """Tell whether rows are of interest: of P-positions that were chosen, if no formula describes them all."""
        rows = self.study.rows
        return rows is not None and not (
            self.study.chosen and rows.target == str(P_POSITIONS) and state.found(P_POSITIONS)
        )

    def rows(self, state: StudyState) -> StudyState:
        """Return the state with the periods of the study's rows; if these were chosen, unchanged without rows."""
        from grundylab.pipeline.rows_and_heaps import row_records  # numba takes long to import

        assert self.study.rows is not None
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            records = row_records(self.study.ruleset, self.study.rows, self.folder, self.study.seed)
        except TooManyLayers:
            raise
        except NotLayered:  # the game is not recognised as one with rows
            if not self.study.chosen:
                raise
            return state
        return state.with_results(Results(rows=tuple(records)))

    # -- verdicts ------------------------------------------------------------------------------------------------------

    def verdicts(self, state: StudyState) -> StudyState:
        """Return the state with verdicts on all formulas and on the ruleset's claims from the test tables."""
        study = self.study
        if study.every:
            claims = verified_family_claims(study.ruleset, study.test, study.every, self.seconds)
            return replace(state, results=Results(findings=tuple(claims)))
        if study.chosen:
            verified = self._checked(state.results, self.train, self.test, first=True)
        else:
            splits: Splits = {"train": self.train, "validate": self.validate, "test": self.test}
            verified = self._verified(state.results, splits, first=True)
        return replace(state, results=verified)

    def _verified(
        self, proposed: Results, splits: Splits, where: Expr | None = None, first: bool = False
    ) -> Results:
        """Return the formulas with their verdicts, which the test tables decide.

        where: the positions that they are about; by default those of the study. first: whether the study's claims are
        judged, too.
        """
        study, checks = self.study, Checks()
        formulas = verified_formulas(
            study.ruleset,
            proposed.findings,
            splits,
            study.where if where is None else where,
            each=study.each,
            checks=checks,
            targets=[run.target for run in proposed.runs],
        )
        claims = (
            verified_claims(study.ruleset, splits["test"], self.seconds, checks, self.begin)
            if first and study.judges_claims
            else []
        )
        return replace(proposed, findings=(*formulas, *claims))

    def _checked(
        self,
        proposed: Results,
        learnt: Sequence[Table],
        tables: Sequence[Table],
        where: Expr | None = None,
        first: bool = False,
    ) -> Results:
        """Return what the engines propose, with the verdicts of the tables.

        A formula that holds, but at no other positions than those of the tables ``learnt``, is undecided. where, first:
        as in ``_verified``; at first, the formulas are counted in the tables ``learnt``, too.
        """
        splits: Splits = {"train": learnt, "test": tables} if first else {"test": tables}
        results = self._verified(proposed, splits, where, first)
        counts = {
            where: sum(position_count(table, where) for table in learnt)
            for where in {finding.where for finding in results.formulas if finding.status == "holds"}
        }

        def unchecked(formula: Finding) -> bool:
            if formula.status == "undecided":
                return not formula.test.checked
            return formula.status == "holds" and not _is_checked(formula, counts.get(formula.where, 0))

        findings = (
            replace(finding, reason=UNCHECKED) if finding.found and unchecked(finding) else finding
            for finding in results.findings
        )
        return replace(results, findings=tuple(findings))

    # -- proofs --------------------------------------------------------------------------------------------------------

    def proofs(self, state: StudyState) -> StudyState:
        """Return the state with proofs of the formulas and claims that hold."""
        return replace(state, results=self._proved(state.results))

    def answers(self, state: StudyState) -> StudyState:
        """Return the state with the prover's answers to the claims as questions."""
        self.folder.mkdir(parents=True, exist_ok=True)
        study, results = self.study, state.results
        tried = answers_about_claims(study.ruleset, results.claims, study.proof_timeout, self.folder)
        return replace(state, results=with_proofs(results, tried))

    def proofs_of_settings(self, state: StudyState) -> StudyState:
        """Return the state with proofs, for single parameter settings, of what holds but is not proved."""
        settings = tuple(equalities(instance.parameters) for instance in self.study.train[:ALONE])
        return replace(state, results=self._proved(state.results, state.open, settings))

    def joined(self, state: StudyState) -> StudyState:
        """Return the state with formulas that are proved for several settings, as one statement if that is proved."""
        wholes, settings = zip(*join_settings(self.study.ruleset, state.formulas), strict=True)
        tried = self._proved(Results(findings=wholes), wheres=(TRUE,))
        proved = map(proved_whole, tried.findings, settings)
        return state.with_results(Results(findings=tuple(filter(None, proved))))

    def asks_for_help(self, state: StudyState) -> bool:
        """Tell whether a formula is not proved, and another one is, which may help."""
        return any(map(state.unproved, self.study.engines)) and any(f.proved for f in state.formulas)

    def proofs_with_help(self, state: StudyState) -> StudyState:
        """Return the state with new attempts at proofs that use the formulas proved so far.

        For instance, outcomes of a game whose moves split positions can be proved from its Grundy numbers.
        """
        proved = {(finding.target, finding.formula) for finding in state.formulas if finding.proved}
        asked = tuple(
            replace(finding, proofs=())
            for finding in state.results.formulas
            if state.unproved(finding.target) or (finding.target, finding.formula) in proved
        )
        return replace(state, results=self._proved(state.results, Results(findings=asked)))

    def strategy(self, state: StudyState) -> StudyState:
        """Return the state with a strategy, if one is found, that leads to the P-positions of a formula or claim."""

        def proved(claim: Claim) -> ProofRecord:
            self.begin("how to win")
            proof = prove_claim(study.ruleset, claim, limits=Limits(min(study.proof_timeout, WINNING)))
            return proof_record(proof, write_script(proof, self.folder, claim.id), claim.id)

        study = self.study
        findings = (*state.formulas, *state.results.claims)
        strategies = how_to_win(study.ruleset, findings, self.train, self.test, proved)
        self.folder.mkdir(parents=True, exist_ok=True)
        for winning in strategies[:1]:
            write_strategy(winning, study.ruleset, self.folder)
        return state.with_results(Results(winning=strategies))

    def _proved(
        self, results: Results, asked: Results | None = None, wheres: Sequence[Expr] | None = None
    ) -> Results:
        """Return the results with proofs of the findings ``asked``, by default all; write the proofs to the folder.

        wheres: the conditions under which proofs are attempted; by default those of the study.
        No proof is begun when the budget is used up. A formula that was checked only where it was learnt is tried, too,
        unless it is about finitely many positions: these may be all positions of the game, but not a part of them, for
        which every formula with enough constants is right.
        """
        study = self.study
        asked = replace(results, findings=tuple(
            replace(finding, reason=None)
            if finding.reason == UNCHECKED
            and (finding.where == TRUE or finite_count(study.ruleset, finding.where) is None)
            else finding
            for finding in (asked or results).findings
        ))  # fmt: skip
        self.folder.mkdir(parents=True, exist_ok=True)
        tried = prove_all(
            study.ruleset, asked, study.prove if wheres is None else wheres, study.proof_timeout, self.folder,
            self.seconds, self.clock.left, self.begin,
        )  # fmt: skip
        # what is equal to a proved formula is checked with its evidence, which takes as long as the proof
        limits = Limits(study.proof_timeout, words=alternative_conditions)
        keep = partial(write_script, folder=self.folder, name=None)
        tried += proofs_by_equality(study.ruleset, asked.formulas, tried, limits, keep)
        limits = replace(limits, timeout=min(study.proof_timeout, COMPARING))
        proved = with_proofs(results, tried)
        statements = {formula.statement for formula in asked.formulas}
        compared = [formula for formula in proved.formulas if formula.statement in statements]
        related = with_relations(study.ruleset, proved.findings, compared, study.test, limits)
        return replace(proved, findings=tuple(related))


def _is_finite(study: Study) -> bool:
    """Tell whether there are finitely many positions for each setting of the parameters.

    What is right for one setting then says nothing beyond the table of this setting.
    """
    return not study.ruleset.bounds


def _is_checked(formula: Finding, learnt: int) -> bool:
    """Tell whether the formula was validated or tested at positions that its engine did not learn from.

    learnt: the number of positions that it is about, in the tables from which the engines learnt first.
    """
    seen = {label for tables in formula.origin.learnt for label in tables.instances}
    others = {*formula.test.instances, *formula.validate.instances} - seen
    return bool(others) and max(formula.test.checked, formula.validate.checked) > learnt
