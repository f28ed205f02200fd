"""Keys by which two games are recognised as equal: by rules or by tables, up to an exchange of coordinates.

Each exchange of coordinates yields a text, and the key is the least of these texts. So many games are compared by
looking up their keys.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations, product

import numpy as np

from grundylab.check.judging import claim_functions, expanded_formula
from grundylab.errors import GrundylabError
from grundylab.games import Claim, Ruleset
from grundylab.games.model import function_key
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.substitution import substitute, with_sorted_operands
from grundylab.language.syntax import Expr, Name
from grundylab.numeric import Array
from grundylab.solve.table import Table

_MOST = 120  # the most exchanges tried: as many as permutations of five piles


def rules_key(ruleset: Ruleset, claims: Sequence[Claim] = (), rows: bool = False) -> str:
    """Return a key of the rules and claims, the same for two games whose rules differ by an exchange of coordinates.

    rows: whether rows are asked about. These name their coordinates, so that no exchange keeps the question.
    """
    exchanges = islice(_exchanges(ruleset, claims), 1 if rows else None)
    every = (repr(_rules(ruleset, claims, exchange)) for exchange in exchanges)
    return min(hashlib.sha256(rules.encode()).hexdigest() for rules in every)


def table_key(tables: Sequence[Table], claims: Sequence[Claim] = ()) -> str:
    """Return a key of the tables, the same for two games whose tables differ by an exchange of coordinates.

    claims: the keys are equal only if each claim has the same values in both games, too, after the exchange.
    """
    ruleset = tables[0].instance.ruleset
    every = [[table.values, *(_truths(claim, table) for claim in claims)] for table in tables]
    labels = [(table.instance.label, table.kind) for table in tables]
    digests = []
    for exchange in _exchanges(ruleset, claims):
        axes = [ruleset.coordinate_names.index(exchange[name]) for name in ruleset.coordinate_names]
        digest = hashlib.sha256(repr(labels).encode())
        for array in (array for arrays in every for array in arrays):
            written = array if isinstance(array, str) else np.ascontiguousarray(np.transpose(array, axes))
            digest.update(written.encode() if isinstance(written, str) else repr(written.shape).encode())
            if not isinstance(written, str):
                digest.update(written.tobytes())
        digests.append(digest.hexdigest())
    return min(digests)


def _exchanges(ruleset: Ruleset, claims: Sequence[Claim]) -> Iterator[dict[str, str]]:
    """Yield permutations of the coordinates with equal ranges, the identity first; at most ``_MOST`` of them.

    It is the only one if a claim looks up values: the coordinates are exchanged in its text, not in those values.
    """
    groups: dict[str, list[str]] = {}
    for coordinate in ruleset.coordinates:
        groups.setdefault(str(coordinate.range), []).append(coordinate.name)
    orders = product(*(permutations(names) for names in groups.values()))
    names = [name for group in groups.values() for name in group]
    for order in islice(orders, _MOST if all(claim.plain for claim in claims) else 1):
        yield dict(zip(names, (name for group in order for name in group), strict=True))


def _rules(ruleset: Ruleset, claims: Sequence[Claim], exchange: Mapping[str, str]) -> object:
    """Return all rules and claims, with coordinates exchanged, and sorted where their order does not matter."""
    names = {old: Name(new) for old, new in exchange.items()}

    def told(expr: Expr) -> str:
        return str(with_sorted_operands(substitute(expr, names)))

    moves = [
        (
            [(choice.name, *map(told, choice.ends)) for choice in move.choices],
            told(move.when),
            sorted(
                sorted(
                    zip((exchange[name] for name in ruleset.coordinate_names), map(told, part), strict=True)
                )
                for part in move.parts
            ),
            move.a_pass,
        )
        for move in ruleset.moves
    ]
    return (
        sorted((exchange[c.name], *map(told, c.ends)) for c in ruleset.coordinates),
        [(parameter.name, str(parameter.domain)) for parameter in ruleset.parameters],
        sorted(moves), told(ruleset.where), told(ruleset.measure), ruleset.play,
        [function_key(function) for function in ruleset.rule_functions],
        sorted(
            (claim.id, str(claim.target), told(claim.formula), told(claim.where), _beyond_the_game(claim))
            for claim in claims
        ),
    )  # fmt: skip


def _beyond_the_game(claim: Claim) -> str:
    """Return what the names and functions mean that are the claim's own; empty for a plain claim."""
    if claim.plain:
        return ""
    variables = [(variable.name, *map(str, variable.ends)) for variable in claim.variables]
    return repr((claim.values, [function_key(table) for table in claim.tables], variables))


def _truths(claim: Claim, table: Table) -> Array | str:
    """Return the claim's value in every cell, -1 outside its condition; or its text if a value is missing."""
    shape = table.instance.shape
    sides = zip(table.instance.ruleset.coordinate_names, table.instance.box, np.indices(shape), strict=True)
    columns = {name: offsets.reshape(-1) + side.low for name, side, offsets in sides}
    values_of = {**dict(table.instance.parameters), **columns}
    try:
        functions = claim_functions(claim, table)
        formula = expanded_formula(claim, table.instance.constants)
        values = [evaluate_arrays(part, values_of, functions) for part in (claim.where, formula)]
    except GrundylabError:
        return f"{claim.formula} where {claim.where} {_beyond_the_game(claim)}"
    where, says = (np.broadcast_to(np.asarray(value), (table.values.size,)) for value in values)
    return np.where(where, says.astype(np.int64), -1).reshape(shape)
