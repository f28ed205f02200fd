"""Candidates for facts: instances that may contradict a counter-model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice, product

from grundylab.games.specialise import fixed_values
from grundylab.language.functions import Function
from grundylab.language.plain import is_closed
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Bounded, Call, Compare, Expr, Int, Kind, Name, distinct_parts
from grundylab.prove.core.arithmetic import ROWS
from grundylab.prove.core.facts import (
    ArithmeticInstance,
    Congruence,
    CoreFact,
    Evaluation,
    FreeProperty,
    Instantiation,
    LemmaInstance,
    RecurrenceValue,
    SmallerInstance,
    ValueDifference,
    instance,
)
from grundylab.prove.core.sequent import Universal
from grundylab.prove.search.branch import Branch
from grundylab.prove.search.counter_models import CounterModel, value_in
from grundylab.prove.search.options import at_option, difference
from grundylab.prove.search.residue_lemma import divisors
from grundylab.prove.search.row_matches import row_matches
from grundylab.prove.search.solved_choices import solved_choices
from grundylab.prove.search.unreadable_terms import is_read_with_its_parts, opaque_terms

SIMPLE, ARITHMETIC, OPTIONS, FURTHER_OPTIONS = range(4)  # kinds of candidates
SMALL = tuple(map(Int, range(1, 13)))  # numbers that are tried in arithmetic
MOST_DIFFERENCES = 100  # that are tried in place of a choice
MOST_CHOICES = 400  # combinations of terms that are tried for the choices of a move


def candidates(branch: Branch, models: Sequence[CounterModel], stage: int) -> Iterator[tuple[CoreFact, ...]]:
    """Yield facts that together may contradict a model, the cheapest in the first stage."""
    at = models[0]
    if stage == ARITHMETIC:
        yield from ((fact,) for fact in _arithmetic(branch))
    if stage in (OPTIONS, FURTHER_OPTIONS):
        yield from _reached(branch, at, stage)
    if stage != SIMPLE:
        return
    kinds = (
        _pairs(branch, at), _operations(branch, at), _functions(branch), _lemmas(branch),
        smaller_instances(branch, at),
    )  # fmt: skip
    for facts in kinds:
        yield from (fact if isinstance(fact, tuple) else (fact,) for fact in facts)
    for term in branch.terms:
        if isinstance(term, Bounded) and term.kind is not Kind.NUMBER:
            value = value_in(term, at)
            if value is None or bool(value) == (term.quantifier == "all"):
                yield from _instances(branch, term, at)


def _reached(branch: Branch, at: CounterModel, stage: int) -> Iterator[tuple[CoreFact, ...]]:
    """Yield, for options of the claim's own position, that the claim holds there and that the values differ."""
    claim = branch.sequent.claim
    if claim.measure is None:
        return
    for call in branch.own_calls():
        game = branch.sequent.theory.game(call.name)
        solved = [*solved_choices(branch.sequent, call, call)]
        for number, move in sorted(enumerate(game.moves), key=lambda pair: len(pair[1].choices)):
            if len(move.parts) != 1 or len(move.choices) > 1:
                continue
            terms = [s.term for s in solved if s.move == number and not s.is_image]
            for term in (*terms, *_pool(branch, stage)) if move.choices else (None,):
                given = {c.name: term for c in move.choices if term is not None}
                inside = [branch.plain(substitute(choice.inside, given)) for choice in move.choices]
                if all(value_in(condition, at) for condition in inside):
                    chosen = tuple(given.values())
                    smaller, differ = at_option(branch.sequent, call, number, chosen)
                    yield smaller, differ
                    named = all(isinstance(term, Name) for term in chosen)
                    for lemma in branch.about_values(call.name) if named else ():
                        yield LemmaInstance(number=lemma, at=smaller.at), differ
                    yield from ((smaller, other) for other in _differences_beside(branch, call, chosen))


