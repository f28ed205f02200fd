"""The engine ``search``: exact symbolic regression for integers.

First comes the complete search for the simplest formulas, then reductions to smaller problems, then stages of divide
and conquer. In a stage, terms are enumerated bottom-up on a sample of the training positions, and made into the leaves
and splits of trees. Formulas exact on the sample are checked on all training positions, and positions where they are
wrong are added to the sample (counterexample-guided).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import closing_terms as closing
from grundylab.discover import comparisons, complete, sampling, structure
from grundylab.discover.bank import CONSTANTS, Bank, GivenTerms, TermSource
from grundylab.discover.base import BUDGET_SHARE, Proposals, constant_formula, out_of_time
from grundylab.discover.divide import Divider, Partition, Pool, regions, terms_as_leaves
from grundylab.discover.extra_terms import combined_terms
from grundylab.discover.plainness import plainness
from grundylab.discover.ranking import counted_errors, ties
from grundylab.discover.rewriting import reduce_while_exact, simplify, tidy
from grundylab.discover.search_budget import SearchBudget
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.numeric import Array
from grundylab.records.finding import Finding


@dataclass(frozen=True)
class Stage:
    """Limits of one stage of divide and conquer.

    sample: the number of positions. terms: the greatest number of terms in the bank. leaves, guards: the greatest
    numbers of leaves and of splitting conditions to choose from. depth: the greatest number of splits of a tree.
    enough: an exact formula with at most this many nodes ends the search.
    """

    sample: int
    terms: int
    leaves: int
    guards: int
    depth: int
    enough: int


STAGES = (
    Stage(sample=1200, terms=4_000, leaves=2_000, guards=800, depth=4, enough=17),
    Stage(sample=1600, terms=25_000, leaves=4_000, guards=1_500, depth=6, enough=10_000),
)
BEAM = 6
INSIDE = range(5)  # constants in terms if there are several variables; with one variable all are used
COMPLETE, STRUCTURE = 3.2, 1.5  # seconds of work for the simplest formulas, and for reductions
VALUES = 1.5  # seconds of work for the cases of a coordinate with few values
SCREENED = 400  # number of positions at which alternatives to an exact formula are tested first
ROUNDS = 8  # rounds of counterexamples in one stage
CHECKED = 10  # formulas checked on all positions in a round
REDUCED = 3  # exact formulas of a round that are cut down as far as the data allow
PARTIAL = 3  # partial formulas kept in a round
POOLED = 8  # work of a cell of the terms when conditions are made of them
PAIRS_OF = 8_000  # cheapest terms of which pairs are looked up in a region
PAIRS = 10  # formulas of two terms kept
JOINED = 8  # regions of one round for which pairs of terms are looked up


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return the exact formulas, smallest first, and then the best partial ones; the notes tell what was searched."""
    work = SearchBudget(BUDGET_SHARE * budget_seconds)  # the last step may exceed it
    search = _Search(samples, work)
    formulas = tuple(search.run())
    notes = (*search.notes, *(out_of_time(budget_seconds),) * work.over)
    parts = tuple(Finding(formula=formula, target=target, where=where) for where, formula in search.parts)
    return Proposals(formulas, notes, parts, none_up_to=search.none_up_to)


def ranked_formulas(samples: Samples, work: SearchBudget) -> list[Expr]:
    """Return the formulas for the samples, exact ones first."""
    return _Search(samples, work).run()


