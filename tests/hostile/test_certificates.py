"""Certificates that ask for endless work are refused before it begins."""

import pytest

from grundylab.errors import InstanceError
from grundylab.games import parse_ruleset
from grundylab.games.layers import layered
from grundylab.language import parse
from grundylab.prove import certificates, row_certificate, row_formula
from grundylab.prove.certificates import check_certificate
from grundylab.prove.heap_certificate import HeapCertificate
from grundylab.prove.intervals import NotIntervals, _expanded
from grundylab.prove.outcome import CertificateError
from grundylab.prove.recurrence import Recurrence, State
from grundylab.prove.row_certificate import RowCertificate

NIM = parse_ruleset(
    "title: t\nposition: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {take: t, from: y}]\n"
)
HEAP = parse_ruleset("title: t\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n")


def unreached(*_):
    raise AssertionError("the work began")


@pytest.mark.parametrize(("first", "period"), [(10**12, 1), (0, 10**12)])
def test_rows_too_long(monkeypatch, first, period):
    game = layered(NIM, {}, ("x", "y"))
    long = Recurrence(game.top({}), first, period, State(0, ()))
    record = RowCertificate(game, game.top({}), 0, 1, (long,)).record()
    monkeypatch.setattr(certificates, "check_row", unreached)
    with pytest.raises(CertificateError, match="places of rows; at most"):
        check_certificate(record, NIM)


def row(first=0, period=1, **stated):
    """The certificate of Nim's row, which is right for every beginning and period."""
    game = layered(NIM, {}, ("x", "y"))
    top = game.top({})
    return RowCertificate(game, top, 0, 1, (Recurrence(top, first, period, State(0, ())),), **stated).record()


DIAGONAL = "k, k for k >= 0"


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        (["k, k for k >= 10000000"], "begins to have the period at 10,000,000; at most 1,000,000 places are"),
        (["5000000, 5000000", DIAGONAL], "begins to have the period at 5,000,001; at most"),
        (["k, k for k >= -10000000"], "more than 1,000,000 positions of its listing are before 1"),
        ([DIAGONAL] * 1001 + ["1000, 1000"], "more than 1,000,000 positions of its listing are before 1,002"),
    ],
)
def test_listings_that_begin_too_far_or_say_too_much(listed, said):
    assert check_certificate(row(positions=(DIAGONAL,)), NIM)[0].status == "proved"
    with pytest.raises(CertificateError, match=said):
        check_certificate(row(positions=tuple(listed)), NIM)


def test_squares_too_large_before_any_row_is_worked_out(monkeypatch):
    record = row(4_000_000, formula=parse("x == y"))
    monkeypatch.setattr(row_certificate, "check_layers", unreached)
    with pytest.raises(CertificateError, match="a square of 4,000,001 by 4,000,001 positions is too much"):
        check_certificate(record, NIM)


def test_formulas_that_take_too_long_to_follow(monkeypatch):
    record = row(0, 50, formula=parse("x == y"))
    assert check_certificate(record, NIM)[0].status == "proved"
    monkeypatch.setattr(row_formula, "STEPS", 500)
    with pytest.raises(CertificateError, match="takes more than 500 steps to follow for all sizes"):
        check_certificate(record, NIM)


@pytest.mark.parametrize("number", [0.9, 0.0, "0", True, None])
def test_numbers_that_are_no_whole_numbers_are_not_taken_for_some(number):
    heap = HeapCertificate(HEAP, 0, 1, 1, formula=parse("x")).record()
    rows = row()
    changed = [heap | {key: number} for key in ("first", "period", "until")]
    changed += [rows | {key: number} for key in ("preperiod", "period")]
    (layer,) = rows["layers"]
    layers = [layer | {key: number} for key in ("first", "again", "heap")]
    layers += [
        layer | {"state": {"gap": 0, "beyond": []} | more} for more in ({"gap": number}, {"beyond": [number]})
    ]
    changed += [rows | {"layers": [one]} for one in layers]
    for record in changed:
        with pytest.raises(InstanceError, match=r"=.* is no integer: give one"):
            check_certificate(record, HEAP if record["certificate"] == "heap" else NIM)


@pytest.mark.parametrize(("first", "period", "until"), [(0, 10**12, 0), (0, 1, 10**12), (10**12, 1, 3)])
def test_heaps_too_large(monkeypatch, first, period, until):
    record = HeapCertificate(HEAP, first, period, until).record()
    record |= {"parameters": {}, "target": "grundy", "formula": "x", "where": "True"}
    monkeypatch.setattr(certificates, "check_heap", unreached)
    with pytest.raises(CertificateError, match="tokens; at most"):
        check_certificate(record, HEAP)


@pytest.mark.parametrize(
    "products",
    [[("1e999999999", [])], [("-1", [])], [("1", ["x"] * 21)], [("1", [])] * 1001, [("1/" + "9" * 41, [])]],
)
def test_sums_too_large(products):
    with pytest.raises(NotIntervals, match="at most"):
        _expanded(None, products)


def test_conditions_nested_too_deeply():
    deep = "x == y"
    for _ in range(5_000):
        deep = {"and": [deep]}
    record = {
        "certificate": "induction", "hash": NIM.hash, "where": "True", "variables": [], "target": "p", "grundy": None,
        "formula": "x == y", "levels": [], "region": deep, "condition": "True", "exactly": False, "claim": None,
    }  # fmt: skip
    with pytest.raises(CertificateError, match="RecursionError"):
        check_certificate(record, NIM)
