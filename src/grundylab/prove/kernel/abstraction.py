"""The rule of abstraction: each term that automata cannot read is replaced by a number, with facts about it.

Such a term is a value h(a) of a function of which only a property is known, a looked-up value, or another term that
automata do not read. A new variable n replaces it. The main premise is: if the
variables fulfil certain facts, the statement is true with them in place of its terms, and each term has a value
wherever it is evaluated. Two facts hold for every kind of term: n is natural (or -n is), and equal terms have equal
numbers. The others depend on the kind:

- *property*: the property of the family is true for h at a; it is used at the arguments that occur, and at 0 (Ackermann
  1954);
- *monotone*: a <= b implies h(a) <= h(b). It is used if the evidence says so; then it is a premise, too;
- *mex*, and proved formulas, for looked-up values (``mex.py``). For all other terms there is no fact (``opaque.py``).

Proof on paper: suppose that the statement is false for some functions, position and values of its variables. Give each
new variable the value that its term has there. These numbers are natural and fulfil every fact, and by the premise
about ranges all other names stand for natural numbers, too. So the main premise is false for these numbers. The
converse need not hold: the main premise may be false for numbers that are the values of no function.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import combinations

from grundylab.games.model import ALWAYS, FreeFunction, Ranged, Ruleset, coordinate_sum
from grundylab.language import names
from grundylab.language.functions import AnyFunction, Function, Functions
from grundylab.language.substitution import lower, rewrite, substitute
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
)
from grundylab.prove.core.definedness import implied
from grundylab.prove.core.space import at_least_zero, natural_coordinates, plainly_natural
from grundylab.prove.kernel import opaque
from grundylab.prove.kernel.calls import Calls
from grundylab.prove.kernel.clauses import (
    Clauses,
    any_natural,
    fresh_name,
    has_call_at_bound_variable,
    names_in,
)
from grundylab.prove.kernel.evidence import Abstraction
from grundylab.prove.kernel.mex import known_facts, sentences
from grundylab.prove.kernel.moves import OptionPlace, always_statement, equal, is_position, own_place
from grundylab.prove.kernel.playable import ENDS
from grundylab.prove.kernel.powers import digits_compared, for_powers
from grundylab.prove.kernel.session import Session
from grundylab.prove.kernel.simplification import shortened, simplify_condition
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


def premises(statement: Statement, evidence: Abstraction) -> Iterator[Statement]:
    """Yield the premises: the statement with variables in place of terms, and the facts that need a proof.

    Raises Refused if the statement contains no term of the kind that the evidence names.
    """
    game = statement.game
    assumed, about = split_condition(statement.where, game)
    if evidence.terms == "lookups":
        yield from lookup_premises(statement, evidence, assumed)
        return
    if evidence.terms == "others":
        yield from natural_ranges(statement)
        for numbers, said in opaque.sentences(statement):
            yield from for_all_numbers(game, assumed, said, [*statement.variables, *numbers])
        return
    if not game.free:
        raise Refused("the statement has no free functions")
    functions = [free.name for free in game.free]

    def plain(expr: Expr) -> Expr:
        return lower(game.functions.expand(expr))

    space, said = plain(is_position(game, own_place(game))), plain(implied(about, statement.formula))
    yield from natural_ranges(statement)
    if evidence.monotone:
        yield from monotonicity_statements(game, assumed)
    for variables, clause in Clauses(statement, functions).clauses(said):
        terms = AbstractValues(statement, variables, clause)
        meaning = Calls(functions).meant(clause, terms.has_value)
        goal, inside = terms.put(conjunction(meaning, clause)), terms.put(space)
        facts = list(conjuncts(conjunction(*terms.facts(evidence.monotone))))
        given = dict(pair for fact in facts if (pair := _value_given(fact, terms.numbers)) is not None)
        known = simplify_condition(substitute(conjunction(*facts), given))
        rest = shortened(substitute(implied(inside, goal), given))
        yield from for_all_numbers(
            game, assumed, implied(known, rest), [*statement.variables, *terms.variables]
        )


def lookup_premises(statement: Statement, evidence: Abstraction, assumed: Expr) -> Iterator[Statement]:
    """Yield the premises if numbers replace looked-up values; last come the proved formulas of the evidence."""
    if not statement.lookups or statement.game.free:
        raise Refused("the statement looks nothing up, or has free functions")
    yield from natural_ranges(statement)
    facts = list(known_facts(statement, evidence))
    for variables, said in sentences(statement, evidence):
        yield from for_all_numbers(statement.game, assumed, said, [*statement.variables, *variables])
    yield from facts


def monotonicity_statements(game: Ruleset, assumed: Expr = TRUE) -> Iterator[Statement]:
    """Yield the statements that each free function is non-decreasing in each of its arguments."""
    for free in game.free:
        taken = names_in(game)
        place, variables = list[Name](), list[Ranged]()
        for _ in free.arguments:
            place.append(Name(fresh_name("argument", taken)))
            variables.append(any_natural(place[-1].id, game))
        for number, argument in enumerate(place):
            before = tuple(Binary("-", a, Int(1)) if n == number else a for n, a in enumerate(place))
            rises = compare("<=", Call(free.name, before), Call(free.name, tuple(place)))
            yield Statement(
                game, ALWAYS, implied(compare(">=", argument, Int(1)), rises), assumed, tuple(variables)
            )


def natural_ranges(statement: Statement) -> Iterator[Statement]:
    """Yield the statement that no coordinate is below 0; nothing if that is plain.

    The other premises need this: they take every name for a natural number, even where they leave out its range. The
    statement's variables need no such premise, as ``meaning.py`` refuses variables that may be negative.
    """
    claimed = natural_coordinates(statement.game)
    if claimed != TRUE:
        assumed, _ = split_condition(statement.where, statement.game)
        yield Statement(without_rules(statement.game, statement.game.coordinates), ALWAYS, claimed, assumed)


class AbstractValues:
    """The numbers in place of values of a family's free functions. found: for each call, the name of its number."""

    def __init__(self, statement: Statement, variables: Iterable[Ranged], clause: Expr) -> None:
        self._game = statement.game
        self._free: dict[str, FreeFunction] = {free.name: free for free in self._game.free}
        self.variables = list(variables)
        self._taken = names_in(statement.game, clause)
        self._taken |= {v.name for v in (*statement.variables, *self.variables)}
        self.found: dict[Call, Name] = {}

    @property
    def numbers(self) -> set[Name]:
        """The names of the numbers introduced so far."""
        return set(self.found.values())

    def put(self, expr: Expr) -> Expr:
        """Return the expression with numbers in place of terms; raise Refused if a term contains a bound variable."""
        if has_call_at_bound_variable(expr, self._free):
            raise Refused("a term that would become a number depends on a bound variable")
        return rewrite(expr, self._number)

    def _number(self, node: Expr) -> Expr:
        if not isinstance(node, Call) or node.name not in self._free:
            return node
        if node not in self.found:
            name = fresh_name("number", self._taken)
            self.variables.append(any_natural(name, self._game))
            self.found[node] = Name(name)
        return self.found[node]

    def has_value(self, call: Call) -> Expr:
        """Return the condition that no argument is negative: a free function has values at natural arguments only."""
        return natural(call.arguments)

    def facts(self, monotone: bool) -> Iterator[Expr]:
        """Yield the properties at the arguments that occur, and that equal arguments have equal values.

        With ``monotone``, also yield that larger arguments do not have smaller values.
        """
        yield from list(self._properties())
        for (one, a), (other, b) in combinations(self.found.items(), 2):
            if one.name != other.name:
                continue
            same = simplify_condition(equal(one.arguments, other.arguments))
            if same != FALSE:
                yield implied(same, compare("==", a, b))
            if monotone:
                yield implied(_below(one.arguments, other.arguments), compare("<=", a, b))
                yield implied(_below(other.arguments, one.arguments), compare("<=", b, a))

    def _properties(self) -> Iterator[Expr]:
        for free in self._free.values():
            self.put(Call(free.name, (Int(0),) * len(free.arguments)))
        calls = list(self.found)
        arguments = list(dict.fromkeys(a for call in calls for a in call.arguments))
        for call in calls:
            free = self._free[call.name]
            condition = self._game.functions.expand(free.condition)
            condition = lower(substitute(condition, dict(zip(free.arguments, call.arguments, strict=True))))
            less = self._weakened(rewrite(condition, digits_compared), arguments)
            yield self.put(implied(natural(call.arguments), less))

    def _weakened(self, condition: Expr, arguments: Sequence[Expr]) -> Expr:
        """Return a weaker condition, in which only function values occur that already have a number.

        Parts with other function values become TRUE. arguments: the expressions that are put in for the variable of an
        ``all`` if its body calls a function at that variable.
        """
        match condition:
            case Logic(op="and", terms=terms):
                return conjunction(*(self._weakened(term, arguments) for term in terms))
            case Logic(op="or", terms=terms):
                return disjunction(*(self._weakened(term, arguments) for term in terms))
            case Bounded(quantifier="all") if has_call_at_bound_variable(condition, self._free):
                return conjunction(*(self._at(condition, value, arguments) for value in arguments))
            case Bounded(quantifier="all"):
                condition = _for_powers(condition)
        short = simplify_condition(condition)
        return short if self._is_of_numbers(short) else TRUE

    def _at(self, every: Bounded, value: Expr, arguments: Sequence[Expr]) -> Expr:
        inside = simplify_condition(Compare(("<=", "<"), (every.start, value, every.stop)))
        if inside == FALSE:
            return TRUE
        return implied(inside, self._weakened(substitute(every.body, {every.variable: value}), arguments))

    def _is_of_numbers(self, condition: Expr) -> bool:
        calls = Calls(self._free).within(condition)
        return not has_call_at_bound_variable(condition, self._free) and all(
            call in self.found for call in calls
        )


