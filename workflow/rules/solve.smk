# A job for each split of a study: a table takes milliseconds and a job a second to start, so a job an instance would take
# longer to start than to do its work. What engines see is solved apart from what it is tested on: another test runs no
# engine again.
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
