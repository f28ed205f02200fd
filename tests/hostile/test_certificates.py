"""Certificates that ask for endless work are refused before it begins."""

import pytest

from grundylab.games import parse_ruleset
from grundylab.games.layers import layered
from grundylab.prove import certificates
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
