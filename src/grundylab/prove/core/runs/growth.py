"""Growth of a function of one argument: a lower bound, and from which argument on it is non-decreasing.

Both follow from rules on the function's definition, and for recurrences from an induction on the argument. Computed
values are used only at finitely many arguments: where the definition changes case, and at the start of an induction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grundylab.errors import EvaluationError
from grundylab.games.model import FreeFunction
from grundylab.language import syntax
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Function, Functions
from grundylab.language.plain import compile_plain, mentioned_names
from grundylab.language.substitution import lower
from grundylab.language.syntax import TRUE, Binary, Call, Compare, Expr, If, Int, Logic, Name
from grundylab.prove.core.space import low_ends

LATEST = 12  # how many arguments, from the first on, are tried as the start of a rule


@dataclass(frozen=True)
class Growth:
    """The growth of a function f: f(x) has a value and is at least ``least``, for all x >= first.

    Also f(x) <= f(y) whenever rises <= x <= y; ``rises`` is None if no such argument is known.
    """

    first: int
    least: int
    rises: int | None


def growth_of(functions: Functions, name: str, first: int, lows: Mapping[str, int]) -> Growth | None:
    """Return the growth of a function of one argument, for arguments >= first; None if no lower bound is found.

    lows: the least value of each parameter.
    """
    if name in BUILTINS:
        row = BUILTINS[name]
        bounded = row.rises and row.least is not None and first >= row.least
        return Growth(first, row.value(first), first) if bounded else None
    function = functions[name]
    if not isinstance(function, Function) or len(function.arguments) != 1:
        return None
    return _Analysis(functions, function, first, lows).result()


def assumed_growth(free: FreeFunction, first: int) -> Growth | None:
    """Return the growth that follows from the property of a free function of one argument; None without a lower bound.

    None also if the function would be called below 0, where it has no value.
    The property is read for terms ``f(k) >= c`` and ``f(k - 1) <= f(k)``; the latter may also stand as
    ``k <= c or f(k - 1) <= f(k)``.
    """
    if len(free.arguments) != 1 or first < 0:
        return None
    x = Name(free.arguments[0])
    here, before = Call(free.name, (x,)), Call(free.name, (Binary("-", x, Int(1)),))
    leasts = [low.value for low in low_ends(free.condition, here) if isinstance(low, Int)]
    rises = None
    for term in syntax.conjuncts(free.condition):
        guard: Expr = TRUE
        if isinstance(term, Logic) and term.op == "or" and len(term.terms) == 2:
            guard, term = term.terms
        if term in (Compare(("<=",), (before, here)), Compare((">=",), (here, before))):
            # f(k - 1) <= f(k) for all k > c means that f rises from c on
            last = first if guard == TRUE else None
            match guard:
                case Compare(ops=("<=",), terms=(left, Int(value=value))) if left == x:
                    last = value
                case Compare(ops=("<",), terms=(left, Int(value=value))) if left == x:
                    last = value - 1
            rises = last if rises is None else rises
    return Growth(first, max(leasts), rises if rises is None else max(rises, first)) if leasts else None


@dataclass(frozen=True)
class _Range:
    """A lower bound of an expression, and whether it is non-decreasing in x, both for all x from some start on."""

    least: int
    rises: bool


class _Unknown(Exception):
    pass


@dataclass(frozen=True)
class _Induction:
    """The induction hypothesis: on smaller arguments >= first, f >= least and, if ``rises``, f is non-decreasing."""

    first: int
    least: int
    rises: bool


@dataclass(frozen=True)
class _Analysis:
    functions: Functions
    function: Function
    first: int
    lows: Mapping[str, int]

    def result(self) -> Growth | None:
        """Return the growth of the function; None if no lower bound is found."""
        if self.function.recurrence:
            try:
                return self._recurrence()
            except (_Unknown, EvaluationError):
                return None
        whole = self._body_range(self.first, None)
        if whole is None:
            return None
        for start in range(self.first, self.first + LATEST):
            later = self._body_range(start, None)
            if later is not None and later.rises:
                return Growth(self.first, whole.least, start)
        return Growth(self.first, whole.least, None)

    @property
    def _x(self) -> str:
        return self.function.arguments[0]

    def _body_range(self, start: int, assuming: _Induction | None) -> _Range | None:
        """Return the range of the function for arguments >= start, under ``assuming``; None if no rule gives one."""
        try:
            return self._range(lower(self.function.body), start, assuming)
        except (_Unknown, EvaluationError):
            return None

    # -- recurrences ------------------------------------------------------------------------------------------

    def _recurrence(self) -> Growth:
        given = [argument for argument, _ in self.function.initial]
        first = given[0] if given else self.first
        if given != list(range(first, first + len(given))) or self.first < first:
            raise _Unknown
        start = first + len(given)  # from here on the body gives the values
        value = self._numerically(Call(self.function.name, (Name(self._x),)))
        values = {x: value(x) for x in range(first, start + 3 * LATEST)}
        least = min(values.values())
        late = (self._body_range(x, _Induction(first, least, False)) for x in range(start, start + LATEST))
        if not any(bounds is not None and bounds.least >= least for bounds in late):
            raise _Unknown
        for begin in range(first, first + LATEST):
            for later in range(max(start, begin + 1), begin + 2 * LATEST):
                steps = all(values[x] <= values[x + 1] for x in range(begin, later))
                bounds = self._body_range(later, _Induction(begin, least, True)) if steps else None
                if bounds is not None and bounds.rises:
                    return Growth(self.first, least, max(begin, self.first))
        return Growth(self.first, least, None)

    # -- rules ------------------------------------------------------------------------------------------------

    def _range(self, expr: Expr, start: int, assuming: _Induction | None) -> _Range:
        """Return the range of the expression for arguments >= start; raise _Unknown if no rule gives one.

        assuming: the induction hypothesis for recursive calls; None if these are not allowed.
        """

        def of(part: Expr) -> _Range:
            return self._range(part, start, assuming)

        match expr:
            case Int(value=value):
                return _Range(value, True)
            case Name(id=name) if name == self._x:
                return _Range(start, True)
            case Name(id=name) if name in self.lows:
                return _Range(self.lows[name], True)
            case Binary(op="+", left=left, right=right):
                a, b = of(left), of(right)
                return _Range(a.least + b.least, a.rises and b.rises)
            case Binary(op="-", left=left, right=Int(value=value)):
                a = of(left)
                return _Range(a.least - value, a.rises)
            case Binary(op="*" | "<<" as op, left=left, right=right):
                a, b = of(left), of(right)
                if min(a.least, b.least) < 0:
                    raise _Unknown
                least = a.least * b.least if op == "*" else a.least << b.least
                return _Range(least, a.rises and b.rises)
            case Binary(op="//", left=left, right=Int(value=value)) if value > 0:
                a = of(left)
                return _Range(a.least // value, a.rises)
            case Binary(op="%", left=left, right=Int(value=value)) if value > 0:
                of(left)
                return _Range(0, False)
            case If():
                return self._cases(expr, start, assuming)
            case Call(name=name, arguments=arguments):
                return self._call(name, [of(part) for part in arguments], arguments, start, assuming)
        raise _Unknown

    def _call(
        self,
        name: str,
        parts: list[_Range],
        arguments: tuple[Expr, ...],
        start: int,
        assuming: _Induction | None,
    ) -> _Range:
        rises, first = all(part.rises for part in parts), parts[0]
        if name in BUILTINS and BUILTINS[name].several:
            return _Range(BUILTINS[name].value(*(part.least for part in parts)), rises)
        if name == self.function.name:
            match arguments[0]:  # the argument must be plainly less than x for all x >= start
                case Binary(op="-", left=Name(id=other), right=Int(value=value)):
                    smaller = other == self._x and value >= 1
                case Binary(op="//", left=Name(id=other), right=Int(value=value)):
                    smaller = other == self._x and value >= 2 and start >= 1
                case _:
                    smaller = False
            if assuming is None or first.least < assuming.first or not smaller:
                raise _Unknown
            return _Range(assuming.least, rises and assuming.rises)
        if (name in self.functions or name in BUILTINS) and (
            growth := growth_of(self.functions, name, first.least, self.lows)
        ):
            return _Range(growth.least, rises and growth.rises == growth.first)
        raise _Unknown

    def _cases(self, expr: If, start: int, assuming: _Induction | None) -> _Range:
        """Return the range of a choice, whose condition compares the argument with a constant.

        Raises _Unknown for another condition, and for one that may change twice.
        """
        match expr.condition:
            case Compare(ops=(op,), terms=(Name(id=name), Int(value=value))) if name == self._x:
                pass
            case _:
                raise _Unknown
        if op in ("==", "!=") and start < value:
            raise _Unknown
        # before these arguments the condition is true, or false, and from there on the opposite
        changes, before = value if op in ("<", ">=") else value + 1, op in ("<", "<=", "==")
        first, then = (expr.then, expr.otherwise) if before else (expr.otherwise, expr.then)
        if start >= changes:
            return self._range(then, start, assuming)
        a, b = self._range(first, start, assuming), self._range(then, changes, assuming)
        rises = a.rises and b.rises
        if rises:  # then also from the last argument before the change to the first one after it
            try:
                rises = self._numerically(first)(changes - 1) <= self._numerically(then)(changes)
            except _Unknown:
                rises = False
        return _Range(min(a.least, b.least), rises)

    def _numerically(self, expr: Expr) -> Callable[[int], int]:
        """Return the expression's value as a function of the argument; raise _Unknown if it mentions a parameter."""
        if (mentioned_names(expr, self.functions) | mentioned_names(self.function.body, self.functions)) - {
            self._x
        }:
            raise _Unknown
        value = compile_plain(expr, self.functions)
        constants = dict.fromkeys(self.functions.parameters, 0)
        return lambda x: value({**constants, self._x: x})
