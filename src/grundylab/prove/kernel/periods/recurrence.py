"""Rows that are arithmetic-periodic for ever: the certificate, and the checker that believes nothing of it.

The mathematics. In a game in layers (``games/layers.py``) write r(m) = n if (m, n) is the P-position of a layer with
m on the first axis. As ``solve/row_solver.py`` shows, there is exactly one, and r(m) is the least number that is
neither in U(m) = {r(0), …, r(m - 1)} nor in F(m), the set of those r'(m) of layers below to which a move leads down
from (m, r'(m)). Count the negative numbers to U(m), which changes nothing, and call S(m) = {u - m : u in U(m)} the
*state* at m. As U(m) has all but finitely many of the numbers below m and finitely many others, a state is written
down by finitely many integers: the least that is not in it, and those greater ones that are.

Theorem. Let every layer below have r'(m + q) = r'(m) + q for all m >= a, with q dividing a number p; let each
condition under which a move leads down be the same at (m + k*p, r'(m) + k*p) for all k >= 0, for each m with a <= m <
a + p (and let a > 0 where misère play excepts the position without moves); and let S(a) = S(a + p). Then r(m + p) =
r(m) + p for all m >= a.

Proof. By induction on m >= a, S(m) = S(m + p) and r(m + p) = r(m) + p. The first is given for m = a. If it is true
for m, then U(m + p) = U(m) + p; and F(m + p) = F(m) + p by what is known of the layers below and of the conditions.
So the least number that is in neither is p more, which is the second; and the next states come from these by leaving
out or adding the same number. QED. (For layers with no layers below, and for many of them, p = 1.)

Such states always recur. A layer from which moves lead down to b others has r(m) <= m + b, and, the axes being alike,
m <= r(m) + b; so S(m) is determined by 2b binary digits, and together with m modulo the periods of the layers below
it takes finitely many values. By induction over the layers every row of such a game is eventually
arithmetic-periodic, if the conditions of its moves are; this gives no bound on when. Landman (*A simple FSM-based
proof of the additive periodicity of the Sprague-Grundy function of Wythoff's game*, More Games of No Chance, 2002)
argues in this way for rows of Grundy numbers.

The certificate names a layer's a, p and state S(a); the checker finds the layers from the ruleset, computes each row
from the beginning to a + p by the rule for r(m) above, and compares states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from grundylab.errors import EvaluationError
from grundylab.games.layers import LayeredGame, LayerMove, LayerValues
from grundylab.language.plain import Evaluator, compile_plain
from grundylab.language.progression import NotLinear, Progression, condition_reader
from grundylab.language.syntax import TRUE, Expr
from grundylab.prove.kernel.playable import check_playable
from grundylab.prove.kernel.theorem import Refused


@dataclass(frozen=True)
class RecurrenceState:
    """The numbers in the row before a place, relative to it: all below ``gap``, and those in ``beyond``, all > gap."""

    gap: int
    beyond: tuple[int, ...]


@dataclass(frozen=True)
class Recurrence:
    """The claim that a layer's state at ``first`` recurs at ``first + period``."""

    layer: LayerValues
    first: int
    period: int
    state: RecurrenceState


@dataclass(frozen=True)
class ProvedRow:
    """A row for ever: r(m) = m + differences[m] up to first + period, and from there on with this period."""

    first: int
    period: int
    differences: tuple[int, ...]

    def __call__(self, m: int) -> int:
        """Return r(m), for any m >= 0."""
        if m < self.first + self.period:
            return m + self.differences[m]
        return m + self.differences[self.first + (m - self.first) % self.period]


NOTHING_KNOWN: Mapping[LayerValues, ProvedRow] = MappingProxyType({})


def check_layers(
    game: LayeredGame,
    top: LayerValues,
    claimed: Sequence[Recurrence],
    known: Mapping[LayerValues, ProvedRow] = NOTHING_KNOWN,
) -> dict[LayerValues, ProvedRow]:
    """Return the rows of the top layer and of those below it, proved, together with the rows proved before.

    Raises Refused where the recurrences are false or not enough, and for rules that may make no game.
    """
    check_playable(game.game)
    given = {recurrence.layer: recurrence for recurrence in claimed}
    proved = dict(known)
    for layer in game.below(top):
        if layer in proved:
            continue
        if layer not in given:
            raise Refused(f"nothing is said of the layer {game.describe(layer)}")
        try:
            proved[layer] = _check_layer(game, given[layer], proved)
        except Refused as fault:
            raise Refused(f"layer {game.describe(layer)}: {fault.message}") from None
    return proved


