"""Definitions for the rules: the validated studies of the configuration, and the files of each of them."""

import glob
import logging
import os
import re
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

from grundylab.discover.engines.pysr import unavailable
from grundylab.errors import GrundylabError
from grundylab.logic.coqc import find_coqc
from grundylab.pipeline.config import studies_of
from grundylab.pipeline.run_folder import damage
from grundylab.pipeline.hooks import check_targets
from grundylab.pipeline.study import SPLITS
from grundylab.pipeline.surveys import SurveyPaths, load_survey, part_of
from grundylab.solve.memory import job_mebibytes

# Shell commands find `grundylab` in the environment of Snakemake itself, activated or not.
shell.prefix(f"PATH='{os.path.dirname(sys.executable)}':\"$PATH\"; ")

# On a full disk Snakemake cannot write its log; without this setting every line of it prints a traceback.
logging.raiseExceptions = False

RESULTS, DATA = map(workflow.pathvars.get, ("results", "data"))

try:
    STUDIES = studies_of(config, workflow.configfiles)
    # For a misspelt study Snakemake only says that no rule makes the file. Its targets are not parsed yet.
    if workflow.is_main_process:
        check_targets(sys.argv[1:], RESULTS, STUDIES)
except GrundylabError as error:
    sys.exit(f"grundylab: {error}")

NO_JULIA = unavailable()  # why PySR cannot run here; None if it can
PYSR_STUDIES = [
    name
    for name, study in STUDIES.items()
    if any("pysr" in engines for engines in study.engines.values())
]
PAPERS = sorted(glob.glob("papers/*.yaml"))
STATEMENTS = PAPERS and config.get("papers")  # whether papers.md is to be written
RULESETS = sorted(glob.glob("rulesets/*.yaml"))
SURVEYS = [Path(file).stem for file in sorted(glob.glob("surveys/*.yaml"))]
SURVEY_MEBIBYTES = 2_000  # of a job of a survey
# The keys of a study's game: its own ruleset, or with it those that its claims look up.
GAME = ("name", "version", "ruleset", "files", "given")
GAMES = ("name", "version", "ruleset", "sources", "given")


def tables(study, split):
    """Return the split's folder of datasets; for a study of tables made elsewhere, its files."""
    if STUDIES[study].given:
        return STUDIES[study].given[split]
    return [f"<data>/{study}/{split}"] if STUDIES[study].datasets(split) else []


def all_tables(studies, splits=SPLITS):
    return [
        file for study in studies for split in splits for file in tables(study, split)
    ]


def rules_to_solve(w):
    """Return the ruleset's files; datasets of an earlier run that were deleted or edited are made again.

    Snakemake itself only compares the time of their folder, and only if the folder exists.
    """
    study, folder = STUDIES[w.study], f"{DATA}/{w.study}/{w.split}"
    was_run = os.path.isdir(folder) or os.path.isdir(f"{RESULTS}/{w.study}")
    if workflow.is_main_process and was_run:
        if fault := damage(folder, study.datasets(w.split)):
            print(f"grundylab: {fault}; it is made again", file=sys.stderr)
            workflow.dag.forcefiles.add(folder)
    return list(study.files)


def memory(study, splits, attempt):
    """Return the MiB for a job that holds these splits' tables; more for each further attempt."""
    instances = [each for split in splits for each in STUDIES[study].datasets(split)]
    return attempt * job_mebibytes(instances, STUDIES[study].values)


def keys(*names):
    """Return these keys of a study for a rule's script; a change of any other key does not run the rule again."""
    return lambda w: STUDIES[w.study].part(names)


def keys_of_all(studies, *names):
    """Return these keys of several studies, by the studies' names."""
    return {study: STUDIES[study].part(names) for study in studies}


def files(name, studies):
    """Return the files of that name of those of the studies that have one."""
    has = {
        "fits.json": lambda study: study.targets,
        "pysr.json": lambda study: study.name in PYSR_STUDIES,
        "rows.json": lambda study: study.rows,
        "rows": lambda study: study.rows,
        "coq.json": lambda study: study.coq,
    }
    return [
        f"<results>/{study}/{name}" for study in studies if has[name](STUDIES[study])
    ]


@cache
def survey(name):
    try:
        return load_survey(name)
    except GrundylabError as error:
        sys.exit(f"grundylab: {error}")


def places(name):
    return SurveyPaths(Path(RESULTS, "surveys", name), survey(name).jobs)


# The content of papers and rulesets, for the rules that read all of them: a change counts whatever the files' times are.
TEXTS = sha256(
    b"".join(Path(file).read_bytes() for file in PAPERS + RULESETS)
).hexdigest()


wildcard_constraints:
    study="|".join(map(re.escape, STUDIES)),
    split="|".join(SPLITS),
