"""A study of a single game in one process, without any settings: everything that grundylab can derive from the rules.

Bounds and parameter values are chosen by the work that they cause. Formulas are learnt from small tables and checked on
the largest that the budget allows, with further values of each parameter. If these refute an answer, formulas are
learnt again from them, and checked on still larger tables.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import inf
from pathlib import Path

from grundylab.check.position_counts import finite_count, position_count
from grundylab.check.samples import collect
from grundylab.discover import FINDERS, uses_seed
from grundylab.discover.engine_turns import doubled_instances
from grundylab.discover.engines import READERS
from grundylab.discover.ranking import rank
from grundylab.discover.rewriting import simplify
from grundylab.errors import GrundylabError
from grundylab.findings.answers import answer_order
from grundylab.findings.catalogue import Catalogue, catalogue_of, record_from_json
from grundylab.findings.finding import Finding, LearntTables
from grundylab.findings.proof_records import LATE
from grundylab.findings.proofs import RIGHT
from grundylab.findings.results import NOTHING, Results, StudyRecord, finding_of
from grundylab.findings.rows import Row
from grundylab.findings.wording import number_with_noun
from grundylab.games import Instance, Ruleset, Target
from grundylab.games.layers import NotLayered, TooManyLayers
from grundylab.games.lookups import ruleset_files
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.language import Expr
from grundylab.language.syntax import TRUE, Bool, Int, by_cases, equalities
from grundylab.pipeline.default_tables import (
    CELLS,
    FARTHEST,
    LEARNT,
    ROWS,
    usual_parts,
    usual_rows,
    usual_tables,
    usual_targets,
)
from grundylab.pipeline.fit_stage import propose
from grundylab.pipeline.prove_stage import prove
from grundylab.pipeline.study import Study, values_of
from grundylab.pipeline.verify_stage import verify
from grundylab.prove.outcome import Disagreement
from grundylab.report.account import account
from grundylab.solve import solve
from grundylab.solve.memory import check_memory
from grundylab.solve.origin import file_digests
from grundylab.solve.solving import is_slow
from grundylab.solve.table import Table
from grundylab.version import __version__

BUDGET = 60.0  # seconds, approximately
ENGINE, PROOF = 1 / 12, 1 / 6  # shares of the budget: for one engine and target, and for one proof
ENGINES, LARGER, PARTS = (
    1 / 5,
    1 / 12,
    1 / 5,
)  # shares of the budget: for all engines and one target, for larger tables, and for parts of the positions
PROOFS = Path("results") / "proofs"
PART_ENGINES = ("search",)  # the engines that are asked about a part of the positions
PART = 1 / 24  # share of the budget for one target and one part of the positions
WORSE = 2  # the time for larger tables is taken to grow at most this many times as fast as the moves
AGAIN = 2  # formulas learnt again are checked on tables that may take this many times as long
UNCHECKED = "right at all positions learnt from, and no table has others to check on"
ALONE = 16  # the most settings of the parameters that are learnt from one by one


@dataclass(frozen=True)
class StudyState:
    """The state of a study: its results so far, and the current step.

    doing: the current step in words; empty at the end. proposed: what the engines found in the tables from which they
    learnt. results: the same with verdicts and proofs, by the larger tables or, until these are solved, by the tables
    from which formulas were learnt. failed: the steps that failed, each with the reason.
    """

    study: Study
    doing: str
    proposed: Results = NOTHING
    results: Results = NOTHING
    rows: tuple[Row, ...] = ()
    failed: tuple[str, ...] = ()

    @cached_property
    def catalogue(self) -> Catalogue:
        """The results so far, as the catalogue that a run of the workflow would write."""
        study = self.study
        about = {**study.about, "study": study.name, "open": None, "made": study.made}
        results = _without_unchecked(self.results)
        return catalogue_of([(record_from_json(StudyRecord, about, study.name), results)], self.rows)

    def found(self, target: Target) -> bool:
        """Tell whether a formula for all positions is right in all tables that its engine has seen."""
        return any(
            each.target == target and each.exact and each.where == TRUE for each in self.proposed.findings
        )

    def right(self, target: Target) -> bool:
        """Tell whether a formula for the target holds or is proved."""
        return any(each.target == target and each.status in RIGHT for each in self.catalogue.formulas)

    def refuted(self, target: Target) -> bool:
        """Tell whether engines found a formula (see ``found``), but none for the target holds in the larger tables."""
        return not self.right(target) and self.found(target)

    @property
    def open(self) -> Results:
        """The formulas and claims that hold but are not proved."""
        statements = self.catalogue.statements
        return replace(NOTHING, findings=tuple(each for each in statements if each.status == "holds"))

    @property
    def unproved(self) -> list[Target]:
        """The targets for which a formula holds, but none is proved."""
        told = {(formula.target, formula.status) for formula in self.catalogue.formulas}
        return [
            target
            for target in self.study.targets
            if (target, "holds") in told and (target, "proved") not in told
        ]


@dataclass(frozen=True)
class Account:
    """The results for a game: as a text, and as the catalogue that a run of the workflow would write."""

    text: str
    catalogue: Catalogue

    def __repr__(self) -> str:
        """Return the text, so that a notebook shows it."""
        return self.text


def study(game: Ruleset | str, budget: float = BUDGET, folder: str | Path = PROOFS) -> Account:
    """Return everything that grundylab can derive about a game, without any settings; see ``study_steps``.

    game: a ruleset, or its name, its path or its YAML text. budget: approximate seconds. folder: where proofs are
    written, in a folder with the game's name. Raises GrundylabError for a family of games.
    """
    from grundylab.api import load  # imported here, since a command that passes a ruleset does not need it

    asked = default_study(game if isinstance(game, Ruleset) else load(game), budget)
    *_, known = study_steps(asked, Path(folder) / asked.name)
    return Account(account(known.catalogue, failed=known.failed), known.catalogue)


def default_study(ruleset: Ruleset, budget: float = BUDGET) -> Study:
    """Return the study of a game with default settings, chosen for a budget in seconds.

    Raises GrundylabError for a family of games.
    """
    train, test = usual_tables(ruleset, budget)
    targets = usual_targets(ruleset)
    share = min(1, budget / BUDGET)
    rows = (
        None
        if ruleset.play == "misere"
        else usual_rows(ruleset, train, max(2, round(ROWS * share)), max(ALONE, round(LEARNT * share)))
    )
    return Study.model_construct(
        name=ruleset.name,
        version=__version__,
        ruleset=ruleset,
        files=file_digests(ruleset.files),
        sources=file_digests(ruleset_files(ruleset)),
        targets=targets,
        values=values_of(ruleset, targets),
        engines=dict.fromkeys(targets, tuple(e for e in FINDERS if not uses_seed(e))),
        train=train,
        test=test,
        rows=rows,
        seeds=1,
        budget=budget * ENGINE,
        proof_timeout=budget * PROOF,
    )


def study_steps(study: Study, folder: Path) -> Iterator[StudyState]:
    """Yield the state before each step and, at the end, the final state. Proofs are written to the folder.

    ``doing`` names the step that follows. A caller may stop early and keep the last state. A step that is impossible
    for this game is recorded in ``failed``, and the study goes on with the next step.
    """
    known = StudyState(study, f"solving {_labels(study.train)}")
    yield known
    for instance in study.train:
        check_memory(instance)
    begun = _seconds()
    tables = [solve(instance, study.values) for instance in study.train]
    work = _Steps(study, tables, folder, study.budget / ENGINE, begun)
    for target in study.targets:
        yield (known := replace(known, doing=f"looking for formulas: {target}"))
        known = _after_step(known, partial(work.formulas, target=target))
    if study.rows is not None and (study.rows.target == str(GRUNDY) or not known.found(P_POSITIONS)):
        yield (known := replace(known, doing="looking for periods of rows"))
        known = _after_step(known, work.rows)
    yield (known := replace(known, doing="checking on larger tables"))
    known = _after_step(known, work.verdicts)
    for target in study.targets:
        if known.refuted(target) and work.larger is not work.tables:
            yield (known := replace(known, doing=f"learning again from larger tables: {target}"))
            known = _after_step(known, partial(work.again, target=target))
    yield (known := replace(known, doing="proving"))
    known = _after_step(known, work.proofs)
    if len(study.train) > 1 and not _is_finite(study) and known.open != NOTHING:
        yield (known := replace(known, doing="proving for each setting of the parameters"))
        known = _after_step(known, work.proofs_of_settings)
    for target in study.targets:
        if not known.right(target):
            yield (
                known := replace(known, doing=f"looking for formulas of a part of the positions: {target}")
            )
            known = _after_step(known, partial(work.parts, target=target))
    for target in known.unproved:
        if work.left() > 0:
            yield (known := replace(known, doing=f"looking for a formula that can be proved: {target}"))
            known = _after_step(known, partial(work.readers, target=target))
    if known.unproved and any(each.proved for each in known.catalogue.formulas):
        yield (known := replace(known, doing="proving with the help of what is proved"))
        known = _after_step(known, work.proofs_with_help)
    yield replace(known, doing="", failed=(*known.failed, *_left_out(known.results)))


def _without_unchecked(results: Results) -> Results:
    """Return the results without the formulas that were checked only where they were learnt.

    The engines of their targets have a note about them instead. Those are kept that are refuted or proved, unless the
    proof is about finitely many positions of a game with others.
    """
    unchecked = {
        each.statement
        for each in results.formulas
        if each.reason == UNCHECKED
        and (each.status == "undecided" or (each.where != TRUE and each.finite is not None))
    }
    counts = Counter(formula.target for formula in results.formulas if formula.statement in unchecked)
    runs = tuple(
        replace(
            run,
            notes=(f"left out: {number_with_noun(counts[run.target], 'formula')}, {UNCHECKED}", *run.notes),
        )
        if run.target in counts
        else run
        for run in results.runs
    )
    findings = tuple(f for f in results.findings if f.claimed or f.statement not in unchecked)
    return Results(runs=runs, findings=findings)


def _left_out(results: Results) -> Iterator[str]:
    """Yield a message with the number of proofs that were not begun for lack of time, if there are any."""
    statements = (*results.formulas, *results.claims)
    if late := sum(proof.reason == LATE for each in statements for proof in each.proofs):
        yield f"{number_with_noun(late, 'proof')} {LATE}; a larger budget gives more"


def _after_step(known: StudyState, step: Callable[[StudyState], StudyState]) -> StudyState:
    """Return the state after the step; if the step raises GrundylabError, the state before with the reason added."""
    try:
        return step(known)
    except Disagreement:
        raise  # two procedures contradict each other: nothing that follows could be trusted
    except GrundylabError as error:
        return replace(known, failed=(*known.failed, f"{known.doing}: {error.message}"))


@dataclass(frozen=True)
class _Steps:
    """The steps of a study; each method that takes a state returns the state after its step.

    tables: those to learn from. budget: seconds of processor time for the whole study, including the programs that it
    calls. begun: the processor time at which the study began.
    """

    study: Study
    tables: Sequence[Table]
    folder: Path
    budget: float
    begun: float = field(default_factory=lambda: _seconds())

    def left(self, share: float = 1.0) -> float:
        """Return the seconds that remain of the budget, at most the fraction ``share`` of the whole budget."""
        return min(self.budget - (_seconds() - self.begun), share * self.budget)

    def prove(self, study: Study, results: Results, asked: Results | None = None) -> Results:
        """Return the results with proofs of the findings ``asked``; no proof is begun when the budget is used up.

        A formula that was checked only where it was learnt is tried, too, unless it is about finitely many positions:
        these may be all positions of the game, but not a part of them, for which every formula with enough constants
        is right.
        """
        findings = tuple(
            replace(each, reason=None)
            if each.reason == UNCHECKED
            and (each.where == TRUE or finite_count(study.ruleset, each.where) is None)
            else each
            for each in (asked or results).findings
        )
        every = replace(results, findings=findings)
        return prove(study, results, self.folder, {}, lambda: self.left() <= 0, asked=every)

    def verified(
        self, study: Study, proposed: Results, learnt: Sequence[Table], tables: Sequence[Table]
    ) -> Results:
        """Return what the engines propose, with the verdicts of the tables.

        A formula that holds, but at no other positions than those of the tables ``learnt``, is undecided.
        """
        results = verify(study, proposed, {"test": tables}, {})
        counts = {
            where: sum(position_count(table, where) for table in learnt)
            for where in {each.where for each in results.formulas if each.status == "holds"}
        }
        findings = tuple(
            replace(each, reason=UNCHECKED)
            if each.found and each.status == "holds" and not _is_checked(each, counts.get(each.where, 0))
            else each
            for each in results.findings
        )
        return replace(results, findings=findings)

    @cached_property
    def larger(self) -> Sequence[Table]:
        """The tables to check on; those that were learnt from if the budget allows no others."""
        train = self.study.train
        bounds, sizes = train[0].bounds, self.study.ruleset.sizes
        others = [replace(instance, bounds=bounds) for instance in self.study.test]
        grown = self.beyond(others if bounds or not sizes else train)
        if grown or {*others} <= {*train}:
            return grown or self.tables
        try:
            return [solve(instance, self.study.values) for instance in others]
        except GrundylabError:
            return self.tables

    def beyond(self, instances: Sequence[Instance], times: int = 1) -> list[Table]:
        """Return the tables of the instances after ``doubled_instances``, as often as the time allows.

        Empty if there is not even time for one doubling. times: how many times the usual time for larger tables is
        allowed. The time for tables is predicted from the time for those of half the bounds; only the time for the
        first ones predicts nothing, since most of it is compilation.
        """
        found, took, seconds = list[Table](), 0.0, times * LARGER * self.budget
        cells = int(CELLS * self.budget) // (len(instances) if instances[0].bounds else 1)
        while larger := doubled_instances(instances, cells=cells, moves=inf):
            growth = sum(each.moves for each in larger) / sum(each.moves for each in instances)
            farthest = max(each.constants[name] for each in larger for name in each.ruleset.sizes)
            if WORSE * growth * took > seconds or farthest > FARTHEST:
                break
            started = _seconds()
            try:
                if any(is_slow(instance, self.study.values) for instance in larger):
                    break
                tables = [solve(instance, self.study.values) for instance in larger]
            except GrundylabError:
                break  # solving would take too long, or the rules make no game of this size
            took = _seconds() - started
            if not found and took <= seconds:
                took = 0.0
            found, instances = tables, larger
        return found

    def formulas(self, known: StudyState, target: Target) -> StudyState:
        """Return the state with formulas for the target, judged on the tables from which they were learnt."""
        every = known.proposed + _proposals(self.study, target, self.tables, self.left(ENGINES))
        about = self.study.model_copy(update={"judges_claims": False})
        return replace(known, proposed=every, results=verify(about, every, {"test": self.tables}, {}))

    def rows(self, known: StudyState) -> StudyState:
        """Return the state with the periods of the study's rows; unchanged if the game has no such rows."""
        from grundylab.pipeline.rows_and_heaps import row_records  # numba takes long to import

        assert self.study.rows is not None
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            found = row_records(self.study.ruleset, self.study.rows, self.folder, self.study.seed)
        except TooManyLayers:
            raise
        except NotLayered:  # the game is not recognised as one with rows
            return known
        return replace(known, rows=tuple(found))

    def verdicts(self, known: StudyState) -> StudyState:
        """Return the state with verdicts on all formulas and on the ruleset's claims from the larger tables."""
        found = self.verified(self.study, known.proposed, self.tables, self.larger)
        others = () if self.larger is self.tables else self.larger
        return replace(known, study=_checked_on(known.study, others), results=found)

    def again(self, known: StudyState, target: Target) -> StudyState:
        """Return the state with formulas of engines that have not run yet, or of all, for those that were refuted.

        The engines that have not run yet learn from the same tables as the others. If none of their formulas is right,
        all engines learn from the tables that refuted the others, and are judged on larger ones.
        """
        wrong = {run.engine for run in known.proposed.runs if run.target == target}
        others = tuple(engine for engine in self.study.engines[target] if engine not in wrong)
        first = self._of(others, target)
        if any(each.status == "holds" for each in first.formulas):
            return _with(known, first)
        engines = {target: (*others, *(engine for engine in self.study.engines[target] if engine in wrong))}
        about = self.study.model_copy(update={"engines": engines})
        found = propose(about, target, self.larger, self.left(ENGINES))
        if not any(each.exact for each in found.findings):
            return known
        instances = tuple(table.instance for table in self.larger)
        tables = self.beyond(instances, AGAIN)
        about = self.study.model_copy(update={"judges_claims": False})
        known = replace(known, study=_checked_on(known.study, (*self.larger, *tables)))
        return _with(known, self.verified(about, found, self.larger, tables or self.larger))

    def proofs(self, known: StudyState) -> StudyState:
        """Return the state with proofs of the formulas and claims that hold."""
        return replace(known, results=self.prove(self.study, known.results))

    def proofs_of_settings(self, known: StudyState) -> StudyState:
        """Return the state with proofs, for single parameter settings, of what holds but is not proved."""
        settings = tuple(equalities(instance.parameters) for instance in self.study.train[:ALONE])
        about = self.study.model_copy(update={"prove": settings})
        return replace(known, results=self.prove(about, known.results, known.open))

    def proofs_with_help(self, known: StudyState) -> StudyState:
        """Return the state with new attempts at proofs that use the formulas proved so far.

        For instance, outcomes of a game whose moves split positions can be proved from its Grundy numbers.
        """
        proved = {(each.target, each.formula) for each in known.catalogue.formulas if each.proved}
        asked = tuple(
            replace(each, proofs=())
            for each in known.results.formulas
            if each.target in known.unproved or (each.target, each.formula) in proved
        )
        about = self.study.model_copy(update={"judges_claims": False})
        return replace(known, results=self.prove(about, known.results, replace(NOTHING, findings=asked)))

    def parts(self, known: StudyState, target: Target) -> StudyState:
        """Return the state with formulas for parts of the positions, and their proofs.

        The divisions of ``usual_parts`` are tried in order. If each part of a division has a formula, these become one
        formula by cases for all positions, and no further division is tried. Otherwise the first parts with formulas
        are kept.
        """
        found, end = list[Finding](), self.left() - PARTS * self.budget
        for wheres in usual_parts(self.study.ruleset):
            if self.left() <= max(end, 0):
                break
            if found and len(wheres) == 1:
                continue
            right = [one for where in wheres if (one := self._part(target, where)) is not None]
            if len(wheres) > 1 and [one.where for one in right] == list(wheres):
                whole = self._by_cases(right)
                found = right if whole is None else [whole]
                break
            if not found and not all(isinstance(one.formula, Bool | Int) for one in right):
                found = right  # a constant value of a part says little
        if not found:
            return known
        about = self.study.model_copy(update={"judges_claims": False})
        return _with(known, self.prove(about, replace(NOTHING, findings=tuple(found))))

    def _part(self, target: Target, where: Expr) -> Finding | None:
        """Return the best formula for the positions in ``where`` that holds in the larger tables; None if none does."""
        about = self.study.model_copy(
            update={
                "judges_claims": False,
                "where": where,
                "engines": {target: PART_ENGINES},
            }
        )
        proposed = propose(about, target, self.tables, self.left(PART))
        if not any(each.exact for each in proposed.findings):
            return None
        found = self.verified(about, proposed, self.tables, self.larger).formulas
        return min((each for each in found if each.status == "holds"), key=answer_order, default=None)

    def _by_cases(self, parts: Sequence[Finding]) -> Finding | None:
        """Return the formula for all positions whose cases are the formulas of the parts; None if it does not hold."""
        (*others, last) = parts
        formula = simplify(by_cases([(each.where, each.formula) for each in others], last.formula))
        samples = collect(self.tables, last.target)
        ranked = rank([formula], samples, last.target, last.origin.engine, self.study.seed)
        first = LearntTables(instances=last.origin.training, positions=len(samples))
        learnt = (first, *dict.fromkeys(tables for part in parts for tables in part.origin.learnt[1:]))
        proposed = [finding_of(each) for each in ranked]
        proposed = [replace(each, origin=replace(each.origin, learnt=learnt)) for each in proposed]
        about = self.study.model_copy(update={"judges_claims": False})
        results = replace(NOTHING, findings=tuple(proposed))
        (found, *_) = self.verified(about, results, self.tables, self.larger).formulas
        return found if found.status == "holds" else None

    def readers(self, known: StudyState, target: Target) -> StudyState:
        """Return the state with formulas, and their proofs, of the engines in ``READERS`` that have not run yet."""
        asked = {run.engine for run in known.proposed.runs if run.target == target}
        found = self._of(tuple(engine for engine in READERS if engine not in asked), target)
        about = self.study.model_copy(update={"judges_claims": False})
        return _with(known, self.prove(about, found))

    def _of(self, engines: tuple[str, ...], target: Target) -> Results:
        """Return what these engines propose, with the verdicts of the larger tables."""
        about = self.study.model_copy(update={"judges_claims": False, "engines": {target: engines}})
        proposed = propose(about, target, self.tables, self.left(ENGINES))
        return self.verified(about, proposed, self.tables, self.larger)


