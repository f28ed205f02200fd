"""Claims of every kind: each is true exactly if the definition of its kind says so."""

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from tests.random_games import instances
from tests.sizes import examples
from tests.strategies import conditions

from grundylab.check.judging import expanded_formula, judge
from grundylab.errors import EvaluationError, FormulaError, RulesetError
from grundylab.findings.claim_layout import claim_latex, claim_text
from grundylab.games import Rules, make_instance, parse_ruleset
from grundylab.games.listing import options_condition
from grundylab.games.model import OptionCondition
from grundylab.language.plain import compile_plain
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve

NIM = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\npass: {}\nclaims:\n"


def game(claims, head=NIM):
    return parse_ruleset(head + claims, "game")


def verdict(claims, head=NIM, **bounds):
    ruleset = game(claims, head)
    bounds = bounds or {"N": 7}
    return judge(ruleset.claims[0], [solve(make_instance(ruleset, {}, bounds))])


# -- options -------------------------------------------------------------------------------------------


@examples(20, 2_400)
@given(instances(), st.data(), st.sampled_from(["every", "some"]))
def test_a_claim_about_options_is_true_just_where_the_moves_say_so(instance, data, quantifier):
    ruleset = instance.ruleset
    if ruleset.splits:
        with pytest.raises(FormulaError, match="moves that split lead to sums"):
            options_condition(
                OptionCondition(quantifier, data.draw(conditions(ruleset.formula_names, 0, False))), ruleset
            )
        return
    condition = data.draw(conditions(ruleset.formula_names, 1, False))
    try:
        ruleset.check_condition(condition)
    except FormulaError:  # a bound variable with a coordinate's name
        return
    note(f"{quantifier} option: {condition}")
    fits = compile_plain(condition, ruleset.functions)
    claimed = compile_plain(
        options_condition(OptionCondition(quantifier, condition), ruleset), ruleset.functions
    )
    rules = Rules(instance)
    for position in rules.positions():
        try:
            each = [fits(rules.environment(part)) for _, (part,) in rules.options(position)]
        except EvaluationError:
            continue
        assert claimed(rules.environment(position)) == (all(each) if quantifier == "every" else any(each))


def test_a_pass_is_an_option_only_where_there_is_another_move():
    text = "  - {id: a, where: p == 1, some-option: p == 0}\n"
    found = verdict(text)
    assert found.status == "refuted"
    assert found.counterexample.position == {"x": 0, "y": 0, "p": 1}
    assert found.wrong == 1


# -- values of other positions ---------------------------------------------------------------------------


def test_a_value_of_another_position_is_looked_up_in_the_same_table():
    # by the definition of the mex: no option has the value that the position has
    text = """  - id: a
    where: p == 0 and x >= 1
    values: {G: this}
    condition: "G(x, y, 0) != G(x - 1, y, 0)"
"""
    assert verdict(text).status == "holds"


def test_a_value_of_another_game_is_looked_up_in_that_game(tmp_path):
    (tmp_path / "pile.yaml").write_text("title: a pile\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n")
    (tmp_path / "game.yaml").write_text(
        NIM + '  - {id: a, where: p == 0, values: {H: pile}, target: grundy, formula: "H(x) ^ H(y)"}\n'
        '  - {id: b, where: p == 1, values: {H: pile}, target: grundy, formula: "H(x) ^ H(y)"}\n'
        '  - {id: c, values: {H: pile}, target: grundy, formula: "H(x, y)"}\n'
        '  - {id: d, values: {H: piles}, target: grundy, formula: "H(x)"}\n'
    )
    from grundylab.games import load_ruleset

    ruleset = load_ruleset(tmp_path / "game.yaml")
    table = solve(make_instance(ruleset, {}, {"N": 6}))
    statuses = [judge(ruleset.claim(name), [table]).status for name in "ab"]
    assert statuses == ["holds", "refuted"]
    with pytest.raises(RulesetError, match=r"claim c: H\(x, y\) .* pile .* \(x\)"):
        judge(ruleset.claim("c"), [table])
    with pytest.raises(RulesetError, match="'piles'"):
        judge(ruleset.claim("d"), [table])


def test_a_value_past_the_table_leaves_the_claim_undecided_and_one_of_no_position_refutes_it():
    past = verdict("  - {id: a, values: {G: this}, target: grundy, formula: 'G(x + 1, y, p)'}\n")
    assert past.status == "undecided"
    assert past.reason.startswith("game (N=7): G(8, 0, 0) ")
    none = verdict(
        "  - {id: a, where: 'p == 0 and x == 0', values: {G: this}, target: grundy, formula: 'G(x - 1, y, p)'}\n"
    )
    assert none.status == "refuted"
    assert none.counterexample.found is None


# -- tables ------------------------------------------------------------------------------------------------

GRID = """  - id: a
    target: grundy
    table:
      rows: {x: 0..2}
      columns: {y: 0..3}
      with: {p: 0}
      entries: |
        0 1 2 3
        1 0 3 2
        2 3 . %s
"""


@pytest.mark.parametrize(("entry", "wrong"), [("1", 0), (".", 0), ("2", 1)])
def test_a_table_is_compared_entry_by_entry_and_blanks_say_nothing(entry, wrong):
    found = verdict(GRID % entry)
    assert (found.status, found.wrong) == ("refuted" if wrong else "holds", wrong)
    assert found.checked == (10 if entry == "." else 11)


