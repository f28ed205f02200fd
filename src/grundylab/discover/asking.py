"""Asking the engines: one after another, and no answer is told before it was tried on larger tables.

An answer that is wrong there is no answer: its engine learns from the larger tables then, and so on
(counterexample-guided, with whole tables, since most engines read rows and boxes of positions).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, count
from math import inf
from time import process_time
from types import MappingProxyType
from typing import TypeVar

from grundylab.check.samples import Samples, collect
from grundylab.discover.base import Candidate, Proposal, Proposals, Setting, Unread
from grundylab.discover.conditions import conditioned, mended
from grundylab.discover.engines import FINDERS, READERS, engine_named, engines_named, uses_seed
from grundylab.discover.ranking import rank
from grundylab.discover.rewriting import reading_effort
from grundylab.discover.trees import Tree
from grundylab.errors import GrundylabError, NoSweep
from grundylab.games.instance import Instance, make_instance
from grundylab.games.model import Target, Values
from grundylab.language import Expr
from grundylab.language.syntax import TRUE, Int, Name, compare, conjunction
from grundylab.solve import solve
from grundylab.solve.solving import is_slow
from grundylab.solve.sweeps import sweep_for
from grundylab.solve.table import Table

NOTHING = "no formula of its kind was found"
GROWTHS = 2  # times that the training tables grow
CELLS = 1 << 18  # of a larger table
MOST_CELLS = 1 << 20  # of one that is solved without a look at every move, for an answer that still changes
CHEAP = 1 << 15  # of one that is larger than it need be
CHEAP_SWEPT = 1 << 17  # of one that is, and is solved without a look at every move
QUICK = 2 * 10**9  # moves: a kernel takes about a second for the outcomes
MOVES = 1 << 9  # for each cell allowed
NONE: Mapping[str, int] = MappingProxyType({})
_Asked = TypeVar("_Asked")


@dataclass(frozen=True)
class Findings:
    """What one engine found for one target: candidates, best first, and its notes.

    training: the instances that it learnt from in the end. tried: larger ones, on which its candidates are counted;
    none if there are none that are not too large. none_up_to: no formula that costs at most so much is right at the
    former; 0 where that was not looked at. unread: its equations that have no formula. seed: of an engine that draws
    at random. unavailable: why it could not be asked. seconds: of processor time. trees: the decision tree that its
    best formula was read off, counted on the training positions; one for each setting that is learnt from alone.
    """

    engine: str
    target: Target
    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...]
    training: tuple[Instance, ...] = ()
    tried: tuple[Instance, ...] = ()
    none_up_to: int = 0
    unread: tuple[Unread, ...] = ()
    seed: int = 0
    unavailable: str = ""
    seconds: float = field(default=0.0, compare=False)
    trees: tuple[Tree, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether a candidate is right wherever it was counted."""
        return any(candidate.exact for candidate in self.candidates)

    @property
    def stands(self) -> bool:
        """Whether one is, and is about all positions."""
        return any(candidate.exact and candidate.plain for candidate in self.candidates)


# -- the training tables, and larger ones of the same games ------------------------------------------------------


@dataclass(frozen=True)
class Rung:
    """Tables of one ruleset, the positions of them that are learnt from, and the rung above.

    below: bounds that larger tables must not reach, since tables that large are kept for verification. above: the
    tables of the rungs above, where these are given; else they are solved when they are needed.
    """

    tables: tuple[Table, ...]
    target: Target
    where: Expr = TRUE
    below: Mapping[str, int] = field(default_factory=lambda: NONE)
    above: tuple[tuple[Table, ...], ...] | None = None

    @cached_property
    def samples(self) -> Samples:
        """Raises GrundylabError if there are none."""
        return collect(self.tables, self.target, self.where)

    @property
    def instances(self) -> tuple[Instance, ...]:
        """What the tables are of."""
        return tuple(table.instance for table in self.tables)

    @cached_property
    def next(self) -> Rung | None:
        """The rung above, as it is given, or as ``larger`` makes it.

        None where a table would be too large, or a larger one is no game.
        """
        if self.above is not None:
            return replace(self, tables=self.above[0], above=self.above[1:]) if self.above else None
        return self._of(partial(larger, self.instances, self.tables[0].kind, self.below))

    @cached_property
    def large(self) -> Rung | None:
        """The same with all bounds doubled, even if that makes many moves where a sweep does not look at each."""
        if self.next or self.above is not None:
            return self.next
        return self._of(partial(swept, self.instances, self.tables[0].kind, self.below))

    def _of(self, larger: Callable[[], tuple[Instance, ...]]) -> Rung | None:
        try:
            tables = tuple(solve(instance, self.tables[0].kind) for instance in larger())
            return Rung(tables, self.target, self.where, self.below) if tables else None
        except GrundylabError:
            return None  # the game may be one for these bounds only


