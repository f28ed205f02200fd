"""The rule of runs of P-positions, outside the logic WS1S: conditions on the ends of runs, and reasons for them.

The games: a position is a pile of x stones in a row, and the other coordinates tell which row. A move takes from
``low`` to ``high`` stones of the pile, but no more than there are, and leads to the next row; low, high and the next
row depend only on the row. The statement: the P-positions are those with ``start(j) <= x <= end(j)`` for some j >= 0.
For each j these x are run j of the row.

Let s be the row after r. The positions of r with a move into run j of s are those from start(j, s) + low(r) to
end(j, s) + high(r), if run j of s is not empty. The statement is therefore true, by induction on x, if in every row r

- ``first``: start(0, r) = 0,
- ``next``: start(j + 1, r) = end(j, s) + high(r) + 1: each run begins after those positions, and
- ``last``: end(j, r) = start(j, s) + low(r) - 1: it ends before the next of them, and
- ``order``: start(j + 1, r) > start(j, r), so that runs follow each other and x is in no run j with j > x, and
- ``full``: start(j, s) <= end(j, s): no run is empty in a row that comes after another;
- ``some``, ``takes``, ``row``: 1 <= low(r) <= high(r), and the next row is a row of the game.

For x is in no run of r exactly if end(j, r) < x < start(j + 1, r) for some j, because start(0, r) = 0 and the ends
grow; and these are the positions with a move into a run of s.

For each inequality, evidence gives a reason: an induction on j whose base and step are sums of products of *facts*,
which are numbers that are plainly not negative. The kernel itself makes the equations and inequalities from the ruleset
and the formula, expands the sums of products, and compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count

from grundylab.games.model import P_POSITIONS, Range, Ruleset
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language import syntax
from grundylab.language.substitution import lower, substitute
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Logic,
    Name,
    chain,
    free_names,
)
from grundylab.prove.core.space import low_ends, position_space
from grundylab.prove.kernel.evidence import NonnegativityProof, Product, Runs
from grundylab.prove.kernel.playable import check_playable
from grundylab.prove.kernel.runs.growth import Growth, assumed_growth, growth_of
from grundylab.prove.kernel.runs.polys import (
    INDEX,
    Form,
    Poly,
    PolynomialReader,
    Value,
    constant_polynomial_in_runs,
    single_atom,
)
from grundylab.prove.kernel.session import Session
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition, no_premises
from grundylab.statement import Statement

MOST_FACTORS = 20  # the most factors of a product, as multiplying it out may give 2 to that power terms


class NotIntervals(Refused):
    """The error that this module does not cover a game or formula, or that evidence does not fit it."""


@dataclass(frozen=True)
class Takes:
    """A game where a move takes ``low`` to ``high`` stones from the coordinate ``axis``, but no more than there are.

    following: the new values of the other coordinates, that is, the next row.
    """

    axis: str
    low: Expr
    high: Expr
    following: Mapping[str, Expr]


@dataclass(frozen=True)
class RunEnds:
    """A formula which says that ``start <= axis <= end`` for some natural value of the name ``number``."""

    number: str
    start: Expr
    end: Expr


def taking_game(ruleset: Ruleset) -> Takes:
    """Return the ruleset as a game of taking stones; raise NotIntervals, with the reason, if it is another game."""
    if ruleset.play != "normal" or ruleset.where != TRUE or len(ruleset.moves) != 1:
        raise NotIntervals(
            "the rule covers only games of one move, with all positions in the ranges, in normal play"
        )
    (move,) = ruleset.moves
    if move.a_pass or move.when != TRUE or len(move.parts) != 1 or len(move.choices) != 1:
        raise NotIntervals(
            f"the move '{move.name}' is not that of taking any number of stones between two ends"
        )
    (choice,) = move.choices
    new = dict(zip(ruleset.coordinate_names, move.parts[0], strict=True))
    axis = next((x for x, to in new.items() if to == Binary("-", Name(x), Name(choice.name))), None)
    if axis is None:
        raise NotIntervals(f"the move '{move.name}' does not take the number chosen from one coordinate")
    following = {c: lower(to) for c, to in new.items() if c != axis}
    low, high = lower(choice.range.low), _without(lower(choice.range.high), axis)
    rows = frozenset().union(*map(free_names, (low, high, *following.values())))
    if rows & {axis, choice.name}:
        raise NotIntervals(
            "the ends of the number taken, or the next row, depend on the pile or on the number taken"
        )
    return Takes(axis, low, high, following)


def _without(high: Expr, axis: str) -> Expr:
    """Return u if ``high`` is ``min(axis, u)``: a move takes at most u stones, and no more than there are.

    Raises NotIntervals for any other ``high``.
    """
    match high:
        case Call(name="min", arguments=arguments) if Name(axis) in arguments and len(arguments) == 2:
            return next((part for part in arguments if part != Name(axis)), Name(axis))
    raise NotIntervals(f"a move takes up to {high}, not up to min({axis}, …)")


def read_ends(formula: Expr, axis: str, taken: Sequence[str]) -> RunEnds:
    """Return the ends of runs that a formula gives.

    The formula is ``x % c <= w`` (or ``<``, or ``== 0``), or ``any(B for j in range(0, x + 1))``, where the body B is
    ``a <= x <= b``, ``0 <= x - a <= w`` or ``x == a``. taken: the names in the game, none of which may be the name j.
    Raises NotIntervals for another formula.
    """
    x, number = Name(axis), next(name for n in count() if (name := f"j{n or ''}") not in taken)
    match lower(formula):
        case Bounded("any", variable, Int(0), Binary("+", start, Int(1)), body) if start == x:
            if variable in taken:  # inside, the name no longer means the coordinate or parameter
                raise NotIntervals(
                    f"'{variable}' is the name of a run's number and of something else in the game"
                )
            return RunEnds(variable, *_sides(body, x))
        case Compare(ops=(op,), terms=(Binary(op="%", left=left, right=step), width)) if left == x:
            # as x % c <= w is j*c <= x <= j*c + w for some j, where w >= 0 or both are false (c >= 1 by ``order``)
            low = Binary("*", Name(number), step)
            if op == "==" and width == Int(0):
                return RunEnds(number, low, low)
            if op in ("<", "<="):
                high = Binary("+", low, width)
                return RunEnds(number, low, high if op == "<=" else Binary("-", high, Int(1)))
    raise NotIntervals(f"the formula does not say from where to where {axis} is")


def _sides(body: Expr, x: Expr) -> tuple[Expr, Expr]:
    match body:
        case Logic(op="and", terms=(Compare(("<=",), (low, middle)), Compare(("<=",), (again, high)))) if (
            middle == again
        ):
            if middle == x:
                return low, high
            if isinstance(middle, Binary) and (middle.op, middle.left) == ("-", x):
                return Binary("+", middle.right, low), Binary("+", middle.right, high)
        case Compare(ops=("==",), terms=(left, right)) if x in (left, right):
            return (right, right) if left == x else (left, left)
    raise NotIntervals(f"'{body}' does not say from where to where {x} is")


@dataclass(frozen=True)
class Facts:
    """Lower bounds. lows: each name's least value, a polynomial in earlier names. growths: each function's growth."""

    lows: Mapping[str, Poly]
    growths: Mapping[str, Growth]

    def shifted(self, poly: Poly) -> Poly:
        """Return the polynomial with ``name + low`` in place of each name: now 0 stands for the name's least value."""
        for identifier, low in reversed(list(self.lows.items())):
            poly = poly.put({identifier: single_atom(identifier) + low})
        return poly

    def natural(self, poly: Poly) -> bool:
        """Tell whether a polynomial in names is plainly >= 0, because it has no negative coefficient when shifted."""
        return poly.names <= set(self.lows) and all(
            coefficient >= 0 and not any(isinstance(atom, Value) for atom, _ in monomial)
            for monomial, coefficient in self.shifted(poly).terms
        )

    def holds(self, fact: Poly) -> bool:
        """Tell whether the polynomial is a fact: ``v - low``, ``f(u) - c``, or ``f(v) - f(u)``.

        Facts are never negative: low is the least value of the name v, c is at most the least value of the function f,
        and in f(v) - f(u), u <= v and f is non-decreasing from u on.
        """
        if any(fact == single_atom(identifier) - low for identifier, low in self.lows.items()):
            return True
        values = [atom for atom in fact.atoms if isinstance(atom, Value)]
        return any(self._of_function(value, fact - single_atom(value)) for value in values)

    def _of_function(self, upper: Value, rest: Poly) -> bool:
        """Tell whether ``upper + rest`` is a fact about the function f, where ``upper`` is a value of f."""
        found = self.growths[upper.function]
        if rest.number is not None:
            return found.least + rest.number >= 0 and self.natural(
                upper.argument - constant_polynomial_in_runs(found.first)
            )
        return any(
            rest == constant_polynomial_in_runs(-1) * single_atom(atom)
            and atom.function == upper.function
            and found.rises is not None
            and self.natural(upper.argument - atom.argument)
            and self.natural(atom.argument - constant_polynomial_in_runs(found.rises))
            for atom in rest.atoms
            if isinstance(atom, Value)
        )


