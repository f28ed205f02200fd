"""How an attempt at a proof comes out, and how much it may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from grundylab.formula import Expr
from grundylab.proving.automaton import Automaton
from grundylab.proving.hypothesis import Hypothesis
from grundylab.rulesets.model import Target
from grundylab.shown import Shown
from grundylab.verification import Counterexample

Status = Literal["proved", "refuted", "undecided"]


@dataclass(frozen=True)
class Proof(Shown):
    """How a statement came out, and the evidence.

    fixed: the parameters that ``where`` fixes, and that are not looked at otherwise. condition: the values of the
    other parameters for which the formula holds, exactly (TRUE: for all in the domain); None where it is not known
    or has no name, then ``automaton`` says it. script: the MONA file. certificate: that of a
    proof which is not MONA's, as JSON. used: the claims that went into the induction beside the statement itself.
    hypothesis: what MONA's induction assumed. seconds: all in all.
    """

    status: Status
    formula: Expr
    target: Target
    where: Expr
    reason: str | None = None
    fixed: tuple[tuple[str, int], ...] = ()
    condition: Expr | None = None
    automaton: Automaton | None = None
    script: str | None = None
    certificate: str | None = None
    counterexample: Counterexample | None = None
    used: tuple[str, ...] = ()
    hypothesis: Hypothesis | None = None
    seconds: float = 0.0

    @property
    def file(self) -> str | None:
        """What is kept beside the statement: the certificate, else the MONA file."""
        return self.script if self.certificate is None else self.certificate


@dataclass(frozen=True)
class Limits:
    """timeout: seconds for one run of MONA; memory: bytes for it, or None. periods: whether they may prove, too."""

    timeout: float = 60.0
    memory: int | None = 8 * 2**30
    periods: bool = True
