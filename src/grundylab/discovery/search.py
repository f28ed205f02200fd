"""The engine ``search``: exact symbolic regression for integers.

Terms are enumerated bottom-up on a sample of the training positions; leaves and splits are made of them and
put together by divide and conquer. What is exact on the sample is checked on all training positions, and
where it is wrong the sample grows (counterexample-guided). Stages are tried from the cheapest on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from grundylab.discovery import atoms, joins, sampling
from grundylab.discovery.base import BUDGET_SHARE, Array, Proposals, Samples, out_of_time
from grundylab.discovery.divide import Divider, Leaves, Partition, regions
from grundylab.discovery.ranking import errors
from grundylab.discovery.rewriting import plainness, reduced, simplify
from grundylab.discovery.terms import Terms, enumerate_terms
from grundylab.discovery.tidy import tidy
from grundylab.formula import Expr
from grundylab.formula.syntax import FALSE, TRUE, Int
from grundylab.rulesets.model import Target


@dataclass(frozen=True)
class Stage:
    """How far to look. sample: positions; terms, work: kept and tried; leaves, guards: of the divide step.

    enough: an exact formula of at most so many nodes ends the search.
    """

    sample: int
    terms: int
    work: int
    leaves: int
    guards: int
    beam: int
    depth: int
    enough: int


STAGES = (
    Stage(sample=600, terms=400, work=20_000, leaves=400, guards=60, beam=1, depth=0, enough=9),
    Stage(sample=1200, terms=4_000, work=100_000, leaves=2_000, guards=800, beam=6, depth=4, enough=17),
    Stage(
        sample=1600, terms=25_000, work=500_000, leaves=4_000, guards=1_500, beam=6, depth=6, enough=10_000
    ),
)
ROUNDS = 8  # of finding counterexamples in one stage
CHECKED = 10  # formulas checked on all positions in a round
REDUCED = 3  # exact formulas that are cut down by the data
PARTIAL = 3
RAREST = 16  # a position where the target holds counts for at most so many where it does not
JOINED = 10  # regions of one round for which pairs of terms are looked up


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Exact formulas, smallest first, and then the best partial ones."""
    search = _Search(samples, seed, budget_seconds)
    return Proposals(tuple(search.run()), (out_of_time(budget_seconds),) * search.stopped)