def _differences_beside(branch: Branch, own: Call, choices: Sequence[Expr]) -> Iterator[ValueDifference]:
    """Yield that other values in the goal differ from those of options by moves with the same choices."""
    parts = distinct_parts(branch.sequent.goal)
    for call in [part for part in parts if isinstance(part, Call) and part in branch.calls() and part != own]:
        for number, move in enumerate(branch.sequent.theory.game(call.name).moves):
            if len(move.choices) == len(choices):
                yield difference(call, number, choices)


def _instances(
    branch: Branch, whole: Bounded, at: CounterModel, before: tuple[CoreFact, ...] = ()
) -> Iterator[tuple[CoreFact, ...]]:
    """Yield instances of a quantified condition and, at once, of the quantified condition that each of them is."""
    theory = branch.sequent.theory
    of_games = whole.calls & (theory.values.keys() | theory.free.keys())
    small = SMALL
    if of_games:  # the constants that the condition says its variable is equal to
        links = [
            part.terms
            for part in distinct_parts(whole.body)
            if isinstance(part, Compare) and part.ops == ("==",)
        ]
        equal = [terms for terms in links if Name(whole.variable) in terms]
        small = tuple(term for terms in equal for term in terms if isinstance(term, Int))
    pool = dict.fromkeys((*_pool(branch, 2), *branch.arguments(whole, theory.values), whole.start, *small))
    # names, or else constants, at which a free function that is called at the variable has a number
    called = branch.arguments(whole, theory.free)
    names: list[Expr] = [term for term in called if isinstance(term, Name)]
    at_free = names or [term for term in called if isinstance(term, Int)]
    for term in at_free or _exponents(branch, whole) or pool:
        inside = value_in(Compare(("<=", "<"), (whole.start, term, whole.stop)), at)
        if not inside:
            continue
        facts, said = (*before, Instantiation(of=whole, at=term)), instance(whole, term)
        if isinstance(said, Bounded) and said.quantifier == whole.quantifier:
            yield from _instances(branch, said, at, facts)
        elif value_in(said, at) is not (whole.quantifier == "all"):
            closed = (t for t in opaque_terms(said) if is_closed(t, theory.functions))
            yield (*facts, *(Evaluation(term=t) for t in closed if not t.calls & theory.values.keys()))
            if isinstance(term, Int):
                for inner in opaque_terms(said):
                    if isinstance(inner, Bounded) and inner.free and inner.quantifier == whole.quantifier:
                        yield from _instances(branch, inner, at, facts)
            if isinstance(term, Name):
                yield from ((*facts, lemma) for lemma in _lemmas_about_new_values(branch, said))


def _lemmas_about_new_values(branch: Branch, said: Expr) -> Iterator[LemmaInstance]:
    """Yield the lemmas about values in a condition that have no number yet."""
    numbered = branch.calls()
    for call in (part for part in distinct_parts(said) if isinstance(part, Call) and part not in numbered):
        for number in branch.about_values(call.name) if call.name in branch.sequent.theory.values else ():
            yield LemmaInstance(number=number, at=call.arguments)


def _exponents(branch: Branch, whole: Bounded) -> tuple[Expr, ...]:
    """Return terms for a variable in exponents: known exponents, else those from which on two quotients are equal.

    Quotients of a and b by ``1 << n`` are equal from n = ``floor_log2(a ^ b) + 1`` on. Automata read that power.
    """
    shifts = _shifts(whole)
    if not shifts:
        return ()
    parts = [part for part in distinct_parts(whole.body) if isinstance(part, Binary)]
    exponents = [
        p.right.free
        for t in branch.terms
        for p in distinct_parts(t)
        if isinstance(p, Binary) and p.op == "<<" and not p.right.calls
    ]
    names = [Name(name) for name in branch.sequent.names if any(name in free for free in exponents)]
    compared = [p for p in distinct_parts(whole.body) if isinstance(p, Compare) and p.ops == ("!=",)]
    # the condition says something only where these terms are equal
    premises = [p for p in parts if any(p in link.terms for link in compared)]
    divided = [p for p in premises or parts if p.op == "//" and p.right in shifts]
    logs = (
        Binary("+", Call("floor_log2", (Binary("^", *sorted((a.left, b.left), key=str)),)), Int(1))
        for a, b in combinations(divided, 2)
        if a.right == b.right
    )
    return tuple(names) or tuple(logs)


