"""Complete search for the simplest formulas: all formulas of a cost are examined before any costlier one.

The search runs on a sample. If the cheapest formulas that fit the sample are wrong elsewhere, some positions where they
are wrong are added to the sample, and the search starts again. So the result is the cheapest on all positions
(counterexample-guided inductive synthesis, Solar-Lezama 2008).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, groupby, islice

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import closing_terms as closing
from grundylab.discover import comparisons, sampling
from grundylab.discover.bank import CONSTANTS, Bank
from grundylab.discover.base import constant_formula
from grundylab.discover.cost import cost
from grundylab.discover.digit_places import digit_place_formulas
from grundylab.discover.envelopes import envelope_formulas
from grundylab.discover.extra_terms import function_calls, monomial_sums, neighbours, remainders
from grundylab.discover.plainness import is_plain, plainness
from grundylab.discover.ranking import counted_errors
from grundylab.discover.rewriting import normal_form
from grundylab.discover.search_budget import SearchBudget
from grundylab.language.syntax import Expr
from grundylab.numeric import Array

SAMPLE = 160  # positions of the first sample
FIRST, USUAL, LAST = 3, 5, 8  # greatest cost of a bank's terms: first, with all constants, with few
FEW = range(3)  # constants inside terms, in banks of terms that cost more than USUAL
BESIDE = 4  # greatest cost of a bank's terms from which on sums of monomials are tried, too
MOST, DEEPEST = 100_000, 400_000  # most terms of a bank: here, and for the engine ``deeper``
ROUNDS = 30  # rounds of counterexamples with one bank
ADDED = 24  # counterexamples of one round
PLAINER = 6  # how much more than the cheapest exact formulas a plain one may cost
TESTED = 40  # formulas of one cost that are tested at all positions
PLACES = 1.0  # seconds of work for a function of places


@dataclass(frozen=True)
class SearchExtent:
    """Extent of a search: all formulas of at most this cost, made of so many terms, which differ on the sample."""

    cost: int = 0
    terms: int = 0

    def __str__(self) -> str:
        """Return the extent as a noun phrase for a note."""
        constants = f"numbers of up to {CONSTANTS[-1]} inside, any outside"
        return f"all formulas that cost up to {self.cost} ({constants}), made of {self.terms:,} terms"


@dataclass(frozen=True)
class SmallestFormulas:
    """Exact formulas, cheapest first, and the extent within which the search shows that none is cheaper."""

    formulas: tuple[Expr, ...] = ()
    searched: SearchExtent = SearchExtent()

    @property
    def proved(self) -> bool:
        """True if the search shows that no exact formula costs less than the first."""
        return bool(self.formulas) and cost(self.formulas[0]) <= self.searched.cost + 1

    @property
    def none_up_to(self) -> int:
        """The greatest cost for which the search shows that no formula of at most this cost is exact."""
        least = min(map(cost, self.formulas), default=self.searched.cost + 1)
        return max(0, min(self.searched.cost, least - 1))

    def beside(self, formulas: Iterable[Expr], searched: SearchExtent) -> SmallestFormulas:
        """Return the result with further formulas, cheapest first, and a new extent.

        The formulas found before are kept, since a bank of costlier terms may miss them.
        """
        every = dict.fromkeys((*self.formulas, *formulas))
        return SmallestFormulas(
            tuple(sorted(every, key=lambda tree: (cost(tree), plainness(tree)))), searched
        )


def smallest_formulas(samples: Samples, work: SearchBudget) -> SmallestFormulas:
    """Return the cheapest exact formulas found before the work is used up; ``formulas`` is empty if there are none.

    If there are none, minima and maxima of quotients are tried, and nim-sums over the places of digits.
    """
    smallest = _smallest(samples, work)
    if smallest.formulas:
        return smallest
    more = envelope_formulas(samples, work)
    more += digit_place_formulas(samples, lambda few: _smallest(few, SearchBudget(PLACES)).formulas)
    return smallest.beside((normal_form(tree, samples.names) for tree in more), smallest.searched)


def _smallest(samples: Samples, work: SearchBudget) -> SmallestFormulas:
    trivial = constant_formula(samples.values)
    if trivial is not None:
        return SmallestFormulas((trivial,), SearchExtent(1))
    search = _Search(samples, work, sampling.draw_rows(samples, SAMPLE))
    smallest = SmallestFormulas()
    for most in range(FIRST, USUAL + 1):
        looked = search.all_up_to(most, CONSTANTS)
        if looked is None:
            return smallest
        if work.over or not looked.searched.cost:
            return smallest if work.cut else smallest.beside(looked.formulas, smallest.searched)
        smallest = smallest.beside(looked.formulas, looked.searched)
        if smallest.proved:
            return smallest
    # Costlier terms with fewer constants; once a formula is found, with no more terms than before.
    room = smallest.searched.terms if smallest.formulas else MOST
    for looked in islice(search.on_and_on(room), LAST - USUAL):
        smallest = smallest.beside(looked.formulas, smallest.searched)
        if smallest.formulas and cost(smallest.formulas[0]) <= looked.searched.cost + 1:
            break
    return smallest


def deeper_formulas(samples: Samples, work: SearchBudget) -> tuple[Expr, ...]:
    """Return the cheapest exact formulas with small constants, beyond the costs that ``smallest_formulas`` reaches.

    Empty if none is found before the work is used up.
    """
    trivial = constant_formula(samples.values)
    if trivial is not None:
        return (trivial,)
    search = _Search(samples, work, sampling.draw_rows(samples, SAMPLE))
    return next((looked.formulas for looked in search.on_and_on(DEEPEST) if looked.formulas), ())


@dataclass
class _Search:
    """A search: the samples, the remaining work, and the rows of the current sample.

    Counterexamples are added to ``rows``. banks: the current bank of terms on these rows; its key is the range of the
    constants inside its terms.
    """

    samples: Samples
    work: SearchBudget
    rows: Array
    banks: dict[range, Bank] = field(default_factory=dict)

    def all_up_to(self, most: int, constants: range, room: int = MOST) -> SmallestFormulas | None:
        """Return the exact formulas made of all terms up to the cost ``most``, if these are at most ``room`` terms.

        If there are more, or the work does not suffice, return the exact formulas found on earlier samples, with an
        empty extent; None if there are none.
        """
        result: SmallestFormulas | None = None
        for _ in range(ROUNDS):
            bank = self._bank(constants)
            while bank.most < most:
                if not bank.grow(self.work, room):
                    return result
            exact, wrong = _test(bank, self.samples, self.work)
            if wrong is None or self.work.over:
                return SmallestFormulas(tuple(exact), SearchExtent(most + 2, len(bank)))
            result = SmallestFormulas(tuple(exact)) if exact else result
            self.rows = sampling.with_counterexamples(self.rows, wrong, self.samples, ADDED)
            self.banks.clear()
        return result

    def on_and_on(self, room: int) -> Iterator[SmallestFormulas]:
        """Yield results of ``all_up_to`` for costs above USUAL, with constants FEW, while room and work suffice."""
        for most in count(USUAL + 1):
            looked = self.all_up_to(most, FEW, room)
            if looked is None or self.work.cut:
                return
            yield looked
            if self.work.over or self._bank(FEW).complete:
                return

    def _bank(self, constants: range) -> Bank:
        if constants not in self.banks:
            sample = self.samples.at(self.rows)
            # terms given below their cost may displace simpler ones: only where no extent is reported
            given = (*neighbours(sample), *remainders(sample)) if constants == FEW else ()
            self.banks = {constants: Bank(sample, constants, given)}
        return self.banks[constants]


def _test(bank: Bank, samples: Samples, work: SearchBudget) -> tuple[list[Expr], Array | None]:
    """Return the cheapest formulas that are exact on all positions, and the mask of counterexamples.

    Formulas that fit the bank's sample are tested, cheapest first. If none of the cheapest exact ones is plain, those
    that cost up to PLAINER more are tested, too, until one is. The mask has the positions where tested formulas are
    wrong; it is None if none of those cheaper than the exact ones is wrong.
    """
    wrong = np.zeros(len(samples), dtype=bool)
    refuted = False
    exact: list[Expr] = []
    sample = bank.samples
    beside = (monomial_sums(sample, work), function_calls(sample, work)) if bank.most >= BESIDE else ()
    if sample.values.dtype == bool:
        fitting = comparisons.exact_conditions(bank, sample.values, work, beside)
    else:
        fitting = closing.exact_numbers(bank, sample.values.astype(np.int64), work, beside)
    cheapest_first = sorted(fitting, key=lambda formula: formula.cost)
    for paid, alike in groupby(cheapest_first, key=lambda formula: formula.cost):
        longer = bool(exact)
        if longer and (paid > cost(exact[0]) + PLAINER or any(map(is_plain, exact))):
            break
        trees = dict.fromkeys(normal_form(formula.tree(), samples.names) for formula in islice(alike, TESTED))
        for tree in trees:
            at = counted_errors(tree, samples, work)
            if at is not None and not at.any():
                exact.append(tree)
            elif at is not None and not longer:
                wrong |= at
        refuted = refuted or (not exact and bool(wrong.any()))
    return sorted(exact, key=lambda tree: (cost(tree), plainness(tree))), wrong if refuted else None
