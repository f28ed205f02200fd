"""Theorems, and the rules that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from grundylab.errors import GrundylabError
from grundylab.prove.kernel.evidence import Evidence
from grundylab.statement import Statement


class Refused(GrundylabError):
    """Evidence does not prove the statement."""


@dataclass(frozen=True)
class Theorem:
    """A statement that is true for all sizes, and the evidence from which that follows.

    Only ``kernel.py`` makes one. It may be vacuous, since premises may rightly be.
    premises: the theorems that it rests on, in the order in which its rule asks for them.
    """

    statement: Statement
    evidence: Evidence
    premises: tuple[Theorem, ...] = ()


@dataclass(frozen=True)
class SideCondition:
    """A side condition of a rule.

    holds: returns whether a statement, evidence and a session fulfil it, or raises Refused with more words.
    """

    name: str
    holds: Callable[[Statement, Any, Any], bool]


@dataclass(frozen=True)
class Rule:
    """A rule: the statement follows from its premises wherever the side conditions are fulfilled.

    premises: the statements, which the kernel works out from the statement and the evidence, so that no evidence can
    be of others. It raises Refused, or another GrundylabError, where the rule does not fit.
    """

    name: str
    evidence: type[Evidence]
    conditions: tuple[SideCondition, ...]
    premises: Callable[[Statement, Any], Iterable[Statement]]


def no_premises(statement: Statement, evidence: Evidence) -> tuple[Statement, ...]:
    """Return nothing: the conditions of the rule are all that it needs."""
    return ()
