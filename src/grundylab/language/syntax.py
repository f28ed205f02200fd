"""The syntax tree of the formula language: immutable nodes that know their kind and check their parts.

A tree has one of three kinds: a NUMBER (an integer), a CONDITION (true or false), or a RATIO (an exact fraction, which
only ``floor`` and ``ceil`` accept). Nodes cannot be built with parts of the wrong kind, so every tree is well-formed.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, reduce
from typing import Literal, TypeVar, dataclass_transform, get_args

from grundylab.automata.digits import DigitAutomaton
from grundylab.errors import FormulaError
from grundylab.language.builtins import BUILTINS
from grundylab.language.operators import OPERATORS


class Kind(Enum):
    """The kind of an expression's value."""

    NUMBER = "a number"
    CONDITION = "a condition"
    RATIO = "a fraction"


MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}  # with the sides exchanged
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}  # the negation of each
COMPARISONS = tuple(MIRRORED)
Quantifier = Literal["any", "all", "sum", "nim_sum"]
QUANTIFIERS = get_args(Quantifier)
TOTALS = {"sum": "+", "nim_sum": "^"}  # the quantifiers that give a number, each with its operator
ACCEPTS = "accepts"  # the membership of numbers in a set that is given by an automaton
# The most nodes of an expression, a shared part counted wherever it occurs: MAX_WRITTEN for printing and walking it,
# MAX_NODES for all else. A formula's text has at most some thousands of nodes, but each substitution, and each fraction
# that is cleared, can double the size.
MAX_WRITTEN, MAX_NODES = 1_000_000, 50_000
_HASH = "_hash"  # the attribute in which a node caches its hash
_BUILT_IN = frozenset(BUILTINS)
RESERVED = frozenset({*BUILTINS, *QUANTIFIERS, ACCEPTS, "range", *keyword.kwlist})


_T = TypeVar("_T")


@dataclass_transform(frozen_default=True)
def tree_node(cls: type[_T]) -> type[_T]:
    """Make the class a frozen dataclass whose objects cache their hash, because trees are keys of dictionaries."""
    made = dataclass(frozen=True)(cls)
    of_fields = made.__hash__

    def kept(self: _T) -> int:
        try:
            number: int = self.__dict__[_HASH]
        except KeyError:
            number = self.__dict__[_HASH] = of_fields(self)
        return number

    made.__hash__ = kept  # type: ignore[assignment, method-assign] # mypy takes __hash__ for object's
    return made


@tree_node
class Expr:
    """An expression, the base class of all nodes. ``str`` gives text that parses back to an equal tree."""

    @property
    def kind(self) -> Kind:
        """The kind: NUMBER, CONDITION or RATIO."""
        return Kind.NUMBER

    @cached_property
    def children(self) -> tuple[Expr, ...]:
        """The direct subexpressions, left to right."""
        parts: list[Expr] = []
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if isinstance(value, Expr):
                parts.append(value)
            elif isinstance(value, tuple):
                parts.extend(part for part in value if isinstance(part, Expr))
        return tuple(parts)

    @cached_property
    def size(self) -> int:
        """The number of nodes, by which formulas are compared. In a chained comparison each sign is a node."""
        return 1 + sum(child.size for child in self.children)

    @cached_property
    def depth(self) -> int:
        """The number of nodes on the longest path from this node to a leaf, both included."""
        return 1 + max((child.depth for child in self.children), default=0)

    @cached_property
    def free(self) -> frozenset[str]:
        """The names that the value depends on."""
        return frozenset[str]().union(*(child.free for child in self.children))

    @cached_property
    def calls(self) -> frozenset[str]:
        """The names of the functions called, built in or not."""
        return frozenset[str]().union(*(child.calls for child in self.children))

    def __getstate__(self) -> dict[str, object]:
        """Return the state for pickling, without the cached hash, which differs between processes."""
        return {name: value for name, value in vars(self).items() if name != _HASH}


@tree_node
class Condition(Expr):
    """An expression that is true or false."""

    @property
    def kind(self) -> Kind:
        """The kind: CONDITION."""
        return Kind.CONDITION


