"""Every ruleset in rulesets/: it loads, it solves, and each of its claims is true or a known falsehood."""

from itertools import product
from pathlib import Path

import pytest

from grundylab.formula.syntax import Binary, Int, Not

NAMES = sorted(path.stem for path in (Path(__file__).parents[2] / "rulesets").glob("*.yaml"))
PARAMETERS = {
    "nim-with-a-pass-from-m": {"m": (1, 3, 4, 8)},
    "subtraction-1-to-m": {"m": (1, 2, 5)},
    "turn-limit-linear": {"m": (1, 2, 3)},
    "two-stones-floor": {"a": (1, 3), "b": (2, 3)},
    "two-stones-ceil": {"a": (1, 3), "b": (2, 3)},
    "chocolate-half": {"k": (1, 2)},
    "chocolate-half-pass": {"k": (1, 2)},
}
# Bounds by the number of coordinates but the pass: small, and enough for each claim to say something.
BOUNDS = {1: 120, 2: 24, 3: 12, 4: 5}

# Claims that are false as printed: (ruleset, claim) → the smallest counterexample.
FALSE_AS_PRINTED = {
    # Case (ii), x = 1 mod 4, has x + 1 where Lemma 8 needs x + 3.
    ("chocolate-log-pass", "corollary-4-b"): (1, 0, 2, 1),
    ("chocolate-half-pass", "corollary-4-b"): (1, 0, 2, 1),
}


def samples(name):
    chosen = PARAMETERS.get(name, {})
    return [dict(zip(chosen, values, strict=True)) for values in product(*chosen.values())]


def bounds(ruleset):
    size = BOUNDS[len([name for name in ruleset.coordinate_names if name != "p"])]
    return {bound: size if bound == "N" else 6 for bound in ruleset.bounds}


@pytest.mark.parametrize("name", NAMES)
def test_the_ruleset_is_solved_and_its_claims_are_true_but_for_the_known_falsehoods(
    load, solved, counterexamples, name
):
    ruleset = load(name)
    false = {}
    for parameters in samples(name):
        kind = "outcome" if ruleset.play == "misere" else "grundy"
        table = solved(name, kind, **bounds(ruleset), **parameters)
        for claim in ruleset.claims:
            for position in counterexamples(table, claim)[:1]:
                false.setdefault((name, claim.id), set()).add(position)
    known = {key: {position} for key, position in FALSE_AS_PRINTED.items() if key[0] == name}
    assert false == known


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_is_about_some_position_of_some_sample(load, solved, counterexamples, name):
    """A claim whose 'where' never holds would be true of nothing; its negation must be false somewhere."""
    ruleset = load(name)
    for claim in ruleset.claims:
        number = claim.target.name == "grundy"
        opposite = Binary("+", claim.formula, Int(1)) if number else Not(claim.formula)
        kind = "outcome" if ruleset.play == "misere" else "grundy"
        tables = [solved(name, kind, **bounds(ruleset), **parameters) for parameters in samples(name)]
        assert any(counterexamples(table, claim, opposite) for table in tables), claim.id


@pytest.mark.parametrize("name", NAMES)
def test_the_ruleset_names_a_paper_that_exists_or_says_where_its_claims_are_from(load, name):
    papers = {
        "atlas-of-nim-with-a-pass",
        "chocolate-games-with-a-pass",
        "games-of-nim-with-restriction",
        "restricted-nim-with-a-pass",
    }
    ruleset = load(name)
    assert ruleset.title
    assert ruleset.source is None or (ruleset.source.paper in papers and ruleset.source.at)
    assert all(claim.at for claim in ruleset.claims)
