"""What a claim says with values, put as the formula that is proved of them: of this ruleset or of another one.

If G(v) is F(v) at every position v of a region, then ``G(t)`` may be written F(t) wherever a claim comes to a t in the
region; and if the positions with G(v) = 2, say, are those where a condition is true, ``G(t) == 2`` may be written so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product

from grundylab.check.judging import looked_up
from grundylab.games import parent_of
from grundylab.games.model import GRUNDY, Claim, Ruleset, Target
from grundylab.games.statements import THIS
from grundylab.language.substitution import lower, rewritten
from grundylab.language.syntax import (
    TRUE,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Kind,
    Logic,
    compare,
    conjunction,
    conjuncts,
    parts,
)
from grundylab.prove.hypothesis import asked, inherited, split_where
from grundylab.prove.lookups import Lookups, NotSaid
from grundylab.prove.neighbours import always, at, is_position, negation
from grundylab.prove.outcome import Premise

MOST = 12  # combinations of known formulas that are tried for one claim


def substituted(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """For each formula that a claim gives of the values: that, and what the claim under ``where`` becomes by it."""
    if claim.tables or ruleset.play == "misere":
        return
    for name, of in claim.values:
        game = looked_up(of, ruleset)
        known = not game.free or of == THIS  # of another family the functions may be others
        if set(game.parameter_names) <= set(ruleset.parameter_names) and known:
            yield from islice(_Substitution(ruleset, claim, where, name, game).ways(), MOST)


@dataclass(frozen=True)
class Form:
    """What a claim of the game says of its values: a formula of them, or a condition for one of them."""

    claim: Claim
    game: Ruleset

    def put(self, expr: Expr, call: Call) -> Expr:
        """What is said of the game's position, said of the one that is looked up."""
        return at(self.game.functions.expand(expr), self.game, call.arguments)


class _Substitution:
    """One function of the claim's values put otherwise."""

    def __init__(self, ruleset: Ruleset, claim: Claim, where: Expr, name: str, game: Ruleset) -> None:
        self._ruleset, self._claim, self._name, self._game = ruleset, claim, name, game
        self._lookups = Lookups(dict(claim.values))
        self._terms = [lower(term) for term in conjuncts(conjunction(claim.where, where))]
        self._formula = lower(claim.formula)
        formula = (
            self._formula if self._formula.kind is Kind.CONDITION else compare("==", self._formula, Int(0))
        )
        self._whole = Logic("and", (TRUE, *self._terms, formula))
        bound = {node.variable for node in parts(self._whole) if isinstance(node, Bounded)}
        if {*bound, *(variable.name for variable in claim.variables)} & set(game.parameter_names):
            raise NotSaid  # a formula of the game would mean something else there

    def ways(self) -> Iterator[tuple[Premise, ...]]:
        """Each as premises: the formulas used, that they are known where they are used, and what then is claimed."""
        for form in self._forms(GRUNDY):
            yield self._premises({None: form})
        levels = self._levels()
        if levels:
            for forms in product(*(list(self._forms(Target("level", level))) for level in levels)):
                yield self._premises(dict(zip(levels, forms, strict=True)))

    def _forms(self, target: Target) -> Iterator[Form]:
        wanted = {target, Target("p")} if target == Target("level", 0) else {target}
        parent = parent_of(self._game)
        for known in (*self._game.claims, *(inherited(parent, self._game) if parent else ())):
            if known.plain and known.target in wanted and known.id != self._claim.id:
                yield Form(known, self._game)

    def _levels(self) -> list[int]:
        """The numbers that the values are compared with, if nothing else is asked of them."""
        found = {level for node in parts(self._whole) if (level := self._level(node)) is not None}
        return sorted(found) if self._only_levels(self._whole) else []

    def _level(self, node: Expr) -> int | None:
        match node:
            case (
                Compare(ops=("==" | "!=",), terms=(Call(name=name), Int(value=value)))
                | Compare(ops=("==" | "!=",), terms=(Int(value=value), Call(name=name)))
            ) if name == self._name and value >= 0:
                return value
        return None

    def _only_levels(self, expr: Expr) -> bool:
        if self._level(expr) is not None:
            return True
        is_call = isinstance(expr, Call) and expr.name == self._name
        return not is_call and all(map(self._only_levels, expr.children))

    def _premises(self, forms: Mapping[int | None, Form]) -> tuple[Premise, ...]:
        parameters, _ = split_where(conjunction(*filter(self._lookups.is_plain, self._terms)), self._ruleset)
        meant = self._lookups.meant(self._whole, lambda call: self._known(call, forms.values()))
        where, formula = (
            conjunction(*(self._put(term, forms) for term in self._terms)),
            self._put(self._formula, forms),
        )
        left = tuple(pair for pair in self._claim.values if pair[0] != self._name)
        then = replace(
            asked(formula, self._claim.target, where), values=left, variables=self._claim.variables
        )
        helpers = (Premise(self._game, form.claim) for form in dict.fromkeys(forms.values()))
        exists = always(self._ruleset, parameters, [meant], self._claim.variables)
        return *exists, Premise(self._ruleset, then), *helpers

    def _known(self, call: Call, forms: Collection[Form]) -> Expr:
        """That it is a position of which the formulas tell the value; nothing of what is looked up otherwise."""
        if call.name != self._name:
            return TRUE
        if not all(map(self._lookups.is_plain, call.arguments)):
            raise NotSaid
        inside = self._game.functions.expand(is_position(self._game, call.arguments))
        return conjunction(inside, *(form.put(form.claim.where, call) for form in forms))

    def _put(self, expr: Expr, forms: Mapping[int | None, Form]) -> Expr:
        def change(node: Expr) -> Expr:
            if None in forms:
                is_call = isinstance(node, Call) and node.name == self._name
                return forms[None].put(forms[None].claim.formula, node) if is_call else node  # type: ignore[arg-type]
            if (level := self._level(node)) is None:
                return node
            assert isinstance(node, Compare)
            (call,) = (term for term in node.terms if isinstance(term, Call))
            is_level = forms[level].put(forms[level].claim.formula, call)
            return is_level if node.ops == ("==",) else negation(is_level)

        return rewritten(expr, change)
