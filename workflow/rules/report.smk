# The keys of a study on which its pictures depend.
PICTURES = (*GAME, "values", *SPLITS, "rows")


rule report:
    input:
        records="<results>/catalogue.json",
        datasets=all_tables(STUDIES),
        papers=PAPERS,
        rulesets=RULESETS,
    output:
        page=report(
            "<results>/report/index.html",
            caption="../report/page.rst",
            category="Results",
        ),
    log:
        "<logs>/report.log",
    benchmark:
        "<benchmarks>/report.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        studies=keys_of_all(STUDIES, *PICTURES),
        data=lambda w: DATA,
        results=lambda w: RESULTS,
        texts=TEXTS,
    message:
        "writing the page"
    script:
        "../scripts/stage.py"


use rule report as study_report with:
    input:
        records="<results>/{study}/catalogue.json",
        datasets=lambda w: all_tables([w.study]),
        papers=PAPERS,
        rulesets=RULESETS,
    output:
        page="<results>/{study}/report/index.html",
    log:
        "<logs>/report/{study}.log",
    benchmark:
        "<benchmarks>/report/{study}.tsv"
    params:
        studies=lambda w: keys_of_all([w.study], *PICTURES),
        data=lambda w: DATA,
        results=lambda w: RESULTS,
        texts=TEXTS,
    message:
        "writing the page of {wildcards.study}"


rule papers:
    input:
        records="<results>/catalogue.json",
        papers=PAPERS,
        rulesets=RULESETS,
    output:
        "<results>/papers.md",
    log:
        "<logs>/papers.log",
    benchmark:
        "<benchmarks>/papers.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        texts=TEXTS,
    message:
        "writing the papers' statements with their verdicts"
    shell:
        "grundylab papers --results $(dirname {input.records}) --out {output} > {log} 2>&1"


rule results:
    input:
        records="<results>/catalogue.json",
        papers=["<results>/papers.md"] if STATEMENTS else [],
    output:
        "<results>/new-results.md",
    log:
        "<logs>/results.log",
    benchmark:
        "<benchmarks>/results.tsv"
    conda:
        "../envs/grundylab.yaml"
    message:
        "writing the new results and the open questions"
    shell:
        "grundylab results --results $(dirname {input.records}) --out {output} > {log} 2>&1"
