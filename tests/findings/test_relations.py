"""A formula's relation to claims: by proof where one exists, otherwise by tables, and never more than is known."""

from dataclasses import replace

import pytest
from tests.findings.made import candidate, needs_mona, results

from grundylab.automata.dfa import TooLarge
from grundylab.findings.claim_comparisons import with_relations
from grundylab.findings.proof_records import prove_all, with_proofs
from grundylab.findings.verdicts import verified_claims, verified_formulas
from grundylab.games import load_ruleset, make_instance, parent_of, parse_ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import TRUE
from grundylab.prove.comparing import SourcedTruth, at_positions_of, comparable_claims, compare_with_claims
from grundylab.prove.core.decide import Goal
from grundylab.prove.outcome import Limits
from grundylab.records.relation import (
    NEW,
    ClaimComparison,
    ClaimRelation,
    Comparison,
    relation_of,
    relation_text,
)
from grundylab.solve import solve

NIM = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nclaims:\n"
WHOLE = "  - {id: whole, target: p, formula: x - y == 0}\n"
PART = "  - {id: part, where: x >= 3, target: p, formula: y == x}\n"
REST = "  - {id: rest, where: x <= 5, target: p, formula: x == y}\n"
SORTED = "  - {id: sorted, where: x <= y, target: p, formula: x == y}\n"
LATE = "  - {id: late, where: x + y > 0, target: p, formula: y == x}\n"
FACT = "  - {id: fact, where: x < y, target: p, formula: 'False'}\n"
WRONG = "  - {id: wrong, where: x > 0, target: p, formula: x == y and x != 4}\n"
FAR = "  - {id: far, target: p, formula: x == y and x != 99}\n"
VALUES = "  - {id: values, target: grundy, formula: (x ^ y) + 0}\n"
OTHER = "  - {id: other, target: grundy == 1, formula: x ^ y == 1}\n"
TABLE = '  - id: table\n    target: grundy\n    table: {rows: {x: 0..1}, columns: {y: 0..1}, entries: "0 1\\n1 0"}\n'
UNPUBLISHED = "  - {id: ours, unpublished: true, target: p, formula: x == y}\n"


def both(tmp_path, claims, formula="x == y", where="True", game=NIM, values=({},), under="True", prove=True):
    """Return a formula's relation to the claims, by tables and by proof. values: the parameters of each table."""
    ruleset = parse_ruleset(game + claims, "nim-here")
    tables = [solve(make_instance(ruleset, value, {"N": 10}), "grundy") for value in values]
    judged = verified_formulas(ruleset, [candidate(formula)], {"test": tables}, parse_condition(where))
    study = results(formulas=tuple(judged), claims=tuple(verified_claims(ruleset, tables)))
    proofs = prove_all(ruleset, study, [parse_condition(under)], 30, tmp_path) if prove else []
    tested = [table.instance for table in tables]
    found = with_proofs(study, proofs)
    related = with_relations(ruleset, found.findings, found.formulas, tested, Limits(30)) if prove else judged
    return study.formulas[0].relation, related[0].relation


def related(claims, formula="x == y"):
    """Return a formula's relation to the claims by tables."""
    return both(None, claims, formula, prove=False)[0]


def proved(tmp_path, claims, *more, **options):
    """Return a formula's relation to the claims by proof."""
    return both(tmp_path, claims, *more, **options)[1]


CASES = [
    (WHOLE, "rediscovers", {"rediscovers": ["whole"]}),
    (PART, "extends", {"extends": ["part"]}),
    (PART + REST, "rediscovers", {"rediscovers": ["part", "rest"]}),  # together they say it all
    (SORTED, "rediscovers", {"rediscovers": ["sorted"]}),  # so do the piles in every order
    (LATE, "rediscovers", {"rediscovers": ["late"]}),  # nothing need be said of where no move is possible
    (FACT, "new", {}),  # a fact about some positions is no formula for them
    (WRONG, "corrects", {"corrects": ["wrong"]}),
    (WRONG + WHOLE, "rediscovers", {"corrects": ["wrong"], "rediscovers": ["whole"]}),
    (VALUES, "rediscovers", {"rediscovers": ["values"]}),  # the P-positions are those of Grundy number 0
    (OTHER, "new", {}),
    (TABLE, "new", {}),
    (UNPUBLISHED, "new", {}),
]


def by_name(relation):
    found = {}
    for entry in relation.to:
        found.setdefault(entry.relation, []).append(entry.claim)
    return found


