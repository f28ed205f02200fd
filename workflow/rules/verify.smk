rule verify:
    input:
        proposals=lambda w: proposals(STUDIES[w.study]),
        datasets=lambda w: [
            dataset(STUDIES[w.study], instance) for instance in STUDIES[w.study].test
        ],
        ruleset=lambda w: STUDIES[w.study].files,
    output:
        "results/{study}/verdicts.json",
    log:
        "results/logs/verify/{study}.log",
    benchmark:
        "results/benchmarks/verify/{study}.tsv"
    conda:
        "../envs/grundylab.yaml"
    message:
        "verifying what was found for {wildcards.study}"
    script:
        "../scripts/verify.py"
