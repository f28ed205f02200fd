"""Division of a condition into clauses in which certain functions are not called at bound variables.

A clause is a list of variables and a condition that is claimed for all their values.

The variable of an ``all`` becomes a variable of the statement. The variable of an ``any`` is replaced by the number
that an equation in its body gives.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from itertools import count

from grundylab.games.model import Range, Ranged, Ruleset
from grundylab.language.functions import Function
from grundylab.language.intervals import is_total
from grundylab.language.substitution import rewrite, substitute
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
    distinct_parts,
    free_names,
)
from grundylab.prove.core.definedness import implied, negation
from grundylab.prove.core.space import plainly_natural, signed_variables
from grundylab.prove.kernel.theorem import Refused
from grundylab.statement import Statement

MOST = 64  # the most clauses of one statement
Clause = tuple[tuple[Ranged, ...], Expr]  # a condition that is claimed for all values of the variables


class Clauses:
    """A divider of conditions into clauses. functions: the names of the functions not to call at bound variables."""

    def __init__(self, statement: Statement, functions: Collection[str]) -> None:
        self._free = set(functions)
        self._game, self._functions = statement.game, statement.game.functions
        self._taken = names_in(statement.game, statement.formula, statement.where)
        self._taken |= {variable.name for variable in statement.variables}

    def clauses(self, condition: Expr) -> list[Clause]:
        """Return clauses that together imply the condition; raise Refused if they are too many or cannot be formed."""
        found: list[Clause]
        match condition:
            case _ if not has_call_at_bound_variable(condition, self._free):
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
                    raise Refused("the range of a bound variable may begin below 0")
                name = fresh_name("each", self._taken)
                inside = Compare(("<=", "<"), (start, Name(name), stop))
                inner = self.clauses(implied(inside, substitute(body, {variable: Name(name)})))
                number = any_natural(name, self._game)
                found = [((number, *more), clause) for more, clause in inner]
            case _:
                found = [((), condition)]
        if len(found) > MOST:
            raise Refused("the condition has too many clauses")
        return found

    def _chosen(self, some: Bounded) -> Expr:
        """Return the body of an ``any``, for the number that an equation in it gives the variable; FALSE if none does.

        The result implies the ``any``, and may be stronger. Raises Refused if a part of the ``any`` may have no value.
        """
        value = partial(self._value, signed=signed_variables(some))
        held = [rewrite(some.body, value), compare("<=", some.start, some.stop)]
        if not all(is_total(each, self._functions) for each in held):  # the parts left out must have a value
            raise Refused("a part of the condition that would be left out may have no value")
        unknown = Name(some.variable)
        for term in conjuncts(some.body):
            match term:
                case Compare(ops=("==",), terms=(a, b)) if (
                    number := solution_for(unknown, a, b)
                ) is not None:
                    inside = Compare(("<=", "<"), (some.start, number, some.stop))
                    return conjunction(inside, substitute(some.body, {some.variable: number}))
        return FALSE

    def _value(self, node: Expr, signed: frozenset[str]) -> Expr:
        """Return a name, which stands for any natural number, in place of a call that surely has a value.

        A quotient whose divisor may be 0 is returned as a division. Raises Refused if an argument may be negative.
        """
        if not isinstance(node, Call) or node.name not in self._free:
            return node
        natural = partial(plainly_natural, signed=signed)
        if not all(map(natural, node.arguments)):
            raise Refused("a function may be called at a number below 0")
        return Name("_value")

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


def solution_for(unknown: Name, left: Expr, right: Expr) -> Expr | None:
    """Return the other side if one side is the unknown alone and the other does not contain it; else None."""
    for one, other in ((left, right), (right, left)):
        if one == unknown and unknown.id not in free_names(other):
            return other
    return None


def has_call_at_bound_variable(expr: Expr, functions: Collection[str]) -> bool:
    """Tell whether the expression calls one of the functions with a bound variable in an argument."""
    return any(
        node.variable in free_names(call)
        for node in distinct_parts(expr)
        if isinstance(node, Bounded)
        for call in distinct_parts(node.body)
        if isinstance(call, Call) and call.name in functions
    )


def names_in(game: Ruleset, *exprs: Expr) -> set[str]:
    """Return the names of a game's coordinates, parameters and bounds, and all names bound in it or in ``exprs``."""
    bodies = (function.body for function in game.functions if isinstance(function, Function))
    said = [*exprs, *game.expressions, *bodies, *(free.condition for free in game.free)]
    bound = {node.variable for expr in said for node in distinct_parts(expr) if isinstance(node, Bounded)}
    return {*game.formula_names, *game.bounds, *bound}


def fresh_name(stem: str, taken: set[str]) -> str:
    """Return a new name, which no user can write and which is not in ``taken``; add it to ``taken``."""
    name = next(name for i in count() if (name := f"_{stem}_{i}") not in taken)
    taken.add(name)
    return name


def any_natural(name: str, game: Ruleset) -> Ranged:
    """Return a variable that may be any natural number; raise Refused if the game has no bound to end its range."""
    if not game.bounds:
        raise Refused("the game has no bound, so a variable of any size cannot be written")
    return Ranged(name, Range(Int(0), Name(game.bounds[0])))
