"""Trees whose cases and main facts are named, and whose ends are searched for."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from grundylab.language.syntax import Expr, Logic, Name, compare
from grundylab.prove.core.definedness import negation
from grundylab.prove.core.facts import CoreFact, MexOption, add
from grundylab.prove.core.instances import ProofTree
from grundylab.prove.core.sequent import Sequent
from grundylab.prove.search.tree_search import SearchWork, prove_by_instances

Prove = Callable[[Sequent], ProofTree | None]


def by_case(sequent: Sequent, case: Expr, then: Prove, otherwise: Prove) -> ProofTree | None:
    """Return a tree that distinguishes two cases; None if one of them is not proved."""
    yes = then(sequent.assuming(case))
    no = yes and otherwise(sequent.assuming(negation(case)))
    return no and ProofTree(case=case, yes=yes, no=no)


def by_order(
    sequent: Sequent, work: SearchWork, value: Expr, said: Expr, larger: Prove, smaller: Prove
) -> ProofTree | None:
    """Return a tree for ``value == said`` with the cases that the value is larger, smaller, and neither."""
    return by_case(
        sequent,
        compare("<", said, value),
        larger,
        lambda rest: by_case(rest, compare("<", value, said), smaller, with_facts(work)),
    )


def by_facts(
    sequent: Sequent, work: SearchWork, *facts: CoreFact, idle: frozenset[int] = frozenset()
) -> ProofTree | None:
    """Return a tree that begins with these facts, and then with what the search finds; None if it finds nothing.

    idle: hypotheses that are not looked at.
    """
    after = reduce(lambda to, fact: add(fact, to), facts, sequent)
    using = [number for number in range(len(after.hypotheses)) if number not in idle]
    tree = prove_by_instances(after, work, using, idle)
    return tree and tree.model_copy(update={"facts": (*facts, *tree.facts)})


def with_facts(work: SearchWork, *facts: CoreFact) -> Prove:
    """Return the proof ``by_facts`` of any sequent, with these facts."""
    return lambda sequent: by_facts(sequent, work, *facts)


OfMove = Callable[[int, tuple[Expr, ...], Sequent, frozenset[int]], ProofTree | None]


def by_options(
    sequent: Sequent, work: SearchWork, mex: MexOption, then: OfMove, idle: frozenset[int] = frozenset()
) -> ProofTree | None:
    """Return a tree with a case for each move whose option has the value, and one for none of them.

    then: returns the tree for the option of a move, given the move's number, its choices, the sequent of the case and
    the hypotheses that are not looked at: ``idle``, the definition of mex, and that the moves before reach nothing.
    """
    after, begin = add(mex, sequent), len(sequent.hypotheses)
    said, moves = after.hypotheses[-1], sequent.theory.game(mex.values).moves
    options = said.terms[1:] if isinstance(said, Logic) and said.op == "or" else ()
    names = map(Name, after.names[len(sequent.names) :])
    choices = [tuple(next(names) for _ in move.choices) for move in moves]
    if len(options) != len(moves):
        return None

    def from_move(move: int, here: Sequent) -> ProofTree | None:
        if move == len(moves):
            using = [number for number in range(len(here.hypotheses)) if number not in idle]
            return prove_by_instances(here, work, using, idle, numbers=options)
        seen = idle.union(range(begin, begin + move + 1))
        return by_case(
            here,
            options[move],
            lambda case: then(move, choices[move], case, seen),
            lambda case: from_move(move + 1, case),
        )

    tree = from_move(0, after)
    return tree and tree.model_copy(update={"facts": (mex, *tree.facts)})
