"""Numbers in place of looked-up Grundy values: facts about them from the definition by mex.

Let v be the value of a position t. In every game each number below v is the value of some option of t, and no option
has the value v. So these facts are true for the values of any finitely many positions (a fact about a place is stated
under the condition that the place is a position):

- *equal*: equal positions have equal values;
- *adjacent*: two positions with a move between them have different values. A position without a move has value 0. No
  value is more than the measure, by induction on the measure;
- *known*: a proved formula gives the value, or tells whether it is a given level, at the positions of the formula.

Each number below v is the value of some option of t, but it is not known which one. So a claim that some choice fulfils
a condition is proved in one of two ways (``_met``). Either there is one number k < v such that some choice fulfils the
condition whatever option of t has the value k. Or the position of a choice that fulfils the condition is known.
A value at a position that depends on a choice gets no number: it is found as the value at an equal position, or by a
proved formula.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

from grundylab.games.linear_moves import affine_form
from grundylab.games.listing import move_condition
from grundylab.games.model import ALWAYS, GRUNDY, Ranged, Ruleset
from grundylab.games.specialise import fixed_values
from grundylab.language.linear import atom_polynomial
from grundylab.language.substitution import lower, replace_part, rewrite, substitute, with_children
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
    Kind,
    Logic,
    Name,
    Negate,
    Not,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    distinct_parts,
    equalities,
    free_names,
)
from grundylab.prove.core.definedness import implied, negation
from grundylab.prove.core.space import signed_choices, signed_variables
from grundylab.prove.kernel.calls import Calls, check_values_beside
from grundylab.prove.kernel.clauses import MOST, any_natural, fresh_name, has_call_at_bound_variable, names_in
from grundylab.prove.kernel.evidence import Abstraction, Fact
from grundylab.prove.kernel.moves import for_every, is_position, steps, substitute_place, without_functions
from grundylab.prove.kernel.question import level_of
from grundylab.prove.kernel.simplification import simplify_condition
from grundylab.prove.kernel.theorem import Refused
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition
from grundylab.statement.statement import called_in

MOST_TERMS = 24  # the most values in one clause
DEEPEST = 2  # how many times a proved formula may be used within another
MOST_DIVIDED = 2  # coordinates of few values, each of which has a sentence of its own
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

Known = Mapping[Call, Name]  # the number for each looked-up value; the places contain no look-ups
NumberSentence = tuple[
    list[Ranged], Expr
]  # variables, and a condition without look-ups that is claimed for all their values


def known_facts(statement: Statement, evidence: Abstraction) -> Iterator[Statement]:
    """Yield the proved formulas of the evidence as statements; raise Refused for a formula that does not fit."""
    lookups = {each.name: each for each in statement.lookups}
    for fact in evidence.known:
        if fact.lookup not in lookups:
            raise Refused("a formula of the evidence is for no look-up of the statement")
        lookup = lookups[fact.lookup]
        own = called_in(statement.lookups, fact.formula)
        if own and lookup.game is not None:
            raise Refused("a formula of the evidence for another game looks values up")
        if not Calls(lookups).is_plain(fact.where):
            raise Refused("the condition of a formula of the evidence looks values up")
        yield Statement(statement.game_of(lookup), fact.target, fact.formula, fact.where, (), own)


def sentences(statement: Statement, evidence: Abstraction) -> Iterator[NumberSentence]:
    """Yield sentences without look-ups that together imply the statement.

    They also imply that each look-up is of a position. A sentence is a list of variables and a condition claimed for
    all their values.
    """
    yield from _Abstraction(statement, evidence).sentences()


@dataclass(frozen=True)
class _Clause:
    """A claim that one of ``terms`` is true, for all values of ``variables`` and of the statement's variables."""

    variables: tuple[str, ...]
    terms: tuple[Expr, ...]


