"""All engines run on the same datasets and on nothing else, and their results are recorded unchanged."""

import os
import re
import shutil
from functools import cache

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.pipeline.project import finished_run, run_of_test, said, snakemake

import grundylab as gl
from grundylab.discover.engines.pysr import unavailable
from grundylab.language import parse
from grundylab.language.plain import compile_plain
from grundylab.pipeline.config import read_studies
from grundylab.pipeline.study import SPLITS
from grundylab.report.summary import run_summary


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Return the project of the test configuration, which is run once."""
    return run_of_test(tmp_path_factory)


def test_shares_of_candidates_are_those_that_pandas_counts_in_the_datasets(project, monkeypatch):
    monkeypatch.chdir(project)
    studies = read_studies(project / "config.yaml")
    found = pd.read_parquet(project / "results" / "candidates.parquet")

    @cache
    def read(study, split):
        """Return (positions, dataset) of each table."""
        game = studies[study].ruleset
        names = [*game.coordinate_names, *game.parameter_names]
        labels = [instance.label.replace(",", "-") for instance in studies[study].instances(split)]
        frames = [pd.read_parquet(f"data/{study}/{split}/{label}.parquet") for label in labels]
        return [(frame[names].to_dict("records"), frame) for frame in frames]

    @cache  # several engines find one formula
    def shares(study, target, formula_text, where_text, split):
        functions = studies[study].ruleset.functions
        formula, where = (compile_plain(parse(text), functions) for text in (formula_text, where_text))
        right = total = 0
        for positions, frame in read(study, split):
            truth = frame["grundy"] if target == "grundy" else frame["outcome"] == "P"
            for position, true in zip(positions, truth, strict=True):
                right += bool(where(position)) and formula(position) == true
            total += len(frame)
        return right, total

    counted = 0
    for row in found[found["formula"].notna()].itertuples():
        for name in SPLITS:
            expected = shares(row.study, row.target, row.formula, row.where, name)
            assert (getattr(row, f"{name}_right"), getattr(row, f"{name}_total")) == expected, row
            counted += expected[1] > 0
    assert counted > 30


def test_the_league_has_every_engine_with_its_answer_or_its_reason(project):
    league = pd.read_parquet(project / "results" / "engines.parquet")
    assert set(league["engine"]) >= {"search", "automata", "tree", "baseline", "gplearn", "pysr"}
    numbers = league[(league["study"] == "nim-2") & (league["target"] == "grundy")].set_index("engine")
    for engine in ("search", "tree", "gplearn"):
        best = numbers.loc[engine]
        assert (best["result"], best["formula"], best["test"]) == ("exact", "x ^ y", 1.0)
    assert numbers.loc["gplearn", "exact_seeds"] == numbers.loc["gplearn", "seeds"] == 2
    assert (numbers.loc["gplearn", "rounds"], numbers.loc["gplearn", "unit"]) == (2, "generations")
    assert 2 <= numbers.loc["gplearn", "work"] <= 8  # at most four in a round
    assert "used up" not in numbers.loc["gplearn", "note"]
    assert pd.isna(numbers.loc["search", "rounds"])
    assert 0 < numbers.loc["baseline", "test"] < 1
    if unavailable():
        assert (numbers.loc["pysr", "result"], numbers.loc["pysr", "note"]) == (
            "not available",
            unavailable(),
        )
    assert "not run" not in set(league["result"])


def test_the_page_the_tables_and_the_terminal_have_the_same_numbers_of_positions(project):
    results = project / "results"
    league = pd.read_parquet(results / "engines.parquet")
    found = pd.read_parquet(results / "catalogue.parquet")
    summary = run_summary(gl.catalogue(results / "catalogue.json"))
    for row in league[league["engine"] == "constant"].itertuples():
        train, validate, test = row.train_total, row.validate_total, row.test_total
        assert (
            f"{train:,} training positions, {validate:,} validation positions, {test:,} test positions"
            in summary
        )
        question = (
            (found["study"] == row.study) & (found["target"] == row.target) & (found["where"] == "True")
        )
        mine = found[question & (found["kind"] == "formula")]
        assert set(mine["total"].dropna()) == {train}
        assert set(mine["validation_total"].dropna()) == {validate}
        page = (results / "report" / "rulesets" / f"{row.ruleset}.html").read_text()
        for number in (train, validate, test):
            assert f"<small>{number:,} positions</small>" in page
        if set(mine["status"]) & {"proved", "holds"}:
            assert re.search(rf"{train:,} positions \([^<]*; [^<]* {train:,} training positions", page)
    assert set(league.loc[league["formula"].notna() & (league["study"] == "nim-2"), "train_total"]) == {13**2}


def test_a_tree_is_there_to_be_looked_at_and_so_are_all_engines_beside_each_other(project):
    results = project / "results"
    assert "formula: x == y" in (results / "nim-2" / "trees" / "p" / "tree.txt").read_text()
    for file in ("nim-2/trees/p/tree.svg", "nim-2/trees/p/baseline.svg"):
        assert "</svg>" in (results / file).read_text()
    page = (results / "report" / "rulesets" / "nim-2.html").read_text()
    halls = re.findall(r"<summary>Hall of fame of (\w+)</summary>.*?</details>", page, re.S)
    assert set(halls) <= {"gplearn", "pysr"}
    assert halls.count("gplearn") == 2  # one for each target
    rows = re.findall(r'<tr><td><span role="img" aria-label="chosen">→</span></td>(.*)</tr>', page)
    assert any(re.search(r"<code>\w+\(.*</code></td><td><code>x \^ y</code></td>", row) for row in rows)
    for picture in ("engines/nim-2-p.svg", "trees/nim-2-p.svg"):
        assert f"../{picture}" in page
        assert (results / "report" / picture).exists()


def test_a_folder_of_datasets_is_one_frame(project, monkeypatch):
    monkeypatch.chdir(project)
    frame = pd.read_parquet("data/nim-with-a-pass-from-m")
    assert list(frame.columns) == ["x", "y", "z", "p", "m", "N", "grundy", "outcome"]
    assert {(row.m, row.N) for row in frame[["m", "N"]].drop_duplicates().itertuples()} >= {
        (4, 8),
        (8, 16),
        (12, 20),
    }
    assert str(gl.discover(pd.read_parquet("data/nim-2/train/N=12.parquet"), "grundy")[0].formula) == "x ^ y"


def test_a_dataset__is_made_again_if_it_was_deleted_or_edited(tmp_path_factory, tmp_path):
    project = shutil.copytree(finished_run(tmp_path_factory), tmp_path / "project")
    target, dataset = "results/mine/fits.json", "data/mine/train/N=9.parquet"
    file = project / dataset
    before, fits = file.read_bytes(), (project / target).read_bytes()

    def edit():
        """Change a value in the table without changing its digest."""
        table = pq.read_table(file)
        values = table["grundy"].to_numpy().copy()
        values[5] += 1
        place = table.schema.get_field_index("grundy")
        edited = table.set_column(place, table.schema.field("grundy"), pa.array(values, pa.int32()))
        pq.write_table(edited.replace_schema_metadata(table.schema.metadata), file)

    for damage, asked in (
        (file.unlink, [target, "--dry-run"]),
        (lambda: shutil.rmtree(file.parent), [target]),
        (edit, [target]),
    ):
        damage()
        done = snakemake(project, *asked)
        assert done.returncode == 0, done.stderr
        assert [line for line in said(done) if dataset in line]
        if "--dry-run" in asked:
            assert {"solve", "fit"} <= set(re.findall(r"^(\w+) +1$", done.stdout, re.M))
        else:
            assert (file.read_bytes(), (project / target).read_bytes()) == (before, fits)
    assert said(snakemake(project, target)) == []

    edit()
    os.utime(file, (1e9, 1e9))  # as if nobody had written to it: it is read, and refused
    done = snakemake(project, target, "--forcerun", "fit")
    assert done.returncode == 1
    assert [line for line in said(done) if dataset in line]
    assert not file.exists()
    assert snakemake(project, target).returncode == 0
    assert (file.read_bytes(), (project / target).read_bytes()) == (before, fits)


def test_tables_made_elsewhere__are_learnt_from_and_nothing_is_proved_of_them(tmp_path_factory):
    folder = finished_run(tmp_path_factory)
    league = pd.read_parquet(folder / "results" / "engines.parquet").query("study == 'given'")
    assert set(league.loc[league["engine"] == "constant", "verdict"]) == {"partial"}
    league = league[league["engine"] == "search"].set_index("target")
    assert league["formula"].to_dict() == {"p": "x % (m + 1) == 0", "grundy": "x % (m + 1)"}
    assert set(league["verdict"]) == {"holds"}
    assert not (folder / "data" / "given").exists()