def _require(part: Expr, kinds: tuple[Kind, ...], where: str) -> None:
    if part.kind in kinds:
        return
    if part.kind is Kind.RATIO:
        raise FormulaError(f"'/' is exact division: write floor(a/b), ceil(a/b) or a // b around '{part}'")
    raise FormulaError(
        f"{where} takes {kinds[0].value}, but '{part}' is {part.kind.value}{condition_hint(part, kinds[0])}"
    )


def condition_hint(part: Expr, wanted: Kind) -> str:
    """Return a hint that names the built-in conditions, for the message that ``part`` is of the wrong kind.

    The hint is empty unless a condition is wanted and ``part`` calls a function that is not built in.
    """
    if wanted is not Kind.CONDITION or not isinstance(part, Call) or part.name in BUILTINS:
        return ""
    names = " and ".join(name for name, row in BUILTINS.items() if row.condition)
    return f"; no condition '{part.name}' is built in: there are {names}"


NUMBER = (Kind.NUMBER,)
CONDITION = (Kind.CONDITION,)
NUMERIC = (Kind.NUMBER, Kind.RATIO)


@tree_node
class Int(Expr):
    """An integer constant."""

    value: int


@tree_node
class Bool(Condition):
    """A truth value, ``True`` or ``False``."""

    value: bool


@tree_node
class Name(Expr):
    """A coordinate, parameter, bound, choice or bound variable."""

    id: str

    @cached_property
    def free(self) -> frozenset[str]:
        """The name itself."""
        return frozenset({self.id})


@tree_node
class Negate(Expr):
    """A negation ``-operand``. A negative constant is ``Int(-3)``, so that every number has one tree."""

    operand: Expr

    def __post_init__(self) -> None:
        _require(self.operand, NUMERIC, "'-'")
        if isinstance(self.operand, Int):
            raise FormulaError(f"write Int({-self.operand.value}) for the negative constant")

    @cached_property
    def kind(self) -> Kind:
        """The operand's kind."""
        return self.operand.kind


@tree_node
class Binary(Expr):
    """An operation ``left op right`` for op in OPERATORS; ``^`` is nim-sum (bitwise exclusive or), ``/`` a fraction."""

    op: str
    left: Expr
    right: Expr

    def __post_init__(self) -> None:
        kinds = NUMERIC if OPERATORS[self.op].fractions else NUMBER
        for part in (self.left, self.right):
            _require(part, kinds, f"'{self.op}'")

    @property
    def varies(self) -> bool:
        """True if names are in an operand that automata read only if it is constant."""
        row = OPERATORS[self.op]
        return row.by_constant and bool(self.right.free) and (not row.commutes or bool(self.left.free))

    @cached_property
    def kind(self) -> Kind:
        """The kind: RATIO if it contains an exact division, else NUMBER."""
        if self.op == "/" or Kind.RATIO in (self.left.kind, self.right.kind):
            return Kind.RATIO
        return Kind.NUMBER


@tree_node
class Compare(Condition):
    """A chained comparison ``terms[0] ops[0] terms[1] ops[1] …``, true if each of its links is true."""

    ops: tuple[str, ...]
    terms: tuple[Expr, ...]

    def __post_init__(self) -> None:
        for part in self.terms:
            _require(part, NUMBER, f"'{self.ops[0]}'")

    @cached_property
    def size(self) -> int:
        """The number of comparison signs plus the sizes of the terms."""
        return len(self.ops) + sum(term.size for term in self.terms)

    @property
    def links(self) -> Iterator[tuple[str, Expr, Expr]]:
        """The single comparisons of the chain, as (op, left, right)."""
        return zip(self.ops, self.terms, self.terms[1:], strict=False)


@tree_node
class Not(Condition):
    """A negation ``not operand``."""

    operand: Expr

    def __post_init__(self) -> None:
        _require(self.operand, CONDITION, "'not'")