class _Abstraction:
    def __init__(self, statement: Statement, evidence: Abstraction) -> None:
        self._statement, self._game = statement, statement.game
        self._lookups = {each.name: each for each in statement.lookups}
        self._games = {each.name: without_functions(statement.game_of(each)) for each in statement.lookups}
        self._calls, self._facts = Calls(self._lookups), evidence.known
        self.mex, self.new = evidence.mex, evidence.new
        others = [game for each in statement.lookups if (game := each.game) is not None]
        exprs = [statement.formula, statement.where, *(e for f in self._facts for e in (f.formula, f.where))]
        self._taken = names_in(statement.game, *exprs).union(*(names_in(game) for game in others))
        self._taken |= {variable.name for variable in statement.variables}
        self.positive = set[str]()
        self._by_number = False
        self._found: Known = {}  # the numbers of the clause in hand

    def same(self, one: Call, other: Call) -> Expr:
        """Return the condition that both calls look up the same position; FALSE if they plainly do not."""
        found = list[Expr]()
        for a, b in zip(one.arguments, other.arguments, strict=True):
            term = FALSE if _differ(a, b, self.positive) else simplify_condition(compare("==", a, b))
            if term == FALSE:
                return FALSE
            found.append(term)
        return conjunction(*found)

    def sentences(self) -> Iterator[NumberSentence]:
        """Yield a sentence for each clause of the statement, and of the condition that it looks up positions only."""
        game = self._game
        _, about = split_condition(self._statement.where, game)
        fixed = fixed_values(about, game.coordinate_names)
        fixing = conjuncts(equalities(fixed.items()))  # a coordinate that nothing names may be any number
        rest = conjunction(*(term for term in conjuncts(about) if term not in fixing))
        for more in _few_values(game, fixed):
            yield from self._sentences_at({**fixed, **more}, implied(rest, self._statement.formula))

    def _sentences_at(self, fixed: Mapping[str, int], condition: Expr) -> Iterator[NumberSentence]:
        """Yield the sentences for a condition at those positions where some coordinates have the values ``fixed``."""
        expand, game = self._game.functions.expand, self._game
        whole = lower(expand(substitute(condition, fixed)))
        self._check_value(whole)
        self._check_natural(whole)
        place = tuple(substitute(Name(name), fixed) for name in game.coordinate_names)
        space = simplify_condition(lower(expand(is_position(game, place))))
        for condition in (self._calls.meant(whole, self._is_legal), folded(whole)):
            supposed = conjunction(space, *self._known_conditions(condition))
            for clause in self._clauses(self._normal(implied(supposed, condition))):
                yield self._sentence(clause)

    def _known_conditions(self, condition: Expr) -> Iterator[Expr]:
        """Yield the evidence's proved formulas for the target ``true``, at positions that ``condition`` looks up."""
        numbers = _Numbers(self)
        numbers.put(condition)
        places = [call for call in numbers.found if call in self._calls.within(condition)]
        for fact in self._facts:
            for call in places if fact.target == ALWAYS else ():
                if fact.lookup == call.name:
                    formula, where = self._at(fact, call)
                    yield implied(conjunction(self._is_legal(call), where), formula)

    def _check_value(self, whole: Expr) -> None:
        """Raise Refused if a part may have no value although all look-ups have one: parts may be left out later."""
        check_values_beside(whole, self._statement)

    def _check_natural(self, whole: Expr) -> None:
        """Raise Refused if a bound variable or a choice may be negative, as all names stand for natural numbers."""
        known = [
            lower(self._games[f.lookup].functions.expand(e))
            for f in self._facts
            for e in (f.formula, f.where)
        ]
        moves = [move for game in self._games.values() for move in game.moves]
        if signed_choices(moves) or any(map(signed_variables, (whole, *known))):
            raise Refused("a choice or a bound variable may be negative")

    def _is_legal(self, call: Call) -> Expr:
        """Return the condition that the call looks up a position, for parameters in their domains."""
        game = self._games[call.name]
        domain = TRUE if self._lookups[call.name].game is None else game.domain
        return simplify_condition(conjunction(domain, is_position(game, call.arguments)))

    # -- clauses ------------------------------------------------------------------------------------------------------

    def _normal(self, expr: Expr, positive: bool = True) -> Expr:
        """Return the condition, or its negation if not ``positive``, with new names of bound variables.

        In those parts of the result that look values up, ``not`` stands only before single terms.
        """
        if self._calls.is_plain(expr):
            return expr if positive else negation(expr)
        match expr:
            case Not(operand=operand):
                return self._normal(operand, not positive)
            case Logic(op=op, terms=terms):
                connected = conjunction if (op == "and") == positive else disjunction
                return connected(*(self._normal(term, positive) for term in terms))
            case If(condition=test, then=then, otherwise=otherwise) if expr.kind is Kind.CONDITION:
                return conjunction(
                    disjunction(self._normal(test, False), self._normal(then, positive)),
                    disjunction(self._normal(test), self._normal(otherwise, positive)),
                )
            case Bounded(quantifier=quantifier, variable=variable, start=start, stop=stop, body=body):
                name = fresh_name("each", self._taken)
                self._note(name, start)
                inner = self._normal(substitute(body, {variable: Name(name)}), positive)
                turned = {"all": "any", "any": "all"}
                return Bounded(quantifier if positive else turned[quantifier], name, start, stop, inner)  # type: ignore[arg-type]
        return expr if positive else negation(expr)

    def _note(self, name: str, low: Expr) -> None:
        """Remember the name as positive if its range begins at 1 or above."""
        if isinstance(low, Int) and low.value >= 1:
            self.positive.add(name)

    def _clauses(self, expr: Expr) -> list[_Clause]:
        match expr:
            case _ if self._calls.is_plain(expr):
                found = [_Clause((), (expr,))]
            case Logic(op="and", terms=terms):
                found, before = list[_Clause](), list[Expr]()
                for term in terms:  # a term may be proved from the earlier ones
                    found += [_Clause(c.variables, (*before, *c.terms)) for c in self._clauses(term)]
                    before += [negation(term)] if isinstance(term, Compare | Not) else []
            case Logic(op="or", terms=terms):
                found = [
                    _Clause(
                        tuple(name for each in several for name in each.variables),
                        tuple(term for each in several for term in each.terms),
                    )
                    for several in product(*map(self._divided, terms))
                ]
            case Bounded(quantifier="all", variable=variable, start=start, stop=stop, body=body):
                number = Name(variable)
                outside = (compare("<", number, start), compare(">=", number, stop))
                found = [
                    _Clause((variable, *each.variables), (*outside, *each.terms))
                    for each in self._clauses(body)
                ]
            case _:
                found = [_Clause((), (expr,))]
        if len(found) > MOST:
            raise Refused("the condition has too many clauses")
        return found

    def _divided(self, term: Expr) -> list[_Clause]:
        """Return the clauses of one term of a disjunction: the term itself unless it looks values up at bound names."""
        return (
            self._clauses(term) if has_call_at_bound_variable(term, self._lookups) else [_Clause((), (term,))]
        )

    def _sentence(self, clause: _Clause) -> NumberSentence:
        """Return the sentence: the facts about the numbers imply the clause, with numbers in place of its values."""
        numbers = _Numbers(self)
        terms = [numbers.put(term) for term in clause.terms]
        asked = dict(numbers.found)
        whose = {c: n for c, n in asked.items() if not free_names(c) & set(clause.variables)} or asked
        facts = list(numbers.facts())
        self._found = numbers.found
        plain = [term for term in terms if self._calls.is_plain(term)]
        rest = [term for term in terms if term not in plain]
        met = self._met(
            disjunction(*rest), asked if self.mex else numbers.found, whose, 1 + self._nesting(rest)
        )
        given = dict(
            pair for term in plain if (pair := _value_denied(term, numbers.found.values())) is not None
        )
        supposed, goal = (
            folded(substitute(_where_none(plain, each), given)) for each in (conjunction(*facts), met)
        )
        goal = disjunction(*(folded(substitute(term, given)) for term in plain), goal)
        names = [*clause.variables, *(number.id for number in numbers.found.values())]
        variables = [any_natural(name, self._game) for name in names]
        return variables, implied(supposed, goal)

    def _nesting(self, terms: Iterable[Expr]) -> int:
        """Return 1 if a looked-up position depends on a looked-up value, otherwise 0."""
        calls = [call for term in terms for call in self._calls.within(term)]
        return int(any(not self._calls.is_plain(a) for call in calls for a in call.arguments))

    # -- what some choice fulfils -------------------------------------------------------------------------------------

    def _met(self, goal: Expr, known: Known, asked: Known, depth: int) -> Expr:
        """Return a condition that implies the goal and looks nothing up.

        known: the number for each looked-up value. asked: those looked-up positions, with their numbers, whose options
        are tried as the choices that the goal needs (``_by_option``). depth: how many such steps may be nested.
        """
        if self._calls.is_plain(goal):
            return goal
        found = [self._strong(goal, known, DEEPEST if self._by_number or not self.mex else 0)]
        for call, number in asked.items() if depth and self.mex else ():
            found.append(self._by_option(goal, call, number, known, asked, depth - 1))
        return disjunction(*found)

    def _by_option(
        self, goal: Expr, call: Call, number: Name, known: Known, asked: Known, depth: int
    ) -> Expr:
        """Return a condition that implies the goal by way of some option of the position that ``call`` looks up.

        It says: for some number below the position's value ``number``, the goal is met whatever option has this value.
        """
        smaller, game = Name(fresh_name("smaller", self._taken)), self._games[call.name]
        cases, found = list[Expr](), False
        beside = tuple(map(Name, sorted(self._taken)))
        for choices, when, option in steps(game, call.arguments, beside):
            self._taken |= {choice.name for choice in choices}
            for choice in choices:
                self._note(choice.name, choice.range.low)
            there = Call(call.name, tuple(map(simplify_condition, option)))
            more = {**asked, there: smaller}
            numbers = _Numbers(self, {**self._found, **known})
            supposed = conjunction(*numbers.facts_at(there, smaller))
            self._by_number = True  # prefer values at equal positions to proved formulas
            inner = self._met(goal, more, asked, depth)
            self._by_number = False
            found |= inner != FALSE
            cases.append(for_every(choices, implied(conjunction(when, supposed), inner)))
        if not found:
            return FALSE
        some = Bounded("any", smaller.id, Int(0), number, conjunction(*cases))
        return conjunction(self._is_legal(call), some)

    def _strong(self, expr: Expr, known: Known, depth: int) -> Expr:
        """Return a condition that implies ``expr``, with numbers or proved formulas in place of all look-ups."""
        if self._calls.is_plain(expr):
            return expr
        match expr:
            case Logic(op=op, terms=terms):
                connected = conjunction if op == "and" else disjunction
                return connected(*(self._strong(term, known, depth) for term in terms))
            case Bounded(quantifier=quantifier, variable=variable, start=start, stop=stop, body=body):
                if not (self._calls.is_plain(start) and self._calls.is_plain(stop)):
                    return FALSE
                inner = self._strong(body, known, depth)
                if quantifier == "any":
                    return _some(variable, start, stop, inner)
                return TRUE if inner == TRUE else Bounded("all", variable, start, stop, inner)
        return self._known(expr, known, depth)

    def _known(self, term: Expr, known: Known, depth: int) -> Expr:
        """Return a condition without look-ups that implies the term; FALSE if none is found.

        A looked-up value is replaced by the number known for an equal position, or by a proved formula.
        """
        free = (c for c in self._calls.within(term) if all(map(self._calls.is_plain, c.arguments)))
        call = next((c for c in free if replace_part(term, c, Int(0)) != term), None)
        if call is None:  # each call mentions a variable that is bound in the term, as in a sum
            return FALSE
        inside = _conditional(term, self._calls)
        if inside is not None:
            return self._strong(self._normal(inside), known, depth)
        there = Call(call.name, tuple(map(simplify_condition, call.arguments)))
        found = list[Expr]()
        for other, number in known.items():
            if other.name == there.name and (same := self.same(there, other)) != FALSE:
                found.append(conjunction(same, self._strong(replace_part(term, call, number), known, depth)))
        for fact in self._facts if depth and not (found and self._by_number) else ():
            if fact.lookup == call.name and fact.target != ALWAYS:
                found.append(self._by_fact(term, call, fact, known, depth - 1))
        return disjunction(*found)

    def _by_fact(self, term: Expr, call: Call, fact: Fact, known: Known, depth: int) -> Expr:
        formula, where = self._at(fact, call)
        if where == FALSE:
            return FALSE
        if fact.target == GRUNDY:
            right = self._normal(replace_part(term, call, formula))
            return conjunction(self._is_legal(call), where, self._strong(right, known, depth))
        right = self._strong(replace_part(term, call, Int(level_of(fact.target))), known, depth)
        return conjunction(
            self._is_legal(call), where, self._strong(self._normal(formula), known, depth), right
        )

    def _at(self, fact: Fact, call: Call) -> tuple[Expr, Expr]:
        """Return a proved formula at the position of ``call``, and the condition under which it applies there."""
        game = self._games[call.name]
        return tuple(  # type: ignore[return-value]
            folded(substitute_place(lower(game.functions.expand(e)), game, call.arguments))
            for e in (fact.formula, fact.where)
        )


