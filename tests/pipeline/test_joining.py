"""Theorems about single settings of the parameters become one theorem, which the kernel has checked, and one answer."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.findings.made import candidate, counts, needs_mona, proof

from grundylab.errors import ConfigError
from grundylab.files import write_text
from grundylab.findings.answers import answers, best_answers
from grundylab.findings.joining import join_settings, proved_whole
from grundylab.games import parse_ruleset
from grundylab.games.yamlfile import parse_document
from grundylab.language import parse
from grundylab.pipeline.config import make_studies
from grundylab.pipeline.steps import Steps, StudyState
from grundylab.solve import solve

# x % 2 == 0 is right for k = 1, 2 and 3, and for no other k
GAME = """
title: Take one, or another odd number
parameters: {k: k >= 1}
position: {x: 0..N}
moves:
  - {take: 1, from: x}
  - {take: 3, from: x, when: k <= 2}
  - {take: 5, from: x, when: k == 3}
  - {take: 2, from: x, when: k >= 4}
"""
CONFIG = """
budget: 2
studies:
  odd:
    targets: [p]
    train: {bounds: {N: 12}, parameters: {k: 1..4}}
    test: {bounds: {N: 60}, parameters: {k: 1..4}}
    engines: [search]
    each: true
"""


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    """Return the state after all steps of a study that learns from each of four settings alone."""
    folder: Path = tmp_path_factory.mktemp("study")
    write_text(folder / "odd.yaml", GAME)
    (study,) = make_studies(parse_document(CONFIG, "config.yaml", ConfigError), str(folder)).values()
    tables = {
        split: [solve(each, study.values) for each in study.datasets(split)]
        for split in ("train", "validate", "test")
    }
    return Steps(study, tables.__getitem__, folder / "proofs").after(StudyState(study))


@needs_mona
def test_the_same_formula_for_three_settings_is_one_theorem(state):
    (whole,) = (each for each in state.formulas if each.origin.derived)
    assert (str(whole.formula), str(whole.where)) == ("x % 2 == 0", "1 <= k <= 3")
    assert whole.status == "proved"
    assert whole.proofs[0].rules
    assert whole.test.instances == {f"k={k},N=60": 61 for k in (1, 2, 3)}
    assert (whole.test.right, whole.test.total) == (183, 183)


def test_a_proof_for_some_of_the_settings_is_not_taken_for_one_of_the_whole():
    ((whole, settings),) = join_settings(parse_ruleset(GAME, "odd"), [proved("k == 1"), proved("k == 3")])
    parts = [proof(under="True", where=where) for where in ("k == 1", "k <= 3")]
    assert proved_whole(replace(whole, proofs=(parts[0],)), settings) is None
    result = proved_whole(replace(whole, proofs=tuple(parts)), settings)
    assert [each.where for each in result.proofs] == [whole.where]


@needs_mona
def test_it_answers_for_these_settings_once_and_before_what_it_joins(state):
    (study,) = state.catalogue.studies
    (target,) = study.targets
    best = list(best_answers(study, target, answers(state.catalogue)))
    assert [str(each.where) for each in best] == ["1 <= k <= 3", "k == 4"]


@needs_mona
def test_the_table_of_engines_counts_only_what_an_engine_proposed(state):
    (row,) = (each for each in state.catalogue.league if each.engine == "search")
    assert (row.result, str(row.best.where)) == ("exact", "k == 1")


def proved(setting, formula="x % 2 == 0", **changes):
    tables = {"train": counts(10), "test": counts(20, instances={setting: 20})}
    about = candidate(formula, where=setting, **changes)
    return replace(about, tables=tables, proofs=(proof(where=setting),))


@pytest.mark.parametrize(
    ("findings", "condition"),
    [
        ([proved("k == 1"), proved("k == 3")], "k == 1 or k == 3"),
        ([proved("k == 2"), proved("k == 1"), proved("k == 3")], "1 <= k <= 3"),
        ([proved("k == 1 and x >= 2"), proved("k == 2 and x >= 2")], "x >= 2 and (k == 1 or k == 2)"),
    ],
)
def test_the_condition_lists_the_settings(findings, condition):
    ((whole, settings),) = join_settings(parse_ruleset(GAME, "odd"), findings)
    assert len(settings) == len(findings)
    assert whole.where == parse(condition)
    assert whole.status == "holds"  # until the kernel has checked it


@pytest.mark.parametrize(
    "findings",
    [
        [proved("k == 1")],
        [proved("k == 1"), proved("k == 2", "x % 3 == 0")],
        [proved("k == 1"), proved("k == 2 and x >= 2")],
        [proved("k == 1"), replace(proved("k == 2"), proofs=())],
        [proved("k >= 1"), proved("k == 2")],
        [proved("k == 1"), proved("k == 2"), proved("k == 1 or k == 2")],  # it is known already
    ],
)
def test_nothing_else_is_joined(findings):
    assert join_settings(parse_ruleset(GAME, "odd"), findings) == []
