"""Consequence by instances: what trees prove, and which side condition refuses a tree with a lie."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.errors import GrundylabError
from grundylab.games import make_instance, parse_ruleset
from grundylab.games.load import load_ruleset
from grundylab.language import Functions, parse, parse_condition
from grundylab.language.functions import Tabulated
from grundylab.language.parser import parse_stored
from grundylab.language.plain import evaluate
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Call, Compare, Expr, Int, Logic, Name, conjunction
from grundylab.prove.core.arithmetic import ROWS
from grundylab.prove.core.claims import root_of
from grundylab.prove.core.definedness import negation, total
from grundylab.prove.core.evidence import Consequence, Evidence, Induction
from grundylab.prove.core.facts import (
    ArithmeticInstance,
    Congruence,
    CoreFact,
    Evaluation,
    Expansion,
    FreeProperty,
    Instantiation,
    LemmaInstance,
    MexOption,
    NamedWitness,
    OptionPosition,
    RecurrenceValue,
    SmallerInstance,
    ValueDifference,
    add,
)
from grundylab.prove.core.foundation import foundation
from grundylab.prove.core.instances import (
    FoundedGame,
    InstanceEvidence,
    Lemma,
    ProofTree,
    check_instances,
    check_tree,
)
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.sequent import Sequent, Theory, Universal
from grundylab.prove.core.solution import Core
from grundylab.prove.search.instance_search import instance_evidence
from grundylab.prove.search.tree_search import SearchWork, prove_by_instances
from grundylab.prove.search.unreadable_terms import opaque_terms
from grundylab.solve.reference import solve_reference
from grundylab.statement import Statement, statement_about

BACHET, NIM = load_ruleset("subtraction-1-to-m"), load_ruleset("nim")
PLAIN = Theory({}, Functions(), {}, ("m",))


def about(said: str, names: str = "x", given: str = "True", measure: str | None = None) -> Sequent:
    """Return the sequent that a condition on numbers implies another, without any game."""
    claim = Universal(
        tuple(names.split()), parse_condition(given), parse_condition(said), measure and parse(measure)
    )
    return Sequent(PLAIN, claim, (claim.condition,), claim.said, (*claim.names, "m"))


def free(said: str) -> Sequent:
    """Return the sequent of a condition on x, in which h() is any function with values from 1 on."""
    family = parse_ruleset('title: t\nposition: {x: 0..N}\nmoves: []\nfunctions: {"h(n)": {any: h(n) >= 1}}')
    theory = replace(PLAIN, free={"h": family.free[0]})
    return replace(about(said), theory=theory)


def defined(said: str) -> Sequent:
    """Return the sequent of a condition on x, in which h() is a recurrence with a parameter."""
    text = 'title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: []\nfunctions: {h(n): {recurrence: "h(n - 1) + m", initial: {0: 1}}}'
    return replace(about(said), theory=replace(PLAIN, functions=parse_ruleset(text).functions))


def claim_of(ruleset: object, identifier: str) -> Statement:
    (claim,) = [each for each in ruleset.claims if each.id == identifier]  # type: ignore[attr-defined]
    return statement_about(ruleset, claim)  # type: ignore[arg-type]


def game(text: str, claim: str) -> Statement:
    """Return the statement of a game's only claim."""
    ruleset = parse_ruleset(f"title: t\n{text}\nclaims: [{{id: c, at: here, {claim}}}]")
    return statement_about(ruleset, ruleset.claims[0])


# -- arithmetic -------------------------------------------------------------------------------------------------------


