"""What the rules look up: the studies of config.yaml, validated, and the files that each of them makes.

Which keys of a study a stage depends on says USED in src/grundylab/pipeline/study.py; asked_of gives it no others.
"""

import glob
import logging
import os
import re
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

from grundylab.discover.engines.pysr import unavailable
from grundylab.pipeline.config import studies_of
from grundylab.pipeline.surveys import Places, asked_to_survey, load_survey
from grundylab.errors import GrundylabError
from grundylab.logic.coqc import find_coqc
from grundylab.solve.dataset import dataset_path
from grundylab.solve.memory import job_mebibytes, lines_mebibytes

# The command line of the environment that Snakemake itself runs in, activated or not.
shell.prefix(f"PATH='{os.path.dirname(sys.executable)}':\"$PATH\"; ")

# On a full disk Snakemake's log cannot be written; without this each of its lines would be a traceback on the terminal.
logging.raiseExceptions = False

# One study by itself, as in --config only=nim: what is asked for then is the page of it alone.
ONLY = config.pop("only", None)
SURVEY = config.pop("survey", None)

try:
    STUDIES = studies_of(config, workflow.configfiles, ONLY)
    if not STUDIES:
        raise GrundylabError(f"config.yaml has no study named '{ONLY}'")
except GrundylabError as error:
    sys.exit(f"grundylab: {error}")


def datasets(instances):
    return [str(dataset_path(instance)) for instance in instances]


def tables(study):
    """The datasets of the study's splits: those that engines see, and those to test on."""
    if study.every:
        return {"seen": [], "test": []}
    if study.given:
        seen = study.given.train + study.given.validation
        return {"seen": seen, "test": study.given.test}
    return {
        "seen": datasets((*study.train, *study.validation)),
        "test": datasets(study.test),
    }


PAPERS = sorted(glob.glob("papers/*.yaml"))
RULESETS = sorted(glob.glob("rulesets/*.yaml"))
SURVEY_FILES = sorted(glob.glob("surveys/*.yaml"))
SURVEY_MEBIBYTES = 2_000  # of a job of a survey
VALUES = ("outcome", "grundy").index
TOGETHER = 50  # instances that one job solves, at most

# Studies may share instances: the first that has one solves it, for Grundy numbers if any of them needs these.
KINDS = {}
for study in STUDIES.values():
    for file in datasets(study.datasets):
        KINDS[file] = max(KINDS.get(file, "outcome"), study.values, key=VALUES)
DATASETS = list(KINDS)
# What engines see is solved apart from what it is tested on: a change of the latter makes nothing be learnt again.
SOLVING = {}
solved = set()
for name, study in STUDIES.items():
    if not study.datasets:
        continue
    for split in ((*study.train, *study.validation), study.test):
        own = [
            each for each in dict.fromkeys(split) if datasets([each])[0] not in solved
        ]
        solved.update(datasets(own))
        for kind in ("grundy", "outcome"):
            mine = [each for each in own if KINDS[datasets([each])[0]] == kind]
            for start in range(0, len(mine), TOGETHER):
                words = [name, *(["test"] if split is study.test else [])]
                words += [kind] if len(mine) < len(own) else []
                words += [str(start)] if start else []
                SOLVING[".".join(words)] = (study, mine[start : start + TOGETHER], kind)


def memory(kind, instances, attempt):
    """MiB for a job that holds these instances' tables; more if it was tried before."""
    return attempt * job_mebibytes(instances, kind)


ROW_STUDIES = [name for name, study in STUDIES.items() if study.rows]
LARGE_STUDIES = [name for name, study in STUDIES.items() if study.large]
COQ_STUDIES = [name for name, study in STUDIES.items() if study.coq]


def periods(name, file):
    """A file of the study's rows, if it has any."""
    return [f"results/{name}/{file}"] if name in ROW_STUDIES else []


# Studies that PySR is asked for: in one job, since it takes long to start.
PYSR_STUDIES = [
    name
    for name, study in STUDIES.items()
    if any("pysr" in engines for engines in study.engines.values())
]


def fits(study):
    return [f"results/{study.name}/fits.json"] if study.targets else []


def answers(study):
    """The files of the engines' findings: PySR apart from the others."""
    return fits(study) + [
        f"results/{name}/pysr.json" for name in PYSR_STUDIES if name == study.name
    ]


def parts(study):
    return [f"results/{study.name}/{name}" for name in study.parts]


# What is missing among these is made again, though nothing else may need it.
RECORDS = [
    *DATASETS,
    *(file for study in STUDIES.values() for file in answers(study) + parts(study)),
    *expand("results/{study}/{name}.json", study=STUDIES, name=["verdicts", "proofs"]),
    *expand(
        "results/timings/{study}.{name}.json", study=STUDIES, name=["verify", "prove"]
    ),
    *expand("results/{study}/rows.json", study=ROW_STUDIES),
    *expand("results/{study}/large.json", study=LARGE_STUDIES),
    *expand("results/{study}/coq.json", study=COQ_STUDIES),
]


@cache
def survey(name):
    try:
        return load_survey(name)
    except GrundylabError as error:
        sys.exit(f"grundylab: {error}")


def places(name):
    return Places(Path("results/surveys") / name, survey(name).jobs)


# What `snakemake surveys` makes: all of the folder, or the one that is named.
SURVEYS = [SURVEY] if SURVEY else [Path(file).stem for file in SURVEY_FILES]


def asked_of_all(stage):
    """What a stage is asked that is about all studies."""
    return {name: study.asked_of(stage) for name, study in STUDIES.items()}


# What papers and rulesets say, for the rules that read all of them: a change is seen whatever the files' times are.
TEXTS = sha256(
    b"".join(Path(file).read_bytes() for file in PAPERS + RULESETS)
).hexdigest()


wildcard_constraints:
    study="|".join(map(re.escape, STUDIES)),
    slab=r"\d+-of-\d+",
