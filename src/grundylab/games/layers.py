"""Games in layers: two piles from which any number may be taken, and the rest of the position, its layer.

In a *layered* game, any number may be taken from each of two coordinates, the *axes*. Every other move leaves the axes
unchanged and alters only the rest of the position, its *layer*: for example the other piles of Nim, and whether the
pass is still available. So the positions of one layer form a quarter plane. For each m on the first axis the layer has
one P-position (m, n); these numbers n, for m = 0, 1, …, are the *row* of the layer.

For Grundy numbers the game has one axis, and the second is a heap of Nim that is added to the game: (x, g) is a
P-position of this sum exactly if g is the Grundy number of x.

A *piled* game is the same with any number of axes. From each axis any number may be taken, or any number up to a limit
that depends on this axis alone.

Whether a game is layered is read from its moves. A game that is not recognised is refused, with the reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grundylab.errors import EvaluationError, InstanceError
from grundylab.games.instance import LARGEST, integer
from grundylab.games.linear_moves import grows_with_bounds
from grundylab.games.model import P_POSITIONS, Move, Ruleset, Target, coordinate_sum
from grundylab.games.shapes import SplitMove, Take
from grundylab.games.specialise import specialise
from grundylab.language.intervals import is_total
from grundylab.language.plain import evaluate
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Bool,
    Expr,
    Int,
    Logic,
    Name,
    compare,
    conjunction,
    disjunction,
    free_names,
)

LayerValues = tuple[int, ...]
MOST_LAYERS = 20_000
MOST_CHOICES = 200_000  # assignments of a move's choices from one layer
MOST_DESCENTS = 200_000  # moves between layers; it takes some seconds to find so many


class NotLayered(InstanceError):
    """The error that a game is not layered, or is not recognised as layered."""


class TooManyLayers(NotLayered):
    """The error that a row needs more layers, or more moves between layers, than the limits allow."""


@dataclass(frozen=True)
class LayerMove:
    """A move to the layer ``to``.

    It exists where the condition ``when`` on the axes is true, and leaves the axes unchanged.
    """

    to: LayerValues
    when: Expr


@dataclass(frozen=True)
class LayeredGame:
    """A game in layers. The functions ``layered_game`` and ``piled_game`` make it.

    game: the ruleset with every parameter fixed. axes: from ``layered_game``, two coordinates, or one if the second
    axis is an added heap of Nim; from ``piled_game``, any number of coordinates. target: what the rows describe.

    A layer is a tuple: the values of the coordinates that are no axes, in order, then one more number. If the target is
    the set of positions with Grundy number g, this number is g, the size of a heap of Nim that is added to the game;
    else it is 0.
    """

    game: Ruleset
    axes: tuple[str, ...]
    target: Target

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The coordinates that are no axes, in the ruleset's order."""
        return tuple(name for name in self.game.coordinate_names if name not in self.axes)

    def top(self, fixed: Mapping[str, int]) -> LayerValues:
        """Return the layer in which the coordinates have these values.

        fixed: the value of every coordinate that is no axis. Raises InstanceError if one is missing, unknown or out of
        range.
        """
        for name in (*self.names, *fixed):
            if name not in fixed or name not in self.names:
                wanted = ", ".join(self.names) or "nothing"
                raise InstanceError(
                    f"{self.game.name}: a row along {' and '.join(self.axes)} must fix exactly: {wanted}"
                )
        values = (integer(fixed[name], f"{self.game.name}: {name}") for name in self.names)
        layer = (*values, self.target.value)
        if not self._inside(layer):
            raise InstanceError(f"{self.game.name} has no positions with {self.describe(layer)}")
        return layer

    def describe(self, layer: LayerValues) -> str:
        """Return the layer as text, such as ``x=2, p=1``."""
        return ", ".join(f"{name}={value}" for name, value in zip(self.names, layer, strict=False)) or "all"

    def below(
        self, *tops: LayerValues, within: Collection[LayerValues] | None = None, most: int = MOST_DESCENTS
    ) -> list[LayerValues]:
        """Return ``tops`` and all layers that moves reach from them, each after all layers that its moves lead to.

        within: the layers that exist; by default any. most: the largest number of moves between the layers. Raises
        NotLayered if a move leads out of ``within`` or if moves form a cycle, TooManyLayers if there are too many
        layers or moves.
        """
        layers: list[LayerValues] = []
        open_layers: dict[LayerValues, Iterator[LayerMove]] = {}
        done: set[LayerValues] = set()
        moves = 0

        def enter(layer: LayerValues) -> None:
            nonlocal moves
            steps = self.descents(layer)
            moves += len(steps)
            if moves > most:
                raise TooManyLayers(
                    f"{self.game.name}: the row {self.describe(tops[0])} needs more than {most:,} moves between other "
                    "rows; fix smaller values, or ask for a shorter row"
                )
            open_layers[layer] = iter(steps)

        for top in tops:
            if top not in done:
                enter(top)
            while open_layers:
                layer = next(reversed(open_layers))
                step = next(open_layers[layer], None)
                if step is None:
                    del open_layers[layer]
                    done.add(layer)
                    layers.append(layer)
                elif within is not None and step.to not in within:
                    raise NotLayered(
                        f"{self.game.name}: a move leads to {self.describe(step.to)}, past the table's edge"
                    )
                elif step.to in open_layers:
                    raise NotLayered(f"{self.game.name}: moves form a cycle from {self.describe(layer)}")
                elif step.to not in done:
                    if len(done) + len(open_layers) >= MOST_LAYERS:
                        raise self._too_many
                    enter(step.to)
        return layers

    @cached_property
    def _known(self) -> dict[LayerValues, tuple[LayerMove, ...]]:
        return {}

    def descents(self, layer: LayerValues) -> tuple[LayerMove, ...]:
        """Return the moves from the layer to other layers, in the ruleset's order with passes after all others."""
        if layer in self._known:
            return self._known[layer]
        if layer[-1] > MOST_LAYERS:  # moves lead to every smaller size: too many layers
            raise self._too_many
        fixed = dict(zip(self.names, layer, strict=False))
        shapes = zip(self.game.moves, self.game.shapes, strict=True)
        falls = [move for move, shape in shapes if shape.changes.isdisjoint(self.axes)]
        plays, passes = (
            [step for move in falls if move.a_pass == a_pass for step in self._moves(move, fixed)]
            for a_pass in (False, True)
        )
        if not self.unbounded:
            takes = (compare(">=", limit, Int(1)) for limit in self.limits.values())
            movable = disjunction(*takes, *(step.when for step in plays))
            passes = [LayerMove(step.to, conjunction(step.when, movable)) for step in passes]
        elif not self._some_at_origin(plays):  # no move at the origin, so no pass
            off_origin = compare(">=", coordinate_sum(self.axes), Int(1))
            passes = [LayerMove(step.to, conjunction(step.when, off_origin)) for step in passes]
        possible = (step for step in (*plays, *passes) if step.when != FALSE)
        steps = [LayerMove((*step.to, layer[-1]), step.when) for step in possible]
        steps += [LayerMove((*layer[:-1], size), TRUE) for size in range(layer[-1])]
        self._known[layer] = tuple(steps)
        return self._known[layer]

    @property
    def _too_many(self) -> TooManyLayers:
        return TooManyLayers(
            f"{self.game.name}: a row needs more than {MOST_LAYERS:,} others; fix smaller values"
        )

    def ends_at_origin(self, layer: LayerValues) -> bool:
        """Tell whether no move leaves the position of the layer in which the axes are 0."""
        return not self._some_at_origin(self.descents(layer))

    def _some_at_origin(self, steps: Sequence[LayerMove]) -> bool:
        """Tell whether one of the moves exists where the axes are 0."""
        origin = dict.fromkeys(self.axes, 0)
        return any(evaluate(step.when, origin, self.game.functions) for step in steps)

    @cached_property
    def limits(self) -> dict[str, Expr]:
        """The largest number that may be taken from each axis, as an expression."""
        takes = (shape for shape in self.game.shapes if isinstance(shape, Take))
        return {take.pile: take.limit for take in takes if take.pile in self.axes}

    @property
    def unbounded(self) -> bool:
        """True if any number may be taken from every axis."""
        return all(limit == Name(axis) for axis, limit in self.limits.items())

    def _moves(self, move: Move, fixed: Mapping[str, int]) -> Iterator[LayerMove]:
        after = dict(zip(self.game.coordinate_names, move.parts[0], strict=True))
        assignments = [dict(fixed)]  # of the move's choices, in order, each together with the fixed values
        for choice in move.choices:
            before, assignments = assignments, []
            for chosen in before:
                low, high = (self._value(substitute(end, chosen), move) for end in choice.ends)
                if len(assignments) + high - low >= MOST_CHOICES:
                    raise NotLayered(
                        f"{self.game.name}: the move '{move.name}' has more than {MOST_CHOICES:,} choices"
                    )
                assignments += [{**chosen, choice.name: value} for value in range(low, high + 1)]
        for chosen in assignments:
            when = self._simplified(substitute(move.when, chosen))
            to = tuple(self._value(substitute(after[name], chosen), move) for name in self.names)
            if when != FALSE and not self._inside((*to, 0)):
                raise NotLayered(
                    f"{self.game.name}: the move '{move.name}' leads outside the game, to {self.describe(to)}"
                )
            yield LayerMove(to, when)

    def _simplified(self, when: Expr) -> Expr:
        """Return the condition, in which every part that does not depend on the axes is evaluated."""
        if not free_names(when):
            return Bool(bool(evaluate(when, {}, self.game.functions)))
        if not isinstance(when, Logic):
            return when
        terms = [self._simplified(term) for term in when.terms]
        end = Bool(when.op == "or")  # a part with this truth value decides the whole
        before = terms[: terms.index(end)] if end in terms else []
        if not all(is_total(term, self.game.functions) for term in before):
            return when
        return conjunction(*terms) if when.op == "and" else disjunction(*terms)

    def _value(self, expr: Expr, move: Move) -> int:
        """Return the value of an expression of the move. Raises NotLayered if it depends on the axes."""
        if free_names(expr):
            raise NotLayered(
                f"{self.game.name}: where the move '{move.name}' leads depends on {' and '.join(self.axes)}: {expr}"
            )
        try:
            value = evaluate(expr, {}, self.game.functions)
        except EvaluationError as error:
            raise NotLayered(f"{self.game.name}: the move '{move.name}': {error.message}") from None
        if abs(value) > LARGEST:  # such moves may lead on for ever, though their condition is never true
            raise NotLayered(f"{self.game.name}: the move '{move.name}' may lead past {LARGEST:,}")
        return value

    def _inside(self, layer: LayerValues) -> bool:
        """Tell whether each value of the layer is in its range; ends that are bounds of tables are ignored."""
        env = dict(zip(self.names, layer, strict=False))
        for coordinate in self.game.coordinates:
            if coordinate.name in self.names:
                low, high = coordinate.ends
                if env[coordinate.name] < evaluate(low, env, self.game.functions):
                    return False
                edge = bool(free_names(high) & set(self.game.bounds))
                if not edge and env[coordinate.name] > evaluate(high, env, self.game.functions):
                    return False
        return True