@given(st.sampled_from(sorted(ROWS)), st.lists(st.integers(-70, 70), min_size=5, max_size=5))
@examples(600, 40_000)
def test_rows_of_arithmetic__are_true_of_all_integers(name: str, numbers: list[int]) -> None:
    row = ROWS[name]
    values = dict(zip(row.arguments, numbers, strict=False))
    assert evaluate(total(row.said, Functions()), values)


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_arithmetic__says_nothing_without_each_of_its_conditions(name: str) -> None:
    row = ROWS[name]
    integers = {each: parse(f"{each} - {each}2") for each in row.arguments}
    names = (*row.arguments, *(f"{each}2" for each in row.arguments))
    *exceptions, goal = operands_of_or(substitute(row.said, integers))
    fact = ArithmeticInstance(row=name, at=tuple(integers.values()))

    def check(excluded: Sequence[Expr], facts: tuple[ArithmeticInstance, ...] = (fact,)) -> None:
        claim = Universal(names, conjunction(*map(negation, excluded)), goal)
        numbers = dict.fromkeys(term for part in (goal, *exceptions) for term in opaque_terms(part))
        tree = ProofTree(facts=facts, using=range(1 + len(facts)), numbers=tuple(numbers))
        check_tree(Sequent(PLAIN, claim, (claim.condition,), goal, names), tree)

    check(exceptions)
    for missing in exceptions:
        with pytest.raises(GrundylabError, match="does not follow"):
            check([each for each in exceptions if each != missing])
    if not exceptions:
        with pytest.raises(GrundylabError, match="does not follow"):
            check((), facts=())


def operands_of_or(said: Expr) -> tuple[Expr, ...]:
    return said.terms if isinstance(said, Logic) and said.op == "or" else (said,)


# -- facts about games ------------------------------------------------------------------------------------------------

GAMES = {
    "nim": {"N": 2},
    "subtraction-1-to-m": {"N": 9, "m": 3},
    "wythoff": {"N": 5},
    "kayles": {"N": 8},
    "nim-with-a-pass": {"N": 2},
}


@pytest.mark.parametrize("name", GAMES)
def test_facts_about_games__are_true_at_every_place(name: str) -> None:
    ruleset = load_ruleset(name)
    sizes = {bound: GAMES[name].get(bound, 3) for bound in ruleset.bounds}
    parameters = {key: GAMES[name][key] for key in ruleset.parameter_names}
    table = solve_reference(make_instance(ruleset, parameters, sizes), "grundy")
    root = root_of(statement_about(ruleset, ruleset.claims[0]))
    lows = tuple(side.low for side in table.instance.box)
    known = Functions((Tabulated(root.own, ruleset.coordinate_names, table.values, lows, "G"),))
    moves = root.theory.game(root.own).moves
    sequent = Sequent(root.theory, root.claim, (), TRUE, root.theory.parameters)
    seen = 0
    for place in product(
        *(
            range(side.low, side.low + width)
            for side, width in zip(table.instance.box, table.values.shape, strict=True)
        )
    ):
        terms = tuple(map(Int, place))
        facts: list[CoreFact] = [MexOption(values=root.own, place=terms, k=Int(k)) for k in range(3)]
        for number, move in enumerate(moves):
            for choices in product(range(3), repeat=len(move.choices)):
                given = tuple(map(Int, choices))
                facts.append(ValueDifference(values=root.own, place=terms, move=number, choices=given))
                facts.append(OptionPosition(values=root.own, place=terms, move=number, choices=given))
        for fact in facts:
            after = add(fact, sequent)
            new = after.names[len(sequent.names) :]
            assert true_for_some(after.hypotheses[-1], parameters, new, max(table.values.shape), known), fact
            seen += 1
    assert seen > 50


def true_for_some(
    said: Expr, values: dict[str, int], names: Sequence[str], most: int, functions: Functions
) -> bool:
    """Tell whether the condition is true for some numbers in place of the new names, one name after another."""
    for numbers in product(range(most), repeat=min(len(names), 2)):
        others = dict.fromkeys(names, 0)
        for start in range(max(1, len(names) - 1)):
            chosen = dict(zip(names[start:], numbers, strict=False))
            try:
                if evaluate(said, {**values, **others, **chosen}, functions):
                    return True
            except GrundylabError:  # an option beyond the table, or a choice outside its range
                continue
    return False


# -- theorems ---------------------------------------------------------------------------------------------------------


