"""The document results/papers.md: every statement of every paper, with the verdicts on the claims that it makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from grundylab.findings.answers import answer_order
from grundylab.findings.papers import Paper, PaperStatement, PaperStatementKind
from grundylab.findings.wording import Words, counterexample_words, is_partly_proved, proof_words, words_text
from grundylab.records.finding import Finding
from grundylab.report.markdown import formula, words_cell
from grundylab.report.templates import environment

GameSource = tuple[str, str | None, tuple[str, ...]]  # a ruleset, its paper, and the places in the paper
ByHand = Callable[[Finding], Words]  # explains why a refuted claim is false at its counterexample


@dataclass(frozen=True)
class _StatementClaims:
    """A statement of a paper, with the claims recorded from it and the rulesets that cite it."""

    paper: Paper
    statement: PaperStatement
    claims: list[Finding] = field(default_factory=list)
    games: list[str] = field(default_factory=list)

    @property
    def account(self) -> str:
        """The way in which the statement is accounted for: ``claims``, ``game``, ``same``, ``reason``, ``unaccounted``.

        Its claims come first; then a ruleset that cites it, the same statement in another version of the paper, and
        a reason why it is not checked.
        """
        if self.claims:
            return "claims"
        if self.games and not self.statement.is_fact:
            return "game"
        if self.statement.same_as:
            return "same"
        return "reason" if self.statement.reason else "unaccounted"

    def kind_of(self, claim: Finding) -> PaperStatementKind:
        """Return what kind of statement (theorem, conjecture and so on) the claim is in the paper."""
        return self.statement.kind_of(claim.source.at)


@dataclass(frozen=True)
class _Assignment:
    """All statements in order, and the claims and games (ruleset, paper, place) that belong to no statement."""

    statements: list[_StatementClaims]
    claims: list[Finding]
    games: list[tuple[str, str, str]]

    def of(self, claim: Finding) -> _StatementClaims | None:
        """Return the statement that the claim was recorded from, or None."""
        return next((one for one in self.statements if claim in one.claims), None)


def papers_text(
    papers: Sequence[Paper],
    claims: Sequence[Finding],
    rulesets: Sequence[GameSource],
    by_hand: ByHand = lambda _: (),
    made: str = "",
    edited: Sequence[str] = (),
) -> str:
    """Return the document, as Markdown, without the claims that are from no paper.

    by_hand: explains, of a refuted claim, why it is false at its counterexample. made: the provenance line. edited:
    rulesets that have changed since their claims were judged.
    """
    assignment = _assign(papers, claims, rulesets)
    by_paper = [(paper, [one for one in assignment.statements if one.paper is paper]) for paper in papers]
    ordered = [*(claim for one in assignment.statements for claim in one.claims), *assignment.claims]
    groups: dict[object, list[Finding]] = {}  # refuted claims of one statement about several rulesets
    for claim in ordered:
        if claim.status == "refuted":
            groups.setdefault((claim.source.paper, claim.source.at, formula(claim)), []).append(claim)
    refuted = []
    for alike in groups.values():
        words = by_hand(alike[0])
        repeated = words_text(words) in counterexample_words(alike[0])
        refuted.append((alike, assignment.of(alike[0]), () if repeated else words))
    templates = environment("md")
    templates.filters |= {"corrections": _corrections}
    return templates.get_template("papers.md.j2").render(
        counts=[(paper, _counts(statements)) for paper, statements in by_paper],
        refuted=refuted,
        sections=by_paper,
        others=assignment,
        made=made,
        edited=edited,
    )


def unaccounted(
    papers: Sequence[Paper], claims: Sequence[Finding], rulesets: Sequence[GameSource]
) -> list[tuple[str, str]]:
    """Return the statements, as (paper, place), that have no claim, no game, no other version and no reason."""
    statements = _assign(papers, claims, rulesets).statements
    return [(one.paper.name, one.statement.at) for one in statements if one.account == "unaccounted"]


def _assign(
    papers: Sequence[Paper], claims: Sequence[Finding], rulesets: Sequence[GameSource]
) -> _Assignment:
    statements = [_StatementClaims(paper, statement) for paper in papers for statement in paper.statements]
    by_place = {(one.paper.name, one.statement.at): one for one in statements}
    by_name = {paper.name: paper for paper in papers}
    assignment = _Assignment(statements, [], [])

    def statement_at(paper: str | None, at: str) -> _StatementClaims | None:
        known_paper = by_name.get(paper or "")
        statement = known_paper.statement_of(at) if known_paper else None
        return by_place[known_paper.name, statement.at] if known_paper and statement else None

    for claim in claims:
        if claim.source.unpublished:
            continue
        place = statement_at(claim.source.paper, claim.source.at)
        (place.claims if place else assignment.claims).append(claim)
    for ruleset, paper, places in rulesets:
        for at in places if paper else ():
            if (place := statement_at(paper, at)) is None:
                assignment.games.append((ruleset, str(paper), at))
            elif ruleset not in place.games:
                place.games.append(ruleset)
    return assignment


def _counts(statements: Sequence[_StatementClaims]) -> tuple[int, ...]:
    """Return a paper's numbers: of its claims by verdict, then of its other statements.

    Claims of the same place about several games count once, with the verdict that comes last in _LINE_VERDICTS: they
    are proved only if all of them are. Statements of uncertain text are only counted as such.
    """
    certain = [one for one in statements if one.statement.kind != "text uncertain"]
    lines: dict[str, list[str]] = {}
    for claim in (claim for one in certain for claim in one.claims):
        in_part = claim.status == "proved" and is_partly_proved(claim)
        lines.setdefault(claim.source.at, []).append("in part" if in_part else claim.status)
    verdicts = [max(alike, key=_LINE_VERDICTS.index) for alike in lines.values()]
    games = sum(one.account == "game" for one in certain)
    other = sum(one.account in ("same", "reason") for one in certain)
    missing = sum(one.account == "unaccounted" for one in certain)
    uncertain = len(statements) - len(certain)
    counts = (verdicts.count(verdict) for verdict in _LINE_VERDICTS)
    return (len(verdicts), *counts, games, other, missing, uncertain)


_LINE_VERDICTS = ("proved", "in part", "holds", "undecided", "refuted")


def _corrections(alike: Sequence[Finding]) -> tuple[Finding, dict[str, list[str]], bool] | None:
    """Return the best correction of a statement, and the rulesets by its status in each of them; None without one.

    The last part tells whether it has one status in all of them. alike: the claims of several rulesets that make this
    statement.
    """
    corrections = [(claim.ruleset, claim.correction) for claim in alike if claim.correction]
    if not corrections:
        return None
    best = min((correction for _, correction in corrections), key=answer_order)
    same = [
        (ruleset, correction) for ruleset, correction in corrections if formula(correction) == formula(best)
    ]
    statuses: dict[str, list[str]] = {}
    for ruleset, correction in same:
        status: str = correction.status
        if status == "proved":
            status = f"proved{':' if correction.complete else ''} {words_cell(proof_words(correction))}"
        statuses.setdefault(status, []).append(ruleset)
    return best, statuses, len(statuses) == 1 and len(same) == len(alike)
