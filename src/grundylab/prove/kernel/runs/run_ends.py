"""The rule of runs of P-positions, outside WS1S: what must be true of their ends, and why it is.

The games: one pile x, of which a move takes from ``low`` to ``high`` stones, as many as there are at most, and leads
from a row to the next; rows are told apart by the other coordinates, and low, high and the next row depend on the row
only. The statement: the P-positions are those with ``start(j) <= x <= end(j)`` for some j >= 0.

Let s be the row after r. The positions of r with a move into run j of s are those from start(j, s) + low(r) to
end(j, s) + high(r), if run j of s is not empty. The statement is therefore true, by induction on x, if in every row r

- ``first``: start(0, r) = 0,
- ``next``: start(j + 1, r) = end(j, s) + high(r) + 1: each run begins after those positions, and
- ``last``: end(j, r) = start(j, s) + low(r) - 1: it ends before the next of them, and
- ``order``: start(j + 1, r) > start(j, r), so that runs follow each other and x is in none with j > x, and
- ``full``: start(j, s) <= end(j, s): no run is empty in a row that comes after another;
- ``taking_game``: 1 <= low(r) <= high(r); and the next row is a row.

For x is in no run j of r exactly if end(j, r) < x < start(j + 1, r) for some j, as start(0, r) = 0 and ends grow; that
is where a move into a run is.

Evidence says for each inequality why it is true: by induction on j, of which the base and the step are sums of
products of numbers that are plainly not negative (*facts*). The kernel makes the equations and inequalities from the
ruleset and the formula by itself, expands the sums, and compares.
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
from grundylab.prove.kernel.space import low_ends, position_space
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition, no_premises
from grundylab.statement import Statement

MOST_FACTORS = 20  # factors of a product, which may have two to that power as many terms when multiplied out


class NotIntervals(Refused):
    """A game or formula that this module does not cover, or evidence that does not fit it."""


@dataclass(frozen=True)
class Takes:
    """A game where a move takes low..high from the axis (no more than there is) and goes to the row ``following``."""

    axis: str
    low: Expr
    high: Expr
    following: Mapping[str, Expr]


@dataclass(frozen=True)
class RunEnds:
    """A formula by which the axis is from start to end for some value of the name ``number`` from 0 on."""

    number: str
    start: Expr
    end: Expr


def taking_game(ruleset: Ruleset) -> Takes:
    """Return the game, if it is of this kind; otherwise raise NotIntervals with the reason."""
    if ruleset.play != "normal" or ruleset.where != TRUE or len(ruleset.moves) != 1:
        raise NotIntervals("it is about games of one move, at all positions, in normal play")
    (move,) = ruleset.moves
    if move.a_pass or move.when != TRUE or len(move.parts) != 1 or len(move.choices) != 1:
        raise NotIntervals(f"the move '{move.name}' is not that of taking some stones, as many as one likes")
    (choice,) = move.choices
    new = dict(zip(ruleset.coordinate_names, move.parts[0], strict=True))
    axis = next((x for x, to in new.items() if to == Binary("-", Name(x), Name(choice.name))), None)
    if axis is None:
        raise NotIntervals(f"the move '{move.name}' does not take the number chosen from one coordinate")
    following = {c: lower(to) for c, to in new.items() if c != axis}
    low, high = lower(choice.range.low), _without(lower(choice.range.high), axis)
    rows = frozenset().union(*map(free_names, (low, high, *following.values())))
    if rows & {axis, choice.name}:
        raise NotIntervals("how many are taken, or where to, depends on how many there are or are taken")
    return Takes(axis, low, high, following)


def _without(high: Expr, axis: str) -> Expr:
    """Return ``u`` from ``min(axis, u)``: no more can be taken than there are."""
    match high:
        case Call(name="min", arguments=arguments) if Name(axis) in arguments and len(arguments) == 2:
            return next((part for part in arguments if part != Name(axis)), Name(axis))
    raise NotIntervals(f"a move takes up to {high}, not up to min({axis}, …)")


def read_ends(formula: Expr, axis: str, taken: Sequence[str]) -> RunEnds:
    """Return the ends in a formula ``any(a <= x <= b for j in range(0, x + 1))`` or ``x % c <= w``.

    Also of ``0 <= x - a <= w`` and ``x == a``. taken: the names of the game, which the number of a run cannot have.
    Raises NotIntervals for another formula.
    """
    x, number = Name(axis), next(name for n in count() if (name := f"j{n or ''}") not in taken)
    match lower(formula):
        case Bounded("any", variable, Int(0), Binary("+", start, Int(1)), body) if start == x:
            if variable in taken:  # inside, the name no longer means the coordinate or parameter
                raise NotIntervals(f"'{variable}' counts runs, and is the name of something else")
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
    """Plain lower bounds. lows: the least value of each name, by earlier names; growths: of functions."""

    lows: Mapping[str, Poly]
    growths: Mapping[str, Growth]

    def shifted(self, poly: Poly) -> Poly:
        """Replace each name by its offset from its least value."""
        for identifier, low in reversed(list(self.lows.items())):
            poly = poly.put({identifier: single_atom(identifier) + low})
        return poly

    def natural(self, poly: Poly) -> bool:
        """Tell whether a polynomial in names is plainly >= 0: it has no negative coefficient when shifted."""
        return poly.names <= set(self.lows) and all(
            coefficient >= 0 and not any(isinstance(atom, Value) for atom, _ in monomial)
            for monomial, coefficient in self.shifted(poly).terms
        )

    def holds(self, fact: Poly) -> bool:
        """Tell whether it is a fact: ``v - low``, ``f(u) - least``, or ``f(v) - f(u)`` where f rises from u to v."""
        if any(fact == single_atom(identifier) - low for identifier, low in self.lows.items()):
            return True
        values = [atom for atom in fact.atoms if isinstance(atom, Value)]
        return any(self._of_function(value, fact - single_atom(value)) for value in values)

    def _of_function(self, upper: Value, rest: Poly) -> bool:
        """Tell whether ``f(upper) + rest`` is a fact about the function."""
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
    """The theorem's conditions: ``zero`` and ``natural`` are expressions that must be 0, or at least 0, everywhere."""

    reader: PolynomialReader
    facts: Facts
    zero: Mapping[str, Expr]
    natural: Mapping[str, Expr]

    def base_and_step(self, expr: Expr) -> tuple[Poly, Poly]:
        """Return the expression at run 0, and its increase at each next run."""
        form, number = self.reader.form(expr), self.reader.upper
        rise = form.plain.put({number: single_atom(number) + constant_polynomial_in_runs(1)}) - form.plain
        return form.plain.put({number: Poly()}), rise + form.each.put({INDEX: single_atom(number)})


