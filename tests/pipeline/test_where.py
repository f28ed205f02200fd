"""Studies of a region: they learn, verify and prove at the positions that satisfy ``where``, and at no others."""

import pytest
from tests.findings.made import agreeing_claims, candidate, needs_mona, results
from tests.findings.made import formula as found_before
from tests.solved import solved_table

from grundylab.discover import collect, discover
from grundylab.errors import GrundylabError
from grundylab.findings.proof_records import prove_all
from grundylab.findings.verdicts import verified_formulas
from grundylab.games import parse_ruleset, parse_target
from grundylab.language import parse_condition
from grundylab.language.syntax import TRUE

P = parse_target("p")
GAME = """title: two piles with a pass
piles: 2
position: {x: 0..N}
moves: [{take: t, from: x}]
parameters: {m: m >= 1}
pass: {when: x + y >= m}
claims:
  - {id: used-up, where: p == 0, target: p, formula: x == y}
  - {id: inside, where: p == 1 and 1 <= x <= y <= 9 and m == 1, target: p, formula: x % 2 == 1 and y == x + 1}
  - {id: wider, where: p == 1 and x <= y and m == 1, target: p, formula: x == y == 0 or x % 2 == 1 and y == x + 1}
"""
REGION = parse_condition("p == 1 and 1 <= x <= y and m == 1")
FORMULA = "x % 2 == 1 and y == x + 1"
BOTH = f"x == y == 0 or {FORMULA}"
BELOW = "x == y if x + y < m else min(x, y) > 0 and (x - 1) ^ (y - 1) == 1"


def table(bound=12, m=1):
    return solved_table(GAME, "outcome", m=m, N=bound)


def test_the_positions_learnt_from_are_those_that_fulfil_it():
    solved = [table(), table(m=2)]
    samples = collect(solved, P, REGION)
    found = list(zip(*(samples.columns[name].tolist() for name in ("x", "y", "p", "m")), strict=True))
    assert found == [(x, y, 1, 1) for x in range(1, 13) for y in range(x, 13)]
    assert samples.values.tolist() == [solved[0][x, y, p] == 0 for x, y, p, _ in found]
    assert len(collect(solved, P, TRUE)) == len(collect(solved, P)) == 2 * 13 * 13 * 2


def test_it_must_leave_some_position():
    with pytest.raises(GrundylabError, match="x > 12"):
        collect([table()], P, parse_condition("x > 12"))


def test_a_formula_is_found_and_judged_there_and_nowhere_else():
    ruleset, small, large = parse_ruleset(GAME), table(), table(40)
    (best, *_) = discover([small], P, where=REGION)
    assert (best.exact, best.train.total) == (True, 12 * 13 // 2)
    (found,) = verified_formulas(ruleset, [best], {"test": [large]}, REGION)
    assert (found.status, found.where, found.test.checked) == ("holds", REGION, 40 * 41 // 2)
    # what is wrong elsewhere is not held against it
    (inside,) = verified_formulas(ruleset, [candidate(FORMULA)], {"test": [large]}, REGION)
    (everywhere,) = verified_formulas(ruleset, [candidate(FORMULA)], {"test": [large]})
    assert (inside.status, everywhere.status) == ("holds", "refuted")
    assert everywhere.counterexample.position == {"x": 0, "y": 0, "p": 0}
    # a claim about more positions is not the same
    (inside,) = verified_formulas(ruleset, [candidate(BOTH)], {"test": [large]}, REGION)
    (wider,) = verified_formulas(
        ruleset, [candidate(BOTH)], {"test": [large]}, parse_condition("p == 1 and x <= y")
    )
    assert (agreeing_claims(inside.comparison), agreeing_claims(wider.comparison)) == (
        ("inside",),
        ("inside", "wider"),
    )
    # a partial formula says what it is about, too
    (partial,) = verified_formulas(ruleset, [candidate("x == y", exact=False)], {"test": [small]}, REGION)
    assert (partial.status, partial.where) == ("partial", REGION)


@needs_mona
@pytest.mark.parametrize(
    ("where", "formula", "status", "found"),
    [
        ("p == 1 and x <= y and m == 1", BOTH, "proved", "p == 1 and x <= y and m == 1"),
        ("p == 1 and x <= y and m == 3", BOTH, "refuted", "p == 1 and x <= y and m == 3"),
        ("p == 0", "x == y", "proved", "p == 0"),
        ("p == 0", "x == y + 1", "refuted", "p == 0"),
        # a parameter that the region leaves free: for which values is it true there?
        ("p == 1", BELOW, "proved", "p == 1 and (m % 4 == 1 or m % 4 == 2)"),
    ],
)
def test_a_proof_is_of_the_region(tmp_path, where, formula, status, found):
    judged = results(formulas=(found_before(formula=formula, where=where),))
    (proof,) = prove_all(parse_ruleset(GAME), judged, [TRUE], 20, tmp_path)
    assert proof.proofs[0].status == status
    assert proof.proofs[0].assuming == parse_condition(found)
