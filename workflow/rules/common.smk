"""What the rules look up: the studies of config.yaml, validated, and the files that each of them makes."""

import glob
import os
import re
import sys

from grundylab.config import studies_of
from grundylab.errors import GrundylabError
from grundylab.solving.dataset import dataset_path
from grundylab.solving.memory import job_mebibytes

# The command line of the environment that Snakemake itself runs in, activated or not.
shell.prefix(f"PATH='{os.path.dirname(sys.executable)}':\"$PATH\"; ")

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


def asked(instance):
    """The instance as options of the command line."""
    fixed = [f"--param {name}={value}" for name, value in instance.parameters]
    return " ".join(
        fixed + [f"--bound {name}={value}" for name, value in instance.bounds]
    )


def memory(study, instances, attempt):
    """MiB for a job that holds these instances' tables; more if it was tried before."""
    return attempt * job_mebibytes(instances, study.values)


def solving_memory(wildcards, attempt):
    """The same for the dataset with these wildcards."""
    w = wildcards
    study, instance = DATASETS[f"data/{w.ruleset}/{w.instance}.{w.values}.parquet"]
    return memory(study, [instance], attempt)


ROW_STUDIES = [name for name, study in STUDIES.items() if study.rows]


def proposals(study):
    return [f"results/{study.name}/{target.slug}.json" for target in study.targets]


def engines(study, slug):
    return {target.slug: list(names) for target, names in study.engines}[slug]


wildcard_constraints:
    study="|".join(map(re.escape, STUDIES)),
    target=r"p|grundy|grundy-\d+",
    values="grundy|outcome",
    ruleset=r"[\w-]+",
    instance=r"[\w=-]+",
