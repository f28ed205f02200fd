"""What is claimed for every function of a family: numbers in place of its values, with what the family asks of them.

A claim asks a free function h for finitely many values, h(t). Each becomes a number of its own, and of these numbers
only this is used: they are the same where the arguments are, and the family's condition is true of them, at the
arguments that occur and at 0 (Ackermann 1954). What is true of all such numbers is true for every h. That it is false
of some numbers says nothing: there may be no h with these values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from grundylab.games.model import ALWAYS, Claim, FreeFunction, Range, Ranged, Ruleset, coordinate_sum
from grundylab.language import names
from grundylab.language.functions import AnyFunction, Function, Functions
from grundylab.language.substitution import lower, rewritten, substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Logic,
    Name,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    free_names,
    parts,
)
from grundylab.prove.hypothesis import split_where
from grundylab.prove.lookups import Lookups, NotSaid
from grundylab.prove.neighbours import Place, always, equal, here, implied, is_position
from grundylab.prove.opening import Opening, asks_at_bound, names_of
from grundylab.prove.outcome import Premise
from grundylab.prove.powers import digits_compared, of_power
from grundylab.prove.shorter import shorter


@dataclass(frozen=True)
class Statement:
    """That the condition is true in every game of the family, at every position, for all values of the variables.

    anywhere: for all numbers that the coordinates may be, whether that is a position or not.
    """

    condition: Expr
    variables: tuple[Ranged, ...] = ()
    anywhere: bool = False


def of_numbers(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """The claim under ``where``, of a family, said of numbers: first without, then with what rises."""
    if not ruleset.free or claim.target != ALWAYS or claim.values or claim.tables:
        return
    assumed, about = split_where(conjunction(claim.where, where), ruleset)
    statement = Statement(implied(about, claim.formula), claim.variables)
    yield from said_of_numbers(ruleset, [statement], assumed)


def said_of_numbers(
    ruleset: Ruleset, statements: Sequence[Statement], assumed: Expr = TRUE
) -> Iterator[tuple[Premise, ...]]:
    """Premises from which the statements follow; the second time with the premise that the functions rise.

    assumed: of which parameters. Raises NotSaid where a value cannot become a number.
    """
    for rises in (False, True):
        found = [p for each in statements for p in _said(ruleset, each, assumed, rises)]
        if rises:
            found = [*_rising(ruleset, assumed), *found]
        yield tuple(dict.fromkeys(found))


def _said(ruleset: Ruleset, statement: Statement, assumed: Expr, rises: bool) -> Iterator[Premise]:
    statement = _written(ruleset, statement)
    condition = ruleset.functions.expand(statement.condition)
    space = TRUE if statement.anywhere else ruleset.functions.expand(is_position(ruleset, here(ruleset)))
    opening = Opening(ruleset, statement.variables, [free.name for free in ruleset.free])
    for variables, clause in opening.clauses(lower(condition)):
        numbers = Numbers(ruleset, [*statement.variables, *variables], clause)
        said = numbers.put(conjunction(numbers.meant(clause), clause))
        supposed = numbers.put(space)
        yield from numbers.premises(implied(supposed, said), assumed, rises)


def _written(ruleset: Ruleset, statement: Statement) -> Statement:
    """The same with variables that a user could have written, where they were invented."""
    taken = {*names_of(ruleset), *(variable.name for variable in statement.variables)}
    taken |= {node.variable for node in parts(statement.condition) if isinstance(node, Bounded)}
    new = dict[str, str]()
    for variable in statement.variables:
        if names.is_invented(variable.name):
            new[variable.name] = names.written(variable.name, {*taken, *new.values()})
    condition = substitute(statement.condition, {old: Name(name) for old, name in new.items()})
    variables = (replace(v, name=new.get(v.name, v.name)) for v in statement.variables)
    return replace(statement, condition=condition, variables=tuple(variables))


def _rising(ruleset: Ruleset, assumed: Expr) -> Iterator[Premise]:
    """That each function rises, or stays, where one of its arguments rises by one: so it does by any number."""
    for free in ruleset.free:
        numbers = Numbers(ruleset, (), TRUE)
        place = tuple(Name(numbers.variable(name)) for name in free.arguments)
        for number, argument in enumerate(place):
            before = tuple(Binary("-", a, Int(1)) if n == number else a for n, a in enumerate(place))
            rises = compare("<=", Call(free.name, before), Call(free.name, place))
            said = numbers.put(implied(compare(">=", argument, Int(1)), rises))
            yield from numbers.premises(said, assumed, rises=False)


class Numbers:
    """Numbers in place of the values of a family's functions, and what is known of them."""

    def __init__(self, ruleset: Ruleset, variables: Iterable[Ranged], said: Expr) -> None:
        self._ruleset = ruleset
        self._free: dict[str, FreeFunction] = {free.name: free for free in ruleset.free}
        self._variables = list(variables)
        bound = {node.variable for node in parts(said) if isinstance(node, Bounded)}
        self._taken = {*names_of(ruleset), *bound, *(variable.name for variable in self._variables)}
        self._found: dict[Call, Name] = {}

    def variable(self, stem: str) -> str:
        """A new variable, that may be every number."""
        name = names.written(stem, self._taken)
        self._taken.add(name)
        self._variables.append(Ranged(name, Range(Int(0), Name(self._ruleset.bounds[0]))))
        return name

    def put(self, expr: Expr) -> Expr:
        """The expression with numbers for values. Raises NotSaid where one is asked for at a bound variable."""
        if asks_at_bound(expr, self._free):
            raise NotSaid
        return rewritten(expr, self._number)

    def _number(self, node: Expr) -> Expr:
        if not isinstance(node, Call) or node.name not in self._free:
            return node
        if node not in self._found:
            self._found[node] = Name(self.variable(node.name))
        return self._found[node]

    def meant(self, expr: Expr) -> Expr:
        """That a function is asked for values at numbers from 0 on alone: it has no others."""
        return Lookups(self._free).meant(expr, lambda call: _natural(call.arguments))

    def premises(self, said: Expr, assumed: Expr, rises: bool) -> Iterator[Premise]:
        """That it is true for all numbers of which what is known is true. rises: the functions are known to do."""
        known = conjuncts(conjunction(*self._known(), *self._pairs(rises)))
        numbers = set(self._found.values())
        given = dict(pair for term in known if (pair := _gives(term, numbers)) is not None)

        def put(expr: Expr) -> Expr:
            return shorter(substitute(expr, given))

        said = implied(conjunction(*map(put, known)), put(said))
        yield from of_all_numbers(self._ruleset, assumed, said, self._variables)

    def _known(self) -> list[Expr]:
        """The family's condition at all arguments at which a value is asked for, and at 0, as far as it is of these."""
        for free in self._free.values():
            self.put(Call(free.name, (Int(0),) * len(free.arguments)))
        values = list(dict.fromkeys(a for call in self._found for a in call.arguments))
        found = []
        for call in list(self._found):
            free = self._free[call.name]
            condition = self._ruleset.functions.expand(free.condition)
            condition = lower(substitute(condition, dict(zip(free.arguments, call.arguments, strict=True))))
            less = self._weakened(rewritten(condition, digits_compared), values)
            found.append(self.put(implied(_natural(call.arguments), less)))
        return found

    def _weakened(self, condition: Expr, values: Sequence[Expr]) -> Expr:
        """What the condition says of some numbers instead of all, so that it can be read; it follows from it."""
        match condition:
            case Logic(op="and", terms=terms):
                return conjunction(*(self._weakened(term, values) for term in terms))
            case Logic(op="or", terms=terms):
                return disjunction(*(self._weakened(term, values) for term in terms))
            case Bounded(quantifier="all") if asks_at_bound(condition, self._free):
                return conjunction(*(self._at(condition, value, values) for value in values))
            case Bounded(quantifier="all"):
                condition = _for_powers(condition)
        short = shorter(condition)
        return short if self._is_asked(short) else TRUE

    def _at(self, every: Bounded, value: Expr, values: Sequence[Expr]) -> Expr:
        inside = shorter(Compare(("<=", "<"), (every.start, value, every.stop)))
        if inside == FALSE:
            return TRUE
        return implied(inside, self._weakened(substitute(every.body, {every.variable: value}), values))

    def _is_asked(self, condition: Expr) -> bool:
        """Whether it is of no other values than those that have a number."""
        calls = (node for node in parts(condition) if isinstance(node, Call) and node.name in self._free)
        return not asks_at_bound(condition, self._free) and all(call in self._found for call in calls)

    def _pairs(self, rises: bool) -> Iterator[Expr]:
        """That equal arguments have equal values; and that larger ones have no smaller ones, if the functions rise."""
        for (one, a), (other, b) in combinations(self._found.items(), 2):
            if one.name != other.name:
                continue
            same = shorter(equal(one.arguments, other.arguments))
            if same != FALSE:
                yield implied(same, compare("==", a, b))
            if rises:
                yield implied(_below(one.arguments, other.arguments), compare("<=", a, b))
                yield implied(_below(other.arguments, one.arguments), compare("<=", b, a))


