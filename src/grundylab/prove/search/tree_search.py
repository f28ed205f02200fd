"""A search for trees of instances, guided by counter-models.

Automata decide the goal from a few facts. If it does not follow, they give a counter-model: numbers for all names and
terms with which the facts are true and the goal is false. The search adds a fact that is false there, and asks again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice, product

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
    distinct_parts,
    operands,
)
from grundylab.prove.core.arithmetic import ROWS
from grundylab.prove.core.closing import Decisions, example, number_name
from grundylab.prove.core.definedness import negation
from grundylab.prove.core.facts import (
    ArithmeticInstance,
    Congruence,
    CoreFact,
    FreeProperty,
    Instantiation,
    LemmaInstance,
    MexOption,
    NamedWitness,
    RecurrenceValue,
    SmallerInstance,
    ValueDifference,
    add,
)
from grundylab.prove.core.instances import ProofTree, failing
from grundylab.prove.core.sequent import Sequent
from grundylab.prove.kernel.simplification import simplify_condition
from grundylab.prove.search.counter_models import CounterModel, value_in
from grundylab.prove.search.row_matches import row_matches
from grundylab.prove.search.unreadable_terms import is_read_with_its_parts, opaque_terms

STAGES = 3  # of candidates for facts
MOST_SPLITS = 6  # ways to split one branch
SPINE = 4  # splits of which a branch is the second case
MODELS = 4  # counter-models that are drawn at random, besides the smallest


@dataclass
class SearchWork:
    """The work that a search may still do. decisions: questions to automata. cells: for each of them."""

    decisions: int = 200
    cells: int = 20_000_000
    why: str = ""


# -- the search --------------------------------------------------------------------------------------------------------


def prove_by_instances(sequent: Sequent, work: SearchWork) -> ProofTree | None:
    """Return a tree that proves the sequent; None if none is found with this work."""
    for splits in range(3):
        search = _Search(sequent, work, splits=splits)
        for number in range(len(sequent.hypotheses)):
            search.use(number)
        if (found := search.tree()) is not None:
            return found
    return None


@dataclass(frozen=True)
class _Best:
    """Facts to add, and the sequent then. rank: whether they need no new terms; how many models they contradict."""

    facts: tuple[CoreFact, ...]
    after: Sequent
    rank: tuple[bool, int]


class _Search:
    """The search on one branch. used: the facts that were added on the way to this sequent, none of them twice."""

    def __init__(
        self,
        sequent: Sequent,
        work: SearchWork,
        used: frozenset[CoreFact] = frozenset(),
        splits: int = 3,
        spine: int = SPINE,
    ) -> None:
        self.sequent, self.work, self.used = sequent, work, set(used)
        self.splits, self.spine = splits, spine
        self.facts = list[CoreFact]()
        self.using = list[int]()
        self.terms: tuple[Expr, ...] = ()
        self.decisions = Decisions([*sequent.hypotheses, sequent.goal])
        self._number(sequent.goal)

    def _number(self, expr: Expr) -> None:
        self.terms += tuple(term for term in opaque_terms(expr) if term not in self.terms)

    def use(self, number: int) -> None:
        """Let automata decide from this hypothesis, too."""
        self.using.append(number)
        self._number(self.sequent.hypotheses[number])

    def tree(self) -> ProofTree | None:
        """Return a tree for the branch; None if none is found."""
        while self.work.decisions > 0:
            self.work.decisions -= 1
            try:
                fails = failing(self.sequent, self.using, self.terms, self.decisions, self.work.cells)
                models = list(self._models(fails))
            except GrundylabError as error:
                self.work.why = str(error)
                return None
            if not models:
                return ProofTree(facts=tuple(self.facts), using=tuple(self.using), numbers=self.terms)
            if not (
                self._wake(models, False)
                or self._add(models)
                or self._choose(models[0])
                or self._wake(models, True)
            ):
                return self._split(models)
        return None

    def _models(self, fails: Sequence[Dfa]) -> Iterator[CounterModel]:
        """Yield a small counter-model, and some that are drawn at random, with the true values of arithmetic."""
        smallest = self._example(fails)
        if smallest is None:
            return
        numbers = [number_name(n) for n in range(len(self.terms))]
        names = (*self.sequent.names, *numbers)
        yield {name: smallest.get(name, 0) for name in names}
        draw, made = random.Random(0), 0
        for _ in range(3 * MODELS):
            near = self._near(fails, smallest, self.sequent.names, draw)
            at = {name: near[1].get(name, draw.randrange(25)) for name in self.sequent.names}
            exact = [number_dfa(name, value, self.decisions.work) for name, value in at.items()]
            for index, term in enumerate(self.terms):
                if (value := value_in(term, at, ())) is not None:
                    exact.append(number_dfa(number_name(index), int(value), self.decisions.work))
            found = self._example([*fails, *exact])
            if found is not None:
                _, found = self._near([*fails, *exact], found, numbers, draw)
                yield {name: found.get(name, at.get(name, draw.randrange(25))) for name in names}
                made += 1
            if made == MODELS:
                return

    def _example(self, parts: Sequence[Dfa]) -> CounterModel | None:
        self.decisions.work.give(self.work.cells)
        return example(parts, self.decisions.work)

    def _near(
        self, fails: Sequence[Dfa], found: CounterModel, names: Sequence[str], draw: random.Random
    ) -> tuple[list[Dfa], CounterModel]:
        """Return the automata, and numbers that they accept, after bringing some names near numbers drawn at random."""
        left = list(fails)
        for name in draw.sample(names, len(names)):
            for low in (draw.randrange(1, 16), draw.randrange(1, 4)) if name in found else ():
                closer = [*left, self._within(name, low, low + 2)]
                if (other := self._example(closer)) is not None:
                    left, found = closer, other
                    break
        return left, found

    def _within(self, name: str, low: int, high: int) -> Dfa:
        return self.decisions.reader.true(Compare(("<=", "<="), (Int(low), Name(name), Int(high))))

    def _wake(self, models: Sequence[CounterModel], unknown: bool) -> bool:
        """Use a hypothesis that is false in the first model or, if ``unknown``, one without a value there."""
        for number, said in enumerate(self.sequent.hypotheses):
            if number not in self.using:
                value = value_in(said, models[0], self.terms)
                if value is False or (unknown and value is None):
                    self.use(number)
                    return True
        return False

    def _add(self, models: Sequence[CounterModel]) -> bool:
        """Add facts that contradict most of the models, first such as need no new terms; return False for none."""
        best: _Best | None = None
        for stage in range(STAGES):
            other = self._best(models, self.candidates(models, stage))
            if other is not None and (best is None or other.rank > best.rank):
                best = other
            if best is not None and (best.rank[0] or best.rank[1] == len(models)):
                break
        if best is not None:
            self._adding(best.facts, best.after)
        return best is not None

    def _best(
        self, models: Sequence[CounterModel], candidates: Iterable[tuple[CoreFact, ...]]
    ) -> _Best | None:
        best, seen = None, set[tuple[CoreFact, ...]]()
        for each in candidates:
            facts = tuple(fact for fact in each if fact not in self.used)
            if not facts or facts in seen:
                continue
            seen.add(facts)
            try:
                after = reduce(lambda sequent, fact: add(fact, sequent), facts, self.sequent)
            except GrundylabError:
                continue
            said = after.hypotheses[len(self.sequent.hypotheses) :]
            known = not {term for condition in said for term in opaque_terms(condition)} - {*self.terms}
            here = self._contradict(said, models[0])
            if not here and not known:
                continue
            rank = known, here + sum(self._contradict(said, at) for at in models[1:])
            if rank[1] and (best is None or rank > best.rank):
                best = _Best(facts, after, rank)
            if rank == (True, len(models)):
                break
        return best

    def _adding(self, facts: tuple[CoreFact, ...], after: Sequent) -> None:
        begin = len(self.sequent.hypotheses)
        self.sequent = after
        self.used |= set(facts)
        self.facts += facts
        for number in range(begin, len(after.hypotheses)):
            self.use(number)

    def _choose(self, at: CounterModel) -> bool:
        """Name a value at which a quantified condition is true, or false, if there must be one in the model."""
        for whole in self.terms:
            if not isinstance(whole, Bounded) or whole.quantifier == "sum":
                continue
            needed = value_in(whole, at, self.terms) == (whole.quantifier == "any")
            if needed and (fact := NamedWitness(of=whole)) not in self.used:
                self._adding((fact,), add(fact, self.sequent))
                return True
        return False

    def _contradict(self, said: Sequence[Expr], at: CounterModel) -> bool:
        """Tell whether the conditions cannot all be true in the model, whatever the numbers of new terms are."""
        terms = dict.fromkeys(term for each in said for term in opaque_terms(each))
        new = [term for term in terms if term not in self.terms and value_in(term, at, self.terms) is None]
        if len(new) > 2:
            return False
        every = (*self.terms, *new)
        names = [number_name(len(self.terms) + index) for index in range(len(new))]
        span = sorted({*range(4), *(at.get(number_name(n), 0) for n in range(len(self.terms)))})
        for values in product(span, repeat=len(new)):
            here = {**at, **dict(zip(names, values, strict=True))}
            if not any(value_in(each, here, every) is False for each in said):
                return False
        return True

    # -- candidates ---------------------------------------------------------------------------------------------------

    def candidates(self, models: Sequence[CounterModel], stage: int) -> Iterator[tuple[CoreFact, ...]]:
        """Yield facts that together may contradict a model, the cheapest in the first stage."""
        for at in models:
            if stage:
                yield from self._reached(at, stage)
            else:
                kinds = (
                    self._pairs(at), self._arithmetic(), self._quantifiers(at), self._functions(), self._lemmas(),
                    self._smaller(at),
                )  # fmt: skip
                for each in kinds:
                    yield from ((fact,) for fact in each)

    def _reached(self, at: CounterModel, stage: int) -> Iterator[tuple[CoreFact, ...]]:
        """Yield, for options of the claim's own position, that the claim holds there and that the values differ."""
        claim = self.sequent.claim
        own = [call for call in self._calls() if call.arguments == tuple(map(Name, claim.names))]
        if claim.measure is None:
            return
        for call in own:
            game = self.sequent.theory.game(call.name)
            for number, move in enumerate(game.moves):
                if len(move.parts) != 1 or len(move.choices) > 1:
                    continue
                for term in self._pool(stage) if move.choices else (None,):
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
                        yield from ((SmallerInstance(at=there), other) for other in self._beside(call, given))

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

    def _calls(self) -> list[Call]:
        """Return the calls of value functions with a number, and those in their arguments."""
        parts = (
            part for term in self.terms if not isinstance(term, Bounded) for part in distinct_parts(term)
        )
        values = self.sequent.theory.values
        return list(dict.fromkeys(p for p in parts if isinstance(p, Call) and p.name in values))

    def _place(self, call: Call, at: CounterModel) -> tuple[int, ...] | None:
        numbers = [value_in(each, at, self.terms) for each in call.arguments]
        return None if None in numbers else tuple(map(int, numbers))  # type: ignore[arg-type]

    def _quantifiers(self, at: CounterModel) -> Iterator[CoreFact]:
        for whole in [term for term in self.terms if isinstance(term, Bounded) and term.quantifier != "sum"]:
            value = value_in(whole, at, self.terms)
            if value is None or bool(value) == (whole.quantifier == "all"):
                for term in self._pool(2):
                    if term.free & {whole.variable}:
                        continue
                    inside = value_in(Compare(("<=", "<"), (whole.start, term, whole.stop)), at, self.terms)
                    if inside:
                        yield Instantiation(of=whole, at=term)

    def _pool(self, stage: int) -> Iterator[Expr]:
        """Yield terms that may be put in place of a choice or bound variable: names and values, then differences."""
        names: list[Expr] = [Name(name) for name in reversed(self.sequent.names)]
        numbers = [term for term in self.terms if term.kind is Kind.NUMBER]
        yield from (*names, *numbers)
        if stage > 1:
            for a, b in product([*names, *numbers], repeat=2):
                if a != b:
                    yield Binary("-", a, b)

    def _pairs(self, at: CounterModel) -> Iterator[CoreFact]:
        calls = [(call, self._place(call, at), value_in(call, at, self.terms)) for call in self._calls()]
        for one, place, value in calls:
            for other, there, value_there in calls:
                if one is other or one.name != other.name or place is None or there is None:
                    continue
                if place == there:
                    if value != value_there:
                        yield Congruence(one=one, other=other)
                elif value == value_there and value is not None:
                    yield from self._differ(one, place, other, there, at)

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
        return simplify_condition(self.sequent.theory.plain(expr))

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

    def _smaller(self, at: CounterModel) -> Iterator[CoreFact]:
        claim = self.sequent.claim
        own = [call for call in self._calls() if len(call.arguments) == len(claim.names)]
        for call in own:
            if claim.measure is not None and not any(isinstance(a, Call) for a in call.arguments):
                there = substitute(claim.measure, claim.given(call.arguments))
                small = Compare(("<=", "<"), (Int(0), there, claim.measure))
                if value_in(small, at, self.terms) is not False:
                    yield SmallerInstance(at=call.arguments)

    def _lemmas(self) -> Iterator[CoreFact]:
        for number, lemma in enumerate(self.sequent.lemmas):
            for call in self._calls():
                if len(call.arguments) == len(lemma.names):
                    yield LemmaInstance(number=number, at=call.arguments)

    # -- cases --------------------------------------------------------------------------------------------------------

    def _split(self, models: Sequence[CounterModel]) -> ProofTree | None:
        """Return a tree that looks at the options of a position, one move after the other."""
        if self.splits <= 0 or self.spine <= 0:
            return None
        for call, k in islice(self._splits(models[0]), MOST_SPLITS):
            fact = MexOption(values=call.name, place=call.arguments, k=k)
            if fact in self.used:
                continue
            above = Compare(("<=", "<"), (Int(0), k, call))
            after = add(fact, self.sequent.assuming(above))
            cases = after.hypotheses[-1]
            options = list(_disjuncts(cases))[1:] if isinstance(cases, Logic) else []
            yes = self._options(after, (fact,), options)
            below = self.sequent.assuming(negation(above))
            using = (*self.using, len(self.sequent.hypotheses))
            no = yes and self._inner(below, (fact,), self.splits, using)
            if yes is not None and no is not None:
                return ProofTree(facts=tuple(self.facts), case=above, yes=yes, no=no)
        return None

    def _inner(
        self,
        sequent: Sequent,
        facts: Sequence[CoreFact],
        splits: int,
        using: Sequence[int],
        terms: Sequence[Expr] = (),
    ) -> ProofTree | None:
        """Return a tree for a case, which begins with these hypotheses. terms: some that are not read."""
        spine = self.spine - 1 if splits == self.splits else SPINE
        inner = _Search(sequent, self.work, frozenset({*self.used, *facts}), splits, spine)
        inner.terms = (*terms, *inner.terms)
        for number in using:
            inner.use(number)
        return inner.tree()

    def _options(
        self,
        after: Sequent,
        facts: tuple[CoreFact, ...],
        options: Sequence[Expr],
        seen: tuple[Expr, ...] = (),
    ) -> ProofTree | None:
        """Return a tree with a case for each of the options, in which the position's value is reached.

        seen: the options before, of which none reaches it.
        """
        begin = len(self.sequent.hypotheses)  # there stands that the value is larger, and then the fact
        if not options:
            using = (*self.using, *range(begin, len(after.hypotheses)))
            found = self._inner(after, facts, 0, using, seen)
        else:
            first, *rest = options
            case = after.assuming(first)
            using = (*self.using, begin, len(after.hypotheses))
            yes = self._inner(case, facts, self.splits - 1, using)
            no = yes and self._options(after.assuming(negation(first)), (), rest, (*seen, first))
            found = no and ProofTree(case=first, yes=yes, no=no)
        return found and found.model_copy(update={"facts": (*facts, *found.facts)})

    def _splits(self, at: CounterModel) -> Iterator[tuple[Call, Expr]]:
        """Yield (value, smaller number) with which the definition of mex may contradict the model."""
        calls = self._calls()
        numbers = [term for term in self.terms if term.kind is Kind.NUMBER]
        names = [Name(name) for name in self.sequent.names if name not in self.sequent.integers]
        pairs = [*self._solved(calls), *product(calls, [*numbers, *names, Int(0), Int(1), Int(2)])]
        for call, k in dict.fromkeys(pairs):
            low, high = value_in(k, at, self.terms), value_in(call, at, self.terms)
            if k != call and low is not None and high is not None and 0 <= low < high:
                yield call, k

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


def _disjuncts(expr: Expr) -> Iterator[Expr]:
    yield from expr.terms if isinstance(expr, Logic) and expr.op == "or" else (expr,)
