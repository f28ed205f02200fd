"""Statements that were once called proved though they are false, or have no value somewhere; each with a true variant.

The rulesets are in ``faults4/``: two names or two functions that become one, free functions below 0, recurrences
without a value. Two forged files of proofs are there, too.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from grundylab.errors import FormulaError, GrundylabError, RulesetError
from grundylab.games.load import load_ruleset, parse_ruleset
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.games.specialise import specialise
from grundylab.language import parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Call, Int, Name, called_functions, compare
from grundylab.prove.core.evidence import Property, PropertyInstance
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.meaning import check_meaning
from grundylab.prove.core.solution import Core
from grundylab.prove.core.theorem import Refused
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.proof_files import check_proof_file, proof_text, read_proof, statement_line
from grundylab.prove.prover import prove_claim
from grundylab.statement import Statement, statement_about
from grundylab.statement.qualified_names import qualified_game, renamed_game, renaming_of, with_functions

FILES = Path(__file__).with_name("faults4")

# A ruleset, its claim, and where that is false or has no value.
BELOW_ZERO = [
    ("takefam", "a", "f(-4) at k = 26"),
    (
        "takechild",
        "a",
        "its f is -64 below 0, and at k = 26 no theorem about the family says anything of that",
    ),
    ("negrec", "a", "f begins below 0 and has no value at -1518: at x = 1517"),
    ("negrec", "b", "the same"),
]
WITHOUT_VALUE = [
    *(("mexrec", claim, "f or g has no value at x = 1517") for claim in "acf"),
    *(("ident", claim, "g has no value at x = 1000") for claim in "acf"),
    ("famrec", "b", "f has no value at x = 1000"),
    *(("space", claim, "the space has no value at x = 1517") for claim in "abc"),
    *(("varrec", claim, "the range of k has no value at x = 1517") for claim in "ab"),
]
TRUE_ONES = [("ident", "d"), ("famrec", "a")]  # the same games, without the recurrence


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the rulesets."""
    shutil.copytree(FILES, tmp_path / "rulesets")
    return tmp_path / "rulesets"


def proof(ruleset: Ruleset, claim: str) -> Proof:
    return prove_claim(ruleset, ruleset.claim(claim), limits=Limits(timeout=5))


@pytest.mark.parametrize(("name", "claim", "why"), [*BELOW_ZERO, *WITHOUT_VALUE])
def test_what_is_false_or_has_no_value_is_not_proved(folder: Path, name: str, claim: str, why: str) -> None:
    assert proof(load_ruleset(name, folder), claim).status != "proved", why


@pytest.mark.parametrize(("name", "claim"), TRUE_ONES)
def test_what_is_true_of_the_same_games_is_proved(folder: Path, name: str, claim: str) -> None:
    assert proof(load_ruleset(name, folder), claim).status == "proved"


# -- two names ---------------------------------------------------------------------------------------------------------


def test_a_name_like_those_that_the_code_makes_is_refused_in_a_line() -> None:
    with pytest.raises(RulesetError) as refused:
        load_ruleset(FILES / "names.yaml")
    assert "names.yaml:4: functions.f_0123456789abcdef_g(n): 'f_0123456789abcdef_g' cannot" in str(
        refused.value
    )
    assert "\n" not in str(refused.value)


NAMED = """title: names
{parameters}functions: {{"{function}(n)": "n"}}
position: {{{coordinate}: 0..N}}
moves: [{{take: t, from: {coordinate}}}]
claims:
  - {{id: a, condition: "{coordinate} <= 3", where: "{function}({coordinate}) <= 3"}}
  - {{id: b, condition: "{coordinate} >= {choice}", for: {{{choice}: "0..{coordinate}"}}}}
  - {{id: c, condition: "{look}({coordinate}) == {function}({coordinate})", values: {{{look}: this}}}}
  - {{id: d, target: grundy, formula: "{function}({coordinate})"}}
"""
PLAIN = {"parameters": "", "function": "f", "coordinate": "x", "choice": "k", "look": "G"}
LIKE_A_DIGEST = "x_0123456789abcdef_y", "f__0123456789abcdef", "f_" + "a" * 40


