"""Outcomes of attempts at a proof, reports of the gate (the test of a proof against the game), and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from grundylab.automata.dfa import Dfa
from grundylab.check.samples import Samples
from grundylab.check.verification import Counterexample, where_clause
from grundylab.errors import GrundylabError
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.numeration import numeration_system
from grundylab.language.plain import evaluate
from grundylab.language.syntax import equalities
from grundylab.prove.core.evidence import Evidence
from grundylab.prove.core.theorem import Theorem
from grundylab.records.proofs import GateSample, Opinion, ProofStatus


@dataclass(frozen=True)
class GateReport(GateSample):
    """The gate's report: what it tested of a statement, and what it found wrong.

    wrong: a counterexample. contradiction: why the statement is wrong, in words, without a counterexample.
    contradicted: parameters and position where it says what contradicts what it says of options. fault: why the rules
    make no game.
    """

    wrong: Counterexample | None = None
    contradiction: str | None = None
    contradicted: tuple[Mapping[str, int], tuple[int, ...]] | None = None
    fault: str | None = None

    @property
    def good(self) -> bool:
        """True if positions were tested and nothing was found wrong."""
        return self.positions > 0 and not self.bad

    @property
    def bad(self) -> bool:
        """True if something was found wrong."""
        return any(fault is not None for fault in (self.wrong, self.contradiction, self.fault))


AUTOMATA, MONA = "automata in two's complement", "MONA"  # procedures that decide an induction
PERIOD = "certificate of a period"
CONSEQUENCE = "facts, each with its terms, from which automata decide"
# the procedure, by the kind of evidence, of a theorem without premises
PROCEDURES = {
    "computed": "every position computed",
    "rows": PERIOD,
    "heap": PERIOD,
    "runs": "certificate of runs",
    "instances": CONSEQUENCE,
}
DEFINITION = "the definition of Grundy numbers"
NEUTRAL = (DEFINITION,)  # left out where another procedure is named
_CELLS = 20_000_000  # cells of transition tables made in a second, even on a slow machine
Rewording = Callable[
    [Samples, float], Iterable[Expr]
]  # proposes conditions for samples, within a number of seconds


class Disagreement(GrundylabError):
    """An error: two procedures have contradictory results on one statement."""


@dataclass(frozen=True)
class Proof:
    """The outcome of an attempt to prove a statement, with its evidence.

    key: the claim's key, without the condition ``where`` of the question. theorem: the kernel's theorem of a proved
    statement. exact: the theorem with the parameters restricted to ``condition``; it may also say that the statement is
    false for all others. fixed: the parameters that ``where`` fixes, with their values. condition: the values of the
    other parameters for which the formula holds, exactly (TRUE: all in the domain); None if unknown, or if they are
    known only as the ``automaton`` that accepts them. script: the text of the MONA file. used: the other claims in the
    induction's hypothesis. playable: the parameters for which the rules make a game; None if all. second: the second
    opinion. looked: the gate's report. premises: the proofs of the premises of the theorem's rule. reading: if the
    formula contains an automaton, a formula without one that is proved equal. but: for a refuted statement, the proof
    for the parameters for which it is true. seconds: the total time.
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
        """The evidence of the theorem; None without a theorem."""
        return None if self.theorem is None else self.theorem.evidence

    @property
    def by(self) -> str:
        """The procedures that the theorem rests on, in words; empty without a theorem."""
        return procedures_of(self.theorem) if self.theorem else ""

    def holds_for(self, parameters: Mapping[str, int]) -> bool:
        """Tell whether the proof covers these parameter values, by ``fixed``, ``condition`` and ``automaton``."""
        if any(parameters[name] != value for name, value in self.fixed):
            return False
        if self.condition is not None:
            return bool(evaluate(self.condition, parameters))
        if self.automaton is not None:
            return self.automaton.contains(parameters)
        return True

    @property
    def fixed_where(self) -> Expr:
        """The condition that the fixed parameters have their values, such as ``k == 1 and m == 2``."""
        return equalities(self.fixed)


def procedures_of(theorem: Theorem) -> str:
    """Return the procedures that the theorem rests on, in words, joined by "and"."""
    kind, statement = theorem.evidence.kind, theorem.statement
    if kind == "induction" and not theorem.premises:
        system = numeration_system([statement.formula, statement.where])
        return AUTOMATA if system.binary else f"automata that read {system.words}"
    if not theorem.premises:
        return PROCEDURES.get(kind, DEFINITION)
    names = [name for premise in theorem.premises for name in procedures_of(premise).split(" and ")]
    names = [PROCEDURES[kind], *names] if kind in PROCEDURES else names
    special = dict.fromkeys(name for name in names if name not in NEUTRAL)
    return " and ".join(special or dict.fromkeys(names))


def rules_of(theorem: Theorem) -> tuple[str, ...]:
    """Return the names of the rules by which the theorem and all its premises are proved, each once, sorted."""
    return tuple(sorted({theorem.evidence.kind}.union(*map(rules_of, theorem.premises))))


@dataclass(frozen=True)
class Limits:
    """Limits of an attempt to prove one statement.

    timeout: seconds for MONA. It also sets the number of cells of automata, so that their answer is the same on every
    machine. memory: bytes for MONA; None for no limit. words: a function that proposes conditions equal to an
    automaton, such as ``discover.repairs.alternative_conditions``. Without it, parameter values get a condition only if
    there is one parameter and its values are periodic, or related to powers of two.
    """

    timeout: float = 60.0
    memory: int | None = 8 * 2**30
    words: Rewording | None = None

    @property
    def cells(self) -> int:
        """The number of cells that the transition tables for one question may have."""
        return round(self.timeout * _CELLS)
