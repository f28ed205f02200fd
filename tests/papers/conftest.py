"""What the tests of the papers share: rulesets solved once, and how the claims come out on small tables."""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from grundylab.check.families import judge_family, parse_extent
from grundylab.check.judging import judge
from grundylab.check.verification import Verdict
from grundylab.games import Instance, Position, Ruleset, load_ruleset, make_instance
from grundylab.language import Functions, parse
from grundylab.language.evaluation import Evaluator
from grundylab.language.plain import compile_plain
from grundylab.solve import solve
from grundylab.solve.table import Table

RULESETS = Path(__file__).parents[2] / "rulesets"
SMALL = 6_000  # cells; up to here the reference solver takes less time than compiling a kernel

PARAMETERS = {
    "nim-with-a-pass-from-m": {"m": (1, 3, 4, 8)},
    "subtraction-1-to-m": {"m": (1, 2, 5)},
    "turn-limit-linear": {"m": (1, 2, 3)},
    "octal": {"a": (1, 7), "b": (3, 7), "c": (7, 0)},
    "two-stones-floor": {"a": (1, 3), "b": (2, 3)},
    "two-stones-ceil": {"a": (1, 3), "b": (2, 3)},
    "chocolate-half": {"k": (1, 2)},
    "chocolate-half-pass": {"k": (1, 2)},
    "chocolate-fraction": {"a": (1,), "b": (2, 3), "s": (0, 1)},
    "chocolate-fraction-pass": {"a": (1,), "b": (2, 3), "s": (0, 1)},
    "max-nim-fraction": {"a": (1, 2), "b": (1,)},
    "max-nim-fraction-pass": {"a": (1, 2), "b": (1,)},
    "nim-with-a-pass-from-m-2": {"m": (1, 4, 6)},
}
# Bounds by the number of coordinates but the pass: small, and enough for each claim to say something.
BOUNDS = {1: 120, 2: 24, 3: 12, 4: 5}


@cache
def _load(name: str) -> Ruleset:
    return load_ruleset(name, RULESETS)


@cache
def _solve(name: str, kind: str, constants: tuple[tuple[str, int], ...]) -> Table:
    instance = _instance(name, dict(constants))
    return solve(instance, kind, "reference" if instance.cells <= SMALL else "auto")


def _instance(name: str, constants: Mapping[str, int]) -> Instance:
    ruleset, given = _load(name), dict(constants)
    bounds = {bound: given.pop(bound) for bound in ruleset.bounds}
    return make_instance(ruleset, given, bounds)


def _solved(name: str, kind: str = "grundy", **constants: int) -> Table:
    return _solve(name, kind, tuple(sorted(constants.items())))


def _samples(name: str, **bounds: int) -> list[dict[str, int]]:
    """Parameters and bounds of the small tables of a ruleset; these bounds in place of the usual ones."""
    ruleset, chosen = _load(name), PARAMETERS.get(name, {})
    size = BOUNDS[len([coordinate for coordinate in ruleset.coordinate_names if coordinate != "p"])]
    usual = {bound: size if bound == "N" else 6 for bound in ruleset.bounds}
    return [dict(zip(chosen, values, strict=True)) | usual | bounds for values in product(*chosen.values())]


def _judged(name: str, claim_id: str, every: Mapping[str, str] | None = None, **bounds: int) -> Verdict:
    ruleset, samples = _load(name), _samples(name, **bounds)
    claim = ruleset.claim(claim_id)
    if every is not None:
        extents = {function: parse_extent(text) for function, text in every.items()}
        (verdict,), _ = judge_family([claim], [_instance(name, sample) for sample in samples], extents)
        return verdict
    kind = "outcome" if ruleset.play == "misere" else "grundy"
    return judge(claim, [_solved(name, kind, **sample) for sample in samples])


def _outcome(verdict: Verdict) -> str | Position | None:
    if verdict.counterexample is not None:
        return tuple(verdict.counterexample.position.values())
    return "holds" if verdict.status == "holds" else verdict.reason


def _recorded(paper: str | None) -> list[tuple[str, str, str]]:
    names = sorted(path.stem for path in RULESETS.glob("*.yaml"))
    return [
        (claim.at, name, claim.id) for name in names for claim in _load(name).claims if claim.paper == paper
    ]


@cache
def _compiled(text: str, functions: Functions) -> Evaluator:
    return compile_plain(parse(text), functions)


def _value(text: str, functions: Functions, **values: int) -> int:
    return _compiled(text, functions)(values)


@pytest.fixture(scope="session")
def load() -> Callable[[str], Ruleset]:
    """``load(name)``: a shipped ruleset."""
    return _load


@pytest.fixture(scope="session")
def solved() -> Callable[..., Table]:
    """``solved(name, kind, N=…, m=…)``: a shipped ruleset, solved once in the session."""
    return _solved


@pytest.fixture(scope="session")
def samples() -> Callable[..., list[dict[str, int]]]:
    """``samples(name, N=…)``: parameters and bounds of the small tables of a ruleset."""
    return _samples


@pytest.fixture(scope="session")
def comes_out() -> Callable[..., str | Position | None]:
    """``comes_out(name, claim, every={"f": "0..7 -> 0..8"}, N=…)``: how the claim comes out on the small tables.

    "holds", or the smallest counterexample's position, or why it is undecided.
    """
    return lambda name, claim, **how: _outcome(_judged(name, claim, **how))


@pytest.fixture(scope="session")
def recorded() -> Callable[[str | None], list[tuple[str, str, str]]]:
    """``recorded(paper)``: (place, ruleset, id) of every claim that the rulesets have from the paper."""
    return _recorded


@pytest.fixture(scope="session")
def value() -> Callable[..., int]:
    """``value(text, functions, v=…)``: a formula's value."""
    return _value
