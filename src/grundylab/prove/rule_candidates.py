"""Candidates for evidence: the kernel's rules that may prove a statement, with the choices that each rule needs.

A candidate has no proofs of its premises yet: the kernel derives the premises, and the prover looks for their proofs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import lcm
from typing import NamedTuple

from grundylab.games import parent_of
from grundylab.games.model import ALWAYS, GRUNDY, P_POSITIONS, Claim, OptionCondition, Ruleset, Target
from grundylab.games.specialise import fixed_values
from grundylab.language.functions import Function
from grundylab.language.names import with_plain_names
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Call,
    Expr,
    Int,
    Name,
    by_cases,
    called_functions,
    compare,
    conjunction,
    conjuncts,
    distinct_parts,
    equalities,
    free_names,
)
from grundylab.prove.hypothesis import claims_without_pass
from grundylab.prove.kernel.closed_forms import levels_of
from grundylab.prove.kernel.evidence import (
    Abstraction,
    Between,
    Descent,
    Evidence,
    Fact,
    Family,
    Images,
    KnownValues,
    Options,
    Property,
    PropertyInstance,
    Substitution,
    WindowEvidence,
)
from grundylab.prove.kernel.simplification import simplify_condition
from grundylab.prove.relations import (
    facts_about,
    formula_of_all,
    option_conditions,
    related_places,
    relations_at,
    unit_piles,
    value_formulas,
)
from grundylab.statement import Lookup, Statement
from grundylab.statement.qualified_names import qualified_game, renamed

MOST = 24  # the most candidates for one rule
MOST_RESIDUES = 1_000  # the largest modulus by whose residues the moves are bounded
MOST_FORMULAS = 12  # the most combinations of known formulas that are tried for one look-up


def candidates(statement: Statement, printed: object = None, rules: Sequence[str] = ()) -> Iterator[Evidence]:
    """Yield evidence without proofs of the premises, in the order in which it is to be tried.

    printed: the claim's printed form; only a statement about options (OptionCondition) is used. rules: the rules of
    which the statement is a premise, outermost first.
    """
    for found in (
        _abstraction(statement), _family(statement), _others(statement),
        _instance(statement), _options(printed), _images(statement), _window(statement),
        _between(statement), _relation(statement), _lookups(statement), _descent(statement, rules),
        _substitution(statement),
    ):  # fmt: skip
        yield from islice(found, MOST)


def _abstraction(statement: Statement) -> Iterator[Evidence]:
    if statement.game.free and statement.target == ALWAYS:
        yield from (Abstraction(terms="values", monotone=monotone) for monotone in (False, True))


def _others(statement: Statement) -> Iterator[Evidence]:
    if not statement.game.free and statement.target == ALWAYS and not statement.lookups:
        yield Abstraction(terms="others")


def _lookups(statement: Statement) -> Iterator[Evidence]:
    """Yield abstractions: looked-up values become variables. They differ in the facts used about the values."""
    if statement.target != ALWAYS or not statement.lookups:
        return
    found = list[tuple[int, tuple[Fact, ...], bool]]([(1, (), True)])
    found += [(1, value_formulas(each.game, each)[:6], True) for each in statement.lookups if each.game]
    for own in (each for each in statement.lookups if each.game is None):
        options = facts_about(statement, own, option_conditions(statement.game, own))
        formulas = value_formulas(statement.game, own)
        known = facts_about(statement, own, formulas)
        units = facts_about(statement, own, unit_piles(statement, own))
        plain = tuple(fact for fact in known if own.name not in called_functions(fact.formula))
        looked = tuple(fact for fact in known if fact not in plain)
        found += [(1, units, False), (2, (), True)]
        found += [(1, options, True)] if len(options) == 1 else []
        found += [(0, (*plain[:4], fact), True) for fact in looked[:2]]
        for relation in relations_at(statement, own):
            found += [(1, (relation,), True), (1, (relation, *units), False)]
            found += [(0, (*options, relation), True)] if len(options) == 1 else []
        found += [(1, units, True), (1, options, True), (2, formulas[:1], True), (2, units, True)]
        found += [(2, (relation,), True) for relation in relations_at(statement, own)]
    for mex, facts, new in dict.fromkeys(found):
        if facts or (mex and new):
            yield Abstraction(terms="lookups", mex=mex, known=facts, new=new)


class DescentsAllowed(NamedTuple):
    """Kinds of descent by which a premise may be proved: to smaller positions, and to a smaller number."""

    of_positions: bool
    of_numbers: bool


def descents_allowed(rules: Sequence[str]) -> DescentsAllowed:
    """Return the descents by which a premise of these rules, outermost first, may be proved.

    The premise of a descent is larger than its statement and of the same kind, so descents of descents would never end.
    Only a known fact that a descent uses may be proved by a second one.
    """
    number = rules.count("descent")
    return DescentsAllowed(number < 2 and list(rules[-1:]) != ["descent"], number == 0)


def _descent(statement: Statement, rules: Sequence[str]) -> Iterator[Evidence]:
    """Yield descents: inductions that assume the condition at one smaller position, or a smaller value of a variable.

    The smaller positions are those that known formulas for values look up. In statements with products of variables,
    one coordinate or variable is less by 1.
    """
    measure, allowed = statement.game.measure, descents_allowed(rules)
    if statement.target == ALWAYS and not statement.variables and allowed.of_positions:
        for own in (each for each in statement.lookups if each.game is None):
            for place in related_places(
                facts_about(statement, own, value_formulas(statement.game, own)), own
            ):
                smaller = dict(zip(statement.game.coordinate_names, place, strict=True))
                yield Descent(measure=measure, smaller=(tuple(smaller.items()),))
    numbers = [*statement.game.coordinate_names, *(variable.name for variable in statement.variables)]
    before = [(name, Binary("-", Name(name), Int(1))) for name in numbers]
    unread = bool(statement.game.free) or any(map(_is_product, distinct_parts(statement.formula)))
    if statement.target == ALWAYS and not statement.lookups and unread and allowed.of_numbers:
        for name, less in before:
            yield Descent(measure=Name(name), smaller=(((name, less),),))


def _is_product(node: Expr) -> bool:
    return (
        isinstance(node, Binary)
        and node.op == "*"
        and not isinstance(node.left, Int)
        and not isinstance(node.right, Int)
    )


def _relation(statement: Statement) -> Iterator[Evidence]:
    """Yield relations as evidence: the statement's own formula if it looks up values, and one from all claims."""
    if statement.target != GRUNDY or statement.game.play != "normal":
        return
    for lookup in statement.lookups:
        if lookup.game is None:
            if lookup.name not in called_functions(statement.where) and lookup.name in called_functions(
                statement.formula
            ):
                yield _own_relation(statement, lookup)
            if (value := formula_of_all(statement.game, lookup)) is not None:
                yield Family(region=TRUE, value=value)


