# One job for each split of a study: a table takes milliseconds, but a job takes a second to start. The splits are separate
# so that a change of the test instances runs no engine again.
rule solve:
    input:
        ruleset=rules_to_solve,
    output:
        datasets=directory("<data>/{study}/{split}"),
    log:
        "<logs>/solve/{study}.{split}.log",
    benchmark:
        "<benchmarks>/solve/{study}.{split}.tsv"
    priority: 3
    group:
        "solve"
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: memory(w.study, [w.split], attempt),
    params:
        study=keys("version", "ruleset", "hash", "values"),
        instances=lambda w: STUDIES[w.study].part([w.split])[w.split],
    message:
        "solving the {wildcards.split} tables of {wildcards.study}"
    script:
        "../scripts/solve.py"
