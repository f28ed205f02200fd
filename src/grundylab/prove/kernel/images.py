"""The rule of images: Grundy values are nim-sums of values in other games, by a comparison of the moves.

Let a region be a set of positions that no move leaves, and let each position v of it have images f1(v), …, fk(v),
which are positions of other games. Suppose that

- for every move from v to w, there is one image for which a move leads from fi(v) to fi(w) or back, while w has the
  same other images as v; and
- for every move from an image fi(v) to a position t, v has an option w with fi(w) = t and the same other images as v.

Then the Grundy value of v is the nim-sum of the values of its images. The proof is by induction on the measure. A value
below the nim-sum is the value of an option of the sum of the images (Sprague and Grundy), so, by the second condition
and induction, of an option of v. And no option of v has the nim-sum as its value, by the first condition, since
positions between which there is a move have different values. No formula for the values is needed. Every play of the
images' games must end: otherwise a look-up in them has no meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from grundylab.games.model import ALWAYS, Ruleset
from grundylab.games.specialise import fixed_values
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    TRUE,
    Call,
    Compare,
    Expr,
    Int,
    Name,
    conjunction,
    conjuncts,
    disjunction,
    operands,
)
from grundylab.prove.core.definedness import implied
from grundylab.prove.kernel.calls import Calls
from grundylab.prove.kernel.evidence import Images
from grundylab.prove.kernel.moves import (
    OptionPlace,
    adjacent,
    always_statement,
    equal,
    for_every,
    is_position,
    own_place,
    some_option,
    steps,
    substitute_place,
    without_functions,
)
from grundylab.prove.kernel.playable import ENDS
from grundylab.prove.kernel.question import level_of
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition
from grundylab.statement import Statement
from grundylab.statement.qualified_names import with_functions


@dataclass(frozen=True)
class Image:
    """A position of ``game``, given in the coordinates of the statement's game. own: whether both are the same game."""

    game: Ruleset
    place: OptionPlace
    own: bool


Sum = tuple[Image, ...]


def premises(statement: Statement, evidence: Images) -> Iterator[Statement]:
    """Yield statements which imply that the values in the region are the nim-sums that the statement claims.

    Raises Refused if the statement does not claim that values are such nim-sums.
    """
    sums = _Reading(statement).sums()
    terms = conjuncts(statement.where)
    if not set(evidence.open) <= set(terms):
        raise Refused("a term to be left out is no term of the statement's condition")
    if not all(map(Calls([each.name for each in statement.lookups]).is_plain, evidence.open)):
        raise Refused("a term to be left out looks values up, perhaps where there is no position")
    region = conjunction(*(term for term in terms if term not in evidence.open))
    widened = _widened(conjunction(*evidence.open), statement.game)
    for one in sums:
        yield from _Preserving(statement.game, tuple(map(widened, one)), region).premises()


class _Reading:
    """A reader of the statement as equations between a position's value and nim-sums of looked-up values."""

    def __init__(self, statement: Statement) -> None:
        self._statement, self._game = statement, statement.game
        self._lookups = {each.name: each for each in statement.lookups}
        self._fixed = fixed_values(statement.where, statement.game.coordinate_names)

    def sums(self) -> list[Sum]:
        """Return the nim-sums that the statement equates with the position's value; raise Refused for another claim."""
        formula, target = self._statement.formula, self._statement.target
        if target == ALWAYS:
            return [one for term in conjuncts(formula) for one in self._equated(term)]
        if target.name == "grundy":
            return [self._sum(formula)]
        match formula:
            case Compare(("==",), (left, Int(value=value))) if value == level_of(target):
                return [self._sum(left)]
        raise Refused("the statement does not claim that a value is a nim-sum of values")

    def _equated(self, term: Expr) -> list[Sum]:
        """Return the nim-sums that ``term`` equates with the position's own value; raise Refused for another term."""
        if not isinstance(term, Compare) or set(term.ops) != {"=="}:
            raise Refused("the statement does not claim that a value is a nim-sum of values")
        others = [one for one in map(self._sum, term.terms) if not self._is_here(one)]
        if len(others) == len(term.terms):
            raise Refused("the statement does not claim that a value is a nim-sum of values")
        return others

    def _is_here(self, one: Sum) -> bool:
        places = [self._put(image.place) for image in one if image.own]
        return len(one) == 1 and places == [self._put(own_place(self._game))]

    def _put(self, place: OptionPlace) -> OptionPlace:
        return tuple(substitute(value, self._fixed) for value in place)

    def _sum(self, expr: Expr) -> Sum:
        return tuple(map(self._image, operands(expr, "^")))

    def _image(self, expr: Expr) -> Image:
        if not isinstance(expr, Call) or expr.name not in self._lookups:
            raise Refused(f"'{expr}' is no looked-up value")
        lookup = self._lookups[expr.name]
        game = self._statement.game_of(lookup)
        if not all(map(Calls(self._lookups).is_plain, expr.arguments)):
            raise Refused("a looked-up position depends on a looked-up value")
        if game.splits or game.free:
            raise Refused("a looked-up game has moves to sums of positions, or free functions")
        return Image(game, expr.arguments, lookup.game is None)


