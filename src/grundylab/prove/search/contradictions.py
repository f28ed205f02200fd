"""Contradictions: facts that cannot be true in a counter-model, whatever the numbers of new terms are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from grundylab.language.syntax import Call, Expr, Kind
from grundylab.prove.core.closing import clauses, number_name
from grundylab.prove.search.branch import Branch
from grundylab.prove.search.counter_models import CounterModel, value_in
from grundylab.prove.search.unreadable_terms import opaque_terms


def contradict(branch: Branch, said: Sequence[Expr], at: CounterModel) -> bool:
    """Tell whether the conditions cannot all be true in the model, whatever the numbers of new terms are.

    A new value at a place where another term has a value is this value.
    """
    parts = [part for condition in said for part in clauses(condition)]
    new = [t for t in dict.fromkeys(t for part in parts for t in opaque_terms(part)) if t not in branch.terms]
    terms, given, unknown = (*branch.terms, *new), dict(at), dict[str, list[int]]()
    places = {(name, place): value for name, place, value in branch.known_values(at) if place is not None}
    named = dict[Expr, str]()  # the unknown number of each term; two values at one place are one number
    first = dict[object, str]()
    for index, term in enumerate(new, len(branch.terms)):
        value, key = branch.value(term, at), _key(branch, term, at)
        value = places.get(key) if value is None else value  # type: ignore[call-overload]
        if value is not None:
            given[number_name(index)] = int(value)
            continue
        named[term] = first.setdefault(key, number_name(index))
        unknown[named[term]] = [0, 1] if term.kind is not Kind.NUMBER else _span(branch, at)
    about = [(part, frozenset(named[t] for t in opaque_terms(part) if t in named)) for part in parts]
    alike = [(number_name(terms.index(term)), name) for term, name in named.items()]

    def fail(names: frozenset[str]) -> bool:
        """Tell whether for all values of these unknown numbers one of the conditions about them is false."""
        said = [part for part, of in about if of <= names]
        for numbers in product(*([(name, value) for value in unknown[name]] for name in sorted(names))):
            values = dict(numbers)
            whole = given | {own: values[name] for own, name in alike if name in values}
            if not any(value_in(part, whole, terms) is False for part in said):
                return False
        return True

    return any(map(fail, {names for _, names in about if len(names) <= 2}))


def _key(branch: Branch, term: Expr, at: CounterModel) -> object:
    """Return what a value is the value of: the function and the place in the model; any other term is its own."""
    if isinstance(term, Call) and term.name in branch.sequent.theory.values:
        place = branch.place(term, at)
        return term if place is None else (term.name, place)
    return term


def _span(branch: Branch, at: CounterModel) -> list[int]:
    """Return numbers that stand for all that a new term may be: small ones, and those in the model."""
    return sorted({*range(4), *(at.get(number_name(n), 0) for n in range(len(branch.terms)))})