class _Search:
    """One run of the engine: the samples, the remaining work, and the formulas found so far."""

    def __init__(self, samples: Samples, work: SearchBudget) -> None:
        self._samples = samples
        self._work = work
        self._first = complete.SmallestFormulas()
        self._exact: list[Expr] = []
        self._partial: list[Expr] = []
        # conditions, each with a formula that is exact where it holds, if no formula is exact at all positions
        self.parts: list[tuple[Expr, Expr]] = []

    @property
    def none_up_to(self) -> int:
        """The cost up to which the complete search shows that no formula is exact."""
        return self._first.none_up_to

    @property
    def notes(self) -> tuple[str, ...]:
        """The note on the extent of the complete search; none if there was no such search."""
        if not self._first.searched.cost:
            return ()
        note = "there is no simpler one" if self._first.proved else "no shorter one was found"
        return (f"{note if self._exact else 'none was found'} among {self._first.searched}",)

    def run(self) -> list[Expr]:
        first = self._first = complete.smallest_formulas(self._samples, SearchBudget(COMPLETE, self._work))
        self._exact += first.formulas
        if not self._exact:
            self._exact += structure.reduction_formulas(self._samples, SearchBudget(STRUCTURE, self._work))
        if not self._exact:
            for parts, whole in structure.formulas_by_value(self._samples, SearchBudget(VALUES, self._work)):
                if whole is not None and self._fits(whole, self._samples):
                    self._exact.append(whole)
                else:
                    self.parts += parts
        if (self._exact and not first.formulas) or first.proved:
            return self._result()
        rows = np.empty(0, dtype=np.int64)
        for stage in STAGES:
            rows = np.union1d(rows, sampling.draw_rows(self._samples, stage.sample))
            for _ in range(ROUNDS):
                sample = self._samples.at(rows)
                exact, partial = self._formulas(sample, stage)
                self._partial = partial + self._partial
                if self._work.over:  # a fit to an incomplete bank is accidental: more terms might change it
                    break
                wrong = self._checked(exact, sample)
                if wrong is None:
                    break
                rows = sampling.with_counterexamples(rows, wrong, self._samples, stage.sample // 12)
            if self._work.over or (self._exact and min(e.size for e in self._exact) <= stage.enough):
                break
        return self._result()

    def _result(self) -> list[Expr]:
        exact = dict.fromkeys(tidy(formula, self._samples.names) for formula in self._exact)
        partial = dict.fromkeys(tidy(formula, self._samples.names) for formula in self._partial)
        few = self._samples.at(sampling.draw_rows(self._samples, SCREENED))
        shown = ties(exact, self._is_exact(few), self._samples) if exact else []
        return [*shown, *partial]

    def _formulas(self, sample: Samples, stage: Stage) -> tuple[list[Expr], list[Expr]]:
        """Return the formulas that are exact on the sample, plainest first, and the best of the others."""
        inside = INSIDE if len(sample.variables) > 1 else CONSTANTS
        terms = Bank(sample, inside, combined_terms(sample))
        terms.fill(self._work, stage.terms)
        self._work.spend(POOLED * terms.values.size)
        joined = _two_term_formulas(terms, sample.values, self._work)
        if sample.values.dtype == bool:
            pool = Pool(terms, sample.values)
            leaves = pool.leaves(stage.leaves)
        else:
            leaves = terms_as_leaves(terms, sample.values, stage.leaves)
            best = leaves.rows[int(np.argmin(leaves.rows.sum(axis=1)))]
            pool = Pool(terms, best == 0)  # conditions under which the leaf with the fewest errors is right
        divider = Divider(leaves, pool.guards(stage.guards), self._work)
        partitions = divider.grow(BEAM, stage.depth)
        exact = [divider.tree(p.root) for p in partitions if not p.errors]
        partial = [p for p in partitions if p.errors]
        if not exact:
            exact = self._completed(divider, partial, terms, sample.values)
        trees = (simplify(tidy(simplify(e), sample.names)) for e in (*joined, *exact))
        return sorted(dict.fromkeys(trees), key=plainness), [
            simplify(divider.tree(p.root)) for p in partial[:PARTIAL]
        ]

    def _completed(
        self, divider: Divider, partial: list[Partition], terms: Bank, values: Array
    ) -> list[Expr]:
        """Return formulas of partitions in which every region with errors gets an exact formula of two terms instead.

        Partitions for which that fails are left out.
        """
        better: dict[bytes, Expr] = {}
        tried: set[bytes] = set()
        done = []
        for partition in partial:
            open_regions = {
                region.mask.tobytes(): region for region in regions(partition.root) if region.errors
            }
            for key, region in open_regions.items():
                if key not in tried and len(tried) < JOINED and not self._work.over:
                    tried.add(key)
                    here = np.flatnonzero(region.mask)
                    cheap = terms.values[:PAIRS_OF].take(here, axis=1)
                    few = GivenTerms(cheap, terms.costs[:PAIRS_OF], terms.expr)
                    if pair := _two_term_formulas(few, values[here], self._work):
                        better[key] = pair[0]
            if all(key in better for key in open_regions):
                done.append(divider.tree(partition.root, better))
        return done

    def _checked(self, exact: list[Expr], sample: Samples) -> Array | None:
        """Keep the formulas that are exact on all samples, and return the mask of counterexamples.

        The mask has the positions where the formulas before the first exact one are wrong; None if they are wrong
        nowhere.
        """
        wrong = np.zeros(len(self._samples), dtype=bool)
        refuted, kept = False, 0
        for formula in exact[:CHECKED]:
            wrong_at = counted_errors(formula, self._samples, self._work)
            if wrong_at is None:
                continue
            if wrong_at.any():
                self._partial.append(formula)
                if not kept:
                    refuted = True
                    wrong |= wrong_at
            elif kept < REDUCED:
                kept += 1
                self._exact.append(reduce_while_exact(formula, self._is_exact(sample)))
        return wrong if refuted else None

    def _fits(self, formula: Expr, data: Samples) -> bool:
        wrong_at = counted_errors(formula, data, self._work)
        return wrong_at is not None and not wrong_at.any()

    def _is_exact(self, sample: Samples) -> Callable[[Expr], bool]:
        return lambda formula: self._fits(formula, sample) and self._fits(formula, self._samples)


def _two_term_formulas(terms: TermSource, values: Array, work: SearchBudget) -> list[Expr]:
    """Return the formulas of two terms, or of a term and constants, that have these values, cheapest first."""
    if (trivial := constant_formula(values)) is not None:
        return [trivial]
    if values.dtype == bool:
        formulas = [
            *comparisons.one_term_conditions(terms, values, work),
            *comparisons.equations(terms, values, work),
        ]
    else:
        target = values.astype(np.int64)
        formulas = [
            *closing.numbers_with_constants(terms, target, work),
            *closing.two_term_numbers(terms, target, work),
        ]
    return [formula.tree() for formula in sorted(formulas, key=lambda formula: formula.cost)[:PAIRS]]