@pytest.mark.parametrize("name", LIKE_A_DIGEST)
@pytest.mark.parametrize("kind", PLAIN)
def test_every_kind_of_name_is_refused(kind: str, name: str) -> None:
    named = f'parameters: {{{name}: "{name} >= 0"}}\n' if kind == "parameters" else name
    with pytest.raises(RulesetError, match="16 hexadecimal digits"):
        parse_ruleset(NAMED.format(**PLAIN | {kind: named}))


@pytest.mark.parametrize("name", ["f", "x", *LIKE_A_DIGEST])
def test_a_file_cannot_give_a_look_up_the_name_of_something_else(name: str) -> None:
    """Without this, certify would print one name for two functions."""
    ruleset = parse_ruleset(NAMED.format(**PLAIN))
    record = json.loads(proof_text(proof(ruleset, "c").theorem, "c"))
    assert check_proof_file(record, ruleset, Kernel())
    text = json.dumps(record["statement"]).replace("G(", f"{name}(").replace('"G"', f'"{name}"')
    with pytest.raises(FormulaError, match=r"cannot be the name|already the name"):
        check_proof_file(record | {"statement": json.loads(text)}, ruleset, Kernel())


TABLE = """title: t
functions: {"%s(n)": "n + 100"}
position: {x: 0..N}
moves: [{take: t, from: x}]
claims:
  - {id: a, target: grundy, where: "%s(x) <= 101", values: {%s: this}, table: {columns: [x], entries: "0 0\\n\\n1 1\\n\\n2 7"}}
"""


@pytest.mark.parametrize("name", ["printed", "is_printed"])
def test_no_function_is_taken_for_a_printed_table(name: str) -> None:
    """The condition was read as one on the entries, and the claim was refuted at x = 2, which it is not about."""
    parse_ruleset(TABLE % ("f", "f", "G"))
    for names in ((name, "f", "G"), ("f", "f", name)):
        with pytest.raises(RulesetError, match=rf"beside a table, no function may be called {name}\(\)"):
            parse_ruleset(TABLE % names)


def test_an_argument_is_not_taken_for_a_parameter_of_another_game() -> None:
    """The function of the looked-up game has an argument with the name of the parameter that gets a value."""
    one = "title: t\n{}position: {{x: 0..N}}\nmoves: [{{take: t, from: x}}]\n"
    looking = parse_ruleset(one.format('parameters: {n: "n >= 1"}\n'))
    looked_up = parse_ruleset(
        one.format('functions: {"f(n)": {recurrence: "f(n - 1) + 2", initial: {0: 0}}}\n')
    )
    game = specialise(with_functions(qualified_game(looking), qualified_game(looked_up)), {"n": 3})
    (function,) = game.functions
    assert evaluate(Call(function.name, (Int(7),)), {}, game.functions) == 14


@pytest.mark.parametrize("function", ["f_0123456789abcde_g", "f_", "f__1", "_".join("f" * 30), "f" * 60])
def test_the_proof_of_a_game_with_a_legal_name_is_certified(function: str, folder: Path) -> None:
    """The longest of these names could be written, and not be read again."""
    (folder / "legal.yaml").write_text(NAMED.format(**PLAIN | {"function": function}))
    ruleset = load_ruleset("legal", folder)
    for claim in "abcd":
        found = proof(ruleset, claim)
        assert found.theorem is not None
        record = json.loads(proof_text(found.theorem, claim))
        assert check_proof_file(record, ruleset, Kernel()) == found.theorem
        assert claim == "b" or f"{function}(x)" in statement_line(found.theorem.statement)


# -- two functions -----------------------------------------------------------------------------------------------------


def forged(name: str, ruleset: Ruleset, names: Mapping[str, str], claim: str = "a") -> Any:
    """Return the record of a forged file, with the key of the statement and other names of functions."""
    text = (FILES / f"forged-{name}.json").read_text()
    for old, new in names.items():
        text = text.replace(old, new)
    record = json.loads(text)
    record["statement"]["key"] = statement_about(ruleset, ruleset.claim(claim)).key
    return record


def written(ruleset: Ruleset, function: str) -> str:
    """Return a function's unique name as files have it."""
    _, digest, name = renaming_of(ruleset)[function].split("_", 2)
    return f"{name}__{digest}"


OF_THE_CHILD, OF_THE_PARENT = "f__d0034c266ef4f9c3", "f__a1c17a45b41805c6"


