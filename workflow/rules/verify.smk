rule verify:
    input:
        answers=lambda w: answers(STUDIES[w.study]),
        seen=lambda w: tables(STUDIES[w.study])["seen"],
        test=lambda w: tables(STUDIES[w.study])["test"],
        ruleset=lambda w: list(STUDIES[w.study].sources),
    output:
        verdicts="results/{study}/verdicts.json",
        timings="results/timings/{study}.verify.json",
    log:
        "results/logs/verify/{study}.log",
    benchmark:
        "results/benchmarks/verify/{study}.tsv"
    priority: 1
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: memory(
            STUDIES[w.study].values, STUDIES[w.study].datasets, attempt
        ),
    params:
        asked=lambda w: STUDIES[w.study].asked_of("verify"),
    message:
        "verifying what was found for {wildcards.study}"
    script:
        "../scripts/verify.py"
