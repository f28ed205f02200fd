"""The command line: what it takes, and how results and errors leave it. The work is in ``grundylab.commands``.

With ``--json`` standard output is one JSON object, and text for people goes to standard error; without it, standard
output is that text. Diagnostics always go to standard error.
Exit status: 0 done, holds or proved; 1 refuted; 2 bad input; 3 undecided.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import logging
import os
import sys
import time
from collections.abc import Sequence
from typing import Any, NoReturn

from grundylab.errors import GrundylabError, visible

BAD_INPUT, INTERRUPTED = 2, 130
LONGEST = 600  # characters of an error: what is quoted of the input may be as long as that


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as argparse takes them
        super().__init__(**options, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise GrundylabError(f"{message}; see '{self.prog} --help'")


def _seed(text: str) -> int:
    if not (text.isdecimal() and int(text) < 2**32):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 to 2^32 - 1")
    return int(text)


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number greater than 0")
    return value


def _count(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) < 2**30):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 on")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="grundylab", description="Find, check and prove formulas for impartial games.")
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    def command(name: str, text: str, ruleset: bool = True) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        if ruleset:
            sub.add_argument("ruleset", metavar="RULESET", help="a path, or the name of a file in rulesets/")
        sub.add_argument("--json", action="store_true", help="one JSON object on standard output")
        return sub

    def sweep(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--bound", action="append", default=[], metavar="N=24", help="the table's bounds")
        sub.add_argument(
            "--param", action="append", default=[], metavar="m=4,8", help="parameters; a list is a sweep"
        )

    def formula(sub: argparse.ArgumentParser) -> None:
        which = sub.add_mutually_exclusive_group(required=True)
        which.add_argument("--claim", metavar="ID", help="a claim of the ruleset")
        which.add_argument("--formula", metavar="F", help="a formula")
        sub.add_argument("--target", help="p (default), grundy, or 'grundy == v'")
        sub.add_argument("--where", metavar="COND", help="only positions and parameters that fulfil this")

    command("check", "read a ruleset, say what is in it, and try it on a small table")

    solve = command("solve", "compute every position's value and write a dataset")
    sweep(solve)
    solve.add_argument(
        "--values", choices=("grundy", "outcome"), help="default: grundy (misère play: outcome)"
    )
    solve.add_argument("--out", metavar="FILE", help="default: data/RULESET/INSTANCE.VALUES.parquet")

    discover = command("discover", "find formulas from data")
    sweep(discover)
    discover.add_argument("--target", default="p", help="p (default), grundy, or 'grundy == v'")
    engines = "search (default), tree, automata, runs, periods, transfer, gplearn or pysr"
    discover.add_argument("--engine", default="search", help=engines)
    discover.add_argument("--seed", type=_seed, default=0, help="default: 0")
    discover.add_argument("--budget", type=_positive, default=30.0, metavar="SECONDS", help="default: 30")

    verify = command("verify", "hold a formula against every position of larger tables")
    sweep(verify)
    formula(verify)
    verify.add_argument(
        "--lookup",
        action="append",
        default=[],
        metavar="G=this",
        help="in the formula G(…) is the Grundy number of that position of this ruleset, or of the one named",
    )
    verify.add_argument(
        "--every",
        action="append",
        default=[],
        metavar="'f: 0..8 -> 0..9'",
        help="how far a free function of the ruleset is looked at: its arguments -> its values",
    )

    prove = command("prove", "prove a formula for all sizes, and for which parameter values")
    formula(prove)
    prove.add_argument(
        "--timeout", type=_positive, default=60.0, metavar="SECONDS", help="for MONA (default: 60)"
    )
    prove.add_argument(
        "--memory", type=_positive, default=8192.0, metavar="MIB", help="for MONA (default: 8192)"
    )
    prove.add_argument(
        "--out", metavar="FILE", help="the MONA script or certificate; default: in results/proofs/RULESET"
    )

    rows = command("rows", "look for the period of rows of positions, and prove it")
    rows.add_argument(
        "--fix",
        action="append",
        default=[],
        metavar="p=1,x=2,3",
        help="the coordinates held fixed: all but two (for grundy all but one); a list is a sweep",
    )
    rows.add_argument("--param", action="append", default=[], metavar="m=4,8", help="parameters")
    rows.add_argument("--target", default="p", help="p (default), grundy, or 'grundy == v'")
    rows.add_argument(
        "--length", type=_count, default=100_000, metavar="PLACES", help="how far (default: 100000)"
    )
    rows.add_argument("--out", metavar="FOLDER", help="for certificates; default: results/proofs/RULESET")

    certify = command("certify", "go through a certificate of a proof again")
    certify.add_argument("certificate", metavar="FILE", help="a certificate that rows or prove has written")

    show = command("show", "draw a table: P-positions, or Grundy numbers")
    sweep(show)
    show.add_argument("--fix", action="append", default=[], metavar="p=1,z=3", help="coordinates held fixed")
    show.add_argument("--values", choices=("grundy", "outcome"), default="outcome")
    show.add_argument("--png", metavar="FILE", help="also draw a picture")

    formulas = command("formulas", "list what the studies found", ruleset=False)
    formulas.add_argument("--ruleset", metavar="NAME")
    formulas.add_argument("--status", metavar="STATUS", help="refuted, holds, partial, …")
    formulas.add_argument("--results", default="results", metavar="FOLDER", help="default: results")

    papers = command("papers", "what the papers state, and whether it is true", ruleset=False)
    papers.add_argument("--paper", metavar="NAME", help="one paper; default: all")
    papers.add_argument("--results", default="results", metavar="FOLDER", help="default: results")
    papers.add_argument("--out", metavar="FILE", help="write the document there")

    results = command("results", "what the last run found that is in no claim on record", ruleset=False)
    results.add_argument("--results", default="results", metavar="FOLDER", help="default: results")
    results.add_argument("--out", metavar="FILE", help="write the document there")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the result is the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    started = time.perf_counter()
    try:
        options = _parser().parse_args(given)
        if options.version:
            from grundylab.version import __version__

            print(__version__)
            return 0
        if options.command is None:
            commands = (
                "check, solve, discover, verify, prove, rows, certify, show, formulas, papers or results"
            )
            raise GrundylabError(f"give a command: {commands}; see --help")
        result = importlib.import_module(f"grundylab.commands.{options.command}").run(options)
    except GrundylabError as error:
        return _refused(str(error), "--json" in given, time.perf_counter() - started)
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}"
        return _refused(what, "--json" in given, time.perf_counter() - started)
    except MemoryError:
        return _refused(
            "out of memory; choose smaller bounds", "--json" in given, time.perf_counter() - started
        )
    except RecursionError:  # of a formula made while working, deeper than what is read
        return _refused(
            "an expression is nested too deeply; choose simpler ones",
            "--json" in given,
            time.perf_counter() - started,
        )
    except KeyboardInterrupt:
        print("grundylab: interrupted; nothing half-written is left", file=sys.stderr)
        return INTERRUPTED
    if options.json:
        record = {
            "status": result.status,
            "seconds": round(time.perf_counter() - started, 3),
            **result.record,
        }
        print(json.dumps(record, ensure_ascii=False))
    if result.text:
        # people's text: to standard output unless that carries the JSON
        print(result.text, file=sys.stderr if options.json else sys.stdout)
    return int(result.exit_status)


def _refused(error: str, as_json: bool, seconds: float) -> int:
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
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that is not UTF-8 gets '?', not a traceback
    logging.basicConfig(format="%(message)s")
    logging.getLogger("grundylab").setLevel(logging.INFO)
    try:
        status = main()
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
        if not isinstance(error, BrokenPipeError):  # the reader (head, less) having enough is no fault
            print(f"grundylab: cannot write to standard output: {error.strerror}", file=sys.stderr)
            status = BAD_INPUT
    sys.exit(status)
