"""``grundylab export``: writes results for papers, databases and other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from math import prod
from pathlib import Path

from grundylab.cli import arguments
from grundylab.cli.common import (
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

_TAKES = "export takes"
_MOST_LINES = 10_000_000  # the most lines of a text, which takes ten seconds
_ARCHIVE = ".zip"


def _latex_text(options: argparse.Namespace) -> str:
    """Return the LaTeX document about a game."""
    ruleset = load_ruleset(options.ruleset)
    records = _statements(ruleset, options)  # before any work is done
    figure, file = None, options.figure
    if options.bound or options.param or options.fix:
        values: Values = "grundy" if ruleset.play == "normal" else "outcome"
        table, fixed = solve_slice(
            ruleset, options, values, _TAKES, check=lambda sides: check_cells(sides.values())
        )
        if file is not None and not set(file).isdisjoint("%#\\{}~^$& \t\n"):
            raise InstanceError(f"--figure {file}: LaTeX cannot include a file with this name; rename it")
        if file is None and values == "outcome":
            raise InstanceError(
                "under misère play there are no Grundy numbers to print; give --figure FILE, a picture that "
                "'grundylab show --out FILE' draws"
            )
        figure = SliceFigure(slice_table(table, fixed), dict(table.instance.parameters), file)
    elif file:
        raise InstanceError(
            "--figure is a picture of a table; choose the table by --bound, --param and --fix"
        )
    strategy = read_strategy(ruleset, Path(options.results))
    return game_document(ruleset, records, select_papers(()), figure, not options.fragment, strategy)


def _bibtex_text(options: argparse.Namespace) -> str:
    """Return the BibTeX entries of the papers."""
    return bibtex(select_papers(options.paper))


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
    claim = request.claim
    if options.to == "walnut":
        if not claim.plain:
            raise FormulaError(
                f"{claim.id} looks up other positions' values, or has variables besides the coordinates; "
                "Walnut cannot read it"
            )
        return walnut_files(ruleset, claim.formula, claim.target, claim.where)
    catalogue = results_catalogue(options.results)
    if request.published:
        matching = [record for record in catalogue.claims if record.source.claim == claim.id]
    else:
        same = [f for f in catalogue.formulas if (f.formula, f.target) == (claim.formula, claim.target)]
        where = conjunction(claim.where)
        matching = [formula for formula in same if claim.where == TRUE or formula.where == where]
    matching = [record for record in matching if record.ruleset == ruleset.name]
    files = [proof.proof for record in matching for proof in record.proved if proof.proof]
    if not files:
        name = request.name or claim.formula
        raise ConfigError(
            f"no proof of {name} is saved here; 'grundylab prove' searches for one and saves it",
            Place(options.results),
        )
    check_unchanged(catalogue, matching, ruleset, options.results)
    folder = Path(options.results).parent
    path = folder / files[0]
    if folder.resolve() not in path.resolve().parents:  # a hostile catalogue may name any file
        raise ConfigError(f"the proof is at {path}, not among the results", Place(options.results))
    return read_limited(path, MAX_JSON, ConfigError).decode("utf-8", "replace")


def _coq_text(options: argparse.Namespace) -> str:
    """Return the Coq file of a proof that the prover finds now."""
    from grundylab.discover.repairs import alternative_conditions

    ruleset = load_ruleset(options.ruleset)
    request = select_claim(ruleset, options)
    with progress(options, "proving"):
        return coq_file_of_proof(
            run_prover(ruleset, request, Limits(words=alternative_conditions)), request.name
        )


# The kinds of export: in words, with a function that returns the text or, for several files, their texts by path, with
# the main file first.
KINDS: dict[str, tuple[str, Callable[[argparse.Namespace], str | Mapping[str, str]]]] = {
    "latex": ("LaTeX for a paper: a game's definition, a table, a figure and its theorems", _latex_text),
    "bibtex": ("the papers as BibTeX entries", _bibtex_text),
    "oeis": ("a sequence for the OEIS, as a b-file", _oeis_text),
    "csv": ("a table as CSV, with a line for each position", _csv_text),
    "catalogue": ("the claims and the formulas of the last run, as CSV", _catalogue_text),
    "proof": ("a proof as a script for MONA or for Walnut", _proof_text),
    "coq": ("a proof as a file for Coq, which re-derives and checks all of it", _coq_text),
}


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands, one for each kind, with their arguments."""
    arguments.describe(
        parser,
        "Write results about a game for papers, databases and other programs. 'grundylab export KIND "
        "--help' lists the arguments of a kind.",
        "grundylab export latex nim --bound N=8 --fix z=1 --out nim.tex",
        "grundylab export oeis kayles --bound N=1000",
    )
    group = parser.add_subparsers(dest="kind", metavar="KIND", required=True, parser_class=type(parser))
    kinds = {
        name: group.add_parser(name, help=words, description=f"Write {words}.")
        for name, (words, _) in KINDS.items()
    }
    for name in ("bibtex", "catalogue"):
        arguments.as_json(kinds[name])
    for name in ("latex", "oeis", "csv", "proof", "coq"):
        arguments.ruleset(kinds[name])
    for name in ("latex", "oeis", "csv"):
        arguments.sweep(kinds[name])
        arguments.repeated(kinds[name], "--fix", "p=1,z=3", "the coordinates to hold fixed")
    for name in ("proof", "coq"):
        arguments.formula(kinds[name])
    _add_own_arguments(kinds)
    for name in ("latex", "catalogue", "proof"):
        arguments.results(kinds[name])
    for kind in kinds.values():
        arguments.out(kind, "write to this file instead of the terminal")