def layered_game(
    ruleset: Ruleset, parameters: Mapping[str, int], axes: tuple[str, ...], target: Target = P_POSITIONS
) -> LayeredGame:
    """Return the game in layers with these axes.

    Raises NotLayered, with the reason, if it is not recognised as layered.
    """
    game = specialise(ruleset, parameters)
    wanted, count = ("one free coordinate", 1) if target.name == "grundy" else ("two free coordinates", 2)
    if len(set(axes)) != len(axes) or len(axes) != count:
        free = f"{' and '.join(axes)} {'is' if len(axes) == 1 else 'are'}" if axes else "none is"
        raise NotLayered(f"{ruleset.name}: a row of the target {target} needs {wanted}; {free} free")
    if reason := _reason(game, axes, target, bounded=False):
        raise NotLayered(f"{ruleset.name}: {reason}")
    return LayeredGame(game, axes, target)


def piled_game(ruleset: Ruleset, parameters: Mapping[str, int]) -> LayeredGame:
    """Return the piled game whose axes are all coordinates from which a move takes.

    Raises NotLayered, with the reason, if the game is not recognised as piled.
    """
    game = specialise(ruleset, parameters)
    takes = [shape for shape in game.shapes if isinstance(shape, Take)]
    axes = tuple(name for name in game.coordinate_names if any(take.pile == name for take in takes))
    if not axes:
        raise NotLayered(
            f"{ruleset.name}: no move is a take from one pile whose limit depends on that pile only"
        )
    if len(takes) > len(axes):
        raise NotLayered(f"{ruleset.name}: there are two sorts of takes from one pile")
    if reason := _reason(game, axes, P_POSITIONS, bounded=True):
        raise NotLayered(f"{ruleset.name}: {reason}")
    return LayeredGame(game, axes, P_POSITIONS)


