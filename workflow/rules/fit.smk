rule fit:
    input:
        train=lambda w: tables(w.study, "train"),
        validate=lambda w: tables(w.study, "validate"),
        ruleset=lambda w: rules_alone([w.study]),
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
        study=keys_of_steps(*LEARNING),
    message:
        "fitting formulas of {wildcards.study}"
    script:
        "../scripts/stage.py"


# PySR runs in one process for all studies, since Julia spends most of a minute on compiling. It has its own rule, so that
# no other engine runs again when Julia is installed later. Answers that are kept are used without Julia, too.
rule pysr:
    input:
        fits=[
            f"<results>/{study}/fits.json"
            for study in PYSR_STUDIES
            if STUDIES[study].ask != "all"
        ],
        train=all_tables(PYSR_STUDIES, ["train"]),
        validate=all_tables(PYSR_STUDIES, ["validate"]),
        rulesets=rules_alone(PYSR_STUDIES),
    output:
        answers=expand("<results>/{study}/pysr.json", study=PYSR_STUDIES),
    log:
        "<logs>/pysr.log",
    benchmark:
        "<benchmarks>/pysr.tsv"
    priority: 2
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: max(
            memory(study, ["train", "validate"], attempt) for study in PYSR_STUDIES
        ),
    params:
        unavailable=NO_JULIA,  # asks again once Julia is there
        studies=keys_of_all(PYSR_STUDIES, *LEARNING, "chosen"),
    message:
        "running PySR"
    script:
        "../scripts/stage.py"
