"""Typeset mathematics as a tree of boxes, which LaTeX and MathML print: what is shown, and nothing of what it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Fence = Literal["(", "{", "floor", "ceil", "abs"]


@dataclass(frozen=True)
class Box:
    """Any piece of typeset mathematics."""


@dataclass(frozen=True)
class Number(Box):
    """An integer."""

    value: int


@dataclass(frozen=True)
class Letters(Box):
    """A name: one letter, or several; ``function``: it is applied to something."""

    text: str
    function: bool = False


@dataclass(frozen=True)
class Script(Box):
    """A calligraphic capital."""

    letter: str


@dataclass(frozen=True)
class Words(Box):
    """Words of the language, with the spaces around them."""

    text: str


@dataclass(frozen=True)
class Sign(Box):
    r"""A sign by its LaTeX (``\oplus``) and its glyph (``⊕``)."""

    latex: str
    glyph: str


@dataclass(frozen=True)
class Row(Box):
    """Boxes side by side; ``apart``: as operands and their signs are, not as a function and its arguments."""

    parts: tuple[Box, ...]
    apart: bool = True


@dataclass(frozen=True)
class Listed(Box):
    """Boxes with commas between them."""

    items: tuple[Box, ...]


@dataclass(frozen=True)
class Fenced(Box):
    """A box between parentheses, braces, or the bars of floor, ceiling or absolute value."""

    fence: Fence
    body: Box


@dataclass(frozen=True)
class Indexed(Box):
    """A box with an index, which is a number as it is written."""

    base: Box
    index: str


@dataclass(frozen=True)
class Power(Box):
    """A box with an exponent."""

    base: Box
    exponent: Box


@dataclass(frozen=True)
class Fraction(Box):
    """One box over another."""

    top: Box
    bottom: Box


@dataclass(frozen=True)
class Root(Box):
    """The square root of a box."""

    body: Box


@dataclass(frozen=True)
class Summation(Box):
    """The sign of a sum with what is written under and over it; what is summed stands beside it."""

    below: Box
    above: Box


@dataclass(frozen=True)
class Modulo(Box):
    """The modulus of a congruence, as it stands behind it."""

    modulus: int


@dataclass(frozen=True)
class Cases(Box):
    """Values, each with the condition under which it is the one; the last has none: otherwise."""

    rows: tuple[tuple[Box, Box | None], ...]


PLUS, MINUS, TIMES = Sign("+", "+"), Sign("-", "−"), Sign(r"\cdot", "⋅")
UNSEEN_TIMES, APPLIED = Sign("", "\u2062"), Sign("", "\u2061")
EQUAL, IN, NOT_IN = Sign("=", "="), Sign(r"\in", "∈"), Sign(r"\notin", "∉")
EQUIVALENT, NOT_EQUIVALENT = Sign(r"\equiv", "≡"), Sign(r"\not\equiv", "≢")
UNEQUAL, AT_LEAST, AT_MOST = Sign(r"\ne", "≠"), Sign(r"\ge", "≥"), Sign(r"\le", "≤")
AND, OR, NOT = Sign(r"\land", "∧"), Sign(r"\lor", "∨"), Sign(r"\lnot", "¬")
EXISTS, ALL = Sign(r"\exists", "∃"), Sign(r"\forall", "∀")
SUCH_THAT, COLON, COMMA = Sign(":", ":"), Sign("\\colon\\", ":"), Sign(",\\", ",")
DOTS, UNION = Sign(r"\dots", "…"), Sign(r"\cup", "∪")
IFF, IMPLIES = Sign(r"\iff", "⟺"), Sign(r"\implies", "⟹")
COMPARISONS = {
    "==": EQUAL, "!=": UNEQUAL, "<": Sign("<", "<"), "<=": AT_MOST, ">": Sign(">", ">"), ">=": AT_LEAST,
}  # fmt: skip
BITS = {
    "^": Sign(r"\oplus", "⊕"), "&": Sign(r"\mathbin{\&}", "&"), "|": Sign(r"\mathbin{|}", "|"),
    "%": Sign(r"\bmod", "mod"),
}  # fmt: skip
LOG2 = Sign(r"\log_2", "log₂")


def first(box: Box) -> Box:
    """The leftmost box that is not made of others side by side."""
    match box:
        case Row(parts=(head, *_)) | Power(base=head) | Indexed(base=head):
            return first(head)
    return box


def begins_with_minus(box: Box) -> bool:
    """Whether the first thing that is seen is a minus sign."""
    head = first(box)
    return head == MINUS or (isinstance(head, Number) and head.value < 0)


def tall(part: object) -> bool:
    """Whether parentheses around it, a box or several, must grow."""
    if isinstance(part, tuple):
        return any(map(tall, part))
    return isinstance(part, Fraction | Cases | Summation | Root) or (
        isinstance(part, Box) and any(map(tall, vars(part).values()))
    )


def parenthesised(box: Box) -> Fenced:
    """The box in parentheses."""
    return Fenced("(", box)


def applied(head: Box, arguments: Sequence[Box]) -> Box:
    """A function and its arguments."""
    return Row((head, APPLIED, parenthesised(Listed(tuple(arguments)))), apart=False)