@needs_mona
@pytest.mark.parametrize(("claims", "headline", "to"), CASES)
def test_the_relation_is_found_by_proof_and_by_tables_and_says_which(tmp_path, claims, headline, to):
    by_tables, by_the_prover = both(tmp_path, claims)
    for relation in (by_tables, by_the_prover):
        assert (relation.relation, by_name(relation)) == (headline, to)
    assert all((entry.by, entry.bound) == ("proof", None) for entry in by_the_prover.to)
    assert all(entry.bound == ("N=10",) for entry in by_tables.to if entry.by == "tables")
    assert all(entry.by == "tables" for entry in by_tables.to if entry.claim in ("whole", "wrong"))


@needs_mona
def test_a_claim_that_is_wrong_beyond_the_tables_is_not_rediscovered(tmp_path):
    assert by_name(related(FAR)) == {"rediscovers": ["far"]}
    assert by_name(proved(tmp_path, FAR)) == {"corrects": ["far"]}


@needs_mona
def test_a_formula_of_a_part_says_no_more_than_a_claim_about_all(tmp_path):
    assert by_name(proved(tmp_path, WHOLE, where="x <= y")) == {"rediscovers": ["whole"]}
    relation = proved(tmp_path, WRONG, where="x >= 2")
    assert (relation.relation, by_name(relation)) == ("differs", {"differs": ["wrong"]})


def test_what_does_not_hold_has_no_relation():
    assert related(WHOLE, formula="x == y + 1") is None


ROW = ClaimComparison("a", own=True, fact=False, meet=True, same=True, within=True, by="tables")


def test_a_formula_that_is_not_proved_does_not_correct_what_it_was_not_held_against():
    tables = Comparison((ROW,), False, "tables", ("N=9",))
    proof = Comparison((replace(ROW, same=False, by="proof"),), False, "proof")
    assert by_name(relation_of("holds", tables, proof)) == {"differs": ["a"]}
    assert by_name(relation_of("proved", tables, proof)) == {"corrects": ["a"]}


@pytest.mark.parametrize(
    "row", [replace(ROW, meet=None, same=None, within=None), replace(ROW, same=None), ROW]
)
def test_a_claim_that_could_not_be_compared_leaves_open_whether_it_is_new(row):
    found = relation_of("holds", Comparison((row,), None if row is ROW else False, "tables", ("N=9",)))
    assert (found.relation, by_name(found)) == ("uncompared", {"uncompared": ["a"]})


def test_what_is_new__says_whether_anything_was_compared():
    of_other, unpublished, fact = (relation_text(related(each)) for each in (OTHER, UNPUBLISHED, FACT))
    assert of_other == unpublished != fact == NEW


LOOKED_UP = "  - {id: bouton, values: {G: this}, condition: 'G(x, y) == x ^ y'}\n"


def test_what_is_new_says_that_a_statement_which_looks_values_up_could_not_be_compared():
    relation = related(FACT + LOOKED_UP)
    assert (relation.relation, relation.compared, relation.left_out) == ("new", 1, 1)
    assert relation_text(relation) not in (NEW, relation_text(related(FACT)))


def test_where_the_tables_differ_from_a_claim_no_proof_for_fewer_parameters_makes_them_one():
    tables = Comparison((replace(ROW, same=False),), False, "tables", ("N=9",))
    proof = Comparison((replace(ROW, same=True, by="proof"),), True, "proof", where=parse_condition("k == 1"))
    relation = relation_of("proved", tables, proof)
    assert by_name(relation) == {"corrects": ["a"]}
    assert [(one.by, one.bound, one.where) for one in relation.to] == [("tables", ("N=9",), TRUE)]


TAKE = (
    'title: take 1 to m\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: "1..min(x, m)", from: x}]\n'
    "claims:\n"
)


@needs_mona
def test_a_formula_that_holds_for_some_parameter_values_is_compared_there_only(tmp_path):
    claims = (
        "  - {id: two, where: m == 2, target: p, formula: x % 3 == 0}\n"
        "  - {id: three, where: m == 3, target: p, formula: x % 4 == 1}\n"
    )
    relation = proved(tmp_path, claims, "x % 3 == 0", game=TAKE, values=[{"m": 2}], under="m == 2")
    assert (relation.relation, by_name(relation)) == ("rediscovers", {"rediscovers": ["two"]})
    assert relation_text(relation) == "rediscovers two (proved where m == 2)"


@needs_mona
def test_what_is_compared_at_the_tested_parameters_only_says_so(tmp_path):
    """The formula is not proved, but it equals the claim for each parameter value that was tested."""
    claim = "  - {id: own, target: p, formula: x % (m + 1) < 1}\n"
    found = proved(tmp_path, claim, "x * x % (m + 1) == 0", game=TAKE, values=[{"m": 1}, {"m": 2}])
    assert {str(entry.where) for entry in found.to if entry.by == "proof"} <= {"m == 1 or m == 2"}
    near = proved(tmp_path, claim, "x % (m + 1) == 0 or m == 7 and x == 99", game=TAKE, values=[{"m": 2}])
    assert {(entry.by, str(entry.where)) for entry in near.to} == {("proof", "m == 2")}