def _value_given(fact: Expr, numbers: Collection[Name]) -> tuple[str, Int] | None:
    """Return a number's name and a constant if the fact equates them; None otherwise."""
    match fact:
        case Compare(ops=("==",), terms=(Name(id=name), Int() as value)) if Name(name) in numbers:
            return name, value
    return None


def natural(place: OptionPlace, signed: Set[str] = frozenset()) -> Expr:
    """Return the condition that no number of the place is negative, if only the names in ``signed`` may be negative."""
    doubtful = (argument for argument in place if not plainly_natural(argument, signed))
    return conjunction(*(compare(">=", argument, Int(0)) for argument in doubtful))


def _below(one: OptionPlace, other: OptionPlace) -> Expr:
    """Return the condition that each argument of ``one`` is natural and at most the same argument of ``other``."""
    return conjunction(natural(one), *(compare("<=", a, b) for a, b in zip(one, other, strict=True)))


def _for_powers(condition: Bounded) -> Expr:
    """Return, for a condition on all exponents i of a range, a weaker one on all powers q = 1 << (i - c) of two.

    This needs a condition that uses i only in the form ``1 << (i - c)``, with constants c; any other is returned
    unchanged. As i - c < q, i <= q + c - 1. So i is below the end of its range if q + c - 1 is: the new range is
    q + c - 1 < end.
    """
    if not isinstance(condition.start, Int):
        return condition
    power = names.fresh_bound_name("q", free_names(condition.body))
    changed = for_powers(condition.body, condition.variable, condition.start.value, power)
    if changed is None:
        return condition
    said, least, back = changed
    stop = Binary("+", Binary("-", condition.stop, Int(back)), Int(1))
    body = implied(Call("is_power_of_two", (Name(power),)), said)
    return Bounded("all", power, Int(least), stop, body)