def test_evidence_names_no_function_that_the_game_replaces(folder: Path) -> None:
    child, parent = (load_ruleset(name, folder) for name in ("mchild", "mparent"))
    names = {OF_THE_CHILD: written(child, "f"), OF_THE_PARENT: written(parent, "f")}
    with pytest.raises(GrundylabError, match="unknown function"):
        check_proof_file(forged("merge", child, names), child, Kernel())
    assert proof(child, "a").status != "proved"  # it is false at x = 1517 alone


HONEST = """title: take 1 to 3, with two functions that are equal
extends: mparent
functions: {"f(n)": "(n + 4) % 4", "g(n)": "n % 4"}
claims: [{id: a, target: p, formula: "f(x) == 0"}, {id: b, condition: "f(x) == g(x)"}]
"""


def test_evidence_names_two_functions_of_the_game(folder: Path) -> None:
    (folder / "honest.yaml").write_text(HONEST)
    child = load_ruleset("honest", folder)
    names = {OF_THE_CHILD: written(child, "f"), OF_THE_PARENT: written(child, "g")}
    assert check_proof_file(forged("merge", child, names), child, Kernel())
    record = forged("family", child, names, "b")
    kernel, given = Kernel(), read_proof(record).evidence
    family = kernel.checked_premises(statement_about(child, child.claim("b")), given)[-1]
    numbers = [
        f"{name}__{digest}(x)"
        for digest, name in (each[1:].split("_", 1) for each in called_functions(family.formula))
    ]
    record["evidence"]["premises"][-1]["tree"]["numbers"] = numbers
    with pytest.raises(GrundylabError, match="does not follow"):  # that all functions f and g are equal
        check_proof_file(record, child, Kernel())
    record["evidence"] = {"rule": "induction", "levels": []}
    assert check_proof_file(record, child, Kernel())


def test_two_functions_of_one_name_do_not_become_one(folder: Path) -> None:
    """The game has another game's f beside its own, as where values are looked up; both are made free."""
    child, parent = (qualified_game(load_ruleset(name, folder)) for name in ("mchild", "mparent"))
    game = with_functions(child, parent)
    (own,), (other,) = ([function.name for function in each.functions] for each in (child, parent))
    x, n = (Name("x"),), (Name("n"),)
    statement = Statement(game, ALWAYS, compare("==", Call(own, x), Call(other, x)))  # false at x = 1517

    def free(name: str, least: int) -> Property:
        return Property(function=name, arguments=("n",), condition=compare(">=", Call(name, n), Int(least)))

    Kernel().checked_premises(statement, PropertyInstance(properties=(free(own, 0),)))
    Kernel().checked_premises(statement, PropertyInstance(properties=(free(own, 0), free(other, -1))))
    with pytest.raises(FormulaError, match="would become one"):
        Kernel().checked_premises(statement, PropertyInstance(properties=(free(own, 0), free(other, 0))))


def test_a_unique_name_of_two_functions_is_refused(folder: Path) -> None:
    child, parent = (qualified_game(load_ruleset(name, folder)) for name in ("mchild", "mparent"))
    (own,), (other,) = ([function.name for function in each.functions] for each in (child, parent))
    with pytest.raises(FormulaError, match="unique name of another function"):
        with_functions(child, renamed_game(parent, {other: own}))


@pytest.mark.parametrize("family", ["takefam", "famrec"])
def test_the_values_of_a_family_cannot_be_looked_up(family: str, folder: Path) -> None:
    """Its free function would stand beside one of the same name and property."""
    text = f"title: t\nposition: {{x: 0..N}}\nmoves: [{{take: t, from: x}}]\nclaims: [{{id: c, condition: B(x) >= 0, values: {{B: {family}}}}}]\n"
    ruleset = parse_ruleset(text, folder=folder)
    with pytest.raises(FormulaError, match=rf"B\(\) looks up {family}, which leaves [fh]\(\) open"):
        statement_about(ruleset, ruleset.claim("c"))


# -- free functions below 0 --------------------------------------------------------------------------------------------

FAMILY = """title: a family
parameters: {{k: "k >= {least}"}}
functions: {{"f(n)": {{any: "f(n) >= 1"}}}}
position: {{x: 0..N}}
moves: [{{for: {{t: "1..min(x, f({argument}))"}}, to: {{x: x - t}}}}]
claims: [{{id: a, target: p, formula: "x % (f({argument}) + 1) == 0"}}]
"""


