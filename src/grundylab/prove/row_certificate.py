"""The certificate of a row, as data: what is stated of it, and the recurring states from which that follows.

``check_row`` recomputes everything from the ruleset. Of the certificate it uses only where to look. A formula describes
a proved row at infinitely many positions, and that is decided in finitely many steps.

Of a row of P-positions it must be true at (m, r(m)), and false at every other (m, n), of those that fulfil ``where``.
Let r have the period p from ``settled`` on, and differ from m by at most w <= ``settled``. Then the quarter plane is
made of a square of positions, looked at one by one; of the lines (m + k*p, m + d + k*p) with |d| <= w; and, past those
on either side, of strips in which the formula must be false. Each line and strip is a progression in one or two
numbers, and the progression reader decides it, or says that it cannot; then a larger square, and more lines, are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grundylab.errors import EvaluationError, GrundylabError
from grundylab.games.layers import Layer, Layered, layered
from grundylab.games.listing import read_listing
from grundylab.games.model import PASS_COORDINATE, Claim, Member, Ruleset, parse_target
from grundylab.language import Functions, Kind, parse, parse_condition
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.plain import compile_plain
from grundylab.language.progression import (
    NotLinear,
    Progression,
    Progressions,
    condition_reader,
    number_along,
    number_reader,
)
from grundylab.language.syntax import (
    TRUE,
    Expr,
    Int,
    Name,
    by_cases,
    compare,
    conjunction,
    disjunction,
    equalities,
)
from grundylab.prove.outcome import CertificateError
from grundylab.prove.recurrence import (
    NOTHING_KNOWN,
    ProvedRow,
    Recurrence,
    State,
    check_layers,
    same_for_ever,
)

KIND = "rows"
# places at the beginning of a row without a formula, and before REACH, that are held against the game
SAID = 12
REACH = 200
SETTLING = 4  # periods after which a formula that is periodic should be seen to be
LARGEST = 4_000_000  # positions of a square


@dataclass(frozen=True)
class RowCertificate:
    """What is stated of a row, and why it is true.

    The row of ``layer`` has r(m + period) = r(m) + period for all m >= preperiod. If there is a listing, its positions
    (of the coordinates but the pass) are exactly those of the row that fulfil ``where``. If there is a formula, it
    describes the target at all positions of the row that fulfil ``where``.
    """

    game: Layered
    layer: Layer
    preperiod: int
    period: int
    recurrences: tuple[Recurrence, ...]
    positions: tuple[str, ...] | None = None
    where: Expr = TRUE
    formula: Expr | None = None
    parameters: tuple[tuple[str, int], ...] = ()

    def record(self) -> dict[str, Any]:
        """As JSON."""
        game = self.game
        return {
            "certificate": KIND,
            "ruleset": game.game.name,
            "hash": game.game.hash,
            "parameters": dict(self.parameters),
            "target": str(game.target),
            "axes": list(game.axes),
            "row": dict(zip(game.names, self.layer, strict=False)),
            "preperiod": self.preperiod,
            "period": self.period,
            "where": str(self.where),
            "positions": None if self.positions is None else list(self.positions),
            "formula": None if self.formula is None else str(self.formula),
            "layers": [_recurrence_record(game, recurrence) for recurrence in self.recurrences],
        }


def _recurrence_record(game: Layered, found: Recurrence) -> dict[str, Any]:
    return {
        "layer": dict(zip(game.names, found.layer, strict=False)),
        "heap": found.layer[-1],
        "first": found.first,
        "again": found.first + found.period,
        "state": {"gap": found.state.gap, "beyond": list(found.state.beyond)},
    }


def read_row(record: Mapping[str, Any], ruleset: Ruleset) -> RowCertificate:
    """The certificate of a row of this game. Raises CertificateError if it is of another."""
    target, parameters = parse_target(record["target"]), record["parameters"]
    game = layered(ruleset, parameters, tuple(record["axes"]), target)
    if record["certificate"] != KIND or record["hash"] != game.game.hash:
        raise CertificateError("the certificate is of another game, or of another version of it")
    texts, formula = record["positions"], record["formula"]
    return RowCertificate(
        game,
        game.top(record["row"]),
        int(record["preperiod"]),
        int(record["period"]),
        tuple(_read_recurrence(game, found) for found in record["layers"]),
        None if texts is None else tuple(texts),
        game.game.check_condition(parse_condition(record["where"])),
        None if formula is None else game.game.check_formula(parse(formula), target),
        tuple((str(name), int(value)) for name, value in parameters.items()),
    )


def _read_recurrence(game: Layered, record: Mapping[str, Any]) -> Recurrence:
    layer = (*(int(record["layer"][name]) for name in game.names), int(record["heap"]))
    state = State(int(record["state"]["gap"]), tuple(map(int, record["state"]["beyond"])))
    first = int(record["first"])
    return Recurrence(layer, first, int(record["again"]) - first, state)


def check_row(certificate: RowCertificate, known: Mapping[Layer, ProvedRow] = NOTHING_KNOWN) -> ProvedRow:
    """The row, proved. Raises CertificateError if anything that is stated does not follow.

    known: rows of the game that ``check_layers`` has proved before.
    """
    row = check_layers(certificate.game, certificate.layer, certificate.recurrences, known)[certificate.layer]
    _check_period(certificate, row)
    if certificate.positions is not None:
        _check_positions(certificate, row, certificate.positions)
    if certificate.formula is not None:
        check_row_formula(certificate.game, certificate.layer, row, certificate.formula, certificate.where)
    return row


def said_of_row(certificate: RowCertificate, row: ProvedRow) -> Claim:
    """What the certificate states, as a claim about its game: its formula; without one, the first places of the row."""
    game = certificate.game
    about = conjunction(equalities(zip(game.names, certificate.layer, strict=False)), certificate.where)
    if certificate.formula is not None:
        return Claim(KIND, game.target, certificate.formula, about)
    end = min(certificate.preperiod + 2 * certificate.period, REACH)
    places = sorted({*range(SAID), *range(max(0, end - SAID), end)})
    values = {m: _as_stated(certificate, row, m) for m in places}
    first = Name(game.axes[0])
    about = conjunction(about, disjunction(*(compare("==", first, Int(m)) for m in places)))
    if len(game.axes) == 1:
        cases = [(compare("==", first, Int(m)), Int(values[m])) for m in places[:-1]]
        return Claim(KIND, game.target, by_cases(cases, Int(values[places[-1]])), about)
    pairs = (equalities(zip(game.axes, (m, values[m]), strict=True)) for m in places)
    return Claim(KIND, game.target, disjunction(*pairs), about)


def _as_stated(certificate: RowCertificate, row: ProvedRow, m: int) -> int:
    """r(m), from the first period as the certificate says that it goes on."""
    times = max(0, (m - certificate.preperiod) // certificate.period)
    return row(m - times * certificate.period) + times * certificate.period


def _check_period(certificate: RowCertificate, row: ProvedRow) -> None:
    """One period of the proved row decides: r(m + p) - r(m) has that period from where both have."""
    start, p = certificate.preperiod, certificate.period
    if start < 0 or p < 1:
        raise CertificateError("the period must be at least 1, and begin at 0 or later")
    for m in range(start, max(start, row.first) + row.period):
        if row(m + p) != row(m) + p:
            raise CertificateError(f"the row does not have the period {p} at {m}")


def _check_positions(certificate: RowCertificate, row: ProvedRow, texts: Sequence[str]) -> None:
    """Listed are the row's positions up to some place, and as many by families that go on in whole periods.

    From ``settled`` on both the families and the row's positions (with the condition ``where``) are the same a whole
    period later, so that one period more decides.
    """
    game, period = certificate.game, row.period
    listed = [_pair(certificate, member) for member in _members(certificate, texts)]
    starts = [m.start + (0 if m.step else 1) for m, _ in listed]
    settled = max([row.first, *starts])
    names = dict(zip(game.names, certificate.layer, strict=False))
    inside = compile_plain(certificate.where, game.game.functions)
    wanted = {
        (m, row(m))
        for m in range(settled + period)
        if inside({**names, **dict(zip(game.axes, (m, row(m)), strict=True))})
    }
    later = ((m, row(m)) for m in range(settled, settled + period))
    if not same_for_ever(game, certificate.layer, certificate.where, later, period):
        raise CertificateError(f"whether {certificate.where} may change with the period")
    found: set[tuple[int, int]] = set()
    for m_along, n_along in listed:
        if m_along.step != n_along.step or m_along.step < 0 or (m_along.step and period % m_along.step):
            raise CertificateError(
                f"a family goes on by {m_along.step}, which does not fit the period {period}"
            )
        count = -(-(settled + period - m_along.start) // m_along.step) if m_along.step else 1
        found.update((m_along.at(k), n_along.at(k)) for k in range(count))
    if found != wanted:
        where = min(found ^ wanted)
        raise CertificateError(f"the positions listed are not those of the row: see {where}")


def _members(certificate: RowCertificate, texts: Sequence[str]) -> tuple[Member, ...]:
    try:
        return read_listing(texts, certificate.game.game.coordinate_names).members
    except GrundylabError as error:
        raise CertificateError(f"the positions cannot be read: {error.message}") from None


def _pair(certificate: RowCertificate, member: Member) -> tuple[Progression, Progression]:
    """The two axes of a position or family of the listing, for the index k = start, start + 1, …"""
    game = certificate.game
    names = [name for name in game.game.coordinate_names if name != PASS_COORDINATE]
    values: dict[str, Progression] = {}
    if member.indices:
        (index,) = member.indices[:1]
        low = member.where.children[1] if member.where.children else None
        if (
            len(member.indices) > 1
            or not isinstance(low, Int)
            or member.where != compare(">=", Name(index), low)
        ):
            raise CertificateError(f"a family must be for all {index} from some number on")
        values[index] = Progression(low.value, 1)
    elif member.where != TRUE:
        raise CertificateError(f"a single position is listed under a condition: {member.where}")
    try:
        entries = {
            name: number_along(entry, values) for name, entry in zip(names, member.entries, strict=True)
        }
    except (NotLinear, KeyError, ValueError):
        raise CertificateError(f"no position of the row: {', '.join(map(str, member.entries))}") from None
    for name, value in zip(game.names, certificate.layer, strict=False):
        if name != PASS_COORDINATE and entries[name] != Progression(value):
            raise CertificateError(f"a position listed does not have {name} = {value}")
    return entries[game.axes[0]], entries[game.axes[1]]


# -- a formula along a row -------------------------------------------------------------------------------------------


def check_row_formula(game: Layered, layer: Layer, row: ProvedRow, formula: Expr, where: Expr) -> None:
    """That the formula describes the target at all positions of the row with ``where``; else CertificateError."""
    fixed = dict(zip(game.names, layer, strict=False))
    reader = FormulaReader(formula, where, game.game.functions, fixed)
    least = max(map(abs, row.differences), default=0)

    def count(turn: int) -> int:
        more = turn * row.period
        if len(game.axes) == 1:
            settled = max(row.first, least) + more
            return reader.along(
                game.axes[0], 0, settled, row.period, lambda m: Progression(row(m), row.period)
            )
        return _Plane(game, row, reader, least + more).positions(max(row.first, least) + more)

    settle(where, count)


def settle(where: Expr, count: Callable[[int], int]) -> None:
    """Let ``count`` check all there is, from the first of some turns on in which all can be followed.

    count: how many positions and progressions that fulfil ``where`` it has checked. Raises CertificateError.
    """
    for turn in range(SETTLING):
        try:
            found = count(turn)
        except NotLinear:
            continue
        except EvaluationError as error:
            raise CertificateError(f"the formula, or its condition, has no value: {error.message}") from None
        if found == 0:
            raise CertificateError(f"no position fulfils {where}")
        return
    raise CertificateError("the formula cannot be followed for all sizes")


class FormulaReader:
    """A formula, under a condition, at positions one by one and along progressions of them.

    fixed: the coordinates and parameters that have one value.
    """

    def __init__(
        self, formula: Expr, where: Expr, functions: Functions, fixed: Mapping[str, int] | None = None
    ) -> None:
        self._formula, self._where, self._functions, self._fixed = formula, where, functions, fixed or {}
        self._inside = condition_reader(where, functions)
        self._says: Callable[[Progressions], Progression]
        if formula.kind is Kind.CONDITION:
            says = condition_reader(formula, functions)
            self._says = lambda places: Progression(int(says(places)))
        else:
            self._says = number_reader(formula, functions)

    def along(
        self, axis: str, least: int, settled: int, period: int, truth: Callable[[int], Progression]
    ) -> int:
        """Check it for all values of the axis from ``least`` on; how many places and progressions were checked.

        truth: the value at a number, and from ``settled`` on how it goes on in steps of the period.
        """
        m = np.arange(least, settled, dtype=np.int64)
        values = np.array([truth(int(place)).start for place in m], dtype=np.int64)
        count = self.compare({axis: m}, values)
        for first in range(settled, settled + period):
            count += self.follow({axis: Progression(first, period)}, truth(first))
        return count

    def follow(self, axes: Progressions, truth: Progression) -> int:
        """Check it along progressions: 1 if they fulfil the condition, else 0."""
        places = {**{name: Progression(value) for name, value in self._fixed.items()}, **axes}
        if not self._inside(places):
            return 0
        if self._says(places) != truth:
            at = ", ".join(f"{name} = {number.start}" for name, number in places.items())
            raise CertificateError(f"the formula is wrong at {at}, or later")
        return 1

    def compare(self, axes: Mapping[str, np.ndarray], truth: np.ndarray) -> int:
        """Check it at positions one by one; how many fulfil the condition."""
        columns = {name: np.full(len(truth), value, dtype=np.int64) for name, value in self._fixed.items()}
        columns |= axes
        inside = evaluate_arrays(self._where, columns, self._functions)
        there = {name: column[inside] for name, column in columns.items()}
        wrong = np.flatnonzero(evaluate_arrays(self._formula, there, self._functions) != truth[inside])
        if len(wrong):
            at = ", ".join(f"{name} = {column[wrong[0]]}" for name, column in there.items())
            raise CertificateError(f"the formula is wrong at {at}")
        return int(np.count_nonzero(inside))


class _Plane:
    """All positions (m, n) beside a row of P-positions, or of a level set."""

    def __init__(self, game: Layered, row: ProvedRow, reader: FormulaReader, width: int) -> None:
        self._axes, self._row, self._reader, self._width = game.axes, row, reader, width

    def positions(self, settled: int) -> int:
        """Check all; the number of positions or progressions that fulfil the condition."""
        first, second = self._axes
        side = settled + self._width + 1
        if side * side > LARGEST:
            raise CertificateError(f"a square of {side:,} by {side:,} positions is too much to look through")
        m, n = (place.reshape(-1) for place in np.mgrid[0:side, 0:side].astype(np.int64))
        row = np.array([self._row(i) for i in range(side)])
        count = self._reader.compare({first: m, second: n}, row[m] == n)
        for line, truth in self._lines(settled):
            count += self._follow(line, truth)
        for strip in self._strips(settled):
            count += self._strip(*strip)
        return count

    def _lines(self, settled: int) -> Iterator[tuple[tuple[Progression, Progression], bool]]:
        """Along the row, and with it, and whether the positions are the row's."""
        p = self._row.period
        for m in range(settled, settled + p):
            for n in range(m - self._width, m + self._width + 1):
                yield (Progression(m, p), Progression(n, p)), self._row(m) == n

    def _strips(self, settled: int) -> Iterator[tuple[Progression, Progression, bool]]:
        """All positions further from the diagonal, but those of the square; and whether the second number is free."""
        p, w = self._row.period, self._width
        for m in range(settled):
            yield Progression(m), Progression(settled + w + 1, 0, 1), True
        for n in range(settled):
            yield Progression(settled + w + 1, 0, 1), Progression(n), False
        for m in range(settled, settled + p):
            yield Progression(m, p), Progression(m + w + 1, p, 1), True
            yield Progression(m + w + 1, p, 1), Progression(m, p), False

    def _strip(self, m: Progression, n: Progression, second: bool) -> int:
        """The strip as a whole, or else by the remainders of its free number."""
        try:
            return self._follow((m, n), False)
        except NotLinear:
            p, count = self._row.period, 0
            for rest in range(p):
                free = n if second else m
                part = Progression(free.start + rest, free.step, p)
                count += self._follow((m, part) if second else (part, n), False)
            return count

    def _follow(self, place: tuple[Progression, Progression], truth: bool) -> int:
        return self._reader.follow(dict(zip(self._axes, place, strict=True)), Progression(int(truth)))
