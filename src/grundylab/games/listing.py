"""Translation of printed lists of positions, and of statements about options, into conditions on a position.

``{(2, 4k + 1, 4k + 4) : k >= 2}`` becomes a condition without the index k. For each index an equation is solved: ``y ==
4*k + 1`` gives k = (y - 1)/4, together with the condition that this is an integer. An index for which no entry can be
solved becomes a bounded quantifier, so the list must give both ends of its range.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial

from grundylab.errors import FormulaError
from grundylab.games.linear_moves import standard_form
from grundylab.games.model import Listing, ListingMember, OptionCondition, Ranged, Ruleset
from grundylab.language.linear import AtomPolynomial, constant_polynomial
from grundylab.language.parser import parse_condition, parse_number
from grundylab.language.substitution import replace_part, substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Name,
    Not,
    Quantifier,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    free_names,
    walk,
)

_SIGN = re.compile(r"[(),]|\bfor\b")


def read_listing(texts: Sequence[str], known: Sequence[str], piles: tuple[str, ...] = ()) -> Listing:
    """Parse texts of the form ``ENTRY, ENTRY, … for CONDITION``; names that are not ``known`` are indices."""
    number = cache(partial(parse_number, piles=piles))  # long lists repeat entries
    members = []
    for text in texts:
        listed, condition = _divided(text)
        entries = tuple(map(number, listed))
        where = TRUE if condition is None else parse_condition(condition, piles)
        names = frozenset[str]().union(*map(free_names, (*entries, where))) - set(known)
        members.append(ListingMember(entries, tuple(sorted(names)), where))
    return Listing(tuple(members))


def _divided(text: str) -> tuple[list[str], str | None]:
    """Split a text into its entries and the condition after ``for``, None if there is none.

    Commas and ``for`` inside parentheses do not count.
    """
    entries, depth, start = list[str](), 0, 0
    for sign in _SIGN.finditer(text):
        depth += (sign[0] == "(") - (sign[0] == ")")
        if depth == 0 and sign[0] in (",", "for"):
            entries.append(text[start : sign.start()])
            start = sign.end()
            if sign[0] == "for":
                return entries, text[start:]
    return [*entries, text[start:]], None


def listed_condition(listing: Listing, coordinates: Sequence[str]) -> Expr:
    """Return the condition that the position with these coordinates is in the list.

    Raises FormulaError if an item has another number of entries.
    """
    conditions: list[Expr] = []
    for member in listing.members:
        if len(member.entries) != len(coordinates):
            listed = ", ".join(map(str, member.entries))
            raise FormulaError(
                f"'{listed}' has {len(member.entries)} entries; a position here is ({', '.join(coordinates)})"
            )
        conditions.append(_Elimination(member, coordinates).result())
    return disjunction(*conditions) if conditions else FALSE


class _Elimination:
    """Elimination of the indices of an item from the equations ``coordinate == entry``, one index after the other."""

    def __init__(self, member: ListingMember, coordinates: Sequence[str]) -> None:
        pairs = zip(coordinates, member.entries, strict=True)
        self._equations = [(Name(name), entry) for name, entry in pairs if entry != Name(name)]
        self._indices = list(member.indices)
        self._where = member.where
        self._found: list[Expr] = []

    def result(self) -> Expr:
        while self._solve_one():
            pass
        equations = [compare("==", coordinate, entry) for coordinate, entry in self._equations]
        # earlier conditions ensure that later ones have a value
        inner = conjunction(*self._found, self._where, *equations)
        for index in reversed(self._indices):
            inner = _quantified(index, inner, self._where)
        return inner

    def _solve_one(self) -> bool:
        """Eliminate one index k by an equation that is linear in k or in 2**k; return False if there is none.

        An equation with the factor 1 or -1 is preferred.
        """
        best = None
        for number, (_, entry) in enumerate(self._equations):
            for index in self._indices:
                for unknown in (Name(index), _power_of(index)):
                    factor = _factor(entry, unknown, index)
                    if factor and (best is None or abs(factor) < abs(best[0])):
                        best = (factor, number, index, unknown)
        if best is None:
            return False
        self._put(*best)
        return True

    def _put(self, factor: int, number: int, index: str, unknown: Expr) -> None:
        """Eliminate the index k by the equation with this number, which contains ``factor * unknown``.

        unknown: k or 2**k.
        """
        coordinate, entry = self._equations.pop(number)
        # conditions with the index have a value only if the known ones are true, so they come after these
        others = [condition for condition in self._found if index not in free_names(condition)]
        dependent = [condition for condition in self._found if index in free_names(condition)]
        power = unknown != Name(index)
        form = _sum(coordinate) - (_sum(entry) - _sum(unknown) * factor)
        rest = (form if factor > 0 else form * -1).expression()  # == abs(factor) * unknown
        if abs(factor) > 1:
            others.append(compare("==", Binary("%", rest, Int(abs(factor))), Int(0)))
            rest = Binary("//", rest, Int(abs(factor)))
        if power:
            others.append(Call("is_power_of_two", (rest,)))
            # 2**index is an integer, so the index is at least 0
            natural = (compare(">=", Name(index), Int(0)), compare("<=", Int(0), Name(index)))
            self._where = conjunction(*(term for term in conjuncts(self._where) if term not in natural))
        else:
            remaining = [*(e for _, e in self._equations), self._where, *self._found]
            if any(_power_of(index) in walk(expr) for expr in remaining):
                others.append(compare(">=", rest, Int(0)))

        def put(expr: Expr) -> Expr:
            if power:
                expr = replace_part(expr, _power_of(index), rest)
                return substitute(expr, {index: Call("floor_log2", (rest,))})
            return substitute(expr, {index: rest})

        self._equations = [(c, put(e)) for c, e in self._equations]
        self._where = put(self._where)
        self._found = [*others, *map(put, dependent)]
        self._indices.remove(index)


def _power_of(index: str) -> Expr:
    return Binary("<<", Int(1), Name(index))


def _sum(expr: Expr) -> AtomPolynomial:
    """Return the expression as a sum of multiples of its parts; a product of two parts that vary counts as one part."""
    match expr:
        case Int(value=value):
            return constant_polynomial(value)
        case Binary("+", left, right):
            return _sum(left) + _sum(right)
        case Binary("-", left, right):
            return _sum(left) - _sum(right)
        case Binary("*", Int(value=factor), other) | Binary("*", other, Int(value=factor)):
            return _sum(other) * factor
    return AtomPolynomial((((expr,), 1),))


def _factor(entry: Expr, unknown: Expr, index: str) -> int:
    """Return the constant c of an entry ``c * unknown + …``, where the rest does not contain the index k.

    unknown: k itself or 2**k. Return 0 if the entry does not have this form, or if names cancel when it is simplified.
    """
    form = _sum(entry)
    others = (atom for monomial, _ in form.terms if monomial != (unknown,) for atom in monomial)
    if form.names != free_names(entry) or any(index in free_names(atom) for atom in others):
        return 0
    return dict(form.terms).get((unknown,), 0)


def _quantified(index: str, inner: Expr, where: Expr) -> Expr:
    """Return the condition that ``inner`` is true for some value of the index.

    Raises FormulaError unless ``where`` gives both ends of the index, as in 0 <= k <= x.
    """
    for term in conjuncts(where):
        match term:
            case Compare(("<=", "<="), (low, Name(id=name), high)) if name == index:
                kept = conjunction(*(part for part in conjuncts(inner) if part != term))
                return Bounded("any", index, low, standard_form(Binary("+", high, Int(1))), kept)
    raise FormulaError(
        f"no entry can be solved for '{index}': give it both ends, as in 0 <= {index} <= x with a coordinate x"
    )


def options_condition(printed: OptionCondition, ruleset: Ruleset) -> Expr:
    """Return a statement about options as a condition on the position, with a quantifier for each choice of each move.

    Raises FormulaError if moves split: then the options are sums, not positions.
    """
    if ruleset.splits:
        raise FormulaError(
            "a claim about options needs options that are positions; moves that split lead to sums"
        )
    if printed.quantifier == "every":
        return Not(_some(Not(printed.condition), ruleset))
    return _some(printed.condition, ruleset)


def move_condition(ruleset: Ruleset) -> Expr:
    """Return the condition that some move is possible; a pass requires another move."""
    return disjunction(
        *(quantify("any", move.choices, move.when) for move in ruleset.moves if not move.a_pass)
    )


def _some(condition: Expr, ruleset: Ruleset) -> Expr:
    """Return the condition that some option fulfils ``condition``."""
    ways = []
    for move in ruleset.moves:
        (part,) = move.parts
        reached = substitute(condition, dict(zip(ruleset.coordinate_names, part, strict=True)))
        possible = quantify("any", move.choices, conjunction(move.when, reached))
        if move.a_pass:  # a pass needs another move
            possible = conjunction(move.when, move_condition(ruleset), possible)
        ways.append(possible)
    return disjunction(*ways)


def quantify(quantifier: Quantifier, over: Sequence[Ranged], inner: Expr) -> Expr:
    """Return ``inner`` inside a bounded quantifier for each of the numbers ``over``, the first one outermost."""
    for number in reversed(over):
        stop = Binary("+", number.range.high, Int(1))
        inner = Bounded(quantifier, number.name, number.range.low, stop, inner)
    return inner
