"""The induction on the measure for every function of a family at once: what it needs is said of numbers (``fresh.py``).

That no option has the value of the position, and that no move leaves the region, is so of each option by itself. That
every smaller value is an option's asks for a choice w of which h(w) is not known before w is chosen (``causal.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grundylab.games.model import ALWAYS, GRUNDY, Claim, Range, Ranged, Ruleset
from grundylab.language.syntax import (
    TRUE,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
)
from grundylab.prove.causal import Wish, granted
from grundylab.prove.fresh import Statement, said_of_numbers
from grundylab.prove.hypothesis import level_of
from grundylab.prove.lookups import NotSaid
from grundylab.prove.neighbours import (
    Place,
    at,
    for_every,
    here,
    implied,
    is_position,
    steps,
    without_functions,
)
from grundylab.prove.outcome import Premise
from grundylab.prove.shorter import shorter
from grundylab.prove.space import plainly_natural


def for_every_function(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """The claim under ``where`` by each formula of Grundy numbers that may be proved so: its own, or a claim's."""
    if not ruleset.free or claim.target == ALWAYS or not claim.plain:
        return
    if ruleset.splits or ruleset.play == "misere":
        return
    expand = ruleset.functions.expand
    asked = conjunction(claim.where, where)
    known = [c for c in ruleset.claims if c.plain and c.target == GRUNDY and c.id != claim.id]
    own = [Claim(claim.id, GRUNDY, claim.formula, asked)] if claim.target == GRUNDY else []
    candidates = [
        _Known(ruleset, shorter(expand(c.where)), shorter(expand(c.formula))) for c in (*own, *known)
    ]
    for one in dict.fromkeys(sorted(candidates, key=lambda each: each.region != TRUE)):
        try:
            statements = [_follows(claim, asked, one), *one.induction(), *makes_game(ruleset)]
            yield from said_of_numbers(ruleset, statements)
        except NotSaid:
            continue


@dataclass(frozen=True)
class _Known:
    """A formula of the Grundy numbers in a region."""

    ruleset: Ruleset
    region: Expr
    value: Expr

    def induction(self) -> Iterator[Statement]:
        """That it is so."""
        game, region, value = without_functions(self.ruleset), self.region, self.value
        yield Statement(implied(region, compare(">=", value, Int(0))))
        for choices, when, option in steps(game, here(game)):
            another = compare("!=", at(value, game, option), value)
            well = conjunction(at(region, game, option), another)
            yield Statement(implied(region, for_every(choices, implied(when, well))))
        smaller = Ranged("_smaller", Range(Int(0), Name(self.ruleset.bounds[0])))
        supposed = conjunction(region, compare("<", Name(smaller.name), value))

        def wanted(place: Place) -> Expr:
            right = compare("==", at(value, game, place), Name(smaller.name))
            return conjunction(at(region, game, place), right)

        yield from granted(game, Wish(supposed, (smaller,), wanted))


def _follows(claim: Claim, where: Expr, known: _Known) -> Statement:
    """That the claim says what the known values are."""
    same: Expr
    if claim.target == GRUNDY:
        same = TRUE if shorter(claim.formula) == known.value else compare("==", claim.formula, known.value)
    else:
        is_level = compare("==", known.value, Int(level_of(claim.target)))
        same = conjunction(implied(claim.formula, is_level), implied(is_level, claim.formula))
    return Statement(implied(where, conjunction(known.region, same)))


def makes_game(ruleset: Ruleset) -> Iterator[Statement]:
    """That the rules make a game, whatever the functions are: moves lead to positions, and lower the measure."""
    game = without_functions(ruleset)
    if not all(plainly_natural(coordinate.range.low) for coordinate in game.coordinates):
        raise NotSaid
    yield Statement(compare(">=", game.measure, Int(0)))
    for choices, when, option in steps(game, here(game)):
        lower = compare("<", at(game.measure, game, option), game.measure)
        well = conjunction(is_position(game, option), lower)
        yield Statement(for_every(choices, implied(when, well)))