@needs_mona
@pytest.mark.parametrize(
    ("most", "formula", "relation"),
    [
        ("1", "x % 2 == 0", "rediscovers"),
        ("1 if m >= 9 or x >= 2 else 0", "x % 2 == 0 if m >= 9 or x < 1 else x % 2 == 1", "extends"),
    ],
)
def test_that_no_move_is_possible_is_asked_for_all_parameter_values(tmp_path, most, formula, relation):
    """Look for moves at all parameter values, not only at those of the tables."""
    game = TAKE.replace("min(x, m)", f"min(x, {most})")
    late = "x >= 1" if relation == "rediscovers" else "x >= 2"
    claim = f"  - {{id: late, where: {late}, target: p, formula: {formula}}}\n"
    found = proved(tmp_path, claim, formula, game=game, values=[{"m": 1}, {"m": 2}])
    assert found.to == (ClaimRelation(relation=relation, claim="late", by="proof"),)


def test_what_is_not_decided_is_left_to_the_tables(tmp_path, monkeypatch):
    """The formula is proved, by a period; whether the claim is about all of the formula's positions is not known."""

    def gives_up(*_, **__):
        raise TooLarge("it takes too long")

    monkeypatch.setattr(Goal, "failing", property(gives_up))
    formula = "x % (m + 1) == 0"
    claim = f"  - {{id: late, where: x > 0, target: p, formula: {formula}}}\n"
    found = proved(tmp_path, claim, formula, game=TAKE, values=[{"m": 1}, {"m": 2}], under="m == 2")
    bound = ("m=1,N=10", "m=2,N=10")
    assert found.to == (ClaimRelation(relation="rediscovers", claim="late", by="tables", bound=bound),)


@pytest.mark.parametrize("silent", [False, True])
def test_what_is_not_known_to_be_covered_is_not_said_to_be_uncovered(silent):
    """The claim with its piles in the other order covers the rest, unless that question gets no answer."""
    ruleset = parse_ruleset(NIM + SORTED, "nim-here")
    decide = at_positions_of([solve(make_instance(ruleset, {}, {"N": 10}), "outcome")])
    (said,) = comparable_claims(ruleset, None, parse_target("p"))

    def ask(condition, where):
        other_order = where not in (said.where, TRUE)
        return SourcedTruth(None if silent and other_order else decide(condition, where), "proof")

    found = compare_with_claims(ruleset, parse("x - y == 0"), TRUE, [said], ask)
    assert found.covered is (None if silent else True)


@needs_mona
def test_a_claim_about_ordered_piles_is_one_about_others_only_where_it_says_there_what_is_true(tmp_path):
    """Let a move take any number from x but only one from y, so that the piles are not interchangeable."""
    game = (
        "title: t\npiles: 2\nposition: {x: 0..N}\n"
        "moves: [{for: {t: 1..x}, to: {x: x - t, y: y + 0}}, {when: y >= 1, to: {x: x + 0, y: y - 1}}]\nclaims:\n"
    )
    claim = "  - {id: ordered, where: x <= y, target: p, formula: x == y % 2}\n"
    assert by_name(proved(tmp_path, claim, "x == y % 2", game=game)) == {"extends": ["ordered"]}


# Two games that extend another one by a pass and by something else: by other moves, and by another function that its
# claim calls.
PARENT = """\
title: Take one or two
functions: {f(n): n % 3}
position: {x: 0..N}
moves: [{take: [1, 2], from: x}]
claims: [{id: theorem, target: p, formula: f(x) == 0}]
"""
HEIRS = {
    "the same game": ("title: With a pass\nextends: parent\npass: {}\n", True),
    "other moves": (
        "title: Other moves\nextends: parent\npass: {}\nmoves: [{take: [1, 2, 3], from: x}]\n",
        False,
    ),
    "another function": (
        "title: Another function\nextends: parent\npass: {}\nfunctions: {f(n): n % 4}\n",
        False,
    ),
}


@pytest.mark.parametrize(("text", "compared"), HEIRS.values(), ids=HEIRS)
def test_a_theorem_without_the_pass_is_one_about_a_game_only_if_the_game_adds_nothing_else(
    tmp_path, text, compared
):
    (tmp_path / "parent.yaml").write_text(PARENT)
    (tmp_path / "heir.yaml").write_text(text)
    heir = load_ruleset("heir", str(tmp_path))
    claims = comparable_claims(heir, parent_of(heir), parse_target("p"))
    assert [claim.claim for claim in claims] == ["parent:theorem"] * compared
