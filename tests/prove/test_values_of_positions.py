"""Claims with looked-up values: each rule proves true ones and no false ones, and names its method."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, event, given, note
from hypothesis import strategies as st
from tests.prove.forging import Change, Record, check_refused, forged, kinds, proved_by, record_of
from tests.random_games import GameFile, games
from tests.sizes import examples

from grundylab.check.judging import judge_table
from grundylab.games import Claim, Ruleset, load_ruleset, parent_of, parse_target
from grundylab.games.model import ALWAYS
from grundylab.language import parse, parse_condition
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import ProofContext, _Prover, prove_claim
from grundylab.solve import solve
from grundylab.statement import statement_about

LIMITS = Limits(timeout=20, memory=2**30)
LITTLE = Limits(timeout=1, memory=2**30)


def statement(target: str, formula: str, where: str = "True", **values: str) -> Claim:
    meant = ALWAYS if target == "true" else parse_target(target)
    read = parse if target == "grundy" else parse_condition
    return Claim("asked", meant, read(formula), parse_condition(where), values=tuple(values.items()))


def proof_of(name: str, claim: Claim) -> Proof:
    game = load_ruleset(name)
    return prove_claim(game, claim, parent=parent_of(game), limits=LIMITS)


# game, target, formula, where, what G is, and by which rule; then the same made false in one place
TRUE_AND_FALSE = [
    ("nim-2", "p", "G(x, y) == 0", "True", "this", "instances", "G(x, y) == 1"),
    ("nim-2", "p", "False", "x >= 1 and G(x - 1, y) == 0", "this", "instances", "True"),
    ("nim-2", "p", "False", "any(G(x, t) == 0 for t in range(0, y))", "this", "instances", "y % 2 == 0"),
    ("nim-2", "true", "any(G(t, y) == 0 for t in range(0, x)) or any(G(x, t) == 0 for t in range(0, y))",
     "G(x, y) != 0", "this", "instances", "any(G(t, y) == 0 for t in range(0, x))"),
    ("nim-with-a-pass-2", "p", "False", "p == 0 and x + y >= 1 and G(x, y, 1) == 0", "this", "instances", "True"),
    ("max-nim-ceil-3", "grundy", "G(x, y, 0) ^ G(0, 0, z)", "True", "this", "instances", "G(x, y, 0) ^ G(0, z, z)"),
    ("max-nim-ceil-3", "grundy", "G(z, y, x)", "True", "this", "instances", "G(z, y, y)"),
    ("max-nim-ceil-3", "grundy", "G(x) ^ G(y) ^ G(z)", "True", "max-nim-ceil", "instances", "G(x) ^ G(y)"),
    ("max-nim-floor", "grundy", "G(x - 1)", "x >= 1", "max-nim-ceil", "instances", "G(x)"),
    ("max-nim-ceil-2-pass", "grundy", "G(x, 1)", "y == 0 and p == 1", "max-nim-ceil-pass", "instances", "G(x, 0)"),
    ("nim-with-a-pass-from-m", "p", "G(x, y, z, p) == 0", "m == 1", "nim-with-a-pass", "instances", "G(x, y, z, 0) == 0"),
    ("chocolate-log-pass", "grundy", "GP(G(x, 0, 0, 0), G(0, y, z, 0), 1)", "p == 1", "this", "instance",
     "GP(G(x, 0, 0, 0), G(0, y, z, 0), 0)"),
    ("nim", "true", "G(x, y, z) == x ^ y ^ z", "z >= 1", "this", "instances", "G(x, y, z) == x ^ y ^ z ^ 1"),
    ("max-nim-ceil", "grundy", "G((x - 2)//2)", "x % 2 == 0 and x >= 2", "this", "instances", "G((x - 4)//2)"),
    ("max-nim-floor-pass", "grundy", "G(x - floor(x/2) - 1, p)", "p == 0 and x >= 1 and x % 2 == 1", "this", "instances",
     "G(x - floor(x/2) - 1, 1)"),
    ("heaps-1-2-pass", "true", "G(m1, m2, 1) != G(m1 + 1, m2, 0)", "p == 1 and m1 == 1 and m2 == 0", "this", "computed",
     "G(m1, m2, 1) == G(m1 + 1, m2, 0)"),
]  # fmt: skip


# Of two substitutions the smaller one is tried by make test.
LONG = ("chocolate-log-pass",)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.long if case[0] in LONG else (), id=f"{case[0]}: {case[2]}")
        for case in TRUE_AND_FALSE
    ],
)
def test_true_ones_are_proved_by_their_rule_and_false_ones_are_not(case: tuple[str, ...]) -> None:
    name, target, formula, where, of, rule, wrong = case
    values = {"G": of} if "GP" not in formula else {"G": of, "GP": "nim-with-a-pass-2"}
    proof = proof_of(name, statement(target, formula, where, **values))
    assert proof.status == "proved", proof.reason
    assert proof.theorem is not None
    assert rule in (proof.theorem.evidence.kind, proof.by)
    assert proved_by(record_of(proof.theorem), load_ruleset(name)) == proof.theorem
    assert proof_of(name, statement(target, wrong, where, **values)).status != "proved"


PLAIN = [  # a published claim, the rule that proves it, and what makes it false
    ("turn-limit-linear", "example-32-right", "instances", ("<", ">=")),
    ("max-nim-ceil", "lemma-2-v-proof", "instances", ("* 5 - 2", "* 7 - 2")),
    ("turn-limit-linear", "lemma-33-proof-28", "instances", ("== 1", "== 2")),
    ("turn-limit-linear", "lemma-34-proof-i", "instances", ("m * k", "m * k * n * n + n")),
    ("chocolate-log", "lemma-2-a", "instances", ("i - 1", "i - 2")),
]


@pytest.mark.parametrize(("name", "claim", "rule", "change"), PLAIN)
def test_claims_that_look_nothing_up_are_made_readable(
    name: str, claim: str, rule: str, change: tuple[str, str]
) -> None:
    game = load_ruleset(name)
    known = game.claim(claim)
    proof = prove_claim(game, known, limits=LIMITS)
    assert proof.theorem is not None, proof.reason
    assert rule in kinds(proof.theorem)
    assert proved_by(record_of(proof.theorem), game) == proof.theorem
    wrong = replace(known, formula=parse_condition(str(known.formula).replace(*change)))
    assert wrong.formula != known.formula
    assert prove_claim(game, wrong, limits=LIMITS).status != "proved"


def test_a_lookup_where_no_position_is_proves_nothing() -> None:
    # below 0 nothing is looked up, so the statement has no value where x is 0
    assert proof_of("nim-2", statement("p", "False", "G(x - 1, y) == 0", G="this")).status != "proved"


def test_rules_that_make_no_game_prove_nothing(tmp_path: Any) -> None:
    path = tmp_path / "rises.yaml"
    path.write_text(
        "title: rises\nposition: {x: 0..N}\nmeasure: x\n"
        "moves: [{when: x < 1000, for: {t: 1..x}, to: {x: x - t}}, {when: x >= 1000, to: {x: x}}]\n"
    )
    claim = statement("p", "G(x) == 0", G="this")
    assert prove_claim(load_ruleset(path), claim, limits=LIMITS).status != "proved"


# -- files -------------------------------------------------------------------------------------------------------------

SIMILAR = "G(x, y, 0) ^ G(0, z, z)"
FORGERIES: dict[str, Change] = {
    "another statement": lambda r: r["statement"].update(formula=SIMILAR),
    "another condition": lambda r: r["statement"].update(where="x >= 1"),
    "another target": lambda r: r["statement"].update(target="grundy == 1", formula="True"),
    "another game looked up": lambda r: r["statement"]["values"].update(G="nim"),
    "another key": lambda r: r["statement"].update(key="0" * 64),
    "another rule": lambda r: r["evidence"].update(rule="options"),
    "no rule": lambda r: r["evidence"].update(rule="because"),
    "all computed": lambda r: r.update(evidence={"rule": "computed"}),
    "no facts": lambda r: r["evidence"].update(tree={}),
    "a premise too many": lambda r: r["evidence"]["premises"].append({"rule": "computed"}),
}  # fmt: skip


@cache
def theorem() -> Proof:
    """Return the proof whose file is forged."""
    return proof_of("max-nim-ceil-3", statement("grundy", "G(x, y, 0) ^ G(0, 0, z)", G="this"))


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_proof_proves_nothing(forgery: str) -> None:
    check_refused(forged(record_of(theorem().theorem), FORGERIES[forgery]), load_ruleset("max-nim-ceil-3"))


def test_the_evidence_of_one_statement_is_none_of_a_false_one_with_its_key() -> None:
    game = load_ruleset("max-nim-ceil-3")
    false = statement_about(game, statement("grundy", SIMILAR, G="this"))

    def change(record: Record) -> None:
        record["statement"].update(formula=SIMILAR, key=false.key)

    check_refused(forged(record_of(theorem().theorem), change), game)


# -- at random ---------------------------------------------------------------------------------------------------------


@st.composite
def places(draw: st.DrawFn, ruleset: Ruleset) -> str:
    """Draw the text of a position near the intended one, or of an image of it."""
    names = ruleset.coordinate_names
    each = [st.sampled_from([name, name, f"{name} - 1", f"{name} + 1", "0", "1", *names]) for name in names]
    return ", ".join(draw(one) for one in each)


@st.composite
def statements(draw: st.DrawFn, ruleset: Ruleset) -> Claim:
    """Draw a claim about values of other positions, of the kinds that the rules prove."""
    near = places(ruleset)
    first = ruleset.coordinate_names[0]
    if draw(st.booleans()):
        terms = draw(st.lists(near, min_size=1, max_size=2))
        guard = draw(st.sampled_from(["True", f"{first} >= 1", f"{first} == 0"]))
        return statement("grundy", " ^ ".join(f"G({term})" for term in terms), guard, G="this")
    sign = st.sampled_from(["==", "!="])
    atoms = [f"G({draw(near)}) {draw(sign)} 0" for _ in range(2)]
    where = draw(st.sampled_from([f"{first} >= 1 and {atoms[0]}", atoms[0], f"{atoms[0]} or {atoms[1]}"]))
    if draw(st.booleans()):
        return statement("p", draw(st.sampled_from(["True", "False", atoms[1]])), where, G="this")
    some = f"any(G({', '.join(['t', *ruleset.coordinate_names[1:]])}) == 0 for t in range(0, {first}))"
    return statement("true", draw(st.sampled_from([atoms[1], some, f"not {some}"])), where, G="this")


@examples(8, 500)
@given(st.data())
def test_nothing_false_is_proved_of_random_games(data: st.DataObject) -> None:
    game: GameFile = data.draw(games("piles", "alike", "bars", "any"))
    instance = game.instance()
    ruleset = instance.ruleset
    assume(not ruleset.splits and ruleset.play == "normal" and not ruleset.free)
    claim = data.draw(statements(ruleset))
    note(game.report())
    note(f"{claim.target}: {claim.formula} where {claim.where}")

    # without the gate, which would stop what is false
    proof = _Prover(ProofContext(LITTLE), LITTLE, ())._by_instances(statement_about(ruleset, claim))
    event(f"{claim.target}: {'proved by ' + str(proof.evidence.kind) if proof else 'not proved'}")
    if proof is not None:
        check = judge_table(claim, solve(instance, "grundy"))
        assert check.counterexample is None


LARGE = "title: o\npiles: 3\nposition: {x: 0..N}\nmoves:\n  - {for: {a: 0..x, b: 0..y, c: 0..z}, when: a + b + c < x + y + z, to: {x: a, y: b, z: c}}\n"  # fmt: skip
LOOKING = (
    "title: m\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nclaims:\n"
    '  - {id: c, target: p, formula: "B(x, x, x) < 0", where: "40 <= x <= 41 and B(x, x, x) >= 0", values: {B: other}}\n'
)


def test_values_of_a_game_whose_tables_are_all_too_large_prove_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rulesets").mkdir()
    for name, text in (("other", LARGE), ("mine", LOOKING)):
        (tmp_path / "rulesets" / f"{name}.yaml").write_text(text)
    game = load_ruleset("mine")
    assert prove_claim(game, game.claim("c")).status == "undecided"
