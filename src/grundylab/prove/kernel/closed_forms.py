"""The rule of substitution: a proved formula replaces the Grundy values that a statement looks up.

Let G be the Grundy value of a game, and let G(v) = F(v) at every position v of a region. Then ``G(t)`` may be replaced
by F(t) wherever the statement evaluates it at a position t of the region. If instead the positions with G(v) = 2, say,
are exactly those where a condition C(v) is true, then ``G(t) == 2`` may be replaced by C(t).

The premises are: each such t is a position of the region, for parameters in their domains; the statement with the
replacements; and the formulas for the values. The rule need not ask that every play of the looked-up game ends: for a
game with an endless play no formula is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from grundylab.games.model import GRUNDY, Target
from grundylab.language.parser import check_names
from grundylab.language.substitution import lower, rewrite
from grundylab.language.syntax import (
    TRUE,
    Call,
    Compare,
    Expr,
    Int,
    Kind,
    Logic,
    compare,
    conjunction,
    conjuncts,
    distinct_parts,
)
from grundylab.prove.core.definedness import negation
from grundylab.prove.kernel.calls import Calls
from grundylab.prove.kernel.evidence import KnownValues, Substitution
from grundylab.prove.kernel.moves import always_statement, is_position, substitute_place
from grundylab.prove.kernel.playable import family_ends
from grundylab.prove.kernel.theorem import Refused, Rule
from grundylab.statement import Lookup, Statement
from grundylab.statement.conditions import split_condition
from grundylab.statement.qualified_names import with_functions


def levels_of(statement: Statement, lookup: Lookup) -> list[int] | None:
    """Return each g of a comparison ``G(t) == g`` or ``!=``, sorted; None if there is none or G is used otherwise."""
    reader = _Reader(lookup.name)
    whole = Logic("and", (TRUE, *map(lower, conjuncts(statement.where)), _condition(statement.formula)))
    levels = {level for node in distinct_parts(whole) if (level := reader.level(node)) is not None}
    return sorted(levels) if reader.only_levels(whole) and levels else None


def _condition(formula: Expr) -> Expr:
    formula = lower(formula)
    return formula if formula.kind is Kind.CONDITION else compare("==", formula, Int(0))


class _Reader:
    """A reader of the ways in which an expression uses the values of one look-up."""

    def __init__(self, name: str) -> None:
        self._name = name

    def level(self, node: Expr) -> int | None:
        """Return the number with which the node compares a looked-up value; None if the node is no such comparison."""
        match node:
            case (
                Compare(ops=("==" | "!=",), terms=(Call(name=name), Int(value=value)))
                | Compare(ops=("==" | "!=",), terms=(Int(value=value), Call(name=name)))
            ) if name == self._name and value >= 0:
                return value
        return None

    def only_levels(self, expr: Expr) -> bool:
        """Tell whether the expression uses the look-up only in comparisons with a number (``level``)."""
        if self.level(expr) is not None:
            return True
        is_call = isinstance(expr, Call) and expr.name == self._name
        return not is_call and all(map(self.only_levels, expr.children))


class _Substitution:
    """The replacement of one look-up. known: a condition for each level, or a formula for all values under None."""

    def __init__(self, statement: Statement, lookup: Lookup, known: Mapping[int | None, KnownValues]) -> None:
        self._statement, self._lookup, self._known = statement, lookup, known
        self._other = statement.game_of(lookup)
        self._reader = _Reader(lookup.name)
        self._calls = Calls([each.name for each in statement.lookups])
        self._terms = [lower(term) for term in conjuncts(statement.where)]
        self._formula = lower(statement.formula)

    def premises(self) -> Iterator[Statement]:
        """Yield the premises of the rule.

        For a family, these begin with: the rules make a game. Then follow: the formulas apply at each position that is
        looked up; the statement with the formulas put in; and the formulas themselves.
        """
        statement, variables = self._statement, self._statement.variables
        game = with_functions(statement.game, self._other)
        parameters, _ = split_condition(conjunction(*filter(self._calls.is_plain, self._terms)), game)
        whole = Logic("and", (TRUE, *self._terms, _condition(self._formula)))
        yield from family_ends(statement.game)
        meaning = self._calls.meant(whole, self._is_known)
        yield from always_statement(game, parameters, [meaning], variables)
        left = tuple(each for each in statement.lookups if each != self._lookup)
        where = conjunction(*map(self._put, self._terms))
        yield replace(statement, game=game, formula=self._put(self._formula), where=where, lookups=left)
        for known in self._known.values():
            yield Statement(self._other, known.target, known.formula, known.where)

    def _at(self, expr: Expr, call: Call) -> Expr:
        """Return an expression in the looked-up game's coordinates with those of ``call``'s position put in."""
        return substitute_place(self._other.functions.expand(expr), self._other, call.arguments)

    def _is_known(self, call: Call) -> Expr:
        """Return the condition that the formulas apply at the position of ``call``; TRUE for other look-ups."""
        if call.name != self._lookup.name:
            return TRUE
        if not all(map(self._calls.is_plain, call.arguments)):
            raise Refused("a looked-up position depends on a looked-up value")
        inside = self._other.functions.expand(is_position(self._other, call.arguments))
        own = self._lookup.game is None  # then its parameters are in their domains already
        domain = TRUE if own else self._other.functions.expand(self._other.domain)
        return conjunction(domain, inside, *(self._at(known.where, call) for known in self._known.values()))

    def _put(self, expr: Expr) -> Expr:
        return rewrite(expr, self._written_otherwise)

    def _written_otherwise(self, node: Expr) -> Expr:
        if None in self._known:
            is_call = isinstance(node, Call) and node.name == self._lookup.name
            return self._at(self._known[None].formula, node) if is_call else node  # type: ignore[arg-type]
        level = self._reader.level(node)
        if level is None:
            return node
        assert isinstance(node, Compare)
        (call,) = (term for term in node.terms if isinstance(term, Call) and term.name == self._lookup.name)
        is_level = self._at(self._known[level].formula, call)
        return is_level if node.ops == ("==",) else negation(is_level)


def _lookup_of(statement: Statement, evidence: Substitution) -> Lookup | None:
    return next((each for each in statement.lookups if each.name == evidence.lookup), None)


def _premises(statement: Statement, evidence: Substitution) -> tuple[Statement, ...]:
    lookup = _lookup_of(statement, evidence)
    if lookup is None:
        raise Refused("the statement does not have the look-up that the evidence names")
    other, known = statement.game_of(lookup), evidence.known
    for each in known:
        for expr in (each.formula, each.where):
            check_names(expr, other.formula_names, other.functions)
    if len(known) == 1 and known[0].target == GRUNDY:
        return tuple(dict.fromkeys(_Substitution(statement, lookup, {None: known[0]}).premises()))
    levels = levels_of(statement, lookup)
    if levels is None or len(levels) != len(known):
        raise Refused("the evidence needs one formula for each number with which values are compared")
    if any(not _is_of_level(each.target, level) for each, level in zip(known, levels, strict=True)):
        raise Refused("a formula is for another level than the one that it would replace")
    return tuple(
        dict.fromkeys(_Substitution(statement, lookup, dict(zip(levels, known, strict=True))).premises())
    )


def _is_of_level(target: Target, level: int) -> bool:
    return target == Target("level", level) or (level == 0 and target.name == "p")


RULE = Rule(
    "proved formulas put in",
    Substitution,
    (),
    _premises,
)
