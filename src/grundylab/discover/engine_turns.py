"""Engine turns: engines run one after another, and each one's formulas are counted on larger tables, too.

If none is right there, the engine learns from the larger tables, and so on. So whole tables, not single positions,
serve as counterexamples, since most engines read rows and boxes of positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from itertools import chain, count
from math import inf
from time import process_time
from typing import TypeVar

from grundylab.check.samples import Samples, collect
from grundylab.check.shares import NO_COUNTS
from grundylab.discover.base import (
    EngineRun,
    EngineWork,
    ParameterValues,
    Proposals,
    all_work,
)
from grundylab.discover.decision_trees import Tree
from grundylab.discover.engines import FINDERS, READERS, engine_named, engines_named, uses_seed
from grundylab.discover.plainness import reading_effort
from grundylab.discover.ranking import count_right, rank, with_constant
from grundylab.discover.repairs import is_repaired, with_parameter_conditions, with_repairs
from grundylab.errors import GrundylabError
from grundylab.games.instance import Instance
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.syntax import TRUE, conjunction, equalities
from grundylab.records.finding import Finding, LearntTables, distinct, joint_tables
from grundylab.solve import solve
from grundylab.solve.instance_choice import NONE, larger_instances, sweepable_instances
from grundylab.solve.table import Table

NOTHING = "no formula of its kind was found"
GROWTHS = 2  # times that the training tables grow
_Asked = TypeVar("_Asked")


@dataclass(frozen=True, kw_only=True)
class Findings(EngineRun):
    """Result of one engine for one target: the run with its candidates, best first.

    learnt: the training tables, and then the larger tables that the engine learnt from again, in this order. tried: the
    larger instances on which its candidates were tried; empty if they were not. none_up_to: no formula of at most this
    cost is right on the tables that it learnt from last; 0 if that was not established. seconds: of processor time.
    trees: the decision tree of its best formula, counted on the positions that it learnt from last; one for each
    parameter setting that is learnt alone.
    """

    candidates: tuple[Finding, ...]
    tried: tuple[Instance, ...] = ()
    none_up_to: int = 0
    seconds: float = field(default=0.0, compare=False)
    trees: tuple[Tree, ...] = ()

    @property
    def run(self) -> EngineRun:
        """The run alone."""
        return EngineRun(**{key.name: getattr(self, key.name) for key in fields(EngineRun)})

    @property
    def exact(self) -> bool:
        """True if some candidate is right at all positions on which it was counted."""
        return any(candidate.exact for candidate in self.candidates)

    @property
    def stands(self) -> bool:
        """True if some exact candidate concerns all positions and looks up no values."""
        return any(candidate.exact and candidate.plain for candidate in self.candidates)


# -- the training tables, and larger ones of the same games ------------------------------------------------------


@dataclass(frozen=True)
class Rung:
    """Tables of one ruleset to learn from: a rung of a ladder of ever larger tables.

    where: the positions to learn from. below: bounds and parameters that larger tables must not reach, since tables
    of that size are kept for verification. above: the tables of each rung above; None if they are to be solved when
    needed.
    """

    tables: tuple[Table, ...]
    target: Target
    where: Expr = TRUE
    below: Mapping[str, int] = field(default_factory=lambda: NONE)
    above: tuple[tuple[Table, ...], ...] | None = None

    @cached_property
    def samples(self) -> Samples:
        """Training positions: those of the tables that satisfy ``where``. Raises GrundylabError if there are none."""
        return collect(self.tables, self.target, self.where)

    @property
    def instances(self) -> tuple[Instance, ...]:
        """Instances of the tables."""
        return tuple(table.instance for table in self.tables)

    @property
    def learnt(self) -> LearntTables:
        """The tables as a record of what an engine learnt from."""
        labels = tuple(instance.label for instance in self.instances)
        return LearntTables(instances=labels, positions=len(self.samples))

    @cached_property
    def next(self) -> Rung | None:
        """The rung above: the first of those in ``above``, or else one made by ``larger_instances``.

        None if none is left, if a table would be too large, or if a larger instance is invalid.
        """
        if self.above is not None:
            return replace(self, tables=self.above[0], above=self.above[1:]) if self.above else None
        return self._of(partial(larger_instances, self.instances, self.tables[0].kind, self.below))

    @cached_property
    def large(self) -> Rung | None:
        """The rung above; if there is none, one with doubled bounds that a sweep solves without visiting every move.

        None if that is impossible, too.
        """
        if self.next or self.above is not None:
            return self.next
        return self._of(partial(sweepable_instances, self.instances, self.tables[0].kind, self.below))

    def _of(self, larger: Callable[[], tuple[Instance, ...]]) -> Rung | None:
        try:
            tables = tuple(solve(instance, self.tables[0].kind) for instance in larger())
            return Rung(tables, self.target, self.where, self.below) if tables else None
        except GrundylabError:
            return None  # the game may be defined for these bounds only


# -- asking ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EngineQuestion:
    """Question to the engines: the target to find formulas for, and the work to spend.

    budget: seconds for one engine, counted as the work that a reference machine does in this time. seeds: the number
    of seeds, ``seed`` and those after it, with which an engine that draws at random runs. within: seconds of processor
    time for all engines together; after that no engine starts. budgets: the budgets of engines that have others.
    """

    target: Target
    seed: int = 0
    budget: float = 30.0
    seeds: int = 1
    within: float = inf
    budgets: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def shared(cls, target: Target, seed: int, seconds: float, engines: Sequence[str]) -> EngineQuestion:
        """Return the question with ``seconds`` for these engines together; if there are several, a third for each."""
        return cls(target, seed, seconds if len(engines) == 1 else seconds / 3, within=seconds)

    def runs(self, engine: str) -> list[tuple[str, int]]:
        """Return the runs (engine, seed): one for each seed if the engine draws at random, else one."""
        return [(engine, self.seed + number) for number in range(self.seeds if uses_seed(engine) else 1)]

    def for_run(self, engine: str, seed: int) -> EngineQuestion:
        """Return the question with this seed and with the engine's budget."""
        return replace(self, seed=seed, budget=self.budgets.get(engine, self.budget))

    def about(self, engine: str, samples: Samples) -> Findings:
        """Return what the engine finds in these samples, counted on these samples only."""
        proposals = engine_named(engine)(samples, self.target, self.seed, self.budget)
        findings = self._counted(engine, proposals, samples)
        return replace(findings, candidates=tuple(with_constant(findings.candidates, samples)))

    def beyond(self, engine: str, rung: Rung, until: float = inf) -> Findings:
        """Return what the engine finds in the tables of this rung, counted on larger tables if possible.

        An exact formula is counted on the tables of the rungs above. If none is right there, the engine learns from the
        larger tables, at most GROWTHS times unless it has a ``further`` engine. until: the time, by
        ``time.process_time``, after which no further run starts.
        """
        ask, training = engine_named(engine), rung
        learnt, done = list[LearntTables](), list[EngineWork | None]()
        for growths in count():
            # what an engine draws at random would change with a budget that a clock cuts
            budget = self.budget if uses_seed(engine) else min(self.budget, until - process_time())
            proposals = ask(rung.samples, self.target, self.seed, budget)
            learnt.append(rung.learnt)
            done.append(proposals.work)
            findings, last = self._counted(engine, proposals, rung.samples), rung
            above = rung.large if proposals.further else rung.next
            if not (findings.exact or engine in READERS) or above is None:
                break
            findings, last = self._counted(engine, proposals, above.samples), above
            # an answer is tried on all larger tables that are already solved
            while findings.exact and last.above:
                last = last.next or last
                findings = self._counted(engine, proposals, last.samples)
            if findings.exact or (growths >= GROWTHS and not proposals.further) or process_time() > until:
                break
            ask, rung = proposals.further or ask, last
        tried = () if last is training else last.instances
        findings = replace(findings, learnt=tuple(learnt), tried=tried, work=all_work(done))
        return replace(findings, candidates=tuple(_counted_on_both(findings, training, last)))

    def _counted(self, engine: str, proposals: Proposals, samples: Samples) -> Findings:
        """Return findings with the proposals as candidates, counted on these positions and repaired where possible."""
        formulas: tuple[Expr | Finding, ...] = (*proposals.formulas, *proposals.parts)
        ranked = rank(formulas, samples, self.target, engine, self.seed, proposals.equations)
        candidates = tuple(with_parameter_conditions(with_repairs(ranked, samples), samples))
        notes = proposals.notes or (() if candidates else (NOTHING,))
        return Findings(
            engine=engine,
            target=self.target,
            candidates=candidates,
            notes=notes,
            none_up_to=proposals.none_up_to,
            unread=proposals.unread,
            unavailable=proposals.unavailable,
            seed=self.seed,
            trees=(proposals.tree,) if proposals.tree else (),
            hall=proposals.hall,
            work=proposals.work,
        )


