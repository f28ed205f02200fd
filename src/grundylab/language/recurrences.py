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
    argument, first = function.arguments[0], function.initial[0][0] if function.initial else None
    tables: dict[tuple[int, ...], dict[int, int]] = {}
    filling, running = _Filling(function, body, meter), False

    def value(env: Environment) -> int:
        nonlocal running
        setting = tuple([env[name] for name in parameters]) if parameters else ()
        known = tables.get(setting)
        if known is None:
            known = tables[setting] = dict(function.initial)
        wanted = env[argument]
        if wanted in known:
            return known[wanted]
        if running:
            raise _Missing(wanted)
        if first is not None and wanted < first:
            raise EvaluationError(f"{function.name}({wanted}) is not defined: it begins at {first}")
        running = True
        try:
            filling.fill(wanted, known, env)
        finally:
            running = False
        return known[wanted]

    return value


class _Missing(Exception):  # control flow: a recurrence needs another value first
    def __init__(self, argument: int) -> None:
        super().__init__(argument)
        self.argument = argument


class _Filling:
    """Puts values into the tables of one recurrence, and counts the bits of all of them."""

    def __init__(self, function: Function, body: Evaluator, meter: Meter | None) -> None:
        self._function = function
        self._body = body
        self._meter = meter
        self._kept = 0

    def fill(self, wanted: int, known: dict[int, int], env: Environment) -> None:
        """Find the value that is wanted, and those that it needs."""
        name, argument, body, inner = self._function.name, self._function.arguments[0], self._body, dict(env)
        waiting, on_the_way = [wanted], {wanted}
        while waiting:
            if self._meter is not None:
                self._meter.spend(self._function.body.size)
            inner[argument] = waiting[-1]
            try:
                found = body(inner)
            except _Missing as missing:
                needed = missing.argument
                self._check_needed(needed, wanted, on_the_way, len(known) + len(waiting))
                waiting.append(needed)
                on_the_way.add(needed)
            else:
                at, bits = waiting.pop(), found.bit_length()
                if bits > MAX_BITS:
                    raise LimitError(f"{name}({at}) has more than {MAX_BITS:,} binary digits")
                self._kept += bits
                if self._kept > MAX_KEPT:
                    raise LimitError(f"{name}({wanted}) needs values of more than {MAX_KEPT:,} digits in all")
                known[at] = found
                on_the_way.discard(at)

    def _check_needed(self, needed: int, wanted: int, on_the_way: set[int], values: int) -> None:
        """values: how many are known or waited for."""
        name, initial = self._function.name, self._function.initial
        if initial and needed < initial[0][0]:
            raise EvaluationError(f"{name}({needed}) is not defined: it begins at {initial[0][0]}") from None
        if needed in on_the_way:
            raise EvaluationError(f"{name}({needed}) is defined by itself") from None
        if values > MAX_RECURRENCE or abs(needed) > abs(wanted) + MAX_RECURRENCE:
            raise LimitError(f"{name}({wanted}) needs more than {MAX_RECURRENCE:,} values") from None
