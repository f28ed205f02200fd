"""Problems and operators of genetic programming, for gplearn and PySR alike.

A number is regressed as it is. A condition becomes a number in one of two ways. If it holds at most once along some
coordinate, this coordinate is the number to find, at the positions where the condition holds (Sasaki et al. 2023 do so
for the P-positions of games with a pass). Otherwise the number to find is a term that is 0 exactly where the condition
holds.

Each operator is defined by a formula in ``a``, ``b`` and ``c``. Programs compute with floats that are whole numbers.
Only a product can be greater in magnitude than the sum of its arguments (and 1), and products are cut off at 2**31, so
floats never round. A program that relies on the cutoff has other values on integers, and candidates are counted on
integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from types import MappingProxyType

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.ranking import is_exact
from grundylab.discover.rewriting import normal_form, reduce_while_exact
from grundylab.language import Expr, parse
from grundylab.language.plain import evaluate
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Binary, Bool, Call, Compare, If, Int, Name, compare, walk
from grundylab.language.within_bounds import simplify_within
from grundylab.numeric import Array

ARGUMENTS = ("a", "b", "c")
CONSTANTS = (0, 1, 2)  # constant feature columns: the constants of genetic programs are not whole numbers
CUT = 1 << 31  # magnitude at which products are cut
EXACT = 1 << 53  # magnitude up to which every whole number is a float
LARGEST = 1_000  # nodes of a formula: a quotient mentions its divisor twice, so size may grow exponentially


# -- problems ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GeneticProblem:
    """A regression problem: find a term that has the wanted value at as many rows as possible.

    features: int64 (rows, features). leaves: the expression of each feature. wanted: int64 (rows,). weights: float
    (rows,), 1 on average. zero: only whether the term is 0 matters; wanted is 0 where it must be 0, else 1. solved: the
    coordinate whose value the term must give; None if the term does not stand for a coordinate. bits: a value
    with few wrong binary digits counts as nearly right.
    """

    features: Array
    leaves: tuple[Expr, ...]
    wanted: Array
    weights: Array
    zero: bool = False
    solved: str | None = None
    bits: bool = False

    def formula(self, term: Expr) -> Expr:
        """Return the formula for the target that follows from a term found."""
        if self.solved is not None:
            return compare("==", Name(self.solved), term)
        return compare("==", term, Int(0)) if self.zero else term


def genetic_problem(samples: Samples, solved: str | None, rows: Array) -> GeneticProblem:
    """Return the regression problem of the samples, on these of their rows.

    solved: the coordinate to find, at rows where the condition holds; None to find the target itself. If there is one,
    the nim-sum of every two piles is a feature, too, and wrong binary digits count. Piles exceed 1 somewhere.
    """
    names = [name for name in samples.variables if name != solved]
    chosen = samples.at(rows)
    columns = [chosen.columns[name] for name in names]
    columns += [np.full(len(chosen), constant) for constant in CONSTANTS]
    leaves: list[Expr] = [*map(Name, names), *map(Int, CONSTANTS)]
    piles = [name for name in names if name in samples.coordinates and samples.columns[name].max() > 1]
    pairs = list(combinations(piles, 2)) if solved is not None else []
    columns += [chosen.columns[a] ^ chosen.columns[b] for a, b in pairs]
    leaves += [Binary("^", Name(a), Name(b)) for a, b in pairs]
    features, weights = np.stack(columns, axis=1).astype(np.int64), np.ones(len(chosen))
    if solved is not None:
        wanted = chosen.columns[solved]
        return GeneticProblem(features, tuple(leaves), wanted, weights, solved=solved, bits=bool(pairs))
    if samples.values.dtype != bool:
        return GeneticProblem(features, tuple(leaves), chosen.values, weights)
    share = np.mean(chosen.values)
    if 0 < share < 1:
        weights = np.where(chosen.values, 0.5 / share, 0.5 / (1 - share))
    return GeneticProblem(features, tuple(leaves), (~chosen.values).astype(np.int64), weights, zero=True)


def solved_coordinate(samples: Samples) -> str | None:
    """Return the coordinate that a regression problem finds in place of the target; None if there is none.

    If the target is a condition that holds at most once along some coordinates, it is the last of these.
    """
    coordinates = solvable_coordinates(samples) if samples.values.dtype == bool else ()
    return coordinates[-1] if coordinates else None


def solvable_coordinates(samples: Samples) -> tuple[str, ...]:
    """Return the coordinates along which the condition holds at most once, whatever the values of the other names."""
    rows = np.stack([samples.columns[name][samples.values] for name in samples.names], axis=1)
    if not len(rows):
        return ()
    solvable = []
    for name in samples.variables:
        others = np.delete(rows, samples.names.index(name), axis=1)
        if name not in samples.parameters and len(np.unique(others, axis=0)) == len(rows):
            solvable.append(name)
    return tuple(solvable)


def shorten_formula(formula: Expr, samples: Samples) -> Expr:
    """Return the formula shortened by rules, in plain words, and without parts that an exact one does not need.

    It is equal to the given one for numbers as the samples have, or else both are exact on all samples.
    """

    def plain(formula: Expr) -> Expr:
        within = simplify_within(normal_form(formula, samples.names), samples.bounds, samples.functions)
        return normal_form(within, samples.names)

    fits = partial(is_exact, samples=samples)
    short = plain(formula)
    return plain(reduce_while_exact(short, fits)) if fits(short) else short


# -- operators -----------------------------------------------------------------------------------------------


class NoFormula(Exception):
    """Failure to translate an engine's expression into a formula.

    The message gives the reason: a sentence about the expression, without a full stop.
    """


class FormulaTooLarge(NoFormula):
    """Failure because the formula of an expression would be too large."""


@dataclass(frozen=True)
class Operator:
    """An operator on whole numbers: its name in programs, and its meaning as a formula."""

    name: str
    meaning: str

    @cached_property
    def tree(self) -> Expr:
        """The meaning as a formula; its variables are the first ``arity`` of the ARGUMENTS."""
        return parse(self.meaning)

    @property
    def arity(self) -> int:
        """Number of arguments."""
        return 1 + max(ARGUMENTS.index(node.id) for node in walk(self.tree) if isinstance(node, Name))

    def applied(self, arguments: Sequence[Expr]) -> Expr:
        """Return the operator applied to these expressions. Raise FormulaTooLarge above LARGEST nodes."""
        made = _instantiate(self.tree, dict(zip(ARGUMENTS, arguments, strict=False)))
        if made.size > LARGEST:
            raise FormulaTooLarge(f"its formula would have more than {LARGEST:,} nodes")
        return made

    @cached_property
    def on_arrays(self) -> Callable[..., Array]:
        """The operator as a function of ``arity`` float arrays, all of one shape and all of whole numbers.

        Both branches of a conditional are computed.
        """
        text = f"lambda {', '.join(ARGUMENTS[: self.arity])}: {_source(self.tree, _NUMPY)}"
        made: Callable[..., Array] = eval(text, {"np": np})  # noqa: S307 - our own text
        return made

    @cached_property
    def julia(self) -> str:
        """The operator's definition as one line of Julia; NaN unless all arguments are whole numbers below 2**53."""
        names = ARGUMENTS[: self.arity]
        whole = " && ".join(f"isinteger({name}) && abs({name}) < {EXACT}" for name in names)
        value = f"oftype(a, {_source(self.tree, _JULIA)})"
        return f"{self.name}({', '.join(names)}) = ({whole}) ? {value} : oftype(a, NaN)"


