"""Proof files as anyone may write them: what a theorem's file has, and whether a changed one proves anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from grundylab.errors import GrundylabError
from grundylab.games import Ruleset
from grundylab.prove.kernel.kernel import Kernel
from grundylab.prove.kernel.theorem import Theorem
from grundylab.prove.proof_files import check_proof_file, proof_text
from grundylab.statement import Statement

Record = dict[str, Any]
Change = Callable[[Record], object]


def record_of(theorem: Theorem | None) -> Record:
    """Return the file of a theorem, read as JSON."""
    assert theorem is not None
    record: Record = json.loads(proof_text(theorem))
    return record


def proved_by(record: Any, ruleset: Ruleset) -> Theorem:
    """Return the theorem of a file, by a kernel that knows nothing yet."""
    return check_proof_file(record, ruleset, Kernel())


def forged(record: Record, change: Change) -> Record:
    """Return a copy of the file with a change."""
    copy: Record = json.loads(json.dumps(record))
    change(copy)
    return copy


def check_refused(record: Any, ruleset: Ruleset, words: str | None = None) -> None:
    """Check that a file proves nothing. words: a pattern of what is said of it."""
    with pytest.raises(GrundylabError, match=words):
        proved_by(record, ruleset)


def proves(statement: Statement, evidence: Any) -> bool:
    """Return whether the kernel makes a theorem of a statement and evidence."""
    try:
        return Kernel().check(statement, evidence).statement == statement
    except GrundylabError:
        return False


def kinds(theorem: Theorem) -> set[str]:
    """Return the rules by which a theorem was made, and what it rests on."""
    return {theorem.evidence.kind}.union(*map(kinds, theorem.premises))
