rule discover:
    input:
        datasets=lambda w: [
            dataset(STUDIES[w.study], instance) for instance in STUDIES[w.study].train
        ],
    output:
        candidates="results/{study}/{target}.json",
    log:
        "results/logs/discover/{study}/{target}.log",
    benchmark:
        "results/benchmarks/discover/{study}/{target}.tsv"
    priority: 2
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: memory(
            STUDIES[w.study], STUDIES[w.study].train, attempt
        ),
    params:
        asked=lambda w: STUDIES[w.study].asked_of("discover", w.target),
    message:
        "looking for {wildcards.target} of {wildcards.study}"
    script:
        "../scripts/stage.py"
