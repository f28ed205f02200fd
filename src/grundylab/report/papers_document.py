"""The document results/papers.md: every statement of every paper, with the verdicts on the claims that it makes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from grundylab.findings.answers import answer_order
from grundylab.findings.finding import Finding
from grundylab.findings.papers import Paper, PaperStatement, PaperStatementKind
from grundylab.findings.wording import Words, counterexample_words, is_partly_proved, proof_words, words_text
from grundylab.report.markdown import code, formula, text, verdict, words_cell
from grundylab.report.templates import environment

GameSource = tuple[str, str | None, tuple[str, ...]]  # a ruleset, its paper, and the places in the paper
ByHand = Callable[[Finding], Words]  # explains why a refuted claim is false at its counterexample
_Cells = tuple[str, ...]  # the cells of a row of a table, as Markdown

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


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
    return (
        environment("md")
        .get_template("papers.md.j2")
        .render(
            counts=[_counts(text(paper.title), statements) for paper, statements in by_paper],
            refuted=[_refuted_row(assignment, alike, by_hand) for alike in _refuted_groups(assignment)],
            sections=[_section(paper, statements) for paper, statements in by_paper],
            others=_other_rows(assignment),
            made=made,
            edited=", ".join(map(code, edited)),
        )
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


def _group(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, list[_Value]]:
    found: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def _counts(title: str, statements: Sequence[_StatementClaims]) -> _Cells:
    """Return a paper's row of the table of numbers: its claims by verdict, then its other statements.

    Claims of the same place about several games count once, with the verdict that comes last in _LINE_VERDICTS (so as
    a theorem only if all are theorems). Statements of uncertain text are only counted as such.
    """
    certain = [one for one in statements if one.statement.kind != "text uncertain"]
    lines = _group((claim.source.at, claim) for one in certain for claim in one.claims)
    verdicts = [_line_verdict(claims) for claims in lines.values()]
    games = sum(one.account == "game" for one in certain)
    other = sum(one.account in ("same", "reason") for one in certain)
    missing = sum(one.account == "unaccounted" for one in certain)
    uncertain = len(statements) - len(certain)
    numbers = (
        len(verdicts),
        *(verdicts.count(each) for each in _LINE_VERDICTS),
        games,
        other,
        missing,
        uncertain,
    )
    return (title, *(f"{number:,}" for number in numbers))


_LINE_VERDICTS = ("theorem", "in part", "holds", "undecided", "refuted")


def _line_verdict(claims: Sequence[Finding]) -> str:
    verdicts = [
        "in part" if claim.status == "proved" and is_partly_proved(claim)
        else "theorem" if claim.status == "proved"
        else claim.status
        for claim in claims
    ]  # fmt: skip
    return max(verdicts, key=_LINE_VERDICTS.index)


def _section(paper: Paper, statements: Sequence[_StatementClaims]) -> dict[str, Any]:
    return {
        "title": text(paper.title),
        "source": _source(paper),
        "rows": [row for one in statements for row in _rows(one)],
    }


def _source(paper: Paper) -> str:
    parts = [", ".join(map(text, paper.authors))]
    parts += [text(str(paper.published))] if paper.published else []
    parts += [f"a version of {code(paper.version_of)}"] if paper.version_of else []
    return f"{'; '.join(parts)}. Cited as {code(paper.name)}."


def _rows(entry: _StatementClaims) -> list[_Cells]:
    """Return the statement's row, with its games or the reason why it is not checked, and a row for each claim.

    A statement with one claim, of the same place, has one row in all.
    """
    statement = entry.statement
    own = [f"game: {', '.join(map(code, entry.games))}"] if entry.games else []
    match entry.account:
        case "same":
            own.append(f"the same as {text(str(statement.same_as))} of {code(str(entry.paper.version_of))}")
        case "unaccounted":
            own.append("not checked: no claim is recorded")
    if statement.reason and not entry.claims:
        own.append(f"not checked: {text(statement.reason)}")
    arxiv = f" (arXiv: {text(statement.arxiv)})" if statement.arxiv else ""
    place, content = text(statement.at) + arxiv, text(statement.about)
    if not own and len(entry.claims) == 1 and entry.claims[0].source.at == statement.at:
        (claim,) = entry.claims
        return [(place, f"{content}: {_claim_cell(claim)}", entry.kind_of(claim), _verdict(claim))]
    head = (place, content, statement.kind_of(statement.at), "; ".join(own))
    return [head, *((text(c.source.at), _claim_cell(c), entry.kind_of(c), _verdict(c)) for c in entry.claims)]


def _other_rows(assignment: _Assignment) -> list[_Cells]:
    games = [(_citation(paper, at), "", "", f"game: {code(name)}") for name, paper, at in assignment.games]
    claims = [
        (_citation(c.source.paper, c.source.at), _claim_cell(c), "", _verdict(c)) for c in assignment.claims
    ]
    return [*games, *claims]


def _citation(paper: str | None, at: str) -> str:
    return f"{code(paper)}, {text(at)}" if paper else text(at)


def _claim_cell(claim: Finding) -> str:
    """Return a cell with the typeset claim, its ruleset and its note."""
    return f"{formula(claim)}, in {code(claim.ruleset)}" + (
        f" ({text(claim.source.note)})" if claim.source.note else ""
    )


def _verdict(claim: Finding) -> str:
    corrected = f"; {_correction_cell([claim], 'instead: ')}" if claim.status == "refuted" else ""
    return verdict(claim) + corrected


def _correction_cell(alike: Sequence[Finding], introduced: str = "") -> str:
    """Return a cell with the best correction of a statement, and its status in each ruleset.

    alike: the claims of several rulesets that make this statement. introduced: the words before the correction.
    """
    found = [(claim.ruleset, claim.correction) for claim in alike if claim.correction]
    if not found:
        return "what is true instead was not found"
    best = formula(min((correction for _, correction in found), key=answer_order))
    statuses = _group((_correction_status(c), code(ruleset)) for ruleset, c in found if formula(c) == best)
    if len(statuses) == 1 and sum(map(len, statuses.values())) == len(alike):
        return f"{introduced}{best} — {next(iter(statuses))}"
    each = (f"{words} ({', '.join(rulesets)})" for words, rulesets in statuses.items())
    return f"{introduced}{best} — {'; '.join(each)}"


def _correction_status(correction: Finding) -> str:
    """Return the status of a correction; if it is proved, also for which parameters."""
    if correction.status != "proved":
        return correction.status
    return f"proved{':' if correction.complete else ''} {words_cell(proof_words(correction))}"


def _refuted_groups(assignment: _Assignment) -> list[list[Finding]]:
    """Return the refuted claims in the papers' order; claims of one statement about several rulesets are a group."""
    ordered = [*(claim for one in assignment.statements for claim in one.claims), *assignment.claims]
    refuted = [claim for claim in ordered if claim.status == "refuted"]
    return list(
        _group(((claim.source.paper, claim.source.at, formula(claim)), claim) for claim in refuted).values()
    )


def _refuted_row(assignment: _Assignment, alike: Sequence[Finding], by_hand: ByHand) -> _Cells:
    """Return the row of a refuted statement, with the best of its corrections.

    alike: the claims, of one or more rulesets, that make this statement. by_hand: explains the counterexample.
    """
    first = alike[0]
    entry = assignment.of(first)
    found = [claim.correction for claim in alike if claim.correction]
    example, by_numbers = counterexample_words(first), by_hand(first)
    explanation = "" if words_text(by_numbers) in example else words_cell(by_numbers)
    changes = "; ".join(map(text, min(found, key=answer_order).source.changes)) if found else ""
    return (
        f"{_citation(first.source.paper, first.source.at)}, in {', '.join(code(claim.ruleset) for claim in alike)}",
        entry.kind_of(first) if entry else "",
        formula(first) + (f" ({text(first.source.note)})" if first.source.note else ""),
        text(example) + (f"; {explanation}" if explanation else ""),
        _correction_cell(alike) + (f" ({changes})" if changes else ""),
        text(entry.statement.stands or "") if entry else "",
    )
