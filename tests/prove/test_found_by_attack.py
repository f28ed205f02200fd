"""Statements that were once wrongly reported as proved or refuted, each through a different gap."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import pytest
from tests.prove.forging import proved_by, record_of
from tests.prove.rules.shared import FREE, TAKE_ANY, game, loaded

import grundylab as gl
from grundylab.automata.dfa import AutomataBudget, TooLarge
from grundylab.errors import FormulaError, GrundylabError
from grundylab.games import Claim
from grundylab.games.listing import listed_condition, read_listing
from grundylab.games.model import ALWAYS, P_POSITIONS, Target, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.functions import NO_FUNCTIONS
from grundylab.language.linear import atom_polynomial, constant_polynomial
from grundylab.language.parser import parse_stored
from grundylab.language.plain import evaluate
from grundylab.language.substitution import replace_part
from grundylab.language.syntax import Call, conjunction
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.lowering import Lowering
from grundylab.logic.mona import run_mona
from grundylab.logic.reader import AutomataReader
from grundylab.prove.core.claims import root_of, values_name
from grundylab.prove.core.evidence import (
    Computed,
    Consequence,
    HeapEvidence,
    Induction,
    Property,
    PropertyInstance,
    Runs,
)
from grundylab.prove.core.facts import FreeProperty, LemmaInstance, MexOption, SmallerInstance, add
from grundylab.prove.core.instances import Lemma, ProofTree
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.theorem import Refused
from grundylab.prove.search.unreadable_terms import opaque_terms
from grundylab.statement import Statement, statement_about
from grundylab.statement.qualified_names import renamed

RUNS = """
title: takes up to f(k), which has a parameter in a function that it calls
parameters: {m: m >= 1}
functions:
  g(i): "(m // 30) // 30 // 30 + i"
  f(k): FUNCTION
position: {u: 0..N, k: 2..K + N - u}
moves: [{for: {t: "1..min(u, f(k))"}, to: {u: u - t, k: k + 1}}]
measure: u
claims:
  - id: a
    target: p
    formula: >-
      any(j + sum(f(k + 2*i) for i in range(0, j)) <= u <= j + sum(f(k + 1 + 2*i) for i in range(0, j))
      for j in range(0, u + 1))
