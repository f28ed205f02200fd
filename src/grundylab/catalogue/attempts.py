"""Attempts at proofs, as records: of what each is a proof, for which parameters and positions, and by what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from grundylab.automata.digits import MAX_ARITY
from grundylab.automata.kernel import Dfa, of_naturals
from grundylab.check.verification import Counterexample
from grundylab.games.fields import ConditionField, FormulaField, TargetField
from grundylab.language.layout import to_latex
from grundylab.language.syntax import TRUE, Expr, conjunction, conjuncts, disjunction
from grundylab.logic.coqc import CoqAnswer
from grundylab.prove.outcome import Opinion, Proof, Status

Texts = tuple[str, ...]
COQ = "Coq"  # a procedure that needs no trust in grundylab


@dataclass(frozen=True, kw_only=True)
class Accepting:
    """An automaton that says for which parameters a formula is true; its text unless that is too long."""

    states: int
    variables: Texts
    text: str | None


@dataclass(frozen=True, kw_only=True)
class ProofRecord:
    """An attempt at a proof of a statement.

    claim: its id, if it is one. under: what it was asked under. where: the parameter values for which it is true;
    exactly: and for no others in their domains; unnamed: no condition describes them, ``where`` is too wide, and the
    automaton alone says which they are. proof: its file. procedures: those that independently say proved. reading: what
    says the same as a formula with an automaton in it, where this is proved. machine_checked: by Coq, if it was asked.
    """

    claim: str | None
    status: Status
    under: ConditionField
    where: ConditionField
    exactly: bool
    unnamed: bool
    reason: str | None
    proof: str | None
    used: Texts
    automaton: Accepting | None
    counterexample: Counterexample | None
    second: Opinion | None
    procedures: Texts
    reading: FormulaField | None = None
    machine_checked: CoqAnswer | None = None


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What the gate saw: so many positions, with coordinates up to ``reach``."""

    positions: int
    reach: int
    beyond: bool


@dataclass(frozen=True, kw_only=True)
class Attempt(ProofRecord):
    """A proof with its statement.

    key: of the statement, without what it was asked under. about: the condition of the formula; None of a claim.
    assuming: all that the proof assumes. playable: the parameters for which the rules make a game, if not all.
    """

    key: str
    formula: FormulaField
    target: TargetField
    latex: str
    about: ConditionField | None
    assuming: ConditionField
    playable: ConditionField | None
    looked: Looked | None


# -- from a proof -----------------------------------------------------------------------------------------------------


def shared(kind: type, record: object) -> dict[str, Any]:
    """What a record, or a room's result, has of the fields of a kind of record."""
    names = [each.name for each in fields(kind) if hasattr(record, each.name)]
    return {name: getattr(record, name) for name in names}


def attempt(
    proof: Proof,
    file: str | None,
    claim: str | None = None,
    about: Expr | None = None,
    under: Expr = TRUE,
) -> Attempt:
    """A proof, with the file that it was written to."""
    second = proof.second
    if second is not None and proof.theorem is not None and file is not None:
        second = Opinion(
            second.by, second.status, second.reason, str(beside_script(Path(file)) if proof.script else file)
        )
    where = conjunction(proof.fixed_where, proof.where if proof.condition is None else proof.condition)
    seen = proof.looked
    known = {
        **shared(Attempt, proof), "where": where, "latex": to_latex(proof.formula), "assuming": proof.where,
        "automaton": _accepting(proof.automaton) if proof.automaton else None,
        "looked": Looked(positions=seen.positions, reach=seen.reach, beyond=seen.beyond) if seen else None,
        "claim": claim, "about": about, "under": under, "proof": file, "second": second,
    }  # fmt: skip
    return Attempt(
        **known,
        exactly=_exactly(proof),
        unnamed=proof.condition is None and proof.automaton is not None,
        procedures=procedures_of([proof.by] if proof.status == "proved" else [], second),
    )


def _exactly(proof: Proof) -> bool:
    """Return whether the kernel has proved that it is false for all other parameters, or true for all."""
    if proof.condition is None or proof.fixed or proof.playable is not None:
        return False
    return proof.condition == TRUE or proof.exact is not None or proof.status != "proved"


def beside_script(script: Path) -> Path:
    """Return the file of the theorem that a script for MONA is about."""
    return script.with_suffix(".json" if script.suffix != ".json" else ".proof.json")


