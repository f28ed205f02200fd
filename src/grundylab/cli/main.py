"""The command line: parses arguments, and prints results and errors. The commands are in ``grundylab.cli.commands``.

With ``--json`` standard output is one JSON object, and the text for people goes to standard error. Without it standard
output is this text. Errors and progress always go to standard error.

Exit status: 0 done, holds or proved; 1 refuted; 2 bad input; 3 undecided.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import io
import json
import logging
import os
import sys
import time
from collections.abc import Collection, Sequence
from typing import Any, NoReturn

from grundylab.cli import signs
from grundylab.errors import GrundylabError, visible

BAD_INPUT, INTERRUPTED = 2, 130
LONGEST = 600  # the most characters of an error, which may quote a long input
# Each command is a module of ``grundylab.cli.commands`` with ``arguments_of(parser)`` and ``run(options)``.
GROUPS = {
    "Getting started": {
        "study": "report everything grundylab can derive about a game",
        "new": "write a small ruleset with comments, to adapt to your game",
        "check": "read a ruleset, summarise it, and try every move",
        "show": "draw a table of P-positions or Grundy numbers",
        "explain": "give a position's value and the reason for it",
    },
    "Step by step, and your own projects": {
        "init": "write a folder for your own games, with a workflow",
        "solve": "compute the value of every position and write them to a file",
        "discover": "find formulas from tables",
        "verify": "test a formula on every position of larger tables",
        "prove": "prove a formula for all sizes",
        "survey": "test and prove the claims of a template for each of its games",
        "rows": "find and prove the period of a row of positions",
        "formulas": "list the formulas that the last run found",
    },
    "Papers and exports": {
        "papers": "list the statements of the papers, with verdicts",
        "results": "list the findings that are not in the papers",
        "export": "write LaTeX, BibTeX, OEIS lines, CSV, or proofs for other programs",
    },
    "Maintainers": {
        "certify": "re-check a saved proof",
        "completion": "print a script for shell completion",
    },
}
COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}
_HELP = """\
grundylab finds formulas for impartial games, checks them, and proves them for all sizes.
A game is a ruleset: a YAML file that you write, or one that comes with grundylab, such as nim.

{commands}

'grundylab COMMAND --help' explains a command, with an example; 'grundylab --version' prints the version.
"""


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as argparse takes them
        as_written = argparse.RawDescriptionHelpFormatter
        super().__init__(**options, allow_abbrev=False, formatter_class=as_written)

    def error(self, message: str) -> NoReturn:
        raise GrundylabError(f"{message}; see '{self.prog} --help'")


class _MainParser(_Parser):
    def format_help(self) -> str:
        groups = (
            "\n".join([f"{title}:", *(f"  {name:<12}{text}" for name, text in group.items())])
            for title, group in GROUPS.items()
        )
        return _HELP.format(commands="\n\n".join(groups))


def parser_of(commands: Collection[str]) -> argparse.ArgumentParser:
    """Return the parser of the command line. Only the ``commands`` get their arguments; others are known by name.

    So a command, or the help, starts without importing the modules of the other commands.
    """
    parser = _MainParser(prog="grundylab")
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name, text in COMMANDS.items():
        command = subparsers.add_parser(name, help=text)
        if name in commands:
            importlib.import_module(f"grundylab.cli.commands.{name}").arguments_of(command)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status. arguments: by default those of the process."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    started = time.perf_counter()
    try:
        if words and words[0] not in COMMANDS and not words[0].startswith("-"):
            near = difflib.get_close_matches(words[0], COMMANDS, 1)
            hint = f"did you mean '{near[0]}'?" if near else "'grundylab --help' lists the commands"
            raise GrundylabError(f"there is no command '{words[0]}'; {hint}")
        options, unknown = parser_of(words[:1]).parse_known_args(words)
        if unknown:
            raise GrundylabError(
                f"unrecognized arguments: {' '.join(unknown)}; see 'grundylab {options.command} --help'"
            )
        if options.version:
            from grundylab.version import __version__

            print(__version__)
            return 0
        if options.command is None:
            *others, last = COMMANDS
            raise GrundylabError(f"give a command: {', '.join(others)} or {last}; see --help")
        result = importlib.import_module(f"grundylab.cli.commands.{options.command}").run(options)
    except GrundylabError as error:
        reason = str(error)
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}"
    except MemoryError:
        reason = "out of memory; choose smaller bounds"
    except RecursionError:  # a formula made by the program may be nested deeper than one that is read
        reason = "an expression is nested too deeply; choose a simpler one"
    except KeyboardInterrupt:
        print("grundylab: interrupted; no partial files are left", file=sys.stderr)
        return INTERRUPTED
    else:
        if options.json:
            seconds = round(time.perf_counter() - started, 3)
            record = {"status": result.status, "seconds": seconds, **result.record}
            print(json.dumps(record, ensure_ascii=False))
        if result.text:
            # with --json, standard output is for the JSON object only
            print(result.text, file=sys.stderr if options.json else sys.stdout)
        status: int = result.exit_status
        return status
    return _report_error(reason, "--json" in words, time.perf_counter() - started)


def _report_error(error: str, as_json: bool, seconds: float) -> int:
    line = visible(" ".join(error.split()))
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"
    if as_json:
        print(
            json.dumps({"status": "error", "seconds": round(seconds, 3), "reason": line}, ensure_ascii=False)
        )
    print(f"grundylab: {line}", file=sys.stderr)
    return BAD_INPUT


def entry() -> NoReturn:
    """Run the command line and end the process with the exit status (the console script)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # on a terminal without UTF-8, other signs are printed in place of a traceback
            stream.reconfigure(errors=signs.HANDLER)
    logging.basicConfig(format="%(message)s")
    logging.getLogger("grundylab").setLevel(logging.INFO)
    try:
        status = main()
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
        if not isinstance(error, BrokenPipeError):  # it is no error if a reader (head, less) stops early
            print(f"grundylab: cannot write to standard output: {error.strerror}", file=sys.stderr)
            status = BAD_INPUT
    sys.exit(status)
