rule report:
    input:
        records="results/catalogue.json",
        datasets=DATASETS,
        papers=PAPERS,
        rulesets=RULESETS,
    output:
        page="results/report/index.html",
    log:
        "results/logs/report.log",
    benchmark:
        "results/benchmarks/report.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        asked=lambda w: asked_of_all("pictures"),
        texts=TEXTS,
    message:
        "writing the page"
    script:
        "../scripts/report.py"


rule papers:
    input:
        records="results/catalogue.json",
        papers=PAPERS,
        rulesets=RULESETS,
    output:
        "results/papers.md",
    log:
        "results/logs/papers.log",
    benchmark:
        "results/benchmarks/papers.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        texts=TEXTS,
    message:
        "writing what the papers state, and whether it is true"
    shell:
        "grundylab papers --out {output} > {log} 2>&1"


rule results:
    input:
        "results/catalogue.json",
    output:
        "results/new-results.md",
    log:
        "results/logs/results.log",
    benchmark:
        "results/benchmarks/results.tsv"
    conda:
        "../envs/grundylab.yaml"
    message:
        "writing what was found, and what was not"
    shell:
        "grundylab results --out {output} > {log} 2>&1"


rule figures:
    input:
        datasets=DATASETS,
        rulesets=RULESETS,
        papers=PAPERS,
    output:
        games=report(
            directory("results/figures/games"),
            patterns=["{name}.svg"],
            caption="../report/game.rst",
            category="Games",
            labels={"game": "{name}"},
        ),
        papers=report(
            directory("results/figures/papers"),
            patterns=["{paper}/{figure}.svg"],
            caption="../report/paper.rst",
            category="Figures of the papers",
            labels={"paper": "{paper}", "figure": "{figure}"},
        ),
    log:
        "results/logs/figures.log",
    benchmark:
        "results/benchmarks/figures.tsv"
    conda:
        "../envs/grundylab.yaml"
    params:
        asked=lambda w: asked_of_all("pictures"),
        texts=TEXTS,
    message:
        "drawing the games and the papers' figures"
    script:
        "../scripts/figures.py"


rule tables:
    input:
        records="results/catalogue.json",
    output:
        **{
            name: report(
                f"results/tables/{name}.csv",
                caption="../report/tables.rst",
                category="Tables",
                labels={"table": name},
            )
            for name in ("formulas", "claims", "rows")
        },
    log:
        "results/logs/tables.log",
    benchmark:
        "results/benchmarks/tables.tsv"
    conda:
        "../envs/grundylab.yaml"
    message:
        "writing the catalogue as tables"
    script:
        "../scripts/tables.py"


rule engines:
    input:
        records="results/catalogue.json",
    output:
        pictures=report(
            directory("results/figures/engines"),
            patterns=["{study}-{target}.svg"],
            caption="../report/engines.rst",
            category="Engines",
            labels={"study": "{study}", "target": "{target}"},
        ),
    log:
        "results/logs/engines.log",
    benchmark:
        "results/benchmarks/engines.tsv"
    conda:
        "../envs/grundylab.yaml"
    message:
        "drawing what the engines found"
    script:
        "../scripts/engines.py"
