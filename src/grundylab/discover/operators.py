"""The operators of genetic programming, once: what gplearn calls, what PySR gets as Julia, and what both mean.

Each operator is a line of the formula language about ``a``, ``b`` and ``c``. Programs work on floats that are whole
numbers. No operator but the product makes a value of larger magnitude than those of its arguments together (and 1),
and products are cut at 2**31, so floats never round. A program that relies on the cut means something else on
integers; candidates are counted on integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from grundylab.discover.base import Array
from grundylab.language import Expr, parse
from grundylab.language.plain import evaluate
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Binary, Bool, Call, Compare, If, Int, Name, walk

ARGUMENTS = ("a", "b", "c")
CUT = 1 << 31  # magnitude at which a product is cut
EXACT = 1 << 53  # magnitude up to which every whole number is a float

LARGEST = 200  # nodes of a formula that is made: a quotient mentions its divisor twice, so they may grow fast

ArrayFunction = Callable[[Mapping[str, Array]], Array]


class TooLarge(Exception):
    """A program whose formula is too large to look at."""


@dataclass(frozen=True)
class Operator:
    """An operator on whole numbers: its name in programs, and what it means."""

    name: str
    meaning: str

    @cached_property
    def tree(self) -> Expr:
        """The meaning, a number over the first ARGUMENTS."""
        return parse(self.meaning)

    @property
    def arity(self) -> int:
        """How many arguments it has."""
        return 1 + max(ARGUMENTS.index(node.id) for node in walk(self.tree) if isinstance(node, Name))

    def applied(self, arguments: Sequence[Expr]) -> Expr:
        """The operator of these numbers, as a formula. Raises TooLarge."""
        made = _put(self.tree, dict(zip(ARGUMENTS, arguments, strict=False)))
        if made.size > LARGEST:
            raise TooLarge(f"{made.size:,} nodes")
        return made

    @cached_property
    def on_arrays(self) -> Callable[..., Array]:
        """The operator on float arrays of whole numbers, of one shape; it has ``arity`` arguments."""
        value = _on_arrays(self.tree)
        # gplearn counts the arguments that the function declares.
        if self.arity == 2:
            return lambda a, b: value({"a": a, "b": b})
        return lambda a, b, c: value({"a": a, "b": b, "c": c})

    @cached_property
    def julia(self) -> str:
        """The operator as one line of Julia: NaN for what is no whole number of a magnitude below 2**53."""
        names = ARGUMENTS[: self.arity]
        whole = " && ".join(f"isinteger({name}) && abs({name}) < {EXACT}" for name in names)
        value = f"oftype(a, {_julia(self.tree)})"
        return f"{self.name}({', '.join(names)}) = ({whole}) ? {value} : oftype(a, NaN)"


# Names are unknown to Julia and SymPy, but for those of BUILT_IN, which mean the same there.
OPERATORS = (
    Operator("+", "a + b"),
    Operator("-", "a - b"),
    Operator("times", "a * b"),
    Operator("nimsum", "a ^ b"),
    Operator("quotient", "a // b if b != 0 else 0"),
    Operator("remainder", "a % b if b != 0 else a"),
    Operator("min", "min(a, b)"),
    Operator("max", "max(a, b)"),
    Operator("below", "1 if a < b else 0"),
    Operator("choose", "b if a > 0 else c"),
)
BY_NAME: Mapping[str, Operator] = MappingProxyType({operator.name: operator for operator in OPERATORS})
BUILT_IN = frozenset({"+", "-", "min", "max"})
CONSTANTS = (0, 1, 2)  # feature columns beside the coordinates: genetic programs have no whole constants


def _put(tree: Expr, values: Mapping[str, Expr]) -> Expr:
    """The meaning with the values for its names, without what is decided by constants.

    The values are not looked through again, so that a program takes as long as it has nodes.
    """
    if isinstance(tree, Name):
        return values[tree.id]
    if isinstance(tree, If) and isinstance(test := _put(tree.condition, values), Bool):
        return _put(tree.then if test.value else tree.otherwise, values)
    whole = rebuild(tree, tuple(_put(child, values) for child in tree.children))
    match whole:
        case (
            Binary(op="*", left=Int(value=1), right=factor) | Binary(op="*", left=factor, right=Int(value=1))
        ):
            return factor
        case Compare(ops=(">",), terms=(If(test, Int(value=1), Int(value=0)), Int(value=0))):
            return test
        case Binary() | Call() | Compare() if all(isinstance(child, Int) for child in whole.children):
            value = evaluate(whole, {})
            return Bool(bool(value)) if isinstance(whole, Compare) else Int(value)
        case _:
            return whole


def _nim_sum(a: Array, b: Array) -> Array:
    return np.bitwise_xor(a.astype(np.int64), b.astype(np.int64)).astype(np.float64)


def _product(a: Array, b: Array) -> Array:
    return np.asarray(np.clip(a * b, -CUT, CUT))


# What meanings are made of: on float arrays, and in Julia.
_SIGNS: Mapping[str, tuple[Callable[[Array, Array], Array], str]] = MappingProxyType(
    {
        "+": (np.add, "({0} + {1})"),
        "-": (np.subtract, "({0} - {1})"),
        "*": (_product, f"clamp({{0}} * {{1}}, {-CUT}, {CUT})"),
        "//": (np.floor_divide, "fld(Int64({0}), Int64({1}))"),
        "%": (np.remainder, "mod(Int64({0}), Int64({1}))"),
        "^": (_nim_sum, "xor(Int64({0}), Int64({1}))"),
        "min": (np.minimum, "min({0}, {1})"),
        "max": (np.maximum, "max({0}, {1})"),
        "<": (np.less, "({0} < {1})"),
        ">": (np.greater, "({0} > {1})"),
        "!=": (np.not_equal, "({0} != {1})"),
    }
)


def _on_arrays(tree: Expr) -> ArrayFunction:
    """The tree as a function of float arrays. Both branches of a conditional are computed."""
    match tree:
        case Name(id=name):
            return lambda values: values[name]
        case Int(value=value):
            number = np.array(float(value))
            return lambda values: number
        case If(condition=test, then=then, otherwise=otherwise):
            chosen, one, other = map(_on_arrays, (test, then, otherwise))
            return lambda values: np.where(chosen(values), one(values), other(values))
        case Binary(op=sign) | Compare(ops=(sign,)) | Call(name=sign):
            function, _ = _SIGNS[sign]
            left, right = map(_on_arrays, tree.children)
            return lambda values: function(left(values), right(values))
        case _:
            raise ValueError(f"an operator cannot be made of '{tree}'")


def _julia(tree: Expr) -> str:
    match tree:
        case Name(id=name):
            return name
        case Int(value=value):
            return str(value)
        case If(condition=test, then=then, otherwise=otherwise):
            return f"({_julia(test)} ? {_julia(then)} : {_julia(otherwise)})"
        case Binary(op=sign) | Compare(ops=(sign,)) | Call(name=sign):
            return _SIGNS[sign][1].format(*map(_julia, tree.children))
        case _:
            raise ValueError(f"an operator cannot be made of '{tree}'")
