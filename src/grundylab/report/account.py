"""What is known of one game, as an account in plain text: theorems, what holds to where, what is false, what is open.

A formula that several engines found is told once. Whatever is told of a formula is the catalogue's word for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grundylab.catalogue.files import Catalogue
from grundylab.catalogue.records import ClaimRecord, Finding, Formula, Row, Status
from grundylab.catalogue.words import by, extent, few, numbers, percent, row_words, say, written

TARGETS = {"p": "P-positions", "grundy": "Grundy numbers"}
_MOST = 12  # lines of one section; the others are counted
_LONGEST = 240  # characters of a formula
_HEADS: dict[Status, str] = {
    "proved": "Theorems",
    "holds": "Right at every position that was looked at, and not proved",
    "refuted": "Right in small tables, and wrong in larger ones",
    "undecided": "Undecided",
}


def account(known: Catalogue, doing: str = "") -> str:
    """The account. doing: what was being done when it was interrupted."""
    (study,) = known.studies
    lines = [f"{study.ruleset}: {study.title}"]
    lines.append(f"learnt from {few(study.training)}; checked at {few(study.test)}")
    if doing:
        lines.append(f"interrupted while {doing}: what follows is what was known then")
    for status, head in _HEADS.items():
        told = [formula for formula in _once(known.formulas) if formula.status == status]
        lines += _section(head, map(_formula, told))
    lines += _section("Periods", [_row(row) for row in known.rows if row.status != "proved" or not row.size])
    lines += _section("Not found", _missing(known), most=None)
    lines += _section("What the ruleset states", map(_claim, known.claims), most=None)
    return "\n".join(lines)


def _section(head: str, entries: Iterable[Sequence[str]], most: int | None = _MOST) -> list[str]:
    """An empty line, the head, and the lines of the entries below it; nothing if there are none."""
    every = list(entries)
    shown = every[:most]
    lines = [line for entry in shown for line in entry]
    if len(shown) < len(every):
        lines.append(f"… and {len(every) - len(shown):,} more, which --json has")
    return ["", f"{head}:", *(f"  {line}" for line in lines)] if lines else []


def _once(formulas: Sequence[Formula]) -> list[Formula]:
    """The formulas, each once; no rows of a game of which there is one for all."""
    whole = {each.target for each in formulas if each.status in ("proved", "holds") and each.where == "True"}
    once: dict[tuple[str, ...], Formula] = {}
    for each in formulas:
        if each.where == "True" or each.engine != "rows" or each.target not in whole:
            once.setdefault((each.target, each.formula, each.where), each)
    return list(once.values())


def _formula(found: Formula) -> list[str]:
    where = f" where {found.where}" if found.where != "True" else ""
    lines = [
        f"{TARGETS.get(found.target, found.target)}: {_cut(found.formula)}{where}",
        f"    {_said(found)}",
    ]
    for name, of in found.values.items():
        lines.append(f"    {name}: the Grundy numbers of {of} game")
    return lines + [f"    {line}" for line in _proof(found)]


def _said(found: Finding) -> str:
    """For what it is proved, and by what; else how far it holds, or what refutes it."""
    if found.status == "proved" and found.decided_by is not None:
        return f"proved {written(extent(found))}, {by(found.decided_by)}"
    return written(say(found))


def _proof(found: Finding) -> list[str]:
    """Where the proofs are; or why there is none."""
    if found.proved:
        return [f"proof: {proof.proof}" for proof in found.proved if proof.proof]
    return [f"not proved: {proof.reason}" for proof in found.proofs[:1] if proof.reason]


def _row(row: Row) -> list[str]:
    where = f"{numbers(row.parameters)}: " if row.parameters else ""
    proof = f" ({row.proof})" if row.proof else ""
    return [f"{TARGETS[row.target]}: {where}{row.status}: {row_words(row)}{proof}"]


def _claim(claim: ClaimRecord) -> list[str]:
    lines = [f"{claim.status:<9} {claim.claim}: {written(say(claim))}"]
    if claim.correction is not None:
        lines.append(f"          instead: {claim.correction.statement} ({claim.correction.status})")
    return lines


def _missing(known: Catalogue) -> Iterator[list[str]]:
    """Of each target without a formula that is right everywhere: the closest, and what was looked at."""
    (study,) = known.studies
    for target in study.targets:
        mine = [formula for formula in known.formulas if formula.target == target]
        if any(formula.status in ("proved", "holds") for formula in mine):
            continue
        lines = [f"{TARGETS.get(target, target)}: no formula that is right everywhere"]
        closest = max((f for f in mine if f.partial), key=lambda f: f.share, default=None)
        if closest is not None and closest.share > 1 / 2:
            lines.append(
                f"    closest: {_cut(closest.formula)} ({percent(closest.share)} of the positions learnt from)"
            )
        asked = [each for each in known.engines if each.target == target]
        first = {
            each.engine: each for each in reversed(asked)
        }  # what it says of all settings, if it was asked again
        lines += [f"    {each.engine}: {note}" for each in first.values() for note in each.notes]
        if len(asked) > len(first):
            lines.append("    nor is one found for any setting of the parameters alone")
        yield lines


def _cut(formula: str) -> str:
    return formula if len(formula) <= _LONGEST else f"{formula[:_LONGEST]}…"
