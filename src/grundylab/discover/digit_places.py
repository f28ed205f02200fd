"""Numbers that are the nim-sum of a function of the places at which another number has the binary digit 1.

So it is where each digit 1 is a game of its own, such as a coin of a row that shows heads. The values at the powers of
two are those of the function, and decide all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from grundylab.check.samples import Samples
from grundylab.language.syntax import Binary, Bounded, Call, Expr, Int, Name

FEWEST = 6  # places from which the function is learnt


def digit_place_formulas(samples: Samples, solved: Callable[[Samples], Iterable[Expr]]) -> list[Expr]:
    """Return formulas of a number of one variable as such a nim-sum; empty if it is none.

    solved: returns formulas of the function, from its values. Places count from 0, or from 1.
    """
    if len(samples.variables) != 1 or samples.values.dtype == bool:
        return []
    (name,) = samples.variables
    column, values = samples.columns[name], samples.values
    value_of = dict(zip(column.tolist(), values.tolist(), strict=True))
    powers = [1 << place for place in range(max(int(column.max()), 0).bit_length())]
    if column.min() < 0 or len(powers) < FEWEST or not value_of.keys() >= {*powers}:
        return []
    at = np.array([value_of[power] for power in powers])
    digits = column[:, None] >> np.arange(len(powers)) & 1
    if not np.array_equal(np.bitwise_xor.reduce(digits * at, axis=1), values):
        return []
    place = next(letter for letter in "ijkpq" if letter not in samples.names)
    least = Name(name) if column.min() else Call("max", (Name(name), Int(1)))
    formulas = list[Expr]()
    for first in range(2):
        shift = Binary("-", Name(place), Int(1)) if first else Name(place)
        digit = Binary("%", Binary(">>", Name(name), shift), Int(2))
        stop = Binary("+", Call("floor_log2", (least,)), Int(first + 1))
        function = Samples((place,), {place: np.arange(first, len(powers) + first)}, at)
        for term in solved(function):
            formulas.append(Bounded("nim_sum", place, Int(first), stop, Binary("*", digit, term)))
    return formulas
