"""Contradictions: facts that cannot be true in a counter-model, whatever the numbers of new terms are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from grundylab.language.syntax import Call, Expr, Kind
from grundylab.prove.core.closing import clauses
from grundylab.prove.search.branch import Branch
from grundylab.prove.search.counter_models import CounterModel, value_in
from grundylab.prove.search.unreadable_terms import opaque_terms


def contradict(branch: Branch, said: Sequence[Expr], at: CounterModel) -> bool:
    """Tell whether the conditions cannot all be true in the model, whatever the numbers of new terms are.

    A new value at a place where another term has a value is this value.
    """
    parts = [part for condition in said for part in clauses(condition)]
    new = [t for t in dict.fromkeys(t for part in parts for t in opaque_terms(part)) if t not in at]
    given, unknown = dict(at), dict[Expr, list[int]]()
    places = {(name, place): value for name, place, value in branch.known_values(at) if place is not None}
    # The term whose unknown number each term has: two values at one place are one number.
    alike = dict[Expr, Expr]()
    first = dict[object, Expr]()
    for term in new:
        value = value_in(term, at)
        key: tuple[str, tuple[int, ...]] | None = None  # what a value is the value of, if it has a place
        if isinstance(term, Call) and term.name in branch.sequent.theory.values:
            place = branch.place(term, at)
            key = None if place is None else (term.name, place)
        value = places.get(key) if value is None and key else value
        if value is not None:
            given[term] = int(value)
            continue
        alike[term] = first.setdefault(key or term, term)
        small = sorted({*range(4), *(at.get(known, 0) for known in branch.terms)})
        unknown[alike[term]] = [0, 1] if term.kind is not Kind.NUMBER else small
    about = [(part, frozenset(alike[t] for t in opaque_terms(part) if t in alike)) for part in parts]

    def fail(numbered: frozenset[Expr]) -> bool:
        """Tell whether for all values of these unknown numbers one of the conditions about them is false."""
        said = [part for part, of in about if of <= numbered]
        for numbers in product(
            *([(term, value) for value in unknown[term]] for term in unknown if term in numbered)
        ):
            values = dict(numbers)
            whole = given | {term: values[one] for term, one in alike.items() if one in values}
            if not any(value_in(part, whole) is False for part in said):
                return False
        return True

    return any(map(fail, {of for _, of in about if len(of) <= 2}))
