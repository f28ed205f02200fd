"""The table of engines: what a share is worth is seen beside the best constant, and no engine's best is below it."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from tests.findings import made
from tests.findings.test_candidates import study_of

from grundylab.check.shares import SplitCounts
from grundylab.discover import ENGINES, EngineQuestion, Proposals, collect, engine_findings, ranked_candidates
from grundylab.discover.base import EngineWork, HallRow
from grundylab.discover.engines import automata, gplearn
from grundylab.findings.catalogue import catalogue_of, record_from_json, write_catalogue
from grundylab.findings.results import Results, StudyRecord
from grundylab.findings.wording import training_text
from grundylab.games import load_ruleset, make_instance, parse_target
from grundylab.language import parse
from grundylab.pipeline.steps import Steps, StudyState
from grundylab.records.finding import CONSTANT
from grundylab.report.account import account
from grundylab.report.engine_standings import questions, standings
from grundylab.report.summary import run_summary
from grundylab.solve.solving import solve

P = parse_target("p")
ALL = [name for name in ENGINES if name != "pysr"]
# three piles, of whose positions few are P-positions; a game with few N-positions; and one with numbers
SMALL = f"""\
budget: 0.1
seeds: 1
ask: all
engines: {ALL}
studies:
  three:
    ruleset: nim
    targets: [p]
    train: {{bounds: {{N: 5}}}}
    validate: {{bounds: {{N: 7}}}}
    test: {{bounds: {{N: 9}}}}
  grundy:
    ruleset: nim-2
    targets: [grundy, grundy == 0]
    train: {{bounds: {{N: 6}}}}
    validate: {{bounds: {{N: 8}}}}
    test: {{bounds: {{N: 10}}}}
  halves:
    ruleset: max-nim-ceil
    targets: [p]
    train: {{bounds: {{N: 30}}}}
    validate: {{bounds: {{N: 40}}}}
    test: {{bounds: {{N: 90}}}}