def found(statement: Statement, measure: str | None = None) -> InstanceEvidence:
    """Return the evidence that the search finds."""
    root = root_of(statement)
    term = measure and parse(measure)
    tree, meaning = (
        prove_by_instances(sequent, SearchWork()) for sequent in (root.sequent(term or None), root.meaning)
    )
    assert tree is not None
    assert meaning is not None
    return InstanceEvidence(measure=term or None, meaning=meaning, tree=tree)


def test_bachet__the_value_is_the_remainder_for_every_m() -> None:
    statement = claim_of(BACHET, "residue")
    evidence = instance_evidence(statement, Core(), SearchWork())
    assert evidence is not None
    again = Consequence.model_validate_json(evidence.model_dump_json())
    assert len(check_instances(Core(), statement, again)) == len(evidence.lemmas) == 1
    without = evidence.model_copy(update={"measure": None})
    with pytest.raises(GrundylabError, match="names no measure"):
        check_instances(Core(), statement, without)


def test_options_of_a_position_of_value_0__have_other_values() -> None:
    statement = claim_of(NIM, "section-1-from-p")
    check_instances(Core(), statement, found(statement))


@pytest.mark.long
def test_the_value_of_two_parts__is_the_nim_sum_of_theirs() -> None:
    statement = claim_of(NIM, "theorem-1-ii")
    check_instances(Core(), statement, found(statement, "x + y + z"))


# -- lies -------------------------------------------------------------------------------------------------------------

