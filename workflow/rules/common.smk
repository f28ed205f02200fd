"""What the rules look up: the studies of config.yaml, validated, and the files that each of them makes."""

import glob
import logging
import os
import re
import sys
from hashlib import sha256
from pathlib import Path

from grundylab.pipeline.config import studies_of
from grundylab.errors import GrundylabError
from grundylab.pipeline.forked import SERVER
from grundylab.solve.dataset import dataset_path, metadata
from grundylab.solve.memory import job_mebibytes, lines_mebibytes

# The command line of the environment that Snakemake itself runs in, activated or not.
shell.prefix(f"PATH='{os.path.dirname(sys.executable)}':\"$PATH\"; ")

# On a full disk Snakemake's log cannot be written; without this each of its lines would be a traceback on the terminal.
logging.raiseExceptions = False

# A cluster's job does its own work, within its own limits, though it may be on the node where a server is.
if workflow.remote_exec:
    os.environ.pop(SERVER, None)

# One study by itself, as in --config only=nim: what is asked for then is the page of it alone.
ONLY = config.pop("only", None)

try:
    STUDIES = studies_of(config, workflow.configfiles, ONLY)
    if not STUDIES:
        raise GrundylabError(f"config.yaml has no study named '{ONLY}'")
except GrundylabError as error:
    sys.exit(f"grundylab: {error}")


def dataset(study, instance):
    return str(dataset_path(instance, study.values))


PAPERS = sorted(glob.glob("papers/*.yaml"))
RULESETS = sorted(glob.glob("rulesets/*.yaml"))

# Studies may share instances: one dataset each.
DATASETS = {
    dataset(study, instance): (study, instance)
    for study in STUDIES.values()
    for instance in study.datasets
}


def options(instance):
    """The instance as options of the command line."""
    fixed = [f"--param {name}={value}" for name, value in instance.parameters]
    return " ".join(
        fixed + [f"--bound {name}={value}" for name, value in instance.bounds]
    )


def memory(study, instances, attempt):
    """MiB for a job that holds these instances' tables; more if it was tried before."""
    return attempt * job_mebibytes(instances, study.values)


def solved(wildcards):
    """The study and the instance of the dataset with these wildcards."""
    w = wildcards
    return DATASETS[f"data/{w.ruleset}/{w.instance}.{w.values}.parquet"]


def solving_memory(wildcards, attempt):
    """The same for the dataset with these wildcards."""
    study, instance = solved(wildcards)
    return memory(study, [instance], attempt)


ROW_STUDIES = [name for name, study in STUDIES.items() if study.rows]
LARGE_STUDIES = [name for name, study in STUDIES.items() if study.large]


def proposals(study):
    return [f"results/{study.name}/{target.slug}.json" for target in study.targets]


def parts(study):
    return [f"results/{study.name}/{name}" for name in study.parts]


RECORDS = list(DATASETS)
RECORDS += [file for study in STUDIES.values() for file in proposals(study)]
RECORDS += expand(
    "results/{study}/{name}.json", study=STUDIES, name=["verdicts", "proofs"]
)
RECORDS += expand(
    "results/timings/{study}.{name}.json", study=STUDIES, name=["verify", "prove"]
)
RECORDS += expand("results/{study}/rows.json", study=ROW_STUDIES)
RECORDS += expand("results/timings/{study}.rows.json", study=ROW_STUDIES)
RECORDS += [file for study in STUDIES.values() for file in parts(study)]
RECORDS += expand("results/{study}/large.json", study=LARGE_STUDIES)


def wanted(wildcards):
    """What the dataset with these wildcards must be of."""
    study, instance = solved(wildcards)
    return metadata(instance, study.values)


def asked_of_all(stage):
    """What a stage is asked that is about all studies."""
    return {name: study.asked_of(stage) for name, study in STUDIES.items()}


# What papers and rulesets say, for the rules that read all of them: a change is seen whatever the files' times are.
TEXTS = sha256(
    b"".join(Path(file).read_bytes() for file in PAPERS + RULESETS)
).hexdigest()


wildcard_constraints:
    study="|".join(map(re.escape, STUDIES)),
    target=r"p|grundy|grundy-\d+",
    values="grundy|outcome",
    ruleset=r"[\w-]+",
    instance=r"[\w=-]+",
    slab=r"\d+-of-\d+",
