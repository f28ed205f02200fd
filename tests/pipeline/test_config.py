"""config.yaml: rows, engines for a target and sweeps of a study; and its faults, each with its line."""

import shutil
from pathlib import Path

import pytest
from tests.bad_input.studies import BASE, FAMILY
from tests.findings.made import proposed

from grundylab.discover import ENGINES
from grundylab.errors import ConfigError
from grundylab.games import load_ruleset, parse_target
from grundylab.games.yamlfile import parse_document
from grundylab.language import parse_condition
from grundylab.language.syntax import TRUE
from grundylab.pipeline.config import make_studies
from grundylab.pipeline.single_game import default_study
from grundylab.pipeline.steps import answer_stands
from grundylab.pipeline.study import Settings, Study

GAMES = ("name", "version", "ruleset", "sources", "given")  # as the rules name them
RULESETS = str(Path(__file__).parents[2] / "rulesets")


def studies(text, head="engines: [search, tree]\n"):
    return make_studies(parse_document(f"{head}studies:\n{text}", "config.yaml", ConfigError), RULESETS)


def test_a_range_is_a_list_and_where_leaves_some_combinations_out():
    (study,) = studies(BASE).values()
    assert [dict(i.parameters) for i in study.train] == [{"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 2, "b": 3}]
    assert (study.each, study.where) == (False, TRUE)
    (study,) = studies(BASE + "    where: x == 3 and 1 <= y\n    each: true\n").values()
    assert (study.each, study.where) == (True, parse_condition("x == 3 and 1 <= y"))


def test_engines_are_for_all_targets_or_by_target():
    def named(text):
        (study,) = studies(BASE + text).values()
        return {str(target): engines for target, engines in study.engines.items()}

    assert named("") == {"p": ("search", "tree"), "grundy": ("search", "tree")}
    assert named("    engines: [runs]\n") == {"p": ("runs",), "grundy": ("runs",)}
    assert named("    engines: {}\n") == named("")
    assert named("    engines: {grundy: [transfer]}\n") == {"p": ("search", "tree"), "grundy": ("transfer",)}


def test_a_study_of_rows_needs_no_instances_and_does_not_judge_the_claims():
    found = studies("  r:\n    ruleset: nim-with-a-pass\n    rows: {fix: {p: 1, x: 2..3}, length: 50}\n")
    assert (found["r"].train, found["r"].test, found["r"].engines) == ((), (), {})
    assert [fixed for _, fixed in found["r"].rows.rows] == [{"p": 1, "x": 2}, {"p": 1, "x": 3}]
    assert not found["r"].judges_claims


def test_the_claims_of_a_ruleset_are_judged_by_one_study_the_first_that_tests():
    found = studies(BASE + BASE.replace("  s:", "  later:") + FAMILY)
    assert [name for name, study in found.items() if study.judges_claims] == ["s", "a"]


def test_a_ruleset_is_the_same_by_its_name_and_by_its_path():
    by_path = (
        BASE.replace("  s:", "  later:")
        .replace("two-stones", f"{RULESETS}/two-stones")
        .replace("floor", "floor.yaml")
    )
    found = studies(BASE + by_path)
    assert [name for name, study in found.items() if study.judges_claims] == ["s"]


@pytest.mark.parametrize("first", ["two-stones-floor", "mine/two-stones-floor.yaml"])
def test_two_rulesets_of_one_name_are_refused(tmp_path, monkeypatch, first):
    """The data and the results of both rulesets would have the same file names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    shutil.copy(Path(RULESETS) / "two-stones-floor.yaml", tmp_path / "mine")
    others = {
        "two-stones-floor": "mine/two-stones-floor.yaml",
        "mine/two-stones-floor.yaml": "two-stones-floor",
    }
    text = BASE.replace("two-stones-floor", first)
    text += BASE.replace("  s:", "  later:").replace("two-stones-floor", others[first])
    with pytest.raises(
        ConfigError, match=r"config.yaml:9: studies.later.ruleset: .*mine/two-stones-floor.yaml"
    ):
        studies(text)


def test_a_stage_cannot_use_what_is_not_in_its_params():
    study = studies(BASE)["s"]
    judging = Study.of(study.part([*GAMES, "test", "where", "judges_claims"]))
    assert (judging.test, judging.where, judging.judges_claims) == (study.test, study.where, True)
    with pytest.raises(AttributeError, match="budget"):
        assert judging.budget
    learning = Study.of(study.part([*GAMES, "train", "engines", "budget"]))
    assert learning.engines[parse_target("grundy")] == ("search", "tree")
    assert (learning.train, learning.budget) == (study.train, study.budget)


def test_settings_that_are_left_out_have_the_defaults_of_the_documents():
    assert Settings().model_dump() == {
        "seed": 0,
        "seeds": 3,
        "budget": 10,
        "budgets": {},
        "proof_timeout": 20,
        "coq": False,
        "ask": "until-found",
    }


@pytest.mark.parametrize(("budget", "seconds"), [("", 60), ("budget: 2\n", 12)])
def test_a_name_alone_is_the_study_that_is_made_without_a_configuration(budget, seconds):
    (study,) = studies("  nim-2: {}\n", budget).values()
    assert study.model_dump() == default_study(load_ruleset("nim-2", RULESETS), seconds).model_dump()


def test_to_compare_engines_a_name_alone_has_all_of_them():
    (study,) = studies("  nim-2: {}\n", "ask: all\n").values()
    assert {*study.engines[parse_target("p")]} == {*ENGINES}


def test_rungs_begin_with_the_training_tables_and_then_have_larger_ones():
    wider = "    validate: {bounds: {N: [8, 6]}, parameters: {a: 1, b: 3}}\n"
    (study,) = studies(BASE + wider).values()
    assert [dict(instance.bounds) for instance in study.validation] == [{"N": 8}, {"N": 6}]
    assert study.rungs == ((0, 1, 2), (0, 4, 2), (0, 3, 2))


def test_a_family_of_games_has_no_datasets():
    found = studies(BASE + FAMILY)
    assert found["s"].datasets("test") == found["s"].test
    assert found["a"].test
    assert found["a"].datasets("test") == ()


def test_a_stage_reads_the_ruleset_not_one_that_it_extends():
    (study,) = studies("  p: {ruleset: chocolate-half-pass, targets: [p]}\n").values()
    assert len(study.ruleset.files) > 1
    assert Study.of(study.part(GAMES)).ruleset == study.ruleset


def test_a_stage_stops_at_a_ruleset_that_was_edited_since_the_run_began(tmp_path):
    ruleset = Path(shutil.copy(Path(RULESETS) / "two-stones-floor.yaml", tmp_path))
    text = f"engines: [search]\nstudies:\n{BASE}"
    asked = make_studies(parse_document(text, "config.yaml", ConfigError), str(tmp_path))["s"].part(GAMES)
    Study.of(asked)
    ruleset.write_text(ruleset.read_text() + "# edited\n")
    with pytest.raises(ConfigError, match=r"floor\.yaml: .*; run again"):
        Study.of(asked)


@pytest.mark.parametrize("keys", ["{}", "{ruleset: subtraction-1-to-m}", "{targets: [p], budget: 3}"])
def test_what_a_study_does_not_name_is_chosen(keys):
    name = "mine" if "ruleset" in keys else "subtraction-1-to-m"
    (study,) = studies(f"  {name}: {keys}\n").values()
    assert list(map(str, study.targets)) == (["p"] if "targets" in keys else ["p", "grundy"])
    assert set(map(str, study.engines)) == set(map(str, study.targets))
    assert study.train
    assert study.test
    assert not set(study.test) & {*study.train, *study.validation}
    assert study.budget == (3 if "budget" in keys else 10)
    assert study.judges_claims


@pytest.mark.parametrize(
    ("each", "wheres", "right"),
    [
        (False, ["True"], True),
        (False, ["a == 1 and b == 2"], False),
        (True, ["a == 1 and b == 2", "a == 1 and b == 3", "a == 2 and b == 3"], True),
        (True, ["a == 1 and b == 2", "a == 2 and b == 3"], False),
    ],
)
def test_an_answer_stands_where_each_setting_that_is_learnt_from_alone_has_one(each, wheres, right):
    (study,) = studies(BASE + f"    each: {each}\n".lower()).values()
    target = study.targets[0]
    found = [proposed("x == y", target, "search", 9, 9, where=where) for where in wheres]
    assert answer_stands(study, found, target) == right
    assert not answer_stands(study, found, study.targets[1])


DIVISORS = """title: A divisor is added; who exceeds k loses
parameters: {k: k >= 1}
position: {n: 1..k}
moves: [{for: {d: 1..n}, when: n % d == 0 and n + d <= k, to: {n: n + d}}]
measure: k - n
"""


def test_by_default_what_is_tested_has_larger_parameters_if_the_position_space_ends_at_them(tmp_path):
    (tmp_path / "divisors.yaml").write_text(DIVISORS)
    text = "studies:\n  divisors: {}\n"
    (study,) = make_studies(parse_document(text, "config.yaml", ConfigError), str(tmp_path)).values()
    train, test = (
        [dict(instance.parameters)["k"] for instance in instances] for instances in (study.train, study.test)
    )
    assert train == [*range(1, 33)]
    assert max(train) < min(test)
    assert not study.validation  # engines solve larger tables when they have an answer to try
    assert {k % 12 for k in test} == {*range(12)}
