"""Whether what a statement is about has a meaning: its condition and the ranges of its variables have values.

A rule may leave a condition out, or read one that has no value as false. So the kernel asks for this before any rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import lru_cache

from grundylab.errors import GrundylabError
from grundylab.games.model import Ruleset
from grundylab.language.builtins import BUILTINS
from grundylab.language.intervals import Interval, is_total
from grundylab.language.names import unqualified
from grundylab.language.substitution import rewritten
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Call,
    Compare,
    Expr,
    Int,
    Logic,
    Name,
    Not,
    compare,
    conjuncts,
)
from grundylab.prove.kernel.automata import CELLS, true_everywhere
from grundylab.prove.kernel.space import plainly_natural
from grundylab.prove.kernel.theorem import Refused
from grundylab.statement import Statement

FAR = 1 << 100  # no bound
_VALUE = "_value"


@lru_cache(maxsize=1024)  # many statements are asked for more than once, by other evidence
def check_meaning(statement: Statement) -> None:
    """Raise Refused unless the condition and the ends of ranges have values wherever they are asked for.

    Whether a function that is not written out has one is not asked here: a table, a recurrence, a value looked up.
    """
    game, known = statement.game, dict(_bounds(statement))
    ends = [end for variable in statement.variables for end in variable.ends]
    for expr in (statement.where, *(compare("==", end, end) for end in ends)):
        if expr == TRUE or _is_total(expr, statement, known):
            continue
        raw = Logic("or", (expr, Not(expr)))  # true wherever it has a value
        if statement.plain and true_everywhere(game, raw, TRUE, CELLS):
            continue
        raise Refused(f"the condition may have no value somewhere: {unqualified(str(expr))}"[:300])


def _is_total(expr: Expr, statement: Statement, known: dict[str, Interval]) -> bool:
    try:
        free = {each.name for each in statement.game.free}
        whole = rewritten(statement.functions.expand(expr), lambda node: _valued(node, free))
        return is_total(whole, statement.functions, known, limits=False)
    except GrundylabError:
        return False


def _valued(node: Expr, free: Set[str]) -> Expr:
    if not isinstance(node, Call) or node.name in BUILTINS:
        return node
    value: Expr = Name(_VALUE)
    if node.name in free:  # it has values at natural numbers, as shifts have
        for argument in node.arguments:
            value = Binary("+", value, Binary("<<", Int(1), argument))
    return value


def _bounds(statement: Statement) -> Iterator[tuple[str, Interval]]:
    """Yield what is known of the names from the ranges and from the parameters' domain."""
    game: Ruleset = statement.game
    for each in (*game.coordinates, *statement.variables):
        yield each.name, Interval(0 if plainly_natural(each.range.low) else -FAR, FAR)
    yield _VALUE, Interval(-FAR, FAR)
    yield from ((name, Interval(0, FAR)) for name in game.bounds)
    lows = dict.fromkeys(game.parameter_names, -FAR)
    for term in conjuncts(game.domain):
        match term:
            case Compare(ops=(">=",), terms=(Name(id=name), Int(value=value))):
                lows[name] = max(lows[name], value)
    yield from ((name, Interval(low, FAR)) for name, low in lows.items())
