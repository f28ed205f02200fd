"""Surveys in the workflow: a run that was killed continues, and its files equal those of an undisturbed run."""

from pathlib import Path

from tests.pipeline.project import LITTLE, make, run, snakemake

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


def test_what_was_killed_goes_on_and_its_files_are_those_of_a_run_in_one_process(tmp_path, monkeypatch):
    folder, other = make(tmp_path / "one"), tmp_path / "other"
    (folder / "config.yaml").write_text(LITTLE)
    for each in (folder, other):
        (each / "surveys").mkdir(parents=True)
        (each / "surveys" / "small.yaml").write_text(SMALL)
    killed = run(folder, "surveys", FAULT_AT="small/proofs/0.json", FAULT_ONCE=str(folder / "once"))
    assert killed.returncode == 1
    assert (folder / OUT / "tables" / "0.json").is_file()
    assert not (folder / OUT / "proofs" / "0.json").exists()
    done = snakemake(folder, "surveys")
    assert done.returncode == 0, done.stderr
    assert "proving claims of part 0" in done.stderr
    assert "small tables of part 0" not in done.stderr  # what was done is not done again
    assert "small: 2 proved, 0 undecided, 2 refuted, 0 same" in done.stdout
    monkeypatch.chdir(other)
    list(run_survey(load_survey("small"), OUT))
    monkeypatch.chdir(folder)
    files = {
        path.relative_to(other): path.read_bytes() for path in (other / OUT).rglob("*") if path.is_file()
    }
    assert len(files) > 6
    assert files == {path: (folder / path).read_bytes() for path in files}
    made = {path.relative_to(folder) for path in (folder / OUT).rglob("*") if path.is_file()}
    assert {path for path in made if not path.name.startswith(".")} == files.keys()
