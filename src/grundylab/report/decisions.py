"""Verdicts, attempts at proofs and strategies in lines of text, as commands print them and notebooks show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from grundylab.language import Expr
from grundylab.records.finding import Finding

if TYPE_CHECKING:
    from grundylab.check.verification import Verdict
    from grundylab.findings.winning import Winning


def verdict_text(verdict: Verdict, condition: Expr | None = None, text: str | None = None) -> str:
    """Return the verdict in lines: the status, the positions checked, the counterexample.

    condition: the parameter values for which the statement seems to hold. text: the statement's wording; by default the
    target and the formula.
    """
    return _text("verdict.txt.j2", verdict=verdict, condition=condition, text=text)


def decision_text(attempts: Sequence[Finding], seconds: float, text: str | None = None) -> str:
    """Return the outcome of the attempts to prove one statement, in lines.

    seconds: the time that all attempts took. text: the statement's wording; by default the target and the formula.
    """
    record = replace(attempts[0], proofs=tuple(proof for attempt in attempts for proof in attempt.proofs))
    return _text("proof.txt.j2", record=record, seconds=seconds, text=text)


def strategy_text(winning: Winning) -> str:
    """Return the strategy in lines, each with the condition under which it applies."""
    return _text("how-to-win.txt.j2", winning=winning)


def _text(template: str, **values: object) -> str:
    from grundylab.report.templates import environment  # Jinja takes long to import

    return environment("txt").get_template(template).render(values).rstrip("\n")
