"""Remarks on rules that are valid but unusual, and so perhaps mistakes; the command ``check`` prints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grundylab.games.model import Move, Ruleset
from grundylab.games.settings import FEW_VALUES, MOST_CHOSEN
from grundylab.language import Expr
from grundylab.language.functions import Function
from grundylab.language.syntax import Binary, Int, Name, free_names, walk

_POWERS = (2, 3)  # exponents for which '^' is easily mistaken for a power


def remarks(ruleset: Ruleset) -> list[str]:
    """Return remarks on the ruleset, as sentences without a full stop."""
    sentences = [remark for expr in dict.fromkeys(_expressions(ruleset)) for remark in power_remarks(expr)]
    if not ruleset.moves:
        sentences.append("there are no moves: every position is terminal")
    names, changed = ruleset.coordinate_names, set[str]()
    for move in ruleset.moves:
        changed.update(*(move.changes(names, part) for part in range(len(move.parts))))
    sentences += [f"no move changes {name}" for name in names if ruleset.moves and name not in changed]
    first = dict[Move, str]()
    for move in ruleset.moves:
        bare = replace(move, name="")
        if bare in first:
            sentences.append(f"the moves '{first[bare]}' and '{move.name}' are the same")
        first.setdefault(bare, move.name)
    used = frozenset[str]().union(*map(free_names, _expressions(ruleset)))
    sentences += [f"the parameter {name} is in no rule and in no claim" for name in ruleset.parameter_names
              if name not in used]  # fmt: skip
    if FEW_VALUES ** len(ruleset.parameters) > MOST_CHOSEN:
        sentences.append(
            f"{len(ruleset.parameters)} parameters have too many combinations of values: only {MOST_CHOSEN} get "
            "tables; choose values with --param"
        )
    return sentences


def power_remarks(expr: Expr) -> Iterator[str]:
    """Yield a remark for each nim-sum that looks like a power."""
    for term in walk(expr):
        match term:
            case Binary(op="^", left=Name(id=name), right=Int(value=value)) if value in _POWERS:
                power = " * ".join([name] * value)
                yield f"{term} is the nim-sum of {name} and {value}; its power is {power}"


def _expressions(ruleset: Ruleset) -> Iterator[Expr]:
    """Yield all expressions of the rules and claims, apart from the domains of the parameters."""
    yield from ruleset.expressions
    yield from (function.body for function in ruleset.functions if isinstance(function, Function))
    yield from (free.condition for free in ruleset.free)
    for claim in ruleset.claims:
        yield from (claim.formula, claim.where, *(end for v in claim.variables for end in v.ends))
