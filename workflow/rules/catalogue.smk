# There is one catalogue of all studies, and one of each study, so that the page of one study needs no other study:
# `snakemake results/nim-2/report/index.html`.
rule catalogue:
    input:
        proofs=expand("<results>/{study}/proofs.json", study=STUDIES),
        rows=files("rows.json", STUDIES),
        coq=files("coq.json", STUDIES),
    output:
        table="<results>/catalogue.parquet",
        records="<results>/catalogue.json",
        candidates="<results>/candidates.parquet",
        engines="<results>/engines.parquet",
        strategies="<results>/strategies.parquet",
    log:
        "<logs>/catalogue.log",
    benchmark:
        "<benchmarks>/catalogue.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        studies=keys_of_all(STUDIES, "version", "about", "open"),
    message:
        "writing the catalogue"
    script:
        "../scripts/stage.py"


use rule catalogue as study_catalogue with:
    input:
        proofs=["<results>/{study}/proofs.json"],
        rows=lambda w: files("rows.json", [w.study]),
        coq=lambda w: files("coq.json", [w.study]),
    output:
        table="<results>/{study}/catalogue.parquet",
        records="<results>/{study}/catalogue.json",
        candidates="<results>/{study}/candidates.parquet",
        engines="<results>/{study}/engines.parquet",
        strategies="<results>/{study}/strategies.parquet",
    log:
        "<logs>/catalogue/{study}.log",
    benchmark:
        "<benchmarks>/catalogue/{study}.tsv"
    params:
        studies=lambda w: keys_of_all([w.study], "version", "about", "open"),
    message:
        "writing the catalogue of {wildcards.study}"