X, Y, M = map(Name, "xym")
QUOTIENT, REMAINDER = parse("(x - y) // m"), parse("x % m")
PRODUCTS = (parse("(x + 1) * m"), parse("m * x"))
EVERY, SOME = (
    parse_condition("all(n * m >= x for n in range(1, x))"),
    parse_condition("any(n * m == x for n in range(0, x))"),
)
LIES = {
    "a claim is assumed at its own place": (
        about("x == 0", measure="x"), ProofTree(facts=(SmallerInstance(at=(X,)),), using=(0, 1)), "does not follow"),
    "a claim is assumed at a larger place": (
        about("x == 0", measure="x"), ProofTree(facts=(SmallerInstance(at=(parse("x + 1"),)),), using=(0, 1)), "does not follow"),
    "a claim is assumed without a measure": (
        about("x == 0"), ProofTree(facts=(SmallerInstance(at=(Int(0),)),), using=(0,)), "names no measure"),
    "a claim is assumed below 0": (
        about("x >= 1", measure="x + 5"), ProofTree(facts=(SmallerInstance(at=(parse("x - 1"),)),), using=(0, 1)), "does not follow"),
    "a number for a quotient is natural": (about("(x - y) // m >= 0", "x y"), ProofTree(numbers=(QUOTIENT,)), "does not follow"),
    "a term has an unknown name": (about("x == x"), ProofTree(facts=(Instantiation(of=EVERY, at=Name("w")),)), "w is not in scope"),
    "a new name is used before it is made": (
        about("x == x"), ProofTree(facts=(Instantiation(of=EVERY, at=Name("_new_0")),)), "_new_0 is not in scope"),
    "a bound variable has the name of a number": (
        about("x == x"), ProofTree(facts=(NamedWitness(of=parse_condition("any(x % m == n for n in range(0, 3))")
                                            .__class__("any", "_number_0", Int(0), Int(3), parse_condition("x % m == 2"))),),
                              using=(1,), numbers=(REMAINDER,)), "has the name of a number"),
    "an instance is taken outside the range": (
        about("x * m >= x", given="x >= 1 and all(n * m >= x for n in range(1, x))"),
        ProofTree(facts=(Instantiation(of=EVERY, at=X),), using=(0, 1), numbers=(parse("x * m"), EVERY)), "does not follow"),
    "a number is chosen of a condition that is false": (
        about("x >= 1"), ProofTree(facts=(NamedWitness(of=SOME),), using=(0, 1), numbers=(SOME, parse_stored("_new_0 * m", generated=True))), "does not follow"),
    "unequal arguments have equal values": (
        about("x % m == y % m", "x y"), ProofTree(facts=(Congruence(one=REMAINDER, other=parse("y % m")),), using=(0, 1),
                                             numbers=(REMAINDER, parse("y % m"))), "does not follow"),
    "terms of two functions are the same": (about("x == x"), ProofTree(facts=(Congruence(one=REMAINDER, other=parse("x // m")),)), "of one function"),
    "conditions are compared as numbers": (
        about("x == x"), ProofTree(facts=(Congruence(one=parse("is_power_of_two(x)"), other=parse("is_power_of_two(m)")),)), "two numbers"),
    "a row of arithmetic is not there": (about("x == x"), ProofTree(facts=(ArithmeticInstance(row="magic", at=(X,)),)), "no row magic"),
    "a row of arithmetic has another number of terms": (
        about("x == x"), ProofTree(facts=(ArithmeticInstance(row="remainder", at=(X,)),)), "is about 2 terms"),
    "a remainder is small for a divisor of 0": (
        about("x % m < m"), ProofTree(facts=(ArithmeticInstance(row="remainder", at=(X, M)),), using=(0, 1), numbers=(REMAINDER,)), "does not follow"),
    "a lemma is not there": (about("x == x"), ProofTree(facts=(LemmaInstance(number=0, at=(X,)),)), "no lemma 0"),
    "a function that is defined is left open": (about("x == x"), ProofTree(facts=(FreeProperty(function="h", at=(X,)),)), "not left open"),
    "a function without earlier values is a recurrence": (about("x == x"), ProofTree(facts=(RecurrenceValue(function="h", at=X),)), "no recurrence"),
    "a hypothesis is not there": (about("x == x"), ProofTree(using=(3,)), "no such hypothesis"),
    "a case is missing": (about("x == x"), ProofTree(case=parse_condition("x == 0"), yes=ProofTree()), "a branch is missing"),
    "a case is left out for a goal between": (
        about("x == 1"), ProofTree(cut=parse_condition("x == 1"), yes=ProofTree(using=(1,)), no=ProofTree(using=(0,))), "does not follow"),
    "a tree has two kinds of branches": (
        about("x == x"), ProofTree(case=parse_condition("x == 0"), cut=parse_condition("x == 0"), yes=ProofTree(), no=ProofTree()), "two cases, or a goal"),
    "an image is below 0": (
        about("x == x"), ProofTree(image=parse_stored("_hole // 4 - 1", generated=True), yes=ProofTree(), natural=ProofTree(), nearer=ProofTree()), "does not follow"),
    "an image keeps a distance": (
        about("x == x"), ProofTree(image=parse_stored("_hole + 1", generated=True), yes=ProofTree(), natural=ProofTree(), nearer=ProofTree()), "does not follow"),
    "an image is about the number that is to be its own image": (
        about("x == x + 1"), ProofTree(image=parse_stored("_new_0 + 1", generated=True), yes=ProofTree(using=(1,)), natural=ProofTree(), nearer=ProofTree()), "_new_0 is not in scope"),
    "an image is about a number that is not there": (
        about("x == x"), ProofTree(image=parse_stored("_hole // 4 + w", generated=True), yes=ProofTree(), natural=ProofTree(), nearer=ProofTree()), "w is not in scope"),
    "two products are of other numbers": (
        about("(x + 1) * m == m * x + x"), ProofTree(facts=(Expansion(term=parse("(x + 1) * m")),), using=(0, 1), numbers=PRODUCTS), "does not follow"),
    "a condition is written out": (about("x == x"), ProofTree(facts=(Expansion(term=TRUE),)), "only a number is written out"),
    "a term with a name is computed": (about("x == x"), ProofTree(facts=(Evaluation(term=parse("x % 3")),)), "without names"),
    "a term whose function has a parameter is computed": (
        defined("h(3) == 4"), ProofTree(facts=(Evaluation(term=parse("h(3)")),)), "without names"),
    "a free function is computed": (free("h(3) >= 1"), ProofTree(facts=(Evaluation(term=parse("h(3)")),)), "without names"),
    "a value of a game is computed": (
        replace(about("x == x"), theory=replace(PLAIN, values={"G": load_ruleset("subtraction-1-3-4")})), ProofTree(facts=(Evaluation(term=parse("G(3)")),)), "without names"),
    "a term without a value is computed": (about("x == x"), ProofTree(facts=(Evaluation(term=parse("3 % 0")),)), "division|zero|0"),
    "a term that takes too long is computed": (
        about("x == x"), ProofTree(facts=(Evaluation(term=parse("sum(1 for j in range(0, 9000000))")),)), "."),
    "a term has another value": (
        about("is_prime(9)"), ProofTree(facts=(Evaluation(term=parse_condition("is_prime(9)")),), using=(0, 1), numbers=(parse_condition("is_prime(9)"),)),
        "does not follow"),
    "a property is one below 0": (
        free("h(x - m) >= 1"), ProofTree(facts=(FreeProperty(function="h", at=(parse("x - m"),)),), using=(0, 1), numbers=(parse("h(x - m)"),)), "does not follow"),
    "a game is not there": (about("x == x"), ProofTree(facts=(MexOption(values="G", place=(X,), k=Int(0)),)), "no function of Grundy values"),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_lie__is_refused_by_its_side_condition(lie: str) -> None:
    sequent, tree, why = LIES[lie]
    with pytest.raises(GrundylabError, match=why):
        check_tree(sequent, tree)


TRUTHS = {
    "a claim is assumed at a smaller place": (
        about("(1 << x) >= 1", measure="x"),
        ProofTree(facts=(SmallerInstance(at=(parse("x - 1"),)), ArithmeticInstance(row="power-next", at=(parse("x - 1"),)),
                    Congruence(one=parse("1 << x"), other=parse("1 << (x - 1 + 1)")), ArithmeticInstance(row="power", at=(X,))),
             using=(0, 1, 2, 3, 4), numbers=(parse("1 << x"), parse("1 << (x - 1)"), parse("1 << (x - 1 + 1)")))),
    "a remainder is small for a divisor from 1 on": (
        about("x % m < m", given="m >= 1"), ProofTree(facts=(ArithmeticInstance(row="remainder", at=(X, M)),), using=(0, 1), numbers=(REMAINDER,))),
    "equal arguments have equal values": (
        about("x % m == y % m", "x y", "x == y"),
        ProofTree(facts=(Congruence(one=REMAINDER, other=parse("y % m")),), using=(0, 1), numbers=(REMAINDER, parse("y % m")))),
    "an instance is taken in the range": (
        about("(x - 1) * m >= x", given="x >= 2 and all(n * m >= x for n in range(1, x))"),
        ProofTree(facts=(Instantiation(of=EVERY, at=parse("x - 1")),), using=(0, 1), numbers=(parse("(x - 1) * m"), EVERY))),
    "a number is chosen of a condition that is true": (
        about("x >= 1", given="any(n * m == x for n in range(0, x))"),
        ProofTree(facts=(NamedWitness(of=SOME),), using=(0, 1), numbers=(SOME, parse_stored("_new_0 * m", generated=True)))),
    "a goal between": (
        about("(x + 1) // 2 >= 1", given="x >= 1"), ProofTree(cut=parse_condition("x + 1 >= 2"), yes=ProofTree(using=(1,)), no=ProofTree(using=(0,)))),
    "a number is an image of itself": (
        about("x >= 0"),
        ProofTree(image=parse_stored("_hole >> 2", generated=True), yes=ProofTree(), natural=ProofTree(), nearer=ProofTree())),
    "two products are of the same numbers": (
        about("(x + 1) * m == m * x + m"), ProofTree(facts=(Expansion(term=parse("(x + 1) * m")),), using=(0, 1), numbers=PRODUCTS)),
    "a term has its value": (
        about("is_prime(7)"), ProofTree(facts=(Evaluation(term=parse_condition("is_prime(7)")),), using=(0, 1), numbers=(parse_condition("is_prime(7)"),))),
    "a number has its value": (
        about("popcount(7) == 3"), ProofTree(facts=(Evaluation(term=parse("popcount(7)")),), using=(0, 1), numbers=(parse("popcount(7)"),))),
    "a property is one from 0 on": (
        free("h(x) >= 1"), ProofTree(facts=(FreeProperty(function="h", at=(X,)),), using=(0, 1), numbers=(parse("h(x)"),))),
    "two cases": (about("x == 0 or x >= 1"), ProofTree(case=parse_condition("x == 0"), yes=ProofTree(using=(1,)), no=ProofTree(using=(1,)))),
}  # fmt: skip


@pytest.mark.parametrize("truth", TRUTHS)
def test_the_same_without_the_lie__is_accepted(truth: str) -> None:
    check_tree(*TRUTHS[truth])


ONE_HEAP = "position: {x: 0..N}\nmoves: [{take: '1..min(2, x)', from: x}]"


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (game(ONE_HEAP, "condition: x // x == x // x"), "does not follow"),
        (game(ONE_HEAP, "condition: j == j, for: {j: -3..3}"), "does not follow"),
        (game(f"{ONE_HEAP}\nplay: misere", "condition: x == x"), "no Grundy values"),
        (
            game(
                "position: {x: 0..N}\nmoves: [{to: {x: x}, when: x > 5}]\nmeasure: x",
                "target: grundy, formula: x",
            ),
            "every move leads",
        ),
    ],
)
def test_a_statement_without_a_value_or_a_game__is_refused(statement: Statement, why: str) -> None:
    with pytest.raises(GrundylabError, match=why):
        check_instances(Core(), statement, InstanceEvidence(tree=ProofTree()))


