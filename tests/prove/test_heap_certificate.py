"""Periods of one heap: octal games by the theorem of Guy and Smith, in any notation, and no other games."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from tests.prove.forging import check_refused, forged, proved_by, proves, record_of
from tests.random_games import games
from tests.sizes import examples

from grundylab.errors import GrundylabError
from grundylab.games import Claim, load_ruleset, make_instance, parse_ruleset, parse_target
from grundylab.games.heap_games import NotBounded, move_shape
from grundylab.games.model import P_POSITIONS
from grundylab.games.specialise import specialise
from grundylab.language import parse, parse_condition
from grundylab.prove.core.evidence import HeapEvidence
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.periods import heap
from grundylab.prove.core.periods.heap import SLOW, check_heap
from grundylab.prove.core.theorem import Refused
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.period_search import find_heap_evidence, period_evidence
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.solve.periodicity import find_period
from grundylab.statement import Statement, statement_about


def grundy(ruleset, count):
    return solve(make_instance(ruleset, {}, {"N": count - 1}), "grundy", "reference").values


@examples(20)
@given(games("heap"), st.integers(0, 25), st.sampled_from([1, 2, 3, 4, 5, 6, 8, 12]), st.integers(0, 40))
def test_what_the_checker_accepts_goes_on_for_ever(game, first, period, more):
    note(game.text)
    ruleset = parse_ruleset(game.text)
    values = grundy(ruleset, 130)
    candidates = [HeapEvidence(first=first, period=period, until=first + more)]
    if (found := find_period(values)) is not None and found.preperiod < 40:
        start, p = found.preperiod, found.period
        candidates += [
            HeapEvidence(first=a, period=p, until=2 * a + p + t)
            for a in (max(start - 1, 0), start, start + 1)
            for t in (1, 3)
        ]
    for evidence in candidates:
        try:
            proved = check_heap(ruleset, evidence)
        except (Refused, NotBounded):
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
            move_shape(ruleset, 50, 1)
    else:
        shape = move_shape(ruleset, 50, 1)
        assert (set(shape.takes), set(shape.splits)) == SHAPES[move]


DAWSON = parse_ruleset(
    "title: t\nposition: {x: 0..N}\nmoves: [{for: {a: 0..x-2}, to: [{x: a}, {x: x - 2 - a}]}]\n"
)
P = "x <= 1 or x == 15 or x == 35 or x % 34 == 5 or x % 34 == 9 or x % 34 == 21 or x % 34 == 25 or x % 34 == 29"


@cache
def dawson():
    """Return the evidence for the period of Dawson's game."""
    return find_heap_evidence(DAWSON)


def stated(formula, target="p", where="True", game=DAWSON) -> Statement:
    claim = Claim("asked", parse_target(target), parse(formula), parse_condition(where))
    return statement_about(game, claim)


def test_dawsons_kayles_is_proved_from_142_values_and_from_no_fewer():
    found = dawson()
    assert (found.first, found.period, found.until) == (53, 34, 2 * 53 + 34 + 2)  # Guy & Smith 1956, .07
    check_heap(DAWSON, found)
    for first, period, until in ((52, 34, 140), (53, 17, 125), (53, 34, 141), (53, 0, 142)):
        with pytest.raises(GrundylabError):
            check_heap(DAWSON, HeapEvidence(first=first, period=period, until=until))


def test_what_mona_cannot_say_is_proved_by_the_period():
    proof = prove_claim(DAWSON, unpublished_claim(parse(P), P_POSITIONS))
    assert proof.status == "proved"
    assert proof.evidence == dawson()
    assert proved_by(record_of(proof.theorem), DAWSON) == proof.theorem


FORGERIES = {
    "seen less far": lambda r: r["evidence"].update(until=100),
    "another period": lambda r: r["evidence"].update(period=17, until=125),
    "a number below 0": lambda r: r["evidence"].update(first=-1),
    "no number": lambda r: r["evidence"].update(first=None),
    "another formula": lambda r: r["statement"].update(formula="x % 34 == 5"),
    "another condition": lambda r: r["statement"].update(where="x >= 1"),
    "no condition": lambda r: r["statement"].update(where="x"),
    "the key of another formula": lambda r: r["statement"].update(
        formula="x % 34 == 5", key=stated("x % 34 == 5").key
    ),
}


@pytest.mark.parametrize("how", FORGERIES)
def test_a_forged_proof_by_a_period_proves_nothing(how):
    record = record_of(Kernel().check(stated(P), dawson()))
    check_refused(forged(record, FORGERIES[how]), DAWSON)


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
def test_a_formula_that_is_false_or_says_nothing_is_not_proved_by_the_period(formula, target, where):
    assert not proves(stated(formula, target, where), dawson())


