"""What the rules look up: the studies of the configuration, validated, and the files that each of them makes."""

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
from grundylab.pipeline.folder import damage
from grundylab.pipeline.hooks import check_targets
from grundylab.pipeline.study import SPLITS
from grundylab.pipeline.surveys import Places, load_survey, part_of
from grundylab.solve.memory import job_mebibytes

# The command line of the environment that Snakemake itself runs in, activated or not.
shell.prefix(f"PATH='{os.path.dirname(sys.executable)}':\"$PATH\"; ")

# On a full disk Snakemake's log cannot be written; without this each of its lines would be a traceback on the terminal.
logging.raiseExceptions = False

RESULTS, DATA = map(workflow.pathvars.get, ("results", "data"))

try:
    STUDIES = studies_of(config, workflow.configfiles)
    # Snakemake would say of a misspelt study that no rule makes the file; its targets are not known yet.
    if workflow.is_main_process:
        check_targets(sys.argv[1:], RESULTS, STUDIES)
except GrundylabError as error:
    sys.exit(f"grundylab: {error}")

NO_JULIA = unavailable()  # why PySR cannot be asked here, if it cannot
PYSR_STUDIES = [
    name
    for name, study in STUDIES.items()
    if any("pysr" in engines for engines in study.engines.values())
]
PAPERS = sorted(glob.glob("papers/*.yaml"))
STATEMENTS = PAPERS and config.get("papers")  # whether papers.md is asked for
RULESETS = sorted(glob.glob("rulesets/*.yaml"))
SURVEYS = [Path(file).stem for file in sorted(glob.glob("surveys/*.yaml"))]
SURVEY_MEBIBYTES = 2_000  # of a job of a survey
# Of which game a study is: its own ruleset, and with it those that its claims look up.
GAME = ("name", "version", "ruleset", "files", "given")
GAMES = ("name", "version", "ruleset", "sources", "given")


def tables(study, split):
    """The split's folder of datasets; of a study of tables made elsewhere its files."""
    if STUDIES[study].given:
        return STUDIES[study].given[split]
    return [f"<data>/{study}/{split}"] if STUDIES[study].datasets(split) else []


def all_tables(studies, splits=SPLITS):
    return [
        file for study in studies for split in splits for file in tables(study, split)
    ]


def rules_to_solve(w):
    """The ruleset's files; and of a study that was run, datasets that were deleted or edited are solved again.

    Snakemake itself looks at the time of their folder alone, and only as long as there is one.
    """
    study, folder = STUDIES[w.study], f"{DATA}/{w.study}/{w.split}"
    was_run = os.path.isdir(folder) or os.path.isdir(f"{RESULTS}/{w.study}")
    if workflow.is_main_process and was_run:
        if fault := damage(folder, study.datasets(w.split)):
            print(f"grundylab: {fault}; it is made again", file=sys.stderr)
            workflow.dag.forcefiles.add(folder)
    return list(study.files)


def memory(study, splits, attempt):
    """MiB for a job that holds these splits' tables; more if it was tried before."""
    instances = [each for split in splits for each in STUDIES[study].datasets(split)]
    return attempt * job_mebibytes(instances, STUDIES[study].values)


def keys(*names):
    """What a rule's script is told of a study: these keys and no others, so a change of another runs nothing again."""
    return lambda w: STUDIES[w.study].part(names)


def keys_of_all(studies, *names):
    """The same of several studies, by name."""
    return {study: STUDIES[study].part(names) for study in studies}


def files(name, studies):
    """The file of that name of each of these studies that has one."""
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
    return Places(Path(RESULTS, "surveys", name), survey(name).jobs)


# What papers and rulesets say, for the rules that read all of them: a change is seen whatever the files' times are.
TEXTS = sha256(
    b"".join(Path(file).read_bytes() for file in PAPERS + RULESETS)
).hexdigest()


wildcard_constraints:
    study="|".join(map(re.escape, STUDIES)),
    split="|".join(SPLITS),
