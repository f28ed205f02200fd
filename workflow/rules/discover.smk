rule discover:
    input:
        ruleset=lambda w: list(STUDIES[w.study].files),
    output:
        candidates="results/{study}/candidates.json",
    log:
        "results/logs/discover/{study}.log",
    benchmark:
        "results/benchmarks/discover/{study}.tsv"
    priority: 2
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: memory(
            STUDIES[w.study], STUDIES[w.study].train, attempt
        ),
    params:
        asked=lambda w: STUDIES[w.study].asked_of("discover"),
    message:
        "looking for formulas of {wildcards.study}"
    script:
        "../scripts/discover.py"