def _gives(term: Expr, numbers: Collection[Name]) -> tuple[str, Int] | None:
    """The number and its value, if it says that."""
    match term:
        case Compare(ops=("==",), terms=(Name(id=name), Int() as value)) if Name(name) in numbers:
            return name, value
    return None


def _natural(place: Place) -> Expr:
    """That no argument is negative; no name is."""
    asked = (a for a in place if not (isinstance(a, Name) or (isinstance(a, Int) and a.value >= 0)))
    return conjunction(*(compare(">=", argument, Int(0)) for argument in asked))


def _below(one: Place, other: Place) -> Expr:
    """That no argument of the one place is above that of the other, and none is negative."""
    return conjunction(_natural(one), *(compare("<=", a, b) for a, b in zip(one, other, strict=True)))


def _for_powers(condition: Bounded) -> Expr:
    """For all exponents i: said of powers q instead, if that is how it speaks of i; of fewer of them, perhaps.

    If q is 1 << (i - c), then i - c < q. So i is before the end of its range where q + c - 1 is.
    """
    if not isinstance(condition.start, Int):
        return condition
    power = names.bound("q", free_names(condition.body))
    changed = of_power(condition.body, condition.variable, condition.start.value, power)
    if changed is None:
        return condition
    said, least, back = changed
    stop = Binary("+", Binary("-", condition.stop, Int(back)), Int(1))
    body = implied(Call("is_power_of_two", (Name(power),)), said)
    return Bounded("all", power, Int(least), stop, body)


