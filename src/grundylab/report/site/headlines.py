"""The headlines of the first page: new results, conjectures, refuted claims.

A headline is a list of findings: the first one stands for the others, which make the same statement, mostly about other
games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from grundylab.findings.wording import is_new, proof_words, relation_word
from grundylab.records.finding import Finding
from grundylab.records.relation import VERBS

Headline = Sequence[Finding]
_CONJECTURE = re.compile(r"Conjecture\b")


def headlines(news: Iterable[Finding], claims: Sequence[Finding]) -> dict[str, Sequence[Headline]]:
    """Return the headlines by kind. news: the answers that are not known (``findings.answers.news``).

    The kinds are: ``proved`` and ``holds``, what is not among the statements on record; ``beyond``, formulas that
    extend such a statement, correct it, or differ from it; ``conjectures``, of papers; ``refuted``, false claims of
    papers; ``own``, claims that rulesets take from elsewhere. Answers to open questions come first, then small
    formulas.
    """
    ordered = sorted(news, key=_news_order)
    new, beyond = [f for f in ordered if is_new(f)], [f for f in ordered if not is_new(f)]
    published = [claim for claim in claims if not claim.source.unpublished]
    paper_claims = [claim for claim in published if claim.source.published]
    refuted = [claim for claim in paper_claims if claim.status == "refuted"]
    printed = _grouped(refuted, lambda claim: (claim.source.published, claim.source.at, claim.text))
    return {
        "proved": group_equal(f for f in new if f.status == "proved"),
        "holds": group_equal(f for f in new if f.status == "holds"),
        "beyond": group_equal(beyond),
        "conjectures": [[claim] for claim in paper_claims if _CONJECTURE.match(claim.source.at)],
        "refuted": [sorted(head, key=lambda claim: claim.correction is None) for head in printed],
        "own": [[claim] for claim in published if not claim.source.published],
    }


def _news_order(finding: Finding) -> tuple[bool, int, int]:
    order = ("new", *VERBS)
    size = finding.size if finding.found else 0
    return finding.open is None, order.index(relation_word(finding) or "new"), size


def group_equal(findings: Iterable[Finding]) -> list[Headline]:
    """Return a headline for each group of findings with the same target, formula, condition and extent of the proof."""
    return _grouped(findings, lambda f: (f.target, f.formula, f.where, proof_words(f)))


def _grouped(findings: Iterable[Finding], key: Callable[[Finding], object]) -> list[Headline]:
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(key(finding), []).append(finding)
    return [*groups.values()]


def corrections(head: Headline) -> Iterable[tuple[Finding, Headline]]:
    """Return the corrections of the statement, each once, with the claims that it corrects."""
    by_statement: dict[object, tuple[Finding, list[Finding]]] = {}
    for claim in head:
        if better := claim.correction:
            key = (better.source.text, better.status, proof_words(better))
            by_statement.setdefault(key, (better, []))[1].append(claim)
    return by_statement.values()


def one_for_each_game(head: Headline) -> Iterable[Finding]:
    """Return one finding for each game that the statement is about, the headline's own first."""
    by_game: dict[str, Finding] = {}
    for finding in head:
        by_game.setdefault(finding.ruleset, finding)
    return by_game.values()