def larger(
    instances: Sequence[Instance], kind: Values, below: Mapping[str, int] = NONE
) -> tuple[Instance, ...]:
    """Return the instances with all bounds doubled: again as long as that is cheap, once more by a sweep.

    None where a table would be too large. Raises GrundylabError if the ruleset does not allow it.
    """
    found = doubled(instances, below)
    while further := doubled(found, below, CHEAP):
        found = further
    try:
        return swept(found, kind, below, CHEAP_SWEPT) or found
    except NoSweep:
        return found


def swept(
    instances: Sequence[Instance], kind: Values, below: Mapping[str, int] = NONE, cells: int = MOST_CELLS
) -> tuple[Instance, ...]:
    """As ``doubled``, of more cells and any number of moves. Raises NoSweep where too many of them are looked at."""
    larger = doubled(instances, below, cells, inf)
    for instance in larger:
        if kind == "grundy" or instance.moves > QUICK or is_slow(instance, kind):
            sweep_for(instance, kind)
    return larger


def doubled(
    instances: Sequence[Instance],
    below: Mapping[str, int] = NONE,
    cells: int = CELLS,
    moves: float = MOVES,
) -> tuple[Instance, ...]:
    """The instances with bounds twice as large; none if a table had more cells, or more moves for each of the cells
    allowed, or if a bound were not ``below``.

    Raises InstanceError if the ruleset does not allow it.
    """
    larger = tuple(
        make_instance(
            instance.ruleset, dict(instance.parameters), {name: 2 * value for name, value in instance.bounds}
        )
        for instance in instances
    )
    if any(instance.cells > cells or instance.moves > cells * moves for instance in larger):
        return ()
    if any(value >= below.get(name, inf) for instance in larger for name, value in instance.bounds):
        return ()
    return larger if larger and all(instance.bounds for instance in larger) else ()


