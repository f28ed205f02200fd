"""What is proved of a record and by how many procedures, in words.

Its status alone does not say for which parameters something is proved; whoever shows the status shows ``extent`` with
it. Words come as texts and conditions, so that each output sets the conditions in its own type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grundylab.catalogue.attempts import ProofRecord
from grundylab.catalogue.records import Judged
from grundylab.language.syntax import TRUE, Expr

Words = tuple[str | Expr, ...]

_NUMBERS = ("no", "one", "two", "three", "four")


def extent(record: Judged) -> Words:
    """``for all sizes with k == 1, or k == 2``; ``for all sizes exactly where m % 4 == 3``."""
    if record.complete:
        return ("every entry was computed",)
    found = record.extents
    if exact := next((one.exactly for one in found if one.exactly is not None), None):
        return ("for all sizes exactly where ", exact)
    if not found or any(one.whole for one in found):
        return ("for all sizes",)
    words: list[str | Expr] = []
    for one in found:
        words += [", or " if words else "for all sizes with "]
        words += [one.condition] if one.condition != TRUE else []
        if one.states is not None:
            words += [" and " * (one.condition != TRUE)]
            words += [f"the parameters that an automaton of {one.states} states accepts"]
    return tuple(words)


def in_part(record: Judged) -> bool:
    """Whether it is proved, and for some parameters or positions only."""
    found = record.extents
    return bool(found) and not any(one.whole for one in found)


def written(words: Words) -> str:
    """The words in a line of plain text."""
    return "".join(map(str, words))


def by_many(names: Sequence[str]) -> str:
    """``by two procedures``: for a list."""
    number = max(1, len(names))
    count = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"by {count} procedure{'' if number == 1 else 's'}"


def by(proof: ProofRecord) -> str:
    """``by two independent procedures (…; …)``, or by one, and why no other has checked it."""
    said = by_many(proof.procedures).replace(" procedures", " independent procedures")
    inside = ["; ".join(proof.procedures)] if proof.procedures else []
    if proof.second is not None and proof.second.status != "agrees":
        inside += [f"the second ({proof.second.by}) has not checked it: {proof.second.reason}"]
    return f"{said} ({'; '.join(inside)})" if inside else said


def proved(record: Judged) -> Words:
    """What stands after ``proved`` in a list: for which parameters, and by how many procedures."""
    if record.decided_by is None:
        return extent(record)
    return (*extent(record), f", {by_many(record.procedures)}")


def counted(records: Iterable[Judged]) -> str:
    """Of records that are proved: ``18 by two procedures, 3 for some parameters only``."""
    known = list(records)
    two = sum(len(record.procedures) > 1 for record in known)
    part = sum(in_part(record) for record in known)
    words = [f"{two:,} by two procedures"] if known else []
    return ", ".join([*words, *([f"{part:,} for some parameters only"] if part else [])])