@pytest.mark.parametrize(
    ("least", "argument", "right", "status"),
    [
        (30, "k - 30", True, "proved"),
        (29, "k - 30", False, "undecided"),
        (0, "k", True, "proved"),
        (0, "k // 2 - 1", False, "undecided"),
        (0, "f(k)", True, "proved"),
        (0, "f(k) - 1", False, "undecided"),
    ],
)
def test_a_free_function_has_values_from_0_on(least: int, argument: str, right: bool, status: str) -> None:
    ruleset = parse_ruleset(FAMILY.format(least=least, argument=argument))
    statement = statement_about(ruleset, ruleset.claim("a"))
    if right:
        check_meaning(statement, Core())
    else:
        with pytest.raises(Refused, match="does not follow"):
            check_meaning(statement, Core())
    assert proof(ruleset, "a").status == status


def test_a_condition_on_parameters_may_keep_arguments_from_0_on() -> None:
    ruleset = parse_ruleset(FAMILY.format(least=29, argument="k - 30"))
    statement = statement_about(ruleset, ruleset.claim("a"))
    check_meaning(statement.narrowed(parse_condition("k >= 30")), Core())
    claim = replace(ruleset.claim("a"), where=parse_condition("k == 35"))
    assert prove_claim(ruleset, claim, limits=Limits(timeout=5)).status == "proved"


@pytest.mark.parametrize("name", ["takefam", "takechild"])
def test_the_rule_of_runs_refuses_it_without_the_check_before_all_rules(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # grundylab.prove is a function, too
    monkeypatch.setattr(import_module("grundylab.prove.core.kernel"), "check_meaning", lambda *_: None)
    assert proof(load_ruleset(name, folder), "a").status != "proved"


# -- recurrences -------------------------------------------------------------------------------------------------------


def test_a_condition_that_a_period_does_not_evaluate_must_have_a_value(folder: Path) -> None:
    ruleset = load_ruleset("heaprec", folder)
    with pytest.raises(GrundylabError, match="product"):  # whether f() descends is not known
        check_proof_file(forged("heap", ruleset, {}), ruleset, Kernel())
    record = forged("heap", ruleset, {"f(n) >= -5 and n >= 0": "n >= 0"}, "b")
    assert check_proof_file(record, ruleset, Kernel())


RECURRENCE = """title: t
parameters: {k: "k >= 1"}
functions: {"f(n)": {recurrence: "%s", initial: {%s}}}
position: {x: 0..N}
moves: [{take: t, from: x}]
claims: [{id: c, condition: "f(x + 3)*x == x*f(x + 3)"}]
"""


@pytest.mark.parametrize(
    ("body", "initial", "right"),
    [
        ("f(n - 1) + f(n - 2)", "0: 1, 1: 1", True),
        ("f(n - 1) + f(n - 2)", "0: 1, 2: 1", False),  # f(-1)
        ("f(n - 1) + f(n - 2)", "1: 1, 2: 1", True),
        ("f(n - 1)", "-1: 1", False),  # it could be read; but proofs are about natural numbers
        ("f(n // 2) + 1", "0: 0", True),
        ("f(n // 2) + 1", "1: 0", True),
        ("f((n + 1) // 2) + 1", "0: 0", False),  # f(1)
        ("f((n + 1) // 2) + 1", "1: 0", True),
        ("f(n - k)", "0: 0", False),
        ("f(n - min(k, n))", "0: 0", True),
        ("f(n - 1) if n % 5 != 4 else f(n + 1)", "0: 0", False),
        ("f(n - 1) + 1 // (n - 1)", "0: 0", False),
        ("f(n - 1) + 1 // (n + 1)", "0: 0", True),
        ("n", "1: 0", True),
    ],
)
def test_a_recurrence_has_a_value_from_its_first_argument_on(body: str, initial: str, right: bool) -> None:
    ruleset = parse_ruleset(RECURRENCE % (body, initial))
    statement = statement_about(ruleset, ruleset.claim("c"))
    if right:
        check_meaning(statement, Core())
    else:
        with pytest.raises(Refused):
            check_meaning(statement, Core())