@lru_cache(maxsize=20_000)
def _shifts(whole: Bounded) -> tuple[Binary, ...]:
    """Return the parts of a quantified condition with its variable in an exponent."""
    parts = (part for part in distinct_parts(whole.body) if isinstance(part, Binary))
    return tuple(part for part in parts if part.op == "<<" and whole.variable in part.right.free)


def _pairs(branch: Branch, at: CounterModel) -> Iterator[CoreFact]:
    theory = branch.sequent.theory
    named = branch.calls({*theory.values, *theory.free})
    calls = [(call, branch.place(call, at), value_in(call, at)) for call in named]
    for one, place, value in calls:
        for other, other_place, other_value in calls:
            if one is other or one.name != other.name or place is None or other_place is None:
                continue
            if place == other_place:
                if value != other_value:
                    yield Congruence(one=one, other=other)
            elif value == other_value and value is not None and one.name in theory.values:
                yield from _differ(branch, one, place, other, other_place, at)


def _operations(branch: Branch, at: CounterModel) -> Iterator[CoreFact]:
    """Yield that results of an operation at the same numbers are the same, where the model has different ones."""
    alike = dict[tuple[object, ...], list[Binary]]()
    for term in branch.terms:
        if isinstance(term, Binary):
            numbers = [value_in(operand, at) for operand in term.children]
            if None not in numbers:
                alike.setdefault((term.op, *numbers), []).append(term)
    for terms in alike.values():
        for one, other in combinations(terms, 2):
            if value_in(one, at) != value_in(other, at):
                yield Congruence(one=one, other=other)


def _differ(
    branch: Branch, one: Call, place: Sequence[int], other: Call, target: Sequence[int], at: CounterModel
) -> Iterator[CoreFact]:
    """Yield the fact that one position differs from another, for moves that lead there in the model."""
    game = branch.sequent.theory.game(one.name)
    terms = list(other.arguments)
    for a, b in zip(one.arguments, other.arguments, strict=True):
        if a != b:
            terms += [branch.plain(Binary("-", a, b)), branch.plain(Binary("-", b, a))]
    terms = list(dict.fromkeys((*terms, *branch.new_names)))
    here = dict(zip(game.coordinate_names, one.arguments, strict=True))
    for number, move in enumerate(game.moves):
        if len(move.parts) != 1 or len(terms) ** len(move.choices) > MOST_CHOICES:
            continue
        for chosen in product(terms, repeat=len(move.choices)):
            given = here | {choice.name: term for choice, term in zip(move.choices, chosen, strict=True)}
            to = [value_in(branch.plain(substitute(v, given)), at) for v in move.parts[0]]
            if to == list(target):
                yield difference(one, number, chosen)


def _arithmetic(branch: Branch) -> Iterator[CoreFact]:
    parts = list(
        dict.fromkeys(
            p for term in branch.terms for p in distinct_parts(term) if not isinstance(term, Bounded)
        )
    )
    parts = [part for part in parts if not is_read_with_its_parts(part)]
    said = (branch.sequent.goal, *branch.terms)
    constants = divisors(part for expr in said for part in distinct_parts(expr))
    most = max(constants, default=0)
    factors = [Int(d) for d in range(2, most + 1) if any(number % d == 0 for number in constants)]
    for name, row in ROWS.items():
        for match in row_matches(row, parts, factors):
            yield ArithmeticInstance(row=name, at=tuple(match[argument] for argument in row.arguments))


