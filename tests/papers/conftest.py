"""What the tests of the papers share: rulesets solved once, and claims held against the solved values."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from grundylab.formula import Expr, Functions, parse
from grundylab.formula.arrays import evaluate_arrays
from grundylab.formula.plain import Evaluator, compile_plain
from grundylab.rulesets import Claim, Position, Rules, Ruleset, load_ruleset, make_instance
from grundylab.solving import solve
from grundylab.solving.table import Table

RULESETS = Path(__file__).parents[2] / "rulesets"
SMALL = 6_000  # cells; up to here the reference solver takes less time than compiling a kernel


@cache
def _load(name: str) -> Ruleset:
    return load_ruleset(name, RULESETS)


@cache
def _solve(name: str, kind: str, constants: tuple[tuple[str, int], ...]) -> Table:
    ruleset = _load(name)
    given = dict(constants)
    bounds = {bound: given.pop(bound) for bound in ruleset.bounds}
    instance = make_instance(ruleset, given, bounds)
    return solve(instance, kind, "reference" if instance.cells <= SMALL else "auto")


def _solved(name: str, kind: str = "grundy", **constants: int) -> Table:
    return _solve(name, kind, tuple(sorted(constants.items())))


def _counterexamples(table: Table, claim: Claim, formula: Expr | None = None) -> list[Position]:
    """The positions where the claim (or another formula in its place) is false, by measure, then in order."""
    instance = table.instance
    ruleset = instance.ruleset
    (slab,) = table.slabs(cells=instance.cells)
    columns = dict(zip(ruleset.coordinate_names, slab.coordinates, strict=True)) | dict(instance.parameters)

    def values(expr: Expr) -> np.ndarray:
        return evaluate_arrays(expr, columns, ruleset.functions)

    truth = slab.values if claim.target.name == "grundy" else slab.values == claim.target.value
    wrong = np.flatnonzero(values(claim.where) & (values(formula or claim.formula) != truth))
    measure = values(ruleset.measure)
    ordered = sorted(wrong, key=lambda row: (measure[row], row))
    return [tuple(int(column[row]) for column in slab.coordinates) for row in ordered]


def _options(name: str, position: Position, **constants: int) -> set[Position]:
    ruleset = _load(name)
    given = dict(constants)
    bounds = {bound: given.pop(bound) for bound in ruleset.bounds}
    rules = Rules(make_instance(ruleset, given, bounds))
    return {option for _, (option,) in rules.options(position)}


@cache
def _compiled(text: str, functions: Functions) -> Evaluator:
    return compile_plain(parse(text), functions)


def _value(text: str, functions: Functions, **values: int) -> int:
    return _compiled(text, functions)(values)


@pytest.fixture(scope="session")
def rulesets() -> Path:
    """The folder of the shipped rulesets."""
    return RULESETS


@pytest.fixture(scope="session")
def load() -> Callable[[str], Ruleset]:
    """``load(name)``: a shipped ruleset."""
    return _load


@pytest.fixture(scope="session")
def solved() -> Callable[..., Table]:
    """``solved(name, kind, N=…, m=…)``: a shipped ruleset, solved once in the session."""
    return _solved


@pytest.fixture(scope="session")
def counterexamples() -> Callable[..., list[Position]]:
    """``counterexamples(table, claim, formula)``: where the claim is false."""
    return _counterexamples


@pytest.fixture(scope="session")
def options() -> Callable[..., set[Position]]:
    """``options(name, position, N=…)``: the positions one move away."""
    return _options


@pytest.fixture(scope="session")
def value() -> Callable[..., int]:
    """``value(text, functions, v=…)``: a formula's value."""
    return _value
