"""Surveys in the workflow: a run that was killed continues, and its files equal those of an undisturbed run."""

from pathlib import Path

import pytest
from tests.bad_input.studies import BELOW, LOOKED_UP, LOOKING
from tests.files import write
from tests.pipeline.project import make, run, snakemake

from grundylab.pipeline.survey_stages import run_survey
from grundylab.pipeline.surveys import load_survey

SMALL = """\
title: One pile and a pass
slots: {E: [x, x + 1], GUARD: [E >= m, E % 2 == 0]}
parameters: {m: m >= 1}
position: {x: 0..N}
moves:
  - {take: t, from: x}
pass: {when: GUARD}
small: {bounds: {N: 8}, parameters: {m: [1, 2, 3]}}
claims:
  - {id: guess, target: p, formula: x == (1 if p == 1 and GUARD else 0)}
games_a_job: 4
"""
OUT = Path("results") / "surveys" / "small"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return a folder with two surveys, and two runs of them: the first is killed in one, and the second goes on."""
    folder = make(tmp_path_factory.mktemp("surveys") / "one")
    write(folder, LOOKED_UP | {"surveys/small.yaml": SMALL, "surveys/asking.yaml": LOOKING})
    killed = run(folder, "surveys", FAULT_AT="small/proofs/0.json", FAULT_ONCE=str(folder / "once"))
    assert killed.returncode == 1
    assert (folder / OUT / "tables" / "0.json").is_file()
    assert not (folder / OUT / "proofs" / "0.json").exists()
    done = snakemake(folder, "surveys")
    assert done.returncode == 0, done.stderr
    return folder, done


def test_what_was_killed__goes_on_and_its_files_are_those_of_a_run_in_one_process(
    runs, tmp_path, monkeypatch
):
    folder, done = runs
    assert "proving claims of" in done.stderr
    assert "small tables of" not in done.stderr  # what was done is not done again
    assert "2 proved, 0 undecided, 2 refuted" in done.stdout
    write(tmp_path, {"surveys/small.yaml": SMALL})
    monkeypatch.chdir(tmp_path)
    list(run_survey(load_survey("small"), OUT))
    monkeypatch.chdir(folder)
    files = {
        path.relative_to(tmp_path): path.read_bytes()
        for path in (tmp_path / OUT).rglob("*")
        if path.is_file()
    }
    assert len(files) > 6
    assert files == {path: (folder / path).read_bytes() for path in files}
    made = {path.relative_to(folder) for path in (folder / OUT).rglob("*") if path.is_file()}
    assert {path for path in made if not path.name.startswith(".")} == files.keys()


def test_an_edit_of_what_a_looked_up_ruleset_extends__runs_the_survey_again(runs):
    folder, _ = runs
    assert "of the survey" not in snakemake(folder, "surveys", "-n").stdout
    (folder / "rulesets" / "below.yaml").write_text(BELOW.replace("min(2, x)", "min(3, x)"))
    asked = snakemake(folder, "surveys", "-n")
    assert asked.returncode == 0
    for job in ("solving the small tables", "proving claims of", "writing the page"):
        assert f": {job}" in asked.stdout
    assert "survey small" not in asked.stdout
    (folder / "rulesets" / "below.yaml").unlink()
    gone = snakemake(folder, "surveys", "-n")
    assert gone.returncode != 0
    assert "grundylab: rulesets/other.yaml:2: extends: " in gone.stderr
    assert "Traceback" not in gone.stderr
