"""Formulas, conditions and statements about one ruleset as MathML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from grundylab.errors import FormulaError
from grundylab.findings.claim_layout import claim_boxes, claim_text
from grundylab.findings.wording import Words
from grundylab.games.model import Claim, PrintedTable, Ruleset, Target
from grundylab.language import Expr
from grundylab.language.boxes import Box, elements
from grundylab.language.layout import to_mathml
from grundylab.language.syntax import TRUE
from grundylab.records.finding import Finding

LONGEST = 2_000  # the most characters of a formula that is typeset; a longer one stays text


@dataclass(frozen=True)
class Typesetter:
    """A typesetter of formulas and claims about one ruleset: as MathML, or as code if they are too long for it."""

    ruleset: Ruleset

    def statement(self, target: Target, formula: Expr, where: Expr) -> Markup:
        """Return, as MathML, the statement that the formula describes the target where the condition is true."""

        def boxes() -> Box:
            return claim_boxes(Claim("", target, formula, where), self.ruleset)

        text = f"{target}: {formula}" + (f" where {where}" if where != TRUE else "")
        return self._boxes(text, boxes)

    def claim(self, record: Finding) -> Markup:
        """Return a claim as MathML, in its ruleset's form; as code if the ruleset's claim has changed since."""
        text = record.source.text
        claim = self._claim(record)
        if claim is None or claim_text(claim) != text:
            return _code(text)
        return self._boxes(text, lambda: claim_boxes(claim, self.ruleset))

    def correction(self, record: Finding) -> Markup | None:
        """Return the correction of a refuted claim as MathML.

        None if there is no correction, or if the claim is a printed table, whose list of changes is clearer.
        """
        correction, claim = record.correction, self._claim(record)
        if claim is None or correction is None or isinstance(claim.printed, PrintedTable):
            return None
        new = claim.instead or replace(
            claim,
            formula=correction.formula,
            where=correction.where,
            target=correction.target,
            printed=None,
        )
        return self._boxes(correction.source.text, lambda: claim_boxes(new, self.ruleset))

    def _claim(self, record: Finding) -> Claim | None:
        return next((claim for claim in self.ruleset.claims if claim.id == record.source.claim), None)

    def _boxes(self, text: str, boxes: Callable[[], Box]) -> Markup:
        return _typeset(text, lambda: elements(boxes(), text))


def sentence_html(sentence: Words) -> Markup:
    """Return a sentence as HTML: its text escaped, its expressions as MathML."""
    return Markup("").join(escape(part) if isinstance(part, str) else _mathml(part) for part in sentence)


def _mathml(expr: Expr) -> Markup:
    return _typeset(str(expr), lambda: to_mathml(expr, str(expr)))


def _typeset(text: str, mathml: Callable[[], str]) -> Markup:
    """Return the MathML or, if the text is too long for it or cannot be typeset, the text as code."""
    if len(text) <= LONGEST:
        try:
            return Markup(mathml())
        except FormulaError:
            pass
    return _code(text)


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)
