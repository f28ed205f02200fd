"""Grundy numbers of one heap that are periodic for ever: the certificate, and the checker that recomputes them.

Theorem (Guy & Smith, *The G-values of various games*, Proc. Cambridge Philos. Soc. 52, 1956, for octal games, where
h = 2). Let every move from a heap of n >= u take at most t tokens and leave at most h heaps (``games/heaps.py``),
the same numbers whenever n has the same remainder by p; and let G(n + p) = G(n) for all n with a <= n < u, where
u >= h*a + (h - 1)*p + t. Then G(n + p) = G(n) for all n >= a.

Proof for h = 2, by induction on n >= u: let G(m + p) = G(m) be known for a <= m < n. An option of n + p by a move
that takes s tokens is a pair of heaps b <= c (one heap: b = 0) with b + c = n + p - s >= 2a + 2p, so that c - p >= a;
and c - p < n, as s or b is at least 1. So G(c) = G(c - p), and the pair b, c - p has the same value. It is an option
of n: which pairs are left depends on the smaller heap only, if the larger is at least ``plain_from``, and c - p >= a
is that, a being asked to be so large. Conversely a pair b <= c that is an option of n has b + c >= 2a + p, so
a <= c < n and G(c) = G(c + p), and b, c + p is an option of n + p. A move to a heap of constant size is one of both.
So n and n + p have options of the same values. For h = 1 the one heap is n - s >= a. QED.

Then a formula is right at all sizes if it is right below some number, and from there on is, on each class of
remainders by p, constant with the right value: the progression reader decides that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grundylab.games.heaps import NotBounded, Shape, one_heap, shape_of
from grundylab.games.instance import Instance, integer, make_instance
from grundylab.games.model import GRUNDY, Ruleset, Target, parse_target
from grundylab.games.specialise import specialise
from grundylab.language import parse, parse_condition
from grundylab.language.progression import Progression, number_along
from grundylab.language.syntax import TRUE, Expr
from grundylab.prove.outcome import CertificateError
from grundylab.prove.playable import check_playable
from grundylab.prove.row_formula import FormulaReader, settle
from grundylab.solve import solve
from grundylab.solve.reference import solve_reference

KIND = "heap"
FEW, SLOW = (
    20_000,
    1_000_000,
)  # moves: the definition itself takes half a second for them, and some twenty seconds
MOST_MOVES = 10_000_000_000  # that the compiled kernel goes through: some five seconds
MOST_REMAINDERS = 10_000  # of which the moves are read one by one: some ten seconds
START = 8  # tokens from which the moves of a game like octal games have their shape


@dataclass(frozen=True)
class HeapCertificate:
    """What is stated of a heap, and why it is true.

    G(n + period) = G(n) for all n >= first, since it is so for first <= n < until. If there is a formula, it describes
    the target for every size that fulfils ``where``. game: with the values of the parameters put in.
    """

    game: Ruleset
    first: int
    period: int
    until: int
    parameters: tuple[tuple[str, int], ...] = ()
    target: Target = GRUNDY
    formula: Expr | None = None
    where: Expr = TRUE

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "certificate": KIND,
            "ruleset": self.game.name,
            "hash": self.game.hash,
            "first": self.first,
            "period": self.period,
            "until": self.until,
            "parameters": dict(self.parameters),
            "target": str(self.target),
            "formula": None if self.formula is None else str(self.formula),
            "where": str(self.where),
        }


def read_heap(record: Mapping[str, Any], ruleset: Ruleset) -> HeapCertificate:
    """The certificate of a heap of this game. Raises CertificateError if it is of another."""
    game = specialise(ruleset, record["parameters"])
    if record["certificate"] != KIND or record["hash"] != game.hash:
        raise CertificateError("the certificate is of another game, or of another version of it")
    target, formula = parse_target(record["target"]), record["formula"]
    return HeapCertificate(
        game,
        integer(record["first"], "first"),
        integer(record["period"], "period"),
        integer(record["until"], "until"),
        parameters=tuple(record["parameters"].items()),
        target=target,
        formula=None if formula is None else game.check_formula(parse(formula), target),
        where=game.check_condition(parse_condition(record["where"])),
    )


@dataclass(frozen=True)
class ProvedSequence:
    """G(least), G(least + 1), … of a heap: ``values`` as far as they go, and then for ever with the period."""

    heap: str
    least: int
    first: int
    period: int
    values: tuple[int, ...]

    def __call__(self, n: int) -> int:
        """G(n), for any n >= least."""
        if n >= self.first:
            n = self.first + (n - self.first) % self.period
        return self.values[n - self.least]


def needed(game: Ruleset, first: int, period: int, until: int) -> int:
    """Up to where the theorem asks for the period, if the moves are as it says from ``until`` on; else NotBounded.

    At least one more than ``until`` if a split depends on the larger heap.
    """
    shapes = _shapes(game, until, period)
    most, heaps = max(shape.most for shape in shapes), max(shape.heaps for shape in shapes)
    if max(shape.plain_from for shape in shapes) > first:
        return until + 1
    return heaps * first + (heaps - 1) * period + most


def _shapes(game: Ruleset, until: int, period: int) -> list[Shape]:
    """The shapes of all moves from heaps of ``until`` and more: one for all, or one for each of not many remainders."""
    try:
        return [shape_of(game, until, 1)]
    except NotBounded:
        if period > MOST_REMAINDERS:
            raise
        return [shape_of(game, until + rest, period) for rest in range(period)]


def check_heap(certificate: HeapCertificate) -> ProvedSequence:
    """The Grundy numbers, proved. Raises CertificateError if what is stated does not follow, NotBounded elsewhere."""
    game, first, period, until = certificate.game, certificate.first, certificate.period, certificate.until
    heap, least = one_heap(game), _least(game)
    check_playable(game)
    if first < least or period < 1:
        raise CertificateError("the period must be at least 1, and begin where the heaps do or later")
    if needed(game, first, period, until) > until:
        raise CertificateError(f"the period must be seen further than {until}")
    values = _values(game, until + period)
    for n in range(first, until):
        if values[n + period - least] != values[n - least]:
            raise CertificateError(f"the Grundy numbers of {n} and {n + period} differ")
    sequence = ProvedSequence(heap, least, first, period, tuple(values[: first + period - least]))
    if certificate.formula is not None:
        check_formula(sequence, certificate)
    return sequence


def _least(game: Ruleset) -> int:
    return int(number_along(game.coordinates[0].range.low, {}).start)


def _values(game: Ruleset, count: int) -> Sequence[int]:
    """The Grundy numbers of all heaps below ``count``: by the definition, but by the moves' shape if they are many.

    Those of small heaps are by the definition, and the shape must give as many again. Without a shape a compiled
    kernel goes through the options. Raises CertificateError where the shape gives other numbers.
    """
    instance = _instance(game, count)
    if instance.moves <= FEW:
        return _defined(instance)
    least = instance.box[0].low
    try:
        shape = shape_of(game, START, 1)
    except NotBounded:
        return _defined(instance)
    first = shape.applies_from(START, least)
    small = _instance(game, 2 * first)
    if first <= least or small.moves > FEW:
        return _defined(instance)
    from grundylab.prove.heap_numbers import by_shape  # numba takes a second to import

    known = _defined(small)
    found = by_shape(shape, known[: first - least], least, count)
    if found[: len(known)] != known[: len(found)]:
        raise CertificateError("the moves do not have the shape that is read off them")
    return found


def _defined(instance: Instance) -> list[int]:
    if instance.moves > MOST_MOVES:
        raise CertificateError(
            f"the heaps have {instance.moves:,} moves; at most {MOST_MOVES:,} are gone through"
        )
    table = (
        solve_reference(instance, "grundy") if instance.moves <= SLOW else solve(instance, "grundy", "kernel")
    )
    return [int(value) for value in table.values]


def _instance(game: Ruleset, count: int) -> Instance:
    """Tables of all heaps below ``count``, and perhaps of more."""
    size = count
    while True:  # the bound of the table need not be the size of the largest heap
        instance = make_instance(game, {}, dict.fromkeys(game.bounds, size))
        if instance.box[0].high >= count - 1:
            return instance
        size *= 2


def check_formula(sequence: ProvedSequence, certificate: HeapCertificate) -> None:
    """That the formula describes the target for every size that fulfils ``where``; else CertificateError."""
    assert certificate.formula is not None
    target = certificate.target
    reader = FormulaReader(certificate.formula, certificate.where, certificate.game.functions)

    def truth(n: int) -> Progression:
        value = sequence(n)
        return Progression(value if target.name == "grundy" else int(value == target.value))

    def count(turn: int) -> int:
        settled = sequence.first + turn * sequence.period
        return reader.along(sequence.heap, sequence.least, settled, sequence.period, truth)

    settle(certificate.where, count)
