"""The wording of findings, proofs, counterexamples and rows, shared by every output.

A status alone does not tell for which parameters a statement is proved. An output that shows a status therefore also
shows ``status_details`` or ``extent_words``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from grundylab.automata.systems import System
from grundylab.check.shares import percent as percent
from grundylab.check.verification import Counterexample, exceptions_text
from grundylab.errors import number_text
from grundylab.findings.digit_words import digits_in_words
from grundylab.findings.false_parts import false_parts_text
from grundylab.findings.period_words import READ_AT_ONCE, period_in_words, period_text
from grundylab.findings.rows import Row
from grundylab.games.instance import instance_labels
from grundylab.games.model import GRUNDY, P_POSITIONS, Target
from grundylab.language.numeration import numeration_system
from grundylab.language.syntax import FALSE, TRUE, Accepts, Expr
from grundylab.records.finding import Finding, LearntTables
from grundylab.records.proofs import COQ, RIGHT, STATUSES, ProofRecord, Status, extent_of
from grundylab.records.relation import NEW, RelationWord, relation_text

Words = tuple[str | Expr, ...]  # texts and conditions; each output typesets the conditions in its own way
_TARGETS = {P_POSITIONS: "P-positions", GRUNDY: "Grundy numbers"}
_NUMBERS = ("no", "one", "two", "three", "four")
_MOST_LISTED = 16  # texts of a list that are all written
_LITTLE = 30  # a statement that holds at fewer positions is marked as little supported


@cache
def _system(formula: Expr) -> System:
    return numeration_system([formula])


def status_rank(status: Status) -> int:
    """Return the rank of a status in the order in which readers see them: 0 for ``proved``, and so on."""
    return STATUSES.index(status)


def status_tally(statuses: Iterable[Status]) -> dict[Status, int]:
    """Return the number of records of each status that occurs, sorted by ``status_rank``."""
    return dict(sorted(Counter(statuses).items(), key=lambda item: status_rank(item[0])))


def target_title(target: Target) -> str:
    """Return a target's name for a heading, such as ``P-positions``."""
    return _TARGETS.get(target, str(target).replace("grundy ==", "Grundy number"))


def number_with_noun(number: int, what: str) -> str:
    """Return a number with its noun: ``1 claim``, ``1,234 claims``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def assignment_text(values: Mapping[str, int]) -> str:
    """Return names with their values as text: ``m=4, x=7``."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


def list_text(texts: Sequence[str]) -> str:
    """Return the texts in one line; of many, only the first ones, the last one and their number."""
    if len(texts) <= _MOST_LISTED:
        return "; ".join(texts)
    return f"{'; '.join(texts[: _MOST_LISTED // 2])}; …; {texts[-1]}, {len(texts):,} in all"


# -- records ----------------------------------------------------------------------------------------------------------


def status_details(record: Finding) -> Words:
    """Return the text that follows a record's status: the evidence, the counterexample or the reason."""
    match record.status:
        case "proved":
            return proof_words(record)
        case "holds":
            return (
                checked_positions_text(record) + ", too few to say much" * (record.test.checked < _LITTLE),
            )
        case "partial":
            text = f"describes {share_text(record)}"
            if record.origin.exact_for:
                text += (
                    f", all of those with {list_text(list(map(assignment_text, record.origin.exact_for)))}"
                )
            return (text + (f"; wrong at {counterexample_words(record)}" if record.counterexample else ""),)
        case "undecided":
            return (record.reason or "",)
    reasons = [proof.reason for proof in record.refuting if proof.reason]
    words: list[str | Expr] = (
        [f"at {counterexample_words(record)}"] if record.counterexample else [*reasons[:1]]
    )
    if record.test.exceptions:
        words += [
            f"; holds except at {exceptions_text(record.test.exceptions)}, {checked_positions_text(record)}"
        ]
    if record.condition and record.exactly is None:
        words += ["; it seems to hold exactly where ", record.condition]
    if any(proof.exactly and proof.where == FALSE for proof in record.refuting):
        words.append("; no parameter values make it true at all positions")
    return (*words, "; but proved ", *proof_words(record)) if record.proved else tuple(words)


