"""Runs the studies of config.yaml, and makes the catalogue and the page of results: `snakemake --cores 2`.

For another configuration: `snakemake --cores 2 --configfile studies/papers.yaml`. For one study, name its page:
`snakemake --cores 2 results/nim-2/report/index.html`.
"""


include: "workflow/Snakefile"


rule all:
    default_target: True
    input:
        EVERYTHING,
    message:
        "everything is done"