def _check_layer(game: LayeredGame, claim: Recurrence, known: Mapping[LayerValues, ProvedRow]) -> ProvedRow:
    """Check the theorem's conditions for one layer, with a = claim.first and p = claim.period; return its row."""
    first, period = claim.first, claim.period
    if first < 0 or period < 1:
        raise Refused("the period must be at least 1, and begin at 0 or later")
    steps = game.descents(claim.layer)
    for step in steps:
        below = known[step.to]
        if first < below.first or period % below.period != 0:
            raise Refused(f"the period of the layer {game.describe(step.to)} below does not fit into it")
        places = (
            (m, below(m)) for m in range(first, first + period)
        )  # their number is the certificate's choice
        if not same_for_ever(game, claim.layer, step.when, places, period):
            raise Refused(
                f"whether there is a move to {game.describe(step.to)} may change with the period: {step.when}"
            )
    row = _Row(game, claim.layer, steps, known)
    if first == 0 and row.misere_end:
        raise Refused("under misère play the first position is unlike all others")
    while len(row.differences) < first:
        row.extend()
    if row.state != claim.state:
        raise Refused(f"at {first} the state is {row.state}")
    while len(row.differences) < first + period:
        row.extend()
    if row.state != claim.state:
        raise Refused(f"at {first + period} the state is not that at {first}, but {row.state}")
    return ProvedRow(first, period, tuple(row.differences))


def same_for_ever(
    game: LayeredGame, layer: LayerValues, condition: Expr, places: Iterable[tuple[int, int]], period: int
) -> bool:
    """Tell whether at each place a condition on the layer provably stays the same whole periods later, for ever."""
    if condition == TRUE:
        return True
    reader = condition_reader(condition, game.game.functions)
    fixed = {name: Progression(value) for name, value in zip(game.names, layer, strict=False)}
    try:
        for place in places:
            along = (Progression(number, period) for number in place)
            reader({**fixed, **dict(zip(game.axes, along, strict=False))})
    except (NotLinear, EvaluationError):
        return False
    return True


class _Row:
    """A row that is extended number by number, by the rule for r(m) in the argument: no arrays, no compiler."""

    def __init__(
        self,
        game: LayeredGame,
        layer: LayerValues,
        steps: Sequence[LayerMove],
        known: Mapping[LayerValues, ProvedRow],
    ) -> None:
        self.differences: list[int] = []
        self._axes = game.axes
        # several moves may lead to one layer: there is one if any of them is there
        self._always = [known[to] for to in dict.fromkeys(step.to for step in steps if step.when == TRUE)]
        self._guarded: list[tuple[Evaluator, ProvedRow]] = [
            (compile_plain(step.when, game.game.functions), known[step.to])
            for step in steps
            if step.when != TRUE
        ]
        self.misere_end = game.game.play == "misere" and game.ends_at_origin(layer)
        self._gap = 0  # the least number that the row does not have yet
        self._beyond: set[int] = set()  # the greater ones that it has

    @property
    def state(self) -> RecurrenceState:
        m = len(self.differences)
        return RecurrenceState(self._gap - m, tuple(sorted(number - m for number in self._beyond)))

    def extend(self) -> None:
        """Append one more number: the least that is neither in the row nor met by a move down."""
        m = len(self.differences)
        met = {row(m) for row in self._always}
        met.update(self._met_under_conditions(m))
        if m == 0 and self.misere_end:
            met.add(0)
        n = self._gap
        while n in met or n in self._beyond:
            n += 1
        self.differences.append(n - m)
        self._beyond.add(n)
        while self._gap in self._beyond:
            self._beyond.remove(self._gap)
            self._gap += 1

    def _met_under_conditions(self, m: int) -> Iterator[int]:
        for condition, row in self._guarded:
            n = row(m)
            if condition(dict(zip(self._axes, (m, n), strict=False))):
                yield n
