"""Theorems, and the rules that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from grundylab.prove.core.evidence import Evidence
from grundylab.prove.core.formulas import Refused
from grundylab.statement import Statement

__all__ = ["Refused", "Rule", "SideCondition", "Theorem", "no_premises"]


@dataclass(frozen=True)
class Theorem:
    """A statement that is proved for positions of all sizes, with the evidence for it.

    Only ``kernel.py`` makes theorems. A theorem may be vacuous, that is, about no position at all: premises often are.
    premises: the theorems on which this one rests, in the order in which its rule names them.
    """

    statement: Statement
    evidence: Evidence
    premises: tuple[Theorem, ...] = ()


@dataclass(frozen=True)
class SideCondition:
    """A side condition of a rule.

    name: the condition in words. holds: a function of statement, evidence and session that tells whether the condition
    is fulfilled; instead of returning False it may raise Refused, with a reason.
    """

    name: str
    holds: Callable[[Statement, Any, Any], bool]


@dataclass(frozen=True)
class Rule:
    """A rule of proof: a statement follows from its premises if the side conditions are fulfilled.

    evidence: the type of evidence that names this rule. premises: a function that works out the premises from the
    statement and the evidence, so that evidence cannot choose others. It raises Refused, or another GrundylabError, if
    the rule does not fit the statement.
    """

    name: str
    evidence: type[Evidence]
    conditions: tuple[SideCondition, ...]
    premises: Callable[[Statement, Any], Iterable[Statement]]


def no_premises(statement: Statement, evidence: Evidence) -> tuple[Statement, ...]:
    """Return no premises, for a rule whose side conditions alone prove the statement."""
    return ()
