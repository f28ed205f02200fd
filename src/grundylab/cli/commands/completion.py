"""``grundylab completion``: the script by which a shell completes commands, options, rulesets and claims."""

from __future__ import annotations

import argparse

import shtab

from grundylab.cli import arguments
from grundylab.cli.common import Result
from grundylab.cli.main import COMMANDS, parser_of
from grundylab.cli.shells import PREAMBLE, SHELLS


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("shell", choices=SHELLS, help="for which shell")
    arguments.as_json(parser)


def run(options: argparse.Namespace) -> Result:
    """Print the script."""
    script = shtab.complete(parser_of(COMMANDS), options.shell, preamble=PREAMBLE[options.shell])
    return Result("done", script, {"shell": options.shell, "script": script})