"""
BY_CASES = '"g(k) if k < 5 else k"'
RECURRENCE = '{recurrence: "max(g(k), f(k - 1)) if k < 6 else f(k - 1)//9 + k", initial: {2: "2"}}'

LISTED = """
title: one pile
position: {x: 0..N}
moves: [{take: "1..min(x, 3)", from: x}]
claims:
"""
BELOW = """
title: the first coordinate begins below 0 where m is large
parameters: {m: m >= 1}
position: {x: "min(0, 3000 - m)..N", y: 0..N}
moves: [{take: t, from: y}]
"""
FALSE = {
    "a parameter in a helper": RUNS.replace("FUNCTION", BY_CASES),
    "a parameter in a recurrence's helper": RUNS.replace("FUNCTION", RECURRENCE),
    "an index bound again in a sum": LISTED
    + '  - {id: a, target: p, positions: ["4*k + sum(k for k in range(0, 3)) for k >= 0"]}\n',
    "an index bound again in a quantifier": LISTED
    + '  - {id: a, target: p, positions: ["4*k + (3 if any(k == 1 for k in range(0, 3)) else 0) for k >= 0"]}\n',
    "an exponent bound again": LISTED
    + '  - {id: a, target: p, where: "x == 1 or x == 2 or x == 4",'
    + ' positions: ["1 << k for k >= 0 and any((1 << k) == 4 for k in range(0, 3))"]}\n',
    "no value where a coordinate is negative": BELOW
    + 'where: "min(x, 2) * y >= 0"\nclaims: [{id: a, condition: "x >= 0"}]\n',
    "a claim's variable in an empty range": BELOW
    + 'claims: [{id: a, for: {v: 0..x}, condition: "x >= 0 or v < 0"}]\n',
}


@pytest.mark.parametrize("mona", [True, False])
@pytest.mark.parametrize("what", FALSE)
def test_it_is_not_proved(what, mona, monkeypatch):
    if not mona:
        monkeypatch.setenv("GRUNDYLAB_MONA", "none")
    ruleset = gl.load(FALSE[what])
    assert gl.prove(ruleset, ruleset.claim("a")).status != "proved"


# Positions of two coordinates, and the indices whose values are gone through.
LISTINGS = [
    (["2*j + 4*k, 8*(1 << k) for j >= 0 and k >= 0"], "jk"),
    (["4*k + sum(k for k in range(0, 3)), 1 for k >= 0"], "k"),
    (["(1 << j) + k, k for j >= 0 and k >= 1"], "jk"),
    (["j + 3*k, (1 << j) + 2 for j >= 1 and 0 <= k <= 40"], "jk"),
    (["3*k + 1, 2*j + k for j >= 0 and k >= 0 and any(k == 2*j for j in range(0, 9))"], "jk"),
    (["k, (1 << k) - 1 for k >= 0", "7 - k, k for 0 <= k <= 7"], "k"),
]


@pytest.mark.parametrize(("texts", "indices"), LISTINGS)
def test_positions_listed_are_those_that_the_indices_give(texts, indices):
    listing = read_listing(texts, ("x", "y"))
    condition, listed = listed_condition(listing, ("x", "y")), set[tuple[int, ...]]()
    for member in listing.members:
        for values in product(range(41), repeat=len(indices)):
            at = dict(zip(indices, values, strict=True))
            if evaluate(member.where, at):
                listed.add(tuple(evaluate(entry, at) for entry in member.entries))
    square = list(product(range(41), repeat=2))
    found = [place for place in square if evaluate(condition, dict(zip("xy", place, strict=True)))]
    assert found == [place for place in square if place in listed]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("x - t + sum(x - t for t in range(0, 3))", "z + sum(x - t for t in range(0, 3))"),
        ("any(x - t < z for z in range(0, x - t))", "any(z < _bound_0_z for _bound_0_z in range(0, z))"),
    ],
)
def test_what_is_bound_is_not_replaced_nor_captures(text, after):
    assert str(replace_part(parse(text), parse("x - t"), parse("z"))) == after


def test_a_parameter_of_any_size_is_a_column():
    condition = parse_condition("m > 9223372036854775808 and x < m")
    assert evaluate_arrays(condition, {"m": 2**70, "x": 3})
    nim = gl.load(
        "title: one pile\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
    )
    found = gl.prove(nim, "x == 0 if m < 9223372036854775808 else x <= 0")
    assert found.status == "proved"


def test_a_file_of_a_proof_has_names_that_can_be_read_again():
    ruleset = gl.load(
        "title: two piles\nposition: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {take: k, from: y}]\n"
        'claims: [{id: a, every-option: "any(t == x for t in range(x, x + 1))"}]\n'
    )
    found = gl.prove(ruleset, ruleset.claim("a"))
    assert found.status == "proved"
    assert proved_by(record_of(found.theorem), ruleset) == found.theorem
    assert found.second.status == "agrees" or "not installed" in found.second.reason


def test_a_condition_that_fixes_a_parameter_is_put_into_what_was_assumed():
    game = gl.load(
        "title: t\nparameters: {m: m >= 0}\nposition: {x: 0..N}\n"
        'moves: [{for: {w: 0..x - 1}, when: "(w + m) % 4 != (x + m) % 4", to: {x: w}}]\n'
    )
    found = gl.prove(game, "(x + m) % 4 == 0", "grundy == 0", where="x >= m", question=True)
    assert found.status == "proved"
    assert found.second.status == "agrees" or "not installed" in found.second.reason


C = 1 << 129


@pytest.mark.parametrize(
    "condition",
    [
        f"any(n == 5 for n in range(0, x - {C})) or x <= {C} + 5",
        f"({C} - x) ^ 1 <= {C} + 1",
        f"({C} - x) // 3 <= {C}",
        f"min({C} - x, 5) <= 5",
    ],
)
def test_numbers_are_as_large_as_one_likes(condition):
    pile = LISTED + f'  - {{id: a, condition: "{condition}"}}\n'
    ruleset = gl.load(pile)
    found = gl.prove(ruleset, ruleset.claim("a"))
    assert found.second is None or found.second.status == "agrees" or "not installed" in found.second.reason


def test_numbers_that_are_too_long_are_not_written_for_mona():
    with pytest.raises(OutsideFragment, match="more than 4,200 binary digits"):
        Lowering().condition(parse_condition("((x | (1 << 4000)) << 4000 << 4000) << 4000 >= y"))


def test_a_period_is_of_no_condition_that_is_claimed_to_be_true():
    game, period = gl.load(LISTED.replace("claims:", "")), HeapEvidence(first=0, period=4, until=8)

    def said(target: Target) -> Statement:
        return statement_about(
            game, Claim("asked", target, parse("x % 4 == 0"), parse_condition("x % 4 == 0"))
        )

    assert Kernel().check(said(P_POSITIONS), period).evidence == period
    with pytest.raises(Refused, match="a period proves only a formula"):
        Kernel().check(said(ALWAYS), period)


def test_what_is_asked_of_a_free_function_is_about_its_arguments():
    with pytest.raises(GrundylabError, match=r"the condition on f\(\) mentions 'm'"):
        gl.load(
            "title: t\nparameters: {m: m >= 1}\nposition: {u: 0..N, k: 1..K + N - u}\nmeasure: u\n"
            'functions: {f(k): {any: "f(k) >= m"}}\nmoves: [{for: {t: "1..min(u, f(k))"}, to: {u: u - t, k: k + 1}}]\n'
        )


@pytest.mark.parametrize("cells", range(1, 400, 7))
def test_an_automaton_that_does_not_fit_is_no_automaton(cells):
    """When the limit left a remainder, a truncated table was once taken for an automaton that accepts nothing."""
    reader = AutomataReader(NO_FUNCTIONS, AutomataBudget(cells))
    try:
        found = reader.true(parse_condition("x + y == 5 and x ^ z >= 3"))
    except TooLarge:
        return
    assert found.contains({"x": 2, "y": 3, "z": 1})
    assert not found.contains({"x": 2, "y": 2, "z": 1})


@pytest.mark.parametrize(
    "output",
    [
        "A counter-example of least length (0) is:\nX = {0}\n",
        "Formula is valid\nFormula is unsatisfiable\n",
        "\x1b[2J\n",
    ],
)
def test_a_mona_that_prints_what_mona_does_not_has_no_opinion(output, monkeypatch):
    monkeypatch.setattr("grundylab.logic.mona.find_mona", lambda: "mona")
    monkeypatch.setattr("grundylab.logic.mona.run_program", lambda *_: (output, 0))
    answer = run_mona("", timeout=1)
    assert answer.status == "error"
    assert "\x1b" not in answer.message


NO_END = """
title: the upper end of a range has no value far away
position: {x: 0..N, y: "0..N + floor(4/(x - (1 << 40)))"}
moves: [{take: t, from: x}]
"""
MISERE = """
title: takes up to three, and who takes the last stone loses
position: {x: 0..N}
moves: [{take: "1..min(3, x)", from: x}]
play: misere
"""


OWN_FUNCTION = "functions:\n  h(a, b): floor(a/b)\nmoves"


@pytest.mark.parametrize(
    "text",
    [
        NO_END,
        NO_END.replace("floor(4/(x - (1 << 40)))", "h(4, x - (1 << 40))").replace("moves", OWN_FUNCTION),
    ],
)
def test_a_position_whose_range_has_no_value_far_away_is_in_no_theorem(text):
    assert gl.prove(gl.parse_ruleset(text, "end"), "x == 0").status == "undecided"


RESIDUE, ZERO = parse("x % 4"), parse("x % 4 == 0")


@pytest.mark.parametrize(
    ("text", "target", "evidence", "words"),
    [
        (MISERE, "p", Induction(grundy=RESIDUE), "under misère play there are no Grundy numbers"),
        (MISERE, "p", Induction(levels=(ZERO,)), "the hypothesis is what the options make it"),
        (MISERE.replace("play: misere", ""), "grundy", Induction(levels=(ZERO,)), "a solution gives the Grundy numbers"),
        (MISERE.replace("play: misere", ""), "grundy == 1", Induction(levels=(ZERO,)), "or every level"),
    ],
)  # fmt: skip
def test_a_forged_induction_assumes_what_its_game_and_target_have(text, target, evidence, words):
    ruleset, meant = gl.parse_ruleset(text, "forged"), parse_target(target)
    claim = Claim(
        "asked", meant, RESIDUE if target == "grundy" else ZERO, parse_condition("x % 4 >= 2 or x >= 1 << 20")
    )
    with pytest.raises(Refused, match=words):
        Kernel().check(statement_about(ruleset, claim), evidence)


def test_what_is_false_only_beyond_all_tables_gets_a_verdict_and_no_complaint():
    ruleset = gl.parse_ruleset(MISERE.replace("play: misere", ""), "far")
    assert gl.prove(ruleset, "x % 4 == 0 or x == (1 << 40) + 1").status != "proved"


FAR_MEASURE = '"x if x < (1 << 40) else (1 << 42) - min(x, 1 << 42)"'
HEAP = """
title: the measure is one as far as any table goes
position: {x: 0..N}
moves: [{take: "1..min(x, 3)", from: x}]
measure: MEASURE
"""
PILES = """
title: a third pile that is left alone, and a move from one value of it to another
position: {x: 0..N, y: 0..N, q: 0..5, z: 0..1}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
  - {when: "z == 1 and x - y >= 1 << 40", to: {z: 0, q: 5}}
  - {when: "z == 1", to: {z: 0}}
