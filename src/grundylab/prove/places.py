"""Where a statement may turn: values of its names, however far away, that make the conditions in it true, and false.

A statement is made of conditions, and what it says changes only where one of them does. So for each condition in it
(and for what has no value, or is of two kinds: divisions, minima, …) values are looked for by solving one comparison
after the other for one name after the other. Nothing rests on it that all are found: it is where the gate looks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice, permutations, product

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.systems import digit_of
from grundylab.errors import GrundylabError
from grundylab.language import names
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Function, Functions
from grundylab.language.plain import COMPARE, Evaluator, Meter, compile_plain
from grundylab.language.substitution import lower, rebuild, substitute
from grundylab.language.syntax import (
    OPPOSITE,
    TRUE,
    Accepts,
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Kind,
    Logic,
    Name,
    Not,
    compare,
    conjunction,
    free_names,
    parts,
)

LARGEST = 2**31 - 1  # value of a name that is looked for
LARGE = 2_000  # nodes of an expression whose functions are written out
WISHES = 400  # conditions of one statement that are looked at
TERMS = 8  # of an "and" or "or" of which each is looked for that decides alone
PASSES = 4  # over a condition and what else must be true, each of which may undo what was done for the other
NEAR = 9  # values of a name with which another is looked for
WORDS = 16  # numbers that are the least to lead an automaton into a state

Values = dict[str, int]


@dataclass
class _Trial:
    """Values on the way. held: the names with one that was solved for, which are changed only where no other is there.

    turn: which of several names, or alternatives, comes first.
    """

    values: Values
    held: set[str]
    turn: int


class Places:
    """Solves conditions on the names.

    functions: those that they may call. chosen: further names in the conditions, of which no values are asked for.
    meter: what it may cost.
    """

    def __init__(
        self, functions: Functions, open_names: Sequence[str], chosen: Collection[str], meter: Meter
    ) -> None:
        self._functions = functions
        self._names = tuple(open_names)
        self._meter = meter
        self._taken = {*open_names, *chosen}
        self._compiled: dict[int, tuple[Expr, Evaluator]] = {}  # by identity: these live as long

    def of(self, statement: Sequence[Expr], inside: Expr) -> Iterator[Values]:
        """Values of the names with ``inside`` true, at which a condition of the statement turns; each once."""
        seen = set[tuple[int, ...]]()
        within = self._apart(self._plain(inside))
        wishes = list(islice((wish for expr in statement for wish in self._wishes(expr)), WISHES))
        bases = [dict.fromkeys(self._names, 0), {name: n + 1 for n, name in enumerate(self._names)}]
        for first, base in enumerate(bases):
            for wish, truth in product(wishes, (True, False)):
                trial = _Trial(dict(base), set(), first)
                for _ in range(PASSES):
                    self._make(wish, truth, trial)
                    self._make(within, True, trial)
                    if self._value(wish, trial.values) == truth and self._is(inside, trial.values):
                        break
                    trial.turn += 1
                for found in self._around(trial):
                    place = tuple(found[name] for name in self._names)
                    if place not in seen and self._is(inside, found):
                        seen.add(place)
                        yield {name: found[name] for name in self._names}

    def _around(self, trial: _Trial) -> Iterator[Values]:
        yield trial.values
        for name in self._names:
            if name in trial.held:
                yield from ({**trial.values, name: trial.values[name] + step} for step in (-1, 1))

    # -- what is looked for -----------------------------------------------------------------------------------

    def _plain(self, expr: Expr) -> Expr:
        """The expression with functions written out, if it is not too large."""
        try:
            return lower(self._functions.expand(expr)) if expr.size <= LARGE else lower(expr)
        except GrundylabError:
            return lower(expr)

    def _apart(self, expr: Expr) -> Expr:
        """Each quantifier with a variable of its own, so that a value of it can be looked for, too."""
        children = tuple(map(self._apart, expr.children))
        if isinstance(expr, Bounded):
            new = names.bound(expr.variable, self._taken)
            self._taken.add(new)
            start, stop, body = children
            inner = substitute(body, {expr.variable: Name(new)})
            return replace(expr, variable=new, start=start, stop=stop, body=inner)
        return rebuild(expr, children) if children else expr

    def _wishes(self, expr: Expr) -> Iterator[Expr]:
        yield from self._inside(self._apart(self._plain(expr)), TRUE, frozenset())
        for call in parts(expr):  # an argument that the function has no use for needs a value, too
            if isinstance(call, Call) and call.name in self._functions:
                for argument in call.arguments:
                    yield from self._inside(self._apart(lower(argument)), TRUE, frozenset({call.name}))

    def _inside(self, expr: Expr, context: Expr, around: frozenset[str]) -> Iterator[Expr]:
        """The conditions in the expression. context: what is true of bound variables; around: recurrences that it is
        the body of."""
        if expr.kind is Kind.CONDITION:
            yield conjunction(context, expr)
        yield from (conjunction(context, turning) for turning in [*self._turnings(expr), *_deciding(expr)])
        if isinstance(expr, Bounded):
            for part in (expr.start, expr.stop):
                yield from self._inside(part, context, around)
            span = _span(expr)
            yield conjunction(context, compare("==", expr.start, expr.stop))
            yield from self._inside(expr.body, conjunction(context, span), around)
            return
        for child in expr.children:
            for wish in self._inside(child, context, around):
                yield wish
                if isinstance(expr, Compare):  # and where, besides, it matters
                    yield conjunction(wish, expr)
        if isinstance(expr, Call) and expr.name in self._functions and expr.name not in around:
            function = self._functions[expr.name]
            if isinstance(function, Function):
                first = expr.arguments[0]
                yield from (compare("==", first, Int(value)) for value, _ in function.initial)
                body = substitute(function.body, dict(zip(function.arguments, expr.arguments, strict=True)))
                yield from self._inside(self._apart(lower(body)), context, around | {expr.name})

    def _turnings(self, expr: Expr) -> Iterator[Expr]:
        """Where a number is of another kind, or has no value."""
        match expr:
            case Binary(op="//" | "%", left=left, right=right):
                yield from (compare("==", right, Int(0)), compare("==", left, right))
            case Binary(op="&" | "|" | "^", left=left, right=right):
                yield compare("==", left, right)
            case Binary(op="<<" | ">>", right=right):
                yield compare("==", right, Int(-1))
                if expr.op == ">>":
                    yield compare("==", expr, Int(1))
            case Call(name=name, arguments=(first, *others)) if name in BUILTINS:
                row = BUILTINS[name]
                turns = [Int(row.turns if row.least is None else row.least - 1)]
                yield from (compare("==", first, other) for other in (others if row.several else turns))
            case Accepts():
                yield from _said_of(expr)

    # -- solving ----------------------------------------------------------------------------------------------

    def _make(self, condition: Expr, truth: bool, trial: _Trial) -> None:
        """Change the values so that the condition is true, or false, as far as that succeeds."""
        match condition:
            case Not(operand=operand):
                self._make(operand, not truth, trial)
            case Logic(op=op, terms=terms) if (op == "and") == truth:
                for term in sorted(terms, key=_looseness):
                    self._make(term, truth, trial)
            case Logic(terms=terms):
                if self._is(condition, trial.values) != truth:
                    self._make(terms[trial.turn % len(terms)], truth, trial)
            case If(condition=test, then=then):
                self._make(test, True, trial)
                self._make(then, truth, trial)
            case Bounded(body=body):
                self._make(_span(condition), True, trial)
                self._make(body, truth, trial)
            case Accepts():
                for word in [] if self._is(condition, trial.values) == truth else _said_of(condition):
                    if self._try(word, True, trial, lambda at: self._is(condition, at) == truth):
                        return
            case Compare():
                links = list(condition.links)
                for sign, left, right in links if truth else links[trial.turn % len(links) :][:1]:
                    self._solve(sign if truth else OPPOSITE[sign], left, right, trial)

    def _solve(self, op: str, left: Expr, right: Expr, trial: _Trial) -> None:
        """Change the value of one name, or of two, so that the comparison is true."""
        found = sorted((free_names(left) | free_names(right)) & self._taken)
        for name in found:
            trial.values.setdefault(name, 0)
        fits = partial(self._compared, op, left, right)
        if fits(trial.values):
            return
        first = trial.turn % len(found) if found else 0
        order = sorted([*found[first:], *found[:first]], key=lambda each: each in trial.held)
        moved = partial(self._moved, left, right)
        alone = (((name,), values) for name in order for values in moved(name, trial.values))
        together = (  # 3*x == 2*y + 1 asks for both
            (pair, values)
            for pair in permutations(order, 2)
            for near in islice(moved(pair[0], trial.values), NEAR)
            for values in moved(pair[1], near)
        )
        for changed, values in chain(alone, together):
            if fits(values):
                trial.values.update(values)
                trial.held.update(changed)
                return
        for case in (node for side in (left, right) for node in parts(side) if isinstance(node, If)):
            if self._try(case.condition, not self._is(case.condition, trial.values), trial, fits):
                return

    def _try(self, condition: Expr, truth: bool, trial: _Trial, enough: Callable[[Values], bool]) -> bool:
        """Make the condition true, or false, but leave all as it was unless that is enough."""
        other = _Trial(dict(trial.values), set(trial.held), trial.turn)
        self._make(condition, truth, other)
        if not enough(other.values):
            return False
        trial.values, trial.held = other.values, other.held
        return True

    def _moved(self, left: Expr, right: Expr, name: str, values: Values) -> Iterator[Values]:
        """The values with another one of the name."""
        for value in self._candidates(left, right, name, values):
            if 0 <= value <= LARGEST:
                yield {**values, name: value}

    def _candidates(self, left: Expr, right: Expr, name: str, values: Values) -> Iterator[int]:
        """Values of the name where left and right may be equal, and next to these."""
        old = values[name]
        a, b = self._value(left, values), self._value(right, values)
        if a is not None and b is not None:
            yield from (old ^ a ^ b, old | b, old | a)

        def difference(value: int) -> int | None:
            at = {**values, name: value}
            a, b = self._value(left, at), self._value(right, at)
            return None if a is None or b is None else a - b

        for place in _changes(difference):
            yield from (place, place + 1, place - 1)

    # -- evaluating -------------------------------------------------------------------------------------------

    def _compared(self, op: str, left: Expr, right: Expr, values: Values) -> bool:
        a, b = self._value(left, values), self._value(right, values)
        return a is not None and b is not None and COMPARE[op](a, b)

    def _value(self, expr: Expr, values: Mapping[str, int]) -> int | None:
        """The value; None where there is none, or a name has none."""
        if id(expr) not in self._compiled:
            self._compiled[id(expr)] = expr, compile_plain(expr, self._functions, self._meter)
        try:
            return int(self._compiled[id(expr)][1](values))
        except KeyError:
            return None
        except GrundylabError:
            self._meter.spend(0)  # raises what it raises at its end
            return None

    def _is(self, condition: Expr, values: Mapping[str, int]) -> bool:
        return bool(self._value(condition, values))


def _deciding(expr: Expr) -> Iterator[Expr]:
    """Where one term of several decides alone."""
    if isinstance(expr, Logic) and len(expr.terms) <= TERMS:
        for term in expr.terms:
            others = [other for other in expr.terms if other is not term]
            if expr.op == "and":
                yield conjunction(*others, Not(term))
            else:
                yield conjunction(*map(Not, others), term)


def _looseness(condition: Expr) -> bool:
    """Equalities first: they leave least to choose."""
    return not (isinstance(condition, Compare) and "==" in condition.ops)


def _span(expr: Bounded) -> Expr:
    return Compare(("<=", "<"), (expr.start, Name(expr.variable), expr.stop))


def _changes(difference: Callable[[int], int | None]) -> Iterator[int]:
    """Where the difference may be 0: as if it were linear, and where it first gets positive or negative, or ceases to
    be."""
    low = next((n for n in range(4) if difference(n) is not None), 0)
    first, second = difference(low), difference(low + 1)
    if first is None:
        return
    if second is not None and second != first:
        yield low - first // (second - first)
    yield from _change(lambda n: None if (at := difference(n)) is None else at > 0, low)
    yield from _change(lambda n: None if (at := difference(n)) is None else at < 0, low)


def _change(truth: Callable[[int], bool | None], low: int) -> Iterator[int]:
    """Where the truth is another than at ``low``, if doubling meets such a place."""
    here, high = truth(low), low + 1
    while truth(high) == here:
        low, high = high, 2 * high
        if high > LARGEST:
            return
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if truth(middle) == here else (low, middle)
    yield high


def _said_of(condition: Accepts) -> Iterator[Expr]:
    """That the numbers are some of which the automaton says different things."""
    for word in islice(_words(condition.automaton), WORDS):
        yield conjunction(*(compare("==", a, Int(n)) for a, n in zip(condition.arguments, word, strict=True)))


def _words(automaton: DigitAutomaton) -> Iterator[tuple[int, ...]]:
    """For each state the least numbers that lead there, and those that are accepted or not for the first time."""
    reached, waiting = {0}, [(0, 0, (0,) * automaton.arity)]
    base, numbers, units = automaton.system.base, range(automaton.arity), list[int]()
    for state, place, word in waiting:  # which grows
        for symbol, target in enumerate(automaton.rows[state]):
            digits = [digit_of(base, automaton.arity, automaton.arity - 1 - n)[symbol] for n in numbers]
            if len(units) == place:
                units = automaton.system.first(2 * place + 1)
            longer = tuple(number + digit * units[place] for number, digit in zip(word, digits, strict=True))
            if target not in reached and target != DEAD:
                reached.add(target)
                waiting.append((target, place + 1, longer))
                if automaton.accepting[target] != automaton.accepting[0]:
                    yield longer
    yield from (word for _, _, word in waiting)
