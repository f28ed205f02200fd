"""The result of a command, and the interpretation of arguments that several commands share.

Such arguments select claims or a formula, instances, a family of games, a slice of a table, a catalogue or papers.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grundylab.check.families import FunctionExtent, check_extents, parse_extent
from grundylab.errors import FormulaError, GrundylabError, InstanceError, Place, RulesetError
from grundylab.files import write_text
from grundylab.games import Claim, Instance, Ruleset, Target, find_ruleset, parent_of, parse_target
from grundylab.games.lookups import lookup_ruleset
from grundylab.games.model import Values
from grundylab.games.settings import FEW_VALUES, instances, parse_sweep
from grundylab.games.statements import THIS, with_lookups
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.progress import progress as shown
from grundylab.solve import Table, solve
from grundylab.solve.instance_choice import Room, chosen_instances

if TYPE_CHECKING:
    from grundylab.findings.catalogue import Catalogue
    from grundylab.findings.papers import Paper
    from grundylab.prove.outcome import Limits, Proof
    from grundylab.prove.prover import ProofContext


MOST_CELLS = 2_000_000  # the most cells of a slice that is drawn: it takes some seconds
EVERY = "all"  # selects every claim, in place of a claim's id
_EXIT = {"refuted": 1, "undecided": 3}


@dataclass(frozen=True)
class CommandResult:
    """A command's result: its status, a text for people, and the same as a record for ``--json``."""

    status: str
    text: str
    record: Mapping[str, Any]

    @property
    def exit_status(self) -> int:
        """The exit status: 1 if refuted, 3 if undecided, else 0."""
        return _EXIT.get(self.status, 0)


def document_result(options: argparse.Namespace, text: str, record: Mapping[str, Any]) -> CommandResult:
    """Return the result of a command that makes a document.

    With ``--out`` the document is written to that file, and the result's text says so; otherwise it is the text.
    """
    if options.out:
        write_text(Path(options.out), text)
        text = f"written to {options.out}"
    return CommandResult("ok", text, {**record, "file": options.out})


def check_writable(force: bool, *paths: Path | str | None) -> None:
    """Raise GrundylabError if a path exists, unless ``force`` is set and the path is a regular file."""
    for path in (Path(path) for path in paths if path is not None):
        if path.exists() and not force:
            raise GrundylabError("already exists; choose another name, or add --force", Place(str(path)))
        if path.exists() and not path.is_file():
            raise GrundylabError("not a regular file; choose another name", Place(str(path)))


def results_catalogue(results: str) -> Catalogue:
    """Return the catalogue in a folder of results. Raises ConfigError if it has none, or one of another version."""
    from grundylab.findings.catalogue import (
        read_catalogue,  # slow to import, and other commands do not need it
    )

    return read_catalogue(Path(results) / "catalogue.json")


def select_papers(names: Sequence[str]) -> tuple[Paper, ...]:
    """Return the papers with these names, or all papers if there are no names. Raises FormulaError for other names."""
    from grundylab.findings.papers import load_papers

    papers = load_papers()
    known_names = [paper.name for paper in papers]
    for name in names:
        if name not in known_names:
            raise FormulaError(f"there is no record of a paper '{name}'; papers: {', '.join(known_names)}")
    return tuple(paper for paper in papers if not names or paper.name in names)


def select_instances(
    ruleset: Ruleset, options: argparse.Namespace, room: Room | None = None, values: int = FEW_VALUES
) -> list[Instance]:
    """Return the instances selected by ``--param`` and ``--bound``.

    room: limits within which missing bounds and parameter values are chosen; without it a missing one is an error.
    values: how many values are chosen for a missing parameter.
    """
    parameters, bounds = parse_sweep(options.param, "--param"), parse_sweep(options.bound, "--bound")
    if room is None:
        return instances(ruleset, parameters, bounds)
    return chosen_instances(ruleset, parameters, bounds, room, values)


def single_values(texts: Sequence[str], option: str) -> dict[str, int]:
    """Return, by name, the values of an option such as ``--fix``. Raises InstanceError if a name has several values."""
    sweep = parse_sweep(texts, option)
    for name, values in sweep.items():
        if len(values) != 1:
            raise InstanceError(f"{option}: {name} takes one value")
    return {name: values[0] for name, values in sweep.items()}


@dataclass(frozen=True)
class ClaimRequest:
    """A claim to be decided: a claim of the ruleset (``published``), or one made of a formula on the command line.

    further: the condition that ``--where`` adds to a claim of the ruleset.
    """

    claim: Claim
    published: bool
    further: Expr = TRUE

    @property
    def name(self) -> str | None:
        """The id of a claim of the ruleset; None for a formula."""
        return self.claim.id if self.published else None


def select_claim(ruleset: Ruleset, options: argparse.Namespace) -> ClaimRequest:
    """Return the claim or formula that the options select.

    Raises FormulaError, at the option, for a text that is no formula for this ruleset. Rulesets whose values are looked
    up are read here, so that a missing one is reported before any work.
    """
    (request,) = select_claims(ruleset, options, several=False)
    return request


def select_claims(ruleset: Ruleset, options: argparse.Namespace, several: bool = True) -> list[ClaimRequest]:
    """Return the claims that the options select; ``--claim all`` selects every one. Raises as ``select_claim``.

    several: False if ``all`` is the id of a claim like any other.
    """
    values = _lookups(options, ruleset)
    extra: Expr = TRUE
    if options.where is not None:
        extra = _parse_option("--where", options.where, ruleset, None, values)
    if options.claim is None:
        target = parse_target("p" if options.target is None else options.target)
        formula = _parse_option("--formula", options.formula, ruleset, target, values)
        return [ClaimRequest(Claim("asked", target, formula, extra, values=values), published=False)]
    if options.target is not None:
        raise FormulaError("--target requires --formula; a claim has its own")
    every = several and options.claim == EVERY
    claims = ruleset.claims if every else (ruleset.claim(options.claim),)
    if not claims:
        raise FormulaError(f"{ruleset.name} has no claims; give a formula with --formula")
    for _, game in (values for claim in claims for values in claim.values):
        lookup_ruleset(game, ruleset)
    return [ClaimRequest(replace(c, where=conjunction(c.where, extra)), True, extra) for c in claims]


