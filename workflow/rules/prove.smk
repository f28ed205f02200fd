rule prove:
    input:
        verdicts="<results>/{study}/verdicts.json",
        train=lambda w: tables(w.study, "train"),
        test=lambda w: tables(w.study, "test"),
        ruleset=lambda w: list(STUDIES[w.study].sources),
    output:
        proofs="<results>/{study}/proofs.json",
        scripts=directory("<results>/{study}/proofs"),
        moves="<results>/{study}/winning-moves.parquet",
        timings="<results>/timings/{study}.prove.json",
    log:
        "<logs>/prove/{study}.log",
    benchmark:
        "<benchmarks>/prove/{study}.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        study=keys_of_steps(
            *GAMES,
            "seed",
            "values",
            "targets",
            "train",
            "test",
            "prove",
            "proof_timeout",
        ),
    message:
        "proving the formulas and claims of {wildcards.study}"
    script:
        "../scripts/stage.py"


rule coq:
    input:
        proofs="<results>/{study}/proofs.json",
        scripts="<results>/{study}/proofs",
        rows=lambda w: files("rows.json", [w.study]),
        certificates=lambda w: files("rows", [w.study]),
        ruleset=lambda w: list(STUDIES[w.study].sources),
    output:
        coq="<results>/{study}/coq.json",
        files=directory("<results>/{study}/coq"),
    log:
        "<logs>/coq/{study}.log",
    benchmark:
        "<benchmarks>/coq/{study}.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        study=keys(*GAMES, "seed"),
        installed=find_coqc() is not None,
    message:
        "checking the proofs of {wildcards.study} with Coq"
    script:
        "../scripts/stage.py"
