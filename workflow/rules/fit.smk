rule fit:
    input:
        datasets=lambda w: tables(STUDIES[w.study])["seen"],
        ruleset=lambda w: list(STUDIES[w.study].files),
    output:
        fits="results/{study}/fits.json",
        trees=directory("results/{study}/trees"),
        timings="results/timings/{study}.fit.json",
    log:
        "results/logs/fit/{study}.log",
    benchmark:
        "results/benchmarks/fit/{study}.tsv"
    priority: 2
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: memory(
            STUDIES[w.study].values,
            STUDIES[w.study].train + STUDIES[w.study].validation,
            attempt,
        ),
    params:
        asked=lambda w: STUDIES[w.study].asked_of("fit"),
    message:
        "fitting formulas of {wildcards.study}"
    script:
        "../scripts/fit.py"


# All of PySR's questions in one process: Julia takes most of a minute to compile what it is asked with.
rule pysr:
    input:
        fits=expand("results/{study}/fits.json", study=PYSR_STUDIES),
        datasets=[
            file for name in PYSR_STUDIES for file in tables(STUDIES[name])["seen"]
        ],
        rulesets=sorted({file for name in PYSR_STUDIES for file in STUDIES[name].files}),
    output:
        answers=expand("results/{study}/pysr.json", study=PYSR_STUDIES),
    log:
        "results/logs/pysr.log",
    benchmark:
        "results/benchmarks/pysr.tsv"
    priority: 2
    conda:
        "../envs/grundylab.yaml"
    params:
        asked=[STUDIES[name].asked_of("fit") for name in PYSR_STUDIES],
        unavailable=unavailable(),
    message:
        "asking PySR"
    script:
        "../scripts/ask_pysr.py"