def _own_relation(statement: Statement, lookup: Lookup) -> Evidence:
    """Return a Family (evidence for values in a region) with the statement's formula where the statement applies.

    Elsewhere its formula is the looked-up value itself. In its region, each coordinate that the statement fixes has at
    most this fixed value.
    """
    names = statement.game.coordinate_names
    fixed = fixed_values(statement.where, names)
    zero = equalities((name, 0) for name, value in fixed.items() if not value)
    region = conjunction(
        zero, *(compare("<=", Name(name), Int(value)) for name, value in fixed.items() if value)
    )
    about = conjunction(*(term for term in conjuncts(statement.where) if term not in conjuncts(zero)))
    itself = Call(lookup.name, tuple(Int(fixed[n]) if fixed.get(n) == 0 else Name(n) for n in names))
    return Family(
        region=region,
        value=by_cases([(about, statement.formula)], itself) if about != TRUE else statement.formula,
    )


def _family(statement: Statement) -> Iterator[Evidence]:
    game = statement.game
    if not game.free or statement.target == ALWAYS or not statement.plain:
        return
    expand = game.functions.expand
    own = [(statement.where, statement.formula)] if statement.target == GRUNDY else []
    known = [(c.where, c.formula) for c in game.claims if c.plain and c.target == GRUNDY]
    found = [
        (simplify_condition(expand(where)), simplify_condition(expand(formula)))
        for where, formula in (*own, *known)
    ]
    for region, value in dict.fromkeys(sorted(found, key=lambda each: each[0] != TRUE)):
        yield Family(region=region, value=value)


