for solving, (study, instances) in SOLVING.items():

    rule:
        name:
            f"solve_{solving}"
        input:
            list(study.files),
        output:
            [dataset(study, instance) for instance in instances],
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
            mem_mb=lambda w, attempt, study=study, instances=instances: memory(
                study, instances, attempt
            ),
        params:
            asked=study.asked_to_solve(instances),
        message:
            f"solving {solving}"
        script:
            "../scripts/solve.py"
