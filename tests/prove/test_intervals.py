"""Theorems about runs: certified statements are true in solved games, and false ones are never certified."""

import re
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discover import games
from tests.discover.games import SUMS
from tests.papers.small import ruleset as shipped
from tests.prove.forging import check_refused, forged, kinds, proved_by, proves, record_of
from tests.sizes import examples

from grundylab.check.verification import verify
from grundylab.errors import EvaluationError, FormulaError
from grundylab.files import package_folder
from grundylab.games import Claim, Ruleset, Target, make_instance, parse_ruleset, parse_target
from grundylab.games.model import ALWAYS
from grundylab.language import Functions, parse, parse_number
from grundylab.language.plain import evaluate
from grundylab.prove.core.evidence import Runs
from grundylab.prove.core.runs.growth import assumed_growth, growth_of
from grundylab.prove.core.runs.polys import NoForm, Poly, PolynomialReader, evaluate_polynomial
from grundylab.prove.core.runs.run_ends import run_obligations
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.prover import prove_claim, runs_evidence
from grundylab.solve.reference import solve_reference
from grundylab.statement import Statement, statement_about

P = parse_target("p")


def turns(limit: str, parameters: str = "m: m >= 1") -> Ruleset:
    return parse_ruleset(games.turns(limit, parameters))


def pile(take: str, parameters: str = "m: m >= 1") -> Ruleset:
    return parse_ruleset(
        f'title: t\nparameters: {{{parameters}}}\nposition: {{x: 0..N}}\nmoves: [{{take: "{take}", from: x}}]\n'
    )


def stated(ruleset: Ruleset, formula: str, target: Target = P, where: str = "True") -> Statement:
    return statement_about(ruleset, Claim("asked", target, parse(formula), parse(where)))


def proved(ruleset: Ruleset, formula: str) -> bool:
    """Tell whether the formula is proved by runs."""
    try:
        statement = stated(ruleset, formula)
    except FormulaError:
        return False
    evidence = runs_evidence(statement)
    return evidence is not None and proves(statement, evidence)


# -- theorems -------------------------------------------------------------------------------------------------

LINEAR = "any(j * (m * (j + k - 1) + 1) <= u <= j * (m * (j + k) + 1) for j in range(0, u + 1))"
SQUARE = (
    "any(j * (2 * j * (2 * j + 3 * k - 3) + 3 * k * (k - 2) + 5) // 3 <= u"
    " <= j * (2 * j * (2 * j + 3 * k) + 3 * k * k + 2) // 3 for j in range(0, u + 1))"
)
LIMITS = ["square", "power-3-2", "log2", "log10", "fibonacci", "tribonacci", "linear"]


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("linear", "theorem-35"),
        ("linear", "lemma-33"),
        ("linear", "lemma-34"),
        ("nondecreasing", "runs"),
        *((limit, None) for limit in LIMITS),  # of these the sums
    ],
)
def test_the_papers_theorems_are_proved_for_every_turn_limit_and_all_m(name: str, claim: str | None) -> None:
    ruleset = shipped(f"turn-limit-{name}")
    proof = prove_claim(ruleset, unpublished_claim(parse(SUMS), P) if claim is None else ruleset.claim(claim))
    assert (proof.status, proof.reason, proof.fixed, proof.script) == ("proved", None, (), None)
    assert proof.theorem is not None
    assert "runs" in kinds(proof.theorem)
    assert proved_by(record_of(proof.theorem), ruleset) == proof.theorem


C_D = "c: c >= 1, d: d >= c"


@pytest.mark.parametrize(
    ("ruleset", "formula"),
    [
        (turns("m*k"), LINEAR),
        (turns("k*k"), SQUARE),
        (turns("m if k == 1 else k"), SUMS),
        (turns("m*k + c", "m: m >= 0, c: c >= 1"), SUMS),
        (turns("min(k, 9)"), SUMS),
        (turns("1 << k"), SUMS),
        (turns("m"), "u % (m + 1) == 0"),
        # what is asked of the function is needed only from 2 on
        (turns('{any: "f(k) >= 1 and f(k - 1) <= f(k)"}'), SUMS),
        (turns('{any: "1 <= f(k) and (k < 3 or f(k) >= f(k - 1))"}'), SUMS),
        # games without rows
        (pile("1..min(x, m)"), "x % (m + 1) == 0"),
        (pile("c..min(x, d)", C_D), "x % (c + d) <= c - 1"),
        (pile("c..min(x, d)", C_D), "x % (c + d) < c"),
    ],
)
def test_other_theorems(ruleset: Ruleset, formula: str) -> None:
    assert proved(ruleset, formula)