def _proposals(study: Study, target: Target, tables: Sequence[Table], within: float) -> Results:
    """Return the engines' proposals for all parameter settings together and, if none is right, for each setting alone.

    within: seconds of processor time for each of the two searches.
    """
    together = propose(study, target, tables, within)
    if (
        StudyState(study, "", together).found(target)
        or not 1 < len(tables) <= ALONE
        or _is_finite(study)
        or study.rows is not None
    ):
        return together
    each = study.model_copy(update={"each": True, "budget": study.budget / len(tables)})
    return together + propose(each, target, tables, within)


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


def _with(known: StudyState, found: Results) -> StudyState:
    """Return the state with these results added."""
    return replace(known, proposed=known.proposed + found, results=known.results + found)


def _seconds() -> float:
    """Return the processor time, in seconds, of this process and of its child processes that have ended."""
    return sum(os.times()[:4])


def _checked_on(study: Study, tables: Sequence[Table]) -> Study:
    """Return the study with these tables' instances as its test instances."""
    return study.model_copy(update={"test": tuple(dict.fromkeys(table.instance for table in tables))})


def _labels(instances: tuple[Instance, ...]) -> str:
    labels = [instance.label for instance in instances]
    return labels[0] if len(labels) == 1 else f"{labels[0]} to {labels[-1]}"
