"""Certificates of one heap: octal games by the theorem of Guy and Smith, written in any way; and nothing else."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.errors import GrundylabError
from grundylab.games import load_ruleset, make_instance, parse_ruleset, parse_target
from grundylab.games.heaps import NotBounded, Shape, shape_of
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.games.specialise import specialise
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import TRUE
from grundylab.prove import heap_certificate, heap_numbers
from grundylab.prove.certificates import check_certificate
from grundylab.prove.heap_certificate import FEW, HeapCertificate, check_heap
from grundylab.prove.heap_numbers import by_shape
from grundylab.prove.hypothesis import asked
from grundylab.prove.outcome import CertificateError
from grundylab.prove.periodic import find_heap_certificate, prove_by_period
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.solve.periodicity import find_period

ONE = [
    "{take: %d..%d, from: x, when: x > %d}",
    "{when: x == %d, to: {x: 0}}",
    "{take: '1..min(x, %d)', from: x}",
]
TWO = [
    "{for: {a: 0..x-%d}, to: [{x: a}, {x: x - a - %d}]}",
    "{for: {a: 1..x-%d-1}, to: [{x: x - a - %d}, {x: a}]}",
    "{for: {a: '1..(x - %d)//2'}, when: 'x - a - %d >= 1', to: [{x: a}, {x: x - a - %d}]}",
    "{for: {a: 0..x}, when: 'a + %d < x and a >= 2', to: [{x: a}, {x: x - a - %d}]}",
    "{for: {a: 0..floor(x/2)}, when: 'x - a >= %d and x %% 2 == 0', to: [{x: a}, {x: x - a - %d}]}",
]


@st.composite
def heap_games(draw):
    """Takes of up to 3 tokens, that leave one heap or two."""
    moves = []
    for _ in range(draw(st.integers(1, 3))):
        move, taken = draw(st.sampled_from(ONE + TWO)), draw(st.integers(1, 3))
        moves.append("  - " + move % ((taken,) * move.replace("%%", "").count("%d")))
    text = "\n".join(["title: t", "position: {x: 0..N}", "moves:", *moves]) + "\n"
    note(text)
    return parse_ruleset(text)


def grundy(ruleset, count):
    return solve(make_instance(ruleset, {}, {"N": count - 1}), "grundy", "reference").values


@examples(20)
@given(heap_games(), st.integers(0, 25), st.sampled_from([1, 2, 3, 4, 5, 6, 8, 12]), st.integers(0, 40))
def test_what_the_checker_accepts_goes_on_for_ever(ruleset, first, period, more):
    values = grundy(ruleset, 130)
    candidates = [HeapCertificate(ruleset, first, period, first + more)]
    if (found := find_period(values)) is not None and found.preperiod < 40:
        start, p = found.preperiod, found.period
        candidates += [
            HeapCertificate(ruleset, a, p, 2 * a + p + t)
            for a in (start - 1, start, start + 1)
            for t in (1, 3)
        ]
    for certificate in candidates:
        try:
            proved = check_heap(certificate)
        except (CertificateError, NotBounded):
            continue
        assert [proved(n) for n in range(130)] == values.tolist()


SHAPES = {
    "{for: {t: 1..2, a: 0..x-t}, to: [{x: a}, {x: x - t - a}]}": (set(), {(1, 0), (2, 0)}),
    "{for: {a: 1..x//2}, to: [{x: a}, {x: x - a}]}": (set(), {(0, 1)}),
    "{for: {a: 3..x - 5}, to: [{x: x - 1 - a}, {x: a}]}": (set(), {(1, 3)}),
    "{for: {t: '1..min(4, x)'}, when: t != 2, to: {x: x - t}}": ({1, 3, 4}, set()),
    "{for: {w: x-2..x-1}, to: {x: w}}": None,
    "{take: t, from: x}": None,
    "{take: 1..x//2, from: x}": None,
    "{for: {a: 1..(x-1)//2}, to: [{x: a}, {x: x - a}]}": None,  # Grundy's game: unequal heaps
    "{for: {a: 1..x-2}, when: a % 2 == 1, to: [{x: a}, {x: x - 1 - a}]}": None,
    "{for: {a: 1..x-2}, when: a != 3, to: [{x: a}, {x: x - 1 - a}]}": None,
    "{for: {a: 1..x-2}, when: 'min(a, x - a) >= 2', to: [{x: a}, {x: x - 1 - a}]}": (set(), {(1, 1)}),
    "{for: {a: 1..x-2}, when: 'a <= x//2', to: [{x: a}, {x: x - 1 - a}]}": (set(), {(1, 1)}),
    "{for: {a: 1..x-2}, when: '0*(1 // (x - 90)) + a >= 1', to: [{x: a}, {x: x - 1 - a}]}": None,  # no value at 90
    "{for: {a: 0..x-1}, to: [{x: a}, {x: a}]}": None,
    "{for: {a: 0..x-1}, to: [{x: 0}, {x: x - 1 - a}]}": None,
}


@pytest.mark.parametrize("move", SHAPES)
def test_the_shape_is_read_off_the_moves(move):
    ruleset = parse_ruleset(f"title: t\nposition: {{x: 0..N}}\nmoves:\n  - {move}\n")
    if SHAPES[move] is None:
        with pytest.raises(NotBounded):
            shape_of(ruleset, 50, 1)
    else:
        shape = shape_of(ruleset, 50, 1)
        assert (set(shape.takes), set(shape.splits)) == SHAPES[move]


DAWSON = parse_ruleset(
    "title: t\nposition: {x: 0..N}\nmoves: [{for: {a: 0..x-2}, to: [{x: a}, {x: x - 2 - a}]}]\n"
)
P = "x <= 1 or x == 15 or x == 35 or x % 34 == 5 or x % 34 == 9 or x % 34 == 21 or x % 34 == 25 or x % 34 == 29"


@cache
def dawson():
    """The certificate of its period."""
    return find_heap_certificate(DAWSON)


def test_dawsons_kayles_is_proved_from_142_values_and_from_no_fewer():
    found = dawson()
    assert (found.first, found.period, found.until) == (53, 34, 2 * 53 + 34 + 2)  # Guy & Smith 1956, .07
    check_heap(found)
    for first, period, until in ((52, 34, 140), (53, 17, 125), (53, 34, 141), (53, 0, 142), (-1, 34, 142)):
        with pytest.raises(GrundylabError):
            check_heap(HeapCertificate(DAWSON, first, period, until))


def test_what_mona_cannot_say_is_proved_by_the_period():
    proof = prove_claim(DAWSON, asked(parse(P), P_POSITIONS))
    assert proof.status == "proved"
    record = json.loads(proof.certificate)
    assert "period 34 from 53 on" in check_certificate(record, DAWSON)[1]
    for change in ({"until": 100}, {"formula": "x % 34 == 5"}, {"hash": ""}, {"where": "x"}, {"first": None}):
        with pytest.raises(GrundylabError):
            check_certificate({**record, **change}, DAWSON)


@pytest.mark.parametrize(
    ("formula", "target", "where"),
    [
        (P.replace("35", "36"), "p", "True"),
        (P.replace("29", "30"), "p", "x >= 99"),
        (P, "p", "x < 0"),
        ("x % 34 == 5 or x % 34 == 9", "grundy == 0", "x > 200"),
        ("1 // (x - 7)", "grundy", "True"),
        ("x", "grundy", "True"),
    ],
)
def test_a_formula_that_is_false_or_says_nothing_has_no_certificate(formula, target, where):
    assert prove_by_period(DAWSON, parse(formula), parse_target(target), parse_condition(where)) is None


def test_a_formula_with_late_exceptions_of_its_own_is_followed():
    stated = replace(dawson(), target=P_POSITIONS, formula=parse(f"x == 108 or {P}"))
    check_heap(replace(stated, where=parse_condition("x != 108")))
    with pytest.raises(CertificateError, match="wrong at x = 108"):
        check_heap(stated)


def test_parameters_that_are_fixed_are_no_hindrance():
    ruleset = parse_ruleset(
        "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(m, x)', from: x}]\n"
    )
    fixed = prove_by_period(ruleset, parse("x % (m + 1)"), GRUNDY, parse_condition("m == 6"))
    assert fixed["parameters"] == {"m": 6}
    assert "period 7" in check_certificate(fixed, ruleset)[1]
    assert prove_by_period(ruleset, parse("x % (m + 1)"), GRUNDY, TRUE) is None
    with pytest.raises(CertificateError, match=r"^it states no formula$"):
        check_certificate({**fixed, "formula": None}, ruleset)


# -- many values, by the shape of the moves ------------------------------------------------------------


def octal(a, b, c):
    return specialise(load_ruleset("octal"), {"a": a, "b": b, "c": c})


@examples(4, 100)
@given(digits=st.tuples(*[st.integers(0, 7)] * 3))
def test_numbers_by_the_shape_are_those_of_the_sweep_which_shares_nothing_with_it(digits):
    game = octal(*digits)
    instance = make_instance(game, {}, {"N": 400})
    assert instance.moves <= FEW or heap_certificate._values(game, 401) == solve(instance).values.tolist()


def slowly(shape, known, least, count):
    """The mex of all that the shape lets a move leave, pair by pair."""
    values = dict(enumerate(known, least))
    for size in range(least + len(known), count):
        left = {values[size - taken] for taken in shape.takes} | {values[one] for one in shape.constants}
        for taken, smallest in shape.splits:
            rest = size - taken
            left |= {values[one] ^ values[rest - one] for one in range(smallest, rest - smallest + 1)}
        values[size] = next(number for number in range(size + 2) if number not in left)
    return list(values.values())


@examples(10, 100)
@given(
    takes=st.frozensets(st.integers(1, 5), max_size=2),
    splits=st.frozensets(st.tuples(st.integers(0, 4), st.integers(1, 3)), min_size=1, max_size=3),
    constants=st.frozensets(st.integers(0, 3), max_size=2),
    known=st.lists(st.integers(0, 9), min_size=12, max_size=12),
)
def test_numbers_by_a_shape_are_the_least_that_no_pair_has_whatever_the_first_ones_are(
    takes, splits, constants, known
):
    shape = Shape(takes, splits, constants, 0)
    assert by_shape(shape, known, 0, 160) == slowly(shape, known, 0, 160)


@pytest.mark.parametrize("mask", range(1, 8))
def test_every_mask_gives_the_same_numbers(monkeypatch, mask):
    shape, known = shape_of(octal(4, 4, 0), 8, 1), [0] * 12
    right = slowly(shape, known, 0, 150)
    monkeypatch.setattr(
        heap_numbers, "_common", lambda counts: heap_numbers._odd(np.arange(len(counts)) & mask)
    )
    assert by_shape(shape, known, 0, 150) == right


def test_a_period_that_begins_after_forty_thousand_heaps_is_proved_and_no_other():
    found = find_heap_certificate(octal(1, 2, 7), 100_000)  # Flammenkamp's tables
    assert (found.first, found.period, found.until) == (46578, 4, 93163)
    check_heap(found)
    with pytest.raises(CertificateError, match="46577 and 46581 differ"):
        check_heap(replace(found, first=46577))


def test_kayles_takes_few_steps_for_each_heap(monkeypatch):
    """0 is always the value of the most equal pair, and a value that one way to take has not another has at once."""
    found, first = find_heap_certificate(load_ruleset("kayles")), 100_000
    assert (found.first, found.period) == (71, 12)
    monkeypatch.setattr(heap_numbers, "MOST_STEPS", 100 * 2 * first)
    check_heap(replace(found, first=first, until=2 * first + 14))


def test_what_takes_too_many_steps_is_refused_in_the_midst_of_them(monkeypatch):
    monkeypatch.setattr(heap_numbers, "MOST_STEPS", 1_000_000)
    with pytest.raises(CertificateError, match="the heaps below 40,070 take more than 1,000,000 steps"):
        check_heap(HeapCertificate(DAWSON, 20_000, 34, 40_036))


EVEN = parse_ruleset(
    "title: t\nposition: {x: 0..N}\nmoves:\n"
    "  - {take: 1, from: x, when: 'x >= 1 and x % 2 == 0'}\n  - {for: {a: 0..x-1}, to: [{x: a}, {x: x - 1 - a}]}\n"
)  # the moves have a shape for each remainder by 2, and no one for all


def test_so_is_what_has_too_many_moves_or_remainders_before_they_are_gone_through(monkeypatch):
    found = find_heap_certificate(EVEN)
    check_heap(found)
    with pytest.raises(NotBounded, match="the condition x >= 1 and x % 2 == 0"):
        check_heap(HeapCertificate(EVEN, found.first, 400_000, 400_010))
    monkeypatch.setattr(heap_certificate, "solve", None)  # the kernel, not to be begun
    with pytest.raises(CertificateError, match="moves; at most 10,000,000,000 are gone through"):
        check_heap(replace(found, first=200_000, until=400_010))


MISREAD = [
    {"takes": frozenset({1})},
    {"splits": frozenset({(2, 1)})},
    {"splits": frozenset({(2, 1), (1, 3)})},
    {"constants": frozenset({3})},
    {"splits": frozenset({(3, 1), (1, 1)})},
]


@pytest.mark.parametrize("wrong", MISREAD, ids=str)
def test_a_shape_that_is_not_the_moves_proves_nothing(monkeypatch, wrong):
    game = octal(4, 4, 0)  # 0.44: period 24 after 143
    found = find_heap_certificate(game)
    assert (found.first, found.period) == (143, 24)
    assert make_instance(game, {}, {"N": found.until + found.period}).moves > FEW
    check_heap(found)
    right = heap_certificate.shape_of(game, 8, 1)
    monkeypatch.setattr(heap_certificate, "shape_of", lambda *_: replace(right, **wrong))
    with pytest.raises(CertificateError, match=r"shape|further"):
        check_heap(found)
