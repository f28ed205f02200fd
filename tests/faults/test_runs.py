"""Runs that are killed, damaged, doubled or cheated about time: the next one ends with what an undisturbed run has."""

import fcntl
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.faults.project import (
    ALONE,
    ROOT,
    SERVED,
    STAGES,
    halted,
    killed,
    left,
    made,
    make,
    records,
    run,
    said,
)

from grundylab.catalogue.files import read_catalogue
from grundylab.errors import ConfigError
from grundylab.games.yamlfile import read_document
from grundylab.logic.mona import find_mona
from grundylab.pipeline.config import spec_of
from grundylab.pipeline.forked import SERVER
from grundylab.pipeline.upkeep import remove_unfit


def shared(factory, name, make_it):
    """The folder that ``make_it(folder)`` has filled, once for all workers."""
    here = factory.getbasetemp()
    above = here.parent if "PYTEST_XDIST_WORKER" in os.environ else here
    with (above / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (above / f"{name}.done").exists():
            shutil.rmtree(above / name, ignore_errors=True)
            make_it(above / name)
            (above / f"{name}.done").touch()
    return above / name


def run_calmly(folder, *arguments):
    done = run(make(folder), *arguments)
    assert done.returncode == 0, done.stderr
    assert said(done) == []


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The project after a run of its first study."""
    return shared(tmp_path_factory, "alone", lambda folder: run_calmly(folder, *ALONE))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The project after a run."""
    return shared(tmp_path_factory, "undisturbed", run_calmly)


@pytest.fixture
def copy(alone, tmp_path):
    """A copy of the first, of the same times."""
    return shutil.copytree(alone, tmp_path / "project")


@pytest.fixture
def project(undisturbed, tmp_path):
    """A copy of the second."""
    return shutil.copytree(undisturbed, tmp_path / "project")


def ends_like(undisturbed, folder, *arguments, **options):
    done = run(folder, *arguments, **options)
    assert done.returncode == 0, done.stderr
    assert made(folder) == made(undisturbed)
    assert left(folder) == []
    return said(done)


def test_every_rule_has_its_kill():
    rules = "".join(path.read_text() for path in (ROOT / "workflow" / "rules").glob("*.smk"))
    assert set(re.findall(r"^rule (\w+):", rules, re.M)) == set(STAGES)


def test_what_was_killed_at_once_ends_like_an_undisturbed_run(alone, tmp_path):
    folder = make(tmp_path / "project")
    killed(folder, "verify", True, *ALONE, forced=False)
    assert (folder / ".snakemake" / "locks").exists()  # nobody was there to remove it
    assert left(folder) != []
    assert not (folder / "results" / "two" / "verdicts.json").exists()
    lines = ends_like(alone, folder, *ALONE)
    assert lines == ["a run was killed here; this one goes on with what is whole"]


def test_what_is_damaged_is_said_and_made_anew(alone, copy):
    flipped, foreign = copy / "results" / "two" / "verdicts.json", copy / "results" / "two" / "p.json"
    cut = copy / "data" / "nim-2" / "N=6.grundy.parquet"
    text = flipped.read_bytes()
    flipped.write_bytes(text[:900] + bytes([text[900] ^ 1]) + text[901:])
    foreign.write_text('{"engines": []}\n')
    cut.write_bytes(cut.read_bytes()[:-7])
    lines = ends_like(alone, copy, *ALONE)
    assert [line.partition(":")[0] for line in sorted(lines)] == [
        "data/nim-2/N=6.grundy.parquet", "results/two/p.json", "results/two/verdicts.json",
    ]  # fmt: skip
    assert all(line.endswith("; it is made anew") for line in lines)


def test_all_that_is_made_from_an_edited_ruleset_is_made_anew_whatever_its_date(copy):
    edit(copy / "rulesets" / "nim-2.yaml", "title: Nim", "title: Our Nim")
    done = run(copy, "--dry-run", *ALONE)
    for words in (
        "looking for p",
        "verifying what was found for",
        "proving what holds for",
        "looking for the periods",
    ):
        assert words in done.stdout
    assert "solving" not in done.stdout  # the title is nothing to the values


def test_a_file_under_another_one_s_name_goes_though_it_is_whole(copy, monkeypatch):
    monkeypatch.chdir(copy)
    results, data = Path("results", "two"), Path("data", "nim-2")
    shutil.copy(results / "verdicts.json", results / "rows.json")
    shutil.copy(results / "rows.json", results / "slabs" / "2-of-2.json")
    shutil.copy(results / "p.json", Path("results", "catalogue.parquet"))
    shutil.copy(data / "N=6.grundy.parquet", data / "N=12.grundy.parquet")
    shutil.copy(data / "N=6.grundy.parquet", Path("results", "catalogue.json"))
    lines = []
    remove_unfit(spec_of(read_document(Path("config.yaml"), ConfigError)), lines.append)
    assert lines[3].startswith("results/catalogue.json: not JSON (")
    assert lines == [
        "data/nim-2/N=12.grundy.parquet: it was made for another instance; it is made anew",
        "results/two/rows.json: it is a record of another study or stage; it is made anew",
        "results/two/slabs/2-of-2.json: it is a record of another study or stage; it is made anew",
        lines[3],
        "results/catalogue.parquet: it is no Parquet file; it is made anew",
    ]


def test_a_stage_names_a_damaged_dataset_and_writes_none(copy):
    """As of a disk that fails during a run."""
    path = copy / "data" / "nim-2" / "N=6.grundy.parquet"
    damaged = path.read_bytes()[:-7]
    path.write_bytes(damaged)
    done = run(copy, "results/two/p.json", "--forcerun", "discover", *ALONE, before=(), seen_to=())
    assert done.returncode == 1
    assert [line for line in said(done) if line.startswith("data/nim-2/N=6.grundy.parquet: ")]
    assert "; delete it and solve again" in done.stderr
    assert path.read_bytes() == damaged


def edit(ruleset, old, new):
    """Change the text, as with a clock that was set back: long before anything was made of it."""
    text = ruleset.read_text()
    assert old in text
    ruleset.write_text(text.replace(old, new))
    os.utime(ruleset, (1e9, 1e9))


def test_a_second_run_in_the_same_folder_is_refused_in_one_line(copy):
    with (copy / ".snakemake" / "grundylab.lock").open("a+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        before = made(copy)
        done = run(copy, "--forcerun", "catalogue", *ALONE, before=())
    assert done.returncode == 2
    (line,) = said(done)
    assert "is at work in this folder" in line
    assert made(copy) == before


def test_a_cluster_s_job_does_its_work_itself(copy, tmp_path):
    """As Snakemake starts it there, with the environment of `make run` on the same node."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        server.listen()
        asked = []

        def hang_up():
            with suppress(OSError):
                while True:
                    client = server.accept()[0]
                    asked.append(client)
                    client.close()

        thread = threading.Thread(target=hang_up, daemon=True)
        thread.start()
        job = ("--target-jobs", "tables:", "--mode", "remote", "--allowed-rules", "tables", "--force")
        done = run(copy, *job, before=(), **{SERVER: str(tmp_path / "s")})
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert done.returncode == 0, done.stderr
    assert (copy / "results" / "tables" / "formulas.csv").exists()
    assert asked == []


def test_every_result_says_by_what_it_was_made(alone):
    results = alone / "results"
    for name in ("p", "verdicts", "proofs", "slabs/1-of-2", "large", "rows"):
        header = json.loads((results / "two" / f"{name}.json").read_text())["made"]
        assert set(header["rulesets"]) == {"nim", "nim-2"}
        assert (header["seed"], header["packages"]["numpy"]) == (3, __import__("numpy").__version__)
    catalogue = json.loads((results / "catalogue.json").read_text())
    assert catalogue["made"]["packages"] == header["packages"]
    assert [study["made"]["seed"] for study in catalogue["studies"]] == [3]
    stored = pq.read_metadata(results / "catalogue.parquet").metadata
    assert json.loads(stored[b"grundylab"])["studies"]["two"]["rulesets"] == header["rulesets"]
    stored = pq.read_metadata(alone / "data" / "nim-2" / "N=6.grundy.parquet").metadata
    assert json.loads(stored[b"made"])["packages"] == header["packages"]
    line = read_catalogue(results / "catalogue.json").made_line
    assert line.startswith("grundylab 0.1.0 from 2 rulesets (")
    assert line in (results / "report" / "index.html").read_text()
    assert header["rulesets"]["nim-2"] in (results / "report" / "rulesets" / "nim-2.html").read_text()


def test_no_result_has_a_path_of_the_machine_in_it(alone):
    places = [os.fsencode(str(place)) for place in (alone, ROOT, Path.home(), Path(sys.executable).parent)]
    for name, data in made(alone).items():
        assert not [place for place in places if place in data], name


# -- long ------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "everything", "when"),
    [(SERVED, True, "before"), (SERVED, False, "after"), ((), True, "after"), ((), False, "before")],
    ids=["all-served", "job-served", "all-plain", "job-plain"],
)
def test_a_run_killed_in_every_stage_ends_like_an_undisturbed_one(
    tmp_path_factory, tmp_path, before, everything, when
):
    def calmly(folder):
        assert run(make(folder, papers=True)).returncode == 0

    calm = shared(tmp_path_factory, "calm", calmly)
    folder = make(tmp_path / "project", papers=True)
    for stage in STAGES:
        done = killed(folder, stage, everything, before=before, when=when)
        assert set(said(done)) <= {
            "a run was killed here; this one goes on with what is whole",
            "interrupted; nothing half-written is left",  # a fork whose run was killed
        }
    lines = ends_like(calm, folder, before=before)
    assert lines == (["a run was killed here; this one goes on with what is whole"] if everything else [])


@pytest.mark.long
@pytest.mark.parametrize("before", [SERVED, ()], ids=["served", "plain"])
def test_one_core_or_several_today_or_tomorrow_are_byte_for_byte_the_same(undisturbed, tmp_path, before):
    folder = make(tmp_path / "project")
    other = {"FAULT_LATER": "86400", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1", "LC_ALL": "C"}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    assert ends_like(undisturbed, folder, cores="1", before=before, **other, **threads) == []


def flipped(share):
    def flip(data, _):
        at = int(share * (len(data) - 1))
        return data[:at] + bytes([data[at] ^ 16]) + data[at + 1 :]

    return flip


@pytest.mark.long
def test_each_stage_s_file_may_be_damaged_anyhow(undisturbed, tmp_path):
    folder = shutil.copytree(undisturbed, tmp_path / "project")
    names = records(undisturbed)
    # datasets, proposals, rows, verdicts, proofs, slabs, large, catalogue, timings
    assert len(names) >= 5 + 2 + 1 + 2 + 2 + 2 + 1 + 2 + 5
    ways = [flipped(0), flipped(0.5), flipped(1), lambda data, _: data[: len(data) // 2], lambda data, _: b"",
            lambda _, other: other]  # fmt: skip
    for damage in ways:
        others = [*names[1:], names[0]]
        texts = [(folder / name).read_bytes() for name in names]
        foreign = [(folder / name).read_bytes() for name in others]
        for name, data, other in zip(names, texts, foreign, strict=True):
            (folder / name).write_bytes(damage(data, other))
        assert {line.partition(":")[0] for line in ends_like(undisturbed, folder)} == set(names)


@pytest.mark.long
def test_a_ruleset_edited_after_a_run_and_during_one(undisturbed, tmp_path):
    change = ("min(m, x)", "min(m + 1, x)")
    calm = make(tmp_path / "calm")
    edit(calm / "rulesets" / "subtraction-1-to-m.yaml", *change)
    assert run(calm).returncode == 0
    after = shutil.copytree(undisturbed, tmp_path / "after")
    edit(after / "rulesets" / "subtraction-1-to-m.yaml", *change)
    lines = ends_like(calm, after)
    assert lines == []  # it is Snakemake that sees it
    during = make(tmp_path / "during")
    with halted(during, "from-m/p.json") as running:
        edit(during / "rulesets" / "subtraction-1-to-m.yaml", *change)
    done = running.result()
    assert done.returncode == 1
    assert set(said(done)) == {
        "rulesets/subtraction-1-to-m.yaml: it was edited while the workflow ran; run again"
    }
    ends_like(calm, during)


@pytest.mark.long
def test_of_two_runs_in_one_folder_at_once_the_second_is_refused(undisturbed, tmp_path):
    folder = make(tmp_path / "project")
    with halted(folder, "two/verdicts.json") as running:
        second = run(folder)
    assert second.returncode == 2
    (line,) = said(second)
    assert re.fullmatch(r"another run \(process \d+\) is at work in this folder", line)
    assert running.result().returncode == 0
    assert ends_like(undisturbed, folder) == []


@pytest.mark.long
def test_files_of_the_future_are_dated_now_in_their_order_and_nothing_is_run(project):
    made_late = project / "results" / "catalogue.json"
    order = [project / "results" / "two" / "p.json", project / "results" / "two" / "verdicts.json", made_late]
    year = 365 * 24 * 3600
    for path in [path for path in project.rglob("*") if path.is_file()]:
        os.utime(path, (path.stat().st_atime, path.stat().st_mtime + year))
    done = run(project)
    assert "Nothing to be done" in done.stderr
    assert any(
        line.endswith("dated in the future, as the clock was set back; they are dated now")
        for line in said(done)
    )
    times = [path.stat().st_mtime for path in order]
    assert times == sorted(times)
    assert times[-1] < time.time() + 60


def in_space(script, *arguments):
    """The script with mounts of its own, as root; skips where that is not allowed."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
                                                         check=False, capture_output=True).returncode:  # fmt: skip
        pytest.skip("mounting a small file system needs root")
    return ("unshare", "-m", "sh", "-c", script, "sh", *map(str, arguments))


@pytest.mark.long
@pytest.mark.parametrize("share", [0, 0.35, 0.5, 0.65, 0.8])
def test_a_full_disk_is_said_and_what_was_made_before_is_used_after(undisturbed, tmp_path, share):
    """share: of the room that the run needs."""
    written = [path for name in ("data", "results", ".snakemake") for path in (undisturbed / name).rglob("*")]
    left_over = int(20 + share * sum(4 + path.stat().st_size // 1024 for path in written if path.is_file()))
    whole = make(tmp_path / "project")
    small = tmp_path / "small"
    small.mkdir()
    script = """
        mount -t tmpfs -o size=4m tmpfs "$1" && cp -r "$2"/. "$1" && cd "$1" || exit 99
        free=$(df --output=avail -k . | tail -n 1)
        head -c $(((free - $3) * 1024)) /dev/zero > fill
        shift 3; "$@"; status=$?
        rm fill
        cp -r . "$OLDPWD"/kept
        exit $status
    """
    done = run(whole, before=(*in_space(script, small, whole, left_over), *SERVED))
    text = done.stdout + done.stderr
    assert done.returncode not in (0, 99), text
    assert "No space left on device" in text
    said(done)
    kept = whole / "kept"
    assert left(kept) == []
    ends_like(undisturbed, kept)


@pytest.mark.long
def test_a_folder_that_cannot_be_written_is_one_line(undisturbed, project):
    script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" || exit 99; shift; exec "$@"'
    done = run(project, "--forceall", before=(*in_space(script, project), *SERVED))
    assert done.returncode not in (0, 99)
    assert said(done) == [".snakemake: cannot write here: Read-only file system"]
    assert made(project) == made(undisturbed)


@pytest.mark.long
@pytest.mark.skipif(find_mona() is None, reason="MONA is not installed")
def test_a_run_in_which_mona_is_killed_proves_nothing_and_refutes_nothing_by_it(
    undisturbed, project, tmp_path
):
    program = tmp_path / "mona"
    program.write_text("#!/bin/sh\necho 'Formula is valid'\nkill -9 $$\n")
    program.chmod(0o755)
    done = run(project, "results/two/proofs.json", "--forcerun", "prove", GRUNDYLAB_MONA=str(program))
    assert done.returncode == 0, done.stderr
    said(done)

    def proofs(folder):
        return json.loads((folder / "results" / "two" / "proofs.json").read_text())["proofs"]

    asked = [(before, after) for before, after in zip(proofs(undisturbed), proofs(project), strict=True)
             if (before["proof"] or "").endswith(".mona")]  # fmt: skip
    assert len(asked) > 5
    for before, after in asked:
        assert (before["status"], before["formula"]) == ("proved", after["formula"])
        if after["status"] == "proved":  # by a certificate, without MONA
            assert after["proof"].endswith(".json")
        else:
            assert after["status"] == "undecided"
            assert "MONA was ended by a signal" in after["reason"]
    assert [after for _, after in asked if after["status"] == "undecided"]
