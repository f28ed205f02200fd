"""The simplest formulas there are: all that cost so much are looked at before any that is dearer.

They are looked for on a sample. Where the smallest that fit the sample are wrong somewhere else, the sample gets some
of these positions and the search begins again, so that what comes out is the smallest on all positions
(counterexample-guided inductive synthesis, Solar-Lezama 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import closing, comparisons, sampling
from grundylab.discover.bank import CONSTANTS, Bank
from grundylab.discover.base import Array, constant
from grundylab.discover.cost import cost
from grundylab.discover.forms import Forms, calls
from grundylab.discover.ranking import errors
from grundylab.discover.rewriting import plainness
from grundylab.discover.tidy import spelled
from grundylab.discover.work import DISPATCH, Work
from grundylab.language.syntax import Expr

SAMPLE = 160  # positions to begin with
FIRST, USUAL, LAST = 3, 5, 8  # cost of a bank's dearest terms; more than usual only of one variable
BESIDE = 4  # from which on sums of monomials are looked at, too
MOST = 100_000  # terms of a bank
ROUNDS = 30  # of finding counterexamples with one bank
ADDED = 24  # counterexamples of one round
TESTED = 40  # formulas of one cost that are tried at all positions
SUMMED = 10  # what a cell of sums of monomials counts as work
READ = 2  # what a node of a formula counts as work at a position


@dataclass(frozen=True)
class Searched:
    """What was looked at: all formulas that cost at most ``cost``, made of so many terms of different behaviour."""

    cost: int = 0
    terms: int = 0

    def __str__(self) -> str:
        """A sentence without a full stop."""
        constants = f"numbers of up to {CONSTANTS[-1]} inside, any outside"
        return f"all formulas that cost up to {self.cost} ({constants}), made of {self.terms:,} terms"


@dataclass(frozen=True)
class Smallest:
    """Formulas that are exact, smallest first; and what was looked at, which has none smaller than the first."""

    formulas: tuple[Expr, ...] = ()
    searched: Searched = Searched()

    @property
    def proved(self) -> bool:
        """Whether there is none that costs less than the first."""
        return bool(self.formulas) and cost(self.formulas[0]) <= self.searched.cost + 1


def smallest(samples: Samples, work: Work) -> Smallest:
    """The smallest exact formulas, as far as the work goes."""
    trivial = constant(samples.values)
    if trivial is not None:
        return Smallest((trivial,), Searched(1))
    rows, found = sampling.draw(samples, SAMPLE), Smallest()
    last = LAST if len(samples.variables) == 1 else USUAL
    for most in range(FIRST, last + 1):
        for _ in range(ROUNDS):
            bank = Bank(samples.at(rows))
            while bank.most < most:
                if not bank.grow(work, MOST):
                    return found
            exact, wrong = _tested(bank, samples, work)
            if work.over:
                return found if found.formulas else Smallest(tuple(exact), found.searched)
            if wrong is None:
                break
            rows = np.union1d(rows, sampling.counterexamples(wrong, samples, ADDED))
        else:
            return found
        found = Smallest(tuple(exact) or found.formulas, Searched(most + 2, len(bank)))
        if found.proved or (found.formulas and most >= USUAL):
            break
    return found


def _tested(bank: Bank, samples: Samples, work: Work) -> tuple[list[Expr], Array | None]:
    """The smallest formulas on all positions; and where smaller ones are wrong that are right on the sample."""
    wrong = np.zeros(len(samples), dtype=bool)
    refuted = False
    for _, alike in groupby(sorted(_fitting(bank, work), key=lambda each: each[0]), key=lambda each: each[0]):
        trees = dict.fromkeys(spelled(tree(), samples.names) for _, tree in list(alike)[:TESTED])
        exact = []
        for tree in trees:
            work.spend(READ * tree.size * (len(samples) + DISPATCH))
            at = errors(tree, samples)
            if at is not None and not at.any():
                exact.append(tree)
            elif at is not None:
                wrong |= at
        if exact:
            return sorted(exact, key=lambda tree: (cost(tree), plainness(tree))), wrong if refuted else None
        refuted = refuted or bool(wrong.any())
    return [], wrong if refuted else None


def _fitting(bank: Bank, work: Work) -> Iterator[tuple[int, Callable[[], Expr]]]:
    """(nodes, what makes it) of each formula that is the target on the bank's sample."""
    beside = (Forms(bank.samples), calls(bank.samples)) if bank.most >= BESIDE else ()
    work.spend(SUMMED * sum(terms.values.size for terms in beside))
    if bank.samples.values.dtype == bool:
        found = comparisons.exact(bank, bank.samples.values, work, beside)
        yield from ((each.cost, each.tree) for each in found)
    else:
        for number in closing.exact(bank, bank.samples.values.astype(np.int64), work, beside):
            yield number.cost, lambda tree=number.tree: tree  # type: ignore[misc]
