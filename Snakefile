"""From the rulesets and studies of config.yaml to the catalogue and the page: `snakemake --cores 2`."""


include: "workflow/Snakefile"


rule all:
    default_target: True
    input:
        EVERYTHING,