def _instance(statement: Statement) -> Iterator[Evidence]:
    """Yield evidence that the game is an instance of the nearest family that it extends, if it extends one.

    A family is a ruleset with free functions, which the game defines.
    """
    game = statement.game
    above: Ruleset | None = game
    while above is not None and not above.free:
        above = parent_of(above)
    if (
        above is None or above is game or game.free or not game.moves
    ):  # without moves no property can be proved from it
        return
    above = qualified_game(above)
    defined = [f for f in game.functions if isinstance(f, Function)]
    own = {
        with_plain_names(f.name): f.name for f in reversed(defined)
    }  # its own functions come before inherited ones
    names = {free.name: own.get(with_plain_names(free.name), free.name) for free in above.free}
    properties = (
        Property(function=names[f.name], arguments=f.arguments, condition=renamed(f.condition, names))
        for f in above.free
    )
    yield PropertyInstance(properties=tuple(properties))


def _options(printed: object) -> Iterator[Evidence]:
    if isinstance(printed, OptionCondition):
        yield Options(quantifier=printed.quantifier, condition=printed.condition)


def _images(statement: Statement) -> Iterator[Evidence]:
    if not statement.lookups or statement.variables:
        return
    coordinates = set(statement.game.coordinate_names)
    terms = tuple(term for term in conjuncts(statement.where) if free_names(term) & coordinates)
    yield Images()
    yield from (Images(open=(term,)) for term in terms)
    if len(terms) > 1:
        yield Images(open=terms)


def _window(statement: Statement) -> Iterator[Evidence]:
    if statement.target == GRUNDY:
        yield from (WindowEvidence(pile=name) for name in statement.game.coordinate_names)


def _between(statement: Statement) -> Iterator[Evidence]:
    """Yield the least common multiple of all constant divisors in the formula, as the modulus of residues."""
    divisors = [
        node.right.value
        for node in distinct_parts(statement.formula)
        if isinstance(node, Binary)
        and node.op in ("%", "//")
        and isinstance(node.right, Int)
        and node.right.value
    ]
    if (
        statement.target in (P_POSITIONS, GRUNDY)
        and divisors
        and (modulus := lcm(*divisors)) <= MOST_RESIDUES
    ):
        yield Between(modulus=modulus)


# -- formulas for looked-up values -----------------------------------------------------------------------------------


def _substitution(statement: Statement) -> Iterator[Evidence]:
    for lookup in statement.lookups:
        yield from islice(_substitutions(statement, lookup), MOST_FORMULAS)


def _substitutions(statement: Statement, lookup: Lookup) -> Iterator[Evidence]:
    for known in _value_formulas(statement, lookup, GRUNDY):
        yield Substitution(lookup=lookup.name, known=(known,))
    levels = levels_of(statement, lookup)
    if levels:
        each = [list(_value_formulas(statement, lookup, Target("level", level))) for level in levels]
        for several in product(*each):
            yield Substitution(lookup=lookup.name, known=several)


def _value_formulas(statement: Statement, lookup: Lookup, target: Target) -> Iterator[KnownValues]:
    """Yield the looked-up game's claims about the target as evidence, except the statement itself."""
    game = statement.game_of(lookup)
    wanted = {target, Target("p")} if target == Target("level", 0) else {target}
    for claim in _claims_of(game):
        if claim.plain and claim.target in wanted and not _is(statement, claim):
            yield KnownValues(target=claim.target, formula=claim.formula, where=claim.where)


def _claims_of(game: Ruleset) -> Sequence[Claim]:
    parent = parent_of(game)
    return (*game.claims, *(claims_without_pass(qualified_game(parent), game) if parent else ()))


def _is(statement: Statement, claim: Claim) -> bool:
    said: tuple[Target, Expr, Expr] = statement.target, statement.formula, statement.where
    return said == (claim.target, claim.formula, claim.where)
