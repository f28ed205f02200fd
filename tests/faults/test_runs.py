"""Runs that are killed, damaged, doubled or misled about the time: the next run ends like an undisturbed one."""

import errno
import json
import os
import re
import shutil
import subprocess

import pytest
from tests.pipeline.project import (
    ALONE,
    ROOT,
    STAGES,
    halted,
    killed,
    left,
    made,
    make,
    records,
    run,
    said,
    shared,
)

from grundylab.logic.mona import find_mona

UNREAD = "results/catalogue.parquet"  # by other stages
# What a run says at its beginning of a dataset that a kill has left out, or that was damaged; and lines of progress.
MADE_AGAIN = re.compile(r"(data/\S+\.parquet) (?:is missing|was edited); it is made again")
PROGRESS = re.compile(r".* \((?:.*, )?\d+ s\)")


def run_calmly(folder, *arguments):
    done = run(make(folder), *arguments)
    assert done.returncode == 0, done.stderr
    assert said(done) == []


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Return the project's folder after a run of its first study."""
    return shared(tmp_path_factory, "alone", lambda folder: run_calmly(folder, *ALONE))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Return the project's folder after a full run."""
    return shared(tmp_path_factory, "undisturbed", run_calmly)


@pytest.fixture
def copy(alone, tmp_path):
    """Return a copy of the project after its first study, with the same file times."""
    return shutil.copytree(alone, tmp_path / "project")


@pytest.fixture
def project(undisturbed, tmp_path):
    """Return a copy of the project after a full run."""
    return shutil.copytree(undisturbed, tmp_path / "project")


def ends_like(undisturbed, folder, *arguments, **options):
    done = run(folder, *arguments, **options)
    assert done.returncode == 0, done.stderr
    assert made(folder) == made(undisturbed)
    assert left(folder) == []
    return said(done)


# What a run does not ask for by itself: surveys, of which tests/pipeline/test_survey_workflow.py kills a job, and Coq.
ASKED_FOR = {"pysr", "surveys", "survey", "survey_tables", "survey_proofs", "coq"}


def test_every_rule_has_its_kill():
    rules = "".join(path.read_text() for path in (ROOT / "workflow" / "rules").glob("*.smk"))
    assert {*re.findall(r"^rule (\w+):", rules, re.M)} == set(STAGES) | ASKED_FOR


@pytest.mark.night  # tests/test_package.py and tests/pipeline/test_survey_workflow.py kill a run in make test, too
def test_after_a_kill_and_with_a_damaged_file_the_next_runs_end_like_an_undisturbed_one(alone, tmp_path):
    """Report a damaged file in one line of the reader's log, and make the file again in the next run."""
    folder = make(tmp_path / "project")
    killed(folder, "verify", True, *ALONE, forced=False)
    assert left(folder) != []
    results = folder / "results"
    assert not (results / "two" / "verdicts.json").exists()
    damaged = results / "two" / "fits.json"
    damaged.write_bytes(b"\0" + damaged.read_bytes()[1:])
    done = run(folder, *ALONE)
    assert done.returncode == 1
    line = (results / "logs" / "verify" / "two.log").read_text()
    assert set(said(done)) == {line.removeprefix("grundylab: ").strip()}
    assert line.startswith("grundylab: results/two/fits.json: ")
    assert "; it is removed" in line
    assert ends_like(alone, folder, *ALONE) == []


def edit(ruleset, old, new):
    """Replace a text in the ruleset and date the file back, as with a clock that was wrong."""
    text = ruleset.read_text()
    assert old in text
    ruleset.write_text(text.replace(old, new))
    os.utime(ruleset, (1e9, 1e9))


@pytest.mark.night
def test_a_second_run_in_the_same_folder_is_refused_as_long_as_the_first_is_at_work(copy):
    """Rely on Snakemake's own lock, which remains after a kill; Snakemake says how to remove it."""
    with halted(copy, "catalogue.parquet", *ALONE, "--forcerun", "study_catalogue"):
        before = made(copy)
        done = run(copy, *ALONE, "--forcerun", "verify")
        assert done.returncode == 1
        assert "--unlock" in done.stderr
        assert made(copy) == before


# -- long ------------------------------------------------------------------------------------------------------


