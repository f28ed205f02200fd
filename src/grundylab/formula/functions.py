"""Functions that a ruleset defines: by an expression, by cases, or by a recurrence with initial values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grundylab.errors import FormulaError
from grundylab.formula.syntax import Call, Expr, called, rebuild, substitute


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

    @property
    def recursive(self) -> bool:
        """Whether the body calls the function itself."""
        return self.name in called(self.body)


@dataclass(frozen=True)
class Functions:
    """The functions of a game, in an order in which each calls only earlier ones and itself.

    parameters: the names of the game's parameters, which the bodies may mention.
    """

    items: tuple[Function, ...] = ()
    parameters: tuple[str, ...] = ()
    _by_name: Mapping[str, Function] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {function.name: function for function in self.items})

    def __getitem__(self, name: str) -> Function:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[Function]:
        return iter(self.items)

    def expand(self, expr: Expr) -> Expr:
        """The expression with every call of a non-recursive function replaced by its body."""
        children = tuple(self.expand(child) for child in expr.children)
        expr = rebuild(expr, children) if children else expr
        if not isinstance(expr, Call) or expr.name not in self:
            return expr
        function = self[expr.name]
        if function.recursive or function.initial:
            return expr
        return self.expand(
            substitute(function.body, dict(zip(function.arguments, expr.arguments, strict=True)))
        )


NO_FUNCTIONS = Functions()
