"""Relations between values: formulas that express values by looked-up values elsewhere, combined from claims.

A claim may express the values of part of the positions by other values, as that of (x, 1) by G(x, 0). Such claims are
combined to one formula for all positions; where no claim applies, the formula is the looked-up value itself. None of
the claims is believed: what is found here still has to be proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from grundylab.errors import GrundylabError
from grundylab.games import parent_of
from grundylab.games.model import ALWAYS, GRUNDY, Claim, Ruleset
from grundylab.games.specialise import fixed_values
from grundylab.games.statements import THIS
from grundylab.language.linear import atom_polynomial
from grundylab.language.plain import evaluate
from grundylab.language.substitution import rewrite, substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Binary,
    Call,
    Compare,
    Expr,
    Int,
    Logic,
    Name,
    by_cases,
    called_functions,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    distinct_parts,
    equalities,
)
from grundylab.prove.core.definedness import implied
from grundylab.prove.kernel.evidence import Fact
from grundylab.prove.kernel.moves import substitute_place
from grundylab.prove.kernel.simplification import simplify_condition
from grundylab.statement import Lookup, Statement
from grundylab.statement.qualified_names import qualified_game, renamed


@dataclass(frozen=True)
class _Piece:
    """A formula for the values at positions in ``region`` whose looked-up values fulfil the condition ``supposed``."""

    region: Expr
    supposed: Expr
    formula: Expr


def formula_of_all(game: Ruleset, lookup: Lookup, more: Sequence[Claim] = ()) -> Expr | None:
    """Return a formula that expresses the values of positions by values elsewhere; None if no claim relates values.

    Where no claim applies, the formula is the looked-up value itself. The game must have a pass; else the result is
    None. more: claims in addition to the game's own.
    """
    if game.pass_flag is None:
        return None
    found = dict[tuple[Expr, Expr], list[Expr]]()
    for claim in dict.fromkeys([*more, *own_claims(game, lookup.name)]):
        if (piece := _piece(claim, game, lookup.name)) is not None:
            regions = found.setdefault((piece.supposed, piece.formula), [])
            regions += [piece.region] if piece.region not in regions else []
    cases = [(conjunction(disjunction(*regions), a), b) for (a, b), regions in found.items()]
    if not any(lookup.name in called_functions(formula) | called_functions(case) for case, formula in cases):
        return None
    place = {each: Name(each) for each in game.coordinate_names}
    if _covers(game, [region for regions in found.values() for region in regions]):
        place |= {game.pass_flag: Int(0)}  # type: ignore[dict-item]
    return by_cases(cases, Call(lookup.name, tuple(place.values())))


def _covers(game: Ruleset, regions: Sequence[Expr]) -> bool:
    """Tell whether every small position with a pass is in one of the regions; False for a game with parameters."""
    flag, others = game.pass_flag, game.own_coordinates
    if flag is None or game.parameters:
        return False
    try:
        return all(
            any(
                evaluate(region, dict(zip(others, each, strict=True)) | {flag: 1}, game.functions)
                for region in regions
            )
            for each in product(range(3), repeat=len(others))
        )
    except GrundylabError:
        return False


def relations(game: Ruleset, lookup: Lookup) -> tuple[Fact, ...]:
    """Return facts that relate values: the formula for all positions, and the relations of the extended game.

    The latter are about positions in which at most one pile, any of them, is not empty.
    """
    whole = formula_of_all(game, lookup)
    found = [] if whole is None else [Fact(lookup=lookup.name, target=GRUNDY, formula=whole)]
    parent = parent_of(game)
    if parent is not None and parent.pass_flag is not None:
        above = qualified_game(parent)
        for fact in relations(above, lookup):
            claim = Claim("", GRUNDY, fact.formula, fact.where)
            for lifted in _lifted(claim, above, game, lookup.name):
                found.append(
                    Fact(lookup=lookup.name, target=GRUNDY, formula=lifted.formula, where=lifted.where)
                )
    return tuple(dict.fromkeys(found))


def relations_at(statement: Statement, lookup: Lookup) -> list[Fact]:
    """Return the relations that apply to some position that the statement looks up, the most special ones first."""
    found = relations(statement.game, lookup)
    return [fact for fact in reversed(found) if TRUE in _where_at(statement, lookup, fact)]


def facts_about(statement: Statement, lookup: Lookup, found: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts that may apply to a position looked up in the statement; if several agree there, one of them."""
    fixed = fixed_values(statement.where, statement.game.coordinate_names)
    kept = dict[tuple[Expr, ...], Fact]()
    for fact in found:
        where = _where_at(statement, lookup, fact)
        if any(each != FALSE for each in where):
            kept.setdefault((substitute(fact.formula, fixed), *where), fact)
    return tuple(kept.values())


