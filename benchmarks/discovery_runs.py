"""Runs of the engines on a problem: what each finds with each seed, in what time, and the verdict on the answer."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from benchmarks.discovery_problems import Problem, region_size, solved

from grundylab.check.verification import VerdictStatus, verify
from grundylab.discover import discover, engine_named, uses_seed
from grundylab.discover.repairs import search_proposals
from grundylab.errors import GrundylabError
from grundylab.games import Claim
from grundylab.games.model import ALWAYS
from grundylab.language import Expr, Kind, parse
from grundylab.language.syntax import TRUE, If, Int, compare
from grundylab.logic.mona import find_mona
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim
from grundylab.records.finding import Finding

GROWTH = 2  # times that the training bounds are doubled
PROOF_SECONDS = 10


@dataclass(frozen=True)
class Attempt:
    """One engine with one seed on one problem.

    seconds: processor time of the engine and of counting its candidates. verdict: ``holds`` if a candidate is exact on
    the training positions and holds on all unseen ones. Otherwise the verdict on the best exact candidate, such as
    ``refuted``; or ``partial`` if none is exact; or ``none`` without a candidate; or an error. formula, size, share: of
    the candidate judged; share is the part of the training positions at which it is right.
    """

    engine: str
    seed: int
    seconds: float
    verdict: str
    formula: str | None
    size: int | None
    share: float

    @property
    def exact(self) -> bool:
        """True if a formula was found that holds at all positions, so that the claim is recovered."""
        return self.verdict == "holds"


@dataclass(frozen=True)
class Outcome:
    """All attempts at a problem, with the training instances that were used in the end.

    before: processor seconds of all engines on smaller training tables. training, unseen: the numbers of positions.
    equal: whether the smallest formula that holds is ``the same`` as the one in print, is ``proved`` equal to it or
    ``refuted``; ``?`` if that is not known, and empty if no formula holds.
    """

    problem: Problem
    attempts: tuple[Attempt, ...]
    before: float
    training: int
    unseen: int
    equal: str

    @property
    def says(self) -> str:
        """A line for the log: the verdict on each attempt, and its seconds."""
        return ", ".join(f"{a.engine} {a.seed} {a.verdict} {a.seconds:.1f} s" for a in self.attempts)

    def record(self) -> dict[str, Any]:
        """Return the outcome as a record for a JSON file."""
        problem = self.problem
        return {
            "ruleset": problem.ruleset.name,
            "target": str(problem.target),
            "where": str(problem.where),
            "claims": [claim.id for claim in problem.claims],
            "corrected": list(problem.corrected),
            "printed": str(problem.printed),
            "printed_size": problem.printed.size,
            "constant": problem.constant,
            "train": [instance.label for instance in problem.train],
            "test": [instance.label for instance in problem.test],
            "training_positions": self.training,
            "unseen_positions": self.unseen,
            "seconds_before": self.before,
            "equal": self.equal,
            "attempts": [asdict(attempt) for attempt in self.attempts],
        }


def run(
    problem: Problem,
    engines: Sequence[str],
    seeds: Sequence[int],
    budget: float,
    baseline: str | None = None,
    least: float = 0.0,
) -> Outcome:
    """Run every engine with every seed on a problem, then the baseline, and return the outcome.

    Each engine has ``budget`` seconds; the baseline has the time that the engines took together, at least ``least``
    seconds. If no engine is exact on the training positions with the first seed, the training bounds are doubled, at
    most GROWTH times, as every user can do. Whether formulas hold at unseen positions plays no part in that.
    """
    first, rest = seeds[:1], seeds[1:]
    before = 0.0
    for growth in range(GROWTH + 1):
        attempts = [attempt(problem, engine, seed, budget) for engine in engines for seed in first]
        larger = problem.grown() if growth < GROWTH else None
        if larger is None or any(a.share == 1 for a in attempts):
            break
        before += sum(a.seconds for a in attempts)
        problem = larger
    for engine in engines:
        if uses_seed(engine):
            attempts += [attempt(problem, engine, seed, budget) for seed in rest]
        else:  # the answer is the same with every seed, as tests of these engines confirm
            (once,) = (a for a in attempts if a.engine == engine)
            attempts += [replace(once, seed=seed) for seed in rest]
    if baseline is not None and not problem.constant:
        for seed in seeds:
            together = sum(a.seconds for a in attempts if a.seed == seed and a.engine in engines)
            attempts.append(attempt(problem, baseline, seed, max(least, together)))
    holding = [a for a in attempts if a.exact and a.engine in engines]
    best = min(holding, key=lambda a: (a.size or 0, a.formula or ""), default=None)
    return Outcome(
        problem,
        tuple(attempts),
        before,
        sum(region_size(i, problem.values, problem.where) for i in problem.train),
        sum(region_size(i, problem.values, problem.where) for i in problem.test),
        _equal(problem, parse(best.formula)) if best and best.formula else "",
    )


def attempt(problem: Problem, engine: str, seed: int, budget: float) -> Attempt:
    """Run one engine with one seed on a problem, and judge its candidates on the unseen instances."""
    tables = [solved(instance, problem.values) for instance in problem.train]
    engine_named(engine)  # so that the time to import it is not counted
    started = time.process_time()
    try:
        found = discover(tables, problem.target, engine, seed, budget, problem.where)
    except GrundylabError as error:
        return Attempt(engine, seed, time.process_time() - started, f"error: {error}", None, None, 0.0)
    seconds = time.process_time() - started
    found = [candidate for candidate in found if candidate.plain]  # those about the whole region
    exact = [candidate for candidate in found if candidate.exact]
    for candidate in exact:
        if _judged(problem, candidate.formula) == "holds":
            return _made(candidate, seconds, "holds")
    if exact:
        return _made(exact[0], seconds, _judged(problem, exact[0].formula))
    if found:
        return _made(found[0], seconds, "partial")
    return Attempt(engine, seed, seconds, "none", None, None, 0.0)


def _made(candidate: Finding, seconds: float, verdict: str) -> Attempt:
    return Attempt(
        candidate.origin.engine, candidate.origin.seed, seconds, verdict, str(candidate.formula), candidate.size,
        candidate.share,
    )  # fmt: skip


@lru_cache(maxsize=256)
def _judged(problem: Problem, formula: Expr) -> VerdictStatus:
    tables = [solved(instance, problem.values) for instance in problem.test]
    return verify(formula, problem.target, tables, problem.where).status


def _equal(problem: Problem, formula: Expr) -> str:
    """Return whether the formula equals the printed one on the whole region.

    ``the same`` if the two are identical; ``proved`` or ``refuted`` by MONA; ``?`` if that is not decided.
    """
    if formula == problem.printed:
        return "the same"
    if find_mona() is None:
        return "?"
    sides = [e if e.kind is Kind.NUMBER else If(e, Int(1), Int(0)) for e in (formula, problem.printed)]
    claim = Claim("equal", ALWAYS, compare("==", *sides), problem.where, kind="condition")
    proof = prove_claim(problem.ruleset, claim, limits=Limits(PROOF_SECONDS, words=search_proposals))
    known = proof.status == "proved" and proof.condition in (None, TRUE)
    return "proved" if known else "refuted" if proof.status == "refuted" else "?"
