"""Values, each with a smaller number, whose definition as mex may contradict a counter-model."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from grundylab.language.syntax import (
    Call,
    Compare,
    Expr,
    Int,
    Kind,
    Name,
    chain,
    distinct_parts,
    operands,
)
from grundylab.prove.search.branch import Branch
from grundylab.prove.search.counter_models import CounterModel, value_in


def promising_splits(branch: Branch, at: CounterModel, solved: bool) -> Iterator[tuple[Call, Expr]]:
    """Yield (value, smaller number) with which the definition of mex may contradict the model."""
    calls = branch.calls()
    numbers = [term for term in branch.terms if term.kind is Kind.NUMBER]
    names = [Name(name) for name in branch.sequent.names if name not in branch.sequent.integers]
    own = branch.own_calls()
    computed = dict.fromkeys(a for call in calls for a in call.arguments if a not in calls)
    inside = ((call, term) for term in computed for call in calls if call in distinct_parts(term))
    said = [part for part in distinct_parts(branch.sequent.goal) if isinstance(part, Compare)]
    links, values = (link for part in said for link in part.links), branch.sequent.theory.values.keys()
    compared = [b for _, a, b in links if isinstance(b, Int) and a.calls & values]
    pairs = [*product(own, compared), *inside]
    for whole in branch.some:  # the position's value, with what an option's value is
        options = branch.where_none_is_taken(whole)
        pairs += [(call, k) for call, k in options if call in calls and k.free <= {*branch.sequent.names}]
    for left, right in (part.terms for part in said if part.ops in (("==",), ("!=",))):
        for one, other in ((left, right), (right, left)):
            terms = operands(one, "^")
            for call in (value for value in calls if value in terms):
                rest = [term for term in terms if term != call]
                pairs.append((call, chain("^", [*rest, *operands(other, "^")])))
    new = [name for name in branch.new_names if name in names]  # such as one that is said to be smaller
    pairs += [] if solved else product(calls, [*new, *numbers, *names, Int(0), Int(1), Int(2)])
    for call, k in dict.fromkeys(pairs):
        low, high = value_in(k, at), value_in(call, at)
        if k != call and low is not None and high is not None and 0 <= low < high:
            yield call, k