def _counted_on_both(findings: Findings, training: Rung, last: Rung) -> Iterator[Finding]:
    """Yield the candidates and the best constant, counted on the training tables and on the last tables.

    last: the tables on which the candidates were tried; the training tables if they were not. A candidate that was
    repaired at the last tables was learnt from them, too.
    """
    repaired = findings.learnt
    if last.learnt != findings.learnt[-1]:
        repaired = (*findings.learnt, last.learnt)
    candidates = [c.compared("train", count_right(c, training.samples)) for c in findings.candidates]
    labels = dict.fromkeys((instance.label for instance in findings.tried), 0)
    for candidate in with_constant(candidates, training.samples):
        beyond = NO_COUNTS if last is training else count_right(candidate, last.samples)
        learnt = repaired if is_repaired(candidate) else findings.learnt
        candidate = replace(candidate, origin=replace(candidate.origin, learnt=learnt))
        yield candidate.compared("validate", replace(beyond, instances=labels))


def _run_in_turn(
    engines: Sequence[_Asked], ask: Callable[[_Asked], Findings], every: bool = False, until: float = inf
) -> tuple[Findings, ...]:
    """Run engines one after another and return their findings, up to the first exact candidate about all positions.

    ask: runs one engine. every: run all engines. until: the time, by ``time.process_time``, after which none starts;
    the last findings then have a note.
    """
    runs: list[Findings] = []
    for place, engine in enumerate(engines):
        if runs and process_time() > until:
            late = f"the budget is used up, and {len(engines) - place} more engines did not run: give a larger budget"
            runs[-1] = replace(runs[-1], notes=(*runs[-1].notes, late))
            break
        runs.append(ask(engine))
        if runs[-1].stands and not every:
            break
    return tuple(runs)


