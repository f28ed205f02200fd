"""Trees for what is said of the options of positions that, by a lemma, are P-positions, or are none."""

from __future__ import annotations

from grundylab.language.syntax import Bounded, Call, Int, Kind, Logic, Name, Not
from grundylab.prove.core.claims import ProofRoot
from grundylab.prove.core.facts import CoreFact, Instantiation, LemmaInstance, MexOption, NamedWitness, add
from grundylab.prove.core.instances import ProofTree
from grundylab.prove.core.sequent import Sequent
from grundylab.prove.search.guided import by_facts
from grundylab.prove.search.options import difference, option_by
from grundylab.prove.search.tree_search import SearchWork


def options_tree(root: ProofRoot, sequent: Sequent, work: SearchWork) -> ProofTree | None:
    """Return a tree for a condition on all options, or on some, where each move has one choice; None for others.

    Its facts are, for an option by each move, that the lemma is true there; and that its value is 0, or another one.
    """
    goal, game = sequent.goal, root.theory.game(root.own)
    whole = goal.operand if isinstance(goal, Not) else goal
    parts = whole.terms if isinstance(whole, Logic) else (whole,)
    if len(parts) != len(game.moves):
        return None
    for part in parts:
        if not isinstance(part, Bounded) or part.kind is not Kind.CONDITION or part.quantifier != "any":
            return None
    if any(len(move.choices) != 1 or len(move.parts) != 1 for move in game.moves):
        return None
    lemmas = (n for n, lemma in enumerate(sequent.lemmas) if lemma.names == game.coordinate_names)
    values = {*root.theory.values}
    lemma = next((number for number in lemmas if sequent.lemmas[number].said.calls & values), None)
    if lemma is None:
        return None
    own = Call(root.own, tuple(map(Name, game.coordinate_names)))
    facts: list[CoreFact] = [LemmaInstance(number=lemma, at=own.arguments)]
    after = sequent
    if not isinstance(goal, Not):
        facts.append(MexOption(values=own.name, place=own.arguments, k=Int(0)))
        after = add(facts[-1], after)
    new = after.names[-len(parts) :]
    for move, part in enumerate(parts):
        if isinstance(goal, Not):
            facts.append(NamedWitness(of=part))
            after = add(facts[-1], after)
        name = Name(after.names[-1] if isinstance(goal, Not) else new[move])
        facts.append(LemmaInstance(number=lemma, at=option_by(after, own, move, (name,))))
        reached = Instantiation(of=part, at=name)
        facts.append(difference(own, move, (name,)) if isinstance(goal, Not) else reached)
    return by_facts(sequent, work, *facts)