class _Numbers:
    """The numbers in place of looked-up values in a clause.

    known: the numbers to use, and no others; None to begin without numbers and add them.
    """

    def __init__(self, abstraction: _Abstraction, known: Known | None = None) -> None:
        self._of, self.found = abstraction, dict(known or {})
        self._fixed = known is not None

    def put(self, expr: Expr, bound: frozenset[str] = frozenset()) -> Expr:
        """Return the expression with numbers for looked-up values, except at places that mention a bound variable."""
        if self._of._calls.is_plain(expr):
            return expr
        match expr:
            case Bounded(quantifier=quantifier, variable=variable, start=start, stop=stop, body=body):
                inner = self.put(body, bound | {variable})
                return Bounded(quantifier, variable, self.put(start, bound), self.put(stop, bound), inner)
            case Call(name=name, arguments=arguments) if name in self._of._lookups:
                place = tuple(simplify_condition(self.put(each, bound)) for each in arguments)
                there = Call(name, place)
                if bound & free_names(there) or not all(map(self._of._calls.is_plain, place)):
                    return there
                return self._number(there)
        return with_children(expr, tuple(self.put(child, bound) for child in expr.children))

    def _number(self, there: Call) -> Expr:
        if there not in self.found:
            if self._fixed:
                return there
            if len(self.found) >= MOST_TERMS:
                raise Refused("a clause looks up too many values")
            self.found[there] = Name(fresh_name("number", self._of._taken))
        return self.found[there]

    def facts(self) -> Iterator[Expr]:
        """Yield the facts about the numbers; on the way more numbers may be added, with facts of their own."""
        if self._of.mex > 1:
            self._add_options()
        asked = list(self.found.items())
        for there, number in asked:
            yield from self._by_formulas(there, number, dict(asked))
        for there, number in self.found.items() if self._of.new else asked:
            yield from self._by_moves(there, number)
        for (one, a), (other, b) in combinations(self.found.items(), 2):
            if (one, a) not in asked and (other, b) not in asked and self._of.mex:
                continue
            if one.name == other.name and (same := self._of.same(one, other)) != FALSE:
                yield implied(same, compare("==", a, b))
        compared = list(self.found.items()) if self._of.mex > 1 else asked
        for (one, a), (other, b) in permutations(compared, 2) if self._of.mex else ():
            if one.name == other.name:
                yield self._different(one, a, other, b)

    def _add_options(self) -> None:
        """Add numbers for the values of options by moves without a choice, such as a pass."""
        for there in list(self.found):
            for choices, _, option in steps(self._of._games[there.name], there.arguments, ()):
                if not choices:
                    self._number(Call(there.name, tuple(map(simplify_condition, option))))

    def facts_at(self, there: Call, number: Name) -> Iterator[Expr]:
        """Yield the facts about one more number, the value at ``there``."""
        yield from self._by_formulas(there, number, self.found)
        for other, another in self.found.items() if not self._of.new else ():
            yield from self._by_formulas(other, another, {there: number})
        if self._of.new:
            yield from self._by_moves(there, number)
        for other, another in self.found.items():
            if other.name == there.name and (same := self._of.same(there, other)) != FALSE:
                yield implied(same, compare("==", number, another))

    def _by_formulas(self, there: Call, number: Name, others: Known) -> Iterator[Expr]:
        """Yield what the proved formulas say about ``number``, the value at ``there``.

        others: the numbers that may replace values which the formulas look up.
        """
        for fact in self._of._facts:
            if fact.lookup != there.name or fact.target == ALWAYS:
                continue
            formula, where = self._of._at(fact, there)
            if where == FALSE:
                continue
            here = conjunction(self._of._is_legal(there), where)
            for case, value in self._without_calls(replace_part(formula, there, number), others):
                if fact.target == GRUNDY:
                    yield implied(conjunction(here, case), compare("==", number, value))
                else:
                    level = compare("==", number, Int(level_of(fact.target)))
                    yield implied(conjunction(here, case, level), value)
                    yield implied(conjunction(here, case, value), level)

    def _without_calls(self, formula: Expr, others: Known) -> Iterator[tuple[Expr, Expr]]:
        """Yield pairs: a condition, and the formula with numbers in place of values, right where the condition is true.

        Values without a number get new ones, if the evidence allows this (``new``).
        """
        calls, new = self._of._calls, self._of.new
        formula = self.put(formula) if new else formula
        within = list(dict.fromkeys(calls.within(formula)))
        if not within:
            yield TRUE, formula
        if len(within) == 1 and all(map(calls.is_plain, within[0].arguments)):
            call = Call(within[0].name, tuple(map(simplify_condition, within[0].arguments)))
            for other, number in others.items():
                value = replace_part(
                    formula, within[0], number
                )  # not plain if the place depends on a bound variable
                same = self._of.same(call, other) if other.name == call.name else FALSE
                if same != FALSE and calls.is_plain(value):
                    yield same, value

    def _by_moves(self, there: Call, number: Name) -> Iterator[Expr]:
        """Yield the facts that the value is 0 at a position without moves, and at most the measure."""
        game, legal = self._of._games[there.name], self._of._is_legal(there)
        some = folded(substitute_place(lower(move_condition(game)), game, there.arguments))
        yield implied(conjunction(legal, negation(some)), compare("==", number, Int(0)))
        if (
            self._of.mex > 1 and not game.splits and affine_form(game.measure) is not None
        ):  # of a sum it may be more
            yield implied(
                legal,
                compare(
                    "<=", number, simplify_condition(substitute_place(game.measure, game, there.arguments))
                ),
            )

    def _different(self, one: Call, a: Name, other: Call, b: Name) -> Expr:
        """Return the fact that the values a and b differ if a move leads from ``one`` to ``other``."""
        game = self._of._games[one.name]
        leads = list[Expr]()
        beside = tuple(map(Name, sorted(self._of._taken)))
        for choices, when, option in steps(game, one.arguments, beside):
            led = conjunction(self._of.same(Call(one.name, option), other), when)
            for choice in reversed(choices):
                led = _some(choice.name, choice.range.low, Binary("+", choice.range.high, Int(1)), led)
            leads.append(simplify_condition(led))
        return implied(conjunction(self._of._is_legal(one), disjunction(*leads)), compare("!=", a, b))


