"""Forged proof files: the content of a theorem's file, and whether a changed file proves anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from grundylab.errors import GrundylabError
from grundylab.games import Ruleset
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.theorem import Theorem
from grundylab.prove.proof_files import check_proof_file, proof_text
from grundylab.statement import Statement

Record = dict[str, Any]
Change = Callable[[Record], object]


def record_of(theorem: Theorem | None) -> Record:
    """Return the proof file of a theorem, as data from JSON."""
    assert theorem is not None
    record: Record = json.loads(proof_text(theorem))
    return record


def proved_by(record: Any, ruleset: Ruleset) -> Theorem:
    """Return the theorem of a proof file, checked by a new kernel."""
    return check_proof_file(record, ruleset, Kernel())


def forged(record: Record, change: Change) -> Record:
    """Return a copy of the file with a change."""
    copy: Record = json.loads(json.dumps(record))
    change(copy)
    return copy


def check_refused(record: Any, ruleset: Ruleset, words: str | None = None) -> None:
    """Assert that the file proves nothing. words: a pattern of the error message."""
    with pytest.raises(GrundylabError, match=words):
        proved_by(record, ruleset)


def proves(statement: Statement, evidence: Any) -> bool:
    """Return whether the kernel makes a theorem of a statement and evidence."""
    try:
        return Kernel().check(statement, evidence).statement == statement
    except GrundylabError:
        return False


def kinds(theorem: Theorem) -> set[str]:
    """Return the kinds of evidence by which a theorem, and the theorems it depends on, were made."""
    return {theorem.evidence.kind}.union(*map(kinds, theorem.premises))
