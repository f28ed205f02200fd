"""Relations between values: formulas that express values by looked-up values elsewhere, combined from claims.

A claim may express the values of part of the positions by other values, as that of (x, 1) by G(x, 0). Such claims are
combined to one formula for all positions; where no claim applies, the formula is the looked-up value itself. None of
the claims is believed: what is found here still has to be proved.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    equalities,
)
from grundylab.statement.qualified_names import qualified_game, renamed


@dataclass(frozen=True)
class _Piece:
    """A formula for the values at positions in ``region`` whose looked-up values fulfil the condition ``supposed``."""

    region: Expr
    supposed: Expr
    formula: Expr


def _claim_of_all(game: Ruleset, name: str) -> Claim | None:
    """Return the claims that express values of positions by values elsewhere, as one; None if no claim relates values.

    If all are about the same region, so is their combination. Otherwise it is about all positions; where no claim
    applies, the value is said to be itself. The game must have a pass; else the result is None. name: the function of
    the game's values.
    """
    if game.pass_flag is None:
        return None
    formulas = dict[tuple[Expr, Expr], list[Expr]]()
    for claim in dict.fromkeys(own_claims(game, name)):
        if (piece := _piece(claim, game, name)) is not None:
            regions = formulas.setdefault((piece.supposed, piece.formula), [])
            regions += [piece.region] if piece.region not in regions else []
    if not any(name in called_functions(formula) | called_functions(case) for case, formula in formulas):
        return None
    every = list(dict.fromkeys(region for regions in formulas.values() for region in regions))
    place = {coordinate: Name(coordinate) for coordinate in game.coordinate_names}
    if len(every) == 1 or _covers(game, every):
        place |= {game.pass_flag: Int(0)}  # type: ignore[dict-item]
    otherwise = Call(name, tuple(place.values()))
    if len(every) == 1:
        return Claim("", GRUNDY, by_cases([*formulas], otherwise), where=every[0])
    cases = [(conjunction(disjunction(*regions), a), b) for (a, b), regions in formulas.items()]
    return Claim("", GRUNDY, by_cases(cases, otherwise))


def _covers(game: Ruleset, regions: Sequence[Expr]) -> bool:
    """Tell whether every small position with a pass is in one of the regions; False for a game with parameters."""
    flag, others = game.pass_flag, game.own_coordinates
    if flag is None or game.parameters:
        return False
    try:
        return all(
            any(
                evaluate(region, dict(zip(others, position, strict=True)) | {flag: 1}, game.functions)
                for region in regions
            )
            for position in product(range(3), repeat=len(others))
        )
    except GrundylabError:
        return False


def relations(game: Ruleset, name: str) -> tuple[Claim, ...]:
    """Return claims that relate values: the formula for all positions, and the relations of the extended game.

    name: the function of the game's values. The latter are about positions whose pass is used up, or in which at most
    one pile, any of them, is not empty.
    """
    joined = _claim_of_all(game, name)
    claims = [] if joined is None else [joined]
    parent = parent_of(game)
    if parent is None or parent.pass_flag is None:
        return tuple(claims)
    above, names = qualified_game(parent), game.coordinate_names
    more = [coordinate for coordinate in names if coordinate not in above.coordinate_names]
    piles = [pile for pile in game.piles if pile in above.coordinate_names]
    orders: Sequence[str] = ()  # the piles that may stand for the parent's; "" where all stay as they are
    if more and {*above.coordinate_names} <= {*names}:
        if more == [game.pass_flag]:
            orders = ("",)
        elif {*more} <= {*game.piles} and len(piles) == 1:
            orders = game.piles
    for claim in relations(above, name):
        where = conjunction(equalities((coordinate, 0) for coordinate in more), claim.where)
        for other in orders:
            swap = {piles[0]: other, other: piles[0]} if other else {}
            turn = partial(_turned, parent=above, game=game, name=name, swap=swap)
            claims.append(replace(claim, formula=turn(claim.formula), where=turn(where)))
    return tuple(dict.fromkeys(claims))


def own_claims(game: Ruleset, name: str) -> list[Claim]:
    """Return the game's own claims that look up no other game, with ``name`` as the name of their look-ups."""
    claims = []
    for claim in game.claims:
        if all(source == THIS for _, source in claim.values):
            names = {old: name for old, _ in claim.values}
            formula, where = renamed(claim.formula, names), renamed(claim.where, names)
            claims.append(replace(claim, formula=formula, where=where))
    return claims


def _turned(expr: Expr, parent: Ruleset, game: Ruleset, name: str, swap: dict[str, str]) -> Expr:
    """Return an expression about positions of the parent, rewritten for positions of the game.

    swap: piles to exchange. Coordinates that the parent lacks are 0 if they are the pass, and stay free otherwise.
    """

    def change(node: Expr) -> Expr:
        if not isinstance(node, Call) or node.name != name:
            return node
        place = dict(zip(parent.coordinate_names, node.arguments, strict=True))
        whole = {
            c: place.get(c, Int(0) if c == game.pass_flag else Name(swap.get(c, c)))
            for c in game.coordinate_names
        }
        return Call(name, tuple(whole[swap.get(c, c)] for c in game.coordinate_names))

    return rewrite(substitute(expr, {old: Name(new) for old, new in swap.items()}), change)


def _piece(claim: Claim, game: Ruleset, name: str) -> _Piece | None:
    """Return what a claim says of values; None for a claim about one position, without the pass, or of another form.

    A claim may be of the form ``G(t) != a*m + b or G(here) == e(m)`` for all m. Then its piece says that the value here
    is e(m) if the value at another place t is a*m + b.
    """
    terms = conjuncts(claim.where)
    region = conjunction(*(term for term in terms if name not in called_functions(term)))
    supposed = conjunction(*(term for term in terms if name in called_functions(term)))
    fixed = fixed_values(region, game.coordinate_names)
    if len(fixed) == len(game.coordinates) or fixed.get(game.pass_flag or "") == 0:
        return None
    if claim.target == GRUNDY and not claim.variables:
        return _Piece(region, supposed, claim.formula)
    if claim.target != ALWAYS or len(claim.variables) != 1 or supposed != TRUE:
        return None
    here = Call(name, tuple(Int(fixed[c]) if c in fixed else Name(c) for c in game.coordinate_names))
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
            fulfils = [compare("==", Binary("%", other, Int(slope)), Int(rest % slope))] if slope > 1 else []
            if slope * low.value + rest > 0:
                fulfils.append(compare(">=", other, Int(slope * low.value + rest)))
            return _Piece(region, conjunction(*fulfils), substitute(formula, {variable.name: index}))
    return None
