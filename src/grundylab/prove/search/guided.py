"""Trees whose cases and main facts are named, and whose ends are searched for."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from grundylab.language.syntax import Expr
from grundylab.prove.core.definedness import negation
from grundylab.prove.core.facts import CoreFact, add
from grundylab.prove.core.instances import ProofTree
from grundylab.prove.core.sequent import Sequent
from grundylab.prove.search.tree_search import SearchWork, prove_by_instances

Prove = Callable[[Sequent], ProofTree | None]


def by_case(sequent: Sequent, case: Expr, then: Prove, otherwise: Prove) -> ProofTree | None:
    """Return a tree that distinguishes two cases; None if one of them is not proved."""
    yes = then(sequent.assuming(case))
    no = yes and otherwise(sequent.assuming(negation(case)))
    return no and ProofTree(case=case, yes=yes, no=no)


def by_facts(sequent: Sequent, work: SearchWork, *facts: CoreFact) -> ProofTree | None:
    """Return a tree that begins with these facts, and then with what the search finds; None if it finds nothing."""
    tree = prove_by_instances(reduce(lambda to, fact: add(fact, to), facts, sequent), work)
    return tree and tree.model_copy(update={"facts": (*facts, *tree.facts)})