# -- what is false is not certified ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "formula"),
    [
        ("m*k", LINEAR.replace("+ 1)", "+ 2)")),
        ("m*k", LINEAR.replace("(j + k)", "(j + k + 1)")),
        ("m*k", LINEAR.replace("k - 1", "k")),
        ("m*k + 1", LINEAR),
        ("k*k", SQUARE.replace("+ 5", "+ 2")),
        ("k*k", SUMS.replace("2 * i + 1", "2 * i + 2")),
        ("k*k", SUMS.replace("j + sum", "sum", 1)),
        ("k % 3 + 1", SUMS),
        ("3 if k == 3 else 2", SUMS),
        ("max(1, 9 - k)", SUMS),
        ("k - 1", SUMS),  # there is no move in the first turn
        ("m", "u % (m + 2) == 0"),
        ("m", "u % (m + 1) == 1"),
    ],
)
def test_a_false_formula_is_not_certified(limit: str, formula: str) -> None:
    ruleset = turns(limit)
    instance = make_instance(ruleset, {"m": 2}, {"N": 14, "K": 5})
    assert verify(parse(formula), P, [solve_reference(instance, "outcome")]).status == "refuted"
    assert not proved(ruleset, formula)


@given(st.lists(st.integers(1, 9), min_size=3, max_size=8))
@examples(20)
def test_for_which_functions_the_sums_are_right(values: list[int]) -> None:
    """Such runs are right if the moves of every empty run are also moves to other runs (docs/proved.md)."""
    bound, rows = 24, len(values) + 2

    def f(k: int) -> int:
        return values[min(k, len(values)) - 1]

    def ends(j: int, k: int) -> tuple[int, int]:
        return j + sum(f(k + 2 * i) for i in range(j)), j + sum(f(k + 2 * i + 1) for i in range(j))

    @cache
    def p(u: int, k: int) -> bool:
        return not any(p(u - t, k + 1) for t in range(1, min(u, f(k)) + 1))

    runs = {k: [ends(j, k) for j in range(bound + 1)] for k in range(1, rows + 1)}
    right = all(p(u, k) == any(a <= u <= b for a, b in runs[k]) for k in runs for u in range(bound + 1))

    def shadow(k: int, empty: bool) -> set[int]:
        """Return the positions, up to the bound, with a move to row k's empty runs, or to its other runs."""
        found = [range(a + 1, min(b + f(k - 1), bound) + 1) for a, b in runs[k] if (a > b) == empty]
        return set().union(*found)

    assert right == all(shadow(k, True) <= shadow(k, False) for k in range(2, rows + 1))
    if all(f(k) <= f(k + 1) for k in range(2, rows)):
        assert right


OTHER_GAMES = {
    "misère play": "play: misere\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, 3)', from: x}]\n",
    "two moves": "position: {x: 0..N}\nmoves: [{take: '1..min(x, 3)', from: x}, {take: '5..min(x, 5)', from: x}]\n",
    "a guard": "position: {x: 0..N}\nmoves: [{take: '1..min(x, 3)', from: x, when: t % 2 == 1}]\n",
    "a pass": "position: {x: 0..N}\nmoves: [{take: '1..min(x, 3)', from: x}]\npass: {when: True}\n",
    "a limit that depends on the pile": "position: {x: 0..N}\nmoves: [{take: '1..min(x, x//2 + 1)', from: x}]\n",
    "positions left out": "position: {x: 0..N}\nwhere: x != 2\nmoves: [{take: '1..min(x, 3)', from: x, when: x - t != 2}]\n",
    "a pile that begins at 1": "position: {x: 1..N}\nmoves: [{take: '1..min(x - 1, 3)', from: x}]\n",
    "a row with an end": (
        "position: {x: 0..N, k: 0..5}\nmeasure: x\nmoves: "
        "[{for: {t: '1..min(x, 3)'}, to: {x: x - t, k: 'min(k + 1, 5)'}}]\n"
    ),
    "a next row by what is taken": (
        "position: {x: 0..N, k: 0..N}\nmeasure: x\nmoves: [{for: {t: '1..min(x, 3)'}, to: {x: x - t, k: t}}]\n"
    ),
    "a next row that is none": (
        "position: {x: 0..N, k: 0..N}\nmeasure: x\nmoves: [{for: {t: '1..min(x, 3)'}, to: {x: x - t, k: k - 1}}]\n"
    ),
}