def test_a_choice_that_may_be_negative__is_an_integer_where_mex_gives_it() -> None:
    moves = "position: {x: 0..N}\nmoves: [{for: {c: '-2..-1'}, when: x + c >= 0, to: {x: x + c}}]"
    root = root_of(game(moves, "target: grundy, formula: '0'"))
    value, option = Call(root.own, (X,)), Call(root.own, (parse_stored("x + _new_0", generated=True),))
    some = ProofTree(
        facts=(MexOption(values=root.own, place=(X,), k=Int(0)),), using=(0, 1, 2), numbers=(value, option)
    )
    above = Compare(("<=", "<"), (Int(0), Int(0), value))
    tree = ProofTree(case=above, yes=some, no=ProofTree(using=(0, 1), numbers=(value,)))
    with pytest.raises(GrundylabError, match="does not follow"):
        check_tree(root.sequent(), tree)


def test_the_value_of_a_statement__rests_on_no_grundy_value() -> None:
    """A game may be well founded for the statement's parameters only, and its facts false for others."""
    statement = claim_of(NIM, "section-1-from-p")
    root = root_of(statement)
    fact = MexOption(values=root.own, place=tuple(map(Name, "xyz")), k=Int(0))
    evidence = InstanceEvidence(
        meaning=ProofTree(case=TRUE, yes=ProofTree(facts=(fact,)), no=ProofTree()), tree=ProofTree()
    )
    with pytest.raises(GrundylabError, match="rests on no Grundy value"):
        check_instances(Core(), statement, evidence)