@pytest.mark.night
@pytest.mark.parametrize("everything", [True, False], ids=["all", "job"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_run_killed_in_every_stage_ends_like_an_undisturbed_one(
    tmp_path_factory, tmp_path, everything, when
):
    def with_papers(folder):
        with (make(folder, papers=True) / "config.yaml").open("a") as config:
            config.write("papers: true\n")
        return folder

    def calmly(folder):
        assert run(with_papers(folder)).returncode == 0

    calm = shared(tmp_path_factory, "calm", calmly)
    folder = with_papers(tmp_path / "project")
    for stage in STAGES:
        lines = said(killed(folder, stage, everything, when=when))
        assert [each for each in lines if not (MADE_AGAIN.fullmatch(each) or PROGRESS.fullmatch(each))] == []
        for path in left(folder):  # another process may have the number of the one that was killed
            os.utime(path, (1e9, 1e9))
    assert ends_like(calm, folder) == []


@pytest.mark.night
def test_one_core_or_several_today_or_tomorrow_are_byte_for_byte_the_same(undisturbed, tmp_path):
    folder = make(tmp_path / "project")
    other = {"FAULT_LATER": "86400", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1", "LC_ALL": "C"}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    assert ends_like(undisturbed, folder, cores="1", **other, **threads) == []


@pytest.mark.night
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:20] + bytes([data[20] ^ 255]) + data[21:],
        lambda data: data[: len(data) // 2],
        lambda data: b"",
    ],
    ids=["flipped", "cut", "emptied"],
)
def test_each_file_that_a_stage_reads_may_be_damaged(undisturbed, tmp_path, damage):
    folder = shutil.copytree(undisturbed, tmp_path / "project")
    names = [name for name in records(undisturbed) if "timings" not in name and name != UNREAD]
    # datasets of train, validate and test, candidates, rows, verdicts, proofs, catalogue
    assert len(names) >= 4 + 2 + 1 + 2 + 2 + 1
    for name in names:
        (folder / name).write_bytes(damage((folder / name).read_bytes()))
    lines = set()
    while (
        done := run(folder)
    ).returncode:  # what is made anew is read by the next stage, with what is damaged
        assert set(said(done)) - lines, done.stderr
        lines |= set(said(done))
    assert {MADE_AGAIN.sub(r"\1:", line).partition(":")[0] for line in lines} <= set(names)
    assert made(folder) == made(undisturbed)


@pytest.mark.night
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
    with halted(during, "from-m/fits.json") as running:
        edit(during / "rulesets" / "subtraction-1-to-m.yaml", *change)
    done = running.result()
    assert done.returncode == 1
    (line,) = set(said(done))
    assert line.startswith("rulesets/subtraction-1-to-m.yaml: ")
    assert line.endswith("run again")
    ends_like(calm, during)


def in_space(script, *arguments):
    """Return the command that runs the script with mounts of its own, as root; skip the test if that is not allowed."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
                                                         check=False, capture_output=True).returncode:  # fmt: skip
        pytest.skip("mounting a small file system needs root")
    return ("unshare", "-m", "sh", "-c", script, "sh", *map(str, arguments))


@pytest.mark.night
@pytest.mark.parametrize("share", [0, 0.35, 0.5, 0.65, 0.8])
def test_a_full_disk_is_said_and_what_was_made_before_is_used_after(undisturbed, tmp_path, share):
    """share: the share of the run's space that the disk has."""
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
    done = run(whole, before=in_space(script, small, whole, left_over))
    text = done.stdout + done.stderr
    assert done.returncode not in (0, 99), text
    assert os.strerror(errno.ENOSPC) in text
    said(done)
    kept = whole / "kept"
    assert left(kept) == []
    ends_like(undisturbed, kept)


@pytest.mark.night
def test_a_folder_that_cannot_be_written_is_one_line(undisturbed, project):
    script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" || exit 99; shift; exec "$@"'
    done = run(project, "--forceall", before=in_space(script, project))
    assert done.returncode not in (0, 99)
    (line,) = said(done)
    assert line.startswith("cannot write here: ")
    assert line.endswith("Read-only file system")
    assert made(project) == made(undisturbed)


@pytest.mark.night
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
        found = json.loads((folder / "results" / "two" / "proofs.json").read_text())["findings"]
        return [proof for each in found for proof in each.get("proofs", [])]

    asked = [(before, after) for before, after in zip(proofs(undisturbed), proofs(project), strict=True)
             if (before["proof"] or "").endswith(".mona")]  # fmt: skip
    assert len(asked) > 5
    for before, after in asked:
        assert before["status"] == "proved"
        assert "MONA" in before["procedures"]
        assert after["status"] == "proved"  # by grundylab's own automata, and nobody else says so
        assert "MONA" not in after["procedures"]
        assert "by a signal" in after["second"]["reason"]
