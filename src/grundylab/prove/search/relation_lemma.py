"""Relations between values, as of a position with a pass and the same without: lemmas and trees.

A relation says that G(v) is E(G(u)), where E has cases. The proof is by induction. If G(v) is larger, an option of v
has the value E(G(u)). If G(v) is smaller, it is E(k) for a k that is the value of an option of u, or it is G(u). The
move that leads from u to this option leads from v to a position with the value E(k), which is G(v).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from grundylab.games.model import GRUNDY
from grundylab.language.names import fresh_bound_name
from grundylab.language.substitution import rewrite, substitute
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Name,
    compare,
    conjunction,
    disjunction,
    distinct_parts,
    equalities,
)
from grundylab.prove.core.claims import ProofRoot
from grundylab.prove.core.definedness import implied
from grundylab.prove.core.facts import (
    LemmaInstance,
    MexOption,
    NamedWitness,
    add,
)
from grundylab.prove.core.instances import Lemma, ProofTree
from grundylab.prove.core.sequent import Sequent, new_name
from grundylab.prove.search.claimed_relations import relations
from grundylab.prove.search.guided import Prove, by_case, by_facts, by_options, with_facts
from grundylab.prove.search.options import at_option, difference, smaller_at
from grundylab.prove.search.tree_search import SearchWork
from grundylab.prove.search.window_lemma import Window


def relation_lemmas(root: ProofRoot) -> Iterator[Lemma]:
    """Yield the relations between values of one game that its ruleset claims, each for all values at once."""
    for values, game in root.theory.values.items():
        for claim in relations(game, values):
            yield Lemma(values=values, target=claim.target, formula=claim.formula, where=claim.where)


def unit_lemmas(root: ProofRoot) -> Iterator[Lemma]:
    """Yield, for each pile, that one stone in it changes the value by ``^ 1`` where no pass is left."""
    for values, game in root.theory.values.items():
        if game.pass_flag is None or len(game.piles) < 2:
            continue
        used = {game.pass_flag: Int(0)}
        for pile in game.piles:
            place = {coordinate: Name(coordinate) for coordinate in game.coordinate_names} | used
            beside = Call(values, tuple({**place, pile: Int(0)}.values()))
            where = conjunction(compare("==", Name(pile), Int(1)), equalities([(game.pass_flag, 0)]))
            yield Lemma(values=values, target=GRUNDY, formula=Binary("^", beside, Int(1)), where=where)


def relation_tree(
    sequent: Sequent, windows: Sequence[tuple[int, Window]], work: SearchWork
) -> ProofTree | None:
    """Return a tree for a relation between values; None if the goal is none, or none is found.

    windows: the lemmas about windows among the sequent's, by their numbers.
    """
    goal = sequent.goal
    if not isinstance(goal, Compare) or goal.ops != ("==",) or not isinstance(goal.terms[1], If):
        return None
    value, said = goal.terms
    values = sequent.theory.values
    called = (part for part in distinct_parts(said) if isinstance(part, Call) and part.name in values)
    sources = list(dict.fromkeys(call for call in called if call != value))
    if not isinstance(value, Call) or len(sources) != 1:
        return None
    return _Relation(value, said, sources[0], windows, work).tree(sequent)


class _Relation:
    """The search for a tree of one relation. value: G(v). said: E(G(u)). source: G(u)."""

    def __init__(
        self,
        value: Call,
        said: Expr,
        source: Call,
        windows: Sequence[tuple[int, Window]],
        work: SearchWork,
    ) -> None:
        self.value, self.said, self.source, self.work = value, said, source, work
        self.windows = [(number, window) for number, window in windows if window.values == source.name]

    def tree(self, sequent: Sequent) -> ProofTree | None:
        """Return a tree for the three cases: G(v) is larger than, smaller than, or equal to E(G(u))."""
        if not self.windows:
            return self._cases(sequent)
        (number, window), *_ = self.windows
        # what the lemma about the window says of G(u) without another value
        most, before = window.most, window.most_of(Binary("-", window.pile, Int(1)))
        pile = compare("==", window.pile, Int(0))
        rises = implied(disjunction(pile, compare(">", most, before)), compare("==", self.source, most))
        bounds = self._at_source(window, conjunction(compare("<=", self.source, most), rises))
        lemma = LemmaInstance(number=number, at=(*self.source.arguments, Int(0)))
        no = by_facts(replace(sequent, goal=bounds), self.work, lemma)
        yes = no and self._cases(sequent.assuming(bounds))
        return yes and ProofTree(cut=bounds, yes=yes, no=no)

    def _cases(self, sequent: Sequent) -> ProofTree | None:
        """Return a tree for the three cases; if there is no lemma, an option of v has the larger value E(G(u))."""
        larger, smaller = compare("<", self.said, self.value), compare("<", self.value, self.said)
        mex = MexOption(values=self.value.name, place=self.value.arguments, k=self.said)
        by_moves = partial(by_options, work=self.work, mex=mex, then=partial(self._by_move, self.source))
        first = self._alone if self.windows else by_moves
        return by_case(
            sequent, larger, first, lambda case: by_case(case, smaller, self._smaller, self._alone)
        )

    def _alone(self, sequent: Sequent) -> ProofTree | None:
        """Return a tree without lemmas."""
        return by_facts(replace(sequent, lemmas=()), self.work)

    def _smaller(self, sequent: Sequent) -> ProofTree | None:
        k = Name(fresh_bound_name("k", []))
        end: Expr = self.source
        if self.windows:
            (_, window), *_ = self.windows
            end = Binary("+", self._at_source(window, window.most), Int(1))
        said = rewrite(self.said, lambda node: k if node == self.source else node)
        reached = conjunction(compare("==", said, self.value), compare("!=", k, self.source))
        some = Bounded("any", k.id, Int(0), end, reached)
        by = self._by_window if self.windows else self._by_option_of_source
        then: Prove = partial(by, NamedWitness(of=some))
        return by_case(sequent, some, then, with_facts(self.work))

    def _at_source(self, window: Window, expr: Expr) -> Expr:
        return substitute(expr, dict(zip(window.game.coordinate_names, self.source.arguments, strict=True)))

    def _by_window(self, witness: NamedWitness, sequent: Sequent) -> ProofTree | None:
        """Return a tree for a value k of another position in the window of u."""
        (number, window), *_ = self.windows
        k = Name(new_name(sequent.made))
        lemma = LemmaInstance(number=number, at=(*self.source.arguments, k))
        instance = sequent.lemmas[number].instance((*self.source.arguments, k))
        some = next(
            part
            for part in distinct_parts(instance)
            if isinstance(part, Bounded) and part.quantifier == "any"
        )
        option = NamedWitness(of=some)
        choices = (Name(new_name(sequent.made + 1)),)
        after = at_option(sequent, self.value, window.move, choices)
        return by_facts(sequent, self.work, witness, lemma, option, *after)

    def _by_option_of_source(self, witness: NamedWitness, sequent: Sequent) -> ProofTree | None:
        """Return a tree for a value k below G(u), with a case for each move from u."""
        k, sequent = Name(new_name(sequent.made)), add(witness, sequent)
        mex = MexOption(values=self.source.name, place=self.source.arguments, k=k)
        tree = by_options(sequent, self.work, mex, partial(self._by_move, self.value))
        return tree and tree.model_copy(update={"facts": (witness, *tree.facts)})

    def _by_move(
        self, other: Call, move: int, choices: tuple[Expr, ...], case: Sequent, idle: frozenset[int]
    ) -> ProofTree | None:
        """Return a tree for a move. If it has choices, the claim holds at v's option, and a value is not its option's.

        other: this value, G(v) or G(u).
        """
        if not choices:
            return by_facts(case, self.work, idle=idle)
        facts = smaller_at(case, self.value, move, choices), difference(other, move, choices)
        return by_facts(case, self.work, *facts, idle=idle)
