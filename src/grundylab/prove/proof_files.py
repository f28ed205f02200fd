"""Files of proofs, with the statement and the evidence. The kernel checks a proof again whenever its file is read.

A file has the statement twice: as complete text for people, and as its key, which decides. The evidence contains no
automaton of the induction and no text of a premise: these are derived again from the ruleset.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, Claim, Range, Ranged, Ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.names import with_plain_names
from grundylab.language.syntax import TRUE, conjunction, conjuncts
from grundylab.prove.core.evidence import AnyEvidence
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.theorem import Refused, Theorem
from grundylab.statement import Statement, statement_about

VERSION: Literal[2] = 2
ProofText = Annotated[str, Field(max_length=2_000_000)]
FunctionName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,99}$")]
# premises may have generated names
VariableName = Annotated[str, Field(pattern=r"^_?[A-Za-z][A-Za-z0-9_]{0,99}$")]


class StatementText(BaseModel):
    """A statement as text, with the names of its ruleset. claim: the id of the claim that it states, or None."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    ruleset: ProofText
    claim: ProofText | None = None
    target: ProofText
    formula: ProofText
    where: ProofText = "True"
    variables: tuple[tuple[VariableName, ProofText, ProofText], ...] = Field(default=(), alias="for")
    values: Mapping[FunctionName, ProofText] = {}
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class ProofFile(BaseModel):
    """The content of a proof's file."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
    proof: Literal[2] = VERSION
    statement: StatementText
    evidence: AnyEvidence


def statement_text(statement: Statement, claim: str | None = None) -> StatementText:
    """Return the statement as text. claim: the id of the ruleset's claim that it states."""
    return StatementText.model_validate(
        {
            "ruleset": statement.game.name,
            "claim": claim,
            "target": str(statement.target),
            "formula": with_plain_names(str(statement.formula)),
            "where": with_plain_names(str(statement.where)),
            "for": [(v.name, *(with_plain_names(str(end)) for end in v.ends)) for v in statement.variables],
            "values": {with_plain_names(lookup.name): lookup.source for lookup in statement.lookups},
            "key": statement.key,
        }
    )


def proof_text(theorem: Theorem, claim: str | None = None) -> str:
    """Return the text of a theorem's file. claim: the id of the claim that the theorem states."""
    file = ProofFile.model_validate(
        {"statement": statement_text(theorem.statement, claim), "evidence": theorem.evidence}
    )
    record = file.model_dump(mode="json", by_alias=True, exclude_none=True)
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def read_proof(record: Any) -> ProofFile:  # noqa: ANN401 - what a JSON file has
    """Return the proof in the data of a JSON file. Raises Refused if the data are no proof of this version."""
    if not isinstance(record, Mapping) or record.get("proof") != VERSION:
        raise Refused("this is no proof of this version of grundylab; prove the statement again")
    try:
        return ProofFile.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][:6])
        raise Refused(f"this is no proof: {place}: {first['msg']}"[:300]) from None
    except RecursionError:
        raise Refused("this is no proof: it is nested too deeply") from None


def statement_of(file: ProofFile, ruleset: Ruleset) -> Statement:
    """Return the statement of a proof file about the ruleset; raise Refused if its key is not the one in the file.

    The ruleset may have another name than in the file (a survey's games are renamed): only its rules matter.
    """
    given, statement = file.statement, None
    try:
        statement = _from_text(given, ruleset)
    except GrundylabError:
        if given.ruleset == ruleset.name:
            raise
    if statement is not None and statement.key == given.key:
        return statement
    if given.ruleset != ruleset.name:
        raise Refused(f"the proof is about another game, {given.ruleset}, not about {ruleset.name}")
    raise Refused("the proof is of another statement: the ruleset, or what it looks up, has changed since")


def _from_text(given: StatementText, ruleset: Ruleset) -> Statement:
    claim = next((c for c in ruleset.claims if c.id == given.claim), None)
    where = parse_condition(given.where, ruleset.piles)
    if claim is not None and claim.tables:  # a printed table is kept in its ruleset alone
        own = {with_plain_names(str(term)) for term in conjuncts(claim.where)}
        more = (term for term in conjuncts(where) if str(term) not in own and term != TRUE)
        return statement_about(ruleset, claim, conjunction(*more))
    variables = tuple(Ranged(name, Range(parse(low), parse(high))) for name, low, high in given.variables)
    read = Claim(
        "stated", parse_target(given.target), parse(given.formula, ruleset.piles), where,
        values=tuple(given.values.items()), variables=variables,
    )  # fmt: skip
    return statement_about(ruleset, read)


def check_proof_file(record: Any, ruleset: Ruleset, kernel: Kernel) -> Theorem:  # noqa: ANN401 - what a JSON file has
    """Return the theorem of a proof file, checked by the kernel. Raises GrundylabError if the file proves nothing."""
    file = read_proof(record)
    try:
        return kernel.check(statement_of(file, ruleset), file.evidence)
    except (RecursionError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as problem:
        raise Refused(f"this is no proof ({type(problem).__name__}: {problem})") from problem


def statement_line(statement: Statement) -> str:
    """Return the statement in one line, with its condition, the ranges of its variables, and its look-ups."""
    given = statement_text(statement)
    parts = [f"{given.target}: {given.formula}"] if statement.target != ALWAYS else [given.formula]
    parts += [f"for {name} in {low}..{high}" for name, low, high in given.variables]
    parts += [f"where {given.where}"] if statement.where != TRUE else []
    parts += [f"with {name}() of {source}" for name, source in given.values.items()]
    return ", ".join(parts)
