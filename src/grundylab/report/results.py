"""results/new-results.md: what the run found that is in no claim on record, and what it did not find.

A *finding* is all that the run knows of one question: a target of a study, or a statement about a family of games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from grundylab.catalogue.proved import by, extent, procedures, proofs_of, proved, written
from grundylab.catalogue.records import counterexample_words, percent
from grundylab.catalogue.relations import relation_text
from grundylab.check.exceptions import exceptions_text
from grundylab.games.specialise import fixed_by
from grundylab.games.statements import THIS
from grundylab.language import parse_condition
from grundylab.report.cells import code, latex, text
from grundylab.solve.made import made_line

Record = Mapping[str, Any]
_ORDER = ("proved", "holds", "refuted", "undecided", "partial")
_NEWS = ("new", "corrects", "extends", "uncompared")
_FEW = 3  # instances that are named one by one
PROVED, HOLDS, OPEN, ALSO = "proved", "holds", "open", "also"


@dataclass(frozen=True)
class Try:
    """What one engine has to say; every field is a cell's Markdown."""

    engine: str
    best: str
    verdict: str
    notes: str


@dataclass(frozen=True)
class Finding:
    """One question's part of the document.

    section: one of PROVED, HOLDS, OPEN, ALSO. region: the positions that the study is about, if not all. formula,
    where and latex (the whole statement) of what is found; status of the best that there is, found or not; procedures:
    by which it is proved. The others are Markdown.
    """

    section: str
    title: str
    ruleset: str
    study: str
    target: str
    region: str | None
    open: str | None
    status: str | None
    latex: str | None
    formula: str | None
    where: str | None
    verdict: str
    evidence: str | None
    relation: str
    found_by: str
    tries: tuple[Try, ...]
    note: str = ""
    procedures: tuple[str, ...] = ()


def findings(catalogue: Record) -> list[Finding]:
    """All of them, the best first: proved, then what holds to a bound, then what is open still."""
    found = [*_of_formulas(catalogue), *_of_claims(catalogue["claims"])]
    order = (PROVED, HOLDS, OPEN, ALSO)
    return sorted(found, key=lambda finding: (order.index(finding.section), finding.open is None))


