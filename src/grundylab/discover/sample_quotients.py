"""Quotients of samples: the same target as a function of fewer numbers.

Names without influence are dropped. Two names may be replaced by their nim-sum, sum, difference, minimum, maximum or
another bitwise combination, if the target is a function of this number and the remaining names. Piles that may be
exchanged are replaced by symmetric numbers, such as their sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import span
from grundylab.language import NO_FUNCTIONS, Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Call, If, Int, Name, chain, compare

WIDE = 8  # least span of a name that is combined with another
LOOK = 2_000  # number of positions tested first
MERGED = 1 / 4  # least share of the positions that a quotient must remove
LARGEST_KEY = 2**62
MOST_STATISTICS = 3  # most symmetric numbers in place of piles


@dataclass(frozen=True)
class Quotient:
    """Samples described by fewer numbers, with one position for each combination of their values.

    terms: for each new name, the term in the old names that it stands for.
    """

    samples: Samples
    terms: Mapping[str, Expr]

    def restored(self, formula: Expr) -> Expr:
        """Return the formula with the quotient's names replaced by their terms in the old names."""
        return substitute(formula, self.terms)


def quotients(samples: Samples) -> Iterator[Quotient]:
    """Yield the samples without names of no influence, then quotients with two names combined, once or repeatedly."""
    plain = Quotient(without_idle(samples), {})
    yield plain
    yield from _pair_quotients(plain)


def without_idle(samples: Samples) -> Samples:
    """Return the samples without the names on which the target does not depend; the last names are dropped first."""
    for name in reversed(samples.variables):
        others = tuple(other for other in samples.variables if other != name)
        fewer = reduced_by(samples, {}, others) if others else None
        samples = fewer.samples if fewer else samples
    return samples


def _pair_quotients(quotient: Quotient) -> Iterator[Quotient]:
    samples = quotient.samples
    wide = [name for name in samples.coordinates if span(samples.columns[name]) >= WIDE]
    for pair in combinations(wide, 2):
        others = tuple(name for name in samples.variables if name not in pair)
        a, b = map(Name, pair)
        difference, least = Call("abs", (Binary("-", a, b),)), Call("min", (a, b))
        bits = (Binary(op, a, b) for op in "^|&")
        single = (*bits, Binary("+", a, b), difference, least, Call("max", (a, b)))
        for terms in (*((term,) for term in single), (difference, least)):
            fewer = reduced_by(samples, {str(term): term for term in terms}, others)
            if fewer is None:
                continue
            meant = {name: substitute(term, quotient.terms) for name, term in fewer.terms.items()}
            paired = Quotient(fewer.samples, {**quotient.terms, **meant})
            yield paired
            if len(terms) == 1:
                yield from _pair_quotients(paired)


def symmetric_quotients(samples: Samples) -> Iterator[Quotient]:
    """Yield quotients in which as few symmetric numbers as possible, at most three, take the place of the piles.

    These are minimum, maximum, second smallest, sum and nim-sum, and the counts of piles that are 0, 1 or odd.
    Nothing if there is only one pile, or if the piles do not have the same greatest value.
    """
    piles = tuple(Name(name) for name in samples.coordinates if name in samples.variables)
    if len(piles) < 2 or len({int(samples.columns[pile.id].max()) for pile in piles}) > 1:
        return
    others = [name for name in samples.variables if name not in {pile.id for pile in piles}]
    total, least, greatest = chain("+", piles), Call("min", piles), Call("max", piles)
    symmetric: list[Expr] = [least, greatest, total, chain("^", piles)]
    if len(piles) == 3:
        symmetric.append(Binary("-", Binary("-", total, least), greatest))
    elif len(piles) > 3:
        without = [piles[:place] + piles[place + 1 :] for place in range(len(piles))]
        symmetric.append(Call("max", tuple(Call("min", few) for few in without)))
    if len(piles) > 2:
        for number in range(2):
            tests = [compare("==", pile, Int(number)) for pile in piles]
            symmetric.append(chain("+", [If(test, Int(1), Int(0)) for test in tests]))
        symmetric.append(chain("+", [Binary("%", pile, Int(2)) for pile in piles]))
    for count in range(1, 1 + min(len(piles), MOST_STATISTICS)):
        is_symmetric = False
        for terms in combinations(symmetric, count):
            fewer = reduced_by(samples, {str(term): term for term in terms}, others)
            if fewer is not None:
                is_symmetric = True
                yield fewer
        if is_symmetric:
            return


def reduced_by(samples: Samples, terms: Mapping[str, Expr], kept: Sequence[str]) -> Quotient | None:
    """Return the quotient described by the names in ``kept`` and by the terms.

    None if the target is not a function of these numbers, or if too few positions would be removed.
    """
    columns = {name: samples.columns[name] for name in kept}
    seen = {name: np.asarray(evaluate_arrays(term, samples.columns)) for name, term in terms.items()}
    if any(column.dtype == object for column in seen.values()):
        return None  # a term is beyond 64 bits
    columns |= {name: column.astype(np.int64) for name, column in seen.items()}
    step = max(1, len(samples) // LOOK)
    for rows in (np.arange(0, len(samples), step), np.arange(len(samples))):
        few = [column[rows] for column in columns.values()]
        widths = [span(column) + 1 for column in few]
        if prod(widths) > LARGEST_KEY:
            return None
        key = np.ravel_multi_index([column - column.min() for column in few], widths)
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
        values = samples.values[rows]
        if np.any(values[first][group.reshape(-1)] != values):
            return None
    if len(first) > (1 - MERGED) * len(samples):
        return None
    kept_rows = np.sort(first)  # one for each combination of the numbers' values
    parameters = tuple(name for name in samples.parameters if name in kept)
    # functions may mention any parameter
    functions = samples.functions if parameters == samples.parameters else NO_FUNCTIONS
    columns = {name: column[kept_rows] for name, column in columns.items()}
    return Quotient(
        Samples(tuple(columns), columns, samples.values[kept_rows], parameters, functions), dict(terms)
    )
