"""results/papers.md: every statement of every paper, with the verdict on each claim that was recorded from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from grundylab.catalogue.papers import Paper, PaperStatement
from grundylab.catalogue.records import ClaimRecord, Correction
from grundylab.catalogue.words import counted, counterexample_words, in_part, many, proved, tally
from grundylab.report.cells import code, formula, said, text
from grundylab.report.results import verdict
from grundylab.report.templates import environment

Game = tuple[str, str | None, tuple[str, ...]]  # a ruleset, the paper it is from, and the places there
_Cells = tuple[str, ...]  # of a line of a table, each Markdown
_Seconds = Mapping[tuple[str, str], float]  # how long the verdict on (ruleset, claim) took

# Seconds, so coarse that the document is the same every time; past the last: more than that.
_TIMES = ((1, "< 1 s"), (10, "< 10 s"), (60, "< 1 min"), (600, "< 10 min"))
_COUNTED = {
    "proved": "{} proved",
    "holds": "{} holding as far as checked",
    "refuted": "{} refuted",
    "undecided": "{} undecided",
}


_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class _Stated:
    """A statement of a paper, with the claims and games that stand there."""

    paper: Paper
    statement: PaperStatement
    claims: list[ClaimRecord] = field(default_factory=list)
    games: list[str] = field(default_factory=list)

    @property
    def account(self) -> str:
        """How it is accounted for: by the first of these that it has."""
        if self.claims:
            return "claims"
        if self.games and not self.statement.is_fact:
            return "game"
        if self.statement.same_as:
            return "same"
        return "reason" if self.statement.reason else "unaccounted"


@dataclass(frozen=True)
class _Filed:
    """Every statement in order, and the claims and games (ruleset, paper, place) that stand at none."""

    statements: list[_Stated]
    claims: list[ClaimRecord]
    games: list[tuple[str, str, str]]


def papers_text(
    papers: Sequence[Paper],
    claims: Sequence[ClaimRecord],
    rulesets: Sequence[Game],
    seconds: _Seconds,
    made: str = "",
) -> str:
    """The document; ``made``: by what."""
    filed = _filed(papers, claims, rulesets)
    by_paper = [(paper, [one for one in filed.statements if one.paper is paper]) for paper in papers]
    return (
        environment(html=False)
        .get_template("papers.md.j2")
        .render(
            refuted=[_refuted_row(alike) for alike in _refuted_alike(filed)],
            sections=[_section(paper, stated, seconds) for paper, stated in by_paper],
            others=_other_rows(filed, seconds),
            made=made,
        )
    )


def unaccounted(
    papers: Sequence[Paper], claims: Sequence[ClaimRecord], rulesets: Sequence[Game]
) -> list[tuple[str, str]]:
    """The statements (paper, place) that neither a claim, a game, the other version nor a reason accounts for."""
    stated = _filed(papers, claims, rulesets).statements
    return [(one.paper.name, one.statement.at) for one in stated if one.account == "unaccounted"]


def _filed(papers: Sequence[Paper], claims: Sequence[ClaimRecord], rulesets: Sequence[Game]) -> _Filed:
    statements = [_Stated(paper, statement) for paper in papers for statement in paper.statements]
    by_place = {(one.paper.name, one.statement.at): one for one in statements}
    by_name = {paper.name: paper for paper in papers}
    filed = _Filed(statements, [], [])

    def stated(paper: str | None, at: str) -> _Stated | None:
        known = by_name.get(paper or "")
        statement = known.statement_of(at) if known else None
        return by_place[known.name, statement.at] if known and statement else None

    for claim in claims:
        place = stated(claim.paper, claim.at)
        (place.claims if place else filed.claims).append(claim)
    for ruleset, paper, places in rulesets:
        for at in places if paper else ():
            if (place := stated(paper, at)) is None:
                filed.games.append((ruleset, str(paper), at))
            elif ruleset not in place.games:
                place.games.append(ruleset)
    return filed


def _grouped(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, list[_Value]]:
    found: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def _section(paper: Paper, stated: Sequence[_Stated], seconds: _Seconds) -> dict[str, Any]:
    return {
        "title": text(paper.title),
        "source": _source(paper),
        "summary": _summary(stated),
        "rows": [row for one in stated for row in _rows(one, seconds)],
    }


def _source(paper: Paper) -> str:
    parts = [", ".join(map(text, paper.authors))]
    parts += [text(str(paper.published))] if paper.published else []
    parts += [f"a version of {code(paper.version_of)}"] if paper.version_of else []
    return f"{'; '.join(parts)}. Cited as {code(paper.name)}."


def _summary(stated: Sequence[_Stated]) -> str:
    """``26 statements: 15 with 23 claims (20 proved (18 by two procedures), 3 refuted), 11 setting a game``."""
    accounts = Counter(one.account for one in stated)
    claims = [claim for one in stated for claim in one.claims]
    verdicts = tally(claim.status for claim in claims)
    known = counted(claim for claim in claims if claim.status == "proved")
    by_verdict = ", ".join(
        words.format(verdicts[status]) + (f" ({known})" if status == "proved" else "")
        for status, words in _COUNTED.items()
        if status in verdicts
    )
    worded = {
        "claims": f"{{}} with {many(len(claims), 'claim')} ({by_verdict})",
        "game": "{} setting a game",
        "same": "{} as in the other version",
        "reason": "{} not checked (the reason is given)",
        "unaccounted": "{} **without a claim**",
    }
    parts = [words.format(accounts[account]) for account, words in worded.items() if accounts[account]]
    return f"{many(len(stated), 'statement')}: {', '.join(parts)}"


def _rows(stated: _Stated, seconds: _Seconds) -> list[_Cells]:
    """The statement's game, or why there is nothing to check, then a row for each claim; only the first says where."""
    statement = stated.statement
    own = [f"game: {', '.join(map(code, stated.games))}"] if stated.games else []
    match stated.account:
        case "same":
            own.append(f"the same as {text(str(statement.same_as))} of {code(str(stated.paper.version_of))}")
        case "unaccounted":
            own.append("not checked: no claim is recorded")
    if statement.reason and not stated.claims:
        own.append(f"not checked: {text(statement.reason)}")
    arxiv = f" (arXiv: {text(statement.arxiv)})" if statement.arxiv else ""
    rows = [("", "; ".join(own), "")] if own else []
    rows += [_claim_cells(claim, claim.at[len(statement.at) :], seconds) for claim in stated.claims]
    places = [(text(statement.at) + arxiv, text(statement.about)), *[("", "")] * len(rows)]
    return [(*place, *row) for place, row in zip(places, rows, strict=False)]


