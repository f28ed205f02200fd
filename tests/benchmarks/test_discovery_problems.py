"""The discovery benchmark: which claims are problems, their training data, and when a claim counts as recovered."""

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.discovery_problems import Problem, derive, grouped, region_size, shipped_studies, true_form
from benchmarks.discovery_runs import run
from benchmarks.discovery_table import Row, Setting, markdown, summary, table
from tests.findings.made import proposed
from tests.papers.small import NAMES, ruleset

from benchmarks import discovery, discovery_problems, discovery_runs
from grundylab.games import make_instance, parse_ruleset
from grundylab.games.rules import Rules
from grundylab.language import parse_condition
from grundylab.language.plain import compile_plain
from grundylab.pipeline.study import Study

ROOT = Path(__file__).parents[2]
GAME = """title: take one or two, or everything above three
position: {x: 0..N, q: 0..3}
moves: [{take: "1..min(x, 2)", from: x}]
claims:
  - {id: right, target: grundy, formula: x % 3}
  - {id: right-too, target: grundy, formula: x - x // 3 * 3}
  - {id: misprint, target: p, formula: x % 4 == 0}
  - {id: hopeless, target: p, where: x >= 3, formula: x * x * x % 7 == 5 and q == 1}
  - {id: part, target: p, where: x >= 5 and q == 1, formula: x % 3 == 0}
  - {id: constant, target: p, where: x % 3 == 0, formula: "True"}
  - {id: finite, target: p, where: x <= 4, formula: x % 3 == 0}
  - {id: one, target: p, where: x == 3 and q == 0, formula: "True"}
  - {id: moves, every-option: x < 100}
  - {id: always, condition: x >= 0}
  - {id: others, target: p, values: {G: this}, formula: "G(x, q) == 0"}
"""


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # tables are kept in ./data
    game = replace(parse_ruleset(GAME), name="game")
    train, test = ((make_instance(game, {}, {"N": bound}),) for bound in (12, 40))
    return Study.model_construct(name="game", ruleset=game, train=train, test=test)


@pytest.fixture(scope="module")
def shipped():
    return shipped_studies()


def test_every_claim_of_every_ruleset_is_a_problem_or_has_a_reason(shipped):
    questions, homes, excluded = grouped(shipped.values(), lambda study, claim: claim)
    asked = [(question.ruleset, answer.claim.id) for question, found in questions.items() for answer in found]
    told = asked + [(one.ruleset, one.claim) for one in excluded]
    assert sorted(told) == sorted((name, claim.id) for name in NAMES for claim in ruleset(name).claims)
    assert len(set(told)) == len(told)
    assert {name for name, _ in told} <= set(homes)
    assert all(one.reason for one in excluded)


def test_no_formula_about_a_games_own_positions_is_left_out(shipped):
    _, homes, excluded = grouped(shipped.values(), lambda study, claim: claim)
    for one in excluded:
        ruleset = homes[one.ruleset].ruleset
        claim = ruleset.claim(one.claim)
        if claim.kind in ("formula", "positions") and claim.plain and not ruleset.free:
            first = homes[one.ruleset].train[0]
            inside = compile_plain(claim.where, ruleset.functions)
            rules = Rules(first)
            assert sum(bool(inside(rules.environment(position))) for position in rules.positions()) <= 1


def test_claims_become_problems_by_what_they_are_about(study):
    problems, excluded = derive([study], true_form)
    found = {problem.name: [claim.id for claim in problem.claims] for problem in problems}
    assert found == {
        "game: grundy": ["right", "right-too"],
        "game: p": ["misprint"],
        "game: p where x >= 5 and q == 1": ["part"],
        "game: p where x % 3 == 0": ["constant"],
    }
    reasons = {one.claim: one.reason for one in excluded}
    assert reasons.keys() == {"hopeless", "finite", "one", "moves", "always", "others"}
    assert reasons["finite"] == discovery_problems.FINITE
    by_name = {problem.name: problem for problem in problems}
    assert by_name["game: p"].corrected == ("misprint",)
    assert str(by_name["game: p"].printed) == "x % 3 == 0"
    assert [name for name, problem in by_name.items() if problem.constant] == ["game: p where x % 3 == 0"]


def test_a_small_region_is_learnt_from_larger_tables_and_tested_on_still_larger_ones(study):
    problems, _ = derive([study], true_form)
    whole, part = problems[0], next(p for p in problems if "q == 1" in p.name)
    assert [whole.train[0].label, whole.test[0].label] == ["N=12", "N=40"]
    assert region_size(study.train[0], "outcome", part.where) == 8  # of 52 positions: less than a quarter
    assert [part.train[0].label, part.test[0].label] == ["N=24", "N=48"]