"""
GUARD = """
title: a guard that has no value where x == y + 2^40
position: {x: 0..N, y: 0..N, z: 0..1}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
  - {when: "z == 1 and 6 // (x - y - (1 << 40)) >= -6", to: {z: 0}}
"""
ABOVE = "x == (y + 1 if y % 2 == 0 else y - 1)"


@pytest.mark.parametrize(
    ("text", "formula", "target", "where"),
    [
        (HEAP.replace("MEASURE", FAR_MEASURE), "x % 4", "grundy", "True"),
        (HEAP.replace("MEASURE", "x + 0*(4 // (x - (1 << 40)))"), "x % 4", "grundy", "True"),
        (HEAP.replace("MEASURE", "x + 0*floor_log2(abs(x - (1 << 40)))"), "x % 4", "grundy", "True"),
        (PILES, ABOVE, "p", "z == 1 and q == 0"),
        (GUARD, ABOVE, "p", "z == 1"),
    ],
)
def test_rules_that_make_no_game_far_away_are_in_no_theorem_by_a_period(text, formula, target, where):
    proof = gl.prove(gl.parse_ruleset(text, "far"), formula, target, where=parse_condition(where))
    assert proof.status != "proved"


def test_rules_that_make_no_game_far_away_are_in_no_theorem_by_runs():
    ruleset = gl.load_ruleset("turn-limit-linear")
    claim = next(claim for claim in ruleset.claims if claim.target == P_POSITIONS)
    assert gl.prove(ruleset, claim).status == "proved"
    measure = parse("u if u < (1 << 40) else (1 << 42) - min(u, 1 << 42)")
    assert gl.prove(replace(ruleset, measure=measure), claim).status != "proved"


@pytest.mark.long
@pytest.mark.parametrize(
    ("formula", "outcome"), [("x // (1 << 33) <= x", "proved"), ("x // (1 << 33) > x", "refuted")]
)
def test_a_large_coefficient_is_too_large_for_an_automaton_and_a_number_is_put_in_its_place(formula, outcome):
    ruleset = gl.parse_ruleset(HEAP.replace("measure: MEASURE", ""), "far")
    assert gl.prove(ruleset, formula, "true").status == outcome


NO_VALUE_AT_0 = "(5 % x >= 0 or x >= 0)"  # plainly true, but for x = 0


@pytest.mark.parametrize(
    "text",
    [
        game(f'condition: "y // (x + 1) <= y and {NO_VALUE_AT_0}"', position="x: 0..N, y: 0..N"),
        game(f'condition: "h(x) >= 0 and {NO_VALUE_AT_0}"', functions=FREE),
        game(f'target: grundy, formula: "x if {NO_VALUE_AT_0} else 0"'),
    ],
)
def test_what_is_left_out_of_a_claim_has_a_value(text):
    assert gl.prove(*asked_of(text.replace("5 % x", "5 % 3"))).status == "proved"
    assert gl.prove(*asked_of(text)).status != "proved"


def the_claim(ruleset):
    return statement_about(ruleset, ruleset.claims[0])


def test_values_of_a_family_whose_play_does_not_end_are_no_numbers(tmp_path):
    family = game("", "{to: {x: x + 1}}", '{when: "h(x) < 0", to: {x: x}}', functions=FREE)
    asked = game('condition: "G(x) != G(x + 1)", values: {G: b}')
    with pytest.raises(GrundylabError, match=r"leaves h\(\) open"):
        the_claim(loaded({"a": asked, "b": family}, tmp_path))


@pytest.mark.parametrize("term", ["G(i)", "(G(i) if G(i) > 0 else 0)"])
def test_values_within_a_sum_are_no_numbers_and_nothing_is_asked_of_them_for_ever(term):
    claim = f"any(sum({term} for i in range(0, t)) >= G(x) for t in range(0, x + 9))"
    ruleset = gl.parse_ruleset(game(f'condition: "{claim}", values: {{G: this}}'))
    assert gl.prove(ruleset, ruleset.claims[0]).status == "undecided"


# 0 at (317, 3508, 22869), and elsewhere at places that no table reaches
HIDDEN = "((z ^ (3*y + 12345)) | (y ^ (x + 3191)) | (x % 512 ^ 317))"
THREE = "x: 0..N, y: 0..N, z: 0..N"
LATE = '{recurrence: "f(k-1) + 0 * (5 // (k*(k+3)*(k+7) - 125175019988))", initial: {0: 1}}'  # up to k = 4998
WITHOUT_VALUE = {
    "a quotient by a power": game(
        f'condition: "(0 - 1 - x) // (1 << floor_log2({HIDDEN})) != y // (1 << floor_log2({HIDDEN})) and (1 << n) >= 1", '
        "for: {n: 0..N}",
        position=THREE,
    ),
    "before a literal": game(f'condition: "x // {HIDDEN} >= 0 or True"', position=THREE),
    "in a term within a term": game(
        f'condition: "(x // {HIDDEN} >= 0 and (G(x,y,z) == 0 or y == 0)) or G(x,y,z) == 0 or G(x,y,z) != 0", '
        "values: {G: this}",
        position=THREE,
    ),
    "in a condition of a choice": game(
        f'condition: "((G(x,y,z) == 0 and G(x,y,z) != 0) if x // {HIDDEN} >= 0 else (G(x,y,z) == 0 and G(x,y,z) != 0)) '
        'or G(x,y,z) == 0 or G(x,y,z) != 0", values: {G: this}',
        position=THREE,
    ),
    "a look-up outside": game(
        'target: grundy, formula: "G(x, y)", where: "G(x, y + 1) >= 0", values: {G: this}',
        position="x: 0..N, y: 0..50",
    ),
    "a recurrence beside an identity": game(
        'condition: "(x + 1)*(x + 1) == x*x + 2*x + 1", where: f(x) >= 0', functions=f"{{f(k): {LATE}}}"
    ),
    "a recurrence beside the definition": game(
        'target: p, formula: "G(x) == 0", where: f(x) >= 0, values: {G: this}', functions=f"{{f(k): {LATE}}}"
    ),
    "the position space": game('condition: "x >= 0"', position=THREE)
    + f'where: "floor_log2({HIDDEN}) >= 0"\n',
}


@pytest.mark.parametrize("kind", WITHOUT_VALUE)
def test_what_has_no_value_far_out_is_not_proved(kind):
    ruleset = gl.parse_ruleset(WITHOUT_VALUE[kind], "far")
    assert gl.prove(ruleset, ruleset.claims[0]).status != "proved"


def test_a_shift_too_long_to_be_written_is_not_written():
    ruleset = gl.parse_ruleset(game('condition: "(x ^ (1 << n)) % 2 == x % 2", for: {n: 20000..N}'), "far")
    assert gl.prove(ruleset, ruleset.claims[0]).status == "proved"  # with a number in place of the power


def test_the_value_of_a_sum_may_be_more_than_its_measure():
    """The same tree proves it of games without sums."""
    for after, proved in (("{x: x - t}", True), ("[{x: t}, {x: x - t}]", False)):
        move = f"{{for: {{t: 1..x-1}}, to: {after}}}"
        text = game('condition: "G(x) <= x", values: {G: this}', TAKE_ANY, move)
        statement = the_claim(gl.parse_ruleset(text))
        root, x = root_of(statement), parse("x")
        places = (parse_stored(each, generated=True) for each in ("x - _new_0", "x - _new_1", "_new_1"))
        facts = (
            MexOption(values=root.own, place=(x,), k=x),
            *(SmallerInstance(at=(each,)) for each in places),
        )
        sequent = root.sequent(x)
        for fact in facts:
            sequent = add(fact, sequent)
        numbers = opaque_terms(conjunction(*sequent.hypotheses, sequent.goal))
        tree = ProofTree(facts=facts, using=range(len(sequent.hypotheses)), numbers=numbers)
        evidence = Consequence(measure=x, tree=tree)
        if proved:
            assert Kernel().check(statement, evidence).statement == statement
            continue
        with pytest.raises(GrundylabError, match="does not follow"):
            Kernel().check(statement, evidence)


# rulesets with a printed table: an entry is at a place that is no position for some value of m; the table is right else
TABLES = {
    "G(0) = 7 where x begins at 1": (
        "x: 1..N",
        '{for: {t: "1..min(m, x - 1)"}, to: {x: x - t}}',
        'target: grundy, table: {columns: [x], entries: "0 7\\n1 0\\n"}',
    ),
    "a row y = 0 where y begins at m": (
        "x: 0..N, y: m..N",
        "{take: t, from: x}",
        'target: p, table: {rows: {y: 0..2}, columns: {x: 0..1}, entries: "N P\\nP N\\nP N\\n"}',
    ),
    "a row y = 1 where y begins at m = 2": (
        "x: 0..N, y: m..N",
        "{take: t, from: x}",
        'target: grundy, table: {rows: {y: 1..2}, columns: {x: 0..1}, entries: "0 1\\n0 1\\n"}',
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_with_an_entry_at_no_position_is_not_proved(name, tmp_path):
    position, move, claim = TABLES[name]
    text = game(claim, move, position=position, parameters='{m: "1 <= m <= 2"}')
    statement = the_claim(loaded({"a": text}, tmp_path))
    with pytest.raises(Refused, match="entry"):
        Kernel().check(statement, Computed())
    assert gl.prove(*asked_of(text)).status == "undecided"


def asked_of(text):
    ruleset = gl.parse_ruleset(text, "a")
    return ruleset, ruleset.claims[0]


def test_words_for_parameters_that_automata_cannot_read_do_not_end_the_question():
    moves = "{when: x >= m, to: {x: x - m}}", "{when: x >= 3 and k != 5, to: {x: x - k + 1}}"
    ruleset = gl.parse_ruleset(game("", *moves, parameters="{m: m >= 0, k: k >= 0}"), "a")
    proof = gl.prove(ruleset, "x % 4 < 2", "p")
    assert proof.status == "proved"
    assert not proof.holds_for({"m": 0, "k": 0})


@pytest.mark.parametrize("parameters", ["{}", '{m: "1 <= m <= 3"}', '{m: "0 <= m <= 10**39 * 10**39"}'])
def test_a_condition_on_a_value_at_a_fixed_place_is_answered(parameters):
    number = "1" + "0" * 39
    shown = parameters.replace("10**39 * 10**39", " * ".join([number] * 9))
    text = game(
        'condition: "G(x) <= 1", values: {G: this}, where: "G(1) == 1"',
        "{take: 1, from: x}",
        parameters=shown,
    )
    assert gl.prove(*asked_of(text)).status in ("proved", "undecided")


def test_a_product_of_very_many_terms_is_not_multiplied_out():
    factor = parse("x + y + z + w + v + u")
    product_of_all = parse(" * ".join(["(x + y + z + w + v + u)"] * 30))
    found = atom_polynomial(product_of_all)
    assert len(found.terms) <= 2_000
    at = {"x": 1, "y": 0, "z": -2, "w": 3, "v": 0, "u": 1}
    assert evaluate(found.expression(), at) == evaluate(product_of_all, at) == 3**30
    terms = (atom_polynomial(parse(f"x % {n} * y")) for n in range(2, 300))
    many = sum(terms, start=constant_polynomial(0))
    with pytest.raises(FormulaError, match="298 terms"):
        many.expression()
    assert len((atom_polynomial(factor) * atom_polynomial(factor)).terms) == 21


def test_a_function_of_a_family_has_one_property(tmp_path):
    """A family's key had the last property of a function only, and the rule of runs read the first."""
    claim = f"target: p, formula: {json.dumps(RUNS.split('>-')[1].strip())}"
    move = '{for: {t: "1..min(u, f(k))"}, to: {u: u - t, k: k + 1}}'
    position, falls = "u: 0..N, k: 1..K + N - u", "5 if k <= 2 else 1"
    rises, falls = (
        game(f"{claim}{more}", move, position=position, functions=f'{{f(k): "{f}"}}', measure="u")
        for f, more in (("k + 1", ""), (falls, ", values: {G: rises}"))
    )
    ruleset = loaded({"falls": falls, "rises": rises}, tmp_path)
    statement = the_claim(ruleset)
    root, other = root_of(statement), the_claim(loaded({"rises": rises}, tmp_path))
    weak = "f(k) >= 1"
    strong = f"{weak} and (k <= 2 or f(k - 1) <= f(k))"

    def by_runs(of: Statement, *texts: str) -> PropertyInstance:
        (f,) = (each.name for each in of.game.functions)
        said = [renamed(parse_condition(text), {"f": f}) for text in texts]
        properties = tuple(Property(function=f, arguments=("k",), condition=each) for each in said)
        return PropertyInstance(properties=properties, premises=(*(Induction() for _ in texts), Runs()))

    own, place = values_name(statement.game), (parse("u"), parse("k"))
    evidence = Consequence(
        lemmas=(
            Lemma(values=values_name(other.game), target=P_POSITIONS, formula=other.formula),
            Lemma(values=own, target=P_POSITIONS, formula=statement.formula),
        ),
        tree=ProofTree(
            facts=(LemmaInstance(number=1, at=place),),
            using=range(len(root.sequent().hypotheses) + 1),
            numbers=(root.claim.said.condition, Call(own, place)),
        ),
        premises=(by_runs(other, strong, weak), by_runs(statement, weak)),
    )
    assert gl.prove(ruleset, ruleset.claims[0]).status == "refuted"
    with pytest.raises(Refused):
        Kernel().check(statement, evidence)


