rule rows:
    input:
        ruleset=lambda w: list(STUDIES[w.study].files),
    output:
        rows="results/{study}/rows.json",
        certificates=directory("results/{study}/rows"),
        timings="results/timings/{study}.rows.json",
    log:
        "results/logs/rows/{study}.log",
    benchmark:
        "results/benchmarks/rows/{study}.tsv"
    priority: 4
    conda:
        "../envs/grundylab.yaml"
    params:
        asked=lambda w: STUDIES[w.study].asked_of("rows"),
    message:
        "looking for the periods of the rows of {wildcards.study}"
    script:
        "../scripts/rows.py"
