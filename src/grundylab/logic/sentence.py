"""The small core that expressions are lowered to before they are written for a decision procedure.

A sentence speaks of integers: linear forms, binary digits, automata, connectives and quantifiers. What writes it
for MONA or Walnut sees no expression.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grundylab.automata.digits import DigitAutomaton


@dataclass(frozen=True)
class Variable:
    """An integer; a natural number unless it is signed. Invented names begin with an underscore, as in ``names``."""

    name: str
    signed: bool = False


@dataclass(frozen=True)
class Linear:
    """constant + the sum of coefficient * variable; no coefficient is 0, no variable occurs twice."""

    terms: tuple[tuple[Variable, int], ...] = ()
    constant: int = 0

    def __add__(self, other: Linear | int) -> Linear:
        if isinstance(other, int):
            return Linear(self.terms, self.constant + other)
        terms = dict(self.terms)
        for variable, factor in other.terms:
            terms[variable] = terms.get(variable, 0) + factor
        kept = tuple((variable, factor) for variable, factor in terms.items() if factor)
        return Linear(kept, self.constant + other.constant)

    def __mul__(self, factor: int) -> Linear:
        kept = tuple((variable, factor * c) for variable, c in self.terms) if factor else ()
        return Linear(kept, factor * self.constant)

    def __neg__(self) -> Linear:
        return self * -1

    def __sub__(self, other: Linear | int) -> Linear:
        return self + -other

    @property
    def value(self) -> int | None:
        """The number that this is, if there is no variable in it."""
        return None if self.terms else self.constant

    @property
    def single(self) -> Variable | None:
        """The variable that this is, if it is nothing but one."""
        return self.terms[0][0] if self.constant == 0 and [c for _, c in self.terms] == [1] else None


def this(variable: Variable) -> Linear:
    """The variable itself."""
    return Linear(((variable, 1),))


class Sentence:
    """One of the classes below."""


@dataclass(frozen=True)
class Truth(Sentence):
    """True, or false."""

    value: bool


@dataclass(frozen=True)
class Zero(Sentence):
    """That the form is 0."""

    form: Linear


@dataclass(frozen=True)
class Natural(Sentence):
    """That the form is 0 or more."""

    form: Linear


@dataclass(frozen=True)
class Digitwise(Sentence):
    """That ``result`` is ``left op right``, digit by digit in two's complement; op: ``&``, ``|`` or ``^``."""

    op: str
    left: Variable
    right: Variable
    result: Variable


@dataclass(frozen=True)
class Power(Sentence):
    """That the variable is 1, 2, 4, …"""

    variable: Variable


@dataclass(frozen=True)
class Member(Sentence):
    """That the automaton accepts the natural numbers."""

    automaton: DigitAutomaton
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Not(Sentence):
    """That it is not so."""

    sentence: Sentence


@dataclass(frozen=True)
class All(Sentence):
    """That all are so."""

    parts: tuple[Sentence, ...]


@dataclass(frozen=True)
class Any(Sentence):
    """That one is so."""

    parts: tuple[Sentence, ...]


@dataclass(frozen=True)
class Exists(Sentence):
    """That for some values of the variables it is so."""

    variables: tuple[Variable, ...]
    sentence: Sentence


@dataclass(frozen=True)
class Definition:
    """A sentence with a name. parameters: its free variables, or some more. says: what it means, for a reader."""

    name: str
    parameters: tuple[Variable, ...]
    sentence: Sentence
    says: str


@dataclass(frozen=True)
class Use(Sentence):
    """A definition's sentence of these variables, in the order of its parameters."""

    definition: Definition
    arguments: tuple[Variable, ...]


TRUE, FALSE = Truth(True), Truth(False)


def used(sentences: Iterable[Sentence]) -> list[Definition]:
    """The definitions that the sentences use, each after those that it uses itself."""
    found: dict[int, Definition] = {}

    def collect(sentence: Sentence) -> None:
        for part in parts_of(sentence):
            if isinstance(part, Use) and id(part.definition) not in found:
                collect(part.definition.sentence)
                found[id(part.definition)] = part.definition

    for sentence in sentences:
        collect(sentence)
    return list(found.values())


def parts_of(sentence: Sentence) -> Iterator[Sentence]:
    """The sentence and all that are in it, but for what definitions say."""
    yield sentence
    inner: tuple[Sentence, ...] = ()
    if isinstance(sentence, All | Any):
        inner = sentence.parts
    elif isinstance(sentence, Not | Exists):
        inner = (sentence.sentence,)
    for part in inner:
        yield from parts_of(part)


# -- made without what makes no difference -----------------------------------------------------------------


def zero(form: Linear) -> Sentence:
    """That the form is 0."""
    return Zero(form) if form.terms else Truth(form.constant == 0)


def natural(form: Linear) -> Sentence:
    """That the form is 0 or more."""
    if all(factor > 0 and not variable.signed for variable, factor in form.terms) and form.constant >= 0:
        return TRUE
    return Natural(form) if form.terms else Truth(form.constant >= 0)


def negation(sentence: Sentence) -> Sentence:
    """That it is not so."""
    if isinstance(sentence, Truth):
        return Truth(not sentence.value)
    return sentence.sentence if isinstance(sentence, Not) else Not(sentence)


def all_of(*parts: Sentence) -> Sentence:
    """That all are so."""
    return _joined(All, parts, TRUE, FALSE)


def any_of(*parts: Sentence) -> Sentence:
    """That one is so."""
    return _joined(Any, parts, FALSE, TRUE)


def _joined(
    kind: type[All] | type[Any], parts: Iterable[Sentence], neutral: Sentence, absorbing: Sentence
) -> Sentence:
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,))]
    kept = [part for part in flat if part != neutral]
    if absorbing in kept:
        return absorbing
    return kind(tuple(kept)) if len(kept) > 1 else kept[0] if kept else neutral


def implies(condition: Sentence, then: Sentence) -> Sentence:
    """That if the one is so the other is."""
    return any_of(negation(condition), then)


def same(a: Sentence, b: Sentence) -> Sentence:
    """That both are so, or neither."""
    return choice(a, b, negation(b))


def choice(condition: Sentence, then: Sentence, otherwise: Sentence) -> Sentence:
    """The one where the condition is so, else the other."""
    if then == otherwise:
        return then
    if TRUE in (then, otherwise):
        return any_of(condition, otherwise) if then == TRUE else any_of(negation(condition), then)
    return any_of(all_of(condition, then), all_of(negation(condition), otherwise))


def exists(variables: Iterable[Variable], sentence: Sentence) -> Sentence:
    """That for some values it is so."""
    bound = tuple(variables)
    return Exists(bound, sentence) if bound and not isinstance(sentence, Truth) else sentence


def for_all(variables: Iterable[Variable], sentence: Sentence) -> Sentence:
    """That for all values it is so."""
    return negation(exists(variables, negation(sentence)))
