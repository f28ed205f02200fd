"""What is known, in words: of a finding, a proof, a counterexample, a row; one wording for every output.

Its status alone does not say for which parameters something is proved; whoever shows the status shows ``say``, or
``extent``, with it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from grundylab.catalogue.attempts import ProofRecord, attempt
from grundylab.catalogue.records import STATUSES, ClaimRecord, Formula, Judged, Row, Status
from grundylab.check.verification import Counterexample, Verdict, exceptions_text
from grundylab.games.model import Target, parse_target
from grundylab.language import parse_condition
from grundylab.language.syntax import FALSE, TRUE, Expr
from grundylab.prove.outcome import Proof

Words = tuple[
    str | Expr, ...
]  # texts and conditions, so that each output sets the conditions in its own type
_NUMBERS = ("no", "one", "two", "three", "four")
_FEW = 3  # instances that are named one by one
_target = cache(parse_target)


def rank(status: Status) -> int:
    """Which status a reader should see first."""
    return STATUSES.index(status)


def tally(statuses: Iterable[Status]) -> dict[Status, int]:
    """How many there are of each status, in the order in which a reader should see them."""
    return dict(sorted(Counter(statuses).items(), key=lambda item: rank(item[0])))


def many(number: int, what: str) -> str:
    """``1 claim``, ``1,234 claims``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def percent(share: float) -> str:
    """A share from 0 to 1, rounded down: less than all is never 100 %."""
    return f"{math.floor(share * 10_000) / 100:g} %"


