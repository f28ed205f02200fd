"""Rows of the table of arithmetic whose unreadable terms are among given terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grundylab.language.syntax import Binary, Call, Expr, Name, distinct_parts
from grundylab.prove.core.arithmetic import ArithmeticRow
from grundylab.prove.search.unreadable_terms import is_read_with_its_parts


def row_matches(
    row: ArithmeticRow, parts: Sequence[Expr], constants: Sequence[Expr] = ()
) -> Iterator[dict[str, Expr]]:
    """Yield terms for the arguments of a row with which its unreadable terms are among ``parts``.

    constants: numbers for an argument that occurs in none of these terms.
    """
    patterns = sorted(
        {p for p in distinct_parts(row.said) if not is_read_with_its_parts(p)},
        key=lambda p: (-p.size, str(p)),
    )
    yield from _unified(patterns, row.arguments, parts, {}, constants)


def _unified(
    patterns: Sequence[Expr],
    arguments: Sequence[str],
    parts: Sequence[Expr],
    given: dict[str, Expr],
    constants: Sequence[Expr],
) -> Iterator[dict[str, Expr]]:
    left = [a for a in arguments if a not in given]
    if not left:
        yield given
        return
    if given and len(left) == 1:
        yield from ({**given, left[0]: c} for c in constants)
    for index, pattern in enumerate(patterns):
        for part in parts:
            match = _unify(pattern, part, given)
            if match is not None and len(match) > len(given):
                yield from _unified(patterns[index + 1 :], arguments, parts, match, constants)


def _unify(pattern: Expr, term: Expr, given: dict[str, Expr]) -> dict[str, Expr] | None:
    if isinstance(pattern, Name):
        if pattern.id in given:
            return given if given[pattern.id] == term else None
        return {**given, pattern.id: term}
    if type(pattern) is not type(term) or len(pattern.children) != len(term.children):
        return None
    if not pattern.children:
        return given if pattern == term else None
    if isinstance(pattern, Binary) and isinstance(term, Binary) and pattern.op != term.op:
        return None
    if isinstance(pattern, Call) and isinstance(term, Call) and pattern.name != term.name:
        return None
    for a, b in zip(pattern.children, term.children, strict=True):
        match = _unify(a, b, given)
        if match is None:
            return None
        given = match
    return given