NOT_CERTIFIED_OF = {
    **{why: (parse_ruleset(f"title: t\n{text}"), "x % 4 == 0") for why, text in OTHER_GAMES.items()},
    # families with games of which it is false
    "f(k) >= 1": (turns('{any: "f(k) >= 1"}'), SUMS),
    "a limit of 0": (turns('{any: "f(k) >= 0 and (k <= 2 or f(k - 1) <= f(k))"}'), SUMS),
    "a fall at 3": (turns('{any: "f(k) >= 1 and (k <= 3 or f(k - 1) <= f(k))"}'), SUMS),
    # ``any(u == u * 2 …)`` with u for j says something else: inside, u is no coordinate
    **{f"runs counted by {name}": (turns("m*k"), LINEAR.replace("j", name)) for name in "ukm"},
    "a parameter that may be negative": (pile("1..min(x, m)", "m: m % 2 == 1"), "x % (m + 1) == 0"),
    "no move with m = 0": (pile("1..min(x, m)", "m: m >= 0"), "x % (m + 1) == 0"),
}


@pytest.mark.parametrize("why", NOT_CERTIFIED_OF)
def test_games_of_other_kinds_are_refused(why: str) -> None:
    assert not proved(*NOT_CERTIFIED_OF[why])


# -- certificates against the definition ----------------------------------------------------------------------

LOW = st.sampled_from(["1", "2", "m", "k", "k*k"])
MORE = st.sampled_from(["0", "1", "m", "k", "2*k", "m*k", "isqrt(k)"])
EDITS = st.sampled_from(
    [("", "")] * 3 + [(" + 1", ""), ("", " + 1"), ("", " - 1"), (" + j", ""), ("", " + j"), ("", " - j")]
)


@given(LOW, MORE, st.integers(0, 3), EDITS)
@examples(20)
def test_what_is_certified_is_true_and_the_general_theorem_is_certified(
    low: str, more: str, step: int, edit: tuple[str, str]
) -> None:
    """The games take from low to low + more stones; the formula is the true one or a slightly different one."""
    ruleset = parse_ruleset(f"""title: t
parameters: {{m: m >= 1}}
position: {{u: 0..N, k: 1..K}}
measure: u
functions: {{f(k): "{low}", g(k): "{low} + {more}"}}
moves: [{{for: {{t: "f(k)..min(u, g(k))"}}, to: {{u: u - t, k: k + {step}}}}}]
""")
    each = f"g(k + {2 * step}*i) + f(k + {2 * step}*i + {step})"
    late = f"g(k + {2 * step}*i + {step}) + f(k + {2 * step}*i + {2 * step})"
    start, end = f"sum({each} for i in range(0, j))", f"sum({late} for i in range(0, j)) + f(k) - 1"
    formula = parse(f"any({start}{edit[0]} <= u <= {end}{edit[1]} for j in range(0, u + 1))")
    found = proved(ruleset, str(formula))
    assert found or edit != ("", "")
    if found:
        for m in (1, 3):
            p = p_positions(ruleset.functions, m, step)
            for u in range(12):
                for k in range(1, 5):
                    assert evaluate(formula, {"u": u, "k": k, "m": m}, ruleset.functions) == p(u, k)


def p_positions(functions: Functions, m: int, step: int) -> Callable[[int, int], bool]:
    """Return a function that tells whether a position of the game is a P-position, by the definition."""

    @cache
    def p(u: int, k: int) -> bool:
        low, high = (evaluate(parse(f"{name}({k})"), {"m": m}, functions) for name in "fg")
        return not any(p(u - t, k + step) for t in range(low, min(u, high) + 1))

    return p