def engine_findings(
    tables: Sequence[Table],
    question: EngineQuestion,
    engines: Sequence[str] = FINDERS,
    where: Expr = TRUE,
    each: bool = False,
    below: Mapping[str, int] = NONE,
    above: Sequence[Sequence[Table]] | None = None,
    every: bool = False,
    begin: Callable[[str], None] = lambda _: None,
) -> tuple[Findings, ...]:
    """Run the engines in turn on the tables and return their findings; stop once an answer is exact at all positions.

    where: the positions to learn from. each: learn from each parameter setting alone; candidates then concern that
    setting only. below: bounds of the tables kept for verification; tables that reach them are not learnt from. above:
    the larger tables on which candidates are counted, the smallest first; solved when needed if None. every: do not
    stop early. begin: called with an engine's name before it runs. Raises GrundylabError for an unknown engine, or if
    no position satisfies ``where``.
    """
    for name in engines:
        engines_named(name)
    asked = [pair for engine in engines for pair in question.runs(engine)]
    by_engine: dict[tuple[str, int], dict[ParameterValues, Findings]] = {}
    until = process_time() + question.within
    rungs = [_settings(rung, each) for rung in above] if above is not None else None
    for setting, its_tables in _settings(tables, each).items():
        higher = None if rungs is None else tuple(rung[setting] for rung in rungs if setting in rung)
        rung = Rung(its_tables, question.target, where, below, higher)

        def ask(pair: tuple[str, int], rung: Rung = rung) -> Findings:
            (engine, seed), started = pair, process_time()
            begin(engine)
            # learning from larger tables counts: an engine that shares a budget leaves the others half of it
            end = min(until, started + question.within / min(2, len(asked)))
            findings = question.for_run(engine, seed).beyond(engine, rung, end)
            return replace(findings, seconds=process_time() - started)

        for pair, findings in zip(asked, _run_in_turn(asked, ask, every, until), strict=False):
            by_engine.setdefault(pair, {})[setting] = findings
    together = [_union_of_settings(by_engine[pair]) for pair in asked if pair in by_engine]
    # an engine that is unavailable with every seed is reported once; an answer for some seed may be kept
    available = {run.engine for run in together if not run.unavailable}
    return tuple(
        run
        for run in together
        if not run.unavailable or (run.engine not in available and run.seed == question.seed)
    )


