"""Trees for the values of sums: the value is the nim-sum of the values of the parts (Sprague and Grundy)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from grundylab.language.substitution import substitute
from grundylab.language.syntax import Call, Compare, Expr, chain, compare, operands
from grundylab.prove.core.facts import CoreFact, MexOption
from grundylab.prove.core.instances import ProofTree
from grundylab.prove.core.sequent import Sequent
from grundylab.prove.search.guided import by_case, by_facts, by_options, by_order
from grundylab.prove.search.options import at_option, difference, option_by, smaller_at
from grundylab.prove.search.tree_search import SearchWork


def sum_tree(sequent: Sequent, work: SearchWork) -> ProofTree | None:
    """Return a tree for a goal G(v) == A ^ B ^ .. about the value of a sum; None if it is none, or none is found.

    If G(v) is larger, a move from v leads to the value A ^ B ^ .., and changes one of A, B, .. If it is smaller,
    G(v) ^ B ^ .. is less than A, or the same is true of another part. A move leads from A to it, and from v to G(v).
    """
    goal, values = sequent.goal, sequent.theory.values
    if not isinstance(goal, Compare) or goal.ops != ("==",):
        return None
    value, said = goal.terms
    parts = [part for part in operands(said, "^") if isinstance(part, Call) and part.name in values]
    if not isinstance(value, Call) or value.name not in values:
        return None
    if len(parts) < 2 or len(parts) < len(operands(said, "^")):
        return None
    return _Sum(value, said, tuple(parts), work).tree(sequent)


@dataclass(frozen=True)
class _Sum:
    """The search for a tree of G(v) == A ^ B ^ .. value: G(v). said: A ^ B ^ .. parts: A, B, .."""

    value: Call
    said: Expr
    parts: tuple[Call, ...]
    work: SearchWork

    def tree(self, sequent: Sequent) -> ProofTree | None:
        """Return a tree with the cases that G(v) is larger, smaller, and neither."""
        above = MexOption(values=self.value.name, place=self.value.arguments, k=self.said)
        return by_order(
            sequent,
            self.work,
            self.value,
            self.said,
            lambda larger: by_options(larger, self.work, above, self._larger),
            partial(self._smaller, self.parts),
        )

    def _larger(
        self, move: int, choices: tuple[Expr, ...], case: Sequent, idle: frozenset[int]
    ) -> ProofTree | None:
        facts: list[CoreFact] = [smaller_at(case, self.value, move, choices)]
        for part in self.parts:
            option = self._after(case, part, move, choices)
            for number, rules in enumerate(case.theory.game(part.name).moves):
                if len(rules.choices) == len(choices) and option_by(case, part, number, choices) == option:
                    facts.append(difference(part, number, choices))
        return by_facts(case, self.work, *facts, idle=idle)

    def _smaller(self, parts: Sequence[Call], sequent: Sequent) -> ProofTree | None:
        if not parts:
            return by_facts(sequent, self.work)
        part, *rest = parts
        k = chain("^", [self.value, *(other for other in self.parts if other != part)])
        mex = MexOption(values=part.name, place=part.arguments, k=k)
        return by_case(
            sequent,
            compare("<", k, part),
            lambda case: by_options(case, self.work, mex, partial(self._followed, part)),
            partial(self._smaller, rest),
        )

    def _followed(
        self, part: Call, move: int, choices: tuple[Expr, ...], case: Sequent, idle: frozenset[int]
    ) -> ProofTree | None:
        option, facts = option_by(case, part, move, choices), list[CoreFact]()
        for number, rules in enumerate(case.theory.game(self.value.name).moves):
            if len(rules.choices) == len(choices) and self._after(case, part, number, choices) == option:
                facts += at_option(case, self.value, number, choices)
        return by_facts(case, self.work, *facts, idle=idle)

    def _after(self, sequent: Sequent, part: Call, move: int, choices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Return the position that a part becomes by a move from v."""
        option = option_by(sequent, self.value, move, choices)
        given = dict(zip(sequent.theory.game(self.value.name).coordinate_names, option, strict=True))
        return tuple(sequent.theory.plain(substitute(a, given)) for a in part.arguments)
