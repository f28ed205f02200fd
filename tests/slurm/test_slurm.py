"""A whole run through a real Slurm: what it makes is what a run on one machine makes, by few cluster jobs.

`start-slurm.sh` starts a Slurm of one node on this machine. Where that cannot be, these tests are skipped.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SKIPPED = 77  # the status of start-slurm.sh where there cannot be one
CONFIG = """\
seed: 3
budget: 5
engines: [search]
studies:
  two:
    ruleset: nim-2
    targets: [p, grundy]
    train: {bounds: {N: 8}}
    test: {bounds: {N: 20}}
    large: {bounds: {N: 40}, slabs: 2}
    rows: {length: 500}
  from-m:
    ruleset: subtraction-1-to-m
    targets: [p]
    engines: [search, periods]
    train: {bounds: {N: 20}, parameters: {m: [2, 3]}}
    test: {bounds: {N: 60}, parameters: {m: [4, 5]}}
"""
# This Slurm keeps no accounts, and a test does not wait 40 seconds before it first asks for a job's state.
ONE_NODE = [
    "--slurm-no-account",
    "--slurm-status-command=squeue",
    "--slurm-init-seconds-before-status-checks=5",
    "--latency-wait=10",
]

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    """The folder of a running Slurm, and the environment to use it."""
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


def project(folder, config=CONFIG):
    """A checkout's workflow with a tiny configuration."""
    for name in ("workflow", "rulesets", "papers"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "Snakefile", folder)
    (folder / "config.yaml").write_text(config)
    return folder


def snakemake(folder, profile, *arguments, environment=None):
    command = [sys.executable, "-m", "snakemake", "--workflow-profile", f"workflow/profiles/{profile}"]
    done = subprocess.run(
        [*command, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def runs(slurm, tmp_path_factory):
    """The same project, run on this machine and through Slurm; and what Slurm did, one line a job."""
    folder, environment = slurm
    here, there = (project(tmp_path_factory.mktemp(name)) for name in ("here", "there"))
    snakemake(here, "default", "--cores", "2")
    snakemake(there, "slurm", *ONE_NODE, environment=environment)
    return here, there, (folder / "jobs.txt").read_text().splitlines()


def made(folder):
    """File → content, of all that a run makes but for logs and times."""
    apart = {"logs", "benchmarks", "timings"}
    files = [path for name in ("data", "results") for path in (folder / name).rglob("*") if path.is_file()]
    found = {path.relative_to(folder): path.read_bytes() for path in files}
    return {path: content for path, content in found.items() if not apart & set(path.parts)}


def test_a_run_through_slurm_makes_the_same_catalogue_and_datasets(runs):
    here, there, _ = runs
    local, remote = made(here), made(there)
    assert Path("results/catalogue.json") in local
    assert set(local) == set(remote)
    assert [path for path in local if local[path] != remote[path] and path.name not in TIMED] == []


# how long the claims took stands in it
TIMED = {"papers.md"}


def test_the_jobs_are_done_by_slurm_a_few_at_a_time(runs):
    _, there, jobs = runs
    assert [re.search(r"JobState=(\w+)", job)[1] for job in jobs] == ["COMPLETED"] * 5  # two of them slabs
    assert all(f"WorkDir={there} " in job for job in jobs)
    logs = (there / ".snakemake" / "log").glob("*.log")
    submitted = re.findall(r"has been submitted with SLURM jobid", "".join(log.read_text() for log in logs))
    assert len(submitted) == 5  # solve, both studies, two slabs, the catalogue with what is made from it


def test_a_second_run_submits_nothing(runs, slurm):
    _, there, jobs = runs
    folder, environment = slurm
    done = snakemake(there, "slurm", *ONE_NODE, environment=environment)
    assert "Nothing to be done" in done.stderr
    assert (folder / "jobs.txt").read_text().splitlines() == jobs
