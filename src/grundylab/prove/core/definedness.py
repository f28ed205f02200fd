"""The condition under which an expression has a value, and the values that functions are given where they have none.

In the user's sense a division by 0 has no value, and an expression has one if its evaluation, from left to right, meets
none that is missing: ``and``, ``or``, ``if``, ``any`` and ``all`` stop as soon as they are decided, and everything else
needs all its parts. ``Definedness`` writes this as a condition, which itself has a value everywhere. A theorem says
that this condition is true, and then what was claimed; so nothing else in the core knows of missing values.

For that, every function is total by convention: ``CONVENTIONS`` has its value wherever it has none for the user. By the
definedness of a theorem none of these values matters to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from grundylab.errors import GrundylabError
from grundylab.language import names
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Function, Functions
from grundylab.language.substitution import fraction, lower, rewrite, substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
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
    Not,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    operands,
)
from grundylab.logic import sentence as logic
from grundylab.logic.sentence import (
    ConditionAtom,
    Conjunction,
    Definition,
    DefinitionUse,
    Disjunction,
    Exists,
    Negation,
    Sentence,
)

Arguments = Sequence[Expr]
Domain = Callable[[Arguments], Expr]


class UnknownDomain(GrundylabError):
    """The error that nobody has said where a function has values."""


@dataclass(frozen=True)
class Convention:
    """The condition under which an operator or a built-in function has a value, and its value elsewhere.

    Both are expressions of the arguments.
    """

    domain: Domain
    elsewhere: Domain


def _from(least: int) -> Convention:
    return Convention(lambda arguments: _at_least(arguments[0], least), lambda _: Int(0))


CONVENTIONS: Mapping[str, Convention] = MappingProxyType(
    {
        "//": Convention(lambda parts: _nonzero(parts[1]), lambda _: Int(0)),
        "%": Convention(lambda parts: _nonzero(parts[1]), lambda parts: parts[0]),
        "<<": Convention(lambda parts: _at_least(parts[1], 0), lambda _: Int(0)),
        ">>": Convention(lambda parts: _at_least(parts[1], 0), lambda _: Int(0)),
        **{name: _from(row.least) for name, row in BUILTINS.items() if row.least is not None},
    }
)


def first_argument(function: Function) -> int:
    """Return the first argument at which a recurrence, or a function with exceptions, has a value."""
    return function.initial[0][0] if function.initial else 0


def negation(condition: Expr) -> Expr:
    """Return the negation of the condition, without a double ``not``."""
    match condition:
        case Bool(value=value):
            return FALSE if value else TRUE
        case Not(operand=operand):
            return operand
    return Not(condition)


def implied(condition: Expr, then: Expr) -> Expr:
    """Return the condition that ``condition`` implies ``then``; evaluation reaches ``then`` only if it is true."""
    return TRUE if then == TRUE else disjunction(negation(condition), then)


def in_turn(steps: Sequence[tuple[Expr, Expr]]) -> Expr:
    """Return where a sequence of conditions has a value that is evaluated until one of them is false.

    steps: for each condition, where it has a value, and the condition under which evaluation goes on.
    """
    whole: Expr = TRUE
    for defined, goes_on in reversed(steps):
        said = {*conjuncts(defined), *conjuncts(goes_on)}
        later = conjunction(*(part for part in conjuncts(whole) if part not in said))
        whole = conjunction(defined, implied(goes_on, later))
    return whole


class Definedness:
    """The conditions under which expressions have values.

    domains: for functions that are not written out (free functions, looked-up values), the condition on their arguments
    under which they have a value; for a recurrence, in place of the one that the argument is not before the first.
    """

    def __init__(self, functions: Functions, domains: Mapping[str, Domain] = MappingProxyType({})) -> None:
        self._functions, self._domains = functions, domains
        self._known: dict[Expr, Expr] = {}
        self._bodies: dict[str, Expr] = {}
        self._definitions: dict[int, tuple[Definition, Definition]] = {}

    def of(self, expr: Expr) -> Expr:
        """Return the condition under which the expression has a value; it has a value itself everywhere.

        Raises UnknownDomain for a call of a function that is neither written out nor in ``domains``.
        """
        if expr not in self._known:
            self._known[expr] = self._of(expr)
        return self._known[expr]

    def in_order(self, *conditions: Expr) -> Expr:
        """Return where conditions have values that are evaluated in this order until one of them is false.

        Their conjunction would not tell: it has lost what stands beside a literal truth value.
        """
        parts = dict.fromkeys(part for condition in conditions for part in conjuncts(condition))
        return in_turn([(self.of(part), part) for part in parts])

    def recurrence(self, function: Function) -> Expr:
        """Return the condition on a recurrence's argument that its value there rests on earlier values alone.

        If it is true of all arguments from the first on, then by induction the recurrence has a value at each of them.
        """
        (argument,), first = function.arguments, first_argument(function)
        at = Name(argument)

        def earlier(arguments: Arguments) -> Expr:
            return Compare(("<=", "<"), (Int(first), arguments[0], at))

        body = Definedness(self._functions, {**self._domains, function.name: earlier}).of(function.body)
        given = [compare("==", at, Int(value)) for value, _ in function.initial]
        return disjunction(compare("<", at, Int(first)), *given, body)

    def of_sentence(self, sentence: Sentence) -> Sentence:
        """Return the sentence that every condition in ``sentence`` has a value where it is reached, from the left.

        All values of a quantified variable are reached.
        """
        match sentence:
            case ConditionAtom(condition=condition):
                return logic.atom(self.of(condition))
            case Negation(sentence=inner):
                return self.of_sentence(inner)
            case Conjunction(parts=parts) | Disjunction(parts=parts):
                meaning: Sentence = logic.TRUE
                for part in reversed(parts):
                    goes_on = part if isinstance(sentence, Conjunction) else logic.negation(part)
                    meaning = logic.all_of(self.of_sentence(part), logic.implies(goes_on, meaning))
                return meaning
            case Exists(variables=variables, sentence=inner):
                return logic.for_all(variables, self.of_sentence(inner))
            case DefinitionUse(definition=definition, arguments=arguments):
                if id(definition) not in self._definitions:
                    name, says = f"{definition.name}_defined", f"{definition.says}, defined"
                    said = self.of_sentence(definition.sentence)
                    new = Definition(name, definition.parameters, said, says)
                    self._definitions[id(definition)] = definition, new
                _, meant = self._definitions[id(definition)]
                return logic.TRUE if meant.sentence == logic.TRUE else DefinitionUse(meant, arguments)
        return logic.TRUE

    def _of(self, expr: Expr) -> Expr:
        match expr:
            case Logic(op=op, terms=terms):
                return in_turn([(self.of(term), term if op == "and" else negation(term)) for term in terms])
            case Compare():
                links = [(compare(op, left, right), left, right) for op, left, right in expr.links]
                return in_turn([(conjunction(self.of(a), self.of(b)), link) for link, a, b in links])
            case If(condition=test, then=then, otherwise=otherwise):
                then, otherwise = self.of(then), self.of(otherwise)
                return conjunction(self.of(test), then if then == otherwise else If(test, then, otherwise))
            case Bounded():
                return self._bounded(expr)
            case Binary(op="/", right=right):
                return conjunction(self._parts(expr), _nonzero(fraction(right)[0]))
            case Binary(op=op, left=left, right=right) if op in CONVENTIONS:
                return conjunction(self._parts(expr), CONVENTIONS[op].domain((left, right)))
            case Call(name=name, arguments=arguments):
                return conjunction(self._parts(expr), self._call(name, arguments))
        return self._parts(expr)

    def _parts(self, expr: Expr) -> Expr:
        return conjunction(*map(self.of, expr.children))

    def _call(self, name: str, arguments: Arguments) -> Expr:
        """Return the condition on the values of a call's arguments under which the call has a value."""
        if name in BUILTINS:
            return CONVENTIONS[name].domain(arguments) if name in CONVENTIONS else TRUE
        if name in self._domains:
            return self._domains[name](arguments)
        if name not in self._functions or not isinstance(function := self._functions[name], Function):
            raise UnknownDomain(f"it is not known where {names.with_plain_names(name)}() has values")
        if function.recurrence:
            return _at_least(arguments[0], first_argument(function))
        if name not in self._bodies:
            self._bodies[name] = self.of(function.body)
        return substitute(self._bodies[name], dict(zip(function.arguments, arguments, strict=True)))

    def _bounded(self, expr: Bounded) -> Expr:
        ends, body = conjunction(self.of(expr.start), self.of(expr.stop)), self.of(expr.body)
        if body == TRUE:
            return ends
        taken = expr.start.free | expr.stop.free | expr.body.free | body.free
        here = names.fresh_bound_name(expr.variable, taken)
        before = names.fresh_bound_name(expr.variable, {*taken, here})

        def at(condition: Expr, name: str) -> Expr:
            return substitute(condition, {expr.variable: Name(name)})

        inner = at(body, here)
        if expr.kind is Kind.CONDITION:  # evaluation stops where the body decides
            stops = expr.body if expr.quantifier == "any" else negation(expr.body)
            stopped = conjunction(at(body, before), at(stops, before))
            inner = disjunction(inner, Bounded("any", before, expr.start, Name(here), stopped))
        return conjunction(ends, Bounded("all", here, expr.start, expr.stop, inner))