def _functions(branch: Branch) -> Iterator[tuple[CoreFact, ...]]:
    """Yield the properties of free functions, and the values of recurrences where they are called.

    With a value of a recurrence, yield that a claim about its values holds for the earlier ones.
    """
    theory, claim = branch.sequent.theory, branch.sequent.claim
    terms = (term for term in branch.terms if not isinstance(term, Bounded))
    for call in (part for term in terms for part in distinct_parts(term) if isinstance(part, Call)):
        if call.name in theory.free:
            yield (FreeProperty(function=call.name, at=call.arguments),)
            continue
        if call.name not in theory.functions:
            continue
        function = theory.functions[call.name]
        if not isinstance(function, Function):
            continue
        (argument,), (name,) = call.arguments, function.arguments
        value = RecurrenceValue(function=function.name, at=argument)
        yield (value,)
        body = theory.plain(substitute(function.body, {name: argument}))
        earlier = [part for part in distinct_parts(body) if isinstance(part, Call) and part.name == call.name]
        if claim.measure is not None and call in distinct_parts(claim.said):
            yield (value, *(SmallerInstance(at=at) for at in _at_calls(branch, claim, earlier)))


def smaller_instances(branch: Branch, at: CounterModel) -> Iterator[SmallerInstance]:
    """Yield that the claim holds at the places of values, where its measure may be smaller."""
    claim = branch.sequent.claim
    if claim.measure is None:
        return
    values = (call.arguments for call in branch.calls_like(claim) if len(call.arguments) == len(claim.names))
    free = branch.sequent.theory.free
    for place in dict.fromkeys((*values, *_at_calls(branch, claim, branch.calls(free) if free else ()))):
        if not any(isinstance(argument, Call) for argument in place):
            measure = substitute(claim.measure, claim.given(place))
            small = Compare(("<=", "<"), (Int(0), measure, claim.measure))
            if value_in(small, at) is not False:
                yield SmallerInstance(at=place)


def _lemmas(branch: Branch) -> Iterator[CoreFact]:
    """Yield lemmas at the places of values and functions, with terms for a further variable.

    These are the numbers with which the goal compares values, then new names, then 0.
    """
    sequent, compared = branch.sequent, list[Expr]()
    for part in distinct_parts(sequent.goal):
        if isinstance(part, Compare) and len(part.terms) == 2:
            for one, other in (part.terms, part.terms[::-1]):
                value = isinstance(one, Call) and one.name in sequent.theory.values
                compared += [other] if value and other.free <= {*sequent.names} else []
    for number, lemma in enumerate(sequent.lemmas):
        for call in branch.calls_like(lemma):
            more = len(lemma.names) - len(call.arguments)
            if more in (0, 1):
                for variables in product((*compared, *branch.new_names, Int(0)), repeat=more):
                    yield LemmaInstance(number=number, at=(*call.arguments, *variables))
        called = branch.calls(sequent.theory.free.keys() | {f.name for f in sequent.theory.functions})
        yield from (LemmaInstance(number=number, at=at) for at in _at_calls(branch, lemma, called))


def _at_calls(branch: Branch, claim: Universal, calls: Sequence[Call]) -> Iterator[tuple[Expr, ...]]:
    """Yield the terms for a claim's names with which it has one of these calls, of a free function or a recurrence.

    All other names must be fixed to a number by the claim's condition, or be in scope.
    """
    own = {name: Name(name) for name in branch.sequent.claim.names}
    fixed = own | {name: Int(value) for name, value in fixed_values(claim.condition, claim.names).items()}
    for pattern in (part for part in distinct_parts(claim.said) if isinstance(part, Call)):
        for call in (call for call in calls if call.name == pattern.name):
            pairs = zip(pattern.arguments, call.arguments, strict=True)
            at = fixed | {one.id: other for one, other in pairs if isinstance(one, Name)}
            if at.keys() >= {*claim.names}:
                yield tuple(at[name] for name in claim.names)


def _pool(branch: Branch, stage: int) -> Iterator[Expr]:
    """Yield terms that may be put in place of a choice or bound variable: names and values, then differences."""
    names: list[Expr] = [Name(name) for name in reversed(branch.names())]
    numbers = [term for term in branch.terms if term.kind is Kind.NUMBER]
    yield from (*names, *numbers)
    if stage == FURTHER_OPTIONS:
        for a, b in islice(product([*names, *numbers], repeat=2), MOST_DIFFERENCES):
            if a != b:
                yield Binary("-", a, b)