def test_moves_and_places__are_those_of_the_game() -> None:
    root = root_of(claim_of(NIM, "section-1-from-p"))
    sequent, place = root.sequent(), tuple(map(Name, "xyz"))
    for fact, why in (
        (ValueDifference(values=root.own, place=place, move=9), "has no move 9"),
        (ValueDifference(values=root.own, place=place, move=-1, choices=(X,)), "has no move -1"),
        (ValueDifference(values=root.own, place=place, move=0), "has 1 choices"),
        (MexOption(values=root.own, place=place[:2], k=Int(0)), "has 3 coordinates"),
        (Congruence(one=Call(root.own, place), other=Call("H", place)), "unknown"),
    ):
        with pytest.raises(GrundylabError, match=why):
            add(fact, sequent)


# -- facts, lemmas and games of a statement ---------------------------------------------------------------------------

OWN = root_of(game(ONE_HEAP, "target: grundy, formula: x % 3")).own
VALUE, BEFORE = Call(OWN, (X,)), Call(OWN, (parse("x - 1"),))
LOOKED_UP = "values: {G: this}"
STEP = {"values": OWN, "place": (X,), "move": 0, "choices": (Int(1),)}


@pytest.mark.parametrize(
    ("fact", "said", "given", "numbers"),
    [
        (MexOption(values=OWN, place=(X,), k=Int(0)), "x >= 1", "G(x) >= 1", (VALUE, Call(OWN, (parse_stored("x - _new_0", generated=True),)))),
        (ValueDifference(**STEP), "G(x) != G(x - 1)", "x >= 1", (VALUE, BEFORE)),
        (OptionPosition(**STEP), "0 <= x - 1 <= x", "x >= 1", ()),
    ],
)  # fmt: skip
def test_a_fact_about_a_game__is_of_its_positions_and_moves(
    fact: CoreFact, said: str, given: str, numbers: tuple[Expr, ...]
) -> None:
    tree = ProofTree(facts=(fact,), using=(0, 1, 2), numbers=numbers)
    for where, why in ((given, None), ("x >= 0", "does not follow")):
        root = root_of(game(ONE_HEAP, f'condition: "{said}", where: "{where}", {LOOKED_UP}'))
        if why is None:
            check_tree(root.sequent(), tree)
        else:
            with pytest.raises(GrundylabError, match=why):
                check_tree(root.sequent(), tree)


