"""The values of a recurrence without recursion: each that is needed is computed once, the deepest first."""

from __future__ import annotations

from grundylab.errors import EvaluationError, LimitError
from grundylab.language.evaluation import MAX_BITS, Environment, Evaluator, Meter
from grundylab.language.functions import Function

MAX_RECURRENCE = 1_000_000  # values of a recurrence kept
MAX_KEPT = 600_000_000  # bits of all of them, which is 75 MB


def tabulated(
    function: Function, parameters: tuple[str, ...], body: Evaluator, meter: Meter | None = None
) -> Evaluator:
    """The function's value where its argument and the parameters have theirs; one table for each setting of these.

    body: the evaluator of the function's body, in which its calls of itself are calls of what is returned here.
    """
    name, argument, initial = function.name, function.arguments[0], dict(function.initial)
    first = function.initial[0][0] if initial else None
    tables: dict[tuple[int, ...], dict[int, int]] = {}
    kept, running = 0, False  # bits of all tables, and whether one is being filled

    def value(env: Environment) -> int:
        nonlocal running
        setting = tuple([env[parameter] for parameter in parameters]) if parameters else ()
        known = tables.get(setting)
        if known is None:
            known = tables[setting] = dict(initial)
        wanted = env[argument]
        if wanted in known:
            return known[wanted]
        if running:
            raise _Missing(wanted)
        check_domain(wanted)
        running = True
        try:
            fill(wanted, known, dict(env))
        finally:
            running = False
        return known[wanted]

    def check_domain(at: int) -> None:
        if first is not None and at < first:
            raise EvaluationError(f"{name}({at}) is not defined: it begins at {first}")

    def fill(wanted: int, known: dict[int, int], inner: dict[str, int]) -> None:
        nonlocal kept
        waiting = {wanted: None}  # in the order in which each needs the next
        while waiting:
            if meter is not None:
                meter.spend(function.body.size)
            at = inner[argument] = next(reversed(waiting))
            try:
                found = body(inner)
            except _Missing as missing:
                (needed,) = missing.args
                check_domain(needed)
                if needed in waiting:
                    raise EvaluationError(f"{name}({needed}) is defined by itself") from None
                if len(known) + len(waiting) > MAX_RECURRENCE or abs(needed) > abs(wanted) + MAX_RECURRENCE:
                    raise LimitError(f"{name}({wanted}) needs more than {MAX_RECURRENCE:,} values") from None
                waiting[needed] = None
                continue
            bits = found.bit_length()
            if bits > MAX_BITS:
                raise LimitError(f"{name}({at}) has more than {MAX_BITS:,} binary digits")
            kept += bits
            if kept > MAX_KEPT:
                raise LimitError(f"{name}({wanted}) needs values of more than {MAX_KEPT:,} digits in all")
            known[at] = found
            del waiting[at]

    return value


class _Missing(Exception):
    """Control flow: a recurrence needs another value first."""
