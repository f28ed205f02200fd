"""The window of a pile: a lemma about games with a move that takes 1 to c(x) of x stones, and a tree that proves it.

Let c(0) = 0, and let c rise by 0 or 1 from each x to the next. The lemma says of each x, and each k from 0 to c(x): the
value of x is c(x) where c rises, and that of x - c(x) - 1 elsewhere; among the piles x - c(x) to x there is one with
the value k; their values are at most c(x); and c falls by at most k from x to x - k. Its proof is by induction on x.
(Levine, *Fractal sequences and restricted Nim*, Ars Combinatoria 80, 2006.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.language.names import fresh_bound_name, user_name
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
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
    conjuncts,
    equalities,
)
from grundylab.prove.core.claims import ProofRoot
from grundylab.prove.core.closing import Decisions, example
from grundylab.prove.core.facts import (
    Instantiation,
    MexOption,
    NamedWitness,
    SmallerInstance,
)
from grundylab.prove.core.instances import Lemma, LemmaVariable, ProofTree
from grundylab.prove.core.sequent import Sequent, Universal, new_name
from grundylab.prove.search.guided import by_case, with_facts
from grundylab.prove.search.options import difference
from grundylab.prove.search.tree_search import SearchWork, goals_in_turn

ONE = Int(1)


@dataclass(frozen=True)
class Window:
    """A pile from which a move takes 1 to ``most`` stones.

    values: the function of the game's values. number: the place of the pile among the coordinates.
    """

    values: str
    game: Ruleset
    move: int
    number: int
    most: Expr

    @property
    def pile(self) -> Name:
        """The number of stones."""
        return Name(self.game.coordinate_names[self.number])

    def place(self, stones: Expr) -> tuple[Expr, ...]:
        """Return the position with this number of stones, and else the game's own coordinates."""
        names = self.game.coordinate_names
        return tuple(stones if n == self.number else Name(name) for n, name in enumerate(names))

    def value(self, stones: Expr) -> Call:
        """Return the value of the position with this number of stones."""
        return Call(self.values, self.place(stones))

    def most_of(self, stones: Expr) -> Expr:
        """Return how many of so many stones may be taken."""
        return substitute(self.most, {self.pile.id: stones})

    @property
    def taken(self) -> str:
        """The bound variable of the lemma."""
        return fresh_bound_name("t", [])

    @property
    def variable(self) -> str:
        """The variable of the lemma."""
        return user_name("k", {*self.game.formula_names, *self.game.bounds})

    def some(self, stones: Expr, k: Expr) -> Expr:
        """Return the condition that a pile in the window of so many stones has the value k."""
        taken = Name(self.taken)
        has = compare("==", self.value(_minus(stones, taken)), k)
        return Bounded("any", taken.id, Int(0), Binary("+", self.most_of(stones), ONE), has)

    @property
    def says(self) -> tuple[Expr, ...]:
        """The four things that the lemma says."""
        x, k = self.pile, Name(self.variable)
        rises = compare(">", self.most, self.most_of(_minus(x, ONE)))
        return (
            compare(">=", Binary("+", self.most_of(_minus(x, k)), k), self.most),
            compare("==", self.value(x), self.value_said(rises)),
            compare("<=", self.value(_minus(x, k)), self.most),
            self.some(x, k),
        )

    def value_said(self, rises: Expr) -> Expr:
        """Return the value of the pile, with ``rises`` as the condition that c rises."""
        x = self.pile
        first = compare("==", x, Int(0))
        return If(first, Int(0), If(rises, self.most, self.value(_minus(_minus(x, self.most), ONE))))


def _minus(a: Expr, b: Expr) -> Expr:
    return Binary("-", a, b)


def windows(root: ProofRoot) -> Iterator[Window]:
    """Yield the piles of the theory's games from which a move takes 1 to so many stones as the pile allows.

    The move must be possible under no further condition.
    """
    for values, game in root.theory.values.items():
        place = [Name(name) for name in game.coordinate_names]
        for (index, move), number in product(enumerate(game.moves), range(len(place))):
            if len(move.choices) != 1 or move.when != TRUE or len(move.parts) != 1:
                continue
            (choice,), (part,) = move.choices, move.parts
            taken = _minus(place[number], Name(choice.name))
            if choice.range.low == ONE and list(part) == [*place[:number], taken, *place[number + 1 :]]:
                yield Window(values, game, index, number, root.theory.plain(choice.range.high))


