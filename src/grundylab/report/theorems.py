"""The catalogue's findings as theorems, conjectures and remarks in LaTeX, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grundylab.findings.claim_layout import claim_latex
from grundylab.findings.finding import Finding
from grundylab.findings.papers import Paper
from grundylab.findings.relation import VERBS, Relation
from grundylab.findings.wording import (
    counterexample_words,
    extent_words,
    procedures_text,
    proof_words,
    status_details,
)
from grundylab.games.model import Claim, Ruleset
from grundylab.language import Expr
from grundylab.language.layout import to_latex
from grundylab.language.syntax import TRUE, Accepts, Name, called_functions, walk
from grundylab.report.rules_in_words import functions
from grundylab.report.tex import breakable, comment, display, escape, sentence

_ENVIRONMENTS = {"proved": "theorem", "refuted": "remark"}

_RELATIONS = {name: VERBS[name] for name in ("rediscovers", "corrects", "extends")}


def statement(record: Finding, ruleset: Ruleset, papers: Mapping[str, Paper]) -> list[str]:
    """Return a finding as lines of LaTeX: the statement, the evidence, and a formula's relations to papers' claims."""
    status, paper, at = record.status, record.source.paper, record.source.at
    # a paper's statement that the paper does not call a conjecture is not called one here
    published = bool(paper) and not at.startswith("Conjecture")
    kind = _ENVIRONMENTS.get(status, "proposition" if published else "conjecture")
    math = _claim_latex(record, ruleset)
    source = _source(paper, at, papers)
    lines = [comment(f"{status}: {record.target}: {record.formula}")]
    lines.append(rf"\begin{{{kind}}}" + (f"[{source}]" if source else ""))
    if status == "refuted":
        lines += ["It is not true that", *display(math)]
    else:
        lines += [_parameters_clause(record), *display(math)]
    lines += list(_meanings(record, ruleset))
    related = _relation_sentences(record.relation, ruleset, papers)
    return [*lines, rf"\end{{{kind}}}", *_evidence(record), *related]


def _relation_sentences(
    relation: Relation | None, ruleset: Ruleset, papers: Mapping[str, Paper]
) -> list[str]:
    """Return sentences such as "It corrects Theorem 3.": a formula's relations to claims of papers."""
    found: dict[tuple[str, str], list[str]] = {}
    for each in relation.to if relation else ():
        claims = [claim for claim in ruleset.claims if claim.id == each.claim]
        own = ruleset.source.paper if ruleset.source else None
        cited = [named for claim in claims if (named := _source(claim.paper or own, claim.at, papers))]
        if each.relation in _RELATIONS and cited:
            extent = "" if each.by == "proof" else " at all positions that were compared"
            if each.where != TRUE:
                extent += f" if ${to_latex(each.where)}$"
            found.setdefault((_RELATIONS[each.relation], extent), []).extend(cited)
    return [
        f"It {verb} {', '.join(dict.fromkeys(cited))}{extent}." for (verb, extent), cited in found.items()
    ]


def _claim_latex(record: Finding, ruleset: Ruleset) -> str:
    if record.claimed:
        return claim_latex(ruleset.claim(record.source.claim), ruleset)
    return claim_latex(Claim("found", record.target, record.formula, record.where), ruleset)


def _source(name: str | None, at: str, papers: Mapping[str, Paper]) -> str:
    paper = papers.get(name) if name is not None else None
    if paper is None:
        return ""
    # in braces, so that a bracket in the place does not end the optional argument
    place = f"[{{{escape(at)}}}]" if at else ""
    return rf"{{\cite{place}{{{paper.key}}}}}"


def _parameters_clause(record: Finding) -> str:
    """Return the clause before the formula: for which parameters it is proved, or "At all positions,"."""
    if not record.proved or record.status != "proved":
        return "At all positions,"
    clause = sentence(extent_words(record))
    return f"{clause[0].upper()}{clause[1:]},"


def notation(records: Sequence[Finding], ruleset: Ruleset) -> list[str]:
    """Return sentences that define the functions that the statements call; those that the rules call are left out."""
    names = {name for record in records for tree in _trees(record) for name in called_functions(tree)}
    sentences = functions(ruleset, names - {function.name for function in ruleset.rule_functions})
    return [sentence(parts) for parts in sentences]


def _trees(record: Finding) -> list[Expr]:
    return [record.formula, record.where]


def _meanings(record: Finding, ruleset: Ruleset) -> Iterator[str]:
    """Yield sentences that explain unusual notation in a finding: looked-up Grundy numbers, and automata."""
    for name, source in record.values.items():
        game = "this game" if source == "this" else f"the game {escape(source)}"
        yield sentence(("Here ", Name(name), " gives the Grundy numbers of ")) + f"{game}."
    for tree in _trees(record):
        for node in walk(tree):
            if isinstance(node, Accepts):
                system = "" if node.automaton.system.binary else rf"^{{\text{{{node.automaton.system}}}}}"
                text, words = escape(str(node.automaton)), node.automaton.system.words
                yield (
                    rf"Here $\mathcal{{A}}_{{{node.automaton.states}}}{system}$ is the set of the numbers whose "
                    rf"{escape(words)}, read together from the lowest on, the automaton \texttt{{{text}}} accepts."
                )


def _evidence(record: Finding) -> list[str]:
    """Return a finding's evidence in LaTeX: the proof, the number of positions checked, or the counterexample."""
    checked = f"{record.test.checked:,}".replace(",", r"\,")
    bounds = "; ".join(record.test.instances)
    if record.status == "proved":
        files = [_proof_words(file) for file in dict.fromkeys(proof.proof for proof in record.proved) if file]
        found = record.decided_by
        many = [f"It is proved {escape(procedures_text(found))}."] if found else []
        lines = ["Every entry was computed."] if record.complete else [*files, *many]
        return [r"\begin{proof}[Proof (by computer)]", *lines, r"\end{proof}"]
    if record.counterexample is not None:
        which = "The smallest" if record.counterexample.smallest else "A"
        but = [sentence(("It is proved ", *proof_words(record), "."))] if record.proved else []
        return [f"{which} counterexample is {escape(counterexample_words(record))}.", *but]
    if record.refuting:
        return [sentence(("It is refuted: ", *status_details(record), "."))]
    if not record.test.checked:
        return [f"It was not decided{': ' + escape(record.reason) if record.reason else ''}."]
    return [
        f"It is true at all {checked} positions that were checked ({escape(bounds)}), and is not proved here."
    ]


def _proof_words(file: str) -> str:
    if file.endswith(".mona"):
        method = (
            "By induction on the measure that every move lowers: what the induction needs is decided by automata that "
            "read binary digits; for MONA, it is a sentence of the weak monadic second-order theory of one successor"
        )
    else:
        method = "By a certificate that a small program checks"
    return f"{method} ({breakable(file)})."