def parse_extents(ruleset: Ruleset, texts: Sequence[str]) -> dict[str, FunctionExtent]:
    """Return the extent of each free function from texts such as ``f: 0..8 -> 0..9``.

    Raises GrundylabError for a malformed text, and unless each free function of the ruleset has an extent.
    """
    extents = {}
    for text in texts:
        name, colon, extent = text.partition(":")
        if not colon:
            raise FormulaError(f"--every {text}: write it as --every 'f: 0..8 -> 0..9'")
        extents[name.strip()] = parse_extent(extent)
    check_extents(ruleset, extents)
    return extents


def solve_slice(
    ruleset: Ruleset,
    options: argparse.Namespace,
    kind: Values,
    does: str,
    check: Callable[[Mapping[str, int]], None],
    room: Room | None = None,
) -> tuple[Table, dict[str, int]]:
    """Return the table of the one instance that is selected, and the coordinates fixed by ``--fix`` with their values.

    does: the start of the error for several instances, such as "show draws". check: is called before anything is solved
    with the number of values of each coordinate that is not fixed; raises InstanceError if there are too many.
    """
    selected = select_instances(ruleset, options, room, values=1)
    if len(selected) != 1:
        raise InstanceError(f"{does} one instance, but the sweep has {len(selected)}")
    fixed = single_values(options.fix, "--fix")
    box = dict(zip(ruleset.coordinate_names, selected[0].box, strict=True))
    for name, value in fixed.items():
        if name not in box:
            raise InstanceError(
                f"--fix: {ruleset.name} has no coordinate '{name}'; coordinates: {', '.join(box)}"
            )
        if value not in box[name]:
            ends = f"{box[name].low}..{box[name].high}"
            raise InstanceError(f"--fix: {name}={value} is outside the table: {name} is in {ends}")
    check({name: side.width for name, side in box.items() if name not in fixed})
    with progress(options, "solving"):
        return solve(selected[0], kind), fixed


def check_cells(sides: Iterable[int]) -> None:
    """Raise InstanceError if a slice with these sides has too many cells to be drawn."""
    lengths = tuple(sides)
    if prod(lengths) > MOST_CELLS:
        cells = f"{' by '.join(f'{length:,}' for length in lengths)} cells"
        raise InstanceError(
            f"the slice has {cells}, and at most {MOST_CELLS:,} are drawn; choose smaller bounds"
        )


def run_prover(
    ruleset: Ruleset, request: ClaimRequest, limits: Limits, shared: ProofContext | None = None
) -> Proof:
    """Return the prover's answer about a claim or formula.

    For a formula whose condition mentions no parameters, the prover also finds the parameters for which it is true.
    shared: intermediate results that the prover uses again for other claims of the ruleset.
    """
    from grundylab.prove.prover import for_which, prove_claim

    claim, where = (
        (ruleset.claim(request.claim.id), request.further) if request.published else (request.claim, TRUE)
    )
    question = not request.published and for_which(ruleset, claim)
    parent = parent_of(ruleset)
    return prove_claim(ruleset, claim, where, parent=parent, question=question, limits=limits, context=shared)


def _lookups(options: argparse.Namespace, ruleset: Ruleset) -> tuple[tuple[str, str], ...]:
    """Return the pairs of function and ruleset in ``--lookup G=this``; empty for commands without this option."""
    pairs = []
    for text in getattr(options, "lookup", []):
        name, equals, game = (part.strip() for part in text.partition("="))
        if not (name and equals and game):
            raise FormulaError(f"--lookup {text}: write it as --lookup G=this")
        if game != THIS:
            try:
                find_ruleset(game, ruleset.folder)
            except RulesetError as error:
                raise FormulaError(error.message, Place(f"--lookup {text}")) from None
        pairs.append((name, game))
    if pairs and options.claim is not None:
        raise FormulaError("--lookup requires --formula; a claim has its own")
    return tuple(pairs)


def _parse_option(
    option: str, text: str, ruleset: Ruleset, target: Target | None, values: tuple[tuple[str, str], ...]
) -> Expr:
    try:
        read = parse if target is not None else parse_condition
        tree = read(text, ruleset.piles)
        functions = with_lookups(values, ruleset, tree)
        if target is not None:
            return ruleset.check_formula(tree, target, functions)
        return ruleset.check_condition(tree, functions)
    except GrundylabError as error:
        raise FormulaError(error.message, Place(option, column=error.place.column)) from None


def progress(
    options: argparse.Namespace, what: str, total: int | None = None
) -> AbstractContextManager[Callable[..., None]]:
    """Return a context that shows the progress of the block: as a bar, or with ``--json`` as lines."""
    return shown(what, total, bar=not options.json)


def cell_total(instances: Sequence[Instance]) -> int | None:
    """Return the number of cells of all instances; None for a single one, whose progress cannot be measured."""
    return sum(instance.cells for instance in instances) if len(instances) > 1 else None


def refuse_options(options: argparse.Namespace, *names: str) -> None:
    """Raise GrundylabError if one of these options is set, since they do not apply to tables in files."""
    for name in names:
        if getattr(options, name):
            raise GrundylabError(
                f"--{name} is for games, not for tables; leave it out", Place(options.ruleset)
            )
