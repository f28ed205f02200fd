# There is one job for each split of a study, not for each table: a table takes milliseconds, and a job a second to start.
# The splits are separate, so that no engine runs again when only the test instances change.
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
        "../scripts/stage.py"
