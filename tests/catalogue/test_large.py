"""Large instances of a study: slab by slab what the solved table says, above what holds, and never against a proof."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.catalogue.made import STATEMENT, WRONG, attempted, claim, correction

from grundylab.catalogue.answers import Answer
from grundylab.catalogue.files import plain, read_catalogue, typed
from grundylab.catalogue.large import LargeVerdicts, Part, check_agreement, holding, look, whole, with_large
from grundylab.catalogue.records import Checked, Judged, Proofs, Proposed, Verdicts, described
from grundylab.catalogue.records import judged as record_of
from grundylab.check.slabs import Slab
from grundylab.check.verification import Counterexample, check, verify
from grundylab.cli.main import main
from grundylab.discover.base import Candidate
from grundylab.errors import ConfigError
from grundylab.files import read_record
from grundylab.games import Claim, Target, load_ruleset, make_instance
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import TRUE as EVERYWHERE
from grundylab.pipeline.config import read_studies
from grundylab.pipeline.stages import catalogue_stage, large_stage, slab_stage, verify_stage, write_stage
from grundylab.prove.outcome import Disagreement
from grundylab.report.listing import line_of
from grundylab.solve import solve
from grundylab.solve.dataset import dataset_path, write_dataset

# At N = 9 all of these hold; at N = 30 `late` and `few` are wrong, and 1 // (x - 25) has no value where x = 25.
TRUE = "x ^ y == (p if x + y >= m else 0)"
FEW = f"{TRUE} or x == y == 20"
NONE = f"{TRUE} and 1 // (x - 25) <= 1"
NIM = f"""\
title: Nim with a pass from m on
parameters: {{m: m >= 1}}
piles: 2
position: {{x: 0..N}}
moves:
  - {{take: t, from: x}}
pass: {{when: x + ... >= m}}
claims:
  - {{id: right, target: p, where: m % 4 == 0, formula: {TRUE}}}
  - {{id: late, target: p, where: p == 0, formula: x == y and x < 20}}
  - {{id: grundy, target: grundy, where: p == 0, formula: x ^ y}}
  - {{id: lookup, target: p, formula: "G(x, y, p) == 0", values: {{G: this}}}}
"""
CONFIG = """\
seed: 3
engines: [search]
studies:
  nim:
    targets: [p]
    train: {bounds: {N: 6}, parameters: {m: 4}}
    test: {bounds: {N: 9}, parameters: {m: 4}}
    large: {bounds: {N: 30}, parameters: {m: [4, 8]}, slabs: 3}
"""


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A project after the verify stage."""
    folder = tmp_path_factory.mktemp("judged")
    (folder / "rulesets").mkdir()
    (folder / "rulesets" / "nim.yaml").write_text(NIM)
    (folder / "config.yaml").write_text(CONFIG)
    study = read_studies(folder / "config.yaml", str(folder / "rulesets"))["nim"]
    (target,) = study.targets
    found = tuple(described(Candidate(parse(f), target, "search", 3, 98, 98)) for f in (TRUE, FEW, NONE))
    proposed = Proposed(target=target, engine="search", notes=(), candidates=found)
    write_stage(str(folder / "candidates.json"), study, {"made": study.made, "engines": [plain(proposed)]})
    *seen, test = (str(dataset_path(instance, folder=folder / "data")) for instance in study.datasets)
    for instance, file in zip(study.datasets, [*seen, test], strict=True):
        write_dataset(solve(instance, study.values), Path(file))
    verdicts, times = str(folder / "results" / "nim" / "verdicts.json"), str(folder / "t.json")
    verify_stage(study, [str(folder / "candidates.json")], seen, [test], verdicts, times)
    return folder, study


@pytest.fixture(scope="module")
def parts(judged):
    """The slabs' files."""
    folder, study = judged
    files = [folder / "results" / "nim" / name for name in study.parts]
    for number, file in enumerate(files, 1):
        slab_stage(study, str(folder / "results" / "nim" / "verdicts.json"), Slab(number, 3), str(file))
    return list(map(str, files))


def proofs(folder, study, *records):
    path = folder / "results" / "nim" / "proofs.json"
    write_stage(str(path), study, {"made": study.made, **plain(Proofs(proofs=records, comparisons=()))})
    return str(path)


def proof(formula, claim, where="True", **changes):
    return attempted(formula=formula, claim=claim, about=None if claim else "True", where=where, **changes)


def key_of(judged, formula):
    """The key of a formula about all positions."""
    path = judged[0] / "results" / "nim" / "verdicts.json"
    found = typed(Verdicts, read_record(path, ConfigError), path).formulas
    return next(each.key for each in found if str(each.formula) == str(parse(formula)))


