rule verify:
    input:
        candidates=lambda w: proposals(STUDIES[w.study]),
        datasets=lambda w: [
            dataset(STUDIES[w.study], instance)
            for instance in STUDIES[w.study].test
            if not STUDIES[w.study].every
        ],
        ruleset=lambda w: STUDIES[w.study].sources,
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
            STUDIES[w.study],
            () if STUDIES[w.study].every else STUDIES[w.study].test,
            attempt,
        ),
    params:
        asked=lambda w: STUDIES[w.study].asked_of("verify"),
    message:
        "verifying what was found for {wildcards.study}"
    script:
        "../scripts/stage.py"
