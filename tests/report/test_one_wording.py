"""A claim that is true exactly for some parameters is known to be just that, and so is the same formula.

Golden files have how each output words it.
"""

from dataclasses import replace

import pytest
from tests.findings import made
from tests.findings.made import needs_mona, proposed, results

from grundylab.files import write_text
from grundylab.findings.proof_records import prove_all, with_proofs
from grundylab.findings.verdicts import verified_claims, verified_formulas
from grundylab.findings.wording import status_details, words_text
from grundylab.games import load_ruleset, make_instance
from grundylab.language.syntax import TRUE
from grundylab.report.site.build import write_site
from grundylab.solve import solve

pytestmark = needs_mona

# x == y is true but where the hole is on the diagonal
HOLE = """\
title: nim with a hole
parameters: {a: a >= 0, b: b >= 0}
position: {x: 0..N, y: 0..N}
where: x != a or y != b
moves:
  - {for: {t: 1..x}, to: {x: x - t}, when: x - t != a or y != b}
  - {for: {t: 1..y}, to: {y: y - t}, when: x != a or y - t != b}
claims:
  - {id: guess, at: my guess, unpublished: true, target: p, formula: x == y}
"""


@pytest.fixture
def known(tmp_path, monkeypatch):
    """Return a function that makes a catalogue of a game's claims and one formula, and its page."""
    monkeypatch.chdir(tmp_path)

    def of(text, formula, *parameters):
        write_text(tmp_path / "rulesets" / "game.yaml", text)
        ruleset = load_ruleset("game")
        tables = [solve(make_instance(ruleset, values, {"N": 9}), "outcome") for values in parameters]
        found = proposed(formula, "p", "automata", 10, 10)
        verdicts = results(
            formulas=tuple(verified_formulas(ruleset, [found], {"test": tables})),
            claims=tuple(verified_claims(ruleset, tables)),
        )
        verdicts = with_proofs(verdicts, prove_all(ruleset, verdicts, [TRUE], 20.0, tmp_path / "proofs"))
        known = {"ruleset": "game", "title": ruleset.title, **made.made_now(*ruleset.files)}
        study = made.study(engines=["automata"], open="nobody asked", **known)
        own = {"study": "s"}
        catalogue = made.catalogue(
            [study],
            [replace(each, **own) for each in verdicts.formulas],
            [replace(each, **own) for each in verdicts.claims],
        )
        write_site(catalogue, tmp_path, tmp_path / "page")
        return catalogue, (tmp_path / "page" / "rulesets" / "game.html").read_text()

    return of


@pytest.mark.parametrize(
    "settings",
    [
        [{"a": a, "b": b} for a in range(3) for b in range(3)],
        [
            {"a": 5, "b": 5},
            {"a": 5, "b": 6},
        ],  # in these the formula holds where b > 5, but it is wrong at a = b = 7
    ],
)
def test_claim__is_proved_under_the_exact_condition_and_no_other_is_told(known, settings):
    catalogue, page = known(HOLE, "x == y", *settings)
    (claim,), (formula,) = catalogue.claims, catalogue.formulas
    assert claim.status == "refuted"
    assert words_text(status_details(formula)) == words_text(status_details(claim))
    assert {str(proof.where) for proof in claim.proofs if proof.exactly} == {"a != b"}
    assert claim.correction is None or claim.correction.status == "proved"
    assert '<span class="badge holds">' not in page