def results_text(catalogue: Record) -> str:
    """The document, from a catalogue.json."""
    environment = Environment(
        loader=PackageLoader("grundylab", "report"), autoescape=False, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters |= {"code": code, "math": latex, "text": text}
    found, rows = findings(catalogue), [row for row in catalogue.get("rows", []) if row["open"]]
    sections = {name: [f for f in found if f.section == name] for name in (PROVED, HOLDS, OPEN, ALSO)}
    return environment.get_template("new-results.md.j2").render(
        **sections,
        two=sum(len(finding.procedures) > 1 for finding in sections[PROVED]),
        rows=[_row_cells(row) for row in rows],
        open_rows=list(dict.fromkeys(row["open"] for row in rows)),
        made=made_line(catalogue),
    )


def results_record(catalogue: Record) -> list[dict[str, Any]]:
    """The findings as JSON."""
    return [asdict(finding) for finding in findings(catalogue)]


# -- formulas -------------------------------------------------------------------------------------------------


def _of_formulas(catalogue: Record) -> Iterable[Finding]:
    notes = {(e["study"], e["target"], e["engine"]): e["notes"] for e in catalogue.get("engines", [])}
    for study in catalogue["studies"]:
        for target in study["targets"]:
            records = [
                record
                for record in catalogue["formulas"]
                if (record["study"], record["target"]) == (study["study"], target)
                and record["engine"] in study["engines"][target]  # single rows have a table of their own
            ]
            tries = [
                _try(engine, records, notes.get((study["study"], target, engine), []))
                for engine in study["engines"][target]
            ]
            for setting, mine in _groups(study, records):
                best = min(mine, key=_rank, default=None)
                relation = (best or {}).get("relation")
                news = relation is not None and relation["relation"] in _NEWS
                known = relation is not None and relation["relation"] == "rediscovers"
                if (study["open"] and not known) or news:
                    yield _finding(study, target, best, tries, setting, corrects=_corrects(relation))


def _groups(study: Record, records: Sequence[Record]) -> list[tuple[str, list[Record]]]:
    """The formulas among which the best is looked for, and which parameters they are about, if not all.

    Where each setting of the parameters was learnt from alone, those about each; and at last none, for the settings
    that have none.
    """
    if not study.get("each"):
        return [("", list(records))]
    found, without = list[tuple[str, list[Record]]](), list[str]()
    for setting in study["settings"]:
        mine = [r for r in records if fixed_by(parse_condition(r["where"]), tuple(setting)) == setting]
        label = ", ".join(f"{name}={value}" for name, value in setting.items())
        if mine:
            found.append((label, mine))
        else:
            without.append(label)
    return [*found, *([("; ".join(without), [])] if without else [])]


def _rank(record: Record) -> tuple[Any, ...]:
    """The best first: by verdict, then by what it describes, then the smallest."""
    repaired = record.get("repaired", False)
    return (_ORDER.index(record["status"]), repaired, -record["correct"], record["size"], record["formula"])


def _corrects(relation: Record | None) -> bool:
    return relation is not None and relation["relation"] == "corrects"


def _finding(
    study: Record, target: str, best: Record | None, tries: Sequence[Try], setting: str, corrects: bool
) -> Finding:
    status = best["status"] if best else None
    nothing = "nothing was found" + (f" for {setting}" if setting else "")
    if status in (PROVED, HOLDS):
        section = status if study["open"] or corrects else ALSO
    else:
        section = OPEN
    good = best if best and section != OPEN else None
    return Finding(
        section=section,
        title=study["title"],
        ruleset=study["ruleset"],
        study=study["study"],
        target=target,
        region=_unless_all(study["where"]),
        open=study["open"],
        status=status,
        latex=(good.get("stated") or good["latex"]) if good else None,
        formula=good["formula"] if good else None,
        where=_unless_all(good["where"]) if good else None,
        verdict=verdict(best) if best else nothing,
        evidence=evidence(best) if best else None,
        relation=text(relation_text(best.get("relation"))) if best else "",
        found_by=_found_by(good) if good else "",
        tries=tuple(tries),
        note=_lookups(good) if good else "",
        procedures=_procedures(good),
    )


def _procedures(record: Record | None) -> tuple[str, ...]:
    return tuple(procedures(record)) if record and record["status"] == "proved" else ()


def _lookups(record: Record) -> str:
    """What the formula looks up."""
    games = ((name, "this game" if of == THIS else code(of)) for name, of in record.get("values", {}).items())
    return "; ".join(
        f"{code(f'{name}(…)')} is the Grundy number of that position of {game}" for name, game in games
    )


def _unless_all(where: str) -> str | None:
    return None if where == "True" else where


def _found_by(record: Record) -> str:
    training = _instances(record.get("training") or [])
    words = f"found by {code(record['engine'])}, seed {record['seed']}, size {record['size']}"
    words += f"; learnt from {record['total']:,} positions ({text(training)})" if training else ""
    if record.get("exceptions"):
        source = "the test positions" if record.get("repaired") else "the training positions"
        words += f"; with the exceptions {text(exceptions_text(record['exceptions']))}, read off {source}"
    return words


def verdict(record: Record) -> str:
    """The verdict on a formula in words that say no more than is known."""
    status = record["status"]
    if status == "proved":
        return f"**proved**{':' if record.get('complete') else ''} {written(proved(record), code)}"
    if status == "holds":
        return f"**holds** {_checked(record)}; not proved"
    if status == "refuted":
        words = f"**refuted** at {text(counterexample_words(record))}"
        if record.get("only_wrong_at"):
            words += f"; holds except at {text(exceptions_text(record['only_wrong_at']))}, {_checked(record)}"
        if record.get("condition"):
            words += f"; it seems to hold exactly where {code(record['condition'])}"
        if proofs_of(record):
            words += f"; **proved** {written(proved(record), code)}"
        return words
    if status == "partial":
        words = f"describes {percent(record['share'])} of {record['total']:,} training positions"
        if record.get("exact_for"):
            settings = (", ".join(f"{n}={v}" for n, v in setting.items()) for setting in record["exact_for"])
            words += f", all of those with {text('; '.join(settings))}"
        if record.get("counterexample"):
            words += f"; wrong at {text(counterexample_words(record))}"
        return words
    return f"**{status}**" + (f": {text(record['reason'])}" if record.get("reason") else "")


def _checked(record: Record) -> str:
    labels = [item["instance"] for item in record["instances"] if item["checked"]]
    named = f" ({text(_instances(labels))})" if labels else ""
    games = f" of {record['games']:,} games ({code(record['every'])})" if record.get("games") else ""
    return f"at {'all ' if record['status'] == 'holds' else ''}{record['checked']:,} positions{games}{named}"


def _instances(labels: Sequence[str]) -> str:
    if len(labels) <= _FEW:
        return "; ".join(labels)
    return f"{labels[0]} … {labels[-1]}, {len(labels)} instances"


def evidence(record: Record) -> str | None:
    """By what it is proved: the files that anyone can run or check again; or why it is not."""
    proofs = [proof for proof in proofs_of(record) if proof["proof"]]
    if proofs:
        return "; ".join(_evidence(record, proof, len(proofs) > 1) for proof in proofs)
    if record["status"] == "holds":
        reasons = [proof["reason"] for proof in record.get("proofs", []) if proof["reason"]]
        return f"none: {text(reasons[0])}" if reasons else None
    return None


def _evidence(record: Record, proof: Record, several: bool) -> str:
    """One proof. several: there are others, so it is said for which parameters this one is."""
    reach = f"{written(extent({**record, 'proofs': [proof]}), code)}: " if several else ""
    equal = f"{text(proof['reason'])}: " if proof["reason"] else ""
    used = f", together with {', '.join(map(code, proof['used']))}" if proof["used"] else ""
    return f"{reach}{equal}{_by(proof['proof'])} {code(proof['proof'])}{used}; {text(by(proof))}"


def _by(file: str) -> str:
    if file.endswith(".mona"):
        return "by induction, decided by MONA:"
    return "by a certificate, which `grundylab certify` goes through again:"


def _try(engine: str, records: Iterable[Record], notes: Sequence[str]) -> Try:
    mine = sorted((record for record in records if record["engine"] == engine), key=_rank)
    said = "; ".join(map(text, notes))
    if not mine:
        return Try(code(engine), "", "no formula", said)
    best = mine[0]
    return Try(code(engine), code(best["formula"]), verdict(best), said)


# -- statements of our own, and rows ----------------------------------------------------------------------------


def _of_claims(claims: Iterable[Record]) -> Iterable[Finding]:
    """The statements of rulesets that are from no paper: they were found here."""
    for claim in claims:
        if not claim.get("unpublished"):
            continue
        status = claim["status"]
        yield Finding(
            section=status if status in (PROVED, HOLDS) else OPEN,
            title=claim["title"],
            ruleset=claim["ruleset"],
            study=claim["study"],
            target=claim["target"],
            region=None,
            open=None,
            status=status,
            latex=claim["latex"],
            formula=claim["formula"],
            where=_unless_all(claim["where"]),
            verdict=verdict(claim),
            evidence=evidence(claim),
            relation="",
            found_by=text(claim["at"]),
            tries=(),
            note=text(claim["note"]),
            procedures=_procedures(claim),
        )


def _row_cells(row: Record) -> tuple[str, ...]:
    fixed = ", ".join(f"{name}={value}" for name, value in {**row["parameters"], **row["row"]}.items())
    period = "" if row["period"] is None else f"{row['period']:,}"
    preperiod = "" if row["period"] is None else f"{row['preperiod']:,}"
    reason = f": {text(row['reason'])}" if row.get("reason") else ""
    said = f"**{row['status']}**{reason} ({row['checked']:,} places seen)"
    return (code(row["ruleset"]), code(fixed or "all"), code(row["target"]), preperiod, period, said)


__all__ = ["Finding", "Try", "evidence", "findings", "results_record", "results_text", "verdict"]
