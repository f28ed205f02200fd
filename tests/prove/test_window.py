"""The value of a pile from which 1 to f(x) are taken: by its window if f rises by 0 or 1 each step, else not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.prove.forging import proved_by, record_of
from tests.sizes import examples

from grundylab.check.judging import judge_table
from grundylab.games import Claim, Ruleset, make_instance, parse_ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import ProofContext, _Prover, prove_claim
from grundylab.solve import solve
from grundylab.statement import statement_about

LIMITS = Limits(timeout=10, memory=2**30)
LITTLE = Limits(timeout=2, memory=2**30)
# f, of which some are 0 at 0 and rise by at most one, and others do not
MOST = st.one_of(
    st.builds("({} * x + {}) // {}".format, st.integers(1, 3), st.integers(0, 4), st.integers(1, 5)),
    st.builds("min(x, {})".format, st.integers(1, 6)),
    st.builds("max(x // {}, min(x, {}))".format, st.integers(2, 4), st.integers(1, 3)),
    st.builds("x // {} + x // {}".format, st.integers(2, 4), st.integers(2, 4)),
    st.builds("min(x, {} * (x // {}))".format, st.integers(1, 3), st.integers(1, 3)),
)


def pile(most: str, more: str = "", where: str = "True") -> Ruleset:
    return parse_ruleset(
        f"title: t\nposition: {{x: 0..N{more}}}\nwhere: {where}\nmoves: [{{take: '1..min(x, {most})', from: x}}]\n"
    )


def stated(most: str, same: bool) -> Claim:
    before = most.replace("x", "(x - 1)").replace("ma(x - 1)", "max")
    f, b = f"min(x, {most})", f"min(x - 1, {before})"
    where = parse_condition(f"x >= 1 and {f} {'==' if same else '>'} {b}")
    formula = parse(f"G(x - {f} - 1)" if same else f)
    return Claim("asked", parse_target("grundy"), formula, where, values=(("G", "this"),) if same else ())


def regular(most: str, end: int) -> bool:
    f = [min(x, eval(most, {"min": min, "max": max, "x": x})) for x in range(end)]  # noqa: S307 - of this file
    return f[0] == 0 and all(0 <= b - a <= 1 for a, b in pairwise(f))


@examples(12, 200)
@given(most=MOST, same=st.booleans())
def test_what_is_proved_of_a_window_is_so(most, same):
    ruleset, claim = pile(most), stated(most, same)
    # without the gate, and by instances alone: what is not proved would be looked for until the time is over
    proof = _Prover(ProofContext(LITTLE), LITTLE, ())._by_instances(statement_about(ruleset, claim))
    check = judge_table(claim, solve(make_instance(ruleset, {}, {"N": 60})))
    event(f"regular: {regular(most, 60)}, {proof is not None}")
    assert proof is None or check.counterexample is None


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("most", ["(1 * x + 0) // 2", "(2 * x + 0) // 3", "min(x, 3)"])
def test_a_pile_from_which_more_and_more_is_taken_has_a_window(most, same):
    assert regular(most, 60)
    ruleset = pile(most)
    proof = prove_claim(ruleset, stated(most, same), limits=LIMITS)
    assert proof.status == "proved"
    assert proved_by(record_of(proof.theorem), ruleset) == proof.theorem


WRONG = [  # the rest of the position, its condition, and where the claim would be about it
    ("", "x != 5", "True"),
    (", y: 0..N", "x >= y", "y == 0"),
]


@pytest.mark.parametrize(("more", "where", "about"), WRONG)
def test_a_pile_that_cannot_have_every_size_has_no_window(more, where, about):
    claim = stated("x // 2", same=True)
    claim = Claim(claim.id, claim.target, parse("G(x - x // 2 - 1, y)" if more else str(claim.formula)),
                  parse_condition(f"{claim.where} and {about}"), values=claim.values)  # fmt: skip
    assert prove_claim(pile("x // 2", more, where), claim, limits=LIMITS).status != "proved"


def test_what_else_can_be_moved_must_be_shown_to_be_none():
    ruleset = parse_ruleset(
        "title: t\nposition: {x: 0..N}\npass: {}\nmoves: [{take: '1..x // 2', from: x}]\n"
    )
    claim = Claim("asked", parse_target("grundy"), parse("x // 2"), parse_condition("x % 2 == 0 and p == 0"))
    assert prove_claim(ruleset, claim, limits=LIMITS).status == "proved"
    with_pass = Claim(
        "asked", parse_target("grundy"), parse("x // 2"), parse_condition("x % 2 == 0 and p == 1")
    )
    assert prove_claim(ruleset, with_pass, limits=LIMITS).status == "refuted"
