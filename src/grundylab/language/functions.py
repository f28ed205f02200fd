"""Functions that a ruleset defines: by an expression, by cases, by a recurrence; or known by their values only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import EvaluationError, FormulaError, LimitError
from grundylab.language import syntax
from grundylab.language.builtins import BUILTINS
from grundylab.language.names import unqualified
from grundylab.language.substitution import lower, rewritten, substitute
from grundylab.language.syntax import MAX_NODES, Expr, called, limited, parts

MAX_NESTING = 200  # operators within operators: every reader follows that deep, by some calls a level


@dataclass(frozen=True)
class Function:
    """``name(arguments) = body``; where ``initial`` has the (single) argument, that value instead.

    The body may mention the game's parameters. A body that calls its own function is a recurrence: it has one
    argument, and each value must depend on finitely many others.
    """

    name: str
    arguments: tuple[str, ...]
    body: Expr
    initial: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if (self.initial or self.recursive) and len(self.arguments) != 1:
            raise FormulaError(f"the recurrence {self.name}() must have one argument")

    @cached_property
    def recursive(self) -> bool:
        """Whether the body calls the function itself."""
        return self.name in called(self.body)

    @cached_property
    def optional(self) -> frozenset[str]:
        """The arguments that the body may have no use for."""
        return frozenset(self.arguments) - evaluated(self.body)


@dataclass(frozen=True)
class Declared:
    """A function of which only the head is known yet. ``what`` says in a few words what it stands for."""

    name: str
    arguments: tuple[str, ...]
    what: str


@dataclass(frozen=True, eq=False)
class Tabulated:
    """A function given by its values from ``lows`` on; it has none before that, and ends with the table.

    values: an integer array with one axis an argument; ``hole`` is in cells where the function has no value. ``what``
    says in a few words what it stands for.
    """

    name: str
    arguments: tuple[str, ...]
    values: npt.NDArray[Any]
    lows: tuple[int, ...]
    what: str
    hole: int = -1

    def __call__(self, *arguments: int) -> int:
        """The value; EvaluationError where there is none, LimitError past the end of the table."""
        offsets = tuple(argument - low for argument, low in zip(arguments, self.lows, strict=True))
        at = f"{unqualified(self.name)}({', '.join(map(str, arguments))})"
        if min(offsets) < 0:
            raise EvaluationError(f"{at} has no value: {self.what}")
        if any(offset >= width for offset, width in zip(offsets, self.values.shape, strict=True)):
            raise LimitError(f"{at} is past the end of the table of {self.what}")
        value = int(self.values[offsets])
        if value == self.hole:
            raise EvaluationError(f"{at} has no value: {self.what}")
        return value

    def at_once(self, columns: tuple[npt.NDArray[Any], ...]) -> npt.NDArray[Any] | None:
        """The values at many arguments (arrays of one shape), or None if it has none, or no known one, at some."""
        cell = np.zeros((), dtype=np.intp)
        for column, low, width in zip(columns, self.lows, self.values.shape, strict=True):
            if column.size and (column.min() < low or column.max() >= low + width):
                return None
            cell = cell * width + (column - low).astype(np.intp, copy=False)
        found = self.values.reshape(-1)[cell]
        return None if np.any(found == self.hole) else found.astype(np.int64)


AnyFunction = Function | Declared | Tabulated


def unknown(function: Declared) -> EvaluationError:
    """The error of asking for a value of a function that is only declared."""
    return EvaluationError(
        f"{unqualified(function.name)}() is {function.what}: its values are not given here"
    )


@dataclass(frozen=True)
class Functions:
    """The functions of a game, in an order in which each calls only earlier ones and itself.

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
    def _growths(self) -> Known:
        """What becomes of calls of those that ``expand`` writes out."""
        known: dict[str, tuple[tuple[str, ...], Growth]] = {}
        for function in self.items:  # each calls only earlier ones and itself
            if isinstance(function, Function) and not (function.recursive or function.initial):
                known[function.name] = function.arguments, growth(function.body, known, function.arguments)
        return known

    def check_growth(self, expr: Expr) -> None:
        """Raise FormulaError if the expression with its functions written out is too large to be worked with."""
        if any(name in self for name in called(expr)):
            found = growth(expr, self._growths)
        else:  # it grows by its fractions only
            written = lower(expr)
            found = Growth(written.size, written.depth)
        if found.nodes > MAX_NODES:
            raise FormulaError(
                f"with its functions written out it has more than {MAX_NODES:,} operators, numbers and calls"
            )
        if found.depth > MAX_NESTING:
            raise FormulaError(
                f"with its functions written out it is nested too deeply (at most {MAX_NESTING})"
            )

    def given(self, *functions: AnyFunction) -> Functions:
        """With these in the places of those of the same names, or after all others."""
        new = {function.name: function for function in functions}
        kept = tuple(new.pop(function.name, function) for function in self.items)
        return Functions((*kept, *new.values()), self.parameters)

    def called_by(self, *exprs: Expr) -> tuple[AnyFunction, ...]:
        """Those that the expressions call, themselves or through others."""
        names = {name for expr in exprs for name in called(expr)}
        for function in reversed(self.items):  # each calls only earlier ones and itself
            if function.name in names and isinstance(function, Function):
                names |= called(function.body)
        return tuple(function for function in self.items if function.name in names)

    def expand(self, expr: Expr) -> Expr:
        """The expression with every call of a non-recursive function replaced by its body.

        It has a value where the call has one: an argument that the body may have no use for is added 0 times, unless
        it has a value everywhere. Raises FormulaError where that gets too large.
        """
        return rewritten(expr, self._written_out)

    def _written_out(self, expr: Expr) -> Expr:
        if not isinstance(expr, syntax.Call) or expr.name not in self:
            return expr
        function = self[expr.name]
        if not isinstance(function, Function) or function.recursive or function.initial:
            return expr
        given = dict(zip(function.arguments, expr.arguments, strict=True))
        body = substitute(function.body, given)
        for name in sorted(function.optional):
            if not always_has_a_value(given[name]):
                body = syntax.Binary("+", body, syntax.Binary("*", syntax.Int(0), given[name]))
        return limited(self.expand(body))


