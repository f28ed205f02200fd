"""MONA text: connectives that fold constants away, binary constants, and the library of predicates.

A natural number is the finite set of the positions of its binary digits, low digit first (Büchi, *Weak
second-order arithmetic and finite automata*, 1960). The syntax is that of Klarlund & Møller, *MONA version 1.4
user manual*, 2001. Every formula made here is closed: a name, a call, a negation, or in parentheses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

TRUE, FALSE = "true", "false"
_MACHINE = 2**31  # MONA reads larger constants in pconst(n) modulo 2**32
_SHORT = 160  # characters of a condition that may be written twice


def all_of(*parts: str) -> str:
    """The conjunction of the formulas."""
    return connected(parts, "&", TRUE, FALSE)


def any_of(*parts: str) -> str:
    """The disjunction of the formulas."""
    return connected(parts, "|", FALSE, TRUE)


def connected(parts: tuple[str, ...], sign: str, neutral: str, absorbing: str) -> str:
    """The parts that matter with the sign between them, in parentheses if they are several."""
    kept = [part for part in dict.fromkeys(parts) if part != neutral]
    if absorbing in kept:
        return absorbing
    if len(kept) < 2:
        return kept[0] if kept else neutral
    return f"({f' {sign} '.join(kept)})"


def negation(part: str) -> str:
    """Not the formula."""
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    return part[1:] if part.startswith("~") else f"~{part}"


def choice(condition: str, then: str, otherwise: str, switch: str) -> str:
    """The formula ``then`` where the condition holds, else ``otherwise``.

    switch: a fresh name, for the truth of a condition that is too long to be written twice.
    """
    if condition in (TRUE, FALSE) or then == otherwise:
        return otherwise if condition == FALSE else then
    if then in (TRUE, FALSE) or otherwise in (TRUE, FALSE):  # one of the two is then written once
        if then == FALSE or otherwise == TRUE:
            condition, then, otherwise = negation(condition), otherwise, then
        return any_of(condition, otherwise) if then == TRUE else all_of(condition, then)
    if len(condition) <= _SHORT:
        return any_of(all_of(condition, then), all_of(negation(condition), otherwise))
    cases = any_of(all_of(switch, then), all_of(negation(switch), otherwise))
    return f"(ex0 {switch}: (({switch} <=> {condition}) & {cases}))"


def equal(a: str, b: str) -> str:
    """That two sets are the same."""
    return TRUE if a == b else f"({a} = {b})"


def constant(value: int) -> str:
    """The set of the binary digits of a natural number."""
    if value == 0:
        return "empty"
    if value < _MACHINE:
        return f"pconst({value})"
    return f"{{{', '.join(str(i) for i in range(value.bit_length()) if value >> i & 1)}}}"


def lowest(count: int) -> str:
    """The set of the ``count`` lowest positions, at least one."""
    return "{0}" if count == 1 else f"{{0,...,{count - 1}}}"


@dataclass(frozen=True)
class Predicate:
    """A definition of the library: what it says, its formal parameters and its formula, and which others it needs."""

    says: str
    parameters: str
    formula: str
    needs: tuple[str, ...] = ()


LIBRARY = {
    "plus": Predicate(
        "a + b = c; k holds the positions that a carry comes into",
        "var2 a, b, c",
        """ex2 k: 0 notin k & (all1 p:
    (p + 1 in k <=> (p in a & p in b | p in a & p in k | p in b & p in k)) &
    (p in c <=> (p in a <=> (p in b <=> p in k))))""",
    ),
    "less": Predicate(
        "a < b: at the highest position where they differ, b has the digit 1",
        "var2 a, b",
        "ex1 p: p notin a & p in b & (all1 q: q > p => (q in a <=> q in b))",
    ),
    "at_most": Predicate("a <= b", "var2 a, b", "~less(b, a)", ("less",)),
    "nimsum": Predicate(
        "a ^ b = c, digit by digit without carry",
        "var2 a, b, c",
        "all1 p: p in c <=> ~(p in a <=> p in b)",
    ),
    "power_of_two": Predicate("a is 1, 2, 4, 8, …: it has one digit 1", "var2 a", "ex1 p: a = {p}"),
    "highest_power": Predicate(
        "b is the highest power of two in a > 0",
        "var2 a, b",
        "ex1 p: p in a & b = {p} & (all1 q: q in a => q <= p)",
    ),
    "difference": Predicate(
        "the integer with digits a and sign s (which is a, or -a - 1 if s) is b - c, one of them 0",
        "var0 s, var2 a, b, c",
        "(~s & b = a & c = empty) | (s & b = empty & plus(a, {0}, c))",
        ("plus",),
    ),
    "both": Predicate(
        "the digits of the bitwise and of two integers with signs s, t and digits a, b, whose sign is s & t",
        "var0 s, var2 a, var0 t, var2 b, c",
        "all1 p: ~(p in c <=> (s & t)) <=> (~(p in a <=> s) & ~(p in b <=> t))",
    ),
}


def definitions(used: Iterable[str]) -> str:
    """The definitions of the predicates and of what they need, each with a comment, in the library's order."""
    wanted = set(used)
    for name in reversed(LIBRARY):  # a predicate needs earlier ones only
        if name in wanted:
            wanted.update(LIBRARY[name].needs)
    return "\n".join(
        f"# {predicate.says}\npred {name}({predicate.parameters}) =\n    {predicate.formula};\n"
        for name, predicate in LIBRARY.items()
        if name in wanted
    )
