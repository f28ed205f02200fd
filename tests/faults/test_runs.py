"""Runs that are killed, damaged, doubled or cheated about time: the next one ends with what an undisturbed run has."""

import fcntl
import json
import os
import shutil
import subprocess
import time

import pyarrow.parquet as pq
import pytest
from tests.faults.project import SERVED, STAGES, killed, left, made, make, run, said

from grundylab.proving.mona import find_mona


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The project after one run."""
    folder = make(tmp_path_factory.mktemp("undisturbed") / "project")
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert said(done) == []
    return folder


@pytest.fixture
def project(undisturbed, tmp_path):
    """A copy of it, of the same times."""
    return shutil.copytree(undisturbed, tmp_path / "project")


def ends_like(undisturbed, folder, **options):
    done = run(folder, **options)
    assert done.returncode == 0, done.stderr
    assert made(folder) == made(undisturbed)
    assert left(folder) == []
    return said(done)


def test_what_was_killed_at_once_or_job_by_job_ends_like_an_undisturbed_run(undisturbed, tmp_path):
    folder = make(tmp_path / "project")
    killed(folder, "verify", everything=True)
    assert (folder / ".snakemake" / "locks").exists()  # nobody was there to remove it
    assert left(folder) != []
    assert not (folder / "results" / "two" / "verdicts.json").exists()
    done = killed(folder, "catalogue", everything=False)
    assert said(done) == ["a run was killed here; this one goes on with what is whole"]
    assert ends_like(undisturbed, folder) == []


def test_what_is_damaged_is_said_and_made_anew(undisturbed, project):
    flipped, foreign = project / "results" / "two" / "verdicts.json", project / "results" / "two" / "p.json"
    cut = project / "data" / "nim-2" / "N=6.grundy.parquet"
    text = flipped.read_bytes()
    flipped.write_bytes(text[:900] + bytes([text[900] ^ 1]) + text[901:])
    foreign.write_text('{"engines": []}\n')
    cut.write_bytes(cut.read_bytes()[:-7])
    lines = ends_like(undisturbed, project)
    assert [line.partition(":")[0] for line in sorted(lines)] == [
        "data/nim-2/N=6.grundy.parquet", "results/two/p.json", "results/two/verdicts.json",
    ]  # fmt: skip
    assert all(line.endswith("; it is made anew") for line in lines)


def test_a_ruleset_edited_by_a_clock_that_was_set_back_is_not_missed(project):
    ruleset = project / "rulesets" / "subtraction-1-to-m.yaml"
    ruleset.write_text(ruleset.read_text().replace("min(m, x)", "min(m + 1, x)"))
    assert "min(m + 1, x)" in ruleset.read_text()
    os.utime(ruleset, (1e9, 1e9))  # long before anything was made of it
    done = run(project, "results/from-m/verdicts.json")
    assert done.returncode == 0, done.stderr
    assert (
        len([line for line in said(done) if "data/subtraction-1-to-m" in line and "another hash" in line])
        == 3
    )
    assert any(
        "from-m/verdicts.json: it was made with another ruleset subtraction-1-to-m" in line
        for line in said(done)
    )
    verdicts = json.loads((project / "results" / "from-m" / "verdicts.json").read_text())
    assert {record["status"] for record in verdicts["formulas"]} != set()
    assert all("m + 2" in record["formula"] for record in verdicts["formulas"] if record["status"] == "holds")


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


def test_a_second_run_in_the_same_folder_is_refused_in_one_line(project):
    with (project / ".snakemake" / "grundylab.lock").open("a+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        before = made(project)
        done = run(project, "--forcerun", "catalogue")
    assert done.returncode != 0
    (line,) = said(done)
    assert "is at work in this folder" in line
    assert made(project) == before


def test_every_result_says_by_what_it_was_made(undisturbed):
    results = undisturbed / "results"
    for name in ("p", "verdicts", "proofs", "rows"):
        header = json.loads((results / "two" / f"{name}.json").read_text())["made"]
        assert set(header["rulesets"]) == {"nim", "nim-2"}
        assert (header["seed"], header["packages"]["numpy"]) == (3, __import__("numpy").__version__)
        assert len(header["code"]) == 64
    catalogue = json.loads((results / "catalogue.json").read_text())
    assert catalogue["made"]["packages"] == header["packages"]
    assert [study["made"]["seed"] for study in catalogue["studies"]] == [3, 3]
    stored = pq.read_metadata(results / "catalogue.parquet").metadata
    assert json.loads(stored[b"grundylab"])["studies"]["two"]["rulesets"] == header["rulesets"]
    stored = pq.read_metadata(undisturbed / "data" / "nim-2" / "N=6.grundy.parquet").metadata
    assert json.loads(stored[b"made"])["code"] == header["code"]


# -- long ------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("everything", [True, False])
@pytest.mark.parametrize("before", [SERVED, ()], ids=["served", "plain"])
def test_a_run_killed_in_every_stage_ends_like_an_undisturbed_one(tmp_path, before, everything):
    calm = make(tmp_path / "calm", papers=True)
    assert run(calm, before=before).returncode == 0
    folder = make(tmp_path / "project", papers=True)
    for stage in STAGES:
        killed(folder, stage, everything, before)
    lines = ["a run was killed here; this one goes on with what is whole"] if everything else []
    assert ends_like(calm, folder, before=before) == lines


@pytest.mark.long
@pytest.mark.parametrize("before", [SERVED, ()], ids=["served", "plain"])
def test_one_core_or_several_today_or_tomorrow_are_byte_for_byte_the_same(undisturbed, tmp_path, before):
    folder = make(tmp_path / "project")
    faketime = ("faketime", "+1 day") if shutil.which("faketime") else ()
    assert run(folder, cores="1", before=(*faketime, *before), TZ="Asia/Tokyo").returncode == 0
    assert made(folder) == made(undisturbed)


@pytest.mark.long
def test_each_stage_s_file_may_be_damaged_anywhere(undisturbed, tmp_path):
    names = [name for name in made(undisturbed) if name.startswith("data/") or name.count("/") == 2]
    names = [name for name in names if name.endswith((".parquet", ".json"))]
    assert len(names) >= 4 + 2 + 2 + 2 + 1
    for share in (0, 0.5, 1):
        folder = shutil.copytree(undisturbed, tmp_path / f"at-{share}")
        for name in names:
            data = bytearray((folder / name).read_bytes())
            data[int(share * (len(data) - 1))] ^= 16
            (folder / name).write_bytes(data)
        assert {line.partition(":")[0] for line in ends_like(undisturbed, folder)} == set(names)


def in_space(script, *arguments):
    """The script with mounts of its own, as root; skips where that is not allowed."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
                                                         check=False, capture_output=True).returncode:  # fmt: skip
        pytest.skip("mounting a small file system needs root")
    return ("unshare", "-m", "sh", "-c", script, "sh", *map(str, arguments))


@pytest.mark.long
@pytest.mark.parametrize("left_over", [20, 280, 340, 400, 460, 520])
def test_a_full_disk_is_said_and_what_was_made_before_is_used_after(undisturbed, tmp_path, left_over):
    """left_over: kilobytes that the run has."""
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
def test_a_run_in_which_mona_is_killed_proves_nothing_and_refutes_nothing_by_it(project, tmp_path):
    program = tmp_path / "mona"
    program.write_text("#!/bin/sh\necho 'Formula is valid'\nkill -9 $$\n")
    program.chmod(0o755)
    done = run(project, "results/two/proofs.json", "--forcerun", "prove", GRUNDYLAB_MONA=str(program))
    assert done.returncode == 0, done.stderr
    proofs = json.loads((project / "results" / "two" / "proofs.json").read_text())["proofs"]
    asked = [proof for proof in proofs if (proof["proof"] or ".mona").endswith(".mona")]
    assert asked
    assert {proof["status"] for proof in asked} == {"undecided"}
    assert any("MONA was ended by a signal" in proof["reason"] for proof in asked)
