"""Runs the stage of the workflow that has the name of the rule."""

from grundylab.pipeline.jobs import run_stage

run_stage(snakemake)
