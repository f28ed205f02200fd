"""Tables made elsewhere and datasets: refused if they contradict themselves or would show an engine the test set."""

import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.findings import made
from tests.findings.made import results

import grundylab as gl
from grundylab.errors import ConfigError, DatasetError, GrundylabError, Place
from grundylab.findings.catalogue import catalogue_of, record_from_json
from grundylab.findings.results import Results, StudyRecord
from grundylab.pipeline.config import read_studies
from grundylab.pipeline.outside_tables import columns_of, positions_of, read_tables
from grundylab.pipeline.script_log import _removed
from grundylab.pipeline.stage_files import read_stage, write_results
from grundylab.pipeline.stages import verify_stage
from grundylab.report.summary import run_summary
from grundylab.solve.dataset import read_dataset, write_dataset

STUDY = "studies: {{s: {{ruleset: nim-2, targets: [p], train: {{bounds: {{N: {}}}}}, test: {{bounds: {{N: 9}}}}}}}}"


def write(folder, name, *rows):
    file = str(folder / f"{name}.csv")
    pd.DataFrame(rows, columns=["x", "grundy"]).to_csv(file, index=False)
    return file


@pytest.mark.parametrize("second", [(2, 2), (2, 5)])
def test_rows_of_two_files_agree_or_are_named(tmp_path, second):
    files = [write(tmp_path, "a", (0, 0), (2, 2)), write(tmp_path, "b", (1, 1), second)]
    game = positions_of("t", columns_of(files, []))
    if second == (2, 2):
        (table,) = read_tables(game, files, "grundy")
        assert table.values.tolist() == [0, 1, 2]
    else:
        with pytest.raises(GrundylabError, match="x=2") as found:
            read_tables(game, files, "grundy")
        assert found.value.place.file == files[1]


@pytest.mark.parametrize("size", [9, 12])
def test_what_engines_see_has_no_test_instance_in_it(tmp_path, size):
    (tmp_path / "config.yaml").write_text(STUDY.format(size))
    with pytest.raises(ConfigError, match="N=9"):
        read_studies(tmp_path / "config.yaml")


FILES = """studies:
  s:
    targets: [p]
    train: {files: [train.csv]}
    validate: {files: [middle.csv]}
    test: {files: [test.csv]}
"""


def test_test_rows_that_engines_see_are_named_and_not_counted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "train", *((x, x) for x in range(4)))
    write(tmp_path, "middle", (9, 9), (5, 5))
    write(tmp_path, "test", *((x, x) for x in range(8, 1, -1)))
    (tmp_path / "config.yaml").write_text(FILES)
    (study,) = read_studies(tmp_path / "config.yaml").values()
    for note, name, count in zip(study.notes, ("train", "middle"), ("2 of 7", "1 of 7"), strict=True):
        assert note.startswith("test.csv: ")
        assert f"{name}.csv" in note
        assert count in note
    about = {**study.about, "study": "s", "open": None, **study.made}
    catalogue = catalogue_of([(record_from_json(StudyRecord, about, "s"), results())])
    assert run_summary(catalogue).splitlines()[:2] == [f"note: {note}" for note in study.notes]
    candidate = made.candidate(formula="x == 0", train=made.counts(4))
    write_results("fit.json", study, results([candidate]))
    splits = {name: study.given[name] for name in ("train", "validate", "test")}
    verify_stage(study, ["fit.json"], *splits.values(), "verdicts.json", "timings.json")
    (record,) = (each for each in read_stage(Results, "verdicts.json").formulas)
    assert (record.train.total, record.validate.total, record.test.total) == (4, 2, 4)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([(0, 0), (3, 3)], "2 of 2, .* row 1"),
        ([(2, 0)], "contradict"),
    ],
)
def test_a_test_file_without_rows_of_its_own_or_with_other_values_is_refused(
    tmp_path, monkeypatch, rows, words
):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "train", *((x, x) for x in range(4)))
    write(tmp_path, "test", *rows)
    (tmp_path / "config.yaml").write_text(FILES.replace("    validate: {files: [middle.csv]}\n", ""))
    with pytest.raises(ConfigError, match=words) as found:
        read_studies(tmp_path / "config.yaml")
    assert found.value.place.line == 5


def test_outcomes_alone_have_no_grundy_numbers_put_in(tmp_path):
    table = gl.solve(gl.load("nim-2"), "outcome", N=3)
    write_dataset(table, tmp_path / "t.parquet")
    rows = pq.read_table(tmp_path / "t.parquet")
    place, field = rows.schema.get_field_index("grundy"), rows.schema.field("grundy")
    edited = rows.set_column(place, field, pa.array([7] * len(rows), pa.int32()))
    pq.write_table(edited, tmp_path / "t.parquet")
    assert json.loads(pq.read_metadata(tmp_path / "t.parquet").metadata[b"grundylab"])["values"] == "outcome"
    with pytest.raises(DatasetError, match="grundy has values"):
        read_dataset(tmp_path / "t.parquet", table.instance, "outcome")


def test_a_table_of_the_users_own_is_never_removed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    for kind, stays in ((ConfigError, True), (DatasetError, False)):
        for name in ("mine.csv", "split/mine.csv"):  # a file that a job made, or one in a folder that it made
            file, made = tmp_path / "data" / name, f"data/{name}".removesuffix("/mine.csv")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("x\n")
            said = _removed(kind("it was edited", Place(f"data/{name}")), [made])
            assert (file.exists(), said is None) == (stays, stays)


def test_a_folder_and_a_dataset_of_p_positions_are_no_tables_of_one_s_own(tmp_path):
    (tmp_path / "some.csv").mkdir()
    for name, words in (("some.csv", "folder"), ("t.p.parquet", "only P-positions")):
        with pytest.raises(GrundylabError, match=words) as found:
            columns_of([str(tmp_path / name)], [])
        assert found.value.place.file == str(tmp_path / name)