def of_all_numbers(
    ruleset: Ruleset, assumed: Expr, said: Expr, variables: Sequence[Ranged]
) -> Iterator[Premise]:
    """That it is true of all numbers that the coordinates and the variables may be, as far as it names them."""
    kept = _needed([*ruleset.coordinates, *variables], said)
    coordinates = [each for each in ruleset.coordinates if each in kept]
    game = _still(ruleset, coordinates or [*ruleset.coordinates[:1]])
    yield from always(game, assumed, [said], [each for each in variables if each in kept])


def _needed(numbers: Sequence[Ranged], said: Expr) -> set[Ranged]:
    """Those that the condition names, or that the range of one that is needed does."""
    needed, asked = set[Ranged](), free_names(said)
    for each in reversed(numbers):  # a range names earlier ones
        if each.name in asked:
            needed.add(each)
            asked = asked.union(*map(free_names, each.ends))
    return needed


def _still(ruleset: Ruleset, coordinates: Sequence[Ranged]) -> Ruleset:
    """The numbers that positions of the family are made of, without rules: what is asked is about all of them."""
    ends = [end for coordinate in coordinates for end in coordinate.ends]
    expanded = [ruleset.functions.expand(expr) for expr in (*ends, ruleset.domain)]
    free = {function.name for function in ruleset.free}
    if not Lookups(free).is_plain(conjunction(*(compare("==", e, e) for e in expanded[:-1]), expanded[-1])):
        raise NotSaid
    if not ruleset.bounds:
        raise NotSaid
    plain = [each for each in ruleset.functions if not free & _calls(each, ruleset.functions)]
    return replace(
        ruleset,
        coordinates=tuple(coordinates),
        moves=(),
        where=TRUE,
        free=(),
        claims=(),
        piles=(),
        measure=coordinate_sum(tuple(coordinate.name for coordinate in coordinates)),
        functions=Functions(tuple(plain), ruleset.functions.parameters),
    )


def _calls(function: AnyFunction, functions: Functions) -> set[str]:
    """The names of what it calls, and its own."""
    bodies = (function.body,) if isinstance(function, Function) else ()
    return {function.name, *(used.name for used in functions.called_by(*bodies))}