def _where_at(statement: Statement, lookup: Lookup, fact: Fact) -> list[Expr]:
    """Return the fact's condition at each position that the statement's formula looks up.

    The values of the coordinates that the statement's condition fixes are put in.
    """
    game, fixed = statement.game, fixed_values(statement.where, statement.game.coordinate_names)
    calls = [
        node
        for node in distinct_parts(statement.formula)
        if isinstance(node, Call) and node.name == lookup.name
    ]
    return [
        simplify_condition(substitute(substitute_place(fact.where, game, call.arguments), fixed))
        for call in calls
    ]


def claims_of(game: Ruleset, name: str) -> list[Claim]:
    """Return the claims of the game and of the games that it extends, as claims about its own positions.

    name: the name of the look-up of the game's values.
    """
    found = own_claims(game, name)
    parent = parent_of(game)
    if parent is not None:
        above = qualified_game(parent)
        found += [lifted for claim in claims_of(above, name) for lifted in _lifted(claim, above, game, name)]
    return list({(claim.target, claim.formula, claim.where): claim for claim in found}.values())


def own_claims(game: Ruleset, name: str) -> list[Claim]:
    """Return the game's own claims that look up no other game, with ``name`` as the name of their look-ups."""
    return [_with_name(claim, name) for claim in game.claims if _is_own(claim)]


def _is_own(claim: Claim) -> bool:
    return not claim.tables and all(source == THIS for _, source in claim.values)


def _with_name(claim: Claim, name: str) -> Claim:
    names = {old: name for old, _ in claim.values}
    return replace(claim, formula=renamed(claim.formula, names), where=renamed(claim.where, names))


def _lifted(claim: Claim, parent: Ruleset, game: Ruleset, name: str) -> Iterator[Claim]:
    """Yield a claim of the parent, rewritten as claims about positions of ``game``; none if that is impossible.

    The positions are those whose pass is used up, or those in which at most one pile, any of them, is not empty.
    """
    known, names = parent.coordinate_names, game.coordinate_names
    more = [each for each in names if each not in known]
    piles = [each for each in game.piles if each in known]
    if not more or not set(known) <= set(names):
        return
    if more == [game.pass_flag]:
        orders: Sequence[str] = ("",)
    elif set(more) <= set(game.piles) and len(piles) == 1:
        orders = game.piles
    else:
        return
    where = conjunction(equalities((each, 0) for each in more), claim.where)
    for other in orders:
        swap = {piles[0]: other, other: piles[0]} if other else {}
        turn = partial(_turned, parent=parent, game=game, name=name, swap=swap)
        yield replace(claim, formula=turn(claim.formula), where=turn(where))


def _turned(expr: Expr, parent: Ruleset, game: Ruleset, name: str, swap: dict[str, str]) -> Expr:
    """Return an expression about positions of the parent, rewritten for positions of the game.

    swap: piles to exchange. Coordinates that the parent lacks are 0 if they are the pass, and stay free otherwise.
    """

    def change(node: Expr) -> Expr:
        if not isinstance(node, Call) or node.name != name:
            return node
        place = dict(zip(parent.coordinate_names, node.arguments, strict=True))
        whole = {
            each: place.get(each, Int(0) if each == game.pass_flag else Name(swap.get(each, each)))
            for each in game.coordinate_names
        }
        return Call(name, tuple(whole[swap.get(each, each)] for each in game.coordinate_names))

    return rewrite(substitute(expr, {old: Name(new) for old, new in swap.items()}), change)


def _piece(claim: Claim, game: Ruleset, name: str) -> _Piece | None:
    terms = conjuncts(claim.where)
    region = conjunction(*(term for term in terms if name not in called_functions(term)))
    supposed = conjunction(*(term for term in terms if name in called_functions(term)))
    fixed = fixed_values(region, game.coordinate_names)
    if len(fixed) == len(game.coordinates) or fixed.get(game.pass_flag or "") == 0:
        return None
    if claim.target == GRUNDY and not claim.variables:
        return _Piece(region, supposed, claim.formula)
    if claim.target == ALWAYS and len(claim.variables) == 1 and supposed == TRUE:
        place = tuple(Int(fixed[each]) if each in fixed else Name(each) for each in game.coordinate_names)
        return _implied_value(claim, Call(name, place), region)
    return None