def numbers(values: Mapping[str, int]) -> str:
    """``m=4, x=7``."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


def few(labels: Sequence[str]) -> str:
    """The labels, or the first, the last and how many."""
    if len(labels) <= _FEW:
        return "; ".join(labels)
    return f"{labels[0]} … {labels[-1]}, {len(labels)} instances"


# -- of a record ----------------------------------------------------------------------------------------------------


def say(record: Judged) -> Words:
    """What stands after its status: what is known, and no more."""
    match record.status:
        case "proved":
            return proved(record)
        case "holds":
            return (checked(record),)
        case "partial":
            return (_share(record),)
        case "undecided":
            return (record.reason or "",)
    words: list[str | Expr] = [f"at {counterexample_words(record)}"]
    if record.only_wrong_at:
        words += [f"; holds except at {exceptions_text(record.only_wrong_at)}, {checked(record)}"]
    if record.condition:
        words += ["; it seems to hold exactly where ", parse_condition(record.condition)]
    return (*words, "; but proved ", *proved(record)) if record.proved else tuple(words)


def checked(record: Judged) -> str:
    """``at all 1,234 positions of 7 games (f: 0..3 -> 0..3) (N=8)``."""
    labels = [check.instance for check in record.instances if check.checked]
    every = "all " * (record.checked > 1 and record.status in ("holds", "proved"))
    games = ""
    if isinstance(record, ClaimRecord) and record.games:
        games = f" of {many(record.games, 'game')} ({record.every})"
    return f"at {every}{many(record.checked, 'position')}{games}" + (f" ({few(labels)})" if labels else "")


def _share(record: Judged) -> str:
    assert isinstance(record, Formula)
    words = f"describes {percent(record.share)} of {record.total:,} training positions"
    if record.exact_for:
        words += f", all of those with {'; '.join(map(numbers, record.exact_for))}"
    return words + (f"; wrong at {counterexample_words(record)}" if record.counterexample else "")


def counterexample_words(record: Judged) -> str:
    """Its counterexample; nothing if it has none."""
    return counterexample_text(record.counterexample, _target(record.target)) if record.counterexample else ""


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
    found = record.extents
    if exact := next((one.exactly for one in found if one.exactly is not None), None):
        return ("for all sizes exactly where ", exact)
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
    """``by two procedures``: for a list."""
    number = max(1, len(names))
    count = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"by {count} procedure{'' if number == 1 else 's'}"


def by(proof: ProofRecord) -> str:
    """``by two independent procedures (…; …)``, or by one, and why no other has checked it."""
    said = by_many(proof.procedures).replace(" procedures", " independent procedures")
    inside = ["; ".join(proof.procedures)] if proof.procedures else []
    if proof.second is not None and proof.second.status != "agrees":
        inside += [f"the second ({proof.second.by}) has not checked it: {proof.second.reason}"]
    return f"{said} ({'; '.join(inside)})" if inside else said


def proved(record: Judged) -> Words:
    """What stands after ``proved`` in a list: for which parameters, and by how many procedures."""
    if record.decided_by is None:
        return extent(record)
    return (*extent(record), f", {by_many(record.procedures)}")


def counted(records: Iterable[Judged]) -> str:
    """Of records that are proved: ``18 by two procedures, 3 for some parameters only``."""
    known = list(records)
    two = sum(len(record.procedures) > 1 for record in known)
    part = sum(in_part(record) for record in known)
    words = [f"{two:,} by two procedures"] if known else []
    return ", ".join([*words, *([f"{part:,} for some parameters only"] if part else [])])


# -- of a counterexample --------------------------------------------------------------------------------------------


def counterexample_line(example: Counterexample, target: Target) -> str:
    """The counterexample, with a word before it."""
    which = "smallest counterexample" if example.smallest else "counterexample"
    return f"{which}: {counterexample_text(example, target)}"


def counterexample_text(example: Counterexample, target: Target) -> str:
    """``(x=1, y=2, p=1) with m=3: a P-position, the formula says N``."""
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
        f"{verdict.status}: {verdict.checked:,} positions" + (f" ({labels})" if labels else ""),
    ]
    if verdict.reason:
        lines.append(verdict.reason)
    if example := verdict.counterexample:
        lines.append(counterexample_line(example, verdict.target))
    if verdict.exceptions:
        lines.append(f"holds except at {exceptions_text(verdict.exceptions)}, as far as these tables go")
    failing = [check.instance.label for check in verdict.informative if not check.holds]
    kept = len(verdict.informative) - len(failing)
    if failing and kept:
        lines.append(f"holds in {kept} of {len(verdict.informative)} instances, not in {'; '.join(failing)}")
    if empty := [check.instance.label for check in verdict.checks if check.holds is None]:
        lines.append(f"nothing was checked in {'; '.join(empty)}")
    if condition is not None:
        lines.append(f"these values suggest that it holds exactly where {condition}")
    return "\n".join(lines)


def proof_text(proof: Proof, file: str | None, said: str | None = None) -> str:
    """A proof; ``said``: the statement's text, if it is not plainly that the formula is the target's."""
    lines = [_head(proof, said), f"{proof.status}{_proved_for(proof)}"]
    if proof.reason:
        lines[-1] += f": {proof.reason}"
    if proof.counterexample:
        lines.append(counterexample_line(proof.counterexample, proof.target))
    if proof.status == "refuted" and proof.condition is not None:
        known = "for no parameters" if proof.condition == FALSE else f"exactly where {proof.condition}"
        lines.append(f"true at all positions {known}")
    if proof.used:
        lines.append(f"by induction together with: {', '.join(proof.used)}")
    if proof.automaton is not None:
        lines.append(f"the automaton of those parameters has {proof.automaton.states} states")
    if proof.status == "proved":
        lines.append(f"proved {by(attempt(proof, file))}")
    if file:
        kind = "MONA script" if proof.script else "certificate"
        lines.append(f"{kind}: {file} ({proof.seconds:.2f} s in all)")
    return "\n".join(lines)


def _head(about: Verdict | Proof, said: str | None) -> str:
    where = f" where {about.where}" if about.where != TRUE else ""
    return f"{said or f'{about.target}: {about.formula}'}{where}"


def _proved_for(proof: Proof) -> str:
    if proof.status != "proved":
        return ""
    sizes = " for all sizes" + (f" with {proof.fixed_where}" if proof.fixed else "")
    if proof.playable is not None:
        return f"{sizes} where {proof.condition}; the rules make a game only where {proof.playable}"
    if proof.condition is not None and proof.condition != TRUE:
        return f"{sizes}; over all parameters it is true exactly where {proof.condition}"
    if proof.condition is None and proof.automaton is not None:
        return f"{sizes}, for the parameters of an automaton that no short condition describes"
    return sizes