def recurrence(body: str, claim: str) -> Statement:
    return game(f'functions: {{"f(n)": {{recurrence: "{body}", initial: {{0: 0}}}}}}\n{ONE_HEAP}', claim)


@pytest.mark.parametrize(("body", "accepted"), [("f(n - 1) + 1", True), ("f(n + 1) - 1", False)])
def test_a_recurrence__rests_on_earlier_values(body: str, accepted: bool) -> None:
    statement = recurrence(body, "condition: f(x) == x")
    (function,) = (each.name for each in statement.functions)
    facts = (RecurrenceValue(function=function, at=X), SmallerInstance(at=(parse("x - 1"),)))
    numbers = (Call(function, (X,)), Call(function, (parse("x - 1"),)))
    evidence = InstanceEvidence(measure=X, tree=ProofTree(facts=facts, using=(0, 1, 2), numbers=numbers))
    if accepted:
        check_instances(Core(), statement, evidence)
    else:
        with pytest.raises(GrundylabError, match="rests on earlier values"):
            check_instances(Core(), statement, evidence)


def test_a_recurrence_that_only_a_fact_unfolds__rests_on_earlier_values() -> None:
    statement = recurrence("f(n) + 1", "condition: x == 7")
    (function,) = (each.name for each in statement.functions)
    fact, number = RecurrenceValue(function=function, at=Int(1)), Call(function, (Int(1),))
    tree = ProofTree(facts=(fact,), using=(0, 1), numbers=(number,))
    check_tree(root_of(statement).sequent(), tree)  # from f(1) == f(1) + 1
    with pytest.raises(GrundylabError, match="rests on earlier values"):
        check_instances(Core(), statement, InstanceEvidence(tree=tree))


def lemma(formula: str, where: str = "True", target: str = "grundy", **more: object) -> Lemma:
    read = parse if target == "grundy" else parse_condition
    parts = {"values": OWN, "target": target, "formula": read(formula), "where": parse_condition(where)}
    return Lemma(**{**parts, **more})