def total(expr: Expr, functions: Functions) -> Expr:
    """Return the expression with the values of ``CONVENTIONS`` where a part of it has no value.

    A recurrence is 0 before its first argument. The result has a value everywhere, and the expression's own value
    wherever the expression has one.
    """
    return rewrite(lower(functions.expand(expr)), lambda node: _completed(node, functions))


def _completed(node: Expr, functions: Functions) -> Expr:
    match node:
        case Binary(op=name) if name in CONVENTIONS:
            arguments: Arguments = (node.left, node.right)
        case Call(name=name, arguments=arguments) if name in CONVENTIONS:
            pass
        case Call(name=name, arguments=arguments) if name not in BUILTINS:
            function = functions[name]
            assert isinstance(function, Function)
            return If(_at_least(arguments[0], first_argument(function)), node, Int(0))
        case _:
            return node
    convention = CONVENTIONS[name]
    domain = convention.domain(arguments)
    return node if domain == TRUE else If(domain, node, convention.elsewhere(arguments))


def _nonzero(number: Expr) -> Expr:
    return Bool(number.value != 0) if isinstance(number, Int) else compare("!=", number, Int(0))


def _at_least(number: Expr, least: int) -> Expr:
    if isinstance(number, Int):
        return Bool(number.value >= least)
    return TRUE if least <= 0 and _is_square(number) else compare(">=", number, Int(least))


def _is_square(number: Expr) -> bool:
    """Tell whether the number is plainly a product of a natural constant and squares."""
    factors = operands(number, "*")
    constants = [factor.value for factor in factors if isinstance(factor, Int)]
    others = [factor for factor in factors if not isinstance(factor, Int)]
    return min(constants, default=0) >= 0 and all(others.count(factor) % 2 == 0 for factor in others)