# -- statements about numbers alone -----------------------------------------------------------------------------------


def for_all_numbers(
    game: Ruleset, assumed: Expr, said: Expr, variables: Sequence[Ranged]
) -> Iterator[Statement]:
    """Yield the statement that the condition ``said`` is true for all values of the coordinates and variables in it.

    assumed: a condition on parameters. Coordinates and variables that ``said`` does not need are left out together with
    their ranges, which can only make the statement stronger.
    """
    kept = _needed([*game.coordinates, *variables], said)
    coordinates = [each for each in game.coordinates if each in kept]
    others = [each for each in variables if each in kept]
    still = without_rules(game, coordinates or [*game.coordinates[:1]], others)
    yield from always_statement(still, assumed, [said], others)


def _needed(numbers: Sequence[Ranged], said: Expr) -> set[Ranged]:
    """Return those of ``numbers`` whose names occur in the condition, or in the range of another that is returned."""
    needed, named = set[Ranged](), free_names(said)
    for each in reversed(numbers):  # a range may mention earlier names
        if each.name in named:
            needed.add(each)
            named = named.union(*map(free_names, each.ends))
    return needed


def without_rules(game: Ruleset, coordinates: Sequence[Ranged], variables: Sequence[Ranged] = ()) -> Ruleset:
    """Return a game with these coordinates, and without moves, further conditions and free functions.

    Raises Refused if the range of a coordinate or variable, or a parameter's domain, calls a free function.
    """
    free = {function.name for function in game.free}
    ends = [game.functions.expand(end) for each in (*coordinates, *variables) for end in each.ends]
    if not all(map(Calls(free).is_plain, (*ends, game.functions.expand(game.domain)))):
        raise Refused("a range or domain depends on a free function")
    plain = tuple(each for each in game.functions if not free & _callees(each, game.functions))
    return replace(
        game,
        coordinates=tuple(coordinates),
        moves=(),
        where=TRUE,
        free=(),
        claims=(),
        piles=(),
        measure=coordinate_sum(tuple(coordinate.name for coordinate in coordinates)),
        functions=Functions(plain, game.functions.parameters),
    )


