"""The studies of config.yaml, and the workflow's stages as functions from files to files."""
