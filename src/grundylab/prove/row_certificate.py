"""The certificate of a row, as data: what is stated of it, and the recurring states from which that follows.

``check_row`` recomputes everything from the ruleset. Of the certificate it uses only where to look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grundylab.errors import GrundylabError
from grundylab.games.instance import integer
from grundylab.games.layers import Layer, Layered, layered
from grundylab.games.listing import read_listing
from grundylab.games.model import PASS_COORDINATE, Claim, Member, Ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.plain import compile_plain
from grundylab.language.progression import (
    NotLinear,
    Progression,
    number_along,
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
from grundylab.prove.row_formula import check_row_formula, check_side

KIND = "rows"
# places at the beginning of a row without a formula, and before REACH, that are held against the game
SAID = 12
REACH = 200
LISTED = 1_000_000  # positions of a listing that are held against the row: some ten seconds


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
        integer(record["preperiod"], "preperiod"),
        integer(record["period"], "period"),
        tuple(_read_recurrence(game, found) for found in record["layers"]),
        None if texts is None else tuple(texts),
        game.game.check_condition(parse_condition(record["where"])),
        None if formula is None else game.game.check_formula(parse(formula), target),
        tuple((name, integer(value, name)) for name, value in parameters.items()),
    )


def _read_recurrence(game: Layered, record: Mapping[str, Any]) -> Recurrence:
    first, again, heap = (integer(record[name], name) for name in ("first", "again", "heap"))
    layer = (*(integer(record["layer"][name], name) for name in game.names), heap)
    state = record["state"]
    beyond = tuple(integer(number, "beyond") for number in state["beyond"])
    return Recurrence(layer, first, again - first, State(integer(state["gap"], "gap"), beyond))


def check_row(certificate: RowCertificate, known: Mapping[Layer, ProvedRow] = NOTHING_KNOWN) -> ProvedRow:
    """The row, proved. Raises CertificateError if anything that is stated does not follow.

    known: rows of the game that ``check_layers`` has proved before.
    """
    if certificate.formula is not None and len(certificate.game.axes) > 1:
        check_side(
            1 + max((one.first for one in certificate.recurrences), default=0)
        )  # before any row is worked out
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
    if settled + period > LISTED:
        raise CertificateError(
            f"its listing begins to have the period at {settled:,}; at most {LISTED:,} places are looked at"
        )
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
    looked = 0
    for m_along, n_along in listed:
        if m_along.step != n_along.step or m_along.step < 0 or (m_along.step and period % m_along.step):
            raise CertificateError(
                f"a family goes on by {m_along.step}, which does not fit the period {period}"
            )
        count = -(-(settled + period - m_along.start) // m_along.step) if m_along.step else 1
        looked += count
        if looked > LISTED:
            raise CertificateError(
                f"more than {LISTED:,} positions of its listing are before {settled + period:,}"
            )
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