# -- conditions -------------------------------------------------------------------------------------------------------


def _value_denied(term: Expr, numbers: Collection[Name]) -> tuple[str, Int] | None:
    """Return a number's name and a constant if the term says that the number is not this constant; None otherwise."""
    match term:
        case (
            Not(operand=Compare(ops=("==",), terms=(Name() as name, Int() as value)))
            | Compare(ops=("!=",), terms=(Name() as name, Int() as value))
        ) if name in numbers:
            return name.id, value
    return None


def _few_values(game: Ruleset, fixed: Collection[str]) -> Iterator[dict[str, int]]:
    """Yield the combinations of values of the coordinates that have only two or three, such as a flag for a pass.

    Coordinates in ``fixed`` are left out. If too many coordinates are left, the only combination is the empty one.
    """
    few = {
        each.name: range(low.value, high.value + 1)
        for each in game.coordinates
        if each.name not in fixed
        and isinstance(low := each.range.low, Int)
        and isinstance(high := each.range.high, Int)
        and high.value - low.value in (1, 2)
    }
    if len(few) > MOST_DIVIDED:
        few = {}
    yield from (dict(zip(few, values, strict=True)) for values in product(*few.values()))


def _where_none(terms: Sequence[Expr], expr: Expr) -> Expr:
    """Return the expression as it is where all terms are false: in it FALSE replaces them, TRUE their opposites."""
    known = dict[Expr, Expr]()
    for term in terms:
        condition, value = (term.operand, TRUE) if isinstance(term, Not) else (term, FALSE)
        other = FALSE if value == TRUE else TRUE
        known[condition] = value
        match condition:
            case Compare(ops=(op,), terms=(a, b)):
                known |= {compare(_TURNED[op], b, a): value, compare(_OPPOSITE[op], a, b): other}
                known[compare(_TURNED[_OPPOSITE[op]], b, a)] = other
    bound = {node.variable for node in distinct_parts(expr) if isinstance(node, Bounded)}
    known = {condition: value for condition, value in known.items() if not free_names(condition) & bound}
    return rewrite(expr, lambda node: known.get(node, node))


