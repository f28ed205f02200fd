"""Claims about every function of a family are proved only if they are true for each function."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st
from tests.prove.forging import Change, check_refused, forged, proved_by, record_of
from tests.sizes import examples

from grundylab.check.families import FunctionExtent, family_games
from grundylab.check.judging import judge_table
from grundylab.errors import EvaluationError, GrundylabError
from grundylab.games import (
    Claim,
    Ruleset,
    load_ruleset,
    make_instance,
    parent_of,
    parse_ruleset,
    parse_target,
)
from grundylab.games.model import ALWAYS, Range, Ranged
from grundylab.games.specialise import with_variables
from grundylab.language import parse, parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.substitution import rewrite
from grundylab.language.syntax import Bounded, Expr, Int, Name
from grundylab.prove.core.decide import true_everywhere
from grundylab.prove.core.formulas import Refused
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import prove_claim
from grundylab.prove.rule_candidates import candidates
from grundylab.prove.search.instance_search import instance_evidence
from grundylab.prove.search.tree_search import SearchWork
from grundylab.solve import solve
from grundylab.statement import Statement, statement_about
from grundylab.statement.qualified_names import qualified_game

LIMITS = Limits(timeout=10, memory=2**30)
DECISIONS = 12  # of a search that the gate does not interrupt, for evidence of what is often false
PREFIX = (
    "all(all(z // (1 << i) != t // (1 << i) or h(z) // (1 << (i - 1)) == h(t) // (1 << (i - 1)) "
    "for i in range(1, z + 1)) for t in range(0, z))"
)
# what may be asked of h
ASKED = {
    "zero": "h(0) == 0",
    "rises": "(z == 0 or h(z - 1) <= h(z))",
    "below": "(z == 0 or h(z) < z)",
    "half": "2 * h(z) <= z",
    "steps": "(z == 0 or h(z) <= h(z - 1) + 1)",
    "even": "h(z) % 2 == 0",
    "prefix": PREFIX,
}
NS = " and ".join(ASKED[each] for each in ("zero", "rises", "below", "prefix"))


def bar(condition: str, moves: str = "", where: str = "y <= h(z)") -> Ruleset:
    """Return the family of two-dimensional chocolate bars with a function h that has this property."""
    cut = "{for: {w: 0..z-1}, to: {z: w, y: 'min(y, h(w))'}}"
    return parse_ruleset(
        f"title: t\nposition: {{y: 0..N, z: 0..N}}\nwhere: {where}\nfunctions: {{h(z): {{any: '{condition}'}}}}\n"
        f"moves: [{{take: t, from: y}}, {moves or cut}]\n"
    )


def stated(target: str, formula: str, where: str = "True") -> Claim:
    meant = ALWAYS if target == "true" else parse_target(target)
    read = parse if target == "grundy" else parse_condition
    return Claim("asked", meant, read(formula), parse_condition(where))


def wrong_in_some_game(ruleset: Ruleset, claim: Claim) -> bool:
    """Tell whether the claim is false for some h with small values, by the definition."""
    games = family_games(ruleset, {"h": FunctionExtent((range(7),), range(3))})
    checks = (
        judge_table(claim, solve(make_instance(game, {}, {"N": 4}), claim.target.values)) for game in games
    )
    return any(check.counterexample is not None for check in checks)


def decided(premise: Statement) -> bool:
    """Tell whether automata decide that the premise is true; no gate is involved."""
    game = with_variables(premise.game, premise.variables) if premise.variables else premise.game
    return true_everywhere(game, premise.formula, premise.where, LIMITS.cells) is True


def follows(ruleset: Ruleset, claim: Claim) -> bool:
    """Tell whether the kernel makes a theorem of the claim by instances that are found, without the gate."""
    statement, kernel = statement_about(ruleset, claim), Kernel()
    with suppress(GrundylabError):
        evidence = instance_evidence(statement, kernel, SearchWork(decisions=DECISIONS))
        return evidence is not None and kernel.check(statement, evidence).statement == statement
    return False


CLAIMS = st.one_of(
    st.sampled_from(["h(z) <= z", "h(z) < z or z == 0", "h(z) <= h(z + 1)", "2 * h(z) <= z + 1", "h(h(z)) <= h(z)",
                     "h(z) <= h(y + z)", "h(z) != 1", "h(2 * z) <= 2 * h(z) + 1", "h(z + 2) <= h(z) + 2",
                     "h(z) % 2 == 0 or h(z) >= 1", "all(h(t) <= h(z) for t in range(0, z))", "h(z - 1) <= h(z)"]),
    st.builds("{} * h(z + {}) <= z + {}".format, st.integers(1, 3), st.integers(0, 2), st.integers(0, 3)),
    st.builds("h(z + {}) {} h(z) + {}".format, st.integers(0, 2), st.sampled_from(["<=", "==", "!="]), st.integers(0, 2)),
    st.builds("h({}) <= {}".format, st.integers(0, 4), st.integers(0, 2)),
)  # fmt: skip


@examples(6, 500)
@given(asked=st.sets(st.sampled_from(sorted(ASKED)), min_size=1, max_size=3), said=CLAIMS)
def test_nothing_false_of_some_function_is_proved_of_every_one(asked, said):
    ruleset = bar(" and ".join(ASKED[each] for each in sorted(asked)))
    claim = stated("true", said, "z <= 3")
    proved = follows(ruleset, claim)
    event(f"proved: {proved}")
    note(f"{asked}: {said}")
    assert not proved or not wrong_in_some_game(ruleset, claim)


# -- the induction -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def theorem() -> Proof:
    return prove_claim(bar(NS), stated("grundy", "y ^ z"), limits=LIMITS)


def test_the_grundy_numbers_of_all_bars_with_the_property_are_nim_sums(theorem: Proof) -> None:
    assert theorem.theorem is not None
    assert theorem.theorem.evidence.kind == "instances"
    assert proved_by(record_of(theorem.theorem), bar(NS)) == theorem.theorem


WRONG = {
    "another formula": (bar(NS), "y ^ z ^ 1"),
    "no equal prefixes": (bar(" and ".join(ASKED[each] for each in ("zero", "rises", "below"))), "y ^ z"),
    "prefixes of the same length": (bar(NS.replace("(i - 1)", "i")), "y + z"),
    "a cut that may leave the bar": (bar(NS, "{for: {w: 0..z-1}, to: {z: w}}"), "y ^ z"),
    "a cut by two": (bar(NS, "{for: {w: 0..z-2}, to: {z: w, y: 'min(y, h(w))'}}"), "y ^ z"),
    "a cut to what is higher": (bar(NS, "{for: {w: 0..z-1}, to: {z: w, y: h(w)}}"), "y ^ z"),
    "a cut that rises": (bar(NS, "{for: {w: 0..z}, to: {z: w, y: 'min(y, h(w))'}}"), "y ^ z"),
}


@pytest.mark.parametrize("why", WRONG)
def test_without_the_property_or_with_another_rule_it_is_not_proved(why: str) -> None:
    ruleset, formula = WRONG[why]
    assert not follows(ruleset, stated("grundy", formula))


OTHER = stated("grundy", "y ^ z ^ 1")
FORGED: dict[str, Change] = {
    "another formula": lambda r: r["statement"].update(formula="y ^ z ^ 1"),
    "its key, too": lambda r: r["statement"].update(
        formula="y ^ z ^ 1", key=statement_about(bar(NS), OTHER).key
    ),
    "no facts": lambda r: r["evidence"].update(tree={}),
    "no trees for the rules": lambda r: r["evidence"].update(founded=[]),
    "no measure": lambda r: r["evidence"].update(measure=None),
    "a premise too many": lambda r: r["evidence"].update(premises=[{"rule": "computed"}]),
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_proof_proves_nothing(how: str, theorem: Proof) -> None:
    check_refused(forged(record_of(theorem.theorem), FORGED[how]), bar(NS))


def test_the_proof_is_of_no_family_without_the_property(theorem: Proof) -> None:
    wider = bar(NS.replace(PREFIX, "True"))
    key = statement_about(wider, stated("grundy", "y ^ z")).key
    check_refused(forged(record_of(theorem.theorem), lambda r: r["statement"].update(key=key)), wider)


# -- one game of a family ----------------------------------------------------------------------------------------------


def one_game(h: str, folder: Path) -> Ruleset:
    path = folder / "one.yaml"
    path.write_text(
        "extends: chocolate-monotone-1\ntitle: t\nparameters: {k: k >= 1}\n"
        f"functions: {{h(z): {h}}}\nclaims: [inherited]\n"
    )
    return load_ruleset(path)


NOWHERE = "z//(2*z)"  # has no value at 0
MEMBERS = {
    "z//2": True,
    "z//4": True,
    "z//3": False,
    "(z + 1)//2": False,
    "z": False,
    "-z": False,
    NOWHERE: False,
}


@pytest.mark.parametrize("h", MEMBERS)
def test_a_game_is_one_of_the_family_only_if_its_function_has_the_property(h: str, tmp_path: Path) -> None:
    game = one_game(h, tmp_path)
    statement = statement_about(game, game.claim("theorem-3"))
    (evidence,) = (each for each in candidates(statement) if each.kind == "instance")
    if h == NOWHERE:
        with pytest.raises(Refused):  # the space has no value where z is 0
            Kernel().checked_premises(statement, evidence)
        return
    *needed, family = Kernel().checked_premises(statement, evidence)
    readable = [replace(each, formula=_powers_written_out(each.formula)) for each in needed]
    assert all(map(decided, readable)) == MEMBERS[h]
    above = qualified_game(parent_of(game)).free
    assert [each.arguments for each in family.game.free] == [each.arguments for each in above]
    assert len(family.game.free) == len(above)


def _powers_written_out(formula: Expr) -> Expr:
    """Return the condition with the bound variable i limited to 1..5."""
    return rewrite(
        formula,
        lambda node: (
            replace(node, start=Int(1), stop=Int(6))
            if isinstance(node, Bounded) and node.variable == "i"
            else node
        ),
    )


# -- quotients by what varies ------------------------------------------------------------------------------------------

DIVIDED = st.one_of(
    st.builds("(z + {}) // k {} z // k + {}".format, st.integers(0, 2), st.sampled_from(["<=", ">=", "=="]), st.integers(0, 2)),
    st.builds("z // ({} * k) // {} {} z // {} // k".format, st.integers(1, 4), st.integers(1, 3),
              st.sampled_from(["==", "<=", "<"]), st.integers(1, 8)),
    st.builds("z // (k * (1 << i)) == z // ({} * k) // (1 << (i - 1))".format, st.integers(1, 3)),
    st.builds("z // k // k <= z // {}".format, st.integers(1, 2)),
    st.builds("z // (k - {}) <= z".format, st.integers(0, 2)),
)  # fmt: skip


@examples(6, 500)
@given(said=DIVIDED)
def test_nothing_false_of_a_quotient_is_proved(said):
    game = parse_ruleset(
        "title: t\nposition: {z: 0..N}\nparameters: {k: k >= 1}\nmoves: [{take: t, from: z}]\n"
    )
    claim = replace(stated("true", said), variables=(Ranged("i", Range(Int(1), Name("N"))),))
    proved = follows(game, claim)
    event(f"{said.split(' ')[1]}: {proved}")

    def right(z: int, k: int, i: int) -> bool:
        try:
            return bool(evaluate(claim.formula, {"z": z, "k": k, "i": i}))
        except EvaluationError:
            return False

    assert not proved or all(right(z, k, i) for z in range(20) for k in range(1, 5) for i in range(1, 4))


def test_a_quotient_by_what_may_be_nothing_has_no_value():
    for low, proved in ((1, True), (0, False)):
        game = parse_ruleset(
            f"title: t\nposition: {{z: 0..N}}\nparameters: {{k: k >= {low}}}\nmoves: [{{take: t, from: z}}]\n"
        )
        assert follows(game, stated("true", "z // k <= z")) == proved
