rule prove:
    input:
        verdicts="results/{study}/verdicts.json",
        ruleset=lambda w: sources(STUDIES[w.study]),
    output:
        proofs="results/{study}/proofs.json",
        timings="results/timings/{study}.prove.json",
    log:
        "results/logs/prove/{study}.log",
    benchmark:
        "results/benchmarks/prove/{study}.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        where=lambda w: [str(condition) for condition in STUDIES[w.study].prove],
        timeout=lambda w: STUDIES[w.study].proof_timeout,
    message:
        "proving what holds for {wildcards.study}"
    script:
        "../scripts/stage.py"
