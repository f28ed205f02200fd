rule discover:
    input:
        lambda w: [
            dataset(STUDIES[w.study], instance) for instance in STUDIES[w.study].train
        ],
    output:
        "results/{study}/{target}.{engine}.json",
    log:
        "results/logs/discover/{study}/{target}.{engine}.log",
    benchmark:
        "results/benchmarks/discover/{study}/{target}.{engine}.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        seed=lambda w: STUDIES[w.study].seed,
        budget=lambda w: STUDIES[w.study].budget,
        where=lambda w: str(STUDIES[w.study].where),
        each=lambda w: STUDIES[w.study].each,
    message:
        "looking for {wildcards.target} of {wildcards.study} with {wildcards.engine}"
    script:
        "../scripts/discover.py"
