"""The document results/new-results.md: findings that are not on record here, and questions without an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from grundylab.check.verification import exceptions_text
from grundylab.findings.answers import (
    Answer,
    answers,
    best_answers,
    formula_answers,
    news,
    unanswered_settings,
)
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.finding import Finding
from grundylab.findings.league import LeagueResult, LeagueRow
from grundylab.findings.proofs import RIGHT, ProofRecord
from grundylab.findings.relation import RelationWord
from grundylab.findings.results import StudyRecord
from grundylab.findings.rows import Row
from grundylab.findings.wording import (
    assignment_text,
    equivalent_wordings,
    extent_words,
    finding_relation_text,
    percent,
    procedures_text,
    relation_word,
    status_details,
    training_text,
)
from grundylab.games import Target
from grundylab.games.statements import THIS
from grundylab.language import Expr
from grundylab.language.syntax import TRUE
from grundylab.report.markdown import code, latex, text, words_cell
from grundylab.report.templates import environment

PROVED, HOLDS, OPEN, ALSO = "proved", "holds", "open", "also"


@dataclass(frozen=True)
class EngineAnswer:
    """One engine's answer to a question; every field is Markdown for a table's cell."""

    engine: str
    best: str
    verdict: str
    notes: str


@dataclass(frozen=True, kw_only=True)
class ResultItem:
    """One part of the document: a formula that was found, a ruleset's own statement, or a target without an answer.

    section: one of PROVED, HOLDS, OPEN, ALSO. region: the condition on the positions that the study is about; None for
    all positions. open: the open question that it answers or, if there is no answer, that the study is about. relation,
    related_to: the relation to the statements on record, as a word and as a text. formula, where, latex: the formula,
    its condition, and the whole statement in LaTeX. words: formulas equivalent to its automaton. same: other formulas
    that are proved equivalent. status: the status of the best formula, even of one that does not answer the question.
    tries: the answers of all engines. procedures: the procedures that prove the formula. Other fields are Markdown.
    """

    section: str
    title: str
    ruleset: str
    studies: tuple[str, ...]
    target: str
    region: str | None = None
    open: str | None = None
    status: str | None = None
    latex: str | None = None
    formula: str | None = None
    where: str | None = None
    words: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    verdict: str
    evidence: str | None = None
    relation: RelationWord | None = None
    related_to: str = ""
    found_by: str = ""
    tries: tuple[EngineAnswer, ...] = ()
    note: str = ""
    procedures: tuple[str, ...] = ()


def items(catalogue: Catalogue) -> list[ResultItem]:
    """Return all parts in the order of their sections; in each section, those about open questions come first."""
    found = answers(catalogue)
    told = news(catalogue, found)
    every = [*_formula_items(catalogue, found, told), *_claim_items(catalogue.claims, told)]
    sections = (PROVED, HOLDS, OPEN, ALSO)
    return sorted(every, key=lambda item: (sections.index(item.section), item.open is None))


def results_text(catalogue: Catalogue, papers: bool = True) -> str:
    """Return the document about a catalogue, as Markdown. papers: whether a papers.md exists in the same folder."""
    templates = environment(html=False, filters={"code": code, "math": latex, "text": text})
    found, rows = items(catalogue), [row for row in catalogue.rows if row.open]
    sections = {name: [f for f in found if f.section == name] for name in (PROVED, HOLDS, OPEN, ALSO)}
    return templates.get_template("new-results.md.j2").render(
        **sections,
        two=sum(len(item.procedures) > 1 for item in sections[PROVED]),
        rows=[_row_cells(row) for row in rows],
        open_rows=list(dict.fromkeys(row.open for row in rows)),
        made=catalogue.made_line,
        papers=papers,
    )


def results_record(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Return the document's parts as dictionaries that JSON can represent."""
    return list(map(asdict, items(catalogue)))


# -- formulas -------------------------------------------------------------------------------------------------


