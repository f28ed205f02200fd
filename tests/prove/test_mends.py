"""What keeps false statements from being proved, taken out one at a time.

Each mend has a false statement that the method proves without it: so the method's own tests would not do without it,
and the gate stops it all the same. Then each method's own check is taken out: what it calls proved then, the gate
refutes. Then the gate's own conditions: each stops something that nothing else does.
"""

from __future__ import annotations

import inspect
import json
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import Phase, find, settings
from tests.prove import asking
from tests.prove.asking import period, runs, second
from tests.prove.bends import STRATEGIES
from tests.prove.bent import Bent
from tests.prove.test_faults_of_proofs import BEYOND, NIM, ONE_PILE, SUMS, TAKE_TO_M, THREE_PILES

from grundylab.errors import GrundylabError
from grundylab.games import Ruleset
from grundylab.games.model import P_POSITIONS
from grundylab.games.specialise import specialise
from grundylab.language import names, parse, parse_condition
from grundylab.language.syntax import TRUE
from grundylab.logic import mona
from grundylab.logic.lowered import Lowering
from grundylab.logic.mona import MISSING, MonaAnswer, find_mona
from grundylab.prove import (
    certificates,
    certify,
    heap_certificate,
    intervals,
    periodic,
    polys,
    prover,
    row_certificate,
    row_formula,
)
from grundylab.prove import second as mona_says
from grundylab.prove.induction import Decider
from grundylab.prove.obligations import Obligations
from grundylab.prove.outcome import MONA, Look, Opinion
from grundylab.prove.stated import read_question

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)

Record = dict[str, Any]
Ask = Callable[[Bent], str]


def without(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], line: str, instead: str = "pass"
) -> None:
    """Let the function have ``instead`` where it has ``line``, for everyone who calls it.

    The line must be there once: a mend that moves takes its row of the table with it.
    """
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(line) == 1, f"{function.__qualname__} does not have once: {line}"
    code = compile("from __future__ import annotations\n" + source.replace(line, instead), "<mend>", "exec")
    made: dict[str, Any] = {}
    exec(code, inspect.unwrap(function).__globals__, made)  # noqa: S102 - it is our own source
    put(monkeypatch, function, made[function.__name__])


def put(monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], other: Any) -> None:
    """The other in place of the function, in its class or in every module that knows it."""
    owner, _, name = function.__qualname__.rpartition(".")
    if owner:
        monkeypatch.setattr(inspect.unwrap(function).__globals__[owner], name, other)
        return
    for module in [module for key, module in sys.modules.items() if key.startswith("grundylab")]:
        for key, value in list(vars(module).items()):
            if value is function:
                monkeypatch.setattr(module, key, other)


def stated(
    text: str, formula: str, target: str, at: Mapping[str, int], says: int | None, truth: int, **claim: Any
) -> Bent:
    """The statement in a ruleset of that text. says, truth: at the place, where it says the one, not the other."""
    said = {"condition": formula} if target == "true" else {"target": target, "formula": formula}
    return Bent(
        "pinned", f"title: t\n{text}claims: {json.dumps([{'id': 'c', **claim, **said}])}\n", at, says, truth
    )


# -- mends --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mend:
    """function, line, instead: the mend, and what there was without it. ask: who says ``says`` of the statement then.

    kind: of what kind (``bends.py``) are the random statements of which it is said then, too.
    """

    function: Callable[..., Any]
    line: str
    instead: str
    kind: str
    statement: Bent
    ask: Ask = asking.by_methods
    says: str = "proved"


