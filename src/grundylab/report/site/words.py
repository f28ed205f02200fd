"""The rules of a game in plain words, made from its ruleset: what a position is, what a move may do, who loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from grundylab.formula.functions import Function
from grundylab.formula.mathml import to_mathml
from grundylab.formula.syntax import (
    TRUE,
    Binary,
    Call,
    Compare,
    Expr,
    Int,
    Logic,
    Name,
    compare,
    conjunction,
    free_names,
    substitute,
)
from grundylab.rulesets.model import PASS_COORDINATE, Choice, Coordinate, Move, Range, Ruleset

Words = str | Expr | Range
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
_LEFT = compare("==", Name(PASS_COORDINATE), Int(1))


@dataclass(frozen=True)
class Line:
    """A sentence, or a point of a list; formulas in it are still formulas."""

    parts: tuple[Words, ...]

    @property
    def text(self) -> str:
        """As plain text, with formulas in the formula language."""
        return "".join(_text(part) for part in self.parts)

    @property
    def html(self) -> Markup:
        """As HTML, with formulas in MathML."""
        return Markup("").join(_html(part) for part in self.parts)


@dataclass(frozen=True)
class Rules:
    """The rules: ``position`` says what a position is, ``moves`` what one may do, ``end`` how it ends."""

    position: tuple[Line, ...]
    moves: tuple[Line, ...]
    end: tuple[Line, ...]

    @property
    def text(self) -> str:
        """All of it, one sentence a line."""
        return "\n".join(line.text for line in (*self.position, *self.moves, *self.end))


def rules_in_words(ruleset: Ruleset) -> Rules:
    """The rules of the game in words."""
    where = [] if ruleset.where == TRUE else [Line(("Only positions with ", ruleset.where, " are legal."))]
    given = [_parameters(ruleset)] if ruleset.parameters else []
    position = (*_position(ruleset), *where, *given, *_functions(ruleset))
    return Rules(position, tuple(_moves(ruleset)), tuple(_end(ruleset)))


def _text(part: Words) -> str:
    return f"{part.low} to {part.high}" if isinstance(part, Range) else str(part)


def _html(part: Words) -> Markup:
    match part:
        case str():
            return escape(part)
        case Range(low=low, high=high):
            return Markup(f"{to_mathml(low)} to {to_mathml(high)}")
    return Markup(to_mathml(part))


# -- what a position is -----------------------------------------------------------------------------------------


def _position(ruleset: Ruleset) -> list[Line]:
    own = [c for c in ruleset.coordinates if not _is_pass(ruleset, c)]
    piles = _piles(ruleset)
    names = _series([(Name(c.name),) for c in own])
    if all(c.name in piles and _free(ruleset, c) for c in own):
        many = f"{_number(len(own))} piles of {{}} stones" if len(own) > 1 else "one pile of {} stones"
        before, after = many.split("{}")
        lines = [Line((f"Position: {before}", *names, f"{after}."))]
    elif all(_free(ruleset, c) for c in own):
        each = ("the numbers ", ", each from 0 on.") if len(own) > 1 else ("a number ", " from 0 on.")
        lines = [Line((f"Position: {each[0]}", *names, each[1]))]
    else:
        what = "the numbers " if len(own) > 1 else "a number "
        spans = _series([(_span(ruleset, c),) for c in own])
        lines = [Line((f"Position: {what}", *names, " with ", *spans, "."))]
    if len(own) < len(ruleset.coordinates):
        lines.append(
            Line(("Besides, ", Name(PASS_COORDINATE), " is 1 while the pass is still there, and 0 after it."))
        )
    return lines


def _series(items: Sequence[Sequence[Words]]) -> list[Words]:
    """``x, y and z``."""
    found: list[Words] = []
    for number, item in enumerate(items):
        if number:
            found.append(" and " if number == len(items) - 1 else ", ")
        found += item
    return found


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _is_pass(ruleset: Ruleset, coordinate: Coordinate) -> bool:
    return coordinate.name == PASS_COORDINATE and any(move.a_pass for move in ruleset.moves)


def _piles(ruleset: Ruleset) -> tuple[str, ...]:
    """The coordinates that stones are taken from: the piles, and those that a move of the short form names."""
    plain = (
        name for name in ruleset.coordinate_names if any(m.name == f"take from {name}" for m in ruleset.moves)
    )
    return tuple(dict.fromkeys((*ruleset.piles, *plain)))


def _free(ruleset: Ruleset, coordinate: Coordinate) -> bool:
    """Whether the game lets it be any number from 0 on; a bound is the edge of a table only."""
    return coordinate.range.low == Int(0) and _endless(ruleset, coordinate)


def _endless(ruleset: Ruleset, coordinate: Coordinate) -> bool:
    return bool(free_names(coordinate.range.high) & set(ruleset.bounds))


def _span(ruleset: Ruleset, coordinate: Coordinate) -> Expr:
    low, high, name = coordinate.range.low, coordinate.range.high, Name(coordinate.name)
    if _endless(ruleset, coordinate):
        return compare(">=", name, low)
    return Compare(("<=", "<="), (low, name, high))


def _parameters(ruleset: Ruleset) -> Line:
    """That each value of the parameters gives a game of its own."""
    domains = _series([(p.domain if p.domain != TRUE else Name(p.name),) for p in ruleset.parameters])
    head = "Parameters: " if len(ruleset.parameters) > 1 else "Parameter: "
    return Line((head, *domains, "; each choice is a game of its own."))


def _functions(ruleset: Ruleset) -> list[Line]:
    lines = []
    free = {function.name: function for function in ruleset.free}
    for function in ruleset.rule_functions:
        if function.name in free:
            rule = free[function.name]
            head = Call(rule.name, tuple(map(Name, rule.arguments)))
            asked: tuple[Words, ...] = (" with ", rule.condition, " for all arguments")
            lines.append(
                Line(("Here ", head, " is any function", *(asked if rule.condition != TRUE else ()), "."))
            )
        elif isinstance(function, Function):
            lines.append(_defined(function))
    return lines


def _defined(function: Function) -> Line:
    head = Call(function.name, tuple(map(Name, function.arguments)))
    parts: list[Words] = ["Here "]
    for argument, value in function.initial:
        parts += [compare("==", Call(function.name, (Int(argument),)), Int(value)), ", "]
    return Line((*parts, compare("==", head, function.body), "."))


# -- what a move may do -----------------------------------------------------------------------------------------


def _moves(ruleset: Ruleset) -> list[Line]:
    own = [move for move in ruleset.moves if not move.a_pass]
    takes = {move: take for move in own if (take := _take(ruleset, move))}
    lines, said = [], set[Move]()
    for move in own:
        if move in said:
            continue
        alike = _alike(ruleset, move, takes)
        said.update(alike)
        lines.append(_taking(ruleset, takes[move], len(alike)) if move in takes else _general(ruleset, move))
    return [*lines, *(_passing(move) for move in ruleset.moves if move.a_pass)]


@dataclass(frozen=True)
class _Take:
    """A move that lowers one pile by at least one and at most ``most``."""

    pile: str
    most: Expr


def _take(ruleset: Ruleset, move: Move) -> _Take | None:
    changed = _changed(ruleset, move)
    if len(move.choices) != 1 or move.when != TRUE or len(changed) != 1 or len(changed[0]) != 1:
        return None
    (name, value), choice = changed[0][0], move.choices[0]
    lowered = value == Binary("-", Name(name), Name(choice.name)) and choice.range.low == Int(1)
    return _Take(name, choice.range.high) if lowered and name in _piles(ruleset) else None


def _changed(ruleset: Ruleset, move: Move) -> list[list[tuple[str, Expr]]]:
    """For each part of the sum that the move leads to, the coordinates that change, with their new values."""
    return [
        [
            (name, value)
            for name, value in zip(ruleset.coordinate_names, part, strict=True)
            if value != Name(name)
        ]
        for part in move.parts
    ]


def _alike(ruleset: Ruleset, move: Move, takes: dict[Move, _Take]) -> list[Move]:
    """The moves that say of other piles what this one says of its pile; itself alone unless that is so of all piles."""
    if move not in takes:
        return [move]
    mine = takes[move]
    same = [m for m, t in takes.items() if substitute(t.most, {t.pile: Name(mine.pile)}) == mine.most]
    return same if {takes[m].pile for m in same} == set(_piles(ruleset)) else [move]


def _taking(ruleset: Ruleset, take: _Take, piles: int) -> Line:
    pile: tuple[Words, ...] = ("one pile",) if piles > 1 else ("the pile",)
    if len(_piles(ruleset)) > 1 and piles == 1:
        pile = ("the pile ", Name(take.pile))
    if take.most == Name(take.pile):
        return Line(("A move takes any number of stones, at least one, from ", *pile, "."))
    size: tuple[Words, ...] = (" of ", Name(take.pile)) if piles > 1 else ()
    most = take.most
    if piles > 1 and len(_piles(ruleset)) > 1:
        return Line(("A move takes at least one and at most ", most, " stones from one pile", *size, "."))
    return Line(("A move takes at least one and at most ", most, " stones from ", *pile, *size, "."))


def _general(ruleset: Ruleset, move: Move) -> Line:
    """Any move, by what is chosen, under which condition, and what becomes of the position."""
    changed = _changed(ruleset, move)
    head: list[Words] = [f"{move.name[:1].upper()}{move.name[1:]}: "]
    if simple := _lowered(move, changed):
        return Line((*head, Name(simple), " becomes any smaller number."))
    if move.when != TRUE:
        head += ["if ", move.when, ", "] if not move.choices else []
    if move.choices:
        head += ["choose ", *_choices(move.choices)]
        head += [" such that ", move.when] if move.when != TRUE else []
        head += ["; then "]
    if len(changed) == 1:
        return Line((*head, *_becoming(changed[0], " becomes "), "."))
    parts: list[Words] = []
    for number, part in enumerate(changed):
        if number:
            parts.append(" and one where " if number == len(changed) - 1 else ", one where ")
        parts += _becoming(part, " is ")
    return Line((*head, f"the position becomes a sum of {_number(len(changed))}: one where ", *parts, "."))


def _lowered(move: Move, changed: list[list[tuple[str, Expr]]]) -> str | None:
    """The coordinate, if the move may give it any smaller value and does nothing else."""
    if len(changed) != 1 or len(changed[0]) != 1 or len(move.choices) != 1 or move.when != TRUE:
        return None
    (name, value), choice = changed[0][0], move.choices[0]
    ends = (choice.range.low, choice.range.high)
    set_to = value == Name(choice.name) and ends == (Int(0), Binary("-", Name(name), Int(1)))
    by = value == Binary("-", Name(name), Name(choice.name)) and ends == (Int(1), Name(name))
    return name if set_to or by else None


def _choices(choices: Sequence[Choice]) -> list[Words]:
    return _series([(Name(choice.name), " from ", choice.range) for choice in choices])


def _becoming(part: Sequence[tuple[str, Expr]], verb: str) -> list[Words]:
    return _series([(Name(name), verb, value) for name, value in part]) or ["nothing changes"]


def _passing(move: Move) -> Line:
    terms = move.when.terms if isinstance(move.when, Logic) and move.when.op == "and" else (move.when,)
    condition = conjunction(*(term for term in terms if term != _LEFT))
    when: tuple[Words, ...] = () if condition == TRUE else (" while ", condition)
    return Line(("A one-time pass: once in the whole game, one of the players may pass", *when,
                 "; never from a terminal position. After it nobody may pass again."))  # fmt: skip


def _end(ruleset: Ruleset) -> list[Line]:
    wins = "wins" if ruleset.play == "misere" else "loses"
    play = " (misère play)" if ruleset.play == "misere" else ""
    return [
        Line(("Every move lowers ", ruleset.measure, ", so the game ends.")),
        Line((f"The player who cannot move {wins}{play}.",)),
    ]
