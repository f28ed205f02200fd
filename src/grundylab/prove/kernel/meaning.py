"""The meaning of a statement: its condition and the ranges of its variables must have values.

A division by 0, for example, has no value. Rules may leave out a part of a condition, may read a condition without a
value as false, and take variables for natural numbers. So the kernel checks every statement here before any rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from grundylab.errors import GrundylabError
from grundylab.games.listing import quantify
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.games.specialise import with_variables
from grundylab.language.names import with_plain_names
from grundylab.language.substitution import lower, rewrite
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Call,
    Expr,
    Int,
    Logic,
    Name,
    Not,
    compare,
    conjunction,
    distinct_parts,
)
from grundylab.prove.core.decide import CELLS, true_everywhere
from grundylab.prove.core.definedness import implied
from grundylab.prove.core.space import (
    at_least_zero,
    low_ends,
    natural_coordinates,
    position_space,
    signed_variables,
)
from grundylab.prove.kernel.calls import Calls, natural
from grundylab.prove.kernel.ends import ANY, NATURAL, Ends, ends
from grundylab.prove.kernel.recurrences import check_recurrences
from grundylab.prove.kernel.theorem import Refused
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


@lru_cache(maxsize=1024)  # many statements are checked again with other evidence
def check_meaning(statement: Statement) -> None:
    """Raise Refused unless the condition and the ends of the variables' ranges have values wherever they are evaluated.

    Also raise Refused if a variable's range may begin below 0. For a call of a function that cannot be written out (a
    table, a looked-up value), only this is checked: the arguments are natural numbers. Whether the call has a value is
    not checked. Every recurrence must have values, also one that only the formula or the rules call
    (``recurrences.py``). In a family the rules must call free functions at natural numbers only.
    """
    check_recurrences(statement)
    assumed, _ = split_condition(statement.where, statement.game)
    if statement.game.free:
        _check_family(statement.game, assumed)
    names = _Names(statement)
    if statement.target == ALWAYS:  # other rules check the game
        names.game = replace(
            statement.game, where=TRUE
        )  # where the condition itself has no value counts, too
        for condition in (statement.game.where, *_ranges(statement.game)):
            names.check_value(condition)
        names.game = statement.game
    names.check_value(statement.where)
    for variable in statement.variables:
        for end in variable.ends:
            names.check_value(compare("==", end, end))
        low = variable.range.low
        if names.low(low) < 0 and not names.always(compare(">=", low, Int(0)), assumed):
            raise Refused(f"{variable.name} may begin below 0: {with_plain_names(str(low))}"[:300])
        names.known[variable.name] = NATURAL
        names.game = with_variables(names.game, [variable])
    names.check_literals(statement.formula)


@lru_cache(maxsize=64)
def _check_family(game: Ruleset, assumed: Expr) -> None:
    """Raise Refused unless it is shown that the rules call free functions at natural numbers only.

    assumed: a condition on the parameters. Below 0 a free function has no value, and a game of the family may have one
    there, of which nothing is known.
    """
    numbers = (game.measure, *(end for coordinate in game.coordinates for end in coordinate.ends))
    rules: list[Expr] = [compare("==", number, number) for number in numbers]
    for move in game.moves:
        option = conjunction(*(compare("==", value, value) for part in move.parts for value in part))
        rules.append(quantify("all", move.choices, implied(move.when, option)))
    whole = lower(game.functions.expand(conjunction(position_space(game), *rules)))
    signed = signed_variables(whole) | natural_coordinates(game).free
    signed |= {each.name for each in game.parameters if not at_least_zero(each)}
    names = {free.name for free in game.free}

    def as_name(node: Expr) -> Expr:  # values of free functions are natural numbers
        return Name("_value") if isinstance(node, Call) and node.name in names else node

    def natural_arguments(call: Call) -> Expr:
        return natural(tuple(rewrite(each, as_name) for each in call.arguments), signed)

    asked = Calls(names).meant(whole, natural_arguments)
    if asked != TRUE and not true_everywhere(replace(game, where=TRUE), asked, assumed, CELLS):
        raise Refused("the rules may call a free function at a number below 0, where it has no value")


def _ranges(game: Ruleset) -> Iterator[Expr]:
    """Yield conditions that have values where the ends of the coordinates' ranges have."""
    for coordinate in game.coordinates:
        yield from (compare("==", end, end) for end in coordinate.ends)


class _Names:
    """The names in a statement, each with its lower and upper ends: coordinates, parameters, bounds, variables."""

    def __init__(self, statement: Statement) -> None:
        self.game: Ruleset = statement.game
        self._statement = statement
        self.known = dict.fromkeys(self.game.bounds, NATURAL)
        for parameter in self.game.parameters:
            lows = map(self.low, low_ends(parameter.domain, Name(parameter.name)))
            self.known[parameter.name] = Ends(max(lows, default=ANY.low), ANY.high)
        for coordinate in self.game.coordinates:
            self.known[coordinate.name] = Ends(self.low(coordinate.range.low), ANY.high)

    def low(self, number: Expr) -> float:
        """Return a lower bound for the values of the expression; minus infinity if none is found."""
        try:
            return self._ends(number).low
        except GrundylabError:
            return ANY.low

    def always(self, condition: Expr, where: Expr = TRUE) -> bool:
        """Tell whether automata show that ``where`` implies the condition; False if one of them looks values up."""
        statement = self._statement
        looked_up = {each.name for each in statement.lookups} | {each.name for each in statement.tables}
        called = condition.calls | where.calls
        return not called & looked_up and true_everywhere(self.game, condition, where, CELLS) is True

    def check_value(self, condition: Expr) -> None:
        """Raise Refused unless the condition is shown to have a value everywhere, by its ends or by automata."""
        try:
            self._ends(condition)
        except GrundylabError as error:
            # "c or not c" is true exactly where c has a value
            if not self.always(Logic("or", (condition, Not(condition)))):
                text = f"this may have no value somewhere ({error}): {condition}"
                raise Refused(with_plain_names(text)[:300]) from None

    def check_literals(self, formula: Expr) -> None:
        """Raise Refused if a literal truth value would swallow an earlier term that may have no value."""
        for node in distinct_parts(formula):
            if isinstance(node, Logic):
                literal = TRUE if node.op == "or" else FALSE
                earlier = node.terms[: node.terms.index(literal)] if literal in node.terms else ()
                if earlier:
                    self.check_value(Logic(node.op, earlier) if len(earlier) > 1 else earlier[0])

    def _ends(self, expr: Expr) -> Ends:
        functions = self._statement.functions
        return ends(lower(functions.expand(expr)), self.known, functions)