def test_a_table_of_outcomes_lists_positions_with_p_or_n():
    text = "  - id: a\n    target: p\n    table: {columns: [x, y], with: {p: 1}, entries: %s}\n"
    assert verdict(text % '"1 2 P\\n1 1 N"').status == "holds"
    found = verdict(text % '"1 2 P\\n1 1 N\\n3 3 P"')
    assert found.counterexample.position == {"x": 3, "y": 3, "p": 1}


# -- conditions ----------------------------------------------------------------------------------------------

VARIABLES = """  - id: a
    where: x == 0 and y == 0 and p == 0
    for: {u: 1..N, v: 0..u}
    condition: "%s"
"""


@pytest.mark.parametrize(
    ("condition", "status"), [("v <= u", "holds"), ("u + v != 9", "refuted"), ("u + v != 15", "holds")]
)
def test_a_condition_is_for_all_values_of_its_variables(condition, status):
    assert verdict(VARIABLES % condition, N=7).status == status


@pytest.mark.skipif(find_mona() is None, reason=MISSING)
@pytest.mark.parametrize(
    ("condition", "status"), [("v <= u", "proved"), ("u + v != 9", "refuted"), ("u + v != 1500", "refuted")]
)
def test_a_condition_is_proved_for_variables_of_every_size(condition, status):
    ruleset = game(VARIABLES % condition)
    assert prove_claim(ruleset, ruleset.claims[0]).status == status


def test_variables_become_quantifiers_within_the_bounds():
    ruleset = game(VARIABLES % "v <= u")
    assert str(expanded_formula(ruleset.claims[0], {"N": 5})) == (
        "all(all(v <= u for v in range(0, u + 1)) for u in range(1, 5 + 1))"
    )


@pytest.mark.skipif(find_mona() is None, reason=MISSING)
@examples(15, 2_000)
@given(instances(), st.data())
def test_a_condition_that_is_proved_is_true_and_one_that_is_refuted_is_false(instance, data):
    ruleset = instance.ruleset
    condition = data.draw(conditions(ruleset.formula_names, 1, False))
    try:
        ruleset.check_condition(condition)
    except FormulaError:
        return
    claim = game("  - {id: a, condition: 'True'}\n").claims[0]
    from dataclasses import replace

    from grundylab.prove.outcome import Limits

    proof = prove_claim(ruleset, replace(claim, formula=condition), limits=Limits(timeout=2))
    fits = compile_plain(condition, ruleset.functions)
    rules = Rules(instance)
    if proof.status == "proved":
        assert all(fits(rules.environment(position)) for position in rules.positions())
    if proof.status == "refuted" and proof.counterexample is not None:
        found = proof.counterexample
        environment = {**found.position, **found.parameters}
        try:
            assert not fits(environment)
        except EvaluationError:
            assert found.found is None


# -- print -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "text", "latex"),
    [
        (
            "  - {id: a, where: p == 1 and x <= y, target: p, positions: ['1, 2', '2*k + 1, 2*k + 2 for k >= 1']}\n",
            "p: (1, 2); (2 * k + 1, 2 * k + 2) for k >= 1",
            r"p = 1 \land x \le y \implies \{(x, y) : (x, y) \text{ is a } \mathcal{P}\text{-position}\} = "
            r"\{(1, 2)\} \cup \{(2 k + 1, 2 k + 2) : k \ge 1\}",
        ),
        (
            "  - {id: a, where: x == 5 and y == 3 and p == 0, some-option: x == 3}\n",
            "some option: x == 3",
            r"\text{some option of } (5, 3, 0) \text{ fulfils } x = 3",
        ),
        (
            "  - {id: a, where: p == 0, target: grundy, formula: x ^ y}\n",
            "grundy: x ^ y",
            r"\mathcal{G}(x, y, 0) = x \oplus y",
        ),
        (
            "  - {id: a, where: p == 1 and x == y, target: p, formula: 'False'}\n",
            "p: False",
            r"x = y \implies (x, y, 1) \text{ is an } \mathcal{N}\text{-position}",
        ),
        (
            "  - {id: a, for: {m: N..N, n: 2..2, v: 1..x}, condition: m + n + v >= 3}\n",
            "m + n + v >= 3 for m in N..N for n in 2..2 for v in 1..x",
            r"\text{for the largest } m,\ \text{with } n = 2,\ \forall\, 1 \le v \le x \colon\ m + n + v \ge 3",
        ),
    ],
)
def test_a_claim_is_printed_as_in_a_paper(claim, text, latex):
    ruleset = game(claim)
    assert claim_text(ruleset.claims[0]) == text
    assert claim_latex(ruleset.claims[0], ruleset) == latex


# -- what is true instead -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instead", "kind", "formula", "where"),
    [
        ("{formula: x ^ y == 0}", "formula", "x ^ y == 0", "p == 0"),
        ("{where: x < y}", "formula", "x == y + 1", "x < y"),
        ("{where: p == 1, formula: x != y}", "formula", "x != y", "p == 1"),
        ("{positions: ['x, y for x == y']}", "positions", "x == y", "p == 0"),
    ],
)
def test_what_is_true_instead_says_what_is_other_and_has_the_rest_of_the_claim(instead, kind, formula, where):
    ruleset = game(
        f"  - {{id: a, at: Lemma 1, where: p == 0, target: p, formula: x == y + 1, instead: {instead}}}\n"
    )
    (claim,) = ruleset.claims
    assert (claim.instead.kind, str(claim.instead.formula), str(claim.instead.where)) == (
        kind,
        formula,
        where,
    )
    assert (claim.instead.id, claim.instead.at, claim.instead.target) == (claim.id, claim.at, claim.target)
    assert (str(claim.formula), str(claim.where)) == ("x == y + 1", "p == 0")
