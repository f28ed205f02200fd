rule prove:
    input:
        verdicts="results/{study}/verdicts.json",
        ruleset=lambda w: list(STUDIES[w.study].sources),
    output:
        proofs="results/{study}/proofs.json",
        scripts=directory("results/{study}/proofs"),
        timings="results/timings/{study}.prove.json",
    log:
        "results/logs/prove/{study}.log",
    benchmark:
        "results/benchmarks/prove/{study}.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        asked=lambda w: STUDIES[w.study].asked_of("prove"),
    message:
        "proving what holds for {wildcards.study}"
    script:
        "../scripts/prove.py"


rule coq:
    input:
        proofs="results/{study}/proofs.json",
        scripts="results/{study}/proofs",
        rows=lambda w: periods(w.study, "rows.json"),
        certificates=lambda w: periods(w.study, "rows"),
        ruleset=lambda w: list(STUDIES[w.study].sources),
    output:
        coq="results/{study}/coq.json",
        files=directory("results/{study}/coq"),
    log:
        "results/logs/coq/{study}.log",
    benchmark:
        "results/benchmarks/coq/{study}.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        asked=lambda w: STUDIES[w.study].asked_of("coq"),
        installed=find_coqc() is not None,
    message:
        "having Coq check the proofs of {wildcards.study}"
    script:
        "../scripts/coq.py"
