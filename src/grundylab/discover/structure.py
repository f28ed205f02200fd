"""Smaller problems: what the target shows of its form, by exact tests, and the formulas that this leads to.

A target may be a function of fewer numbers (``quotients``), of the coordinates in order of size, or of their remainders
by a number; it may be a sum of piles (``piles``); and a number may be made of two parts, as by division. Each smaller
problem is given to the complete search, whose answer is put back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import complete
from grundylab.discover.base import Array
from grundylab.discover.piles import piles
from grundylab.discover.quotients import Quotient, quotients, reduced_by
from grundylab.discover.rewriting import plainness
from grundylab.discover.tidy import spelled
from grundylab.discover.work import Work
from grundylab.language import Expr
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Call, Int, Name, chain, compare

SHARE = 1 / 4  # of the work that is left each smaller problem may take
PART = 1 / 2  # and each part of a whole
MODULI = range(2, 17)
PARTS = range(2, 17)  # by which a number is divided
FEWEST = 2  # quotients that a part must have to be one


def formulas(samples: Samples, work: Work) -> list[Expr]:
    """Exact formulas by way of smaller problems, plainest first."""
    found = list(_of_piles(samples, work))
    for problem in _smaller(samples):
        answer = complete.smallest(problem.samples, work.part(SHARE))
        found += [problem.restored(formula) for formula in answer.formulas]
    if samples.values.dtype != bool:
        found += _divided(samples, work)
    return sorted({spelled(formula, samples.names) for formula in found}, key=plainness)


def _smaller(samples: Samples) -> Iterator[Quotient]:
    """Quotients of fewer positions, each with a way back."""
    for number, quotient in enumerate(quotients(samples)):
        if number or len(quotient.samples) < len(samples):
            yield quotient
    if (sorted_ := _sorted(samples)) is not None:
        yield sorted_
    for by in MODULI:
        if (rests := _rests(samples, by)) is not None:
            yield rests
            return


def _rests(samples: Samples, by: int) -> Quotient | None:
    """The coordinates by their remainders, if the target depends on no more of them."""
    names = [name for name in samples.variables if name not in samples.parameters]
    if not any(np.ptp(samples.columns[name]) >= 2 * by for name in names):
        return None
    terms = {name: Binary("%", Name(name), Int(by)) for name in names}
    return reduced_by(samples, {str(term): term for term in terms.values()}, samples.parameters)


def _sorted(samples: Samples) -> Quotient | None:
    """The coordinates in order of size, if the target is the same however they are exchanged."""
    names = [name for name in samples.coordinates if name in samples.variables]
    if len(names) not in (2, 3) or len({int(samples.columns[name].max()) for name in names}) > 1:
        return None
    every = tuple(map(Name, names))
    least, greatest = Call("min", every), Call("max", every)
    terms: dict[str, Expr] = {str(least): least, str(greatest): greatest}
    if len(names) == 3:
        middle = Binary("-", Binary("-", chain("+", every), least), greatest)
        terms[str(middle)] = middle
    others = [name for name in samples.variables if name not in names]
    return reduced_by(samples, terms, others)


def _of_piles(samples: Samples, work: Work) -> Iterator[Expr]:
    for seen in piles(samples):
        formulas = _each(seen.parts, work)
        if formulas is not None:
            whole = chain(seen.operator, formulas)
            yield compare("==", whole, Int(0)) if samples.values.dtype == bool else whole


def _each(parts: Sequence[Samples], work: Work) -> list[Expr] | None:
    """The smallest formula of each of the parts, looked for once if they are the same; None if one has none."""
    found: list[tuple[Samples, Expr]] = []
    for part in parts:
        known = next(
            (_renamed(other, formula, part) for other, formula in found if _alike(other, part)), None
        )
        if known is None:
            answer = complete.smallest(part, work.part(PART))
            if not answer.formulas:
                return None
            known = answer.formulas[0]
        found.append((part, known))
    return [formula for _, formula in found]


def _alike(one: Samples, other: Samples) -> bool:
    """Whether they are the same but for the names of the coordinates, if there is one."""
    return (
        len(one.coordinates) == len(other.coordinates) == 1
        and np.array_equal(one.values, other.values)
        and all(
            np.array_equal(*pair) for pair in zip(one.columns.values(), other.columns.values(), strict=True)
        )
    )


def _renamed(one: Samples, formula: Expr, other: Samples) -> Expr:
    return substitute(formula, {one.coordinates[0]: Name(other.coordinates[0])})


# -- numbers of two parts ---------------------------------------------------------------------------------------


class _Parts(NamedTuple):
    by: int
    quotient: Samples
    rest: Samples


def _divided(samples: Samples, work: Work) -> Iterator[Expr]:
    """``by * q + r`` where q is a function of the coordinates' quotients by the same number."""
    for parts in _parts(samples):
        formulas = _each((parts.quotient, parts.rest), work)
        if formulas is not None:
            yield Binary("+", Binary("*", Int(parts.by), formulas[0]), formulas[1])


def _parts(samples: Samples) -> Iterator[_Parts]:
    values = samples.values
    if values.min() < 0:
        return
    for by in PARTS:
        if values.max() < FEWEST * by:
            return
        quotients_ = _with(samples, values // by)
        names = [name for name in samples.variables if name not in samples.parameters]
        terms: Mapping[str, Expr] = {
            str(term): term for term in (Binary("//", Name(name), Int(by)) for name in names)
        }
        if reduced_by(quotients_, terms, samples.parameters) is not None:
            yield _Parts(by, quotients_, _with(samples, values % by))


def _with(samples: Samples, values: Array) -> Samples:
    return Samples(samples.names, samples.columns, values, samples.parameters, samples.functions)
