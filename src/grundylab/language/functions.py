"""Functions of a ruleset: defined by an expression, by cases or by a recurrence; tabulated; or only declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import EvaluationError, FormulaError, LimitError, number_text
from grundylab.language import syntax
from grundylab.language.builtins import BUILTINS
from grundylab.language.names import with_plain_names
from grundylab.language.operators import OPERATORS
from grundylab.language.substitution import lower, rewrite, substitute, with_bound_names_apart
from grundylab.language.syntax import MAX_NODES, Expr, called_functions, check_size, distinct_parts, walk

MAX_NESTING = 200  # nested operators: evaluation recurses that deep, with several calls for each level


@dataclass(frozen=True)
class Function:
    """A function ``name(arguments) = body``, with exceptions: ``initial`` has pairs of an argument and its value.

    The body may mention the game's parameters. A body that calls its own function is a recurrence: it has one argument,
    and each value must depend on finitely many others.
    """

    name: str
    arguments: tuple[str, ...]
    body: Expr
    initial: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if self.recurrence and len(self.arguments) != 1:
            raise FormulaError(f"the recurrence {self.name}() must have one argument")

    @cached_property
    def recursive(self) -> bool:
        """True if the body calls the function itself."""
        return self.name in called_functions(self.body)

    @property
    def recurrence(self) -> bool:
        """True if the body calls the function itself or there are exceptions: no expression can stand for a call."""
        return self.recursive or bool(self.initial)


@dataclass(frozen=True)
class Declared:
    """A function declared without a definition, so that no value is known. what: its description in a few words."""

    name: str
    arguments: tuple[str, ...]
    what: str


@dataclass(frozen=True, eq=False)
class Tabulated:
    """A function given by a table of its values.

    values: an integer array with an axis for each argument. lows: for each argument, its value at index 0 of the axis.
    hole: the number that marks a cell without a value. what: the function's description in a few words.
    """

    name: str
    arguments: tuple[str, ...]
    values: npt.NDArray[Any]
    lows: tuple[int, ...]
    what: str
    hole: int = -1

    def __call__(self, *arguments: int) -> int:
        """Return the value. Raises EvaluationError if the arguments have none, LimitError past the table's end."""
        offsets = tuple(argument - low for argument, low in zip(arguments, self.lows, strict=True))
        at = f"{with_plain_names(self.name)}({', '.join(map(number_text, arguments))})"
        if min(offsets) < 0:
            raise EvaluationError(f"{at} has no value: {self.what}")
        if any(offset >= width for offset, width in zip(offsets, self.values.shape, strict=True)):
            raise LimitError(f"{at} is past the end of the table of {self.what}")
        value = int(self.values[offsets])
        if value == self.hole:
            raise EvaluationError(f"{at} has no value: {self.what}")
        return value

    def at_once(self, columns: tuple[npt.NDArray[Any], ...]) -> npt.NDArray[Any] | None:
        """Return the values at many arguments (arrays of one shape); None if any value is missing or past the table."""
        cell = np.zeros((), dtype=np.intp)
        for column, low, width in zip(columns, self.lows, self.values.shape, strict=True):
            if column.size and (column.min() < low or column.max() >= low + width):
                return None
            cell = cell * width + (column - low).astype(np.intp, copy=False)
        values = self.values.reshape(-1)[cell]
        return None if np.any(values == self.hole) else values.astype(np.int64)


AnyFunction = Function | Declared | Tabulated


def undefined_function_error(function: Declared) -> EvaluationError:
    """Return the error for a call of a function that is only declared."""
    return EvaluationError(
        f"{with_plain_names(function.name)}() is {function.what}: its values are not given here"
    )


