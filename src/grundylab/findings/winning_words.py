"""A strategy in words."""

from __future__ import annotations

from grundylab.findings.winning import Winning, WinningMove
from grundylab.findings.wording import Words, number_with_noun, procedures_text
from grundylab.games.instance import instance_labels
from grundylab.language.syntax import TRUE, Name
from grundylab.prove.other_words import has_automaton
from grundylab.strategy.lines import difference

LONG = 40  # nodes of a condition that is not written out


def winning_status(winning: Winning) -> Words:
    """Return for what the strategy is known: ``for all sizes where m % 4 == 0, by two …`` if it is proved."""
    where: Words = () if winning.where == TRUE else (" where ", winning.where)
    if winning.status == "proved" and winning.proof is not None:
        return ("for all sizes", *where, f", {procedures_text(winning.proof)}")
    seen = winning.test
    count = f"all {number_with_noun(seen.checked, 'N-position')}"
    if seen.wrong:
        count = f"{seen.right:,} of {number_with_noun(seen.checked, 'N-position')}"
    return (f"right at {count} ({instance_labels(tuple(seen.instances))})", *where)


def aim_words(winning: Winning) -> Words:
    """Return the aim of every move: ``leave a position with x == y``; empty if no formula says it.

    An automaton is not written out: it is among the theorems, in words where it has some.
    """
    if winning.formula is None:
        return ()
    if has_automaton(winning.formula):
        return ("leave a P-position",)
    if winning.target.name == "p":
        return ("leave a position with ", winning.formula)
    return ("leave a position with Grundy number 0, which is ", winning.formula)


def line_words(winning: Winning) -> list[Words]:
    """Return each line of the strategy in words: ``if x > y ^ z, leave y ^ z in x``.

    A condition that nobody can read is not written out: any move to a P-position wins.
    """
    lines = list[Words]()
    for place, move in enumerate(winning.moves):
        if move.when == TRUE:
            lines.append(("otherwise " if place else "", *move_words(move)))
        elif move.when.size > LONG or has_automaton(move.when):
            lines.append((*move_words(move), ", if that is a legal move to a P-position"))
        else:
            lines.append(("if ", move.when, ", ", *move_words(move)))
    return lines


def move_words(move: WinningMove) -> Words:
    """Return what to do: ``leave y ^ z in x``, ``take 3 from x``, or the name of the move and its choices."""
    if len(move.choices) == len(move.left) == 1:
        ((pile, left),), (number,) = move.left.items(), move.choices.values()
        if left == difference(Name(pile), number):
            if left.size <= number.size:
                return ("leave ", left, " in ", Name(pile))
            return ("take ", number, " from ", Name(pile))
    chosen: Words = ()
    for name, value in move.choices.items():
        chosen = (*chosen, ", " if chosen else " with ", Name(name), " = ", value)
    return ("pass" if move.passes else f"make the move '{move.move}'", *chosen)
