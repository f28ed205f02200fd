"""Jobs of the workflow: each calls the function ``NAME_stage`` of its rule NAME, with its files and params by name.

A job imports the modules of its own stage only: a third of all jobs solve, and need few of them.
"""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from typing import Any

from grundylab.pipeline.script_log import log_line, logging_to_file

# The modules of stages that receive their studies as plain data; the others are in ``stages``.
_PLAIN = {
    "solve": "solve_stage",
    "catalogue": "catalogue_stage",
    "report": "report_stage",
    "survey_tables": "survey_stages",
    "survey_proofs": "survey_stages",
    "survey": "survey_stages",
}


def run_stage(job: Any) -> None:  # noqa: ANN401 - Snakemake's object of a script
    """Run the stage of the job's rule; what it returns is printed to the log."""
    name = job.rule.removeprefix("study_")
    with logging_to_file(job):
        module = import_module(f"grundylab.pipeline.{_PLAIN.get(name, 'stages')}")
        given = {**job.params, **job.input, **job.output}
        if name not in _PLAIN:
            from grundylab.pipeline.study import Study

            if "study" in given:
                given["study"] = Study.of(given["study"])
            else:
                given["studies"] = [Study.of(part) for part in given["studies"].values()]
        stage = getattr(module, f"{name}_stage")
        words = stage(**{key: given[key] for key in signature(stage).parameters if key in given})
        if words is not None:
            log_line(words)
