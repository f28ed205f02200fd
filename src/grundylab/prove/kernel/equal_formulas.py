"""The rules of rewriting: a statement follows from another one whose terms have the same values.

- *equal*: the formula is replaced by a proved one that has the same value at every position of the statement;
- *constants*: a coordinate that the condition fixes is replaced by its value. If ``k == 2``, for example, ``m * k``
  becomes a multiple of m. This rule is only for the target ``true``: a game's values at one k may depend on those at
  other k;
- *powers*: a variable n that occurs only in the form ``1 << (n - c)`` is replaced by the power (``powers.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grundylab.games.model import ALWAYS, Ranged
from grundylab.games.specialise import fixed_values
from grundylab.language.substitution import lower, rewrite, substitute
from grundylab.language.syntax import (
    Bounded,
    Call,
    Expr,
    If,
    Int,
    Kind,
    Name,
    Not,
    compare,
    conjunction,
    conjuncts,
    distinct_parts,
    equalities,
    free_names,
)
from grundylab.prove.core.definedness import implied
from grundylab.prove.kernel.abstraction import ONLY_A_CONDITION
from grundylab.prove.kernel.clauses import any_natural, fresh_name, names_in
from grundylab.prove.kernel.evidence import Constants, Equal, Powers
from grundylab.prove.kernel.moves import always_statement
from grundylab.prove.kernel.powers import digits_compared, for_powers
from grundylab.prove.kernel.theorem import Refused, Rule
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition

# -- equal formulas ---------------------------------------------------------------------------------------------------


def equal_values(a: Expr, b: Expr) -> Expr:
    """Return the condition that two formulas, both numbers or both conditions, have the same value."""
    return compare("==", a, b) if a.kind is Kind.NUMBER else If(a, b, Not(b))


def _equal(statement: Statement, evidence: Equal) -> tuple[Statement, ...]:
    is_same = equal_values(statement.formula, evidence.formula)
    return (
        replace(statement, formula=evidence.formula),
        Statement(statement.game, ALWAYS, is_same, statement.where),
    )


EQUAL = Rule(
    "equal to a proved formula",
    Equal,
    (),
    _equal,
)

# -- constants --------------------------------------------------------------------------------------------------------


def _with_constants(statement: Statement, _: Constants) -> Iterator[Statement]:
    game = statement.game
    known = fixed_values(statement.where, game.coordinate_names)
    if not known:
        raise Refused("the condition fixes no coordinate")

    def put(expr: Expr) -> Expr:
        return game.functions.expand(substitute(expr, known))

    assumed, about = split_condition(statement.where, game)
    fixing = conjuncts(equalities(known.items()))
    others = [put(term) for term in conjuncts(about) if term not in fixing]
    # this is equivalent to the statement: where the coordinates have other values, both say nothing
    said = implied(conjunction(*fixing, *others), put(statement.formula))
    yield from always_statement(game, assumed, [said], statement.variables)


CONSTANTS = Rule(
    "constants of the condition put in",
    Constants,
    (ONLY_A_CONDITION,),
    lambda statement, evidence: tuple(_with_constants(statement, evidence)),
)

# -- powers instead of exponents --------------------------------------------------------------------------------------


def _of_powers(statement: Statement, evidence: Powers) -> Iterator[Statement]:
    game = statement.game
    assumed, about = split_condition(statement.where, game)
    whole = lower(game.functions.expand(implied(about, statement.formula)))
    said = rewrite(whole, digits_compared)
    exponent = next((v for v in statement.variables if v.name == evidence.variable), None)
    if exponent is None:
        raise Refused(f"{evidence.variable} is no variable of the statement")
    of_the_power, power = _said_of_power(said, exponent, statement)
    variables = [power if v == exponent else v for v in statement.variables]
    yield from always_statement(game, assumed, [of_the_power], variables)


def _said_of_power(said: Expr, exponent: Ranged, statement: Statement) -> tuple[Expr, Ranged]:
    """Return the condition with a power of 2 in place of the exponent, and the variable that stands for the power.

    Raises Refused if the exponent's range does not begin at a constant, or if the exponent occurs otherwise than as an
    exponent of 2, or in another variable's range.
    """
    least, refused = exponent.range.low, Refused(f"{exponent.name} does not occur as an exponent of 2 alone")
    ends = (end for other in statement.variables for end in other.ends if other != exponent)
    if not isinstance(least, Int) or any(exponent.name in free_names(end) for end in ends):
        raise refused
    taken = names_in(statement.game, said) | {v.name for v in statement.variables}
    taken |= {node.variable for node in distinct_parts(said) if isinstance(node, Bounded)}
    power = fresh_name("power", taken)
    changed = for_powers(said, exponent.name, least.value, power)
    if changed is None:
        raise refused
    of_it, smallest, _ = changed
    inside = conjunction(Call("is_power_of_two", (Name(power),)), compare(">=", Name(power), Int(smallest)))
    return implied(inside, of_it), any_natural(power, statement.game)


POWERS = Rule(
    "powers of two in place of exponents",
    Powers,
    (),  # only conditions have variables; a premise declares no look-up, so the kernel refuses one that calls it
    lambda statement, evidence: tuple(_of_powers(statement, evidence)),
)
