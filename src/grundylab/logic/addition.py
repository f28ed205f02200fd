"""The sentence that a relation between a, b and c is ``a + b = c``.

It is for provers that get the sums of a numeration system as an automaton, which might be wrong. It says: for all a and
b there is exactly one c; if b is 0, c is a; and if b is replaced by the next number, c becomes the next number. By
induction on b, c is then a + b. The order of the numbers, and which of them is 0, must be known independently.
"""

from __future__ import annotations

from grundylab.logic.sentence import (
    Sentence,
    Variable,
    all_of,
    exists,
    for_all,
    form_is_natural,
    form_is_zero,
    implies,
    negation,
    variable_form,
)

_A, _B, _C, _D, _E, _BETWEEN = (Variable(name) for name in ("a", "b", "c", "d", "e", "between"))


def _sum(a: Variable, b: Variable, result: Variable) -> Sentence:
    return form_is_zero(variable_form(a) + variable_form(b) - variable_form(result))


def _less(a: Variable, b: Variable) -> Sentence:
    return negation(form_is_natural(variable_form(a) - variable_form(b)))


def _next(a: Variable, b: Variable) -> Sentence:
    between = exists([_BETWEEN], all_of(_less(a, _BETWEEN), _less(_BETWEEN, b)))
    return all_of(_less(a, b), negation(between))


def _same(a: Variable, b: Variable) -> Sentence:
    return form_is_zero(variable_form(a) - variable_form(b))


ADDITION = all_of(
    for_all([_A, _B], exists([_C], _sum(_A, _B, _C))),
    for_all([_A, _B, _C, _D], implies(all_of(_sum(_A, _B, _C), _sum(_A, _B, _D)), _same(_C, _D))),
    for_all([_A, _B, _C], implies(all_of(form_is_zero(variable_form(_B)), _sum(_A, _B, _C)), _same(_A, _C))),
    for_all(
        [_A, _B, _C, _D, _E],
        implies(all_of(_sum(_A, _B, _C), _sum(_A, _D, _E), _next(_B, _D)), _next(_C, _E)),
    ),
)