@tree_node
class Logic(Condition):
    """A conjunction or disjunction of two or more conditions, evaluated left to right and no further than needed."""

    op: Literal["and", "or"]
    terms: tuple[Expr, ...]

    def __post_init__(self) -> None:
        for part in self.terms:
            _require(part, CONDITION, f"'{self.op}'")

    @cached_property
    def size(self) -> int:
        """The number of connectives plus the sizes of the terms."""
        return len(self.terms) - 1 + sum(term.size for term in self.terms)


@tree_node
class If(Expr):
    """A conditional ``then if condition else otherwise``; only the branch taken needs a value."""

    condition: Expr
    then: Expr
    otherwise: Expr

    def __post_init__(self) -> None:
        _require(self.condition, CONDITION, "'if'")
        _require(self.then, (Kind.NUMBER, Kind.CONDITION), "'if … else'")
        _require(self.otherwise, (self.then.kind,), "'else', like the branch before it,")

    @cached_property
    def kind(self) -> Kind:
        """The kind of both branches."""
        return self.then.kind


@tree_node
class Call(Expr):
    """A call of a built-in function, or of one that the ruleset defines; a built-in may give a condition."""

    name: str
    arguments: tuple[Expr, ...]

    def __post_init__(self) -> None:
        row = BUILTINS.get(self.name)
        low, high = row.arguments if row else (1, None)
        count = len(self.arguments)
        if count < low or (high is not None and count > high):
            wanted = f"{low}" if high == low else f"{low} or more"
            raise FormulaError(f"{self.name}() takes {wanted} argument{'s' * (wanted != '1')}, not {count}")
        for part in self.arguments:
            _require(part, NUMERIC if row and row.rounds else NUMBER, f"{self.name}()")

    @cached_property
    def calls(self) -> frozenset[str]:
        """The names of this function and of those called in its arguments."""
        return super().calls | {self.name}

    @property
    def kind(self) -> Kind:
        """The kind: CONDITION for a built-in condition, else NUMBER."""
        row = BUILTINS.get(self.name)
        return Kind.CONDITION if row and row.condition else Kind.NUMBER


@tree_node
class Accepts(Condition):
    """The condition that the automaton accepts the numbers; no negative number is accepted."""

    automaton: DigitAutomaton
    arguments: tuple[Expr, ...]

    def __post_init__(self) -> None:
        wanted, given = self.automaton.arity, len(self.arguments)
        if given != wanted:
            numbers = f"{wanted} number{'s' * (wanted != 1)}"
            raise FormulaError(f"{ACCEPTS}(): the automaton reads {numbers}, not {given}")
        for part in self.arguments:
            _require(part, NUMBER, f"{ACCEPTS}()")

    @cached_property
    def size(self) -> int:
        """The number of transitions and nodes, so that an automaton counts more than a formula of the same meaning."""
        transitions = sum(map(len, self.automaton.rows))
        return 1 + transitions + sum(argument.size for argument in self.arguments)


@tree_node
class Bounded(Expr):
    """A condition ``any`` or ``all``, or a total, of the body for variable = start, …, stop - 1."""

    quantifier: Quantifier
    variable: str
    start: Expr
    stop: Expr
    body: Expr

    def __post_init__(self) -> None:
        for part in (self.start, self.stop):
            _require(part, NUMBER, "range()")
        _require(self.body, NUMBER if self.quantifier in TOTALS else CONDITION, f"{self.quantifier}()")

    @cached_property
    def free(self) -> frozenset[str]:
        """The free names of the ends and of the body, except the variable in the body."""
        return self.start.free | self.stop.free | (self.body.free - {self.variable})

    @property
    def kind(self) -> Kind:
        """The kind: NUMBER for a total, else CONDITION."""
        return Kind.NUMBER if self.quantifier in TOTALS else Kind.CONDITION


TRUE, FALSE = Bool(True), Bool(False)


def negative(operand: Expr) -> Expr:
    """Return ``-operand``; for a constant, the negative constant."""
    return Int(-operand.value) if isinstance(operand, Int) else Negate(operand)


def chain(op: str, operands: Iterable[Expr]) -> Expr:
    """Return ``a op b op c``, grouped from the left, for one or more operands; one alone is returned unchanged."""
    return reduce(lambda a, b: Binary(op, a, b), operands)


