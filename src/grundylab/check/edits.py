"""Edits of one sign of a claim: the possible edits, their costs, and their descriptions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from typing import Literal

from grundylab.language import Expr, Functions, Kind
from grundylab.language.builtins import BUILTINS
from grundylab.language.neighbours import Path, with_part
from grundylab.language.operators import OPERATORS
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import (
    COMPARISONS,
    Binary,
    Bool,
    Bounded,
    Call,
    Compare,
    If,
    Int,
    Logic,
    Name,
    Negate,
    Not,
    conjunction,
    walk,
)

SWAP, _CONNECTIVE, CONDITION = 10, 20, 100  # costs; that of a constant is its change, at most SWAP - 1
_LOOP = 20  # assumed number of evaluations of a quantifier's body
_ARITHMETIC = tuple(op for op, row in OPERATORS.items() if row.fractions and op != "/")
_CONFUSED = tuple(op for op, row in OPERATORS.items() if not row.confused and op != "/")

EditSide = Literal["formula", "where"]


@dataclass(frozen=True)
class Edit:
    """Replacement of the subexpression at ``path`` by ``node``; or, if ``added``, addition of ``node`` by ``and``.

    side: whether the claim's formula or its condition is edited.
    """

    path: Path
    node: Expr
    cost: int
    side: EditSide = "formula"
    added: bool = False

    def of(self, expr: Expr) -> Expr:
        """Return the expression after the edit."""
        return conjunction(expr, self.node) if self.added else with_part(expr, self.path, self.node)

    def told(self, expr: Expr) -> str:
        """Describe the edit in words, with the smallest part of ``expr`` around it that is informative.

        expr: the whole expression before the edit.
        """
        if self.added:
            return f"the condition {self.node} is added"
        nodes = [expr]  # from the root to the place
        for step in self.path:
            nodes.append(nodes[-1].children[step])
        depth = len(self.path)
        if depth and isinstance(self.node, Int | Name) and isinstance(nodes[-1], Int | Name):
            depth -= 1  # "3 becomes 4" is less clear than "x % 3 becomes x % 4"
        way = pairwise(nodes[: depth + 1])
        terms = [inner for outer, inner in way if isinstance(outer, Logic) and outer.op == "or"]
        before, after = nodes[depth], flatten(with_part(nodes[depth], self.path[depth:], self.node))
        place, inside = "the condition ", expr
        if self.side == "formula":
            place, inside = "", [expr, *terms][-1]
        around = f" in {place}'{inside}'" if place or inside != before else ""
        match before, after:
            case Bounded(quantifier=old), Bounded(quantifier=new) if old == new:
                # their bodies are long and equal
                ranges = f"range({before.start}, {before.stop}) becomes range({after.start}, {after.stop})"
                return f"{ranges} for {before.variable}{around}"
        return f"{before} becomes {after}{around}"


def flatten(expr: Expr) -> Expr:
    """Return the expression with each ``and`` inside an ``and``, and each ``or`` inside an ``or``, merged into one."""
    parts = [flatten(child) for child in expr.children]
    if isinstance(expr, Logic):
        parts = [t for p in parts for t in (p.terms if isinstance(p, Logic) and p.op == expr.op else (p,))]
    return rebuild(expr, tuple(parts))


@dataclass(frozen=True)
class EditVocabulary:
    """The names and functions that an edit may introduce.

    gentle: whether the claim is a condition asserted at every position. Most edits would only weaken such a claim, so
    few kinds are made.
    """

    names: tuple[str, ...]
    functions: Functions
    gentle: bool = False

    def edits(self, expr: Expr, path: Path = ()) -> Iterator[Edit]:
        """Yield every edit of one sign, at every place of the expression.

        path: the place of the expression in the whole.
        """
        for node, cost in _gentle(expr, not path) if self.gentle else self._changed(expr):
            yield Edit(path, node, cost)
        for place, child in enumerate(expr.children):
            words = self
            if isinstance(expr, Bounded) and place == 2:  # the body
                words = replace(self, names=(*self.names, expr.variable))
            if not (place == 1 and _signed(expr)):
                yield from words.edits(child, (*path, place))

    def _changed(self, expr: Expr) -> Iterator[tuple[Expr, int]]:
        """Yield (expression with its outermost sign changed, cost of the change)."""
        match expr:
            case Int(value=value):
                yield from ((Int(other), cost) for other, cost in _constants(value) if other >= min(value, 0))
            case Name(id=old):
                yield from ((Name(name), SWAP) for name in self.names if name != old)
            case Binary(op=op, left=left, right=right):
                if _signed(expr) and isinstance(right, Int):
                    for other, cost in _constants(right.value if op == "+" else -right.value):
                        sign = "+" if other > 0 else "-"
                        yield (Binary(sign, left, Int(abs(other))) if other else left), cost
                others = _ARITHMETIC if expr.kind is Kind.RATIO else OPERATORS[op].confused or _CONFUSED
                yield from ((Binary(other, left, right), SWAP) for other in others if op not in (other, "/"))
            case Compare(ops=ops, terms=terms):
                for (place, old), op in product(enumerate(ops), COMPARISONS):
                    if op != old:
                        yield Compare((*ops[:place], op, *ops[place + 1 :]), terms), SWAP
            case Logic(op=old, terms=terms):
                yield Logic("or" if old == "and" else "and", terms), _CONNECTIVE
                yield from _one_less(expr)
            case Not(operand=operand) | Negate(operand=operand):
                yield operand, _CONNECTIVE
            case Call(name=old, arguments=arguments):
                # names that begin with '_' do not belong to the ruleset
                nameable = (f for f in self.functions if not f.name.startswith("_"))
                alike = [f.name for f in nameable if len(f.arguments) == len(arguments)]
                opposite = BUILTINS[old].opposite if old in BUILTINS else None
                calls = [opposite] if opposite else alike if old in alike else []
                yield from ((Call(name, arguments), SWAP) for name in calls if name != old)
            case Bounded(quantifier="any" | "all" as old):
                yield replace(expr, quantifier="all" if old == "any" else "any"), _CONNECTIVE
        if expr.kind is Kind.CONDITION and not isinstance(expr, Bool | Compare | Not):
            yield Not(expr), _CONNECTIVE


def _signed(expr: Expr) -> bool:
    """Tell whether the expression is a term plus or minus a constant; an edit then changes both sign and constant."""
    return isinstance(expr, Binary) and expr.op in ("+", "-") and isinstance(expr.right, Int)


def _constants(value: int) -> Iterator[tuple[int, int]]:
    """Yield (other constant, cost) for the constants that may replace the value."""
    for other in sorted({*range(value - 8, value + 9), 0, 2 * value, value // 2} - {value}):
        yield other, min(abs(other - value), SWAP - 1)


def _one_less(expr: Logic) -> Iterator[tuple[Expr, int]]:
    for rest in combinations(expr.terms, len(expr.terms) - 1):
        yield (Logic(expr.op, rest) if len(rest) > 1 else rest[0]), _CONNECTIVE


def _gentle(expr: Expr, whole: bool) -> Iterator[tuple[Expr, int]]:
    """Yield (changed expression, cost) for edits of a condition asserted at every position.

    Other edits might make it trivially true. These edits change a constant in a comparison, replace ``<`` or ``>`` by
    ``<=`` or ``>=``, or drop one of several terms. The last is done only if the expression is the ``whole`` claim.
    """
    match expr:
        case Compare(ops=ops, terms=terms):
            moduli = [
                t.right.value
                for t in terms
                if isinstance(t, Binary) and t.op == "%" and isinstance(t.right, Int)
            ]
            for place, term in enumerate(terms):
                for value, cost in _constants(term.value) if isinstance(term, Int) else ():
                    if 0 <= value < min(moduli, default=value + 1):
                        yield Compare(ops, (*terms[:place], Int(value), *terms[place + 1 :])), cost
            for place, op in enumerate(ops):
                if op in ("<", ">"):
                    yield Compare((*ops[:place], f"{op}=", *ops[place + 1 :]), terms), SWAP
        case Logic(op="and") if whole:
            yield from _one_less(expr)


def connective_operands(expr: Expr) -> tuple[str, list[Expr]]:
    """Return (sign, operands) for an expression that is an ``and``, ``or``, ``not`` or ``if``, else ("", []).

    ``any`` of a disjunction counts as a disjunction of ``any``, and ``all`` of a conjunction as a conjunction.
    """
    match expr:
        case Logic(op=op, terms=terms):
            return op, [*terms]
        case Not(operand=operand):
            return "not", [operand]
        case If():
            return "if", [*expr.children]
        case Bounded(quantifier="any" | "all" as quantifier, body=body):
            sign, inner = connective_operands(body)
            if sign == {"any": "or", "all": "and"}[quantifier]:
                return sign, [replace(expr, body=term) for term in inner]
    return "", []


def evaluation_weight(expr: Expr) -> int:
    """Estimate the number of nodes of the expression that are evaluated at one position."""
    return 1 + sum(map(evaluation_weight, expr.children)) * (_LOOP if isinstance(expr, Bounded) else 1)


def reflexive_comparisons(expr: Expr) -> int:
    """Count the comparisons of a term with itself."""
    links = [link for node in walk(expr) if isinstance(node, Compare) for link in node.links]
    return sum(left == right for _, left, right in links)
