"""``python -m grundylab``: the command line."""

from grundylab.cli.main import entry

if __name__ == "__main__":  # so that an import of all modules does not run it
    entry()
