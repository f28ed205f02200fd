"""``python -m grundylab``: the command line."""

from grundylab.cli.main import entry

if __name__ == "__main__":  # whoever imports all modules of the package does not run it
    entry()