def _reason(game: Ruleset, axes: tuple[str, ...], target: Target, bounded: bool) -> str | None:
    """Return the reason why the game is not layered, or None if it is. bounded: takes may have limits."""
    if game.parameters:
        return f"the parameter {game.parameters[0].name} has no value"
    if game.free:
        return f"the rules leave {game.free[0].name}() open"
    if unknown := [name for name in axes if name not in game.coordinate_names]:
        return f"there is no coordinate '{unknown[0]}'"
    if game.play == "misere" and target != P_POSITIONS:
        return "under misère play only the P-positions are solved"
    if game.where != TRUE:
        return f"its positions are restricted: {game.where}"
    for coordinate in game.coordinates:
        name, (low, high) = coordinate.name, coordinate.ends
        bounds, grows = free_names(high) & set(game.bounds), grows_with_bounds(high, game.bounds)
        if name in axes:
            if low != Int(0) or not bounds or bounds != free_names(high) or not grows:
                return f"{name} does not have every value from 0 on: {coordinate.range}"
        elif bounds and not grows:
            return f"the range of {name} ends at a bound, but may not grow with it: {coordinate.range}"
        elif free_names(low) & set(game.bounds) or (free_names(low) | free_names(high)) & set(axes):
            return f"the range of {name} begins at a bound or depends on an axis: {coordinate.range}"
    taken = set()
    for move, shape in zip(game.moves, game.shapes, strict=True):
        if isinstance(shape, Take) and shape.pile in axes and (bounded or shape.unbounded):
            taken.add(shape.pile)
        elif isinstance(shape, SplitMove) or not shape.changes.isdisjoint(axes):
            takes = f"neither takes {'' if bounded else 'any number '}from"
            if len(axes) == 1:
                return f"the move '{move.name}' {takes} {axes[0]} nor leaves it alone"
            return f"the move '{move.name}' {takes} one of {' and '.join(axes)} nor leaves them alone"
    missing = [axis for axis in axes if axis not in taken]
    return f"no move takes any number from {missing[0]}" if missing else None


def free_coordinates(ruleset: Ruleset, fixed: Mapping[str, int]) -> tuple[str, ...]:
    """Return the coordinates that have no fixed value."""
    return tuple(name for name in ruleset.coordinate_names if name not in fixed)