def test_a_unique_name_tells_which_of_two_free_functions_is_called():
    """Families had one key if f calls another free function with the same property: and so they had one theorem."""
    text = game(
        'condition: "f(x) == h(x)"',
        functions='{g(n): {any: "g(n) >= 0"}, h(n): {any: "h(n) >= 0"}, f(n): CALLED(n)}',
    )
    right, wrong = (the_claim(gl.parse_ruleset(text.replace("CALLED", called))) for called in "hg")
    (h,) = (free.name for free in right.game.free if free.name.endswith("_h"))
    kernel, evidence = Kernel(), Consequence(tree=ProofTree(numbers=(Call(h, (parse("x"),)),)))
    assert kernel.check(right, evidence).statement == right
    with pytest.raises(Refused):
        kernel.check(wrong, evidence)


def test_a_condition_is_not_called_false_where_there_is_no_game():
    text = game("", TAKE_ANY, position='x: "m - 3..N"', parameters="{m: m >= 0}")
    proof = gl.prove(gl.parse_ruleset(text), "x + 5 >= 0", "true")
    assert proof.status == "proved"
    assert (str(proof.condition), str(proof.playable)) == ("m >= 3", "m >= 3")


def test_plain_words_have_no_value_where_the_formula_has_none():
    ruleset = gl.parse_ruleset(game("", TAKE_ANY, "{take: t, from: y}", position="x: 0..N, y: 0..N"))
    for beside in ("x >= 0", "(x >= 0 if x * y >= 1000 else x >= 0)"):
        partial = f"(x * y // (x - 1000003) >= 0 or {beside})"
        assert gl.prove(ruleset, f"x == y and {partial}").status == "undecided"
        assert gl.prove(ruleset, f"x == y and {partial.replace('- 1000003', '+ 1')}").status == "proved"