@pytest.mark.parametrize("name", [*LIMITS, "nondecreasing"])
def test_every_obligation_is_true_of_numbers(name: str) -> None:
    ruleset, rng = shipped(f"turn-limit-{name}"), np.random.default_rng(1)
    needed, functions = run_obligations(ruleset, parse(SUMS)), ruleset.functions
    if ruleset.free:
        levels = np.cumsum(rng.integers(0, 4, 60)) + 1
        functions = turns(f"{{recurrence: f(k - 1), initial: {{{_initial([9, *levels])}}}}}").functions
    for j in range(5):
        for k in range(1, 9):
            for m in (1, 2, 5):
                env = {"j": j, "k": k, "m": m}
                assert {
                    what: evaluate(e, env, functions) for what, e in needed.zero.items()
                } == dict.fromkeys(needed.zero, 0)
                assert all(evaluate(expr, env, functions) >= 0 for expr in needed.natural.values())


def _initial(values: list[int]) -> str:
    return ", ".join(f"{argument}: {value}" for argument, value in enumerate(values, 1))


# -- evidence -------------------------------------------------------------------------------------------------


def turning(take: str, following: str = "k + 1") -> Ruleset:
    """Return the game in which ``take`` stones are taken in turn k, and the next turn follows."""
    return parse_ruleset(f"""title: t
parameters: {{m: m >= 1}}
position: {{u: 0..N, k: 1..K}}
measure: u
moves: [{{for: {{t: "{take}"}}, to: {{u: u - t, k: {following}}}}}]
""")


def failing(ruleset: Ruleset, formula: str) -> set[str]:
    """Return the conditions of the rule that the formula does not fulfil."""
    needed = run_obligations(ruleset, parse(formula))
    unequal = {what for what, expr in needed.zero.items() if needed.base_and_step(expr) != (Poly(), Poly())}
    return unequal | {
        what
        for what, expr in needed.natural.items()
        if not needed.facts.never_negative(needed.reader.poly(expr))
    }


# For each condition a game and a false formula that fulfils all others, and whether the game has an end.
ONE_FAILS = {
    "first": (pile("1..min(x, m)"), "any(x == 1 + j*(m + 1) for j in range(0, x + 1))", True),
    "next": (pile("1..min(x, m)"), "any(x == j*(m + 2) for j in range(0, x + 1))", True),
    "last": (pile("1..min(x, m)"), "any(0 <= x - j*(m + 2) <= 1 for j in range(0, x + 1))", True),
    "some": (turning("0..min(u, m)"), "any(j*m <= u <= j*m - 1 for j in range(0, u + 1))", False),
    "takes": (pile("2..min(x, 1)"), "any(0 <= x - 3*j <= 1 for j in range(0, x + 1))", True),
    "wider": (turns("k % 3 + 1"), SUMS, True),
    "row k": (turning("1..min(u, m)", "k - 1"), "u % (m + 1) == 0", False),
}


@pytest.mark.parametrize("what", ONE_FAILS)
def test_each_condition_of_the_rule_refuses_something_that_no_other_one_does(what: str) -> None:
    ruleset, formula, ends = ONE_FAILS[what]
    assert failing(ruleset, formula) == {what}
    assert not proves(stated(ruleset, formula), Runs())
    if ends:
        given = dict.fromkeys(ruleset.parameter_names, 2)
        instance = make_instance(ruleset, given, dict.fromkeys(ruleset.bounds, 14))
        assert verify(parse(formula), P, [solve_reference(instance, "outcome")]).status == "refuted"