def run_obligations(ruleset: Ruleset, formula: Expr) -> RunObligations:
    """Return the conditions under which the formula describes the P-positions. Raises NotIntervals or NoForm."""
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
    """Return the least value of every name in an obligation: parameters, rows, the number and index of runs."""
    lows: dict[str, Poly] = {}
    for parameter in ruleset.parameters:
        # a domain with both ends in one term has few values, which are proved one by one (``cases.py``)
        open_ended = (
            t for t in syntax.conjuncts(parameter.domain) if isinstance(t, Compare) and len(t.ops) == 1
        )
        ends = low_ends(syntax.conjunction(*open_ended), Name(parameter.name))
        known = next((end for end in ends if free_names(end) <= set(lows)), None)
        if known is None:
            raise NotIntervals(f"nothing says how small {parameter.name} can be")
        lows[parameter.name] = reader.poly(known)
    if _row_low(ruleset, game.axis) != Int(0):
        raise NotIntervals(f"{game.axis} does not begin at 0")
    for coordinate in game.following:
        lows[coordinate] = reader.poly(_row_low(ruleset, coordinate))
    return {**lows, reader.upper: Poly(), INDEX: Poly()}


def _row_low(ruleset: Ruleset, coordinate: str) -> Expr:
    """Return the least value of a coordinate; the position space must ask nothing else of it."""
    asked = [part for part in syntax.conjuncts(position_space(ruleset)) if coordinate in free_names(part)]
    low = next(c.range.low for c in ruleset.coordinates if c.name == coordinate)
    if asked not in ([], [Compare(("<=",), (low, Name(coordinate)))]) or free_names(low):
        raise NotIntervals(f"the range of {coordinate} is more than that it is at least a number")
    return low


