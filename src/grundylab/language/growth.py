"""How large an expression becomes when the functions that it calls are written out, found without writing them out.

A chain of functions that each use the one before twice is short as text, and of 2**n operators when it is evaluated,
printed or proved. So whatever is read is measured here first: of each function's body, how many nodes it has, how deep
they are nested, and how often and how deep each argument occurs; that adds up in the time of one walk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from grundylab.errors import FormulaError
from grundylab.language.lowering import lower
from grundylab.language.syntax import MAX_NODES, Accepts, Call, Expr, Name

MAX_NESTING = (
    200  # operators within operators: every reader follows that deep, with some of Python's calls a level
)

_SMALL = 60  # nodes: by itself such an expression grows by its fractions only, and less than 2**15-fold


@dataclass(frozen=True)
class Growth:
    """nodes, depth: but for the names in ``uses``, of which each occurs so often and so deep at most."""

    nodes: int
    depth: int
    uses: Mapping[str, tuple[int, int]] = field(default_factory=dict)


Known = Mapping[
    str, tuple[tuple[str, ...], Growth]
]  # of functions: their arguments' names, and of their bodies


def check_growth(expr: Expr, known: Known) -> None:
    """Raise FormulaError if the expression with its functions written out is larger or deeper than is worked with."""
    if expr.size <= _SMALL and not known:
        return
    found = growth(expr, known)
    if found.nodes > MAX_NODES:
        raise FormulaError(
            f"with its functions written out it has more than {MAX_NODES:,} operators and numbers"
        )
    if found.depth > MAX_NESTING:
        raise FormulaError(f"with its functions written out it is nested too deeply (at most {MAX_NESTING})")


def growth(expr: Expr, known: Known, arguments: Iterable[str] = ()) -> Growth:
    """Of the expression apart from the ``arguments``, with the functions that are known written out."""
    return _growth(lower(expr), known, frozenset(arguments), {})


def _growth(expr: Expr, known: Known, arguments: frozenset[str], done: dict[int, Growth]) -> Growth:
    """done: of the parts looked at already, by identity."""
    if id(expr) not in done:
        parts = [_growth(child, known, arguments, done) for child in expr.children]
        done[id(expr)] = _over(expr, parts, known, arguments)
    return done[id(expr)]


def _over(expr: Expr, parts: Sequence[Growth], known: Known, arguments: frozenset[str]) -> Growth:
    """Of a node, from those of its children."""
    if isinstance(expr, Name):
        return Growth(0, 0, {expr.id: (1, 0)}) if expr.id in arguments else Growth(1, 1)
    if isinstance(expr, Call) and expr.name in known:
        names, body = known[expr.name]
        given = dict(zip(names, parts, strict=True))
        return _together(body, [(given[name], *use) for name, use in body.uses.items()])
    own = expr.size - sum(child.size for child in expr.children) if isinstance(expr, Accepts) else 1
    return _together(Growth(own, 1), [(part, 1, 1) for part in parts])


def _together(around: Growth, parts: Iterable[tuple[Growth, int, int]]) -> Growth:
    """With each part put in so many times, so deep at most."""
    nodes, depth, uses = around.nodes, around.depth, dict[str, tuple[int, int]]()
    for part, times, down in parts:
        nodes += times * part.nodes
        depth = max(depth, down + part.depth)
        for name, (count, deep) in part.uses.items():
            before = uses.get(name, (0, 0))
            uses[name] = (before[0] + times * count, max(before[1], down + deep))
    return Growth(nodes, depth, uses)
