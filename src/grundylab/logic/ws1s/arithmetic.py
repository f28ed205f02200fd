"""Operations on numbers as WS1S text: division by constants, bitwise operators, extremes, powers of two."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from grundylab.logic.ws1s.linear import Atom, End, Linear, Scope, Writer, greatest, least, linear
from grundylab.logic.ws1s.text import (
    FALSE,
    TRUE,
    all_of,
    any_of,
    constant,
    equal,
    lowest,
    negation,
)

MAX_FACTORS = 16  # values of a factor that a product is split into


class Arithmetic(Writer):
    """Writes the values of operations: new variables, which a scope binds, with the formulas that define them."""

    def quotient(self, form: Linear, divisor: int, scope: Scope) -> Linear:
        """``form // divisor`` for a divisor > 0, rounded down as in Python."""
        if divisor == 1:
            return form
        if not form.terms:
            return Linear((), form.constant // divisor)
        low, high = form.low, form.high
        if low is not None:
            shift = max(0, -(low // divisor))
            return self._natural_quotient(form + shift * divisor, divisor, scope) - shift
        if high is not None:  # floor(-a/d) = -floor((a + d - 1)/d)
            return -self.quotient(-form + (divisor - 1), divisor, scope)
        # floor((-a - 1)/d) = -floor(a/d) - 1: the digits are divided and the sign stays
        atom = self.digits(form, scope)
        digits = self._natural_quotient(linear(Atom(atom.digits)), divisor, scope).single()
        assert digits is not None
        return linear(Atom(digits.digits, atom.sign, None, None))

    def _natural_quotient(self, form: Linear, divisor: int, scope: Scope) -> Linear:
        low, high = form.low, form.high
        assert low is not None
        low, high = low // divisor, None if high is None else high // divisor
        if low == high:
            return Linear((), low)
        if divisor & (divisor - 1) == 0:
            shift = divisor.bit_length() - 1
            digits = self.digits(form, scope).digits
            name = self.fresh("t")
            scope.bind(f"(({name} + {shift}) = ({digits} \\ {lowest(shift)}))", name)
        else:
            name, rest = self.fresh("t"), self.fresh("t")
            inner = Scope()
            inner.bind(self.call("less", rest, constant(divisor)), rest)
            difference = form - linear(Atom(name)) * divisor - linear(Atom(rest, FALSE, 0, divisor - 1))
            scope.bind(inner.around(self.zero(difference)), name)
        return linear(Atom(name, FALSE, low, high))

    def remainder(self, form: Linear, divisor: int, scope: Scope) -> Linear:
        """``form % divisor`` for a divisor > 0, which is 0 or more as in Python."""
        low, high = form.low, form.high
        if low is not None and high is not None and low // divisor == high // divisor:
            return form - low // divisor * divisor
        reduced = Linear((), form.constant % divisor)
        for atom, factor in form.terms:  # -a leaves the same remainder as (divisor - 1)*a
            if factor % divisor == 0:
                continue
            if atom.signed:
                positive, negative = self.split(atom, scope)
                reduced += linear(Atom(negative)) * (-factor % divisor)
                reduced += linear(Atom(positive)) * (factor % divisor)
            else:
                reduced += linear(atom) * (factor % divisor)
        if not reduced.terms:
            return Linear((), reduced.constant % divisor)
        if divisor & (divisor - 1) == 0:
            digits = self.digits(reduced, scope).digits
            return linear(Atom(f"({digits} inter {lowest(divisor.bit_length() - 1)})", FALSE, 0, divisor - 1))
        name, whole = self.fresh("t"), self.fresh("t")
        rest = Atom(name, FALSE, 0, divisor - 1)
        equation = self.zero(reduced - linear(Atom(whole)) * divisor - linear(rest))
        scope.bind(all_of(self.call("less", name, constant(divisor)), f"(ex2 {whole}: {equation})"), name)
        return linear(rest)

    # -- binary digits -----------------------------------------------------------------------------

    def nim_sum(self, atoms: Sequence[Atom], scope: Scope) -> Linear:
        """``a ^ b ^ …``."""
        return linear(reduce(lambda a, b: self._nim_sum(a, b, scope), atoms))

    def _nim_sum(self, a: Atom, b: Atom, scope: Scope) -> Atom:
        name, sign = self.fresh("t"), _parity([a.sign, b.sign])
        scope.bind(self.call("nimsum", a.digits, b.digits, name), name)
        return Atom(name, sign, *_ends(sign, _mask([a.high, b.high]) if sign == FALSE else None))

    def nim_zero(self, atoms: Sequence[Atom]) -> str:
        """That the nim-sum of the atoms is 0."""
        signs = negation(_parity([atom.sign for atom in atoms]))
        digits = [atom.digits for atom in atoms if atom.digits != "empty"]
        if len(digits) < 3:
            digits = [*digits, "empty", "empty"][:2]
            return all_of(signs, equal(*digits))
        scope = Scope()
        while len(digits) > 3:
            name = self.fresh("t")
            scope.bind(self.call("nimsum", digits[0], digits[1], name), name)
            digits[:2] = [name]
        return all_of(signs, scope.around(self.call("nimsum", *digits)))

    def bitwise(self, op: str, a: Atom, b: Atom, scope: Scope) -> Atom:
        """``a & b`` or ``a | b``."""
        if op == "|" and (a.signed or b.signed):
            return flipped(self.bitwise("&", flipped(a), flipped(b), scope))
        if not a.signed and not b.signed:
            if op == "&":
                highs = [end for end in (a.high, b.high) if end is not None]
                return Atom(f"({a.digits} inter {b.digits})", FALSE, 0, min(highs, default=None))
            return Atom(f"({a.digits} union {b.digits})", FALSE, 0, _mask([a.high, b.high]))
        name, sign = self.fresh("t"), all_of(a.sign, b.sign)
        scope.bind(self.call("both", a.sign, a.digits, b.sign, b.digits, name), name)
        natural = next((atom for atom in (a, b) if not atom.signed), None)
        return Atom(name, sign, *_ends(sign, natural.high if natural else None))

    def highest_power(self, form: Linear, scope: Scope) -> Linear:
        """``1 << floor_log2(form)``, where the form is at least 1."""
        name = self.fresh("t")
        scope.bind(self.call("highest_power", self.digits(form, scope).digits, name), name)
        return linear(Atom(name, FALSE, 1, form.high if form.high is None else max(form.high, 1)))

    def is_power_of_two(self, form: Linear) -> str:
        """That the form is 1, 2, 4, …"""
        scope = Scope()
        atom = self.digits(form, scope)
        return scope.around(all_of(negation(atom.sign), self.call("power_of_two", atom.digits)))

    # -- cases -------------------------------------------------------------------------------------

    def absolute(self, form: Linear, scope: Scope) -> Linear:
        """``abs(form)``."""
        test = self.at_least_zero(form)
        if test in (TRUE, FALSE):
            return form if test == TRUE else -form
        high = None if form.low is None or form.high is None else max(abs(form.low), abs(form.high))
        return self._cases(scope, 0, high, [(test, form), (negation(test), -form)])

    def product(self, a: Linear, b: Linear, scope: Scope) -> Linear | None:
        """``a * b`` if one of them is constant or has few values."""
        for few, many in ((a, b), (b, a)):
            low, high = few.low, few.high
            if low is not None and high is not None and high - low < MAX_FACTORS:
                values = range(low, high + 1)
                if len(values) == 1:
                    return many * low
                cases = [(self.zero(few - value), many * value) for value in values]
                ends = [many * value for value in values]
                low, high = least([form.low for form in ends]), greatest([form.high for form in ends])
                return self._cases(scope, low, high, cases)
        return None

    def _cases(self, scope: Scope, low: End, high: End, cases: list[tuple[str, Linear]]) -> Linear:
        """The form whose condition is true; one is."""
        return self.introduce(
            scope,
            low,
            high,
            lambda new: any_of(*(all_of(condition, self.zero(form - new)) for condition, form in cases)),
        )


def flipped(atom: Atom) -> Atom:
    """-atom - 1: the same digits, with the other sign."""
    low, high = (None if end is None else -end - 1 for end in (atom.high, atom.low))
    return Atom(atom.digits, negation(atom.sign), low, high)


def _parity(signs: Sequence[str]) -> str:
    """The formula that an odd number of the signs is true."""
    kept = [sign for sign in signs if sign not in (TRUE, FALSE)]
    parity = reduce(lambda a, b: f"~({a} <=> {b})", kept) if kept else FALSE
    return negation(parity) if sum(sign == TRUE for sign in signs) % 2 else parity


def _ends(sign: str, high: End) -> tuple[End, End]:
    """The interval of a number with this sign; high: a bound if it is known to be natural."""
    if sign == FALSE:
        return 0, high
    return None, -1 if sign == TRUE else None


def _mask(highs: Sequence[End]) -> End:
    """The number with as many digits 1 as the longest has digits."""
    known = [end for end in highs if end is not None]
    return 2 ** max(end.bit_length() for end in known) - 1 if len(known) == len(highs) else None