def test_a_family_without_a_game_has_a_key_of_its_own():
    """A free function that nothing mentions was no part of the key."""
    functions = '{k(n): {any: "k(n) < 0"}}'
    empty = the_claim(gl.parse_ruleset(game('condition: "x == 7"', functions=functions)))
    nim = the_claim(gl.parse_ruleset(game('condition: "x == 7"')))
    (k,), zero, kernel = (free.name for free in empty.game.free), parse("0"), Kernel()
    fact = FreeProperty(function=k, at=(zero,))
    evidence = Consequence(tree=ProofTree(facts=(fact,), using=(0, 1), numbers=(Call(k, (zero,)),)))
    assert kernel.check(empty, evidence).statement == empty  # true of each of its games
    with pytest.raises(Refused):
        kernel.check(nim, evidence)


def test_no_position_is_so_far_that_a_quotient_by_a_large_number_vanishes():
    """A natural number was taken to be at most 2^20000: there, x // e(…) is 0, and the divisor in the rest is not 0."""
    functions = '{s(n): "n*n", e(n): "s(s(s(s(s(s(s(s(n))))))))"}'
    ruleset = gl.parse_ruleset(
        game("", "{take: [1, 2], from: x}", parameters="{q: q == 1}", functions=functions)
    )
    large = f"e({10**39 - 1} + q)"
    for term in (f"x // {large} == 0", f"5 % ({large} - x) >= 0"):
        assert gl.prove(ruleset, f"x % 3 == 0 and x // q >= 0 and {term}").status == "undecided"
    assert gl.prove(ruleset, "x % 3 == 0 and x // q >= 0").status == "proved"


@pytest.mark.parametrize(
    "move",
    ["{to: {x: x - 1}}", "{take: 1, from: x}, {when: x > 1000000007, to: {x: x + 1}}"],
    ids=["leaves the space", "loops far away"],
)
def test_nothing_is_proved_of_options_that_are_no_positions_of_a_game(move):
    assert (
        gl.prove(*ruleset_and_claim(game("some-option: x >= 0, where: x >= 1", move))).status == "undecided"
    )
    assert gl.prove(*ruleset_and_claim(game("some-option: x >= 0, where: x >= 1"))).status == "proved"


def ruleset_and_claim(text):
    ruleset = gl.parse_ruleset(text)
    return ruleset, ruleset.claims[0]


def test_a_number_too_long_to_be_written_is_too_large_for_automata_and_no_traceback():
    ruleset = gl.parse_ruleset(game("", "{take: [1, 2], from: x}"))
    large = " * ".join(["(1 << 4096)"] * 5)
    assert gl.prove(ruleset, f"x % 3 == 0 and x // ({large}) == 0").status == "undecided"
