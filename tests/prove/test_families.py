"""What is claimed for every function of a family is proved only where it is so of each of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.check.families import Extent, members
from grundylab.check.judging import judge_at
from grundylab.errors import GrundylabError
from grundylab.games import Claim, Ruleset, make_instance, parse_ruleset, parse_target
from grundylab.games.model import ALWAYS
from grundylab.games.specialise import with_variables
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import TRUE
from grundylab.prove.causal import _difference, _solved
from grundylab.prove.certificates import check_certificate
from grundylab.prove.induction import true_everywhere
from grundylab.prove.lookups import NotSaid
from grundylab.prove.outcome import CertificateError, Limits, Premise, Proof
from grundylab.prove.prover import prove_claim
from grundylab.prove.reduction import EVERY, NUMBERS, ways
from grundylab.solve import solve

LIMITS = Limits(timeout=10, memory=2**30)
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
    """The two-dimensional chocolate bar of every such h."""
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
    """Whether the claim is false of some h with small values, by the definition."""
    games = members(ruleset, {"h": Extent((range(7),), range(3))})
    checks = (
        judge_at(claim, solve(make_instance(game, {}, {"N": 4}), claim.target.values)) for game in games
    )
    return any(check.counterexample is not None for check in checks)


def follows(ruleset: Ruleset, claim: Claim, rule: str) -> bool:
    """Whether the rule gives premises that automata decide; no gate looks at anything."""

    def decided(premise: Premise) -> bool:
        game, said = with_variables(premise.ruleset, premise.claim.variables), premise.claim
        return true_everywhere(game, said.formula, said.where, LIMITS) is True

    return any(all(map(decided, premises)) for premises in ways(ruleset, claim, TRUE, rule))


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
    proved = follows(ruleset, claim, NUMBERS)
    event(f"proved: {proved}")
    note(f"{asked}: {said}")
    assert not proved or not wrong_in_some_game(ruleset, claim)


# -- the induction -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def theorem() -> Proof:
    return prove_claim(bar(NS), stated("grundy", "y ^ z"), limits=LIMITS)


def test_the_grundy_numbers_of_all_bars_with_the_property_are_nim_sums(theorem: Proof) -> None:
    assert (theorem.status, theorem.rule) == ("proved", EVERY)
    record = json.loads(theorem.certificate or "")
    assert check_certificate(record, bar(NS))[0].status == "proved"


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
    assert not follows(ruleset, stated("grundy", formula), EVERY)


FORGED: dict[str, Any] = {
    "another formula": lambda r: r["statement"].update(formula="y ^ z ^ 1"),
    "another game": lambda r: r.update(hash="0" * 64),
    "one premise less": lambda r: r["premises"].pop(),
    "a premise that says nothing": lambda r: r["premises"][3].update(formula="True"),
    "premises exchanged": lambda r: r["premises"].reverse(),
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_certificate_proves_nothing(how: str, theorem: Proof) -> None:
    record = json.loads(theorem.certificate or "")
    FORGED[how](record)
    with pytest.raises((CertificateError, GrundylabError)):
        check_certificate(record, bar(NS))


# -- the choice that is wanted of itself -------------------------------------------------------------------------------


@given(st.data())
def test_what_depends_on_less_than_it_is_wanted_from_has_one_choice_that_is_wanted_of_itself(data):
    digits = 4
    wanted = [0] * (1 << digits)  # digit k of the value is any function of the digits above k
    for k in range(digits):
        table = data.draw(
            st.lists(st.booleans(), min_size=1 << (digits - 1 - k), max_size=1 << (digits - 1 - k))
        )
        wanted = [value | table[w >> (k + 1)] << k for w, value in enumerate(wanted)]
    for w, one in enumerate(wanted):
        for other, two in enumerate(wanted):
            assert all(one ^ two < q for q in (1, 2, 4, 8) if w ^ other < 2 * q)
    assert sum(w == value for w, value in enumerate(wanted)) == 1


def test_an_equation_is_solved_only_by_what_does_not_need_the_unknown() -> None:
    found, others = _solved(parse_condition("p == 0 and a ^ u ^ b == c"), "u")
    assert (str(found), list(map(str, others))) == ("a ^ b ^ c", ["p == 0"])
    for text in ("a + u == c", "u ^ u == a", "u ^ h(u) == a", "u == a and u == b", "u <= a", "a == b"):
        with pytest.raises(NotSaid):
            _solved(parse_condition(text), "u")
    assert str(_difference(parse("a ^ b ^ c"), parse("c ^ d ^ a"))) == "b ^ d"