@dataclass(frozen=True)
class RunObligations:
    """The rule's conditions, by name: expressions in ``zero`` must be 0, those in ``natural`` at least 0."""

    reader: PolynomialReader
    facts: Facts
    zero: Mapping[str, Expr]
    natural: Mapping[str, Expr]

    def base_and_step(self, expr: Expr) -> tuple[Poly, Poly]:
        """Return the expression's value at run 0, and its increase from each run to the next."""
        form, number = self.reader.form(expr), self.reader.upper
        rise = form.plain.put({number: single_atom(number) + constant_polynomial_in_runs(1)}) - form.plain
        return form.plain.put({number: Poly()}), rise + form.each.put({INDEX: single_atom(number)})


def run_obligations(ruleset: Ruleset, formula: Expr) -> RunObligations:
    """Return the conditions under which the formula describes the P-positions.

    Raises NotIntervals if the rule does not cover the game or formula, NoForm for an expression without a normal form.
    """
    game = taking_game(ruleset)
    names = (*ruleset.formula_names, *(function.name for function in ruleset.functions))
    ends = read_ends(formula, game.axis, names)
    one, j = Int(1), Name(ends.number)

    def following(expr: Expr) -> Expr:
        return substitute(expr, game.following)

    later = substitute(ends.start, {ends.number: Binary("+", j, one)})
    zero = {
        "first": substitute(ends.start, {ends.number: Int(0)}),
        "next": chain("-", [later, following(ends.end), game.high, one]),
        "last": Binary("+", chain("-", [ends.end, following(ends.start), game.low]), one),
    }
    natural = {
        "order": chain("-", [later, ends.start, one]),
        "full": chain("-", [following(ends.end), following(ends.start)]),
        "some": chain("-", [game.low, one]),
        "takes": chain("-", [game.high, game.low]),
    }
    reader = PolynomialReader(ruleset.functions, ends.number)
    lows = _lows(ruleset, game, reader)
    for coordinate, to in game.following.items():
        natural[f"row {coordinate}"] = chain("-", [to, _row_low(ruleset, coordinate)])
    forms = [reader.form(e) for e in (ends.start, ends.end, *zero.values(), *natural.values())]
    return RunObligations(reader, Facts(lows, _growths(ruleset, forms, lows)), zero, natural)


