"""``grundylab export``: writes results for papers, databases and other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from grundylab.cli import arguments
from grundylab.cli.common import (
    ClaimRequest,
    CommandResult,
    check_cells,
    check_writable,
    progress,
    results_catalogue,
    run_prover,
    select_claim,
    select_papers,
    solve_slice,
)
from grundylab.errors import ConfigError, FormulaError, InstanceError, Place
from grundylab.files import MAX_JSON, archive, read_limited, write_bytes, write_text
from grundylab.findings.answers import answers, formula_answers
from grundylab.findings.coq_checks import coq_file_of_proof
from grundylab.findings.provenance import check_unchanged
from grundylab.findings.strategy_files import read_strategy
from grundylab.games import Ruleset, Target, load_ruleset
from grundylab.games.model import Values
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.prove.outcome import Limits
from grundylab.prove.second_opinion import walnut_files
from grundylab.records.finding import Finding
from grundylab.report.csv_tables import catalogue_csv, table_csv
from grundylab.report.grid import slice_table
from grundylab.report.latex_document import SliceFigure, game_document
from grundylab.report.oeis import KINDS as SEQUENCES
from grundylab.report.oeis import b_file, sequence_of
from grundylab.report.tex import bibtex
from grundylab.version import __version__

Parser = argparse.ArgumentParser
Record = dict[str, Any]
_TAKES = "export takes"
_MOST_LINES = 10_000_000  # the most lines of a text, which takes ten seconds
_ARCHIVE = ".zip"


@dataclass(frozen=True)
class _Kind:
    """A kind of export.

    help: one line. arguments: functions that add the kind's arguments to a parser. text: a function that returns the
    text or, for several files, their texts by path, with the main file first.
    """

    help: str
    arguments: Sequence[Callable[[Parser], None]]
    text: Callable[[argparse.Namespace], str | Mapping[str, str]]


def _fix(parser: Parser) -> None:
    arguments.repeated(parser, "--fix", "p=1,z=3", "the coordinates to hold fixed")


def _latex_arguments(parser: Parser) -> None:
    what = "add this claim with its verdict ('all': every one); may be repeated"
    arguments.set_completion(arguments.repeated(parser, "--claim", "ID", what), arguments.CLAIMS)
    parser.add_argument(
        "--figure",
        metavar="FILE",
        help="include this picture of the slice, as 'grundylab show --out' draws it",
    )
    arguments.flag(parser, "--fragment", "omit the document around the text")


def _paper(parser: Parser) -> None:
    arguments.repeated(parser, "--paper", "NAME", "only this paper")


def _sequence(parser: Parser) -> None:
    parser.add_argument(
        "--sequence", choices=SEQUENCES, default="grundy",
        help="Grundy numbers (default); the P-positions; the number of P-positions whose coordinates sum to n; "
        "or the smaller or the larger numbers of P-positions with two coordinates",
    )  # fmt: skip


def _target(parser: Parser) -> None:
    parser.add_argument(
        "--target",
        choices=("grundy", "p"),
        help="the values: grundy, the Grundy numbers (default), or p, the P-positions (default under misère play)",
    )


def _program(parser: Parser) -> None:
    parser.add_argument(
        "--to",
        choices=("mona", "walnut"),
        default="mona",
        help="the program that reads it (default: mona); for Walnut there may be several files, which --out "
        f"NAME{_ARCHIVE} writes as an archive",
    )


_SLICE = (arguments.ruleset, arguments.sweep, _fix)
_STATEMENT = (arguments.ruleset, arguments.formula)


def _provenance(options: argparse.Namespace) -> Record:
    """Return the version of grundylab and, if the kind of export takes a ruleset, its name and hash."""
    if not hasattr(options, "ruleset"):
        return {"version": __version__}
    ruleset = load_ruleset(options.ruleset)
    return {"version": __version__, "ruleset": ruleset.name, "hash": ruleset.hash}


def _latex_text(options: argparse.Namespace) -> str:
    """Return the LaTeX document about a game."""
    ruleset = load_ruleset(options.ruleset)
    records = _statements(ruleset, options)  # before any work is done
    figure = _slice_figure(ruleset, options) if options.bound or options.param or options.fix else None
    if figure is None and options.figure:
        raise InstanceError(
            "--figure is a picture of a table; choose the table by --bound, --param and --fix"
        )
    strategy = read_strategy(ruleset, Path(options.results))
    return game_document(ruleset, records, select_papers(()), figure, not options.fragment, strategy)


def _bibtex_text(options: argparse.Namespace) -> str:
    """Return the BibTeX entries of the papers."""
    return bibtex(select_papers(options.paper))


def _slice_figure(ruleset: Ruleset, options: argparse.Namespace) -> SliceFigure:
    values: Values = "grundy" if ruleset.play == "normal" else "outcome"
    table, fixed = solve_slice(
        ruleset, options, values, _TAKES, check=lambda sides: check_cells(sides.values())
    )
    file = options.figure
    if file is not None and not set(file).isdisjoint("%#\\{}~^$& \t\n"):
        raise InstanceError(f"--figure {file}: LaTeX cannot include a file with this name; rename it")
    if file is None and values == "outcome":
        raise InstanceError(
            "under misère play there are no Grundy numbers to print; give --figure FILE, a picture that "
            "'grundylab show --out FILE' draws"
        )
    return SliceFigure(slice_table(table, fixed), dict(table.instance.parameters), file)


def _statements(ruleset: Ruleset, options: argparse.Namespace) -> list[Finding]:
    """Return the best right formula for each target and condition of the game, then the claims that are selected.

    Empty if there is no catalogue and no claim is selected. Raises ConfigError if the ruleset was edited since then.
    """
    if not options.claim and not (Path(options.results) / "catalogue.json").is_file():
        return []
    catalogue = results_catalogue(options.results)
    formulas = [formula for formula in formula_answers(answers(catalogue)) if formula.right]
    best: dict[tuple[Target, Expr], Finding] = {}
    for record in formulas:
        if record.ruleset == ruleset.name:
            best.setdefault((record.target, record.where), record)
    claims = {record.source.claim: record for record in catalogue.claims if record.ruleset == ruleset.name}
    names = list(claims) if "all" in options.claim else [ruleset.claim(name).id for name in options.claim]
    for name in names:
        if name not in claims:
            raise ConfigError(f"the catalogue has no verdict on the claim '{name}'", Place(options.results))
    records = [*best.values(), *(claims[name] for name in names)]
    check_unchanged(catalogue, records, ruleset, options.results)
    return records


def _oeis_text(options: argparse.Namespace) -> str:
    """Return the b-file of a sequence for the OEIS."""
    ruleset = load_ruleset(options.ruleset)
    values: Values = "grundy" if options.sequence == "grundy" else "outcome"
    table, fixed = solve_slice(
        ruleset, options, values, _TAKES, check=lambda sides: _check_lines(max(sides.values(), default=1))
    )
    return b_file(sequence_of(table, fixed, options.sequence))


def _csv_text(options: argparse.Namespace) -> str:
    """Return a table of the game as CSV."""
    ruleset = load_ruleset(options.ruleset)
    target = options.target or ("p" if ruleset.play == "misere" else "grundy")
    values: Values = "outcome" if target == "p" else "grundy"
    return table_csv(
        *solve_slice(ruleset, options, values, _TAKES, check=lambda sides: _check_lines(prod(sides.values())))
    )


def _check_lines(count: int) -> None:
    """Raise InstanceError if the text would have too many lines."""
    if count > _MOST_LINES:
        raise InstanceError(
            f"the text may have {count:,} lines, and at most {_MOST_LINES:,} are written; choose smaller bounds or "
            "hold coordinates fixed by --fix, or use 'grundylab solve', which writes Parquet"
        )


def _catalogue_text(options: argparse.Namespace) -> str:
    """Return the formulas and claims of the catalogue as CSV."""
    return catalogue_csv(results_catalogue(options.results))


def _proof_text(options: argparse.Namespace) -> str | Mapping[str, str]:
    """Return the MONA script or certificate that the last run saved, or files that state the claim for Walnut."""
    ruleset = load_ruleset(options.ruleset)
    request = select_claim(ruleset, options)
    if options.to == "walnut":
        claim = request.claim
        if not claim.plain:
            raise FormulaError(
                f"{claim.id} looks up other positions' values, or has variables besides the coordinates; "
                "Walnut cannot read it"
            )
        return walnut_files(ruleset, claim.formula, claim.target, claim.where)
    return _saved_proof(ruleset, request, options.results)


def _coq_text(options: argparse.Namespace) -> str:
    """Return the Coq file of a proof that the prover finds now."""
    from grundylab.discover.repairs import alternative_conditions

    ruleset = load_ruleset(options.ruleset)
    request = select_claim(ruleset, options)
    with progress(options, "proving"):
        return coq_file_of_proof(
            run_prover(ruleset, request, Limits(words=alternative_conditions)), request.name
        )


def _saved_proof(ruleset: Ruleset, request: ClaimRequest, results: str) -> str:
    catalogue = results_catalogue(results)
    claim = request.claim
    records: Sequence[Finding] = catalogue.claims if request.published else catalogue.formulas
    matching = [record for record in records if record.ruleset == ruleset.name and _is_about(record, request)]
    files = [proof.proof for record in matching for proof in record.proved if proof.proof]
    if not files:
        name = claim.id if request.published else claim.formula
        raise ConfigError(
            f"no proof of {name} is saved here; 'grundylab prove' searches for one and saves it",
            Place(results),
        )
    check_unchanged(catalogue, matching, ruleset, results)
    folder = Path(results).parent
    path = folder / files[0]
    if folder.resolve() not in path.resolve().parents:  # a hostile catalogue may name any file
        raise ConfigError(f"the proof is at {path}, not among the results", Place(results))
    return read_limited(path, MAX_JSON, ConfigError).decode("utf-8", "replace")


def _is_about(record: Finding, request: ClaimRequest) -> bool:
    if record.claimed:
        return record.source.claim == request.name
    claim = request.claim
    same = (record.formula, record.target) == (claim.formula, claim.target)
    return same and (claim.where == TRUE or record.where == conjunction(claim.where))


KINDS = {
    "latex": _Kind(
        "LaTeX for a paper: a game's definition, a table, a figure and its theorems",
        (*_SLICE, _latex_arguments, arguments.results),
        _latex_text,
    ),
    "bibtex": _Kind("the papers as BibTeX entries", (arguments.as_json, _paper), _bibtex_text),
    "oeis": _Kind("a sequence for the OEIS, as a b-file", (*_SLICE, _sequence), _oeis_text),
    "csv": _Kind("a table as CSV, with a line for each position", (*_SLICE, _target), _csv_text),
    "catalogue": _Kind(
        "the claims and the formulas of the last run, as CSV",
        (arguments.as_json, arguments.results),
        _catalogue_text,
    ),
    "proof": _Kind(
        "a proof as a script for MONA or for Walnut", (*_STATEMENT, _program, arguments.results), _proof_text
    ),
    "coq": _Kind("a proof as a file for Coq, which re-derives and checks all of it", _STATEMENT, _coq_text),
}


def arguments_of(parser: Parser) -> None:
    """Add the subcommands, one for each kind, with their arguments."""
    arguments.describe(
        parser,
        "Write results about a game for papers, databases and other programs. 'grundylab export KIND "
        "--help' lists the arguments of a kind.",
        "grundylab export latex nim --bound N=8 --fix z=1 --out nim.tex",
        "grundylab export oeis kayles --bound N=1000",
    )
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True, parser_class=type(parser))
    for name, kind in KINDS.items():
        sub = kinds.add_parser(name, help=kind.help, description=f"Write {kind.help}.")
        for add in kind.arguments:
            add(sub)
        arguments.out(sub, "write to this file instead of the terminal")


def run(options: argparse.Namespace) -> CommandResult:
    """Print the text, or write it to ``--out``."""
    check_writable(options.force, options.out)
    # the record has the provenance since CSV and b-files cannot; it is read first since the ruleset may be edited
    record = {"kind": options.kind, "file": options.out, "made": _provenance(options)}
    content = KINDS[options.kind].text(options)
    text = content if isinstance(content, str) else _join_files(content)
    if not options.out:
        return CommandResult("done", text.removesuffix("\n"), {**record, "text": text})
    if not isinstance(content, str) and options.out.endswith(_ARCHIVE):
        write_bytes(Path(options.out), archive({name: text.encode() for name, text in content.items()}))
    else:
        write_text(Path(options.out), text)
    return CommandResult("done", f"written to {options.out}", record)


def _join_files(texts: Mapping[str, str]) -> str:
    """Return the files joined into one text: the first unchanged, each other one below a line with its path."""
    first, *others = texts.items()
    return "\n".join([first[1], *(f"# {path}\n{text}" for path, text in others)])
