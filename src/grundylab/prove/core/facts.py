"""Facts: what a proof may add to its hypotheses, each an instance at terms that the evidence gives.

Sound, in turn: equality and quantifiers are logic; *Mex* and *Differ* are the definition of the Grundy value of a
well-founded game (Siegel, Combinatorial Game Theory, Section IV.1); *Smaller* is induction on a natural number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial, singledispatch
from typing import Annotated, Literal

from pydantic import Field

from grundylab.errors import LimitError
from grundylab.games.model import Move
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Function
from grundylab.language.linear import atom_polynomial
from grundylab.language.plain import Meter, evaluate, is_closed
from grundylab.language.substitution import lower, substitute
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Kind,
    Name,
    by_cases,
    chain,
    compare,
    conjunction,
    conjuncts,
    disjunction,
)
from grundylab.prove.core.arithmetic import ROWS
from grundylab.prove.core.closing import in_range
from grundylab.prove.core.definedness import first_argument, implied, negation
from grundylab.prove.core.evidence_types import Called, EvidenceModel, FormulaText
from grundylab.prove.core.formulas import Refused
from grundylab.prove.core.sequent import Sequent, put_in
from grundylab.prove.core.space import plainly_natural, signed_choices

TermTexts = tuple[FormulaText, ...]
STEPS = 1_000_000  # the most steps of computing one term


class _FactModel(EvidenceModel):
    """A fact, at terms whose names are in scope."""


class Congruence(_FactModel):
    """Two calls of one function, or two results of one operation, are equal if their arguments are."""

    fact: Literal["same"] = "same"
    one: FormulaText
    other: FormulaText


class Instantiation(_FactModel):
    """``all`` of a condition implies an instance of it, and an instance implies ``any``."""

    fact: Literal["instance"] = "instance"
    of: FormulaText
    at: FormulaText


class NamedWitness(_FactModel):
    """If ``any`` is true, it is true at a new name; if ``all`` is false, it is false at a new name."""

    fact: Literal["chosen"] = "chosen"
    of: FormulaText


class MexOption(_FactModel):
    """A position with a Grundy value above k has an option of value k; its choices get new names."""

    fact: Literal["mex"] = "mex"
    values: Called
    place: TermTexts
    k: FormulaText


class ValueDifference(_FactModel):
    """A position and an option of it have different Grundy values."""

    fact: Literal["differ"] = "differ"
    values: Called
    place: TermTexts
    move: int
    choices: TermTexts = ()


class OptionPosition(_FactModel):
    """An option of a position is a position, with a smaller measure."""

    fact: Literal["option"] = "option"
    values: Called
    place: TermTexts
    move: int
    choices: TermTexts = ()


class SmallerInstance(_FactModel):
    """The claim holds where the measure of its tree is smaller. at: a term for each name of the claim, in order."""

    fact: Literal["smaller"] = "smaller"
    at: TermTexts


class LemmaInstance(_FactModel):
    """A theorem holds at terms in place of its coordinates and variables, in their order."""

    fact: Literal["lemma"] = "lemma"
    number: Annotated[int, Field(ge=0)]
    at: TermTexts


class FreeProperty(_FactModel):
    """A free function has its property at natural arguments."""

    fact: Literal["property"] = "property"
    function: Called
    at: TermTexts


class RecurrenceValue(_FactModel):
    """A recurrence has the value that its definition gives, from its first argument on."""

    fact: Literal["define"] = "define"
    function: Called
    at: FormulaText


class ArithmeticInstance(_FactModel):
    """A row of the table of arithmetic, at terms."""

    fact: Literal["arithmetic"] = "arithmetic"
    row: str
    at: TermTexts


class Evaluation(_FactModel):
    """A term without names has the value that is computed."""

    fact: Literal["value"] = "value"
    term: FormulaText


class Expansion(_FactModel):
    """A sum of products is equal to its polynomial written out; parts that are neither are taken as unknowns."""

    fact: Literal["expanded"] = "expanded"
    term: FormulaText


# These rest on the well-foundedness of a game, which may be proved for some parameters only.
VALUE_FACTS = (MexOption, ValueDifference, OptionPosition)
CoreFact = Annotated[
    Congruence
    | Instantiation
    | NamedWitness
    | MexOption
    | ValueDifference
    | OptionPosition
    | SmallerInstance
    | LemmaInstance
    | FreeProperty
    | RecurrenceValue
    | ArithmeticInstance
    | Evaluation
    | Expansion,
    Field(discriminator="fact"),
]


# -- what each fact says ----------------------------------------------------------------------------------------------


@singledispatch
def add(fact: _FactModel, to: Sequent) -> Sequent:
    """Return the sequent with the fact as a further hypothesis, and with the names that it introduces in scope.

    Raises Refused, or another GrundylabError, if the fact is no instance at terms of the sequent.
    """
    raise TypeError(f"not a fact: {fact!r}")


@add.register
def _add_congruence(fact: Congruence, to: Sequent) -> Sequent:
    to.check_terms(fact.one, fact.other)
    a, b = fact.one, fact.other
    alike = (
        isinstance(a, Call)
        and isinstance(b, Call)
        and a.name == b.name
        and len(a.children) == len(b.children)
    ) or (isinstance(a, Binary) and isinstance(b, Binary) and a.op == b.op and a.op != "/")
    if not alike:
        raise Refused("two terms of one function are needed")
    if a.kind is not Kind.NUMBER or b.kind is not Kind.NUMBER:
        raise Refused("two numbers are needed")
    equal = conjunction(*(compare("==", s, t) for s, t in zip(a.children, b.children, strict=True) if s != t))
    return to.assuming(implied(equal, compare("==", a, b)))


@add.register
def _add_instantiation(fact: Instantiation, to: Sequent) -> Sequent:
    to.check_terms(fact.of, fact.at)
    whole = _quantified(fact.of)
    inside = in_range(whole.start, fact.at, whole.stop)
    body = instance(whole, fact.at)
    if whole.quantifier == "all":
        return to.assuming(implied(conjunction(whole, inside), body))
    return to.assuming(implied(conjunction(inside, body), whole))


@add.register
def _add_witness(fact: NamedWitness, to: Sequent) -> Sequent:
    to.check_terms(fact.of)
    whole = _quantified(fact.of)
    to, name = to.with_name(integer=not plainly_natural(whole.start, to.integers))
    inside = in_range(whole.start, Name(name), whole.stop)
    body = instance(whole, Name(name))
    if whole.quantifier == "any":
        return to.assuming(implied(whole, conjunction(inside, body)))
    return to.assuming(disjunction(whole, conjunction(inside, negation(body))))


@add.register
def _add_mex_option(fact: MexOption, to: Sequent) -> Sequent:
    to.check_founded()
    to.check_terms(*fact.place, fact.k)
    legal, game = to.theory.legal(fact.values, fact.place), to.theory.game(fact.values)
    cases, signed = [], signed_choices(game.moves)
    for move in game.moves:
        new = dict[str, Expr]()
        for choice in move.choices:
            to, name = to.with_name(integer=choice.name in signed)
            new[choice.name] = Name(name)
        inside, when, value = _move_terms(to, fact.values, move, fact.place, new)
        cases.append(conjunction(inside, when, compare("==", value, fact.k)))
    above = Compare(("<=", "<"), (Int(0), fact.k, Call(fact.values, fact.place)))
    return to.assuming(implied(conjunction(legal, above), disjunction(*cases)))


@add.register
def _add_difference(fact: ValueDifference, to: Sequent) -> Sequent:
    to.check_founded()
    to.check_terms(*fact.place, *fact.choices)
    move, new = _move(to, fact.values, fact.move, fact.choices)
    legal = to.theory.legal(fact.values, fact.place)
    inside, when, value = _move_terms(to, fact.values, move, fact.place, new)
    unequal = compare("!=", value, Call(fact.values, fact.place))
    return to.assuming(implied(conjunction(legal, inside, when), unequal))


@add.register
def _add_option_position(fact: OptionPosition, to: Sequent) -> Sequent:
    to.check_founded()
    to.check_terms(*fact.place, *fact.choices)
    move, new = _move(to, fact.values, fact.move, fact.choices)
    theory, said = to.theory, list[Expr]()
    inside, when, _ = _move_terms(to, fact.values, move, fact.place, new)
    here = theory.measure(fact.values, fact.place)
    for part in move.parts:
        option = tuple(theory.at(fact.values, value, fact.place, new) for value in part)
        said += [theory.legal(fact.values, option), compare("<", theory.measure(fact.values, option), here)]
    legal = theory.legal(fact.values, fact.place)
    return to.assuming(implied(conjunction(legal, inside, when), conjunction(*said)))


@add.register
def _add_smaller(fact: SmallerInstance, to: Sequent) -> Sequent:
    to.check_terms(*fact.at)
    claim = to.claim
    if claim.measure is None:
        raise Refused("the evidence names no measure")
    measure = substitute(claim.measure, claim.given(fact.at))
    smaller = Compare(("<=", "<"), (Int(0), measure, claim.measure))
    return to.assuming(implied(smaller, claim.instance(fact.at)))


@add.register
def _add_lemma(fact: LemmaInstance, to: Sequent) -> Sequent:
    to.check_terms(*fact.at)
    if fact.number >= len(to.lemmas):
        raise Refused(f"there is no lemma {fact.number}")
    return to.assuming(to.lemmas[fact.number].instance(fact.at))


@add.register
def _add_property(fact: FreeProperty, to: Sequent) -> Sequent:
    to.check_terms(*fact.at)
    if fact.function not in to.theory.free:
        raise Refused(f"{fact.function}() is not left open")
    free = to.theory.free[fact.function]
    if len(fact.at) != len(free.arguments):
        raise Refused(f"{fact.function}() takes another number of terms")
    given = dict(zip(free.arguments, fact.at, strict=True))
    natural = conjunction(*(compare(">=", term, Int(0)) for term in fact.at))
    properties = conjuncts(to.theory.plain(substitute(free.condition, given)))
    return to.assuming(conjunction(*(implied(natural, condition) for condition in properties)))


@add.register
def _add_recurrence(fact: RecurrenceValue, to: Sequent) -> Sequent:
    to.check_terms(fact.at)
    recurrences = [f for f in to.theory.functions if isinstance(f, Function) and f.recurrence]
    function = next((f for f in recurrences if f.name == fact.function), None)
    if function is None:
        raise Refused(f"{fact.function}() is no recurrence")
    (argument,) = function.arguments
    body = to.theory.plain(substitute(function.body, {argument: fact.at}))
    initial = [(compare("==", fact.at, Int(at)), Int(value)) for at, value in function.initial]
    value = compare("==", Call(fact.function, (fact.at,)), by_cases(initial, body))
    return to.assuming(implied(compare("<=", Int(first_argument(function)), fact.at), value))


@add.register
def _add_arithmetic(fact: ArithmeticInstance, to: Sequent) -> Sequent:
    to.check_terms(*fact.at)
    if fact.row not in ROWS:
        raise Refused(f"there is no row {fact.row} in the table of arithmetic")
    row = ROWS[fact.row]
    if len(fact.at) != len(row.arguments):
        raise Refused(f"{fact.row} is about {len(row.arguments)} terms")
    return to.assuming(to.theory.plain(substitute(row.said, dict(zip(row.arguments, fact.at, strict=True)))))


@add.register
def _add_evaluation(fact: Evaluation, to: Sequent) -> Sequent:
    to.check_terms(fact.term)
    functions = to.theory.functions
    defined = BUILTINS.keys() | {function.name for function in functions}
    if not fact.term.calls <= defined or not is_closed(fact.term, functions):
        raise Refused("only a term without names is computed")
    value = evaluate(fact.term, {}, functions, Meter(STEPS, LimitError))
    if fact.term.kind is Kind.NUMBER:
        return to.assuming(compare("==", fact.term, Int(value)))
    return to.assuming(fact.term if value else negation(fact.term))


@add.register
def _add_expansion(fact: Expansion, to: Sequent) -> Sequent:
    to.check_terms(fact.term)
    if fact.term.kind is not Kind.NUMBER:
        raise Refused("only a number is written out")
    return to.assuming(compare("==", fact.term, written_out(fact.term)))


def written_out(term: Expr) -> Expr:
    """Return a number as the sum of its monomials: of equal monomials the products are equal, too."""
    written = list[Expr]()
    for monomial, factor in atom_polynomial(lower(term)).terms:
        product = chain("*", monomial) if monomial else Int(factor)
        written.append(product if factor == 1 or not monomial else Binary("*", Int(factor), product))
    return chain("+", written) if written else Int(0)


# -- moves ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=20_000)
def instance(whole: Bounded, at: Expr) -> Expr:
    """Return the body of a quantified condition at a term."""
    return put_in(whole.body, {whole.variable: at})


def _quantified(expr: Expr) -> Bounded:
    if not isinstance(expr, Bounded) or expr.kind is not Kind.CONDITION:
        raise Refused("a condition with any() or all() is needed")
    return expr


def _move(to: Sequent, values: str, number: int, choices: Sequence[Expr]) -> tuple[Move, dict[str, Expr]]:
    """Return a game's move with this number, and the values of its choices by name."""
    move = to.theory.move(values, number)
    if len(move.choices) != len(choices):
        raise Refused(f"move {number} of the game of {values}() has {len(move.choices)} choices")
    return move, {choice.name: term for choice, term in zip(move.choices, choices, strict=True)}


def _move_terms(
    to: Sequent, values: str, move: Move, place: Sequence[Expr], choices: Mapping[str, Expr]
) -> tuple[Expr, Expr, Expr]:
    """Return the conditions that the choices are in their ranges and that the move can be made, and the option's value.

    The value of a sum of positions is the nim-sum of the parts' values.
    """
    put = partial(to.theory.at, values, place=place, choices=choices)
    inside = conjunction(*(put(choice.inside) for choice in move.choices))
    parts = (Call(values, tuple(put(value) for value in part)) for part in move.parts)
    return inside, put(to.theory.guard(values, move)), chain("^", parts) if move.parts else Int(0)
