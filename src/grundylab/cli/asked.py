"""What options ask about: a claim, or a formula with its target and where; a family of games; a slice of a table."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grundylab.check.families import Extent, check_extents, parse_extent
from grundylab.cli.common import asked_instances, one_each
from grundylab.errors import FormulaError, GrundylabError, InstanceError, Place
from grundylab.games import Claim, Ruleset, Target, parse_target
from grundylab.games.model import Values
from grundylab.games.statements import functions_with
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.solve import Table, solve


@dataclass(frozen=True)
class Asked:
    """What is asked about, as a claim; ``published`` unless it is a formula typed in.

    further: of a published claim what ``--where`` adds to its condition.
    """

    claim: Claim
    published: bool
    further: Expr = TRUE

    @property
    def name(self) -> str | None:
        """The id of a published claim."""
        return self.claim.id if self.published else None


def asked_claim(ruleset: Ruleset, options: argparse.Namespace) -> Asked:
    """Raises FormulaError, at the option, for what is not a formula about the ruleset."""
    values = _lookups(options)
    extra = _read("--where", options.where, ruleset, None, values) if options.where is not None else TRUE
    if options.claim is not None:
        if options.target is not None:
            raise FormulaError("--target goes with --formula; a claim has its own")
        claim = ruleset.claim(options.claim)
        return Asked(replace(claim, where=conjunction(claim.where, extra)), True, extra)
    target = parse_target("p" if options.target is None else options.target)
    formula = _read("--formula", options.formula, ruleset, target, values)
    return Asked(Claim("asked", target, formula, extra, values=values), published=False)


def asked_extents(ruleset: Ruleset, texts: Sequence[str]) -> dict[str, Extent]:
    """``["f: 0..8 -> 0..9"]`` by the function's name. Raises an error unless each free function has its extent."""
    extents = {}
    for text in texts:
        name, colon, extent = text.partition(":")
        if not colon:
            raise FormulaError(f"--every {text}: write it as --every 'f: 0..8 -> 0..9'")
        extents[name.strip()] = parse_extent(extent)
    check_extents(ruleset, extents)
    return extents


def asked_slice(
    ruleset: Ruleset, options: argparse.Namespace, kind: Values, does: str
) -> tuple[Table, dict[str, int]]:
    """The table of the one instance that is asked for, and the coordinates that ``--fix`` holds fixed."""
    asked = asked_instances(ruleset, options)
    if len(asked) != 1:
        raise InstanceError(f"{does} one instance, but the sweep has {len(asked)}")
    fixed = one_each(options.fix, "--fix")
    box = dict(zip(ruleset.coordinate_names, asked[0].box, strict=True))
    for name, value in fixed.items():
        if name not in box:
            raise InstanceError(
                f"--fix: {ruleset.name} has no coordinate '{name}'; coordinates: {', '.join(box)}"
            )
        if value not in box[name]:
            ends = f"{box[name].low}..{box[name].high}"
            raise InstanceError(f"--fix: {name}={value} is outside the table: {name} is in {ends}")
    return solve(asked[0], kind), fixed


def _lookups(options: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """``["G=this"]`` as a claim's values; of the commands that have no such option none."""
    found = []
    for text in getattr(options, "lookup", []):
        name, equals, ruleset = (part.strip() for part in text.partition("="))
        if not (name and equals and ruleset):
            raise FormulaError(f"--lookup {text}: write it as --lookup G=this")
        found.append((name, ruleset))
    if found and options.claim is not None:
        raise FormulaError("--lookup goes with --formula; a claim has its own")
    return tuple(found)


def _read(
    option: str, text: str, ruleset: Ruleset, target: Target | None, values: tuple[tuple[str, str], ...]
) -> Expr:
    try:
        read = parse if target is not None else parse_condition
        tree = read(text, ruleset.piles)
        functions = functions_with(values, ruleset, tree)
        if target is not None:
            return ruleset.check_formula(tree, target, functions)
        return ruleset.check_condition(tree, functions)
    except GrundylabError as error:
        raise FormulaError(error.message, Place(option, column=error.place.column)) from None
