"""The rulesets that a survey's claims look values up in: they are inputs of the survey, and must exist and fit."""

import pytest
from tests.bad_input.studies import LOOKED_UP, LOOKING
from tests.files import write

from grundylab.cli.main import main
from grundylab.errors import ConfigError
from grundylab.findings.survey_rows import status_counts_of_table
from grundylab.pipeline.survey_stages import run_survey
from grundylab.pipeline.surveys import load_survey, part_of, survey_of


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with the survey, the ruleset that it looks up, and the ruleset that this one extends."""
    write(tmp_path, LOOKED_UP)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def survey(capsys, *more):
    status = main(["survey", "small", *more])
    return (status, *capsys.readouterr())


def test_it_is_looked_for_where_what_is_extended_is(folder, capsys):
    status, text, _ = survey(capsys)
    assert status == 0
    assert "1 proved, 0 undecided, 1 refuted" in text


@pytest.mark.parametrize("file", ["small", "other", "below"])
def test_a_stage_depends_on_each_of_the_files_and_stops_if_one_was_edited(folder, file):
    found = load_survey("small")
    assert found.files == ("surveys/small.yaml", "rulesets/other.yaml", "rulesets/below.yaml")
    before = part_of(found)
    path = next(path for path in found.files if file in path)
    (folder / path).write_text((folder / path).read_text() + "description: Edited.\n")
    assert part_of(load_survey("small")) != before
    with pytest.raises(ConfigError, match=path):
        survey_of(before)


def test_how_many_are_no_game_is_said_with_the_first(folder, capsys):
    (folder / "surveys" / "small.yaml").write_text(LOOKING.replace('"1..min(K, x)"', "1..K"))
    status, text, _ = survey(capsys)
    assert status == 0
    assert "2 no game" in text
    assert "K: 2" in text
    list(run_survey(load_survey("small"), folder / "out"))
    assert status_counts_of_table(folder / "out" / "survey.parquet").endswith("2 no game")