@pytest.mark.parametrize(
    ("number", "plain"),
    [
        ("k - 1", True),
        ("k - 2", False),
        ("k - m", False),
        ("r(k) - 1", True),
        ("r(k) - 2", False),
        ("r(k + 1) - r(k)", True),
        ("r(k) - r(k + 1)", False),
        ("2 * r(k + 2) - r(k + 1) - r(k)", True),
        ("r(k + 2) - 2 * r(k + 1) + r(k)", False),
        ("m * r(k + 1) - r(k)", True),
        ("r(k + 1) - m * r(k)", False),
        ("m * r(k + 1) - m * r(k)", True),
        ("r(k) * r(k)", False),  # true, but no value is multiplied with another
    ],
)
def test_what_is_plainly_not_negative(number: str, plain: bool) -> None:
    needed = run_obligations(turns("isqrt(k)"), parse(SUMS))
    expr = parse_number(number.replace("r(", "isqrt("))
    assert needed.facts.never_negative(needed.reader.poly(expr)) == plain


def test_the_conditions_of_the_rule_are_those_of_the_theorem_in_coq() -> None:
    """The theorem is ``runs_right_below``; that a move leads to a row of the game is asked of each coordinate."""
    text = package_folder("coq").joinpath("Runs.v").read_text()
    record = text.split("Prop := {")[1].split("}.")[0]
    needed = run_obligations(turns("m*k"), parse(LINEAR))
    asked = {"first_run": "first", "first_next": "next", "last_next": "last", "row_next": "row k"}
    said: list[str] = re.findall(r"^  (\w+) :", record, re.MULTILINE)
    assert {asked.get(name, name) for name in said} == {*needed.zero, *needed.natural} - {"some"}
    assert "takes : forall r, row r -> 1 <= low r <= high r" in record  # with ``some``


def test_a_file_about_runs_is_of_one_statement() -> None:
    game = shipped("turn-limit-linear")
    theorem = prove_claim(game, game.claim("theorem-35")).theorem
    record = record_of(theorem)
    assert proved_by(record, game) == theorem
    for change in (
        lambda r: r["evidence"].update(natural=[]),  # no field of this evidence
        lambda r: r["statement"].update(key="0" * 64),
        lambda r: r["statement"].update(formula="u == 0"),
        lambda r: r["statement"].update(formula="u == 0", key=stated(game, "u == 0").key),
        lambda r: r["statement"].update(formula=5),
    ):
        check_refused(forged(record, change), game)


# -- normal forms ---------------------------------------------------------------------------------------------

LEAVES = st.sampled_from(["j", "k", "2", "3", "k*k", "j*k", "sum(k + 2*i for i in range(0, j))", "j*(j - 1)//2",
                          "sum(i*i for i in range(0, j + 1))", "sum(k for i in range(0, 3))", "f(k + j)"])  # fmt: skip
FORMS = st.recursive(
    LEAVES,
    lambda part: st.builds("({} {} {})".format, part, st.sampled_from("+-"), part) | part.map("-({})".format),
)


@given(FORMS)
def test_a_normal_form_has_the_expressions_values(source: str) -> None:
    functions, expr = turns("k*k + 1").functions, parse_number(source)
    form = PolynomialReader(functions, "j").form(expr)
    for j in range(4):
        for k in range(1, 4):
            total = evaluate_polynomial(form.plain, {"j": j, "k": k})
            total += sum(evaluate_polynomial(form.summand, {"#": i, "k": k, "j": j}) for i in range(j))
            assert total == evaluate(expr, {"j": j, "k": k, "m": 1}, functions)


@pytest.mark.parametrize("source", ["j // 2", "f(k)*f(k) // 2", "f(f(k))", "k ^ j", "min(j, k)", "k // j"])
def test_what_has_no_normal_form_is_refused(source: str) -> None:
    with pytest.raises(NoForm):
        PolynomialReader(turns("k % 3").functions, "j").poly(parse(source))


# -- growth ---------------------------------------------------------------------------------------------------

BODIES = st.recursive(
    st.sampled_from(["k", "1", "2", "5", "k % 3", "k % 2"]),
    lambda part: (
        st.builds("({} {} {})".format, part, st.sampled_from(["+", "*"]), part)
        | st.builds("({} - {})".format, part, st.sampled_from("12"))
        | st.builds("({} // {})".format, part, st.sampled_from("23"))
        | st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), part, part)
        | st.builds("isqrt({})".format, part)
        | st.builds("floor_log2({} + 1)".format, part)
        | st.builds(
            "({} if k {} {} else {})".format, part, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
            st.integers(0, 6), part,
        )
    ),
    max_leaves=5,
)  # fmt: skip
CALLS = st.sampled_from(
    ["f(k - 1)", "f(k - 2)", "f(k // 2)", "(f(k - 1) - 1)", "f(k - 1) * f(k - 2)", "max(f(k - 2), 3)"]
)


