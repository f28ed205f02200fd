rule solve:
    input:
        lambda w: DATASETS[f"data/{w.ruleset}/{w.instance}.{w.values}.parquet"][0].files,
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
        ruleset=lambda w, input: input[0],
        instance=lambda w, output: asked(DATASETS[output[0]][1]),
    message:
        "solving {wildcards.ruleset} ({wildcards.instance})"
    shell:
        "grundylab solve {params.ruleset} {params.instance} --values {wildcards.values} --out {output} > {log} 2>&1"