def test_all_that_holds_in_the_game_s_own_terms_is_looked_at_and_nothing_twice(judged):
    folder, study = judged
    path = folder / "results" / "nim" / "verdicts.json"
    verdicts = typed(Verdicts, read_record(path, ConfigError), path)
    assert {record.status for record in (*verdicts.formulas, *verdicts.claims)} == {"holds"}
    asked = {(str(claim.formula), str(claim.where)) for claim in holding(study.ruleset, verdicts)}
    formulas = {(str(parse(formula)), "True") for formula in (TRUE, FEW, NONE)}
    assert asked == formulas | {(str(parse(TRUE)), "m % 4 == 0"), ("x == y and x < 20", "p == 0")}


def test_the_slabs_say_what_the_solved_tables_say(judged, parts):
    folder, study = judged
    output = folder / "results" / "nim" / "large.json"
    large_stage(study, parts, proofs(folder, study), str(output))
    said = typed(LargeVerdicts, read_record(output, ConfigError), output)
    found = {(str(record.formula), str(record.where)): record for record in said.statements}
    tables = [solve(instance, "outcome") for instance in study.large]
    (target,) = study.targets
    for (formula, where), record in found.items():
        if formula != str(parse(NONE)):
            verdict = verify(parse(formula), target, tables, parse_condition(where))
            assert record == record_of(verdict)
    assert len(found) == 5
    undecided = found[str(parse(NONE)), "True"]
    assert (undecided.status, undecided.counterexample) == ("undecided", None)
    assert "has no value at some positions" in undecided.reason


def catalogue(judged, parts, *records):
    folder, study = judged
    results = folder / "results"
    proved, large = proofs(folder, study, *records), str(results / "nim" / "large.json")
    large_stage(study, parts, proved, large)
    verdicts, asked = str(results / "nim" / "verdicts.json"), {"nim": study.asked_of("catalogue")}
    catalogue_stage(asked, [verdicts], [proved], str(results), (), [large])
    return read_catalogue(results / "catalogue.json")


def test_what_is_false_at_the_large_instances_is_refuted_and_the_rest_holds_there_too(judged, parts):
    found = catalogue(judged, parts)
    right, few, none = found.formulas
    assert (right.status, right.checked) == ("holds", 200 + 2 * 2 * 31**2)
    assert [(i.instance, i.holds) for i in right.instances] == [
        ("m=4,N=9", True), ("m=4,N=30", True), ("m=8,N=30", True)
    ]  # fmt: skip
    assert line_of(Answer(record=right)).bound == "m=4,N=9; m=4,N=30; m=8,N=30"
    assert (few.status, few.relation, few.claims) == ("refuted", None, ())
    assert few.counterexample.position == {"x": 20, "y": 20, "p": 1}
    assert few.counterexample.parameters == {"m": 4}
    assert (none.status, none.checked, none.large.status) == ("holds", 200, "undecided")
    claims = {record.claim: record for record in found.claims}
    assert (claims["right"].status, claims["right"].large.checked) == ("holds", 2 * 2 * 31**2)
    assert (claims["late"].status, claims["late"].wrong) == ("refuted", 2 * 11)
    assert claims["late"].counterexample.position == {"x": 20, "y": 20, "p": 0}
    assert (claims["grundy"].status, claims["grundy"].large) == ("holds", None)
    assert found.studies[0].large == ("m=4,N=30", "m=8,N=30")


def test_a_proof_of_what_is_false_there_stops_the_run(judged, parts):
    said = r"x == y and x < 20 .* proved by the prover, but .*x=20, y=20, p=0"
    with pytest.raises(Disagreement, match=said):
        catalogue(judged, parts, proof("x == y and x < 20", "late", assuming="p == 0"))
    # of other parameters, and of other positions, it may be proved
    elsewhere = (
        proof(str(parse(FEW)), None, where="m == 2"),
        proof("x == y and x < 20", "late", where="x < 9"),
    )
    found = catalogue(judged, parts, *elsewhere)
    assert [record.status for record in found.formulas] == ["holds", "refuted", "holds"]


def test_so_does_one_where_the_smallest_of_many_faults_is_not():
    """What is proved from x = 30 on is wrong there, but first, and at more places than are kept, below."""
    game = load_ruleset("nim-2")
    instance = make_instance(game, {}, {"N": 60})
    formula = parse("x == y and x < 40 and (x % 7 != 3 or x >= 30)")
    claim = Claim("large", Target("p"), formula, EVERYWHERE)
    verdict = whole([instance], [look(claim, [instance], Slab(1, 1))])
    assert (verdict.counterexample.position, verdict.checks[0].all_wrong) == ({"x": 3, "y": 3}, ())
    check_agreement(game, verdict, [proof(str(formula), None, where="x != y")])
    with pytest.raises(Disagreement, match="x=40, y=40"):
        check_agreement(game, verdict, [proof(str(formula), None, where="x >= 30")])


