"""Existence of a choice w that reaches a goal which depends on h(w), where h is any function of a family.

Let the choice w reach the goal exactly if w = E(h(w)), where E is read off an equation of numbers combined by ``^``.
Suppose that for every k, if w and w' differ in none but the lowest k + 1 binary digits, then E(h(w)) and E(h(w'))
differ in none but the lowest k. Begin with any number w, and replace it by E(h(w)) again and again. At each step the
lowest digits in which two successive numbers may differ become one fewer, until the numbers are the same. So there is
a w with w = E(h(w)). It remains to show that this w may be chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from grundylab.games.listing import quantify
from grundylab.games.model import ALWAYS, Ranged, Ruleset
from grundylab.language.substitution import replace_part, substitute
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Call,
    Compare,
    Expr,
    Int,
    Name,
    chain,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    distinct_parts,
    free_names,
    operands,
)
from grundylab.prove.core.definedness import implied
from grundylab.prove.kernel.clauses import any_natural
from grundylab.prove.kernel.moves import OptionPlace, Step, own_place, steps
from grundylab.prove.kernel.theorem import Refused
from grundylab.statement import Statement

_UNKNOWN = "_unknown"


@dataclass(frozen=True)
class Wish:
    """A goal: wherever ``supposed`` is true, some option fulfils ``wanted``, for all values of the variables."""

    supposed: Expr
    variables: tuple[Ranged, ...]
    wanted: Callable[[OptionPlace], Expr]


def statements_for(game: Ruleset, wish: Wish) -> Iterator[Statement]:
    """Yield statements that together imply that the goal ``wish`` is met in every game of the family.

    game: the family, with the definitions of its functions written out. Raises Refused if a move uses a free function
    in another way than by one value at its choice.
    """
    said = wish.wanted(own_place(game))  # moves whose choices have names that occur nowhere in the goal
    beside = tuple(map(Name, sorted(free_names(said) | {variable.name for variable in wish.variables})))
    plain, fixed = list[Expr](), list[_Fixed]()
    for step in steps(game, own_place(game), beside):
        call = _unknown(game, step)
        if call is None:
            choices, when, option = step
            plain.append(quantify("any", choices, conjunction(when, wish.wanted(option))))
        else:
            fixed.append(_Fixed(game, wish, step, call))
    numbers = [any_natural(f"_fixed_{number}", game) for number, _ in enumerate(fixed)]
    found = [one.wants(Name(w.name), Name(w.name)) for one, w in zip(fixed, numbers, strict=True)]
    chosen = [one.chosen(Name(w.name)) for one, w in zip(fixed, numbers, strict=True)]
    said = implied(conjunction(wish.supposed, *found), disjunction(*plain, *chosen))
    yield Statement(game, ALWAYS, said, TRUE, (*wish.variables, *numbers))
    for one in fixed:
        yield from one.exists()


def _anywhere(game: Ruleset) -> Ruleset:
    """Return the game without its moves, and with any natural numbers as coordinates."""
    coordinates = tuple(any_natural(name, game) for name in game.coordinate_names)
    return replace(game, coordinates=coordinates, where=TRUE, moves=())


def _unknown(game: Ruleset, step: Step) -> Call | None:
    """Return the call of a free function at the move's choice; None if the move calls no free function at a choice.

    Raises Refused if there are several such calls or choices, or if the choice is only a part of the call's argument.
    """
    choices, when, option = step
    names, free = {choice.name for choice in choices}, {function.name for function in game.free}
    found = {
        node
        for expr in (when, *option)
        for node in distinct_parts(expr)
        if isinstance(node, Call) and node.name in free and free_names(node) & names
    }
    if not found:
        return None
    (choice, *more), (call, *others) = choices, found
    at_choice = [argument for argument in call.arguments if choice.name in free_names(argument)]
    if more or others or at_choice != [Name(choice.name)]:
        raise Refused("a move uses more of a free function than its value at the only choice")
    return call


@dataclass(frozen=True)
class _Fixed:
    """A move with one choice, which uses the value ``call`` of a free function at that choice."""

    game: Ruleset
    wish: Wish
    step: Step
    call: Call

    @property
    def choice(self) -> Ranged:
        (choice,) = self.step[0]
        return choice

    def value(self, w: Expr) -> Expr:
        """Return the value of the free function at w."""
        return substitute(self.call, {self.choice.name: w})

    def _put(self, expr: Expr, u: Expr, w: Expr) -> Expr:
        """Return the expression with u in place of the choice, but with the function's value at w."""
        hole = replace_part(expr, self.call, Name("_value_at"))
        return substitute(hole, {self.choice.name: u, "_value_at": self.value(w)})

    def wants(self, u: Expr, w: Expr) -> Expr:
        """Return the condition that the choice u meets the goal if the function's value at w replaces that at u."""
        _, _, option = self.step
        return self.wish.wanted(tuple(self._put(each, u, w) for each in option))

    def chosen(self, w: Expr) -> Expr:
        """Return the condition that w may be chosen."""
        _, when, _ = self.step
        return conjunction(substitute(self.choice.inside, {self.choice.name: w}), self._put(when, w, w))

    def exists(self) -> Iterator[Statement]:
        """Yield statements that imply that some w meets the goal with its own value h(w).

        They say that u = E(h(w)) is natural for each w, and that two numbers w which differ only in their lowest k + 1
        binary digits give numbers u which differ only in the lowest k.
        """
        w, other, power = (any_natural(name, self.game) for name in ("_w", "_w_2", "_power"))
        u, others = _solved(self.wants(Name(_UNKNOWN), Name(w.name)), _UNKNOWN)
        natural = conjunction(compare(">=", u, Int(0)), *others)
        there = implied(self.wish.supposed, natural)
        yield Statement(self.game, ALWAYS, there, TRUE, (*self.wish.variables, w))
        q, beside = Name(power.name), substitute(u, {w.name: Name(other.name)})
        near = compare("<", Binary("^", Name(w.name), Name(other.name)), Binary("*", Int(2), q))
        nearer = compare("<", _difference(u, beside), q)
        condition = implied(conjunction(Call("is_power_of_two", (q,)), near), nearer)
        variables = (*self.wish.variables, w, other, power)
        yield Statement(_anywhere(self.game), ALWAYS, condition, TRUE, variables)


def _solved(condition: Expr, unknown: str) -> tuple[Expr, list[Expr]]:
    """Return the unknown's value by an equation of numbers combined by ``^``, and the condition's other terms.

    Raises Refused unless exactly one term mentions the unknown, and is such an equation, with the unknown in it once.
    """
    about = [term for term in conjuncts(condition) if unknown in free_names(term)]
    if len(about) != 1 or not isinstance(about[0], Compare) or about[0].ops != ("==",):
        raise Refused("the goal is no equation of numbers combined by ^ that can be solved for the choice")
    left, right = about[0].terms
    numbers = [*operands(left, "^"), *operands(right, "^")]
    known = [number for number in numbers if number != Name(unknown)]
    if len(numbers) != len(known) + 1 or any(unknown in free_names(number) for number in known):
        raise Refused("the goal is no equation of numbers combined by ^ that can be solved for the choice")
    return chain("^", known), [term for term in conjuncts(condition) if term != about[0]]


def _difference(one: Expr, other: Expr) -> Expr:
    """Return ``one ^ other``, without the numbers that occur in both."""
    numbers, others = operands(one, "^"), operands(other, "^")
    for number in list(numbers):
        if number in others:
            numbers.remove(number)
            others.remove(number)
    return chain("^", [*numbers, *others] or [Int(0)])
