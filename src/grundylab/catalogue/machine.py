"""Proofs machine-checked: what Coq says of them. The file that it was given is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grundylab.catalogue.attempts import Attempt
from grundylab.errors import ConfigError, GrundylabError
from grundylab.files import read_json, write_text
from grundylab.games import Ruleset
from grundylab.logic.coqc import CoqAnswer, run_coqc
from grundylab.prove.coq import ONE_WAY, beside_proof, file_of, no_file
from grundylab.prove.outcome import Disagreement, Limits
from grundylab.prove.stated import KIND


def ask(what: str, text: Callable[[], str], path: Path | None, limits: Limits) -> CoqAnswer:
    """What Coq says of a file, which is written to the path; ``text`` raises GrundylabError if there is none.

    Raises Disagreement if Coq rejects it.
    """
    try:
        file = text()
    except GrundylabError as error:
        return CoqAnswer("not written", error.message)
    if path is not None:
        write_text(path, file)
    answer = run_coqc(file, timeout=limits.timeout, memory=limits.memory)
    if answer.status == "rejected":
        raise Disagreement(
            f"{what}: the automata say proved, but Coq rejects it: {answer.reason}; please report this"
        )
    if answer.status == "accepted" and ONE_WAY in file:
        answer = replace(answer, reason=ONE_WAY)
    return replace(answer, file=None if path is None else str(path))


def ask_all(
    ruleset: Ruleset, proofs: Sequence[Attempt], folder: Path, limits: Limits
) -> list[CoqAnswer | None]:
    """What Coq says of each of the proofs, the same file asked about once; None of what is not proved.

    Raises Disagreement if Coq rejects one.
    """
    known: dict[tuple[str | None, str], CoqAnswer] = {}
    paths = set[Path]()

    def said(tried: Attempt) -> CoqAnswer | None:
        if tried.status != "proved":
            return None
        file, about = _kept(tried), f"{ruleset.name}: {tried.target}: {tried.formula}"
        if (file, tried.formula) not in known:
            path = beside_proof(Path(file or "formula"), folder)
            if path in paths:  # another formula, by the same induction
                path = path.with_stem(f"{path.stem}_{len(paths)}")
            paths.add(path)
            known[file, tried.formula] = ask(
                about, lambda: file_of(ruleset, _induction(tried, file)), path, limits
            )
        return known[file, tried.formula]

    return list(map(said, proofs))


def _kept(tried: Attempt) -> str | None:
    """Where its induction is, or another certificate."""
    return tried.second.file if tried.second and tried.second.file else tried.proof


def _induction(tried: Attempt, file: str | None) -> Mapping[str, Any]:
    """What is kept of it; a formula that is equal to another one is proved by the induction of that."""
    if file is None:
        raise no_file("an induction for parameters that have no name")
    record = read_json(Path(file), ConfigError)
    if record.get("certificate") != KIND:
        raise no_file(tried.procedures[0])
    exactly = record["exactly"] and record["formula"] == tried.formula
    return {**record, "formula": tried.formula, "exactly": exactly}
