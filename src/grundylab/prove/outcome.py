"""Outcomes of attempts at proofs, reports of the gate, and limits of an attempt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from grundylab.automata.dfa import Dfa
from grundylab.check.samples import Samples
from grundylab.check.verification import Counterexample, where_clause
from grundylab.errors import GrundylabError
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.numeration import numeration_system
from grundylab.language.plain import evaluate
from grundylab.language.syntax import equalities
from grundylab.prove.kernel.evidence import Evidence
from grundylab.prove.kernel.theorem import Theorem


@dataclass(frozen=True)
class GateReport:
    """The gate's report.

    positions: at how many the statement was evaluated. reach: the largest coordinate among them. beyond: whether that
    is more than the largest constant of statement and rules. wrong: where the statement is wrong. contradiction: a
    reason, in words, why it is wrong. fault: why the rules make no game.
    """

    positions: int = 0
    reach: int = 0
    beyond: bool = False
    wrong: Counterexample | None = None
    contradiction: str | None = None
    fault: str | None = None

    @property
    def good(self) -> bool:
        """True if positions were tested, and nothing was wrong."""
        return self.positions > 0 and not self.bad

    @property
    def bad(self) -> bool:
        """True if something was wrong."""
        return any(each is not None for each in (self.wrong, self.contradiction, self.fault))


AUTOMATA, MONA = "automata in two's complement", "MONA"  # procedures that decide an induction
PERIOD = "certificate of a period"
# by the kind of evidence, where it rests on no premise
PROCEDURES = {
    "computed": "every position computed",
    "rows": PERIOD,
    "heap": PERIOD,
    "runs": "certificate of runs",
    "identities": "both sides are the same polynomial",
}
DEFINITION = "true in every game, by definition"
NEUTRAL = (DEFINITION, PROCEDURES["identities"])  # these are left out where another procedure is named
_CELLS = 20_000_000  # cells of transition tables that are made in a second, at least
ProofStatus = Literal["proved", "refuted", "undecided"]
Rewording = Callable[
    [Samples, float], Iterable[Expr]
]  # conditions proposed for samples, within so many seconds


class Disagreement(GrundylabError):
    """Contradictory results of two procedures about one statement."""


@dataclass(frozen=True)
class Opinion:
    """Another procedure's result on a proof: ``agrees``, or ``not checked`` and why. A disagreement is an error.

    file: the file that it checked, if that is kept.
    """

    by: str
    status: Literal["agrees", "not checked"]
    reason: str | None = None
    file: str | None = None


@dataclass(frozen=True)
class Proof:
    """The outcome for a statement, and the evidence.

    key: of the claim, without the condition ``where`` of the question. theorem: the kernel's, if it is proved; exact:
    the theorem that it is true for the parameters of ``condition`` and for no others. fixed: the parameters that
    ``where`` fixes, and that take no other value here. condition: the values of the other parameters for which the
    formula holds, exactly (TRUE: for all in the domain); None where it is not known or cannot be written, then
    ``automaton`` accepts them. script: the MONA file. used: the claims in the induction's hypothesis besides the
    statement itself. playable: the parameters for which the rules make a game, if not all. second: the second
    opinion. looked: the gate's report. premises: the proofs of the premises of its rule. reading: for a formula with
    an automaton in it, an equal one without, where that is proved. but: for a refuted statement, the proof for those
    parameters for which it is true. seconds: in total.
    """

    status: ProofStatus
    formula: Expr
    target: Target
    where: Expr
    reason: str | None = None
    key: str = ""
    theorem: Theorem | None = None
    exact: Theorem | None = None
    fixed: tuple[tuple[str, int], ...] = ()
    condition: Expr | None = None
    automaton: Dfa | None = None
    script: str | None = None
    counterexample: Counterexample | None = None
    used: tuple[str, ...] = ()
    playable: Expr | None = None
    second: Opinion | None = None
    looked: GateReport | None = None
    premises: tuple[Proof, ...] = ()
    reading: Expr | None = None
    but: Proof | None = None
    seconds: float = 0.0

    def __repr__(self) -> str:
        return f"<Proof {self.status}: {self.target}: {self.formula}{where_clause(self.where)}>"

    @property
    def evidence(self) -> Evidence | None:
        """The evidence of the theorem."""
        return None if self.theorem is None else self.theorem.evidence

    @property
    def by(self) -> str:
        """The procedures that have proved it."""
        return procedures_of(self.theorem) if self.theorem else ""

    def holds_for(self, parameters: Mapping[str, int]) -> bool:
        """Return whether it is proved for these parameter values, by ``condition`` or ``automaton``."""
        if any(parameters[name] != value for name, value in self.fixed):
            return False
        if self.condition is not None:
            return bool(evaluate(self.condition, parameters))
        if self.automaton is not None:
            return self.automaton.contains(parameters)
        return True

    @property
    def fixed_where(self) -> Expr:
        """The condition ``k == 1 and …`` for the parameters that were fixed."""
        return equalities(self.fixed)


def procedures_of(theorem: Theorem) -> str:
    """Return the procedures that the theorem rests on, in words."""
    kind, statement = theorem.evidence.kind, theorem.statement
    if kind == "induction":
        system = numeration_system([statement.formula, statement.where])
        return AUTOMATA if system.binary else f"automata that read {system.words}"
    if not theorem.premises:
        return PROCEDURES.get(kind, DEFINITION)
    each = [name for premise in theorem.premises for name in procedures_of(premise).split(" and ")]
    found = dict.fromkeys(name for name in each if name not in NEUTRAL)
    return " and ".join(found or dict.fromkeys(each))


@dataclass(frozen=True)
class Limits:
    """Limits of one question.

    timeout: seconds for MONA; automata may have as many cells as are made in that time even on a slow machine, so
    that their answer is the same everywhere. memory: bytes for MONA, or None. words: a source of conditions equal to
    an automaton, such as ``discover.conditions.reworded``. Without it a set of values of one parameter gets a
    condition if it is periodic or one of powers of two, and other sets get none.
    """

    timeout: float = 60.0
    memory: int | None = 8 * 2**30
    words: Rewording | None = None

    @property
    def cells(self) -> int:
        """The number of cells in the transition tables made for one question."""
        return round(self.timeout * _CELLS)
