"""Replacement of terms that automata cannot read by numbers of which almost nothing is known.

Such a term is a product of two terms that vary, a value of a built-in function that automata have no numbers for
(``unspoken`` in the language's table, as for ``isqrt``), or a value of a recurrence.
Each is replaced by a number: equal terms by the same number, and by a natural one if the term's ends (``ends.py``)
show that it is not negative. Both sides of a comparison are multiplied out first, so that the same product is the same
term. A number that may be negative is a natural number or the negative of one.

It is also to be proved that each term has a value: that no recurrence is called below its first argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from grundylab.games.model import Ranged, Ruleset
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Function
from grundylab.language.linear import atom_polynomial
from grundylab.language.substitution import lower, rewrite, substitute, with_children
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Kind,
    Name,
    Negate,
    compare,
    conjunction,
    free_names,
)
from grundylab.prove.core.definedness import first_argument, implied
from grundylab.prove.kernel.calls import Calls
from grundylab.prove.kernel.clauses import any_natural, fresh_name, names_in
from grundylab.prove.kernel.ends import ANY, NATURAL, Ends, ends
from grundylab.prove.kernel.moves import is_position, own_place
from grundylab.prove.kernel.recurrences import without_calls
from grundylab.prove.kernel.theorem import Refused
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition

MOST_SIGNED = 3  # the most terms that may be negative: each doubles the number of sentences

SignedSentence = tuple[list[Ranged], Expr]


def sentences(statement: Statement) -> Iterator[SignedSentence]:
    """Yield sentences about numbers which together imply the statement: one for each choice of the numbers' signs.

    A sentence is a list of variables and a condition that is claimed for all their values. Raises Refused if the
    statement contains no such term, or too many that may be negative.
    """
    game = statement.game
    _, about = split_condition(statement.where, game)
    space = conjunction(is_position(game, own_place(game)), about)
    whole = lower(game.functions.expand(implied(space, statement.formula)))
    opaque = _Opaque(statement, whole)
    said = opaque.put(rewrite(conjunction(opaque.meaning(whole), whole), _multiplied_out))
    if not opaque.found:
        raise Refused("the statement contains no term of this kind")
    signed = [name for name in opaque.found.values() if name in opaque.signed]
    if len(signed) > MOST_SIGNED:
        raise Refused("too many terms may be negative")
    variables = [any_natural(name, game) for name in opaque.found.values()]
    for signs in product((False, True), repeat=len(signed)):
        negative = {name: Negate(Name(name)) for name, sign in zip(signed, signs, strict=True) if sign}
        yield variables, substitute(said, negative)


def _recurrences(game: Ruleset, *exprs: Expr) -> Iterator[Function]:
    for function in game.functions.called_by(*exprs):
        if not isinstance(function, Function):
            raise Refused("a function has a table of values, but no definition")
        if function.recursive:
            yield function


def _multiplied_out(node: Expr) -> Expr:
    """Return a comparison of two numbers as one of sums of products; any other node is returned unchanged."""
    if (
        not isinstance(node, Compare)
        or len(node.ops) != 1
        or any(t.kind is not Kind.NUMBER for t in node.terms)
    ):
        return node
    difference = atom_polynomial(node.terms[0]) - atom_polynomial(node.terms[1])
    more = type(difference)(tuple((atoms, number) for atoms, number in difference.terms if number > 0))
    less = type(difference)(tuple((atoms, -number) for atoms, number in difference.terms if number < 0))
    return compare(node.ops[0], more.expression(), less.expression())


class _Opaque:
    """The numbers in place of terms. found: each term's number. signed: the numbers that may be negative."""

    def __init__(self, statement: Statement, whole: Expr) -> None:
        self._game = game = statement.game
        self._functions = [f.name for f in _recurrences(game, statement.formula, statement.where)]
        self._taken = names_in(game, whole) | {variable.name for variable in statement.variables}
        self._known = dict.fromkeys((*game.coordinate_names, *game.parameter_names), NATURAL)
        for coordinate in (*game.coordinates, *statement.variables):
            low = coordinate.range.low
            self._known[coordinate.name] = (
                Ends(max(0, low.value), ANY.high) if isinstance(low, Int) else NATURAL
            )
        unknown = fresh_name("any", self._taken)
        ends(without_calls(whole, unknown, self._functions), self._known, game.functions)
        self.found: dict[Expr, str] = {}
        self.signed = set[str]()

    def meaning(self, whole: Expr) -> Expr:
        """Return the condition that no recurrence is called below its first argument."""
        first = {name: first_argument(self._game.functions[name]) for name in self._functions}  # type: ignore[arg-type]
        return Calls(self._functions).meant(
            whole, lambda call: compare(">=", call.arguments[0], Int(first[call.name]))
        )

    def put(self, expr: Expr, bound: frozenset[str] = frozenset()) -> Expr:
        """Return the expression with numbers in place of terms; raise Refused if a term contains a bound variable."""
        if isinstance(expr, Bounded):
            ends_put = (self.put(expr.start, bound), self.put(expr.stop, bound))
            return Bounded(
                expr.quantifier, expr.variable, *ends_put, self.put(expr.body, bound | {expr.variable})
            )
        node = with_children(expr, tuple(self.put(child, bound) for child in expr.children))
        if not self._is_opaque(node):
            return node
        if bound & free_names(node):
            raise Refused("a term that would become a number depends on a bound variable")
        if node not in self.found:
            name = fresh_name("number", self._taken)
            natural = not (isinstance(node, Call) and node.name in self._functions)
            natural = natural and ends(node, self._known, self._game.functions).low >= 0
            self.found[node] = name
            self._known[name] = NATURAL if natural else ANY
            self.signed |= set() if natural else {name}
        return Name(self.found[node])

    def _is_opaque(self, node: Expr) -> bool:
        match node:
            case Call(name=name):
                row = BUILTINS.get(name)
                return name in self._functions or (
                    row is not None and bool(row.unspoken) and not row.condition
                )
            case Binary(op="*", left=left, right=right):
                return (
                    not isinstance(left, Int) and not isinstance(right, Int) and not _is_number(left, right)
                )
        return False


def _is_number(*exprs: Expr) -> bool:
    """Tell whether one of the expressions is written as a negative constant."""
    return any(isinstance(each, Negate) and isinstance(each.operand, Int) for each in exprs)
