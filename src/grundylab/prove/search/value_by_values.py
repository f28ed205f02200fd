"""Trees for values that another game has at values: G(v) == H(.., G(u), ..), as of a sum with one pass."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.language.syntax import Call, Compare, Expr
from grundylab.prove.core.facts import MexOption, ValueDifference
from grundylab.prove.core.instances import ProofTree
from grundylab.prove.core.sequent import Sequent
from grundylab.prove.search.guided import by_facts, by_options, by_order
from grundylab.prove.search.options import at_option, difference, option_by, smaller_at
from grundylab.prove.search.tree_search import SearchWork


def image_tree(sequent: Sequent, work: SearchWork) -> ProofTree | None:
    """Return a tree for a goal G(v) == H(.., G(u), ..) about values of two games by lemmas; None if none is found.

    If G(v) is larger, a move from v leads to it; it changes G(u) for some u, and so the position of which H gives the
    value. If G(v) is smaller, a move there leads to G(v), and makes some G(u) smaller; so does a move from v.
    """
    goal, values = sequent.goal, sequent.theory.values
    if not sequent.lemmas or not isinstance(goal, Compare) or goal.ops != ("==",):
        return None
    value, said = goal.terms
    if not isinstance(value, Call) or not isinstance(said, Call) or not {value.name, said.name} <= {*values}:
        return None
    if any(isinstance(argument, Call) and argument.name == value.name for argument in said.arguments):
        return _Image(value, said, work).tree(sequent)
    return None


@dataclass(frozen=True)
class _Image:
    """The search for a tree of G(v) == H(.., G(u), ..). value: G(v). said: H(.., G(u), ..)."""

    value: Call
    said: Call
    work: SearchWork

    def tree(self, sequent: Sequent) -> ProofTree | None:
        """Return a tree with the cases that G(v) is larger, smaller, and neither."""
        above = MexOption(values=self.value.name, place=self.value.arguments, k=self.said)
        below = MexOption(values=self.said.name, place=self.said.arguments, k=self.value)
        return by_order(
            sequent,
            self.work,
            self.value,
            self.said,
            lambda larger: by_options(larger, self.work, above, self._larger),
            lambda smaller: by_options(smaller, self.work, below, self._smaller),
        )

    def _passes(self, sequent: Sequent, call: Call) -> list[ValueDifference]:
        """Return that a value differs from those of the options by moves without a choice."""
        moves = enumerate(sequent.theory.game(call.name).moves)
        return [difference(call, number, ()) for number, move in moves if not move.choices]

    def _larger(
        self, move: int, choices: tuple[Expr, ...], case: Sequent, idle: frozenset[int]
    ) -> ProofTree | None:
        inner = (a for a in self.said.arguments if isinstance(a, Call) and a.name == self.value.name)
        differ = (
            [difference(call, move, choices) for call in inner] if choices else self._passes(case, self.said)
        )
        return by_facts(case, self.work, smaller_at(case, self.value, move, choices), *differ, idle=idle)

    def _smaller(
        self, move: int, choices: tuple[Expr, ...], case: Sequent, idle: frozenset[int]
    ) -> ProofTree | None:
        option = option_by(case, self.said, move, choices)
        for one, other in zip(self.said.arguments, option, strict=True):
            if isinstance(one, Call) and one.name == self.value.name and one != other:
                mex = MexOption(values=one.name, place=one.arguments, k=other)
                return by_options(case, self.work, mex, self._followed, idle)
        return by_facts(case, self.work, *self._passes(case, self.value), idle=idle)

    def _followed(
        self, move: int, choices: tuple[Expr, ...], case: Sequent, idle: frozenset[int]
    ) -> ProofTree | None:
        return by_facts(case, self.work, *at_option(case, self.value, move, choices), idle=idle)