def equivalent_wordings(record: Finding) -> list[Words]:
    """Return other wordings of a formula; empty if none is known.

    The first is the period of its values, if it is long. If it contains an automaton, there follow the formulas that
    are proved equivalent, each with the condition of its proof, if any. Last comes the property of digits that the
    automaton tests. The first and the last need no proof.
    """
    readings: dict[Expr, Words] = {}
    for proof in record.proved:
        if proof.reading is not None:
            reach = extent_of(proof, record.where)
            about = reach.condition if reach.exactly is None else reach.exactly
            where = (" where ", about) if about != TRUE else ()
            readings.setdefault(proof.reading, (proof.reading, *where))
    period, digits = period_in_words(record.formula), digits_in_words(record.formula)
    return [*([(period,)] if period else []), *readings.values(), *([] if digits is None else [digits])]


def plain_formula(record: Finding) -> Expr:
    """Return the formula or, if it contains an automaton, the equivalent one without, if all proofs give the same."""
    words = {proof.reading for proof in record.proved}
    (same,) = words if record.status == "proved" and len(words) == 1 else (None,)
    return record.formula if same is None else same


def headline(record: Finding) -> Words:
    """Return the formula in its plainest wording: a short formula, then words, then a formula, then an automaton."""
    formula = plain_formula(record)
    if formula.size <= READ_AT_ONCE and not isinstance(formula, Accepts):
        return (formula,)
    if period := period_in_words(record.formula):
        return (period,)
    return digits_in_words(record.formula) or (formula,)


def checked_positions_text(record: Finding) -> str:
    """Return how much was checked: ``at all 1,234 positions of 7 games (f: 0..3 -> 0..3) (N=8)``."""
    every = "all " * (record.test.checked > 1 and record.status in ("holds", "proved"))
    games = ""
    if record.source.games:
        games = f" of {number_with_noun(record.source.games, 'game')} ({record.source.every})"
    labels = tuple(record.test.instances)
    return f"at {every}{number_with_noun(record.test.checked, 'position')}{games}" + (
        f" ({instance_labels(labels)})" if labels else ""
    )


def share_text(record: Finding) -> str:
    """Return the share of positions at which a partial formula is right: ``97.5 % of 1,234 training positions``."""
    split, counts = ("validation", record.validate) if not record.train.wrong else ("training", record.train)
    return f"{percent(record.share)} of {number_with_noun(counts.checked, f'{split} position')}"


def learnt_text(learnt: Sequence[LearntTables]) -> str:
    """Return the tables from which an engine learnt: ``trained on 81 positions (N=8); then on 289 positions …``."""
    texts = list(map(tables_text, learnt))
    again = [f"then on {text}, where it had no right answer" for text in texts[1:]]
    return "; ".join([*(f"trained on {text}" for text in texts[:1]), *again])


def tables_text(tables: LearntTables) -> str:
    """Return the number of positions that an engine saw in these tables, and the tables: ``81 positions (N=8)``."""
    return f"{number_with_noun(tables.positions, 'position')} ({instance_labels(tables.instances)})"


def training_text(record: Finding) -> str:
    """Return the tables from which the formula was learnt, and at how many positions of each split it is right.

    For instance ``trained on 81 positions (N=8); right at all 81 training positions, at all 289 validation positions``.
    """
    splits = {
        "training": replace(record.train, instances={}),
        "validation": record.validate,
        "test": record.test,
    }
    right = list[str]()
    for name, counts in splits.items():
        if counts.checked or name == "training":
            words = "all " if not counts.wrong else f"{counts.right:,} of "
            share = f", {percent(counts.right / counts.checked)}" if counts.wrong else ""
            tables = f" ({instance_labels(tuple(counts.instances))})" if counts.instances else ""
            right.append(f"at {words}{number_with_noun(counts.checked, f'{name} position')}{share}{tables}")
    learnt = [learnt_text(record.origin.learnt)] if record.origin.learnt else []
    return "; ".join([*learnt, f"right {', '.join(right)}"])


