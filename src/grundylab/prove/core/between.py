"""The rule of moves between bounds: a game lies between a smaller and a larger one, which automata can read.

Automata cannot read a condition of a move such as "t is prime". But no prime above m has a common divisor with m, which
is a condition on its residue modulo m; and the primes up to some limit can be listed. So the moves lie between those of
two games: in the smaller one, t is one of the listed primes; in the larger one, t is listed or has such a residue. The
same is done for the values of a recurrence, whose residues modulo m repeat, and for the divisors of a number.

Let g be a formula that gives the Grundy numbers of both games. By induction on the measure it gives those of the game
between them: no option has the value of its position, because it is an option in the larger game, too; and each smaller
value is the value of an option, namely of one in the smaller game. The same is true of P-positions, unless moves lead
to sums: whether a sum is a P-position depends on the Grundy numbers of its parts, which the two games need not have in
common. Under misère play there is one premise more: who can move in the larger game can move in the smaller one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count, islice

from grundylab.games.listing import move_condition
from grundylab.games.model import ALWAYS, GRUNDY, P_POSITIONS, Move, Ruleset
from grundylab.language.builtins import BUILTINS, BuiltIn
from grundylab.language.functions import Function, Functions
from grundylab.language.intervals import is_total
from grundylab.language.linear import atom_polynomial
from grundylab.language.plain import compile_plain
from grundylab.language.substitution import lower, rewrite
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
    Negate,
    Not,
    compare,
    conjunction,
    disjunction,
    distinct_parts,
    free_names,
)
from grundylab.prove.core.definedness import implied, negation
from grundylab.prove.core.evidence import Between
from grundylab.prove.core.theorem import Refused, Rule, SideCondition
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition

LISTED = 12  # primes, for example, are listed up to this number or to the modulus, whichever is greater
DIVISORS = range(1, 7)  # divisors and quotients that are listed; the automata of twelve can be too large
MOST_STEPS, LARGEST = (
    1_000,
    10**200,
)  # steps of a recurrence, and the largest value, before its residues repeat


def premises(statement: Statement, evidence: Between) -> Iterator[Statement]:
    """Yield the statement about the smaller and the larger game; under misère play, also the premise on who can move.

    Raises Refused if the statement is of another kind, if no condition of a move can be bounded, or if a part of such a
    condition may have no value.
    """
    if statement.target not in (P_POSITIONS, GRUNDY) or statement.lookups:
        raise Refused(
            "the rule is about P-positions and Grundy numbers, by a formula that looks no values up"
        )
    if split_condition(statement.where, statement.game)[1] != TRUE:
        raise Refused("the formula must be claimed of all positions: the games may differ at the others")
    smaller, larger = (bounded(statement.game, evidence.modulus, most) for most in (False, True))
    if larger.moves == statement.game.moves:
        raise Refused("no condition of a move contains a set that is known by its residues")
    for game in (smaller, larger):
        yield replace(statement, game=game)
    if statement.game.play == "misere":
        movable = implied(move_condition(larger), move_condition(smaller))
        yield Statement(smaller, ALWAYS, movable, statement.where)


def bounded(game: Ruleset, modulus: int, most: bool) -> Ruleset:
    """Return the larger game if ``most`` is true, else the smaller one."""
    moves = tuple(_Bounds(game.functions, modulus, move).move(most) for move in game.moves)
    return replace(game, moves=moves, claims=())


class _Bounds:
    """Bounds for the condition of a move, by residues: conditions that are implied by it, or that imply it."""

    def __init__(self, functions: Functions, modulus: int, move: Move) -> None:
        self._functions, self._modulus, self._move = functions, modulus, move
        lows = ((choice.name, choice.range.low) for choice in move.choices)
        self._positive = {name for name, low in lows if isinstance(low, Int) and low.value >= 1}

    def move(self, most: bool) -> Move:
        """Return the move with the larger condition if ``most`` is true, else with the smaller one."""
        when = lower(self._functions.expand(self._move.when))
        if not any(map(self._membership, distinct_parts(when))):
            return self._move
        return replace(self._move, when=self._bound(when, most))

    def _bound(self, expr: Expr, most: bool) -> Expr:
        """Return a condition that follows from ``expr`` if ``most`` is true, else one from which ``expr`` follows.

        Every part that is kept must have a value everywhere; then it does not matter in which order parts are read.
        """
        if membership := self._membership(expr):
            return membership[most]
        match expr:
            case Logic(op=op, terms=terms):
                joined = conjunction if op == "and" else disjunction
                return joined(*(self._bound(term, most) for term in terms))
            case Not(operand=operand):
                return negation(self._bound(operand, not most))
        self._check(expr)
        return expr

    def _check(self, *exprs: Expr) -> None:
        for expr in exprs:
            if not is_total(expr, self._functions):
                raise Refused(f"a part of a move's condition may have no value: {expr}")

    def _membership(self, expr: Expr) -> tuple[Expr, Expr] | None:
        """Return a smaller and a larger condition if ``expr`` says that a number is in a set known by its residues."""
        match expr:
            case Call(name=name, arguments=(number,)) if name in BUILTINS and BUILTINS[name].residues:
                self._check(number)
                return self._in_set(BUILTINS[name], number)
            case Bounded("any", index, Int(value=start), stop, Compare(("==",), (left, right))):
                for number, call in ((left, right), (right, left)):
                    if self._is_value(call, index) and index not in free_names(number):
                        self._check(number, stop)
                        return self._in_orbit(call, start, stop, number)
            case Compare(("==" | "!=" as op,), (Binary("%", number, Name(id=divisor)), Int(0))):
                if divisor in self._positive:
                    self._check(number)
                    smaller, larger = self._divisible(number, Name(divisor))
                    return (smaller, larger) if op == "==" else (negation(larger), negation(smaller))
        return None

    def _has_residue(self, number: Expr, residues: Iterable[int]) -> Expr:
        rest = Binary("%", number, Int(self._modulus))
        return disjunction(*(compare("==", rest, Int(residue)) for residue in residues))

    def _in_set(self, row: BuiltIn, number: Expr) -> tuple[Expr, Expr]:
        assert row.residues is not None
        least = max(LISTED, self._modulus) + 1
        listed = disjunction(*(compare("==", number, Int(n)) for n in range(least) if row.value(n)))
        above = self._has_residue(number, row.residues(self._modulus))
        return listed, disjunction(listed, conjunction(compare(">=", number, Int(least)), above))

    def _divisible(self, number: Expr, divisor: Expr) -> tuple[Expr, Expr]:
        """Return bounds for the condition that the positive number ``divisor`` divides the other number.

        The smaller condition is that the divisor or the quotient is listed. The larger one is that each factor of the
        modulus that divides the divisor also divides the number.
        """
        smaller, larger = list[Expr](), list[Expr]()
        for one in map(Int, DIVISORS):
            is_divisor = conjunction(
                compare("==", divisor, one), compare("==", Binary("%", number, one), Int(0))
            )
            smaller += [is_divisor, compare("==", number, Binary("*", one, divisor))]
        for factor in (d for d in range(2, self._modulus + 1) if self._modulus % d == 0):
            of_divisor, of_number = (
                compare("==", Binary("%", term, Int(factor)), Int(0)) for term in (divisor, number)
            )
            larger.append(implied(of_divisor, of_number))
        return disjunction(*smaller), conjunction(*larger)

    def _is_value(self, call: Expr, index: str) -> bool:
        return isinstance(call, Call) and call.name in self._functions and call.arguments == (Name(index),)

    def _in_orbit(self, call: Expr, start: int, stop: Expr, number: Expr) -> tuple[Expr, Expr]:
        """Return bounds for the condition that a recurrence has this number as its value.

        call: the call of the recurrence; its index runs from ``start`` to below ``stop``.
        """
        function = self._functions[call.name] if isinstance(call, Call) else None
        if not isinstance(function, Function):
            raise Refused("a function has no definition")
        values, residues = orbit(function, start, self._modulus)
        are = [compare("==", number, Int(value)) for value in values]
        before = (compare("<", Int(place), stop) for place in range(start, start + len(values)))
        smaller = disjunction(*map(conjunction, before, are))
        return smaller, disjunction(*are, self._has_residue(number, residues))


def orbit(function: Function, start: int, modulus: int) -> tuple[list[int], tuple[int, ...]]:
    """Return the values of a recurrence from ``start`` on until residues repeat, and the residues of the others.

    Raises Refused unless each value is a polynomial of the last values, so that residues determine residues.
    """
    places = [place for place, _ in function.initial]
    (argument,) = function.arguments
    backs: dict[int, str] = {}

    def earlier(node: Expr) -> Expr:
        if not isinstance(node, Call) or node.name != function.name:
            return node
        back = (atom_polynomial(Name(argument)) - atom_polynomial(node.arguments[0])).number
        if back is None or not 1 <= back <= len(places):
            raise Refused("a recurrence does not depend on its last values alone")
        return Name(backs.setdefault(back, f"_{back}"))

    body = rewrite(lower(function.body), earlier)
    plain = all(
        isinstance(node, Int | Name | Negate) or (isinstance(node, Binary) and node.op in ("+", "-", "*"))
        for node in distinct_parts(body)
    )
    if not plain or not free_names(body) <= set(backs.values()) or not backs:
        raise Refused("a recurrence is no polynomial of its last values")
    if places != list(range(places[0], places[0] + len(places))) or start < places[0]:
        raise Refused("a recurrence has no value at its start, or its first values do not follow each other")
    value, deep = compile_plain(body, Functions()), len(places)
    values = [number for _, number in function.initial]
    seen: dict[tuple[int, ...], int] = {}
    for place in islice(count(), MOST_STEPS):
        state = tuple(n % modulus for n in values[place : place + deep])
        if state in seen and place >= start - places[0]:
            break
        seen.setdefault(state, place)
        values.append(value({name: values[-back] for back, name in backs.items()}))
        if abs(values[-1]) > LARGEST:
            raise Refused("the values of a recurrence get too large before its residues repeat")
    else:
        raise Refused("the residues of a recurrence do not repeat soon enough")
    first = seen[state]
    residues = sorted({number % modulus for number in values[first:]})
    return values[max(start - places[0], 0) :], tuple(residues)


RULE = Rule(
    "moves between bounds",
    Between,
    (
        SideCondition(
            "where moves lead to sums, Grundy numbers are claimed",
            lambda s, *_: not s.game.splits or s.target == GRUNDY,
        ),
    ),
    lambda statement, evidence: tuple(premises(statement, evidence)),
)
