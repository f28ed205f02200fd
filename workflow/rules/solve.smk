for solving, (study, instances, kind) in SOLVING.items():

    rule:
        name:
            f"solve_{solving}"
        input:
            list(study.files),
        output:
            datasets(instances),
        log:
            f"results/logs/solve/{solving}.log",
        benchmark:
            f"results/benchmarks/solve/{solving}.tsv"
        priority: 3
        group:
            "solve"
        conda:
            "../envs/grundylab.yaml"
        resources:
            mem_mb=lambda w, attempt, kind=kind, instances=instances: memory(
                kind, instances, attempt
            ),
        params:
            asked=study.asked_to_solve(instances, kind),
        message:
            f"solving {solving}"
        script:
            "../scripts/solve.py"