def _growths(ruleset: Ruleset, forms: Sequence[Form], lows: Mapping[str, Poly]) -> dict[str, Growth]:
    """Return the growth of the functions, from the least argument at which any of them is called."""
    found: dict[str, Growth] = {}
    facts = Facts(lows, found)
    least: dict[str, int] = {}
    for value in {asked for form in forms for asked in form.asked}:  # those that cancel out need a value, too
        low = facts.shifted(value.argument).put(dict.fromkeys(lows, Poly())).number
        if (
            low is None
            or low.denominator > 1
            or not facts.natural(value.argument - constant_polynomial_in_runs(low))
        ):
            raise NotIntervals(f"nothing says how small an argument of {value.function}() can be")
        least[value.function] = min(int(low), least.get(value.function, int(low)))
    numbers = {key: int(low.number) for key, low in lows.items() if low.number is not None}
    for function, first in least.items():
        free = next((f for f in ruleset.free if f.name == function), None)
        known = (
            assumed_growth(free, first) if free else growth_of(ruleset.functions, function, first, numbers)
        )
        if known is None:
            raise NotIntervals(f"nothing is known of {function}()")
        found[function] = known
    return found


# -- certificates ---------------------------------------------------------------------------------------------


def game_and_formula(statement: Statement) -> tuple[Ruleset, Expr]:
    """Return the game and the formula with the parameters that the condition fixes put in; it must ask nothing else."""
    fixed = fixed_values(statement.where, statement.game.parameter_names)
    if len(fixed) < sum(term != TRUE for term in syntax.conjuncts(statement.where)):
        raise NotIntervals("it is about all positions of games of given parameters")
    return specialise(statement.game, fixed), substitute(statement.formula, fixed)


def _runs_follow(statement: Statement, evidence: Runs, _: Session) -> bool:
    """Return whether the evidence shows that the formula describes the P-positions."""
    game, formula = game_and_formula(statement)
    check_playable(_taking(game))
    needed = run_obligations(game, formula)
    for what, expr in needed.zero.items():
        if needed.base_and_step(expr) != (Poly(), Poly()):
            raise NotIntervals(f"'{what}': {expr} is not 0")
    for what, expr in needed.natural.items():
        shown = dict(evidence.natural).get(what, NonnegativityProof())
        form = needed.reader.form(expr)
        base, step = needed.base_and_step(expr)
        whole = shown.whole is not None and form.each == Poly()
        for products, poly in (
            [(shown.whole, form.plain)] if whole else [(shown.base, base), (shown.step, step)]
        ):
            if products is None or _expanded(needed, products) != poly:
                raise NotIntervals(f"'{what}': it is not shown that {expr} is at least 0")
    return True


def _taking(ruleset: Ruleset) -> Ruleset:
    """Return the game of taking any number: it has all moves of the game, and more.

    That at least one is taken, and that the row that follows is a row, are obligations; so where the measure is of
    the axis alone, the row need not change.
    """
    game, (move,) = taking_game(ruleset), ruleset.moves
    (choice,), (part,) = move.choices, move.parts
    if not free_names(ruleset.measure) & game.following.keys():
        names = ruleset.coordinate_names
        part = tuple(new if n == game.axis else Name(n) for n, new in zip(names, part, strict=True))
    any_number = replace(choice, range=Range(Int(1), Name(game.axis)))
    return replace(ruleset, moves=(replace(move, choices=(any_number,), parts=(part,)),), claims=())


def _expanded(needed: RunObligations, products: Sequence[Product]) -> Poly:
    """Return the sum of the products, of which every factor must be a fact and every coefficient positive."""
    total = Poly()
    if any(len(factors) > MOST_FACTORS for _, factors in products):
        raise NotIntervals(f"a product has at most {MOST_FACTORS} factors")
    for coefficient, factors in products:
        part = constant_polynomial_in_runs(Fraction(coefficient))
        for factor in factors:
            poly = needed.reader.poly(factor)
            if not needed.facts.holds(poly):
                raise NotIntervals(f"'{factor}' may be negative for all that is known")
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