def _callees(function: AnyFunction, functions: Functions) -> set[str]:
    """Return the names of the function and of all functions that it calls, directly or through others."""
    bodies = (function.body,) if isinstance(function, Function) else ()
    return {function.name, *(used.name for used in functions.called_by(*bodies))}


# -- the rule ---------------------------------------------------------------------------------------------------------


def _is_readable(statement: Statement, evidence: Abstraction, _: Session) -> bool:
    if evidence.terms == "lookups":
        return statement.target == ALWAYS and not statement.tables
    return is_condition(statement)


def _well_founded(statement: Statement, evidence: Abstraction, session: Session) -> bool:
    """Tell whether mex defines the looked-up values, as every play ends; True if other terms become numbers."""
    return evidence.terms != "lookups" or ENDS.holds(statement, evidence, session)


NATURAL_PARAMETERS = SideCondition(
    "every parameter begins at 0 or above",
    lambda statement, *_: all(map(at_least_zero, statement.game.parameters)),
)


def is_condition(statement: Statement) -> bool:
    """Tell whether the target is ``true`` and the statement has no look-ups or tables."""
    return statement.target == ALWAYS and not statement.lookups and not statement.tables


RULE = Rule(
    "numbers in place of terms",
    Abstraction,
    (
        SideCondition("a condition is claimed, with look-ups only if these become numbers", _is_readable),
        NATURAL_PARAMETERS,
        SideCondition("where look-ups become numbers, every play of the games ends", _well_founded),
    ),
    lambda statement, evidence: tuple(dict.fromkeys(premises(statement, evidence))),
)
