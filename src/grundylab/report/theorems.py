"""The catalogue's findings as theorems, conjectures and remarks in LaTeX, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grundylab.findings.claim_layout import claim_latex
from grundylab.findings.papers import Paper
from grundylab.findings.winning import Winning
from grundylab.games.model import Claim, Ruleset
from grundylab.language.layout import to_latex
from grundylab.language.syntax import TRUE, Accepts, Name, called_functions, walk
from grundylab.records.finding import Finding
from grundylab.records.relation import VERBS
from grundylab.report.rules_in_words import functions
from grundylab.report.templates import environment
from grundylab.report.tex import escape, sentence
from grundylab.strategy.lines import Aim

_ENVIRONMENTS = {"proved": "theorem", "refuted": "remark"}

_RELATIONS = {name: VERBS[name] for name in ("rediscovers", "corrects", "extends")}


def statements(records: Iterable[Finding], ruleset: Ruleset, papers: Mapping[str, Paper]) -> str:
    """Return findings in LaTeX: each with its statement, its evidence, and its relations to papers' claims."""
    shown = []
    for record in records:
        paper, at = record.source.paper, record.source.at
        # a paper's statement that the paper does not call a conjecture is not called one here
        published = bool(paper) and not at.startswith("Conjecture")
        nodes = (node for tree in (record.formula, record.where) for node in walk(tree))
        formula = Claim("found", record.target, record.formula, record.where)
        claim = ruleset.claim(record.source.claim) if record.claimed else formula
        by_verb: dict[tuple[str, str], list[str]] = {}
        for related in record.relation.to if record.relation else ():
            claims = [claim for claim in ruleset.claims if claim.id == related.claim]
            own = ruleset.source.paper if ruleset.source else None
            cited = [named for c in claims if (named := _source(c.paper or own, c.at, papers))]
            if related.relation in _RELATIONS and cited:
                compared = "" if related.by == "proof" else " at all positions that were compared"
                extent = compared + ("" if related.where == TRUE else f" if ${to_latex(related.where)}$")
                by_verb.setdefault((_RELATIONS[related.relation], extent), []).extend(cited)
        statement = {
            "record": record,
            "kind": _ENVIRONMENTS.get(record.status, "proposition" if published else "conjecture"),
            "source": _source(paper, at, papers),
            "math": claim_latex(claim, ruleset),
            "automata": [node.automaton for node in nodes if isinstance(node, Accepts)],
            "related": [
                f"It {verb} {', '.join(dict.fromkeys(citations))}{extent}."
                for (verb, extent), citations in by_verb.items()
            ],
        }
        shown.append(statement)
    template = environment("tex").get_template("theorems.tex.j2")
    return template.render(statements=shown, name_of=Name)


def strategy_theorem(winning: Winning, ruleset: Ruleset) -> str:
    """Return a strategy that is complete, in LaTeX, as a theorem with its proof or as a conjecture."""
    lost = None if winning.formula is None else Aim(winning.formula, winning.target).lost
    template = environment("tex").get_template("strategy.tex.j2")
    return template.render(winning=winning, lost=lost, measure=ruleset.measure)


def _source(name: str | None, at: str, papers: Mapping[str, Paper]) -> str:
    paper = papers.get(name) if name is not None else None
    if paper is None:
        return ""
    # in braces, so that a bracket in the place does not end the optional argument
    place = f"[{{{escape(at)}}}]" if at else ""
    return rf"{{\cite{place}{{{paper.key}}}}}"


def notation(records: Sequence[Finding], ruleset: Ruleset) -> list[str]:
    """Return sentences that define the functions that the statements call; those that the rules call are left out."""
    trees = [tree for record in records for tree in (record.formula, record.where)]
    names = {name for tree in trees for name in called_functions(tree)}
    sentences = functions(ruleset, names - {function.name for function in ruleset.rule_functions})
    return [sentence(parts) for parts in sentences]
