"""Trees for what is said of the options of positions that, by a lemma, are P-positions, or are none."""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.language.syntax import Bounded, Call, Expr, Int, Kind, Logic, Name, Not
from grundylab.prove.core.claims import ProofRoot
from grundylab.prove.core.facts import CoreFact, Instantiation, LemmaInstance, MexOption, NamedWitness, add
from grundylab.prove.core.instances import ProofTree
from grundylab.prove.core.sequent import Sequent
from grundylab.prove.search.guided import by_facts
from grundylab.prove.search.options import difference, option_by
from grundylab.prove.search.tree_search import SearchWork


def options_tree(root: ProofRoot, sequent: Sequent, work: SearchWork) -> ProofTree | None:
    """Return a tree for a condition on all options, or on some, where each move has one choice; None for others."""
    goal, game = sequent.goal, root.theory.game(root.own)
    whole = goal.operand if isinstance(goal, Not) else goal
    parts = whole.terms if isinstance(whole, Logic) else (whole,)
    conditions = [part for part in parts if isinstance(part, Bounded) and part.kind is Kind.CONDITION]
    if sum(part.quantifier == "any" for part in conditions) < len(parts) or len(parts) != len(game.moves):
        return None
    if any(len(move.choices) != 1 or len(move.parts) != 1 for move in game.moves):
        return None
    own = Call(root.own, tuple(map(Name, game.coordinate_names)))
    for number, lemma in enumerate(sequent.lemmas):
        if lemma.said.calls & {*root.theory.values} and lemma.names == game.coordinate_names:
            facts = (
                LemmaInstance(number=number, at=own.arguments),
                *_facts(sequent, own, goal, parts, number),
            )
            return by_facts(sequent, work, *facts)
    return None


def _facts(
    sequent: Sequent, own: Call, goal: Expr, parts: tuple[Expr, ...], lemma: int
) -> Iterator[CoreFact]:
    """Yield, for an option by each move, that the lemma is true there; and that its value is 0, or another one."""
    if not isinstance(goal, Not):
        mex = MexOption(values=own.name, place=own.arguments, k=Int(0))
        sequent = add(mex, sequent)
        yield mex
    new = sequent.names[-len(parts) :]
    for move, part in enumerate(parts):
        if isinstance(goal, Not):
            sequent = add(NamedWitness(of=part), sequent)
            yield NamedWitness(of=part)
        name = Name(sequent.names[-1] if isinstance(goal, Not) else new[move])
        yield LemmaInstance(number=lemma, at=option_by(sequent, own, move, (name,)))
        yield difference(own, move, (name,)) if isinstance(goal, Not) else Instantiation(of=part, at=name)