NO_FUNCTIONS = Functions()


# -- what is evaluated whatever the values are: arguments are, even those that the body has no use for ----------


def evaluated(expr: Expr) -> frozenset[str]:
    """The names that are surely asked for when the expression is: not those behind a condition or in a range."""
    match expr:
        case syntax.Name(id=name):
            return frozenset({name})
        case syntax.If(condition=condition, then=then, otherwise=otherwise):
            return evaluated(condition) | (evaluated(then) & evaluated(otherwise))
        case syntax.Logic(terms=(first, *_)):
            return evaluated(first)
        case syntax.Compare(terms=(first, second, *_)):
            return evaluated(first) | evaluated(second)
        case syntax.Bounded(start=start, stop=stop):
            return evaluated(start) | evaluated(stop)
        case _:
            return reduce(frozenset.union, map(evaluated, expr.children), frozenset[str]())


def always_has_a_value(expr: Expr) -> bool:
    """Whether nothing in it can be without a value, whatever the names are; it may be so without being seen."""
    return all(map(_has_a_value, parts(expr)))


def _has_a_value(node: Expr) -> bool:
    """If its children have."""
    match node:
        case syntax.Binary(op="//" | "%" | "/", right=syntax.Int(value=value)):
            return value != 0
        case syntax.Binary(op="<<" | ">>", right=syntax.Int(value=value)):
            return value >= 0
        case syntax.Binary(op="//" | "%" | "/" | "<<" | ">>") | syntax.Bounded():
            return False
        case syntax.Call(name=name):
            return name in BUILTINS and BUILTINS[name].least is None
        case _:
            return True


# -- how large an expression becomes when the functions that it calls are written out --------------------------
# A chain of functions that each use the one before twice is short as text, and of 2**n operators when it is
# evaluated, printed or proved. So of each body it is known how many nodes it has, how deep they are nested, and how
# often and how deep each argument occurs: that adds up in the time of one walk, and nothing is written out.


@dataclass(frozen=True)
class Growth:
    """nodes, depth: but for the names in ``uses``, of which each occurs so often and so deep at most."""

    nodes: int
    depth: int
    uses: Mapping[str, tuple[int, int]] = field(default_factory=dict)


Known = Mapping[str, tuple[tuple[str, ...], Growth]]  # a function's arguments, and what is known of its body


def growth(expr: Expr, known: Known, arguments: Iterable[str] = ()) -> Growth:
    """Of the expression apart from the ``arguments``, with the functions that are known written out."""
    return _growth(lower(expr), known, frozenset(arguments), {})


def _growth(expr: Expr, known: Known, arguments: frozenset[str], done: dict[int, Growth]) -> Growth:
    """done: of the parts looked at already, by identity."""
    if id(expr) not in done:
        parts = [_growth(child, known, arguments, done) for child in expr.children]
        done[id(expr)] = _over(expr, parts, known, arguments)
    return done[id(expr)]


def _over(expr: Expr, parts: Sequence[Growth], known: Known, arguments: frozenset[str]) -> Growth:
    """Of a node, from those of its children."""
    if isinstance(expr, syntax.Name):
        return Growth(0, 0, {expr.id: (1, 0)}) if expr.id in arguments else Growth(1, 1)
    if isinstance(expr, syntax.Call) and expr.name in known:
        names, body = known[expr.name]
        given = dict(zip(names, parts, strict=True))
        uses = {name: body.uses.get(name, (1, 1)) for name in given}
        written_out = _together(body, [(given[name], *use) for name, use in uses.items()])
        return _together(Growth(1, 1), [(written_out, 1, 1)])  # it counts although nothing may be left of it
    own = expr.size - sum(child.size for child in expr.children) if isinstance(expr, syntax.Accepts) else 1
    return _together(Growth(own, 1), [(part, 1, 1) for part in parts])


def _together(around: Growth, parts: Iterable[tuple[Growth, int, int]]) -> Growth:
    """With each part put in so many times, so deep at most."""
    nodes, depth, uses = around.nodes, around.depth, dict[str, tuple[int, int]]()
    for part, times, down in parts:
        nodes += times * part.nodes
        depth = max(depth, down + part.depth)
        for name, (count, deep) in part.uses.items():
            before = uses.get(name, (0, 0))
            uses[name] = (before[0] + times * count, max(before[1], down + deep))
    return Growth(nodes, depth, uses)