def _add_own_arguments(kinds: Mapping[str, argparse.ArgumentParser]) -> None:
    """Add the arguments that only one kind has."""
    what = "add this claim with its verdict ('all': every one); may be repeated"
    arguments.set_completion(arguments.repeated(kinds["latex"], "--claim", "ID", what), arguments.CLAIMS)
    kinds["latex"].add_argument(
        "--figure",
        metavar="FILE",
        help="include this picture of the slice, as 'grundylab show --out' draws it",
    )
    arguments.flag(kinds["latex"], "--fragment", "omit the document around the text")
    arguments.repeated(kinds["bibtex"], "--paper", "NAME", "only this paper")
    kinds["oeis"].add_argument(
        "--sequence", choices=SEQUENCES, default="grundy",
        help="Grundy numbers (default); the P-positions; the number of P-positions whose coordinates sum to n; "
        "or the smaller or the larger numbers of P-positions with two coordinates",
    )  # fmt: skip
    kinds["csv"].add_argument(
        "--target",
        choices=("grundy", "p"),
        help="the values: grundy, the Grundy numbers (default), or p, the P-positions (default under misère play)",
    )
    kinds["proof"].add_argument(
        "--to",
        choices=("mona", "walnut"),
        default="mona",
        help="the program that reads it (default: mona); for Walnut there may be several files, which --out "
        f"NAME{_ARCHIVE} writes as an archive",
    )


def run(options: argparse.Namespace) -> CommandResult:
    """Print the text, or write it to ``--out``."""
    check_writable(options.force, options.out)
    # the record has the provenance since CSV and b-files cannot; it is read first since the ruleset may be edited
    made = {"version": __version__}
    if hasattr(options, "ruleset"):
        ruleset = load_ruleset(options.ruleset)
        made |= {"ruleset": ruleset.name, "hash": ruleset.hash}
    record = {"kind": options.kind, "file": options.out, "made": made}
    _, text_of = KINDS[options.kind]
    content = text_of(options)
    if isinstance(content, str):
        text = content
    else:
        (_, main), *others = content.items()
        text = "\n".join([main, *(f"# {path}\n{other}" for path, other in others)])
    if not options.out:
        return CommandResult("done", text.removesuffix("\n"), {**record, "text": text})
    if not isinstance(content, str) and options.out.endswith(_ARCHIVE):
        write_bytes(Path(options.out), archive({name: text.encode() for name, text in content.items()}))
    else:
        write_text(Path(options.out), text)
    return CommandResult("done", f"written to {options.out}", record)
