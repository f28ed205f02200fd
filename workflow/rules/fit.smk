rule fit:
    input:
        train=lambda w: tables(w.study, "train"),
        validate=lambda w: tables(w.study, "validate"),
        ruleset=lambda w: list(STUDIES[w.study].files),
    output:
        fits="<results>/{study}/fits.json",
        trees=directory("<results>/{study}/trees"),
        timings="<results>/timings/{study}.fit.json",
    log:
        "<logs>/fit/{study}.log",
    benchmark:
        "<benchmarks>/fit/{study}.tsv"
    priority: 2
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: memory(w.study, ["train", "validate"], attempt),
    params:
        study=keys(
            *GAME,
            "seed",
            "values",
            "train",
            "validate",
            "where",
            "each",
            "engines",
            "ask",
            "seeds",
            "budget",
        ),
    message:
        "fitting formulas of {wildcards.study}"
    script:
        "../scripts/fit.py"


# Apart from the other engines: where Julia is installed later, PySR alone is asked.
rule pysr:
    input:
        fits="<results>/{study}/fits.json",
        train=lambda w: tables(w.study, "train"),
        validate=lambda w: tables(w.study, "validate"),
        ruleset=lambda w: list(STUDIES[w.study].files),
    output:
        answers="<results>/{study}/pysr.json",
    log:
        "<logs>/pysr/{study}.log",
    benchmark:
        "<benchmarks>/pysr/{study}.tsv"
    priority: 2
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: memory(w.study, ["train", "validate"], attempt),
    params:
        unavailable=unavailable(),
        study=keys(
            *GAME,
            "seed",
            "values",
            "train",
            "validate",
            "where",
            "each",
            "engines",
            "ask",
            "seeds",
            "budget",
        ),
    message:
        "asking PySR for formulas of {wildcards.study}"
    script:
        "../scripts/pysr.py"
