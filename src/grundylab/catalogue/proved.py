"""What is proved of a record and by how many procedures: read off its proofs in one place, and worded in one place.

A record is that of a formula, a claim or a correction: its own ``where``, and ``proofs``. Its status alone does not
say for which parameters it is proved; whoever shows the status shows ``extent`` with it. Words come as texts and
conditions, so that each output sets the conditions in its own type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grundylab.language import parse_condition
from grundylab.language.syntax import TRUE, Expr, Logic, conjunction, disjunction

Record = Mapping[str, Any]
Words = tuple[str | Expr, ...]

_NUMBERS = ("no", "one", "two", "three", "four")


@dataclass(frozen=True)
class Extent:
    """How far one proof reaches, beyond what the statement itself asks.

    condition: TRUE for all that the statement is about. exactly: the values of the parameters for which the statement
    is true, and for no others, if the proof says so. states: of the automaton that alone says for which parameters.
    """

    condition: Expr
    exactly: Expr | None = None
    states: int | None = None

    @property
    def whole(self) -> bool:
        """Whether nothing of the statement is left out."""
        return self.condition == TRUE and self.states is None


def proofs_of(record: Record) -> list[Record]:
    """The proofs that went through."""
    return [proof for proof in record.get("proofs") or () if proof["status"] == "proved"]


def beyond(own: Expr, condition: Expr) -> Expr:
    """The condition without what the statement's own asks as well."""
    return conjunction(*(term for term in _terms(condition) if term not in _terms(own)))


def _terms(condition: Expr) -> tuple[Expr, ...]:
    return condition.terms if isinstance(condition, Logic) and condition.op == "and" else (condition,)


def extent_of(proof: Record, own: Expr) -> Extent:
    """How far a proof reaches of a statement with the condition ``own``.

    A claim is asked as it stands: its proof is of all that fulfils the condition it was asked under. A formula may be
    asked for which parameters it is true.
    """
    under, where = (parse_condition(proof.get(key) or "True") for key in ("under", "where"))
    exactly = where if proof["exactly"] and under == TRUE and where != TRUE else None
    if proof.get("claim") is not None:
        return Extent(beyond(own, under), exactly)
    states = proof["automaton"]["states"] if proof.get("unnamed") else None
    return Extent(beyond(own, conjunction(under, where)), exactly, states)


def region_of(proof: Record) -> Expr | None:
    """Where a proof (with what it assumes) shows its statement to be true; None where no condition says it."""
    if proof["status"] != "proved" or (proof.get("unnamed") and proof["claim"] is None):
        return None
    return conjunction(parse_condition(proof["assuming"]), parse_condition(proof["where"]))


def united(conditions: Iterable[Expr]) -> Expr:
    """Any of the conditions."""
    found = tuple(dict.fromkeys(conditions))
    return TRUE if TRUE in found else disjunction(*found)


# -- for which parameters and positions ---------------------------------------------------------------------------


def extents(record: Record) -> list[Extent]:
    """How far its proofs reach, each once."""
    own = parse_condition(record.get("where") or "True")
    return list(dict.fromkeys(extent_of(proof, own) for proof in proofs_of(record)))


def extent(record: Record) -> Words:
    """``for all sizes with k == 1, or k == 2``; ``for all sizes exactly where m % 4 == 3``."""
    if record.get("complete"):
        return ("every entry was computed",)
    found = extents(record)
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


def in_part(record: Record) -> bool:
    """Whether it is proved, and for some parameters or positions only."""
    found = extents(record)
    return bool(found) and not any(one.whole for one in found)


def written(words: Words, show: Callable[[str], str] = str) -> str:
    """The words in a line. show: how a condition is written there."""
    return "".join(part if isinstance(part, str) else show(str(part)) for part in words)


# -- by how many procedures ---------------------------------------------------------------------------------------


def deciding(record: Record) -> Record | None:
    """The proof that tells by how many procedures it is proved: of what is proved piece by piece the weakest."""
    own, best = parse_condition(record.get("where") or "True"), dict[Extent, Record]()
    for proof in proofs_of(record):
        reach = extent_of(proof, own)
        if reach not in best or _count(proof) > _count(best[reach]):
            best[reach] = proof
    whole = [proof for reach, proof in best.items() if reach.whole or reach.exactly is not None]
    return max(whole, key=_count) if whole else min(best.values(), key=_count, default=None)


def _count(proof: Record) -> int:
    return len(proof.get("procedures") or ())


def procedures(record: Record) -> list[str]:
    """The procedures that independently say that it is proved; none for a table of which every entry was computed."""
    proof = deciding(record)
    return [] if proof is None else list(proof.get("procedures") or ())


def by_many(names: Sequence[str]) -> str:
    """``by two procedures``: for a list."""
    number = max(1, len(names))
    count = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"by {count} procedure{'' if number == 1 else 's'}"


def by(proof: Record) -> str:
    """``by two independent procedures (…; …)``, or by one, and why no other has checked it."""
    names, second = proof.get("procedures") or (), proof.get("second")
    said = by_many(names).replace(" procedures", " independent procedures")
    inside = ["; ".join(names)] if names else []
    if second is not None and second["status"] != "agrees":
        inside += [f"the second ({second['by']}) has not checked it: {second['reason']}"]
    return f"{said} ({'; '.join(inside)})" if inside else said


def proved(record: Record) -> Words:
    """What stands after ``proved`` in a list: for which parameters, and by how many procedures."""
    if deciding(record) is None:
        return extent(record)
    return (*extent(record), f", {by_many(procedures(record))}")


def counted(records: Iterable[Record]) -> str:
    """Of records that are proved: ``18 by two procedures, 3 for some parameters only``."""
    known = list(records)
    two = sum(len(procedures(record)) > 1 for record in known)
    part = sum(in_part(record) for record in known)
    words = [f"{two:,} by two procedures"] if known else []
    return ", ".join([*words, *([f"{part:,} for some parameters only"] if part else [])])
