"""A job's stage, in a process forked from the server if there is one (see grundylab.forkserver), else in this one."""

import sys

from grundylab.forked import run

job = snakemake  # noqa: F821 - Snakemake puts it there
described = {
    "rule": job.rule,
    "config": job.config,
    "wildcards": dict(job.wildcards.items()),
    "input": dict(job.input.items()),
    "output": dict(job.output.items()),
    "log": job.log[0],
}
sys.exit(run("grundylab.jobs:run", described))