def test_a_formula_with_late_exceptions_of_its_own_is_followed():
    late = f"x == 108 or {P}"
    assert proves(stated(late, where="x != 108"), dawson())
    with pytest.raises(Refused, match="wrong at x = 108"):
        Kernel().check(stated(late), dawson())


def test_parameters_that_are_fixed_are_no_hindrance():
    ruleset = parse_ruleset(
        "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(m, x)', from: x}]\n"
    )
    six, any_m = (stated("x % (m + 1)", "grundy", where, ruleset) for where in ("m == 6", "True"))
    found = period_evidence(six)
    assert found is not None
    assert found.period == 7
    assert proves(six, found)
    assert period_evidence(any_m) is None
    assert not proves(any_m, found)


# -- many values, by a sweep -----------------------------------------------------------------------------


def octal(a, b, c):
    return specialise(load_ruleset("octal"), {"a": a, "b": b, "c": c})


def first_and_period(takes):
    """Return preperiod and period of the Grundy numbers of a subtraction game, by recursion."""
    numbers, seen, top = [], {}, max(takes)
    for n in range(10_000):
        options = {numbers[n - take] for take in takes if take <= n}
        numbers.append(next(value for value in range(len(takes) + 1) if value not in options))
        last = tuple(numbers[-top:])
        if n >= top and last in seen:
            first, period = seen[last] + 1 - top, n - seen[last]
            while first and numbers[first - 1] == numbers[first - 1 + period]:
                first -= 1
            return first, period
        seen[last] = n
    raise AssertionError(takes)


@pytest.mark.parametrize("largest", range(3, 13))
def test_every_set_of_three_takes_has_its_period_from_its_first_place(largest):
    for others in combinations(range(1, largest), 2):
        takes = [*others, largest]
        found = find_heap_evidence(
            parse_ruleset(f"title: t\nposition: {{x: 0..N}}\nmoves: [{{take: {takes}, from: x}}]\n")
        )
        assert (found.first, found.period) == first_and_period(takes), takes


@pytest.mark.parametrize(
    ("take", "takes"),
    [
        ("'1..min(15, x)'", range(1, 16)),
        ("[1, 4, 27, 256]", (1, 4, 27, 256)),
        ("[2, 3, 100]", (2, 3, 100)),
    ],
)
def test_a_period_may_begin_long_before_the_moves_have_their_shape(take, takes):
    game = parse_ruleset(f"title: t\nposition: {{x: 0..N}}\nmoves: [{{take: {take}, from: x}}]\n")
    found = find_heap_evidence(game)
    assert (found.first, found.period) == first_and_period(takes)
    check_heap(game, found)


def test_a_period_that_begins_after_forty_thousand_heaps_is_proved_and_no_other():
    game = octal(1, 2, 7)
    found = find_heap_evidence(game, 100_000)  # Flammenkamp's tables
    assert (found.first, found.period, found.until) == (46578, 4, 93163)
    check_heap(game, found)
    with pytest.raises(Refused, match="46577 and 46581 differ"):
        check_heap(game, found.model_copy(update={"first": 46577}))


EVEN = parse_ruleset(
    "title: t\nposition: {x: 0..N}\nmoves:\n"
    "  - {take: 1, from: x, when: 'x >= 1 and x % 2 == 0'}\n  - {for: {a: 0..x-1}, to: [{x: a}, {x: x - 1 - a}]}\n"
)  # the moves have a shape for each remainder by 2, and no one for all


@pytest.mark.parametrize(
    ("first", "period", "until", "words"),
    [
        (0, 400_000, 400_010, "the condition x >= 1 and x % 2 == 0"),
        (300_000, 4, 600_010, "bounded take"),
        (1, 4, 2_000_000, "at most 1,000,000"),
    ],
)
def test_what_has_too_many_moves_or_remainders_is_refused_before_they_are_gone_through(
    monkeypatch, first, period, until, words
):
    check_heap(EVEN, find_heap_evidence(EVEN))
    monkeypatch.setattr(heap, "solve_reference", None)  # not to be begun
    with pytest.raises(GrundylabError, match=words):
        check_heap(EVEN, HeapEvidence(first=first, period=period, until=until))


def test_a_sweep_that_is_wrong_about_one_heap_proves_nothing(monkeypatch):
    """Take 0.44, with preperiod 143 and period 24, whose periodic numbers are those of the solver."""
    game = octal(4, 4, 0)
    found = find_heap_evidence(game)
    assert (found.first, found.period) == (143, 24)
    far = found.model_copy(update={"first": 1500, "until": 2 * 1500 + 30})
    assert make_instance(game, {}, {"N": far.until + far.period}).moves > SLOW
    check_heap(game, far)
    right = solve(make_instance(game, {}, {"N": far.until + far.period}))
    wrong = right.values.copy()
    wrong[2000] += 1
    monkeypatch.setattr(heap, "solve", lambda *_: replace(right, values=wrong))
    with pytest.raises(Refused, match="differ"):
        check_heap(game, far)