# -- asking ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """A question to the engines.

    budget: seconds for one engine, on the machine that its work is counted for. seeds: how many seeds, from ``seed``
    on, an engine that draws at random is asked with. within: seconds of processor time for all engines together, after
    which none begins.
    """

    target: Target
    seed: int = 0
    budget: float = 30.0
    seeds: int = 1
    within: float = inf

    @classmethod
    def shared(cls, target: Target, seed: int, seconds: float, engines: Sequence[str]) -> Question:
        """Return the question for which all these engines have so many seconds together, and each a third at most."""
        return cls(target, seed, seconds if len(engines) == 1 else seconds / 3, within=seconds)

    def runs(self, engine: str) -> list[tuple[str, int]]:
        """Return the engine with each of its seeds."""
        return [(engine, self.seed + number) for number in range(self.seeds if uses_seed(engine) else 1)]

    def about(self, engine: str, samples: Samples) -> Findings:
        """What the engine finds in these samples."""
        proposals = engine_named(engine)(samples, self.target, self.seed, self.budget)
        return self._counted(engine, proposals, samples)

    def beyond(self, engine: str, rung: Rung, until: float = inf) -> Findings:
        """Return what the engine finds in these tables; where that is wrong in larger ones, what it finds in those.

        until: when no more is begun, by ``time.process_time``.
        """
        ask = engine_named(engine)
        for growths in count():
            budget = min(self.budget, until - process_time())
            proposals = ask(rung.samples, self.target, self.seed, budget)
            found = replace(self._counted(engine, proposals, rung.samples), training=rung.instances)
            above = rung.large if proposals.further else rung.next
            if not (found.exact or engine in READERS) or above is None:
                break
            found = self._counted(engine, proposals, above.samples)
            while (
                found.exact and above.above
            ):  # where larger tables are solved already, an answer is tried on all
                above = above.next or above
                found = self._counted(engine, proposals, above.samples)
            found = replace(found, training=rung.instances, tried=above.instances)
            if found.exact or (growths >= GROWTHS and not proposals.further) or process_time() > until:
                break
            ask, rung = proposals.further or ask, above
        return found

    def _counted(self, engine: str, proposals: Proposals, samples: Samples) -> Findings:
        """The candidates with how many of these positions each describes."""
        formulas: tuple[Expr | Proposal, ...] = (*proposals.formulas, *proposals.parts)
        ranked = rank(formulas, samples, self.target, engine, self.seed, proposals.equations)
        candidates = tuple(conditioned(mended(ranked, samples), samples))
        notes = proposals.notes or (() if candidates else (NOTHING,))
        return Findings(
            engine,
            self.target,
            candidates,
            notes,
            none_up_to=proposals.none_up_to,
            unread=proposals.unread,
            unavailable=proposals.unavailable,
            seed=self.seed,
            trees=(proposals.tree,) if proposals.tree else (),
        )


def turns(
    engines: Sequence[_Asked], ask: Callable[[_Asked], Findings], every: bool = False, until: float = inf
) -> tuple[Findings, ...]:
    """Return what each engine finds, until an answer stands.

    every: all of them are asked. until: when none begins any more, by ``time.process_time``; the last one's notes say
    so.
    """
    found: list[Findings] = []
    for place, engine in enumerate(engines):
        if found and process_time() > until:
            late = f"the time is used up, and {len(engines) - place} more were not asked: a larger budget has room"
            found[-1] = replace(found[-1], notes=(*found[-1].notes, late))
            break
        found.append(ask(engine))
        if found[-1].stands and not every:
            break
    return tuple(found)


def answers(
    tables: Sequence[Table],
    question: Question,
    engines: Sequence[str] = FINDERS,
    where: Expr = TRUE,
    each: bool = False,
    below: Mapping[str, int] = NONE,
    above: Sequence[Sequence[Table]] | None = None,
    every: bool = False,
    begin: Callable[[str], None] = lambda _: None,
) -> tuple[Findings, ...]:
    """What the engines say of the tables, asked one after another until an answer stands.

    where: the positions that are learnt from. each: each setting of the
    parameters is learnt from alone, and what is found is about it only. below: bounds of the tables kept for
    verification; nothing as large is learnt from. above: the larger tables on which an answer is tried, the smallest
    first; where they are not given they are solved. every: all engines are asked. begin: is called with an
    engine's name before it is asked. Raises GrundylabError for an unknown engine, or if there is no such position.
    """
    for name in engines:
        engines_named(name)
    asked = [pair for engine in engines for pair in question.runs(engine)]
    found: dict[tuple[str, int], list[Findings]] = {}
    until = process_time() + question.within
    rungs = [_settings(rung, each) for rung in above] if above is not None else None
    for setting, its_tables in _settings(tables, each).items():
        higher = None if rungs is None else tuple(rung[setting] for rung in rungs if setting in rung)
        rung = Rung(its_tables, question.target, where, below, higher)

        def ask(pair: tuple[str, int], rung: Rung = rung) -> Findings:
            (engine, seed), started = pair, process_time()
            begin(engine)
            findings = replace(question, seed=seed).beyond(engine, rung, until)
            return replace(findings, seconds=process_time() - started)

        for pair, findings in zip(asked, turns(asked, ask, every, until), strict=False):
            found.setdefault(pair, []).append(_about(findings, setting) if each else findings)
    together = [_together(found[pair]) for pair in asked if pair in found]
    # what is not available with the first seed is so with every one: that is said once
    missing = {each.engine for each in together if each.unavailable and each.seed == question.seed}
    return tuple(each for each in together if each.engine not in missing or each.seed == question.seed)


def discover(
    tables: Sequence[Table],
    target: Target,
    engine: str = "search",
    seed: int = 0,
    budget: float = 30.0,
    where: Expr = TRUE,
) -> list[Candidate]:
    """The candidates of one engine for these tables and no larger ones, best first."""
    question = Question(target, seed, budget)
    return list(question.about(engine, collect(tables, target, where)).candidates)


def best_first(found: Iterable[Findings]) -> list[Candidate]:
    """The candidates of several engines: exact ones of most positions first, then the plainest, each formula once."""
    every = chain.from_iterable(findings.candidates for findings in found)
    ordered = sorted(every, key=lambda c: (not c.exact, -c.correct, *reading_effort(c.formula)))
    once: dict[object, Candidate] = {}
    for candidate in ordered:
        once.setdefault((candidate.formula, candidate.where, candidate.values), candidate)
    return list(once.values())


def _settings(tables: Sequence[Table], each: bool) -> dict[Setting, tuple[Table, ...]]:
    """The tables of each setting of the parameters; all under none if they are not told apart."""
    settings: dict[Setting, tuple[Table, ...]] = {}
    for table in tables:
        key = table.instance.parameters if each else ()
        settings[key] = (*settings.get(key, ()), table)
    return settings or {(): ()}


def _about(found: Findings, setting: Setting) -> Findings:
    """What was found of one setting of the parameters, with words that say so."""
    fixed = [compare("==", Name(name), Int(value)) for name, value in setting]
    label = ", ".join(f"{name}={value}" for name, value in setting)
    candidates = tuple(replace(c, where=conjunction(*fixed, c.where)) for c in found.candidates)
    return replace(
        found,
        candidates=candidates,
        notes=tuple(f"{label}: {n}" if label else n for n in found.notes),
        trees=tuple(replace(tree, where=conjunction(*fixed, tree.where)) for tree in found.trees),
    )


def _together(found: Sequence[Findings]) -> Findings:
    """What one engine found of several settings."""
    return Findings(
        found[0].engine,
        found[0].target,
        tuple(chain.from_iterable(each.candidates for each in found)),
        tuple(chain.from_iterable(each.notes for each in found)),
        tuple(chain.from_iterable(each.training for each in found)),
        tuple(chain.from_iterable(each.tried for each in found)),
        min(each.none_up_to for each in found),
        tuple(chain.from_iterable(each.unread for each in found)),
        found[0].seed,
        next((each.unavailable for each in found if each.unavailable), ""),
        sum(each.seconds for each in found),
        tuple(chain.from_iterable(each.trees for each in found)),
    )