def candidates(*texts):
    """Return an engine that proposes these formulas, each with the share of training positions that it describes."""

    def engine_proposes(tables, target, engine, seed, budget, where):
        return [proposed(text, target, engine, right, 100) for text, right in texts]

    return engine_proposes


@pytest.mark.parametrize(
    ("texts", "verdict", "formula"),
    [
        ([("x % 3", 100)], "holds", "x % 3"),
        ([("x % 3 if x < 13 else 7", 100), ("x % 3", 100)], "holds", "x % 3"),
        ([("x % 3 if x < 13 else 7", 100)], "refuted", "x % 3 if x < 13 else 7"),
        ([("x % 3 if x < 5 else 0", 60)], "partial", "x % 3 if x < 5 else 0"),
        ([("x % 3", 99)], "partial", "x % 3"),
        ([], "none", None),
    ],
)
def test_a_claim_is_recovered_by_what_is_right_at_all_unseen_positions(
    study, monkeypatch, texts, verdict, formula
):
    (problem, *_), _ = derive([study], true_form)
    monkeypatch.setattr(discovery_runs, "discover", candidates(*texts))
    (attempt,) = run(problem, ["search"], [0], 1.0).attempts
    assert (attempt.verdict, attempt.formula) == (verdict, formula)


def test_what_is_about_a_part_of_the_region_recovers_nothing(study, monkeypatch):
    (problem, *_), _ = derive([study], true_form)
    part = parse_condition("x < 30")

    def proposed(*given):
        return [replace(candidate, where=part) for candidate in candidates(("x % 3", 100))(*given)]

    monkeypatch.setattr(discovery_runs, "discover", proposed)
    assert [attempt.verdict for attempt in run(problem, ["search"], [0], 1.0).attempts] == ["none"]


def test_training_grows_only_where_nothing_is_exact_and_the_first_seed_decides(study, monkeypatch):
    (problem, *_), _ = derive([study], true_form)
    asked = []

    def proposed(tables, target, engine, seed, budget, where):
        asked.append((tables[0].instance.label, seed))
        return []

    monkeypatch.setattr(discovery_runs, "discover", proposed)
    outcome = run(problem, ["gplearn"], [3, 4], 1.0)  # an engine that uses its seed
    assert asked == [("N=12", 3), ("N=24", 3), ("N=48", 3), ("N=48", 4)]
    assert dict(outcome.problem.test[0].bounds)["N"] == 96
    monkeypatch.setattr(discovery_runs, "discover", candidates(("x % 3 if x < 13 else 7", 100)))
    assert run(problem, ["search"], [3], 1.0).problem == problem


def test_the_engines_recover_a_small_game_and_the_table_says_so(study):
    problems, excluded = derive([study], true_form)
    outcomes = [run(problem, ["search", "periods"], [0, 1], 5.0) for problem in problems]
    setting = Setting(("search", "periods"), (0, 1), 5.0, None, 1, 1.0)
    assert [Row(outcome, setting).exact for outcome in outcomes] == [2, 2, 2, 2]
    lines = summary(outcomes, setting)
    assert lines[0].startswith("3 of 3 formulas (4 claims) ")
    assert lines[1].startswith("1 of 1 claims ")
    text = markdown(outcomes, excluded, setting)
    assert str(ROOT) not in text
    assert all(one.claim in text for one in excluded)
    rows = [line for line in table(outcomes, setting) if line.startswith("game")]
    assert [line.split()[1] for line in rows] == ["right", "misprint*", "part", "constant"]
    assert len({line.index(" holds at ") for line in rows[:3]}) == 1


def test_a_formula_that_fails_unseen_is_not_counted(study, monkeypatch):
    (problem, *_), _ = derive([study], true_form)
    monkeypatch.setattr(discovery_runs, "discover", candidates(("x % 3 if x < 13 else 7", 100)))
    outcome = run(problem, ["search"], [0], 1.0)
    setting = Setting(("search",), (0,), 1.0, None, 1, 1.0)
    first, *others = summary([outcome], setting)
    assert first.startswith("0 of 1 formulas (2 claims) ")
    assert any("game: grundy (0 of 1)" in line for line in others)


@pytest.mark.parametrize("arguments", [["--only", "no-such-game"], ["--engines", "oracle"]])
def test_what_cannot_be_run_is_one_line_and_status_2(arguments, capsys):
    assert discovery.main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_problems_can_be_sent_to_other_processes(study):
    import pickle

    problems, _ = derive([study], true_form)
    assert pickle.loads(pickle.dumps(problems)) == problems
    assert all(isinstance(problem, Problem) for problem in problems)
