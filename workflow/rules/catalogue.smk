rule catalogue:
    input:
        verdicts=expand("results/{study}/verdicts.json", study=STUDIES),
        proofs=expand("results/{study}/proofs.json", study=STUDIES),
        rows=expand("results/{study}/rows.json", study=ROW_STUDIES),
        large=expand("results/{study}/large.json", study=LARGE_STUDIES),
        coq=expand("results/{study}/coq.json", study=COQ_STUDIES),
    output:
        table="results/catalogue.parquet",
        records="results/catalogue.json",
        candidates="results/candidates.parquet",
        engines="results/engines.parquet",
    log:
        "results/logs/catalogue.log",
    benchmark:
        "results/benchmarks/catalogue.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        asked=lambda w: asked_of_all("catalogue"),
    message:
        "writing the catalogue"
    script:
        "../scripts/catalogue.py"
