"""Shares of candidates: a study that learns from each setting alone counts only that setting's positions."""

from pathlib import Path

import pandas as pd
import pytest
from tests.pipeline.project import ROOT

from grundylab.discover.base import EngineRun, Unread
from grundylab.errors import ConfigError
from grundylab.findings.catalogue import catalogue_of, record_from_json
from grundylab.findings.columns import candidates_frame
from grundylab.findings.league import LeagueRow
from grundylab.findings.results import StudyRecord
from grundylab.games.yamlfile import parse_document
from grundylab.pipeline.config import make_studies
from grundylab.pipeline.steps import Steps, StudyState
from grundylab.pipeline.study import Study
from grundylab.solve.solving import solve

TWO = """\
budget: 2
engines: [search]
studies:
  two:
    ruleset: subtraction-1-to-m
    targets: [p]
    each: true
    train: {bounds: {N: 20}, parameters: {m: [2, 3]}}
    test: {bounds: {N: 30}, parameters: {m: [2, 3]}}
"""


def study_of(text: str) -> dict[str, Study]:
    """Return the studies of a configuration."""
    return make_studies(parse_document(text, "config.yaml", ConfigError), str(Path(ROOT, "rulesets")))


@pytest.fixture(scope="module")
def study() -> Study:
    return study_of(TWO)["two"]


def row(study: Study, settings: int) -> LeagueRow:
    """Return the league table's row for a study in which formulas of the first few settings were found."""
    tables = {"train": [*map(solve, study.train)], "validate": [], "test": [*map(solve, study.test)]}
    work = Steps(study, tables.__getitem__, Path())
    proposed = work.propose(study, study.targets[0], tables["train"][:settings])
    verdicts = work.verdicts(StudyState(study, results=proposed)).results
    about = record_from_json(StudyRecord, {**study.about, "study": "two", "open": None, **study.made}, "two")
    found, _ = catalogue_of([(about, verdicts)]).league
    return found


def test_a_formula_of_one_setting_is_counted_where_the_setting_is(study):
    found = row(study, settings=2)
    assert (found.result, found.train.share, found.test.share) == ("exact", 1.0, 1.0)


def test_an_engine_that_has_a_formula_for_one_of_two_settings_is_partial(study):
    found = row(study, settings=1)
    assert (found.result, found.test.share) == ("partial", 1.0)


def test_what_is_not_a_formula_has_no_share_of_positions_and_names_its_engines_own_loss(study):
    """An engine's own loss of 0 does not say that anything is right at all training positions."""
    unread = Unread(
        "[x <= 2: True; else: False]", 3, 0.0, "its formula has 83 nodes; at most 80 are proposed"
    )
    said = EngineRun(target=study.targets[0], engine="tree", unread=(unread,))
    (record,) = candidates_frame([said], []).to_dict("records")
    assert (record["formula"], record["complexity"]) == (None, 3)
    assert record["reason"].startswith(f"{unread.reason}; ")
    assert pd.isna(record["loss"])
