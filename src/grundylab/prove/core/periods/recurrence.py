"""Rows that are arithmetic-periodic for ever: the certificate, and a checker that does not trust it.

The mathematics. Take a layer of a game in layers (``games/layers.py``), and write r(m) = n if (m, n) is a P-position of
the layer, with m on the first axis. As ``solve/row_solver.py`` shows, there is exactly one such n for each m. It is the
least number that is neither in U(m) = {r(0), …, r(m - 1)} nor in F(m). Here F(m) is the set of the numbers r'(m), for
the rows r' of layers below, such that a move leads down to that layer from (m, r'(m)). Add the negative numbers to
U(m), which changes nothing, and call S(m) = {u - m : u in U(m)} the *state* at m. As U(m) contains all but finitely
many of the numbers below m and finitely many others, finitely many integers describe a state: the least integer that is
not in it, and the greater ones that are.

Theorem. Let every layer below have r'(m + q) = r'(m) + q for all m >= a, where q divides a number p. Let each condition
under which a move leads down have the same truth value at (m + k*p, r'(m) + k*p) for all k >= 0, for each m with
a <= m < a + p. (If misère play makes an exception of the position without moves, let a > 0.) Let S(a) = S(a + p). Then
r(m + p) = r(m) + p for all m >= a.

Proof. By induction on m >= a we show S(m) = S(m + p) and r(m + p) = r(m) + p. The former is given for m = a. If it is
true for m, then U(m + p) = U(m) + p; and F(m + p) = F(m) + p by the assumptions on the layers below and on the
conditions. So the least number in neither set is greater by p, which is the latter equation. The states at m + 1 and
m + p + 1 come from these states by the same change, so they are equal, too. QED. (For layers with no layers below, and
for many others, p = 1.)

Such states always recur. A layer from which moves lead down to b others has r(m) <= m + b and, since the two axes are
alike, m <= r(m) + b. So 2b binary digits determine S(m), and the pair of S(m) and m modulo the periods of the layers
below takes finitely many values. By induction over the layers every row of such a game is eventually
arithmetic-periodic, if the conditions of its moves are; this gives no bound on where the period begins. Landman (*A
simple FSM-based proof of the additive periodicity of the Sprague-Grundy function of Wythoff's game*, More Games of No
Chance, 2002) argues in this way for rows of Grundy values.

The certificate names a layer's a, p and state S(a). The checker finds the layers from the ruleset, computes each row
from its beginning to a + p by the rule for r(m) above, and compares the states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from grundylab.errors import EvaluationError
from grundylab.games.layers import LayeredGame, LayerMove, LayerValues
from grundylab.language.plain import Evaluator, compile_plain
from grundylab.language.progression import NotLinear, Progression, condition_reader
from grundylab.language.syntax import TRUE, Expr
from grundylab.prove.core.playable import check_playable
from grundylab.prove.core.theorem import Refused


@dataclass(frozen=True)
class RecurrenceState:
    """The state S(m) at a place m of a row: all integers below ``gap``, and those in ``beyond``, which are above it."""

    gap: int
    beyond: tuple[int, ...]


@dataclass(frozen=True)
class Recurrence:
    """The claim that a layer has the state ``state`` at ``first`` and again at ``first + period``."""

    layer: LayerValues
    first: int
    period: int
    state: RecurrenceState


@dataclass(frozen=True)
class ProvedRow:
    """A proved row: r(m) = m + differences[m] for m < first + period; from first on, r(m + period) = r(m) + period."""

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
    rows: Mapping[LayerValues, ProvedRow] = NOTHING_KNOWN,
) -> dict[LayerValues, ProvedRow]:
    """Return the proved rows of the layer ``top`` and of all layers below it, together with those in ``rows``.

    claimed: the recurrences of the layers not in ``rows``. Raises Refused if one is missing, is false or does not
    prove its row, or if the rules may make no game.
    """
    check_playable(game.game)
    given = {recurrence.layer: recurrence for recurrence in claimed}
    proved = dict(rows)
    for layer in game.below(top):
        if layer in proved:
            continue
        if layer not in given:
            raise Refused(f"the certificate has no recurrence of the layer {game.describe(layer)}")
        try:
            proved[layer] = _check_layer(game, given[layer], proved)
        except Refused as fault:
            raise Refused(f"layer {game.describe(layer)}: {fault.message}") from None
    return proved


def _check_layer(game: LayeredGame, claim: Recurrence, rows: Mapping[LayerValues, ProvedRow]) -> ProvedRow:
    """Return a layer's row, after checking the theorem's conditions with a = claim.first and p = claim.period."""
    first, period = claim.first, claim.period
    if first < 0 or period < 1:
        raise Refused("the period must be at least 1, and begin at 0 or later")
    steps = game.descents(claim.layer)
    for step in steps:
        below = rows[step.to]
        if first < below.first or period % below.period != 0:
            raise Refused(
                f"the period of layer {game.describe(step.to)} below does not fit: it begins later, or is no divisor"
            )
        # the certificate may name a huge period, so they are not listed
        places = ((m, below(m)) for m in range(first, first + period))
        if not same_for_ever(game, claim.layer, step.when, places, period):
            raise Refused(
                f"the condition of the move to {game.describe(step.to)} may change after a period: {step.when}"
            )
    row = _Row(game, claim.layer, steps, rows)
    if first == 0 and row.misere_end:
        raise Refused("under misère play the period must not begin at the position without moves")
    while len(row.differences) < first:
        row.extend()
    if row.state != claim.state:
        raise Refused(f"the state at {first} is not that of the certificate, but {row.state}")
    while len(row.differences) < first + period:
        row.extend()
    if row.state != claim.state:
        raise Refused(f"the state at {first + period} is not that at {first}, but {row.state}")
    return ProvedRow(first, period, tuple(row.differences))


def same_for_ever(
    game: LayeredGame, layer: LayerValues, condition: Expr, places: Iterable[tuple[int, int]], period: int
) -> bool:
    """Tell whether a condition provably has one truth value at each place (m, n) and all periods further on.

    That is, at (m + k*period, n + k*period) for all k >= 0. False if the condition cannot be read along these places.
    """
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
    """A row that is extended number by number by the rule for r(m) in the module's text, in plain Python."""

    def __init__(
        self,
        game: LayeredGame,
        layer: LayerValues,
        steps: Sequence[LayerMove],
        rows: Mapping[LayerValues, ProvedRow],
    ) -> None:
        self.differences: list[int] = []
        self._axes = game.axes
        # several moves may lead to one layer; it counts once
        self._always = [rows[to] for to in dict.fromkeys(step.to for step in steps if step.when == TRUE)]
        self._guarded: list[tuple[Evaluator, ProvedRow]] = [
            (compile_plain(step.when, game.game.functions), rows[step.to])
            for step in steps
            if step.when != TRUE
        ]
        self.misere_end = game.game.play == "misere" and game.ends_at_origin(layer)
        self._gap = 0  # the least natural number not yet in the row
        self._beyond: set[int] = set()  # the greater numbers in the row

    @property
    def state(self) -> RecurrenceState:
        m = len(self.differences)
        return RecurrenceState(self._gap - m, tuple(sorted(number - m for number in self._beyond)))

    def extend(self) -> None:
        """Append r(m) for the next m: the least number that is neither in the row nor in F(m)."""
        m = len(self.differences)
        met = {row(m) for row in self._always}
        for condition, row in self._guarded:
            if condition(dict(zip(self._axes, (m, row(m)), strict=False))):
                met.add(row(m))
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
