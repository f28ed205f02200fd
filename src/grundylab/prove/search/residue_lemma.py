"""Lemmas about the residues of a recurrence's values, such as that every power of 3 is odd."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS
from grundylab.language.functions import Function
from grundylab.language.plain import Meter, compile_plain
from grundylab.language.syntax import (
    Binary,
    Call,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
    distinct_parts,
)
from grundylab.prove.core.claims import ProofRoot
from grundylab.prove.core.definedness import first_argument
from grundylab.prove.core.instances import Lemma, LemmaVariable

VALUES, STEPS = 60, 10_000  # values whose residues are looked at; steps to compute them
PLACE = "_place"  # the variable of the lemma


def residue_lemmas(root: ProofRoot) -> Iterator[Lemma]:
    """Yield the residues that a recurrence's values seem to have, modulo each constant by which the claim divides."""
    parts = [*distinct_parts(conjunction(root.claim.condition, root.claim.said))]
    bounds = root.theory.game(root.own).bounds
    called = {part.name for part in parts if isinstance(part, Call)}
    for function in root.theory.functions if bounds else ():
        if not isinstance(function, Function) or not function.recurrence or function.name not in called:
            continue
        first, call = first_argument(function), Call(function.name, (Name(PLACE),))
        variable = LemmaVariable(name=PLACE, low=Int(first), high=Name(bounds[0]))
        try:
            value = compile_plain(call, root.theory.functions, Meter(STEPS))
            values = [value({PLACE: place}) for place in range(first, first + VALUES)]
        except (GrundylabError, KeyError):
            continue
        for modulus in sorted(divisors(parts)):
            if others := {*range(modulus)} - {number % modulus for number in values}:
                said = (
                    compare("!=", Binary("%", call, Int(modulus)), Int(other)) for other in sorted(others)
                )
                yield Lemma(values=root.own, target=ALWAYS, formula=conjunction(*said), variables=(variable,))


def divisors(parts: Iterable[Expr]) -> set[int]:
    """Return the constants by which the expressions divide."""
    return {
        part.right.value
        for part in parts
        if isinstance(part, Binary) and part.op in ("%", "//") and isinstance(part.right, Int)
    }
