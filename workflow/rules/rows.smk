rule rows:
    input:
        fits=lambda w: if_chosen(w.study, files("fits.json", [w.study])),
        ruleset=lambda w: list(STUDIES[w.study].files),
    output:
        rows="<results>/{study}/rows.json",
        certificates=directory("<results>/{study}/rows"),
        timings="<results>/timings/{study}.rows.json",
    log:
        "<logs>/rows/{study}.log",
    benchmark:
        "<benchmarks>/rows/{study}.tsv"
    priority: 4
    conda:
        "../envs/grundylab.yaml"
    params:
        study=keys_of_steps(*GAME, "seed", "rows"),
    message:
        "searching for periods of the rows of {wildcards.study}"
    script:
        "../scripts/stage.py"
