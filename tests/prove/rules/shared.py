"""Helpers for the tables of rules and conditions: games in one line, and evidence completed with its premises."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from grundylab.errors import GrundylabError
from grundylab.games import load_ruleset
from grundylab.games.model import Ruleset
from grundylab.prove.core import kernel as kernel_module
from grundylab.prove.core.evidence import Evidence, Induction
from grundylab.prove.core.kernel import Kernel
from grundylab.statement import Statement

DEPTH = 4  # of premises of premises
TAKE_ANY = "{take: t, from: x}"
TAKE_ONE = "{when: x >= 1, to: {x: x - 1}}"
HALF = '{for: {t: "1..x // 2"}, to: {x: x - t}}'
FREE = '{h(n): {any: "h(n) >= 0"}}'
GUARDED = '{for: {t: 1..x}, when: "h(x) >= 0", to: {x: x - t}}'
SUBTRACTION = '{for: {t: "1..min(x, m)"}, to: {x: x - t}}'


def game(claim: str, *moves: str, position: str = "x: 0..N", **more: str) -> str:
    """Return a ruleset as YAML, with one claim or none."""
    keys = "".join(f"{key}: {value}\n" for key, value in more.items())
    claims = f"claims: [{{id: c, {claim}}}]\n" if claim else ""
    return f"title: t\n{keys}position: {{{position}}}\nmoves: [{', '.join(moves or (TAKE_ANY,))}]\n{claims}"


def loaded(games: Mapping[str, str], folder: Path) -> Ruleset:
    """Return the first of the rulesets, written to a folder with those that it looks up."""
    for name, text in games.items():
        (folder / f"{name}.yaml").write_text(text)
    return load_ruleset(next(iter(games)), folder)


def with_rules(monkeypatch: pytest.MonkeyPatch, rules: Mapping[str, object]) -> None:
    """Give the kernel these rules instead of its own."""
    monkeypatch.setattr(kernel_module, "RULES", MappingProxyType(dict(rules)))


def completed(
    kernel: Kernel, statement: Statement, evidence: Evidence, tries: tuple[Evidence, ...], depth: int = DEPTH
) -> Evidence:
    """Return the evidence with evidence for its premises, chosen among those in ``tries``."""
    needed = kernel.checked_premises(statement, evidence)
    premises = tuple(_evidence(kernel, each, tries, depth) for each in needed)
    return evidence.model_copy(update={"premises": premises})


def _evidence(kernel: Kernel, statement: Statement, tries: tuple[Evidence, ...], depth: int) -> Evidence:
    for each in (*tries, Induction()) if depth else ():
        try:
            whole = completed(kernel, statement, each, tries, depth - 1)
            kernel.check(statement, whole)
        except GrundylabError:
            continue
        return whole
    raise GrundylabError(f"no proof of {statement.formula} where {statement.where}")
