"""The catalogue's records as theorems, conjectures and remarks, each with what is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grundylab.catalogue.papers import Paper
from grundylab.catalogue.printing import claim_latex
from grundylab.catalogue.proved import Extent, by, deciding, extents, proofs_of
from grundylab.catalogue.records import counterexample_words
from grundylab.games.model import Claim, Ruleset, parse_target
from grundylab.language import Expr, parse, parse_condition
from grundylab.language.latex import to_latex
from grundylab.language.syntax import TRUE, Accepts, Name, called, walk
from grundylab.report.exports.tex import breakable, comment, display, escape, sentence
from grundylab.report.words import functions

Record = Mapping[str, Any]
_ENVIRONMENTS = {"proved": "theorem", "refuted": "remark"}

_RELATIONS = {"rediscovers": "says the same as", "corrects": "corrects", "extends": "extends"}


def statement(record: Record, ruleset: Ruleset, papers: Mapping[str, Paper]) -> list[str]:
    """The lines of a formula's or a claim's record (with ``claim``, its id, and its ``paper`` and place ``at``)."""
    status = record["status"]
    # what a paper states as more than a conjecture is not made one here
    known = bool(record.get("paper")) and not str(record.get("at")).startswith("Conjecture")
    kind = _ENVIRONMENTS.get(status, "proposition" if known else "conjecture")
    said = _said(record, ruleset)
    source = _source(record, papers)
    lines = [comment(f"{status}: {record['target']}: {record['formula']}")]
    lines.append(rf"\begin{{{kind}}}" + (f"[{source}]" if source else ""))
    if status == "refuted":
        lines += ["It is not true that", *display(said)]
    else:
        lines += [_for_which(record), *display(said)]
    lines += list(_meanings(record, ruleset))
    lines += [rf"\end{{{kind}}}", *_evidence(record), *_related(record, ruleset, papers)]
    return lines


def _related(record: Record, ruleset: Ruleset, papers: Mapping[str, Paper]) -> list[str]:
    """Which statements of papers a formula that was found says the same as, or is otherwise related to."""
    found: dict[tuple[str, str], list[str]] = {}
    for relation in (record.get("relation") or {}).get("to", []):
        claims = [claim for claim in ruleset.claims if claim.id == relation["claim"]]
        named = [{"paper": c.paper or (ruleset.source and ruleset.source.paper), "at": c.at} for c in claims]
        cited = [text for each in named if (text := _source(each, papers))]
        if relation["relation"] in _RELATIONS and cited:
            far = "" if relation["by"] == "proof" else " at all positions that were compared"
            if (where := relation.get("where", "True")) != "True":
                far += f" if ${to_latex(parse_condition(where))}$"
            found.setdefault((_RELATIONS[relation["relation"]], far), []).extend(cited)
    return [f"It {verb} {', '.join(dict.fromkeys(cited))}{far}." for (verb, far), cited in found.items()]


def _said(record: Record, ruleset: Ruleset) -> str:
    if "claim" in record:
        return claim_latex(ruleset.claim(record["claim"]), ruleset)
    where = parse_condition(record.get("where") or "True")
    claim = Claim("found", parse_target(record["target"]), parse(record["formula"]), where)
    return claim_latex(claim, ruleset)


def _source(record: Record, papers: Mapping[str, Paper]) -> str:
    paper = papers.get(record.get("paper") or "")
    at = escape(record.get("at") or "")
    # in braces, so that a bracket in the place does not end the argument
    return (
        rf"{{\cite[{{{at}}}]{{{paper.key}}}}}"
        if paper and at
        else rf"{{\cite{{{paper.key}}}}}"
        if paper
        else ""
    )


def _for_which(record: Record) -> str:
    """For which parameters it is stated: those that a proof gives, if it is proved for these only."""
    found = extents(record) if record["status"] == "proved" else []
    exact = next((one.exactly for one in found if one.exactly is not None), None)
    if exact is not None and exact != parse_condition(record.get("where") or "True"):
        return f"If ${to_latex(exact)}$, and for no other parameters, then at all positions"
    if exact is not None or not found or any(one.whole for one in found):
        return "At all positions,"
    given = [_given(one) for one in found]
    return f"If {' or '.join(dict.fromkeys(given))}, then at all positions"


def _given(one: Extent) -> str:
    named = [f"${to_latex(one.condition)}$"] if one.condition != TRUE else []
    if one.states is not None:
        named.append(f"the parameters are those that an automaton of {one.states} states accepts")
    return " and ".join(named)


def notation(records: Sequence[Record], ruleset: Ruleset) -> list[str]:
    """What the ruleset's functions are that the statements call, and the rules do not: said once for all."""
    names = {name for record in records for tree in _trees(record) for name in called(tree)}
    said = functions(ruleset, names - {function.name for function in ruleset.rule_functions})
    return [sentence(parts) for parts in said]


def _trees(record: Record) -> list[Expr]:
    return [parse(record["formula"]), parse_condition(record.get("where") or "True")]


def _meanings(record: Record, ruleset: Ruleset) -> Iterator[str]:
    """What is in the statement and in no paper's notation: other positions' values, and automata."""
    values = record.get("values") or {}
    if "claim" in record:
        values = dict(ruleset.claim(record["claim"]).values)
    for name, of in values.items():
        game = "this game" if of == "this" else f"the game {escape(of)}"
        yield sentence(("Here ", Name(name), " gives the Grundy numbers of ")) + f"{game}."
    for tree in _trees(record):
        for node in walk(tree):
            if isinstance(node, Accepts):
                text = escape(str(node.automaton))
                yield (
                    rf"Here $\mathcal{{A}}_{{{node.automaton.states}}}$ is the set of the numbers whose binary digits, "
                    rf"read together from the lowest on, the automaton \texttt{{{text}}} accepts."
                )


def _evidence(record: Record) -> list[str]:
    """How it is known: the proof, the positions that were checked, or the counterexample."""
    checked = f"{record['checked']:,}".replace(",", r"\,")
    bounds = "; ".join(check["instance"] for check in record.get("instances", []))
    if record["status"] == "proved":
        proofs = [proof for proof in proofs_of(record) if proof["proof"]]
        files = [_how(file) for file in dict.fromkeys(proof["proof"] for proof in proofs)]
        found = deciding(record)
        many = [f"It is proved {escape(by(found))}."] if found else []
        how = ["Every entry was computed."] if record.get("complete") else [*files, *many]
        return [r"\begin{proof}[Proof (by computer)]", *how, r"\end{proof}"]
    if record["status"] == "refuted":
        text, example = counterexample_words(record), record.get("counterexample")
        which = "A" if example and not example.get("smallest", True) else "The smallest"
        return [f"{which} counterexample is {escape(text)}."] if text else []
    if not record["checked"]:
        return [f"It was not decided{': ' + escape(record['reason']) if record.get('reason') else ''}."]
    return [
        f"It is true at all {checked} positions that were checked ({escape(bounds)}), and is not proved here."
    ]


def _how(file: str) -> str:
    if file.endswith(".mona"):
        how = (
            "By induction on the measure that every move lowers: the sentence that the induction needs is one of the "
            "weak monadic second-order theory of one successor, and the decision procedure MONA finds it true"
        )
    else:
        how = "By a certificate that a small program checks"
    return f"{how} ({breakable(file)})."
