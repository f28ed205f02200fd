"""results/papers.md: every statement of every paper, with the verdict on each claim that was recorded from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, TypeVar

from grundylab.catalogue.papers import Paper, PaperStatement
from grundylab.catalogue.records import ClaimRecord, Correction
from grundylab.catalogue.words import counted, counterexample_words, in_part, many, proved, tally
from grundylab.report.cells import code, formula, said, text
from grundylab.report.results import verdict
from grundylab.report.templates import environment

Game = tuple[str, str | None, tuple[str, ...]]  # a ruleset, the paper it is from, and the places there
_Spot = tuple[str, str]  # a paper and a statement's place in it
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


@dataclass(frozen=True)
class _Filed:
    """Which claims and games stand at which statement, and those that stand at none."""

    claims: Mapping[_Spot, tuple[ClaimRecord, ...]]
    games: Mapping[_Spot, tuple[str, ...]]
    other_claims: tuple[ClaimRecord, ...]
    other_games: tuple[tuple[str, str, str], ...]  # ruleset, paper, place


def papers_text(
    papers: Sequence[Paper],
    claims: Sequence[ClaimRecord],
    rulesets: Sequence[Game],
    seconds: _Seconds,
    made: str = "",
) -> str:
    """The document; ``made``: by what."""
    filed = _filed(papers, claims, rulesets)
    return (
        environment(html=False)
        .get_template("papers.md.j2")
        .render(
            refuted=[_refuted_row(alike) for alike in _refuted_alike(papers, filed)],
            sections=[_section(paper, filed, seconds) for paper in papers],
            others=_other_rows(filed, seconds),
            made=made,
        )
    )


def unaccounted(
    papers: Sequence[Paper], claims: Sequence[ClaimRecord], rulesets: Sequence[Game]
) -> list[tuple[str, str]]:
    """The statements (paper, place) that neither a claim, a game, the other version nor a reason accounts for."""
    filed = _filed(papers, claims, rulesets)
    return [
        (paper.name, statement.at)
        for paper in papers
        for statement in paper.statements
        if _account(paper, statement, filed) == "unaccounted"
    ]


def _filed(papers: Sequence[Paper], claims: Sequence[ClaimRecord], rulesets: Sequence[Game]) -> _Filed:
    by_name = {paper.name: paper for paper in papers}

    def spot(paper: str | None, at: str) -> _Spot | None:
        known = by_name.get(paper) if paper is not None else None
        statement = known.statement_of(at) if known else None
        return (known.name, statement.at) if known and statement else None

    placed = [(spot(claim.paper, claim.at), claim) for claim in claims]
    games = [
        (spot(paper, at), (ruleset, paper, at))
        for ruleset, paper, places in rulesets
        if paper is not None
        for at in places
    ]
    return _Filed(
        claims=_grouped((where, claim) for where, claim in placed if where),
        games=_grouped(dict.fromkeys((where, name) for where, (name, _, _) in games if where)),
        other_claims=tuple(claim for where, claim in placed if where is None),
        other_games=tuple(game for where, game in games if where is None),
    )


_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


def _grouped(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, tuple[_Value, ...]]:
    found: dict[_Key, tuple[_Value, ...]] = {}
    for key, value in pairs:
        found[key] = (*found.get(key, ()), value)
    return found


def _account(paper: Paper, statement: PaperStatement, filed: _Filed) -> str:
    """How a statement is accounted for: by the first of these that it has."""
    spot = (paper.name, statement.at)
    if spot in filed.claims:
        return "claims"
    if spot in filed.games and not statement.is_fact:
        return "game"
    if statement.same_as:
        return "same"
    return "reason" if statement.reason else "unaccounted"


def _section(paper: Paper, filed: _Filed, seconds: _Seconds) -> dict[str, Any]:
    return {
        "title": text(paper.title),
        "source": _source(paper),
        "summary": _summary(paper, filed),
        "rows": [row for statement in paper.statements for row in _rows(paper, statement, filed, seconds)],
    }


def _source(paper: Paper) -> str:
    parts = [", ".join(map(text, paper.authors))]
    parts += [text(str(paper.published))] if paper.published else []
    parts += [f"a version of {code(paper.version_of)}"] if paper.version_of else []
    return f"{'; '.join(parts)}. Cited as {code(paper.name)}."


def _summary(paper: Paper, filed: _Filed) -> str:
    """``26 statements: 15 with 23 claims (20 proved (18 by two procedures), 3 refuted), 11 setting a game``."""
    accounts = Counter(_account(paper, statement, filed) for statement in paper.statements)
    claims = [claim for (name, _), found in filed.claims.items() if name == paper.name for claim in found]
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
    return f"{many(len(paper.statements), 'statement')}: {', '.join(parts)}"


def _rows(paper: Paper, statement: PaperStatement, filed: _Filed, seconds: _Seconds) -> list[_Cells]:
    """The statement's game, or why there is nothing to check, then a row for each claim; only the first says where."""
    spot = (paper.name, statement.at)
    claims, games = filed.claims.get(spot, ()), filed.games.get(spot, ())
    own = [f"game: {', '.join(map(code, games))}"] if games else []
    match _account(paper, statement, filed):
        case "same":
            own.append(f"the same as {text(str(statement.same_as))} of {code(str(paper.version_of))}")
        case "unaccounted":
            own.append("not checked: no claim is recorded")
    if statement.reason and not claims:
        own.append(f"not checked: {text(statement.reason)}")
    arxiv = f" (arXiv: {text(statement.arxiv)})" if statement.arxiv else ""
    places = chain([(text(statement.at) + arxiv, text(statement.about))], repeat(("", "")))
    rows = [("", "; ".join(own), "")] if own else []
    rows += [_claim_cells(claim, claim.at[len(statement.at) :], seconds) for claim in claims]
    return [(*place, *row) for place, row in zip(places, rows, strict=False)]


def _other_rows(filed: _Filed, seconds: _Seconds) -> list[_Cells]:
    games = [(_cited(paper, at), "", "", f"game: {code(name)}", "") for name, paper, at in filed.other_games]
    claims = [
        (_cited(claim.paper, claim.at), "", *_claim_cells(claim, "", seconds)) for claim in filed.other_claims
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


def _refuted_alike(papers: Sequence[Paper], filed: _Filed) -> list[tuple[ClaimRecord, ...]]:
    """The refuted claims in the papers' order; those that are the same in several rulesets together."""
    order = {(paper.name, s.at): place for paper in papers for place, s in enumerate(paper.statements)}
    ordered = [
        claim for spot in sorted(filed.claims, key=lambda s: (s[0], order[s])) for claim in filed.claims[spot]
    ]
    refuted = [claim for claim in (*ordered, *filed.other_claims) if claim.status == "refuted"]
    same = _grouped(((claim.paper, claim.at, formula(claim)), claim) for claim in refuted)
    return list(same.values())


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
