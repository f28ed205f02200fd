"""``grundylab export``: what is found, for papers, databases and other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grundylab.cli import arguments, exported
from grundylab.cli.common import Result
from grundylab.cli.outputs import LATEX, PROOF, UNMARKED, Sort, check_free
from grundylab.cli.shells import CLAIMS
from grundylab.errors import InstanceError
from grundylab.files import write_text
from grundylab.report.oeis import KINDS as SEQUENCES

Parser = argparse.ArgumentParser


@dataclass(frozen=True)
class _Kind:
    """help: one line. arguments: declares what the kind takes. text: makes it. sort: of the file."""

    help: str
    arguments: Callable[[Parser], None]
    text: Callable[[argparse.Namespace], str]
    sort: Sort = UNMARKED


def _slice(parser: Parser) -> None:
    arguments.ruleset(parser)
    arguments.sweep(parser)
    parser.add_argument(
        "--fix", action="append", default=[], metavar="p=1,z=3", help="coordinates held fixed"
    )


def _latex(parser: Parser) -> None:
    _slice(parser)
    action = parser.add_argument(
        "--claim", action="append", default=[], metavar="ID",
        help="a claim of the papers with its verdict ('all': every one); may be repeated",
    )  # fmt: skip
    arguments.completed(action, CLAIMS)
    parser.add_argument(
        "--figure", metavar="FILE", help="a picture to include, as 'show' draws it, instead of one in LaTeX"
    )
    parser.add_argument("--fragment", action="store_true", help="without the document around it")
    arguments.results(parser)


def _bibtex(parser: Parser) -> None:
    arguments.as_json(parser)
    parser.add_argument(
        "--paper", action="append", default=[], metavar="NAME", help="one paper; default: all"
    )


def _oeis(parser: Parser) -> None:
    _slice(parser)
    parser.add_argument(
        "--sequence", choices=SEQUENCES, default="grundy",
        help="Grundy numbers (default); where the P-positions are; or how many have coordinates that sum to n",
    )  # fmt: skip
    parser.add_argument("--draft", action="store_true", help="the lines of a draft, not a b-file")


def _csv(parser: Parser) -> None:
    _slice(parser)
    parser.add_argument(
        "--values", choices=("grundy", "outcome"), help="default: grundy (misère play: outcome)"
    )


def _catalogue(parser: Parser) -> None:
    arguments.as_json(parser)
    arguments.results(parser)


def _proof(parser: Parser) -> None:
    arguments.ruleset(parser)
    arguments.formula(parser)
    parser.add_argument(
        "--to", choices=("mona", "walnut"), default="mona", help="for which program (default: mona)"
    )
    arguments.results(parser)


KINDS = {
    "latex": _Kind("a game's definition, table, figure and theorems", _latex, exported.latex_text, LATEX),
    "bibtex": _Kind("the papers", _bibtex, exported.bibtex_text),
    "oeis": _Kind("a sequence: its b-file, or a draft", _oeis, exported.oeis_text),
    "csv": _Kind("a table, a line a position", _csv, exported.csv_text),
    "catalogue": _Kind("the formulas found, as CSV", _catalogue, exported.catalogue_text),
    "proof": _Kind("the script of a proof, for MONA or for Walnut", _proof, exported.proof_text, PROOF),
}


def arguments_of(parser: Parser) -> None:
    """What the command takes: a kind, and what that takes."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True, parser_class=type(parser))
    for name, kind in KINDS.items():
        sub = kinds.add_parser(name, help=kind.help, description=kind.help)
        kind.arguments(sub)
        arguments.out(sub, "default: standard output")


def run(options: argparse.Namespace) -> Result:
    """Print it, or write it to ``--out``."""
    if options.out == "":
        raise InstanceError("--out takes the name of a file")
    kind = KINDS[options.kind]
    if options.out:
        check_free(Path(options.out), kind.sort, options.force)
    text = kind.text(options)
    # CSV and b-files have no place for what it was made by
    record = {"kind": options.kind, "file": options.out, "made": exported.made(options)}
    if options.out:
        write_text(Path(options.out), text)
        return Result("done", f"written to {options.out}", record)
    return Result("done", text.removesuffix("\n"), {**record, "text": text})
