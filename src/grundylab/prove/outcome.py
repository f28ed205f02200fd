"""How an attempt at a proof comes out, what the gate saw of the statement, and how much an attempt may use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from grundylab.automata.kernel import Dfa
from grundylab.check.samples import Samples
from grundylab.check.verification import Counterexample
from grundylab.errors import GrundylabError
from grundylab.games.model import Claim, Ruleset, Target
from grundylab.language import Expr
from grundylab.language.numeration import numeration
from grundylab.language.plain import evaluate
from grundylab.language.syntax import equalities
from grundylab.prove.hypothesis import Hypothesis


@dataclass(frozen=True)
class Look:
    """What the gate saw.

    positions: at how many the statement was evaluated. reach: the largest coordinate among them. beyond: whether that
    is more than the largest constant of statement and rules. missed: places where a condition in it turns
    (``places.py``) of which it could not be told whether it is right there. wrong: where the statement is wrong.
    contradiction: that it is wrong, in words. fault: that the game is none.
    """

    positions: int = 0
    reach: int = 0
    beyond: bool = False
    missed: int = 0
    wrong: Counterexample | None = None
    contradiction: str | None = None
    fault: str | None = None

    @property
    def far(self) -> bool:
        """Whether nothing that the statement mentions is further away than what was looked at."""
        return self.beyond and not self.missed

    @property
    def good(self) -> bool:
        """Whether something was looked at, and nothing was wrong."""
        return self.positions > 0 and not self.bad

    @property
    def bad(self) -> bool:
        """Whether something was wrong."""
        return any(each is not None for each in (self.wrong, self.contradiction, self.fault))


def together(one: Look, other: Look) -> Look:
    """What both saw."""
    return Look(
        one.positions + other.positions,
        max(one.reach, other.reach),
        one.beyond or other.beyond,
        one.missed + other.missed,
        min([each for each in (one.wrong, other.wrong) if each], key=lambda each: each.order, default=None),
        one.contradiction or other.contradiction,
        one.fault or other.fault,
    )


AUTOMATA, MONA = "automata in two's complement", "MONA"  # procedures that decide an induction
PERIOD = "certificate of a period"
COMPUTED = "every position computed"
DEFINITION = "true in every game, by definition"
IDENTITIES = (
    "equations of the same polynomials left out"  # a rule; where that is all, it is so for all numbers:
)
POLYNOMIALS = "both sides are the same polynomial"
_CELLS = 20_000_000  # of transition tables that are made in a second, at least
Status = Literal["proved", "refuted", "undecided"]
Words = Callable[[Samples, float], Iterable[Expr]]  # conditions proposed for samples, within so many seconds


class CertificateError(GrundylabError):
    """A certificate does not prove what it says."""


class Disagreement(GrundylabError):
    """Two procedures that do not say the same of one statement."""


@dataclass(frozen=True)
class Opinion:
    """What another procedure says of a proof: ``agrees``, or ``not checked`` and why. A disagreement is an error.

    file: what it went through, if that is kept.
    """

    by: str
    status: Literal["agrees", "not checked"]
    reason: str | None = None
    file: str | None = None


@dataclass(frozen=True)
class Proof:
    """How a statement came out, and the evidence.

    fixed: the parameters that ``where`` fixes, and that are not looked at otherwise. condition: the values of the
    other parameters for which the formula holds, exactly (TRUE: for all in the domain); None where it is not known
    or has no name, then ``automaton`` says it. script: the MONA file. certificate: that of a proof which is no single
    induction, as JSON. used: the claims that went into the induction beside the statement itself. hypothesis: what the
    induction assumed. playable: the parameters for which the rules make a game, if not all. second: what another
    procedure says of it, and ``stated`` what that went through, as JSON. looked: what the gate saw. evaluated: whether
    its checker evaluated the formula at every size up to where a period has begun. finite: the statement is about
    finitely many positions, all of them computed.
    cases: the proofs of which this one is put together: for each of finitely many parameter values, or of the premises
    of a rule. rule: that rule. reading: what says the same as a formula with an automaton in it, where it is proved.
    but: of what is refuted, the proof for those parameters for which it is true all the same.
    seconds: all in all.
    """

    status: Status
    formula: Expr
    target: Target
    where: Expr
    reason: str | None = None
    fixed: tuple[tuple[str, int], ...] = ()
    condition: Expr | None = None
    automaton: Dfa | None = None
    script: str | None = None
    certificate: str | None = None
    counterexample: Counterexample | None = None
    used: tuple[str, ...] = ()
    hypothesis: Hypothesis | None = None
    playable: Expr | None = None
    second: Opinion | None = None
    stated: Mapping[str, Any] | None = None
    looked: Look | None = None
    evaluated: bool = False
    finite: bool = False
    cases: tuple[Proof, ...] = ()
    rule: str | None = None
    reading: Expr | None = None
    but: Proof | None = None
    seconds: float = 0.0

    @property
    def by(self) -> str:
        """The procedure that has proved it. A certificate is one: its finder and its checker share the reader."""
        if self.finite:
            return COMPUTED
        if self.rule and not self.cases:
            return POLYNOMIALS if self.rule == IDENTITIES else DEFINITION
        if self.cases:
            return " and ".join(dict.fromkeys(case.by for case in self.cases))
        if self.certificate is None:
            system = numeration([self.formula, self.where])
            return AUTOMATA if system.binary else f"automata that read {system.words}"
        return PERIOD if self.evaluated else "certificate of runs"

    def holds_for(self, parameters: Mapping[str, int]) -> bool:
        """Whether it is proved for these parameter values, as far as ``condition`` or ``automaton`` says."""
        if any(parameters[name] != value for name, value in self.fixed):
            return False
        if self.condition is not None:
            return bool(evaluate(self.condition, parameters))
        if self.automaton is not None:
            return self.automaton.contains(parameters)
        return True

    @property
    def fixed_where(self) -> Expr:
        """``k == 1 and …`` for the parameters that were fixed."""
        return equalities(self.fixed)

    @property
    def file(self) -> str | None:
        """What is kept beside the statement: the certificate, else the MONA file, else the induction."""
        kept = self.script if self.certificate is None else self.certificate
        return json.dumps(self.stated, indent=1) + "\n" if kept is None and self.stated else kept


@dataclass(frozen=True)
class Premise:
    """A statement about a game, of which another one is proved if it is."""

    ruleset: Ruleset
    claim: Claim


@dataclass(frozen=True)
class Limits:
    """What one question may take.

    timeout: seconds for MONA; automata may be of as many cells as are made in that time even on a slow machine, so
    that their answer is the same everywhere. memory: bytes for MONA, or None.
    words: who is asked for a condition that says what an automaton does, ``discover.conditions.reworded`` say. Without
    it a set of values of one parameter gets a name if it is periodic or one of powers of two, and others get none.
    """

    timeout: float = 60.0
    memory: int | None = 8 * 2**30
    words: Words | None = None

    @property
    def cells(self) -> int:
        """Of the transition tables that are made for one question."""
        return round(self.timeout * _CELLS)


def beside(script: Path) -> Path:
    """Where the statement of a script for MONA is."""
    return script.with_suffix(".json" if script.suffix != ".json" else ".induction.json")
