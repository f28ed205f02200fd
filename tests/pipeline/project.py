"""Small projects for tests, and functions that run them as ``make run`` does, with or without faults."""

import fcntl
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from snakemake.api import SnakemakeApi
from snakemake.settings.types import ConfigSettings, DAGSettings, OutputSettings, Quietness, ResourceSettings

import grundylab as gl

ROOT = Path(__file__).parents[2]
HOOK = ROOT / "tests" / "faults" / "hook"
GAMES = ("nim", "nim-2", "subtraction-1-to-m")
CONFIG = """\
seed: 3
budget: 2
engines: [search, tree]
studies:
  two:
    ruleset: nim-2
    targets: [p, grundy]
    train: {bounds: {N: 8}}
    test: {bounds: {N: 20}}
    rows: {length: 500}
  from-m:
    ruleset: subtraction-1-to-m
    targets: [p, grundy]
    engines: {p: [tree, search], grundy: [periods]}
    train: {bounds: {N: 20}, parameters: {m: [2, 3]}}
    test: {bounds: {N: 60}, parameters: {m: [4, 5]}}
"""
# Two more studies: of a ruleset in a folder of its own, which one of the same name in rulesets/ does not hide; and of
# tables made elsewhere.
MORE = """\
  mine:
    ruleset: games/mine.yaml
    engines: [search]
    targets: [p]
    train: {bounds: {N: 9}}
    test: {bounds: {N: 20}}
  given:
    engines: [search]
    targets: [p, grundy]
    train: {files: [small.csv], parameter_columns: [m]}
    validate: {files: [middle.csv]}
    test: {files: [large.csv]}
"""
MINE = """\
title: Take up to TWO
position: {x: 0..N}
moves: [{take: "1..min(TWO, x)", from: x}]
claims:
  - {id: multiples, target: grundy, formula: x % (TWO + 1)}
"""
LITTLE = """\
seed: 3
budget: 2
engines: [search]
studies:
  two:
    ruleset: nim-2
    targets: [p]
    train: {bounds: {N: 6}}
    test: {bounds: {N: 12}}
    rows: {length: 200}
  from-m:
    ruleset: subtraction-1-to-m
    targets: [p]
    train: {bounds: {N: 20}, parameters: {m: [2, 3]}}
    test: {bounds: {N: 40}, parameters: {m: [4]}}
"""
ALONE = ("results/two/report/index.html",)  # the first study by itself: enough for most
# A file of each stage, in the order in which they are made.
STAGES = {
    "solve": "N=6.parquet",
    "fit": "two/fits.json",
    "rows": "two/rows.json",
    "verify": "two/verdicts.json",
    "prove": "two/proofs.json",
    "catalogue": "catalogue.parquet",
    "report": "results/report",
    "results": "results/new-results.md",
    "papers": "results/papers.md",
}
_APART = ("results/benchmarks", "results/logs", "results/timings")  # what times are in


def checkout(folder, config=CONFIG):
    """Write a checkout's workflow, rulesets and papers into the folder, with this configuration."""
    for name in ("workflow", "rulesets", "papers"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "Snakefile", folder)
    (folder / "config.yaml").write_text(config)
    return folder


def bare(folder, config):
    """Write a checkout's workflow into the folder, with this configuration and no rulesets of its own."""
    shutil.copytree(ROOT / "workflow", folder / "workflow")
    shutil.copy(ROOT / "Snakefile", folder)
    (folder / "config.yaml").write_text(config)
    return folder


# Starts each run from a process that has imported Snakemake already: that takes two thirds of a run in which nothing is done.
_FORKED = multiprocessing.get_context("forkserver")
_FORKED.set_forkserver_preload(["snakemake.cli", "grundylab.pipeline.hooks", "grundylab.pipeline.surveys"])