def _lows(ruleset: Ruleset, game: Takes, reader: PolynomialReader) -> dict[str, Poly]:
    """Return the least value of each name in the conditions: parameters, coordinates, run number and sum index."""
    lows: dict[str, Poly] = {}
    for parameter in ruleset.parameters:
        # a domain with both ends in one term has few values, which are proved one by one (``cases.py``)
        open_ended = (
            t for t in syntax.conjuncts(parameter.domain) if isinstance(t, Compare) and len(t.ops) == 1
        )
        ends = low_ends(syntax.conjunction(*open_ended), Name(parameter.name))
        known = next((end for end in ends if free_names(end) <= set(lows)), None)
        if known is None:
            raise NotIntervals(f"the domain of {parameter.name} gives no lower bound")
        lows[parameter.name] = reader.poly(known)
    if _row_low(ruleset, game.axis) != Int(0):
        raise NotIntervals(f"{game.axis} does not begin at 0")
    for coordinate in game.following:
        lows[coordinate] = reader.poly(_row_low(ruleset, coordinate))
    return {**lows, reader.upper: Poly(), INDEX: Poly()}


def _row_low(ruleset: Ruleset, coordinate: str) -> Expr:
    """Return the constant low end of a coordinate; raise NotIntervals if there are other conditions on it."""
    asked = [part for part in syntax.conjuncts(position_space(ruleset)) if coordinate in free_names(part)]
    low = next(c.range.low for c in ruleset.coordinates if c.name == coordinate)
    if asked not in ([], [Compare(("<=",), (low, Name(coordinate)))]) or free_names(low):
        raise NotIntervals(
            f"the coordinate {coordinate} has more conditions than that it is at least a constant"
        )
    return low


