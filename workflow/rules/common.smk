"""Definitions for the rules: the studies of the configuration, after their keys were checked, and their files."""

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

# Shell commands find `grundylab` in the environment of Snakemake, even if that is not activated.
shell.prefix(f"PATH='{os.path.dirname(sys.executable)}':\"$PATH\"; ")

# On a full disk Snakemake cannot write its log; without this setting it would print a traceback for every line.
logging.raiseExceptions = False

RESULTS, DATA = map(workflow.pathvars.get, ("results", "data"))

try:
    given = workflow.config_settings.config  # after --config
    STUDIES = studies_of(config, workflow.configfiles, given)
    # For a misspelt study Snakemake only says that no rule makes the file. Its own list of targets is not ready here.
    if workflow.is_main_process:
        check_targets(sys.argv[1:], RESULTS, STUDIES)
except GrundylabError as error:
    sys.exit(f"grundylab: {error}")

NO_JULIA = unavailable()  # the reason why PySR cannot run here; None if it can
PYSR_STUDIES = [
    name
    for name, study in STUDIES.items()
    if any("pysr" in engines for engines in study.engines.values())
]
PAPERS = sorted(glob.glob("papers/*.yaml"))
STATEMENTS = PAPERS and config.get("papers")  # whether papers.md is to be written
RULESETS = sorted(glob.glob("rulesets/*.yaml"))
SURVEYS = [Path(file).stem for file in sorted(glob.glob("surveys/*.yaml"))]
SURVEY_MEBIBYTES = 2_000  # memory of one job of a survey
# The keys that a study's game depends on. GAMES also counts the rulesets that the claims look up.
GAME = ("name", "version", "ruleset", "files", "given")
GAMES = ("name", "version", "ruleset", "sources", "given")
# The keys of a study on which its engines' formulas depend: the rules, but not the claims or the title.
LEARNING = (
    "name",
    "version",
    "ruleset",
    "rules",
    "given",
    "seed",
    "values",
    "train",
    "validate",
    "where",
    "each",
    "engines",
    "ask",
    "seeds",
    "budget",
    "budgets",
)


def tables(study, split):
    """Return the folder with the split's datasets or, for a study of tables made elsewhere, the split's files."""
    if STUDIES[study].given:
        return STUDIES[study].given[split]
    return [f"<data>/{study}/{split}"] if STUDIES[study].datasets(split) else []


def all_tables(studies, splits=SPLITS):
    return [
        file for study in studies for split in splits for file in tables(study, split)
    ]


def rules_alone(studies):
    """Return the files of the studies' rulesets for a job that depends on the rules in them alone, whatever their dates.

    The digest of the rules is among the job's params.
    """
    return [
        ancient(file)
        for file in sorted({file for study in studies for file in STUDIES[study].files})
    ]


def rules_to_solve(w):
    """Return the ruleset's files, the input of the rule `solve`; have datasets made again that were deleted or edited.

    Snakemake itself compares only the time of their folder, and only if the folder exists.
    """
    study, folder = STUDIES[w.study], f"{DATA}/{w.study}/{w.split}"
    was_run = os.path.isdir(folder) or os.path.isdir(f"{RESULTS}/{w.study}")
    if workflow.is_main_process and was_run:
        if fault := damage(folder, study.datasets(w.split)):
            print(f"grundylab: {fault}; it is made again", file=sys.stderr)
            workflow.dag.forcefiles.add(folder)
    return rules_alone([w.study])


def memory(study, splits, attempt):
    """Return the memory, in MiB, for a job that holds the tables of these splits; each further attempt gets more."""
    instances = [each for split in splits for each in STUDIES[study].datasets(split)]
    return attempt * job_mebibytes(instances, STUDIES[study].values)


def keys(*names):
    """Return a function that gives a rule's script these keys of its study; only their changes run the rule again."""
    return lambda w: STUDIES[w.study].part(names)


def keys_of_steps(*names):
    """Return what `keys` does, for a rule that takes steps of the study.

    If grundylab chose the tables, later steps learn again, and depend on what the first ones depend on.
    """
    return lambda w: STUDIES[w.study].part(
        (*names, "chosen", *if_chosen(w.study, LEARNING))
    )


def if_chosen(study, what):
    """Return the files or keys if grundylab chose the study's tables, so that later stages learn again; else none."""
    return what if STUDIES[study].chosen else ()


def keys_of_all(studies, *names):
    """Return the values of these keys for each of the studies, by the study's name."""
    return {study: STUDIES[study].part(names) for study in studies}


def files(name, studies):
    """Return the paths of the file `name` for those of the studies that have such a file."""
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


# A digest of all papers and rulesets, for rules that read all of them: a change counts even if a file's time is old.
TEXTS = sha256(
    b"".join(Path(file).read_bytes() for file in PAPERS + RULESETS)
).hexdigest()


wildcard_constraints:
    study="|".join(map(re.escape, STUDIES)),
    split="|".join(SPLITS),