def folded(expr: Expr) -> Expr:
    """Return the expression simplified, without the cases of an ``if`` that are plainly never reached."""

    def change(node: Expr) -> Expr:
        match node:
            case If(condition=test, then=then, otherwise=otherwise):
                return then if test == TRUE else otherwise if test == FALSE else node
            case Bounded(quantifier="any", start=start, stop=stop, body=body) if body == TRUE:
                return compare("<", start, stop)
        return node

    return simplify_condition(rewrite(simplify_condition(expr), change))


def _differ(one: Expr, other: Expr, positive: Collection[str]) -> bool:
    """Tell whether two numbers plainly differ.

    They do if all terms of their difference have one sign, and one of these is a constant or a name in ``positive``.
    """
    if affine_form(one) is None or affine_form(other) is None:
        return False
    terms = (atom_polynomial(one) - atom_polynomial(other)).terms
    signs = {coefficient > 0 for _, coefficient in terms}
    above = (not atoms or (isinstance(atoms[0], Name) and atoms[0].id in positive) for atoms, _ in terms)
    return len(signs) == 1 and any(above)


def _conditional(term: Expr, calls: Calls) -> Expr | None:
    """Return the term split into the two cases of an ``if`` in it; None if there is no such ``if``.

    The ``if`` must look values up, and mention no variable that is bound in the term.
    """
    for node in distinct_parts(term):
        if isinstance(node, If) and not calls.is_plain(node) and replace_part(term, node, Int(0)) != term:
            return conjunction(
                implied(node.condition, replace_part(term, node, node.then)),
                disjunction(node.condition, replace_part(term, node, node.otherwise)),
            )
    return None


