"""Reading of claims: a claim of any kind becomes a formula, its target, and the condition under which it is claimed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from math import prod

import numpy as np

from grundylab.errors import FormulaError, RulesetError
from grundylab.games.listing import listed_condition, options_condition
from grundylab.games.model import (
    ALWAYS,
    Claim,
    ClaimKind,
    OptionCondition,
    PrintedTable,
    Ruleset,
    Target,
    parse_target,
)
from grundylab.games.schema import ClaimSpec, TableSpec
from grundylab.games.scope import Scope
from grundylab.games.yamlfile import parse_span
from grundylab.language import Expr, Functions, Kind, check_names
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Declared, Tabulated
from grundylab.language.names import reserved_reason
from grundylab.language.syntax import (
    Call,
    Int,
    Name,
    compare,
    conjunction,
    distinct_parts,
    equalities,
)

THIS = "this"  # in a claim's 'values:', the ruleset of the claim itself
# functions: the entry at a place of a table, and whether there is one
_PRINTED, _IS_PRINTED = "printed", "is_printed"
_BLANK = -1  # a blank entry
MAX_ENTRY = 2**31  # entries of a printed table must be less, so that a dataset can hold them
MAX_TABLE = 1_000_000  # the most cells of the box around a printed table
_OUTCOMES = {"P": 1, "N": 0}


def read_claim(number: int, spec: ClaimSpec, ruleset: Ruleset, scope: Scope) -> Claim:
    """Return the claim that the file describes. Raises RulesetError at the line of the fault.

    number: the index of the claim in the file.
    """
    with scope.at("claims", number, "id"):
        if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", spec.id):
            raise RulesetError(
                f"'{spec.id}' cannot be a claim's id: use lowercase letters, digits, '-' and '.'"
            )
    return _Reader(("claims", number), spec, ruleset, scope).claim()


class _Reader:
    def __init__(self, key: tuple[str | int, ...], spec: ClaimSpec, ruleset: Ruleset, scope: Scope) -> None:
        self._key = key  # the place of the claim in its file
        self._spec = spec
        self._ruleset = ruleset
        self._scope = scope
        self._functions = ruleset.functions
        self._tables: tuple[Tabulated, ...] = ()

    def claim(self) -> Claim:
        spec = self._spec
        with self._at("where"):
            where = self._scope.parsed(spec.where, Kind.CONDITION)
        with self._at(spec.kind):
            match spec.kind:
                case "formula":
                    claim = self._describing("formula", self._scope.parsed(spec.formula or ""))
                case "positions":
                    claim = self._positions()
                case "table":
                    claim = self._table()
                case "condition":
                    claim = self._condition()
                case _:
                    claim = self._options()
        self._functions = self._with_values(where, claim.formula)
        with self._at("where"):
            where = self._ruleset.check_condition(conjunction(where, claim.where), self._functions)
        with self._at(spec.kind):
            if not claim.variables:
                self._ruleset.check_formula(claim.formula, claim.target, self._functions)
        instead = None
        if spec.instead is not None:
            key = (*self._key, "instead")
            instead = _Reader(key, spec.corrected(), self._ruleset, self._scope).claim()
        return replace(claim, where=where, tables=self._tables, instead=instead)

    def _describing(
        self, kind: ClaimKind, formula: Expr, target: Target | None = None, **more: object
    ) -> Claim:
        with self._at("target"):
            target = target or parse_target(self._spec.target or "")
            if target == ALWAYS and kind in ("formula", "positions", "table"):
                raise FormulaError("unknown target 'true'; write p, grundy, or grundy == 2")
        spec, source = self._spec, self._ruleset.source
        paper = spec.paper or (source.paper if source else None)
        return Claim(
            spec.id, target, formula, at=spec.at, note=spec.note, paper=paper, kind=kind,
            values=tuple(spec.values.items()), unpublished=spec.unpublished, **more,  # type: ignore[arg-type]
        )  # fmt: skip

    def _at(self, *key: str) -> AbstractContextManager[None]:
        return self._scope.at(*self._key, *key)

    # -- the kinds ------------------------------------------------------------------------------------------

    def _positions(self) -> Claim:
        ruleset = self._ruleset
        functions = [function.name for function in ruleset.functions]
        names = (*ruleset.formula_names, *functions)
        listed = self._scope.listing(self._spec.positions or (), names)
        coordinates = ruleset.coordinate_names
        if len(listed.members[0].entries) == len(coordinates) - 1:
            coordinates = ruleset.own_coordinates
        return self._describing("positions", listed_condition(listed, coordinates), printed=listed)

    def _options(self) -> Claim:
        every = self._spec.every_option is not None
        text = self._spec.every_option if every else self._spec.some_option
        condition = self._scope.parsed(text or "", Kind.CONDITION)
        self._ruleset.check_condition(condition, self._with_values(condition))
        printed = OptionCondition("every" if every else "some", condition)
        return self._describing("options", options_condition(printed, self._ruleset), ALWAYS, printed=printed)

    def _condition(self) -> Claim:
        ruleset = self._ruleset
        names = (*ruleset.formula_names, *ruleset.bounds)
        variables = self._scope.choices(self._spec.for_, names, *self._key)
        condition = self._scope.parsed(self._spec.condition or "", Kind.CONDITION)
        if variables:
            usable = (*ruleset.formula_names, *(variable.name for variable in variables))
            check_names(condition, usable, self._with_values(condition))
            self._with_values(condition).check_growth(condition)
        return self._describing("condition", condition, ALWAYS, variables=variables)

    def _table(self) -> Claim:
        spec = self._spec.table
        assert spec is not None
        target = parse_target(self._spec.target or "")
        printed = _printed_table(spec, self._ruleset, target)
        for name in (_PRINTED, _IS_PRINTED):
            if name in self._spec.values or name in self._functions:
                raise FormulaError(
                    f"beside a table, no function may be called {name}(): it gives the entries; rename it"
                )
        self._tables = _tabulated(printed)
        self._functions = self._functions.given(*self._tables)
        at = tuple(Name(name) for name in printed.coordinates)
        value: Expr = Call(_PRINTED, at)
        if target.name != "grundy":
            value = compare("==", value, Int(1))
        shape, lows = self._tables[0].values.shape, self._tables[0].lows
        inside = [
            compare("<=", Int(low), name) if end else compare("<", name, Int(low + width))
            for name, low, width in zip(at, lows, shape, strict=True)
            for end in (True, False)
        ]
        where = conjunction(equalities(printed.fixed), *inside, compare("==", Call(_IS_PRINTED, at), Int(1)))
        return self._describing("table", value, target, where=where, printed=printed)

    # -- names ----------------------------------------------------------------------------------------------

    def _with_values(self, *used: Expr) -> Functions:
        """Return the functions with the lookups of the claim's ``values:`` added."""
        for name in self._spec.values:
            with self._at("values", name):
                check_lookup(name, self._ruleset)
        return with_lookups(tuple(self._spec.values.items()), self._ruleset, *used, known=self._functions)


