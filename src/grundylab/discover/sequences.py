"""Functions of one whole number, enumerated once and then put to use on whatever a game's positions offer.

``x ^ y ^ z`` of some f(x), f(y), f(z), or one quantity of a position as a function of another: with f known by
its values at 0, 1, 2, … it is looked up, however large its expression.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Array
from grundylab.discover.sampling import settings
from grundylab.discover.terms import DEEP, ONE, Terms, enumerate_terms
from grundylab.discover.work import Work
from grundylab.language import Expr
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Call, Int, Name

LARGEST = 1 << 20  # functions with a greater absolute value are left out
LONGEST = 256  # arguments, beyond those that occur; with more of these there are fewer functions
MOST_ARGUMENTS = 16_384
SETTINGS = 8  # parameter settings at most
GIVEN_COST = 4
RICH = 3  # the part of them that the language with more symbols has
TRIED = 30  # functions tried for one that is kept
NONSQUARES = (2, 3, 5, 6, 7, 8, 10, 12, 13)


@dataclass(frozen=True)
class Sequences:
    """Functions of ``n``, 0 <= n < length, and of the parameters.

    terms: at every n with every setting of the parameters, in this order.
    """

    terms: Terms
    variable: str
    length: int
    settings: int

    def __len__(self) -> int:
        """The number of functions."""
        return len(self.terms)

    def expr(self, index: int, argument: Expr) -> Expr:
        """The function of that number at an argument."""
        return substitute(self.terms.expr(index), {self.variable: argument})

    def cells(self, arguments: Array, setting: Array) -> Array:
        """Where the values at these arguments, all of them within the length, stand in the terms' rows."""
        return np.asarray(arguments * self.settings + setting)


def sequences(samples: Samples, most: int, work: Work) -> tuple[Sequences, ...]:
    """Functions of all arguments that occur (up to twice these, if they are small), at most ``most`` in each language.

    None with many parameter settings, or very large coordinates.
    """
    setting = settings(samples)
    count = int(setting.max()) + 1
    if count > SETTINGS:
        return ()
    greatest = max(int(samples.columns[name].max()) for name in samples.coordinates)
    if greatest >= MOST_ARGUMENTS:
        return ()
    length = max(min(2 * greatest + 1, LONGEST), greatest + 1)
    most = most * LONGEST // max(length, LONGEST)
    variable = next(name for name in "nijtuvwabcd" if name not in samples.names)
    rows = [int(np.flatnonzero(setting == number)[0]) for number in range(count)]
    columns = {name: np.tile(samples.columns[name][rows], length) for name in samples.parameters}
    columns[variable] = np.repeat(np.arange(length), count)
    names = (variable, *samples.parameters)
    line = Samples(names, columns, columns[variable], samples.parameters, samples.functions)
    beatty = tuple((tree, GIVEN_COST) for tree in _beatty(Name(variable)))
    return tuple(
        Sequences(enumerate_terms(line, kept, TRIED * kept, work, language), variable, length, count)
        for kept, language in (
            (most // RICH, replace(ONE, largest=LARGEST, given=beatty)),
            (most, replace(DEEP, largest=LARGEST)),
        )
    )


def _beatty(n: Name) -> Iterator[Expr]:
    """Beatty sequences of quadratic irrationals of small height: floor(n * (a + sqrt(c)) / b)."""
    for root in NONSQUARES:
        surd = Call("isqrt", (Binary("*", Int(root), Binary("*", n, n)),))
        multiples = (n, Binary("*", Int(2), n), Binary("*", Int(3), n))
        tops = [surd, *(Binary("+", multiple, surd) for multiple in multiples)]
        yield from tops
        yield from (Binary("//", top, Int(b)) for b in (2, 3, 4) for top in tops)


def alike(samples: Samples) -> tuple[str, ...]:
    """The largest set of coordinates that may be exchanged: as far as the positions show, the target stays the same.

    It may be a single coordinate if no other has more than two values, and is empty otherwise.
    """
    radix: dict[str, int] = {name: int(samples.columns[name].max()) + 1 for name in samples.names}
    shared = max(radix[name] for name in samples.coordinates)
    radix |= dict.fromkeys(samples.coordinates, shared)
    if min(int(samples.columns[name].min()) for name in samples.names) < 0:
        return ()
    keys = _keys(samples, radix, {})
    order = np.argsort(keys, kind="stable")
    groups: list[list[str]] = []
    for name in samples.coordinates:
        for group in groups:
            if _exchangeable(samples, radix, keys[order], order, name, group[0]):
                group.append(name)
                break
        else:
            groups.append([name])
    group = max(groups, key=lambda names: (len(names), max(radix[name] for name in names)))
    long = [name for name in samples.coordinates if len(np.unique(samples.columns[name])) > 2]
    return tuple(group) if len(group) > 1 else tuple(long) if len(long) == 1 else ()


def _keys(samples: Samples, radix: Mapping[str, int], renamed: Mapping[str, str]) -> Array:
    keys = np.zeros(len(samples), dtype=np.int64)
    for name in samples.names:
        keys = keys * radix[name] + samples.columns[renamed.get(name, name)]
    return keys


def _exchangeable(
    samples: Samples, radix: Mapping[str, int], ordered: Array, order: Array, one: str, other: str
) -> bool:
    swapped = _keys(samples, radix, {one: other, other: one})
    found = np.minimum(np.searchsorted(ordered, swapped), len(ordered) - 1)
    there = ordered[found] == swapped
    same = samples.values[order[found]] == samples.values
    return bool(same[there].all() and 2 * there.sum() >= len(samples))
