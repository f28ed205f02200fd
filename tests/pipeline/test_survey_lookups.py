"""The rulesets that a survey's claims look values up in: they are inputs of the survey, and must exist and fit."""

import pytest
from tests.pipeline.project import LITTLE, make, snakemake

from grundylab.catalogue.survey_rows import status_counts_of_table
from grundylab.cli.main import main
from grundylab.errors import ConfigError
from grundylab.pipeline.survey_stages import run_survey
from grundylab.pipeline.surveys import load_survey, part_of, survey_of

SURVEY = """\
title: Take a few
slots: {K: [2, 3]}
position: {x: 0..N}
moves: [{take: "1..min(K, x)", from: x}]
small: {bounds: {N: 12}}
claims:
  - {id: same, target: grundy, formula: B(x), values: {B: other}}
"""
OTHER = "title: Other\nextends: below\n"
BELOW = """\
title: Below
position: {x: 0..N}
moves: [{take: "1..min(2, x)", from: x}]
claims:
  - {id: values, target: grundy, formula: x % 3}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with the survey, the ruleset that it looks up, and the ruleset that this one extends."""
    for file, text in (
        ("surveys/small.yaml", SURVEY),
        ("rulesets/other.yaml", OTHER),
        ("rulesets/below.yaml", BELOW),
    ):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
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


def test_an_edit_of_what_a_looked_up_ruleset_extends_runs_the_survey_again(tmp_path):
    folder = make(tmp_path / "one")
    (folder / "config.yaml").write_text(LITTLE)
    (folder / "surveys").mkdir()
    for file, text in (("surveys/small", SURVEY), ("rulesets/other", OTHER), ("rulesets/below", BELOW)):
        (folder / f"{file}.yaml").write_text(text)
    assert snakemake(folder, "surveys").returncode == 0
    assert "solving the small tables" not in snakemake(folder, "surveys", "-n").stdout
    (folder / "rulesets" / "below.yaml").write_text(BELOW.replace("min(2, x)", "min(3, x)"))
    asked = snakemake(folder, "surveys", "-n")
    assert asked.returncode == 0
    for job in ("solving the small tables", "proving claims of part", "writing the page"):
        assert f": {job}" in asked.stdout
    (folder / "rulesets" / "below.yaml").unlink()
    gone = snakemake(folder, "surveys", "-n")
    assert gone.returncode != 0
    assert "grundylab: rulesets/other.yaml:2: extends: " in gone.stderr
    assert "Traceback" not in gone.stderr


# -- what is not there, or does not fit --------------------------------------------------------------------------------

FAULTS = [
    ("surveys/small.yaml", "B: other", "B: others", "surveys/small.yaml:7: claims.0.values.B: ", "'others'"),
    ("surveys/small.yaml", "B(x)", '"B(x, 1)"', "small-0: claim same: ", "a position of other is (x)"),
    ("surveys/small.yaml", "B: other", "B: with-m", "small-0: claim same ", "m has no value"),
    ("rulesets/other.yaml", "below", "nothing", "rulesets/other.yaml:2: extends: ", "'nothing'"),
    ("rulesets/below.yaml", "x: 0..N", "x: 0..", "rulesets/below.yaml:2: position.x: ", "empty"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "place", "words"), FAULTS)
def test_a_fault_is_one_line_before_any_work(folder, capsys, file, old, new, place, words):
    (folder / "rulesets" / "with-m.yaml").write_text(
        "title: Another\nextends: below\nparameters: {m: m >= 1}\n"
    )
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    status, out, error = survey(capsys)
    assert (status, out) == (2, "")
    assert error.startswith(f"grundylab: {place}")
    assert words in error
    assert error.count("\n") == 1
    assert not (folder / "results").exists()


def test_a_claim_that_is_inherited_may_name_one_that_is_not_there(folder, capsys):
    (folder / "rulesets" / "above.yaml").write_text(
        BELOW + "  - {id: as, target: grundy, formula: C(x), values: {C: gone}}\n"
    )
    (folder / "surveys" / "small.yaml").write_text(
        "title: Inherits\nextends: above\nslots: {E: [x]}\nclaims: [inherited]\n"
    )
    status, _, error = survey(capsys)
    assert status == 2
    assert error.startswith("grundylab: rulesets/above.yaml:")
    assert "'gone'" in error


def test_a_looked_up_game_whose_moves_leave_it_is_an_error_and_not_a_survey_of_nothing(folder, capsys):
    (folder / "rulesets" / "below.yaml").write_text(BELOW.replace('"1..min(2, x)"', "1..2"))
    status, out, error = survey(capsys)
    assert (status, out) == (2, "")
    assert error.startswith("grundylab: other (N=12): ")


def test_how_many_are_no_game_is_said_with_the_first(folder, capsys):
    (folder / "surveys" / "small.yaml").write_text(SURVEY.replace('"1..min(K, x)"', "1..K"))
    status, text, _ = survey(capsys)
    assert status == 0
    assert "2 no game" in text
    assert "K: 2" in text
    list(run_survey(load_survey("small"), folder / "out"))
    assert status_counts_of_table(folder / "out" / "survey.parquet").endswith("2 no game")