def snakemake(folder, *arguments, profile="default"):
    """Run Snakemake in the folder and return its exit status and output."""
    command = ["--workflow-profile", f"workflow/profiles/{profile}", *arguments]
    command += ["--cores", "2"] if profile == "default" else []
    with tempfile.TemporaryDirectory() as place:
        streams = [Path(place, name) for name in ("out", "err")]
        process = _FORKED.Process(target=_snakemake, args=(folder, command, dict(os.environ), *streams))
        process.start()
        process.join()
        return subprocess.CompletedProcess(command, process.exitcode, *(file.read_text() for file in streams))


def _snakemake(folder, command, environment, *streams):
    """Become ``python -m snakemake`` in the folder, with these standard output and error."""
    for number, file in enumerate(streams, 1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["snakemake", *command]
    from snakemake.cli import main

    main(command)


@dataclass(frozen=True)
class Job:
    """A job as Snakemake compares it with the last run: the names of its inputs and outputs, and its params."""

    inputs: frozenset[str]
    outputs: frozenset[str]
    params: str

    @classmethod
    def of(cls, job):
        """Return what decides about a job of Snakemake."""
        return cls(
            frozenset(map(str, job.input)), frozenset(map(str, job.output)), repr(job.non_derived_params)
        )


def planned(folder, *config):
    """Return the jobs by name (the rule and its wildcards) that make everything and each study's page, and the studies.

    config: files as for --configfile.
    """
    with chdir(folder), SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        files, cores = ConfigSettings(configfiles=config), ResourceSettings(cores=1)
        flow = api.workflow(cores, files, snakefile=folder / "Snakefile", workdir=folder)
        workflow = flow._workflow
        results, studies = workflow.globals["RESULTS"], workflow.globals["STUDIES"]
        pages = {f"{results}/{study}/report/index.html" for study in studies}
        flow.dag(DAGSettings(targets={"all", *pages}, forceall=True))
        workflow._prepare_dag(forceall=True, ignore_incomplete=True, lock_warn_only=True, nolock=True)
        workflow._build_dag()
        jobs = {" ".join([job.rule.name, *job.wildcards]): Job.of(job) for job in workflow.dag.jobs}
        del jobs["all"]
        return jobs, studies


def affected(before, after):
    """Return the names of the jobs that are others than before, and of all that read what these make."""
    found = {name for name, job in after.items() if before.get(name) != job}
    made = {file for name in found for file in after[name].outputs}
    while more := {name for name, job in after.items() if job.inputs & made} - found:
        found |= more
        made |= {file for name in more for file in after[name].outputs}
    return found


def shared(factory, name, make_it):
    """Return the folder that ``make_it(folder)`` fills; it is filled once for all workers of pytest."""
    here = factory.getbasetemp()
    above = here.parent if "PYTEST_XDIST_WORKER" in os.environ else here
    with (above / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (above / f"{name}.done").exists():
            shutil.rmtree(above / name, ignore_errors=True)
            make_it(above / name)
            (above / f"{name}.done").touch()
    return above / name


def run_of_test(factory):
    """Return the folder of a run with the configuration of ``.test``; tests may add files to it but change none."""

    def run_it(folder):
        done = snakemake(bare(folder, (ROOT / ".test" / "config.yaml").read_text()))
        assert done.returncode == 0, done.stderr

    return shared(factory, "run-of-test", run_it)


def finished_run(factory):
    """Return the folder of a run of four studies, as by ``make run``; what it printed is in ``out`` and ``err``."""

    def run_it(folder):
        checkout(folder, CONFIG + MORE)
        for place, most in (("games", "2"), ("rulesets", "3")):
            (folder / place).mkdir(exist_ok=True)
            (folder / place / "mine.yaml").write_text(MINE.replace("TWO", most))
        game = gl.load("subtraction-1-to-m")
        for name, size, values in (
            ("small", 12, (1, 2, 3, 5)),
            ("middle", 30, (1, 2, 3, 5)),
            ("large", 40, (4, 6)),
        ):
            tables = [gl.solve(game, m=m, N=size).to_frame().drop(columns="N") for m in values]
            pd.concat(tables).to_csv(folder / f"{name}.csv", index=False)
        done = snakemake(folder)
        assert done.returncode == 0, done.stderr
        (folder / "out").write_text(done.stdout)
        (folder / "err").write_text(done.stderr)

    return shared(factory, "finished-run", run_it)


def make(folder, papers=False):
    """Write the little project into the folder, with all rulesets and papers or with its own rulesets alone."""
    checkout(folder, LITTLE)
    if not papers:
        shutil.rmtree(folder / "papers")
        for path in (folder / "rulesets").iterdir():
            if path.stem not in GAMES:
                path.unlink()
    return folder


def run(folder, *arguments, before=(), cores="2", **variables):
    """Run the workflow in the folder. before: words before the command. variables: of the environment."""
    paths = [str(HOOK), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **variables}
    command = [*before, sys.executable, "-m", "snakemake", "--cores", cores]
    command += ["--workflow-profile", "workflow/profiles/default", *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )


def killed(folder, stage, everything, *arguments, when="before", forced=True):
    """Run until a stage writes its file, and kill its process, or all processes, at that moment.

    everything: whether all processes are killed. when: ``before`` or ``after`` the file gets its name. forced: run the
    stage even if an earlier run has passed it.
    """
    once = folder / "once"
    once.unlink(missing_ok=True)
    unlock(folder)
    # what the shell becomes leads the session that all of the run is in
    whole = ("sh", "-c", 'FAULT_GROUP=$$ exec "$@"', "sh") if everything else ()
    force = ("--forcerun", stage) if forced else ()
    done = run(folder, *arguments, *force, before=whole, FAULT_AT=STAGES[stage], FAULT_WHEN=when,
               FAULT_ONCE=str(once))  # fmt: skip
    assert once.exists(), done.stderr  # the stage was come to
    assert done.returncode == (-9 if everything else 1)
    unlock(folder)
    return done


def unlock(folder):
    """Remove the lock that a killed run has left, as Snakemake's message advises."""
    shutil.rmtree(folder / ".snakemake" / "locks", ignore_errors=True)


@contextmanager
def halted(folder, at, *arguments):
    """Start a run that stops before it writes ``at``; let it go on when the block ends."""
    once, until = folder / "once", folder / "until"
    waits = {"FAULT_AT": at, "FAULT_ONCE": str(once), "FAULT_UNTIL": str(until)}
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(run, folder, *arguments, **waits)
        while not once.exists():
            assert not running.done(), running.result().stderr
            time.sleep(0.05)
        try:
            yield running
        finally:
            until.touch()


def said(done):
    """Return the lines of grundylab's messages in a run; fail if there is a traceback."""
    text = done.stdout + done.stderr
    assert "Traceback" not in text, text
    return re.findall(r"^grundylab: (.*)$", text, re.M)


def made(folder):
    """Return the content, by path, of each file that the workflow made and that contains no times."""
    files = [path for name in ("data", "results") for path in (folder / name).rglob("*")]
    kept = {str(path.relative_to(folder)): path for path in files if path.is_file()}
    return {name: path.read_bytes() for name, path in kept.items() if not name.startswith(_APART)}


def records(folder):
    """Return the paths of files that one stage writes and another reads, relative to the folder."""
    found = [*(folder / "data").rglob("*.parquet"), *(folder / "results").glob("catalogue.*")]
    found += [
        path
        for path in (folder / "results").rglob("*.json")
        if not {"report", "logs", "proofs", "rows"} & set(path.parts)  # certificates are for people
    ]
    return sorted({str(path.relative_to(folder)) for path in found})


def left(folder):
    """Return temporary files and folders that should have been renamed or removed."""
    return [path for end in ("tmp", "old") for path in folder.rglob(f".*.{end}")]