def _other_rows(filed: _Filed, seconds: _Seconds) -> list[_Cells]:
    games = [(_cited(paper, at), "", "", f"game: {code(name)}", "") for name, paper, at in filed.games]
    claims = [
        (_cited(claim.paper, claim.at), "", *_claim_cells(claim, "", seconds)) for claim in filed.claims
    ]
    return [*games, *claims]


def _cited(paper: str | None, at: str) -> str:
    return f"{code(paper)}, {text(at)}" if paper else text(at)


def _claim_cells(claim: ClaimRecord, part: str, seconds: _Seconds) -> tuple[str, str, str]:
    """The claim as recorded, its verdict and the time; part: which of the statement it is, if not all of it."""
    part = part.strip(" ,;:")
    recorded = f"{text(part)}: " if part else ""
    recorded += f"{formula(claim)} {code(claim.ruleset)}"
    recorded += f" ({text(claim.note)})" if claim.note else ""
    corrected = f"; {_corrected([claim], 'corrected: ')}" if claim.status == "refuted" else ""
    return recorded, verdict(claim) + corrected, _time(seconds.get((claim.ruleset, claim.claim)))


def _corrected(alike: Sequence[ClaimRecord], introduced: str = "") -> str:
    """The best correction of the same statement in any of several rulesets, and what is known of it in which."""
    found = [(claim.ruleset, claim.correction) for claim in alike if claim.correction]
    if not found:
        return "no correction was found"
    best = formula(_best(correction for _, correction in found))
    known = _grouped((_known(c), code(ruleset)) for ruleset, c in found if formula(c) == best)
    if len(known) == 1 and sum(map(len, known.values())) == len(alike):
        return f"{introduced}{best} — {next(iter(known))}"
    each = (f"{words} ({', '.join(rulesets)})" for words, rulesets in known.items())
    return f"{introduced}{best} — {'; '.join(each)}"


def _best(corrections: Iterable[Correction]) -> Correction:
    return min(corrections, key=lambda correction: (correction.status != "proved", in_part(correction)))


def _known(correction: Correction) -> str:
    """The status of a correction, and of which parameters it is one."""
    if correction.status != "proved":
        return correction.status
    return f"proved{':' if correction.complete else ''} {said(proved(correction))}"


def _refuted_alike(filed: _Filed) -> list[list[ClaimRecord]]:
    """The refuted claims in the papers' order; those that are the same in several rulesets together."""
    ordered = [*(claim for one in filed.statements for claim in one.claims), *filed.claims]
    refuted = [claim for claim in ordered if claim.status == "refuted"]
    return list(_grouped(((claim.paper, claim.at, formula(claim)), claim) for claim in refuted).values())


def _refuted_row(alike: Sequence[ClaimRecord]) -> _Cells:
    """One row for the same statement in several rulesets: the best correction that was found in any."""
    first = alike[0]
    found = [claim.correction for claim in alike if claim.correction]
    return (
        f"{_cited(first.paper, first.at)}; {', '.join(code(claim.ruleset) for claim in alike)}",
        formula(first),
        text(counterexample_words(first)),
        _corrected(alike),
        "; ".join(map(text, _best(found).changes)) if found else "",
    )


def _time(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return next((words for limit, words in _TIMES if seconds < limit), "> 10 min")