LOOKED_AT = 5_000  # of random statements, for one
HOLE = TAKE_TO_M + "functions: {h(k): 1 // (k - 200), zero(k): 0}\n"
RENAMED = """parameters: {k_0: k_0 >= 0}
position: {k: 0..N}
moves: [{take: t, from: k}]
functions: {g(n): n + k_0, f(n): "1 if all(g(k) <= n + k + 400 for k in range(0, 3)) else 0"}
"""
MENDS = {
    "names of renamed variables": Mend(
        names.bound, '"_bound_{i}_{stem}"', '"{stem}_{i}"', "hidden name",
        stated(RENAMED, "f(k) == 1", "true", {"k": 0, "k_0": 401}, 0, 1),
    ),
    "names of MONA's variables": Mend(
        Lowering._quantified, "self.counted(Interval(low, high - 1))", """[(v, this(v)) for v in [self.variable(f'{expr.variable}_1'.removeprefix('v_'))]][0]""", "far, in the logic",
        stated(ONE_PILE.replace("x", "x_1"), f"x_1 == 0 or {BEYOND.format(c='x_1')}", "p", {"x_1": 2999}, 1, 0), second, "agrees",
    ),
    "ranges that begin below 0": Mend(
        Obligations._natural, "parts, before = list[Sentence](), list[Expr]()", "return logic.TRUE", "domain",
        stated(THREE_PILES, "k >= 0", "true", {"x": 301, "y": 0, "z": 0, "k": -1}, 0, 1, **{"for": {"k": "300-x..300"}}), second, "agrees",
    ),
    "index of a sum within a sum": Mend(
        polys.Reader._sum, "while index in free_names(expr.body):", "while False:", "runs",
        stated(TAKE_TO_M, SUMS.format(i="a", b="b", j="j"), "p", {"x": 2, "m": 1}, 0, 1), runs,
    ),
    "values that cancel": Mend(
        intervals._growths, "{asked for form in forms for asked in form.asked}",
        "{a for f in forms for p in (f.plain, f.each) for a in p.atoms if isinstance(a, Value)}", "runs",
        stated(HOLE, "any(x == j*(m+1) + h(j) - h(j) for j in range(0, x + 1))", "p", {"x": 400, "m": 1}, None, 1), runs,
    ),
    "values that a function has no use for": Mend(
        polys.Reader._value, "body.asked | inner.asked", "body.asked", "runs",
        stated(HOLE, "any(x == j*(m+1) + zero(h(j)) for j in range(0, x + 1))", "p", {"x": 400, "m": 1}, None, 1), runs,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MENDS)
def test_without_a_mend_a_method_says_of_what_is_false_that_it_is_true(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mend = MENDS[what]
    mend.statement.check()
    assert mend.ask(mend.statement) != mend.says
    without(monkeypatch, mend.function, mend.line, mend.instead)
    assert mend.ask(mend.statement) == mend.says
    assert asking.by_prover(mend.statement) != "proved"


@pytest.mark.long
@pytest.mark.parametrize("what", MENDS)
def test_without_a_mend_such_a_statement_is_among_the_random_ones(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mend = MENDS[what]
    without(monkeypatch, mend.function, mend.line, mend.instead)

    def shows(bent: Bent) -> bool:
        try:
            return mend.ask(bent) == mend.says
        except AssertionError:  # the prover found the solver to disagree with it
            return True

    bent = find(
        STRATEGIES[mend.kind], shows, settings=settings(max_examples=LOOKED_AT, phases=[Phase.generate])
    )
    bent.check()


# -- each method's own check --------------------------------------------------------------------------------------------

SPLIT = "position: {x: 1..N}\nmoves: [{for: {t: 1..x-1}, to: [{x: t}, {x: x - t}]}]\n"
THREE = "position: {x: 0..N, y: 0..N, z: 0..N}\nmoves: [{take: t, from: x}, {take: t, from: y}, {take: t, from: z}]\n"


def valid(*_: Any, **__: Any) -> MonaAnswer:
    return MonaAnswer("valid")


def nothing(*_: Any, **__: Any) -> None:
    return None


@dataclass(frozen=True)
class Check:
    """taken: the checks that are taken out, and what is put in their place. ask: who says proved then."""

    taken: tuple[tuple[Callable[..., Any], Any], ...]
    statement: Bent
    ask: Ask


CHECKS = {
    "automata": Check(((Decider.example, nothing),), stated(ONE_PILE, "x == 0 or x == 2999", "p", {"x": 2999}, 1, 0), asking.by_methods),
    "automata, of what is always so": Check(
        ((Decider.example, nothing),), stated(ONE_PILE, "x != 2999", "true", {"x": 2999}, 0, 1), asking.by_methods
    ),
    "automata, of Grundy numbers": Check(
        ((Decider.example, nothing),),
        stated(ONE_PILE, "x + (1 if x >= 2999 else 0)", "grundy", {"x": 2999}, 3000, 2999), asking.by_methods,
    ),
    "runs": Check(
        ((intervals.check, nothing), (certify._shown, lambda *_: {})),
        stated(TAKE_TO_M, "any(x == j*(m+1) + j*(j-1)*(j-2)*(j-3) for j in range(0, x + 1))", "p", {"x": 8, "m": 1}, 0, 1), runs,
    ),
    "period": Check(
        ((heap_certificate.check_formula, nothing),),
        stated(SPLIT, "x % 2 == 1 and x*x != 2999*2999", "p", {"x": 2999}, 0, 1),
        period,
    ),
    "rows": Check(
        ((row_formula.check_row_formula, nothing),),
        stated(THREE, "y == x + 2 and x % 4 <= 1 and x*x != 2000*2000", "p", {"x": 2000, "y": 2002, "z": 2}, 0, 1, where="z == 2 and x <= y"),
        period,
    ),
    "MONA": Check(
        ((Decider.example, nothing), (mona.run_mona, valid)), stated(ONE_PILE, "x == 0 or x == 2999", "p", {"x": 2999}, 1, 0), second
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CHECKS)
def test_what_a_method_proves_without_its_own_check_the_gate_refutes(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = CHECKS[what]
    check.statement.check()
    assert check.ask(check.statement) not in ("proved", "agrees")
    for function, other in check.taken:
        put(monkeypatch, function, other)
    assert check.ask(check.statement) in ("proved", "agrees")
    put(monkeypatch, mona_says.on_induction, lambda *_: (Opinion(MONA, "agrees"), None))
    assert asking.by_prover(check.statement) == "refuted"
    assert asking.by_gate(check.statement) == "refuted"


# -- certificates -------------------------------------------------------------------------------------------------------

TO_M = "parameters: {m: %s}\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, m)', from: x}]\n"


def induction_without_moves() -> tuple[Ruleset, Record]:
    """That every position of three-pile Nim is a P-position, as of a game in which nothing moves."""
    bent = stated(NIM, "q == 0", "true", {}, 1, 1, **{"for": {"q": "0..0"}})
    return bent.ruleset, {**asking.induction(bent), "target": "p", "formula": "True", "levels": ["True"]}


def outside_the_domain() -> tuple[Ruleset, Record]:
    """That all heaps are P-positions where m = 0, of a game with m >= 5."""
    wide, narrow = (stated(TO_M % domain, "True", "p", {}, 1, 1).ruleset for domain in ("m >= 0", "m >= 5"))
    record = periodic.prove_by_period(wide, TRUE, P_POSITIONS, parse_condition("m == 0"))
    assert record is not None
    return narrow, record


def heap_of_another_period() -> tuple[Ruleset, Record]:
    """That up to three tokens from a heap have the period 3."""
    ruleset = stated(TO_M % "m >= 0", "True", "p", {}, 1, 1).ruleset
    record = periodic.prove_by_period(ruleset, parse("x % 4 == 0"), P_POSITIONS, parse_condition("m == 3"))
    assert record is not None
    return ruleset, {**record, "first": 0, "period": 3, "until": 12, "formula": "x % 3 == 0"}


def row_of_another_period() -> tuple[Ruleset, Record]:
    """That the row z = 2 of three-pile Nim has the period 2."""
    ruleset = stated(THREE, "True", "p", {}, 1, 1).ruleset
    where, formula = parse_condition("z == 2 and x <= y"), parse("y == x + 2 and x % 4 <= 1")
    record = periodic.prove_by_period(ruleset, formula, P_POSITIONS, where)
    assert record is not None
    return ruleset, {**record, "preperiod": 0, "period": 2, "formula": None, "where": "True"}


CERTIFICATES = {
    "induction": (induction_without_moves, read_question, "if variables and target != ALWAYS:", "if False:"),
    "domain": (outside_the_domain, specialise, "check_domain(ruleset, values)", "pass"),
    "heap": (
        heap_of_another_period, heap_certificate.check_heap, "values[n + period - least] != values[n - least]", "False"
    ),
    "row": (row_of_another_period, row_certificate._check_period, "row(m + p) != row(m) + p", "False"),
}  # fmt: skip


@pytest.mark.parametrize("what", CERTIFICATES)
def test_a_forged_certificate_that_its_checker_accepts_is_stopped_by_the_gate(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forge, function, line, instead = CERTIFICATES[what]
    ruleset, record = forge()
    with pytest.raises(GrundylabError):
        certificates._checked(record, ruleset)
    without(monkeypatch, function, line, instead)
    proof, _, _ = certificates._checked(record, ruleset)
    assert proof.status == "proved"
    told, _ = certificates.check_certificate(record, ruleset)
    assert told.status == ("undecided" if what == "domain" else "refuted")


# -- the gate itself ----------------------------------------------------------------------------------------------------


def test_without_asking_for_a_position_a_question_about_nothing_would_be_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nowhere = replace(stated(ONE_PILE, "x == 5", "p", {}, 1, 0), where="x < 0")
    assert asking.by_prover(nowhere) == "undecided"
    monkeypatch.setattr(Look, "good", property(lambda self: not self.bad))
    assert asking.by_prover(nowhere) == "proved"


def test_without_asking_for_parameters_a_question_about_none_would_be_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nowhere = replace(stated(TO_M % "m >= 5", "x == 5", "true", {}, 1, 0), where="m < 1")
    assert asking.by_prover(nowhere) == "undecided"
    without(monkeypatch, prover.conclude, "settings(ruleset, proof.where) == frozenset()", "False")
    monkeypatch.setattr(Look, "good", property(lambda self: not self.bad))
    assert asking.by_prover(nowhere) == "proved"


@pytest.mark.long
def test_what_the_gate_cannot_reach_is_not_proved_by_one_method_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A statement that is false at a place which no comparison tells, beyond every table."""
    prime = 1_000_003
    x = 500_001 * pow(7919, -1, prime) % prime
    hidden = stated(
        ONE_PILE,
        f"x == 0 or 7919*x*x*x*x % {prime} == 7919*{x}*x*x*x % {prime} and x > 9",
        "p",
        {"x": x},
        1,
        0,
    )
    hidden.check()
    assert asking.by_gate(hidden) == "undecided"
    without(monkeypatch, prover.conclude, "if seen.far or", "if True or seen.far or")
    assert asking.by_gate(hidden) == "proved"
