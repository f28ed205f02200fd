"""The checks that keep false statements from being proved, removed one at a time.

Each mend has a false statement that the method proves without it; so the mend is needed, though the gate stops the
statement. Then each method's own check is removed, and the gate refutes the false statements that are called proved.
The kernel's declared side conditions have a table of their own (``kernel/test_conditions.py``).
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
from grundylab.games.model import P_POSITIONS
from grundylab.games.specialise import specialise
from grundylab.language import parse_condition
from grundylab.logic import mona
from grundylab.logic.lowering import Lowering
from grundylab.logic.mona import MISSING, MonaAnswer, find_mona
from grundylab.prove import prover
from grundylab.prove.core.evidence import Evidence, HeapEvidence, Induction, Rows
from grundylab.prove.core.game import GameSentences
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.periods import heap, row_formula
from grundylab.prove.core.periods import row_period as rows
from grundylab.prove.core.runs import polys
from grundylab.prove.core.runs import run_ends as kernel_runs
from grundylab.prove.core.solution import Decider
from grundylab.prove.period_search import period_evidence
from grundylab.statement import Statement

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)

Ask = Callable[[Bent], str]


def without(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], line: str, instead: str = "pass"
) -> None:
    """Replace a line of the function by ``instead``, for all its callers.

    The line must occur exactly once, so that a mend that moves must be moved in the table, too.
    """
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(line) == 1, f"{function.__qualname__} does not have once: {line}"
    code = compile("from __future__ import annotations\n" + source.replace(line, instead), "<mend>", "exec")
    made: dict[str, Any] = {}
    exec(code, inspect.unwrap(function).__globals__, made)  # noqa: S102 - it is our own source
    put(monkeypatch, function, made[function.__name__])


def put(monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], other: Any) -> None:
    """Replace the function by another one, in its class or in every module that imports it."""
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
    """Return a false statement about a ruleset with this text.

    says, truth: its wrong and its right value at the place.
    """
    said = {"condition": formula} if target == "true" else {"target": target, "formula": formula}
    return Bent(
        "pinned", f"title: t\n{text}claims: {json.dumps([{'id': 'c', **claim, **said}])}\n", at, says, truth
    )


# -- mends --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mend:
    """A mend, and a false statement that is proved without it.

    function, line, instead: the line of the mend, and the line in its place without it. ask: the question that then
    gets the answer ``says``. kind: the kind (``bends.py``) of the random statements that get this answer, too.
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
MENDS = {
    "names of MONA's variables": Mend(
        Lowering._quantified, "self.counted(Interval(low, high - 1))", """[(v, self.scope(syntax.Name(v.name)).forms[v.name]) for v in [self.variable(f'{expr.variable}_1'.removeprefix('v_'))]][0]""", "far, in the logic",
        stated(ONE_PILE.replace("x", "x_1"), f"x_1 == 0 or {BEYOND.format(c='x_1')}", "p", {"x_1": 2999}, 1, 0), second, "agrees",
    ),
    "ranges that begin below 0": Mend(
        GameSentences.natural_coordinates, "if not plainly_natural(coordinate.range.low):", "if False:", "domain",
        stated(THREE_PILES, "k >= 0", "true", {"x": 301, "y": 0, "z": 0, "k": -1}, 0, 1, **{"for": {"k": "300-x..300"}}), second, "agrees",
    ),
    "index of a sum within a sum": Mend(
        polys.PolynomialReader._sum, "while index in free_names(expr.body):", "while False:", "runs",
        stated(TAKE_TO_M, SUMS.format(i="a", b="b", j="j"), "p", {"x": 2, "m": 1}, 0, 1), runs,
    ),
    "values that cancel": Mend(
        kernel_runs._growths, "{asked for form in forms for asked in form.asked}",
        "{a for f in forms for p in (f.plain, f.summand) for a in p.atoms if isinstance(a, Value)}", "runs",
        stated(HOLE, "any(x == j*(m+1) + h(j) - h(j) for j in range(0, x + 1))", "p", {"x": 400, "m": 1}, None, 1), runs,
    ),
    "values that a function has no use for": Mend(
        polys.PolynomialReader._value, "body.asked | inner.asked", "body.asked", "runs",
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


def nothing_to_show(*_: Any) -> kernel_runs.RunObligations:
    return kernel_runs.RunObligations(None, None, {}, {})


DECIDED = ((Decider.example, nothing), (Decider.check, nothing))


@dataclass(frozen=True)
class Check:
    """Checks to be removed, and a false statement.

    taken: what replaces each of them. ask: the question then answered 'proved'.
    """

    taken: tuple[tuple[Callable[..., Any], Any], ...]
    statement: Bent
    ask: Ask


CHECKS = {
    "automata": Check(DECIDED, stated(ONE_PILE, "x == 0 or x == 2999", "p", {"x": 2999}, 1, 0), asking.by_methods),
    "automata, of what is always so": Check(
        DECIDED, stated(ONE_PILE, "x != 2999", "true", {"x": 2999}, 0, 1), asking.by_methods
    ),
    "automata, of Grundy numbers": Check(
        DECIDED,
        stated(ONE_PILE, "x + (1 if x >= 2999 else 0)", "grundy", {"x": 2999}, 3000, 2999), asking.by_methods,
    ),
    "runs": Check(
        ((kernel_runs.run_obligations, nothing_to_show),),
        stated(TAKE_TO_M, "any(x == j*(m+1) + j*(j-1)*(j-2)*(j-3) for j in range(0, x + 1))", "p", {"x": 8, "m": 1}, 0, 1), runs,
    ),
    "period": Check(
        ((heap.settle, nothing),),
        stated(SPLIT, "x % 2 == 1 and x*x != 2999*2999", "p", {"x": 2999}, 0, 1),
        period,
    ),
    "rows": Check(
        ((row_formula.check_row_formula, nothing),),
        stated(THREE, "y == x + 2 and x % 4 <= 1 or x*x == 3000*3000 and y == 3003", "p", {"x": 3000, "y": 3003, "z": 2}, 1, 0, where="z == 2 and x <= y"),
        period,
    ),
    "MONA": Check(
        (*DECIDED, (mona.run_mona, valid)), stated(ONE_PILE, "x == 0 or x == 2999", "p", {"x": 2999}, 1, 0), second
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
    assert asking.by_prover(check.statement) == "refuted"
    assert asking.by_gate(check.statement) == "refuted"


# -- evidence -----------------------------------------------------------------------------------------------------------

TO_M = "parameters: {m: %s}\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, m)', from: x}]\n"
Forged = tuple[Statement, Evidence]


def forged(bent: Bent, where: str) -> Statement:
    return asking.statement(replace(bent, where=where))


def found(bent: Bent, where: str) -> Evidence:
    """Return the evidence for a period of the true statement."""
    evidence = period_evidence(forged(bent, where))
    assert evidence is not None
    return evidence


def induction_without_moves() -> Forged:
    """Return a forged proof that every position of three-pile Nim is a P-position, as in a game without moves."""
    bent = stated(NIM, "q == 0", "true", {}, 1, 1, **{"for": {"q": "0..0"}})
    everywhere = parse_condition("True")
    statement = replace(asking.statement(bent), target=P_POSITIONS, formula=everywhere)
    return statement, Induction(levels=(everywhere,))


def outside_the_domain() -> Forged:
    """Return a forged proof that all heaps are P-positions if m = 0, in a game with m >= 5."""
    wide, narrow = (stated(TO_M % domain, "True", "p", {}, 1, 1) for domain in ("m >= 0", "m >= 5"))
    return forged(narrow, "m == 0"), found(wide, "m == 0")


def heap_of_another_period() -> Forged:
    """Return a forged proof of period 3 for a heap from which up to three tokens are taken."""
    bent = stated(TO_M % "m >= 0", "x % 3 == 0", "p", {}, 1, 1)
    return forged(bent, "m == 3"), HeapEvidence(first=0, period=3, until=12)


def row_of_another_period() -> Forged:
    """Return a forged proof of period 2 for the row z = 2 of three-pile Nim."""
    bent = stated(THREE, "y == x + 2 and x % 4 <= 1", "p", {}, 1, 1)
    evidence, where = found(bent, "z == 2 and x <= y"), parse_condition("z == 2")
    assert isinstance(evidence, Rows)
    wanted = rows.row_period(asking.statement(bent).game, where, evidence.axes, P_POSITIONS, (0, 2))
    return wanted, evidence.model_copy(update={"period": (0, 2)})


FORGED = {
    "induction": (induction_without_moves, Statement.check, "if self.variables and self.target != ALWAYS:", "if False:"),
    "domain": (outside_the_domain, specialise, "check_domain(ruleset, values)", "pass"),
    "heap": (heap_of_another_period, heap.check_heap, "values[n + period - least] != values[n - least]", "False"),
    "row": (row_of_another_period, rows.check_row, "row(m + p) != row(m) + p", "False"),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGED)
def test_forged_evidence_that_the_kernel_accepts_is_stopped_before_anyone_sees_it(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forge, function, line, instead = FORGED[what]
    statement, evidence = forge()
    with pytest.raises(GrundylabError):
        Kernel().check(statement, evidence)
    without(monkeypatch, function, line, instead)
    theorem = Kernel().check(statement, evidence)
    assert asking.at_gate(theorem) == ("undecided" if what == "domain" else "refuted")


# -- the witness --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "nowhere",
    [
        replace(stated(ONE_PILE, "x == 5", "p", {}, 1, 0), where="x < 0"),
        replace(stated(TO_M % "m >= 5", "x == 5", "true", {}, 1, 0), where="m < 1"),
    ],
    ids=["of no position", "of no parameter"],
)
def test_without_asking_for_a_witness_a_question_about_nothing_would_be_proved(
    nowhere: Bent, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asking.by_prover(nowhere) == "undecided"
    put(monkeypatch, prover.witness_of, lambda *_: {})
    assert asking.by_prover(nowhere) == "proved"