def _formula_items(
    catalogue: Catalogue, found: Sequence[Answer], told: Iterable[Answer]
) -> Iterable[ResultItem]:
    """Yield a part for each formula that is news, and for each target of a study without an answer.

    An answer to several studies is yielded once.
    """
    left, formulas = {id(answer) for answer in told}, formula_answers(found)
    for study in catalogue.studies:
        for target in study.targets:
            relevant = [answer for answer in formulas if _is_answer(answer, study, target)]
            records = [record for record in catalogue.formulas if record.study == study.study]
            tries = tuple(
                _engine_answer(row, records)
                for row in catalogue.league
                if (row.study, row.target) == (study.study, target)
            )
            for best in best_answers(study, target, found):
                if id(best) in left:
                    left.remove(id(best))
                    yield _answer_item(study, target, best, tries)
            engines = {*study.engines.get(target, ())}
            if engines and (without := unanswered_settings(study, target, relevant)):
                attempts = [
                    each
                    for each in relevant
                    if each.record.where == study.where and not each.right and engines & {*each.engines}
                ]
                yield _open_item(study, target, attempts, without, tries)


def _is_answer(answer: Answer, study: StudyRecord, target: Target) -> bool:
    question = (study.ruleset, target)
    return (answer.record.ruleset, answer.record.target) == question and study.study in answer.studies


def _item(study: StudyRecord, target: Target, tries: tuple[EngineAnswer, ...], **fields: Any) -> ResultItem:  # noqa: ANN401 - fields
    common = {"title": study.title, "ruleset": study.ruleset, "studies": (study.study,), "open": study.open}
    return ResultItem(
        **{**common, "target": str(target), "region": _unless_all(study.where), "tries": tries, **fields}
    )


def _answer_item(
    study: StudyRecord, target: Target, answer: Answer, tries: tuple[EngineAnswer, ...]
) -> ResultItem:
    record = answer.record
    return _item(
        study,
        target,
        tries,
        **_verdict_fields(record) | _statement_fields(record),
        section=record.status if answer.open or answer.relation in ("new", "corrects") else ALSO,
        studies=answer.studies,
        open=answer.open,
        found_by=_found_by(answer),
        note=_lookups(record),
        same=tuple(code(str(each.formula)) for each in answer.others),
    )


def _open_item(
    study: StudyRecord,
    target: Target,
    attempts: Sequence[Answer],
    settings: Sequence[Mapping[str, int]],
    tries: tuple[EngineAnswer, ...],
) -> ResultItem:
    """Return the part about a target without an answer, or without one for these settings of the parameters.

    attempts: formulas that are not right, the best first; the part shows the verdict on the first.
    """
    if attempts:
        return _item(study, target, tries, section=OPEN, **_verdict_fields(attempts[0].record))
    setting_text = "; ".join(filter(None, map(assignment_text, settings)))
    words = "nothing was found" + (f" for {setting_text}" if setting_text else "")
    return _item(study, target, tries, section=OPEN, verdict=words)


def _verdict_fields(record: Finding) -> dict[str, Any]:
    return {"status": record.status, "verdict": verdict(record), "evidence": evidence(record)}


def _statement_fields(record: Finding) -> dict[str, Any]:
    where = _unless_all(record.where)
    words = tuple(words_cell(each) for each in equivalent_wordings(record))
    fields = {"latex": record.latex, "formula": str(record.formula), "where": where, "words": words}
    related = {"relation": relation_word(record), "related_to": text(finding_relation_text(record))}
    return fields | related | {"procedures": record.procedures}


def _lookups(record: Finding) -> str:
    """Return an explanation of the functions in the formula that look up Grundy numbers of other positions."""
    games = (
        (name, "this game" if source == THIS else code(source)) for name, source in record.values.items()
    )
    return "; ".join(
        f"{code(f'{name}(…)')} is the Grundy number of that position of {game}" for name, game in games
    )


def _unless_all(where: Expr) -> str | None:
    return None if where == TRUE else str(where)


def _found_by(answer: Answer) -> str:
    record, origin = answer.record, answer.record.origin
    words = f"found by {', '.join(map(code, answer.engines))}, seed {origin.seed}, size {record.size}"
    if origin.learnt:
        words += f"; {text(training_text(record))}"
    if origin.exceptions:
        source = "the test positions" if origin.derived else "the training positions"
        words += f"; with the exceptions {text(exceptions_text(origin.exceptions))}, read off {source}"
    return words


