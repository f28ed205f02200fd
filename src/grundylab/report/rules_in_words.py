"""A ruleset's rules as sentences: tuples of text and formulas.

The caller typesets the formulas, in LaTeX, MathML or the formula language.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from grundylab.findings.wording import Words
from grundylab.games.model import Move, Ranged, Ruleset
from grundylab.games.shapes import Fall, General, Take
from grundylab.language import Function
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    TRUE,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Name,
    compare,
    free_names,
)

SentencePart = str | Expr

_COUNTS = ("no", "one", "two", "three", "four", "five", "six")
_HIDDEN = "_"  # a placeholder for the pile, to compare the limits of several piles


def rules(ruleset: Ruleset) -> list[Words]:
    """Return the sentences of the rules: positions, parameters, moves, functions of the moves, the pass, who loses."""
    sentences = list(_position(ruleset))
    if ruleset.parameters:
        alone = len(ruleset.parameters) == 1
        domains = [(parameter.domain,) for parameter in ruleset.parameters if parameter.domain != TRUE]
        sentence = (
            f"The parameter{'' if alone else 's'} ",
            *_names(ruleset.parameter_names),
            f" {'is a whole number' if alone else 'are whole numbers'}",
            *((" with ", *_join(domains)) if domains else ()),
            ".",
        )
        sentences.append(sentence)
    takes = _takes(ruleset)
    moves: list[Words] = [
        *_taking_sentences(ruleset, takes),
        *(
            (f" (“{move.name}”): ", *_move_words(move, shape, ruleset.coordinate_names))
            for move, shape in zip(ruleset.moves, ruleset.shapes, strict=True)
            if not (isinstance(shape, Fall) or shape in takes)
        ),
    ]
    for number, words in enumerate(moves):
        sentences.append(("Another move" if number else "A move", *words, "."))
    if not moves:
        sentences.append(("There are no moves.",))
    sentences += functions(ruleset, {function.name for function in ruleset.rule_functions})
    for shape in ruleset.shapes:
        if isinstance(shape, Fall):
            if_so: Words = () if shape.guard == TRUE else (" if ", shape.guard)
            reason = (", but only if there is another move; ", Name(shape.flag))
            end = " is 1 until then and 0 afterwards."
            sentences.append(("Once per game, a player may pass", *if_so, *reason, end))
    normal = ruleset.play == "normal"
    loser = (
        "A player who cannot move loses." if normal else "This is misère play: a player who cannot move wins."
    )
    return [*sentences, (loser,)]


def _join(items: Sequence[Words], last: str = " and ") -> Words:
    """Join items as in ``a, b and c``."""
    sentence: list[SentencePart] = []
    for number, item in enumerate(items):
        if number:
            sentence.append(last if number == len(items) - 1 else ", ")
        sentence += item
    return tuple(sentence)


def _names(names: Sequence[str]) -> Words:
    return _join([(Name(name),) for name in names])


def _count(number: int, noun: str) -> str:
    """Return a count such as ``three piles`` or ``7 piles``."""
    return f"{_COUNTS[number] if number < len(_COUNTS) else number} {noun}"


# -- positions and parameters ---------------------------------------------------------------------------------


def _own_coordinates(ruleset: Ruleset) -> tuple[Ranged, ...]:
    """Return the coordinates, except the one that a pass adds: the sentence on the pass explains it."""
    return tuple(c for c in ruleset.coordinates if c.name != ruleset.pass_flag)


def _takes(ruleset: Ruleset) -> list[Take]:
    """Return the moves that take stones from one pile, if the game can be described as piles of stones.

    Returns nothing unless every coordinate is a pile that some such move takes from, with sizes from 0 to a bound.
    """
    shown, takes = _own_coordinates(ruleset), [shape for shape in ruleset.shapes if isinstance(shape, Take)]
    taken, bounds = {take.pile for take in takes}, {*ruleset.bounds}
    piles = all(
        c.name in taken and c.range.low == Int(0) and free_names(c.range.high) & bounds for c in shown
    )
    return takes if piles and not any(free_names(take.limit) & bounds for take in takes) else []


def _position(ruleset: Ruleset) -> Iterator[Words]:
    shown = _own_coordinates(ruleset)
    names = _names([coordinate.name for coordinate in shown])
    legal: Words = () if ruleset.where == TRUE else (" with ", ruleset.where)
    if _takes(ruleset):
        piles = "a pile" if len(shown) == 1 else _count(len(shown), "piles")
        yield (f"A position is {piles} of ", *names, " stones", *legal, ".")
        return
    kind = "a whole number" if len(shown) == 1 else _count(len(shown), "whole numbers")
    spans: list[Words] = []
    for coordinate in shown:
        name, low, high = Name(coordinate.name), coordinate.range.low, coordinate.range.high
        # a bound is the edge of a table and no rule of the game
        unbounded = free_names(high) & {*ruleset.bounds}
        spans.append((compare(">=", name, low) if unbounded else Compare(("<=", "<="), (low, name, high)),))
    yield (f"A position is {kind} ", *_join(spans), *legal, ".")


# -- moves ----------------------------------------------------------------------------------------------------


def _taking_sentences(ruleset: Ruleset, takes: Sequence[Take]) -> Iterator[Words]:
    """Yield a predicate, such as `` takes one stone``, for all moves that take stones within the same limit."""
    alike: dict[Expr, list[Take]] = {}
    for take in takes:
        alike.setdefault(substitute(take.limit, {take.pile: Name(_HIDDEN)}), []).append(take)
    every = len(_own_coordinates(ruleset))
    for group in alike.values():
        piles = list(dict.fromkeys(take.pile for take in group))
        first, number = Name(piles[0]), _stones(group[0])
        if every == 1:
            yield (" takes ", *number)
        elif group[0].unbounded and len(piles) == every:
            yield (" takes ", *number, " from one pile")
        elif len(piles) == every:
            others = "others" if every > 2 else "other"
            yield (" takes ", *number, " from the pile of ", first, f", and likewise from the {others}")
        elif group[0].unbounded:
            choices = _join([(Name(pile),) for pile in piles], " or ")
            yield (" takes ", *number, " from the pile of ", *choices)
        else:
            for take in group:
                yield (" takes ", *_stones(take), " from the pile of ", Name(take.pile))


def _stones(take: Take) -> Words:
    """Return how many stones a move may take: ``one stone``, or ``at least one and at most k stones``."""
    if take.unbounded:
        return ("one or more stones",)
    limit = take.limit
    match limit:  # the bound by the pile's size need not be mentioned
        case Call(name="min", arguments=(one, Name(id=pile))) if pile == take.pile:
            limit = one
        case Call(name="min", arguments=(Name(id=pile), one)) if pile == take.pile:
            limit = one
    return ("one stone",) if limit == Int(1) else ("at least one and at most ", limit, " stones")


def _move_words(move: Move, shape: General, names: tuple[str, ...]) -> Words:
    """Describe a move: ``choose w from 0 to z - 1; then y becomes min(y, h(w)) and z becomes w``."""
    if isinstance(shape, Take) and shape.unbounded:
        return (Name(shape.pile), " becomes any smaller whole number")
    chosen = {choice.name for choice in move.choices}
    about_choices = bool(free_names(move.when) & chosen)
    words: list[SentencePart] = []
    if move.when != TRUE and not about_choices:
        words += ["if ", move.when, ", "]
    if move.choices:
        ranges = [(Name(c.name), " from ", c.range.low, " to ", c.range.high) for c in move.choices]
        words += ["choose ", *_join(ranges)]
        words += [" with ", move.when] if about_choices else []
        words.append("; then ")
    if len(move.parts) > 1:
        entries = [_join([(entry,) for entry in part], ", ") for part in move.parts]
        positions = entries if len(names) == 1 else [("(", *inside, ")") for inside in entries]
        words += ["the position becomes the sum of the positions ", *_join(positions)]
        return (*words, ", and each later move is in one of them")
    changes: list[Words] = [
        (Name(name), " becomes ", new)
        for name, new in zip(names, move.parts[0], strict=True)
        if new != Name(name)
    ]
    return (*words, *(_join(changes) if changes else ("the position stays as it is",)))


# -- functions, and the pass ------------------------------------------------------------------------------------


def functions(ruleset: Ruleset, names: Collection[str]) -> Iterator[Words]:
    """Yield a sentence that defines each of the ruleset's functions with these names, in the ruleset's order."""
    free = {function.name: function for function in ruleset.free}
    for function in ruleset.functions:
        if function.name not in names:
            continue
        call = Call(function.name, tuple(map(Name, function.arguments)))
        if function.name in free:
            arguments = _names(function.arguments)
            condition = free[function.name].condition
            yield ("Here ", call, " is any function such that for all ", *arguments, ": ", condition, ".")
        elif isinstance(function, Function):
            first = [
                (compare("==", Call(function.name, (Int(at),)), Int(value)),)
                for at, value in function.initial
            ]
            yield ("Here ", *_join([*first, _definition(function, call)]), ".")


def _definition(function: Function, call: Expr) -> Words:
    """Define a function: ``f(k) == k * k``, or by cases ``f(k) is 1 if k < 10, and f(k // 10) + 1 otherwise``."""
    body = function.body
    if not isinstance(body, If):
        others: Words = (" for every other ", Name(function.arguments[0])) if function.initial else ()
        return (compare("==", call, body), *others)
    words: list[SentencePart] = [call, " is "]
    while isinstance(body, If):
        words += [body.then, " if ", body.condition, ", "]
        body = body.otherwise
    return (*words, "and ", body, " otherwise")
