"""JSON, datasets and configuration of any shape: understood, or refused in one line; never a traceback."""

import copy
import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.report.project import make_project
from tests.sizes import night

from grundylab.cli.main import main
from grundylab.errors import DatasetError, GrundylabError
from grundylab.files import write_json
from grundylab.games import load_ruleset, make_instance
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.proof_files import check_proof_file
from grundylab.solve.dataset import read_dataset, write_dataset
from grundylab.solve.reference import solve_reference

ODD = [
    None, 1, -1, "x", [], {}, [1], [None], {"a": 1}, True, 10**30, 1.5, "x ^ (", "9" * 50, "../../x", "grundy == 2",
]  # fmt: skip
COMMANDS = [
    ["formulas"], ["results"], ["papers"], ["export", "catalogue"], ["export", "latex", "take", "--claim", "all"],
    ["export", "proof", "take", "--claim", "theorem-2"], ["formulas", "--paper", "little"],
]  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shapes")
    make_project(folder)
    return folder


def places(value, path=()):
    """Yield the paths to all values in JSON data; of a list, only to the first two values."""
    yield path
    parts = (
        value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    )
    for key, part in parts:
        yield from places(part, (*path, key))


def changed(rng, data, path):
    """Return a copy of the data with an odd value, or nothing, at the path."""
    if not path:
        return rng.choice(ODD)
    found = copy.deepcopy(data)
    *before, last = path
    inside = found
    for key in before:
        inside = inside[key]
    if rng.random() < 0.25:
        del inside[last]
    else:
        inside[last] = rng.choice(ODD)
    return found


def test_catalogues(project, monkeypatch, capsys):
    monkeypatch.chdir(project)
    path = Path("results", "catalogue.json")
    good = json.loads(path.read_text())
    rng, refused = random.Random(0), 0
    for place in rng.sample(sorted(places(good), key=str), 60 if night() else 12):
        odd = changed(rng, good, place)
        write_json(path, odd)
        for command in COMMANDS:
            status = main(command)
            said = capsys.readouterr()
            assert status in (0, 2), place
            assert status == 0 or said.err.count("\n") == 1
            refused += status == 2
    write_json(path, good)
    assert refused > 5  # else nothing odd was met


def test_certificates(project, monkeypatch):
    monkeypatch.chdir(project)
    game, rng, refused = load_ruleset("take"), random.Random(0), 0
    folder = Path("results", "take")
    for path in (
        next(folder.glob("rows/row-grundy-all*.json")),
        next(folder.glob("proofs/theorem-2*.json"), folder / "none"),
    ):
        if not path.exists():  # without MONA
            continue
        good = json.loads(path.read_text())
        for place in sorted(places(good), key=str)[:25]:
            try:
                check_proof_file(changed(rng, good, place), game, Kernel())
            except GrundylabError:
                refused += 1
    assert refused > 10


def test_datasets(project, tmp_path):
    game = load_ruleset("take", project / "rulesets")
    instance = make_instance(game, {}, {"N": 9})
    path = tmp_path / "t.parquet"
    write_dataset(solve_reference(instance, "outcome"), path)
    good = pq.read_table(path)
    described = json.loads(good.schema.metadata[b"grundylab"])

    def refused(table, said):
        pq.write_table(table.replace_schema_metadata({"grundylab": json.dumps(said)}), path)
        with pytest.raises(DatasetError) as found:
            read_dataset(path, instance, "outcome")
        assert str(found.value).count("\n") == 0

    for place in places(described):
        if place:
            refused(good, changed(random.Random(0), described, place))
    for said in ([], "x", 7, None, [["values", "p"]]):
        refused(good, said)
    for column in (
        [1.5] * 10, ["x"] * 10, [None] * 10, [2**31 - 1] * 10, [-1] * 10, [[1]] * 10, [b"\xff"] * 10
    ):  # fmt: skip
        refused(good.set_column(0, "x", pa.array(column)), described)
        refused(good.set_column(1, "outcome", pa.array(column)), described)
    refused(good.select(["x"]), described)
    refused(good.slice(0, 3), described)
    refused(pa.concat_tables([good, good]), described)
