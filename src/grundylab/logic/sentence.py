"""The small logic that expressions are lowered to before they are written for a decision procedure.

A sentence is about integers: linear forms, binary digits, automata, connectives and quantifiers. The modules that write
for MONA and Walnut get sentences, never expressions. Before that, the atoms of a sentence may be conditions of the
formula language: automata read these as they are (``decision.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grundylab.automata.digits import DigitAutomaton
from grundylab.language.syntax import Bool, Expr


@dataclass(frozen=True)
class Variable:
    """A variable: a natural number, or any integer if signed. A generated name begins with an underscore."""

    name: str
    signed: bool = False


@dataclass(frozen=True)
class Linear:
    """A linear form, constant + the sum of coefficient * variable; no coefficient is 0, no variable occurs twice."""

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
        """The value of a constant form; None for any other."""
        return None if self.terms else self.constant

    @property
    def single(self) -> Variable | None:
        """The variable, if the form is just a variable; None for any other."""
        return self.terms[0][0] if self.constant == 0 and [c for _, c in self.terms] == [1] else None


def variable_form(variable: Variable) -> Linear:
    """Return the variable as a linear form."""
    return Linear(((variable, 1),))


class Sentence:
    """The base class of the sentences below."""


@dataclass(frozen=True)
class TruthValue(Sentence):
    """A truth constant."""

    value: bool


@dataclass(frozen=True)
class ConditionAtom(Sentence):
    """The condition of the formula language, about the variables of the same names."""

    condition: Expr


@dataclass(frozen=True)
class Zero(Sentence):
    """The statement that the form is 0."""

    form: Linear


@dataclass(frozen=True)
class Naturalness(Sentence):
    """The statement that the form is 0 or more."""

    form: Linear


@dataclass(frozen=True)
class Digitwise(Sentence):
    """The statement ``result == left op right``, digit by digit in two's complement; op: ``&``, ``|`` or ``^``."""

    op: str
    left: Variable
    right: Variable
    result: Variable


@dataclass(frozen=True)
class Power(Sentence):
    """The statement that the variable is a power of two."""

    variable: Variable


@dataclass(frozen=True)
class Membership(Sentence):
    """The statement that the automaton accepts the variables, which are natural numbers."""

    automaton: DigitAutomaton
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Negation(Sentence):
    """The negation of a sentence."""

    sentence: Sentence


@dataclass(frozen=True)
class Conjunction(Sentence):
    """The conjunction of sentences."""

    parts: tuple[Sentence, ...]


@dataclass(frozen=True)
class Disjunction(Sentence):
    """The disjunction of sentences."""

    parts: tuple[Sentence, ...]


@dataclass(frozen=True)
class Exists(Sentence):
    """The existential quantification of a sentence over variables."""

    variables: tuple[Variable, ...]
    sentence: Sentence


@dataclass(frozen=True)
class Definition:
    """A named sentence. parameters: its free variables, and possibly others. says: its meaning in words."""

    name: str
    parameters: tuple[Variable, ...]
    sentence: Sentence
    says: str


@dataclass(frozen=True)
class DefinitionUse(Sentence):
    """The sentence of a definition, with its parameters replaced by the arguments in the same order."""

    definition: Definition
    arguments: tuple[Variable, ...]


TRUE, FALSE = TruthValue(True), TruthValue(False)


def used_definitions(sentences: Iterable[Sentence]) -> list[Definition]:
    """Return the definitions that the sentences use, each one after those on which its own sentence depends."""
    definitions: dict[int, Definition] = {}

    def collect(sentence: Sentence) -> None:
        for part in subsentences(sentence):
            if isinstance(part, DefinitionUse) and id(part.definition) not in definitions:
                collect(part.definition.sentence)
                definitions[id(part.definition)] = part.definition

    for sentence in sentences:
        collect(sentence)
    return list(definitions.values())


def subsentences(sentence: Sentence) -> Iterator[Sentence]:
    """Yield the sentence and all sentences in it, except those in the definitions that it uses."""
    yield sentence
    inner: tuple[Sentence, ...] = ()
    if isinstance(sentence, Conjunction | Disjunction):
        inner = sentence.parts
    elif isinstance(sentence, Negation | Exists):
        inner = (sentence.sentence,)
    for part in inner:
        yield from subsentences(part)


# -- simplifying constructors ------------------------------------------------------------------------------


def form_is_zero(form: Linear) -> Sentence:
    """Return the statement that the form is 0."""
    return Zero(form) if form.terms else TruthValue(form.constant == 0)


def form_is_natural(form: Linear) -> Sentence:
    """Return the statement that the form is 0 or more."""
    if all(factor > 0 and not variable.signed for variable, factor in form.terms) and form.constant >= 0:
        return TRUE
    return Naturalness(form) if form.terms else TruthValue(form.constant >= 0)


def atom(condition: Expr) -> Sentence:
    """Return the condition as a sentence; a literal truth value becomes a truth constant."""
    return TruthValue(condition.value) if isinstance(condition, Bool) else ConditionAtom(condition)


def negation(sentence: Sentence) -> Sentence:
    """Return the negation; a double negation or a truth constant is simplified."""
    if isinstance(sentence, TruthValue):
        return TruthValue(not sentence.value)
    return sentence.sentence if isinstance(sentence, Negation) else Negation(sentence)


def all_of(*parts: Sentence) -> Sentence:
    """Return the conjunction, without truth constants and nested conjunctions."""
    return _connect(Conjunction, parts, TRUE, FALSE)


def any_of(*parts: Sentence) -> Sentence:
    """Return the disjunction, without truth constants and nested disjunctions."""
    return _connect(Disjunction, parts, FALSE, TRUE)


def _connect(
    kind: type[Conjunction] | type[Disjunction],
    parts: Iterable[Sentence],
    neutral: Sentence,
    absorbing: Sentence,
) -> Sentence:
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,))]
    kept = [part for part in flat if part != neutral]
    if absorbing in kept:
        return absorbing
    return kind(tuple(kept)) if len(kept) > 1 else kept[0] if kept else neutral


def implies(condition: Sentence, then: Sentence) -> Sentence:
    """Return the implication from ``condition`` to ``then``."""
    return any_of(negation(condition), then)


def equivalence(a: Sentence, b: Sentence) -> Sentence:
    """Return the equivalence of two sentences."""
    return choice(a, b, negation(b))


def choice(condition: Sentence, then: Sentence, otherwise: Sentence) -> Sentence:
    """Return the sentence that is ``then`` where the condition holds, else ``otherwise``."""
    if then == otherwise:
        return then
    if TRUE in (then, otherwise):
        return any_of(condition, otherwise) if then == TRUE else any_of(negation(condition), then)
    return any_of(all_of(condition, then), all_of(negation(condition), otherwise))


def exists(variables: Iterable[Variable], sentence: Sentence) -> Sentence:
    """Return the sentence that ``sentence`` is true for some values of the variables."""
    bound = tuple(variables)
    return Exists(bound, sentence) if bound and not isinstance(sentence, TruthValue) else sentence


def for_all(variables: Iterable[Variable], sentence: Sentence) -> Sentence:
    """Return the sentence that ``sentence`` is true for all values of the variables."""
    return negation(exists(variables, negation(sentence)))