def _widened(left_out: Expr, game: Ruleset) -> Callable[[Image], Image]:
    """Return a function that changes an image: numbers that ``left_out`` gives to coordinates become the coordinates.

    For example, if ``left_out`` is p == 1, the image (x, 1) becomes (x, p).
    """
    freed = {v: Name(n) for n, v in fixed_values(left_out, game.coordinate_names).items()}

    def widened(image: Image) -> Image:
        place = (freed.get(v.value, v) if isinstance(v, Int) else v for v in image.place)
        return replace(image, place=tuple(place))

    return widened


class _Preserving:
    """The conditions under which the values in the region are the nim-sums of the values of the images."""

    def __init__(self, game: Ruleset, images: Sum, region: Expr) -> None:
        self._game, self._region, self._here = game, region, own_place(game)
        self._images = tuple(replace(image, game=without_functions(image.game)) for image in images)

    def premises(self) -> Iterator[Statement]:
        # conditions on the images call the functions of the images' games, whose names are unique
        game = with_functions(self._game, *(image.game for image in self._images))
        yield from always_statement(game, self._region, self._parts())

    def _parts(self) -> Iterator[Expr]:
        for image in self._images:
            yield conjunction(is_position(image.game, image.place), image.game.domain)
        places = [value for image in self._images for value in image.place]
        for choices, when, option in steps(self._game, self._here, (self._region, *places)):
            inside = substitute_place(self._region, self._game, option)
            well = conjunction(TRUE if inside == self._region else inside, self._moved(option))
            yield for_every(choices, implied(when, well))
        for number, image in enumerate(self._images):
            for choices, when, moved in steps(image.game, image.place, (self._region, *places)):
                beside = (*moved, *places)
                there = some_option(self._game, self._here, self._reached(number, moved), beside)
                yield for_every(choices, implied(when, there))

    def _of(self, image: Image, position: OptionPlace) -> OptionPlace:
        return tuple(substitute_place(value, self._game, position) for value in image.place)

    def _moved(self, option: OptionPlace) -> Expr:
        """Return the condition that one image has a move to the option's, or back, and the others are the same."""
        return disjunction(
            *(
                conjunction(
                    self._same(option, number), adjacent(image.game, image.place, self._of(image, option))
                )
                for number, image in enumerate(self._images)
            )
        )

    def _reached(self, number: int, moved: OptionPlace) -> Callable[[OptionPlace], Expr]:
        """Return the condition, for any option, that its image ``number`` is ``moved`` and the others are unchanged."""
        image = self._images[number]
        return lambda option: conjunction(equal(self._of(image, option), moved), self._same(option, number))

    def _same(self, option: OptionPlace, but: int) -> Expr:
        """Return the condition that the option has the same images as the position, except image number ``but``."""
        others = (image for number, image in enumerate(self._images) if number != but)
        return conjunction(*(equal(self._of(image, option), image.place) for image in others))


RULE = Rule(
    "values of other positions, by the moves",
    Images,
    (
        SideCondition("play is normal", lambda s, *_: s.game.play == "normal"),
        SideCondition("the game is no family", lambda s, *_: not s.game.free),
        ENDS,
    ),
    lambda statement, evidence: tuple(dict.fromkeys(premises(statement, evidence))),
)