def counterexample_words(record: Finding) -> str:
    """Return the record's counterexample in words; empty if it has none."""
    if record.counterexample is None:
        return ""
    return counterexample_text(record.counterexample, record.target, record.formula)


def relation_word(record: Finding | Row) -> RelationWord | None:
    """Return the relation of a formula, claim or row to the statements on record; None if it has none.

    A right claim that is marked ``unpublished`` is ``new``: its ruleset says that no source states it.
    """
    if isinstance(record, Finding) and record.claimed:
        return "new" if record.source.unpublished and record.status in RIGHT else None
    return record.relation.relation if record.relation else None


def is_new(record: Finding | Row) -> bool:
    """Tell whether the record is right and not among the statements on record."""
    return relation_word(record) == "new"


def finding_relation_text(record: Finding) -> str:
    """Return the relation of a formula or claim to the statements on record in words; empty if it has none."""
    if record.claimed:
        return NEW if is_new(record) else ""
    return relation_text(record.relation)


def row_text(row: Row) -> str:
    """Return a line of text about a row of positions: which row it is, and its preperiod, period and saltus."""
    where = assignment_text({**row.parameters, **row.row})
    head = f"{target_title(row.target)} along {', '.join(row.axes)}" + (f" with {where}" if where else "")
    return f"{head}: {'no period found' if row.period is None else row_words(row)}"


def row_words(row: Row) -> str:
    """Return the preperiod and period of a row of positions in words, or why no period is known."""
    if row.period is None or row.preperiod is None:
        return str(row.reason)
    text = period_text(row.preperiod, row.period)
    if row.saltus == 0:
        text += f"; {row.exceptions:,} exceptions"
    else:
        text = text.replace("period", "period and saltus", 1)
    if row.saltus and row.families is not None:
        text += f"; {row.exceptions:,} single positions and {row.families:,} families"
    return text + (f" ({row.reason})" if row.reason else "")


# -- proofs: their extents and procedures -----------------------------------------------------------------------------


def extent_words(record: Finding) -> Words:
    """Return the extent of the proofs: ``for all sizes with k == 1``, or ``for all sizes exactly where m % 4 == 3``.

    If these are known to be finitely many positions: ``for the only 6 positions that it covers``, or
    ``for 3 positions only, those with k == 1, or k == 2``.
    """
    if record.complete:
        return ("every entry was computed",)
    if record.exactly is not None:
        return ("for all sizes exactly where ", record.exactly)
    extents = record.extents
    few = None if record.finite is None else number_with_noun(record.finite, "position")
    if not extents or any(one.whole for one in extents):
        return (f"for the only {few} that it covers" if few else "for all sizes",)
    words: list[str | Expr] = []
    for one in extents:
        words += [", or " if words else f"for {few} only, those with " if few else "for all sizes with "]
        words += [one.condition] if one.condition != TRUE else []
        if one.states is not None:
            words += [" and " * (one.condition != TRUE)]
            words += [f"the parameters that an automaton of {one.states} states accepts"]
    return tuple(words)


def proofs_alone(record: Finding) -> list[Finding]:
    """Return the record with each of its successful proofs alone, so that each extent can be put into words."""
    return [replace(record, proofs=(proof,)) for proof in record.proved]


def extent_text(record: Finding) -> str:
    """Return ``extent_words`` as plain text; empty if no part of the statement is proved."""
    return words_text(extent_words(record)) if record.complete or record.proved else ""


def is_partly_proved(record: Finding) -> bool:
    """Tell whether the statement is proved, but only for some of its parameters or positions."""
    extents = record.extents
    return bool(extents) and not any(one.whole for one in extents)


def words_text(words: Words) -> str:
    """Return the words as plain text, on one line."""
    return "".join(map(str, words))


def procedure_count_text(names: Sequence[str]) -> str:
    """Return the number of procedures in words: ``by two procedures``, and ``, machine-checked`` if Coq is one."""
    number = max(1, len(names))
    count = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"by {count} procedure{'' if number == 1 else 's'}{', machine-checked' * (COQ in names)}"


