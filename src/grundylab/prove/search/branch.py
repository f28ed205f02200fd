"""A branch of a tree: a sequent, the hypotheses that automata read, and the terms with a number in their place."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from operator import contains

from grundylab.language.names import NEW
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Bounded, Call, Compare, Expr, Int, Name, conjuncts, distinct_parts
from grundylab.prove.core.sequent import Sequent, Universal
from grundylab.prove.search.counter_models import CounterModel, value_in
from grundylab.prove.search.simplification import simplify_condition
from grundylab.prove.search.unreadable_terms import opaque_terms


class Branch:
    """A branch of a tree. using: the numbers of the hypotheses that automata read. terms: those that they do not.

    simpler: simpler forms of expressions, which all branches of a tree share.
    """

    def __init__(self, sequent: Sequent, simpler: dict[Expr, Expr]) -> None:
        self.sequent, self.simpler = sequent, simpler
        self.using = list[int]()
        self.terms: tuple[Expr, ...] = ()
        self._places = dict[tuple[int, int], list[tuple[str, tuple[int, ...] | None, int]]]()
        self.number(sequent.goal)

    def number(self, expr: Expr) -> None:
        """Put numbers in place of terms that automata do not read, and of values that are their arguments."""
        for term in opaque_terms(expr):
            inner = term.arguments if isinstance(term, Call) else ()
            values = (p for p in inner if isinstance(p, Call) and p.name in self.sequent.theory.values)
            self.terms += tuple(part for part in (term, *values) if part not in self.terms)

    def use(self, number: int) -> None:
        """Let automata decide from this hypothesis, too."""
        self.using.append(number)
        self.number(self.sequent.hypotheses[number])

    def calls(self, functions: Collection[str] | None = None) -> list[Call]:
        """Return the calls of functions, if None of values, with a number, and those in their arguments."""
        asked = self.sequent.theory.values if functions is None else functions
        return [call for call in _calls_in(self.terms) if call.name in asked]

    def calls_like(self, claim: Universal) -> list[Call]:
        """Return the calls of values, and of functions that are left open if the claim is about them."""
        return self.calls(
            {*self.sequent.theory.values, *(claim.said.calls & self.sequent.theory.free.keys())}
        )

    def own_calls(self) -> list[Call]:
        """Return the values at the claim's own position; a coordinate may be written as the number that it is."""
        names, fixed = self.sequent.claim.names, self.fixed()
        same = [{Name(name), Int(fixed[name]) if name in fixed else Name(name)} for name in names]
        return [
            call
            for call in self.calls()
            if len(call.arguments) == len(same) and all(map(contains, same, call.arguments))
        ]

    def about_values(self, values: str) -> Iterator[int]:
        """Yield the numbers of the lemmas about the values of a game at every position, without variables."""
        size = len(self.sequent.theory.game(values).coordinates)
        for number, lemma in enumerate(self.sequent.lemmas):
            if len(lemma.names) == size and values in lemma.said.calls:
                yield number

    def arguments(self, whole: Bounded, functions: Collection[str]) -> list[Expr]:
        """Return the terms at which one of the functions has a number, where the condition calls it at its variable."""
        variable = Name(whole.variable)
        asked = [p for p in distinct_parts(whole.body) if isinstance(p, Call) and p.name in functions]
        places = {
            (call.name, place)
            for call in asked
            for place, argument in enumerate(call.arguments)
            if argument == variable
        }
        sites = [(call, place) for name, place in sorted(places) for call in self.calls({name})]
        return list(dict.fromkeys(call.arguments[place] for call, place in sites))

    @property
    def some(self) -> list[Bounded]:
        """The conditions with a number that some number fulfils another."""
        return [term for term in self.terms if isinstance(term, Bounded) and term.quantifier == "any"]

    def where_none_is_taken(self, whole: Bounded) -> Iterator[tuple[Call, Expr]]:
        """Yield each value that is compared with another term, at 0 in place of the bound variable; and the term."""
        for part in distinct_parts(whole.body):
            if isinstance(part, Compare) and part.ops == ("==",):
                for one, other in (part.terms, part.terms[::-1]):
                    if isinstance(one, Call) and one.name in self.sequent.theory.values:
                        place = [substitute(a, {whole.variable: Int(0)}) for a in one.arguments]
                        call = Call(one.name, tuple(map(self.plain, place)))
                        if whole.variable in one.free - other.free:
                            yield call, other

    def place(self, call: Call, at: CounterModel) -> tuple[int, ...] | None:
        """Return the numbers of the arguments in a model; None if one has none."""
        numbers = [value_in(argument, at) for argument in call.arguments]
        return None if None in numbers else tuple(map(int, numbers))  # type: ignore[arg-type]

    def known_values(self, at: CounterModel) -> list[tuple[str, tuple[int, ...] | None, int]]:
        """Return the values in the model: function, place and number."""
        key = id(at), len(self.terms)
        if key not in self._places:
            called = [(call, value_in(call, at)) for call in self.calls()]
            self._places[key] = [(c.name, self.place(c, at), int(v)) for c, v in called if v is not None]
        return self._places[key]

    def fixed(self) -> dict[str, int]:
        """Return the names that the hypotheses fix to a number, by an equation or by equal ends of a range."""
        said = [term for number in self.using for term in conjuncts(self.sequent.hypotheses[number])]
        links = {link for term in said if isinstance(term, Compare) for link in term.links}
        numbers = {
            a.id: b.value for op, a, b in links if op == "==" and isinstance(a, Name) and isinstance(b, Int)
        }
        highs = ((a.id, b) for op, a, b in links if op == "<=" and isinstance(a, Name) and isinstance(b, Int))
        return numbers | {name: high.value for name, high in highs if ("<=", high, Name(name)) in links}

    def plain(self, expr: Expr) -> Expr:
        """Return the expression with definitions written out, in a simple form."""
        forms = self.simpler
        if expr not in forms:
            forms[expr] = simplify_condition(self.sequent.theory.plain(expr))
        return forms[expr]

    def names(self) -> list[str]:
        """Return the names that the goal or a term mentions, and new names; a parameter may be mentioned nowhere."""
        said = self.sequent.goal.free.union(*(term.free for term in self.terms))
        return [name for name in self.sequent.names if name in said or name.startswith(NEW)]

    @property
    def new_names(self) -> list[Name]:
        """The names that facts introduced, such as that of a number which is said to be smaller."""
        return [Name(name) for name in self.sequent.names if name.startswith(NEW)]


@lru_cache(maxsize=1_000)
def _calls_in(terms: tuple[Expr, ...]) -> tuple[Call, ...]:
    """Return the distinct calls in terms that are not quantified."""
    parts = (part for term in terms if not isinstance(term, Bounded) for part in distinct_parts(term))
    return tuple(dict.fromkeys(part for part in parts if isinstance(part, Call)))