def check_lookup(name: str, ruleset: Ruleset) -> None:
    """Raise FormulaError if the name of a lookup is reserved, or already means something else in the ruleset."""
    if name not in BUILTINS and (why := reserved_reason(name)):
        raise FormulaError(f"'{name}' cannot be the name of a function: {why}")
    if name in BUILTINS or name in ruleset.formula_names or name in ruleset.functions:
        raise FormulaError(f"'{name}' is already the name of something else")


def with_lookups(
    values: tuple[tuple[str, str], ...], ruleset: Ruleset, *used: Expr, known: Functions | None = None
) -> Functions:
    """Return the functions ``known``, by default the ruleset's, with the lookups of a claim added.

    For each pair (name, source) in ``values`` a function of this name is added, which stands for the Grundy numbers of
    the ruleset ``source``. It has as many arguments as its first call in the expressions ``used``.
    """
    declared = []
    for name, source in values:
        check_lookup(name, ruleset)
        calls = [
            node for e in used for node in distinct_parts(e) if isinstance(node, Call) and node.name == name
        ]
        count = len(calls[0].arguments) if calls else 0
        game = ruleset.name if source == THIS else source
        arguments = tuple(f"x{number}" for number in range(count))
        declared.append(Declared(name, arguments, f"the Grundy number of a position of {game}"))
    return (ruleset.functions if known is None else known).given(*declared)


