"""Relations between values, as of a position with a pass and the same without: lemmas and trees.

A relation says that G(v) is E(G(u)), where E has cases. The proof is by induction. If G(v) is larger, an option of v
has the value E(G(u)). If G(v) is smaller, it is E(k) for a k that is the value of an option of u, or it is G(u). The
move that leads from u to this option leads from v to a position with the value E(k), which is G(v).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

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
    Logic,
    Name,
    compare,
    conjunction,
    disjunction,
    distinct_parts,
)
from grundylab.prove.core.claims import ProofRoot
from grundylab.prove.core.definedness import implied
from grundylab.prove.core.facts import (
    LemmaInstance,
    MexOption,
    NamedWitness,
    SmallerInstance,
    ValueDifference,
    add,
)
from grundylab.prove.core.instances import Lemma, ProofTree
from grundylab.prove.core.sequent import Sequent, new_name
from grundylab.prove.search.claimed_relations import relations
from grundylab.prove.search.guided import Prove, by_case, by_facts
from grundylab.prove.search.tree_search import SearchWork
from grundylab.prove.search.window_lemma import Window


def relation_lemmas(root: ProofRoot) -> Iterator[Lemma]:
    """Yield the relations between values of one game that its ruleset claims, each for all values at once."""
    for values, game in root.theory.values.items():
        for claim in relations(game, values):
            yield Lemma(values=values, target=claim.target, formula=claim.formula, where=claim.where)


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
        self.windows = [(number, each) for number, each in windows if each.values == source.name]

    def tree(self, sequent: Sequent) -> ProofTree | None:
        """Return a tree for the three cases: G(v) is larger than, smaller than, or equal to E(G(u))."""
        if not self.windows:
            return self._cases(sequent)
        (number, window), *_ = self.windows
        known = self._known(window)
        lemma = LemmaInstance(number=number, at=(*self.source.arguments, Int(0)))
        no = by_facts(replace(sequent, goal=known), self.work, lemma)
        yes = no and self._cases(sequent.assuming(known))
        return yes and ProofTree(cut=known, yes=yes, no=no)

    def _known(self, window: Window) -> Expr:
        """Return what the lemma about a window says of G(u) without another value."""
        most, before = window.most, window.most_of(Binary("-", window.pile, Int(1)))
        pile = compare("==", window.pile, Int(0))
        rises = implied(disjunction(pile, compare(">", most, before)), compare("==", self.source, most))
        return self._at_source(window, conjunction(compare("<=", self.source, most), rises))

    def _cases(self, sequent: Sequent) -> ProofTree | None:
        larger, smaller = compare("<", self.said, self.value), compare("<", self.value, self.said)
        return by_case(
            sequent, larger, self._alone, lambda case: by_case(case, smaller, self._smaller, self._alone)
        )

    def _alone(self, sequent: Sequent) -> ProofTree | None:
        """Return a tree without lemmas."""
        return by_facts(replace(sequent, lemmas=()), self.work)

    def _reached(self, k: Expr) -> Expr:
        """Return the condition that G(v) is E(k)."""
        said = rewrite(self.said, lambda node: k if node == self.source else node)
        return compare("==", said, self.value)

    def _smaller(self, sequent: Sequent) -> ProofTree | None:
        k = Name(fresh_bound_name("k", []))
        end: Expr = self.source
        if self.windows:
            (_, window), *_ = self.windows
            end = Binary("+", self._at_source(window, window.most), Int(1))
        some = Bounded("any", k.id, Int(0), end, conjunction(self._reached(k), compare("!=", k, self.source)))
        then: Prove = partial(self._by_window if self.windows else self._by_options, NamedWitness(of=some))
        return by_case(sequent, some, then, partial(by_facts, work=self.work))

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
        return by_facts(
            sequent, self.work, witness, lemma, option, *self._after(sequent, window.move, choices)
        )

    def _by_options(self, witness: NamedWitness, sequent: Sequent) -> ProofTree | None:
        """Return a tree for a value k below G(u), with a case for each move from u."""
        k = Name(new_name(sequent.made))
        mex = MexOption(values=self.source.name, place=self.source.arguments, k=k)
        with_k = add(witness, sequent)
        after = add(mex, with_k)
        said = after.hypotheses[-1]
        options = said.terms[1:] if isinstance(said, Logic) and said.op == "or" else (said,)
        tree = self._by_moves(after, list(options), with_k.made)
        return tree and tree.model_copy(update={"facts": (witness, mex, *tree.facts)})

    def _by_moves(self, sequent: Sequent, options: list[Expr], made: int, move: int = 0) -> ProofTree | None:
        moves = sequent.theory.game(self.source.name).moves
        if move == len(moves):
            return by_facts(sequent, self.work)
        choices = tuple(Name(new_name(made + number)) for number in range(len(moves[move].choices)))
        case = next(each for each in options if all(c.id in each.free for c in choices)) if choices else None
        following = partial(self._by_moves, options=options, made=made + len(choices), move=move + 1)
        if case is None:
            return following(sequent)
        return by_case(
            sequent,
            case,
            lambda case: by_facts(case, self.work, *self._after(case, move, choices)),
            following,
        )

    def _after(
        self, sequent: Sequent, move: int, choices: Sequence[Expr]
    ) -> tuple[SmallerInstance, ValueDifference]:
        """Return that the relation holds at an option of v, and that its value is not that of v."""
        theory, values, place = sequent.theory, self.value.name, self.value.arguments
        rules = theory.move(values, move)
        given = {choice.name: term for choice, term in zip(rules.choices, choices, strict=True)}
        there = tuple(theory.at(values, each, place, given) for each in rules.parts[0])
        differ = ValueDifference(values=values, place=place, move=move, choices=tuple(choices))
        return SmallerInstance(at=there), differ