"""


def run(study):
    """Return the catalogue of a study whose stages run in this process."""
    splits = {name: [*map(solve, study.instances(name))] for name in ("train", "validate", "test")}
    verdicts = Steps(study, splits.__getitem__, Path()).after(StudyState(study), "fit", "verify").results
    about = {**study.about, "study": study.name, "open": None, **study.made}
    return catalogue_of([(record_from_json(StudyRecord, about, study.name), verdicts)])


@pytest.fixture(scope="module")
def catalogues():
    return {name: run(study) for name, study in study_of(SMALL).items()}


def test_no_engine_s_best_is_below_the_constant(catalogues):
    for catalogue in catalogues.values():
        constants = {row.target: row for row in catalogue.league if row.engine == CONSTANT}
        assert set(constants) == set(catalogue.studies[0].targets)
        rows = [row for row in catalogue.league if row.formula]
        assert len(rows) > len(ALL) / 2
        for row in rows:
            constant = constants[row.target]
            assert row.train.right >= constant.train.right, row
            assert (row.result == "constant") == (row.train.right == constant.train.right), row


def test_the_constant_is_no_engine_and_no_finding(catalogues):
    for catalogue in catalogues.values():
        assert CONSTANT not in {each.engine for each in standings(catalogue.league)}
        assert not any(formula.is_reference for formula in catalogue.formulas)
        assert "closest: False" not in account(catalogue)


@pytest.mark.parametrize(
    ("proposed", "expected"),
    [
        (["x <= y"], [("False", 42, 49)]),  # it is right at 28 positions
        (["x != y"], [("x == y", 49, 49)]),  # right at none
        (["x == y or x == 0", "x <= y"], [("x == y or x == 0", 43, 49), ("False", 42, 49)]),
        (["x != y or x == 2"], [("x == y and x != 2", 48, 49), ("False", 42, 49)]),
        ([], []),
    ],
)
def test_a_formula_that_is_right_less_often_than_a_constant_is_replaced(proposed, expected, monkeypatch):
    formulas = tuple(map(parse, proposed))
    monkeypatch.setattr(automata, "propose", lambda *_: Proposals(formulas))
    table = solve(make_instance(load_ruleset("nim-2"), {}, {"N": 6}))
    alone = EngineQuestion(P).about("automata", collect([table], P))
    (found,) = engine_findings([table], EngineQuestion(P), ["automata"], above=[])
    for each in (alone, found):
        assert [(str(c.formula), c.train.right, c.train.total) for c in each.candidates] == expected
        assert [c.formula for c in each.candidates if c.is_reference] == [parse("False")] * (
            expected[-1:] == [("False", 42, 49)]
        )
        assert not any(c.is_reference for c in ranked_candidates([each]))


def test_recall_and_specificity_are_counted_in_the_tables_and_written(catalogues, tmp_path):
    write_catalogue(catalogues["three"], tmp_path)
    table = solve(make_instance(load_ruleset("nim"), {}, {"N": 9})).to_frame()
    true = table["outcome"] == "P"
    assert true.mean() < 0.1  # P-positions are rare
    written = [pd.read_parquet(tmp_path / f"{name}.parquet") for name in ("candidates", "engines")]
    counted = 0
    for row in pd.concat(written).dropna(subset=["formula"]).itertuples():
        if row.formula in ("False", "x ^ y == z"):
            says = (table["x"] ^ table["y"]) == table["z"] if row.formula != "False" else true & False
            recall, specificity = (says & true).sum() / true.sum(), (~says & ~true).sum() / (~true).sum()
            assert (row.test_recall, row.test_specificity) == (recall, specificity)
            assert row.test_balanced == (recall + specificity) / 2
            assert (row.test, row.test_right) == ((says == true).mean(), (says == true).sum())
            counted += row.formula == "False" and row.test_balanced == 0.5 and row.test > 0.9
    assert counted >= 2


def test_numbers_of_positions_are_the_same_everywhere(catalogues, tmp_path):
    """Compare the records of the catalogue, its Parquet files, and the texts with the positions of the tables."""
    catalogue = catalogues["three"]
    train, validate, test = 6**3, 8**3, 10**3
    write_catalogue(catalogue, tmp_path)
    candidates, engines, found = (
        pd.read_parquet(tmp_path / f"{name}.parquet") for name in ("candidates", "engines", "catalogue")
    )
    for frame in (candidates.dropna(subset=["formula"]), engines.dropna(subset=["formula"])):
        assert set(frame["train_total"]) == {train}
        assert set(frame["validate_total"]) == {validate}
        assert set(frame["test_total"]) == {test}
    formulas = found[(found["kind"] == "formula") & (found["where"] == "True")]
    assert set(formulas["total"]) == {train}
    assert set(formulas["validation_total"]) == {validate}
    assert set(formulas["checked"]) == {test}
    assert set(found["training"].dropna()) - {""} == {"N=5"}
    best = next(each for each in catalogue.formulas if each.status in ("holds", "proved"))
    text = training_text(best)
    for count in (f"{train} positions (N=5)", f"{validate} validation", f"{test:,} test positions (N=9)"):
        assert count in text
    assert f"three, p: {train} training positions, {validate} validation positions" in run_summary(catalogue)
    assert f" {train} positions (N=5); " in account(catalogue)


def test_an_engine_that_learns_again_names_the_tables_and_keeps_the_numbers_of_the_training_tables(
    monkeypatch,
):
    """Use an engine whose formula for the training tables is wrong in the next ones."""

    def engine(samples, *_):
        return Proposals(
            (parse("x == y" if samples.columns["x"].max() > 5 else "x == y or x > 5 and y == 0"),)
        )

    monkeypatch.setattr(automata, "propose", engine)
    tables = [solve(make_instance(load_ruleset("nim-2"), {}, {"N": bound})) for bound in (5, 7, 9)]
    (found,) = engine_findings(tables[:1], EngineQuestion(P), ["automata"], above=[tables[1:2], tables[2:]])
    proposed = Results(runs=(found.run,), findings=tuple(found.candidates))
    (run,), best = proposed.runs, proposed.findings[0]
    learnt = best.origin.learnt
    assert [(each.instances, each.positions) for each in learnt] == [(("N=5",), 36), (("N=7",), 64)]
    assert run.learnt == learnt
    assert (best.origin.training, best.train.right, best.train.checked) == (("N=5",), 36, 36)
    validate = best.validate
    assert ((*validate.instances,), validate.right, validate.checked) == (("N=9",), 100, 100)
    for count in (
        "36 positions (N=5)",
        "64 positions (N=7)",
        "36 training",
        "100 validation positions (N=9)",
    ):
        assert count in training_text(best)


def test_the_best_formula_of_an_engine_is_not_chosen_by_the_test_positions():
    shares = (("x == y", 90), ("x < y", 80))
    formulas = [made.formula(formula=text, train=made.counts(right, 100)) for text, right in shares]
    found = made.catalogue(studies=[made.study(engines=("search",))], formulas=formulas)
    tested = [
        replace(each, tables={**each.tables, "test": SplitCounts(right=right, checked=1_000, total=1_000)})
        for each, right in zip(found.findings, (10, 999), strict=True)
    ]
    (row,) = (row for row in replace(found, findings=tuple(tested)).league if row.engine == "search")
    assert (str(row.formula), row.train.right, row.test.right) == ("x == y", 90, 10)


def test_an_exact_row_has_no_note_of_a_budget_and_the_work_of_all_seeds(monkeypatch):
    """The note of another seed, or of a search that went on, stood beside an exact formula."""

    def propose(samples, target, seed, budget):
        formula = parse("x == y" if seed == 1 else "x <= y and y < x + 1 and x != 3")
        hall = (HallRow(3, 0.0, f"equation {seed}", str(formula), chosen=True),)
        notes = ("answered by itself", *([] if seed == 1 else ["used up 4 of 20 generations: more"]))
        return Proposals((formula,), notes, hall=hall, work=EngineWork(seed + 1, 4, "generations"))

    monkeypatch.setattr(gplearn, "propose", propose)
    text = SMALL.replace(str(ALL), "[gplearn]").replace("seeds: 1", "seeds: 3").replace("[grundy, ", "[p, ")
    catalogue = run(study_of(text)["grundy"])
    row = next(row for row in catalogue.league if str(row.target) == "p")
    assert (row.result, row.note) == ("exact", "answered by itself")
    assert (row.seed, row.seeds, row.exact_seeds) == (1, 3, 1)
    assert (row.rounds, row.work, row.unit) == (6, 12, "generations")
    (question, _) = questions(catalogue.league, catalogue.runs)
    assert [each.equation for each in question.halls["gplearn"]] == ["equation 1"]
