"""What is known, in words: of a finding, a proof, a counterexample, a row; one wording for every output.

Its status alone does not say for which parameters something is proved; whoever shows the status shows ``say``, or
``extent``, with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from grundylab.automata.systems import BINARY, System
from grundylab.catalogue.attempts import COQ, Attempt, ProofRecord, extent_of
from grundylab.catalogue.records import STATUSES, ClaimRecord, Formula, Judged, Row, Status, of_attempts
from grundylab.check.shares import percent as percent
from grundylab.check.verification import Counterexample, Verdict, exceptions_text
from grundylab.games.instance import few
from grundylab.games.model import Target
from grundylab.language.numeration import numeration
from grundylab.language.syntax import FALSE, TRUE, Expr

Words = tuple[
    str | Expr, ...
]  # texts and conditions, so that each output sets the conditions in its own type
_NUMBERS = ("no", "one", "two", "three", "four")
_LOOKED = ", looking at"  # so many positions: it is not said that all of these refute it
_LITTLE = 30  # positions: of a statement that holds at fewer it is said that this says little


@cache
def _system(formula: Expr) -> System:
    return numeration([formula])


def rank(status: Status) -> int:
    """Which status a reader should see first."""
    return STATUSES.index(status)


def tally(statuses: Iterable[Status]) -> dict[Status, int]:
    """How many there are of each status, in the order in which a reader should see them."""
    return dict(sorted(Counter(statuses).items(), key=lambda item: rank(item[0])))


def many(number: int, what: str) -> str:
    """``1 claim``, ``1,234 claims``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def numbers(values: Mapping[str, int]) -> str:
    """``m=4, x=7``."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


# -- of a record ----------------------------------------------------------------------------------------------------


def say(record: Judged) -> Words:
    """What stands after its status: what is known, and no more."""
    match record.status:
        case "proved":
            return proved(record)
        case "holds":
            return (checked(record) + ", too few to say much" * (record.checked < _LITTLE),)
        case "partial":
            return (_share(record),)
        case "undecided":
            return (record.reason or "",)
    reasons = [proof.reason for proof in record.refuting if proof.reason]
    words: list[str | Expr] = (
        [f"at {counterexample_words(record)}"] if record.counterexample else [*reasons[:1]]
    )
    if record.only_wrong_at:
        words += [f"; holds except at {exceptions_text(record.only_wrong_at)}, {checked(record)}"]
    if record.condition and record.exactly is None:
        words += ["; it seems to hold exactly where ", record.condition]
    if any(proof.exactly and proof.where == FALSE for proof in record.refuting):
        words.append("; for no values of the parameters is it true at all positions")
    return (*words, "; but proved ", *proved(record)) if record.proved else tuple(words)


def other_words(record: Judged) -> list[Words]:
    """What says the same as a formula with an automaton in it, each with the condition under which that is proved."""
    found: dict[Expr, Words] = {}
    for proof in record.proved:
        if proof.reading is not None:
            reach = extent_of(proof, record.where)
            about = reach.condition if reach.exactly is None else reach.exactly
            found.setdefault(proof.reading, (proof.reading, *((" where ", about) if about != TRUE else ())))
    return list(found.values())


def checked(record: Judged) -> str:
    """``at all 1,234 positions of 7 games (f: 0..3 -> 0..3) (N=8)``."""
    every = "all " * (record.checked > 1 and record.status in ("holds", "proved"))
    games = ""
    if isinstance(record, ClaimRecord) and record.games:
        games = f" of {many(record.games, 'game')} ({record.every})"
    return f"at {every}{many(record.checked, 'position')}{games}" + (
        f" ({few(record.looked_at)})" if record.looked_at else ""
    )


def _share(record: Judged) -> str:
    assert isinstance(record, Formula)
    words = f"describes {percent(record.share)} of {record.total:,} training positions"
    if record.exact_for:
        words += f", all of those with {'; '.join(map(numbers, record.exact_for))}"
    return words + (f"; wrong at {counterexample_words(record)}" if record.counterexample else "")


def counterexample_words(record: Judged) -> str:
    """Its counterexample; nothing if it has none."""
    if record.counterexample is None:
        return ""
    return counterexample_text(record.counterexample, record.target, _system(record.formula))


def row_words(row: Row) -> str:
    """What is known of a row."""
    if row.period is None or row.preperiod is None:
        return str(row.reason)
    text = f"preperiod {row.preperiod:,}, period and saltus {row.period:,}"
    if row.saltus == 0:
        text = f"preperiod {row.preperiod:,}, period {row.period:,}; {row.exceptions:,} exceptions"
    elif row.families is not None:
        text += f"; {row.exceptions:,} single positions and {row.families:,} families"
    return text + (f" ({row.reason})" if row.reason else "")


# -- of what is proved: for which parameters and positions, and by how many procedures -------------------------------


def extent(record: Judged) -> Words:
    """``for all sizes with k == 1, or k == 2``; ``for all sizes exactly where m % 4 == 3``."""
    if record.complete:
        return ("every entry was computed",)
    if record.exactly is not None:
        return ("for all sizes exactly where ", record.exactly)
    found = record.extents
    if not found or any(one.whole for one in found):
        return ("for all sizes",)
    words: list[str | Expr] = []
    for one in found:
        words += [", or " if words else "for all sizes with "]
        words += [one.condition] if one.condition != TRUE else []
        if one.states is not None:
            words += [" and " * (one.condition != TRUE)]
            words += [f"the parameters that an automaton of {one.states} states accepts"]
    return tuple(words)


def reach(record: Judged) -> str:
    """The same in plain text, and nothing of what is not proved: of what is refuted or only holds elsewhere, too."""
    return written(extent(record)) if record.complete or record.proved else ""


def in_part(record: Judged) -> bool:
    """Whether it is proved, and for some parameters or positions only."""
    found = record.extents
    return bool(found) and not any(one.whole for one in found)


def written(words: Words) -> str:
    """The words in a line of plain text."""
    return "".join(map(str, words))


def by_many(names: Sequence[str]) -> str:
    """``by two procedures``, or ``by two procedures, machine-checked`` if Coq is one of them: for a list."""
    number = max(1, len(names))
    count = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"by {count} procedure{'' if number == 1 else 's'}{', machine-checked' * (COQ in names)}"


def by(proof: ProofRecord) -> str:
    """``by two independent procedures (…; …)``, or by one, and why no other has checked it."""
    said = by_many(proof.procedures).replace(" procedures", " independent procedures")
    inside = ["; ".join(proof.procedures)] if proof.procedures else []
    if proof.second is not None and proof.second.status != "agrees":
        inside += [f"the second ({proof.second.by}) has not checked it: {proof.second.reason}"]
    return f"{said} ({'; '.join(inside)})" if inside else said


def machine_checked(proof: ProofRecord | Row) -> str:
    """Whether Coq accepts it, or why that is not known; nothing if it was not asked."""
    said = proof.machine_checked
    if said is None:
        return ""
    if said.status == "accepted":
        return f"machine-checked: Coq accepts it, without axioms{f'; {said.reason}' if said.reason else ''}"
    return f"not machine-checked: {said.reason}"


def proved(record: Judged, named: bool = False) -> Words:
    """What stands after ``proved``: for which parameters, and by how many procedures; ``named``: and by which."""
    if record.decided_by is None:
        return extent(record)
    return (*extent(record), f", {by(record.decided_by) if named else by_many(record.procedures)}")


def counted(records: Iterable[Judged]) -> str:
    """Of records that are proved: ``18 by two procedures, 12 machine-checked, 3 for some parameters only``."""
    known = list(records)
    two = sum(len(record.procedures) > 1 for record in known)
    checked = sum(COQ in record.procedures for record in known)
    part = sum(in_part(record) for record in known)
    words = [f"{two:,} by two procedures"] if known else []
    words += [f"{checked:,} machine-checked"] if checked else []
    return ", ".join([*words, *([f"{part:,} for some parameters only"] if part else [])])


# -- of a counterexample --------------------------------------------------------------------------------------------


def counterexample_line(example: Counterexample, target: Target, system: System = BINARY) -> str:
    """The counterexample, with a word before it."""
    which = "smallest counterexample" if example.smallest else "counterexample"
    return f"{which}: {counterexample_text(example, target, system)}"


def counterexample_text(example: Counterexample, target: Target, system: System = BINARY) -> str:
    """``(x=1, y=2, p=1) with m=3: a P-position, the formula says N``.

    system: if it is not the binary one, the numbers follow in its digits.
    """
    text = _wrong_there(example, target)
    if system.binary:
        return text
    known = {**example.position, **example.parameters}
    digits = (f"{name}={system.written(number)}" for name, number in known.items())
    return f"{text} ({', '.join(digits)} in {system.words})"


def _wrong_there(example: Counterexample, target: Target) -> str:
    truth, found, said = example.truth, example.found, "has no value there"
    chosen = [numbers(example.parameters)] if example.parameters else []
    chosen += [function.told(name) for name, function in example.functions.items()]
    where = f"({numbers(example.position)})" + (f" with {', '.join(chosen)}" if chosen else "")
    if target.name == "true":
        return f"{where}: {'not so' if found is not None else f'it {said}'}"
    if target.name == "grundy":
        true = f"the Grundy number is {truth}"
        said = said if found is None else f"says {found}"
    elif target.name == "p":
        true = "a P-position" if truth else "an N-position"
        said = said if found is None else f"says {'P' if found else 'N'}"
    elif target.own:
        kind = int if target.name == "number" else bool
        true = f"{target} is {kind(truth)}"
        said = said if found is None else f"says {kind(found)}"
    else:
        true = f"the Grundy number is {'' if truth else 'not '}{target.value}"
        said = said if found is None else f"says it is {'' if found else 'not '}{target.value}"
    return f"{where}: {true}, the formula {said}"


# -- of a verdict and of a proof, in lines ----------------------------------------------------------------------------


def verdict_text(verdict: Verdict, condition: Expr | None = None, said: str | None = None) -> str:
    """The verdict: status, what was checked, the counterexample; ``said`` as in ``proof_text``."""
    labels = "; ".join(check.instance.label for check in verdict.informative)
    lines = [
        _head(verdict, said),
        f"{verdict.status}{_LOOKED if verdict.status == 'refuted' else ':'} {verdict.checked:,} positions"
        + (f" ({labels})" if labels else ""),
    ]
    if verdict.reason:
        lines.append(verdict.reason)
    if example := verdict.counterexample:
        system = numeration([verdict.formula])
        lines.append(counterexample_line(example, verdict.target, system))
    if verdict.exceptions:
        lines.append(f"holds except at {exceptions_text(verdict.exceptions)}, as far as these tables go")
    failing = [check.instance.label for check in verdict.informative if not check.holds]
    kept = len(verdict.informative) - len(failing)
    if failing and kept:
        lines.append(f"holds in {kept} of {len(verdict.informative)} instances, not in {'; '.join(failing)}")
    if empty := [check.instance.label for check in verdict.checks if check.holds is None]:
        lines.append(f"nothing was checked in {'; '.join(empty)}")
    if condition is not None:
        lines.append(f"it seems to hold exactly where {condition}")
    return "\n".join(lines)


def proof_text(tried: Sequence[Attempt], seconds: float, said: str | None = None) -> str:
    """What was tried of one statement, in so many seconds.

    said: its text, if it is not plainly that the formula is the target's.
    """
    first, record = tried[0], of_attempts(tried)
    lines = [_head(record, said)]
    if record.status == "proved":
        lines += [f"proved {written(extent(record))}"]
    else:
        why = record.status == "undecided" or (record.status == "refuted" and record.counterexample is None)
        lines += [f"{record.status}{':' * why} {written(say(record))}"]
        lines += [first.reason] if first.reason and record.counterexample is not None else []
    for each in tried:
        lines += _evidence(each, seconds)
        if each.machine_checked is not None:
            file = each.machine_checked.file
            lines += [machine_checked(each) + (f" ({file})" if file else "")]
    return "\n".join(
        [*lines, *(f"the same in other words: {written(words)}" for words in other_words(record))]
    )


def _evidence(tried: Attempt, seconds: float) -> list[str]:
    """By what a proof is one, line by line; nothing of what is none."""
    if tried.status != "proved":
        return []
    lines = [f"the rules make a game only where {tried.playable}"] if tried.playable else []
    lines += [f"by induction together with: {', '.join(tried.used)}"] if tried.used else []
    lines += [f"proved {by(tried)}"]
    if tried.automaton is not None:
        lines += [f"the automaton of those parameters has {many(tried.automaton.states, 'state')}"]
    if tried.proof is not None:
        kind = "MONA script" if tried.proof.endswith(".mona") else "certificate"
        lines += [f"{kind}: {tried.proof} ({seconds:.2f} s in all)"]
    return lines


def _head(about: Verdict | Judged, said: str | None) -> str:
    where = f" where {about.where}" if about.where != TRUE else ""
    return f"{said or f'{about.target}: {about.formula}'}{where}"