class _Search:
    """One run: the samples, the generator of random numbers, and what was found so far."""

    def __init__(self, samples: Samples, seed: int, budget: float) -> None:
        self._samples = samples
        self._rng = np.random.default_rng(seed)
        self._end = time.monotonic() + BUDGET_SHARE * budget  # a step more may follow
        self.stopped = False  # whether the budget ended it
        self._exact: list[Expr] = []
        self._partial: list[Expr] = []

    def run(self) -> list[Expr]:
        trivial = _constant(self._samples.values)
        if trivial is not None:
            return [trivial]
        rows = np.empty(0, dtype=np.int64)
        for stage in STAGES:
            rows = np.union1d(rows, sampling.draw(self._samples, stage.sample, self._rng))
            rows = self._stage(stage, rows)
            if self._late() or (self._exact and min(e.size for e in self._exact) <= stage.enough):
                break
        exact = dict.fromkeys(tidy(formula, self._samples.names) for formula in self._exact)
        partial = dict.fromkeys(tidy(formula, self._samples.names) for formula in self._partial)
        return sorted(exact, key=plainness) + list(partial)

    def _late(self) -> bool:
        self.stopped = time.monotonic() > self._end
        return self.stopped

    def _stage(self, stage: Stage, rows: Array) -> Array:
        """One stage's rounds; the rows of the sample with the counterexamples found."""
        for _ in range(ROUNDS):
            sample = self._samples.at(rows)
            exact, partial = self._formulas(sample, stage)
            self._partial = partial + self._partial
            wrong = self._checked(exact, sample)
            if wrong is None or self._late():
                break
            rows = np.union1d(
                rows, sampling.counterexamples(wrong, self._samples, stage.sample // 12, self._rng)
            )
        return rows

    def _formulas(self, sample: Samples, stage: Stage) -> tuple[list[Expr], list[Expr]]:
        """Formulas that are exact on the sample, smallest first, and others."""
        terms = enumerate_terms(sample, stage.terms, stage.work, self._rng)
        joined = self._joined(terms, sample.values)
        if sample.values.dtype == bool:
            found = _condition_leaves(terms, sample, stage, self._rng)
        else:
            found = _number_leaves(terms, sample, stage)
        outline = sample.values if sample.values.dtype == bool else _hardest(found.wrong)
        splits = atoms.guards(terms, outline, stage.guards, self._rng)
        divider = Divider(found, splits, self._late)
        partitions = divider.grow(stage.beam, stage.depth)
        exact = [divider.tree(p) for p in partitions if not p.errors]
        partial = [p for p in partitions if p.errors]
        if not exact:
            exact = self._completed(divider, partial, terms, sample.values)
        trees = (simplify(tidy(simplify(e), sample.names)) for e in (*joined, *exact))
        return sorted(dict.fromkeys(trees), key=plainness), [
            simplify(divider.tree(p)) for p in partial[:PARTIAL]
        ]

    def _joined(self, terms: Terms, values: Array) -> list[Expr]:
        """Formulas made of two terms that are exact on the sample."""
        if values.dtype != bool:
            return joins.combinations(terms, values, self._rng)
        equations = joins.equations(terms, values, self._rng)
        return equations or joins.inequalities(terms, values, self._rng)

    def _completed(
        self, divider: Divider, partial: list[Partition], terms: Terms, values: Array
    ) -> list[Expr]:
        """Partitions whose regions with errors all have an exact formula made of two terms."""
        better: dict[bytes, Expr] = {}
        tried: set[bytes] = set()
        done = []
        for partition in partial:
            open_regions = {
                region.mask.tobytes(): region for region in regions(partition.root) if region.errors
            }
            for key, region in open_regions.items():
                if key not in tried and len(tried) < JOINED and not self._late():
                    tried.add(key)
                    here = np.flatnonzero(region.mask)
                    if pair := self._joined(terms.at(here), values[here]):
                        better[key] = pair[0]
            if all(key in better for key in open_regions):
                done.append(divider.tree(partition, better))
        return done

    def _checked(self, exact: list[Expr], sample: Samples) -> Array | None:
        """Keep what is exact everywhere; where the smaller others are wrong, or None if there are none."""
        wrong = np.zeros(len(self._samples), dtype=bool)
        refuted, kept = False, 0
        for formula in exact[:CHECKED]:
            wrong_at = errors(formula, self._samples)
            if wrong_at is None:
                continue
            if wrong_at.any():
                self._partial.append(formula)
                if not kept:
                    refuted = True
                    wrong |= wrong_at
            elif kept < REDUCED:
                kept += 1
                self._exact.append(reduced(formula, self._is_exact(sample)))
        return wrong if refuted else None

    def _is_exact(self, sample: Samples) -> Callable[[Expr], bool]:
        def exact(formula: Expr) -> bool:
            for data in (sample, self._samples):
                wrong_at = errors(formula, data)
                if wrong_at is None or wrong_at.any():
                    return False
            return True

        return exact


def _constant(values: Array) -> Expr | None:
    """The formula of a target with one value only."""
    if (values != values[0]).any():
        return None
    if values.dtype == bool:
        return TRUE if values[0] else FALSE
    return Int(int(values[0]))


def _condition_leaves(terms: Terms, sample: Samples, stage: Stage, rng: np.random.Generator) -> Leaves:
    found = atoms.leaves(terms, sample.values, stage.leaves, rng)
    holding = max(int(sample.values.sum()), 1)
    rarity = np.clip((len(sample) - holding) // holding, 1, RAREST)
    weights = np.where(sample.values, rarity, 1).astype(np.float32)
    return Leaves((found.rows != sample.values) * weights, found.sizes, found.expr)


def _number_leaves(terms: Terms, sample: Samples, stage: Stage) -> Leaves:
    """The terms that are the target at most positions, and the smallest ones."""
    right = (terms.values == sample.values).sum(axis=1)
    few = np.argsort(terms.sizes, kind="stable")[: stage.leaves // 4]
    best = np.argsort(-right, kind="stable")[: stage.leaves * 3 // 4]
    chosen = np.unique(np.concatenate([few, best]))
    chosen = chosen[np.argsort(terms.sizes[chosen], kind="stable")]
    wrong = (terms.values[chosen] != sample.values).astype(np.float32)
    return Leaves(wrong, terms.sizes[chosen], lambda index: terms.expr(int(chosen[index])))


def _hardest(wrong: Array) -> Array:
    """Where the leaf that is right most often is right: what a split should tell apart."""
    return np.asarray(wrong[int(np.argmin(wrong.sum(axis=1)))] == 0)
