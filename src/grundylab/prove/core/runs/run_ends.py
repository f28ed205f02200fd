"""The rule of runs of P-positions, outside the logic WS1S: conditions on the ends of runs.

The games: a position is a pile of x stones in a row, and the other coordinates tell which row. A move takes from
``low`` to ``high`` stones of the pile, but no more than there are, and leads to the next row; low, high and the next
row depend only on the row. The statement: the P-positions are those with ``start(j) <= x <= end(j)`` for some j >= 0.
For each j these x are run j of the row.

Let s be the row after r. The statement is true if in every row r

- ``first``: start(0, r) = 0,
- ``next``: start(j + 1, r) = end(j, s) + high(r) + 1,
- ``last``: end(j, r) = start(j, s) + low(r) - 1,
- ``some``, ``takes``, ``row``: 1 <= low(r) <= high(r), and the next row is a row of the game,
- ``wider``: the number of ways to take stones, high - low + 1, does not decrease from s to the row after s.

This is a theorem *given by Coq*: ``runs_right_below`` of ``coq/Runs.v``, whose hypotheses are these conditions. Its
proof in short: the positions of r with a move into run j of s are those from start(j, s) + low(r) to end(j, s) +
high(r), if run j of s is not empty. By ``wider`` no run is empty in a row that comes after another, and the ends of
runs grow with j. So the positions with a move into a run of s are those between two runs of r.

The kernel itself makes the conditions from the ruleset and the formula. The equations are between normal forms, by
induction on j. An inequality is true if that is plain (``Facts``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, product

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
from grundylab.prove.core.evidence import Runs
from grundylab.prove.core.playable import check_playable
from grundylab.prove.core.runs.growth import Growth, assumed_growth, growth_of
from grundylab.prove.core.runs.polys import (
    INDEX,
    Form,
    Monomial,
    Poly,
    PolynomialReader,
    Value,
    constant_polynomial_in_runs,
    single_atom,
)
from grundylab.prove.core.solution import Core
from grundylab.prove.core.space import low_ends, position_space
from grundylab.prove.core.theorem import Refused, Rule, SideCondition, no_premises
from grundylab.statement import Statement


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
    low, end = lower(choice.range.low), lower(choice.range.high)
    match end:  # a move takes no more stones than there are
        case Call(name="min", arguments=arguments) if Name(axis) in arguments and len(arguments) == 2:
            high = next((part for part in arguments if part != Name(axis)), Name(axis))
        case _:
            raise NotIntervals(f"a move takes up to {end}, not up to min({axis}, …)")
    rows = frozenset().union(*map(free_names, (low, high, *following.values())))
    if rows & {axis, choice.name}:
        raise NotIntervals(
            "the ends of the number taken, or the next row, depend on the pile or on the number taken"
        )
    return Takes(axis, low, high, following)


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
            # as x % c <= w is j*c <= x <= j*c + w for some j, where w >= 0 or both are false (c >= 1, as runs grow)
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

    def never_negative(self, poly: Poly) -> bool:
        """Tell whether a polynomial is plainly at least 0 where its values of functions are asked for.

        Shifted, its coefficients are not negative once each value of a function that is subtracted is paired with a
        greater value of the function that is added, and all other values are replaced by the function's least value.
        """
        rest: dict[Monomial, Fraction] = defaultdict(Fraction)
        alike: dict[tuple[Monomial, str], dict[Value, Fraction]] = defaultdict(dict)
        for monomial, coefficient in self.shifted(poly).terms:
            match [(atom, power) for atom, power in monomial if isinstance(atom, Value)]:
                case []:
                    rest[monomial] += coefficient
                case [(value, 1)]:
                    alike[monomial - {(value, 1)}, value.function][value] = coefficient
                case _:
                    return False
        for (factor, function), coefficients in alike.items():
            left, rises = dict(coefficients), self.growths[function].rises
            values = sorted(left, key=_order)
            for less, greater in product(values, values):
                paired = min(-left[less], left[greater])
                if paired <= 0 or rises is None:
                    continue
                begun = _no_negative_term(less.argument - constant_polynomial_in_runs(rises))
                if begun and _no_negative_term(greater.argument - less.argument):
                    left[less] += paired
                    left[greater] -= paired
            rest[factor] += sum(left.values()) * self.growths[function].least
            if any(coefficient < 0 for coefficient in left.values()):
                return False
        return all(coefficient >= 0 for coefficient in rest.values())


def _order(value: Value) -> list[tuple[list[str], Fraction]]:
    """Return a sort key, so that no answer depends on the order in a set."""
    return sorted((sorted(map(str, monomial)), coefficient) for monomial, coefficient in value.argument.terms)


def _no_negative_term(shifted: Poly) -> bool:
    """Tell whether no coefficient of a shifted polynomial in names is negative: arguments have no other atoms."""
    return all(coefficient >= 0 for _, coefficient in shifted.terms)


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
        return form.plain.put({number: Poly()}), rise + form.summand.put({INDEX: single_atom(number)})


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
    wider = following(Binary("-", game.high, game.low))
    natural = {
        "some": chain("-", [game.low, one]),
        "takes": chain("-", [game.high, game.low]),
        "wider": Binary("-", following(wider), wider),
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
        low = next((end for end in ends if free_names(end) <= set(lows)), None)
        if low is None:
            raise NotIntervals(f"the domain of {parameter.name} gives no lower bound")
        lows[parameter.name] = reader.poly(low)
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
    growths: dict[str, Growth] = {}
    facts = Facts(lows, growths)
    least: dict[str, int] = {}
    for value in {asked for form in forms for asked in form.asked}:  # values that cancel out must exist, too
        low = facts.shifted(value.argument).put(dict.fromkeys(lows, Poly())).number
        if (
            low is None
            or low.denominator > 1
            or not facts.never_negative(value.argument - constant_polynomial_in_runs(low))
        ):
            raise NotIntervals(f"an argument of {value.function}() has no constant lower bound")
        least[value.function] = min(int(low), least.get(value.function, int(low)))
    numbers = {key: int(low.number) for key, low in lows.items() if low.number is not None}
    for function, first in least.items():
        free = next((f for f in ruleset.free if f.name == function), None)
        growth = (
            assumed_growth(free, first) if free else growth_of(ruleset.functions, function, first, numbers)
        )
        if growth is None:
            raise NotIntervals(f"no lower bound of {function}() is known")
        growths[function] = growth
    return growths


# -- the rule ---------------------------------------------------------------------------------------------


def game_and_formula(statement: Statement) -> tuple[Ruleset, Expr]:
    """Return the game and the formula with numbers in place of the parameters that the condition fixes.

    Raises NotIntervals if the condition says anything else.
    """
    fixed = fixed_values(statement.where, statement.game.parameter_names)
    if len(fixed) < sum(term != TRUE for term in syntax.conjuncts(statement.where)):
        raise NotIntervals("the statement's condition may only give values to parameters")
    return specialise(statement.game, fixed), substitute(statement.formula, fixed)


def check_ends(game: Ruleset, formula: Expr) -> None:
    """Raise Refused, or another GrundylabError, unless the ends of the runs of the formula are as they must be."""
    needed = run_obligations(game, formula)
    for what, expr in needed.zero.items():
        if needed.base_and_step(expr) != (Poly(), Poly()):
            raise NotIntervals(f"condition '{what}': {expr} is not 0")
    for what, expr in needed.natural.items():
        if not needed.facts.never_negative(needed.reader.poly(expr)):
            raise NotIntervals(f"condition '{what}': nothing shows that {expr} is at least 0")


def _runs_follow(statement: Statement, _: Runs, __: Core) -> bool:
    """Check the ends of the runs, and that the game in which a move takes any number of stones has an end.

    That game has all moves of the ruleset, and more. If the measure depends on the axis alone, its moves do not change
    the row. If every play of it ends, so does every play of the ruleset, because other conditions of the rule are that
    at least one stone is taken, and that the next row is a row of the game.
    """
    ruleset, formula = game_and_formula(statement)
    check_ends(ruleset, formula)
    game, (move,) = taking_game(ruleset), ruleset.moves
    (choice,), (part,) = move.choices, move.parts
    if not free_names(ruleset.measure) & game.following.keys():
        names = ruleset.coordinate_names
        part = tuple(new if n == game.axis else Name(n) for n, new in zip(names, part, strict=True))
    any_number = replace(choice, range=Range(Int(1), Name(game.axis)))
    move = replace(move, choices=(any_number,), parts=(part,))
    check_playable(replace(ruleset, moves=(move,), claims=()))
    return True


RULE = Rule(
    "runs of P-positions",
    Runs,
    (
        SideCondition("P-positions are claimed", lambda s, *_: s.target == P_POSITIONS),
        SideCondition("the ends of the runs are as they must be", _runs_follow),
    ),
    no_premises,
)
