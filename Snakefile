"""From the rulesets and studies of config.yaml to the catalogue and the page: `snakemake --cores 2`."""

from snakemake.utils import min_version

min_version("9.0")


configfile: "config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/solve.smk"
include: "workflow/rules/discover.smk"
include: "workflow/rules/rows.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/prove.smk"
include: "workflow/rules/large.smk"
include: "workflow/rules/catalogue.smk"
include: "workflow/rules/report.smk"


# To start no more than 100 jobs a second, Snakemake 9 looks each second at all jobs that could start, and once more a
# second for every job that has ended: after some hundred jobs that takes a core. No limit, no looking.
onstart:
    workflow.scheduler.job_rate_limiter = None


# What is about all studies together.
WHOLE = [
    "results/figures/games",
    "results/figures/papers",
    "results/tables/formulas.html",
    "results/new-results.md",
    *(["results/papers.md"] if PAPERS else []),
]


rule all:
    default_target: True
    input:
        "results/catalogue.parquet",
        "results/catalogue.json",
        "results/report/index.html",
        [] if ONLY else WHOLE,
        RECORDS,
