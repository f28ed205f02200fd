"""The decision, by automata, whether two formulas have equal values wherever their names lie within bounds."""

from __future__ import annotations

from grundylab.automata.dfa import AutomataBudget
from grundylab.errors import GrundylabError
from grundylab.language.functions import Functions
from grundylab.language.intervals import Bounds
from grundylab.language.numeration import numeration_system
from grundylab.language.plainer_forms import LARGEST
from grundylab.language.syntax import Expr, If, Int, Kind, Name, Not, compare, conjunction
from grundylab.logic.reader import AutomataReader

CELLS = 1_000_000  # of transition tables for one question: a twentieth of a second


def equal_everywhere(one: Expr, other: Expr, bounds: Bounds, where: Expr, functions: Functions) -> bool:
    """Tell whether automata prove that both formulas have a value, and the same, wherever ``where`` is true.

    bounds: of all names. False, too, if something is outside the logic of automata, or takes more than CELLS cells.
    """
    names, inside = one.free | other.free | where.free, [where]
    for name in sorted(names):
        low, high = bounds[name].low, bounds[name].high
        inside += [compare(">=", Name(name), Int(low))] * (low > -LARGEST)
        inside += [compare("<=", Name(name), Int(high))] * (high < LARGEST)
    natural = frozenset(name for name in names if bounds[name].low >= 0)
    same: Expr = compare("==", one, other) if one.kind is Kind.NUMBER else If(one, other, Not(other))
    try:
        budget = AutomataBudget(CELLS, numeration_system([one, other, where]))
        reader = AutomataReader(functions, budget, natural)
        return (reader.true(conjunction(*inside)) & ~reader.true(same)).is_empty
    except GrundylabError:
        return False
