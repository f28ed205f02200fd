"""A whole run through a real Slurm: it makes the same files as a run on one machine, with few cluster jobs.

`start-slurm.sh` starts a Slurm of one node on this machine. If that is impossible, these tests are skipped.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.pipeline.project import checkout, made, snakemake

HERE = Path(__file__).parent
SKIPPED = 77  # the status of start-slurm.sh where there cannot be one
# This Slurm keeps no accounts, and a test does not wait 40 seconds before it first asks for a job's state.
ONE_NODE = [
    "--slurm-no-account",
    "--slurm-status-command=squeue",
    "--slurm-init-seconds-before-status-checks=5",
    "--latency-wait=10",
]

pytestmark = pytest.mark.night


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    """Yield the folder of a running Slurm, and the environment to use it."""
    folder = tmp_path_factory.mktemp("slurm") / "one-node"
    started = subprocess.run(
        ["sh", HERE / "start-slurm.sh", folder], capture_output=True, text=True, check=False
    )
    if started.returncode == SKIPPED:
        pytest.skip(started.stderr.strip())
    assert started.returncode == 0, started.stderr
    yield (
        folder,
        {
            **os.environ,
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "SLURM_CONF": str(folder / "slurm.conf"),
        },
    )
    subprocess.run(["sh", HERE / "stop-slurm.sh", folder], check=True)


def well(folder, *arguments, **options):
    """Run Snakemake and assert that it succeeds."""
    done = snakemake(folder, *arguments, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def runs(slurm, tmp_path_factory):
    """Return the folders of a project run on this machine and through Slurm, and Slurm's list of jobs, one per line."""
    folder, environment = slurm
    here, there = (checkout(tmp_path_factory.mktemp(name)) for name in ("here", "there"))
    well(here)
    well(there, *ONE_NODE, profile="slurm", environment=environment)
    return here, there, (folder / "jobs.txt").read_text().splitlines()


def test_a_run_through_slurm_makes_the_same_catalogue_and_datasets(runs):
    here, there, _ = runs
    local, remote = made(here), made(there)
    assert "results/catalogue.json" in local
    assert set(local) == set(remote)
    assert [path for path in local if local[path] != remote[path]] == []


def test_the_jobs_are_done_by_slurm_a_few_at_a_time(runs):
    _, there, jobs = runs
    assert [re.search(r"JobState=(\w+)", job)[1] for job in jobs] == ["COMPLETED"] * 3
    assert all(f"WorkDir={there} " in job for job in jobs)
    logs = (there / ".snakemake" / "log").glob("*.log")
    submitted = re.findall(r"has been submitted with SLURM jobid", "".join(log.read_text() for log in logs))
    assert len(submitted) == 3  # solve, both studies, the catalogue with what is made from it


def test_a_second_run_submits_nothing(runs, slurm):
    _, there, jobs = runs
    folder, environment = slurm
    done = well(there, *ONE_NODE, profile="slurm", environment=environment)
    assert "Nothing to be" in done.stderr
    assert (folder / "jobs.txt").read_text().splitlines() == jobs