def window_lemmas(root: ProofRoot) -> Iterator[tuple[Window, Lemma]]:
    """Yield the piles, each with the lemma about it, where no other move can be made.

    The lemma's condition is the claim's on other coordinates than the pile, or else that the pass is used up, too.
    """
    for window in windows(root):
        others = {*window.game.coordinate_names} - {window.pile.id}
        terms = conjuncts(root.claim.condition) if window.values == root.own else ()
        own = [term for term in terms if term.free and term.free <= others]
        regions = [conjunction(*own)]
        if (flag := window.game.pass_flag) is not None:
            used = equalities([(flag, 0)])
            regions.append(conjunction(*(term for term in own if flag not in term.free), used))
        where = next((region for region in dict.fromkeys(regions) if _is_alone(window, region)), None)
        if where is not None:
            variable = LemmaVariable(name=window.variable, low=Int(0), high=window.most)
            yield (
                window,
                Lemma(
                    values=window.values,
                    target=ALWAYS,
                    formula=conjunction(*window.says),
                    where=where,
                    variables=(variable,),
                ),
            )


def _is_alone(window: Window, where: Expr) -> bool:
    """Tell whether automata see that no other move can be made."""
    for number, move in enumerate(window.game.moves):
        if number == window.move:
            continue
        try:
            decisions = Decisions([where, move.when])
            inside = (choice.inside for choice in move.choices)
            both = decisions.failing([where, *inside, move.when], FALSE, cells=1_000_000)
            if example(both, decisions.work) is not None:
                return False
        except GrundylabError:
            return False
    return True


# -- its proof --------------------------------------------------------------------------------------------------------


def window_tree(root: ProofRoot, sequent: Sequent, work: SearchWork) -> ProofTree | None:
    """Return a tree for the claim if it is the lemma about a window; None if it is not, or none is found."""
    for window in windows(root):
        if root.theory.plain(conjunction(*window.says)) == root.claim.said:
            return _Proof(window, root.claim, work).tree(sequent)
    return None


class _Proof:
    """The search for a tree, which names the main facts of each case."""

    def __init__(self, window: Window, claim: Universal, work: SearchWork) -> None:
        self.window, self.claim, self.work = window, claim, work
        self.x, self.k = window.pile, Name(window.variable)
        self.before = _minus(self.x, ONE)

    def tree(self, sequent: Sequent) -> ProofTree | None:
        """Return a tree for the four things that the lemma says."""
        whole, back = self._smaller(self.window.most_of(self.before)), self._smaller(_minus(self.k, ONE))
        falls, bound = with_facts(self.work, back), with_facts(self.work, whole, back)
        proofs = iter((falls, self._value, bound, self._some))
        return goals_in_turn(sequent, lambda goal: next(proofs)(goal))

    def _smaller(self, k: Expr) -> SmallerInstance:
        given = {self.x.id: self.before, self.k.id: k}
        return SmallerInstance(at=tuple(given.get(name, Name(name)) for name in self.claim.names))

    def _value(self, sequent: Sequent) -> ProofTree | None:
        window, x = self.window, self.x
        first, value = compare("==", x, Int(0)), window.value(x)
        assert isinstance(sequent.goal, Compare)
        said = sequent.goal.terms[1]
        whole = self._smaller(window.most_of(self.before))  # about the first pile of the window before
        witness = NamedWitness(of=window.some(self.before, value))
        new = Name(new_name(sequent.made))
        below = (
            self._smaller(value),
            whole,
            witness,
            difference(value, window.move, [Binary("+", new, ONE)]),
        )
        mex = MexOption(values=window.values, place=window.place(x), k=said)
        number = sum(len(move.choices) for move in window.game.moves[: window.move])
        new = Name(new_name(sequent.made + number))
        back = _minus(Binary("+", window.most, ONE), new)  # from the option to the first pile
        differs = difference(window.value(_minus(x, new)), window.move, [back])
        above = (whole, mex, self._smaller(_minus(new, ONE)), differs)
        return by_case(
            sequent,
            first,
            with_facts(self.work, MexOption(values=window.values, place=window.place(x), k=Int(0))),
            lambda case: by_case(
                case,
                compare("<", value, said),
                with_facts(self.work, *below),
                with_facts(self.work, *above),
            ),
        )

    def _some(self, sequent: Sequent) -> ProofTree | None:
        window, goal = self.window, sequent.goal
        earlier = NamedWitness(of=window.some(self.before, self.k))
        next_one = Binary("+", Name(new_name(sequent.made)), ONE)
        return by_case(
            sequent,
            compare("==", window.value(self.x), self.k),
            with_facts(self.work, Instantiation(of=goal, at=Int(0))),
            with_facts(self.work, self._smaller(self.k), earlier, Instantiation(of=goal, at=next_one)),
        )
