"""Proofs machine-checked: what Coq says of them. The file that it was given is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grundylab.catalogue.attempts import Attempt
from grundylab.catalogue.periods import KINDS, induction_of
from grundylab.catalogue.records import RowFound
from grundylab.errors import ConfigError, GrundylabError
from grundylab.files import read_json, write_text
from grundylab.games import Ruleset
from grundylab.games.model import GRUNDY
from grundylab.language import parse
from grundylab.language.substitution import substitute
from grundylab.logic.coqc import CoqAnswer, run_coqc
from grundylab.prove.coq import ONE_WAY, beside_proof, coq_file, file_of, no_file, written
from grundylab.prove.outcome import Disagreement, Limits, Proof
from grundylab.prove.stated import KIND


def ask(what: str, text: Callable[[], str], path: Path | None, limits: Limits) -> CoqAnswer:
    """What Coq says of a file, which is written to the path; ``text`` raises GrundylabError if there is none.

    Raises Disagreement if Coq rejects it.
    """
    try:
        file = text()
    except Disagreement:
        raise
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
            known[file, tried.formula] = ask(about, lambda: _text(ruleset, tried, file), path, limits)
        return known[file, tried.formula]

    return list(map(said, proofs))


def ask_rows(
    ruleset: Ruleset, rows: Sequence[RowFound], folder: Path, limits: Limits
) -> list[CoqAnswer | None]:
    """What Coq says of the period of each row; None of what is not proved.

    Raises Disagreement if Coq rejects one.
    """

    def said(row: RowFound) -> CoqAnswer | None:
        if row.proof is None:
            return None
        # where there is none it is all that the period says, in a form for Coq
        formula = None if row.target == str(GRUNDY) else row.formula
        file, stated = Path(row.proof), {"formula": formula, "where": row.where}
        return ask(
            f"{ruleset.name}: {file.stem}",
            lambda: kept_file(ruleset, {**read_json(file, ConfigError), **stated}),
            beside_proof(file, folder),
            limits,
        )

    return list(map(said, rows))


def kept_file(ruleset: Ruleset, record: Mapping[str, Any]) -> str:
    """The file of an induction or of the certificate of a period. Raises GrundylabError, with why, if there is none."""
    if record["certificate"] not in KINDS:
        return file_of(ruleset, record)
    game, question = induction_of(record, ruleset)
    return written(game, question, f"a period of {ruleset.name}: {ruleset.title}")


def proof_file(ruleset: Ruleset, proof: Proof) -> str:
    """The file of a proof. Raises GrundylabError, with why, if there is none."""
    record = json.loads(proof.certificate) if proof.status == "proved" and proof.certificate else {}
    return kept_file(ruleset, record) if record.get("certificate") in KINDS else coq_file(ruleset, proof)


def _kept(tried: Attempt) -> str | None:
    """Where its induction is, or another certificate."""
    return tried.second.file if tried.second and tried.second.file else tried.proof


def _text(ruleset: Ruleset, tried: Attempt, file: str | None) -> str:
    """The file, by what is kept of it; a formula that is equal to another one is proved by the induction of that."""
    if file is None:
        raise no_file("an induction for parameters that have no name")
    record = read_json(Path(file), ConfigError)
    kind = record.get("certificate")
    if kind in KINDS:
        formula = substitute(parse(tried.formula), record["parameters"])
        return kept_file(ruleset, {**record, "formula": str(formula)})
    if kind != KIND:
        raise no_file(tried.procedures[0])
    exactly = record["exactly"] and record["formula"] == tried.formula
    return kept_file(ruleset, {**record, "formula": tried.formula, "exactly": exactly})
