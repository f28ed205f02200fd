"""A job's stage, in a process forked from the server (grundylab.pipeline.forkserver), or in this one."""

import sys

from grundylab.pipeline.forked import run

job = snakemake  # noqa: F821 - Snakemake puts it there
described = {
    "rule": job.rule,
    "wildcards": dict(job.wildcards.items()),
    "input": dict(job.input.items()),
    "output": dict(job.output.items()),
    "params": dict(job.params.items()),
    "log": job.log[0],
}
sys.exit(run("grundylab.pipeline.jobs:run", described))
