"""The parts of a condition that make it false, with both sides evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grundylab.errors import EvaluationError, number_text
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import NO_FUNCTIONS, Functions
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Compare, Expr, If, Logic, called_functions

_FALSE = " is false"
_SIGNS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}


def false_parts_text(condition: Expr, values: Mapping[str, int]) -> str:
    """Return what ``false_parts`` does as text; empty if the condition has other names or calls than built-in ones."""
    if not condition.free <= values.keys() or not called_functions(condition) <= BUILTINS.keys():
        return ""
    try:
        false = false_parts(condition, values)
    except EvaluationError:
        return ""
    parts = [] if false == [(condition, _FALSE)] else false  # that a condition is false is no reason for it
    return "; ".join("".join(map(str, words)) for words in parts)


def false_parts(
    condition: Expr, values: Mapping[str, int], functions: Functions = NO_FUNCTIONS
) -> list[tuple[str | Expr, ...]]:
    """Return for each part that makes a false condition false its evaluation: ``x - 1 == y ^ z says 1 = 0``."""
    evaluations = list[tuple[str | Expr, ...]]()
    for part in _parts(condition, values, functions):
        says = _FALSE
        if isinstance(part, Compare):
            left, right = (number_text(evaluate(term, values, functions)) for term in part.terms)
            says = f" says {left} {_SIGNS.get(part.ops[0], part.ops[0])} {right}"
        evaluations.append((part, says))
    return evaluations


def _parts(formula: Expr, values: Mapping[str, int], functions: Functions) -> Iterator[Expr]:
    """Yield the smallest parts that make a false condition false.

    A disjunction has such a part in each of its terms; any other condition has one, in the first term that is false.
    """
    match formula:
        case Logic(op="or", terms=parts):
            for part in parts:
                yield from _parts(part, values, functions)
            return
        case Logic(terms=parts):
            pass
        case Compare(ops=ops) if len(ops) > 1:
            parts = tuple(Compare((op,), (left, right)) for op, left, right in formula.links)
        case Compare(ops=("==",), terms=(If(condition=left), If(condition=right))):  # two conditions
            parts = (left, right)
        case If(condition=condition, then=then, otherwise=otherwise):
            parts = (then if evaluate(condition, values, functions) else otherwise,)
        case _:
            yield formula
            return
    first = next((part for part in parts if not evaluate(part, values, functions)), None)
    yield from (formula,) if first is None else _parts(first, values, functions)
