"""A condition as clauses in which no free function is asked for a value at a bound variable.

``all`` becomes a variable of the claim; ``any`` the number that an equation in it gives its variable.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from grundylab.games.model import Range, Ranged, Ruleset
from grundylab.language import names
from grundylab.language.functions import Function
from grundylab.language.intervals import is_total
from grundylab.language.substitution import rewritten, substitute
from grundylab.language.syntax import (
    FALSE,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Logic,
    Name,
    Not,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    free_names,
    parts,
)
from grundylab.prove.lookups import NotSaid
from grundylab.prove.neighbours import implied, negation
from grundylab.prove.space import plainly_natural

MOST = 64  # clauses of one statement
Clause = tuple[tuple[Ranged, ...], Expr]  # a condition that is claimed for all values of the variables


class Opening:
    """A condition as clauses in which no function is asked for a value at a bound variable."""

    def __init__(self, ruleset: Ruleset, variables: Sequence[Ranged]) -> None:
        self._free = {free.name for free in ruleset.free}
        self._bounds, self._functions = ruleset.bounds, ruleset.functions
        self._taken = {*names_of(ruleset), *(variable.name for variable in variables)}

    def clauses(self, condition: Expr) -> list[Clause]:
        """Together they say what the condition does."""
        found: list[Clause]
        match condition:
            case _ if not self._asks(condition):
                found = [((), condition)]
            case Logic(op="and", terms=terms):
                found = [clause for term in terms for clause in self.clauses(term)]
            case Logic(op="or", terms=terms):
                found = [((), FALSE)]
                for term in terms:
                    found = [
                        ((*one, *other), disjunction(first, then))
                        for one, first in found
                        for other, then in self.clauses(term)
                    ]
            case Not(operand=operand):
                found = self._of_negation(operand)
            case Bounded(quantifier="any"):
                found = self.clauses(self._chosen(condition))
            case Bounded(quantifier="all", variable=variable, start=start, stop=stop, body=body):
                if not plainly_natural(start):
                    raise NotSaid
                name = names.written(variable, self._taken)
                self._taken.add(name)
                inside = Compare(("<=", "<"), (start, Name(name), stop))
                inner = self.clauses(implied(inside, substitute(body, {variable: Name(name)})))
                number = Ranged(name, Range(Int(0), Name(self._bounds[0])))
                found = [((number, *more), clause) for more, clause in inner]
            case _:
                found = [((), condition)]
        if len(found) > MOST:
            raise NotSaid
        return found

    def _chosen(self, some: Bounded) -> Expr:
        """That it is true of the number that it gives the variable; false if it gives none. This may ask for more."""
        held = [rewritten(some.body, self._value), compare("<=", some.start, some.stop)]
        if not all(is_total(each, self._functions) for each in held):  # what is left out must have a value
            raise NotSaid
        unknown = Name(some.variable)
        for term in conjuncts(some.body):
            match term:
                case Compare(ops=("==",), terms=(a, b)) if (number := solved_for(unknown, a, b)) is not None:
                    inside = Compare(("<=", "<"), (some.start, number, some.stop))
                    return conjunction(inside, substitute(some.body, {some.variable: number}))
        return FALSE

    def _value(self, node: Expr) -> Expr:
        return Name("_value") if isinstance(node, Call) and node.name in self._free else node

    def _of_negation(self, operand: Expr) -> list[Clause]:
        match operand:
            case Logic(op=op, terms=terms):
                of = conjunction if op == "or" else disjunction
                return self.clauses(of(*map(negation, terms)))
            case Not(operand=inner):
                return self.clauses(inner)
            case Bounded(quantifier="any", variable=variable, start=start, stop=stop, body=body):
                return self.clauses(Bounded("all", variable, start, stop, negation(body)))
        return [((), Not(operand))]

    def _asks(self, expr: Expr) -> bool:
        return asks_at_bound(expr, self._free)


def solved_for(unknown: Name, left: Expr, right: Expr) -> Expr | None:
    """What the unknown is by an equation in which it is once, alone."""
    for one, other in ((left, right), (right, left)):
        if one == unknown and unknown.id not in free_names(other):
            return other
    return None


def asks_at_bound(expr: Expr, functions: Collection[str]) -> bool:
    """Whether one of the functions is asked for a value at a variable that is bound in the expression."""
    return any(
        node.variable in free_names(call)
        for node in parts(expr)
        if isinstance(node, Bounded)
        for call in parts(node.body)
        if isinstance(call, Call) and call.name in functions
    )


def names_of(ruleset: Ruleset) -> set[str]:
    """All names that mean something in the rules, or are bound there."""
    functions = ruleset.functions
    bodies = (function.body for function in functions if isinstance(function, Function))
    said = [*ruleset.expressions, *bodies, *(free.condition for free in ruleset.free)]
    bound = {node.variable for expr in said for node in parts(expr) if isinstance(node, Bounded)}
    return {*ruleset.formula_names, *ruleset.bounds, *bound, *(function.name for function in functions)}