def _some(variable: str, start: Expr, stop: Expr, body: Expr) -> Expr:
    """Return the condition that some number from ``start`` to below ``stop`` fulfils the body.

    If an equation in the body determines the number, that number replaces the variable.
    """
    whole = list[Expr]()
    terms = body.terms if isinstance(body, Logic) and body.op == "or" else (body,)
    for term in terms:
        solved = ((part, n) for part in conjuncts(term) if (n := _solution(part, variable)) is not None)
        equation, number = next(solved, (None, None))
        if term == FALSE:
            continue
        if number is None:
            whole.append(Bounded("any", variable, start, stop, term))
        else:
            inside = (compare("<=", start, number), compare("<", number, stop))
            rest = conjunction(*(part for part in conjuncts(term) if part != equation))
            whole.append(simplify_condition(conjunction(*inside, substitute(rest, {variable: number}))))
    return disjunction(*whole)


def _solution(term: Expr, variable: str) -> Expr | None:
    """Return the solution for the variable if the term is a linear equation with coefficient 1 or -1; else None."""
    if not isinstance(term, Compare) or term.ops != ("==",) or variable not in free_names(term):
        return None
    if not all(isinstance(node, Int | Name | Negate | Binary | Compare) for node in distinct_parts(term)):
        return None
    split = (atom_polynomial(term.terms[0]) - atom_polynomial(term.terms[1])).split(variable)
    if split is None or split[0].number not in (1, -1):
        return None
    slope, rest = split
    return (rest if slope.number == -1 else atom_polynomial(Int(0)) - rest).expression()
