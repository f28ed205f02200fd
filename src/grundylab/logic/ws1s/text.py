"""MONA text: binary constants, comments, and the library of predicates.

A natural number is the finite set of the positions of its binary digits, low digit first (Büchi, *Weak
second-order arithmetic and finite automata*, 1960). The syntax is that of Klarlund & Møller, *MONA version 1.4
user manual*, 2001.
"""

from __future__ import annotations

import textwrap

_MACHINE = 2**31  # MONA reads larger constants in pconst(n) modulo 2**32

LIBRARY = """\
# a + b = c; k holds the positions that a carry comes into
pred plus(var2 a, b, c) =
    ex2 k: 0 notin k & (all1 p:
    (p + 1 in k <=> (p in a & p in b | p in a & p in k | p in b & p in k)) &
    (p in c <=> (p in a <=> (p in b <=> p in k))));

# a < b: at the highest position where they differ, b has the digit 1
pred less(var2 a, b) =
    ex1 p: p notin a & p in b & (all1 q: q > p => (q in a <=> q in b));

# a <= b
pred at_most(var2 a, b) =
    ~less(b, a);

# a ^ b = c, digit by digit without carry
pred nimsum(var2 a, b, c) =
    all1 p: p in c <=> ~(p in a <=> p in b);

# a is 1, 2, 4, 8, …: it has one digit 1
pred power_of_two(var2 a) =
    ex1 p: a = {p};

# the integer with digits a and sign s (which is a, or -a - 1 if s) is b - c, one of them 0
pred difference(var0 s, var2 a, b, c) =
    (~s & b = a & c = empty) | (s & b = empty & plus(a, {0}, c));
"""


def constant(value: int) -> str:
    """The set of the binary digits of a natural number."""
    if value == 0:
        return "empty"
    if value < _MACHINE:
        return f"pconst({value})"
    return f"{{{', '.join(str(i) for i in range(value.bit_length()) if value >> i & 1)}}}"


def comment(text: str) -> str:
    """Comment lines: MONA cannot read very long ones."""
    return "\n".join(f"# {line}" for line in textwrap.wrap(text, 100))
