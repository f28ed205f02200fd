"""Every ruleset in rulesets/: it loads, and it solves; claims that are of no paper of ours are true.

The claims of the papers are in the tables of the papers' own tests.
"""

from pathlib import Path

import pytest

from grundylab.catalogue.papers import load_papers

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (ROOT / "rulesets").glob("*.yaml"))
PAPERS = {paper.name for paper in load_papers(ROOT / "papers")}


@pytest.mark.parametrize("name", NAMES)
def test_the_ruleset_is_solved(load, samples, solved, name):
    ruleset = load(name)
    if ruleset.free:
        pytest.skip("a family of games has no values of its own")
    kind = "outcome" if ruleset.play == "misere" else "grundy"
    for sample in samples(name):
        assert solved(name, kind, **sample).positions


# Families of games that are of no paper: how far their functions are looked at, and to which bounds.
FAMILIES = {"turn-limit-nondecreasing": ({"f": "1..9 -> 1..3"}, {"N": 5, "K": 1})}


def test_claims_that_are_of_no_paper_hold(comes_out, recorded):
    found = {}
    for _, name, claim in recorded(None):
        every, bounds = FAMILIES.get(name, (None, {}))
        found[name, claim] = comes_out(name, claim, every=every, **bounds)
    assert set(found.values()) == {"holds"}, found


@pytest.mark.parametrize("name", NAMES)
def test_the_ruleset_names_papers_that_are_recorded_and_each_claim_says_where_it_is_from(load, name):
    ruleset = load(name)
    assert ruleset.title
    assert ruleset.source is None or (ruleset.source.paper in PAPERS and ruleset.source.at)
    assert all(claim.at and claim.paper in {None, *PAPERS} for claim in ruleset.claims)