P_POSITIONS = game(ONE_HEAP, "target: p, formula: x % 3 == 0")
OF_X = ProofTree(facts=(LemmaInstance(number=0, at=(X,)),), using=(0, 1), numbers=(VALUE,))
RESIDUE, HALVES = Induction(grundy=parse("x % 3")), Induction(grundy=parse("x % 2"))
TWO_LEMMAS = (lemma("x % 3"), lemma("x <= x", target="true"))


def of_lemmas(lemmas: Sequence[Lemma], *premises: Evidence, tree: ProofTree = OF_X) -> Consequence:
    return Consequence(lemmas=tuple(lemmas), premises=premises, tree=tree)


@pytest.mark.parametrize(
    "evidence",
    [
        of_lemmas([lemma("x % 3")], RESIDUE),
        of_lemmas(TWO_LEMMAS, RESIDUE, Induction()),
    ],
)  # fmt: skip
def test_a_statement__follows_from_lemmas(evidence: Consequence) -> None:
    assert len(Kernel().check(P_POSITIONS, evidence).premises) == len(evidence.lemmas)


@pytest.mark.parametrize(
    ("evidence", "why"),
    [
        (of_lemmas([lemma("x % 2")], RESIDUE), "does not follow"),
        (of_lemmas([lemma("x % 3 + x // 9")], RESIDUE), "does not follow"),
        (of_lemmas([lemma("x % 3", where="x >= 3")], RESIDUE), "does not follow"),
        (of_lemmas([lemma("x % 3 if x < 99 else 3 * (x % 3)")], RESIDUE), "the claim is what the hypothesis says"),
        (of_lemmas([lemma("x % 3")], HALVES), "what the options make it"),
        (of_lemmas([lemma("x % 3")]), "needs 1 premises"),
        (of_lemmas([lemma("x % 3")], RESIDUE, RESIDUE), "needs 1 premises"),
        (of_lemmas(TWO_LEMMAS, Induction(), RESIDUE), "."),
        (of_lemmas(TWO_LEMMAS[::-1], Induction(), RESIDUE), "does not follow"),
        (of_lemmas([lemma("x % 3", values="G")], RESIDUE), "no function"),
        (of_lemmas([lemma("H(x)")], RESIDUE), "H"),
        (of_lemmas([lemma("x % 3 + k")], RESIDUE), "k"),
        (of_lemmas([lemma("x % 3")], RESIDUE, tree=OF_X.model_copy(update={"facts": (LemmaInstance(number=0, at=(X, X)),)})),
         "a term is needed for each name"),
        (of_lemmas([lemma("x % 3")], RESIDUE, tree=OF_X.model_copy(update={"facts": (LemmaInstance(number=1, at=(X,)),)})), "no lemma 1"),
    ],
)  # fmt: skip
def test_a_lemma_with_a_lie__is_refused(evidence: Consequence, why: str) -> None:
    with pytest.raises(GrundylabError, match=why):
        Kernel().check(P_POSITIONS, evidence)


@pytest.mark.parametrize(
    ("moves", "trees", "why"),
    [
        ("{take: '1..min(2, x)', from: x}", None, None),
        ("{take: '1..min(2, x)', from: x}", 1, "well-foundedness needs"),
        ("{to: {x: x + 1}}", None, "does not follow"),
    ],
)
def test_a_game_that_is_founded_by_trees__has_no_endless_play(
    moves: str, trees: int | None, why: str | None
) -> None:
    statement = game(f"position: {{x: 0..N}}\nmoves: [{moves}]", f"condition: G(x) >= 0, {LOOKED_UP}")
    root = root_of(statement)
    needed = len(list(foundation(root.theory, root.own, TRUE, root.definedness)))
    founded = FoundedGame(values=root.own, trees=(ProofTree(),) * (trees or needed))
    evidence = InstanceEvidence(founded=(founded,), tree=ProofTree(numbers=(Call(root.own, (X,)),)))
    if why is None:
        check_instances(Core(), statement, evidence)
    else:
        with pytest.raises(GrundylabError, match=why):
            check_instances(Core(), statement, evidence)