def _printed_table(spec: TableSpec, ruleset: Ruleset, target: Target) -> PrintedTable:
    names = (*(spec.rows or ()), *spec.columns)
    if len({*names, *spec.with_}) < len(names) + len(spec.with_):
        raise FormulaError("the table has a coordinate twice")
    for name in (*names, *spec.with_):
        if name not in ruleset.coordinate_names:
            coordinates = ", ".join(ruleset.coordinate_names)
            raise FormulaError(f"unknown coordinate '{name}'; coordinates: {coordinates}")
    missing = [name for name in ruleset.coordinate_names if name not in (*names, *spec.with_)]
    if missing:
        raise FormulaError(f"the table gives no value of {missing[0]}; add one to 'with:'")
    entries = list[tuple[tuple[int, ...], int]]()
    if isinstance(spec.columns, dict):
        entries += _grid(spec, target)
    else:
        for line in filter(str.strip, spec.entries.splitlines()):
            *position, value = line.split()
            if len(position) != len(spec.columns):
                raise FormulaError(f"'{line.strip()}' is not {len(spec.columns)} numbers and a value")
            entries.append((tuple(_entry(number, None) for number in position), _entry(value, target)))
    if not entries:
        raise FormulaError("the table has no entries")
    return PrintedTable(names, tuple(spec.with_.items()), tuple(entries))


def _grid(spec: TableSpec, target: Target) -> Iterator[tuple[tuple[int, ...], int]]:
    assert isinstance(spec.columns, dict)
    assert spec.rows is not None
    (rows,), (columns,) = map(_span, spec.rows.values()), map(_span, spec.columns.values())
    lines = [line.split() for line in spec.entries.splitlines() if line.strip()]
    if len(lines) != len(rows):
        raise FormulaError(f"the table has {len(lines)} rows, not {len(rows)}")
    for row, line in zip(rows, lines, strict=True):
        if len(line) != len(columns):
            raise FormulaError(f"row {row} of the table has {len(line)} entries, not {len(columns)}")
        for column, entry in zip(columns, line, strict=True):
            if entry != ".":
                yield (row, column), _entry(entry, target)


def _span(text: str) -> range:
    if (span := parse_span(text)) is None:
        raise FormulaError(f"'{text}' is not a range of numbers: write it as 0..25")
    return span


def _entry(text: str, target: Target | None) -> int:
    if target is not None and target.name != "grundy":
        if text not in _OUTCOMES:
            raise FormulaError(f"'{text}' is not an entry: with target {target} write P or N")
        return _OUTCOMES[text]
    if not (text.isascii() and text.isdecimal()):
        raise FormulaError(f"'{text}' is not an entry: write a number")
    if len(text) > len(str(MAX_ENTRY)) or int(text) >= MAX_ENTRY:
        raise FormulaError(f"'{text[:20]}…' is not an entry: write a number less than {MAX_ENTRY:,}")
    return int(text)


def _tabulated(printed: PrintedTable) -> tuple[Tabulated, Tabulated]:
    """Return two functions of the coordinates that vary in the table.

    The first gives the entry at a position. The second gives 1 if the table has an entry there, else 0.
    """
    positions = [position for position, _ in printed.entries]
    lows = tuple(map(min, zip(*positions, strict=True)))
    highs = tuple(map(max, zip(*positions, strict=True)))
    shape = [high - low + 1 for low, high in zip(lows, highs, strict=True)]
    if prod(shape) > MAX_TABLE:
        raise FormulaError(f"the table spans {prod(shape):,} cells; at most {MAX_TABLE:,} are allowed")
    values = np.full(shape, _BLANK, dtype=np.int64)
    for position, value in printed.entries:
        offset = tuple(x - low for x, low in zip(position, lows, strict=True))
        if values[offset] not in (_BLANK, value):
            raise FormulaError(f"the table has two values at {position}")
        values[offset] = value
    has_entry = (values != _BLANK).astype(np.int64)
    what = "the entries of the printed table"
    return (
        Tabulated(_PRINTED, printed.coordinates, values, lows, what, _BLANK),
        Tabulated(_IS_PRINTED, printed.coordinates, has_entry, lows, what, _BLANK),
    )