@pytest.mark.parametrize(("x", "m", "stops"), [(12, 8, True), (12, 16, False), (31, 8, False)])
def test_a_refutation_of_what_holds_there_stops_the_run(judged, parts, x, m, stops):
    example = Counterexample({"x": x, "y": x, "p": 0}, {"m": m}, 2 * x, 1, 0)
    refuted = proof(
        str(parse(TRUE)), None, status="refuted", counterexample=example, key=key_of(judged, TRUE)
    )
    if stops:
        with pytest.raises(Disagreement, match=r"refuted by the prover, but not so by the sweep of m=8,N=30"):
            catalogue(judged, parts, refuted)
    else:
        assert catalogue(judged, parts, refuted).formulas[0].status == "refuted"


def test_a_correction_that_is_false_there_is_none():
    better, instances = correction(), (Checked(instance="N=30", checked=1, holds=True),)
    study = Verdicts(claims=(claim(formula="x == 0", counterexample=WRONG, correction=better),))
    common = {**STATEMENT, "checked": 1, "instances": instances}
    for known, left in (
        ({"counterexample": WRONG}, None),
        ({"counterexample": None}, better),
        ({"counterexample": None, "reason": "no sweep"}, better),
    ):
        found = LargeVerdicts(instances=("N=30",), slabs=1, statements=(Judged(**common, **known),))
        assert with_large(study, found).claims[0].correction == left


def test_only_all_slabs_of_one_statement_and_these_instances_make_a_whole(judged):
    _, study = judged
    claim, other = study.ruleset.claim("late"), study.ruleset.claim("right")
    made = [look(claim, study.large, Slab(number, 3)) for number in (3, 1, 2)]
    assert whole(study.large, made).wrong == 22
    for wrong in (made[:2], [*made, made[0]], [*made[:2], made[1]], []):
        with pytest.raises(ConfigError, match="these are not all slabs of a whole"):
            whole(study.large, wrong)
    with pytest.raises(ConfigError, match="of several formulas"):
        whole(study.large, [*made[:2], look(other, study.large, Slab(2, 3))])
    with pytest.raises(ConfigError, match=r"these slabs are not of nim \(m=4,N=9\)"):
        whole(study.test, made)


def test_slabs_of_another_game_with_an_instance_of_the_same_name_are_not_of_the_whole(judged, tmp_path):
    study = judged[1]
    (tmp_path / "nim.yaml").write_text(NIM.replace("x + ... >= m", "x + ... > m"))
    other = make_instance(load_ruleset(str(tmp_path / "nim.yaml")), {"m": 4}, {"N": 9})
    (instance,) = study.test
    claim = study.ruleset.claim("late")
    made = [look(claim, [i], Slab(number, 2)) for number, i in enumerate((instance, other), 1)]
    with pytest.raises(ConfigError, match=r"these slabs are not of nim \(m=4,N=9\), by the same rules"):
        whole([instance], made)
    older = [made[0], replace(made[0], slab="2/2", version="0.0.1")]
    with pytest.raises(ConfigError, match="these slabs are not all by this version"):
        whole([instance], older)


def test_verify_looks_at_one_slab_and_its_records_make_the_whole(judged, capsys, monkeypatch):
    folder, study = judged
    monkeypatch.chdir(folder)
    asked = ("verify", "nim", "--claim", "late", "--bound", "N=24", "--param", "m=4", "--json", "--slab")
    records = []
    for number, status in ((1, 0), (2, 0), (3, 1)):
        assert main([*asked, f"{number}/3"]) == status
        out, err = capsys.readouterr()
        records.append(typed(Part, json.loads(out), "--json"))
        said = "refuted, looking at " if status else "holds: "
        assert f"slab {number} of 3: {said}" in err
    claim, instance = study.ruleset.claim("late"), make_instance(study.ruleset, {"m": 4}, {"N": 24})
    table = solve(instance, "outcome")
    assert whole([instance], records).checks == (check(claim.formula, claim.target, table, claim.where),)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--claim", "late", "--slab", "4/3"], "argument --slab: slab 4/3: write one of 1/3 to 3/3"),
        (["--claim", "late", "--slab", "3"], "argument --slab: '3' is not one of so many slabs; write it as 3/16"),
        (["--claim", "grundy", "--slab", "1/3"], "--slab: nim (m=4,N=9): line by line only formulas for P-positions"),
        (["--claim", "lookup", "--slab", "1/3"], "--slab goes with what is said in the game's own terms"),
    ],
)  # fmt: skip
def test_a_slab_of_what_is_not_looked_at_line_by_line_is_refused(
    judged, capsys, monkeypatch, arguments, line
):
    monkeypatch.chdir(judged[0])
    assert main(["verify", "nim", "--bound", "N=9", "--param", "m=4", *arguments]) == 2
    assert f"grundylab: {line}" in capsys.readouterr().err