# The names in BUILT_IN mean the same in Julia and SymPy; the others are unknown there.
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


def _instantiate(tree: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return an operator's meaning with its names replaced by ``values``, simplified where constants decide.

    The values, which are expressions, are not searched, so that the time to translate a program is linear in its nodes.
    """
    if isinstance(tree, Name):
        return values[tree.id]
    if isinstance(tree, If) and isinstance(test := _instantiate(tree.condition, values), Bool):
        return _instantiate(tree.then if test.value else tree.otherwise, values)
    whole = rebuild(tree, tuple(_instantiate(child, values) for child in tree.children))
    match whole:
        case (
            Binary(op="*", left=Int(value=1), right=factor) | Binary(op="*", left=factor, right=Int(value=1))
        ):
            return factor
        case Compare(ops=(">" | "!=",), terms=(If(test, Int(value=1), Int(value=0)), Int(value=0))):
            return test
        case Binary() | Call() | Compare() if all(isinstance(child, Int) for child in whole.children):
            value = evaluate(whole, {})
            return Bool(bool(value)) if isinstance(whole, Compare) else Int(value)
        case _:
            return whole


# Templates of the operators and functions in the meanings, for NumPy and for Julia.
_BOTH = {op: f"({{0}} {op} {{1}})" for op in ("+", "-", "<", ">", "!=")}
_NUMPY = _BOTH | {
    "*": f"np.clip({{0}} * {{1}}, {-CUT}, {CUT})",
    "//": "np.floor_divide({0}, {1})",
    "%": "np.remainder({0}, {1})",
    "^": "np.bitwise_xor({0}.astype(np.int64), {1}.astype(np.int64)).astype(np.float64)",
    "min": "np.minimum({0}, {1})",
    "max": "np.maximum({0}, {1})",
    "if": "np.where({0}, {1}, {2})",
    "number": "{0}.0",
}
_JULIA = _BOTH | {
    "*": f"clamp({{0}} * {{1}}, {-CUT}, {CUT})",
    "//": "fld(Int64({0}), Int64({1}))",
    "%": "mod(Int64({0}), Int64({1}))",
    "^": "xor(Int64({0}), Int64({1}))",
    "min": "min({0}, {1})",
    "max": "max({0}, {1})",
    "if": "({0} ? {1} : {2})",
    "number": "{0}",
}


def _source(tree: Expr, signs: Mapping[str, str]) -> str:
    """Return the tree as program text, made with the templates of one language."""
    match tree:
        case Name(id=name):
            return name
        case Int(value=value):
            return signs["number"].format(value)
        case If(condition=test, then=then, otherwise=otherwise):
            return signs["if"].format(*(_source(part, signs) for part in (test, then, otherwise)))
        case Binary(op=sign) | Compare(ops=(sign,)) | Call(name=sign):
            return signs[sign].format(*(_source(part, signs) for part in tree.children))
        case _:
            raise ValueError(f"an operator cannot be made of '{tree}'")