def operands(expr: Expr, op: str) -> list[Expr]:
    """Return the operands of nested operations ``op``, however grouped; any other expression is its only operand."""
    if isinstance(expr, Binary) and expr.op == op:
        return [*operands(expr.left, op), *operands(expr.right, op)]
    return [expr]


def by_cases(cases: Sequence[tuple[Expr, Expr]], otherwise: Expr) -> Expr:
    """Return a conditional: the value of the first (condition, value) whose condition holds, else ``otherwise``."""
    for condition, value in reversed(cases):
        otherwise = If(condition, value, otherwise)
    return otherwise


def compare(op: str, left: Expr, right: Expr) -> Compare:
    """Return the single comparison ``left op right``."""
    return Compare((op,), (left, right))


def equalities(values: Iterable[tuple[str, int]]) -> Expr:
    """Return the conjunction of ``name == value`` for all pairs (name, value)."""
    return conjunction(*(compare("==", Name(name), Int(value)) for name, value in values))


def conjunction(*conditions: Expr) -> Expr:
    """Return the conjunction of the conditions, without truth constants, repetitions and nested ``and``."""
    return _connect("and", conditions)


def disjunction(*conditions: Expr) -> Expr:
    """Return the disjunction of the conditions, without truth constants, repetitions and nested ``or``."""
    return _connect("or", conditions)


def conjuncts(condition: Expr) -> tuple[Expr, ...]:
    """Return the operands of a conjunction, also of nested ones; any other condition is its only operand."""
    if isinstance(condition, Logic) and condition.op == "and":
        return tuple(part for term in condition.terms for part in conjuncts(term))
    return (condition,)


def negate(condition: Expr) -> Expr:
    """Return the negated condition, with ``not`` moved inwards."""
    match condition:
        case Bool(value=truth):
            return Bool(not truth)
        case Not(operand=operand):
            return operand
        case Compare(ops=(op,), terms=terms):
            return Compare((OPPOSITE[op],), terms)
        case Logic(op="and", terms=terms):
            return disjunction(*map(negate, terms))
        case Logic(terms=terms):
            return conjunction(*map(negate, terms))
        case If(condition=test, then=then, otherwise=otherwise):
            return If(test, negate(then), negate(otherwise))
        case _:
            return Not(condition)


def _connect(op: Literal["and", "or"], conditions: tuple[Expr, ...]) -> Expr:
    neutral, absorbing = (TRUE, FALSE) if op == "and" else (FALSE, TRUE)
    terms: list[Expr] = []
    for condition in conditions:
        inner = condition.terms if isinstance(condition, Logic) and condition.op == op else (condition,)
        terms.extend(part for part in inner if part != neutral and part not in terms)
    if absorbing in terms:
        return absorbing
    if len(terms) < 2:
        return terms[0] if terms else neutral
    return Logic(op, tuple(terms))


def check_size(expr: Expr, most: int = MAX_NODES) -> Expr:
    """Return the expression unchanged. Raises FormulaError if it has more than ``most`` nodes.

    A shared part counts wherever it occurs. The check is fast even if many parts are shared.
    """
    if expr.size > most:
        raise FormulaError(f"written out it has more than {most:,} operators and numbers")
    return expr


def walk(expr: Expr) -> Iterator[Expr]:
    """Yield the expression and all its subexpressions, each before its children and as often as it occurs.

    Raises FormulaError if there are too many. ``distinct_parts`` yields a shared part once.
    """
    yield check_size(expr, MAX_WRITTEN)
    for child in expr.children:
        yield from walk(child)


def distinct_parts(expr: Expr) -> Iterator[Expr]:
    """Yield the expression and all its subexpressions, each before its children; a shared part is yielded once."""
    seen, waiting = set[int](), [expr]
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting.extend(reversed(node.children))


def free_names(expr: Expr) -> frozenset[str]:
    """Return the names that the expression's value depends on."""
    return expr.free


def called_functions(expr: Expr) -> frozenset[str]:
    """Return the names of the functions called that are not built in."""
    return expr.calls - _BUILT_IN
