"""results/new-results.md: what the run found that is in no claim on record, and what it did not find.

An *answer* is all that the run knows of one question: a target of a study, or a statement about a family of games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from grundylab.catalogue.attempts import ProofRecord
from grundylab.catalogue.candidates import League, Result, league_text
from grundylab.catalogue.files import Catalogue
from grundylab.catalogue.records import ClaimRecord, Formula, Judged, Row, StudyRecord
from grundylab.catalogue.relations import relation_text
from grundylab.catalogue.words import by, extent, numbers, other_words, percent, rank, say, tally
from grundylab.check.verification import exceptions_text
from grundylab.games.instance import few
from grundylab.games.specialise import fixed_by
from grundylab.games.statements import THIS
from grundylab.language import parse_condition
from grundylab.report.cells import code, latex, said, text
from grundylab.report.templates import environment

_NEWS = ("new", "corrects", "extends", "uncompared")
PROVED, HOLDS, OPEN, ALSO = "proved", "holds", "open", "also"


@dataclass(frozen=True)
class Try:
    """What one engine has to say; every field is a cell's Markdown."""

    engine: str
    best: str
    verdict: str
    notes: str


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One question's part of the document.

    section: one of PROVED, HOLDS, OPEN, ALSO. region: the positions that the study is about, if not all. formula,
    where and latex (the whole statement) of what is found; words: what says the same as its automaton; status of the
    best that there is, found or not; procedures: by which it is proved. The others are Markdown.
    """

    section: str
    title: str
    ruleset: str
    study: str
    target: str
    region: str | None = None
    open: str | None = None
    status: str | None = None
    latex: str | None = None
    formula: str | None = None
    where: str | None = None
    words: tuple[str, ...] = ()
    verdict: str
    evidence: str | None = None
    relation: str = ""
    found_by: str = ""
    tries: tuple[Try, ...] = ()
    note: str = ""
    procedures: tuple[str, ...] = ()


def answers(catalogue: Catalogue) -> list[Answer]:
    """All of them, the best first: proved, then what holds to a bound, then what is open still."""
    found = [*_of_formulas(catalogue), *_of_claims(catalogue.claims)]
    order = (PROVED, HOLDS, OPEN, ALSO)
    return sorted(found, key=lambda answer: (order.index(answer.section), answer.open is None))


def results_text(catalogue: Catalogue) -> str:
    """The document, from a catalogue.json."""
    templates = environment(html=False, filters={"code": code, "math": latex, "text": text})
    found, rows = answers(catalogue), [row for row in catalogue.rows if row.open]
    sections = {name: [f for f in found if f.section == name] for name in (PROVED, HOLDS, OPEN, ALSO)}
    return templates.get_template("new-results.md.j2").render(
        **sections,
        two=sum(len(answer.procedures) > 1 for answer in sections[PROVED]),
        rows=[_row_cells(row) for row in rows],
        open_rows=list(dict.fromkeys(row.open for row in rows)),
        made=catalogue.made_line,
    )


def found_in_short(catalogue: Catalogue) -> str:
    """What a run has found, in a line for each sort: for its end."""
    sorts = (("formulas", catalogue.formulas), ("claims", catalogue.claims), ("rows", catalogue.rows))
    lines = []
    for name, records in sorts:
        counts = tally(record.status for record in records)
        words = ", ".join(f"{count:,} {status}" for status, count in counts.items() if status != "partial")
        if words:
            lines.append(f"{name}: {words}")
    return "\n".join([*lines, *league_text(catalogue.league)])


def results_record(catalogue: Catalogue) -> list[dict[str, Any]]:
    """The answers as JSON."""
    return list(map(asdict, answers(catalogue)))


# -- formulas -------------------------------------------------------------------------------------------------


def _of_formulas(catalogue: Catalogue) -> Iterable[Answer]:
    for study in catalogue.studies:
        for target in study.targets:
            engines = study.engines.get(target, ())
            records = [
                record
                for record in catalogue.formulas
                if (record.study, record.target) == (study.study, target)
                and set(record.finders) & set(engines)  # single rows have a table of their own
            ]
            tries = tuple(
                _try(row, records)
                for row in catalogue.league
                if (row.study, row.target) == (study.study, target)
            )
            for setting, mine in _groups(study, records):
                best = min(mine, key=_rank, default=None)
                relation = best.relation.relation if best and best.relation else None
                if relation in _NEWS or (study.open and relation != "rediscovers"):
                    yield _answer(study, target, best, tries, setting)


def _groups(study: StudyRecord, records: Sequence[Formula]) -> list[tuple[str, list[Formula]]]:
    """The formulas among which the best is looked for, and which parameters they are about, if not all.

    Where each setting of the parameters was learnt from alone, those about each; and at last none, for the settings
    that have none.
    """
    if not study.each:
        return [("", list(records))]
    found, without = list[tuple[str, list[Formula]]](), list[str]()
    for setting in study.settings:
        mine = [r for r in records if fixed_by(parse_condition(r.where), tuple(setting)) == setting]
        if mine:
            found.append((numbers(setting), mine))
        else:
            without.append(numbers(setting))
    return [*found, *([("; ".join(without), [])] if without else [])]


def _rank(record: Formula) -> tuple[Any, ...]:
    """The best first: by verdict, then by what it describes, then the smallest."""
    return (rank(record.status), record.repaired, -record.correct, record.size, record.formula)


def _answer(
    study: StudyRecord, target: str, best: Formula | None, tries: tuple[Try, ...], setting: str
) -> Answer:
    known: dict[str, Any] = {
        "section": OPEN,
        "verdict": "nothing was found" + (f" for {setting}" if setting else ""),
    }
    if best is not None:
        known |= _told(best) | {"relation": text(relation_text(best.relation))}
    if best is not None and best.status in (PROVED, HOLDS):
        corrects = best.relation is not None and best.relation.relation == "corrects"
        known |= _found(best) | {"section": best.status if study.open or corrects else ALSO}
        known |= {"found_by": _found_by(best), "note": _lookups(best)}
    return Answer(
        title=study.title,
        ruleset=study.ruleset,
        study=study.study,
        target=target,
        region=_unless_all(study.where),
        open=study.open,
        tries=tries,
        **known,
    )


def _told(record: Judged) -> dict[str, Any]:
    return {"status": record.status, "verdict": verdict(record), "evidence": evidence(record)}


def _found(record: Formula | ClaimRecord) -> dict[str, Any]:
    latex = (record.stated if isinstance(record, Formula) else None) or record.latex
    where = _unless_all(record.where)
    words = tuple(said(each) for each in other_words(record))
    known = {"latex": latex, "formula": record.formula, "where": where, "words": words}
    return known | {"procedures": record.procedures}


def _lookups(record: Formula) -> str:
    """What the formula looks up."""
    games = ((name, "this game" if of == THIS else code(of)) for name, of in record.values.items())
    return "; ".join(
        f"{code(f'{name}(…)')} is the Grundy number of that position of {game}" for name, game in games
    )


def _unless_all(where: str) -> str | None:
    return None if where == "True" else where


def _found_by(record: Formula) -> str:
    words = f"found by {code(record.engine)}, seed {record.seed}, size {record.size}"
    if record.training:
        words += f"; learnt from {record.total:,} positions ({text(few(record.training))})"
    if record.exceptions:
        source = "the test positions" if record.repaired else "the training positions"
        words += f"; with the exceptions {text(exceptions_text(record.exceptions))}, read off {source}"
    return words


def verdict(record: Judged) -> str:
    """The status, and what is known, as Markdown."""
    words = said(say(record))
    if record.status == "partial":
        return words
    return f"**{record.status}**{':' * (record.complete or record.status == 'undecided')} {words}"


def evidence(record: Judged) -> str | None:
    """By what it is proved: the files that anyone can run or check again; or why it is not."""
    proofs = [proof for proof in record.proved if proof.proof]
    if proofs:
        return "; ".join(_evidence(record, proof, len(proofs) > 1) for proof in proofs)
    if record.status == "holds":
        reasons = [proof.reason for proof in record.proofs if proof.reason]
        return f"none: {text(reasons[0])}" if reasons else None
    return None


def _evidence(record: Judged, proof: ProofRecord, several: bool) -> str:
    """One proof. several: there are others, so it is said for which parameters this one is."""
    reach = f"{said(extent(replace(record, proofs=(proof,))))}: " if several else ""
    equal = f"{text(proof.reason)}: " if proof.reason else ""
    used = f", together with {', '.join(map(code, proof.used))}" if proof.used else ""
    file = str(proof.proof)
    heard = proof.machine_checked
    coq = f"; for Coq in {code(heard.file)}" if heard and heard.status == "accepted" and heard.file else ""
    return f"{reach}{equal}{_by(file)} {code(file)}{used}; {text(by(proof))}{coq}"


def _by(file: str) -> str:
    if file.endswith(".mona"):
        return "by induction, decided by automata; for MONA in"
    return "by a certificate, which `grundylab certify` goes through again:"


def _try(row: League, records: Iterable[Formula]) -> Try:
    """Return what an engine has found, with the verdict on its best formula; or why it has none."""
    if row.formula is None:
        return Try(code(row.engine), "", _NO_FORMULA[row.result], text(row.note))
    record = next((record for record in records if record.key == row.key), None)
    share = f"right at {percent(row.train)} of the positions learnt from" if row.train is not None else ""
    return Try(code(row.engine), code(row.formula), verdict(record) if record else share, text(row.note))


_NO_FORMULA: Mapping[Result, str] = {
    "nothing": "no formula",
    "not asked": "not asked",
    "not available": "not available",
}


# -- statements of our own, and rows ----------------------------------------------------------------------------


def _of_claims(claims: Iterable[ClaimRecord]) -> Iterable[Answer]:
    """The statements of rulesets that are from no paper: they were found here."""
    for claim in claims:
        if claim.unpublished:
            yield Answer(
                section=claim.status if claim.status in (PROVED, HOLDS) else OPEN,
                title=claim.title,
                ruleset=claim.ruleset,
                study=claim.study,
                target=claim.target,
                found_by=text(claim.at),
                note=text(claim.note),
                **_told(claim),
                **_found(claim),
            )


def _row_cells(row: Row) -> tuple[str, ...]:
    fixed = numbers({**row.parameters, **row.row})
    period = "" if row.period is None else f"{row.period:,}"
    preperiod = "" if row.preperiod is None else f"{row.preperiod:,}"
    reason = f": {text(row.reason)}" if row.reason else ""
    verdict = f"**{row.status}**{reason} ({row.checked:,} places seen)"
    return (code(row.ruleset), code(fixed or "all"), code(row.target), preperiod, period, verdict)