def sample_findings(
    samples: Samples,
    question: EngineQuestion,
    engines: Sequence[str],
    begin: Callable[[str], None] = lambda _: None,
) -> tuple[Findings, ...]:
    """Run the engines in turn on these samples alone, as ``engine_findings`` does on tables that can grow."""

    def ask(engine: str) -> Findings:
        begin(engine)
        return question.about(engine, samples)

    return _run_in_turn(engines, ask, until=process_time() + question.within)


def discover(
    tables: Sequence[Table],
    target: Target,
    engine: str = "search",
    seed: int = 0,
    budget: float = 30.0,
    where: Expr = TRUE,
) -> list[Finding]:
    """Return the candidates of one engine for these tables, best first, counted on these tables only."""
    question = EngineQuestion(target, seed, budget)
    return list(question.about(engine, collect(tables, target, where)).candidates)


def ranked_candidates(runs: Iterable[Findings]) -> list[Finding]:
    """Return the distinct candidates of all findings, best first, without the constants that are only references.

    Exact ones come first, then those right at more positions, then those easier to read.
    """
    every = chain.from_iterable(findings.candidates for findings in runs)
    return distinct(sorted(every, key=lambda c: (not c.exact, -c.train.right, *reading_effort(c.formula))))


def _settings(tables: Sequence[Table], each: bool) -> dict[ParameterValues, tuple[Table, ...]]:
    """Return the tables by parameter setting; unless ``each``, all tables under the empty setting ``()``."""
    settings: dict[ParameterValues, tuple[Table, ...]] = {}
    for table in tables:
        key = table.instance.parameters if each else ()
        settings[key] = (*settings.get(key, ()), table)
    return settings or {(): ()}


def _union_of_settings(by_setting: Mapping[ParameterValues, Findings]) -> Findings:
    """Join the findings of one engine for several parameter settings into one.

    Candidates and trees then concern their setting only, and notes begin with it. The setting ``()`` restricts nothing.
    """
    alone = list(by_setting.values())
    candidates, notes, trees = list[Finding](), list[str](), list[Tree]()
    for setting, findings in by_setting.items():
        fixed = equalities(setting)
        label = ", ".join(f"{name}={value}" for name, value in setting)
        candidates += [replace(c, where=conjunction(fixed, c.where)) for c in findings.candidates]
        notes += [f"{label}: {note}" if label else note for note in findings.notes]
        trees += [replace(tree, where=conjunction(fixed, tree.where)) for tree in findings.trees]
    return Findings(
        engine=alone[0].engine,
        target=alone[0].target,
        candidates=tuple(candidates),
        notes=tuple(notes),
        learnt=joint_tables(findings.learnt for findings in alone),
        tried=tuple(chain.from_iterable(findings.tried for findings in alone)),
        none_up_to=min(findings.none_up_to for findings in alone),
        unread=tuple(chain.from_iterable(findings.unread for findings in alone)),
        seed=alone[0].seed,
        unavailable=next((findings.unavailable for findings in alone if findings.unavailable), ""),
        seconds=sum(findings.seconds for findings in alone),
        trees=tuple(trees),
        hall=tuple(chain.from_iterable(findings.hall for findings in alone)),
        work=all_work(findings.work for findings in alone),
    )
