"""``python -m grundylab``: the command line."""

from grundylab.cli import entry

entry()
