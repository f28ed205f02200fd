"""Running the engines on a problem: what each finds with each seed, how long it takes, and the verdict on it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from benchmarks.discovery_problems import Problem, region_size, solved

from grundylab.check.verification import VerdictStatus, verify
from grundylab.discover import discover, engine_named, uses_seed
from grundylab.discover.base import Candidate
from grundylab.discover.repairs import search_proposals
from grundylab.errors import GrundylabError
from grundylab.games import Claim
from grundylab.games.model import ALWAYS
from grundylab.language import Expr, Kind, parse
from grundylab.language.syntax import TRUE, If, Int, compare
from grundylab.logic.mona import find_mona
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim

GROWTH = 2  # times that the training bounds are doubled
PROOF_SECONDS = 10


@dataclass(frozen=True)
class Attempt:
    """One engine with one seed on one problem.

    seconds: processor time, of the engine and of recounting what it proposes. verdict: of its best candidate that is
    exact on the training positions and holds on all unseen ones; if there is none ``refuted`` (exact on the training
    positions only), ``partial`` (exact at a share of them), or ``none``. share: of the training positions.
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
        """Whether it recovers the claim."""
        return self.verdict == "holds"


@dataclass(frozen=True)
class Outcome:
    """All attempts at a problem, whose training is what was used in the end.

    before: processor seconds of all engines on smaller training tables. training, unseen: the numbers of positions.
    equal: whether the smallest formula that holds is ``proved`` equal to the one in print, or ``?``.
    """

    problem: Problem
    attempts: tuple[Attempt, ...]
    before: float
    training: int
    unseen: int
    equal: str

    @property
    def says(self) -> str:
        """For the log: what came of each engine."""
        return ", ".join(f"{a.engine} {a.seed} {a.verdict} {a.seconds:.1f} s" for a in self.attempts)

    def record(self) -> dict[str, Any]:
        """Return the outcome as JSON."""
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
    """Every engine with every seed, budget seconds each; then the baseline with the time that they took together.

    Where no engine describes the training positions exactly (with the first seed), the training bounds are doubled, as
    anyone would do who has the solver, at most GROWTH times. It is not asked for that whether anything holds elsewhere.
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
        else:  # the same answer, as a test of each such engine holds
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
    """Ask one engine with one seed, and judge what it finds on the unseen instances."""
    tables = [solved(instance, problem.values) for instance in problem.train]
    engine_named(engine)  # importing it is not counted
    started = time.process_time()
    try:
        found = discover(tables, problem.target, engine, seed, budget, problem.where)
    except GrundylabError as error:
        return Attempt(engine, seed, time.process_time() - started, f"error: {error}", None, None, 0.0)
    seconds = time.process_time() - started
    found = [candidate for candidate in found if candidate.plain]  # about the whole region
    exact = [candidate for candidate in found if candidate.exact]
    for candidate in exact:
        if _judged(problem, candidate.formula) == "holds":
            return _made(candidate, seconds, "holds")
    if exact:
        return _made(exact[0], seconds, _judged(problem, exact[0].formula))
    if found:
        return _made(found[0], seconds, "partial")
    return Attempt(engine, seed, seconds, "none", None, None, 0.0)


def _made(candidate: Candidate, seconds: float, verdict: str) -> Attempt:
    return Attempt(
        candidate.engine, candidate.seed, seconds, verdict, str(candidate.formula), candidate.size,
        candidate.share,
    )  # fmt: skip


@lru_cache(maxsize=256)
def _judged(problem: Problem, formula: Expr) -> VerdictStatus:
    tables = [solved(instance, problem.values) for instance in problem.test]
    return verify(formula, problem.target, tables, problem.where).status


def _equal(problem: Problem, formula: Expr) -> str:
    """Whether MONA proves that the formula and the printed one are equal on the whole region."""
    if formula == problem.printed:
        return "the same"
    if find_mona() is None:
        return "?"
    sides = [e if e.kind is Kind.NUMBER else If(e, Int(1), Int(0)) for e in (formula, problem.printed)]
    claim = Claim("equal", ALWAYS, compare("==", *sides), problem.where, kind="condition")
    proof = prove_claim(problem.ruleset, claim, limits=Limits(PROOF_SECONDS, words=search_proposals))
    known = proof.status == "proved" and proof.condition in (None, TRUE)
    return "proved" if known else "refuted" if proof.status == "refuted" else "?"
