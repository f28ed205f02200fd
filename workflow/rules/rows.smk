rule rows:
    input:
        ruleset=lambda w: list(STUDIES[w.study].files),
    output:
        rows="<results>/{study}/rows.json",
        certificates=directory("<results>/{study}/rows"),
        timings="<results>/timings/{study}.rows.json",
    log:
        "<logs>/rows/{study}.log",
    benchmark:
        "<benchmarks>/rows/{study}.tsv"
    priority: 4
    conda:
        "../envs/grundylab.yaml"
    params:
        study=keys(*GAME, "seed", "rows"),
    message:
        "searching for periods of the rows of {wildcards.study}"
    script:
        "../scripts/rows.py"