def _implied_value(claim: Claim, here: Call, region: Expr) -> _Piece | None:
    """Return the piece of a claim of the form ``G(t) != a*m + b or G(here) == e(m)`` for all m; None for other claims.

    The piece says that the value here is e(m) if the value at another place t is a*m + b.
    """
    (variable,) = claim.variables
    match claim.formula:
        case Logic(
            op="or", terms=(Compare(("!=",), (Call() as other, number)), Compare(("==",), (there, formula)))
        ):
            split = atom_polynomial(number).split(variable.name)
            if there != here or split is None or other.name != here.name:
                return None
            slope, rest = split[0].number, split[1].number
            low = variable.range.low
            if not slope or slope < 0 or rest is None or not isinstance(low, Int):
                return None
            above = Binary("-", other, Int(rest)) if rest else other
            index = Binary("//", above, Int(slope)) if slope > 1 else above
            supposed = [compare("==", Binary("%", other, Int(slope)), Int(rest % slope))] if slope > 1 else []
            if slope * low.value + rest > 0:
                supposed.append(compare(">=", other, Int(slope * low.value + rest)))
            return _Piece(region, conjunction(*supposed), substitute(formula, {variable.name: index}))
    return None


# -- facts ------------------------------------------------------------------------------------------------------------


def unit_piles(statement: Statement, lookup: Lookup) -> tuple[Fact, ...]:
    """Return facts: where no pass is left, the value with one stone in a pile is 1 ^ the value without this pile.

    There is a fact for each pile for which a look-up in the statement has another argument than the pile's name.
    """
    found, game = list[Fact](), statement.game
    calls = [
        node
        for node in distinct_parts(statement.formula)
        if isinstance(node, Call) and node.name == lookup.name
    ]
    place = {each: Name(each) for each in game.coordinate_names}
    used = {game.pass_flag: Int(0)} if game.pass_flag else {}
    where = conjunction(*(compare("==", Name(each), value) for each, value in used.items()))
    for number, name in enumerate(game.coordinate_names):
        if name in game.piles and any(call.arguments[number] != Name(name) for call in calls):
            beside = Call(lookup.name, tuple({**place, **used, name: Int(0)}.values()))
            one = conjunction(compare("==", Name(name), Int(1)), where)
            found.append(
                Fact(lookup=lookup.name, target=GRUNDY, formula=Binary("^", beside, Int(1)), where=one)
            )
    return tuple(found)


def option_conditions(game: Ruleset, lookup: Lookup) -> tuple[Fact, ...]:
    """Return facts from claims of the games that this one extends: implications between looked-up values."""
    found, own = list[Fact](), {(claim.formula, claim.where) for claim in own_claims(game, lookup.name)}
    for claim in claims_of(game, lookup.name):
        if claim.target != ALWAYS or claim.variables or (claim.formula, claim.where) in own:
            continue
        terms = conjuncts(claim.where)
        plain = conjunction(*(term for term in terms if lookup.name not in called_functions(term)))
        supposed = conjunction(*(term for term in terms if lookup.name in called_functions(term)))
        if supposed != TRUE and lookup.name in called_functions(claim.formula):
            formula = implied(supposed, claim.formula)
            found.append(Fact(lookup=lookup.name, target=ALWAYS, formula=formula, where=plain))
    return tuple(found)


def value_formulas(game: Ruleset, lookup: Lookup) -> tuple[Fact, ...]:
    """Return the claims that give a formula for the game's Grundy numbers, as facts, the shortest first."""
    found = list[Fact]()
    for claim in claims_of(game, lookup.name):
        if (
            claim.target == GRUNDY
            and not claim.variables
            and lookup.name not in called_functions(claim.where)
        ):
            found.append(Fact(lookup=lookup.name, target=GRUNDY, formula=claim.formula, where=claim.where))
    return tuple(sorted(found, key=lambda fact: fact.formula.size + fact.where.size))


def related_places(facts: Sequence[Fact], lookup: Lookup) -> list[tuple[Expr, ...]]:
    """Return the positions, as tuples of expressions, that the formulas of the facts look up."""
    calls = (node for fact in facts for node in distinct_parts(fact.formula))
    found = (node.arguments for node in calls if isinstance(node, Call) and node.name == lookup.name)
    return list(dict.fromkeys(found))
