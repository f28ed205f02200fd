rule verify:
    input:
        fits=lambda w: files("fits.json", [w.study]) + files("pysr.json", [w.study]),
        train=lambda w: tables(w.study, "train"),
        validate=lambda w: tables(w.study, "validate"),
        test=lambda w: tables(w.study, "test"),
        rows=lambda w: if_chosen(w.study, files("rows.json", [w.study])),
        ruleset=lambda w: list(STUDIES[w.study].sources),
    output:
        verdicts="<results>/{study}/verdicts.json",
        timings="<results>/timings/{study}.verify.json",
    log:
        "<logs>/verify/{study}.log",
    benchmark:
        "<benchmarks>/verify/{study}.tsv"
    priority: 1
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: memory(w.study, SPLITS, attempt),
    params:
        study=keys_of_steps(
            *GAMES,
            "seed",
            "values",
            "train",
            "validate",
            "test",
            "where",
            "each",
            "every",
            "engines",
            "judges_claims",
        ),
    message:
        "verifying the formulas and claims of {wildcards.study}"
    script:
        "../scripts/stage.py"