def procedures_text(proof: ProofRecord) -> str:
    """Return the number and the names of a proof's procedures: ``by two independent procedures (…; …)``.

    If a second procedure was asked but could not check the proof, its reason is added.
    """
    count = procedure_count_text(proof.procedures).replace(" procedures", " independent procedures")
    inside = ["; ".join(proof.procedures)] if proof.procedures else []
    if proof.second is not None and proof.second.status != "agrees":
        inside += [f"not confirmed by {proof.second.by}: {proof.second.reason}"]
    return f"{count} ({'; '.join(inside)})" if inside else count


def coq_answer_text(proof: ProofRecord | Row) -> str:
    """Return in words that Coq accepts the proof, or why it has not checked it; empty if Coq was not asked."""
    answer = proof.machine_checked
    if answer is None:
        return ""
    if answer.status == "accepted":
        more = f"; {answer.reason}" if answer.reason else ""
        return f"machine-checked: Coq accepts it, without axioms{more}"
    return f"not machine-checked: {answer.reason}"


def proof_words(record: Finding, named: bool = False) -> Words:
    """Return the text that follows ``proved``: for which parameters, and by how many procedures.

    named: whether the procedures are named as well.
    """
    if record.decided_by is None:
        return extent_words(record)
    return (
        *extent_words(record),
        f", {procedures_text(record.decided_by) if named else procedure_count_text(record.procedures)}",
    )


def proved_counts_text(records: Iterable[Finding]) -> str:
    """Return in words how proved records are confirmed: ``18 by two procedures, 12 machine-checked``."""
    every = list(records)
    two = sum(len(record.procedures) > 1 for record in every)
    checked = sum(COQ in record.procedures for record in every)
    part = sum(is_partly_proved(record) for record in every)
    words = [f"{two:,} by two procedures"] if every else []
    words += [f"{checked:,} machine-checked"] if checked else []
    return ", ".join([*words, *([f"{part:,} for some parameters only"] if part else [])])


# -- counterexamples --------------------------------------------------------------------------------------------------


def counterexample_line(example: Counterexample, target: Target, formula: Expr) -> str:
    """Return a line such as ``smallest counterexample: (x=1): …``; see ``counterexample_text``."""
    which = "smallest counterexample" if example.smallest else "counterexample"
    return f"{which}: {counterexample_text(example, target, formula)}"


def counterexample_text(example: Counterexample, target: Target, formula: Expr) -> str:
    """Return the counterexample: ``(x=1, y=2, p=1) with m=3: a P-position, the formula says N``.

    Unless the formula's numeration system is binary, the numbers follow as digits of this system.
    """
    text, system = _wrong_there(example, target, formula), _system(formula)
    if system.binary:
        return text
    values = {**example.position, **example.parameters}
    digits = (f"{name}={system.written(number)}" for name, number in values.items())
    return f"{text} ({', '.join(digits)} in {system.words})"


def _wrong_there(example: Counterexample, target: Target, formula: Expr) -> str:
    truth, value, answer = example.truth, example.found, "has no value there"
    chosen = [assignment_text(example.parameters)] if example.parameters else []
    chosen += [function.told(name) for name, function in example.functions.items()]
    where = f"({assignment_text(example.position)})" + (f" with {', '.join(chosen)}" if chosen else "")
    if target.name == "true":
        if value is None:
            return f"{where}: the condition {answer}"
        parts = false_parts_text(formula, {**example.parameters, **example.position})
        return f"{where}: the condition is false" + (f", {parts}" if parts else "")
    if target.name == "grundy":
        true = f"the Grundy number is {truth}"
        answer = answer if value is None else f"says {number_text(value)}"
    elif target.name == "p":
        true = "a P-position" if truth else "an N-position"
        answer = answer if value is None else f"says {'P' if value else 'N'}"
    elif target.own:
        shown = number_text if target.name == "number" else bool
        true = f"{target} is {shown(truth)}"
        answer = answer if value is None else f"says {shown(value)}"
    else:
        true = f"the Grundy number is {'' if truth else 'not '}{target.value}"
        answer = answer if value is None else f"says it is {'' if value else 'not '}{target.value}"
    return f"{where}: {true}, the formula {answer}"