@dataclass(frozen=True)
class Functions:
    """The functions of a game, in an order in which each calls only itself and earlier ones.

    parameters: the names of the game's parameters, which the bodies may mention.
    """

    items: tuple[AnyFunction, ...] = ()
    parameters: tuple[str, ...] = ()
    _by_name: Mapping[str, AnyFunction] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {function.name: function for function in self.items})

    def __getitem__(self, name: str) -> AnyFunction:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[AnyFunction]:
        return iter(self.items)

    @cached_property
    def _bodies(self) -> dict[str, Expr | FormulaError]:
        """For each function but recurrences: its body with all calls expanded, or the error if that is too large.

        In a chain of n functions that each use the previous one twice, the last body is short, but has 2**n operators
        when expanded.
        """
        bodies: dict[str, Expr | FormulaError] = {}
        for function in self.items:  # each calls only earlier ones and itself
            if isinstance(function, Function) and not function.recurrence:
                try:
                    bodies[function.name] = _readable(self._expanded(function.body, bodies))
                except FormulaError as error:
                    bodies[function.name] = error
        return bodies

    @cached_property
    def _calls(self) -> dict[str, int]:
        """For each function that can be expanded: how many calls its full expansion has, the call of it included."""
        counts: dict[str, int] = {}
        for function in self.items:  # each calls only earlier ones and itself
            if function.name in self._bodies and isinstance(function, Function):
                counts[function.name] = 1 + _sum_of_calls(function.body, counts)
        return counts

    def check_growth(self, expr: Expr) -> None:
        """Raise FormulaError if the expression is too large once the calls of its functions are expanded."""
        _readable(self.expand(expr))
        if _sum_of_calls(expr, self._calls) > MAX_NODES:  # counts the calls that the expansion drops, too
            raise FormulaError(f"with its functions written out it has more than {MAX_NODES:,} calls")

    def given(self, *functions: AnyFunction) -> Functions:
        """Return these functions with others added: each replaces the one of the same name, or comes last."""
        new = {function.name: function for function in functions}
        kept = tuple(new.pop(function.name, function) for function in self.items)
        return Functions((*kept, *new.values()), self.parameters)

    def called_by(self, *exprs: Expr) -> tuple[AnyFunction, ...]:
        """Return the functions that the expressions call, directly or through others."""
        names = {name for expr in exprs for name in called_functions(expr)}
        for function in reversed(self.items):  # each calls only earlier ones and itself
            if function.name in names and isinstance(function, Function):
                names |= called_functions(function.body)
        return tuple(function for function in self.items if function.name in names)

    def expand(self, expr: Expr) -> Expr:
        """Return the expression with every call of a non-recursive function replaced by its body.

        The result has a value exactly where the expression has one. For this, an argument that the body may leave
        unevaluated is added as ``0 * argument``, unless it always has a value. A bound variable with the name of a
        parameter, which the body may mention, is renamed. Raises FormulaError if the result is too large.
        """
        if self.parameters and not expr.calls.isdisjoint(self._bodies):
            expr = with_bound_names_apart(expr, self.parameters)
        return self._expanded(expr, self._bodies)

    def _expanded(self, expr: Expr, bodies: Mapping[str, Expr | FormulaError]) -> Expr:
        """Expand the expression's calls. bodies: for each function to expand, its expanded body or the error."""
        done: dict[syntax.Call, Expr] = {}  # so that equal calls share one expansion

        def written(node: Expr) -> Expr:
            if not isinstance(node, syntax.Call) or node.name not in bodies:
                return node
            if node not in done:
                function, body = self[node.name], bodies[node.name]
                if isinstance(body, FormulaError):
                    raise FormulaError(body.message)
                given = dict(zip(function.arguments, node.arguments, strict=True))
                done[node] = substitute(body, given)
                for name in sorted(given.keys() - always_evaluated_names(body)):
                    if not always_has_a_value(given[name]):
                        without = syntax.Binary("*", syntax.Int(0), given[name])
                        done[node] = syntax.Binary("+", done[node], without)
                check_size(done[node])
            return done[node]

        return rewrite(expr, written)


NO_FUNCTIONS = Functions()


def _sum_of_calls(expr: Expr, calls: Mapping[str, int]) -> int:
    return sum(calls.get(node.name, 0) for node in walk(expr) if isinstance(node, syntax.Call))


def _readable(expr: Expr) -> Expr:
    """Return the expression unchanged. Raises FormulaError if it is too large, or too deeply nested, to evaluate."""
    if check_size(lower(expr)).depth > MAX_NESTING:
        raise FormulaError(f"written out it is nested too deeply (at most {MAX_NESTING})")
    return expr


# -- names that are always evaluated; a function's arguments are, even one that its body does not use -----------


@lru_cache(maxsize=10_000)
def always_evaluated_names(expr: Expr) -> frozenset[str]:
    """Return names whose values every evaluation of the expression needs, whichever branches it takes."""
    match expr:
        case syntax.Name(id=name):
            return frozenset({name})
        case syntax.If(condition=condition, then=then, otherwise=otherwise):
            return always_evaluated_names(condition) | (
                always_evaluated_names(then) & always_evaluated_names(otherwise)
            )
        case syntax.Logic(terms=(first, *_)):
            return always_evaluated_names(first)
        case syntax.Compare(terms=(first, second, *_)):
            return always_evaluated_names(first) | always_evaluated_names(second)
        case syntax.Bounded(start=start, stop=stop):
            return always_evaluated_names(start) | always_evaluated_names(stop)
        case _:
            return reduce(frozenset.union, map(always_evaluated_names, expr.children), frozenset[str]())


def always_has_a_value(expr: Expr) -> bool:
    """Tell whether the expression surely has a value for all values of its names; False means that this is unknown."""
    for node in distinct_parts(expr):
        match node:
            case syntax.Binary(op=op, right=right) if domain := OPERATORS[op].domain:
                if not (isinstance(right, syntax.Int) and domain.covers(right.value, right.value)):
                    return False
            case syntax.Bounded():
                return False
            case syntax.Call(name=name) if name not in BUILTINS or BUILTINS[name].least is not None:
                return False
    return True
