"""A search for trees of instances, guided by counter-models.

Automata decide the goal from a few facts. If it does not follow, they give a counter-model: numbers for all names and
terms with which the facts are true and the goal is false. The search adds a fact that is false there, and asks again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import islice

from grundylab.errors import GrundylabError
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Kind,
    Logic,
    Name,
    Not,
    conjuncts,
    disjunction,
    distinct_parts,
)
from grundylab.prove.core.closing import (
    Decisions,
    elimination,
    in_range,
)
from grundylab.prove.core.definedness import implied, negation
from grundylab.prove.core.facts import (
    ArithmeticInstance,
    Congruence,
    CoreFact,
    Expansion,
    FreeProperty,
    LemmaInstance,
    MexOption,
    NamedWitness,
    SmallerInstance,
    add,
    instance,
    written_out,
)
from grundylab.prove.core.instances import Lemma, ProofTree, failing, fixed_point
from grundylab.prove.core.sequent import Sequent
from grundylab.prove.search.branch import Branch
from grundylab.prove.search.candidates import (
    ARITHMETIC,
    FURTHER_OPTIONS,
    OPTIONS,
    SIMPLE,
    candidates,
    smaller_instances,
)
from grundylab.prove.search.contradictions import contradict
from grundylab.prove.search.counter_models import CounterModel, value_in
from grundylab.prove.search.drawn_models import drawn_models
from grundylab.prove.search.options import at_option
from grundylab.prove.search.solved_choices import SolvedChoice, claimed_formula, solved_choices
from grundylab.prove.search.splits import promising_splits
from grundylab.prove.search.unreadable_terms import is_read_with_its_parts, opaque_terms
from grundylab.statement import Statement

SPLITS = 2  # splits below each other
MOST_CANDIDATES = 150  # facts that are tried on the counter-models before one of them is added
MOST_SPLITS = 6  # ways to split one branch
SPINE = 4  # splits of which a branch is the second case
FAR = 4  # new terms that a row of arithmetic counts for in addition, if it has any


@dataclass
class SearchWork:
    """The work that a search may still do.

    decisions: to automata that do not prove a goal. cells: of transition tables, for each decision. total: the same for
    all decisions. values: the numbers of the lemmas that give all values of a game. why: what stopped the search last.
    failed: statements for which these lemmas, with so many decisions, led to no tree. meanings: for statements and the
    lemmas that bound their functions, the trees that they have a value; None where none was found.
    """

    decisions: int = 160
    cells: int = 20_000_000
    total: int = 600_000_000
    values: frozenset[int] = frozenset()
    why: str = ""
    failed: list[tuple[Statement, frozenset[Lemma], int]] = field(default_factory=list)
    meanings: dict[tuple[Statement, tuple[Lemma, ...]], ProofTree | None] = field(default_factory=dict)

    def has_failed(self, statement: Statement, lemmas: frozenset[Lemma], decisions: int) -> bool:
        """Tell whether all these lemmas, and perhaps more, led to no tree, with no fewer decisions."""
        return any(
            of == statement and lemmas <= tried and decisions <= most for of, tried, most in self.failed
        )


# -- the search --------------------------------------------------------------------------------------------------------


def prove_by_instances(
    sequent: Sequent,
    work: SearchWork,
    using: Sequence[int] | None = None,
    idle: frozenset[int] = frozenset(),
    numbers: Sequence[Expr] = (),
) -> ProofTree | None:
    """Return a tree that proves the sequent; None if none is found with this work.

    using: the hypotheses to begin with, if not all. idle: hypotheses that the search does not look at. numbers: terms
    that automata are not to read, if the goal is neither a conjunction nor a disjunction. Each part of a
    conjunction is a goal of its own, all parts of a disjunction but one become hypotheses, and a condition on all
    numbers of a range is proved of a new name.
    """
    goal, count = sequent.goal, len(sequent.hypotheses)
    using = range(count) if using is None else using
    if isinstance(goal, Bounded) and _is_quantified(goal, "all"):  # if it is false, it is false at a new name
        fact = NamedWitness(of=goal)
        after = add(fact, sequent)
        name = Name(after.names[-1])
        said = implied(in_range(goal.start, name, goal.stop), instance(goal, name))
        tree = prove_by_instances(replace(after, goal=said), work, using, idle | {count})
        yes = ProofTree(using=(count, count + 1), numbers=(goal, *opaque_terms(said)))
        return tree and ProofTree(facts=(fact,), cut=said, yes=yes, no=tree)
    if not isinstance(goal, Logic):
        search = _Search(sequent, work, _Above(idle=idle))
        search.terms = (*numbers, *search.terms)
        for number in using:
            search.use(number)
        return search.by_fixed_points() or search.tree()
    if goal.op == "and":
        return goals_in_turn(sequent, lambda part: _without_cost(part, work, using, idle))
    first = next((part for part in goal.terms if not _is_quantified(part, "all")), goal.terms[0])
    rest = disjunction(*(part for part in goal.terms if part is not first))
    inner = replace(sequent.assuming(negation(first)), goal=rest)
    begin = using if _is_quantified(first, "any") else (*using, count)
    tree = prove_by_instances(inner, work, begin, idle)
    if tree is None:
        return None
    fewest = min((*goal.terms,), (first, *opaque_terms(rest)), key=len)
    no = ProofTree(cut=rest, yes=ProofTree(using=(count + 1,), numbers=fewest), no=tree)
    return ProofTree(case=first, yes=ProofTree(using=(count,), numbers=fewest), no=no)


def _without_cost(
    part: Sequent, work: SearchWork, using: Sequence[int], idle: frozenset[int]
) -> ProofTree | None:
    """Return a tree for a part of the goal; if one is found, the other parts have as many decisions as it had."""
    decisions = work.decisions
    tree = prove_by_instances(part, work, using, idle)
    if tree is not None:
        work.decisions = decisions
    return tree


def _is_quantified(goal: Expr, quantifier: str) -> bool:
    """Tell whether the goal is a quantified condition that automata do not read."""
    return isinstance(goal, Bounded) and goal.quantifier == quantifier and goal in opaque_terms(goal)


def goals_in_turn(sequent: Sequent, prove: Callable[[Sequent], ProofTree | None]) -> ProofTree | None:
    """Return a tree for a conjunction, with a tree for each part, which may use the parts before it."""
    goals, begin = conjuncts(sequent.goal), len(sequent.hypotheses)
    if len(goals) == 1:
        return prove(sequent)
    trees = list[ProofTree]()
    for number, goal in enumerate(goals):
        tree = prove(replace(sequent.assuming(*goals[:number]), goal=goal))
        if tree is None:
            return None
        trees.append(tree)
    last = ProofTree(using=tuple(range(begin, begin + len(goals))), numbers=goals)
    pairs = zip(reversed(goals), reversed(trees), strict=True)
    return reduce(lambda yes, pair: ProofTree(cut=pair[0], yes=yes, no=pair[1]), pairs, last)


@dataclass(frozen=True)
class _Best:
    """Facts to add. rank: minus the number of new terms, and how many models they contradict."""

    facts: tuple[CoreFact, ...]
    rank: tuple[int, int]


@dataclass(frozen=True)
class _Choice:
    """Hypotheses that were added together, by number, because they refute these models."""

    numbers: range
    models: Sequence[CounterModel]


@dataclass(frozen=True)
class _Above:
    """The way to a branch.

    used: the facts that were added, none of which is added twice. splits: how many may be below each other. spine: how
    many splits the branch may be the second case of. from_lemmas: the numbers of hypotheses that are instances of
    lemmas. idle: those that are not looked at, such as that a case before was not so. option_places: the options by
    which the definition of mex reaches a value. said: what facts say, by the names in scope; plain: simpler
    forms of expressions. All branches share both.
    """

    used: frozenset[CoreFact] = frozenset()
    splits: int = SPLITS
    spine: int = SPINE
    from_lemmas: frozenset[int] = frozenset()
    idle: frozenset[int] = frozenset()
    option_places: frozenset[tuple[Expr, ...]] = frozenset()
    said: dict[tuple[CoreFact, tuple[str, ...]], tuple[Expr, ...] | None] = field(default_factory=dict)
    plain: dict[Expr, Expr] = field(default_factory=dict)


class _Search(Branch):
    """The search on one branch."""

    def __init__(self, sequent: Sequent, work: SearchWork, above: _Above = _Above()) -> None:
        super().__init__(sequent, above.plain)
        self.work, self.used, self.above = work, set(above.used), above
        self.splits, self.spine = above.splits, above.spine
        self.from_lemmas = set(above.from_lemmas)
        self.facts = list[CoreFact]()
        self.chosen = list[_Choice]()
        self.idle = set(above.idle)
        self.decisions = Decisions([*sequent.hypotheses, sequent.goal])

    def tree(self) -> ProofTree | None:
        """Return a tree for the branch; None if none is found. Facts that make automata too large are not used."""
        decided, seen = list[int](), list[CounterModel]()
        while self.work.decisions > 0 and self.work.total > 0:
            self._add_properties()
            made = self.decisions.work.made
            try:
                fails = failing(self.sequent, self.using, self.terms, self.decisions, self.work.cells)
                models = drawn_models(self, fails, self.decisions, self.work.cells)
            except GrundylabError as error:
                self.work.decisions -= 1
                self.work.why = str(error)
                if not decided:
                    return self._by_disjuncts()
                fewer = self._refuting(seen)
                if len(fewer) == len(self.using):
                    if self.using == decided:
                        return self._by_disjuncts()
                    self.idle.update({*self.using} - {*decided})
                    fewer = [*decided]
                self.using = fewer
                continue
            finally:
                self.work.total -= self.decisions.work.made - made
            decided = [*self.using]
            if not models:
                self._leave_lemmas_out()
                return ProofTree(facts=tuple(self.facts), using=tuple(self.using), numbers=self.terms)
            self.work.decisions -= 1
            seen += models
            if (
                self._expand()
                or self._wake(models, False)
                or self._wake_quantified()
                or self._add(models, (SIMPLE,))
                or self._add(models, (ARITHMETIC, OPTIONS))
                or self._choose(models[0])
                or self._wake(models, True)
                or self._introduce(models[0])
                or self._assume(models[0])
            ):
                continue
            if (split := self._split_at(models, 1)) is not None:
                return split
            if not self._add(models, (FURTHER_OPTIONS,)):
                return self._split_at(models, 2)
        return None

    def _refuting(self, models: Sequence[CounterModel]) -> list[int]:
        """Return the hypotheses that are used, without those chosen for models that others refute, too."""
        chosen = {number for choice in self.chosen for number in choice.numbers}
        given = [number for number in self.using if number not in chosen]
        left, dropped = [at for at in models if not self._is_false(given, at)], set[int]()
        for choice in reversed(self.chosen):
            still = [at for at in left if at not in choice.models and not self._is_false(choice.numbers, at)]
            if len(still) == len(left):
                dropped.update(choice.numbers)
            left = still
        return [number for number in self.using if number not in dropped]

    def _is_false(self, numbers: Iterable[int], at: CounterModel) -> bool:
        return any(value_in(self.sequent.hypotheses[number], at) is False for number in numbers)

    def _leave_lemmas_out(self) -> None:
        """Use no lemma that is not needed, as each of them has to be proved."""
        for left_out in ([n for n in self.using if n in self.from_lemmas], *([n] for n in self.using)):
            using = [n for n in self.using if n not in left_out]
            if not self.from_lemmas.issuperset(left_out) or len(using) == len(self.using):
                continue
            with suppress(GrundylabError):
                fails = failing(self.sequent, using, self.terms, self.decisions, self.work.cells)
                self.decisions.work.give(self.work.cells)
                if elimination(fails, self.decisions.work) is None:
                    self.using = using

    def _expand(self) -> bool:
        """Write products out, with numbers that the hypotheses give for names in them.

        Where nothing is left to write out, put in the values of positions that a lemma gives for all of them.
        """
        given = self.fixed()
        added = False
        for part in dict.fromkeys(p for term in self.terms for p in products(term)):
            fact: CoreFact = Expansion(term=part)
            if written_out(part) == part:
                fixed = substitute(part, given)
                if fixed == part:
                    continue
                fact = Congruence(one=part, other=fixed)
            if fact not in self.used:
                self._adding(fact)
                added = True
        if added or not self.sequent.lemmas:
            return added
        for number in self.work.values:
            lemma = self.sequent.lemmas[number]
            about = lemma.said.calls & self.sequent.theory.values.keys()
            for call in (c for c in self.calls() if c.name in about and len(c.arguments) == len(lemma.names)):
                fact = LemmaInstance(number=number, at=call.arguments)
                if fact not in self.used:
                    self._adding(fact)
                    added = True
        return added

    def _assume(self, at: CounterModel) -> bool:
        """Assume the claim at an option by which the definition of mex reaches a value."""
        claim = self.sequent.claim
        for fact in smaller_instances(self, at):
            condition = substitute(claim.condition, claim.given(fact.at))
            skipped = fact in self.used or fact.at not in self.above.option_places
            if not skipped and value_in(condition, at) is not False:
                try:
                    self._adding(fact)
                except GrundylabError:
                    continue
                return True
        return False

    def assume_at(self, place: tuple[Expr, ...]) -> None:
        """Assume the claim at an option, if it is about these positions, has a measure, and has no quantifiers."""
        fact, claim = SmallerInstance(at=place), self.sequent.claim
        plain = not any(isinstance(part, Bounded) for part in distinct_parts(claim.said))
        if plain and claim.measure is not None and len(place) == len(claim.names):
            self._adding(fact)

    def _introduce(self, at: CounterModel) -> bool:
        """Begin with a lemma at a position of which the goal has options or, if it has no value, at the claim's own.

        A lemma that says nothing of the model is left out. Without one, begin with the property of a free function
        where the goal calls it, then at a coordinate where it does not.
        """
        options = (pair for whole in self.some for pair in self.where_none_is_taken(whole))
        places = [(call.name, call.arguments) for call, _ in options]
        names = self.sequent.claim.names
        for values, game in self.sequent.theory.values.items() if not self.calls() else ():
            if names[: len(game.coordinates)] == game.coordinate_names:
                places.append((values, tuple(map(Name, game.coordinate_names))))
        for values, place in places:
            for number in self.about_values(values):
                fact = LemmaInstance(number=number, at=place)
                said = self._said([fact]) if fact not in self.used else None
                if said and not all(value_in(condition, at) for condition in said):
                    self._adding(fact)
                    return True
        free, goal = self.sequent.theory.free, self.sequent.goal
        parts = (part for part in distinct_parts(goal) if isinstance(part, Call))
        places = [(call.name, call.arguments) for call in parts if call.name in free and call in self.terms]
        called = {call.name for call in self.calls(free) if len(call.arguments) == 1}
        coordinates = [Name(name) for name in names if name in goal.free]
        places += [(name, (coordinate,)) for name in sorted(called) for coordinate in coordinates]
        for name, place in places:
            of_function = FreeProperty(function=name, at=place)
            if of_function not in self.used:
                self._adding(of_function)
                return True
        return False

    def _wake(self, models: Sequence[CounterModel], unknown: bool) -> bool:
        """Use a hypothesis that is false in the first model or, if ``unknown``, one without a value there."""
        for number, said in enumerate(self.sequent.hypotheses):
            if number not in self.using and number not in self.idle:
                value = value_in(said, models[0])
                if value is False or (unknown and value is None):
                    self.use(number)
                    return True
        return False

    def _wake_quantified(self) -> bool:
        """Use a quantified hypothesis about values, one of which has a number, that is not looked at yet."""
        for number, said in enumerate(self.sequent.hypotheses):
            whole = said.operand if isinstance(said, Not) else said
            if number in self.using or number in self.idle or not isinstance(whole, Bounded):
                continue
            if self.arguments(whole, self.sequent.theory.values):
                self.use(number)
                return True
        return False

    def _add(self, models: Sequence[CounterModel], stages: Iterable[int]) -> bool:
        """Add facts that contradict most of the models, first such as need no new terms; return False for none."""
        best: _Best | None = None
        for stage in stages:
            other = self._best(models, islice(candidates(self, models, stage), MOST_CANDIDATES))
            if other is not None and (best is None or other.rank > best.rank):
                best = other
            if best is not None and (best.rank[0] == 0 or best.rank[1] == len(models)):
                break
        if best is not None:
            said, begin = self._said(best.facts) or (), len(self.sequent.hypotheses)
            refuted = [at for at in models if contradict(self, said, at)]
            self.chosen.append(_Choice(range(begin, begin + len(best.facts)), refuted))
            self._adding(*best.facts)
        return best is not None

    def _said(self, facts: Sequence[CoreFact]) -> tuple[Expr, ...] | None:
        """Return what facts without new names say; None if one of them cannot be used."""
        cache, said = self.above.said, list[Expr]()
        for fact in facts:
            key = fact, self.sequent.names
            if key not in cache:
                try:
                    cache[key] = add(fact, self.sequent).hypotheses[len(self.sequent.hypotheses) :]
                except GrundylabError:
                    cache[key] = None
            if (one := cache[key]) is None:
                return None
            said += one
        return tuple(said)

    def _best(
        self, models: Sequence[CounterModel], candidates: Iterable[tuple[CoreFact, ...]]
    ) -> _Best | None:
        best, seen = None, set[tuple[CoreFact, ...]]()
        for proposed in candidates:
            facts = tuple(fact for fact in proposed if fact not in self.used)
            if not facts or facts in seen:
                continue
            seen.add(facts)
            said = self._said(facts)
            if said is None:
                continue
            new = len({term for condition in said for term in opaque_terms(condition)} - {*self.terms})
            far = FAR if new and isinstance(facts[0], ArithmeticInstance) else 0  # there are always such rows
            if best is not None and (-new - far, len(models)) <= best.rank:
                continue  # it cannot be better
            here = contradict(self, said, models[0])
            if not here and new:
                continue
            rank = -new - far, here + sum(contradict(self, said, at) for at in models[1:])
            if rank[1] and (best is None or rank > best.rank):
                best = _Best(facts, rank)
            if rank == (0, len(models)):
                break
        return best

    def _adding(self, *facts: CoreFact) -> None:
        """Add facts, and use them."""
        begin = len(self.sequent.hypotheses)
        self.sequent = reduce(lambda to, fact: add(fact, to), facts, self.sequent)
        self.used |= set(facts)
        self.facts += facts
        for number, fact in enumerate(facts, begin):
            self.use(number)
            if isinstance(fact, LemmaInstance):
                self.from_lemmas.add(number)

    def _add_properties(self) -> None:
        """Add the properties of free functions at names."""
        for call in self.calls(self.sequent.theory.free):
            if all(isinstance(argument, Name) for argument in call.arguments):
                fact = FreeProperty(function=call.name, at=call.arguments)
                if fact not in self.used:
                    self._adding(fact)

    def _choose(self, at: CounterModel) -> bool:
        """Name a value at which a quantified condition is true, or false, if there must be one in the model."""
        for whole in self.terms:
            if not isinstance(whole, Bounded) or whole.kind is not Kind.CONDITION:
                continue
            needed = value_in(whole, at) == (whole.quantifier == "any")
            if needed and (fact := NamedWitness(of=whole)) not in self.used:
                self._adding(fact)
                return True
        return False

    # -- formulas for values with a fixed point -----------------------------------------------------------------------

    def by_fixed_points(self) -> ProofTree | None:
        """Return a tree for a formula for values, if the choice that leads to a smaller value is a fixed point.

        If the value is larger than the formula's, an option has the formula's value. If it is smaller, some option has
        the value, as the formula says there. Return None for any other goal, or if no tree is found.
        """
        if self.sequent.goal != self.sequent.claim.said or self.sequent.claim.measure is None:
            return None
        place = tuple(map(Name, self.sequent.claim.names))
        for own in (call for call in self.calls() if call.arguments == place):
            formula = claimed_formula(self.sequent, own)
            choices = [*solved_choices(self.sequent, own, own)]
            if formula is not None and any(choice.is_image for choice in choices):
                return self._mex(own, formula, 1, partial(_Search.with_choices, own=own, choices=choices))
        return None

    def with_choices(self, own: Call, choices: Sequence[SolvedChoice]) -> ProofTree | None:
        """Return a tree in which the claim is assumed of the options of these choices; fixed points come first."""
        images = [choice for choice in choices if choice.is_image]
        if not images:
            for choice in choices:
                self._adding(*at_option(self.sequent, own, choice.move, (choice.term,)))
            return self.tree()
        point, natural, nearer = fixed_point(self.sequent, images[0].term)
        plain = replace(self.sequent.claim, measure=None)
        sides = [prove_by_instances(replace(side, claim=plain), self.work, ()) for side in (natural, nearer)]
        if None in sides:
            return None
        above = replace(self.above, used=frozenset(self.used), splits=0, spine=0)
        search = _Search(point, self.work, above)
        for number in (*self.using, len(point.hypotheses) - 1):
            search.use(number)
        rest = [choice for choice in choices if choice != images[0]]
        fixed = SolvedChoice(images[0].move, Name(point.names[-1]))
        yes = search.with_choices(own, [*rest, fixed])
        return yes and ProofTree(
            facts=tuple(self.facts), image=images[0].term, yes=yes, natural=sides[0], nearer=sides[1]
        )

    # -- cases --------------------------------------------------------------------------------------------------------

    def _by_disjuncts(self) -> ProofTree | None:
        """Return a tree with a case for each part of the longest disjunction among the hypotheses that are used."""
        own = len(conjuncts(self.sequent.claim.condition))  # a fact is no case of the claim
        said = {number: self.sequent.hypotheses[number] for number in self.using if number < own}
        cases = {n: term.terms for n, term in said.items() if isinstance(term, Logic) and term.op == "or"}
        if not cases:
            return None
        number = max(cases, key=lambda n: (len(cases[n]), -n))
        parts, sequent, begin = cases[number], self.sequent, len(self.sequent.hypotheses)
        rest, trees = [n for n in self.using if n != number], list[ProofTree]()
        for index, part in enumerate(parts):
            yes = self._search(sequent.assuming(part), (), self.splits, (*rest, begin + index)).tree()
            if yes is None:
                return None
            trees.append(yes)
            sequent = sequent.assuming(negation(part))
        using, numbers = (number, *range(begin, begin + len(parts))), (*parts, *opaque_terms(sequent.goal))
        none = ProofTree(using=using, numbers=numbers)
        pairs = zip(reversed(parts), reversed(trees), strict=True)
        tree = reduce(lambda no, pair: ProofTree(case=pair[0], yes=pair[1], no=no), pairs, none)
        return tree.model_copy(update={"facts": tuple(self.facts)})

    def _split_at(self, models: Sequence[CounterModel], splits: int) -> ProofTree | None:
        """Return a tree that looks at the options of a position, one move after the other.

        It has at most this many splits below each other. Values that the goal equates come first.
        """
        if splits > self.splits or self.spine <= 0:
            return None
        for solved in (True, False):
            for call, k in islice(promising_splits(self, models[0], solved), MOST_SPLITS):
                if (tree := self._mex(call, k, splits, _Search.tree)) is not None:
                    return tree
        return None

    def _mex(
        self, call: Call, k: Expr, splits: int, below: Callable[[_Search], ProofTree | None]
    ) -> ProofTree | None:
        """Return a tree with the cases that a value is above k and that it is not, which ``below`` proves."""
        fact = MexOption(values=call.name, place=call.arguments, k=k)
        if fact in self.used or not self.sequent.founded:  # then no fact may rest on values
            return None
        above = Compare(("<=", "<"), (Int(0), k, call))
        after = add(fact, self.sequent.assuming(above))
        cases = after.hypotheses[-1]
        options = cases.terms[1:] if isinstance(cases, Logic) and cases.op == "or" else ()
        yes = self._options(after, (fact,), options, splits)
        if yes is None:
            return None
        using = (*self.using, len(self.sequent.hypotheses))
        no = below(self._search(self.sequent.assuming(negation(above)), (fact,), splits, using))
        return no and ProofTree(facts=tuple(self.facts), case=above, yes=yes, no=no)

    def _search(
        self,
        sequent: Sequent,
        facts: Sequence[CoreFact],
        splits: int,
        using: Sequence[int],
        terms: Sequence[Expr] = (),
        option: tuple[Expr, ...] | None = None,
        refuted: frozenset[int] = frozenset(),
    ) -> _Search:
        """Return the search for a case, which begins with these hypotheses.

        terms: some that are not read. option: the position that the case is about. refuted: hypotheses that cases
        before it were not so.
        """
        above = _Above(
            used=frozenset({*self.used, *facts}),
            splits=splits,
            spine=self.spine - 1 if splits else SPINE,
            from_lemmas=frozenset(self.from_lemmas),
            idle=frozenset(self.idle) | refuted,
            option_places=self.above.option_places | ({option} if option is not None else frozenset()),
            said=self.above.said,
            plain=self.above.plain,
        )
        inner = _Search(sequent, self.work, above)
        inner.terms = (*terms, *inner.terms)
        for number in using:
            inner.use(number)
        return inner

    def _options(
        self,
        after: Sequent,
        facts: tuple[CoreFact, ...],
        options: Sequence[Expr],
        splits: int,
        seen: tuple[Expr, ...] = (),
    ) -> ProofTree | None:
        """Return a tree with a case for each of the options, in which the position's value is reached.

        seen: the options before, of which none reaches it.
        """
        begin = len(self.sequent.hypotheses)  # there stands that the value is larger, and then the fact
        if not options:
            using = (*self.using, *range(begin, len(after.hypotheses)))
            tree = self._search(after, facts, 0, using, seen).tree()
        else:
            first, *rest = options
            case = after.assuming(first)
            using = (*self.using, begin, len(after.hypotheses))
            reached = conjuncts(first)[-1]  # that the option has the value
            value = reached.terms[0] if isinstance(reached, Compare) else reached
            option = value.arguments if isinstance(value, Call) else None
            refuted = frozenset(range(len(after.hypotheses) - len(seen), len(after.hypotheses)))
            reaching = self._search(case, facts, splits - 1, using, option=option, refuted=refuted)
            if isinstance(value, Call) and value.name in {own.name for own in self.own_calls()}:
                reaching.assume_at(value.arguments)
            yes = reaching.tree()
            no = yes and self._options(after.assuming(negation(first)), (), rest, splits, (*seen, first))
            tree = no and ProofTree(case=first, yes=yes, no=no)
        return tree and tree.model_copy(update={"facts": (*facts, *tree.facts)})


def products(expr: Expr) -> Iterator[Expr]:
    """Yield the products in a term that automata cannot read, and that have no bound variable."""
    if isinstance(expr, Binary) and expr.op == "*":
        yield expr
        for child in expr.children:
            yield from products(child) if not is_read_with_its_parts(child) else ()
