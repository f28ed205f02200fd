rule slab:
    input:
        verdicts="results/{study}/verdicts.json",
        ruleset=lambda w: list(STUDIES[w.study].sources),
    output:
        part="results/{study}/slabs/{slab}.json",
    log:
        "results/logs/slab/{study}/{slab}.log",
    benchmark:
        "results/benchmarks/slab/{study}/{slab}.tsv"
    priority: 1
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: attempt * lines_mebibytes(STUDIES[w.study].large),
    params:
        asked=lambda w: STUDIES[w.study].asked_of("slab"),
    message:
        "looking at slab {wildcards.slab} of the large instances of {wildcards.study}"
    script:
        "../scripts/slab.py"


rule large:
    input:
        parts=lambda w: parts(STUDIES[w.study]),
        proofs="results/{study}/proofs.json",
        ruleset=lambda w: list(STUDIES[w.study].sources),
    output:
        large="results/{study}/large.json",
    log:
        "results/logs/large/{study}.log",
    benchmark:
        "results/benchmarks/large/{study}.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        asked=lambda w: STUDIES[w.study].asked_of("large"),
    message:
        "putting together what the slabs of {wildcards.study} say"
    script:
        "../scripts/large.py"