def proof_file(kept: Path) -> Path:
    """Return the file of the theorem of a proof that is kept: itself, or beside the script."""
    return beside_script(kept) if kept.suffix == ".mona" else kept


def attempts(
    proof: Proof,
    keep: Callable[[Proof], str | None],
    claim: str | None,
    about: Expr,
    under: Expr = TRUE,
) -> list[Attempt]:
    """A proof, and after it that of what is true all the same of a refuted statement.

    keep: writes a proof's file and tells its name. claim: the id of a published claim. about: its condition.
    """
    first = attempt(proof, keep(proof), claim, about if claim is None else None, under)
    return [first, *(attempts(proof.but, keep, None, about, under) if proof.but else ())]


def procedures_of(first: Sequence[str], second: Opinion | None) -> Texts:
    """The procedures that independently say proved: the first, and the second if it agrees."""
    agrees = second is not None and first and second.status == "agrees" and second.by not in first
    return (*first, second.by) if second is not None and agrees else tuple(first)


_Tried = TypeVar("_Tried", bound=ProofRecord)


def heard(tried: _Tried, said: CoqAnswer | None) -> _Tried:
    """With what Coq says of it, which counts if it accepts all that the proof says."""
    more = (COQ,) if said is not None and said.status == "accepted" and said.reason is None else ()
    return replace(tried, machine_checked=said, procedures=(*tried.procedures, *more))


_LONGEST_AUTOMATON = 64  # states; the text of a larger one says nothing to anyone


def _accepting(automaton: Dfa) -> Accepting:
    short = 1 <= len(automaton.tracks) <= MAX_ARITY and automaton.states <= _LONGEST_AUTOMATON
    return Accepting(
        states=automaton.states,
        variables=automaton.tracks,
        text=str(of_naturals(automaton)) if short else None,
    )


# -- for which parameters and positions ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Extent:
    """How far one proof reaches, beyond what the statement itself asks.

    condition: TRUE for all that the statement is about. exactly: the values of the parameters for which the statement
    is true, and for no others, if the proof says so. states: of the automaton that alone says for which parameters.
    """

    condition: Expr
    exactly: Expr | None = None
    states: int | None = None

    @property
    def whole(self) -> bool:
        """Whether nothing of the statement is left out."""
        return self.condition == TRUE and self.states is None


def beyond(own: Expr, condition: Expr) -> Expr:
    """The condition without what the statement's own asks as well."""
    return conjunction(*(term for term in conjuncts(condition) if term not in conjuncts(own)))


def extent_of(proof: ProofRecord, own: Expr) -> Extent:
    """How far a proof reaches of a statement with the condition ``own``.

    A claim is asked as it stands: its proof is of all that fulfils the condition it was asked under. A formula may be
    asked for which parameters it is true.
    """
    under, where = proof.under, proof.where
    exactly = where if proof.exactly and under == TRUE and where != TRUE else None
    if proof.claim is not None:
        return Extent(beyond(own, under), exactly)
    states = (proof.automaton.states if proof.automaton else 0) if proof.unnamed else None
    return Extent(beyond(own, conjunction(under, where)), exactly, states)


def region_of(proof: Attempt) -> Expr | None:
    """Where a proof (with what it assumes) shows its statement to be true; None where no condition says it."""
    if proof.status != "proved" or (proof.unnamed and proof.claim is None):
        return None
    return conjunction(proof.assuming, proof.where)


def united(conditions: Iterable[Expr]) -> Expr:
    """Any of the conditions."""
    found = tuple(dict.fromkeys(conditions))
    return TRUE if TRUE in found else disjunction(*found)


def extents(proofs: Iterable[ProofRecord], where: Expr) -> list[Extent]:
    """Return how far the proofs of a statement reach, each once. where: what the statement itself asks."""
    return list(dict.fromkeys(extent_of(proof, where) for proof in proofs))


def deciding(proofs: Iterable[ProofRecord], where: Expr) -> ProofRecord | None:
    """The proof that tells by how many procedures it is proved: of what is proved piece by piece the weakest."""
    best = dict[Extent, ProofRecord]()
    for proof in proofs:
        reach = extent_of(proof, where)
        if reach not in best or _count(proof) > _count(best[reach]):
            best[reach] = proof
    whole = [proof for reach, proof in best.items() if reach.whole or reach.exactly is not None]
    return max(whole, key=_count) if whole else min(best.values(), key=_count, default=None)


def _count(proof: ProofRecord) -> int:
    return len(proof.procedures)
