"""Formulas, conditions and statements about one ruleset as MathML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from markupsafe import Markup, escape

from grundylab.errors import FormulaError
from grundylab.findings.claim_layout import claim_boxes, claim_text
from grundylab.findings.wording import Words
from grundylab.games.model import Claim, PrintedTable, Ruleset
from grundylab.language.boxes import elements
from grundylab.language.layout import to_mathml
from grundylab.records.finding import Finding

LONGEST = 2_000  # the most characters of a formula that is typeset; a longer one stays text


@dataclass(frozen=True)
class Typesetter:
    """A typesetter of formulas and claims about one ruleset: as MathML, or as code if they are too long for it."""

    ruleset: Ruleset

    def statement(self, record: Finding) -> Markup:
        """Return a statement as MathML.

        A claim has its ruleset's form; it is code if the ruleset's claim has changed since.
        """
        claim = self._claim(record) if record.claimed else replace(record.claim, id="", values=())
        if claim is None or (record.claimed and claim_text(claim) != record.source.text):
            return _code(record.source.text)
        text = record.source.text if record.claimed else record.text
        return self._boxes(text, claim)

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
        return self._boxes(correction.source.text, new)

    def _claim(self, record: Finding) -> Claim | None:
        return next((claim for claim in self.ruleset.claims if claim.id == record.source.claim), None)

    def _boxes(self, text: str, claim: Claim) -> Markup:
        return _typeset(text, lambda: elements(claim_boxes(claim, self.ruleset), text))


def sentence_html(sentence: Words) -> Markup:
    """Return a sentence as HTML: its text escaped, its expressions as MathML."""
    return Markup("").join(
        escape(part) if isinstance(part, str) else _typeset(str(part), partial(to_mathml, part, str(part)))
        for part in sentence
    )


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
