"""A project of two small games, and how it is run: with the fork server or without, with faults or without."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOOK = Path(__file__).parent / "hook"
GAMES = ("nim", "nim-2", "subtraction-1-to-m")
CONFIG = """\
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
SERVED = (sys.executable, "-m", "grundylab.forkserver")
# A file of each stage, in the order in which they are made.
STAGES = {
    "solve": "N=6.grundy.parquet",
    "discover": "two/p.json",
    "rows": "two/rows.json",
    "verify": "two/verdicts.json",
    "prove": "two/proofs.json",
    "catalogue": "catalogue.parquet",
    "figures": "figures/games",
    "tables": "tables/formulas.html",
    "report": "results/report",
    "results": "new-results.md",
    "papers": "docs/papers.md",
}
_APART = ("results/benchmarks", "results/logs", "results/timings")  # what times are in


def make(folder, papers=False):
    """Write the project into the folder."""
    (folder / "rulesets").mkdir(parents=True)
    shutil.copy(ROOT / "Snakefile", folder)
    shutil.copytree(ROOT / "workflow", folder / "workflow")
    if papers:
        shutil.copytree(ROOT / "rulesets", folder / "rulesets", dirs_exist_ok=True)
        shutil.copytree(ROOT / "papers", folder / "papers")
    for game in GAMES:
        shutil.copy(ROOT / "rulesets" / f"{game}.yaml", folder / "rulesets")
    (folder / "config.yaml").write_text(CONFIG)
    return folder


def run(folder, *arguments, before=SERVED, cores="2", **variables):
    """Run the workflow; ``variables``: of the environment."""
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


def killed(folder, stage, everything, before=SERVED):
    """Run until the stage's file is about to appear, and kill its process, or everything, without a warning."""
    once = folder / "once"
    once.unlink(missing_ok=True)
    # what the shell becomes leads the session that all of the run is in, but for forked jobs: these end with it
    whole = ("sh", "-c", 'FAULT_GROUP=$$ exec "$@"', "sh") if everything else ()
    # forced: an earlier run, killed in another branch, may have come past it
    done = run(
        folder, "--forcerun", stage, before=(*whole, *before), FAULT_AT=STAGES[stage], FAULT_ONCE=str(once)
    )
    assert once.exists(), done.stderr  # the stage was come to
    assert done.returncode == (-9 if everything else 1)
    return done


def said(done):
    """What grundylab says of the run, a line each; nothing may be a traceback."""
    text = done.stdout + done.stderr
    assert "Traceback" not in text, text
    return re.findall(r"^grundylab: (.*)$", text, re.M)


def made(folder, papers=False):
    """Every file that the workflow has made and that has no times in it: path → bytes."""
    files = [path for name in ("data", "results", "docs") for path in (folder / name).rglob("*")]
    kept = {str(path.relative_to(folder)): path for path in files if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in kept.items()
        if not name.startswith(_APART) and name != "docs/papers.md"
    }


def left(folder):
    """Files that were being written and are left."""
    return list(folder.rglob(".*.tmp"))