def check_growth(ruleset: Ruleset, first: int) -> None:
    found = growth_of(ruleset.functions, "f", first, {"m": 1})
    if found is None:
        return
    values = {k: evaluate(parse(f"f({k})"), {"m": 1}, ruleset.functions) for k in range(first, 40)}
    assert found.first == first
    assert min(values.values()) >= found.least
    if found.rises is not None:
        assert all(values[k] <= values[k + 1] for k in range(found.rises, 39))


@given(BODIES, st.integers(0, 3))
@examples(20)
def test_what_is_said_of_a_function_is_true_of_its_values(body: str, first: int) -> None:
    check_growth(turns(f'"{body}"'), first)


@given(BODIES, CALLS, st.lists(st.integers(0, 6), min_size=2, max_size=4), st.sampled_from("+*"))
@examples(20)
def test_what_is_said_of_a_recurrence_is_true_of_its_values(
    body: str, call: str, initial: list[int], sign: str
) -> None:
    ruleset = turns(f'{{recurrence: "{call} {sign} {body}", initial: {{{_initial(initial)}}}}}')
    try:
        evaluate(parse("f(39)"), {"m": 1}, ruleset.functions)
    except EvaluationError:
        return
    check_growth(ruleset, 1)


@pytest.mark.parametrize(
    ("limit", "rises"),
    [
        ("{recurrence: f(k - 1) + f(k - 2), initial: {1: 1, 2: 2}}", 1),
        ("{recurrence: f(k - 1) + f(k - 2), initial: {1: 5, 2: 1}}", 2),
        ("{recurrence: 1 if k < 10 else f(k // 10) + 1}", 1),
        ("isqrt(k*k*k)", 1),
        ("7 if k == 1 else k", 2),
        ("k % 3 + 1", None),
        ("3 if k < 4 else 2", 4),
    ],
)
def test_from_where_on_a_function_rises(limit: str, rises: int | None) -> None:
    found = growth_of(turns(limit).functions, "f", 1, {})
    assert found is not None
    assert found.rises == rises


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("f(k) >= 2 and f(k - 1) <= f(k)", (1, 2, 1)),
        ("f(k) > 2 and (k <= 4 or f(k) >= f(k - 1))", (1, 3, 4)),
        ("f(k) >= 1", (1, 1, None)),
        ("f(k - 1) <= f(k)", None),
        ("f(k) >= 1 and (k > 4 or f(k - 1) <= f(k))", (1, 1, None)),
        ("k < 3 or f(k) >= 1", None),
    ],
)
def test_what_is_asked_of_a_free_function(
    condition: str, expected: tuple[int, int, int | None] | None
) -> None:
    (free,) = turns(f'{{any: "{condition}"}}').free
    found = assumed_growth(free, 1)
    assert (found and (found.first, found.least, found.rises)) == expected


# -- in the prover --------------------------------------------------------------------------------------------


def test_parameters_that_are_fixed_are_said() -> None:
    proof = prove_claim(shipped("turn-limit-linear"), unpublished_claim(parse(SUMS), P), parse("m == 2"))
    assert (proof.status, proof.fixed) == ("proved", (("m", 2),))


@pytest.mark.parametrize(
    ("target", "where"),
    [
        ("p", "u < 0"),
        ("p", "m % 2 == 0"),
        ("p", "m == 2 and k > 4"),
        ("grundy == 0", "True"),
        ("true", "True"),
    ],
)
def test_only_statements_about_all_p_positions_are_proved_by_runs(target: str, where: str) -> None:
    ruleset = shipped("turn-limit-linear")
    found = runs_evidence(stated(ruleset, SUMS))
    assert found is not None
    meant = ALWAYS if target == "true" else parse_target(target)
    other = stated(ruleset, SUMS, meant, where)
    assert runs_evidence(other) is None
    assert not proves(other, found)