def _growths(ruleset: Ruleset, forms: Sequence[Form], lows: Mapping[str, Poly]) -> dict[str, Growth]:
    """Return the growth of each function in the forms, for arguments from the least at which the forms call it.

    Raises NotIntervals if a function has no least argument or no known growth.
    """
    found: dict[str, Growth] = {}
    facts = Facts(lows, found)
    least: dict[str, int] = {}
    for value in {asked for form in forms for asked in form.asked}:  # values that cancel out must exist, too
        low = facts.shifted(value.argument).put(dict.fromkeys(lows, Poly())).number
        if (
            low is None
            or low.denominator > 1
            or not facts.natural(value.argument - constant_polynomial_in_runs(low))
        ):
            raise NotIntervals(f"an argument of {value.function}() has no constant lower bound")
        least[value.function] = min(int(low), least.get(value.function, int(low)))
    numbers = {key: int(low.number) for key, low in lows.items() if low.number is not None}
    for function, first in least.items():
        free = next((f for f in ruleset.free if f.name == function), None)
        known = (
            assumed_growth(free, first) if free else growth_of(ruleset.functions, function, first, numbers)
        )
        if known is None:
            raise NotIntervals(f"no lower bound of {function}() is known")
        found[function] = known
    return found


# -- certificates ---------------------------------------------------------------------------------------------


def game_and_formula(statement: Statement) -> tuple[Ruleset, Expr]:
    """Return the game and the formula with numbers in place of the parameters that the condition fixes.

    Raises NotIntervals if the condition says anything else.
    """
    fixed = fixed_values(statement.where, statement.game.parameter_names)
    if len(fixed) < sum(term != TRUE for term in syntax.conjuncts(statement.where)):
        raise NotIntervals("the statement's condition may only give values to parameters")
    return specialise(statement.game, fixed), substitute(statement.formula, fixed)


def _runs_follow(statement: Statement, evidence: Runs, _: Session) -> bool:
    """Return True if the evidence shows that the formula describes the P-positions; otherwise raise Refused."""
    game, formula = game_and_formula(statement)
    check_playable(_taking(game))
    needed = run_obligations(game, formula)
    for what, expr in needed.zero.items():
        if needed.base_and_step(expr) != (Poly(), Poly()):
            raise NotIntervals(f"condition '{what}': {expr} is not 0")
    for what, expr in needed.natural.items():
        shown = dict(evidence.natural).get(what, NonnegativityProof())
        form = needed.reader.form(expr)
        base, step = needed.base_and_step(expr)
        whole = shown.whole is not None and form.each == Poly()
        for products, poly in (
            [(shown.whole, form.plain)] if whole else [(shown.base, base), (shown.step, step)]
        ):
            if products is None or _expanded(needed, products) != poly:
                raise NotIntervals(f"condition '{what}': the evidence does not show {expr} >= 0")
    return True


def _taking(ruleset: Ruleset) -> Ruleset:
    """Return the game in which a move takes any number of stones: it has all moves of the ruleset, and more.

    If the measure depends on the axis alone, its moves do not change the row. If every play of it ends, so does every
    play of the ruleset, because other conditions of the rule are that at least one stone is taken, and that the next
    row is a row of the game.
    """
    game, (move,) = taking_game(ruleset), ruleset.moves
    (choice,), (part,) = move.choices, move.parts
    if not free_names(ruleset.measure) & game.following.keys():
        names = ruleset.coordinate_names
        part = tuple(new if n == game.axis else Name(n) for n, new in zip(names, part, strict=True))
    any_number = replace(choice, range=Range(Int(1), Name(game.axis)))
    return replace(ruleset, moves=(replace(move, choices=(any_number,), parts=(part,)),), claims=())


def _expanded(needed: RunObligations, products: Sequence[Product]) -> Poly:
    """Return the sum of the products; raise NotIntervals if a factor is no fact or a product has too many factors."""
    total = Poly()
    if any(len(factors) > MOST_FACTORS for _, factors in products):
        raise NotIntervals(f"a product has at most {MOST_FACTORS} factors")
    for coefficient, factors in products:
        part = constant_polynomial_in_runs(Fraction(coefficient))
        for factor in factors:
            poly = needed.reader.poly(factor)
            if not needed.facts.holds(poly):
                raise NotIntervals(f"the factor '{factor}' is no fact: it may be negative")
            part = part * poly
        total = total + part
    return total


RULE = Rule(
    "runs of P-positions",
    Runs,
    (
        SideCondition("P-positions are claimed", lambda s, *_: s.target == P_POSITIONS),
        SideCondition("the ends of the runs are as they must be", _runs_follow),
    ),
    no_premises,
)
