"""What the reader makes of an expression: linear forms, and conditions as pairs of automata."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.automata.kernel import Dfa
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Bounded, Call, Expr, Name, free_names, walk


@dataclass(frozen=True)
class Form:
    """offset + the sum of coefficient * track; needs: the tracks of subterms that must have a value."""

    coefficients: tuple[tuple[str, int], ...] = ()
    offset: int = 0
    needs: frozenset[str] = frozenset()

    @property
    def constant(self) -> int | None:
        """Its value if it is a plain constant."""
        return None if self.coefficients or self.needs else self.offset

    def plus(self, other: Form, times: int = 1) -> Form:
        """self + times * other."""
        sums = dict(self.coefficients)
        for track, coefficient in other.coefficients:
            sums[track] = sums.get(track, 0) + times * coefficient
        kept = tuple(sorted((track, c) for track, c in sums.items() if c))
        return Form(kept, self.offset + times * other.offset, self.needs | other.needs)

    def scaled(self, by: int) -> Form:
        """by * self."""
        return Form((), 0, self.needs).plus(self, by)


@dataclass(frozen=True)
class Truth:
    """Where a condition is true and where it is false; total: whether it is one of the two everywhere."""

    true: Dfa
    false: Dfa
    total: bool = True


def of_both(true: Dfa, false: Dfa) -> Truth:
    """The condition, after a look whether it has a value everywhere."""
    return Truth(true, false, (~(true | false)).is_empty)


def is_log(expr: Expr) -> bool:
    """Whether it is ``floor_log2(…)``."""
    return isinstance(expr, Call) and expr.name == "floor_log2"


def fresh_variable(expr: Bounded) -> Bounded:
    """With a name for the variable that nothing else in the expression has."""
    taken = free_names(expr) | {node.variable for node in walk(expr.body) if isinstance(node, Bounded)}
    name = next(new for k in range(len(taken) + 1) if (new := f"{expr.variable}~{k}") not in taken)
    body = substitute(expr.body, {expr.variable: Name(name)})
    return Bounded(expr.quantifier, name, expr.start, expr.stop, body)