def verdict(record: Finding) -> str:
    """Return a record's status and the details of it, as Markdown; for a partial formula only the details."""
    words = words_cell(status_details(record))
    if record.status == "partial":
        return words
    return f"**{record.status}**{':' * (record.complete or record.status == 'undecided')} {words}"


def evidence(record: Finding) -> str | None:
    """Return the files of the record's proofs, as Markdown; for a formula that only holds, why it is not proved.

    None if neither is known.
    """
    proofs = [proof for proof in record.proved if proof.proof]
    if proofs:
        return "; ".join(_evidence(record, proof, len(proofs) > 1) for proof in proofs)
    if record.status == "holds":
        reasons = [proof.reason for proof in record.proofs if proof.reason]
        return f"none: {text(reasons[0])}" if reasons else None
    return None


def _evidence(record: Finding, proof: ProofRecord, several: bool) -> str:
    """Return the description of one proof. several: whether to say for which parameters and positions it is a proof."""
    reach = f"{words_cell(extent_words(replace(record, proofs=(proof,))))}: " if several else ""
    equal = f"{text(proof.reason)}: " if proof.reason else ""
    used = f", together with {', '.join(map(code, proof.used))}" if proof.used else ""
    file = str(proof.proof)
    heard = proof.machine_checked
    coq = f"; for Coq in {code(heard.file)}" if heard and heard.status == "accepted" and heard.file else ""
    return f"{reach}{equal}{_proof_kind(file)} {code(file)}{used}; {text(procedures_text(proof))}{coq}"


def _proof_kind(file: str) -> str:
    if file.endswith(".mona"):
        return "by induction, decided by automata; for MONA in"
    return "by a certificate, which `grundylab certify` goes through again:"


def _engine_answer(row: LeagueRow, records: Iterable[Finding]) -> EngineAnswer:
    """Return an engine's best formula with the verdict on it, or the reason why the engine has no formula.

    records: the formulas of the study, among which the verdict is looked up.
    """
    if row.formula is None:
        return EngineAnswer(code(row.engine), "", _NO_FORMULA[row.result], text(row.note))
    record = next((record for record in records if record.key == row.key), None)
    share = f"right at {percent(row.train.share)} of the training positions" if row.train.share else ""
    return EngineAnswer(
        code(row.engine), code(str(row.formula)), verdict(record) if record else share, text(row.note)
    )


_NO_FORMULA: Mapping[LeagueResult, str] = {
    "nothing": "no formula",
    "not asked": "not asked",
    "not available": "not available",
}


# -- unpublished claims, and rows -------------------------------------------------------------------------------


def _claim_items(claims: Iterable[Finding], told: Iterable[Answer]) -> Iterable[ResultItem]:
    """Yield a part for each claim that is marked ``unpublished`` and is news, or is not right."""
    news_ids = {id(answer.record) for answer in told}
    for claim in claims:
        if claim.source.unpublished and (id(claim) in news_ids or claim.status not in RIGHT):
            yield ResultItem(
                section=claim.status if claim.status in (PROVED, HOLDS) else OPEN,
                title=claim.title,
                ruleset=claim.ruleset,
                studies=(claim.study,),
                open=claim.open,
                target=str(claim.target),
                found_by=text(claim.source.at),
                note=text(claim.source.note),
                **_verdict_fields(claim),
                **_statement_fields(claim),
            )


def _row_cells(row: Row) -> tuple[str, ...]:
    fixed = assignment_text({**row.parameters, **row.row})
    period = "" if row.period is None else f"{row.period:,}"
    preperiod = "" if row.preperiod is None else f"{row.preperiod:,}"
    reason = f": {text(row.reason)}" if row.reason else ""
    verdict = f"**{row.status}**{reason} ({row.checked:,} places seen)"
    return (code(row.ruleset), code(fixed or "all"), code(str(row.target)), preperiod, period, verdict)
