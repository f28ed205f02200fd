"""Values of one game as those of another one, or of a sum of several: by what the moves do, without any formula.

Let each position v of a region, that no move leaves, have images f1(v), …, fk(v), positions of other games. If every
move from v to w is a move, there or back, between the images of v and w in one of these games and leaves the other
images alone; and if every move from an image of v leads to that image of a w that v has a move to, all other images
being the same; then the Grundy number of v is the nim-sum of those of its images. By induction on the measure: a value
below that nim-sum is that of an option of the sum of the images (Sprague and Grundy), so of an option of v; and no
option of v has the nim-sum itself, since positions between which there is a move have different values. That the games
of the images end need not be asked: each move from an image is that of a move from v, which lowers the measure here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from grundylab.check.judging import looked_up
from grundylab.games.model import ALWAYS, Claim, Ruleset
from grundylab.games.specialise import fixed_by
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
    free_names,
    operands,
)
from grundylab.prove.hypothesis import level_of
from grundylab.prove.lookups import Lookups, NotSaid
from grundylab.prove.neighbours import (
    Place,
    adjacent,
    always,
    at,
    equal,
    for_every,
    here,
    implied,
    is_position,
    some_option,
    steps,
    without_functions,
)
from grundylab.prove.outcome import Premise


@dataclass(frozen=True)
class Image:
    """A position of another game, or of the same one, said in the coordinates of this one."""

    game: Ruleset
    place: Place


Sum = tuple[Image, ...]


def images(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """For each region that may do: that the values there are nim-sums of those of the images that the claim names."""
    if not claim.values or claim.tables or claim.variables or ruleset.splits or ruleset.play == "misere":
        return
    if ruleset.free:  # what an option is depends on values of functions at the choice
        return
    about = conjunction(claim.where, where)
    if not Lookups(dict(claim.values)).is_plain(about):
        return
    sums = _Reading(ruleset, claim, about).sums()
    for region, widened in _regions(about, ruleset):
        found = [_Preserving(ruleset, tuple(map(widened, one)), region).premises() for one in sums]
        yield tuple(dict.fromkeys(premise for premises in found for premise in premises))


class _Reading:
    """The claim as equations between the value of the position and nim-sums of looked-up ones."""

    def __init__(self, ruleset: Ruleset, claim: Claim, about: Expr) -> None:
        self._ruleset, self._claim, self._of = ruleset, claim, dict(claim.values)
        self._fixed = fixed_by(about, ruleset.coordinate_names)

    def sums(self) -> list[Sum]:
        """Those that the position's value is said to be. Raises NotSaid if something else is claimed."""
        formula, target = self._claim.formula, self._claim.target
        if target == ALWAYS:
            return [one for term in conjuncts(formula) for one in self._equated(term)]
        if target.name == "grundy":
            return [self._sum(formula)]
        match formula:
            case Compare(("==",), (left, Int(value=value))) if value == level_of(target):
                return [self._sum(left)]
        raise NotSaid

    def _equated(self, term: Expr) -> list[Sum]:
        """What else is in the chain of equations in which the position's own value is."""
        if not isinstance(term, Compare) or set(term.ops) != {"=="}:
            raise NotSaid
        others = [one for one in map(self._sum, term.terms) if not self._is_here(one)]
        if len(others) == len(term.terms):
            raise NotSaid
        return others

    def _is_here(self, one: Sum) -> bool:
        places = [self._put(image.place) for image in one if image.game is self._ruleset]
        return len(one) == 1 and places == [self._put(here(self._ruleset))]

    def _put(self, place: Place) -> Place:
        return tuple(substitute(value, self._fixed) for value in place)

    def _sum(self, expr: Expr) -> Sum:
        return tuple(map(self._image, operands(expr, "^")))

    def _image(self, expr: Expr) -> Image:
        if not isinstance(expr, Call) or expr.name not in self._of:
            raise NotSaid
        game = looked_up(self._of[expr.name], self._ruleset)
        if not Lookups(self._of).is_plain(disjunction(*(Compare(("==",), (a, a)) for a in expr.arguments))):
            raise NotSaid
        if game.splits or game.play == "misere" or game.free:
            raise NotSaid
        if not set(game.parameter_names) <= set(self._ruleset.parameter_names):
            raise NotSaid
        return Image(game, expr.arguments)


def _regions(about: Expr, ruleset: Ruleset) -> Iterator[tuple[Expr, Callable[[Image], Image]]]:
    """The positions that are asked about, and larger regions, that moves may not leave.

    Where a larger one leaves a coordinate open that was fixed, so do the images that had its number: if p is 1, G(x, 1)
    is G(x, p).
    """
    terms, coordinates = conjuncts(about), set(ruleset.coordinate_names)
    asking = [term for term in terms if free_names(term) & coordinates]
    for left in [(), *((term,) for term in asking), *([tuple(asking)] if len(asking) > 1 else [])]:
        freed = {v: Name(n) for n, v in fixed_by(conjunction(*left), ruleset.coordinate_names).items()}

        def widened(image: Image, freed: dict[int, Name] = freed) -> Image:
            place = (freed.get(v.value, v) if isinstance(v, Int) else v for v in image.place)
            return replace(image, place=tuple(place))

        yield conjunction(*(term for term in terms if term not in left)), widened


class _Preserving:
    """That the values in the region are the nim-sums of those of the images."""

    def __init__(self, ruleset: Ruleset, images: Sum, region: Expr) -> None:
        self._ruleset, self._region, self._here = ruleset, region, here(ruleset)
        self._images = tuple(replace(image, game=without_functions(image.game)) for image in images)

    def premises(self) -> Iterator[Premise]:
        yield from always(self._ruleset, self._region, self._parts())

    def _parts(self) -> Iterator[Expr]:
        for image in self._images:
            yield conjunction(is_position(image.game, image.place), image.game.domain)
        for choices, when, option in steps(self._ruleset, self._here):
            inside = at(self._region, self._ruleset, option)
            well = conjunction(TRUE if inside == self._region else inside, self._moved(option))
            yield for_every(choices, implied(when, well))
        for number, image in enumerate(self._images):
            for choices, when, moved in steps(image.game, image.place):
                beside = (*moved, *(value for each in self._images for value in each.place))
                there = some_option(self._ruleset, self._here, self._reached(number, moved), beside)
                yield for_every(choices, implied(when, there))

    def _of(self, image: Image, position: Place) -> Place:
        return tuple(at(value, self._ruleset, position) for value in image.place)

    def _moved(self, option: Place) -> Expr:
        """That a move to the option is one, there or back, of one image, and leaves the others alone."""
        return disjunction(
            *(
                conjunction(
                    self._same(option, number), adjacent(image.game, image.place, self._of(image, option))
                )
                for number, image in enumerate(self._images)
            )
        )

    def _reached(self, number: int, moved: Place) -> Callable[[Place], Expr]:
        """That an option has the image moved so, and the other images as they were."""
        image = self._images[number]
        return lambda option: conjunction(equal(self._of(image, option), moved), self._same(option, number))

    def _same(self, option: Place, but: int) -> Expr:
        """That the option has the same images, but for one of them."""
        others = (image for number, image in enumerate(self._images) if number != but)
        return conjunction(*(equal(self._of(image, option), image.place) for image in others))
