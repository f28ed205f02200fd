"""Evidence written by hand by which the kernel once accepted what is false, or what has no value somewhere."""

from typing import Any

import pytest
from tests.prove.forging import check_refused, proved_by

import grundylab as gl
from grundylab.errors import GrundylabError
from grundylab.games import Ruleset
from grundylab.prove.core.claims import ProofRoot, root_of
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.foundation import foundation
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.proof_files import statement_text
from grundylab.statement import Statement, statement_about

TAKE = "{take: t, from: x}"


def heap(claim: str, *moves: str, more: str = "") -> Ruleset:
    moves = moves or (TAKE,)
    return gl.load(
        f"title: heap\n{more}position: {{x: 0..N}}\nmoves: [{', '.join(moves)}]\nclaims:\n  - {{id: c, {claim}}}\n"
    )


def stated(ruleset: Ruleset) -> Statement:
    return statement_about(ruleset, ruleset.claim("c"))


def written(name: str) -> str:
    """Return the unique name of a function in the form of a file."""
    return f"{name[66:]}__{name[1:65]}"


def record(ruleset: Ruleset, evidence: dict[str, Any]) -> dict[str, Any]:
    text = statement_text(stated(ruleset)).model_dump(mode="json", by_alias=True)
    return {"proof": 2, "statement": text, "evidence": evidence}


def of_seven(variable: dict[str, str], formula: str, lemma: dict[str, Any], at: str) -> None:
    """Check that ``x == 7`` does not follow from a lemma about a variable."""
    ruleset = heap('condition: "x == 7"')
    values = written(root_of(stated(ruleset)).own)
    said = {"values": values, "target": "true", "formula": formula, "variables": [variable]}
    tree = {"facts": [{"fact": "lemma", "number": 0, "at": ["x", at]}], "using": [0, 1]}
    check_refused(
        record(ruleset, {"rule": "instances", "lemmas": [said], "tree": tree, "premises": [lemma]}), ruleset
    )


CHOSEN = {"facts": [{"fact": "chosen", "of": "any(i == 5 for i in range(0, 9))"}], "using": [0, 1, 2]}
NUMBERED = {"numbers": ["x % 5"]}


@pytest.mark.parametrize(
    ("name", "formula", "tree"),
    [("_new_0", "_new_0 == 5", CHOSEN), ("_number_0", "_number_0 == x % 5", NUMBERED)],
)
def test_a_variable_has_no_name_that_a_proof_introduces(name, formula, tree):
    of_seven({"name": name, "low": "0", "high": "N"}, formula, {"rule": "instances", "tree": tree}, "99")


def test_a_variable_has_no_name_of_a_track_that_automata_make():
    of_seven({"name": "~0", "low": "x % 2 + 7", "high": "N"}, "x < 0", {"rule": "induction"}, "8")


def test_a_parameter_in_a_function_is_not_taken_for_a_bound_variable():
    ruleset = heap(
        'condition: "x == 7 and f(x) >= 0"',
        more='parameters: {m: "m >= 0"}\nfunctions: {"f(i)": "i + m"}\n',
    )
    root: ProofRoot = root_of(stated(ruleset))
    values, (f,) = written(root.own), (written(each.name) for each in root.theory.functions)

    def contradiction(n: int, bound: str, first: int) -> tuple[list[Any], dict[str, Any]]:
        """Return facts, and the decision, that if f(0) is not n then f is not what it is."""
        here = f"(1 if any({f}(0) == {n} for m in range(0, 9)) else 0)"
        there = f"(1 if any(0 + m == {n} for {bound} in range(0, 9)) else 0) - 1"
        facts = [
            {"fact": "differ", "values": values, "place": [here], "move": 0, "choices": ["1"]},
            {"fact": "same", "one": f"{values}({here})", "other": f"{values}({there})"},
        ]
        numbers = [f"{values}({here})", f"{values}({there})", f"{f}(0)"]
        return facts, {"using": [first, first + 1, first + 2], "numbers": numbers}

    for bound in ("m", "_bound_0_m"):
        (three, no), (four, yes) = contradiction(3, bound, 2), contradiction(4, bound, 4)
        tree = {"facts": three, "case": f"{f}(0) == 3", "no": no, "yes": {"facts": four, **yes}}
        check_refused(record(ruleset, {"rule": "instances", "tree": tree}), ruleset)


