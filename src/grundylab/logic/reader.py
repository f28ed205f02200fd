"""Formulas as automata over integers of any size, constructed from the syntax tree alone.

An automaton reads several numbers in parallel, digit by digit; each of them is called a *track*. A number of the
formula is a linear form over tracks. A subterm that is not linear (a remainder, a nim-sum, a minimum, …) gets a track
of its own, and an automaton that defines the track; the track is eliminated where the number is compared. A condition
is two automata: where it is true, and where it is false. It has no value elsewhere.

In a numeration system other than the binary one, a track is a natural number. Linear forms may still be negative and
are compared as they are. But a subterm that gets a track and may be negative is outside the fragment
(``fragment.py``), as are the operations on binary digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from functools import reduce

from grundylab.automata.beatty import RootMultiple, beatty_automaton
from grundylab.automata.dfa import AutomataBudget, Dfa, constant_dfa, intersection, projection, union
from grundylab.language.builtins import BUILTINS
from grundylab.language.counting import count_comparison, count_remainders
from grundylab.language.functions import NO_FUNCTIONS, Functions
from grundylab.language.operators import OPERATORS
from grundylab.language.plain import is_closed
from grundylab.language.substitution import lower, substitute
from grundylab.language.syntax import (
    Accepts,
    Binary,
    Bool,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Kind,
    Logic,
    Name,
    Negate,
    Not,
    compare,
    operands,
)
from grundylab.logic import atoms
from grundylab.logic import fragment as outside
from grundylab.logic.atoms import LinearForm, TruthAutomata, fresh_variable, is_log, truth_automata
from grundylab.logic.fragment import OutsideFragment


class AutomataReader:
    """A translator of the formulas of one game into automata, in which a name is the track of the same name.

    functions: the ruleset's. work: the budget, and the numeration system. natural: names whose values the caller knows
    to be natural numbers; for negative values of these, the automata may treat a product as if it had no value. The
    methods raise OutsideFragment, and TooLarge when the budget is exhausted.
    """

    def __init__(
        self,
        functions: Functions = NO_FUNCTIONS,
        work: AutomataBudget | None = None,
        natural: Set[str] = frozenset(),
    ) -> None:
        self.work = work or AutomataBudget()
        self._functions = functions
        self._natural = natural
        self._forms: dict[Expr, LinearForm] = {}
        self._whole: dict[Expr, TruthAutomata] = {}
        self._truths: dict[Expr, TruthAutomata] = {}
        self._meaning: dict[str, tuple[Dfa, frozenset[str], bool]] = {}  # track: automaton, needs, total

    # -- results ----------------------------------------------------------------------------------------------

    def true(self, condition: Expr) -> Dfa:
        """Return the automaton of the tuples where the condition is true."""
        return self.truth(condition).true

    def truth(self, condition: Expr) -> TruthAutomata:
        """Return the automata of the tuples where the condition is true, and where it is false."""
        automata = self._whole.get(condition)
        if automata is None:
            automata = self._whole[condition] = self._truth(lower(self._functions.expand(condition)))
        return automata

    def held(self, number: Expr) -> Dfa | None:
        """Return the automaton of the tuples where a track can have this value; None in the binary system.

        In other systems these are the tuples where the number is at least 0; in the binary system, all tuples.
        """
        return None if self.work.system.binary else self.true(compare(">=", number, Int(0)))

    def defined(self, expr: Expr) -> Dfa | None:
        """Return the automaton of the tuples where the expression has a value; None if it has one everywhere."""
        if isinstance(expr, Name | Int | Bool):
            return None
        if expr.kind is Kind.CONDITION:
            truth = self.truth(expr)
            return None if truth.total else truth.true | truth.false
        form = self._form(lower(self._functions.expand(expr)))
        if self._total(form.needs):
            return None
        return self._project(constant_dfa(True, self.work), form.needs)

    # -- conditions -------------------------------------------------------------------------------------------

    def _truth(self, expr: Expr) -> TruthAutomata:
        if isinstance(expr, If | Logic | Not):
            return self._read(expr)  # only their parts are cached: hashing these is slow if they are deep
        automata = self._truths.get(expr)
        if automata is None:
            automata = self._truths[expr] = self._read(expr)
        return automata

    def _read(self, expr: Expr) -> TruthAutomata:
        match expr:
            case Bool(value=value):
                true = constant_dfa(value, self.work)
                return TruthAutomata(true, ~true)
            case Not(operand=operand):
                inner = self._truth(operand)
                return TruthAutomata(inner.false, inner.true, inner.total)
            case Compare():
                return self._all(self._link(*link) for link in expr.links)
            case Logic(op="and", terms=terms):
                return self._all(map(self._truth, terms))
            case Logic(op="or", terms=terms):
                return self._any(map(self._truth, terms))
            case If(condition=condition, then=then, otherwise=otherwise):
                test, a, b = map(self._truth, (condition, then, otherwise))
                true = (test.true & a.true) | (test.false & b.true)
                if test.total and a.total and b.total:
                    return TruthAutomata(true, ~true)
                return truth_automata(true, (test.true & a.false) | (test.false & b.false))
            case Call(name="is_power_of_two", arguments=(argument,)):
                outside.check_binary_system(expr, "is_power_of_two()", self.work.system)
                track, needs = self._track(self._form(argument))
                return self._on_names(atoms.power_of_two(track, self.work), needs)
            case Call():
                raise outside.call_outside(expr, self._functions)
            case Accepts(automaton=automaton, arguments=arguments):
                outside.check_same_system(expr, automaton.system, self.work.system)
                tracks, needs = self._tracks(map(self._form, arguments))
                return self._on_names(atoms.digit_automaton_dfa(tracks, automaton, self.work), needs)
            case Bounded(quantifier="any" | "all"):
                return self._bounded(expr)
        raise TypeError(f"not a condition: {expr!r}")

    def _all(self, truths: Iterable[TruthAutomata]) -> TruthAutomata:
        """Return the conjunction, evaluated from the left: it is false as soon as one part is false."""
        parts = list(truths)
        true = intersection([part.true for part in parts], self.work)
        if all(part.total for part in parts):
            return TruthAutomata(true, ~true)
        false, before = constant_dfa(False, self.work), constant_dfa(True, self.work)
        for part in parts:
            false, before = false | (before & part.false), before & part.true
        return truth_automata(true, false)

    def _any(self, parts: Iterable[TruthAutomata]) -> TruthAutomata:
        """Return the disjunction, evaluated from the left: it is true as soon as one part is true."""
        turned = self._all(TruthAutomata(part.false, part.true, part.total) for part in parts)
        return TruthAutomata(turned.false, turned.true, turned.total)

    def _link(self, op: str, left: Expr, right: Expr) -> TruthAutomata:
        """Return the automata of one comparison, which compares left - right with 0."""
        meaning = count_comparison(op, left, right)
        if meaning is not None:
            count = left if isinstance(left, Call) else right
            return self._where_defined(self._truth(meaning), count)
        if op in (">", ">="):
            left, right = right, left
        form = self._form(left).plus(self._form(right), -1)
        form = form.plus(LinearForm((), int(op in ("<", ">"))))
        atom = self._linear(form, "==" if op in ("==", "!=") else "<=")
        return self._on_names(~atom if op == "!=" else atom, form.needs)

    def _where_defined(self, truth: TruthAutomata, count: Expr) -> TruthAutomata:
        """Return the automata of a comparison with ``count``, a digit-counting call, only where the call has a value.

        truth: the automata of the comparison rewritten without the call, which has values elsewhere, too.
        """
        assert isinstance(count, Call)
        least = BUILTINS[count.name].least
        if least is None:
            return truth
        has = self._truth(compare(">=", count.arguments[0], Int(least))).true
        return truth_automata(truth.true & has, truth.false & has)

    def _on_names(self, atom: Dfa, needs: frozenset[str]) -> TruthAutomata:
        """Return the automata of a condition that read names only, without tracks of subterms.

        atom: the automaton of the condition that also reads tracks of subterms. needs: these tracks.
        """
        true = self._project(atom, needs)
        if self._total(needs):
            return TruthAutomata(true, ~true)
        return truth_automata(true, self._project(~atom, needs))

    def _project(self, atom: Dfa, needs: frozenset[str]) -> Dfa:
        needed = self._closure(needs)
        return projection(needed, [atom, *(self._meaning[track][0] for track in sorted(needed))], self.work)

    def _closure(self, needs: frozenset[str]) -> frozenset[str]:
        return reduce(frozenset.union, (self._closure(self._meaning[track][1]) for track in needs), needs)

    def _total(self, needs: frozenset[str]) -> bool:
        return all(self._meaning[track][2] for track in self._closure(needs))

    def _bounded(self, expr: Bounded) -> TruthAutomata:
        try:
            return self._quantified(expr)
        except OutsideFragment as error:  # the body at a single value may be inside the fragment
            bodies = map(self._truth, self._written_out(expr, error))
            truth = self._any(bodies) if expr.quantifier == "any" else self._all(bodies)
            ends = self._ends(expr)
            return truth if ends.is_full else truth_automata(truth.true & ends, truth.false & ends)

    def _ends(self, expr: Bounded) -> Dfa:
        """Return the automaton of the tuples where both ends of the range have values."""
        return intersection([m for end in (expr.start, expr.stop) if (m := self.defined(end))], self.work)

    def _quantified(self, expr: Bounded) -> TruthAutomata:
        """Return the automata of any() or all(). Their evaluation stops at the first value that decides the result."""
        if not self.work.system.binary and not self.true(compare(">=", expr.start, Int(0))).is_full:
            raise outside.outside_fragment(
                expr, f"its range may begin below 0, and {self.work.system} digits have no sign"
            )
        inner = fresh_variable(expr)
        variable, body = inner.variable, self._truth(inner.body)
        inside = self.true(Compare(("<=", "<"), (inner.start, Name(variable), inner.stop)))
        ends = self._ends(expr)
        wanted, passed = (body.true, body.false) if expr.quantifier == "any" else (body.false, body.true)
        at = inside & wanted
        if not body.total:
            before = f"{variable}'"
            stopped = (inside & ~passed).renamed({variable: before})
            earlier = self.true(compare("<", Name(before), Name(variable)))
            at = at & ~projection([before], [stopped, earlier], self.work)
        decided = at.without(variable) & ends
        rest = ends & ~(inside & ~passed).without(variable)
        total = body.total and ends.is_full
        return (
            TruthAutomata(decided, rest, total)
            if expr.quantifier == "any"
            else TruthAutomata(rest, decided, total)
        )

    def _written_out(self, expr: Bounded, error: OutsideFragment) -> list[Expr]:
        """Return the body for each value of the variable. Raises ``error`` if the number of values is not constant."""
        start, stop = self._form(expr.start), self._form(expr.stop)
        difference = stop.plus(start, -1)
        if difference.coefficients:
            raise error
        low = start.constant
        values: list[Expr] = [
            Binary("+", expr.start, Int(number)) if low is None else Int(low + number)
            for number in outside.constant_range(expr, difference.offset)
        ]
        return [lower(substitute(expr.body, {expr.variable: value})) for value in values]

    # -- numbers ----------------------------------------------------------------------------------------------

    def _form(self, expr: Expr) -> LinearForm:
        form = self._forms.get(expr)
        if form is None:
            form = self._forms[expr] = self._number(expr)
        return form

    def _number(self, expr: Expr) -> LinearForm:
        if isinstance(expr, Call | If) and is_closed(expr, self._functions):
            return LinearForm((), outside.constant_value(expr, self._functions))
        match expr:
            case Int(value=value):
                return LinearForm((), value)
            case Name(id=name):
                return LinearForm(((name, 1),))
            case Negate(operand=operand):
                return self._form(operand).scaled(-1)
            case Binary(op="+" | "-" as op, left=left, right=right):
                return self._form(left).plus(self._form(right), 1 if op == "+" else -1)
            case Binary(op="*", left=left, right=right):
                return self._product(expr, self._form(left), self._form(right))
            case Binary(op="<<", left=left, right=right):
                return self._shift(expr, self._form(left), right)
            case Binary(op="//" | "%" | ">>", left=left, right=right):
                remainders = count_remainders(expr)
                if remainders is not None:
                    cases = [self._where_defined(self._truth(case), left).true for case in remainders]
                    return self._cases(
                        [(case, LinearForm((), rest)) for rest, case in enumerate(cases)], False
                    )
                return self._division(expr, self._form(left), self._form(right).constant)
            case Binary():
                return self._digitwise(expr)
            case If(condition=condition, then=then, otherwise=otherwise):
                test, forms = self._truth(condition), (self._form(then), self._form(otherwise))
                return self._cases([(test.true, forms[0]), (test.false, forms[1])], test.total)
            case Call(name="abs", arguments=(argument,)):
                form = self._form(argument)
                if not self.work.system.binary and form.is_natural:
                    return form
                natural = self._truth(compare(">=", argument, Int(0)))
                return self._cases([(natural.true, form), (natural.false, form.scaled(-1))])
            case Call(name="min" | "max" as name, arguments=(first, *others)):
                return reduce(
                    lambda a, b: self._extreme(name, a, b), map(self._form, others), self._form(first)
                )
            case Call() if (rooted := outside.root_in_system(expr, self.work.system)) is not None:
                return self._root_multiple(*rooted)
            case Call(arguments=arguments):
                for argument in arguments:  # an argument outside the fragment is reported first
                    self._form(argument)
                raise outside.call_outside(expr, self._functions)
            case Bounded(quantifier="sum"):
                bodies = map(self._form, self._written_out(expr, outside.varying_sum(expr)))
                ends = LinearForm((), 0, self._form(expr.start).needs | self._form(expr.stop).needs)
                return reduce(LinearForm.plus, bodies, ends)
            case Bounded():
                raise outside.nim_sum_outside(expr)
        raise TypeError(f"not a number: {expr!r}")

    def _product(self, expr: Expr, a: LinearForm, b: LinearForm) -> LinearForm:
        for few, many in ((a, b), (b, a)):
            if (factor := few.constant) is not None:
                return many.scaled(factor)
        for few, many in ((a, b), (b, a)):
            track, needs = self._track(few)
            values = self._values(track, needs)
            if values is not None:
                products = (
                    (self._linear(LinearForm(((track, 1),), -value), "=="), many.scaled(value))
                    for value in values
                )
                cases = [(test, replace(form, needs=form.needs | needs)) for test, form in products]
                return self._cases(cases, total=False)
        raise outside.outside_fragment(expr, "a product of two variables is not expressible")

    def _values(self, track: str, needs: frozenset[str]) -> list[int] | None:
        """Return the values that the track can have; None if there are more than MAX_FACTORS.

        needs: the tracks that this one depends on. The natural names take natural values only.
        """
        parts = [self._meaning[needed][0] for needed in sorted(self._closure(needs))]
        others = {name for part in parts for name in part.tracks} | {track}
        parts += [self.true(compare(">=", Name(name), Int(0))) for name in others & self._natural]
        left, values = projection(others - {track}, parts, self.work), list[int]()
        while (example := left.example()) is not None:
            if len(values) == outside.MAX_FACTORS:
                return None
            values.append(example.get(track, 0))
            left = left & ~self._linear(LinearForm(((track, 1),), -values[-1]), "==")
        return sorted(values)

    def _extreme(self, name: str, a: LinearForm, b: LinearForm) -> LinearForm:
        """Return the minimum or maximum of two forms; it has a value only if both have."""
        first = self._at_most(a, b) if name == "min" else self._at_most(b, a)
        needs = a.needs | b.needs
        return self._cases([(first, replace(a, needs=needs)), (~first, replace(b, needs=needs))])

    def _cases(self, cases: Sequence[tuple[Dfa, LinearForm]], total: bool = True) -> LinearForm:
        """Return a number that equals the form whose condition is true; at most one condition may be true at a tuple.

        The subterms of a case need a value only where its condition holds. So their tracks are eliminated here, unless
        they have a value everywhere. total: whether some condition is true at every tuple.
        """
        track = self._new()
        parts, needs = [], frozenset[str]()
        for condition, form in cases:
            same = self._equal(track, form)
            if self._total(form.needs):
                needs |= form.needs
                parts.append(condition & same)
            else:
                parts.append(self._project(condition & same, form.needs))
                total = False
        form = self._define(track, [union(parts, self.work)], needs, total)
        if not self.work.system.binary:
            self._check_natural(track, needs)
        if not total:
            meant = self._project(constant_dfa(True, self.work), form.needs)
            self._meaning[track] = (self._meaning[track][0], needs, (~meant).is_empty)
        return form

    def _division(self, expr: Binary, form: LinearForm, right: int | None) -> LinearForm:
        by = outside.constant_operand(expr, right)
        by = 1 << by if expr.op == ">>" else by
        op = "%" if expr.op == "%" else "//"
        if form.constant is not None:
            return LinearForm((), form.constant // by if op == "//" else form.constant % by)
        track = self._new()
        # the remainder is from 0 to by - 1, or for a negative divisor from by + 1 to 0
        rest = form.plus(LinearForm(((track, 1),)), -by) if op == "//" else LinearForm(((track, 1),))
        low, high = (0, by - 1) if by > 0 else (by + 1, 0)
        parts = [self._at_most(LinearForm((), low), rest), self._at_most(rest, LinearForm((), high))]
        if op == "%":
            difference = form.plus(rest, -1)
            parts.append(
                atoms.congruence_relation(
                    dict(difference.coefficients), difference.offset, abs(by), self.work
                )
            )
        quotient = self._define(track, parts, form.needs)
        if not self.work.system.binary:
            self._check_natural(track, form.needs)
        return quotient

    def _root_multiple(self, multiple: RootMultiple, number: Expr) -> LinearForm:
        """Return the integer part of abs(number) times a square root, by the automaton of ``automata/beatty.py``."""
        size = self._form(Call("abs", (number,)))
        given, needs = self._track(size.scaled(multiple.times))
        track = self._new()
        pairs = atoms.digit_automaton_dfa([given, track], beatty_automaton(self.work.system), self.work)
        return self._define(track, [pairs], needs).plus(size, multiple.plus)

    def _check_natural(self, track: str, needs: frozenset[str]) -> None:
        """Raise OutsideFragment unless the track has a natural number as its value for all values of the names."""
        if not self._project(constant_dfa(True, self.work), needs | {track}).is_full:
            raise OutsideFragment(
                f"a minimum, quotient or value by cases may be negative, and {self.work.system} digits have no sign"
            )

    def _shift(self, expr: Binary, form: LinearForm, right: Expr) -> LinearForm:
        exponent, extra = right, 0
        if isinstance(right, Binary) and right.op == "+" and isinstance(right.right, Int):
            exponent, extra = right.left, right.right.value
        if not is_log(exponent) or form.constant is None or extra < 0:
            if is_log(exponent) and not is_closed(exponent, self._functions):
                raise outside.outside_fragment(
                    expr, "a shift by a logarithm is not expressible, but c << floor_log2(n) is"
                )
            return form.scaled(1 << outside.constant_operand(expr, self._form(right).constant))
        assert isinstance(exponent, Call)
        outside.check_binary_system(expr, "floor_log2()", self.work.system)
        of = self._form(exponent.arguments[0])
        track = self._new()  # a power of two, with track <= of < 2*track
        power = LinearForm(((track, 1),))
        parts = [
            atoms.power_of_two(track, self.work),
            self._at_most(power, of),
            self._at_most(of.plus(LinearForm((), 1)), power.scaled(2)),
        ]
        return self._define(track, parts, of.needs, total=False).scaled(form.constant << extra)

    def _digitwise(self, expr: Binary) -> LinearForm:
        forms = [self._form(part) for part in operands(expr, expr.op)]
        combine = OPERATORS[expr.op].value
        if all(form.constant is not None for form in forms):
            return LinearForm((), reduce(combine, [form.offset for form in forms]))
        outside.check_digitwise(expr, self.work.system)
        tracks, needs = self._tracks(forms)
        track = self._new()
        graph = atoms.digitwise(
            [*tracks, track], lambda digits: reduce(combine, digits[:-1]) == digits[-1], self.work
        )
        return self._define(track, [graph], needs)

    # -- tracks -----------------------------------------------------------------------------------------------

    def _new(self) -> str:
        return f"~{len(self._meaning)}"

    def _define(
        self, track: str, parts: Iterable[Dfa], needs: frozenset[str], total: bool = True
    ) -> LinearForm:
        """Define a new track by the intersection of automata, and return it as a form.

        needs: the tracks of subterms that the automata read. total: whether the track has a value wherever all needed
        tracks have one.
        """
        self._meaning[track] = (intersection(parts, self.work), needs, total)
        return LinearForm(((track, 1),), 0, frozenset({track}))

    def _tracks(self, forms: Iterable[LinearForm]) -> tuple[list[str], frozenset[str]]:
        """Return different tracks that hold the values of the forms, and the tracks that they need."""
        tracks, needs = list[str](), frozenset[str]()
        for form in forms:
            track, needed = self._track(form, apart=tracks)
            tracks.append(track)
            needs |= needed
        return tracks, needs

    def _track(self, form: LinearForm, apart: Sequence[str] = ()) -> tuple[str, frozenset[str]]:
        """Return a track that holds the form's value and is not in ``apart``, and the tracks that it needs."""
        if form.offset == 0 and len(form.coefficients) == 1:
            track, coefficient = form.coefficients[0]
            if coefficient == 1 and track not in apart:
                return track, form.needs
        track = self._new()
        self._meaning[track] = (self._equal(track, form), form.needs, True)
        return track, frozenset({track})

    def _equal(self, track: str, form: LinearForm) -> Dfa:
        return self._linear(form.plus(LinearForm(((track, 1),)), -1), "==")

    def _at_most(self, a: LinearForm, b: LinearForm) -> Dfa:
        return self._linear(a.plus(b, -1), "<=")

    def _linear(self, form: LinearForm, relation: str) -> Dfa:
        return atoms.linear_relation(dict(form.coefficients), form.offset, relation, self.work)
