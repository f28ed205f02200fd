"""A search for trees of instances, guided by counter-models.

Automata decide the goal from a few facts. If it does not follow, they give a counter-model: numbers for all names and
terms with which the facts are true and the goal is false. The search adds a fact that is false there, and asks again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial, reduce
from itertools import combinations, islice, product
from operator import contains

from grundylab.automata.dfa import Dfa, number_dfa
from grundylab.errors import GrundylabError
from grundylab.games.model import Move
from grundylab.language.functions import Function
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
    chain,
    conjuncts,
    disjunction,
    distinct_parts,
    operands,
)
from grundylab.prove.core.arithmetic import ROWS
from grundylab.prove.core.closing import (
    Decisions,
    Elimination,
    elimination,
    in_range,
    number_name,
    possible,
)
from grundylab.prove.core.definedness import implied, negation
from grundylab.prove.core.facts import (
    ArithmeticInstance,
    Congruence,
    CoreFact,
    Expansion,
    FreeProperty,
    Instantiation,
    LemmaInstance,
    MexOption,
    NamedWitness,
    RecurrenceValue,
    SmallerInstance,
    ValueDifference,
    add,
    instance,
    written_out,
)
from grundylab.prove.core.instances import ProofTree, failing, fixed_point
from grundylab.prove.core.sequent import Sequent, Universal
from grundylab.prove.kernel.simplification import simplify_condition
from grundylab.prove.search.counter_models import CounterModel, value_in
from grundylab.prove.search.row_matches import row_matches
from grundylab.prove.search.solved_choices import SolvedChoice, claimed_formula, solved_choices
from grundylab.prove.search.unreadable_terms import is_read_with_its_parts, opaque_terms

SPLITS = 2  # splits below each other
SIMPLE, ARITHMETIC, OPTIONS, FURTHER_OPTIONS = range(4)  # kinds of candidates for facts
MOST_CANDIDATES = 150  # facts that are tried on the counter-models before one of them is added
MOST_DIFFERENCES = 100  # that are tried in place of a choice
MOST_SPLITS = 6  # ways to split one branch
SPINE = 4  # splits of which a branch is the second case
FAR = 4  # new terms that a row of arithmetic counts for in addition, if it has any
MODELS = 4  # counter-models that are drawn at random


@dataclass
class SearchWork:
    """The work that a search may still do.

    decisions: to automata that do not prove a goal. cells: of transition tables, for each decision. total: the same for
    all decisions. values: the numbers of the lemmas that give all values of a game. why: what stopped the search last.
    """

    decisions: int = 80
    cells: int = 5_000_000
    total: int = 300_000_000
    values: frozenset[int] = frozenset()
    why: str = ""


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
    if isinstance(goal, Bounded) and _is_quantified(goal, "all"):
        return _of_new_name(sequent, goal, work, using, idle)
    if not isinstance(goal, Logic):
        return _tree(sequent, work, using, idle, numbers)
    if goal.op == "and":
        return goals_in_turn(sequent, lambda part: prove_by_instances(part, work, using, idle))
    first = next((part for part in goal.terms if not _is_quantified(part, "all")), goal.terms[0])
    rest = disjunction(*(part for part in goal.terms if part is not first))
    inner = replace(sequent.assuming(negation(first)), goal=rest)
    if _is_quantified(first, "any"):
        tree = prove_by_instances(inner, work, using, idle | {count})
    else:
        tree = prove_by_instances(inner, work, (*using, count), idle)
    if tree is None:
        return None
    plain = (*goal.terms,)
    no = ProofTree(cut=rest, yes=ProofTree(using=(count + 1,), numbers=plain), no=tree)
    return ProofTree(case=first, yes=ProofTree(using=(count,), numbers=plain), no=no)


def _is_quantified(goal: Expr, quantifier: str) -> bool:
    """Tell whether the goal is a quantified condition that automata do not read."""
    return isinstance(goal, Bounded) and goal.quantifier == quantifier and goal in opaque_terms(goal)


def _of_new_name(
    sequent: Sequent, goal: Bounded, work: SearchWork, using: Sequence[int], idle: frozenset[int]
) -> ProofTree | None:
    """Return a tree for a condition on all numbers of a range: if it is false, it is false at a new name."""
    count, fact = len(sequent.hypotheses), NamedWitness(of=goal)
    after = add(fact, sequent)
    name = Name(after.names[-1])
    there = implied(in_range(goal.start, name, goal.stop), substitute(goal.body, {goal.variable: name}))
    tree = prove_by_instances(replace(after, goal=there), work, using, idle | {count})
    if tree is None:
        return None
    yes = ProofTree(using=(count, count + 1), numbers=(goal, *opaque_terms(there)))
    return ProofTree(facts=(fact,), cut=there, yes=yes, no=tree)


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


def _tree(
    sequent: Sequent,
    work: SearchWork,
    using: Iterable[int],
    idle: frozenset[int],
    numbers: Sequence[Expr],
) -> ProofTree | None:
    search = _Search(sequent, work, _Above(idle=idle))
    search.terms = (*numbers, *search.terms)
    for number in using:
        search.use(number)
    return search.by_fixed_points() or search.tree()


@dataclass(frozen=True)
class _Best:
    """Facts to add. rank: minus the number of new terms, and how many models they contradict."""

    facts: tuple[CoreFact, ...]
    rank: tuple[int, int]


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


class _Search:
    """The search on one branch."""

    def __init__(self, sequent: Sequent, work: SearchWork, above: _Above = _Above()) -> None:
        self.sequent, self.work, self.used, self.above = sequent, work, set(above.used), above
        self.splits, self.spine = above.splits, above.spine
        self.from_lemmas = set(above.from_lemmas)
        self.facts = list[CoreFact]()
        self.using = list[int]()
        self.terms: tuple[Expr, ...] = ()
        self._places = dict[tuple[int, int], list[tuple[str, tuple[int, ...] | None, int]]]()
        self.decisions = Decisions([*sequent.hypotheses, sequent.goal])
        self._number(sequent.goal)

    def _number(self, expr: Expr) -> None:
        """Put numbers in place of terms that automata do not read, and of values that are their arguments."""
        for term in opaque_terms(expr):
            inner = term.arguments if isinstance(term, Call) else ()
            values = (p for p in inner if isinstance(p, Call) and p.name in self.sequent.theory.values)
            self.terms += tuple(each for each in (term, *values) if each not in self.terms)

    def use(self, number: int) -> None:
        """Let automata decide from this hypothesis, too."""
        self.using.append(number)
        self._number(self.sequent.hypotheses[number])

    def tree(self) -> ProofTree | None:
        """Return a tree for the branch; None if none is found."""
        while self.work.decisions > 0 and self.work.total > 0:
            self._add_properties()
            made = self.decisions.work.made
            try:
                fails = failing(self.sequent, self.using, self.terms, self.decisions, self.work.cells)
                models = self._models(fails)
            except GrundylabError as error:
                self.work.decisions -= 1
                self.work.why = str(error)
                return self._by_disjuncts()
            finally:
                self.work.total -= self.decisions.work.made - made
            if not models:
                self._leave_lemmas_out()
                return ProofTree(facts=tuple(self.facts), using=tuple(self.using), numbers=self.terms)
            self.work.decisions -= 1
            if (
                self._expand()
                or self._evaluate()
                or self._wake(models, False)
                or self._add(models, (SIMPLE,))
                or self._add(models, (ARITHMETIC, OPTIONS))
                or self._choose(models[0])
                or self._wake(models, True)
                or self._introduce()
                or self._assume(models[0])
            ):
                continue
            if (found := self._split_at(models, 1)) is not None:
                return found
            if not self._add(models, (FURTHER_OPTIONS,)):
                return self._split_at(models, 2)
        return None

    def _leave_lemmas_out(self) -> None:
        """Use no lemma that is not needed, as each of them has to be proved."""
        for left_out in ([n for n in self.using if n in self.from_lemmas], *([n] for n in self.using)):
            using = [n for n in self.using if n not in left_out]
            if (
                self.from_lemmas.issuperset(left_out)
                and len(using) < len(self.using)
                and self._follows(using)
            ):
                self.using = using

    def _follows(self, using: Sequence[int]) -> bool:
        try:
            fails = failing(self.sequent, using, self.terms, self.decisions, self.work.cells)
            self.decisions.work.give(self.work.cells)
            return elimination(fails, self.decisions.work) is None
        except GrundylabError:
            return False

    def _models(self, fails: Sequence[Dfa]) -> list[CounterModel]:
        """Return counter-models, drawn at random, with the true values of arithmetic where they have any."""
        self.decisions.work.give(self.work.cells)
        eliminated = elimination(fails, self.decisions.work)
        if eliminated is None:
            return []
        draw = random.Random(0)
        found = [self._drawn(eliminated, draw) for _ in range(MODELS)]
        return list({tuple(sorted(at.items())): at for at in found}.values())

    def _drawn(self, eliminated: Elimination, draw: random.Random) -> CounterModel:
        at, work = dict[str, int](), self.decisions.work
        work.give(self.work.cells)
        terms = {number_name(index): term for index, term in enumerate(self.terms)}
        every = ((name, whole) for track, whole in reversed(eliminated) for name in _in_turn(track, whole))
        for track, whole in every:
            if track in at:
                continue
            numbers = possible(whole, at)
            true = value_in(terms[track], at, self.terms) if track in terms else None
            wanted = [] if true is None else [number_dfa(track, int(true), work)]
            wanted += [number_dfa(track, draw.randrange(1, 24), work) for _ in range(2)]
            wanted += [self._within(track, low, low + 3) for low in (draw.randrange(1, 16), 1)]
            nearer = (numbers & each for each in wanted)
            chosen = next((each for each in nearer if not each.is_empty), numbers).example()
            at[track] = (chosen or {}).get(track, 0)
        names = (*self.sequent.names, *terms)
        return {name: at[name] if name in at else draw.randrange(1, 16) for name in names}

    def _within(self, name: str, low: int, high: int) -> Dfa:
        return self.decisions.reader.true(Compare(("<=", "<="), (Int(low), Name(name), Int(high))))

    def _expand(self) -> bool:
        """Write products out, and put in numbers that the hypotheses give for names in them."""
        given = self._fixed()
        added = False
        for part in dict.fromkeys(p for term in self.terms for p in products(term)):
            fact: CoreFact = Expansion(term=part)
            if written_out(part) == part:
                fixed = substitute(part, given)
                fact = Congruence(one=part, other=fixed)
                if fixed == part:
                    continue
            if fact not in self.used:
                self._adding((fact,), add(fact, self.sequent))
                added = True
        return added

    def _evaluate(self) -> bool:
        """Put in the values of positions that a lemma gives for all of them."""
        added = False
        for number in self.work.values if self.sequent.lemmas else ():
            lemma = self.sequent.lemmas[number]
            about = lemma.said.calls & self.sequent.theory.values.keys()
            for call in (call for call in self._calls() if call.name in about):
                fact = LemmaInstance(number=number, at=call.arguments)
                if fact not in self.used:
                    self._adding((fact,), add(fact, self.sequent))
                    added = True
        return added

    def _assume(self, at: CounterModel) -> bool:
        """Assume the claim at an option by which the definition of mex reaches a value."""
        claim = self.sequent.claim
        for fact in self._smaller(at):
            there = substitute(claim.condition, claim.given(fact.at))
            known = fact in self.used or fact.at not in self.above.option_places
            if not known and value_in(there, at, self.terms) is not False:
                try:
                    self._adding((fact,), add(fact, self.sequent))
                except GrundylabError:
                    continue
                return True
        return False

    def assume_at(self, place: tuple[Expr, ...]) -> None:
        """Assume the claim at an option, if it is about these positions and has a measure."""
        fact = SmallerInstance(at=place)
        if self.sequent.claim.measure is not None and len(place) == len(self.sequent.claim.names):
            self._adding((fact,), add(fact, self.sequent))

    def _introduce(self) -> bool:
        """Begin with a lemma at the claim's own position, if no value of the game is mentioned yet."""
        theory, names = self.sequent.theory, self.sequent.claim.names
        for values, game in theory.values.items() if not self._calls() else ():
            if names[: len(game.coordinates)] == game.coordinate_names:
                place = tuple(map(Name, game.coordinate_names))
                for number in self._about_values(values):
                    fact = LemmaInstance(number=number, at=place)
                    if fact not in self.used:
                        self._adding((fact,), add(fact, self.sequent))
                        return True
        return False

    def _fixed(self) -> dict[str, int]:
        """Return the names that the hypotheses fix to a number, by an equation or by equal ends of a range."""
        said = [term for number in self.using for term in conjuncts(self.sequent.hypotheses[number])]
        links = {link for term in said if isinstance(term, Compare) for link in term.links}
        found = {
            a.id: b.value for op, a, b in links if op == "==" and isinstance(a, Name) and isinstance(b, Int)
        }
        highs = ((a.id, b) for op, a, b in links if op == "<=" and isinstance(a, Name) and isinstance(b, Int))
        return found | {name: high.value for name, high in highs if ("<=", high, Name(name)) in links}

    def _wake(self, models: Sequence[CounterModel], unknown: bool) -> bool:
        """Use a hypothesis that is false in the first model or, if ``unknown``, one without a value there."""
        for number, said in enumerate(self.sequent.hypotheses):
            if number not in self.using and number not in self.above.idle:
                value = value_in(said, models[0], self.terms)
                if value is False or (unknown and value is None):
                    self.use(number)
                    return True
        return False

    def _add(self, models: Sequence[CounterModel], stages: Iterable[int]) -> bool:
        """Add facts that contradict most of the models, first such as need no new terms; return False for none."""
        best: _Best | None = None
        for stage in stages:
            other = self._best(models, islice(self.candidates(models, stage), MOST_CANDIDATES))
            if other is not None and (best is None or other.rank > best.rank):
                best = other
            if best is not None and (best.rank[0] == 0 or best.rank[1] == len(models)):
                break
        if best is not None:
            self._adding(
                best.facts, reduce(lambda sequent, fact: add(fact, sequent), best.facts, self.sequent)
            )
        return best is not None

    def _said(self, facts: Sequence[CoreFact]) -> tuple[Expr, ...] | None:
        """Return what facts without new names say; None if one of them cannot be used."""
        known, said = self.above.said, list[Expr]()
        for fact in facts:
            key = fact, self.sequent.names
            if key not in known:
                try:
                    known[key] = add(fact, self.sequent).hypotheses[len(self.sequent.hypotheses) :]
                except GrundylabError:
                    known[key] = None
            if (one := known[key]) is None:
                return None
            said += one
        return tuple(said)

    def _best(
        self, models: Sequence[CounterModel], candidates: Iterable[tuple[CoreFact, ...]]
    ) -> _Best | None:
        best, seen = None, set[tuple[CoreFact, ...]]()
        for each in candidates:
            facts = tuple(fact for fact in each if fact not in self.used)
            if not facts or facts in seen:
                continue
            seen.add(facts)
            said = self._said(facts)
            if said is None:
                continue
            new = len({term for condition in said for term in opaque_terms(condition)} - {*self.terms})
            here = self._contradict(said, models[0])
            if not here and new:
                continue
            if new and isinstance(facts[0], ArithmeticInstance):
                new += FAR  # there are always such rows
            rank = -new, here + sum(self._contradict(said, at) for at in models[1:])
            if rank[1] and (best is None or rank > best.rank):
                best = _Best(facts, rank)
            if rank == (0, len(models)):
                break
        return best

    def _adding(self, facts: tuple[CoreFact, ...], after: Sequent) -> None:
        begin = len(self.sequent.hypotheses)
        self.sequent = after
        self.used |= set(facts)
        self.facts += facts
        for number, fact in enumerate(facts, begin):
            self.use(number)
            if isinstance(fact, LemmaInstance):
                self.from_lemmas.add(number)

    def _add_properties(self) -> None:
        """Add the properties of free functions at names."""
        for call in self._calls(self.sequent.theory.free):
            if all(isinstance(argument, Name) for argument in call.arguments):
                fact = FreeProperty(function=call.name, at=call.arguments)
                if fact not in self.used:
                    self._adding((fact,), add(fact, self.sequent))

    def _choose(self, at: CounterModel) -> bool:
        """Name a value at which a quantified condition is true, or false, if there must be one in the model."""
        for whole in self.terms:
            if not isinstance(whole, Bounded) or whole.kind is not Kind.CONDITION:
                continue
            needed = value_in(whole, at, self.terms) == (whole.quantifier == "any")
            if needed and (fact := NamedWitness(of=whole)) not in self.used:
                self._adding((fact,), add(fact, self.sequent))
                return True
        return False

    def _contradict(self, said: Sequence[Expr], at: CounterModel) -> bool:
        """Tell whether the conditions cannot all be true in the model, whatever the numbers of new terms are.

        A new value at a place where another term has a value is this value.
        """
        parts = [part for each in said for part in clauses(each)]
        new = [
            t for t in dict.fromkeys(t for part in parts for t in opaque_terms(part)) if t not in self.terms
        ]
        terms, given, unknown = (*self.terms, *new), dict(at), dict[str, list[int]]()
        places = {(name, place): value for name, place, value in self._known(at) if place is not None}
        named = dict[
            Expr, str
        ]()  # the unknown number that a term has; two values at one place are one number
        first = dict[object, str]()
        for index, term in enumerate(new, len(self.terms)):
            value, key = value_in(term, at, self.terms), self._key(term, at)
            value = places.get(key) if value is None else value  # type: ignore[call-overload]
            if value is not None:
                given[number_name(index)] = int(value)
                continue
            named[term] = first.setdefault(key, number_name(index))
            unknown[named[term]] = [0, 1] if term.kind is not Kind.NUMBER else self._span(at)
        about = [(part, frozenset(named[t] for t in opaque_terms(part) if t in named)) for part in parts]
        alike = [(number_name(terms.index(term)), name) for term, name in named.items()]

        def fail(names: frozenset[str]) -> bool:
            """Tell whether for all values of these unknown numbers one of the conditions about them is false."""
            said = [part for part, of in about if of <= names]
            for numbers in product(*([(name, value) for value in unknown[name]] for name in sorted(names))):
                values = dict(numbers)
                whole = given | {own: values[name] for own, name in alike if name in values}
                if not any(value_in(part, whole, terms) is False for part in said):
                    return False
            return True

        return any(map(fail, {names for _, names in about if len(names) <= 2}))

    def _key(self, term: Expr, at: CounterModel) -> object:
        """Return what a value is the value of: the function and the place in the model; any other term is its own."""
        if isinstance(term, Call) and term.name in self.sequent.theory.values:
            place = self._place(term, at)
            return term if place is None else (term.name, place)
        return term

    def _span(self, at: CounterModel) -> list[int]:
        return sorted({*range(4), *(at.get(number_name(n), 0) for n in range(len(self.terms)))})

    def _known(self, at: CounterModel) -> list[tuple[str, tuple[int, ...] | None, int]]:
        """Return the values in the model: function, place and number."""
        key = id(at), len(self.terms)
        if key not in self._places:
            called = [(call, value_in(call, at, self.terms)) for call in self._calls()]
            self._places[key] = [(c.name, self._place(c, at), int(v)) for c, v in called if v is not None]
        return self._places[key]

    # -- candidates ---------------------------------------------------------------------------------------------------

    def candidates(self, models: Sequence[CounterModel], stage: int) -> Iterator[tuple[CoreFact, ...]]:
        """Yield facts that together may contradict a model, the cheapest in the first stage."""
        at = models[0]
        if stage == ARITHMETIC:
            yield from ((fact,) for fact in self._arithmetic())
        if stage in (OPTIONS, FURTHER_OPTIONS):
            yield from self._reached(at, stage)
        if stage != SIMPLE:
            return
        kinds = (
            self._pairs(at), self._operations(at), self._functions(), self._lemmas(),
            self._smaller(at),
        )  # fmt: skip
        for each in kinds:
            yield from ((fact,) for fact in each)
        yield from self._quantifiers(at)

    def _reached(self, at: CounterModel, stage: int) -> Iterator[tuple[CoreFact, ...]]:
        """Yield, for options of the claim's own position, that the claim holds there and that the values differ."""
        claim = self.sequent.claim
        if claim.measure is None:
            return
        for call in self._own_calls():
            game = self.sequent.theory.game(call.name)
            solved = [*solved_choices(self.sequent, call, call)]
            for number, move in sorted(enumerate(game.moves), key=lambda pair: len(pair[1].choices)):
                if len(move.parts) != 1 or len(move.choices) > 1:
                    continue
                terms = [each.term for each in solved if each.move == number and not each.is_image]
                for term in (*terms, *self._pool(stage)) if move.choices else (None,):
                    given = {c.name: term for c in move.choices if term is not None}
                    inside = [self._plain(substitute(choice.inside, given)) for choice in move.choices]
                    if all(value_in(each, at, self.terms) for each in inside):
                        place = {**dict(zip(game.coordinate_names, call.arguments, strict=True)), **given}
                        plain = self.sequent.theory.plain
                        there = tuple(plain(substitute(value, place)) for value in move.parts[0])
                        differ = ValueDifference(
                            values=call.name, place=call.arguments, move=number, choices=tuple(given.values())
                        )
                        yield SmallerInstance(at=there), differ
                        named = all(isinstance(term, Name) for term in given.values())
                        for lemma in self._about_values(call.name) if named else ():
                            yield LemmaInstance(number=lemma, at=there), differ
                        yield from ((SmallerInstance(at=there), other) for other in self._beside(call, given))

    def _own_calls(self) -> list[Call]:
        """Return the values at the claim's own position; a coordinate may be written as the number that it is."""
        names, fixed = self.sequent.claim.names, self._fixed()
        same = [{Name(name), Int(fixed[name]) if name in fixed else Name(name)} for name in names]
        return [
            call
            for call in self._calls()
            if len(call.arguments) == len(same) and all(map(contains, same, call.arguments))
        ]

    def _about_values(self, values: str) -> Iterator[int]:
        """Yield the numbers of the lemmas about the values of a game at every position, without variables."""
        size = len(self.sequent.theory.game(values).coordinates)
        for number, lemma in enumerate(self.sequent.lemmas):
            if len(lemma.names) == size and values in lemma.said.calls:
                yield number

    def _beside(self, own: Call, given: Mapping[str, Expr]) -> Iterator[ValueDifference]:
        """Yield that other values in the goal differ from those of options by moves with the same choices."""
        parts = distinct_parts(self.sequent.goal)
        for call in [
            part for part in parts if isinstance(part, Call) and part in self._calls() and part != own
        ]:
            for number, move in enumerate(self.sequent.theory.game(call.name).moves):
                if len(move.choices) == len(given):
                    yield ValueDifference(
                        values=call.name, place=call.arguments, move=number, choices=tuple(given.values())
                    )

    def _calls(self, functions: Collection[str] | None = None) -> list[Call]:
        """Return the calls of functions, if None of values, with a number, and those in their arguments."""
        parts = (
            part for term in self.terms if not isinstance(term, Bounded) for part in distinct_parts(term)
        )
        asked = self.sequent.theory.values if functions is None else functions
        return list(dict.fromkeys(p for p in parts if isinstance(p, Call) and p.name in asked))

    def _calls_like(self, claim: Universal) -> list[Call]:
        """Return the calls of values, and of functions that are left open if the claim is about them."""
        return self._calls(
            {*self.sequent.theory.values, *(claim.said.calls & self.sequent.theory.free.keys())}
        )

    def _place(self, call: Call, at: CounterModel) -> tuple[int, ...] | None:
        numbers = [value_in(each, at, self.terms) for each in call.arguments]
        return None if None in numbers else tuple(map(int, numbers))  # type: ignore[arg-type]

    def _quantifiers(self, at: CounterModel) -> Iterator[tuple[CoreFact, ...]]:
        for whole in [
            term for term in self.terms if isinstance(term, Bounded) and term.kind is Kind.CONDITION
        ]:
            value = value_in(whole, at, self.terms)
            if value is None or bool(value) == (whole.quantifier == "all"):
                yield from self._instances(whole, at)

    def _instances(
        self, whole: Bounded, at: CounterModel, before: tuple[CoreFact, ...] = ()
    ) -> Iterator[tuple[CoreFact, ...]]:
        """Yield instances of a quantified condition and, at once, of the quantified condition that each of them is."""
        for term in self._arguments(whole) or self._exponents(whole) or (*self._pool(2), whole.start):
            inside = value_in(Compare(("<=", "<"), (whole.start, term, whole.stop)), at, self.terms)
            if not inside:
                continue
            facts, said = (*before, Instantiation(of=whole, at=term)), instance(whole, term)
            if isinstance(said, Bounded) and said.quantifier == whole.quantifier:
                yield from self._instances(said, at, facts)
            elif value_in(said, at, self.terms) is not (whole.quantifier == "all"):
                yield facts

    def _arguments(self, whole: Bounded) -> tuple[Expr, ...]:
        """Return names, or else constants, at which a free function that is called at the variable has a number."""
        free, variable = self.sequent.theory.free, Name(whole.variable)
        asked = [p for p in distinct_parts(whole.body) if isinstance(p, Call) and p.name in free]
        places = {
            (call.name, place)
            for call in asked
            for place, argument in enumerate(call.arguments)
            if argument == variable
        }
        known = [(call, place) for name, place in sorted(places) for call in self._calls({name})]
        terms = dict.fromkeys(call.arguments[place] for call, place in known)
        names = tuple(term for term in terms if isinstance(term, Name))
        return names or tuple(term for term in terms if isinstance(term, Int))

    def _exponents(self, whole: Bounded) -> tuple[Expr, ...]:
        """Return terms for a variable in exponents: known exponents, else those from which on two quotients are equal.

        Quotients of a and b by ``1 << n`` are equal from n = ``floor_log2(a ^ b) + 1`` on. Automata read that power.
        """
        parts = [part for part in distinct_parts(whole.body) if isinstance(part, Binary)]
        shifts = [part for part in parts if part.op == "<<" and whole.variable in part.right.free]
        if not shifts:
            return ()
        known = [
            p.right.free
            for t in self.terms
            for p in distinct_parts(t)
            if isinstance(p, Binary) and p.op == "<<" and not p.right.calls
        ]
        names = [Name(name) for name in self.sequent.names if any(name in free for free in known)]
        compared = [p for p in distinct_parts(whole.body) if isinstance(p, Compare) and p.ops == ("!=",)]
        # the condition says something only where these terms are equal
        premises = [p for p in parts if any(p in link.terms for link in compared)]
        divided = [p for p in premises or parts if p.op == "//" and p.right in shifts]
        logs = (
            Binary("+", Call("floor_log2", (Binary("^", *sorted((a.left, b.left), key=str)),)), Int(1))
            for a, b in combinations(divided, 2)
            if a.right == b.right
        )
        return tuple(names) or tuple(logs)

    def _pool(self, stage: int) -> Iterator[Expr]:
        """Yield terms that may be put in place of a choice or bound variable: names and values, then differences."""
        names: list[Expr] = [Name(name) for name in reversed(self.sequent.names)]
        numbers = [term for term in self.terms if term.kind is Kind.NUMBER]
        yield from (*names, *numbers)
        if stage == FURTHER_OPTIONS:
            for a, b in islice(product([*names, *numbers], repeat=2), MOST_DIFFERENCES):
                if a != b:
                    yield Binary("-", a, b)

    def _pairs(self, at: CounterModel) -> Iterator[CoreFact]:
        theory = self.sequent.theory
        named = self._calls({*theory.values, *theory.free})
        calls = [(call, self._place(call, at), value_in(call, at, self.terms)) for call in named]
        for one, place, value in calls:
            for other, there, value_there in calls:
                if one is other or one.name != other.name or place is None or there is None:
                    continue
                if place == there:
                    if value != value_there:
                        yield Congruence(one=one, other=other)
                elif value == value_there and value is not None and one.name in theory.values:
                    yield from self._differ(one, place, other, there, at)

    def _operations(self, at: CounterModel) -> Iterator[CoreFact]:
        """Yield that results of an operation at the same numbers are the same, where the model has different ones."""
        found = dict[tuple[object, ...], list[Binary]]()
        for term in self.terms:
            if isinstance(term, Binary):
                numbers = [value_in(each, at, self.terms) for each in term.children]
                if None not in numbers:
                    found.setdefault((term.op, *numbers), []).append(term)
        for terms in found.values():
            for one, other in combinations(terms, 2):
                if value_in(one, at, self.terms) != value_in(other, at, self.terms):
                    yield Congruence(one=one, other=other)

    def _differ(
        self, one: Call, place: Sequence[int], other: Call, there: Sequence[int], at: CounterModel
    ) -> Iterator[CoreFact]:
        """Yield the fact that one position differs from another, for moves that lead there in the model."""
        game = self.sequent.theory.game(one.name)
        for number, move in enumerate(game.moves):
            if len(move.parts) != 1:
                continue
            for choices in self._choices(one, other, move, at):
                given = {**dict(zip(game.coordinate_names, one.arguments, strict=True)), **choices}
                to = [value_in(self._plain(substitute(v, given)), at, self.terms) for v in move.parts[0]]
                if to == list(there):
                    yield ValueDifference(
                        values=one.name, place=one.arguments, move=number, choices=tuple(choices.values())
                    )

    def _plain(self, expr: Expr) -> Expr:
        known = self.above.plain
        if expr not in known:
            known[expr] = simplify_condition(self.sequent.theory.plain(expr))
        return known[expr]

    def _choices(self, one: Call, other: Call, move: Move, at: CounterModel) -> Iterator[dict[str, Expr]]:
        """Yield terms for the choices of a move that may lead from one position to the other."""
        terms = list(other.arguments)
        for a, b in zip(one.arguments, other.arguments, strict=True):
            if a != b:
                terms += [self._plain(Binary("-", a, b)), self._plain(Binary("-", b, a))]
        terms += [Name(name) for name in self.sequent.names if name.startswith("_new")]
        terms = list(dict.fromkeys(terms))
        if len(terms) ** len(move.choices) <= 400:
            for chosen in product(terms, repeat=len(move.choices)):
                yield {choice.name: term for choice, term in zip(move.choices, chosen, strict=True)}

    def _arithmetic(self) -> Iterator[CoreFact]:
        parts = list(
            dict.fromkeys(
                p for term in self.terms for p in distinct_parts(term) if not isinstance(term, Bounded)
            )
        )
        parts = [part for part in parts if not is_read_with_its_parts(part)]
        for name, row in ROWS.items():
            for match in row_matches(row, parts):
                yield ArithmeticInstance(row=name, at=tuple(match[argument] for argument in row.arguments))

    def _functions(self) -> Iterator[CoreFact]:
        theory = self.sequent.theory
        for term in self.terms:
            for part in distinct_parts(term) if not isinstance(term, Bounded) else ():
                if isinstance(part, Call) and part.name in theory.free:
                    yield FreeProperty(function=part.name, at=part.arguments)
                elif isinstance(part, Call) and part.name in theory.functions:
                    function = theory.functions[part.name]
                    if isinstance(function, Function):
                        yield RecurrenceValue(function=part.name, at=part.arguments[0])

    def _smaller(self, at: CounterModel) -> Iterator[SmallerInstance]:
        claim = self.sequent.claim
        for call in (call for call in self._calls_like(claim) if len(call.arguments) == len(claim.names)):
            if claim.measure is not None and not any(isinstance(a, Call) for a in call.arguments):
                there = substitute(claim.measure, claim.given(call.arguments))
                small = Compare(("<=", "<"), (Int(0), there, claim.measure))
                if value_in(small, at, self.terms) is not False:
                    yield SmallerInstance(at=call.arguments)

    def _lemmas(self) -> Iterator[CoreFact]:
        for number, lemma in enumerate(self.sequent.lemmas):
            for call in self._calls_like(lemma):
                more = len(lemma.names) - len(call.arguments)
                if more in (0, 1):
                    for variables in product((*self._variables(), Int(0)), repeat=more):
                        yield LemmaInstance(number=number, at=(*call.arguments, *variables))

    def _variables(self) -> Iterator[Expr]:
        """Yield the numbers with which the goal compares values, and then new names."""
        names = {*self.sequent.names}
        for part in distinct_parts(self.sequent.goal):
            if isinstance(part, Compare) and len(part.terms) == 2:
                for one, other in (part.terms, part.terms[::-1]):
                    if isinstance(one, Call) and one.name in self.sequent.theory.values:
                        yield from (term for term in (other,) if term.free <= names)
        yield from (Name(name) for name in self.sequent.names if name.startswith("_new"))

    # -- formulas for values with a fixed point -----------------------------------------------------------------------

    def by_fixed_points(self) -> ProofTree | None:
        """Return a tree for a formula for values, if the choice that leads to a smaller value is a fixed point.

        If the value is larger than the formula's, an option has the formula's value. If it is smaller, some option has
        the value, as the formula says there. Return None for any other goal, or if no tree is found.
        """
        if self.sequent.goal != self.sequent.claim.said or self.sequent.claim.measure is None:
            return None
        place = tuple(map(Name, self.sequent.claim.names))
        for own in (call for call in self._calls() if call.arguments == place):
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
                self._reach(own, choice.move, choice.term)
            return self.tree()
        point, natural, nearer = fixed_point(self.sequent, images[0].term)
        plain = replace(self.sequent.claim, measure=None)
        sides = [prove_by_instances(replace(each, claim=plain), self.work, ()) for each in (natural, nearer)]
        if None in sides:
            return None
        above = replace(self.above, used=frozenset(self.used), splits=0, spine=0)
        search = _Search(point, self.work, above)
        for number in (*self.using, len(point.hypotheses) - 1):
            search.use(number)
        rest = [choice for choice in choices if choice != images[0]]
        found = SolvedChoice(images[0].move, Name(point.names[-1]))
        yes = search.with_choices(own, [*rest, found])
        return yes and ProofTree(
            facts=tuple(self.facts), image=images[0].term, yes=yes, natural=sides[0], nearer=sides[1]
        )

    def _reach(self, own: Call, number: int, choice: Expr) -> None:
        """Add that the claim holds at the option of a choice, and that its value is not the position's."""
        theory, move = self.sequent.theory, self.sequent.theory.move(own.name, number)
        given = {move.choices[0].name: choice}
        there = tuple(theory.at(own.name, value, own.arguments, given) for value in move.parts[0])
        differ = ValueDifference(values=own.name, place=own.arguments, move=number, choices=(choice,))
        facts = (SmallerInstance(at=there), differ)
        self._adding(facts, reduce(lambda sequent, fact: add(fact, sequent), facts, self.sequent))

    # -- cases --------------------------------------------------------------------------------------------------------

    def _by_disjuncts(self) -> ProofTree | None:
        """Return a tree with a case for each part of the longest disjunction among the hypotheses that are used."""
        own = len(conjuncts(self.sequent.claim.condition))  # a fact is no case of the claim
        said = {number: self.sequent.hypotheses[number] for number in self.using if number < own}
        cases = {n: each.terms for n, each in said.items() if isinstance(each, Logic) and each.op == "or"}
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
        """Return a tree with at most this many splits below each other; first for values that the goal equates."""
        for solved in (True, False) if splits <= self.splits else ():
            if (found := self._split(models, splits, solved)) is not None:
                return found
        return None

    def _split(self, models: Sequence[CounterModel], splits: int, solved: bool) -> ProofTree | None:
        """Return a tree that looks at the options of a position, one move after the other."""
        if self.spine <= 0:
            return None
        for call, k in islice(self._splits(models[0], solved), MOST_SPLITS):
            if (found := self._mex(call, k, splits, _Search.tree)) is not None:
                return found
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
        options = list(_disjuncts(cases))[1:] if isinstance(cases, Logic) else []
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
            idle=self.above.idle | refuted,
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
            found = self._search(after, facts, 0, using, seen).tree()
        else:
            first, *rest = options
            case = after.assuming(first)
            using = (*self.using, begin, len(after.hypotheses))
            reached = conjuncts(first)[-1]  # that the option has the value
            value = reached.terms[0] if isinstance(reached, Compare) else reached
            option = value.arguments if isinstance(value, Call) else None
            refuted = frozenset(range(len(after.hypotheses) - len(seen), len(after.hypotheses)))
            reaching = self._search(case, facts, splits - 1, using, option=option, refuted=refuted)
            if isinstance(value, Call) and value.name in {own.name for own in self._own_calls()}:
                reaching.assume_at(value.arguments)
            yes = reaching.tree()
            no = yes and self._options(after.assuming(negation(first)), (), rest, splits, (*seen, first))
            found = no and ProofTree(case=first, yes=yes, no=no)
        return found and found.model_copy(update={"facts": (*facts, *found.facts)})

    def _splits(self, at: CounterModel, solved: bool) -> Iterator[tuple[Call, Expr]]:
        """Yield (value, smaller number) with which the definition of mex may contradict the model."""
        calls = self._calls()
        numbers = [term for term in self.terms if term.kind is Kind.NUMBER]
        names = [Name(name) for name in self.sequent.names if name not in self.sequent.integers]
        own = self._own_calls()
        inside = (
            (call, term)
            for term in self._computed_arguments(calls)
            for call in calls
            if call in distinct_parts(term)
        )
        pairs = [*product(own, self._compared()), *inside, *self._solved(calls)]
        pairs += [] if solved else product(calls, [*numbers, *names, Int(0), Int(1), Int(2)])
        for call, k in dict.fromkeys(pairs):
            low, high = value_in(k, at, self.terms), value_in(call, at, self.terms)
            if k != call and low is not None and high is not None and 0 <= low < high:
                yield call, k

    def _computed_arguments(self, calls: Sequence[Call]) -> list[Expr]:
        """Return the arguments of values that are no values themselves."""
        return list(dict.fromkeys(each for call in calls for each in call.arguments if each not in calls))

    def _compared(self) -> list[Expr]:
        """Return the constants with which the goal compares values."""
        links = (
            link
            for part in distinct_parts(self.sequent.goal)
            if isinstance(part, Compare)
            for link in part.links
        )
        found = (
            b for op, a, b in links if isinstance(b, Int) and a.calls & self.sequent.theory.values.keys()
        )
        return list(dict.fromkeys(found))

    def _solved(self, calls: Sequence[Call]) -> Iterator[tuple[Call, Expr]]:
        """Yield the values in an equation of the goal, each with what the others say that it is."""
        for part in distinct_parts(self.sequent.goal):
            if isinstance(part, Compare) and part.ops in (("==",), ("!=",)):
                left, right = part.terms
                for one, other in ((left, right), (right, left)):
                    terms = operands(one, "^")
                    for call in (each for each in calls if each in terms):
                        rest = [term for term in terms if term != call]
                        yield call, chain("^", [*rest, *operands(other, "^")])


def products(expr: Expr) -> Iterator[Expr]:
    """Yield the products in a term that automata cannot read, and that have no bound variable."""
    if isinstance(expr, Binary) and expr.op == "*":
        yield expr
        for child in expr.children:
            yield from products(child) if not is_read_with_its_parts(child) else ()


def _in_turn(track: str, whole: Dfa) -> Iterator[str]:
    """Yield the tracks of an automaton, the one that was eliminated last; with it, others may have left no trace."""
    yield from (name for name in whole.tracks if name != track)
    yield track


@lru_cache(maxsize=20_000)
def clauses(expr: Expr) -> tuple[Expr, ...]:
    """Return conditions whose conjunction the condition is; a disjunction is distributed over its last term."""
    if isinstance(expr, Logic) and expr.op == "and":
        return tuple(part for term in expr.terms for part in clauses(term))
    if isinstance(expr, Logic) and expr.op == "or":
        *before, last = expr.terms
        return tuple(disjunction(*before, part) for part in clauses(last))
    return (expr,)


def _disjuncts(expr: Expr) -> Iterator[Expr]:
    yield from expr.terms if isinstance(expr, Logic) and expr.op == "or" else (expr,)
