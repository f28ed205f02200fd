"""What holds is proved if it is equal to what is proved, and refuted with a counterexample if it is not."""

from tests.catalogue.made import candidate, needs_mona

from grundylab.catalogue.proofs import prove_all, settled, with_proofs
from grundylab.catalogue.records import Verdicts
from grundylab.catalogue.verdicts import judge_candidates
from grundylab.games import make_instance, parse_ruleset
from grundylab.language import parse_condition
from grundylab.prove.outcome import Limits
from grundylab.solve import solve

NIM = parse_ruleset(
    "title: Nim\nparameters: {m: m >= 1}\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n",
    "nim-here",
)


def catalogued(tmp_path, *formulas, under="True"):
    tables = [solve(make_instance(NIM, {"m": 1}, {"N": 10}), "outcome")]
    judged = judge_candidates(NIM, map(candidate, formulas), tables)
    study = Verdicts(formulas=tuple(judged))
    proofs = prove_all(NIM, study, [parse_condition(under)], 30, tmp_path)
    assert [proof.formula for proof in proofs] == [formulas[0]]
    proofs += settled(NIM, judged, proofs, Limits(30), lambda _: None)
    return with_proofs(study, proofs).formulas


@needs_mona
def test_each_formula_that_holds_is_settled(tmp_path):
    proved, equal, far, outside = catalogued(
        tmp_path, "x == y", "x ^ y == 0", "x == y and x != 40", "x * x == y * y"
    )
    assert (proved.status, equal.status) == ("proved", "proved")
    assert equal.proofs[0].reason == "equal to x == y, which is proved"
    assert equal.proof == proved.proof is not None
    assert (far.status, far.counterexample.position) == ("refuted", {"x": 40, "y": 40})
    assert outside.status == "holds"  # the logic has no products: nothing is known


@needs_mona
def test_under_a_condition_it_is_proved_under_that(tmp_path):
    _, equal = catalogued(tmp_path, "x == y", "x == y and m == 2 or x - y == 0", under="m == 2")
    assert (equal.status, equal.proofs[0].under) == ("proved", "m == 2")


@needs_mona
def test_a_formula_about_other_positions_is_left_alone(tmp_path):
    tables = [solve(make_instance(NIM, {"m": 1}, {"N": 10}), "outcome")]
    judged = judge_candidates(NIM, [candidate(), candidate(where="x <= 3")], tables)
    study = Verdicts(formulas=tuple(judged[:1]))
    proofs = prove_all(NIM, study, [parse_condition("True")], 30, tmp_path)
    assert settled(NIM, judged, proofs, Limits(30), lambda _: None) == []
