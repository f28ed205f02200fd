"""The rule of a family: an induction on the measure, for every function at once.

A family is a game with free functions, of which only a property is known. A formula for the Grundy values in a region
is right in every game of the family if, for each position of the region, no move leads out of the region, no option
has the position's value, and each smaller value is the value of an option. For the last of these some choice w must
fulfil an equation that contains h(w), where h is any function of the family (``fixed_points.py``). These conditions
are premises about the family. Further premises are: the rules make a game, and the statement follows from the formula.

The rule also proves, for a game without free functions, a formula that looks values up; then the premises look them
up, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.games.model import ALWAYS, GRUNDY
from grundylab.language.substitution import lower
from grundylab.language.syntax import TRUE, Expr, Int, Kind, Name, compare, conjunction, free_names
from grundylab.prove.core.definedness import implied
from grundylab.prove.kernel.clauses import any_natural
from grundylab.prove.kernel.evidence import Family
from grundylab.prove.kernel.fixed_points import Wish, statements_for
from grundylab.prove.kernel.moves import (
    OptionPlace,
    for_every,
    own_place,
    some_option,
    steps,
    substitute_place,
    without_functions,
)
from grundylab.prove.kernel.playable import ENDS, family_ends
from grundylab.prove.kernel.question import level_of
from grundylab.prove.kernel.simplification import shortened
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition
from grundylab.statement import Statement
from grundylab.statement.statement import called_in


def premises(statement: Statement, evidence: Family) -> Iterator[Statement]:
    """Yield the premises: the statement follows from the formula; the induction; and the rules make a game."""
    game = without_functions(statement.game) if statement.game.free else statement.game
    region, value = evidence.region, evidence.value
    if value.kind is not Kind.NUMBER or region.kind is not Kind.CONDITION:
        raise Refused("the region must be a condition, and the value a number")
    yield _follows(statement, evidence)
    lookups = statement.lookups

    def always(said: Expr) -> Statement:
        if game.free:
            return Statement(game, ALWAYS, implied(region, said))
        return Statement(game, ALWAYS, said, region, (), called_in(lookups, said, region))

    yield always(compare(">=", value, Int(0)))
    for choices, when, option in steps(game, own_place(game), (region, value)):
        another = compare("!=", substitute_place(value, game, option), value)
        well = conjunction(substitute_place(region, game, option), another)
        yield always(for_every(choices, implied(when, well)))
    smaller = any_natural("_smaller", game)

    def wanted(place: OptionPlace) -> Expr:
        right = compare("==", substitute_place(value, game, place), Name(smaller.name))
        return conjunction(substitute_place(region, game, place), right)

    less = compare("<", Name(smaller.name), value)
    if game.free:
        yield from statements_for(game, Wish(conjunction(region, less), (smaller,), wanted))
    else:
        beside = tuple(map(Name, sorted(free_names(value) | free_names(region) | {smaller.name})))
        said = implied(less, some_option(game, own_place(game), wanted, beside))
        yield Statement(game, ALWAYS, said, region, (smaller,), called_in(lookups, said, region))
    yield from family_ends(game)


def _follows(statement: Statement, evidence: Family) -> Statement:
    """Return the statement that the claim is about positions of the region only, and agrees with the formula there."""
    formula, value, expand = statement.formula, evidence.value, statement.game.functions.expand
    same: Expr
    if statement.target == GRUNDY:
        same = TRUE if shortened(lower(expand(formula))) == value else compare("==", formula, value)
    else:
        is_level = compare("==", value, Int(level_of(statement.target)))
        same = conjunction(implied(formula, is_level), implied(is_level, formula))
    said = implied(statement.where, conjunction(evidence.region, same))
    game = without_functions(statement.game) if statement.game.free else statement.game
    return Statement(game, ALWAYS, said, TRUE, (), called_in(statement.lookups, said))


RULE = Rule(
    "induction with values that are not read",
    Family,
    (
        ENDS,
        SideCondition("values or outcomes are claimed", lambda s, *_: s.target != ALWAYS),
        SideCondition("play is normal", lambda s, *_: s.game.play == "normal"),
    ),
    lambda statement, evidence: tuple(dict.fromkeys(premises(statement, evidence))),
)
