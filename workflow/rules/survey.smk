# Surveys are not part of `make run`: run `snakemake surveys`, or name the page of one survey as the target.


wildcard_constraints:
    survey=r"\w[\w.+-]*",
    job=r"\d+",


rule surveys:
    input:
        lambda w: [places(name).page for name in SURVEYS],


rule survey_tables:
    input:
        survey=lambda w: list(survey(w.survey).files),
    output:
        games="<results>/surveys/{survey}/tables/{job}.json",
    log:
        "<logs>/survey_tables/{survey}/{job}.log",
    benchmark:
        "<benchmarks>/survey_tables/{survey}/{job}.tsv"
    priority: 2
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: attempt * SURVEY_MEBIBYTES,
    params:
        part=lambda w: part_of(survey(w.survey)),
        job=lambda w: int(w.job),
    message:
        "solving the small tables of part {wildcards.job} of the survey {wildcards.survey}"
    script:
        "../scripts/stage.py"


rule survey_proofs:
    input:
        tables=lambda w: places(w.survey).tables,
        survey=lambda w: list(survey(w.survey).files),
    output:
        games="<results>/surveys/{survey}/proofs/{job}.json",
        proofs=directory("<results>/surveys/{survey}/proofs/{job}"),
    log:
        "<logs>/survey_proofs/{survey}/{job}.log",
    benchmark:
        "<benchmarks>/survey_proofs/{survey}/{job}.tsv"
    priority: 1
    conda:
        "../envs/grundylab.yaml"
    resources:
        mem_mb=lambda w, attempt: attempt * SURVEY_MEBIBYTES,
    params:
        part=lambda w: part_of(survey(w.survey)),
        job=lambda w: int(w.job),
    message:
        "proving claims of part {wildcards.job} of the survey {wildcards.survey}"
    script:
        "../scripts/stage.py"


rule survey:
    input:
        tables=lambda w: places(w.survey).tables,
        proved=lambda w: places(w.survey).proofs,
        survey=lambda w: list(survey(w.survey).files),
    output:
        table="<results>/surveys/{survey}/survey.parquet",
        page="<results>/surveys/{survey}/page/index.html",
    log:
        "<logs>/survey/{survey}.log",
    benchmark:
        "<benchmarks>/survey/{survey}.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        part=lambda w: part_of(survey(w.survey)),
    message:
        "writing the page of the survey {wildcards.survey}"
    script:
        "../scripts/stage.py"
