rule solve:
    input:
        lambda w: solved(w)[0].files,
    output:
        "data/{ruleset}/{instance}.{values}.parquet",
    log:
        "results/logs/solve/{ruleset}/{instance}.{values}.log",
    benchmark:
        "results/benchmarks/solve/{ruleset}/{instance}.{values}.tsv"
    priority: 2
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=solving_memory,
    params:
        asked=wanted,
        ruleset=lambda w, input: input[0],
        instance=lambda w, output: options(DATASETS[output[0]][1]),
    message:
        "solving {wildcards.ruleset} ({wildcards.instance})"
    shell:
        "grundylab solve {params.ruleset} {params.instance} --values {wildcards.values} --out {output} > {log} 2>&1"
