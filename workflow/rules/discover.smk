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
        engines=lambda w: engines(STUDIES[w.study], w.target),
        seed=lambda w: STUDIES[w.study].seed,
        budget=lambda w: STUDIES[w.study].budget,
        where=lambda w: str(STUDIES[w.study].where),
        each=lambda w: STUDIES[w.study].each,
    message:
        "looking for {wildcards.target} of {wildcards.study}"
    script:
        "../scripts/stage.py"