@pytest.mark.parametrize(
    ("claim", "number"),
    [
        ('condition: "5 // (x - 1003) > 0 or True"', "5 // (x - 1003)"),
        ('condition: "v >= 0", for: {v: "0..7 // (x - 1003)"}, where: "x != 1003"', "7 // (x - 1003)"),
        ('condition: "v >= 0", for: {v: "0..N + 7 // (x - 1003)"}', "7 // (x - 1003)"),
    ],
)
def test_a_statement_has_a_value_everywhere(claim, number):
    ruleset, decided = heap(claim), {"numbers": [number]}
    check_refused(record(ruleset, {"rule": "instances", "tree": decided, "meaning": decided}), ruleset)


@pytest.mark.parametrize("when", ["False", "7 // (x - 1003) >= 0 and False"])
def test_a_move_that_is_never_made_has_choices_with_values_too(when):
    move = f'{{for: {{s: "1..(1 << floor_log2(x))"}}, when: "{when}", to: {{x: "x - s"}}}}'
    ruleset = heap('target: p, formula: "x == 0"', TAKE, move)
    with pytest.raises(GrundylabError):
        Kernel().check(stated(ruleset), Induction.model_validate({"levels": ["x == 0"]}))
    root = root_of(stated(ruleset))
    assert len(list(foundation(root.theory, root.own, stated(ruleset).where, root.definedness))) == 3


def test_a_parameter_is_a_natural_number():
    ruleset = heap(
        'target: p, formula: "x <= 1"',
        '{for: {t: "k..x - 2"}, to: {x: t + 1}}',
        more='parameters: {k: "k >= -1 and k <= 0"}\n',
    )
    assert list(gl.solve(ruleset, k=-1, N=3).values[:2]) == [0, 1]  # from 1 one may move to 0
    check_refused(record(ruleset, {"rule": "induction", "levels": ["x <= 1"]}), ruleset, "the domain of k")


@pytest.mark.parametrize(
    "fact",
    [
        {"fact": "property", "function": "f", "at": ["x", "x"]},
        {"fact": "same", "one": "g(x, x)", "other": "g(x, 1)"},
        {"fact": "differ", "values": "G", "place": ["g(x, x)"], "move": 0, "choices": ["1"]},
    ],
)
def test_a_call_with_too_many_arguments_is_refused(fact):
    ruleset = heap(
        'condition: "f(x) >= 1 and g(x) < 5"', more='functions: {"f(n)": {any: "f(n) >= 1"}, "g(n)": n + 1}\n'
    )
    root = root_of(stated(ruleset))
    names = {each.name[66:]: written(each.name) for each in root.theory.functions} | {"G": written(root.own)}

    def named(value: Any) -> Any:
        if isinstance(value, list):
            return [named(each) for each in value]
        if not isinstance(value, str):
            return value
        return names.get(value, value.replace("g(", f"{names['g']}("))

    given = {key: value if key == "fact" else named(value) for key, value in fact.items()}
    evidence = {"rule": "instances", "tree": {"facts": [given]}}
    with pytest.raises(GrundylabError, match=r"argument|number of terms"):
        proved_by(record(ruleset, evidence), ruleset)


def test_an_expression_that_is_nested_too_deeply_is_refused():
    ruleset, deep = heap('condition: "x == 7"'), "x > 1"
    for _ in range(400):
        deep = {"if": ["x > 1", deep, "x > 2"]}
    tree = {"case": deep, "yes": {"using": [0]}, "no": {"using": [0]}}
    check_refused(record(ruleset, {"rule": "instances", "tree": tree}), ruleset, "nested")
