"""From the rulesets and studies of config.yaml to the catalogue and the page: `snakemake --cores 2`.

Another configuration: `snakemake --cores 2 --configfile studies/papers.yaml`. One study: its page is the target, as in
`snakemake --cores 2 results/nim-2/report/index.html`.
"""


include: "workflow/Snakefile"


rule all:
    default_target: True
    input:
        EVERYTHING,
    message:
        "everything is made"
